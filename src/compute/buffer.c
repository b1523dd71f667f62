#include "base/params.h"
#include "compute/backend.h"
#include "compute/device.h"
#include "compute/queue.h"

#include <stdlib.h>

enum shoal_status buffer_new(struct shoal_device *device, size_t bytes, void *native,
                             struct shoal_buffer **out, struct shoal_error *error)
{
    struct shoal_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return fail_host_memory(error);
    buffer->device = device;
    buffer->bytes = bytes;
    buffer->serial = atomic_fetch_add(&device->shoal->serial, 1) + 1;
    buffer->native = native;
    *out = buffer;
    return SHOAL_OK;
}

/* Creates a buffer; over `memory` if this is not NULL. */
static enum shoal_status create(struct shoal_device *device, const void *memory, size_t bytes,
                                struct shoal_buffer **out, struct shoal_error *error)
{
    enum shoal_status status = device_ready(device, error);
    if (status)
        return status;
    if (bytes > device->info.max_allocation)
        return fail(error, SHOAL_OUT_OF_DEVICE_MEMORY,
                    "%s (%s) cannot hold %zu bytes in one allocation: its limit is %llu", device->info.id,
                    device->info.name, bytes, (unsigned long long)device->info.max_allocation);
    struct shoal_buffer *buffer = NULL;
    status = buffer_new(device, bytes, NULL, &buffer, error);
    if (status)
        return status;
    status = memory ? device->backend->buffer_over(buffer, memory, error)
                    : device->backend->buffer_create(buffer, error);
    if (status)
        free(buffer);
    else
        *out = buffer;
    return status;
}

enum shoal_status shoal_buffer_create(struct shoal_device *device, size_t bytes, struct shoal_buffer **out,
                                      struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (bytes == 0)
        return fail(error, SHOAL_INVALID, "shoal_buffer_create: 0 bytes");
    return create(device, NULL, bytes, out, error);
}

bool device_reads_host(const struct shoal_device *device)
{
    return device->info.is_cpu && !device->info.is_gpu && device->backend->buffer_over;
}

enum shoal_status buffer_over(struct shoal_device *device, const void *memory, size_t bytes,
                              struct shoal_buffer **out, struct shoal_error *error)
{
    *out = NULL;
    return create(device, memory, bytes, out, error);
}

void shoal_buffer_destroy(struct shoal_buffer **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_buffer *buffer = *pointer;
    *pointer = NULL;
    buffer->device->backend->buffer_destroy(buffer);
    free(buffer);
}

size_t shoal_buffer_size(const struct shoal_buffer *buffer)
{
    return buffer ? buffer->bytes : 0;
}

enum shoal_status buffer_check(const struct shoal_buffer *buffer, const struct shoal_device *device,
                               size_t offset, size_t bytes, const char *call, struct shoal_error *error)
{
    if (buffer->device != device)
        return fail(error, SHOAL_INVALID, "%s: the buffer belongs to %s, not to %s", call,
                    buffer->device->info.id, device->info.id);
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return fail(error, SHOAL_INVALID, "%s: %zu bytes at offset %zu pass the end of a buffer of %zu bytes",
                    call, bytes, offset, buffer->bytes);
    return SHOAL_OK;
}

static enum shoal_status check_range(const struct shoal_queue *queue, const struct shoal_buffer *buffer,
                                     size_t offset, size_t bytes, const char *call, struct shoal_error *error)
{
    enum shoal_status status = queue_usable(queue, call, error);
    return status ? status : buffer_check(buffer, queue->device, offset, bytes, call, error);
}

enum shoal_status shoal_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     const void *data, size_t bytes, struct shoal_error *error)
{
    if (!NEED(error, queue, buffer) || (bytes && !NEED(error, data)))
        return SHOAL_INVALID;
    enum shoal_status status = check_range(queue, buffer, offset, bytes, "shoal_buffer_write", error);
    if (status || bytes == 0)
        return status;
    return queue_blame(queue, queue->device->backend->buffer_write(queue, buffer, offset, data, bytes, error),
                       error);
}

enum shoal_status shoal_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    void *data, size_t bytes, struct shoal_error *error)
{
    if (!NEED(error, queue, buffer) || (bytes && !NEED(error, data)))
        return SHOAL_INVALID;
    enum shoal_status status = check_range(queue, buffer, offset, bytes, "shoal_buffer_read", error);
    if (status)
        return status;
    if (bytes == 0)
        return shoal_queue_finish(queue, error);
    return queue_settle(queue, queue->device->backend->buffer_read(queue, buffer, offset, data, bytes, error),
                        error);
}

enum shoal_status shoal_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                    size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                    size_t bytes, struct shoal_error *error)
{
    if (!NEED(error, queue, source, target))
        return SHOAL_INVALID;
    enum shoal_status status = check_range(queue, source, source_offset, bytes, "shoal_buffer_copy", error);
    if (!status)
        status = check_range(queue, target, target_offset, bytes, "shoal_buffer_copy", error);
    if (status || bytes == 0)
        return status;
    if (source == target && source_offset < target_offset + bytes && target_offset < source_offset + bytes)
        return fail(error, SHOAL_INVALID, "shoal_buffer_copy: the ranges at %zu and %zu of %zu bytes overlap",
                    source_offset, target_offset, bytes);
    return queue_blame(queue,
                       queue->device->backend->buffer_copy(queue, source, source_offset, target,
                                                           target_offset, bytes, error),
                       error);
}

enum shoal_status shoal_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    size_t bytes, uint32_t word, struct shoal_error *error)
{
    if (!NEED(error, queue, buffer))
        return SHOAL_INVALID;
    enum shoal_status status = check_range(queue, buffer, offset, bytes, "shoal_buffer_fill", error);
    if (status || bytes == 0)
        return status;
    if (offset % 4 || bytes % 4)
        return fail(error, SHOAL_INVALID, "shoal_buffer_fill: offset %zu and size %zu must be multiples of 4",
                    offset, bytes);
    return queue_blame(queue, queue->device->backend->buffer_fill(queue, buffer, offset, bytes, word, error),
                       error);
}

enum shoal_status host_block_create(struct shoal_device *device, size_t bytes, struct host_block **out,
                                    struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = device_ready(device, error);
    if (status)
        return status;
    struct host_block *block = calloc(1, sizeof *block);
    if (!block)
        return fail_host_memory(error);
    *block = (struct host_block){.device = device, .bytes = bytes};
    status = device->backend->block_create(block, error);
    if (status)
        free(block);
    else
        *out = block;
    return status;
}

void host_block_destroy(struct host_block **block)
{
    if (*block)
        (*block)->device->backend->block_destroy(*block);
    free(*block);
    *block = NULL;
}

enum shoal_status host_block_begin_read(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                        struct host_block *block, size_t bytes, struct shoal_error *error)
{
    return queue_blame(
        queue, queue->device->backend->enqueue_read(queue, buffer, 0, block->data, bytes, error), error);
}

enum shoal_status host_block_begin_write(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                         struct host_block *block, size_t bytes, struct shoal_error *error)
{
    return queue_blame(
        queue, queue->device->backend->enqueue_write(queue, buffer, 0, block->data, bytes, error), error);
}

void *host_block_data(const struct host_block *block)
{
    return block->data;
}

enum shoal_status host_block_read(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                  struct host_block *block, size_t bytes, const void **data,
                                  struct shoal_error *error)
{
    enum shoal_status status = host_block_begin_read(queue, buffer, block, bytes, error);
    if (!status)
        status = shoal_queue_finish(queue, error);
    *data = block->data;
    return status;
}
