#include "bench/compute/cuda_driver.h"

#include "bench/runner/symbols.h"

#include <dlfcn.h>
#include <stdio.h>

enum shoal_status cuda_driver_failed(struct shoal_error *error, const char *call, int code)
{
    return bench_fail(error, SHOAL_FAILED, "%s failed with %d", call, code);
}

enum shoal_status cuda_driver_open(struct cuda_driver *cu, struct shoal_error *error)
{
    const struct symbol symbols[] = {
#define SYMBOL(name) {#name, &cu->name}
        SYMBOL(cuDeviceGetByPCIBusId), SYMBOL(cuDevicePrimaryCtxRetain), SYMBOL(cuDevicePrimaryCtxRelease_v2),
        SYMBOL(cuCtxPushCurrent_v2),   SYMBOL(cuCtxPopCurrent_v2),       SYMBOL(cuMemcpyPeerAsync),
        SYMBOL(cuModuleLoadData),      SYMBOL(cuModuleUnload),           SYMBOL(cuModuleGetFunction),
        SYMBOL(cuLaunchKernel),        SYMBOL(cuStreamSynchronize),
#undef SYMBOL
    };
    return symbols_load("libcuda.so.1", symbols, sizeof symbols / sizeof *symbols, &cu->library)
               ? SHOAL_OK
               : bench_fail(error, SHOAL_UNSUPPORTED, "libcuda.so.1 lacks a function of the driver API");
}

void cuda_driver_close(struct cuda_driver *cu)
{
    if (cu->library)
        dlclose(cu->library);
    cu->library = NULL;
}

enum shoal_status cuda_context_open(struct cuda_context *context, const struct cuda_driver *cu,
                                    const struct shoal_device *device, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    char address[32];
    context->context = NULL;
    if (!info->has_pci)
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s has no PCI address to find it by", info->id);
    snprintf(address, sizeof address, "%04x:%02x:%02x.%x", info->pci.domain, info->pci.bus, info->pci.device,
             info->pci.function);
    int code = cu->cuDeviceGetByPCIBusId(&context->device, address);
    if (code)
        return bench_fail(error, SHOAL_FAILED, "the driver does not find %s at %s: %d", info->id, address,
                          code);
    code = cu->cuDevicePrimaryCtxRetain(&context->context, context->device);
    if (!code)
        return SHOAL_OK;
    context->context = NULL;
    return cuda_driver_failed(error, "cuDevicePrimaryCtxRetain", code);
}

void cuda_context_close(struct cuda_context *context, const struct cuda_driver *cu)
{
    if (context->context)
        cu->cuDevicePrimaryCtxRelease_v2(context->device);
    context->context = NULL;
}
