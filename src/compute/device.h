/* Kinds of devices, for launch plans that depend on them. */
#ifndef SHOAL_COMPUTE_DEVICE_H
#define SHOAL_COMPUTE_DEVICE_H

#include <shoal/device.h>

/* Whether the device is a CPU only: simulators report several kinds at once. */
static inline bool is_cpu_alone(const struct shoal_device_info *info)
{
    return info->is_cpu && !info->is_gpu;
}

static inline bool is_plain_cpu(const struct shoal_device *device)
{
    return is_cpu_alone(shoal_device_get_info(device));
}

static inline bool is_cuda(const struct shoal_device *device)
{
    return shoal_device_get_info(device)->architecture > 0;
}

#endif
