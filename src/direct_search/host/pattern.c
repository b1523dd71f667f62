/* The pattern search on the host, in double precision, with the rules of
 * cl/direct_search/model/pattern.clh. */
#include "direct_search/direct_search.h"

#include <string.h>

#include "direct_search/host/rules.h"

#include "direct_search/model/pattern.clh"

/* State of an island. Checkpoints hold the bytes of this struct. */
struct pattern_state {
    double h;         /* length of the steps: PATTERN_H */
    uint64_t word[2]; /* indexed by enum pattern_word */
};

struct pattern_host {
    struct search_host search;
    struct search_problem problem;
    struct pattern_state *state; /* [islands] */
    double *before;              /* centres before the last success, [islands][dim] */
};

static struct pattern_host *host_of(struct search_host *search)
{
    return (struct pattern_host *)search;
}

static enum shoal_status open_patterns(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    struct pattern_host *host = host_of(search);
    const size_t islands = host->problem.islands, numbers = islands * host->problem.dim;
    const struct array list[] = {
        {&host->state, (double)islands, sizeof *host->state, ARRAY_SAVE, "patterns", islands},
        {&host->before, (double)numbers, sizeof(double), ARRAY_SAVE, "before", numbers},
    };
    search->batch = host->problem.width;
    search->numbers = host->problem.dim;
    ARRAYS_SET(&search->own, list);
    return SHOAL_OK;
}

static struct direct_record record_of(const struct pattern_state *state)
{
    return (struct direct_record){
        .word = {state->word[PATTERN_BEGINS] != 0, state->word[PATTERN_HAS_MOVED] != 0},
        .number = {state->h}};
}

static void keep_record(struct pattern_state *state, const struct direct_record *record)
{
    *state = (struct pattern_state){.h = record->number[PATTERN_H],
                                    .word = {record->word[PATTERN_BEGINS], record->word[PATTERN_HAS_MOVED]}};
}

static struct direct_view view_of(struct search_host *search, size_t island)
{
    return direct_view_of(search, island, host_of(search)->before);
}

static void begin(struct search_host *search, size_t island)
{
    const struct direct_view view = view_of(search, island);
    struct direct_record record;
    pattern_begin(&view, &record);
    keep_record(&host_of(search)->state[island], &record);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width;
    const struct direct_view view = view_of(search, island);
    const uint64_t step = search_host_making(search, island / problem->run_islands);
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] = pattern_first(&view, (uint)step, (uint)(i % problem->width), d);
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width, number = i % problem->width;
    const struct direct_view view = view_of(search, island);
    const struct direct_record record = record_of(&host_of(search)->state[island]);
    const struct direct_order order = {.best = 0};
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] =
            pattern_coordinate(&view, &record, order, (uint)step, (uint)number, d);
    search->outside[i] = pattern_is_stopped(&view, &record, (uint)number) != 0;
}

static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    struct pattern_state *state = &host_of(search)->state[island];
    const struct direct_view view = view_of(search, island);
    struct direct_record record = record_of(state);
    struct direct_order order = direct_order(&view, view.values, view.members);
    pattern_end(&view, &record, &order);
    keep_record(state, &record);
}

const struct search_host_ops pattern_functions = {.size = sizeof(struct pattern_host),
                                                  .problem = offsetof(struct pattern_host, problem),
                                                  .evaluation_bytes = direct_search_bytes,
                                                  .open = open_patterns,
                                                  .begin = begin,
                                                  .draw = draw,
                                                  .move = move,
                                                  .replace = replace};
