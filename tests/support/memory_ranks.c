#include "memory_ranks.h"

#include "unit.h"

/* Messages --------------------------------------------------------------------------------------------- */

/* Calls that wait are made as often as the clock has it, so only others can fail in turn. */
static enum shoal_status enter(const struct memory_rank *rank, bool counts, struct shoal_error *error)
{
    struct memory_ranks *all = rank->all;
    pthread_mutex_lock(&all->lock);
    if (counts && !rank->number && ++all->calls == all->fails_at)
        all->is_down = true;
    return all->is_down ? fail(error, SHOAL_FAILED, "the link is down") : SHOAL_OK;
}

static enum shoal_status leave(const struct memory_rank *rank, enum shoal_status status)
{
    pthread_mutex_unlock(&rank->all->lock);
    return status;
}

static enum shoal_status send(void *data, uint32_t to, uint32_t channel, const void *bytes, size_t size,
                              void **request, struct shoal_error *error)
{
    const struct memory_rank *rank = data;
    const bool is_long = size > MEMORY_AT_ONCE;
    struct memory_message **end = &rank->all->first,
                          *message = malloc(sizeof *message + (is_long ? 0 : size));
    const enum shoal_status status = enter(rank, channel != CHANNEL_OF_LIFE, error);
    *request = NULL;
    if (status || !message) {
        free(message);
        return leave(rank, status ? status : fail_host_memory(error));
    }
    *message = (struct memory_message){rank->number, to, channel, size, NULL, is_long ? bytes : NULL, false};
    if (is_long)
        *request = message;
    else
        memcpy(message->bytes, bytes, size);
    while (*end)
        end = &(*end)->next;
    *end = message;
    return leave(rank, status);
}

static struct memory_message **find(const struct memory_rank *rank, uint32_t from, uint32_t channel)
{
    struct memory_message **at = &rank->all->first;
    while (*at &&
           ((*at)->from != from || (*at)->to != rank->number || (*at)->channel != channel || (*at)->is_taken))
        at = &(*at)->next;
    return at;
}

static enum shoal_status probe(void *data, uint32_t from, uint32_t channel, bool *is_there, size_t *size,
                               struct shoal_error *error)
{
    const struct memory_rank *rank = data;
    const enum shoal_status status = enter(rank, false, error);
    const struct memory_message *message = *find(rank, from, channel);
    const bool is_stopped = rank->number && rank->number == rank->all->stopped;
    *is_there = message && !is_stopped;
    *size = *is_there ? message->size : 0;
    return leave(rank, status);
}

static void forget(struct memory_message **at)
{
    struct memory_message *message = *at;
    *at = message->next;
    free(message);
}

static enum shoal_status receive(void *data, uint32_t from, uint32_t channel, void *bytes, size_t size,
                                 void **request, struct shoal_error *error)
{
    const struct memory_rank *rank = data;
    const enum shoal_status status = enter(rank, channel != CHANNEL_OF_LIFE, error);
    struct memory_message **at = find(rank, from, channel), *message = *at;
    *request = NULL;
    if (!status && message && message->size == size) {
        memcpy(bytes, message->source ? message->source : message->bytes, size);
        message->is_taken = true;
        if (!message->source)
            forget(at);
    }
    return leave(rank, status);
}

static enum shoal_status test(void *data, void *request, bool *is_done, struct shoal_error *error)
{
    const struct memory_rank *rank = data;
    struct memory_message **at = &rank->all->first, *message = request;
    const enum shoal_status status = enter(rank, false, error);
    *is_done = !message || message->is_taken;
    while (message && *at != message)
        at = &(*at)->next;
    if (message && *is_done)
        forget(at);
    return leave(rank, status);
}

static void end(void *data, int code)
{
    const struct memory_rank *rank = data;
    pthread_mutex_lock(&rank->all->lock);
    rank->all->ended = code;
    rank->all->is_down = true;
    pthread_mutex_unlock(&rank->all->lock);
}

static void close_rank(void *data)
{
    (void)data;
}

static struct transport transport_of(struct memory_rank *rank)
{
    return (struct transport){.data = rank,
                              .rank = rank->number,
                              .count = rank->all->count,
                              .send = send,
                              .probe = probe,
                              .receive = receive,
                              .test = test,
                              .end = end,
                              .close = close_rank};
}

/* Ranks ------------------------------------------------------------------------------------------------ */

/* Threads make no assertions of cmocka. */
static enum shoal_status open_fake(struct shoal **out, const struct shoal_params *params,
                                   struct shoal_error *error)
{
    static const struct backend *const backends[] = {&fake_other_backend, &fake_backend};
    return shoal_open_with(out, params, backends, 2, error);
}

static enum shoal_status join(struct memory_rank *rank, struct shoal_ranks **out, struct shoal_error *error)
{
    const struct transport transport = transport_of(rank);
    const struct shoal_ranks_params params =
        SHOAL_RANKS_PARAMS(.same = rank->same, .selector = rank->selector);
    char own[16];
    snprintf(own, sizeof own, "host%u", rank->number);
    return ranks_join_by(&transport, rank->host ? rank->host : own, &params, out, error);
}

static void *serve(void *data)
{
    struct memory_rank *rank = data;
    struct shoal_ranks *ranks;
    struct shoal_error error;
    if (join(rank, &ranks, &error))
        return NULL;
    if (ranks_serve_by(ranks, open_fake, NULL, &rank->code, &error))
        rank->code = -1;
    shoal_ranks_leave(&ranks, 0);
    return NULL;
}

enum shoal_status memory_begin(struct memory_ranks *all, uint32_t count, struct shoal_ranks **out,
                               struct shoal_error *error)
{
    pthread_mutex_init(&all->lock, NULL);
    all->count = count;
    all->ended = -1;
    for (uint32_t r = 0; r < count; r++) {
        all->ranks[r].all = all;
        all->ranks[r].number = r;
        all->ranks[r].code = -1;
        if (r)
            assert_int_equal(pthread_create(&all->ranks[r].thread, NULL, serve, &all->ranks[r]), 0);
    }
    return join(&all->ranks[0], out, error);
}

void memory_end(struct memory_ranks *all, struct shoal_ranks **ranks, int code)
{
    shoal_ranks_leave(ranks, code);
    for (uint32_t r = 1; r < all->count; r++)
        pthread_join(all->ranks[r].thread, NULL);
    for (struct memory_message *next; all->first; all->first = next) {
        next = all->first->next;
        free(all->first);
    }
    pthread_mutex_destroy(&all->lock);
}

enum shoal_status memory_open(struct shoal_ranks *ranks, const char *selector, struct shoal **out,
                              struct shoal_error *error)
{
    const struct shoal_params params = unit_params();
    return ranks_open_by(ranks, open_fake, &params, selector, out, error);
}
