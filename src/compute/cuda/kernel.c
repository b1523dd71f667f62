/* Kernels and launches of the CUDA backend. */
#include "compute/cuda/objects.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the name of the file that has the kernel. */
static const char *file_of(const struct shoal_kernel *kernel)
{
    const struct shoal_program *program = kernel->program;
    return program->native_text ? program->desc->native : program->desc->file;
}

/* Reads what the text of a kernel says of it by a constant
 *     extern "C" __constant__ unsigned ENTRY_NAME = value;
 * Of native kernels: dynamic_local: size of the local memory that the kernel declares as `extern __shared__`,
 * since it needs more than can be declared otherwise (48 KB); together: 1 if groups of a launch wait for each
 * other. Of all kernels: starts_early: 1 by SHOAL_STARTS_EARLY of the prelude. */
static enum shoal_status read_constant(const struct shoal_kernel *kernel, const char *suffix, unsigned *value,
                                       struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    const struct cuda_program *program = kernel->program->native;
    char name[128];
    cu_pointer memory;
    size_t bytes;
    snprintf(name, sizeof name, "%s_%s", kernel->entry->name, suffix);
    cu_result code = cuda_driver(device)->cuModuleGetGlobal_v2(&memory, &bytes, program->module, name);
    if (code == DRIVER_NOT_FOUND)
        return SHOAL_OK;
    enum shoal_status status = cuda_check(device, "cuModuleGetGlobal", code, error);
    if (status)
        return status;
    if (bytes != sizeof *value)
        return fail(error, SHOAL_INVALID, "%s: %s is not an unsigned int", file_of(kernel), name);
    return CUDA_CALL(device, error, cuMemcpyDtoH_v2, value, memory, bytes);
}

/* Whether the driver and the device start groups of a launch before the launch before has ended. */
static bool can_start_early(const struct shoal_device *device)
{
    enum { FIRST_WITH_EARLY_STARTS = 90 };
    return device->info.architecture >= FIRST_WITH_EARLY_STARTS && cuda_driver(device)->cuLaunchKernelEx;
}

static enum shoal_status read_constants(const struct shoal_kernel *kernel, struct cuda_kernel *native,
                                        struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    enum shoal_status status = read_constant(kernel, "dynamic_local", &native->dynamic_local, error);
    if (!status)
        status = read_constant(kernel, "together", &native->together, error);
    if (status || native->dynamic_local == 0)
        return status;
    if (native->dynamic_local > device->info.local_mem_max)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s (%s): %s needs %u bytes of local memory, the device has %llu", device->info.id,
                    device->info.name, kernel->entry->name, native->dynamic_local,
                    (unsigned long long)device->info.local_mem_max);
    return CUDA_CALL(device, error, cuFuncSetAttribute, native->function,
                     FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)native->dynamic_local);
}

/* Allows large clusters, if the kernel has such: every device with clusters runs clusters of up to 8 groups,
 * but larger ones must be allowed for each kernel. */
static enum shoal_status allow_cluster(const struct shoal_kernel *kernel, struct cuda_kernel *native,
                                       struct shoal_error *error)
{
    enum { FIRST_WITH_CLUSTERS = 90, PORTABLE = 8 };
    struct shoal_device *device = kernel->program->device;
    if (device->info.architecture < FIRST_WITH_CLUSTERS)
        return SHOAL_OK;
    enum shoal_status status = CUDA_CALL(device, error, cuFuncGetAttribute, &native->cluster,
                                         FUNCTION_REQUIRED_CLUSTER_WIDTH, native->function);
    if (status || native->cluster <= PORTABLE)
        return status;
    return CUDA_CALL(device, error, cuFuncSetAttribute, native->function,
                     FUNCTION_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

static enum shoal_status find_function(const struct shoal_kernel *kernel, struct cuda_kernel *native,
                                       struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    const struct cuda_program *program = kernel->program->native;
    cu_result code =
        cuda_driver(device)->cuModuleGetFunction(&native->function, program->module, kernel->entry->name);
    if (code == DRIVER_NOT_FOUND)
        return fail_call(error, SHOAL_BUILD_FAILED, "cuModuleGetFunction", (int)code,
                         "%s has no kernel %s: is it declared __kernel (native: extern \"C\" __global__)?",
                         file_of(kernel), kernel->entry->name);
    enum shoal_status status = cuda_check(device, "cuModuleGetFunction", code, error);
    if (!status && kernel->program->native_text)
        status = read_constants(kernel, native, error);
    if (!status && kernel->program->native_text)
        status = allow_cluster(kernel, native, error);
    if (!status && can_start_early(device))
        status = read_constant(kernel, "starts_early", &native->starts_early, error);
    return status;
}

enum shoal_status cuda_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error)
{
    struct cuda_kernel *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    bool pushed;
    enum shoal_status status = cuda_enter(kernel->program->device, &pushed, error);
    if (!status) {
        status = find_function(kernel, native, error);
        cuda_leave(kernel->program->device, pushed);
    }
    if (status) {
        free(native);
        return status;
    }
    kernel->native = native;
    return SHOAL_OK;
}

enum shoal_status cuda_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                    struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    const struct cuda_kernel *native = kernel->native;
    bool pushed;
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    int limit = 0;
    status = CUDA_CALL(device, error, cuFuncGetAttribute, &limit, FUNCTION_MAX_THREADS_PER_BLOCK,
                       native->function);
    cuda_leave(device, pushed);
    *max_work_group = limit > 0 ? (uint32_t)limit : 0;
    return status;
}

/* Counts the groups of the kernel that a multiprocessor runs at the same time or, if the kernel has clusters,
 * the clusters that the device runs at the same time. */
static enum shoal_status count_resident(struct shoal_device *device, const struct shoal_kernel *kernel,
                                        int *count, struct shoal_error *error)
{
    const struct cuda_kernel *native = kernel->native;
    if (!native->cluster)
        return CUDA_CALL(device, error, cuOccupancyMaxActiveBlocksPerMultiprocessor, count, native->function,
                         (int)kernel->work_group, native->dynamic_local);
    const struct cu_launch_config config = {.grid_x = (unsigned)native->cluster,
                                            .grid_y = 1,
                                            .grid_z = 1,
                                            .block_x = kernel->work_group,
                                            .block_y = 1,
                                            .block_z = 1,
                                            .shared_bytes = native->dynamic_local};
    cu_result code =
        cuda_driver(device)->cuOccupancyMaxActiveClusters(count, native->function, (const void *)&config);
    if (code == DRIVER_INVALID_CLUSTER_SIZE) {
        *count = 0;
        return SHOAL_OK;
    }
    return cuda_check(device, "cuOccupancyMaxActiveClusters", code, error);
}

/* Whether a launch can start all of its groups together, as groups that wait for each other need. */
static bool launches_together(const struct shoal_device *device)
{
    return cuda_device(device)->cooperative && cuda_driver(device)->cuLaunchCooperativeKernel;
}

enum shoal_status cuda_kernel_resident(const struct shoal_kernel *kernel, size_t *groups,
                                       struct shoal_error *error)
{
    struct shoal_device *device = kernel->program->device;
    const struct cuda_kernel *native = kernel->native;
    int count = 0;
    bool pushed;
    if (native->cluster && !cuda_driver(device)->cuOccupancyMaxActiveClusters)
        return SHOAL_OK;
    if (native->together && !launches_together(device)) {
        *groups = 0;
        return SHOAL_OK;
    }
    enum shoal_status status = cuda_enter(device, &pushed, error);
    if (status)
        return status;
    status = count_resident(device, kernel, &count, error);
    cuda_leave(device, pushed);
    *groups = (size_t)count * (native->cluster ? (size_t)native->cluster : device->info.units);
    return status;
}

void cuda_kernel_destroy(struct shoal_kernel *kernel)
{
    free(kernel->native);
    kernel->native = NULL;
}

/* Sets the addresses from which the driver copies the arguments. Their sizes are in the compiled kernel. */
static void point_at_arguments(const struct shoal_kernel *kernel, struct cuda_kernel *native)
{
    static cu_pointer null;
    for (uint32_t i = 0; i < kernel->entry->arg_count; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        if (arg->type != SHOAL_TYPE_BUFFER)
            native->params[i] = arg->data;
        else if (arg->buffer)
            native->params[i] = &((struct cuda_buffer *)arg->buffer->native)->memory;
        else
            native->params[i] = &null;
    }
}

/* Launches a kernel that waits itself for the launch before, see SHOAL_STARTS_EARLY of the prelude. A command
 * of another kind before it is waited for by the driver. */
static enum shoal_status start_early(struct shoal_queue *queue, const struct shoal_kernel *kernel,
                                     unsigned groups, struct shoal_error *error)
{
    struct cuda_kernel *native = kernel->native;
    struct cu_launch_attribute early = {.id = LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION, .value.allowed = 1};
    const struct cu_launch_config config = {.grid_x = groups,
                                            .grid_y = 1,
                                            .grid_z = 1,
                                            .block_x = kernel->work_group,
                                            .block_y = 1,
                                            .block_z = 1,
                                            .shared_bytes = native->dynamic_local,
                                            .stream = cuda_queue(queue)->stream,
                                            .attributes = &early,
                                            .attribute_count = 1};
    return CUDA_CALL(queue->device, error, cuLaunchKernelEx, (const void *)&config, native->function,
                     native->params, NULL);
}

/* alone: the times of the launch are measured, so it does not begin during another one; the next one, if its
 * times are not measured, may begin during its last groups. An event without times, which is recorded after
 * the launch, follows the end of the launch before, too. */
static enum shoal_status start(struct shoal_queue *queue, const struct shoal_kernel *kernel, unsigned groups,
                               bool alone, struct shoal_error *error)
{
    struct cuda_kernel *native = kernel->native;
    if (native->together)
        return CUDA_CALL(queue->device, error, cuLaunchCooperativeKernel, native->function, groups, 1, 1,
                         kernel->work_group, 1, 1, native->dynamic_local, cuda_queue(queue)->stream,
                         native->params);
    if (native->starts_early && !alone)
        return start_early(queue, kernel, groups, error);
    return CUDA_CALL(queue->device, error, cuLaunchKernel, native->function, groups, 1, 1, kernel->work_group,
                     1, 1, native->dynamic_local, cuda_queue(queue)->stream, native->params, NULL);
}

static enum shoal_status enqueue(struct shoal_queue *queue, const struct shoal_kernel *kernel,
                                 unsigned groups, struct shoal_event *event, struct shoal_error *error)
{
    struct cuda_kernel *native = kernel->native;
    enum shoal_status status = SHOAL_OK;
    if (cuda_queue(queue)->span != SPAN_NONE)
        status = cuda_span_command(queue, error);
    if (!status && event)
        status = cuda_event_begin(event, error);
    if (status)
        return status;
    point_at_arguments(kernel, native);
    status = start(queue, kernel, groups, event && cuda_event_is_timed(event), error);
    if (status)
        error_prefix(error, "%s, %u groups of %u: ", kernel->entry->name, groups, kernel->work_group);
    if (!event)
        return status;
    if (!status)
        status = cuda_event_end(event, error);
    if (status)
        cuda_event_cancel(event);
    return status;
}

enum shoal_status cuda_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              struct shoal_event *event, struct shoal_error *error)
{
    bool pushed;
    enum shoal_status status = cuda_enter(queue->device, &pushed, error);
    if (status)
        return status;
    status = enqueue(queue, kernel, (unsigned)groups, event, error);
    cuda_leave(queue->device, pushed);
    return status;
}
