/* Deals the devices of a host among the ranks on this host. */
#include "compute/device.h"
#include "compute/remote/ranks.h"

#include <stdlib.h>
#include <strings.h>

/* Lists all graphics cards, each once, or the first device if there are no cards. */
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

/* Removes the host device from the list, since it has no queues. Fails if a selector other than "all" names
 * it. */
static enum shoal_status drop_host(const char *selector, struct shoal_device **devices, size_t *count,
                                   struct shoal_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!devices[i]->info.is_host)
            devices[kept++] = devices[i];
    const bool is_named = kept < *count && *selector && strcasecmp(selector, "all") != 0;
    *count = kept;
    if (is_named)
        return fail(
            error, SHOAL_INVALID,
            "the host takes no part in a divided run: name other devices, such as gpu, cpu or their ids");
    return kept ? SHOAL_OK
                : fail(error, SHOAL_NO_DEVICE,
                       "there is no device but the host, which takes no part in a divided run");
}

/* If there are fewer devices than ranks, several ranks get the same CPU device: a launcher binds each rank to
 * cores of its own. */
enum shoal_status ranks_deal(const struct shoal *shoal, const struct deal *deal,
                             struct shoal_device ***devices, size_t *found, struct shoal_error *error)
{
    size_t all = 0, taken = 0;
    *found = 0;
    enum shoal_status status = select_all(shoal, deal->selector, devices, &all, error);
    if (!status)
        status = drop_host(deal->selector, *devices, &all, error);
    bool are_processors = true;
    for (size_t i = 0; i < all && !status; i++)
        are_processors = are_processors && is_cpu_alone(&(*devices)[i]->info);
    if (!status && all < deal->count && !are_processors)
        status = fail(error, SHOAL_NO_DEVICE,
                      "%zu devices for %u ranks of one host: start one rank a device there, or name more "
                      "devices",
                      all, deal->count);
    const size_t step = all < deal->count ? all : deal->count;
    for (size_t i = status ? all : deal->index % step; i < all; i += step)
        (*devices)[taken++] = (*devices)[i];
    *found = taken;
    return status;
}
