/* Private: sorts particles on the host into a grid of boxes, by which particles near each other are found. */
#ifndef SHOAL_GAS_GRID_H
#define SHOAL_GAS_GRID_H

#include "gas/gas.h"

struct gas_grid {
    const struct gas_problem *problem;
    /* [n][dim], not owned; along an axis that is not periodic, positions may be outside the box */
    const double *position;
    double reach;
    size_t boxes[GAS_MAX_DIM]; /* number of boxes along each axis; each is at least `reach` wide */
    /* [number of boxes + 1]: index in `order` of the first particle of each box */
    uint32_t *first;
    uint32_t *order; /* [n]: particles sorted by box, and within a box by number */
};

/* Chooses the number of cells along each axis: at least 1 and at most fitting[k]. If the product of these
 * numbers would exceed `most`, all are reduced by the same factor; if an axis has only 1 cell left, the other
 * axes are reduced further. */
void gas_fit_cells(const double fitting[GAS_MAX_DIM], double most, size_t cells[GAS_MAX_DIM]);

/* Creates a grid of boxes at least `reach` wide; `reach` must be above 0 and at most half of each periodic
 * length. position NULL: the boxes are empty. */
SHOAL_MUST_CHECK enum shoal_status gas_grid_create(const struct gas_problem *problem, const double *position,
                                                   double reach, struct gas_grid *grid,
                                                   struct shoal_error *error);
void gas_grid_destroy(struct gas_grid *grid); /* accepts a struct of zeros */

size_t gas_grid_box(const struct gas_grid *grid, const double *x); /* number of the box in which x lies */

/* Finds the boxes, each once, that contain all positions within `reach` of a position in `box`; `box` is one
 * of these boxes. Returns their number. */
enum { GAS_GRID_AROUND = 27 };
size_t gas_grid_around(const struct gas_grid *grid, size_t box, size_t around[GAS_GRID_AROUND]);

/* Calls `visit` for each particle j, other than i, whose distance from i by nearest images is less than
 * `reach`. d: the squared distance. The order of the calls depends on the positions alone. */
void gas_grid_visit(const struct gas_grid *grid, size_t i, void (*visit)(void *data, size_t j, double d),
                    void *data);

#endif
