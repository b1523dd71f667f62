/* The parts of nvml.h that are used, loaded at run time. Its functions return 0 for success. */
#ifndef SHOAL_BENCH_POWER_NVML_H
#define SHOAL_BENCH_POWER_NVML_H

#include <shoal/device.h>
#include <shoal/error.h>

struct nvml {
    void *library, *device;
    int (*nvmlInit_v2)(void);
    int (*nvmlShutdown)(void);
    int (*nvmlDeviceGetHandleByPciBusId_v2)(const char *address, void **device);
    int (*nvmlDeviceGetTotalEnergyConsumption)(void *device, unsigned long long *millijoules);
    int (*nvmlDeviceGetClockInfo)(void *device, int kind, unsigned *megahertz);
    int (*nvmlDeviceGetPowerUsage)(void *device, unsigned *milliwatts);
    int (*nvmlDeviceGetTemperature)(void *device, int kind, unsigned *celsius);
    int (*nvmlDeviceGetCurrentClocksThrottleReasons)(void *device, unsigned long long *reasons);
    bool is_begun;
};

enum { NVML_CLOCK_SM = 1, NVML_TEMPERATURE_GPU = 0 };

/* Loads the library and finds the device. what: the beginning of the message, "the energy of cuda:0".
 * SHOAL_UNSUPPORTED: there is no library, or it does not know the device. Call nvml_close in any case. */
enum shoal_status nvml_open(const struct shoal_device_info *info, const char *what, struct nvml *nvml,
                            struct shoal_error *error);
void nvml_close(struct nvml *nvml);

#endif
