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
                             .weights = host->weights + run * points,
                             .rank_weights = host->rank_weights + run * points};
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

static bool precedes(const struct ranked *a, const struct ranked *b)
{
    return (a->value < b->value) | ((a->value == b->value) & (a->number < b->number));
}

/* Number of points that are sorted by counting. */
enum { FEW = 16 };

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

/* Sorts up to FEW points by counting, for each, the points before it: in vector code, without branches that
 * depend on values. Points with the same value get the same place; insertion then sorts them. */
static void sort_few(struct ranked *points, uint count)
{
    double value[FEW];
    int64_t place[FEW] = {0};
    struct ranked sorted[FEW];
    uint64_t sum = 0;
    for (uint i = 0; i < FEW; i++)
        value[i] = i < count ? points[i].value : INFINITY;
    for (uint j = 0; j < FEW; j++)
        for (uint i = 0; i < FEW; i++)
            place[i] += value[j] < value[i];
    for (uint i = 0; i < count; i++) {
        sum += (uint64_t)place[i];
        sorted[place[i]] = points[i];
    }
    if (sum == count * (count - 1ull) / 2)
        memcpy(points, sorted, count * sizeof *points);
    else
        sort_by_insertion(points, count);
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
    if (count <= FEW) {
        sort_few(points, count);
        return;
    }
    sort(points, count / 2, room);
    sort(points + count / 2, count - count / 2, room);
    merge(points, (int)count, room);
    memcpy(points, room, count * sizeof *points);
}

/* Ranks the points of a generation. Many points are sorted, since counting would take long; without memory
 * for the sort they are counted. */
static void cma_rank(const struct cma_view *view, const struct cma_record *record)
{
    const uint count = cma_points(view, record);
    struct ranked few[2 * FEW], *room = count > FEW ? malloc(2 * count * sizeof *room) : few, *points = room;
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
    if (room != few)
        free(room);
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

/* Sets x of point n from its z and y, which must be inside the box in the end. */
static void set_point(const struct search_problem *problem, const struct cma_view *view,
                      const struct cma_record *record, uint n, double *x)
{
    if (!place(problem, cma_vector(view, CMA_MEAN), record->sigma, view->y + n * problem->dim, x))
        return;
    for (uint d = 0; d < view->dim; d++)
        x[d] = cma_coordinate(view, record, n, d, problem->lower[d], problem->upper[d]);
    for (uint d = 0; d < view->dim; d++)
        cma_turn_back(view, record, n, d);
    cma_turn_normal(view, n);
}

/* Number of points that are made with the first one of them: blocks, of which more than one do not take so
 * long that threads should share them. */
static uint points_together(size_t dim)
{
    enum { SHORT = 64 };
    return dim <= SHORT ? 4 * CMAES_BLOCK : CMAES_BLOCK;
}

/* Makes the points of some blocks with their first point; other points were made before. */
static void make(struct search_host *search, size_t i, uint64_t step)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const struct search_problem *problem = &host->problem.search;
    const size_t dim = problem->dim, starts = step == 0 ? problem->start_count : 0;
    const size_t run = search_host_part(i, problem->members);
    const uint first = (uint)(i - run * problem->members), together = points_together(dim);
    if (first % together)
        return;
    const struct cma_view view = view_of(host, run);
    const struct cma_record record = record_of(host, run);
    const uint end = min(first + together, view.lambda);
    for (uint n = first; n < end; n += CMAES_BLOCK) {
        const uint points = min(end - n, (uint)CMAES_BLOCK);
        draw_points(&view, (uint)step, n, points);
        transform_points(&view, &record, n, points);
    }
    for (uint n = first; n < end; n++) {
        double *x = search->x + (i + n - first) * dim;
        if (n >= starts) {
            set_point(problem, &view, &record, n, x);
            continue;
        }
        cma_place(&view, &record, n, host->start + n * dim);
        memcpy(x, problem->start + n * dim, dim * sizeof *x);
    }
}

/* Sets z or y to those of part `part` of a generation of several parts: a copy, if the parts were kept, or
 * made again. */
static void cma_recall(const struct cma_view *view, const struct cma_record *record, uint part, uint is_y)
{
    const uint count = view->lambda * view->dim;
    if (record->word[CMA_DOUBLINGS] == 0)
        return;
    if (view->parts) {
        memcpy(is_y ? view->y : view->z, cma_part(view, part) + is_y * count, count * sizeof(double));
        return;
    }
    for (uint n = 0; n < view->lambda; n += CMAES_BLOCK) {
        const uint points = min(view->lambda - n, (uint)CMAES_BLOCK);
        draw_points(view, record->word[CMA_PART_STEP] + part, n, points);
        if (view->form != CMA_LIMITED)
            transform_points(view, record, n, points);
    }
    if (view->form != CMA_LIMITED)
        cma_turn_all_back(view, record, 0);
}

static double *kept_parts(const struct cmaes_host *host, size_t run)
{
    return host->parts + run * 2 * cmaes_most_points(&host->problem) * host->problem.search.dim;
}

/* Keeps z and y of the part that was made, if all earlier parts of its generation are kept. */
static void keep_part(const struct cmaes_host *host, size_t run, struct cma_view *view,
                      const struct cma_record *record)
{
    const uint part = record->word[CMA_PART], count = view->lambda * view->dim;
    struct cmaes_kept *kept = &host->kept_parts[run];
    if (!host->parts || record->word[CMA_DOUBLINGS] == 0)
        return;
    view->parts = kept_parts(host, run);
    if (part == 0)
        *kept = (struct cmaes_kept){record->word[CMA_PART_STEP], 0, 0};
    if (kept->first_step == record->word[CMA_PART_STEP] && kept->count >= part) {
        memcpy(cma_part(view, part), view->z, count * sizeof *view->z);
        memcpy(cma_part(view, part) + count, view->y, count * sizeof *view->y);
        kept->count = part + 1;
    } else {
        view->parts = NULL;
    }
}

/* Sets view->parts if the part that ends, and all parts before it, are kept. */
static void find_kept(const struct cmaes_host *host, size_t run, struct cma_view *view,
                      const struct cma_record *record)
{
    const struct cmaes_kept *kept = &host->kept_parts[run];
    if (host->parts && kept->first_step == record->word[CMA_PART_STEP] &&
        kept->count > record->word[CMA_PART])
        view->parts = kept_parts(host, run);
}

static void keep_ahead(struct search_host *search, size_t run, size_t steps)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    struct cma_view view = view_of(host, run);
    struct cma_record record = record_of(host, run);
    record.word[CMA_PART] += (uint)steps;
    keep_part(host, run, &view, &record);
    host->kept_parts[run].ahead = record.word[CMA_PART] + 1;
}

static void recall(struct search_host *search, size_t run)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const struct cma_record record = record_of(host, run);
    struct cma_view view = view_of(host, run);
    find_kept(host, run, &view, &record);
    cma_recall(&view, &record, record.word[CMA_PART], 0);
    if (view.parts)
        cma_recall(&view, &record, record.word[CMA_PART], 1);
}

/* Keeps the part that ends, unless it was made ahead: z and y are then those of the last part so made. */
static void end_part(const struct cmaes_host *host, size_t run, struct cma_view *view,
                     const struct cma_record *record)
{
    struct cmaes_kept *kept = &host->kept_parts[run];
    const uint part = record->word[CMA_PART];
    if (part >= kept->ahead)
        keep_part(host, run, view, record);
    else
        find_kept(host, run, view, record);
    if (part + 1 == 1u << record->word[CMA_DOUBLINGS])
        kept->ahead = 0;
}

static void end_step(struct search_host *search, size_t run)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const size_t members = host->problem.search.members;
    struct cma_view view = view_of(host, run);
    struct cma_record record = record_of(host, run);
    double *values = cma_values(&view, &record);
    end_part(host, run, &view, &record);
    if (host->lagrangian)
        cmaes_host_lagrange(host, run, record.word[CMA_GENERATION] == 0, record.word[CMA_PART] == 0, values);
    else
        memcpy(values, search->y + run * members, members * sizeof *search->y);
    set_rank_weights(host, run, &view, &record);
    cma_end_step(&view, &record, (uint)search_host_making(search, run));
    keep_record(host, run, &record);
    search->islands[run].restarts = record.word[CMA_RESTARTS];
}

const struct cmaes_host_rules NAME = {begin, make, keep_ahead, recall, end_step};
