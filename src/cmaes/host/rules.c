/* The rules of CMA-ES on the host: the source of the kernels, compiled for a group of one work-item. */
#include "cmaes/host/host.h"

#include <shoal/rng.h>
#include <stdlib.h>

#include "lib/host.h"

#ifndef NAME
#define NAME cmaes_host_rules
#endif

#define WG     1
#define INLINE inline
#define CMA_SPACE
#define CMA_HOST 1
#include "cmaes/model/update.clh"

#include "cmaes/host/vectors.h"

/* Views of the state ----------------------------------------------------------------------------------- */

static struct cma_view view_of(const struct cmaes_host *host, size_t run)
{
    const struct cmaes_problem *problem = &host->problem;
    const struct search_problem *search = &problem->search;
    const size_t points = run * host->sizes.points, step = run * search->members * search->dim;
    double *kept = host->kept + run * host->sizes.kept;
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
                             .grains = host->grains,
                             .start = host->start,
                             .numbers = host->numbers + run * host->sizes.numbers,
                             .z = host->z + step,
                             .y = host->y + step,
                             .best = kept,
                             .history = kept + problem->ring,
                             .values = host->values + points,
                             .weights = host->weights + points,
                             .rank_weights = host->rank_weights + points};
}

static double *parts_of(const struct cmaes_host *host, size_t run)
{
    return host->parts + run * 2 * host->sizes.points * host->problem.search.dim;
}

static struct cma_record record_of(const struct cmaes_host *host, size_t run)
{
    struct cma_record record = {.sigma = host->scalars[run * CMA_SCALARS + CMA_SIGMA],
                                .sigma_start = host->scalars[run * CMA_SCALARS + CMA_SIGMA_START]};
    memcpy(record.word, host->words + run * CMA_WORDS, sizeof record.word);
    return record;
}

/* The view in step `step`: z and y of a generation of several parts are those of the part, if they are
 * kept. */
static struct cma_view view_of_part(const struct cmaes_host *host, size_t run,
                                    const struct cma_record *record, uint step)
{
    struct cma_view view = view_of(host, run);
    const size_t count = (size_t)view.lambda * view.dim;
    if (host->parts && record->word[CMA_DOUBLINGS] > 0) {
        view.z = parts_of(host, run) + (step - record->word[CMA_PART_STEP]) * 2 * count;
        view.y = view.z + count;
    }
    return view;
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

static bool precedes(const struct ranked *a, const struct ranked *b)
{
    return (a->value < b->value) | ((a->value == b->value) & (a->number < b->number));
}

/* FEW: number of points that are sorted by insertion. MANY: number of points that are ranked by counting, a
 * multiple of 2 TILE. */
enum { FEW = 16, MANY = 128 };

/* Sets place[i] to the number of values that are less than value[i], in vector code, without branches that
 * depend on values. Returns whether the places are ranks: all values differ. Arrays: [MANY], of which the
 * numbers behind the last one are overwritten. */
static bool count_less(double *value, uint count, int64_t *place)
{
    uint64_t sum = 0;
    for (uint i = count; i % (2 * TILE); i++)
        value[i] = INFINITY;
    for (uint first = 0; first < count; first += 2 * TILE) {
        const tile_column a = *(stored_column *)(value + first), b = *(stored_column *)(value + first + TILE);
        tile_rows less_a = {0}, less_b = {0};
        for (uint j = 0; j < count; j++) {
            less_a -= value[j] < a; /* all bits are set where it is less */
            less_b -= value[j] < b;
        }
        memcpy(place + first, &less_a, sizeof less_a);
        memcpy(place + first + TILE, &less_b, sizeof less_b);
    }
    for (uint i = 0; i < count; i++)
        sum += (uint64_t)place[i];
    return sum == count * (count - 1ull) / 2;
}

/* Sorts by insertion. */
static void sort_by_insertion(struct ranked *points, uint count)
{
    for (uint i = 1; i < count; i++) {
        const struct ranked point = points[i];
        uint place = i;
        for (; place > 0 && precedes(&point, &points[place - 1]); place--)
            points[place] = points[place - 1];
        points[place] = point;
    }
}

/* Sorts up to MANY points by counting. Returns false if values are the same. */
static bool sort_by_counting(struct ranked *points, uint count)
{
    double value[MANY];
    int64_t place[MANY];
    struct ranked sorted[MANY];
    for (uint i = 0; i < count; i++)
        value[i] = points[i].value;
    if (!count_less(value, count, place))
        return false;
    for (uint i = 0; i < count; i++)
        sorted[place[i]] = points[i];
    memcpy(points, sorted, count * sizeof *points);
    return true;
}

/* Merges the sorted first and second half of a list, of which the second may be one longer, from both ends:
 * the comparisons at the two ends do not wait for each other, and no branch depends on values. Each end takes
 * half of the points, so neither gets beyond a half. */
static void merge(const struct ranked *points, int count, struct ranked *out)
{
    int a = 0, b = count / 2, last_a = b - 1, last_b = count - 1;
    for (int i = 0; i < count / 2; i++) {
        const bool is_b = precedes(&points[b], &points[a]),
                   is_last_a = precedes(&points[last_b], &points[last_a]);
        out[i] = points[is_b ? b : a];
        out[count - 1 - i] = points[is_last_a ? last_a : last_b];
        a += !is_b;
        b += is_b;
        last_a -= is_last_a;
        last_b -= !is_last_a;
    }
    if (count % 2)
        out[count / 2] = points[a <= last_a ? a : b];
}

/* Sorts by merging sorted halves. room: memory for `count` points */
static void sort(struct ranked *points, uint count, struct ranked *room)
{
    if (count <= MANY && sort_by_counting(points, count))
        return;
    if (count <= FEW) {
        sort_by_insertion(points, count);
        return;
    }
    sort(points, count / 2, room);
    sort(points + count / 2, count - count / 2, room);
    merge(points, (int)count, room);
    memcpy(points, room, count * sizeof *points);
}

/* Ranks up to MANY points by counting. Returns false if values are the same. */
static bool rank_by_counting(const struct cma_view *view, uint count)
{
    double value[MANY];
    int64_t place[MANY];
    memcpy(value, view->values, count * sizeof *value);
    if (!count_less(value, count, place))
        return false;
    for (uint i = 0; i < count; i++)
        view->weights[i] = view->rank_weights[place[i]];
    return true;
}

/* Ranks the points of a generation. Many points are sorted, since counting would take long; without memory
 * for the sort they are counted. */
static void cma_rank(const struct cma_view *view, const struct cma_record *record)
{
    const uint count = cma_points(view, record);
    if (count <= MANY && rank_by_counting(view, count))
        return;
    struct ranked *points = malloc(2 * count * sizeof *points);
    for (uint i = 0; i < count && points; i++)
        points[i] = (struct ranked){view->values[i], i};
    if (points)
        sort(points, count, points + count);
    for (uint i = 0; i < count; i++) {
        uint rank = i, number = i;
        if (points) {
            number = points[i].number;
        } else {
            rank = 0;
            for (uint j = 0; j < count; j++)
                rank += precedes(&(struct ranked){view->values[j], j}, &(struct ranked){view->values[i], i});
        }
        view->weights[number] = view->rank_weights[rank];
    }
    free(points);
}

/* Sets the weights of the ranks, unless they are those of as many points. */
static void set_rank_weights(const struct cmaes_host *host, size_t run, const struct cma_view *view,
                             const struct cma_record *record)
{
    const uint count = cma_points(view, record);
    if (host->ranked[run] == count)
        return;
    for (uint rank = 0; rank < count; rank++)
        view->rank_weights[rank] = cma_weight(view, record, rank);
    host->ranked[run] = count;
}

/* Steps
 * ----------------------------------------------------------------------------------------------------------
 */

static void begin(struct search_host *search, size_t run)
{
    struct cmaes_host *host = cmaes_host_of(search);
    const struct cma_view view = view_of(host, run);
    struct cma_record record;
    cma_begin_run(&view, &record);
    keep_record(host, run, &record);
}

/* Sets x to the point mean + sigma y. Returns whether a coordinate is outside of the box; x must then be set
 * by mirror(). */
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

/* Sets the coordinates of point n that are outside of the box to those that are evaluated, and y and z to the
 * vectors of this point. */
static void mirror(const struct search_problem *problem, const struct cma_view *view,
                   const struct cma_record *record, uint n, double *x)
{
    const double *mean = cma_vector(view, CMA_MEAN), *y = view->y + n * problem->dim;
    for (uint d = 0; d < view->dim; d++) {
        const double u = mean[d] + record->sigma * y[d];
        if (!(u < 0 || u > 1))
            continue;
        x[d] = cma_coordinate(view, record, n, d, problem->lower[d], problem->upper[d]);
        cma_turn_back(view, record, n, d);
    }
    cma_turn_normal(view, n);
}

/* Makes CMAES_BLOCK points from point n on, of at most CMAES_SHORT coordinates, in the full form: the first
 * coordinates one by one, then four together. x: those of point n */
static void make_block(const struct search_problem *problem, const struct cma_view *view,
                       const struct cma_record *record, uint step, uint n, double *x)
{
    point_lanes lanes[CMAES_SHORT + 1], steps[4], placed[4];
    struct lanes_range range = {{0}, {0}};
    const size_t dim = view->dim, alone = dim % 4;
    const double *a = cma_factor(view);
    double *z = view->z + n * dim, *y = view->y + n * dim;
    for (uint d = 0; d < dim; d += NORMALS)
        draw_lanes(view, step, n, d, min((uint)dim - d, (uint)NORMALS), lanes + d);
    for (uint d = 0; d < alone; d++) {
        transform_lanes(a, dim, lanes, d, 1, steps);
        place_lanes(problem, view, record->sigma, d, steps, placed, &range);
        store_one(lanes + d, z + d, dim);
        store_one(steps, y + d, dim);
        store_one(placed, x + d, dim);
    }
    for (uint d = (uint)alone; d < dim; d += 4) {
        transform_lanes(a, dim, lanes, d, 4, steps);
        for (uint p = 0; p < 4; p++)
            place_lanes(problem, view, record->sigma, d + p, steps + p, placed + p, &range);
        store_four(lanes + d, z + d, dim);
        store_four(steps, y + d, dim);
        store_four(placed, x + d, dim);
    }
    for (uint q = 0; q < CMAES_BLOCK; q++)
        if (range.least[q] < 0 || range.most[q] > 1)
            mirror(problem, view, record, n + q, x + q * dim);
}

/* Makes up to CMAES_BLOCK points from point n on. x: those of point n */
static void make_few(const struct search_problem *problem, const struct cma_view *view,
                     const struct cma_record *record, uint step, uint n, uint points, double *x)
{
    const size_t dim = problem->dim;
    draw_points(view, step, n, points);
    transform_points(view, record, n, points);
    for (uint q = 0; q < points; q++)
        if (place(problem, cma_vector(view, CMA_MEAN), record->sigma, view->y + (n + q) * dim, x + q * dim))
            mirror(problem, view, record, n + q, x + q * dim);
}

static void make(struct search_host *search, size_t i, uint64_t step)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const struct search_problem *problem = &host->problem.search;
    const size_t dim = problem->dim, starts = step == 0 ? problem->start_count : 0;
    const size_t run = search_host_part(i, problem->members);
    const uint first = (uint)(i - run * problem->members);
    const struct cma_record record = record_of(host, run);
    const struct cma_view view = view_of_part(host, run, &record, (uint)step);
    const uint end = min(first + (uint)host->together, view.lambda);
    double *x = search->x + i * dim;
    for (uint next = first; next < end; next += CMAES_BLOCK) {
        /* The last block is whole if possible; its first points are made again. */
        const uint n = end - first < CMAES_BLOCK ? next : min(next, end - CMAES_BLOCK);
        double *own = x + (n - first) * dim;
        if (end - n >= CMAES_BLOCK && dim <= CMAES_SHORT && view.form == CMA_FULL)
            make_block(problem, &view, &record, (uint)step, n, own);
        else
            make_few(problem, &view, &record, (uint)step, n, min(end - n, (uint)CMAES_BLOCK), own);
    }
    for (uint n = first; n < end && n < starts; n++) {
        cma_place(&view, &record, n, host->start + n * dim);
        memcpy(x + (n - first) * dim, problem->start + n * dim, dim * sizeof *x);
    }
}

/* Sets view->parts in the step of the last part of a generation of several, and makes those parts again that
 * are lost. */
static void find_parts(const struct cmaes_host *host, size_t run, struct cma_view *view,
                       const struct cma_record *record)
{
    const uint parts = 1u << record->word[CMA_DOUBLINGS];
    if (!host->parts || parts == 1 || record->word[CMA_PART] + 1 < parts)
        return;
    for (uint part = 0; part < host->lost[run] && part < parts; part++) {
        const struct cma_view own = view_of_part(host, run, record, record->word[CMA_PART_STEP] + part);
        make_part_again(&own, record, part);
    }
    host->lost[run] = 0;
    view->parts = parts_of(host, run);
}

static void end_step(struct search_host *search, size_t run)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const size_t members = host->problem.search.members;
    struct cma_view view = view_of(host, run);
    struct cma_record record = record_of(host, run);
    double *values = cma_values(&view, &record);
    find_parts(host, run, &view, &record);
    if (host->lagrangian)
        cmaes_host_lagrange(host, run, record.word[CMA_GENERATION] == 0, record.word[CMA_PART] == 0, values);
    else
        memcpy(values, search->y + run * members, members * sizeof *search->y);
    set_rank_weights(host, run, &view, &record);
    cma_end_step(&view, &record, (uint)search_host_making(search, run));
    keep_record(host, run, &record);
    search->islands[run].restarts = record.word[CMA_RESTARTS];
}

const struct cmaes_host_rules NAME = {begin, make, end_step};
