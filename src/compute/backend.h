/* Private: the objects of the compute layer, and the table of functions that each backend fills.
 *
 * The core (this folder) checks the arguments of a call before it calls a function of the table, so backends
 * need not check them. A backend keeps its own state in the member `native` of an object.
 */
#ifndef SHOAL_COMPUTE_BACKEND_H
#define SHOAL_COMPUTE_BACKEND_H

#include "base/error.h"
#include "base/text.h"

#include <pthread.h>
#include <shoal/program.h>
#include <stdatomic.h>

struct backend;
struct link_piece;
struct shoal_ranks;
struct tuning;

enum { MAX_BACKENDS = 4, LAUNCH_HISTORY = 8 };

struct shoal {
    shoal_log_fn log;
    void *log_data;
    enum shoal_log_level log_level;
    bool (*stop)(void *data); /* called during compilations: true ends them; NULL: nothing ends them */
    void *stop_data;
    bool sync, strict_fp;
    char *kernel_dir;    /* NULL: embedded kernels only */
    char *cache_dir;     /* NULL: no cache */
    char *compiler;      /* $CC; NULL: not set */
    char *temporary_dir; /* $TMPDIR; NULL: not set */
    atomic_bool hung;    /* a run on one of the devices has not ended, so nothing may be freed */
    /* a warning about a cache that cannot be used was given; it is given once for each instance */
    atomic_bool cache_warned;
    const struct backend *backends[MAX_BACKENDS];
    void *backend_state[MAX_BACKENDS];
    size_t backend_count;
    struct shoal_backend_info *notes;
    size_t note_count;
    struct shoal_device **devices; /* the listed devices, which do not change after shoal_open */
    size_t device_count;
    struct shoal_device **wrapped; /* devices for contexts of the caller; guarded by `lock` */
    size_t wrapped_count;
    struct division *divisions; /* divisions of devices that selectors have asked for; guarded by `lock` */
    size_t division_count;
    struct tuning *tuning;
    bool is_of_scouts; /* the devices are scouts (compute/ahead), whose questions leave nothing in `tuning` */
    /* name of this host for other ranks, owned by struct shoal_ranks; NULL: all devices belong to this
     * process */
    const char *rank_host;
    /* The ranks, if rank 0 uses cards of other ranks without messages, so that calls of devices do not notice
     * that such a rank is lost; otherwise NULL. */
    struct shoal_ranks *watched;
    /* guards contexts of devices and the programs kept for them, tuned values, wrapped devices and divisions
     */
    pthread_mutex_t lock;
    atomic_uint_fast64_t serial; /* `serial` of the buffer that was created last */
};

struct shoal_device {
    struct shoal *shoal;
    const struct backend *backend; /* NULL: the host device */
    void *backend_state;
    struct shoal_device_info info; /* strings are owned */
    /* the device of which this device is a part; NULL: this device is not a part */
    struct shoal_device *whole;
    bool opened; /* guarded by shoal->lock */
    atomic_bool lost;
    void *native;
};

/* A listed device divided into parts, as a selector has asked: see parts.c. */
struct division {
    struct shoal_device *whole;
    char *word;                  /* the text after '/' in the selector */
    struct shoal_device **parts; /* [count]; does not change once the division is in shoal->divisions */
    size_t count;
};

struct shoal_queue {
    struct shoal_device *device;
    unsigned flags;
    bool span_open;
    double span_s; /* seconds of the open span before its interruption by the first launch of a kernel */
    /* Set by queue_time_first_launches: the queue waits for the end of each first launch of a kernel, in
     * which drivers compile and load it, and spans do not count the time in which the device therefore does
     * not work. Needs profiling. */
    bool times_first_launches;
    /* Seconds that drivers have spent on first launches so far. The thread of the queue adds to this number;
     * any thread may read it. */
    _Atomic double first_launch_s;
    /* Number and names of the launches since the last finish without an error, for the message of an
     * asynchronous error. */
    uint64_t launch_count;
    /* names of entries: launch number k is at index k % LAUNCH_HISTORY */
    const char *launches[LAUNCH_HISTORY];
    void *native;
};

struct shoal_buffer {
    struct shoal_device *device;
    size_t bytes;
    /* number of the buffer, unique in the instance, by which caches of arguments recognise it */
    uint64_t serial;
    void *native;
};

/* Host memory that devices copy to and from at full speed. */
struct host_block {
    struct shoal_device *device; /* the device whose backend has allocated the block */
    size_t bytes;
    unsigned char *data;
    void *native;
};

struct shoal_event {
    struct shoal_queue *queue;
    bool is_untimed; /* it has no times even if the queue measures times: kernel_omit_times */
    void *native;
};

struct shoal_program {
    struct shoal_device *device;
    const struct shoal_program_desc *desc;
    int64_t *defines; /* [desc->define_count]: value of each define of the contract */
    bool native_text; /* the program was built from the native CUDA file */
    bool real64;      /* the define REAL is 64 */
    double build_seconds;
    void *native;
};

enum { MAX_ARGS = 32 };

/* A checked argument of a kernel, as backends get it. */
struct kernel_arg {
    enum shoal_type type;        /* type of the argument; FLOAT or DOUBLE instead of REAL */
    struct shoal_buffer *buffer; /* NULL for values and null pointers */
    bool changed;                /* the value differs from that of the last launch of this kernel */
    uint64_t serial;
    uint32_t bytes;
    void *data; /* the value, of `bytes` bytes, owned by the kernel; not used for buffers */
};

struct shoal_kernel {
    struct shoal_program *program;
    const struct shoal_entry_desc *entry;
    uint32_t work_group;
    size_t resident; /* number of groups that the device runs at the same time: see shoal_kernel_resident */
    bool launched;   /* the arguments hold the values of an earlier launch */
    /* arguments may be buffers of other devices whose memory the device of the kernel reads */
    bool reads_peers;
    bool is_untimed; /* see kernel_omit_times */
    /* description of the arguments of the last launch with named arguments (compute/launch.h) */
    const struct launch_args *named_by;
    struct kernel_arg args[MAX_ARGS];
    void *arg_data;
    void *native;
};

/* Input of a compiler. */
struct build_input {
    const char *text;           /* text of the program, with its includes expanded */
    const char *name;           /* file name for messages about lines that no #line precedes */
    const char *const *defines; /* "NAME=VALUE", sorted by name */
    size_t define_count;
    bool strict_fp; /* correctly rounded division and square root */
    /* the compiler contracts no operations to fused ones; always true with strict_fp */
    bool without_contraction;
    /* subnormal numbers are taken for 0 (SHOAL_FLUSHES_SUBNORMALS); false with strict_fp */
    bool flush_subnormals;
    bool native; /* the text is a .cu file, which gets no prelude */
};

/* Functions of a backend. Each function returns SHOAL_OK or fills `error`. Functions marked optional may be
 * NULL. The functions named *_destroy get only objects whose creation succeeded. A function that finds that
 * the device is lost sets device->lost and returns SHOAL_DEVICE_LOST. */
struct backend {
    const char *name;
    /* Loads the driver. Calls device_add for each device, and backend_note for the backend and for each
     * platform that cannot be used. It is not an error if there is no device. */
    enum shoal_status (*open)(struct shoal *shoal, void **state, struct shoal_error *error);
    void (*close)(struct shoal *shoal, void *state); /* optional */
    /* Creates the context. Called once, before the device is used for the first time, under shoal->lock. */
    enum shoal_status (*device_open)(struct shoal_device *device, struct shoal_error *error);
    /* Frees device->native. Called for every device, even if device_open was never called. */
    void (*device_close)(struct shoal_device *device);
    /* Optional: divides division->whole, and calls device_add_part for each part in order. units: [count],
     * number of compute units of each part, in total no more than the device has; NULL: there is to be a part
     * for each NUMA node. All parts share a context. SHOAL_NO_DEVICE: the driver cannot divide the device in
     * this way. Called under shoal->lock. After a failure the caller frees the parts that were added. */
    enum shoal_status (*device_divide)(struct division *division, const uint32_t *units, size_t count,
                                       struct shoal_error *error);

    enum shoal_status (*queue_create)(struct shoal_queue *queue, struct shoal_error *error);
    void (*queue_destroy)(struct shoal_queue *queue);
    enum shoal_status (*queue_flush)(struct shoal_queue *queue, struct shoal_error *error);
    enum shoal_status (*queue_finish)(struct shoal_queue *queue, struct shoal_error *error);
    /* Lets the queue wait for an event: of the same device, or of queue_mark on a device whose memory this
     * device reads directly. */
    enum shoal_status (*queue_wait)(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
    /* Optional for a backend with writes_at_once and without shares_memory and peer_copy: lets queues of
     * several devices wait for each other without a thread that waits. queue_mark fills event->native with an
     * event that ends when all commands enqueued so far are done, and submits these commands at once.
     * event_gap: seconds from the end of an event to the end of a later event of the same queue, which has
     * SHOAL_QUEUE_PROFILING. Both events must have ended.
     */
    enum shoal_status (*queue_mark)(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
    enum shoal_status (*event_gap)(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                   struct shoal_error *error);
    enum shoal_status (*span_begin)(struct shoal_queue *queue, struct shoal_error *error);
    enum shoal_status (*span_end)(struct shoal_queue *queue, double *seconds, struct shoal_error *error);

    enum shoal_status (*buffer_create)(struct shoal_buffer *buffer, struct shoal_error *error);
    void (*buffer_destroy)(struct shoal_buffer *buffer);
    /* Optional: fills buffer->native for a buffer of the buffer->bytes bytes at `memory`. Called for devices
     * that are processors. */
    enum shoal_status (*buffer_over)(struct shoal_buffer *buffer, const void *memory,
                                     struct shoal_error *error);
    /* When buffer_write returns, the caller may change `data`. */
    enum shoal_status (*buffer_write)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      const void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_read)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_copy)(struct shoal_queue *queue, struct shoal_buffer *source,
                                     size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                     size_t bytes, struct shoal_error *error);
    enum shoal_status (*buffer_fill)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     size_t bytes, uint32_t word, struct shoal_error *error);

    /* Fills block->data and block->native. Any device may copy to and from the block; the devices of this
     * backend do so at full speed. */
    enum shoal_status (*block_create)(struct host_block *block, struct shoal_error *error);
    void (*block_destroy)(struct host_block *block);
    /* As buffer_write and buffer_read, but the copy is only enqueued. `data` may be any host memory, and must
     * not change until the queue is finished. */
    enum shoal_status (*enqueue_write)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                       const void *data, size_t bytes, struct shoal_error *error);
    enum shoal_status (*enqueue_read)(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      void *data, size_t bytes, struct shoal_error *error);
    /* true: enqueue_write copies `data` before it returns */
    bool writes_at_once;
    /* Optional: whether buffer_copy can copy between buffers of two opened devices of this backend, because
     * they have one memory. */
    bool (*shares_memory)(const struct shoal_device *a, const struct shoal_device *b);
    /* Optional, both or none. peer_open lets device `to` read the memory of device `from`, another opened
     * device of this backend, from now on; *reaches: whether it can. peer_copy enqueues a copy from `from` to
     * `to` on a queue of `to`. */
    enum shoal_status (*peer_open)(struct shoal_device *from, struct shoal_device *to, bool *reaches,
                                   struct shoal_error *error);
    enum shoal_status (*peer_copy)(struct shoal_queue *queue, struct shoal_buffer *source,
                                   size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                   size_t bytes, struct shoal_error *error);
    bool kernels_read_peers; /* after peer_open, kernels of `to` may have buffers of `from` as arguments */

    /* Optional, all or none: send rows between two devices of other processes. rows_reach: whether the
     * process of `from` can send rows to the process of `to`; neither is this process. rows_give enqueues on
     * a queue of `from` that the rows are sent; rows_take enqueues on a queue of `to` that they are received.
     * Both calls must have the same pieces in the same order. rows_take with queue NULL and without pieces:
     * the rows are not wanted any more. bytes: of all pieces, above 0. Before the next rows are given, the
     * rows given before must be taken or refused in this way. */
    bool (*rows_reach)(const struct shoal_device *from, const struct shoal_device *to);
    enum shoal_status (*rows_give)(struct shoal_queue *queue, const struct shoal_device *to,
                                   const struct link_piece *pieces, size_t count, size_t bytes,
                                   struct shoal_error *error);
    enum shoal_status (*rows_take)(struct shoal_device *device, struct shoal_queue *queue,
                                   const struct shoal_device *from, const struct link_piece *pieces,
                                   size_t count, size_t bytes, struct shoal_error *error);

    /* Optional: returns a text that precedes every .cl file and is part of the cache key. A device with such
     * a text is a CUDA device, for which native .cu files are built, too. NULL: the device has no such text.
     */
    const char *(*prelude)(const struct shoal_device *device);
    /* Fills program->native. With SHOAL_BUILD_FAILED `error` has the compiler's log; the log of a successful
     * build is logged. */
    enum shoal_status (*program_build)(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error);
    /* several threads may call program_build for a device at once, and the compiler works in all of them */
    bool builds_at_once;
    /* Loads a program from the result of an earlier program_binary. After any failure the caller builds the
     * program instead. */
    enum shoal_status (*program_load)(struct shoal_program *program, const void *binary, size_t bytes,
                                      struct shoal_error *error);
    /* Returns a copy of the compiled program, which the caller frees. */
    enum shoal_status (*program_binary)(struct shoal_program *program, void **binary, size_t *bytes,
                                        struct shoal_error *error);
    void (*program_destroy)(struct shoal_program *program);

    enum shoal_status (*kernel_create)(struct shoal_kernel *kernel, struct shoal_error *error);
    /* Sets the largest work-group size with which the device can run the kernel. */
    enum shoal_status (*kernel_limit)(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error);
    /* Optional: number of groups that the device runs at the same time (shoal_kernel_resident). */
    enum shoal_status (*kernel_resident)(const struct shoal_kernel *kernel, size_t *groups,
                                         struct shoal_error *error);
    void (*kernel_destroy)(struct shoal_kernel *kernel);
    /* Launches the kernel with the arguments kernel->args. If `event` is not NULL, fills event->native. */
    enum shoal_status (*launch)(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                struct shoal_event *event, struct shoal_error *error);

    enum shoal_status (*event_wait)(struct shoal_event *event, struct shoal_error *error);
    enum shoal_status (*event_times)(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error);
    void (*event_destroy)(struct shoal_event *event);
};

/* The text of backend->prelude for a device; NULL: there is none, and the device takes no native .cu files.
 */
static inline const char *device_prelude(const struct shoal_device *device)
{
    return device->backend->prelude ? device->backend->prelude(device) : NULL;
}

extern const struct backend opencl_backend;
extern const struct backend cuda_backend;

/* program/program.c ---------------------------------------------------------------------------------- */

/* Fills program->native: takes the compiled program from the cache, or builds it and adds it to the cache.
 * Uses program->device and the name in program->desc, and adds to program->build_seconds. */
enum shoal_status program_compile(struct shoal_program *program, const struct build_input *input,
                                  struct shoal_error *error);

/* program/kernel.c ----------------------------------------------------------------------------------- */

/* Size of an argument in bytes, 8 for a pointer; 0: a struct of unknown size. */
uint32_t arg_desc_bytes(const struct shoal_arg_desc *desc, bool real64);

/* buffer.c ------------------------------------------------------------------------------------------- */

/* Checks that the buffer belongs to `device` and has `bytes` bytes from `offset` on. call: name of the call,
 * for the message. */
enum shoal_status buffer_check(const struct shoal_buffer *buffer, const struct shoal_device *device,
                               size_t offset, size_t bytes, const char *call, struct shoal_error *error);

/* instance.c ----------------------------------------------------------------------------------------- */

/* Does what shoal_open does, with the given backends. For the fake backend of tests. */
enum shoal_status shoal_open_with(struct shoal **out, const struct shoal_params *params,
                                  const struct backend *const *backends, size_t count,
                                  struct shoal_error *error);
/* Adds a row to those of shoal_backend_at. The strings are copied. */
enum shoal_status backend_note(struct shoal *shoal, const char *name, bool available, const char *note,
                               struct shoal_error *error);
/* device.c -------------------------------------------------------------------------------------------- */

/* Appends a device to the list. The strings of `info` are copied without blanks at their ends. If info->id is
 * NULL, the id is the name of the backend and the number of its devices so far. alias_of is set once all
 * backends are open, by the PCI address. */
enum shoal_status device_add(struct shoal *shoal, const struct backend *backend, void *backend_state,
                             const struct shoal_device_info *info, void *native, struct shoal_device **out,
                             struct shoal_error *error);
/* Adds a copy of `device` for a context of the caller. The copy is not listed. The caller holds shoal->lock.
 */
enum shoal_status device_add_wrapped(struct shoal_device *device, void *native, struct shoal_device **out,
                                     struct shoal_error *error);
/* Appends an opened device to a division, and sets its id, part_of and alias_of. After a failure the caller
 * still owns `native`. */
enum shoal_status device_add_part(struct division *division, const struct shoal_device_info *info,
                                  void *native, struct shoal_error *error);
/* Opens the context of the device, unless it is open. SHOAL_DEVICE_LOST: the device is lost.
 * SHOAL_UNSUPPORTED: it is the host device. */
enum shoal_status device_ready(struct shoal_device *device, struct shoal_error *error);
void device_free(struct shoal_device *device);

/* Defined in queue.c and buffer.c: create objects for native handles of the caller. */
enum shoal_status queue_new(struct shoal_device *device, unsigned flags, void *native,
                            struct shoal_queue **out, struct shoal_error *error);
enum shoal_status buffer_new(struct shoal_device *device, size_t bytes, void *native,
                             struct shoal_buffer **out, struct shoal_error *error);

#endif
