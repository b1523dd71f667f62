/* Random search: points that are independent and uniform in the box. */
#include "direct_search/direct_search.h"

#include <shoal/rng.h>
#include <string.h>

void direct_search_draw(const struct search_problem *problem, size_t run, uint64_t step, size_t index,
                        double *x)
{
    for (size_t d = 0; d < problem->dim; d++) {
        const struct shoal_words words =
            shoal_random_words(problem->params->seed + run, SHOAL_STREAM_DIRECT_SEARCH, (uint32_t)step,
                               (uint32_t)index, (uint32_t)d);
        x[d] = direct_search_inside(problem, d,
                                    problem->lower[d] + direct_search_width(problem, d) *
                                                            shoal_uniform_double(words.x, words.y));
    }
}

double direct_search_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    (void)precision;
    return (double)problem->dim * sizeof(double);
}

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

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width;
    direct_search_draw(problem, direct_search_run(problem, island), step,
                       direct_search_index(problem, island) + i % problem->width,
                       search->x + i * problem->dim);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    move(search, i,
         search_host_making(search, direct_search_run(search->problem, i / search->problem->width)), scratch);
}

static void keep(struct search_host *search, size_t i, bool is_drawn)
{
    const size_t dim = search->problem->dim;
    if (!is_drawn && !(search->y[i] < search->best[i]))
        return;
    search->best[i] = search->y[i];
    memcpy(search->p + i * dim, search->x + i * dim, dim * sizeof *search->p);
}

const struct search_host_ops random_functions = {.size = sizeof(struct random_host),
                                                 .problem = offsetof(struct random_host, problem),
                                                 .evaluation_bytes = direct_search_bytes,
                                                 .open = open_points,
                                                 .draw = draw,
                                                 .move = move,
                                                 .keep = keep};

/* Solver of all direct searches ------------------------------------------------------------------------ */

const struct shoal_solver_ops direct_search_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "members",
    SEARCH_HOST_POSITIONS,
};
