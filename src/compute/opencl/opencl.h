/* Private: the state of the OpenCL backend. It uses calls of OpenCL 1.2, and newer calls and extensions if
 * the driver reports them. */
#ifndef SHOAL_COMPUTE_OPENCL_H
#define SHOAL_COMPUTE_OPENCL_H

#include "compute/backend.h"
#include "compute/device.h"
#include "compute/program/cache.h"

#include <shoal/opencl.h>

enum { KEPT_PROGRAMS = 32 };

struct kept_program {
    cl_program native; /* NULL: the entry is free */
    char key[CACHE_KEY_LENGTH];
};

struct opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context; /* NULL until the device is opened */
    /* the driver's compiler compiles kernels wrongly for work-groups of one work-item: see program.c */
    bool miscompiles_groups_of_one;
    bool is_pocl;                            /* loads code of kernels by the rules in loading.c */
    struct kept_program kept[KEPT_PROGRAMS]; /* guarded by the instance's lock */
};

struct opencl_queue {
    cl_command_queue queue;
    bool in_span;
    cl_event first;   /* event of the first command of the open span; NULL: there is no command yet */
    cl_event watched; /* event of the last launch on a CPU; NULL: there is none. See opencl_queue_watch */
    cl_int broken;    /* status of a watched launch that failed; CL_SUCCESS: none failed so far */
    bool loads_alone; /* the queue is in the list of loading.c */
    struct opencl_queue *next;
};

struct opencl_kernel {
    cl_kernel kernel;
    size_t local;  /* work-group size of the last launch; 0: there was none */
    size_t widest; /* most work-items of a launch with this size */
};

static inline struct opencl_device *opencl_device(const struct shoal_device *device)
{
    return device->native;
}

static inline struct opencl_kernel *opencl_kernel(const struct shoal_kernel *kernel)
{
    return kernel->native;
}

static inline struct opencl_queue *opencl_queue(const struct shoal_queue *queue)
{
    return queue->native;
}

/* Defined in error.c. */
const char *opencl_error_name(cl_int code);
/* Fills the error for a failed call. what: what was done, for the message: "running reduce_sum". */
enum shoal_status opencl_fail(struct shoal_device *device, struct shoal_error *error, const char *call,
                              cl_int code, const char *what);
/* Fills the error for a failed call that waits. A resource error then means that a kernel has broken the
 * context. */
enum shoal_status opencl_fail_wait(struct shoal_device *device, struct shoal_error *error, const char *call,
                                   cl_int code);

/* Defined in device.c. */
enum shoal_status opencl_open(struct shoal *shoal, void **state, struct shoal_error *error);
enum shoal_status opencl_device_open(struct shoal_device *device, struct shoal_error *error);
void opencl_device_close(struct shoal_device *device);
bool opencl_shares_memory(const struct shoal_device *a, const struct shoal_device *b);
/* Creates a context for the device, or for `count` parts of it, `ids`. */
enum shoal_status opencl_context_create(struct shoal_device *device, const cl_device_id *ids, cl_uint count,
                                        cl_context *context, struct shoal_error *error);

/* Defined in parts.c. */
enum shoal_status opencl_device_divide(struct division *division, const uint32_t *units, size_t count,
                                       struct shoal_error *error);

/* Adds a note about something that is installed but does not work. Frees the text `note`. */
enum shoal_status opencl_note_fault(struct shoal *shoal, struct text *note, struct shoal_error *error);

/* Defined in icd.c: adds a note for each .icd file whose driver cannot be loaded. */
enum shoal_status opencl_note_broken_drivers(struct shoal *shoal, struct shoal_error *error);

/* Defined in queue.c. */
enum shoal_status opencl_queue_adopt(struct shoal_queue *queue, cl_command_queue native,
                                     struct shoal_error *error);
enum shoal_status opencl_queue_create(struct shoal_queue *queue, struct shoal_error *error);
void opencl_queue_destroy(struct shoal_queue *queue);
enum shoal_status opencl_queue_flush(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status opencl_queue_finish(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status opencl_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
enum shoal_status opencl_queue_mark(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error);
enum shoal_status opencl_event_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                   struct shoal_error *error);
enum shoal_status opencl_span_begin(struct shoal_queue *queue, struct shoal_error *error);
enum shoal_status opencl_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error);
enum shoal_status opencl_event_wait(struct shoal_event *event, struct shoal_error *error);
enum shoal_status opencl_event_times(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error);
void opencl_event_destroy(struct shoal_event *event);
/* opencl_queue_watch watches a launch, whose event alone shows some errors. A driver for CPUs may fail to
 * compile a kernel as late as at its launch: PoCL then links the kernel, in files that other processes write,
 * too. The commands after such a launch do nothing, but blocking reads and clFinish still succeed. So the
 * last launch is watched, which costs nothing on CPUs. */
void opencl_queue_watch(struct opencl_queue *queue, cl_event launch);
/* Called after `call` has waited. SHOAL_FAILED: a launch that was watched since the last successful wait has
 * failed. */
enum shoal_status opencl_queue_check(struct shoal_queue *queue, const char *call, struct shoal_error *error);
/* Address for the event of an enqueue call, if the command is the first of a span; otherwise NULL. */
cl_event *opencl_span_slot(struct opencl_queue *queue);

/* Defined in buffer.c. */
enum shoal_status opencl_buffer_create(struct shoal_buffer *buffer, struct shoal_error *error);
enum shoal_status opencl_buffer_over(struct shoal_buffer *buffer, const void *memory,
                                     struct shoal_error *error);
void opencl_buffer_destroy(struct shoal_buffer *buffer);
enum shoal_status opencl_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      const void *data, size_t bytes, struct shoal_error *error);
enum shoal_status opencl_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     void *data, size_t bytes, struct shoal_error *error);
enum shoal_status opencl_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                     size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                     size_t bytes, struct shoal_error *error);
enum shoal_status opencl_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     size_t bytes, uint32_t word, struct shoal_error *error);

enum shoal_status opencl_enqueue_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                       const void *data, size_t bytes, struct shoal_error *error);
enum shoal_status opencl_enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      void *data, size_t bytes, struct shoal_error *error);

/* Defined in block.c. */
enum shoal_status opencl_block_create(struct host_block *block, struct shoal_error *error);
void opencl_block_destroy(struct host_block *block);

/* Defined in kept.c: the programs that were built last, by their keys (cache.h), kept until the device is
 * closed. Solvers of the same kind use the same programs, and even a driver with a cache of its own parses
 * the whole text at each build. */
/* Returns a reference to a kept program, which the caller releases; NULL: the program is not kept. */
cl_program opencl_kept_take(struct shoal_device *device, const char *key);
void opencl_kept_add(struct shoal_device *device, const char *key, cl_program native);
/* Releases all kept programs. To be called before the context is released. */
void opencl_kept_release(struct opencl_device *device);

/* Defined in program.c. */
enum shoal_status opencl_program_build(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error);
enum shoal_status opencl_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                      struct shoal_error *error);
enum shoal_status opencl_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                        struct shoal_error *error);
void opencl_program_destroy(struct shoal_program *program);

/* Defined in loading.c, for queues of PoCL. */
void opencl_loading_add(struct opencl_queue *queue);
void opencl_loading_remove(struct opencl_queue *queue);
/* To be called around the enqueuing of a launch of `global` work-items, in groups of `local`. The first call
 * returns whether the launch may make PoCL load code. No other thread enqueues a launch between the calls.
 * loads: the launch may have loaded code and was enqueued. */
bool opencl_loading_begin(struct opencl_queue *queue, const struct opencl_kernel *kernel, size_t local,
                          size_t global);
void opencl_loading_end(struct opencl_queue *queue, struct opencl_kernel *kernel, size_t local, size_t global,
                        bool loads);

/* Defined in kernel.c. */
enum shoal_status opencl_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error);
enum shoal_status opencl_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error);
void opencl_kernel_destroy(struct shoal_kernel *kernel);
enum shoal_status opencl_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                struct shoal_event *event, struct shoal_error *error);

#endif
