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

enum shoal_status bench_second_device(const struct bench *bench, struct shoal_device **second,
                                      struct shoal_error *error)
{
    const struct shoal_device_info *own = shoal_device_get_info(bench->device);
    struct shoal_device **devices = NULL;
    size_t count = 0, at = 0;
    enum shoal_status status = list_devices(bench, &devices, &count, error);
    if (status == SHOAL_OK) {
        while (at < count && devices[at] != bench->device)
            at++;
        *second = NULL;
        for (size_t i = 1; i < count && !*second; i++)
            if (is_of_kind(shoal_device_get_info(devices[(at + i) % count]), own))
                *second = devices[(at + i) % count];
        if (!*second)
            status = bench_fail(error, SHOAL_UNSUPPORTED, "needs a second device like %s (%s)", own->id,
                                own->name);
    }
    free(devices);
    return status;
}
