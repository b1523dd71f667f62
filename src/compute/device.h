/* Private: what the layers above compute ask of devices: their instance, and their kinds for launch plans. */
#ifndef SHOAL_COMPUTE_DEVICE_H
#define SHOAL_COMPUTE_DEVICE_H

#include "base/error.h"

#include <shoal/device.h>

struct shoal *device_shoal(const struct shoal_device *device);
/* The device of which this device is a part; the device itself if it is no part. */
const struct shoal_device *device_whole(const struct shoal_device *device);
/* Are both devices of one host? Devices of other ranks may be of other hosts. */
bool device_are_of_one_host(const struct shoal_device *one, const struct shoal_device *two);
/* The device `host`, which every instance has. */
struct shoal_device *instance_host_device(const struct shoal *shoal);
/* Marks the device as lost and fills the error. */
SHOAL_PRINTF(5, 6)
enum shoal_status device_lost(struct shoal_device *device, struct shoal_error *error, const char *call,
                              int native, const char *format, ...);
/* Does the device no longer answer? */
bool device_is_lost(const struct shoal_device *device);
/* instance_set_hung: notes that a run on one of the devices never ended, so that nothing of the instance may
 * be freed. instance_is_hung: has this been noted? */
void instance_set_hung(struct shoal *shoal);
bool instance_is_hung(const struct shoal *shoal);

/* Whether the device is a CPU only: simulators report several kinds at once. */
static inline bool is_cpu_alone(const struct shoal_device_info *info)
{
    return info->is_cpu && !info->is_gpu;
}

/* Number of compute units, at least 1, by which work is divided if the division sets the order of a sum. For
 * a part of a device it is the number of the whole device, so that both have the same bits. */
static inline uint32_t units_for_sums(const struct shoal_device_info *info)
{
    const uint32_t units = info->whole_units ? info->whole_units : info->units;
    return units ? units : 1;
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
