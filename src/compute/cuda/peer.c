/* Copies between CUDA devices, and pinned host memory for copies between any two devices. */
#include "compute/cuda/objects.h"

enum shoal_status cuda_block_create(struct host_block *block, struct shoal_error *error)
{
    struct shoal_device *device = block->device;
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    void *data = NULL;
    const cu_result code = cuda_driver(device)->cuMemHostAlloc(&data, block->bytes, MEMHOSTALLOC_PORTABLE);
    status = code == DRIVER_OUT_OF_MEMORY ? cuda_fail_pinned(device, block->bytes, error)
                                          : cuda_check(device, "cuMemHostAlloc", code, error);
    cuda_leave(device, pushed);
    block->data = data;
    return status;
}

void cuda_block_destroy(struct host_block *block)
{
    bool pushed;
    if (cuda_enter(block->device, &pushed, NULL))
        return;
    cuda_driver(block->device)->cuMemFreeHost(block->data);
    cuda_leave(block->device, pushed);
}

/* Once the access is enabled in the context of `to`, the driver maps all memory of `from`, also that
 * allocated later. It is no error if the access was enabled before. */
enum shoal_status cuda_peer_open(struct shoal_device *from, struct shoal_device *to, bool *reaches,
                                 struct shoal_error *error)
{
    int can = 0;
    bool pushed;
    *reaches = false;
    enum shoal_status status = CUDA_CALL(to, error, cuDeviceCanAccessPeer, &can, cuda_device(to)->ordinal,
                                         cuda_device(from)->ordinal);
    if (!status && can)
        status = cuda_enter(to, &pushed, error);
    if (status || !can)
        return status;
    const cu_result code = cuda_driver(to)->cuCtxEnablePeerAccess(cuda_device(from)->context, 0);
    *reaches = code == DRIVER_SUCCESS || code == DRIVER_PEER_ACCESS_ALREADY_ENABLED;
    if (!*reaches && code != DRIVER_TOO_MANY_PEERS && code != DRIVER_PEER_ACCESS_UNSUPPORTED)
        status = cuda_check(to, "cuCtxEnablePeerAccess", code, error);
    cuda_leave(to, pushed);
    return status;
}

enum shoal_status cuda_peer_copy(struct shoal_queue *queue, struct shoal_buffer *source, size_t source_offset,
                                 struct shoal_buffer *target, size_t target_offset, size_t bytes,
                                 struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_begin_command(queue, &pushed, error);
    if (status)
        return status;
    status = CUDA_CALL(queue->device, error, cuMemcpyPeerAsync, cuda_memory(target) + target_offset,
                       cuda_device(target->device)->context, cuda_memory(source) + source_offset,
                       cuda_device(source->device)->context, bytes, cuda_queue(queue)->stream);
    cuda_leave(queue->device, pushed);
    return status;
}
