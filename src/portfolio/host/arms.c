/* The searches of the arms with turns of points: lives, the points that a step takes from an arm, and the
 * values that an arm gets. */
#include "base/error.h"
#include "portfolio/host/host.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct search_team alone = {1, 0};

/* Searches --------------------------------------------------------------------------------------------- */

enum shoal_status portfolio_create_searches(struct portfolio_host *host, struct shoal_error *error)
{
    const struct portfolio_problem *problem = &host->problem;
    const size_t count = problem->search.islands * problem->arm_count;
    host->searches = calloc(count, sizeof *host->searches);
    if (!host->searches)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++) {
        const struct portfolio_arm *arm = &problem->arms[i % problem->arm_count];
        struct search_host *search = calloc(1, arm->algorithm->host->size);
        if (!search)
            return fail_host_memory(error);
        const enum shoal_status status =
            search_host_create(NULL, arm->algorithm, arm->params, 1, search, error);
        if (status) {
            free(search);
            return status;
        }
        host->searches[i] = search;
        if (search->problem->dim + problem->search.dim > host->room_size)
            host->room_size = search->problem->dim + problem->search.dim;
    }
    return SHOAL_OK;
}

void portfolio_destroy_searches(struct portfolio_host *host)
{
    const size_t count = host->problem.search.islands * host->problem.arm_count;
    for (size_t i = 0; host->searches && i < count; i++) {
        if (host->searches[i])
            search_host_destroy(host->searches[i]);
        free(host->searches[i]);
    }
    free(host->searches);
}

/* Lives ------------------------------------------------------------------------------------------------ */

void portfolio_set_life(struct portfolio_host *host, size_t island, size_t arm)
{
    const struct search_problem *problem = &host->problem.search;
    struct search_problem *own = portfolio_search(host, island, arm)->problem;
    const uint64_t life = portfolio_arm_state(host, island, arm)->life;
    const bool is_first = life == 0 && island % problem->run_islands == 0;
    own->params->seed = portfolio_seed(problem, island, arm, life);
    own->start_count = is_first ? (size_t)host->problem.arms[arm].params->start_count : 0;
}

void portfolio_begin_life(struct portfolio_host *host, size_t island, size_t arm, uint64_t life)
{
    struct search_host *search = portfolio_search(host, island, arm);
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
    search_host_reset(search);
    portfolio_drop_later(host, arm);
    state->life = life;
    portfolio_set_life(host, island, arm);
    state->is_drawn = state->batch = state->is_open = state->lived = state->is_offered = 0;
}

/* Ends the life of an arm and begins the next life. The arm is over if the evaluations left are too few for
 * another life. */
static void end_life(struct portfolio_host *host, size_t island, size_t arm)
{
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
    const struct portfolio_island at = portfolio_island_of(host, island);
    state->is_over = portfolio_evaluations_left(&at) < host->problem.arms[arm].life;
    portfolio_begin_life(host, island, arm, state->life + 1);
    host->search.islands[island].restarts++;
}

/* Points ----------------------------------------------------------------------------------------------- */

/* Offers the island's best point to an arm's search, unless the search has a point that is as good. */
static void offer(struct portfolio_host *host, size_t island, struct search_host *search)
{
    const struct search_problem *problem = &host->problem.search;
    double *member = host->room + island * host->room_size, *point = member + host->room_size - problem->dim;
    const struct search_migrant champion = {0, member, host->search.islands[island].champion};
    if (!(champion.value < search->islands[0].champion))
        return;
    search_convert(problem, host->search.champion + island * problem->dim, search->problem, member, point);
    search_host_receive(search, 0, &champion);
}

static void open_batch(struct portfolio_host *host, size_t island, size_t arm)
{
    struct search_host *search = portfolio_search(host, island, arm);
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
    if (state->batch == 0 && state->is_drawn && state->is_offered)
        offer(host, island, search);
    if (state->batch == 0)
        state->is_offered = 0;
    if (!portfolio_take_later(host, arm))
        search_host_propose(search, 0, (size_t)state->batch, alone);
    state->is_open = 1;
    state->given = state->told = 0;
}

/* Ends a batch whose points all have values: the search takes the values of the batch and, after the last
 * batch of its step, ends the step, and the life if the search has ended. */
static void close_batch(struct portfolio_host *host, size_t island, size_t arm)
{
    struct search_host *search = portfolio_search(host, island, arm);
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
    search_host_accept(search, 0, (size_t)state->batch, alone);
    state->is_open = 0;
    state->batch++;
    if (state->batch < search_host_batches(search, 0))
        return;
    search_host_settle(search, 0, alone);
    search->drawn = true;
    state->is_drawn = 1;
    state->batch = 0;
    if (search_host_ended(search))
        end_life(host, island, arm);
}

/* Takes up to `most` points of an arm for slots. Points outside the box are skipped, since they need no
 * evaluation. Returns the number of points; fewer than `most`: the arm waits for values. */
static size_t take_points(struct portfolio_host *host, size_t island, size_t arm,
                          struct portfolio_slot *slots, size_t most)
{
    struct search_host *search = portfolio_search(host, island, arm);
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
    size_t taken = 0;
    if (!state->is_open)
        open_batch(host, island, arm);
    const struct search_batch batch = search_host_find_batch(search, 0, (size_t)state->batch);
    while (state->given < batch.size && taken < most) {
        const size_t point = search_batch_point(&batch, (size_t)state->given);
        state->given++;
        if (!search->outside[point]) {
            slots[taken++] = (struct portfolio_slot){(uint32_t)arm, (uint32_t)point};
            continue;
        }
        search->y[point] = INFINITY;
        state->told++;
    }
    return taken;
}

void portfolio_fill(struct portfolio_host *host, size_t island)
{
    const size_t points = host->problem.search.points;
    struct portfolio_state *state = &host->islands[island];
    struct portfolio_slot *slots = host->slots + island * points;
    const struct portfolio_island at = portfolio_island_of(host, island);
    bool was_asked[PORTFOLIO_MOST] = {false};
    size_t arm = (size_t)state->arm, filled = 0;
    while (filled < points && arm != SIZE_MAX) {
        filled += take_points(host, island, arm, slots + filled, points - filled);
        if (filled == points)
            break;
        was_asked[arm] = true;
        arm = portfolio_next_arm(&at, was_asked);
    }
    for (; filled < points; filled++)
        slots[filled] = (struct portfolio_slot){PORTFOLIO_RANDOM, (uint32_t)filled};
}

/* Values ----------------------------------------------------------------------------------------------- */

/* Gives value i of the step to its arm. Returns whether the value is the best value of the island so far. */
static bool give_value(struct portfolio_host *host, size_t island, size_t i)
{
    const struct search_problem *problem = &host->problem.search;
    const struct portfolio_slot *slot = &host->slots[island * problem->points + i];
    const size_t from = island * problem->width + i, dim = problem->dim;
    const double value = host->search.y[from];
    const bool is_best = value < host->islands[island].best;
    if (is_best)
        host->islands[island].best = value;
    if (slot->arm == PORTFOLIO_RANDOM)
        return is_best;
    struct search_host *search = portfolio_search(host, island, slot->arm);
    struct portfolio_arm_state *state = portfolio_arm_state(host, island, slot->arm);
    /* A repair may have changed the point that was taken from the arm; genomes are never repaired here. */
    if (problem->repair == SHOAL_REPAIR_WRITTEN_BACK && !search->problem->has_genome)
        memcpy(search->x + slot->number * dim, host->search.x + from * dim, dim * sizeof *search->x);
    search->y[slot->number] = value;
    state->told++;
    state->lived++;
    state->evaluations++;
    return is_best;
}

void portfolio_give(struct portfolio_host *host, size_t island)
{
    const struct portfolio_problem *problem = &host->problem;
    struct portfolio_state *state = &host->islands[island];
    const struct portfolio_island at = portfolio_island_of(host, island);
    bool has_gained[PORTFOLIO_MOST + 1] = {false};
    for (size_t i = 0; i < problem->search.points; i++)
        if (give_value(host, island, i))
            has_gained[host->slots[island * problem->search.points + i].arm] = true;
    for (size_t arm = 0; arm < problem->arm_count; arm++) {
        struct search_host *search = portfolio_search(host, island, arm);
        struct portfolio_arm_state *own = portfolio_arm_state(host, island, arm);
        own->gains += has_gained[arm];
        if (own->is_open && own->told == search_host_batch_size(search, 0, (size_t)own->batch))
            close_batch(host, island, arm);
    }
    state->has_won |= has_gained[state->arm];
    if (++state->steps >= problem->params->epoch)
        portfolio_end_epoch(&at, state->has_won ? 1 : 0);
}
