/* Transfers between host memory of any kind and the device, through two pinned blocks.
 *
 * The caller may change host data when a write returns. cuMemcpyHtoDAsync does not guarantee this: for pinned
 * memory, which a caller may pass, it returns before the copy. So data are copied to a block first, one write
 * after the other. The host waits only when a block is to be filled again while transfers from it are
 * pending.
 */
#include "compute/cuda/objects.h"

#include <string.h>

enum { BLOCK_BYTES = 4 << 20, ALIGNMENT = 256 };

enum shoal_status cuda_fail_pinned(const struct shoal_device *device, size_t bytes, struct shoal_error *error)
{
    return fail_call(error, SHOAL_OUT_OF_HOST_MEMORY, "cuMemHostAlloc", DRIVER_OUT_OF_MEMORY,
                     "%s (%s): no %zu bytes of pinned host memory for transfers", device->info.id,
                     device->info.name, bytes);
}

static enum shoal_status prepare(struct shoal_queue *queue, struct shoal_error *error)
{
    struct shoal_device *device = queue->device;
    for (int i = 0; i < 2; i++) {
        struct staging_block *block = &cuda_queue(queue)->staging.blocks[i];
        enum shoal_status status = SHOAL_OK;
        if (!block->drained)
            status = CUDA_CALL(device, error, cuEventCreate, &block->drained, EVENT_DISABLE_TIMING);
        if (status)
            return status;
        if (block->data)
            continue;
        void *data = NULL;
        cu_result code = cuda_driver(device)->cuMemHostAlloc(&data, BLOCK_BYTES, 0);
        if (code == DRIVER_OUT_OF_MEMORY)
            return cuda_fail_pinned(device, BLOCK_BYTES, error);
        if (code)
            return cuda_check(device, "cuMemHostAlloc", code, error);
        block->data = data;
    }
    return SHOAL_OK;
}

/* Makes the other block the current one, after the device has finished with it. */
static enum shoal_status turn(struct shoal_queue *queue, struct shoal_error *error)
{
    struct staging *staging = &cuda_queue(queue)->staging;
    struct staging_block *full = &staging->blocks[staging->current];
    struct staging_block *next = &staging->blocks[staging->current ^ 1];
    enum shoal_status status =
        CUDA_CALL(queue->device, error, cuEventRecord, full->drained, cuda_queue(queue)->stream);
    if (status)
        return status;
    full->busy = true;
    if (next->busy)
        status = CUDA_CALL(queue->device, error, cuEventSynchronize, next->drained);
    if (status)
        return status;
    next->busy = false;
    next->used = 0;
    staging->current ^= 1;
    return SHOAL_OK;
}

enum shoal_status cuda_staging_write(struct shoal_queue *queue, cu_pointer target, const void *data,
                                     size_t bytes, struct shoal_error *error)
{
    struct staging *staging = &cuda_queue(queue)->staging;
    const unsigned char *source = data;
    enum shoal_status status = prepare(queue, error);
    while (!status && bytes) {
        struct staging_block *block = &staging->blocks[staging->current];
        size_t part = BLOCK_BYTES - block->used;
        if (part == 0) {
            status = turn(queue, error);
            continue;
        }
        if (part > bytes)
            part = bytes;
        memcpy(block->data + block->used, source, part);
        status = CUDA_CALL(queue->device, error, cuMemcpyHtoDAsync_v2, target, block->data + block->used,
                           part, cuda_queue(queue)->stream);
        /* `used` and BLOCK_BYTES are multiples of ALIGNMENT, so that a full block ends exactly at BLOCK_BYTES
         */
        block->used += (part + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
        source += part;
        target += part;
        bytes -= part;
    }
    return status;
}

static size_t part_at(size_t done, size_t bytes)
{
    return bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
}

/* Writes from the blocks that are pending come before these reads in the stream, so the reads may use the
 * blocks at once. */
enum shoal_status cuda_staging_read(struct shoal_queue *queue, cu_pointer source, void *data, size_t bytes,
                                    struct shoal_error *error)
{
    struct staging *staging = &cuda_queue(queue)->staging;
    struct shoal_device *device = queue->device;
    cu_stream stream = cuda_queue(queue)->stream;
    unsigned char *target = data;
    size_t asked = 0, done = 0;
    enum shoal_status status = prepare(queue, error);
    while (!status && done < bytes) {
        while (!status && asked < bytes && asked - done < 2 * (size_t)BLOCK_BYTES) {
            struct staging_block *block = &staging->blocks[asked / BLOCK_BYTES % 2];
            size_t part = part_at(asked, bytes);
            status =
                CUDA_CALL(device, error, cuMemcpyDtoHAsync_v2, block->data, source + asked, part, stream);
            if (!status)
                status = CUDA_CALL(device, error, cuEventRecord, block->drained, stream);
            asked += part;
        }
        struct staging_block *block = &staging->blocks[done / BLOCK_BYTES % 2];
        if (!status)
            status = CUDA_CALL(device, error, cuEventSynchronize, block->drained);
        if (!status) {
            size_t part = part_at(done, bytes);
            memcpy(target + done, block->data, part);
            done += part;
        }
    }
    if (status) /* copies that are already enqueued must not write to a block that is filled again */
        cuda_driver(device)->cuStreamSynchronize(stream);
    for (int i = 0; i < 2; i++) {
        staging->blocks[i].used = 0;
        staging->blocks[i].busy = false;
    }
    return status;
}

void cuda_staging_free(struct shoal_queue *queue)
{
    const struct cuda_driver *driver = cuda_driver(queue->device);
    for (int i = 0; i < 2; i++) {
        struct staging_block *block = &cuda_queue(queue)->staging.blocks[i];
        if (block->drained)
            driver->cuEventDestroy_v2(block->drained);
        if (block->data)
            driver->cuMemFreeHost(block->data);
        *block = (struct staging_block){0};
    }
}
