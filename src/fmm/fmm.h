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
#include <string.h>

enum {
    FMM_MOST_NODES = 16,    /* most nodes along an axis of a cell */
    FMM_LEAST_POINTS = 16,  /* least value of struct fmm_plan.points, */
    FMM_MOST_POINTS = 4096, /* and the largest */
    /* Levels below the root: a key of a cell has two bits for each level. */
    FMM_DEPTH = 16,
    /* Pairs of cells of a level that interact by their nodes: their offset is turned and mirrored into one
     * of these, (2, 0) (2, 1) (2, 2) (3, 0) (3, 1) (3, 2) (3, 3). */
    FMM_OFFSETS = 7,
    /* All offsets of -3 to 3 along both axes, and the levels with cells that are far from each other. */
    FMM_IMAGES = 49,
    FMM_FAR_LEVELS = FMM_DEPTH + 1 - 2
};

/* What follows from the accuracy. */
struct fmm_plan {
    unsigned nodes;  /* nodes along an axis of a cell */
    unsigned degree; /* most k + l of the terms T_k(x) T_l(y) of a cell */
    uint32_t points; /* a cell with more sources, or more targets, is divided */
};

/* Constants of the interpolation; coordinates in a cell are -1 to 1. */
struct fmm_nodes {
    unsigned count;
    /* [l]: number of the term of T_0(x) T_l(y); [count]: number of terms of a cell */
    unsigned first[FMM_MOST_NODES + 1];
    double place[FMM_MOST_NODES]; /* the nodes along an axis, falling; place[count - 1 - i] = -place[i] */
    /* [k][i]: a function with values at the nodes has the term of T_k sum over i of factor[k][i] value[i] */
    double factor[FMM_MOST_NODES][FMM_MOST_NODES];
    /* [half][k][m]: T_k at a place of the parent, in the lower or upper half, is the sum over m of shift T_m
     * at this place of the child */
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

void fmm_nodes_set(struct fmm_nodes *nodes, unsigned count, unsigned degree);
/* Sets value[count]: the Chebyshev polynomials T_k at a place. */
void fmm_polynomials(unsigned count, double place, double *value);

/* Number of terms with T_l(y), and number of the term T_k(x) T_l(y) among all. */
static inline unsigned fmm_row(const struct fmm_nodes *nodes, unsigned l)
{
    return nodes->first[l + 1] - nodes->first[l];
}

static inline unsigned fmm_term(const struct fmm_nodes *nodes, unsigned k, unsigned l)
{
    return nodes->first[l] + k;
}

/* Index of an offset of max(|x|, |y|) = 2 or 3 among the FMM_OFFSETS. */
static inline unsigned fmm_offset_index(unsigned large, unsigned small)
{
    return large == 2 ? small : 3 + small;
}

#endif
