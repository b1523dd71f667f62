/* Energy that a device takes, by its own counter: of NVIDIA's GPUs through NVML, of processors through Linux'
 * powercap, which has those of each package (RAPL). */
#ifndef SHOAL_BENCH_ENERGY_H
#define SHOAL_BENCH_ENERGY_H

#include <shoal/device.h>
#include <shoal/error.h>

struct energy_meter;

/* powercap: the folder; NULL: that of the system. SHOAL_UNSUPPORTED: there is no counter, or it may not be
 * read, as the message says. */
enum shoal_status energy_open(const struct shoal_device_info *info, const char *powercap,
                              struct energy_meter **out, struct shoal_error *error);
/* Joules since the meter was opened. A package's counter begins anew after some minutes: call more often. */
enum shoal_status energy_read(struct energy_meter *meter, double *joules, struct shoal_error *error);
void energy_close(struct energy_meter **meter);

#endif
