/* Pinned host memory: a buffer that the driver keeps on the host, mapped as long as the block exists. */
#include "compute/opencl/opencl.h"

#include <stdlib.h>

struct opencl_block {
    cl_mem buffer;
    cl_command_queue queue; /* only maps and unmaps the buffer */
};

static void release(struct opencl_block *block, void *data)
{
    if (data && clEnqueueUnmapMemObject(block->queue, block->buffer, data, 0, NULL, NULL) == CL_SUCCESS)
        clFinish(block->queue);
    if (block->buffer)
        clReleaseMemObject(block->buffer);
    if (block->queue)
        clReleaseCommandQueue(block->queue);
    free(block);
}

enum shoal_status opencl_block_create(struct host_block *block, struct shoal_error *error)
{
    const struct opencl_device *device = opencl_device(block->device);
    struct opencl_block *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    cl_int code;
    const char *call = "clCreateCommandQueue";
    native->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code == CL_SUCCESS) {
        call = "clCreateBuffer";
        native->buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                        block->bytes, NULL, &code);
    }
    if (code == CL_SUCCESS) {
        call = "clEnqueueMapBuffer";
        block->data = clEnqueueMapBuffer(native->queue, native->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                         0, block->bytes, 0, NULL, NULL, &code);
    }
    if (code != CL_SUCCESS) {
        release(native, NULL);
        return opencl_fail(block->device, error, call, code, "allocating host memory for transfers");
    }
    block->native = native;
    return SHOAL_OK;
}

void opencl_block_destroy(struct host_block *block)
{
    release(block->native, block->data);
}
