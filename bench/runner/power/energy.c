#include "bench/runner/power/energy.h"

#include "bench/runner/fail.h"
#include "bench/runner/power/nvml.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTERS = 16 };

/* A counter in microjoules: of a processor package, or of a card whose driver has one (hwmon). */
struct counter {
    char folder[400];
    const char *file;
    uint64_t last, range; /* the counter begins anew behind `range`; UINT64_MAX: only if its driver does */
};

struct energy_meter {
    struct nvml nvml;
    unsigned long long begin; /* of a GPU: energy at the begin, in millijoules */
    struct counter counters[MOST_COUNTERS];
    size_t count; /* number of counters; 0: NVML has the counter */
    double joules;
};

/* Counters in files -------------------------------------------------------------------------------------- */

/* Reads the first line of a file. After a failure errno has the reason. */
static bool read_line(const char *folder, const char *name, char *line, int size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    const bool has_line = file && fgets(line, size, file);
    const int reason = errno;
    if (file)
        fclose(file);
    errno = reason;
    return has_line;
}

static bool read_count(const char *folder, const char *name, uint64_t *count)
{
    char line[64];
    errno = 0;
    return read_line(folder, name, line, sizeof line) && sscanf(line, "%" SCNu64, count) == 1;
}

static enum shoal_status fail_read(const struct counter *counter, struct shoal_error *error)
{
    return bench_fail(error, SHOAL_UNSUPPORTED, "%s/%s: %s", counter->folder, counter->file,
                      errno ? strerror(errno) : "not a number");
}

/* Finds the domains "intel-rapl:N", also of AMD's processors, that are packages. Other domains are parts of a
 * package, or the board. */
static enum shoal_status open_packages(const char *folder, struct energy_meter *meter,
                                       struct shoal_error *error)
{
    static const char domain[] = "intel-rapl:", package_name[] = "package-";
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    enum shoal_status status = SHOAL_OK;
    while (entries && !status && meter->count < MOST_COUNTERS && (entry = readdir(entries))) {
        struct counter *package = &meter->counters[meter->count];
        char name[64];
        if (strncmp(entry->d_name, domain, strlen(domain)) != 0 ||
            strchr(entry->d_name + strlen(domain), ':'))
            continue;
        snprintf(package->folder, sizeof package->folder, "%.130s/%s", folder, entry->d_name);
        package->file = "energy_uj";
        if (!read_line(package->folder, "name", name, sizeof name) ||
            strncmp(name, package_name, strlen(package_name)) != 0)
            continue;
        meter->count++;
        if (!read_count(package->folder, package->file, &package->last) ||
            !read_count(package->folder, "max_energy_range_uj", &package->range))
            status = fail_read(package, error);
    }
    if (entries)
        closedir(entries);
    if (!status && !meter->count)
        status = bench_fail(error, SHOAL_UNSUPPORTED,
                            "the energy of this processor is not known: %s has no package of RAPL", folder);
    return status;
}

static enum shoal_status read_counters(struct energy_meter *meter, struct shoal_error *error)
{
    for (size_t i = 0; i < meter->count; i++) {
        struct counter *counter = &meter->counters[i];
        uint64_t now;
        if (!read_count(counter->folder, counter->file, &now))
            return fail_read(counter, error);
        if (now < counter->last && counter->range == UINT64_MAX)
            return bench_fail(error, SHOAL_FAILED, "%s/%s: the counter began anew", counter->folder,
                              counter->file);
        const uint64_t taken =
            now >= counter->last ? now - counter->last : counter->range - counter->last + now;
        meter->joules += 1e-6 * (double)taken;
        counter->last = now;
    }
    return SHOAL_OK;
}

/* GPUs ------------------------------------------------------------------------------------------------- */

/* Finds the counter of a card whose driver has one among the files of the kernel. */
static bool open_card(const struct shoal_device_info *info, const char *sysfs, struct energy_meter *meter)
{
    static const char file[] = "energy1_input";
    char pattern[256];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%.130s/bus/pci/devices/%04x:%02x:%02x.%x/hwmon/hwmon*/%s", sysfs,
             info->pci.domain, info->pci.bus, info->pci.device, info->pci.function, file);
    if (info->has_pci && glob(pattern, 0, NULL, &found) == 0) {
        struct counter *counter = &meter->counters[0];
        const size_t length = strlen(found.gl_pathv[0]) - sizeof file; /* without '/' and the file */
        snprintf(counter->folder, sizeof counter->folder, "%.*s", (int)length, found.gl_pathv[0]);
        counter->file = file;
        counter->range = UINT64_MAX;
        meter->count = read_count(counter->folder, counter->file, &counter->last);
    }
    globfree(&found);
    return meter->count;
}

static enum shoal_status open_gpu(const struct shoal_device_info *info, const char *sysfs,
                                  struct energy_meter *meter, struct shoal_error *error)
{
    char what[96];
    if (open_card(info, sysfs, meter))
        return SHOAL_OK;
    snprintf(what, sizeof what, "the energy of %.60s", info->id);
    enum shoal_status status = nvml_open(info, what, &meter->nvml, error);
    if (status)
        return status;
    const int code = meter->nvml.nvmlDeviceGetTotalEnergyConsumption(meter->nvml.device, &meter->begin);
    return code ? bench_fail(error, SHOAL_UNSUPPORTED, "%s is not known: NVML's error %d", what, code)
                : SHOAL_OK;
}

/* Meters ----------------------------------------------------------------------------------------------- */

enum shoal_status energy_open(const struct shoal_device_info *info, const char *sysfs,
                              struct energy_meter **out, struct shoal_error *error)
{
    struct energy_meter *meter = calloc(1, sizeof *meter);
    if (!meter)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the meter");
    char powercap[160];
    sysfs = sysfs ? sysfs : "/sys";
    snprintf(powercap, sizeof powercap, "%.130s/class/powercap", sysfs);
    enum shoal_status status =
        info->is_gpu ? open_gpu(info, sysfs, meter, error) : open_packages(powercap, meter, error);
    if (status)
        energy_close(&meter);
    *out = meter;
    return status;
}

enum shoal_status energy_read(struct energy_meter *meter, double *joules, struct shoal_error *error)
{
    unsigned long long now = 0;
    if (meter->count) {
        enum shoal_status status = read_counters(meter, error);
        *joules = meter->joules;
        return status;
    }
    const int code = meter->nvml.nvmlDeviceGetTotalEnergyConsumption(meter->nvml.device, &now);
    *joules = 1e-3 * (double)(now - meter->begin);
    return code ? bench_fail(error, SHOAL_FAILED, "the energy of the GPU: NVML's error %d", code) : SHOAL_OK;
}

void energy_close(struct energy_meter **meter)
{
    struct energy_meter *old = *meter;
    if (!old)
        return;
    nvml_close(&old->nvml);
    free(old);
    *meter = NULL;
}
