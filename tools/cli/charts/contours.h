/* Contours of a function over a part of a plane, as paths of an SVG. */
#ifndef SHOAL_TOOLS_CONTOURS_H
#define SHOAL_TOOLS_CONTOURS_H

#include "cli/charts/chart.h"

struct contour_grid {
    size_t cells;         /* cells along each axis */
    const double *values; /* values at (cells + 1)^2 nodes, row by row */
    /* Where node (0, 0) is drawn, and where the opposite corner of the grid is drawn. */
    double left, bottom, right, top;
};

/* The values of a function at the nodes of a grid, CONTOUR_NODES^2 row by row, over lower[0] to upper[0]
 * across and lower[1] to upper[1] up. */
enum { CONTOUR_CELLS = 128, CONTOUR_NODES = CONTOUR_CELLS + 1 };
struct contour_map {
    struct chart_scale across, up;
    double lower[2], upper[2];
    const double *values; /* NULL: not known, and nothing is drawn */
};

/* The scales over the map's bounds. */
void contours_scale(struct contour_map *map);
/* The place of a node along axis d, 0 or 1. */
double contours_node(const struct contour_map *map, size_t d, size_t index);
/* Draws contours at quantiles of the values, so that any function shows some. */
void contours_draw(FILE *out, const struct contour_map *map);

/* Unit of the path data, as a fraction of the chart's unit: coordinates are short whole numbers, which keeps
 * pictures of many lines small. */
enum { CONTOUR_UNITS = 2 };

/* Writes the path data of the contours at `level`: each line once, through no more places than it needs.
 * Every place is the step from the place before, also from the end of a line to the begin of the next. */
void contours_write(FILE *out, const struct contour_grid *grid, double level);

#endif
