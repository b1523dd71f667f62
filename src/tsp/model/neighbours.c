/* Candidate lists on the host: for points by cl/tsp/model/nearest.clh, for a matrix by a search of all
 * pairs. */
#include "tsp/model/neighbours.h"

#include "base/error.h"
#include "base/integer.h"
#include "base/threads.h"
#include "tsp/model/farthest.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "lib/host.h"
#include "tsp/model/between.h"

/* Types and constants with which the source text of the kernels compiles as C. */
typedef double near_number, near_difference, near_measure;
typedef int64_t near_distance;
#define NO_MEASURE  DBL_MAX
#define NO_DISTANCE TSP_FAR
#define NEAR_FIXED  (-TSP_FAR)

struct near_point;
struct near_box;
typedef struct near_view {
    const struct tsp_form *form;
    struct near_point *points; /* points in the order of their positions on the curve */
    uint32_t *order;
    struct near_box *boxes;
    uint32_t places, levels;
    uint32_t first[17]; /* first node of each level of the tree, [NEAR_LEVELS] */
} near_view;

#include "tsp/model/nearest.clh"

static inline near_point near_point_at(const near_view *v, uint place)
{
    return v->points[place];
}

static inline uint near_city_at(const near_view *v, uint place)
{
    return v->order[place];
}

static inline near_box near_box_at(const near_view *v, uint node)
{
    return v->boxes[node];
}

static near_point point_of(const struct tsp_form *form, size_t city)
{
    const double *place = form->places + city * form->dim;
    return (near_point){place[0], place[1], form->dim == 3 ? place[2] : 0};
}

static inline near_point near_point_of_city(const near_view *v, uint city)
{
    return point_of(v->form, city);
}

static inline near_measure near_measure_of(const near_view *v, near_difference x, near_difference y,
                                           near_difference z)
{
    if (v->form->rule == RULE_MANHATTAN)
        return fabs(x) + fabs(y) + fabs(z);
    if (v->form->rule == RULE_MAXIMUM)
        return fmax(fabs(x), fmax(fabs(y), fabs(z)));
    return x * x + y * y + z * z;
}

static inline near_difference near_larger(near_difference a, near_difference b)
{
    return a < b ? b : a; /* fmax is a call, since it treats NaN apart */
}

/* Returns an upper bound, with a margin for rounding, of the measure between a city and a box that may have a
 * city within `distance` of it. On a sphere the measure is that of a chord, which is never longer than the
 * arc. */
static inline near_measure near_limit(const near_view *v, near_distance distance)
{
    const double most = ((double)distance + 1) * (1 + 1e-9);
    const int rule = v->form->rule;
    if (distance < 0)
        return -1;
    if (rule == RULE_MANHATTAN || rule == RULE_MAXIMUM)
        return most;
    if (tsp_is_on_sphere(v->form))
        return most / SPHERE_RADIUS(rule) * (most / SPHERE_RADIUS(rule));
    return SQUARE_PARTS(rule) * most * most;
}

static inline near_distance near_bound(const near_view *v, near_difference x, near_difference y,
                                       near_difference z)
{
    if (tsp_is_on_sphere(v->form))
        return least_arc_length(v->form->rule, x, y, z);
    return tsp_size_of_differences(v->form, x, y, z);
}

static inline near_distance near_between(const near_view *v, near_point p, near_point q)
{
    if (tsp_is_on_sphere(v->form))
        return arc_length(v->form->rule, angle_between(p.x, p.y, p.z, q.x, q.y, q.z));
    return tsp_size_of_differences(v->form, p.x - q.x, p.y - q.y, p.z - q.z);
}

/* The tree --------------------------------------------------------------------------------------------- */

struct tsp_keyed *tsp_sort_keys(struct tsp_keyed *from, struct tsp_keyed *to, size_t n)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    for (unsigned shift = 0; shift < 64; shift += BITS) {
        size_t starts[DIGITS] = {0}, start = 0;
        for (size_t i = 0; i < n; i++)
            starts[from[i].key >> shift & (DIGITS - 1)]++;
        if (starts[from[0].key >> shift & (DIGITS - 1)] == n)
            continue;
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t count = starts[d];
            starts[d] = start;
            start += count;
        }
        for (size_t i = 0; i < n; i++)
            to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
        struct tsp_keyed *swapped = from;
        from = to;
        to = swapped;
    }
    return from;
}

static enum shoal_status set_order(near_view *v, struct shoal_error *error)
{
    const struct tsp_form *form = v->form;
    const size_t n = v->places;
    struct tsp_keyed *keys = malloc(2 * n * sizeof *keys);
    if (!keys)
        return fail_host_memory(error);
    const struct tsp_extent extent = tsp_extent(form->places, n, form->dim);
    double range = 0;
    for (unsigned d = 0; d < form->dim; d++)
        range = fmax(range, extent.most[d] - extent.least[d]);
    const double scale = range > 0 ? (form->dim == 3 ? 2097151.0 : 4294967295.0) / range : 0;
    for (size_t i = 0; i < n; i++) {
        const double *place = form->places + i * form->dim;
        uint32_t cell[3] = {0};
        for (unsigned d = 0; d < form->dim; d++)
            cell[d] = (uint32_t)((place[d] - extent.least[d]) * scale);
        keys[i] = (struct tsp_keyed){near_key(cell[0], cell[1], cell[2], form->dim), (uint32_t)i};
    }
    const struct tsp_keyed *sorted = tsp_sort_keys(keys, keys + n, n);
    for (size_t i = 0; i < n; i++) {
        v->order[i] = sorted[i].number;
        v->points[i] = point_of(form, sorted[i].number);
    }
    free(keys);
    return SHOAL_OK;
}

static void set_boxes(near_view *v)
{
    for (uint32_t k = 0; k < v->first[1]; k++) {
        uint32_t i = k * NEAR_LEAF;
        v->boxes[k] = near_box_of(v->points[i], v->order[i]);
        for (i++; i < (k + 1) * NEAR_LEAF && i < v->places; i++)
            v->boxes[k] = near_join(v->boxes[k], near_box_of(v->points[i], v->order[i]));
    }
    for (uint32_t level = 1; level < v->levels; level++) {
        const near_box *below = v->boxes + v->first[level - 1];
        near_box *boxes = v->boxes + v->first[level];
        for (uint32_t k = 0; k < near_nodes(v, level); k++) {
            boxes[k] = below[k * NEAR_FAN];
            for (uint32_t i = k * NEAR_FAN + 1; i < (k + 1) * NEAR_FAN && i < near_nodes(v, level - 1); i++)
                boxes[k] = near_join(boxes[k], below[i]);
        }
    }
}

uint32_t tsp_near_levels(uint32_t places, uint32_t first[TSP_NEAR_LEVELS])
{
    _Static_assert(TSP_NEAR_LEVELS == NEAR_LEVELS, "one number of levels");
    uint32_t levels = 0, nodes = div_up(places, NEAR_LEAF);
    first[0] = 0;
    do {
        first[levels + 1] = first[levels] + nodes;
        levels++;
        nodes = div_up(nodes, NEAR_FAN);
    } while (first[levels] - first[levels - 1] > 1);
    return levels;
}

static void free_tree(near_view *v)
{
    free(v->points);
    free(v->order);
    free(v->boxes);
}

static enum shoal_status create_tree(const struct tsp_problem *problem, struct long_step *cut, near_view *v,
                                     struct shoal_error *error)
{
    *v = (near_view){.form = &problem->form, .places = problem->n};
    v->levels = tsp_near_levels(problem->n, v->first);
    v->points = malloc(problem->n * sizeof *v->points);
    v->order = malloc(problem->n * sizeof *v->order);
    v->boxes = malloc(v->first[v->levels] * sizeof *v->boxes);
    if (!v->points || !v->order || !v->boxes)
        return fail_host_memory(error);
    enum shoal_status status = set_order(v, error);
    if (!status && !long_step_look(cut))
        set_boxes(v);
    return status ? status : long_step_status(cut, error);
}

/* Lists ------------------------------------------------------------------------------------------------ */

/* Computes the list of one city and returns the city. `i`: index of the city on the curve; for the additional
 * city of a path, the index after the last. */
static uint32_t list_of(const near_view *v, near_memory memory, uint32_t i, uint32_t parts)
{
    const struct tsp_form *form = v->form;
    const uint32_t city = i < v->places ? v->order[i] : i;
    near_special special = {NO_CITY, NO_CITY, NO_CITY};
    if (form->has_fixed)
        special = (near_special){form->fixed[2 * (size_t)city], form->fixed[2 * (size_t)city + 1], NO_CITY};
    if (form->is_path && i < v->places)
        special.own = form->n - 1;
    if (i < v->places)
        near_list(v, memory, special, i, parts);
    else
        near_list_of_own(v, memory, special);
    return city;
}

static enum shoal_status lists_by_tree(const struct tsp_problem *problem, const struct tsp_listing *listing,
                                       int threads, uint32_t *lists, struct shoal_error *error)
{
    enum { LOOK = 64 }; /* number of lists between two calls of long_step_look; a list takes some us */
    near_view v;
    enum shoal_status status = create_tree(problem, listing->cut, &v, error);
    const uint32_t n = status ? 0 : problem->form.n, count = listing->count;
    const uint32_t parts = tsp_neighbour_parts(problem, listing->kind);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (uint32_t i = 0; i < n; i++) {
        if (long_step_look_each(listing->cut, i, LOOK))
            continue;
        near_distance distances[2][TSP_MOST_NEIGHBOURS];
        uint32_t cities[2][TSP_MOST_NEIGHBOURS];
        const near_memory memory = {distances[0], distances[1], cities[0], cities[1], count};
        const uint32_t city = list_of(&v, memory, i, parts);
        memcpy(lists + (size_t)city * count, cities[0], count * sizeof *lists);
    }
    free_tree(&v);
    return status ? status : long_step_status(listing->cut, error);
}

static void lists_of_all(const struct tsp_problem *problem, const struct tsp_listing *listing, int threads,
                         uint32_t *lists)
{
    enum { LOOK = 8 };
    const uint32_t n = problem->form.n, count = listing->count;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (threads > 1)
    for (uint32_t a = 0; a < n; a++) {
        if (long_step_look_each(listing->cut, a, LOOK))
            continue;
        int64_t distances[TSP_MOST_NEIGHBOURS];
        uint32_t *list = lists + (size_t)a * count, found = 0;
        for (uint32_t b = 0; b < n; b++) {
            const int64_t distance = tsp_distance(problem, a, b);
            if (b == a || distance == TSP_FAR || (found == count && distance >= distances[count - 1]))
                continue;
            uint32_t i = found < count ? found++ : count - 1;
            for (; i > 0 && distances[i - 1] > distance; i--) {
                distances[i] = distances[i - 1];
                list[i] = list[i - 1];
            }
            distances[i] = distance;
            list[i] = b;
        }
        for (uint32_t i = found; i < count; i++)
            list[i] = SHOAL_TSP_NONE;
    }
}

uint32_t tsp_neighbour_parts(const struct tsp_problem *problem, enum tsp_neighbour_kind kind)
{
    return kind == TSP_QUADRANT && problem->form.dim ? 1u << problem->form.dim : 0;
}

/* The constants are times of one core for 10^3 to 10^6 cities in the plane, uniform and clustered. Lists of
 * 10, 16 and 32 cities took 2.1 to 3.9, 2.4 to 4.7 and 4.1 to 7.5 us each. Lists of quadrants took twice as
 * long, lists in space and on a sphere 1.2 to 1.6 times as long. A pair of a matrix took 6 ns. */
double tsp_neighbours_seconds(const struct tsp_problem *problem, const struct tsp_listing *listing)
{
    const double n = problem->form.n;
    if (!problem->form.dim)
        return 6e-9 * n * n;
    const double us = (1.5 + 0.16 * listing->count) * (tsp_neighbour_parts(problem, listing->kind) ? 2 : 1);
    return 1e-6 * n * us * (problem->form.dim == 3 || tsp_is_on_sphere(&problem->form) ? 1.4 : 1);
}

enum shoal_status tsp_neighbours(const struct tsp_problem *problem, const struct tsp_listing *listing,
                                 uint32_t *lists, struct shoal_error *error)
{
    const uint32_t count = listing->count;
    if (count < 1 || count > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "candidate lists have 1 to %d cities, not %u", TSP_MOST_NEIGHBOURS,
                    count);
    const int threads =
        listing->threads > 0 ? listing->threads : threads_once(tsp_neighbours_seconds(problem, listing));
    if (problem->form.dim)
        return lists_by_tree(problem, listing, threads, lists, error);
    lists_of_all(problem, listing, threads, lists);
    return long_step_status(listing->cut, error);
}

struct tsp_problem tsp_plain(const struct tsp_problem *problem)
{
    struct tsp_problem plain = *problem;
    plain.form.n = problem->n;
    plain.form.has_fixed = plain.form.is_path = plain.form.is_asymmetric = false;
    plain.form.fixed = NULL;
    return plain;
}

enum shoal_status tsp_input_neighbours(const struct tsp_problem *problem, uint32_t count, uint32_t *lists,
                                       struct shoal_error *error)
{
    const struct tsp_problem plain = tsp_plain(problem);
    return tsp_neighbours(&plain, &(struct tsp_listing){.count = count, .kind = TSP_NEAREST}, lists, error);
}
