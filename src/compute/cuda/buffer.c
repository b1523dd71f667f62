/* Device memory of the CUDA backend. */
#include "compute/cuda/objects.h"

#include <stdlib.h>

/* Fails with a message that says how much memory is free, in place of the driver's message. */
static enum shoal_status fail_allocation(const struct shoal_buffer *buffer, cu_result code,
                                         struct shoal_error *error)
{
    const struct shoal_device_info *info = &buffer->device->info;
    size_t available = 0, total = 0;
    cuda_driver(buffer->device)->cuMemGetInfo_v2(&available, &total);
    return fail_call(error, SHOAL_OUT_OF_DEVICE_MEMORY, "cuMemAlloc", (int)code,
                     "%s (%s) has no room for %zu bytes: %zu of %zu are free", info->id, info->name,
                     buffer->bytes, available, total);
}

enum shoal_status cuda_buffer_create(struct shoal_buffer *buffer, struct shoal_error *error)
{
    struct cuda_buffer *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    bool pushed;
    enum shoal_status status = cuda_enter(buffer->device, &pushed, error);
    if (!status) {
        cu_result code = cuda_driver(buffer->device)->cuMemAlloc_v2(&native->memory, buffer->bytes);
        if (code == DRIVER_OUT_OF_MEMORY)
            status = fail_allocation(buffer, code, error);
        else
            status = cuda_check(buffer->device, "cuMemAlloc", code, error);
        cuda_leave(buffer->device, pushed);
    }
    if (status) {
        free(native);
        return status;
    }
    native->owned = true;
    buffer->native = native;
    return SHOAL_OK;
}

void cuda_buffer_destroy(struct shoal_buffer *buffer)
{
    struct cuda_buffer *native = buffer->native;
    bool pushed;
    if (native->owned && cuda_enter(buffer->device, &pushed, NULL) == SHOAL_OK) {
        cuda_driver(buffer->device)->cuMemFree_v2(native->memory);
        cuda_leave(buffer->device, pushed);
    }
    free(native);
    buffer->native = NULL;
}

enum shoal_status cuda_begin_command(struct shoal_queue *queue, bool *pushed, struct shoal_error *error)
{
    enum shoal_status status = cuda_enter(queue->device, pushed, error);
    if (status || cuda_queue(queue)->span == SPAN_NONE)
        return status;
    status = cuda_span_command(queue, error);
    if (status)
        cuda_leave(queue->device, *pushed);
    return status;
}

enum shoal_status cuda_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    const void *data, size_t bytes, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = cuda_staging_write(queue, cuda_memory(buffer) + offset, data, bytes, error);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                   void *data, size_t bytes, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = cuda_staging_read(queue, cuda_memory(buffer) + offset, data, bytes, error);
    if (!status)
        status = cuda_span_mark(queue, error);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                   size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                   size_t bytes, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuMemcpyDtoDAsync_v2, cuda_memory(target) + target_offset,
                       cuda_memory(source) + source_offset, bytes, cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                   size_t bytes, uint32_t word, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuMemsetD32Async, cuda_memory(buffer) + offset, word, bytes / 4,
                       cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_enqueue_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     const void *data, size_t bytes, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuMemcpyHtoDAsync_v2, cuda_memory(buffer) + offset, data, bytes,
                       cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}

enum shoal_status cuda_enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    void *data, size_t bytes, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuMemcpyDtoHAsync_v2, data, cuda_memory(buffer) + offset, bytes,
                       cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}
