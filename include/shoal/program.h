/* Programs, kernels and their contracts.
 *
 * A program is one kernel file built for one device with a set of -D integers. Its contract, a constant
 * `struct shoal_program_desc`, describes the defines of the file, and the arguments and limits of each entry.
 * Launches are checked against the contract; `shoal kernels`, the cache key and the roofs of the bench read
 * it.
 *
 * Threads: a program may be used from any thread. A kernel belongs to the thread of the queue on which the
 * kernel runs.
 */
#ifndef SHOAL_PROGRAM_H
#define SHOAL_PROGRAM_H

#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

/* Type of a launch argument. */
enum shoal_type {
    SHOAL_TYPE_INT,    /* 32-bit signed integer. */
    SHOAL_TYPE_UINT,   /* 32-bit unsigned integer. */
    SHOAL_TYPE_LONG,   /* 64-bit signed integer. */
    SHOAL_TYPE_ULONG,  /* 64-bit unsigned integer. */
    SHOAL_TYPE_FLOAT,  /* Single precision. */
    SHOAL_TYPE_DOUBLE, /* Double precision. */
    SHOAL_TYPE_REAL,   /* Float or double, by -D REAL=32 or 64 of the program. */
    SHOAL_TYPE_STRUCT, /* Struct passed by value. */
    SHOAL_TYPE_BUFFER  /* Pointer to global memory. */
};

/* How a kernel uses an argument. */
enum shoal_access {
    SHOAL_VALUE,     /* A value. */
    SHOAL_READ,      /* A __global pointer to const: the kernel reads the buffer. */
    SHOAL_READ_WRITE /* A __global pointer: the kernel may write the buffer. */
};

/* Contract of one argument of an entry. */
struct shoal_arg_desc {
    const char *name;         /* Name of the argument in the kernel file. */
    enum shoal_access access; /* Whether the argument is a value or a buffer. */
    /* Type of the value, or of an element of the buffer, as in the kernel file. A value is "int", "uint",
     * "long", "ulong", "float", "double", "real" or the name of a struct. The type of elements is not
     * checked. */
    const char *type;
    uint32_t bytes; /* Size of a struct passed by value, in bytes; otherwise 0. */
};

/* Contract of one -D integer of a program. */
struct shoal_define_desc {
    const char *name; /* Name of the define, such as "WG". */
    int64_t value;    /* Default: the value of the #ifndef in the file. */
    int64_t min;      /* Least value allowed. */
    int64_t max;      /* Greatest value allowed. */
    const char *help; /* Description of the define, in one line. */
    /* Rank, from 1, in the order in which `shoal tune` measures the defines of a program; the values measured
     * are the powers of two from `min` to `max`, and 0 if allowed. 0: not measured in this way. A program
     * without ranks is tuned by the classes of sizes that it asks for, or by its work-group size. */
    uint32_t tune_order;
};

/* The resource that bounds an entry, named as in the roofs of `shoal devices --measure`. */
enum shoal_roof {
    SHOAL_ROOF_NONE,       /* No roof bounds the entry. */
    SHOAL_ROOF_COPY_BYTES, /* Bytes of global memory a second. */
    SHOAL_ROOF_FP32_FLOPS, /* Single-precision operations a second. */
    SHOAL_ROOF_FP64_FLOPS, /* Double-precision operations a second. */
    SHOAL_ROOF_SFU_OPS,    /* Special functions (reciprocal square roots) a second. */
    SHOAL_ROOF_LAUNCH      /* Launches a second. */
};

/* Contract of one kernel entry. */
struct shoal_entry_desc {
    const char *name;                  /* Name of the entry in the kernel file. */
    const struct shoal_arg_desc *args; /* Contracts of the arguments, [arg_count]. */
    uint32_t arg_count;                /* Number of arguments. */
    const char *work_group;            /* Name of the define that holds the work-group size, normally "WG". */
    uint32_t local_bytes;              /* Local memory that every work-group size needs, in bytes. */
    uint32_t local_bytes_per_item;     /* Further local memory for each work-item of the group, in bytes. */
    enum shoal_roof roof;              /* Resource that bounds the entry. */
    /* Global memory read and written by a work-item, in bytes. 0: depends on arguments. */
    double bytes_per_item;
    /* Operations of the kind of `roof` by a work-item. 0: depends on arguments. */
    double ops_per_item;
    const char *help; /* Description of the entry, in one line. */
    /* Name of a define on which local memory depends as well. NULL: there is none. */
    const char *local_define;
    uint32_t local_bytes_per_unit; /* Further local memory for each unit of `local_define`, in bytes. */
};

/* Needs of a program for a device or a compiler: flags of struct shoal_program_desc, to be or'ed. */
enum {
    SHOAL_NEEDS_FP64 = 1,          /* Double precision. A device without double precision is refused. */
    SHOAL_NEEDS_INT64_ATOMICS = 2, /* 64-bit atomics on global memory. A device without these is refused. */
    /* Single-precision numbers below 2^-126 may be taken for 0, so that reciprocals and roots are one
     * operation on some devices. This flag is a permission, not a need. */
    SHOAL_FLUSHES_SUBNORMALS = 4,
    /* a * b + c is rounded twice, and divisions and square roots of floats are correctly rounded, as
     * divisions and square roots of doubles are on every device. A device without correct rounding is
     * refused. */
    SHOAL_NEEDS_STRICT_FP = 8,
    SHOAL_WITHOUT_CONTRACTION = 16 /* a * b + c is rounded twice, as on the host. */
};

/* Contract of a program: the defines and entries of its kernel file. */
struct shoal_program_desc {
    const char *name; /* Name of the program: "lib.philox". */
    /* Kernel file, relative to cl/: "lib/philox.cl". NULL: the program is a text of the caller. */
    const char *file;
    /* CUDA version with the same entries, relative to cl/: "cuda/philox.cu". NULL: there is none. */
    const char *native;
    /* Flags SHOAL_NEEDS_FP64 and following. REAL=64 implies SHOAL_NEEDS_FP64. */
    unsigned needs;
    const struct shoal_define_desc *defines; /* Contracts of the defines, [define_count]. */
    uint32_t define_count;                   /* Number of defines. */
    const struct shoal_entry_desc *entries;  /* Contracts of the entries, [entry_count]. */
    uint32_t entry_count;                    /* Number of entries. */
};

/* Number of kernel files of the library. */
SHOAL_API size_t shoal_program_desc_count(void);

/* Contract number `index`, from 0, of the kernel files of the library: a constant. NULL: `index` is out of
 * range. */
SHOAL_API const struct shoal_program_desc *shoal_program_desc_at(size_t index);

/* Text of a kernel file with its includes expanded and #line markers for the original files: plain OpenCL C
 * 1.2 that any compiler accepts. `file` is relative to cl/. The caller releases `*text` with free(). Any
 * thread.
 * Errors: SHOAL_INVALID: there is no such file. SHOAL_IO: a file of params.kernel_dir cannot be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_kernel_source(const struct shoal *shoal, const char *file,
                                                                 char **text, struct shoal_error *error);

/* A -D integer of a program to build. */
struct shoal_define {
    const char *name; /* Name of the define, which must be in the contract. */
    int64_t value;    /* Value, within `min` and `max` of the contract. */
};

/* Choice of the text of a kernel file. */
enum shoal_variant {
    SHOAL_VARIANT_AUTO, /* Native CUDA where the device and the file have it, else OpenCL C. */
    SHOAL_VARIANT_CL,   /* The OpenCL C file, also through CUDA. */
    /* The native CUDA file. SHOAL_UNSUPPORTED: the program has no such file, or the device is no CUDA
     * device. */
    SHOAL_VARIANT_CU
};

/* A text that replaces a kernel file wherever that file is included, such as the objective of a caller. */
struct shoal_kernel_text {
    const char *file;  /* File to replace, relative to cl/: "objective/snippet.clh". */
    const char *text;  /* Text in the kernel dialect, which may #include "lib/...". */
    const char *shown; /* Name of the text in build logs. NULL: `file`. */
};

/* For handlers of crashes: name of the objective's text to whose host code `address` belongs. (For the host,
 * texts of objectives are compiled to machine code and loaded into this process.) NULL: no such text. Takes
 * no lock. */
SHOAL_API const char *shoal_host_text_at(const void *address);

/* Settings of a program to build. */
struct shoal_program_params {
    size_t size; /* Bytes of the struct, set by shoal_program_params_init. */
    /* Values of defines, [define_count]. Default: NULL, the values of the contract or of the tuning file. */
    const struct shoal_define *defines;
    size_t define_count;        /* Number of `defines`, at least 0. Default: 0. */
    enum shoal_variant variant; /* Choice of the text, enum shoal_variant. Default: SHOAL_VARIANT_AUTO. */
    /* Text that replaces desc->file; may #include "lib/...". Copied. Default: NULL, none. */
    const char *text;
    const char *text_name; /* Name of `text` in build logs. Default: NULL, desc->file. */
    /* Texts that replace included files, [text_count]. Copied. Default: NULL, none. */
    const struct shoal_kernel_text *texts;
    size_t text_count; /* Number of `texts`, at least 0. Default: 0. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_program_params_init(struct shoal_program_params *params);
#define SHOAL_PROGRAM_PARAMS(...) SHOAL_INIT(shoal_program_params, shoal_program_params_init, __VA_ARGS__)

/* A kernel file built for one device. Created by shoal_program_create. */
struct shoal_program;

/* One entry of a program, with the arguments of its last launch. Created by shoal_kernel_create. */
struct shoal_kernel;

/* Builds the program, or loads it from the cache. A define that is not given comes from the tuning file, or
 * has its default. A work-group size is clamped to the limit of the device; while the limit of a built kernel
 * is smaller, the size is halved and the program is built again. `desc` is not copied: keep it until the
 * program is destroyed and the queues that ran the program have finished, since their errors name its
 * entries. `params` is copied; NULL: the defaults. Destroy the program with shoal_program_destroy.
 * Errors: SHOAL_INVALID: a define is not in the contract or out of its range, a text lacks its file or its
 * name, or there is no such kernel file. SHOAL_UNSUPPORTED: the device is the host, lacks what the contract
 * needs or cannot run the work-group size, or there is no native CUDA version. SHOAL_BUILD_FAILED: the text
 * does not compile; error->log has the compiler's words. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_program_create(struct shoal_device *device,
                                                                  const struct shoal_program_desc *desc,
                                                                  const struct shoal_program_params *params,
                                                                  struct shoal_program **out,
                                                                  struct shoal_error *error);

/* Destroys the program and sets the pointer to NULL. Accepts NULL. Destroy its kernels first. */
SHOAL_API void shoal_program_destroy(struct shoal_program **program);

/* Value of a define in the built program. 0: there is no define of that name. */
SHOAL_API int64_t shoal_program_define(const struct shoal_program *program, const char *name);

/* Seconds that the host spent building. 0: the program came from the cache. Close to 0: an OpenCL driver
 * reused an earlier build. */
SHOAL_API double shoal_program_build_seconds(const struct shoal_program *program);

/* True: the native CUDA text was built. */
SHOAL_API bool shoal_program_is_native(const struct shoal_program *program);

/* Creates a kernel of an entry of the program. Destroy the kernel with shoal_kernel_destroy, before its
 * program.
 * Errors: SHOAL_INVALID: the program has no such entry, or an argument's contract is wrong. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_kernel_create(struct shoal_program *program,
                                                                 const char *entry, struct shoal_kernel **out,
                                                                 struct shoal_error *error);

/* Destroys the kernel and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_kernel_destroy(struct shoal_kernel **kernel);

/* Number of work-items of a group. */
SHOAL_API uint32_t shoal_kernel_work_group(const struct shoal_kernel *kernel);

/* Result of shoal_kernel_resident where the API has no query for resident groups, as OpenCL. */
#define SHOAL_RESIDENT_UNKNOWN SIZE_MAX

/* Number of work-groups that an otherwise idle device runs at the same time. For a kernel launched in
 * clusters: the groups of all resident clusters, 0 if not one cluster fits. SHOAL_RESIDENT_UNKNOWN: the API
 * has no such query. */
SHOAL_API size_t shoal_kernel_resident(const struct shoal_kernel *kernel);

/* Number of groups that cover `items` work-items, at least 1. */
SHOAL_API size_t shoal_kernel_groups(const struct shoal_kernel *kernel, size_t items);

/* One argument of a launch. Build it with a shoal_arg_ function. */
struct shoal_arg {
    enum shoal_type type;        /* Type of the argument. */
    uint32_t bytes;              /* Bytes of a SHOAL_TYPE_STRUCT; otherwise unused. */
    struct shoal_buffer *buffer; /* The buffer of a SHOAL_TYPE_BUFFER; NULL: a null pointer. */
    /* The value of any other type. */
    union {
        int32_t i32;         /* Value of a SHOAL_TYPE_INT. */
        uint32_t u32;        /* Value of a SHOAL_TYPE_UINT. */
        int64_t i64;         /* Value of a SHOAL_TYPE_LONG. */
        uint64_t u64;        /* Value of a SHOAL_TYPE_ULONG. */
        float f32;           /* Value of a SHOAL_TYPE_FLOAT. */
        double f64;          /* Value of a SHOAL_TYPE_DOUBLE or SHOAL_TYPE_REAL. */
        const void *pointer; /* Address of a SHOAL_TYPE_STRUCT, read by the launch. */
    } value;
};

/* A buffer as an argument. NULL: a null pointer in the kernel. */
SHOAL_API struct shoal_arg shoal_arg_buffer(struct shoal_buffer *buffer);

/* A value for an argument of type int. */
SHOAL_API struct shoal_arg shoal_arg_int(int32_t value);

/* A value for an argument of type uint. */
SHOAL_API struct shoal_arg shoal_arg_uint(uint32_t value);

/* A value for an argument of type long. */
SHOAL_API struct shoal_arg shoal_arg_long(int64_t value);

/* A value for an argument of type ulong. */
SHOAL_API struct shoal_arg shoal_arg_ulong(uint64_t value);

/* A value for an argument of type float. */
SHOAL_API struct shoal_arg shoal_arg_float(float value);

/* A value for an argument of type double. */
SHOAL_API struct shoal_arg shoal_arg_double(double value);

/* A value for an argument of type real: float or double, as the program was built. */
SHOAL_API struct shoal_arg shoal_arg_real(double value);

/* A struct of `bytes` bytes as an argument. The launch copies the struct, so `value` must be valid until the
 * launch. */
SHOAL_API struct shoal_arg shoal_arg_struct(const void *value, uint32_t bytes);

/* Enqueues `groups` work-groups in one dimension, 1 to 2^31 - 1. `args` are [arg_count], in the order of the
 * contract, and are checked against the contract. `*event` receives an event that the caller destroys;
 * `event` NULL: no event is wanted.
 * Errors: SHOAL_INVALID: an argument does not fit the contract, `groups` is out of range, or kernel, queue
 * and buffers belong to different devices. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_launch(struct shoal_queue *queue,
                                                          struct shoal_kernel *kernel, size_t groups,
                                                          const struct shoal_arg *args, size_t arg_count,
                                                          struct shoal_event **event,
                                                          struct shoal_error *error);

/* Tuned value of a define for this device model and driver, from the tuning file of the cache folder. A part
 * of a device without a value of its own has the value of the whole device. shoal_program_create uses tuned
 * values for defines that the caller does not set. False: there is no tuned value, and `*value` is unchanged.
 * Any thread. */
SHOAL_API bool shoal_tuning_get(struct shoal_device *device, const char *program, const char *define,
                                int64_t *value);

/* Sets a tuned value. The value takes effect at once and is written to the tuning file, unless the cache is
 * off. Any thread.
 * Errors: SHOAL_IO: the tuning file cannot be written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tuning_set(struct shoal_device *device,
                                                              const char *program, const char *define,
                                                              int64_t value, struct shoal_error *error);

/* A tunable parameter, which is a define or another number, with the value that an object on a device has
 * chosen. `shoal tune` measures the candidates for problems of the same class of sizes. */
struct shoal_tunable {
    const char *program;  /* Name of the program or workload: the key of the tuning file. */
    const char *define;   /* Name and class of sizes: "SKIN dim=2 neighbours=2^3 particles=4^8". */
    int64_t value;        /* Value that the object chose. */
    const int64_t *tries; /* Candidates, ascending, [try_count]. */
    size_t try_count;     /* Number of candidates. */
};

/* Clears the record of tunables and starts to record what objects created on devices of this instance choose.
 * Any thread. */
SHOAL_API void shoal_tuning_watch(struct shoal_device *device);

/* Recorded tunable number `index`, from 0, of the device, in the order in which the tunables were first
 * chosen. Pointers in `tunable` are valid until the next shoal_tuning_watch or shoal_close. False: `index` is
 * out of range. Any thread. */
SHOAL_API bool shoal_tuning_watched(struct shoal_device *device, size_t index, struct shoal_tunable *tunable);

/* Sets a tuned value for this instance alone: the value overrides the tuning file and is not written. `value`
 * NULL removes the value. Any thread.
 * Errors: SHOAL_OUT_OF_HOST_MEMORY. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tuning_try(struct shoal_device *device,
                                                              const char *program, const char *define,
                                                              const int64_t *value,
                                                              struct shoal_error *error);

SHOAL_END_DECLS

#endif
