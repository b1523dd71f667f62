/* Mean power of a device over some seconds: by its counter of energy, or, for cards without one, by the mean
 * of its power, which is read about 20 times a second. */
#ifndef SHOAL_BENCH_POWER_WINDOW_H
#define SHOAL_BENCH_POWER_WINDOW_H

#include <shoal/device.h>
#include <shoal/error.h>

/* Seconds that a window lasts at least: the sensor of some GPUs sees a quarter of the time only, so shorter
 * windows may miss the work. */
extern const double power_window_seconds;

struct power_window;

/* Begins a window. sysfs: a folder like /sys; NULL: that of the system. SHOAL_UNSUPPORTED: the power of the
 * device is not known; the message says why. */
enum shoal_status power_window_begin(const struct shoal_device_info *info, const char *sysfs,
                                     struct power_window **out, struct shoal_error *error);
/* Seconds since the begin. */
double power_window_length(const struct power_window *window);
/* Ends the window and sets it to NULL. *watts: mean power. */
enum shoal_status power_window_end(struct power_window **window, double *watts, struct shoal_error *error);

/* What work takes, with the power of the device at rest beside. */
struct power_figure {
    struct shoal_error error;          /* why there is no figure; SHOAL_OK: the members below are valid */
    double watts, idle_watts, seconds; /* seconds: length of the window */
};

/* Mean power of the device over `seconds` in which this program leaves it alone. The figure of the first call
 * for a device (by its id) holds for later calls. */
enum shoal_status power_idle(const struct shoal_device_info *info, const char *sysfs, double seconds,
                             double *watts, struct shoal_error *error);

/* Fills `figure`: measures the power at rest, then repeats `work` for `seconds` at least. A failure of `work`
 * ends the window, and is returned; the figure then has none. */
enum shoal_status power_measure(const struct shoal_device_info *info, const char *sysfs, double seconds,
                                enum shoal_status (*work)(void *data, struct shoal_error *error), void *data,
                                struct power_figure *figure, struct shoal_error *error);

#endif
