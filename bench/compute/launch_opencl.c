/* Launches through the OpenCL API alone: the kernel is built, set and enqueued without shoal. */
#include "bench/compute/launch.h"

#include <shoal/opencl.h>
#include <stdlib.h>
#include <string.h>

struct raw {
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem memory[LAUNCH_BUFFERS];
};

static enum shoal_status failed(struct shoal_error *error, const char *call, cl_int code)
{
    return bench_fail(error, SHOAL_FAILED, "%s failed with %d", call, code);
}

static void raw_close(void *state)
{
    struct raw *raw = state;
    if (!raw)
        return;
    if (raw->kernel)
        clReleaseKernel(raw->kernel);
    if (raw->program)
        clReleaseProgram(raw->program);
    free(raw);
}

static enum shoal_status build(struct raw *raw, const char *text, struct shoal_error *error)
{
    cl_context context;
    cl_int code = clGetCommandQueueInfo(raw->queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code != CL_SUCCESS)
        return failed(error, "clGetCommandQueueInfo", code);
    raw->program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (code != CL_SUCCESS)
        return failed(error, "clCreateProgramWithSource", code);
    char options[32];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DWG=%d", LAUNCH_WORK_GROUP);
    code = clBuildProgram(raw->program, 0, NULL, options, NULL, NULL);
    if (code != CL_SUCCESS)
        return failed(error, "clBuildProgram", code);
    raw->kernel = clCreateKernel(raw->program, "measure_args8", &code);
    return code == CL_SUCCESS ? SHOAL_OK : failed(error, "clCreateKernel", code);
}

static enum shoal_status raw_open(const struct launch_rig *rig, void **state, struct shoal_error *error)
{
    char *text = NULL;
    struct raw *raw = *state = calloc(1, sizeof *raw);
    if (!raw)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    raw->queue = shoal_opencl_queue_unwrap(rig->queue);
    for (int i = 0; i < LAUNCH_BUFFERS; i++)
        raw->memory[i] = shoal_opencl_buffer_unwrap(rig->buffers[i]);
    enum shoal_status status = shoal_kernel_source(rig->shoal, "measure/empty.cl", &text, error);
    if (status == SHOAL_OK)
        status = build(raw, text, error);
    free(text);
    return status;
}

static enum shoal_status raw_batch(const struct launch_rig *rig, void *state, uint32_t count,
                                   struct shoal_error *error)
{
    struct raw *raw = state;
    const size_t size = LAUNCH_WORK_GROUP;
    cl_int code = CL_SUCCESS;
    for (uint32_t launch = 0; code == CL_SUCCESS && launch < count; launch++) {
        struct launch_args args = launch_args_at(rig->all_change, launch);
        for (cl_uint i = 0; i < LAUNCH_BUFFERS; i++)
            code |= clSetKernelArg(raw->kernel, i, sizeof(cl_mem), &raw->memory[args.buffer[i]]);
        code |= clSetKernelArg(raw->kernel, 4, sizeof args.i, &args.i);
        code |= clSetKernelArg(raw->kernel, 5, sizeof args.n, &args.n);
        code |= clSetKernelArg(raw->kernel, 6, sizeof args.x, &args.x);
        code |= clSetKernelArg(raw->kernel, 7, sizeof args.y, &args.y);
        if (code != CL_SUCCESS)
            return failed(error, "clSetKernelArg", code);
        code = clEnqueueNDRangeKernel(raw->queue, raw->kernel, 1, NULL, &size, &size, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS)
        return failed(error, "clEnqueueNDRangeKernel", code);
    code = clFinish(raw->queue);
    return code == CL_SUCCESS ? SHOAL_OK : failed(error, "clFinish", code);
}

const struct launch_raw launch_raw_opencl = {"opencl", raw_open, raw_batch, raw_close};
