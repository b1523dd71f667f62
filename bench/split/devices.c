/* The devices that share the runs of bench cases. */
#include "bench/split/split.h"

#include <stdlib.h>

enum shoal_status split_devices(const struct bench *bench, struct shoal_device ***devices, size_t *count,
                                struct shoal_error *error)
{
    const enum shoal_status status = bench_devices_alike(bench, devices, count, error);
    if (status != SHOAL_OK || (*devices)[0] == bench->device)
        return status;
    return bench_fail(error, SHOAL_UNSUPPORTED, "measured with %s, the first of %zu such devices",
                      shoal_device_get_info((*devices)[0])->id, *count);
}

/* Selects devices behind `first`; NULL: there is no other device before. */
static enum shoal_status select_devices(const struct bench *bench, const char *selector,
                                        struct shoal_device *first, struct shoal_device ***devices,
                                        size_t *count, struct shoal_error *error)
{
    const size_t before = first != NULL;
    size_t selected = 0;
    *count = 0;
    enum shoal_status status = shoal_device_select(bench->shoal, selector, 0, NULL, 0, &selected, error);
    if (status == SHOAL_NO_DEVICE)
        return bench_fail(error, SHOAL_UNSUPPORTED, "there are no devices '%s'", selector);
    *devices = status == SHOAL_OK ? calloc(before + selected, sizeof **devices) : NULL;
    if (status == SHOAL_OK && !*devices)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    if (status == SHOAL_OK)
        status =
            shoal_device_select(bench->shoal, selector, 0, *devices + before, selected, &selected, error);
    if (status != SHOAL_OK)
        return status;
    if (first)
        **devices = first;
    *count = before + selected;
    return SHOAL_OK;
}

enum shoal_status split_beside_processors(const struct bench *bench, struct shoal_device ***devices,
                                          size_t *count, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    if (info->is_cpu && !info->is_gpu)
        return bench_fail(error, SHOAL_UNSUPPORTED, "needs a graphics card, beside which processors work");
    return select_devices(bench, "cpu", bench->device, devices, count, error);
}

enum shoal_status split_unequal_parts(const struct bench *bench, struct shoal_device ***devices,
                                      size_t *count, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    const uint32_t small = info->units / 4 ? info->units / 4 : 1;
    char selector[80];
    if (!info->is_cpu || info->part_of || info->units < 2)
        return bench_fail(error, SHOAL_UNSUPPORTED, "needs a processor of two compute units or more");
    snprintf(selector, sizeof selector, "%s/%u+%u", info->id, info->units - small, small);
    return select_devices(bench, selector, NULL, devices, count, error);
}
