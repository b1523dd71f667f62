/* Private: the state of the CUDA backend, to which the members `native` of the objects of the compute layer
 * point. */
#ifndef SHOAL_COMPUTE_CUDA_OBJECTS_H
#define SHOAL_COMPUTE_CUDA_OBJECTS_H

#include "compute/backend.h"
#include "compute/cuda/api.h"
#include "compute/cuda/compile.h"
#include "compute/device.h"

/* State of the CUDA backend. */
struct cuda {
    struct cuda_driver driver;
    struct nvrtc nvrtc;
};

struct cuda_device {
    struct cuda *cuda;
    cu_device ordinal;
    struct cuda_target target;
    cu_context context; /* primary context; NULL before device_open */
    cu_event epoch;     /* recorded at device_open; event times count from it */
    bool cooperative;   /* the device can start all groups of a launch together */
};

/* Two blocks of pinned memory through which host data are copied, so that transfers are asynchronous: the
 * processor copies to or from one block while the device does so with the other. Allocated at the first
 * transfer. */
struct staging {
    struct staging_block {
        unsigned char *data;
        cu_event drained; /* recorded after the last transfer of the block */
        size_t used;
        bool busy; /* `drained` was recorded, and no call has waited for it since */
    } blocks[2];
    unsigned current;
};

enum span_state { SPAN_NONE, SPAN_OPEN, SPAN_STARTED };

struct cuda_queue {
    cu_stream stream;
    bool owned; /* the stream was created by shoal, not by the caller */
    enum span_state span;
    bool span_end_stale; /* commands were enqueued after span_last was recorded */
    cu_event span_first, span_last;
    struct staging staging;
};

struct cuda_buffer {
    cu_pointer memory;
    bool owned;
};

struct cuda_program {
    cu_module module;
    struct cuda_image image;
};

struct cuda_kernel {
    cu_function function;
    /* what the text of a kernel says of it, see kernel.c */
    unsigned dynamic_local; /* bytes of dynamic local memory */
    unsigned together;      /* 1: groups of a launch wait for each other, so all must run at the same time */
    unsigned starts_early;  /* 1: groups may start before the launch before has ended, for which they wait */
    int cluster;            /* number of groups of a cluster, 0: the kernel has no clusters */
    void *params[MAX_ARGS];
};

/* device.c ----------------------------------------------------------------------------------------------- */

static inline struct cuda_device *cuda_device(const struct shoal_device *device)
{
    return device->native;
}

static inline const struct cuda_driver *cuda_driver(const struct shoal_device *device)
{
    return &cuda_device(device)->cuda->driver;
}

static inline struct cuda_queue *cuda_queue(const struct shoal_queue *queue)
{
    return queue->native;
}

static inline cu_pointer cuda_memory(const struct shoal_buffer *buffer)
{
    return ((const struct cuda_buffer *)buffer->native)->memory;
}

/* Makes the primary context current, if it is not. *pushed: for cuda_leave, which makes the former context
 * current again. */
enum shoal_status cuda_enter(struct shoal_device *device, bool *pushed, struct shoal_error *error);
void cuda_leave(const struct shoal_device *device, bool pushed);

/* Fills the error unless `code`, the result of the driver function `symbol`, means success. Marks the device
 * as lost after an error that ends the context. */
enum shoal_status cuda_check(struct shoal_device *device, const char *symbol, cu_result code,
                             struct shoal_error *error);

/* Calls the driver function `symbol` and returns its result as a status. */
#define CUDA_CALL(device, error, symbol, ...)                                                                \
    cuda_check(device, #symbol, cuda_driver(device)->symbol(__VA_ARGS__), error)

/* queue.c ---------------------------------------------------------------------------------------------- */

enum shoal_status cuda_queue_create(struct shoal_queue *queue, struct shoal_error *error);
/* Makes a queue of a stream that the caller owns. */
enum shoal_status cuda_queue_adopt(struct shoal_queue *queue, cu_stream stream, struct shoal_error *error);
void cuda_queue_destroy(struct shoal_queue *queue);
enum shoal_status cuda_queue_flush(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status cuda_queue_finish(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status cuda_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                  struct shoal_error *error);
enum shoal_status cuda_span_begin(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status cuda_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error);
/* To be called before each command of a span. */
enum shoal_status cuda_span_command(struct shoal_queue *queue, struct shoal_error *error);
/* To be called after the last command of a span, before the host does other work. */
enum shoal_status cuda_span_mark(struct shoal_queue *queue, struct shoal_error *error);

/* event.c ---------------------------------------------------------------------------------------------- */

/* Whether the event of a launch has times: kernel_omit_times. */
bool cuda_event_is_timed(const struct shoal_event *event);
/* cuda_event_begin and cuda_event_end are called before and after the launch whose times the event has. If
 * the launch or cuda_event_end fails, cuda_event_cancel is called instead. The context must be current. */
enum shoal_status cuda_event_begin(struct shoal_event *event, struct shoal_error *error);
enum shoal_status cuda_event_end(struct shoal_event *event, struct shoal_error *error);
void cuda_event_cancel(struct shoal_event *event);
cu_event cuda_event_done(const struct shoal_event *event);
enum shoal_status cuda_queue_mark(struct shoal_queue *queue, struct shoal_event *event,
                                  struct shoal_error *error);
enum shoal_status cuda_event_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                 struct shoal_error *error);
enum shoal_status cuda_event_wait(struct shoal_event *event, struct shoal_error *error);
enum shoal_status cuda_event_times(struct shoal_event *event, double *start, double *end,
                                   struct shoal_error *error);
void cuda_event_destroy(struct shoal_event *event);

/* staging.c: the context is current -------------------------------------------------------------------- */

enum shoal_status cuda_staging_write(struct shoal_queue *queue, cu_pointer target, const void *data,
                                     size_t bytes, struct shoal_error *error);
enum shoal_status cuda_staging_read(struct shoal_queue *queue, cu_pointer source, void *data, size_t bytes,
                                    struct shoal_error *error);
void cuda_staging_free(struct shoal_queue *queue);
/* Returns the error that there is no memory for `bytes` bytes of pinned memory. */
enum shoal_status cuda_fail_pinned(const struct shoal_device *device, size_t bytes,
                                   struct shoal_error *error);

/* buffer.c --------------------------------------------------------------------------------------------- */

enum shoal_status cuda_buffer_create(struct shoal_buffer *buffer, struct shoal_error *error);
void cuda_buffer_destroy(struct shoal_buffer *buffer);
enum shoal_status cuda_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    const void *data, size_t bytes, struct shoal_error *error);
enum shoal_status cuda_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                   void *data, size_t bytes, struct shoal_error *error);
enum shoal_status cuda_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                   size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                   size_t bytes, struct shoal_error *error);
enum shoal_status cuda_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                   size_t bytes, uint32_t word, struct shoal_error *error);

enum shoal_status cuda_enqueue_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     const void *data, size_t bytes, struct shoal_error *error);
enum shoal_status cuda_enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    void *data, size_t bytes, struct shoal_error *error);
/* Makes the context current, and calls cuda_span_command if a span is open. */
enum shoal_status cuda_begin_command(struct shoal_queue *queue, bool *pushed, struct shoal_error *error);

/* peer.c ----------------------------------------------------------------------------------------------- */

enum shoal_status cuda_block_create(struct host_block *block, struct shoal_error *error);
void cuda_block_destroy(struct host_block *block);
enum shoal_status cuda_peer_open(struct shoal_device *from, struct shoal_device *to, bool *reaches,
                                 struct shoal_error *error);
enum shoal_status cuda_peer_copy(struct shoal_queue *queue, struct shoal_buffer *source, size_t source_offset,
                                 struct shoal_buffer *target, size_t target_offset, size_t bytes,
                                 struct shoal_error *error);

/* program.c -------------------------------------------------------------------------------------- */

const char *cuda_prelude(const struct shoal_device *device);
enum shoal_status cuda_program_build(struct shoal_program *program, const struct build_input *input,
                                     struct shoal_error *error);
enum shoal_status cuda_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                    struct shoal_error *error);
enum shoal_status cuda_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                      struct shoal_error *error);
void cuda_program_destroy(struct shoal_program *program);

/* kernel.c --------------------------------------------------------------------------------------------- */

enum shoal_status cuda_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error);
enum shoal_status cuda_kernel_resident(const struct shoal_kernel *kernel, size_t *groups,
                                       struct shoal_error *error);
enum shoal_status cuda_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                    struct shoal_error *error);
void cuda_kernel_destroy(struct shoal_kernel *kernel);
enum shoal_status cuda_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              struct shoal_event *event, struct shoal_error *error);

#endif
