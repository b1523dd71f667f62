/* The random search on the host, in double precision, with the rules of cl/direct_search/model/random.clh;
 * and the host solver of all direct searches. */
#include "direct_search/direct_search.h"

#include "direct_search/host/rules.h"

#include "direct_search/model/random.clh"

struct random_host {
    struct search_host search;
    struct search_problem problem;
};

static enum shoal_status open_points(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    search->batch = search->problem->members;
    search->numbers = search->problem->dim;
    return SHOAL_OK;
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width;
    const struct direct_view view = direct_view_of(search, island, NULL);
    const uint64_t step = search_host_making(search, island / problem->run_islands);
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] = random_first(&view, (uint)step, (uint)(i % problem->width), d);
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width;
    const struct direct_view view = direct_view_of(search, island, NULL);
    for (uint d = 0; d < view.dim; d++)
        search->x[i * problem->dim + d] =
            direct_random(&view, (uint)step, view.index + (uint)(i % problem->width), d);
}

static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    const struct direct_view view = direct_view_of(search, island, NULL);
    struct direct_record record = {.word = {0}};
    struct direct_order order;
    random_end(&view, &record, &order);
}

const struct search_host_ops random_functions = {.size = sizeof(struct random_host),
                                                 .problem = offsetof(struct random_host, problem),
                                                 .evaluation_bytes = direct_search_bytes,
                                                 .open = open_points,
                                                 .draw = draw,
                                                 .move = move,
                                                 .replace = replace};

/* Solver of all direct searches ------------------------------------------------------------------------ */

const struct shoal_solver_ops direct_search_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "members",
    SEARCH_HOST_POSITIONS,
};
