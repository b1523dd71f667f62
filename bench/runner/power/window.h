/* Mean power of devices over some seconds: by their counters of energy, or, for cards without one, by the
 * mean of their power, which is read about 20 times a second. The power of several devices is the sum; the
 * packages of the processors count once for all devices that are processors, and a card with two names counts
 * once. */
#ifndef SHOAL_BENCH_POWER_WINDOW_H
#define SHOAL_BENCH_POWER_WINDOW_H

#include <shoal/device.h>
#include <shoal/error.h>
#include <stddef.h>

/* Seconds that a window lasts at least: the sensor of some GPUs sees a quarter of the time only, so shorter
 * windows may miss the work. */
extern const double power_window_seconds;

struct power_window;

/* The devices that take part in a piece of work. */
struct power_devices {
    const struct shoal_device_info *const *infos; /* [count], of the caller */
    size_t count;                                 /* 1 or more */
};

/* Begins a window. sysfs: a folder like /sys; NULL: that of the system. SHOAL_UNSUPPORTED: the power of a
 * device is not known; the message names the device and says why. */
enum shoal_status power_window_begin(struct power_devices devices, const char *sysfs,
                                     struct power_window **out, struct shoal_error *error);
/* Seconds since the begin. */
double power_window_length(const struct power_window *window);
/* Ends the window and sets it to NULL. *watts: mean power of all devices. */
enum shoal_status power_window_end(struct power_window **window, double *watts, struct shoal_error *error);

/* What work takes, with the power of the devices at rest beside. */
struct power_figure {
    struct shoal_error error;          /* why there is no figure; SHOAL_OK: the members below are valid */
    double watts, idle_watts, seconds; /* seconds: length of the window */
};

/* Mean power of the devices over `seconds` in which this program leaves them alone. The figure of the first
 * call for the same devices (by their ids) holds for later calls. */
enum shoal_status power_idle(struct power_devices devices, const char *sysfs, double seconds, double *watts,
                             struct shoal_error *error);

/* Fills `figure`: measures the power at rest, then repeats `work` for `seconds` at least. A failure of `work`
 * ends the window, and is returned; the figure then has none. */
enum shoal_status power_measure(struct power_devices devices, const char *sysfs, double seconds,
                                enum shoal_status (*work)(void *data, struct shoal_error *error), void *data,
                                struct power_figure *figure, struct shoal_error *error);

#endif
