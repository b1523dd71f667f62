/* Clock, power and temperature of a device while it works, where its driver tells them: of NVIDIA's GPUs
 * through NVML, of others and of processors through the files of Linux (sysfs). */
#ifndef SHOAL_BENCH_POWER_SENSORS_H
#define SHOAL_BENCH_POWER_SENSORS_H

#include <shoal/device.h>
#include <shoal/error.h>

/* What was read since the begin of a watch. NaN: not known. */
struct sensor_range {
    double least, most, sum;
    uint32_t count; /* number of readings */
};

struct sensors_summary {
    struct sensor_range clock_hz, watts, celsius;
    /* Why the driver has lowered the clock at least once: "power limit, temperature"; "": it has not, or
     * does not tell. */
    char slowed[96];
};

struct sensors_watch;

/* Begins to read the sensors, in a thread of its own, about 20 times a second. sysfs: a folder like /sys;
 * NULL: that of the system. SHOAL_UNSUPPORTED: there is no sensor; the message says why. */
enum shoal_status sensors_begin(const struct shoal_device_info *info, const char *sysfs,
                                struct sensors_watch **out, struct shoal_error *error);
/* Reads the sensors once more, ends the watch and sets it to NULL. Accepts NULL: nothing is known. */
void sensors_end(struct sensors_watch **watch, struct sensors_summary *summary);
/* Mean of the readings. NaN: there is none. */
double sensor_mean(const struct sensor_range *range);

#endif
