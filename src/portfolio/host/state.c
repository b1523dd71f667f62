/* The searches of the arms in checkpoints, and in the copy to which a portfolio returns if a step is cut
 * off. */
#include "base/error.h"
#include "base/text.h"
#include "portfolio/host/host.h"
#include "portfolio/model/parts.h"

#include <stdlib.h>
#include <string.h>

/* An array that search_host_save leaves out, since the array is unused between two steps of a search. A step
 * of the portfolio, however, may end within a step of the search. */
struct rest {
    void *memory;
    size_t bytes;
    const char *name; /* name of the section in the checkpoint */
};
enum { RESTS = 2 };

static void list_rests(const struct search_host *search, struct rest rests[RESTS])
{
    const size_t points = search->problem->width;
    rests[0] = (struct rest){search->y, points * sizeof *search->y, "y"};
    rests[1] = (struct rest){search->outside, points, "outside"};
}

/* Restores what no section of the checkpoint holds of search number i, from the state of its arm and its
 * arrays. */
static void derive(struct portfolio_host *host, size_t i)
{
    const size_t island = i / host->problem.arm_count, arm = i % host->problem.arm_count;
    struct search_host *search = host->searches[i];
    portfolio_set_life(host, island, arm);
    if (host->states[i].is_drawn)
        search_host_derive(search);
    search->drawn = host->states[i].is_drawn;
}

size_t portfolio_copy(struct search_host *portfolio, char *kept, bool is_back)
{
    struct portfolio_host *host = portfolio_host_of(portfolio);
    const size_t count = host->problem.search.islands * host->problem.arm_count;
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        struct rest rests[RESTS];
        bytes += search_host_copy(host->searches[i], kept ? kept + bytes : NULL, is_back);
        list_rests(host->searches[i], rests);
        for (size_t n = 0; n < RESTS; n++) {
            if (kept)
                memcpy(is_back ? rests[n].memory : kept + bytes, is_back ? kept + bytes : rests[n].memory,
                       rests[n].bytes);
            bytes += rests[n].bytes;
        }
        if (is_back)
            derive(host, i);
    }
    return bytes;
}

/* Appends a search: the number of bytes, then these bytes, which are a checkpoint of this search. */
static enum shoal_status append(struct search_host *search, struct text *all, struct shoal_error *error)
{
    struct checkpoint *own = calloc(1, sizeof *own);
    struct rest rests[RESTS];
    if (!own)
        return fail_host_memory(error);
    enum shoal_status status = search_host_save(search, own, error);
    list_rests(search, rests);
    for (size_t n = 0; n < RESTS; n++)
        checkpoint_add(own, rests[n].name, rests[n].memory, rests[n].bytes);
    if (status)
        checkpoint_clear(own);
    else
        status = portfolio_append_part(own, all, error);
    free(own);
    return status;
}

static const char section[] = "searches";

enum shoal_status portfolio_save(struct search_host *portfolio, struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    const struct portfolio_host *host = portfolio_host_of(portfolio);
    const size_t count = host->problem.search.islands * host->problem.arm_count;
    struct text all = {0};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = append(host->searches[i], &all, error);
    if (!status && all.failed)
        status = fail_host_memory(error);
    if (status)
        text_free(&all);
    else
        checkpoint_add_copy(checkpoint, section, all.data, all.length);
    return status;
}

/* Returns whether an arm can have this state. Its counts are used as indices. */
static bool is_sound(const struct portfolio_host *host, size_t i)
{
    const struct portfolio_arm_state *state = &host->states[i];
    const struct search_host *search = host->searches[i];
    if (state->is_drawn > 1 || state->is_open > 1 || state->batch >= search_host_batches(search, 0))
        return false;
    const size_t size = search_host_batch_size(search, 0, (size_t)state->batch);
    return !state->is_open || (state->given <= size && state->told <= state->given);
}

static bool slots_are_sound(const struct portfolio_host *host)
{
    const struct portfolio_problem *problem = &host->problem;
    for (size_t k = 0; k < problem->search.islands; k++) {
        const struct portfolio_state *state = &host->islands[k];
        if (state->arm >= problem->arm_count || state->has_won > 1)
            return false;
        for (size_t i = 0; i < problem->search.points; i++) {
            const struct portfolio_slot *slot = &host->slots[k * problem->search.points + i];
            if (slot->arm != PORTFOLIO_RANDOM &&
                (slot->arm >= problem->arm_count ||
                 slot->number >= portfolio_search(host, k, slot->arm)->problem->width))
                return false;
        }
    }
    return true;
}

static enum shoal_status load_search(struct portfolio_host *host, size_t i, const char *bytes, size_t size,
                                     const struct checkpoint *whole, struct shoal_error *error)
{
    struct search_host *search = host->searches[i];
    struct checkpoint *own = calloc(1, sizeof *own);
    struct rest rests[RESTS];
    if (!own)
        return fail_host_memory(error);
    const size_t island = i / host->problem.arm_count, arm = i % host->problem.arm_count;
    enum shoal_status status = checkpoint_parse(own, bytes, size, whole->path, error);
    portfolio_set_life(host, island, arm);
    if (!status && search->problem->algorithm->check_state)
        status = search->problem->algorithm->check_state(search->problem, own, error);
    if (!status)
        status = search_host_load(search, own, error);
    list_rests(search, rests);
    for (size_t n = 0; n < RESTS && !status; n++)
        status = checkpoint_get(own, rests[n].name, rests[n].memory, rests[n].bytes, error);
    search->drawn = host->states[i].is_drawn;
    if (!status && !is_sound(host, i))
        status = checkpoint_damaged(whole, error);
    free(own);
    return status;
}

enum shoal_status portfolio_load(struct search_host *portfolio, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    struct portfolio_host *host = portfolio_host_of(portfolio);
    host->ahead = 0;
    for (size_t arm = 0; arm < host->problem.arm_count; arm++)
        portfolio_drop_later(host, arm);
    const struct checkpoint_section *all = checkpoint_find(checkpoint, section);
    const size_t count = host->problem.search.islands * host->problem.arm_count;
    size_t left = all ? all->bytes : 0;
    const char *next = all ? all->data : NULL;
    for (size_t i = 0; i < count; i++) {
        const char *part;
        size_t size;
        if (!portfolio_next_part(&next, &left, &part, &size))
            return checkpoint_damaged(checkpoint, error);
        enum shoal_status status = load_search(host, i, part, size, checkpoint, error);
        if (status)
            return status;
    }
    return slots_are_sound(host) ? SHOAL_OK : checkpoint_damaged(checkpoint, error);
}
