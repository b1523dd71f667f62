/* Contours of a function over a part of a plane, as paths of an SVG. */
#ifndef SHOAL_TOOLS_CONTOURS_H
#define SHOAL_TOOLS_CONTOURS_H

#include "cli/charts/chart.h"

struct contour_grid {
    size_t cells;         /* cells along each axis */
    const double *values; /* values at (cells + 1)^2 nodes, row by row */
    /* Coordinates of node (0, 0), `left` and `bottom`, and of the opposite corner, `right` and `top`. */
    double left, bottom, right, top;
};

/* A map of a function. values: [CONTOUR_NODES^2], row by row, at the nodes of a grid over x from lower[0] to
 * upper[0] and y from lower[1] to upper[1]. */
enum { CONTOUR_CELLS = 128, CONTOUR_NODES = CONTOUR_CELLS + 1 };
struct contour_map {
    struct chart_scale across, up;
    double lower[2], upper[2];
    const double *values; /* NULL: not known, and nothing is drawn */
};

/* Sets the scales of the map by its bounds. */
void contours_scale(struct contour_map *map);
/* Coordinate of node number `index` along axis d, 0 or 1. */
double contours_node(const struct contour_map *map, size_t d, size_t index);
/* Draws contours at quantiles of the values, so that every function has contours. */
void contours_draw(FILE *out, const struct contour_map *map);

/* Coordinates of paths are whole multiples of 1 / CONTOUR_UNITS of a unit of the chart: short numbers keep
 * files with many lines small. */
enum { CONTOUR_UNITS = 2 };

/* Writes the path data of the contours at `level`, each line once and simplified. Every point is relative to
 * the point before, also from the end of a line to the beginning of the next line. */
void contours_write(FILE *out, const struct contour_grid *grid, double level);

#endif
