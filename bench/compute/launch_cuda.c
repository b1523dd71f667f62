/* Launches through the CUDA driver API alone. The kernel is PTX, which the driver translates, so that neither
 * a toolkit nor shoal's compiler takes part. */
#include "bench/compute/cuda_driver.h"
#include "bench/compute/launch.h"

#include <stdlib.h>

struct raw {
    struct cuda_driver cu;
    struct cuda_context own;
    void *module, *function, *stream;
    shoal_cuda_pointer memory[LAUNCH_BUFFERS];
};

static const char ptx[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry raw_args8(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d,\n"
    "    .param .u32 i, .param .u32 n, .param .f32 x, .param .f32 y)\n"
    ".maxntid 64, 1, 1\n"
    "{\n"
    "    ret;\n"
    "}\n";

static void raw_close(void *state)
{
    struct raw *raw = state;
    if (!raw)
        return;
    if (raw->module && raw->cu.cuCtxPushCurrent_v2(raw->own.context) == 0) {
        raw->cu.cuModuleUnload(raw->module);
        raw->cu.cuCtxPopCurrent_v2(&raw->own.context);
    }
    cuda_context_close(&raw->own, &raw->cu);
    cuda_driver_close(&raw->cu);
    free(raw);
}

static enum shoal_status raw_open(const struct launch_rig *rig, void **state, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(rig->device);
    struct raw *raw = *state = calloc(1, sizeof *raw);
    shoal_cuda_stream stream = NULL;
    if (!raw)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    enum shoal_status status = cuda_driver_open(&raw->cu, error);
    if (status != SHOAL_OK)
        return status;
    if (!shoal_cuda_queue_unwrap(rig->queue, &stream))
        return bench_fail(error, SHOAL_UNSUPPORTED, "the queue of %s is not one of CUDA", info->id);
    raw->stream = stream;
    for (int i = 0; i < LAUNCH_BUFFERS; i++)
        if (!shoal_cuda_buffer_unwrap(rig->buffers[i], &raw->memory[i]))
            return bench_fail(error, SHOAL_FAILED, "a buffer of %s has no CUDA address", info->id);
    status = cuda_context_open(&raw->own, &raw->cu, rig->device, error);
    if (status != SHOAL_OK)
        return status;
    int code = raw->cu.cuCtxPushCurrent_v2(raw->own.context);
    if (code)
        return cuda_driver_failed(error, "cuCtxPushCurrent", code);
    code = raw->cu.cuModuleLoadData(&raw->module, ptx);
    if (!code)
        code = raw->cu.cuModuleGetFunction(&raw->function, raw->module, "raw_args8");
    void *popped;
    raw->cu.cuCtxPopCurrent_v2(&popped);
    return code ? cuda_driver_failed(error, "loading the kernel", code) : SHOAL_OK;
}

static enum shoal_status raw_batch(const struct launch_rig *rig, void *state, uint32_t count,
                                   struct shoal_error *error)
{
    struct raw *raw = state;
    /* Made current once for all launches, as a program without shoal keeps its context current. */
    int code = raw->cu.cuCtxPushCurrent_v2(raw->own.context);
    if (code)
        return cuda_driver_failed(error, "cuCtxPushCurrent", code);
    for (uint32_t launch = 0; !code && launch < count; launch++) {
        struct launch_args args = launch_args_at(rig->all_change, launch);
        void *params[] = {&raw->memory[args.buffer[0]],
                          &raw->memory[args.buffer[1]],
                          &raw->memory[args.buffer[2]],
                          &raw->memory[args.buffer[3]],
                          &args.i,
                          &args.n,
                          &args.x,
                          &args.y};
        code = raw->cu.cuLaunchKernel(raw->function, 1, 1, 1, LAUNCH_WORK_GROUP, 1, 1, 0, raw->stream, params,
                                      NULL);
    }
    if (!code)
        code = raw->cu.cuStreamSynchronize(raw->stream);
    void *popped;
    raw->cu.cuCtxPopCurrent_v2(&popped);
    return code ? cuda_driver_failed(error, "cuLaunchKernel or cuStreamSynchronize", code) : SHOAL_OK;
}

const struct launch_raw launch_raw_cuda = {"cuda", raw_open, raw_batch, raw_close};
