#include "compute/opencl/opencl.h"

#include <stdio.h>

static enum shoal_status create(struct shoal_buffer *buffer, cl_mem_flags flags, void *memory,
                                struct shoal_error *error)
{
    cl_int code;
    buffer->native =
        clCreateBuffer(opencl_device(buffer->device)->context, flags, buffer->bytes, memory, &code);
    if (code == CL_SUCCESS)
        return SHOAL_OK;
    const struct shoal_device_info *info = &buffer->device->info;
    /* In this call every resource error is a lack of memory. */
    if (code == CL_OUT_OF_RESOURCES)
        return fail_call(error, SHOAL_OUT_OF_DEVICE_MEMORY, "clCreateBuffer", code,
                         "%s (%s): no memory for a buffer of %zu bytes: clCreateBuffer gave %s", info->id,
                         info->name, buffer->bytes, opencl_error_name(code));
    char what[64];
    snprintf(what, sizeof what, "a buffer of %zu bytes", buffer->bytes);
    return opencl_fail(buffer->device, error, "clCreateBuffer", code, what);
}

enum shoal_status opencl_buffer_create(struct shoal_buffer *buffer, struct shoal_error *error)
{
    return create(buffer, CL_MEM_READ_WRITE, NULL, error);
}

/* A driver may copy the memory when a kernel reads it first; the buffer is read only, so that nothing is
 * copied back. */
enum shoal_status opencl_buffer_over(struct shoal_buffer *buffer, const void *memory,
                                     struct shoal_error *error)
{
    return create(buffer, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, (void *)memory, error);
}

void opencl_buffer_destroy(struct shoal_buffer *buffer)
{
    clReleaseMemObject(buffer->native);
}

static enum shoal_status write_bytes(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     const void *data, size_t bytes, cl_bool waits, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    cl_int code = clEnqueueWriteBuffer(state->queue, buffer->native, waits, offset, bytes, data, 0, NULL,
                                       opencl_span_slot(state));
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clEnqueueWriteBuffer", code, "writing a buffer");
    return SHOAL_OK;
}

/* The write blocks, so that the caller may change the data when this function returns. */
enum shoal_status opencl_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      const void *data, size_t bytes, struct shoal_error *error)
{
    return write_bytes(queue, buffer, offset, data, bytes, CL_TRUE, error);
}

enum shoal_status opencl_enqueue_write(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                       const void *data, size_t bytes, struct shoal_error *error)
{
    return write_bytes(queue, buffer, offset, data, bytes, CL_FALSE, error);
}

static enum shoal_status read_bytes(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                    void *data, size_t bytes, cl_bool waits, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    cl_int code = clEnqueueReadBuffer(state->queue, buffer->native, waits, offset, bytes, data, 0, NULL,
                                      opencl_span_slot(state));
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail_wait(queue->device, error, "clEnqueueReadBuffer", code);
}

enum shoal_status opencl_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     void *data, size_t bytes, struct shoal_error *error)
{
    const enum shoal_status status = read_bytes(queue, buffer, offset, data, bytes, CL_TRUE, error);
    return status ? status : opencl_queue_check(queue, "clEnqueueReadBuffer", error);
}

enum shoal_status opencl_enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                      void *data, size_t bytes, struct shoal_error *error)
{
    return read_bytes(queue, buffer, offset, data, bytes, CL_FALSE, error);
}

enum shoal_status opencl_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                     size_t source_offset, struct shoal_buffer *target, size_t target_offset,
                                     size_t bytes, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    cl_int code = clEnqueueCopyBuffer(state->queue, source->native, target->native, source_offset,
                                      target_offset, bytes, 0, NULL, opencl_span_slot(state));
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clEnqueueCopyBuffer", code, "copying a buffer");
    return SHOAL_OK;
}

enum shoal_status opencl_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                                     size_t bytes, uint32_t word, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    cl_int code = clEnqueueFillBuffer(state->queue, buffer->native, &word, sizeof word, offset, bytes, 0,
                                      NULL, opencl_span_slot(state));
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clEnqueueFillBuffer", code, "filling a buffer");
    return SHOAL_OK;
}
