/* Instance and devices.
 *
 * Threads: an instance may be used from any thread. The list of devices does not change after shoal_open;
 * parts of devices are not in this list. Do not fork after shoal_open.
 */
#ifndef SHOAL_DEVICE_H
#define SHOAL_DEVICE_H

#include <shoal/error.h>
#include <shoal/log.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SHOAL_BEGIN_DECLS

/* An instance of the library: devices, drivers, caches, log. Created by shoal_open. */
struct shoal;

/* A device of an instance: the host, or whatever OpenCL or CUDA offers. Lives as long as its instance. */
struct shoal_device;

/* Settings of an instance. */
struct shoal_params {
    size_t size;      /* Bytes of the struct, set by shoal_params_init. */
    shoal_log_fn log; /* Receives log messages. Default: NULL, no messages. */
    void *log_data;   /* Passed to `log`. */
    /* Most detailed level that is reported. Default: SHOAL_LOG_WARNING. */
    enum shoal_log_level log_level;
    /* Folder of compiled kernels and tuned values. Default: NULL, which means $SHOAL_CACHE_DIR, then
     * $XDG_CACHE_HOME/shoal, then ~/.cache/shoal. */
    const char *cache_dir;
    /* Folder whose files replace the embedded kernels. Default: NULL, which means $SHOAL_KERNEL_DIR, if set.
     * "": no folder. A folder that cannot be read is SHOAL_INVALID. */
    const char *kernel_dir;
    bool no_cache; /* Compiled kernels and tuned values are neither read nor written. Default: false. */
    bool sync;     /* Each launch waits for its end, so that an error names its kernel. Default: false. */
    /* Divisions and square roots are correctly rounded, nothing is contracted to fused operations. Default:
     * false. */
    bool strict_fp;
    /* Stop callback. Any thread calls `stop` while the C compiler compiles a text for the host; true ends the
     * compiler, and the library call that needs the text returns SHOAL_STOPPED. shoal_build_ahead calls
     * `stop` from several threads at once; once it has returned true, no further build begins. Rank 0 of
     * several processes also calls `stop` while it waits for another rank, in each step call and at the end
     * of a divided run, and in shoal_ranks_leave, also after shoal_close; once `stop` has returned true, a
     * rank that does not answer for 0.3 s counts as lost. Default: NULL, never stopped. */
    bool (*stop)(void *data);
    void *stop_data; /* Passed to `stop`. With several ranks it must be valid until shoal_ranks_leave. */
    bool host_only;  /* No driver is opened: the host is the only device. Default: false. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_params_init(struct shoal_params *params);
#define SHOAL_PARAMS(...) SHOAL_INIT(shoal_params, shoal_params_init, __VA_ARGS__)

/* Opens the library and finds every device, unless params->host_only is set. Without a driver the host is the
 * only device, and shoal_backend_at gives the reason. `params` is copied; NULL: the defaults. No other call
 * reads the environment: shoal_open reads SHOAL_CACHE_DIR, SHOAL_KERNEL_DIR, XDG_CACHE_HOME, HOME, CC and
 * TMPDIR, and drivers read variables of their own. Close the instance with shoal_close.
 * Errors: SHOAL_INVALID: params->kernel_dir is no folder that can be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_open(struct shoal **out, const struct shoal_params *params,
                                                        struct shoal_error *error);

/* Closes the instance and sets the pointer to NULL. Accepts NULL. Destroy every queue, buffer, program, event
 * and solver of the instance first. */
SHOAL_API void shoal_close(struct shoal **shoal);

/* State of one backend, or of one OpenCL platform that could not be used. Owned by the instance. */
struct shoal_backend_info {
    const char *name; /* "opencl", "cuda" or "host". */
    bool available;   /* The backend has at least one device. */
    const char *note; /* Version where available; otherwise the reason and what to do. */
    /* The backend does not work, or `note` names a device whose driver computes wrong. Such a note begins
     * with the id of the device. */
    bool is_fault;
};

/* Number of records that shoal_backend_at gives. */
SHOAL_API size_t shoal_backend_count(const struct shoal *shoal);

/* Record number `index`, from 0. Valid as long as the instance. NULL: `index` is out of range. */
SHOAL_API const struct shoal_backend_info *shoal_backend_at(const struct shoal *shoal, size_t index);

/* PCI address of a card. */
struct shoal_pci_address {
    uint32_t domain;   /* PCI domain. */
    uint32_t bus;      /* Bus within the domain, 0 to 255. */
    uint32_t device;   /* Device on the bus, 0 to 31. */
    uint32_t function; /* Function of the device, 0 to 7. */
};

/* Properties and capabilities of a device. Capabilities are data: 0 or false means not supported. Owned by
 * the instance. */
struct shoal_device_info {
    const char *id;          /* Name for selection: "opencl:0", "cuda:0", "host", "opencl:0/4:1". */
    const char *backend;     /* "opencl", "cuda" or "host". */
    const char *name;        /* Name that the driver gives, as a line of UTF-8 without blanks around it. */
    const char *vendor;      /* Vendor that the driver gives. "shoal" for the host. */
    const char *platform;    /* Name of the OpenCL platform; "CUDA"; "OpenMP" for the host. */
    const char *driver;      /* Version of the driver. */
    const char *compiler;    /* Kernel compiler and its version: part of the cache key. */
    uint64_t memory;         /* Global memory, in bytes. */
    uint64_t max_allocation; /* Largest buffer, in bytes. */
    uint64_t local_mem;      /* Local memory that a work-group can have, statically declared, in bytes. */
    /* Local memory with CUDA's opt-in, in bytes. Without CUDA: equals `local_mem`. */
    uint64_t local_mem_max;
    uint32_t units;          /* Number of compute units, multiprocessors or threads of the processor. */
    uint32_t max_work_group; /* Most work-items of a work-group. */
    uint32_t simd_width;     /* Preferred multiple of work-items: warp, wavefront or vector width. */
    uint32_t architecture;   /* CUDA compute capability x 10: 90 is sm_90. Without CUDA: 0. */
    bool fp64;               /* The device has double precision. */
    bool int64_atomics;      /* The device has 64-bit atomics on global memory. */
    /* Division and square root can be correctly rounded: -cl-fp32-correctly-rounded-divide-sqrt, or the
     * equivalent flag of CUDA. */
    bool correct_division;
    bool is_cpu;       /* The device is a processor. True for the host. */
    bool is_gpu;       /* The device is a graphics card. */
    bool is_host;      /* The device is the host: plain C in double precision, without queues. */
    bool self_caching; /* The driver caches compiled kernels itself, so shoal does not. */
    bool has_pci;      /* `pci` is known. */
    /* PCI address of the card, if `has_pci` is true. */
    struct shoal_pci_address pci;
    /* Id of the preferred device of the same card. NULL: this device is the preferred device itself, or a
     * part. */
    const char *alias_of;
    /* Id of the whole device that this device is a part of: see shoal_device_select. `units` and `local_mem`
     * are values of the part alone; `memory` is the memory of the whole device, which all parts share. NULL:
     * this device is no part. */
    const char *part_of;
    /* Compute units of the whole device that this device is a part of. 0: this device is no part. */
    uint32_t whole_units;
    const char
        *host; /* Name of the host of another rank's device (<shoal/mpi.h>). "": a device of this process. */
    uint32_t rank; /* Rank of the process that has the device. 0 without ranks. */
};

/* Number of devices, at least 1: the host is always there. */
SHOAL_API size_t shoal_device_count(const struct shoal *shoal);

/* Device number `index`, from 0: CUDA first, then OpenCL, then the host. Valid as long as the instance. NULL:
 * `index` is out of range. */
SHOAL_API struct shoal_device *shoal_device_at(const struct shoal *shoal, size_t index);

/* Properties and capabilities of the device. Valid as long as the instance. */
SHOAL_API const struct shoal_device_info *shoal_device_get_info(const struct shoal_device *device);

/* Flags of shoal_device_select, to be or'ed. */
enum {
    SHOAL_SELECT_ALIASES = 1 /* "gpu" and "cpu" select a card once for each backend that shows the card. */
};

/* Devices named by `selector`, a comma list of ids ("opencl:0"), "gpu", "cpu", "all", "host", "~part of a
 * name" (any case), "pci:[domain:]bus:device.function" and parts of OpenCL devices. The result holds each
 * device once, in the order of the list. "all" selects every device; "gpu" and "cpu" leave out the host and,
 * without SHOAL_SELECT_ALIASES, aliases. "all", "gpu" and "cpu" select no parts.
 * An id followed by '/' and a word selects all parts of one device. "opencl:0/4": four parts with equal
 * numbers of compute units (if 4 does not divide the number of units, the first parts have one unit more).
 * "opencl:0/12+4": two parts, with 12 and 4 units. "opencl:0/numa": one part for each NUMA node.
 * "opencl:0/4:1": part number 1 of the four, from 0. Each part is a device, and parts compute at the same
 * time; all parts of one word share an OpenCL context. A part is created when it is first selected and lives
 * as long as the instance; the same word always selects the same devices.
 * Writes up to `capacity` devices; without parts, a capacity of shoal_device_count() is enough. `*count`
 * receives the number of devices, 0 after an error. `devices` NULL and `capacity` 0: only the number is
 * wanted.
 * Errors: SHOAL_NO_DEVICE: an item of the list matches nothing (the message lists the ids that exist), or a
 * device cannot be divided in this way. SHOAL_INVALID: an item is empty, or more devices match than
 * `capacity`. Others: the driver failed to make the parts. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_device_select(const struct shoal *shoal, const char *selector, unsigned flags,
                    struct shoal_device **devices, size_t capacity, size_t *count, struct shoal_error *error);

/* State of the folder of compiled kernels and tuned values. */
struct shoal_cache_info {
    size_t size;      /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    char path[1024];  /* The folder. "": the cache is off. */
    uint64_t entries; /* Number of compiled kernels. */
    uint64_t bytes;   /* Bytes of all compiled kernels. */
};

/* Fills `info` with the state of the cache. Before the call set info->size, usually to 0.
 * Errors: SHOAL_IO: the folder cannot be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_cache_get_info(struct shoal *shoal, struct shoal_cache_info *info, struct shoal_error *error);

/* Removes every compiled kernel; tuned values stay. `*removed` receives the number of kernels removed; NULL:
 * not wanted.
 * Errors: SHOAL_IO: the folder cannot be cleared. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cache_clear(struct shoal *shoal, uint64_t *removed,
                                                               struct shoal_error *error);

/* The path that bytes take from one device to another. */
enum shoal_link_path {
    /* An ordinary copy: both devices have the same memory, as parts of one device have. */
    SHOAL_LINK_SAME_MEMORY,
    /* The target reads the memory of the source directly. */
    SHOAL_LINK_PEER,
    /* From the source to pinned memory of the host, and from there to the target. */
    SHOAL_LINK_HOST,
    /* Source and target belong to other ranks (<shoal/mpi.h>): bytes go from the process of the source to the
     * process of the target, which may be the same process. */
    SHOAL_LINK_RANKS
};

/* Name of a path, a constant: "same memory", "peer", "host" or "ranks". Any thread. */
SHOAL_API const char *shoal_link_path_name(enum shoal_link_path path);

SHOAL_END_DECLS

#endif
