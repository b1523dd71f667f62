/* Private: the objects of the compute layer and the one table each backend fills.
 *
 * The core (this folder) checks every argument once and then calls the table; a backend may rely on valid
 * arguments. A backend keeps its own state in the `native` member of the objects.
 */
#ifndef SHOAL_COMPUTE_BACKEND_H
#define SHOAL_COMPUTE_BACKEND_H

#include "base/error.h"
#include "base/text.h"
#include "compute/device.h"
#include "compute/log.h"

#include <pthread.h>
#include <shoal/program.h>
#include <stdatomic.h>

struct backend;
struct link_piece;
struct tuning;

enum { MAX_BACKENDS = 4, LAUNCH_HISTORY = 8 };

struct shoal {
    shoal_log_fn log;
    void *log_data;
    enum shoal_log_level log_level;
    bool (*stop)(void *data); /* asked whether compilations must end; NULL: they are never ended */
    void *stop_data;
    bool sync, strict_fp;
    char *kernel_dir;         /* NULL: embedded kernels only */
    char *cache_dir;          /* NULL: no cache */
    char *compiler;           /* $CC; NULL: not set */
    char *temporary_dir;      /* $TMPDIR; NULL: not set */
    atomic_bool hung;         /* a run on one of the devices never ended: nothing may be freed */
    atomic_bool cache_warned; /* one warning a run about a cache that cannot be used */
    const struct backend *backends[MAX_BACKENDS];
    void *backend_state[MAX_BACKENDS];
    size_t backend_count;
    struct shoal_backend_info *notes;
    size_t note_count;
    struct shoal_device **devices; /* fixed once shoal_open has returned */
    size_t device_count;
    struct shoal_device **wrapped; /* devices made from contexts of the caller; guarded by `lock` */
    size_t wrapped_count;
    struct division *divisions; /* divisions of devices that selectors have asked for so far; guarded by
                                 * `lock` */
    size_t division_count;
    struct tuning *tuning;
    /* name of this host as other ranks know it, owned by struct shoal_ranks; NULL: all devices are of this
     * process */
    const char *rank_host;
    /* guards contexts of devices and their caches, tuned values, wrapped devices and divisions */
    pthread_mutex_t lock;
    atomic_uint_fast64_t serial; /* last number given to a buffer */
};

struct shoal_device {
    struct shoal *shoal;
    const struct backend *backend; /* NULL: the host device */
    void *backend_state;
    struct shoal_device_info info; /* strings are owned */
    /* the whole device of which this device is a part; NULL: this device is no part */
    struct shoal_device *whole;
    bool opened; /* guarded by shoal->lock */
    atomic_bool lost;
    void *native;
};

/* A listed device divided into parts, as a selector asked: see parts.c. */
struct division {
    struct shoal_device *whole;
    char *word;                  /* the text after '/' in the selector */
    struct shoal_device **parts; /* does not change once the division belongs to the instance */
    size_t count;
};

struct shoal_queue {
    struct shoal_device *device;
    unsigned flags;
    bool span_open;
    double span_s; /* time of the open span up to its interruption by the first launch of a kernel */
    /* Set by the caller: the queue waits for the end of each first launch of a kernel, in which drivers
     * compile and load, and spans leave out the time in which the device does not work because of it. Needs
     * profiling. */
    bool times_first_launches;
    pthread_mutex_t *first_launch_lock; /* held during first launches that are timed; NULL: none */
    /* Time that drivers have spent so far on first launches. The thread of the queue adds to it, any thread
     * may read it. */
    _Atomic double first_launch_s;
    /* Launches since the last finish without an error, for the message of an asynchronous error. */
    uint64_t launch_count;
    const char *launches[LAUNCH_HISTORY]; /* names of entries, in a ring */
    void *native;
};

struct shoal_buffer {
    struct shoal_device *device;
    size_t bytes;
    uint64_t serial; /* unique in the instance, never reused: identifies the buffer in caches of arguments */
    void *native;
};

/* Host memory from which and to which devices copy at full speed. */
struct host_block {
    struct shoal_device *device; /* whose backend allocated the block */
    size_t bytes;
    unsigned char *data;
    void *native;
};

struct shoal_event {
    struct shoal_queue *queue;
    void *native;
};

struct shoal_program {
    struct shoal_device *device;
    const struct shoal_program_desc *desc;
    int64_t *defines; /* value of each define of the contract: desc->defines[i] */
    bool native_text; /* built from the native CUDA file */
    bool real64;      /* REAL=64 */
    double build_seconds;
    void *native;
};

enum { MAX_ARGS = 32 };

/* A checked argument for the backend. */
struct kernel_arg {
    enum shoal_type type;        /* type of the argument; REAL was replaced by FLOAT or DOUBLE */
    struct shoal_buffer *buffer; /* NULL for values and null pointers */
    bool changed;                /* the value has changed since the last launch of this kernel */
    uint64_t serial;
    uint32_t bytes;
    void *data; /* `bytes` of the value, owned by the kernel; unused for buffers */
};

struct shoal_kernel {
    struct shoal_program *program;
    const struct shoal_entry_desc *entry;
    uint32_t work_group;
    size_t resident;                    /* number of resident groups: see shoal_kernel_resident */
    bool launched;                      /* arguments hold the values of an earlier launch */
    bool reads_peers;                   /* buffers may belong to other devices whose memory the device of the
                                         * kernel reads */
    const struct launch_args *named_by; /* description of the arguments of the last launch by names
                                         * (compute/launch.h) */
    struct kernel_arg args[MAX_ARGS];
    void *arg_data;
    void *native;
};

/* Input of a backend's compiler. */
struct build_input {
    const char *text;           /* text of the program, with its includes expanded */
    const char *name;           /* file name for messages without a #line */
    const char *const *defines; /* "NAME=VALUE", sorted by name */
    size_t define_count;
    bool strict_fp;           /* correctly rounded division and square root */
    bool without_contraction; /* nothing is contracted to fused operations; always true with strict_fp */
    bool flush_subnormals;    /* SHOAL_FLUSHES_SUBNORMALS, unless strict */
    bool native;              /* a .cu text: no prelude */
};

/* Every function returns SHOAL_OK or fills `error`. Functions marked optional may be NULL. The functions
 * `*_destroy` get only objects whose creation succeeded. A call that finds that the device is lost sets
 * device->lost and returns SHOAL_DEVICE_LOST. */
struct backend {
    const char *name;
    /* Loads the driver, and calls device_add for each device and backend_note for the backend and for each
     * platform that cannot be used. To find no device is not an error. */
    enum shoal_status (*open)(struct shoal *shoal, void **state, struct shoal_error *error);
    void (*close)(struct shoal *shoal, void *state); /* optional */
    /* Creates the context. Called once, before the first use of the device, under shoal->lock. */
    enum shoal_status (*device_open)(struct shoal_device *device, struct shoal_error *error);
    /* Frees device->native. Also called for devices that were never opened. */
    void (*device_close)(struct shoal_device *device);
    /* Optional: divides division->whole and calls device_add_part for each part, in their order.
     * units[count]: the compute units of each part, together no more than the device has; NULL: a part for
     * each NUMA node. All parts share one context. SHOAL_NO_DEVICE: the driver cannot divide the device so.
     * Called under shoal->lock. After a failure the caller frees the parts that were added. */
    enum shoal_status (*device_divide)(struct division *division, const uint32_t *units, size_t count,
                                       struct shoal_error *error);

    enum shoal_status (*queue_create)(struct shoal_queue *queue, struct shoal_error *error);
    void (*queue_destroy)(struct shoal_queue *queue);
    enum shoal_status (*queue_flush)(struct shoal_queue *queue, struct shoal_error *error);
    enum shoal_status (*queue_finish)(struct shoal_queue *queue, struct shoal_error *error);
    /* The event may be an event of queue_mark on a device whose memory this device reads directly. */
    enum shoal_status (*queue_wait)(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
    /* Optional, with shares_memory and peer_copy: lets queues of several devices wait for each other without
     * a thread that waits. queue_mark fills event->native: the event ends when all commands enqueued so far
     * are done, and these commands are submitted at once. event_gap: seconds from the end of an event to the
     * end of a later event of the same queue; both have ended, and the queue has SHOAL_QUEUE_PROFILING. */
    enum shoal_status (*queue_mark)(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
    enum shoal_status (*event_gap)(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                   struct shoal_error *error);
    enum shoal_status (*span_begin)(struct shoal_queue *queue, struct shoal_error *error);
    enum shoal_status (*span_end)(struct shoal_queue *queue, double *seconds, struct shoal_error *error);

    enum shoal_status (*buffer_create)(struct shoal_buffer *buffer, struct shoal_error *error);
    void (*buffer_destroy)(struct shoal_buffer *buffer);
    /* `data` may be reused as soon as the call returns. */
    enum shoal_status (*buffer_write)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      const void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_read)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_copy)(struct shoal_queue *queue, struct shoal_buffer *source,
                                     size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                     size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_fill)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     size_t bytes, uint32_t word, struct shoal_error *error);

    /* Fills block->data and block->native. Any device may copy from and to the block, the devices of this
     * backend at full speed. */
    enum shoal_status (*block_create)(struct host_block *block, struct shoal_error *error);
    void (*block_destroy)(struct host_block *block);
    /* Like buffer_write and buffer_read, but the copy is only enqueued: `data`, any host memory, must not
     * change until the queue is finished. */
    enum shoal_status (*enqueue_write)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                       const void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*enqueue_read)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      void *data, size_t bytes, struct shoal_error *error);
    /* true: enqueue_write has copied the bytes when it returns */
    bool writes_at_once;
    /* Optional: can buffer_copy on a queue of one of these opened devices of this backend copy from a buffer
     * of the other device, because both have one memory? */
    bool (*shares_memory)(const struct shoal_device *a, const struct shoal_device *b);
    /* Optional, both or none. peer_open: lets `to` read the memory of `from`, another opened device of this
     * backend, from now on; *reaches: can it? peer_copy: enqueues a copy from `from` to `to` on a queue of
     * `to`. */
    enum shoal_status (*peer_open)(struct shoal_device *from, struct shoal_device *to, bool *reaches,
                                   struct shoal_error *error);
    enum shoal_status (*peer_copy)(struct shoal_queue *queue, struct shoal_buffer *source,
                                   size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                   size_t bytes, struct shoal_error *error);
    bool kernels_read_peers; /* after peer_open, kernels of `to` take buffers of `from` as arguments */

    /* Optional, all or none. rows_reach: can the process of `from` send rows to the process of `to`, neither
     * of which is this process? rows_give enqueues on a queue of `from` that the rows are sent, and rows_take
     * on a queue of `to` that they are received; both calls have the same pieces in the same order. rows_take
     * with queue NULL and no pieces: the rows are not wanted any more. bytes: of all pieces, above 0. Rows
     * are taken, or not wanted, before the next rows are given.
     */
    bool (*rows_reach)(const struct shoal_device *from, const struct shoal_device *to);
    enum shoal_status (*rows_give)(struct shoal_queue *queue, const struct shoal_device *to,
                                   const struct link_piece *pieces, size_t count, size_t bytes,
                                   struct shoal_error *error);
    enum shoal_status (*rows_take)(struct shoal_device *device, struct shoal_queue *queue,
                                   const struct shoal_device *from, const struct link_piece *pieces,
                                   size_t count, size_t bytes, struct shoal_error *error);

    /* Optional: text that precedes every .cl file; part of the cache key. A device with such a text is a CUDA
     * device, for which native .cu texts are built, too. NULL: the device has no such text. */
    const char *(*prelude)(const struct shoal_device *device);
    /* Fills program->native. With SHOAL_BUILD_FAILED the error has the log; the log of a build that succeeds
     * goes to shoal_log. */
    enum shoal_status (*program_build)(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error);
    /* Loads a program from an earlier result of program_binary. Any failure means "rebuild". */
    enum shoal_status (*program_load)(struct shoal_program *program, const void *binary, size_t bytes,
                                      struct shoal_error *error);
    /* Copies the compiled program; the caller frees the copy. */
    enum shoal_status (*program_binary)(struct shoal_program *program, void **binary, size_t *bytes,
                                        struct shoal_error *error);
    void (*program_destroy)(struct shoal_program *program);

    enum shoal_status (*kernel_create)(struct shoal_kernel *kernel, struct shoal_error *error);
    /* Largest work-group with which this kernel can run on the device. */
    enum shoal_status (*kernel_limit)(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error);
    /* Number of resident groups: see shoal_kernel_resident. May be NULL. */
    enum shoal_status (*kernel_resident)(const struct shoal_kernel *kernel, size_t *groups,
                                         struct shoal_error *error);
    void (*kernel_destroy)(struct shoal_kernel *kernel);
    /* kernel->args hold the arguments. `event` may be NULL; otherwise fill event->native. */
    enum shoal_status (*launch)(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                struct shoal_event *event, struct shoal_error *error);

    enum shoal_status (*event_wait)(struct shoal_event *event, struct shoal_error *error);
    enum shoal_status (*event_times)(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error);
    void (*event_destroy)(struct shoal_event *event);
};

/* The text of backend->prelude for a device; NULL: there is none, and the device takes no native .cu
 * texts. */
static inline const char *device_prelude(const struct shoal_device *device)
{
    return device->backend->prelude ? device->backend->prelude(device) : NULL;
}

extern const struct backend opencl_backend;
extern const struct backend cuda_backend;

/* program/kernel.c ----------------------------------------------------------------------------------- */

/* Bytes of an argument, 8 for a pointer; 0: a struct of unknown size. */
uint32_t arg_desc_bytes(const struct shoal_arg_desc *desc, bool real64);

/* buffer.c ------------------------------------------------------------------------------------------- */

/* Checks that the buffer belongs to `device` and holds the range. call: name of the call, for the message. */
enum shoal_status buffer_check(const struct shoal_buffer *buffer, const struct shoal_device *device,
                               size_t offset, size_t bytes, const char *call, struct shoal_error *error);

/* instance.c ----------------------------------------------------------------------------------------- */

/* shoal_open with given backends, for the fake backend of the tests. */
enum shoal_status shoal_open_with(struct shoal **out, const struct shoal_params *params,
                                  const struct backend *const *backends, size_t count,
                                  struct shoal_error *error);
/* Adds a row to shoal_backend_at(); strings are copied. */
enum shoal_status backend_note(struct shoal *shoal, const char *name, bool available, const char *note,
                               struct shoal_error *error);
/* device.c -------------------------------------------------------------------------------------------- */

/* Appends a device. `info` strings are copied without surrounding blanks; if info->id is NULL, the id is
 * formed from the backend name and the number of its devices so far; alias_of follows from the PCI address
 * once all backends are open. */
enum shoal_status device_add(struct shoal *shoal, const struct backend *backend, void *backend_state,
                             const struct shoal_device_info *info, void *native, struct shoal_device **out,
                             struct shoal_error *error);
/* Adds a copy of `device` that is not listed, for a context of the caller. The caller holds the lock. */
enum shoal_status device_add_wrapped(struct shoal_device *device, void *native, struct shoal_device **out,
                                     struct shoal_error *error);
/* Appends an opened device to a division; info->id, part_of and alias_of are set here. On failure `native`
 * stays the caller's. */
enum shoal_status device_add_part(struct division *division, const struct shoal_device_info *info,
                                  void *native, struct shoal_error *error);
/* Opens the context of the device, unless the context is open. SHOAL_DEVICE_LOST where the device is lost,
 * SHOAL_UNSUPPORTED for the host device. */
enum shoal_status device_ready(struct shoal_device *device, struct shoal_error *error);
void device_free(struct shoal_device *device);

/* Defined in queue.c and buffer.c: create objects around native handles, for the wrap functions. */
enum shoal_status queue_new(struct shoal_device *device, unsigned flags, void *native,
                            struct shoal_queue **out, struct shoal_error *error);
enum shoal_status buffer_new(struct shoal_device *device, size_t bytes, void *native,
                             struct shoal_buffer **out, struct shoal_error *error);

#endif
