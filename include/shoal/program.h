/* Programs, kernels and their contracts.
 *
 * A program is one kernel file built for one device with a set of -D integers. Its contract, a constant
 * `struct shoal_program_desc`, says what the file defines and what each entry takes; launches are checked
 * against it, and the listing, the cache key and the bench roofs read it.
 *
 * Threads: a program may be used from any thread; a kernel belongs to the thread of the queue it runs on.
 */
#ifndef SHOAL_PROGRAM_H
#define SHOAL_PROGRAM_H

#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

enum shoal_type {
    SHOAL_TYPE_INT,
    SHOAL_TYPE_UINT,
    SHOAL_TYPE_LONG,
    SHOAL_TYPE_ULONG,
    SHOAL_TYPE_FLOAT,
    SHOAL_TYPE_DOUBLE,
    SHOAL_TYPE_REAL, /* float or double by -D REAL=32|64 */
    SHOAL_TYPE_STRUCT,
    SHOAL_TYPE_BUFFER
};

/* A value, a __global pointer to const, any other __global pointer. */
enum shoal_access { SHOAL_VALUE, SHOAL_READ, SHOAL_READ_WRITE };

struct shoal_arg_desc {
    const char *name;
    enum shoal_access access;
    const char
        *type; /* of the value, or of an element, as in the kernel file. A value is "int", "uint", "long",
                  "ulong", "float", "double", "real" or a struct; of elements it is not checked. */
    uint32_t bytes; /* size of a struct passed by value, else 0 */
};

struct shoal_define_desc {
    const char *name;
    int64_t value; /* default, that of the #ifndef in the file */
    int64_t min, max;
    const char *help;
    /* Place, from 1 on, among the constants whose powers of two from min to max, and 0 where that is one of
     * them, `shoal tune` measures one after the other; 0: not that. Where none has a place, classes of sizes
     * that the program asks for are measured, else its work-group size. */
    uint32_t tune_order;
};

/* The resource that bounds an entry, named as in the roofs of `shoal devices --measure`. */
enum shoal_roof {
    SHOAL_ROOF_NONE,
    SHOAL_ROOF_COPY_BYTES,
    SHOAL_ROOF_FP32_FLOPS,
    SHOAL_ROOF_FP64_FLOPS,
    SHOAL_ROOF_SFU_OPS,
    SHOAL_ROOF_LAUNCH
};

struct shoal_entry_desc {
    const char *name;
    const struct shoal_arg_desc *args;
    uint32_t arg_count;
    const char *work_group;        /* define that holds the work-group size, normally "WG" */
    uint32_t local_bytes;          /* local memory used whatever the work-group size */
    uint32_t local_bytes_per_item; /* and for each work-item of the group */
    enum shoal_roof roof;
    double bytes_per_item; /* global memory read and written for each work-item; 0: depends on arguments */
    double ops_per_item;   /* operations of the roof's kind for each work-item; 0: depends on arguments */
    const char *help;
    const char *local_define;      /* define on which local memory depends too; NULL: none */
    uint32_t local_bytes_per_unit; /* for each unit of local_define */
};

/* FLUSHES_SUBNORMALS is a permission, not a requirement: single-precision numbers below 2^-126 may be taken
 * for 0, so that reciprocals and roots are a single operation on some devices. WITHOUT_CONTRACTION: a * b + c
 * is rounded twice, as on the host. NEEDS_STRICT_FP: the same, and divisions and square roots of floats are
 * correctly rounded, as those of doubles are anyway; a device that cannot is refused. */
enum {
    SHOAL_NEEDS_FP64 = 1,
    SHOAL_NEEDS_INT64_ATOMICS = 2,
    SHOAL_FLUSHES_SUBNORMALS = 4,
    SHOAL_NEEDS_STRICT_FP = 8,
    SHOAL_WITHOUT_CONTRACTION = 16
};

struct shoal_program_desc {
    const char *name;   /* "lib.philox" */
    const char *file;   /* relative to cl/: "lib/philox.cl" */
    const char *native; /* CUDA version with the same entries: "cuda/philox.cu"; NULL: none */
    unsigned needs;     /* the flags above; REAL=64 implies SHOAL_NEEDS_FP64 */
    const struct shoal_define_desc *defines;
    uint32_t define_count;
    const struct shoal_entry_desc *entries;
    uint32_t entry_count;
};

/* Contracts of every kernel file of the library. */
SHOAL_API size_t shoal_program_desc_count(void);
SHOAL_API const struct shoal_program_desc *shoal_program_desc_at(size_t index);

/* Text of a kernel file with its includes expanded and #line markers for the original files: plain OpenCL
 * C 1.2 that any compiler accepts. The caller releases `*text` with free(). */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_kernel_source(const struct shoal *shoal, const char *file,
                                                                 char **text, struct shoal_error *error);

struct shoal_define {
    const char *name;
    int64_t value;
};

enum shoal_variant {
    SHOAL_VARIANT_AUTO, /* native CUDA where there is one, else the OpenCL C file */
    SHOAL_VARIANT_CL,
    SHOAL_VARIANT_CU
};

/* A text that replaces a kernel file wherever that file is included, e.g. the objective of a caller. */
struct shoal_kernel_text {
    const char *file;  /* "objective/snippet.clh" */
    const char *text;  /* may #include "lib/..." */
    const char *shown; /* its name in build logs; NULL: file */
};

/* Texts also become machine code of this process, for the host: the name of the one that holds the address,
 * for handlers of crashes. NULL: none. Takes no lock. */
SHOAL_API const char *shoal_host_text_at(const void *address);

struct shoal_program_params {
    size_t size;
    const struct shoal_define *defines; /* each must be in the contract and in its range */
    size_t define_count;
    enum shoal_variant variant;
    const char *text;      /* replaces desc->file; may #include "lib/...". NULL: none. Copied */
    const char *text_name; /* its name in build logs; NULL: desc->file */
    const struct shoal_kernel_text *texts; /* replace included files of those names. Copied */
    size_t text_count;
};

SHOAL_API void shoal_program_params_init(struct shoal_program_params *params);
#define SHOAL_PROGRAM_PARAMS(...) SHOAL_INIT(shoal_program_params, shoal_program_params_init, __VA_ARGS__)

struct shoal_program;
struct shoal_kernel;

/* Builds the program or loads it from the cache. A work-group size (define named by an entry's `work_group`)
 * that is not given comes from the tuning file or is the default; it is clamped to the device's limit, and
 * halved with a rebuild while a kernel's own limit is smaller. `desc` must outlive the program and the next
 * finish of the queues it ran on, whose errors name its entries. `params` may be NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_program_create(struct shoal_device *device,
                                                                  const struct shoal_program_desc *desc,
                                                                  const struct shoal_program_params *params,
                                                                  struct shoal_program **out,
                                                                  struct shoal_error *error);
/* Destroy its kernels first. */
SHOAL_API void shoal_program_destroy(struct shoal_program **program);
/* Value of a define in the built program; 0 for an unknown name. */
SHOAL_API int64_t shoal_program_define(const struct shoal_program *program, const char *name);
/* Host seconds spent building: 0 from the cache, close to 0 if an OpenCL device still holds it from an
 * earlier build. */
SHOAL_API double shoal_program_build_seconds(const struct shoal_program *program);
/* True where the native CUDA text was built. */
SHOAL_API bool shoal_program_is_native(const struct shoal_program *program);

SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_kernel_create(struct shoal_program *program,
                                                                 const char *entry, struct shoal_kernel **out,
                                                                 struct shoal_error *error);
SHOAL_API void shoal_kernel_destroy(struct shoal_kernel **kernel);
/* Work-items in a group. */
SHOAL_API uint32_t shoal_kernel_work_group(const struct shoal_kernel *kernel);
/* Number of work-groups that an otherwise idle device runs at the same time (resident groups). For a kernel
 * launched in clusters, the groups of all resident clusters: 0 if not even one fits. SHOAL_RESIDENT_UNKNOWN:
 * the API has no such query (OpenCL). */
#define SHOAL_RESIDENT_UNKNOWN SIZE_MAX
SHOAL_API size_t shoal_kernel_resident(const struct shoal_kernel *kernel);
/* Number of groups that cover `items` work-items, at least 1. */
SHOAL_API size_t shoal_kernel_groups(const struct shoal_kernel *kernel, size_t items);

/* One argument of a launch. Build it with the functions below. */
struct shoal_arg {
    enum shoal_type type;
    uint32_t bytes; /* SHOAL_TYPE_STRUCT only */
    struct shoal_buffer *buffer;
    union {
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        const void *pointer;
    } value;
};

SHOAL_API struct shoal_arg shoal_arg_buffer(struct shoal_buffer *buffer); /* NULL: a null pointer */
SHOAL_API struct shoal_arg shoal_arg_int(int32_t value);
SHOAL_API struct shoal_arg shoal_arg_uint(uint32_t value);
SHOAL_API struct shoal_arg shoal_arg_long(int64_t value);
SHOAL_API struct shoal_arg shoal_arg_ulong(uint64_t value);
SHOAL_API struct shoal_arg shoal_arg_float(float value);
SHOAL_API struct shoal_arg shoal_arg_double(double value);
SHOAL_API struct shoal_arg shoal_arg_real(double value); /* float or double, as the program was built */
SHOAL_API struct shoal_arg shoal_arg_struct(const void *value, uint32_t bytes); /* copied by the launch */

/* Enqueues `groups` work-groups (one dimension, 1 .. 2^31 - 1). `args` are checked against the contract:
 * SHOAL_INVALID. `event`, if not NULL, receives an event that the caller destroys. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_launch(struct shoal_queue *queue,
                                                          struct shoal_kernel *kernel, size_t groups,
                                                          const struct shoal_arg *args, size_t arg_count,
                                                          struct shoal_event **event,
                                                          struct shoal_error *error);

/* Tuned values of defines, kept for each device model and driver in the tuning file of the cache folder and
 * used by shoal_program_create for defines that the caller does not set. False: there is none. */
SHOAL_API bool shoal_tuning_get(struct shoal_device *device, const char *program, const char *define,
                                int64_t *value);
/* Takes effect at once, and is written to the tuning file unless the cache is off. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tuning_set(struct shoal_device *device,
                                                              const char *program, const char *define,
                                                              int64_t value, struct shoal_error *error);

/* A tunable parameter, a define or another number, as an object created on a device chose it: `shoal tune`
 * measures the candidates for problems of that class of sizes. */
struct shoal_tunable {
    const char *program;
    const char *define;   /* name and class of sizes: "SKIN dim=2 neighbours=2^3 particles=4^8" */
    int64_t value;        /* the one chosen */
    const int64_t *tries; /* candidates, ascending */
    size_t try_count;
};

/* Starts recording the tunables that objects created on devices of this instance choose; clears the record.
 */
SHOAL_API void shoal_tuning_watch(struct shoal_device *device);
/* The index-th recorded tunable of the device, in the order of the first choice; false: there is no more. Its
 * pointers are valid until shoal_tuning_watch or shoal_close. */
SHOAL_API bool shoal_tuning_watched(struct shoal_device *device, size_t index, struct shoal_tunable *tunable);
/* Like shoal_tuning_set, but only for this instance and not stored; overrides the stored value. `value` NULL
 * removes it. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tuning_try(struct shoal_device *device,
                                                              const char *program, const char *define,
                                                              const int64_t *value,
                                                              struct shoal_error *error);

SHOAL_END_DECLS

#endif
