/* Rank 0: opens an instance with the devices of all ranks. */
#include "base/params.h"
#include "compute/log.h"
#include "compute/remote/ranks.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *selector_of(const struct shoal_ranks *ranks, uint32_t rank, const char *selector)
{
    const char *own = rank ? ranks->peers[rank].selector : ranks->selector;
    return *own ? own : selector;
}

static const char *host_of(const struct shoal_ranks *ranks, uint32_t rank)
{
    return rank ? ranks->peers[rank].host : ranks->host;
}

/* Counts the ranks on the host of `rank` that have its selector. *index: position of `rank` among them. */
static uint32_t count_alike(const struct shoal_ranks *ranks, uint32_t rank, const char *selector,
                            uint32_t *index)
{
    uint32_t count = 0;
    for (uint32_t other = 0; other < ranks->transport.count; other++) {
        if (strcmp(host_of(ranks, other), host_of(ranks, rank)) != 0 ||
            strcmp(selector_of(ranks, other, selector), selector_of(ranks, rank, selector)) != 0)
            continue;
        if (other == rank)
            *index = count;
        count++;
    }
    return count;
}

/* Returns the deal that tells a rank which devices it gets. selector NULL: all devices. */
static struct deal deal_of(const struct shoal_ranks *ranks, uint32_t rank, const char *selector)
{
    struct deal deal = {.selector = "all", .count = 1};
    if (selector) {
        deal.selector = selector_of(ranks, rank, selector);
        deal.count = count_alike(ranks, rank, selector, &deal.index);
    }
    return deal;
}

static enum shoal_status ask(const struct shoal_ranks *ranks, uint32_t rank, const char *selector,
                             struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, rank, CHANNEL_OF_RANKS);
    const struct deal deal = deal_of(ranks, rank, selector);
    struct text message = {0};
    put_u32(&message, RANK_OPEN);
    put_string(&message, deal.selector);
    put_u32(&message, deal.index);
    put_u32(&message, deal.count);
    const enum shoal_status status = channel_send(&channel, &message, error);
    text_free(&message);
    return status;
}

static enum shoal_status keep(struct shoal_ranks *ranks, struct shoal_device *device,
                              struct shoal_error *error)
{
    struct shoal_device **devices =
        realloc(ranks->devices, (ranks->device_count + 1) * sizeof(struct shoal_device *));
    if (!devices)
        return fail_host_memory(error);
    ranks->devices = devices;
    devices[ranks->device_count++] = device;
    return SHOAL_OK;
}

/* Whether `info`, of a device of another rank, describes the card of a listed device. */
static bool is_card_of(const struct shoal_device *device, const struct shoal_ranks *ranks,
                       const struct shoal_device_info *info)
{
    const struct shoal_device_info *other = &device->info;
    return info->has_pci && other->has_pci && memcmp(&other->pci, &info->pci, sizeof info->pci) == 0 &&
           strcmp(*other->host ? other->host : ranks->host, info->host) == 0;
}

/* If the card is already listed as the device of another rank or driver on the same host, returns the id of
 * that device, otherwise NULL. */
static const char *find_alias(const struct shoal *shoal, const struct shoal_ranks *ranks,
                              const struct shoal_device_info *info)
{
    for (size_t i = 0; i < shoal->device_count; i++)
        if (!shoal->devices[i]->info.alias_of && is_card_of(shoal->devices[i], ranks, info))
            return shoal->devices[i]->info.id;
    return NULL;
}

static bool is_dealt(const struct shoal_ranks *ranks, const struct shoal_device *device)
{
    for (size_t i = 0; i < ranks->device_count; i++)
        if (ranks->devices[i] == device)
            return true;
    return false;
}

/* Returns the device of rank 0 by which rank 0 itself can use a card that was dealt to another rank of its
 * host, through the same backend; NULL: there is none, or it cannot be opened, of which a warning tells. A
 * card that rank 0 uses itself needs no messages, and its copies to and from the other cards of rank 0 are
 * those of one process. */
static struct shoal_device *find_own(const struct shoal *shoal, const struct shoal_ranks *ranks,
                                     const struct shoal_device_info *info)
{
    for (size_t i = 0; i < shoal->device_count; i++) {
        struct shoal_device *own = shoal->devices[i];
        struct shoal_error error;
        if (own->backend == &remote_backend || info->whole_units || !is_card_of(own, ranks, info) ||
            is_dealt(ranks, own) || strcmp(own->info.backend, info->backend) != 0)
            continue;
        if (!device_ready(own, &error))
            return own;
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "rank 0 cannot use %s, dealt to rank %u on %s, itself, and sends messages to its rank: %s",
                  own->info.id, info->rank, info->host, error.message);
        return NULL;
    }
    return NULL;
}

/* Makes a rank end the service of its device number `number`. */
static enum shoal_status end_service(const struct shoal_ranks *ranks, uint32_t rank, uint32_t number,
                                     struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, rank, CHANNEL_OF_DEVICES + number);
    struct text message = {0};
    put_u32(&message, DEVICE_CLOSE);
    const enum shoal_status status = channel_send(&channel, &message, error);
    text_free(&message);
    return status;
}

/* Makes a device of rank 0 a device of the run, in place of device number `number` of a rank. */
static enum shoal_status take_over(struct shoal_ranks *ranks, struct shoal *shoal, uint32_t rank,
                                   uint32_t number, struct shoal_device *own, struct shoal_error *error)
{
    const enum shoal_status status = end_service(ranks, rank, number, error);
    if (status)
        return status;
    shoal->watched = ranks;
    ranks->uses_others = true;
    shoal_log(shoal, SHOAL_LOG_INFO, "%s, dealt to rank %u on %s, is used by rank 0 without messages",
              own->info.id, rank, host_of(ranks, rank));
    return keep(ranks, own, error);
}

/* Adds device number `number` of a rank to the instance. */
static enum shoal_status add_remote(struct shoal_ranks *ranks, struct shoal *shoal, uint32_t rank,
                                    uint32_t number, const struct shoal_device_info *info,
                                    struct shoal_error *error)
{
    struct remote_device *remote;
    struct shoal_device *device;
    enum shoal_status status =
        remote_create(ranks_channel(ranks, rank, CHANNEL_OF_DEVICES + number), &remote, error);
    if (status)
        return status;
    const char *alias = find_alias(shoal, ranks, info);
    status = device_add(shoal, &remote_backend, NULL, info, remote, &device, error);
    if (status) {
        remote_destroy(remote);
        return status;
    }
    device->info.alias_of = alias;
    return keep(ranks, device, error);
}

/* all: the run has all devices of all ranks, each by its rank. */
static enum shoal_status add_device(struct shoal_ranks *ranks, struct shoal *shoal, uint32_t rank,
                                    uint32_t number, bool all, struct reader *in, struct shoal_error *error)
{
    struct shoal_device_info info;
    struct text id = {0};
    get_info(in, &info);
    text_printf(&id, "rank%u:%s", rank, info.id);
    info.id = id.data;
    info.host = ranks->peers[rank].host;
    info.rank = rank;
    enum shoal_status status = id.failed ? fail_host_memory(error) : SHOAL_OK;
    if (!status && in->failed)
        status = fail(error, SHOAL_FAILED, "the answer cannot be read");
    if (!status) {
        struct shoal_device *own = all ? NULL : find_own(shoal, ranks, &info);
        status = own ? take_over(ranks, shoal, rank, number, own, error)
                     : add_remote(ranks, shoal, rank, number, &info, error);
    }
    text_free(&id);
    return status;
}

/* Adds the devices of a rank. Since the rank serves its devices from its answer on, each device must be
 * added, or else closed by device_free or end_service. */
static enum shoal_status add_rank(struct shoal_ranks *ranks, struct shoal *shoal, uint32_t rank, bool all,
                                  struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, rank, CHANNEL_OF_RANKS);
    struct text message = {0};
    enum shoal_status status = channel_receive(&channel, &message, error);
    if (!status) {
        struct reader in = read_message(&message);
        status = get_status(&in, error);
        const uint32_t count = status ? 0 : get_u32(&in);
        for (uint32_t i = 0; i < count && !status; i++)
            status = add_device(ranks, shoal, rank, i, all, &in, error);
    }
    text_free(&message);
    if (status)
        error_prefix(error, "rank %u on %s: ", rank, host_of(ranks, rank));
    return status;
}

static enum shoal_status add_own(struct shoal_ranks *ranks, const struct shoal *shoal, const char *selector,
                                 struct shoal_error *error)
{
    const struct deal deal = deal_of(ranks, 0, selector);
    enum shoal_status status = ranks_deal(shoal, &deal, &ranks->devices, &ranks->device_count, error);
    if (status)
        error_prefix(error, "rank 0 on %s: ", ranks->host);
    return status;
}

/* Rank 0 has a thread for each device of a run. Threads on one core wait for each other: a thread that waits
 * for its device then delays the messages to all other devices. */
static void warn_of_cores(const struct shoal_ranks *ranks, const struct shoal *shoal)
{
    const int cores = omp_get_num_procs(); /* cores that the launcher has given to this process */
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < all && (size_t)cores < ranks->device_count)
        shoal_log(
            shoal, SHOAL_LOG_WARNING,
            "rank 0 may use %d of the %ld cores of %s, and drives %zu devices: give it more cores, with "
            "Open MPI by mpirun --bind-to none",
            cores, all, ranks->host, ranks->device_count);
}

enum shoal_status ranks_open_by(struct shoal_ranks *ranks, instance_opener opener,
                                const struct shoal_params *params, const char *selector, struct shoal **out,
                                struct shoal_error *error)
{
    struct shoal *shoal;
    *out = NULL;
    if (ranks->transport.rank || ranks->devices)
        return fail(error, SHOAL_INVALID, "shoal_ranks_open: %s",
                    ranks->transport.rank ? "only rank 0 opens devices, other ranks call shoal_ranks_serve"
                                          : "the ranks have an instance already");
    enum shoal_status status = opener(&shoal, params, error);
    if (status)
        return status;
    shoal->rank_host = ranks->host;
    ranks->lives.stop = shoal->stop;
    ranks->lives.stop_data = shoal->stop_data;
    status = add_own(ranks, shoal, selector, error);
    uint32_t asked = 1;
    for (; asked < ranks->transport.count && !status; asked++)
        status = ask(ranks, asked, selector, error);
    /* Each rank that was asked sends an answer, which must be received. */
    for (uint32_t rank = 1; rank < asked; rank++) {
        struct shoal_error own = {0};
        const enum shoal_status added = add_rank(ranks, shoal, rank, !selector, &own);
        if (added && !status && error)
            *error = own;
        status = status ? status : added;
    }
    if (status)
        shoal_close(&shoal);
    else
        warn_of_cores(ranks, shoal);
    *out = shoal;
    return status;
}

enum shoal_status shoal_ranks_open(struct shoal_ranks *ranks, const struct shoal_params *params,
                                   const char *selector, struct shoal **out, struct shoal_error *error)
{
    if (!NEED(error, ranks, out))
        return SHOAL_INVALID;
    return ranks_open_by(ranks, shoal_open, params, selector ? selector : "", out, error);
}

enum shoal_status shoal_ranks_open_all(struct shoal_ranks *ranks, const struct shoal_params *params,
                                       struct shoal **out, struct shoal_error *error)
{
    if (!NEED(error, ranks, out))
        return SHOAL_INVALID;
    return ranks_open_by(ranks, shoal_open, params, NULL, out, error);
}

size_t shoal_ranks_device_count(const struct shoal_ranks *ranks)
{
    return ranks ? ranks->device_count : 0;
}

struct shoal_device *shoal_ranks_device_at(const struct shoal_ranks *ranks, size_t index)
{
    return ranks && index < ranks->device_count ? ranks->devices[index] : NULL;
}
