/* Private: the cells of a sum on the host. */
#ifndef SHOAL_FMM_TREE_H
#define SHOAL_FMM_TREE_H

#include "fmm/fmm.h"

enum { FMM_NEAR = 9 };
#define FMM_NONE UINT32_MAX

/* A range of sorted points. */
struct fmm_range {
    uint32_t begin, end;
};

/* A square cell. Cells of a level follow each other; so do the children of a cell, which exist where there
 * are points. */
struct fmm_cell {
    uint32_t x, y;  /* place of the cell among the 2^level cells along an axis */
    uint32_t level; /* 0: the root */
    struct fmm_range sources, targets;
    uint32_t parent;         /* FMM_NONE: the root */
    uint32_t child;          /* first child; 0: none */
    uint32_t children;       /* bit q: there is the child in the quadrant q = 2 (upper y) + (upper x) */
    uint32_t after;          /* the next cell of a walk through the tree that leaves out the children */
    uint32_t near[FMM_NEAR]; /* [3 (dy + 1) + dx + 1]: the cell of this level at the place x + dx, y + dy, or
                                a larger cell without children that covers this place; FMM_NONE: none */
};

/* Points in the order of their cells. */
struct fmm_sorted {
    uint32_t count;
    uint32_t *order; /* [count]: number of the point in the caller's arrays */
    uint32_t *keys;  /* [count] */
    double *x, *y;   /* [count] */
};

struct fmm_tree {
    double left, bottom, side; /* the root's square */
    struct fmm_sorted sources, targets;
    bool same; /* the targets are the sources: `targets` refers to the arrays of `sources` */
    struct fmm_cell *cells;
    uint32_t count, room;
    uint32_t levels;               /* number of levels */
    uint32_t begin[FMM_DEPTH + 2]; /* [level]: first cell of a level; [levels]: count */
};

/* Builds the tree. `tree` is all zeros before; fmm_tree_free frees it, also after an error. */
SHOAL_MUST_CHECK enum shoal_status fmm_tree_build(struct fmm_tree *tree,
                                                  const struct shoal_fmm_points *points, uint32_t most_points,
                                                  struct shoal_error *error);
void fmm_tree_free(struct fmm_tree *tree);

/* Half the side of a cell, and its middle. */
static inline double fmm_half(const struct fmm_tree *tree, const struct fmm_cell *cell)
{
    return ldexp(tree->side, -(int)cell->level - 1);
}

static inline double fmm_middle_x(const struct fmm_tree *tree, const struct fmm_cell *cell)
{
    return tree->left + (2 * (double)cell->x + 1) * fmm_half(tree, cell);
}

static inline double fmm_middle_y(const struct fmm_tree *tree, const struct fmm_cell *cell)
{
    return tree->bottom + (2 * (double)cell->y + 1) * fmm_half(tree, cell);
}

/* Do the cells overlap or touch, corners included? */
bool fmm_touch(const struct fmm_cell *a, const struct fmm_cell *b);

#endif
