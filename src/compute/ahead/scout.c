#include "compute/ahead/scout.h"
#include "compute/device.h"

#include <stdlib.h>
#include <string.h>

static struct scout *scout_of(const struct shoal_device *device)
{
    return device->native;
}

static enum shoal_status with_queue(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)queue;
    (void)error;
    return SHOAL_OK;
}

static void drop_queue(struct shoal_queue *queue)
{
    (void)queue;
}

static enum shoal_status with_event(struct shoal_event *event, struct shoal_error *error)
{
    (void)event;
    (void)error;
    return SHOAL_OK;
}

static enum shoal_status wait_for(struct shoal_queue *queue, struct shoal_event *event,
                                  struct shoal_error *error)
{
    (void)queue;
    return with_event(event, error);
}

static enum shoal_status span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    *seconds = 0;
    return with_queue(queue, error);
}

static enum shoal_status event_times(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error)
{
    *start = *end = 0;
    return with_event(event, error);
}

static void drop_event(struct shoal_event *event)
{
    (void)event;
}

static enum shoal_status buffer_create(struct shoal_buffer *buffer, struct shoal_error *error)
{
    (void)buffer;
    (void)error;
    return SHOAL_OK;
}

static void drop_buffer(struct shoal_buffer *buffer)
{
    (void)buffer;
}

static enum shoal_status write_nothing(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                       const void *data, size_t bytes, struct shoal_error *error)
{
    (void)buffer;
    (void)offset;
    (void)data;
    (void)bytes;
    return with_queue(queue, error);
}

static enum shoal_status read_zeros(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    void *data, size_t bytes, struct shoal_error *error)
{
    (void)buffer;
    (void)offset;
    memset(data, 0, bytes);
    return with_queue(queue, error);
}

static enum shoal_status copy_nothing(struct shoal_queue *queue, struct shoal_buffer *source,
                                      size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                      size_t bytes, struct shoal_error *error)
{
    (void)source;
    (void)source_offset;
    (void)target;
    (void)target_offset;
    (void)bytes;
    return with_queue(queue, error);
}

static enum shoal_status fill_nothing(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      size_t bytes, uint32_t word, struct shoal_error *error)
{
    (void)buffer;
    (void)offset;
    (void)bytes;
    (void)word;
    return with_queue(queue, error);
}

static enum shoal_status block_create(struct host_block *block, struct shoal_error *error)
{
    block->data = calloc(1, block->bytes);
    return block->data ? SHOAL_OK : fail_host_memory(error);
}

static void block_destroy(struct host_block *block)
{
    free(block->data);
}

static const char *prelude(const struct shoal_device *device)
{
    return device_prelude(scout_of(device)->real);
}

static enum shoal_status program_build(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error)
{
    const struct scout *scout = scout_of(program->device);
    return scout->on_build(scout->data, scout->real, program->desc->name, input, error);
}

static void drop_program(struct shoal_program *program)
{
    (void)program;
}

static enum shoal_status kernel_create(struct shoal_kernel *kernel, struct shoal_error *error)
{
    (void)kernel;
    (void)error;
    return SHOAL_OK;
}

/* Compilers respect reqd_work_group_size, so limits below the size of the build are rare. */
static enum shoal_status kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error)
{
    *max_work_group = UINT32_MAX;
    return kernel_create(kernel, error);
}

static void drop_kernel(struct shoal_kernel *kernel)
{
    (void)kernel;
}

static enum shoal_status launch_nothing(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                        struct shoal_event *event, struct shoal_error *error)
{
    (void)kernel;
    (void)groups;
    (void)event;
    return with_queue(queue, error);
}

void scout_init(struct scout *scout, struct shoal *instance, struct shoal_device *real)
{
    scout->real = real;
    scout->table = (struct backend){.name = real->backend->name,
                                    .queue_create = with_queue,
                                    .queue_destroy = drop_queue,
                                    .queue_flush = with_queue,
                                    .queue_finish = with_queue,
                                    .queue_wait = wait_for,
                                    .span_begin = with_queue,
                                    .span_end = span_end,
                                    .buffer_create = buffer_create,
                                    .buffer_destroy = drop_buffer,
                                    .buffer_write = write_nothing,
                                    .buffer_read = read_zeros,
                                    .buffer_copy = copy_nothing,
                                    .buffer_fill = fill_nothing,
                                    .block_create = block_create,
                                    .block_destroy = block_destroy,
                                    .enqueue_write = write_nothing,
                                    .enqueue_read = read_zeros,
                                    .prelude = prelude,
                                    .program_build = program_build,
                                    .program_destroy = drop_program,
                                    .kernel_create = kernel_create,
                                    .kernel_limit = kernel_limit,
                                    .kernel_destroy = drop_kernel,
                                    .launch = launch_nothing,
                                    .event_wait = with_event,
                                    .event_times = event_times,
                                    .event_destroy = drop_event};
    if (real->whole)
        scout->whole = (struct shoal_device){.shoal = instance, .info = real->whole->info};
    scout->device = (struct shoal_device){.shoal = instance,
                                          .backend = &scout->table,
                                          .info = real->info,
                                          .whole = real->whole ? &scout->whole : NULL,
                                          .opened = true,
                                          .native = scout};
    /* so that each build comes to program_build, and none is looked for in the cache */
    scout->device.info.self_caching = true;
}
