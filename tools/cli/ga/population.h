/* The last populations of a search in two dimensions, over the contours of its function. */
#ifndef SHOAL_TOOLS_GA_POPULATION_H
#define SHOAL_TOOLS_GA_POPULATION_H

#include "cli/row.h"

/* Checks before the run that --plot-population can be drawn to `path`. Returns an exit code. */
int ga_population_check(const struct cli *cli, const char *path);
/* Draws the populations to `path`. Returns an exit code. */
int ga_population_plot(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver,
                       const char *path);

#endif
