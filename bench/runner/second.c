#include "bench/runner/bench.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_kind(const struct shoal_device_info *info, const struct shoal_device_info *other)
{
    return strcmp(info->backend, other->backend) == 0 && strcmp(info->name, other->name) == 0;
}

/* The devices among which a device is looked for: the parts of its division, else all devices. *count: their
 * number. The caller frees them. */
static enum shoal_status list_devices(const struct bench *bench, struct shoal_device ***devices,
                                      size_t *count, struct shoal_error *error)
{
    const struct shoal_device_info *own = shoal_device_get_info(bench->device);
    char selector[256];
    const char *colon = own->part_of ? strrchr(own->id, ':') : NULL;
    snprintf(selector, sizeof selector, "%.*s", colon ? (int)(colon - own->id) : 3, colon ? own->id : "all");
    enum shoal_status status =
        shoal_device_select(bench->shoal, selector, SHOAL_SELECT_ALIASES, NULL, 0, count, error);
    *devices = status == SHOAL_OK ? calloc(*count + 1, sizeof **devices) : NULL;
    if (status == SHOAL_OK && !*devices)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    return status == SHOAL_OK ? shoal_device_select(bench->shoal, selector, SHOAL_SELECT_ALIASES, *devices,
                                                    *count, count, error)
                              : status;
}

enum shoal_status bench_devices_alike(const struct bench *bench, struct shoal_device ***devices,
                                      size_t *count, struct shoal_error *error)
{
    const struct shoal_device_info *own = shoal_device_get_info(bench->device);
    size_t all = 0;
    *count = 0;
    const enum shoal_status status = list_devices(bench, devices, &all, error);
    for (size_t i = 0; status == SHOAL_OK && i < all; i++)
        if (is_of_kind(shoal_device_get_info((*devices)[i]), own))
            (*devices)[(*count)++] = (*devices)[i];
    if (status == SHOAL_OK && *count < 2)
        return bench_fail(error, SHOAL_UNSUPPORTED, "needs a second device like %s (%s)", own->id, own->name);
    return status;
}

enum shoal_status bench_second_device(const struct bench *bench, struct shoal_device **second,
                                      struct shoal_error *error)
{
    struct shoal_device **devices = NULL;
    size_t count = 0, at = 0;
    const enum shoal_status status = bench_devices_alike(bench, &devices, &count, error);
    if (status == SHOAL_OK) {
        while (devices[at] != bench->device)
            at++;
        *second = devices[(at + 1) % count];
    }
    free((void *)devices);
    return status;
}
