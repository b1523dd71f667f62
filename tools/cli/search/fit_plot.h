/* A picture of a fit. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_FIT_PLOT_H
#define SHOAL_TOOLS_CLI_SEARCH_FIT_PLOT_H

#include "cli/cli.h"

#include <shoal/fit.h>

/* Data and curve over the column of a model that has one; else the target over what the model, with the
 * parameters x, predicts. Exit code. */
int fit_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_objective *objective,
             const double *x, const char *path);

#endif
