#include "bench/runner/power/sensors.h"

#include "bench/runner/fail.h"
#include "bench/runner/power/energy.h"
#include "bench/runner/power/nvml.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FILES = 512, PATH = 400 };

/* Files of sysfs with a number each, of the same sensor; the mean counts. */
struct files {
    glob_t paths;
    double unit; /* of the number */
};

struct sensors_watch {
    struct nvml nvml;
    bool has_nvml;
    struct files clock, watts, celsius;
    struct energy_meter *meter; /* of a processor; NULL: there is none */
    double joules, seconds;     /* at the last reading of the meter */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ends, has_thread;
    struct sensors_summary summary;
    unsigned long long reasons; /* of NVML, or'ed */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Files -------------------------------------------------------------------------------------------------- */

SHOAL_PRINTF(3, 4)
static void find_files(struct files *files, double unit, const char *format, ...)
{
    char pattern[PATH];
    va_list list;
    va_start(list, format);
    vsnprintf(pattern, sizeof pattern, format, list);
    va_end(list);
    if (files->paths.gl_pathc)
        return;
    globfree(&files->paths);
    memset(&files->paths, 0, sizeof files->paths);
    files->unit = unit;
    if (glob(pattern, GLOB_NOSORT, NULL, &files->paths))
        files->paths.gl_pathc = 0;
}

/* NaN: no file can be read. */
static double read_files(const struct files *files)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < files->paths.gl_pathc && i < MOST_FILES; i++) {
        FILE *file = fopen(files->paths.gl_pathv[i], "r");
        int64_t value;
        if (file && fscanf(file, "%" SCNd64, &value) == 1) {
            sum += (double)value;
            count++;
        }
        if (file)
            fclose(file);
    }
    return count ? files->unit * sum / (double)count : NAN;
}

/* Readings ----------------------------------------------------------------------------------------------- */

static void add(struct sensor_range *range, double value)
{
    if (isnan(value))
        return;
    range->least = range->count ? fmin(range->least, value) : value;
    range->most = range->count ? fmax(range->most, value) : value;
    range->sum += value;
    range->count++;
}

double sensor_mean(const struct sensor_range *range)
{
    return range->count ? range->sum / range->count : NAN;
}

static void read_nvml(struct sensors_watch *watch)
{
    const struct nvml *nvml = &watch->nvml;
    unsigned value;
    unsigned long long reasons;
    if (!nvml->nvmlDeviceGetClockInfo(nvml->device, NVML_CLOCK_SM, &value))
        add(&watch->summary.clock_hz, 1e6 * value);
    if (!nvml->nvmlDeviceGetPowerUsage(nvml->device, &value))
        add(&watch->summary.watts, 1e-3 * value);
    if (!nvml->nvmlDeviceGetTemperature(nvml->device, NVML_TEMPERATURE_GPU, &value))
        add(&watch->summary.celsius, value);
    if (!nvml->nvmlDeviceGetCurrentClocksThrottleReasons(nvml->device, &reasons))
        watch->reasons |= reasons;
}

/* Mean power since the last reading of the meter. */
static void read_meter(struct sensors_watch *watch)
{
    const double seconds = now();
    double joules;
    struct shoal_error error;
    if (!watch->meter || seconds <= watch->seconds || energy_read(watch->meter, &joules, &error))
        return;
    add(&watch->summary.watts, (joules - watch->joules) / (seconds - watch->seconds));
    watch->joules = joules;
    watch->seconds = seconds;
}

static void read_all(struct sensors_watch *watch)
{
    if (watch->has_nvml) {
        read_nvml(watch);
        return;
    }
    add(&watch->summary.clock_hz, read_files(&watch->clock));
    add(&watch->summary.celsius, read_files(&watch->celsius));
    add(&watch->summary.watts, read_files(&watch->watts));
    read_meter(watch);
}

static void *watch_sensors(void *data)
{
    struct sensors_watch *watch = data;
    pthread_mutex_lock(&watch->lock);
    while (!watch->ends) {
        struct timespec until;
        read_all(watch);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* Watches ------------------------------------------------------------------------------------------------ */

static void open_gpu(const struct shoal_device_info *info, const char *sysfs, struct sensors_watch *watch,
                     struct shoal_error *error)
{
    char card[PATH / 2];
    snprintf(card, sizeof card, "%.100s/bus/pci/devices/%04x:%02x:%02x.%x/hwmon/hwmon*", sysfs,
             info->pci.domain, info->pci.bus, info->pci.device, info->pci.function);
    if (info->has_pci) {
        find_files(&watch->clock, 1, "%s/freq1_input", card);
        find_files(&watch->celsius, 1e-3, "%s/temp1_input", card);
        find_files(&watch->watts, 1e-6, "%s/power1_average", card);
        find_files(&watch->watts, 1e-6, "%s/power1_input", card);
    }
    if (!watch->clock.paths.gl_pathc && !watch->watts.paths.gl_pathc)
        watch->has_nvml = nvml_open(info, "the clock", &watch->nvml, error) == SHOAL_OK;
}

/* The temperature is that of the packages, by the drivers of Intel's and AMD's processors. */
static void open_processor(const char *sysfs, struct sensors_watch *watch, struct shoal_error *error)
{
    static const char *const drivers[] = {"coretemp", "k10temp", "zenpower"};
    find_files(&watch->clock, 1e3, "%.100s/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq", sysfs);
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        find_files(&watch->celsius, 1e-3, "%.100s/bus/*/drivers/%s/*/hwmon/hwmon*/temp1_input", sysfs,
                   drivers[i]);
    const struct shoal_device_info processor = {.id = "host", .is_cpu = true};
    struct shoal_error energy;
    if (energy_open(&processor, sysfs, &watch->meter, &energy)) {
        watch->meter = NULL;
        bench_fail(error, SHOAL_UNSUPPORTED,
                   "%.100s has no cpufreq and no temperature of coretemp, k10temp or zenpower, and %s", sysfs,
                   energy.message);
    }
    watch->seconds = now();
}

static void close_watch(struct sensors_watch *watch)
{
    struct files *const files[] = {&watch->clock, &watch->watts, &watch->celsius};
    for (size_t i = 0; i < 3; i++)
        globfree(&files[i]->paths);
    energy_close(&watch->meter);
    nvml_close(&watch->nvml);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}

enum shoal_status sensors_begin(const struct shoal_device_info *info, const char *sysfs,
                                struct sensors_watch **out, struct shoal_error *error)
{
    struct shoal_error reason = {0};
    struct sensors_watch *watch = calloc(1, sizeof *watch);
    *out = NULL;
    if (!watch)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the sensors");
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->changed, NULL);
    if (info->is_gpu)
        open_gpu(info, sysfs ? sysfs : "/sys", watch, &reason);
    else
        open_processor(sysfs ? sysfs : "/sys", watch, &reason);
    if (!watch->has_nvml && !watch->meter && !watch->clock.paths.gl_pathc && !watch->watts.paths.gl_pathc &&
        !watch->celsius.paths.gl_pathc) {
        close_watch(watch);
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s has no sensor that can be read: %s", info->id,
                          *reason.message ? reason.message : "the system has no file for it");
    }
    watch->has_thread = !pthread_create(&watch->thread, NULL, watch_sensors, watch);
    *out = watch;
    return SHOAL_OK;
}

/* Reasons of NVML's clocks; others are settings of the user, and idleness. */
static void name_reasons(unsigned long long reasons, char *text, size_t size)
{
    static const struct {
        unsigned long long bits;
        const char *name;
    } names[] = {{0x04 | 0x80, "power limit"}, {0x20 | 0x40, "temperature"}, {0x08, "hardware"}};
    *text = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (reasons & names[i].bits)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "", names[i].name);
}

void sensors_end(struct sensors_watch **watch, struct sensors_summary *summary)
{
    struct sensors_watch *old = *watch;
    *summary = (struct sensors_summary){0};
    if (!old)
        return;
    pthread_mutex_lock(&old->lock);
    old->ends = true;
    read_all(old);
    pthread_cond_signal(&old->changed);
    pthread_mutex_unlock(&old->lock);
    if (old->has_thread)
        pthread_join(old->thread, NULL);
    *summary = old->summary;
    name_reasons(old->reasons, summary->slowed, sizeof summary->slowed);
    close_watch(old);
    *watch = NULL;
}
