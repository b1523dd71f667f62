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

/* What tells the power of one device. */
struct source {
    const struct shoal_device_info *info;
    struct energy_meter *meter;  /* NULL: the sensors are read in its place */
    struct sensors_watch *watch; /* NULL: there is a meter */
    double joules;               /* counter at the begin */
};

struct power_window {
    double begin;
    size_t count;
    struct source sources[]; /* [number of devices], of which the first `count` are used */
};

static void close_window(struct power_window **window)
{
    struct sensors_summary ignored;
    for (size_t i = 0; i < (*window)->count; i++) {
        energy_close(&(*window)->sources[i].meter);
        sensors_end(&(*window)->sources[i].watch, &ignored);
    }
    free(*window);
    *window = NULL;
}

/* Whether the device belongs to another rank, perhaps of another host. */
static bool is_remote(const struct shoal_device_info *info)
{
    return info->host && info->host[0];
}

/* Whether the counters or sensors of two devices are the same. */
static bool have_one_source(const struct shoal_device_info *one, const struct shoal_device_info *other)
{
    const struct shoal_pci_address *a = &one->pci, *b = &other->pci;
    if (!one->is_gpu || !other->is_gpu)
        return one->is_gpu == other->is_gpu;
    return one->has_pci && other->has_pci && a->domain == b->domain && a->bus == b->bus &&
           a->device == b->device && a->function == b->function;
}

static bool has_source(const struct power_window *window, const struct shoal_device_info *info)
{
    for (size_t i = 0; i < window->count; i++)
        if (!is_remote(info) && have_one_source(window->sources[i].info, info))
            return true;
    return false;
}

static enum shoal_status open_source(struct source *source, const char *sysfs, struct shoal_error *error)
{
    struct shoal_error ignored;
    if (is_remote(source->info))
        return bench_fail(error, SHOAL_UNSUPPORTED, "the energy of %s is not known: it belongs to %.40s",
                          source->info->id, source->info->host);
    const enum shoal_status status = energy_open(source->info, sysfs, &source->meter, error);
    if (status == SHOAL_UNSUPPORTED && source->info->is_gpu &&
        sensors_begin(source->info, sysfs, &source->watch, &ignored) == SHOAL_OK)
        return SHOAL_OK;
    return status;
}

enum shoal_status power_window_begin(struct power_devices devices, const char *sysfs,
                                     struct power_window **out, struct shoal_error *error)
{
    struct power_window *window = calloc(1, sizeof *window + devices.count * sizeof *window->sources);
    enum shoal_status status = SHOAL_OK;
    *out = NULL;
    if (!window)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the meter");
    for (size_t i = 0; i < devices.count && !status; i++) {
        if (has_source(window, devices.infos[i]))
            continue;
        struct source *source = &window->sources[window->count++];
        source->info = devices.infos[i];
        status = open_source(source, sysfs, error);
    }
    window->begin = bench_seconds();
    for (size_t i = 0; i < window->count && !status; i++)
        if (window->sources[i].meter)
            status = energy_read(window->sources[i].meter, &window->sources[i].joules, error);
    if (status)
        close_window(&window);
    *out = window;
    return status;
}

double power_window_length(const struct power_window *window)
{
    return bench_seconds() - window->begin;
}

static enum shoal_status end_source(struct source *source, double seconds, double *watts,
                                    struct shoal_error *error)
{
    if (source->meter) {
        double joules = 0;
        const enum shoal_status status = energy_read(source->meter, &joules, error);
        *watts += (joules - source->joules) / seconds;
        return status;
    }
    struct sensors_summary summary;
    sensors_end(&source->watch, &summary);
    const double mean = sensor_mean(&summary.watts);
    *watts += mean;
    return isnan(mean)
               ? bench_fail(error, SHOAL_UNSUPPORTED,
                            "the energy of %s is not known: its driver tells no power", source->info->id)
               : SHOAL_OK;
}

enum shoal_status power_window_end(struct power_window **pointer, double *watts, struct shoal_error *error)
{
    struct power_window *window = *pointer;
    const double seconds = power_window_length(window);
    enum shoal_status status = SHOAL_OK;
    *watts = 0;
    for (size_t i = 0; i < window->count && !status; i++)
        status = end_source(&window->sources[i], seconds, watts, error);
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

/* Power at rest of a list of devices, measured once in the process. */
struct idle_power {
    struct idle_power *next;
    double watts;
    size_t count;
    char ids[][64]; /* [count] */
};

static struct idle_power *known; /* the newest first; kept to the end of the process */

static bool are_known(const struct idle_power *idle, struct power_devices devices)
{
    bool is_same = idle->count == devices.count;
    for (size_t i = 0; i < devices.count && is_same; i++)
        is_same = strcmp(idle->ids[i], devices.infos[i]->id) == 0;
    return is_same;
}

/* Keeps the figure for later calls. Without memory for it, a later call measures again. */
static void keep_idle(struct power_devices devices, double watts)
{
    struct idle_power *idle = malloc(sizeof *idle + devices.count * sizeof *idle->ids);
    if (!idle)
        return;
    for (size_t i = 0; i < devices.count; i++)
        snprintf(idle->ids[i], sizeof idle->ids[i], "%s", devices.infos[i]->id);
    idle->watts = watts;
    idle->count = devices.count;
    idle->next = known;
    known = idle;
}

enum shoal_status power_idle(struct power_devices devices, const char *sysfs, double seconds, double *watts,
                             struct shoal_error *error)
{
    for (const struct idle_power *idle = known; idle; idle = idle->next)
        if (are_known(idle, devices)) {
            *watts = idle->watts;
            return SHOAL_OK;
        }
    struct power_window *window;
    enum shoal_status status = power_window_begin(devices, sysfs, &window, error);
    if (status)
        return status;
    sleep_until(window, seconds);
    status = power_window_end(&window, watts, error);
    if (!status)
        keep_idle(devices, *watts);
    return status;
}

enum shoal_status power_measure(struct power_devices devices, const char *sysfs, double seconds,
                                enum shoal_status (*work)(void *data, struct shoal_error *error), void *data,
                                struct power_figure *figure, struct shoal_error *error)
{
    struct power_window *window = NULL;
    enum shoal_status failed = SHOAL_OK;
    *figure = (struct power_figure){.watts = NAN, .idle_watts = NAN};
    enum shoal_status status = power_idle(devices, sysfs, seconds, &figure->idle_watts, &figure->error);
    if (!status)
        status = power_window_begin(devices, sysfs, &window, &figure->error);
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
