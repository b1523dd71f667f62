#include "base/params.h"
#include "compute/backend.h"
#include "compute/device.h"
#include "compute/parts.h"
#include "compute/program/cache.h"
#include "compute/tune.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void shoal_params_init(struct shoal_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_params){.size = sizeof *params, .log_level = SHOAL_LOG_WARNING};
}

enum shoal_status backend_note(struct shoal *shoal, const char *name, bool available, const char *note,
                               struct shoal_error *error)
{
    struct shoal_backend_info *notes = realloc(shoal->notes, (shoal->note_count + 1) * sizeof *notes);
    if (!notes)
        return fail_host_memory(error);
    shoal->notes = notes;
    struct shoal_backend_info *row = &notes[shoal->note_count];
    *row = (struct shoal_backend_info){.available = available};
    row->name = strdup(name);
    char *copy = text_trimmed_copy(note);
    if (copy)
        text_clean(copy, "");
    row->note = copy;
    shoal->note_count++;
    return row->name && row->note ? SHOAL_OK : fail_host_memory(error);
}

size_t shoal_backend_count(const struct shoal *shoal)
{
    return shoal ? shoal->note_count : 0;
}

const struct shoal_backend_info *shoal_backend_at(const struct shoal *shoal, size_t index)
{
    return shoal && index < shoal->note_count ? &shoal->notes[index] : NULL;
}

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The first "model name" in /proc/cpuinfo or, if there is none, the machine type. */
static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            snprintf(name, size, "%s", colon + 1);
            break;
        }
    }
    fclose(file);
}

static enum shoal_status add_host_device(struct shoal *shoal, struct shoal_error *error)
{
    char name[256];
    processor_name(name, sizeof name);
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    uint32_t threads = (uint32_t)omp_get_max_threads();
    char version[64];
    snprintf(version, sizeof version, "shoal %s", shoal_version());
    struct shoal_device_info info = {.backend = "host",
                                     .name = name,
                                     .vendor = "shoal",
                                     .platform = "OpenMP",
                                     .driver = version,
                                     .compiler = COMPILER,
                                     .memory = memory,
                                     .max_allocation = memory,
                                     .units = threads,
                                     .max_work_group = 1,
                                     .simd_width = 1,
                                     .fp64 = true,
                                     .is_cpu = true,
                                     .is_host = true};
    enum shoal_status status = device_add(shoal, NULL, NULL, &info, NULL, NULL, error);
    if (status)
        return status;
    char note[96];
    snprintf(note, sizeof note, "double-precision C reference, %u threads, %s", threads, COMPILER);
    return backend_note(shoal, "host", true, note, error);
}

static bool same_card(const struct shoal_device_info *a, const struct shoal_device_info *b)
{
    return a->has_pci && b->has_pci && memcmp(&a->pci, &b->pci, sizeof a->pci) == 0;
}

/* A graphics card that several backends list: makes the later devices aliases of the first one. CUDA devices
 * come before OpenCL devices. */
static void find_aliases(struct shoal *shoal)
{
    for (size_t i = 0; i < shoal->device_count; i++)
        for (size_t j = 0; j < i; j++) {
            struct shoal_device_info *first = &shoal->devices[j]->info;
            if (!first->alias_of && same_card(first, &shoal->devices[i]->info)) {
                shoal->devices[i]->info.alias_of = first->id;
                break;
            }
        }
}

/* Copies the value of an environment variable. If it is not set or empty, *copy does not change. False: there
 * is no memory. */
static bool copy_setting(char **copy, const char *value)
{
    if (!value || !*value)
        return true;
    *copy = strdup(value);
    return *copy != NULL;
}

/* Takes the kernel folder from the caller or from SHOAL_KERNEL_DIR. A folder that does not exist is an error:
 * otherwise a wrong path would silently give the built-in kernels. */
static enum shoal_status take_kernel_folder(struct shoal *shoal, const char *given, struct shoal_error *error)
{
    const char *path = given ? given : getenv("SHOAL_KERNEL_DIR");
    struct stat about;
    if (!path || !*path)
        return SHOAL_OK;
    const char *from = given ? "" : "SHOAL_KERNEL_DIR: ";
    if (stat(path, &about) != 0)
        return fail_call(error, SHOAL_INVALID, "stat", errno, "%s%s: there is no such folder of kernels: %s",
                         from, path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return fail(error, SHOAL_INVALID, "%s%s: is no folder: give one that holds kernels", from, path);
    if (access(path, X_OK) != 0)
        return fail_call(error, SHOAL_INVALID, "access", errno,
                         "%s%s: the folder of kernels cannot be read: %s", from, path, strerror(errno));
    return copy_setting(&shoal->kernel_dir, path) ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status shoal_open_with(struct shoal **out, const struct shoal_params *wanted,
                                  const struct backend *const *backends, size_t count,
                                  struct shoal_error *error)
{
    if (!NEED_OF(error, "shoal_open", out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_params params;
    shoal_params_init(&params);
    enum shoal_status status =
        wanted ? params_take("shoal_open", wanted, "shoal_params_init", &params, sizeof params, error)
               : SHOAL_OK;
    if (status)
        return status;
    struct shoal *shoal = calloc(1, sizeof *shoal);
    if (!shoal)
        return fail_host_memory(error);
    pthread_mutex_init(&shoal->lock, NULL);
    atomic_init(&shoal->cache_warned, false);
    atomic_init(&shoal->serial, 0);
    shoal->log = params.log;
    shoal->log_data = params.log_data;
    shoal->log_level = params.log_level;
    shoal->stop = params.stop;
    shoal->stop_data = params.stop_data;
    shoal->sync = params.sync;
    shoal->strict_fp = params.strict_fp;
    shoal->cache_dir = params.no_cache ? NULL : cache_default_dir(params.cache_dir);
    shoal->tuning = calloc(1, sizeof *shoal->tuning);
    if (!shoal->tuning || !copy_setting(&shoal->compiler, getenv("CC")) ||
        !copy_setting(&shoal->temporary_dir, getenv("TMPDIR"))) {
        status = fail_host_memory(error);
        goto fail;
    }
    status = take_kernel_folder(shoal, params.kernel_dir, error);
    if (status)
        goto fail;
    tuning_load(shoal);
    for (size_t i = 0; i < count && !params.host_only; i++) {
        shoal->backends[i] = backends[i];
        status = backends[i]->open(shoal, &shoal->backend_state[i], error);
        shoal->backend_count = i + 1;
        if (status)
            goto fail;
    }
    status = add_host_device(shoal, error);
    if (status)
        goto fail;
    find_aliases(shoal);
    *out = shoal;
    error_reset(error);
    return SHOAL_OK;
fail:
    shoal_close(&shoal);
    return status;
}

enum shoal_status shoal_open(struct shoal **out, const struct shoal_params *params, struct shoal_error *error)
{
    /* A card that both backends list is a device of the first one. */
    static const struct backend *const backends[] = {&cuda_backend, &opencl_backend};
    return shoal_open_with(out, params, backends, sizeof backends / sizeof *backends, error);
}

void shoal_close(struct shoal **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal *shoal = *pointer;
    *pointer = NULL;
    if (atomic_load(&shoal->hung))
        return;
    for (size_t i = shoal->wrapped_count; i-- > 0;)
        device_free(shoal->wrapped[i]);
    divisions_free(shoal);
    for (size_t i = shoal->device_count; i-- > 0;)
        device_free(shoal->devices[i]);
    for (size_t i = shoal->backend_count; i-- > 0;)
        if (shoal->backends[i]->close)
            shoal->backends[i]->close(shoal, shoal->backend_state[i]);
    for (size_t i = 0; i < shoal->note_count; i++) {
        free((char *)shoal->notes[i].name);
        free((char *)shoal->notes[i].note);
    }
    if (shoal->tuning)
        tuning_free(shoal->tuning);
    free(shoal->tuning);
    free(shoal->wrapped);
    free(shoal->devices);
    free(shoal->notes);
    free(shoal->kernel_dir);
    free(shoal->cache_dir);
    free(shoal->compiler);
    free(shoal->temporary_dir);
    pthread_mutex_destroy(&shoal->lock);
    free(shoal);
}

struct shoal_device *instance_host_device(const struct shoal *shoal)
{
    size_t i = 0;
    while (!shoal->devices[i]->info.is_host)
        i++;
    return shoal->devices[i];
}

bool instance_is_hung(const struct shoal *shoal)
{
    return atomic_load(&shoal->hung);
}

void instance_set_hung(struct shoal *shoal)
{
    atomic_store(&shoal->hung, true);
}
