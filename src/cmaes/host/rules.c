/* The rules of CMA-ES on the host: the source of the kernels, compiled for a group of one work-item. */
#include "cmaes/host/host.h"

#include <shoal/rng.h>
#include <stdlib.h>

#include "lib/host.h"

#define WG     1
#define INLINE inline
#define CMA_SPACE
#define CMA_SORTS 1
#include "cmaes/model/update.clh"

/* Views of the state ----------------------------------------------------------------------------------- */

static struct cma_view view_of(const struct cmaes_host *host, size_t run)
{
    const struct cmaes_problem *problem = &host->problem;
    const struct search_problem *search = &problem->search;
    const size_t points = cmaes_most_points(problem), step = search->members * search->dim;
    double *kept = host->kept + run * cmaes_kept(problem);
    return (struct cma_view){.dim = (uint)search->dim,
                             .lambda = (uint)search->members,
                             .form = (uint)problem->params->form,
                             .restarts = (uint)problem->params->restarts,
                             .vectors = (uint)problem->vectors,
                             .most = (uint)problem->params->doublings,
                             .ring = (uint)problem->ring,
                             .seed = problem->params->search.seed + run,
                             .sigma = problem->params->sigma,
                             .constants = problem->constants,
                             .grains = cmaes_grains(problem),
                             .start = host->start,
                             .numbers = host->numbers + run * cmaes_numbers(problem),
                             .z = host->z + run * step,
                             .y = host->y + run * step,
                             .best = kept,
                             .history = kept + problem->ring,
                             .values = host->values + run * points,
                             .weights = host->weights + run * points};
}

static struct cma_record record_of(const struct cmaes_host *host, size_t run)
{
    struct cma_record record = {.sigma = host->scalars[run * CMA_SCALARS + CMA_SIGMA],
                                .sigma_start = host->scalars[run * CMA_SCALARS + CMA_SIGMA_START]};
    memcpy(record.word, host->words + run * CMA_WORDS, sizeof record.word);
    return record;
}

static void keep_record(const struct cmaes_host *host, size_t run, const struct cma_record *record)
{
    memcpy(host->words + run * CMA_WORDS, record->word, sizeof record->word);
    host->scalars[run * CMA_SCALARS + CMA_SIGMA] = record->sigma;
    host->scalars[run * CMA_SCALARS + CMA_SIGMA_START] = record->sigma_start;
}

/* Ranks
 * ----------------------------------------------------------------------------------------------------------
 */

struct ranked {
    double value;
    uint number;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

/* Sorts by insertion. */
static void sort_few(struct ranked *points, uint count)
{
    for (uint i = 1; i < count; i++) {
        const struct ranked point = points[i];
        uint place = i;
        for (; place > 0 && compare(&point, &points[place - 1]) < 0; place--)
            points[place] = points[place - 1];
        points[place] = point;
    }
}

/* Ranks the points of a generation. Many points are sorted, since counting would take long; without memory
 * for the sort they are counted. */
static void cma_rank(const struct cma_view *view, const struct cma_record *record)
{
    enum { FEW = 32 };
    const uint count = cma_points(view, record);
    struct ranked few[FEW], *points = count > FEW ? malloc(count * sizeof *points) : few;
    for (uint i = 0; i < count && points; i++)
        points[i] = (struct ranked){view->values[i], i};
    if (points == few)
        sort_few(few, count);
    else if (points)
        qsort(points, count, sizeof *points, compare);
    for (uint i = 0; i < count; i++) {
        uint rank = i, number = i;
        if (points) {
            number = points[i].number;
        } else {
            rank = 0;
            for (uint j = 0; j < count; j++)
                rank +=
                    compare(&(struct ranked){view->values[j], j}, &(struct ranked){view->values[i], i}) < 0;
        }
        view->weights[number] = cma_weight(view, record, rank);
    }
    if (points != few)
        free(points);
}

/* Steps
 * ----------------------------------------------------------------------------------------------------------
 */

void cmaes_host_begin(struct search_host *search, size_t run)
{
    struct cmaes_host *host = cmaes_host_of(search);
    const struct cma_view view = view_of(host, run);
    struct cma_record record;
    cma_begin_run(&view, &record);
    keep_record(host, run, &record);
}

/* Draws the vector z of point n in step `step`: the numbers of cma_draw_quad, computed in loops that become
 * vector code. */
static void draw_vector(const struct cma_view *view, uint step, uint n)
{
    enum { PAIRS = 16 };
    double radius[PAIRS], turn[PAIRS], normal[2][PAIRS];
    for (uint first = 0; first < view->dim; first += 2 * PAIRS) {
        const uint left = min(view->dim - first, 2 * PAIRS), pairs = (left + 3) / 4 * 2;
        for (uint pair = 0; pair < pairs; pair += 2) {
            const struct shoal_words words =
                shoal_random_words(view->seed, SHOAL_STREAM_CMAES_NORMAL, step, n, (first + 2 * pair) / 4);
            radius[pair] = normal_radius(words.x);
            turn[pair] = uniform(words.y);
            radius[pair + 1] = normal_radius(words.z);
            turn[pair + 1] = uniform(words.w);
        }
        for (uint pair = 0; pair < pairs; pair++) {
            normal[0][pair] = radius[pair] * cos2pi(turn[pair]);
            normal[1][pair] = radius[pair] * sin2pi(turn[pair]);
        }
        for (uint d = 0; d < left; d++)
            view->z[n * view->dim + first + d] = normal[d % 2][d / 2];
    }
}

/* Sets x to the point mean + sigma y. Returns whether a coordinate is outside of the box; x must then be set
 * by cma_coordinate(). */
static bool place(const struct search_problem *problem, const double *mean, double sigma, const double *y,
                  double *restrict x)
{
    const double *lower = problem->lower, *upper = problem->upper;
    const size_t dim = problem->dim;
    size_t outside = 0;
    for (size_t d = 0; d < dim; d++) {
        const double u = mean[d] + sigma * y[d];
        outside += u < 0 || u > 1;
        x[d] = min(lower[d] + u * (upper[d] - lower[d]), upper[d]);
    }
    return outside > 0;
}

void cmaes_host_make(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const struct search_problem *problem = &host->problem.search;
    const size_t dim = problem->dim;
    const uint n = (uint)(i % problem->members);
    const struct cma_view view = view_of(host, i / problem->members);
    const struct cma_record record = record_of(host, i / problem->members);
    double *x = search->x + i * dim, *y = view.y + n * dim;
    (void)scratch;
    if (step == 0 && n < problem->start_count) {
        cma_place(&view, &record, n, host->start + n * dim);
        memcpy(x, problem->start + n * dim, dim * sizeof *x);
        return;
    }
    draw_vector(&view, (uint)step, n);
    if (view.form == CMA_LIMITED)
        cma_transform_limited(&view, &record, y, view.z + n * dim);
    else
        cma_transform(&view, y, view.z + n * dim);
    if (!place(problem, cma_vector(&view, CMA_MEAN), record.sigma, y, x))
        return;
    for (uint d = 0; d < dim; d++)
        x[d] = cma_coordinate(&view, &record, n, d, problem->lower[d], problem->upper[d]);
    for (uint d = 0; d < dim; d++)
        cma_turn_back(&view, &record, n, d);
    cma_turn_normal(&view, n);
}

void cmaes_host_end_step(struct search_host *search, size_t run)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const size_t members = host->problem.search.members;
    const struct cma_view view = view_of(host, run);
    struct cma_record record = record_of(host, run);
    double *values = cma_values(&view, &record);
    if (host->lagrangian)
        cmaes_host_lagrange(host, run, record.word[CMA_GENERATION] == 0, record.word[CMA_PART] == 0, values);
    else
        memcpy(values, search->y + run * members, members * sizeof *search->y);
    cma_end_step(&view, &record, (uint)search_host_making(search, run));
    keep_record(host, run, &record);
    search->islands[run].restarts = record.word[CMA_RESTARTS];
}
