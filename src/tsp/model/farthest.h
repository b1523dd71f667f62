/* Private: a tree of boxes over points, and the search for the two points that are farthest apart. */
#ifndef SHOAL_TSP_FARTHEST_H
#define SHOAL_TSP_FARTHEST_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

struct tsp_extent {
    double least[3], most[3];
};

/* A binary tree of ranges of points with bounding boxes. A node has a range of `order`; a node of more than
 * TSP_BOXES_LEAF points is halved at the median along the longest side of its box. */
enum { TSP_BOXES_LEAF = 8 };
/* A half of more points than this is a task for another thread of the team that walks the tree, if there is
 * one. */
enum { TSP_BOXES_TASK = 1 << 13 };
struct tsp_boxes {
    const double *places;
    unsigned dim;
    uint32_t *order;
    struct tsp_extent *extents; /* of each node, by its number */
};

struct tsp_node {
    size_t number, first, count;
};

/* A half of a node, number 0 or 1. The root has number 0 and all points. */
static inline struct tsp_node tsp_boxes_half(struct tsp_node node, unsigned which)
{
    const size_t half = node.count / 2;
    return (struct tsp_node){2 * node.number + 1 + which, node.first + (which ? half : 0),
                             which ? node.count - half : half};
}

/* More than the number of each node of a tree of `count` points. */
static inline size_t tsp_boxes_nodes(size_t count)
{
    return 4 * (count / (TSP_BOXES_LEAF / 2) + 1);
}

/* Rearranges `order` and sets the extents of the nodes from `node` on. Other threads of the caller's team may
 * help; all is done when it returns. */
void tsp_boxes_build(struct tsp_boxes *boxes, struct tsp_node node);

/* Returns the bounding box of n points (at least 1) with `dim` coordinates each. */
struct tsp_extent tsp_extent(const double *places, size_t n, unsigned dim);

/* Returns a measure of absolute coordinate differences: the square of a Euclidean distance, the sum of the
 * differences, or the largest difference. By the rule (cl/tsp/model/rules.clh), a pair with a larger measure
 * is never nearer. The measure never decreases if a difference increases, even with rounding. */
double tsp_measure(int rule, unsigned dim, const double *difference);
/* Returns the measure of opposite corners of the bounding box, which no pair of points exceeds. */
double tsp_measure_of(int rule, unsigned dim, const struct tsp_extent *extent);

/* Finds the pair of points with the largest measure, exactly, in nearly linear time; pair[0] < pair[1]. Pairs
 * of boxes are skipped if the largest measure between their points cannot exceed the best so far. */
SHOAL_MUST_CHECK enum shoal_status tsp_farthest(const double *places, size_t n, unsigned dim, int rule,
                                                uint32_t pair[2], struct shoal_error *error);

#endif
