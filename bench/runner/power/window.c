#include "bench/runner/power/window.h"

#include "bench/runner/bench.h"
#include "bench/runner/fail.h"
#include "bench/runner/power/energy.h"
#include "bench/runner/power/sensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const double power_window_seconds = 5;

struct power_window {
    struct energy_meter *meter;  /* NULL: the sensors are read in its place */
    struct sensors_watch *watch; /* NULL: there is a meter */
    char id[64];
    double begin, joules; /* joules: counter at the begin */
};

static void close_window(struct power_window **window)
{
    struct sensors_summary ignored;
    energy_close(&(*window)->meter);
    sensors_end(&(*window)->watch, &ignored);
    free(*window);
    *window = NULL;
}

enum shoal_status power_window_begin(const struct shoal_device_info *info, const char *sysfs,
                                     struct power_window **out, struct shoal_error *error)
{
    struct shoal_error ignored;
    struct power_window *window = calloc(1, sizeof *window);
    *out = NULL;
    if (!window)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the meter");
    snprintf(window->id, sizeof window->id, "%s", info->id);
    enum shoal_status status = energy_open(info, sysfs, &window->meter, error);
    if (status == SHOAL_UNSUPPORTED && info->is_gpu &&
        sensors_begin(info, sysfs, &window->watch, &ignored) == SHOAL_OK)
        status = SHOAL_OK;
    window->begin = bench_seconds();
    if (!status && window->meter)
        status = energy_read(window->meter, &window->joules, error);
    if (status)
        close_window(&window);
    *out = window;
    return status;
}

double power_window_length(const struct power_window *window)
{
    return bench_seconds() - window->begin;
}

enum shoal_status power_window_end(struct power_window **pointer, double *watts, struct shoal_error *error)
{
    struct power_window *window = *pointer;
    enum shoal_status status = SHOAL_OK;
    double joules = 0;
    if (window->meter) {
        status = energy_read(window->meter, &joules, error);
        *watts = (joules - window->joules) / power_window_length(window);
    } else {
        struct sensors_summary summary;
        sensors_end(&window->watch, &summary);
        *watts = sensor_mean(&summary.watts);
        if (isnan(*watts))
            status = bench_fail(error, SHOAL_UNSUPPORTED,
                                "the energy of %s is not known: its driver tells no power", window->id);
    }
    close_window(pointer);
    return status;
}

static void sleep_until(const struct power_window *window, double seconds)
{
    for (double left; (left = seconds - power_window_length(window)) > 0;) {
        const struct timespec time = {(time_t)left, (long)(1e9 * fmod(left, 1))};
        nanosleep(&time, NULL);
    }
}

enum shoal_status power_idle(const struct shoal_device_info *info, const char *sysfs, double seconds,
                             double *watts, struct shoal_error *error)
{
    enum { MOST = 64 };
    static struct {
        char id[64];
        double watts;
    } known[MOST];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(known[i].id, info->id) == 0) {
            *watts = known[i].watts;
            return SHOAL_OK;
        }
    struct power_window *window;
    enum shoal_status status = power_window_begin(info, sysfs, &window, error);
    if (status)
        return status;
    sleep_until(window, seconds);
    status = power_window_end(&window, watts, error);
    if (!status && count < MOST) {
        snprintf(known[count].id, sizeof known[count].id, "%s", info->id);
        known[count++].watts = *watts;
    }
    return status;
}

enum shoal_status power_measure(const struct shoal_device_info *info, const char *sysfs, double seconds,
                                enum shoal_status (*work)(void *data, struct shoal_error *error), void *data,
                                struct power_figure *figure, struct shoal_error *error)
{
    struct power_window *window = NULL;
    enum shoal_status failed = SHOAL_OK;
    *figure = (struct power_figure){.watts = NAN, .idle_watts = NAN};
    enum shoal_status status = power_idle(info, sysfs, seconds, &figure->idle_watts, &figure->error);
    if (!status)
        status = power_window_begin(info, sysfs, &window, &figure->error);
    while (!status && !failed && power_window_length(window) < seconds)
        failed = work(data, error);
    if (window) {
        figure->seconds = power_window_length(window);
        status = power_window_end(&window, &figure->watts, &figure->error);
    }
    if (failed)
        figure->error = *error;
    else if (!status)
        figure->error.status = SHOAL_OK;
    figure->error.status = failed ? failed : status;
    return failed;
}
