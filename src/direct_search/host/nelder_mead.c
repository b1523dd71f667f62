/* Nelder-Mead on the host, in double precision, with the rules of cl/direct_search/model/simplex.clh. */
#include "direct_search/direct_search.h"

#include <string.h>

#include "direct_search/host/rules.h"

#include "direct_search/model/simplex.clh"

/* State of an island. Checkpoints hold the bytes of this struct. The vertices of the simplex are the members
 * of the island. */
struct simplex_state {
    uint64_t word[DIRECT_WORDS]; /* indexed by enum simplex_word */
    double number[DIRECT_REALS]; /* indexed by enum simplex_real */
};

struct simplex_host {
    struct search_host search;
    struct search_problem problem;
    struct simplex_state *state; /* [islands] */
    double *reflected;           /* reflected points, [islands][dim] */
};

static struct simplex_host *host_of(struct search_host *search)
{
    return (struct simplex_host *)search;
}

static enum shoal_status open_simplices(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    struct simplex_host *host = host_of(search);
    const size_t islands = host->problem.islands, numbers = islands * host->problem.dim;
    const struct array list[] = {
        {&host->state, (double)islands, sizeof *host->state, ARRAY_SAVE, "simplices", islands},
        {&host->reflected, (double)numbers, sizeof(double), ARRAY_SAVE, "reflected", numbers},
    };
    search->batch = host->problem.width;
    search->numbers = host->problem.dim;
    ARRAYS_SET(&search->own, list);
    return SHOAL_OK;
}

static struct direct_record record_of(const struct simplex_state *state)
{
    struct direct_record record;
    for (size_t i = 0; i < DIRECT_WORDS; i++)
        record.word[i] = state->word[i] > UINT32_MAX ? UINT32_MAX : (uint)state->word[i];
    memcpy(record.number, state->number, sizeof record.number);
    return record;
}

static void keep_record(struct simplex_state *state, const struct direct_record *record)
{
    for (size_t i = 0; i < DIRECT_WORDS; i++)
        state->word[i] = record->word[i];
    memcpy(state->number, record->number, sizeof record->number);
}

static struct direct_view view_of(struct search_host *search, size_t island)
{
    return direct_view_of(search, island, host_of(search)->reflected);
}

static void begin(struct search_host *search, size_t island)
{
    const struct direct_view view = view_of(search, island);
    struct direct_record record;
    simplex_begin(&view, &record);
    keep_record(&host_of(search)->state[island], &record);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width, number = i % problem->width;
    const struct direct_view view = view_of(search, island);
    const uint64_t step = search_host_making(search, island / problem->run_islands);
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] = simplex_first(&view, (uint)step, (uint)number, d);
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width;
    const struct direct_view view = view_of(search, island);
    const struct direct_record record = record_of(&host_of(search)->state[island]);
    const struct direct_order order = direct_order(&view, view.values, view.members);
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] = simplex_coordinate(&view, &record, order, (uint)step, 0, d);
}

/* Makes a reflected point the champion at once if it is better. The point may become a vertex only in a later
 * step, and the run may end before that step. */
static void keep_champion(struct search_host *search, size_t island, const struct direct_view *view)
{
    if (!(view->y[0] < search->islands[island].champion))
        return;
    search->islands[island].champion = view->y[0];
    memcpy(search->champion + island * view->dim, view->x, view->dim * sizeof *view->x);
}

static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    struct simplex_state *state = &host_of(search)->state[island];
    const struct direct_view view = view_of(search, island);
    struct direct_record record = record_of(state);
    struct direct_order order = direct_order(&view, view.values, view.members);
    if (simplex_end(&view, &record, &order))
        keep_champion(search, island, &view);
    keep_record(state, &record);
}

/* Repairs the state of an island, since a damaged checkpoint may hold any state. */
static void prepare(struct search_host *search, size_t island)
{
    struct simplex_state *state = &host_of(search)->state[island];
    const struct direct_view view = view_of(search, island);
    struct direct_record record = record_of(state);
    simplex_repair(&view, &record);
    keep_record(state, &record);
}

const struct search_host_ops nelder_mead_functions = {.size = sizeof(struct simplex_host),
                                                      .problem = offsetof(struct simplex_host, problem),
                                                      .evaluation_bytes = direct_search_bytes,
                                                      .open = open_simplices,
                                                      .prepare = prepare,
                                                      .begin = begin,
                                                      .draw = draw,
                                                      .move = move,
                                                      .replace = replace};
