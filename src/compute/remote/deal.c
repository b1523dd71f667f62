/* Deals the devices of a host among its ranks. */
#include "compute/remote/ranks.h"

#include <stdlib.h>

/* The graphics cards, each once; where there are none, the first device. */
static void choose(const struct shoal *shoal, struct shoal_device **devices, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < shoal->device_count; i++)
        if (shoal->devices[i]->info.is_gpu && !shoal->devices[i]->info.alias_of)
            devices[(*count)++] = shoal->devices[i];
    if (!*count && shoal->device_count)
        devices[(*count)++] = shoal->devices[0];
}

static enum shoal_status select_all(const struct shoal *shoal, const char *selector,
                                    struct shoal_device ***out, size_t *count, struct shoal_error *error)
{
    size_t room = shoal->device_count;
    enum shoal_status status =
        *selector ? shoal_device_select(shoal, selector, 0, NULL, 0, &room, error) : SHOAL_OK;
    struct shoal_device **devices = status ? NULL : calloc(room + 1, sizeof *devices);
    if (!devices)
        return status ? status : fail_host_memory(error);
    if (*selector)
        status = shoal_device_select(shoal, selector, 0, devices, room, count, error);
    else
        choose(shoal, devices, count);
    *out = devices;
    return status;
}

/* With fewer devices than ranks, ranks share processors: a launcher binds each rank to cores of its own. */
enum shoal_status ranks_deal(const struct shoal *shoal, const char *selector, uint32_t index, uint32_t count,
                             struct shoal_device ***devices, size_t *found, struct shoal_error *error)
{
    size_t all = 0, taken = 0;
    *found = 0;
    enum shoal_status status = select_all(shoal, selector, devices, &all, error);
    bool are_processors = true;
    for (size_t i = 0; i < all && !status; i++)
        are_processors = are_processors && is_cpu_alone(&(*devices)[i]->info);
    if (!status && all < count && !are_processors)
        status = fail(error, SHOAL_NO_DEVICE,
                      "%zu devices for %u ranks of one host: start one rank a device there, or name more "
                      "devices",
                      all, count);
    const size_t step = all < count ? all : count;
    for (size_t i = status ? all : index % step; i < all; i += step)
        (*devices)[taken++] = (*devices)[i];
    *found = taken;
    return status;
}
