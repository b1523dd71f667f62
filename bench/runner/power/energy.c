#include "bench/runner/power/energy.h"

#include "bench/runner/fail.h"
#include "bench/runner/power/nvml.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PACKAGES = 16 };

/* A processor package, with its counter in microjoules. */
struct package {
    char path[400]; /* path of the folder of the counter */
    uint64_t last, range;
};

struct energy_meter {
    struct nvml nvml;
    unsigned long long begin; /* of a GPU: energy at the begin, in millijoules */
    struct package packages[MOST_PACKAGES];
    size_t count; /* number of packages; 0: the device is a GPU */
    double joules;
};

/* GPUs ------------------------------------------------------------------------------------------------- */

static enum shoal_status open_gpu(const struct shoal_device_info *info, struct energy_meter *meter,
                                  struct shoal_error *error)
{
    char what[96];
    snprintf(what, sizeof what, "the energy of %.60s", info->id);
    enum shoal_status status = nvml_open(info, what, &meter->nvml, error);
    if (status)
        return status;
    const int code = meter->nvml.nvmlDeviceGetTotalEnergyConsumption(meter->nvml.device, &meter->begin);
    return code ? bench_fail(error, SHOAL_UNSUPPORTED, "%s is not known: NVML's error %d", what, code)
                : SHOAL_OK;
}

/* Processors ------------------------------------------------------------------------------------------- */

/* Reads the first line of a file of a package. After a failure errno has the reason. */
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

static enum shoal_status fail_read(const struct package *package, struct shoal_error *error)
{
    return bench_fail(error, SHOAL_UNSUPPORTED, "%s/energy_uj: %s", package->path,
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
    while (entries && !status && meter->count < MOST_PACKAGES && (entry = readdir(entries))) {
        struct package *package = &meter->packages[meter->count];
        char name[64];
        if (strncmp(entry->d_name, domain, strlen(domain)) != 0 ||
            strchr(entry->d_name + strlen(domain), ':'))
            continue;
        snprintf(package->path, sizeof package->path, "%.130s/%s", folder, entry->d_name);
        if (!read_line(package->path, "name", name, sizeof name) ||
            strncmp(name, package_name, strlen(package_name)) != 0)
            continue;
        meter->count++;
        if (!read_count(package->path, "energy_uj", &package->last) ||
            !read_count(package->path, "max_energy_range_uj", &package->range))
            status = fail_read(package, error);
    }
    if (entries)
        closedir(entries);
    if (!status && !meter->count)
        status = bench_fail(error, SHOAL_UNSUPPORTED,
                            "the energy of this processor is not known: %s has no package of RAPL", folder);
    return status;
}

static enum shoal_status read_packages(struct energy_meter *meter, struct shoal_error *error)
{
    for (size_t i = 0; i < meter->count; i++) {
        struct package *package = &meter->packages[i];
        uint64_t now;
        if (!read_count(package->path, "energy_uj", &now))
            return fail_read(package, error);
        const uint64_t taken =
            now >= package->last ? now - package->last : package->range - package->last + now;
        meter->joules += 1e-6 * (double)taken;
        package->last = now;
    }
    return SHOAL_OK;
}

/* Meters ----------------------------------------------------------------------------------------------- */

enum shoal_status energy_open(const struct shoal_device_info *info, const char *powercap,
                              struct energy_meter **out, struct shoal_error *error)
{
    struct energy_meter *meter = calloc(1, sizeof *meter);
    if (!meter)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the meter");
    enum shoal_status status = info->is_gpu
                                   ? open_gpu(info, meter, error)
                                   : open_packages(powercap ? powercap : "/sys/class/powercap", meter, error);
    if (status)
        energy_close(&meter);
    *out = meter;
    return status;
}

enum shoal_status energy_read(struct energy_meter *meter, double *joules, struct shoal_error *error)
{
    unsigned long long now = 0;
    if (meter->count) {
        enum shoal_status status = read_packages(meter, error);
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
