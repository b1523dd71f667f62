#include "base/params.h"
#include "compute/opencl/opencl.h"

#include <stdlib.h>

cl_command_queue shoal_opencl_queue_unwrap(const struct shoal_queue *queue)
{
    return queue && queue->device->backend == &opencl_backend ? opencl_queue(queue)->queue : NULL;
}

cl_mem shoal_opencl_buffer_unwrap(const struct shoal_buffer *buffer)
{
    return buffer && buffer->device->backend == &opencl_backend ? buffer->native : NULL;
}

static struct shoal_device *find_device(struct shoal_device *const *devices, size_t count, cl_device_id id,
                                        cl_context context)
{
    for (size_t i = 0; i < count; i++)
        if (devices[i]->backend == &opencl_backend && opencl_device(devices[i])->id == id &&
            (!context || opencl_device(devices[i])->context == context))
            return devices[i];
    return NULL;
}

/* Finds the device with this id among the listed devices and their parts. */
static struct shoal_device *find_own(const struct shoal *shoal, cl_device_id id)
{
    struct shoal_device *own = find_device(shoal->devices, shoal->device_count, id, NULL);
    for (size_t i = 0; !own && i < shoal->division_count; i++)
        own = find_device(shoal->divisions[i].parts, shoal->divisions[i].count, id, NULL);
    return own;
}

static enum shoal_status add_for_context(struct shoal_device *own, cl_context context,
                                         struct shoal_device **out, struct shoal_error *error)
{
    struct opencl_device *native = malloc(sizeof *native);
    if (!native)
        return fail_host_memory(error);
    const struct opencl_device *of_own = opencl_device(own);
    *native = (struct opencl_device){.platform = of_own->platform,
                                     .id = of_own->id,
                                     .context = context,
                                     .is_pocl = of_own->is_pocl,
                                     .miscompiles_groups_of_one = of_own->miscompiles_groups_of_one};
    clRetainContext(context);
    enum shoal_status status = device_add_wrapped(own, native, out, error);
    if (status) {
        clReleaseContext(context);
        free(native);
    }
    return status;
}

/* Finds or adds the device for a context of the caller. All contexts share one lock, so that two threads that
 * wrap queues of the same context get the same device. */
static enum shoal_status device_for_context(struct shoal *shoal, cl_device_id id, cl_context context,
                                            struct shoal_device **out, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&shoal->lock);
    struct shoal_device *own = find_own(shoal, id);
    *out = own && opencl_device(own)->context == context
               ? own
               : find_device(shoal->wrapped, shoal->wrapped_count, id, context);
    if (!own)
        status = fail(error, SHOAL_NO_DEVICE,
                      "shoal_opencl_queue_wrap: the queue's device is none of the instance's devices");
    else if (!*out)
        status = add_for_context(own, context, out, error);
    pthread_mutex_unlock(&shoal->lock);
    return status;
}

enum shoal_status shoal_opencl_queue_wrap(struct shoal *shoal, cl_command_queue native,
                                          struct shoal_queue **out, struct shoal_error *error)
{
    if (!NEED(error, shoal, native, out))
        return SHOAL_INVALID;
    *out = NULL;
    cl_device_id id;
    cl_context context;
    cl_command_queue_properties properties;
    cl_int code = clGetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(native, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (code != CL_SUCCESS)
        return fail_call(error, SHOAL_INVALID, "clGetCommandQueueInfo", code,
                         "shoal_opencl_queue_wrap: not a command queue (%s)", opencl_error_name(code));
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return fail(error, SHOAL_INVALID,
                    "shoal_opencl_queue_wrap: the queue runs out of order; make an in-order one");
    struct shoal_device *device;
    enum shoal_status status = device_for_context(shoal, id, context, &device, error);
    if (status)
        return status;
    struct shoal_queue *queue;
    unsigned flags = properties & CL_QUEUE_PROFILING_ENABLE ? SHOAL_QUEUE_PROFILING : 0;
    status = queue_new(device, flags, NULL, &queue, error);
    if (status)
        return status;
    status = opencl_queue_adopt(queue, native, error);
    if (status) {
        free(queue);
        return status;
    }
    clRetainCommandQueue(native);
    *out = queue;
    return SHOAL_OK;
}

enum shoal_status shoal_opencl_buffer_wrap(struct shoal_device *device, cl_mem native,
                                           struct shoal_buffer **out, struct shoal_error *error)
{
    if (!NEED(error, device, native, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (device->backend != &opencl_backend)
        return fail(error, SHOAL_INVALID, "shoal_opencl_buffer_wrap: %s is no OpenCL device",
                    device->info.id);
    size_t bytes;
    cl_context context;
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    cl_int code = clGetMemObjectInfo(native, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(native, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(native, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (code != CL_SUCCESS)
        return fail_call(error, SHOAL_INVALID, "clGetMemObjectInfo", code,
                         "shoal_opencl_buffer_wrap: not a memory object (%s)", opencl_error_name(code));
    if (type != CL_MEM_OBJECT_BUFFER)
        return fail(error, SHOAL_INVALID, "shoal_opencl_buffer_wrap: an image is no buffer");
    if (context != opencl_device(device)->context)
        return fail(
            error, SHOAL_INVALID,
            "shoal_opencl_buffer_wrap: the buffer belongs to another context; use the device of the wrapped "
            "queue (shoal_queue_device)");
    enum shoal_status status = buffer_new(device, bytes, native, out, error);
    if (!status)
        clRetainMemObject(native);
    return status;
}
