/* Instance and devices.
 *
 * Threads: an instance may be used from any thread; its device list does not change after shoal_open.
 * Do not fork after shoal_open.
 */
#ifndef SHOAL_DEVICE_H
#define SHOAL_DEVICE_H

#include <shoal/error.h>
#include <shoal/log.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SHOAL_BEGIN_DECLS

struct shoal;
struct shoal_device;

struct shoal_params {
    size_t size;      /* set by shoal_params_init */
    shoal_log_fn log; /* NULL: no messages */
    void *log_data;
    enum shoal_log_level log_level; /* most detailed level reported; default SHOAL_LOG_WARNING */
    const char *cache_dir; /* NULL: $SHOAL_CACHE_DIR, then $XDG_CACHE_HOME/shoal, then ~/.cache/shoal */
    /* Folder whose files replace the embedded kernels; NULL: $SHOAL_KERNEL_DIR; "": none. One that is not
     * there is refused with SHOAL_INVALID. */
    const char *kernel_dir;
    bool no_cache;  /* do not read or write compiled kernels or tuned sizes */
    bool sync;      /* finish after each launch, so that an error names its kernel */
    bool strict_fp; /* correctly rounded division and square root, no contraction */
    /* Asked while the C compiler works on a text for the host: true ends it, with SHOAL_STOPPED. NULL: no. */
    bool (*stop)(void *data);
    void *stop_data;
    bool host_only; /* open no driver: the host is the only device */
};

SHOAL_API void shoal_params_init(struct shoal_params *params);
#define SHOAL_PARAMS(...) SHOAL_INIT(shoal_params, shoal_params_init, __VA_ARGS__)

/* Finds every device, unless host_only is set. Succeeds with only the host device where no driver is
 * installed; shoal_backend_at() gives the reason. `params` may be NULL. The environment is read here only. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_open(struct shoal **out, const struct shoal_params *params,
                                                        struct shoal_error *error);
/* Every queue, buffer, program and event of the instance must be destroyed before. */
SHOAL_API void shoal_close(struct shoal **shoal);

/* State of one backend, or of one OpenCL platform that could not be used. */
struct shoal_backend_info {
    const char *name; /* "opencl", "cuda", "host" */
    bool available;   /* at least one device */
    const char *note; /* version where available; otherwise the reason and what to install */
    bool is_fault;    /* it is installed, but does not work */
};
SHOAL_API size_t shoal_backend_count(const struct shoal *shoal);
SHOAL_API const struct shoal_backend_info *shoal_backend_at(const struct shoal *shoal, size_t index);

struct shoal_pci_address {
    uint32_t domain, bus, device, function;
};

/* Capabilities are data: 0 or false means not supported. */
struct shoal_device_info {
    const char *id;      /* "opencl:0", "cuda:0", "host" */
    const char *backend; /* "opencl", "cuda", "host" */
    const char *name;    /* as the driver gives it, as a line of UTF-8 without blanks around it */
    const char *vendor;
    const char *platform; /* OpenCL platform; "CUDA"; "OpenMP" */
    const char *driver;   /* driver version */
    const char *compiler; /* kernel compiler and its version: part of the cache key */
    uint64_t memory;      /* bytes of global memory */
    uint64_t max_allocation;
    uint64_t local_mem;     /* bytes of local memory a work-group can have, statically declared */
    uint64_t local_mem_max; /* with CUDA's opt-in; equals local_mem elsewhere */
    uint32_t units;         /* compute units, multiprocessors or CPU threads */
    uint32_t max_work_group;
    uint32_t simd_width;   /* preferred multiple: warp, wavefront or vector width */
    uint32_t architecture; /* CUDA compute capability x 10 (90 = sm_90); 0 elsewhere */
    bool fp64;
    bool int64_atomics;    /* 64-bit atomics on global memory */
    bool correct_division; /* -cl-fp32-correctly-rounded-divide-sqrt, or its CUDA equal */
    bool is_cpu, is_gpu, is_host;
    bool self_caching; /* the driver caches compiled kernels itself, so shoal does not */
    bool has_pci;
    struct shoal_pci_address pci;
    const char *alias_of; /* id of the preferred device of the same card; NULL: this is the preferred one */
};

SHOAL_API size_t shoal_device_count(const struct shoal *shoal);
/* Order: CUDA, OpenCL, host. Devices live as long as the instance. */
SHOAL_API struct shoal_device *shoal_device_at(const struct shoal *shoal, size_t index);
SHOAL_API const struct shoal_device_info *shoal_device_get_info(const struct shoal_device *device);

/* "gpu" and "cpu" select a card once for each backend that shows it, not only the preferred device. */
enum { SHOAL_SELECT_ALIASES = 1 };

/* Devices named by `selector`: a comma list of ids ("opencl:0"), "gpu", "cpu", "all", "host", "~part of a
 * name" (any case) and "pci:[domain:]bus:device.function", each device once, in the order named. "all" is
 * every device; "gpu" and "cpu" leave out aliases and the host. A part that matches nothing is an error
 * (SHOAL_NO_DEVICE) whose message lists the ids there are; SHOAL_INVALID: a part is empty. Writes up to
 * `capacity` devices; shoal_device_count() are always enough. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_device_select(const struct shoal *shoal, const char *selector, unsigned flags,
                    struct shoal_device **devices, size_t capacity, size_t *count, struct shoal_error *error);

/* The folder of compiled kernels and tuned sizes. */
struct shoal_cache_info {
    size_t size;      /* set by the caller: of the struct; 0: that of its first release */
    char path[1024];  /* "" where the cache is off */
    uint64_t entries; /* compiled kernels */
    uint64_t bytes;
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_cache_get_info(struct shoal *shoal, struct shoal_cache_info *info, struct shoal_error *error);
/* Removes every compiled kernel (tuned sizes stay); `removed` may be NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cache_clear(struct shoal *shoal, uint64_t *removed,
                                                               struct shoal_error *error);

SHOAL_END_DECLS

#endif
