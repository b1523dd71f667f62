#include "tsp/model/farthest.h"

#include "base/error.h"
#include "tsp/model/rules.clh"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct tsp_extent tsp_extent(const double *places, size_t n, unsigned dim)
{
    struct tsp_extent extent = {0};
    for (unsigned d = 0; d < dim; d++) {
        double least = places[d], most = places[d];
        for (size_t i = 1; i < n; i++) {
            least = fmin(least, places[i * dim + d]);
            most = fmax(most, places[i * dim + d]);
        }
        extent.least[d] = least;
        extent.most[d] = most;
    }
    return extent;
}

double tsp_measure(int rule, unsigned dim, const double *difference)
{
    const double x = difference[0], y = difference[1], z = dim == 3 ? difference[2] : 0;
    if (rule == RULE_MANHATTAN)
        return x + y + z;
    if (rule == RULE_MAXIMUM)
        return fmax(x, fmax(y, z));
    return x * x + y * y + z * z;
}

double tsp_measure_of(int rule, unsigned dim, const struct tsp_extent *extent)
{
    double difference[3] = {0};
    for (unsigned d = 0; d < dim; d++)
        difference[d] = extent->most[d] - extent->least[d];
    return tsp_measure(rule, dim, difference);
}

static double at(const struct tsp_boxes *boxes, size_t place, unsigned d)
{
    return boxes->places[(size_t)boxes->order[place] * boxes->dim + d];
}

/* Rearranges the points of a node so that the half with the lower coordinates d comes first (C. A. R. Hoare
 * 1961). */
static void halve(struct tsp_boxes *boxes, struct tsp_node node, unsigned d)
{
    size_t low = node.first, high = node.first + node.count - 1;
    const size_t middle = node.first + node.count / 2;
    while (low < high) {
        const double pivot = at(boxes, low + (high - low) / 2, d);
        size_t i = low, j = high;
        for (;;) {
            while (at(boxes, i, d) < pivot)
                i++;
            while (at(boxes, j, d) > pivot)
                j--;
            if (i >= j)
                break;
            const uint32_t swapped = boxes->order[i];
            boxes->order[i++] = boxes->order[j];
            boxes->order[j--] = swapped;
        }
        if (middle <= j)
            high = j;
        else
            low = j + 1;
    }
}

static void build(struct tsp_boxes *boxes, struct tsp_node node)
{
    struct tsp_extent *extent = &boxes->extents[node.number];
    unsigned longest = 0;
    for (unsigned d = 0; d < boxes->dim; d++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = node.first; i < node.first + node.count; i++) {
            least = fmin(least, at(boxes, i, d));
            most = fmax(most, at(boxes, i, d));
        }
        extent->least[d] = least;
        extent->most[d] = most;
        if (most - least > extent->most[longest] - extent->least[longest])
            longest = d;
    }
    if (node.count <= TSP_BOXES_LEAF)
        return;
    halve(boxes, node, longest);
    if (node.count > TSP_BOXES_TASK) {
#pragma omp task
        build(boxes, tsp_boxes_half(node, 0));
    } else {
        build(boxes, tsp_boxes_half(node, 0));
    }
    build(boxes, tsp_boxes_half(node, 1));
}

/* The caller may be a thread of a team that has other work, and uses the boxes at once. */
void tsp_boxes_build(struct tsp_boxes *boxes, struct tsp_node node)
{
#pragma omp taskgroup
    build(boxes, node);
}

/* The search for the farthest pair, over the points that may be in it. */
struct search {
    struct tsp_boxes boxes;
    int rule;
    double best;
    uint32_t pair[2];
};

static double most_between(const struct search *search, struct tsp_node a, struct tsp_node b)
{
    const struct tsp_extent *p = &search->boxes.extents[a.number], *q = &search->boxes.extents[b.number];
    double difference[3] = {0};
    for (unsigned d = 0; d < search->boxes.dim; d++)
        difference[d] = fmax(p->most[d] - q->least[d], q->most[d] - p->least[d]);
    return tsp_measure(search->rule, search->boxes.dim, difference);
}

static void compare_places(struct search *search, struct tsp_node a, struct tsp_node b)
{
    for (size_t i = a.first; i < a.first + a.count; i++)
        for (size_t j = b.first; j < b.first + b.count; j++) {
            double difference[3] = {0};
            for (unsigned d = 0; d < search->boxes.dim; d++)
                difference[d] = fabs(at(&search->boxes, i, d) - at(&search->boxes, j, d));
            const double measure = tsp_measure(search->rule, search->boxes.dim, difference);
            if (measure > search->best) {
                search->best = measure;
                search->pair[0] = search->boxes.order[i];
                search->pair[1] = search->boxes.order[j];
            }
        }
}

/* Searches pairs of a point of node a and a point of node b for a pair farther apart than the best. Divides
 * the larger node, and searches first the half whose box can have the farther pair. */
static void search_pairs(struct search *search, struct tsp_node a, struct tsp_node b)
{
    if (a.count < b.count || a.count <= TSP_BOXES_LEAF) {
        const struct tsp_node swapped = a;
        a = b;
        b = swapped;
    }
    if (a.count <= TSP_BOXES_LEAF) {
        compare_places(search, a, b);
        return;
    }
    struct tsp_node half[2] = {tsp_boxes_half(a, 0), tsp_boxes_half(a, 1)};
    double most[2] = {most_between(search, half[0], b), most_between(search, half[1], b)};
    const unsigned nearer = most[0] > most[1];
    for (unsigned i = 0; i < 2; i++)
        if (most[i ^ nearer ^ 1] > search->best)
            search_pairs(search, half[i ^ nearer ^ 1], b);
}

/* The farthest point in a direction, and the point's coordinate in this direction. */
struct end {
    uint32_t place;
    double reach;
};

/* Finds the farthest points in both directions of each axis and each diagonal. Returns their number: 8 in two
 * dimensions, 14 in three. */
enum { ENDS = 14 };
static unsigned find_ends(const double *places, size_t n, unsigned dim, struct end ends[ENDS])
{
    const unsigned diagonals = dim == 3 ? 4 : 2, directions = dim + diagonals;
    for (unsigned k = 0; k < 2 * directions; k++)
        ends[k] = (struct end){0, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        const double *place = places + i * dim;
        const double x = place[0], y = place[1], z = dim == 3 ? place[2] : 0;
        const double reach[4] = {x + y + z, x - y + z, x + y - z, x - y - z};
        for (unsigned k = 0; k < directions; k++) {
            const double along = k < diagonals ? reach[k] : place[k - diagonals];
            if (along > ends[2 * k].reach)
                ends[2 * k] = (struct end){(uint32_t)i, along};
            if (-along > ends[2 * k + 1].reach)
                ends[2 * k + 1] = (struct end){(uint32_t)i, -along};
        }
    }
    return 2 * directions;
}

/* Removes the points that are too near to all others: whose measure to the farthest corner of the bounding
 * box is not above that of the best pair so far. Returns the number of remaining points. */
static size_t drop_inner(struct search *search, size_t n)
{
    const double *places = search->boxes.places;
    const unsigned dim = search->boxes.dim;
    const struct tsp_extent extent = tsp_extent(places, n, dim);
    /* The pairs among the farthest points along axes and diagonals give a good first pair. For points in a
     * square or a cube, the best of these is nearly the farthest pair, and few points remain. */
    struct end ends[ENDS];
    const unsigned count = find_ends(places, n, dim, ends);
    for (unsigned i = 0; i < count; i++)
        search->boxes.order[i] = ends[i].place;
    const struct tsp_node all = {0, 0, count};
    compare_places(search, all, all);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double difference[3] = {0};
        for (unsigned d = 0; d < dim; d++) {
            const double x = search->boxes.places[i * dim + d];
            difference[d] = fmax(x - extent.least[d], extent.most[d] - x);
        }
        if (tsp_measure(search->rule, dim, difference) > search->best)
            search->boxes.order[kept++] = (uint32_t)i;
    }
    return kept;
}

enum shoal_status tsp_farthest(const double *places, size_t n, unsigned dim, int rule, uint32_t pair[2],
                               struct shoal_error *error)
{
    struct search search = {.boxes = {.places = places, .dim = dim}, .rule = rule, .best = -1};
    search.boxes.order = malloc((n < ENDS ? ENDS : n) * sizeof *search.boxes.order);
    enum shoal_status status = search.boxes.order ? SHOAL_OK : fail_host_memory(error);
    const size_t kept = status ? 0 : drop_inner(&search, n);
    if (kept) {
        search.boxes.extents = calloc(tsp_boxes_nodes(kept), sizeof *search.boxes.extents);
        status = search.boxes.extents ? SHOAL_OK : fail_host_memory(error);
    }
    if (kept && !status) {
        const struct tsp_node root = {0, 0, kept};
        tsp_boxes_build(&search.boxes, root);
        search_pairs(&search, root, root);
    }
    const bool is_ordered = search.pair[0] <= search.pair[1];
    pair[0] = search.pair[!is_ordered];
    pair[1] = search.pair[is_ordered];
    free(search.boxes.order);
    free(search.boxes.extents);
    return status;
}
