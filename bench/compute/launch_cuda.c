/* Launches through the CUDA driver API alone. The kernel is PTX, which the driver translates, so that neither
 * a toolkit nor shoal's compiler takes part. */
#include "bench/compute/launch.h"
#include "bench/runner/symbols.h"

#include <dlfcn.h>
#include <shoal/cuda.h>
#include <stdlib.h>

/* Names and types of cuda.h, as far as they are needed. Every handle is a pointer. */
struct driver {
    void *library;
    int (*cuDeviceGetByPCIBusId)(int *device, const char *address);
    int (*cuDevicePrimaryCtxRetain)(void **context, int device);
    int (*cuDevicePrimaryCtxRelease_v2)(int device);
    int (*cuCtxPushCurrent_v2)(void *context);
    int (*cuCtxPopCurrent_v2)(void **context);
    int (*cuModuleLoadData)(void **module, const void *image);
    int (*cuModuleUnload)(void *module);
    int (*cuModuleGetFunction)(void **function, void *module, const char *name);
    int (*cuLaunchKernel)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **params,
                          void **extra);
    int (*cuStreamSynchronize)(void *stream);
};

struct raw {
    struct driver cu;
    int device;
    bool retained;
    void *context, *module, *function, *stream;
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

static enum shoal_status failed(struct shoal_error *error, const char *call, int code)
{
    return bench_fail(error, SHOAL_FAILED, "%s failed with %d", call, code);
}

static bool load(struct driver *cu)
{
    const struct symbol symbols[] = {
#define SYMBOL(name) {#name, &cu->name}
        SYMBOL(cuDeviceGetByPCIBusId), SYMBOL(cuDevicePrimaryCtxRetain), SYMBOL(cuDevicePrimaryCtxRelease_v2),
        SYMBOL(cuCtxPushCurrent_v2),   SYMBOL(cuCtxPopCurrent_v2),       SYMBOL(cuModuleLoadData),
        SYMBOL(cuModuleUnload),        SYMBOL(cuModuleGetFunction),      SYMBOL(cuLaunchKernel),
        SYMBOL(cuStreamSynchronize),
#undef SYMBOL
    };
    return symbols_load("libcuda.so.1", symbols, sizeof symbols / sizeof *symbols, &cu->library);
}

static void raw_close(void *state)
{
    struct raw *raw = state;
    if (!raw)
        return;
    if (raw->module && raw->cu.cuCtxPushCurrent_v2(raw->context) == 0) {
        raw->cu.cuModuleUnload(raw->module);
        raw->cu.cuCtxPopCurrent_v2(&raw->context);
    }
    if (raw->retained)
        raw->cu.cuDevicePrimaryCtxRelease_v2(raw->device);
    if (raw->cu.library)
        dlclose(raw->cu.library);
    free(raw);
}

static enum shoal_status raw_open(const struct launch_rig *rig, void **state, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(rig->device);
    struct raw *raw = *state = calloc(1, sizeof *raw);
    char address[32];
    shoal_cuda_stream stream = NULL;
    if (!raw)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    if (!load(&raw->cu))
        return bench_fail(error, SHOAL_UNSUPPORTED, "libcuda.so.1 lacks a function of the driver API");
    if (!info->has_pci || !shoal_cuda_queue_unwrap(rig->queue, &stream))
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s has no PCI address to find it by", info->id);
    raw->stream = stream;
    for (int i = 0; i < LAUNCH_BUFFERS; i++)
        if (!shoal_cuda_buffer_unwrap(rig->buffers[i], &raw->memory[i]))
            return bench_fail(error, SHOAL_FAILED, "a buffer of %s has no CUDA address", info->id);
    snprintf(address, sizeof address, "%04x:%02x:%02x.%x", info->pci.domain, info->pci.bus, info->pci.device,
             info->pci.function);
    int code = raw->cu.cuDeviceGetByPCIBusId(&raw->device, address);
    if (code)
        return failed(error, "cuDeviceGetByPCIBusId", code);
    code = raw->cu.cuDevicePrimaryCtxRetain(&raw->context, raw->device);
    if (code)
        return failed(error, "cuDevicePrimaryCtxRetain", code);
    raw->retained = true;
    code = raw->cu.cuCtxPushCurrent_v2(raw->context);
    if (code)
        return failed(error, "cuCtxPushCurrent", code);
    code = raw->cu.cuModuleLoadData(&raw->module, ptx);
    if (!code)
        code = raw->cu.cuModuleGetFunction(&raw->function, raw->module, "raw_args8");
    void *popped;
    raw->cu.cuCtxPopCurrent_v2(&popped);
    return code ? failed(error, "loading the kernel", code) : SHOAL_OK;
}

static enum shoal_status raw_batch(const struct launch_rig *rig, void *state, uint32_t count,
                                   struct shoal_error *error)
{
    struct raw *raw = state;
    /* Made current once for all launches, as a program without shoal keeps its context current. */
    int code = raw->cu.cuCtxPushCurrent_v2(raw->context);
    if (code)
        return failed(error, "cuCtxPushCurrent", code);
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
    return code ? failed(error, "cuLaunchKernel or cuStreamSynchronize", code) : SHOAL_OK;
}

const struct launch_raw launch_raw_cuda = {"cuda", raw_open, raw_batch, raw_close};
