/* Private: the fast multipole method by interpolation. docs/fmm.md describes the method.
 *
 * A cell has nodes x nodes nodes, node (i, j) at the number j * nodes + i. `moments` of a cell are
 * charges at its nodes that stand for the charges in the cell; `incoming` values are potential and field of
 * far charges at its nodes.
 */
#ifndef SHOAL_FMM_FMM_H
#define SHOAL_FMM_FMM_H

#include "base/error.h"
#include "base/integer.h"
#include "fmm/law.h"

#include <math.h>
#include <shoal/fmm.h>

enum {
    FMM_MOST_NODES = 16,    /* most nodes along an axis of a cell */
    FMM_LEAST_POINTS = 16,  /* least value of struct fmm_plan.points, */
    FMM_MOST_POINTS = 4096, /* and the largest */
    /* Levels below the root: a key of a cell has two bits for each level. */
    FMM_DEPTH = 16,
    /* Pairs of cells of a level that interact by their nodes: their offset is turned and mirrored into one
     * of these, (2, 0) (2, 1) (2, 2) (3, 0) (3, 1) (3, 2) (3, 3). */
    FMM_OFFSETS = 7
};

/* What follows from the accuracy. */
struct fmm_plan {
    unsigned nodes;  /* nodes along an axis of a cell */
    uint32_t points; /* a cell with more sources, or more targets, is divided */
};

/* Constants of the interpolation; coordinates in a cell are -1 to 1. */
struct fmm_nodes {
    unsigned count;
    double place[FMM_MOST_NODES]; /* the nodes along an axis, falling; place[count - 1 - i] = -place[i] */
    /* [k][i]: factor of the Chebyshev polynomial T_k in the weight of node i */
    double factor[FMM_MOST_NODES][FMM_MOST_NODES];
    /* [half][j][i]: weight, in the parent, of the parent's node i at node j of its lower or upper half */
    double shift[2][FMM_MOST_NODES][FMM_MOST_NODES];
};

/* The law at the squared distance d. with_potential false: the potential is 0. Inline, for loops. */
static inline struct law_value fmm_law_value(const struct shoal_fmm_params *params, double d,
                                             bool with_potential)
{
    const double s = d + params->softening * params->softening;
    switch (params->law) {
    case SHOAL_FMM_LOG_REPULSION:
        return law_log_repulsion(s, params->strength, params->repulsion, with_potential);
    case SHOAL_FMM_INVERSE:
        return law_inverse(s, params->strength);
    default:
        return law_log(s, params->strength, with_potential);
    }
}

/* Checks law, numbers and accuracy. call: name of the public call. */
SHOAL_MUST_CHECK enum shoal_status fmm_check(const char *call, const struct shoal_fmm_params *params,
                                             struct shoal_error *error);
/* The plan for parameters that fmm_check has accepted. */
struct fmm_plan fmm_plan_of(const struct shoal_fmm_params *params);
/* Bytes of the buffers of an object on a device. */
double fmm_device_bytes(const struct shoal_fmm_params *params);

void fmm_nodes_set(struct fmm_nodes *nodes, unsigned count);
/* Sets weight[count]: the weight of each node at `place`. */
void fmm_weights(const struct fmm_nodes *nodes, double place, double *weight);

/* Index of an offset of max(|x|, |y|) = 2 or 3 among the FMM_OFFSETS. */
static inline unsigned fmm_offset_index(unsigned large, unsigned small)
{
    return large == 2 ? small : 3 + small;
}

#endif
