/* The polish by the simplex search of Nelder and Mead. Each run has its own host search, which gets the
 * values of its points from the owner of the polish. */
#include "base/error.h"
#include "search/choice/choice.h"
#include "search/host/host.h"
#include "search/options/options.h"
#include "search/refine/polish_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run ends after PATIENCE + PATIENCE_OF_DIMENSION dim steps without improvement. The limit grows with the
 * dimension, since a simplex that shrinks makes a step for each of its vertices. */
enum { PATIENCE = 200, PATIENCE_OF_DIMENSION = 20 };

/* The run ends when the simplex is smaller than this in each dimension, in widths of the box. */
static const double settled_width = 1e-10;

static const struct search_team alone = {1, 0};

/* The simplex of a run. */
struct simplex {
    struct search_host *search; /* NULL: the run has no start position */
    struct shoal_search_params *params;
    double *box;   /* [4][dim]: lower bounds, upper bounds, start of the simplex, and position of the run */
    double start;  /* value at the start */
    uint64_t used; /* number of evaluations */
    uint64_t batch, is_open;
};

struct simplices {
    struct search_polish polish;
    struct simplex *simplex; /* [runs] */
};

static struct simplex *simplex_of(const struct search_polish *polish, size_t run)
{
    return &((struct simplices *)polish)->simplex[run];
}

/* Returns the algorithm that searches by a simplex. */
static const struct search_algorithm *simplex_algorithm(void)
{
    size_t i = 0;
    while (!search_algorithms[i]->set_polish)
        i++;
    return search_algorithms[i];
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Sets the bounds and the start of a run. Numbers that are not reals, and reals with an empty range, are
 * fixed. Returns false if all are fixed. */
static bool set_box(const struct search_polish *polish, size_t run, double *lower, double *upper,
                    double *start)
{
    const struct search_problem *problem = polish->problem;
    bool is_free = false;
    for (size_t d = 0; d < polish->dim; d++) {
        const double x = polish->position[run * polish->dim + d];
        const bool is_real = search_real_width(problem, d) > 0;
        start[d] = is_real ? fmin(fmax(x, problem->lower[d]), problem->upper[d]) : x;
        lower[d] = is_real ? problem->lower[d] : x;
        upper[d] = is_real ? problem->upper[d] : x;
        is_free = is_free || is_real;
    }
    return is_free;
}

static enum shoal_status create_simplex(struct search_polish *polish, size_t run, struct shoal_error *error)
{
    const struct search_algorithm *algorithm = simplex_algorithm();
    struct simplex *simplex = simplex_of(polish, run);
    const size_t dim = polish->dim;
    struct shoal_search_params params = choice_inner_params(polish->problem);
    simplex->start = polish->best[run];
    simplex->box = malloc(4 * dim * sizeof *simplex->box);
    if (!simplex->box)
        return fail_host_memory(error);
    double *lower = simplex->box, *upper = lower + dim, *start = upper + dim;
    memcpy(start + dim, polish->position + run * dim, dim * sizeof *start);
    if (!set_box(polish, run, lower, upper, start) || !isfinite(simplex->start))
        return SHOAL_OK;
    params.variables = NULL;
    params.lower_bounds = lower;
    params.upper_bounds = upper;
    params.start_points = start;
    params.start_count = 1;
    params.seed += run;
    params.iterations = (uint64_t)SEARCH_MAX_STEPS;
    params.stagnation = PATIENCE + PATIENCE_OF_DIMENSION * (uint64_t)dim;
    params.x_tolerance = settled_width;
    void *block;
    enum shoal_status status = choice_params_of(algorithm, &params, &block, error);
    simplex->params = block;
    if (status)
        return status;
    algorithm->set_polish(simplex->params);
    struct search_host *search = calloc(1, algorithm->host->size);
    if (!search)
        return fail_host_memory(error);
    status = search_host_create(NULL, algorithm, simplex->params, 1, search, error);
    if (status) {
        free(search);
        return status;
    }
    if (search->batch > polish->block)
        search->batch = polish->block;
    simplex->search = search;
    return SHOAL_OK;
}

static enum shoal_status create(struct search_polish *polish, struct shoal_error *error)
{
    struct simplices *simplices = (struct simplices *)polish;
    enum shoal_status status = SHOAL_OK;
    simplices->simplex = calloc(polish->runs, sizeof *simplices->simplex);
    if (!simplices->simplex)
        return fail_host_memory(error);
    for (size_t run = 0; run < polish->runs && !status; run++)
        status = create_simplex(polish, run, error);
    return status;
}

static void destroy(struct search_polish *polish)
{
    struct simplices *simplices = (struct simplices *)polish;
    for (size_t run = 0; simplices->simplex && run < polish->runs; run++) {
        struct simplex *simplex = simplex_of(polish, run);
        if (simplex->search)
            search_host_destroy(simplex->search);
        free(simplex->search);
        free(simplex->params);
        free(simplex->box);
    }
    free(simplices->simplex);
}

/* Points ----------------------------------------------------------------------------------------------- */

/* Returns the number of points in the next batch. 0: the run has ended, or it has fewer evaluations left than
 * the batch needs. */
static size_t count_next(const struct search_polish *polish, size_t run)
{
    const struct simplex *simplex = simplex_of(polish, run);
    if (!simplex->search || search_host_ended(simplex->search))
        return 0;
    const size_t count = search_host_batch_size(simplex->search, 0, (size_t)simplex->batch);
    return simplex->used + count <= polish->most ? count : 0;
}

static size_t ask(struct search_polish *polish, size_t run, double *points)
{
    const size_t count = count_next(polish, run), dim = polish->dim;
    struct simplex *simplex = simplex_of(polish, run);
    struct search_host *search = simplex->search;
    if (count && !simplex->is_open)
        search_host_propose(search, 0, (size_t)simplex->batch, alone);
    for (size_t i = 0; i < count; i++) {
        double *x = search->x + search_host_batch_point(search, 0, (size_t)simplex->batch, i) * dim;
        for (size_t d = 0; d < dim; d++)
            points[i * dim + d] = x[d] = polish_rounded(polish, x[d]);
    }
    simplex->is_open = count > 0;
    return count;
}

static void tell(struct search_polish *polish, size_t run, const double **values)
{
    struct simplex *simplex = simplex_of(polish, run);
    struct search_host *search = simplex->search;
    if (!simplex->is_open)
        return;
    const size_t count = search_host_batch_size(search, 0, (size_t)simplex->batch);
    for (size_t i = 0; i < count; i++) {
        const double value = (*values)[i];
        search->y[search_host_batch_point(search, 0, (size_t)simplex->batch, i)] =
            isfinite(value) ? value : INFINITY;
    }
    *values += count;
    search_host_accept(search, 0, (size_t)simplex->batch, alone);
    simplex->used += count;
    simplex->is_open = 0;
    simplex->batch++;
    if (simplex->batch < search_host_batches(search, 0))
        return;
    search_host_settle(search, 0, alone);
    search->drawn = true;
    simplex->batch = 0;
}

/* Results ---------------------------------------------------------------------------------------------- */

static double best(const struct search_polish *polish, size_t run, double *point)
{
    const struct simplex *simplex = simplex_of(polish, run);
    const struct search_host *search = simplex->search;
    const size_t bytes = polish->dim * sizeof *point;
    const bool is_better = search && search->islands[0].champion < simplex->start;
    if (point && is_better)
        memcpy(point, search->champion, bytes);
    else if (point)
        memcpy(point, simplex->box + 3 * polish->dim, bytes);
    return is_better ? search->islands[0].champion : simplex->start;
}

static bool is_settled(const struct search_polish *polish, size_t run)
{
    const struct simplex *simplex = simplex_of(polish, run);
    return !simplex->search || search_host_ended(simplex->search);
}

static uint64_t count_used(const struct search_polish *polish, size_t run)
{
    return simplex_of(polish, run)->used;
}

/* State ------------------------------------------------------------------------------------------------ */

static size_t copy(struct search_polish *polish, size_t run, char *kept, bool is_back)
{
    struct simplex *simplex = simplex_of(polish, run);
    struct search_host *search = simplex->search;
    uint64_t head[] = {simplex->used, simplex->batch, simplex->is_open, search && search->drawn};
    if (kept && is_back) {
        memcpy(head, kept, sizeof head);
        simplex->used = head[0];
        simplex->batch = head[1];
        simplex->is_open = head[2];
    } else if (kept) {
        memcpy(kept, head, sizeof head);
    }
    if (!search)
        return sizeof head;
    search->drawn = head[3];
    return sizeof head + search_host_copy(search, kept ? kept + sizeof head : NULL, is_back);
}

static bool is_sound(struct search_polish *polish, size_t run)
{
    struct simplex *simplex = simplex_of(polish, run);
    struct search_host *search = simplex->search;
    if (!search)
        return true;
    const bool is_drawn = search->drawn;
    if (simplex->is_open > 1 || !search_host_is_sound(search, search_host_steps(search)))
        return false;
    search_host_derive(search);
    search->drawn = is_drawn;
    return simplex->batch < search_host_batches(search, 0);
}

const struct polish_rule polish_simplex_rule = {.size = sizeof(struct simplices),
                                                .create = create,
                                                .destroy = destroy,
                                                .ask = ask,
                                                .tell = tell,
                                                .best = best,
                                                .is_settled = is_settled,
                                                .used = count_used,
                                                .copy = copy,
                                                .is_sound = is_sound};
