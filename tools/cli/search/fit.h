/* Fits of models in the commands of searches: what --model found, its residuals, its picture. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_FIT_H
#define SHOAL_TOOLS_CLI_SEARCH_FIT_H

#include "cli/cli.h"
#include "cli/workload.h"

/* The option --residuals, at `offset_` of the values of a command. */
#define FIT_OPTION(offset_)                                                                                  \
    {                                                                                                        \
        .name = "residuals", .type = SHOAL_OPTION_TEXT, .offset = offset_, .unit = "FILE",                   \
        .help = "write the columns of --model with its values and residuals, row by row, as CSV",            \
        .flags = SHOAL_OPTION_WRITES                                                                         \
    }

#define FIT_PLOT_HELP "with --model the data and the curve"

/* For functions of struct report. Without --model there is nothing to do. */
bool fit_draws_plot(const struct cli *cli);
int fit_check(const struct cli *cli, const char *residuals);
/* Keeps the fit of a row that has a result in row->kept, and writes the files. */
int fit_row_end(const struct cli *cli, struct cli_row *row, const struct shoal_solver *solver,
                const char *residuals);
void fit_row_print(const struct cli_row *row);
void fit_row_json(cJSON *object, const struct cli_row *row);
void fit_row_free(struct cli_row *row);

#endif
