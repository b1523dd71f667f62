/* Private: contours of values on a square grid, as the path of an SVG. */
#ifndef SHOAL_TOOLS_GA_CONTOURS_H
#define SHOAL_TOOLS_GA_CONTOURS_H

#include <stddef.h>
#include <stdio.h>

struct contour_grid {
    size_t cells;         /* cells along each axis */
    const double *values; /* values at (cells + 1)^2 nodes, row by row */
    /* Where node (0, 0) is drawn, and where the opposite corner of the grid is drawn. */
    double left, bottom, right, top;
};

/* Unit of the path data, as a fraction of the chart's unit: coordinates are short whole numbers, which keeps
 * pictures of many lines small. */
enum { CONTOUR_UNITS = 2 };

/* Writes the path data of the contours at `level`: each line once, through no more places than it needs.
 * Every place is the step from the place before, also from the end of a line to the begin of the next. */
void contours_write(FILE *out, const struct contour_grid *grid, double level);

#endif
