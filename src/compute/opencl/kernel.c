#include "compute/opencl/opencl.h"

#include <stdlib.h>

enum shoal_status opencl_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error)
{
    struct opencl_kernel *state = calloc(1, sizeof *state);
    if (!state)
        return fail_host_memory(error);
    cl_int code;
    state->kernel = clCreateKernel(kernel->program->native, kernel->entry->name, &code);
    kernel->native = state;
    if (code == CL_SUCCESS)
        return SHOAL_OK;
    free(state);
    if (code == CL_INVALID_KERNEL_NAME)
        return fail_call(error, SHOAL_BUILD_FAILED, "clCreateKernel", code,
                         "%s has no kernel %s: is it declared __kernel?", kernel->program->desc->name,
                         kernel->entry->name);
    return opencl_fail(kernel->program->device, error, "clCreateKernel", code, kernel->entry->name);
}

enum shoal_status opencl_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                      struct shoal_error *error)
{
    size_t limit = 0;
    cl_int code =
        clGetKernelWorkGroupInfo(opencl_kernel(kernel)->kernel, opencl_device(kernel->program->device)->id,
                                 CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL);
    *max_work_group = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
    return code == CL_SUCCESS ? SHOAL_OK
                              : opencl_fail(kernel->program->device, error, "clGetKernelWorkGroupInfo", code,
                                            kernel->entry->name);
}

void opencl_kernel_destroy(struct shoal_kernel *kernel)
{
    clReleaseKernel(opencl_kernel(kernel)->kernel);
    free(kernel->native);
}

/* Sets the arguments that have changed since the last launch: each clSetKernelArg takes up to a tenth of the
 * time of a launch. */
static cl_int set_args(struct shoal_kernel *kernel)
{
    cl_kernel native = opencl_kernel(kernel)->kernel;
    for (uint32_t i = 0; i < kernel->entry->arg_count; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        if (!arg->changed)
            continue;
        cl_mem memory = arg->buffer ? arg->buffer->native : NULL;
        cl_int code = arg->type == SHOAL_TYPE_BUFFER
                          ? clSetKernelArg(native, i, sizeof memory, memory ? &memory : NULL)
                          : clSetKernelArg(native, i, arg->bytes, arg->data);
        if (code != CL_SUCCESS)
            return code;
    }
    return CL_SUCCESS;
}

enum shoal_status opencl_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                                struct shoal_event *event, struct shoal_error *error)
{
    struct opencl_queue *state = opencl_queue(queue);
    struct opencl_kernel *compiled = opencl_kernel(kernel);
    cl_int code = set_args(kernel);
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clSetKernelArg", code, kernel->entry->name);
    size_t local = kernel->work_group, global = groups * local;
    cl_event native = NULL, *slot = opencl_span_slot(state);
    const bool watched = queue->device->info.is_cpu;
    const bool may_load = opencl_loading_begin(state, compiled, local, global);
    code = clEnqueueNDRangeKernel(state->queue, compiled->kernel, 1, NULL, &global, &local, 0, NULL,
                                  event || slot || watched ? &native : NULL);
    opencl_loading_end(state, compiled, local, global, may_load && code == CL_SUCCESS);
    if (code != CL_SUCCESS)
        return opencl_fail(queue->device, error, "clEnqueueNDRangeKernel", code, kernel->entry->name);
    if (watched)
        opencl_queue_watch(state, native);
    if (event && slot)
        clRetainEvent(native);
    if (event)
        event->native = native;
    if (slot)
        *slot = native;
    if (native && !event && !slot)
        clReleaseEvent(native);
    return SHOAL_OK;
}
