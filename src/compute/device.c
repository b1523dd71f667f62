#include "compute/device.h"
#include "compute/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t shoal_device_count(const struct shoal *shoal)
{
    return shoal ? shoal->device_count : 0;
}

struct shoal_device *shoal_device_at(const struct shoal *shoal, size_t index)
{
    return shoal && index < shoal->device_count ? shoal->devices[index] : NULL;
}

const struct shoal_device_info *shoal_device_get_info(const struct shoal_device *device)
{
    return device ? &device->info : NULL;
}

/* The string number `index` of the info that the device owns; NULL: there are no more. alias_of and part_of
 * point to strings of other devices. */
static const char **owned_string(struct shoal_device_info *info, size_t index)
{
    const char **strings[] = {&info->id,       &info->backend, &info->name,     &info->vendor,
                              &info->platform, &info->driver,  &info->compiler, &info->host};
    return index < sizeof strings / sizeof *strings ? strings[index] : NULL;
}

void device_free(struct shoal_device *device)
{
    if (!device)
        return;
    if (device->backend)
        device->backend->device_close(device);
    for (size_t i = 0; owned_string(&device->info, i); i++)
        free((char *)*owned_string(&device->info, i));
    free(device);
}

/* Copies the strings of the device's info, and appends the device to a list. After a failure the device is
 * freed, but not `native`. */
static enum shoal_status device_append(struct shoal_device ***list, size_t *count,
                                       struct shoal_device *device, void *native, struct shoal_error *error)
{
    bool copied = true;
    for (size_t i = 0; owned_string(&device->info, i); i++) {
        const char **string = owned_string(&device->info, i);
        char *copy = text_trimmed_copy(*string ? *string : "");
        if (copy)
            text_clean(copy, "");
        *string = copy;
        copied = copied && copy;
    }
    struct shoal_device **devices = realloc(*list, (*count + 1) * sizeof *devices);
    if (devices)
        *list = devices;
    if (!devices || !copied) {
        device->backend = NULL;
        device_free(device);
        return fail_host_memory(error);
    }
    device->native = native;
    devices[(*count)++] = device;
    return SHOAL_OK;
}

enum shoal_status device_add(struct shoal *shoal, const struct backend *backend, void *backend_state,
                             const struct shoal_device_info *info, void *native, struct shoal_device **out,
                             struct shoal_error *error)
{
    size_t number = 0;
    for (size_t i = 0; i < shoal->device_count; i++)
        number += shoal->devices[i]->backend == backend;
    char id[256];
    if (info->id)
        snprintf(id, sizeof id, "%s", info->id);
    else if (backend)
        snprintf(id, sizeof id, "%s:%zu", backend->name, number);
    else
        snprintf(id, sizeof id, "%s", info->backend);
    struct shoal_device *device = calloc(1, sizeof *device);
    if (!device)
        return fail_host_memory(error);
    *device = (struct shoal_device){
        .shoal = shoal, .backend = backend, .backend_state = backend_state, .info = *info};
    device->info.id = id;
    device->info.alias_of = NULL;
    enum shoal_status status = device_append(&shoal->devices, &shoal->device_count, device, native, error);
    if (!status && out)
        *out = device;
    return status;
}

enum shoal_status device_add_wrapped(struct shoal_device *device, void *native, struct shoal_device **out,
                                     struct shoal_error *error)
{
    struct shoal *shoal = device->shoal;
    struct shoal_device *copy = calloc(1, sizeof *copy);
    if (!copy)
        return fail_host_memory(error);
    *copy = (struct shoal_device){.shoal = shoal,
                                  .backend = device->backend,
                                  .backend_state = device->backend_state,
                                  .info = device->info,
                                  .opened = true};
    enum shoal_status status = device_append(&shoal->wrapped, &shoal->wrapped_count, copy, native, error);
    if (!status)
        *out = copy;
    return status;
}

enum shoal_status device_add_part(struct division *division, const struct shoal_device_info *info,
                                  void *native, struct shoal_error *error)
{
    struct shoal_device *whole = division->whole, *part = calloc(1, sizeof *part);
    struct text id = {0};
    text_printf(&id, "%s/%s:%zu", whole->info.id, division->word, division->count);
    if (!part || id.failed) {
        free(part);
        text_free(&id);
        return fail_host_memory(error);
    }
    *part = (struct shoal_device){.shoal = whole->shoal,
                                  .backend = whole->backend,
                                  .backend_state = whole->backend_state,
                                  .info = *info,
                                  .whole = whole,
                                  .opened = true};
    part->info.id = id.data;
    part->info.part_of = whole->info.id;
    part->info.whole_units = whole->info.units;
    part->info.alias_of = NULL;
    const enum shoal_status status = device_append(&division->parts, &division->count, part, native, error);
    text_free(&id);
    return status;
}

static enum shoal_status fail_lost(const struct shoal_device *device, struct shoal_error *error)
{
    return fail(error, SHOAL_DEVICE_LOST, "%s (%s) was lost earlier: start the program again",
                device->info.id, device->info.name);
}

enum shoal_status device_ready(struct shoal_device *device, struct shoal_error *error)
{
    if (!device->backend)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s runs solvers as plain C: it has no queues, buffers or kernels", device->info.id);
    if (atomic_load_explicit(&device->lost, memory_order_relaxed))
        return fail_lost(device, error);
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&device->shoal->lock);
    if (!device->opened) {
        status = device->backend->device_open(device, error);
        device->opened = status == SHOAL_OK;
    }
    pthread_mutex_unlock(&device->shoal->lock);
    return status;
}

enum shoal_status device_lost(struct shoal_device *device, struct shoal_error *error, const char *call,
                              int native, const char *format, ...)
{
    char reason[512];
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    atomic_store(&device->lost, true);
    return fail_call(error, SHOAL_DEVICE_LOST, call, native, "%s (%s) is lost: %s", device->info.id,
                     device->info.name, reason);
}

bool device_is_lost(const struct shoal_device *device)
{
    return atomic_load(&device->lost);
}

const struct shoal_device *device_whole(const struct shoal_device *device)
{
    return device->whole ? device->whole : device;
}

bool device_are_of_one_host(const struct shoal_device *one, const struct shoal_device *two)
{
    const char *own = one->shoal->rank_host ? one->shoal->rank_host : "";
    return strcmp(*one->info.host ? one->info.host : own, *two->info.host ? two->info.host : own) == 0;
}

struct shoal *device_shoal(const struct shoal_device *device)
{
    return device->shoal;
}
