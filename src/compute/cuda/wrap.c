/* Functions of shoal/cuda.h: native handles of CUDA to and from objects of shoal. */
#include "base/params.h"
#include "compute/cuda/objects.h"

#include <shoal/cuda.h>
#include <stdlib.h>

static enum shoal_status need_cuda(struct shoal_device *device, const void *out, const char *call,
                                   struct shoal_error *error)
{
    if (!NEED_OF(error, call, device, out))
        return SHOAL_INVALID;
    if (device->backend != &cuda_backend)
        return fail(error, SHOAL_INVALID, "%s: %s is not a CUDA device", call, device->info.id);
    return device_ready(device, error);
}

enum shoal_status shoal_cuda_queue_wrap(struct shoal_device *device, shoal_cuda_stream stream, unsigned flags,
                                        struct shoal_queue **out, struct shoal_error *error)
{
    if (out)
        *out = NULL;
    enum shoal_status status = need_cuda(device, out, "shoal_cuda_queue_wrap", error);
    if (status)
        return status;
    if (flags & ~(unsigned)SHOAL_QUEUE_PROFILING)
        return fail(error, SHOAL_INVALID, "shoal_cuda_queue_wrap: unknown flags 0x%x", flags);
    struct shoal_queue *queue;
    status = queue_new(device, flags, NULL, &queue, error);
    if (status)
        return status;
    status = cuda_queue_adopt(queue, stream, error);
    if (status) {
        free(queue);
        return status;
    }
    *out = queue;
    return SHOAL_OK;
}

enum shoal_status shoal_cuda_buffer_wrap(struct shoal_device *device, shoal_cuda_pointer memory, size_t bytes,
                                         struct shoal_buffer **out, struct shoal_error *error)
{
    if (out)
        *out = NULL;
    enum shoal_status status = need_cuda(device, out, "shoal_cuda_buffer_wrap", error);
    if (status)
        return status;
    if (memory == 0 || bytes == 0)
        return fail(error, SHOAL_INVALID, "shoal_cuda_buffer_wrap: no memory (address 0x%llx, %zu bytes)",
                    memory, bytes);
    struct cuda_buffer *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    native->memory = memory;
    status = buffer_new(device, bytes, native, out, error);
    if (status)
        free(native);
    return status;
}

bool shoal_cuda_queue_unwrap(const struct shoal_queue *queue, shoal_cuda_stream *stream)
{
    if (!queue || !stream || queue->device->backend != &cuda_backend)
        return false;
    *stream = cuda_queue(queue)->stream;
    return true;
}

bool shoal_cuda_buffer_unwrap(const struct shoal_buffer *buffer, shoal_cuda_pointer *memory)
{
    if (!buffer || !memory || buffer->device->backend != &cuda_backend)
        return false;
    *memory = cuda_memory(buffer);
    return true;
}
