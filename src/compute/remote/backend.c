/* The backend for devices of other ranks (processes): each function sends a request to the rank that has the
 * device. */
#include "compute/device.h"
#include "compute/link/link.h"
#include "compute/program/source.h"
#include "compute/remote/client.h"

#include <stdlib.h>
#include <string.h>

/* Adds no devices: ranks.c adds them, since it knows the ranks. */
static enum shoal_status open_none(struct shoal *shoal, void **state, struct shoal_error *error)
{
    (void)shoal;
    (void)error;
    *state = NULL;
    return SHOAL_OK;
}

static enum shoal_status device_open(struct shoal_device *device, struct shoal_error *error)
{
    (void)remote_begin(device, DEVICE_OPEN);
    return remote_ask(device, error);
}

static void device_close(struct shoal_device *device)
{
    if (!remote_of(device))
        return;
    (void)remote_begin(device, DEVICE_CLOSE);
    (void)remote_post(device, NULL);
    (void)remote_flush(device, NULL);
    remote_destroy(remote_of(device));
    device->native = NULL;
}

/* Ends the request that creates an object with number `number`, and sets *native. */
static enum shoal_status create(struct shoal_device *device, uint64_t number, void **native,
                                struct shoal_error *error)
{
    const enum shoal_status status = remote_ask(device, error);
    if (!status)
        *native = remote_object(number);
    return status;
}

/* Queues ----------------------------------------------------------------------------------------------- */

static enum shoal_status queue_create(struct shoal_queue *queue, struct shoal_error *error)
{
    struct text *out = remote_begin(queue->device, DEVICE_QUEUE);
    const uint64_t number = remote_number(queue->device);
    put_u64(out, number);
    put_u32(out, queue->flags);
    return create(queue->device, number, &queue->native, error);
}

static void queue_destroy(struct shoal_queue *queue)
{
    remote_drop(queue->device, queue->native);
}

static enum shoal_status queue_flush(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)remote_begin_on(queue, DEVICE_FLUSH);
    const enum shoal_status status = remote_post(queue->device, error);
    return status ? status : remote_flush(queue->device, error);
}

static enum shoal_status queue_finish(struct shoal_queue *queue, struct shoal_error *error)
{
    return remote_finish(queue, error);
}

static enum shoal_status queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                    struct shoal_error *error)
{
    put_u64(remote_begin_on(queue, DEVICE_WAIT), number_of(event->native));
    return remote_post(queue->device, error);
}

static enum shoal_status span_begin(struct shoal_queue *queue, struct shoal_error *error)
{
    (void)remote_begin_on(queue, DEVICE_SPAN_BEGIN);
    return remote_post(queue->device, error);
}

static enum shoal_status span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    struct reader reply;
    (void)remote_begin_on(queue, DEVICE_SPAN_END);
    const enum shoal_status status = remote_call(queue->device, &reply, error);
    if (!status)
        *seconds = get_f64(&reply);
    return remote_end(queue->device, &reply, status, error);
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static enum shoal_status buffer_create(struct shoal_buffer *buffer, struct shoal_error *error)
{
    struct text *out = remote_begin(buffer->device, DEVICE_BUFFER);
    const uint64_t number = remote_number(buffer->device);
    put_u64(out, number);
    put_u64(out, buffer->bytes);
    return create(buffer->device, number, &buffer->native, error);
}

static void buffer_destroy(struct shoal_buffer *buffer)
{
    remote_drop(buffer->device, buffer->native);
}

static struct text *begin_range(const struct shoal_queue *queue, enum device_request request,
                                const struct shoal_buffer *buffer, size_t offset, size_t bytes)
{
    struct text *out = remote_begin_on(queue, request);
    put_u64(out, number_of(buffer->native));
    put_u64(out, offset);
    put_u64(out, bytes);
    return out;
}

/* Few bytes are part of the request. More bytes follow it in messages of their own, so the request must be
 * sent before them. */
static enum shoal_status buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      const void *data, size_t bytes, struct shoal_error *error)
{
    struct shoal_device *device = queue->device;
    struct text *out = begin_range(queue, DEVICE_WRITE, buffer, offset, bytes);
    if (bytes <= WIRE_INLINE) {
        put_bytes(out, data, bytes);
        return remote_post(device, error);
    }
    return remote_send_pieces(device, data, bytes, error);
}

static enum shoal_status buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     void *data, size_t bytes, struct shoal_error *error)
{
    (void)begin_range(queue, DEVICE_READ, buffer, offset, bytes);
    return remote_end_read(queue, data, bytes, true, error);
}

static enum shoal_status enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      void *data, size_t bytes, struct shoal_error *error)
{
    (void)begin_range(queue, DEVICE_READ, buffer, offset, bytes);
    return remote_end_read(queue, data, bytes, false, error);
}

static enum shoal_status buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                     size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                     size_t bytes, struct shoal_error *error)
{
    struct text *out = begin_range(queue, DEVICE_COPY, source, source_offset, bytes);
    put_u64(out, number_of(target->native));
    put_u64(out, target_offset);
    return remote_post(queue->device, error);
}

static enum shoal_status buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     size_t bytes, uint32_t word, struct shoal_error *error)
{
    put_u32(begin_range(queue, DEVICE_FILL, buffer, offset, bytes), word);
    return remote_post(queue->device, error);
}

static uint32_t device_number(const struct shoal_device *device)
{
    return remote_of(device)->channel.number - CHANNEL_OF_DEVICES;
}

static bool rows_reach(const struct shoal_device *from, const struct shoal_device *to)
{
    return device_number(from) < MOST_ROW_DEVICES && device_number(to) < MOST_ROW_DEVICES;
}

/* Begins a request about rows that go from device `from` to device `to`. */
static struct text *begin_rows(const struct shoal_device *device, enum device_request request,
                               const struct shoal_queue *queue, const struct shoal_device *from,
                               const struct shoal_device *to, size_t bytes, size_t count)
{
    struct text *out = queue ? remote_begin_on(queue, request) : remote_begin(device, request);
    if (!queue)
        put_u64(out, 0);
    put_u32(out, remote_of(device == from ? to : from)->channel.rank);
    put_u32(out, CHANNEL_OF_ROWS + device_number(from) * MOST_ROW_DEVICES + device_number(to));
    put_u64(out, bytes);
    put_u64(out, count);
    return out;
}

static void put_place(struct text *out, const struct shoal_buffer *buffer, size_t offset, size_t bytes)
{
    put_u64(out, number_of(buffer->native));
    put_u64(out, offset);
    put_u64(out, bytes);
}

static enum shoal_status rows_give(struct shoal_queue *queue, const struct shoal_device *to,
                                   const struct link_piece *pieces, size_t count, size_t bytes,
                                   struct shoal_error *error)
{
    struct shoal_device *from = queue->device;
    struct text *out = begin_rows(from, DEVICE_GIVE_ROWS, queue, from, to, bytes, count);
    for (size_t i = 0; i < count; i++)
        put_place(out, pieces[i].source, pieces[i].source_offset, pieces[i].bytes);
    return remote_post(from, error);
}

/* The request is sent at once, before another thread asks for the next rows. */
static enum shoal_status rows_take(struct shoal_device *to, struct shoal_queue *queue,
                                   const struct shoal_device *from, const struct link_piece *pieces,
                                   size_t count, size_t bytes, struct shoal_error *error)
{
    struct text *out = begin_rows(to, DEVICE_TAKE_ROWS, queue, from, to, bytes, count);
    for (size_t i = 0; i < count; i++)
        put_place(out, pieces[i].target, pieces[i].target_offset, pieces[i].bytes);
    const enum shoal_status status = remote_post(to, error);
    return status ? status : remote_flush(to, error);
}

static enum shoal_status block_create(struct host_block *block, struct shoal_error *error)
{
    block->data = malloc(block->bytes);
    return block->data ? SHOAL_OK : fail_host_memory(error);
}

static void block_destroy(struct host_block *block)
{
    free(block->data);
}

/* Programs and kernels --------------------------------------------------------------------------------- */

static const char *prelude(const struct shoal_device *device)
{
    return device->info.architecture ? source_embedded("cuda/prelude.cuh") : NULL;
}

static struct text *begin_program(const struct shoal_program *program, enum device_request request,
                                  uint64_t *number)
{
    struct text *out = remote_begin(program->device, request);
    *number = remote_number(program->device);
    put_u64(out, *number);
    put_string(out, program->desc->name);
    put_string(out, program->desc->file);
    put_string(out, program->desc->native);
    put_u32(out, program->native_text);
    return out;
}

static enum shoal_status program_build(struct shoal_program *program, const struct build_input *input,
                                       struct shoal_error *error)
{
    uint64_t number;
    struct text *out = begin_program(program, DEVICE_BUILD, &number);
    put_string(out, input->name);
    put_string(out, input->text);
    put_u32(out, input->strict_fp);
    put_u32(out, input->without_contraction);
    put_u32(out, input->flush_subnormals);
    put_u32(out, input->native);
    put_u64(out, input->define_count);
    for (size_t i = 0; i < input->define_count; i++)
        put_string(out, input->defines[i]);
    return create(program->device, number, &program->native, error);
}

static enum shoal_status program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                      struct shoal_error *error)
{
    uint64_t number;
    put_bytes(begin_program(program, DEVICE_LOAD, &number), binary, bytes);
    return create(program->device, number, &program->native, error);
}

static enum shoal_status program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                        struct shoal_error *error)
{
    struct reader reply;
    *binary = NULL;
    put_u64(remote_begin(program->device, DEVICE_BINARY), number_of(program->native));
    enum shoal_status status = remote_call(program->device, &reply, error);
    if (!status) {
        const void *data = get_bytes(&reply, bytes);
        *binary = malloc(*bytes + 1);
        if (*binary)
            memcpy(*binary, data, *bytes);
        else
            status = fail_host_memory(error);
    }
    return remote_end(program->device, &reply, status, error);
}

static void program_destroy(struct shoal_program *program)
{
    remote_drop(program->device, program->native);
}

static enum shoal_status kernel_create(struct shoal_kernel *kernel, struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    struct text *out = remote_begin(device, DEVICE_KERNEL);
    const uint64_t number = remote_number(device);
    put_u64(out, number);
    put_u64(out, number_of(kernel->program->native));
    put_string(out, kernel->entry->name);
    put_u32(out, kernel->work_group);
    put_u32(out, kernel->entry->arg_count);
    for (uint32_t i = 0; i < kernel->entry->arg_count; i++) {
        put_u32(out, kernel->args[i].type);
        put_u32(out, kernel->args[i].bytes);
    }
    return create(device, number, &kernel->native, error);
}

static enum shoal_status ask_kernel(const struct shoal_kernel *kernel, enum device_request request,
                                    uint64_t *value, struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    struct reader reply;
    put_u64(remote_begin(device, request), number_of(kernel->native));
    const enum shoal_status status = remote_call(device, &reply, error);
    if (!status)
        *value = get_u64(&reply);
    return remote_end(device, &reply, status, error);
}

static enum shoal_status kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error)
{
    uint64_t limit = 0;
    const enum shoal_status status = ask_kernel(kernel, DEVICE_LIMIT, &limit, error);
    *max_work_group = (uint32_t)limit;
    return status;
}

static enum shoal_status kernel_resident(const struct shoal_kernel *kernel, size_t *groups,
                                         struct shoal_error *error)
{
    uint64_t count = SHOAL_RESIDENT_UNKNOWN;
    const enum shoal_status status = ask_kernel(kernel, DEVICE_RESIDENT, &count, error);
    *groups = (size_t)count;
    return status;
}

static void kernel_destroy(struct shoal_kernel *kernel)
{
    remote_drop(kernel->program->device, kernel->native);
}

/* Sends a launch with those arguments that have changed since the last launch of the kernel. */
static enum shoal_status launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                struct shoal_event *event, struct shoal_error *error)
{
    struct text *out = remote_begin_on(queue, DEVICE_LAUNCH);
    const uint64_t number = event ? remote_number(queue->device) : 0;
    put_u64(out, number_of(kernel->native));
    put_u64(out, groups);
    put_u64(out, number);
    for (uint32_t i = 0; i < kernel->entry->arg_count; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        put_u32(out, arg->changed);
        if (!arg->changed)
            continue;
        if (arg->type == SHOAL_TYPE_BUFFER)
            put_u64(out, arg->buffer ? number_of(arg->buffer->native) : 0);
        else
            text_append(out, arg->data, arg->bytes);
    }
    if (event)
        event->native = remote_object(number);
    return remote_post(queue->device, error);
}

/* Events ----------------------------------------------------------------------------------------------- */

static enum shoal_status event_wait(struct shoal_event *event, struct shoal_error *error)
{
    put_u64(remote_begin(event->queue->device, DEVICE_EVENT_WAIT), number_of(event->native));
    return remote_ask(event->queue->device, error);
}

static enum shoal_status event_times(struct shoal_event *event, double *start, double *end,
                                     struct shoal_error *error)
{
    struct shoal_device *device = event->queue->device;
    struct reader reply;
    put_u64(remote_begin(device, DEVICE_EVENT_TIMES), number_of(event->native));
    const enum shoal_status status = remote_call(device, &reply, error);
    if (!status) {
        *start = get_f64(&reply);
        *end = get_f64(&reply);
    }
    return remote_end(device, &reply, status, error);
}

static void event_destroy(struct shoal_event *event)
{
    remote_drop(event->queue->device, event->native);
}

const struct backend remote_backend = {.name = "rank",
                                       .open = open_none,
                                       .device_open = device_open,
                                       .device_close = device_close,
                                       .queue_create = queue_create,
                                       .queue_destroy = queue_destroy,
                                       .queue_flush = queue_flush,
                                       .queue_finish = queue_finish,
                                       .queue_wait = queue_wait,
                                       .span_begin = span_begin,
                                       .span_end = span_end,
                                       .buffer_create = buffer_create,
                                       .buffer_destroy = buffer_destroy,
                                       .buffer_write = buffer_write,
                                       .buffer_read = buffer_read,
                                       .buffer_copy = buffer_copy,
                                       .buffer_fill = buffer_fill,
                                       .block_create = block_create,
                                       .block_destroy = block_destroy,
                                       .enqueue_write = buffer_write,
                                       .enqueue_read = enqueue_read,
                                       .writes_at_once = true,
                                       .rows_reach = rows_reach,
                                       .rows_give = rows_give,
                                       .rows_take = rows_take,
                                       .prelude = prelude,
                                       .program_build = program_build,
                                       .program_load = program_load,
                                       .program_binary = program_binary,
                                       .program_destroy = program_destroy,
                                       .kernel_create = kernel_create,
                                       .kernel_limit = kernel_limit,
                                       .kernel_resident = kernel_resident,
                                       .kernel_destroy = kernel_destroy,
                                       .launch = launch,
                                       .event_wait = event_wait,
                                       .event_times = event_times,
                                       .event_destroy = event_destroy};
