/* Joins the ranks: each rank sends its properties to rank 0, which compares them with its own. */
#include "base/clock.h"
#include "base/params.h"
#include "compute/device.h"
#include "compute/remote/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The beginning of the first message of a rank, which every version can read. */
static const char mark[8] = "shoalRNK";
static const uint32_t byte_order = 0x01020304;

void shoal_ranks_params_init(struct shoal_ranks_params *params)
{
    if (params)
        *params = (struct shoal_ranks_params){.size = sizeof *params};
}

static enum shoal_status introduce(struct shoal_ranks *ranks, struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, 0, CHANNEL_OF_RANKS);
    struct text message = {0};
    text_append(&message, mark, sizeof mark);
    put_u32(&message, byte_order);
    put_u32(&message, WIRE_VERSION);
    put_string(&message, shoal_version());
    put_string(&message, ranks->host);
    put_string(&message, ranks->selector);
    put_string(&message, ranks->same);
    const enum shoal_status status = channel_send(&channel, &message, error);
    text_free(&message);
    return status;
}

/* Index of the first word in which two texts differ. */
static int differ_at(const char *own, const char *other)
{
    size_t at = 0;
    while (own[at] && own[at] == other[at])
        at++;
    while (at && own[at - 1] != ' ' && own[at - 1] != '\n')
        at--;
    return (int)at;
}

static enum shoal_status compare(const struct shoal_ranks *ranks, uint32_t rank, struct reader *in,
                                 struct shoal_error *error)
{
    struct peer *peer = &ranks->peers[rank];
    const char *version = get_string(in), *host = get_string(in), *selector = get_string(in),
               *same = get_string(in);
    peer->host = strdup(host);
    if (peer->host)
        ranks->lives.list[rank].host = peer->host;
    peer->selector = strdup(selector);
    if (!peer->host || !peer->selector)
        return fail_host_memory(error);
    if (in->failed)
        return fail(error, SHOAL_INVALID, "rank %u: its first message cannot be read", rank);
    if (strcmp(version, shoal_version()) != 0)
        return fail(error, SHOAL_INVALID, "rank %u on %s is shoal %s, rank 0 on %s is shoal %s", rank, host,
                    version, ranks->host, shoal_version());
    const int at = differ_at(ranks->same, same);
    if (strcmp(same, ranks->same) != 0)
        return fail(error, SHOAL_INVALID,
                    "rank %u on %s was started with other options than rank 0 on %s: '%.100s' in place of "
                    "'%.100s'",
                    rank, host, ranks->host, same + at, ranks->same + at);
    return SHOAL_OK;
}

static enum shoal_status meet(const struct shoal_ranks *ranks, uint32_t rank, struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, rank, CHANNEL_OF_RANKS);
    struct text message = {0};
    enum shoal_status status = channel_receive(&channel, &message, error);
    if (!status) {
        struct reader in = read_message(&message);
        const bool is_known = message.length > sizeof mark && memcmp(in.at, mark, sizeof mark) == 0;
        in.at += is_known ? sizeof mark : 0;
        if (!is_known || get_u32(&in) != byte_order || get_u32(&in) != WIRE_VERSION)
            status = fail(error, SHOAL_INVALID,
                          "rank %u is another version of shoal, or on a machine of another kind", rank);
        else
            status = compare(ranks, rank, &in, error);
    }
    text_free(&message);
    return status;
}

/* Receives the first messages of all ranks, even after a failure, and returns the first failure. */
static enum shoal_status meet_all(const struct shoal_ranks *ranks, struct shoal_error *error)
{
    enum shoal_status first = SHOAL_OK;
    for (uint32_t rank = 1; rank < ranks->transport.count; rank++) {
        struct shoal_error own = {0};
        const enum shoal_status status = meet(ranks, rank, &own);
        if (status && !first && error)
            *error = own;
        first = first ? first : status;
    }
    return first;
}

static void *answer(void *data)
{
    const struct shoal_ranks *ranks = data;
    const struct channel channel = ranks_channel(ranks, 0, CHANNEL_OF_LIFE);
    life_answer(&channel);
    return NULL;
}

static enum shoal_status start_answers(struct shoal_ranks *ranks, struct shoal_error *error)
{
    ranks->answers = !pthread_create(&ranks->answering, NULL, answer, ranks);
    return ranks->answers ? SHOAL_OK
                          : fail(error, SHOAL_OUT_OF_HOST_MEMORY, "the host has no thread for a rank");
}

static void set_lives(struct shoal_ranks *ranks)
{
    static const double hang_limit = 60;
    for (uint32_t rank = 0; rank < ranks->transport.count; rank++) {
        struct life *life = &ranks->lives.list[rank];
        pthread_mutex_init(&life->lock, NULL);
        life->limit = ranks->transport.rank ? 0 : hang_limit;
        life->looked_s = clock_seconds();
        life->host = "its host"; /* until the rank has sent its name */
    }
}

static void ranks_free(struct shoal_ranks *ranks)
{
    if (ranks->answers)
        pthread_join(ranks->answering, NULL);
    for (uint32_t rank = 0; ranks->peers && ranks->lives.list && rank < ranks->transport.count; rank++) {
        free(ranks->peers[rank].host);
        free(ranks->peers[rank].selector);
        pthread_mutex_destroy(&ranks->lives.list[rank].lock);
    }
    free(ranks->peers);
    free(ranks->lives.list);
    free(ranks->same);
    free(ranks->selector);
    free(ranks->devices);
    ranks->transport.close(ranks->transport.data);
    free(ranks);
}

enum shoal_status ranks_join_by(const struct transport *transport, const char *host,
                                const struct shoal_ranks_params *params, struct shoal_ranks **out,
                                struct shoal_error *error)
{
    struct shoal_ranks *ranks = calloc(1, sizeof *ranks);
    *out = NULL;
    if (!ranks) {
        transport->close(transport->data);
        return fail_host_memory(error);
    }
    ranks->transport = *transport;
    snprintf(ranks->host, sizeof ranks->host, "%s", host);
    ranks->same = strdup(params->same ? params->same : "");
    ranks->selector = strdup(params->selector ? params->selector : "");
    ranks->peers = calloc(transport->count, sizeof *ranks->peers);
    ranks->lives.list = calloc(transport->count, sizeof *ranks->lives.list);
    const bool is_whole = ranks->same && ranks->selector && ranks->peers && ranks->lives.list;
    enum shoal_status status = is_whole ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        set_lives(ranks);
    if (!status && transport->rank)
        status = start_answers(ranks, error);
    if (!status)
        status = transport->rank ? introduce(ranks, error) : meet_all(ranks, error);
    if (status != SHOAL_OK && status != SHOAL_INVALID) {
        ranks_free(ranks);
        return status;
    }
    *out = ranks;
    return status;
}

enum shoal_status shoal_ranks_join(const struct shoal_ranks_params *params, struct shoal_ranks **out,
                                   struct shoal_error *error)
{
    struct shoal_ranks_params own;
    struct transport transport;
    char host[256] = "";
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    shoal_ranks_params_init(&own);
    enum shoal_status status = params ? PARAMS_TAKE(params, shoal_ranks_params_init, &own, error) : SHOAL_OK;
    if (!status)
        status = plugin_open(own.communicator, &transport, error);
    if (status)
        return status;
    if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "a host without a name");
    return ranks_join_by(&transport, host, &own, out, error);
}

uint32_t shoal_ranks_rank(const struct shoal_ranks *ranks)
{
    return ranks ? ranks->transport.rank : 0;
}

uint32_t shoal_ranks_count(const struct shoal_ranks *ranks)
{
    return ranks ? ranks->transport.count : 0;
}

/* Whether all other ranks still answer. waits: asks each of them, and waits for the answer, at most for the
 * hang limit. */
static enum shoal_status check_alive(const struct shoal_ranks *ranks, bool waits, struct shoal_error *error)
{
    const struct channel channel = ranks_channel(ranks, 0, CHANNEL_OF_LIFE);
    return channel_check_lives(&channel, waits, error);
}

enum shoal_status instance_check_alive(const struct shoal *shoal, struct shoal_error *error)
{
    const struct shoal_ranks *ranks = shoal->watched;
    return ranks && !lives_end(&ranks->lives) ? check_alive(ranks, false, error) : SHOAL_OK;
}

enum shoal_status instance_check_alive_at_end(const struct shoal *shoal, struct shoal_error *error)
{
    const struct shoal_ranks *ranks = shoal->watched;
    return ranks ? check_alive(ranks, lives_end(&ranks->lives), error) : SHOAL_OK;
}

void shoal_ranks_leave(struct shoal_ranks **pointer, int code)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_ranks *ranks = *pointer;
    /* Calls of devices notice a rank that is lost; of a rank whose cards rank 0 uses itself there are none,
     * and MPI would wait for it for ever. */
    bool is_whole = !ranks->uses_others || check_alive(ranks, true, NULL) == SHOAL_OK;
    *pointer = NULL;
    for (uint32_t rank = 1; !ranks->transport.rank && rank < ranks->transport.count; rank++) {
        const struct channel channel = ranks_channel(ranks, rank, CHANNEL_OF_RANKS);
        struct text message = {0};
        put_u32(&message, RANK_END);
        put_u32(&message, (uint32_t)code);
        is_whole = is_whole && !ranks->lives.list[rank].is_silent;
        if (is_whole) {
            (void)channel_send(&channel, &message, NULL);
            life_end(&channel);
        }
        text_free(&message);
    }
    if (!is_whole)
        shoal_ranks_abort(ranks, code); /* MPI ends the process here */
    ranks_free(ranks);
}

void shoal_ranks_hang_limit(struct shoal_ranks *ranks, double seconds)
{
    for (uint32_t rank = 0; ranks && rank < ranks->transport.count; rank++) {
        pthread_mutex_lock(&ranks->lives.list[rank].lock);
        ranks->lives.list[rank].limit = seconds >= 0 ? seconds : 0;
        pthread_mutex_unlock(&ranks->lives.list[rank].lock);
    }
}

void shoal_ranks_abort(struct shoal_ranks *ranks, int code)
{
    if (ranks)
        ranks->transport.end(ranks->transport.data, code);
}
