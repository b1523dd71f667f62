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

/* The path data is in these parts of the chart's unit: short whole numbers for pictures of many lines. */
enum { CONTOUR_UNITS = 2 };

/* Writes the path data of the contour at `level`: each line once, through no more places than it needs, each
 * place as the step from the place before, also from the end of a line to the next line. */
void contours_write(FILE *out, const struct contour_grid *grid, double level);

#endif
