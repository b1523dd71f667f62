/* Ranks other than 0: serve their devices, with a thread for each device. */
#include "base/params.h"
#include "compute/remote/ranks.h"
#include "compute/remote/server.h"

#include <stdlib.h>
#include <string.h>

struct service {
    struct channel channel;
    struct shoal_device *device;
    pthread_t thread;
    bool has_thread;
};

/* The devices of this rank, when rank 0 has asked for them. */
struct served {
    struct shoal *shoal;
    struct shoal_device **devices;
    struct service *services;
    size_t count;
};

/* Thread that serves a device. A failure of messages is not reported here, but by the thread that waits for
 * requests to the rank. */
static void *serve_device(void *data)
{
    struct service *service = data;
    const enum shoal_status status = remote_serve(&service->channel, service->device, NULL);
    return (void *)(uintptr_t)status;
}

static enum shoal_status start(struct shoal_ranks *ranks, struct served *served, struct shoal_error *error)
{
    served->services = calloc(served->count + 1, sizeof *served->services);
    if (!served->services)
        return fail_host_memory(error);
    for (size_t i = 0; i < served->count; i++) {
        struct service *service = &served->services[i];
        service->channel = ranks_channel(ranks, 0, CHANNEL_OF_DEVICES + (uint32_t)i);
        service->device = served->devices[i];
        if (pthread_create(&service->thread, NULL, serve_device, service))
            return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "the host has no thread for a device");
        service->has_thread = true;
    }
    return SHOAL_OK;
}

/* Opens the instance and the devices of this rank, as asked for in the request `in`. The instance needs no
 * cache, since rank 0 keeps compiled programs. */
static enum shoal_status open_served(instance_opener opener, const struct shoal_params *params,
                                     struct reader *in, struct served *served, struct shoal_error *error)
{
    struct deal deal = {.selector = get_string(in)};
    deal.index = get_u32(in);
    deal.count = get_u32(in);
    struct shoal_params own;
    shoal_params_init(&own);
    enum shoal_status status =
        in->failed ? fail(error, SHOAL_FAILED, "the request of rank 0 cannot be read") : SHOAL_OK;
    if (params)
        own = *params;
    own.no_cache = true;
    if (!status)
        status = opener(&served->shoal, &own, error);
    if (!status)
        status = ranks_deal(served->shoal, &deal, &served->devices, &served->count, error);
    return status;
}

static enum shoal_status answer(const struct channel *channel, const struct served *served,
                                enum shoal_status status, const struct shoal_error *reason,
                                struct shoal_error *error)
{
    struct text message = {0};
    put_status(&message, status, reason);
    put_u32(&message, (uint32_t)served->count);
    for (size_t i = 0; i < served->count; i++)
        put_info(&message, &served->devices[i]->info);
    const enum shoal_status sent = channel_send(channel, &message, error);
    text_free(&message);
    return sent;
}

/* Waits for the end of each service, which ends when rank 0 closes its device. */
static void end_services(struct served *served)
{
    for (size_t i = 0; served->services && i < served->count; i++)
        if (served->services[i].has_thread)
            pthread_join(served->services[i].thread, NULL);
    free(served->services);
    free(served->devices);
    shoal_close(&served->shoal);
    *served = (struct served){NULL, NULL, NULL, 0};
}

enum shoal_status ranks_serve_by(struct shoal_ranks *ranks, instance_opener opener,
                                 const struct shoal_params *params, int *code, struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, 0, CHANNEL_OF_RANKS);
    struct served served = {NULL, NULL, NULL, 0};
    struct text message = {0};
    bool ends = false;
    *code = 0;
    if (!ranks->transport.rank)
        return fail(error, SHOAL_INVALID, "shoal_ranks_serve: rank 0 serves no devices, it makes the run");
    enum shoal_status status = SHOAL_OK;
    while (!status && !ends) {
        status = channel_receive(&channel, &message, error);
        if (status)
            break;
        struct reader in = read_message(&message);
        ends = get_u32(&in) != RANK_OPEN;
        if (ends) {
            *code = (int)get_u32(&in);
        } else {
            struct shoal_error reason = {0};
            end_services(&served);
            enum shoal_status opened = open_served(opener, params, &in, &served, &reason);
            if (!opened)
                opened = start(ranks, &served, &reason);
            status = answer(&channel, &served, opened, &reason, error);
        }
    }
    life_give_up(&ranks->lives.list[0]); /* rank 0 sends no further requests */
    end_services(&served);
    text_free(&message);
    return status;
}

enum shoal_status shoal_ranks_serve(struct shoal_ranks *ranks, const struct shoal_params *params, int *code,
                                    struct shoal_error *error)
{
    struct shoal_params own;
    if (!NEED(error, ranks, code))
        return SHOAL_INVALID;
    shoal_params_init(&own);
    const enum shoal_status status = params ? PARAMS_TAKE(params, shoal_params_init, &own, error) : SHOAL_OK;
    return status ? status : ranks_serve_by(ranks, shoal_open, &own, code, error);
}
