/* Energy that a device takes, by its own counter: for NVIDIA's GPUs through NVML, for cards of others through
 * hwmon, where the driver has a counter, for processors through Linux' powercap, which has the counters of
 * each package (RAPL). */
#ifndef SHOAL_BENCH_POWER_ENERGY_H
#define SHOAL_BENCH_POWER_ENERGY_H

#include <shoal/device.h>
#include <shoal/error.h>

struct energy_meter;

/* Opens a meter. sysfs: a folder like /sys; NULL: that of the system. SHOAL_UNSUPPORTED: there is no counter,
 * or it may not be read; the message says which. */
enum shoal_status energy_open(const struct shoal_device_info *info, const char *sysfs,
                              struct energy_meter **out, struct shoal_error *error);
/* Joules since the meter was opened. The counter of a package begins anew after some minutes, so call this
 * more often. */
enum shoal_status energy_read(struct energy_meter *meter, double *joules, struct shoal_error *error);
void energy_close(struct energy_meter **meter);

#endif
