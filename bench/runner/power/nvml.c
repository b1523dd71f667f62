#include "bench/runner/power/nvml.h"

#include "bench/runner/fail.h"
#include "bench/runner/symbols.h"

#include <dlfcn.h>
#include <stdio.h>

static bool load(struct nvml *nvml)
{
    const struct symbol symbols[] = {
#define SYMBOL(name) {#name, &nvml->name}
        SYMBOL(nvmlInit_v2),
        SYMBOL(nvmlShutdown),
        SYMBOL(nvmlDeviceGetHandleByPciBusId_v2),
        SYMBOL(nvmlDeviceGetTotalEnergyConsumption),
        SYMBOL(nvmlDeviceGetClockInfo),
        SYMBOL(nvmlDeviceGetPowerUsage),
        SYMBOL(nvmlDeviceGetTemperature),
        SYMBOL(nvmlDeviceGetCurrentClocksThrottleReasons),
#undef SYMBOL
    };
    return symbols_load("libnvidia-ml.so.1", symbols, sizeof symbols / sizeof *symbols, &nvml->library);
}

enum shoal_status nvml_open(const struct shoal_device_info *info, const char *what, struct nvml *nvml,
                            struct shoal_error *error)
{
    char address[32];
    if (!info->has_pci)
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s is not known: it has no PCI address", what);
    if (!load(nvml))
        return bench_fail(error, SHOAL_UNSUPPORTED,
                          "%s is not known: no libnvidia-ml.so.1 with its functions", what);
    snprintf(address, sizeof address, "%08x:%02x:%02x.%x", info->pci.domain, info->pci.bus, info->pci.device,
             info->pci.function);
    int code = nvml->nvmlInit_v2();
    nvml->is_begun = !code;
    if (!code)
        code = nvml->nvmlDeviceGetHandleByPciBusId_v2(address, &nvml->device);
    return code ? bench_fail(error, SHOAL_UNSUPPORTED, "%s is not known: NVML's error %d", what, code)
                : SHOAL_OK;
}

void nvml_close(struct nvml *nvml)
{
    if (nvml->is_begun)
        nvml->nvmlShutdown();
    if (nvml->library)
        dlclose(nvml->library);
    *nvml = (struct nvml){0};
}
