/* A picture of a fit. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_FIT_PLOT_H
#define SHOAL_TOOLS_CLI_SEARCH_FIT_PLOT_H

#include "cli/cli.h"

#include <shoal/fit.h>

/* Draws a fit to `path`: if the model has one column, the data and the curve over this column; otherwise the
 * target over the prediction of the model with parameters x. Returns an exit code. */
int fit_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_objective *objective,
             const double *x, const char *path);

#endif
