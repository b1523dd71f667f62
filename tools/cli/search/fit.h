/* Further output of the commands of searches: positions, and for a fit by --model the parameters found,
 * residuals and a picture. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_FIT_H
#define SHOAL_TOOLS_CLI_SEARCH_FIT_H

#include "cli/cli.h"
#include "cli/workload.h"

/* Files of a search, in addition to the files of every run. */
struct search_files {
    const char *residuals, *out, *landscape, *landscape_axes;
    uint64_t best; /* distinct points to show; 0: none */
};

/* Values of the options that all commands of searches have. The values of each of these commands begin with
 * this struct. */
struct search_values {
    struct workload_values common; /* must be first: the options of every workload */
    struct search_files files;
};

/* Option rows for the members of struct search_files. */
#define SEARCH_FILES                                                                                         \
    {.name = "residuals",                                                                                    \
     .type = SHOAL_OPTION_TEXT,                                                                              \
     .offset = offsetof(struct search_values, files.residuals),                                              \
     .unit = "FILE",                                                                                         \
     .help = "write the columns of --model with its values and residuals, row by row, as CSV",               \
     .flags = SHOAL_OPTION_WRITES},                                                                          \
        {.name = "out",                                                                                      \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct search_values, files.out),                                                \
         .unit = "FILE",                                                                                     \
         .help = "write the position of the result, for --runs a row for each run: .csv (with the names of " \
                 "the variables), .npy, .txt or .json (with values and seeds)",                              \
         .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN},                                                  \
        {.name = "landscape",                                                                                \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct search_values, files.landscape),                                          \
         .unit = "FILE",                                                                                     \
         .help = "draw contours of the objective in two coordinates, the others as in the result, and the "  \
                 "path of the best point of the best run, which is made once more (.svg)",                   \
         .flags = SHOAL_OPTION_WRITES},                                                                      \
        {.name = "landscape-axes",                                                                           \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct search_values, files.landscape_axes),                                     \
         .unit = "I,J",                                                                                      \
         .help = "the coordinates of --landscape, from 1 (default 1,2)",                                     \
         .needs = "landscape"},                                                                              \
    {                                                                                                        \
        .name = "best", .type = SHOAL_OPTION_UINT, .offset = offsetof(struct search_values, files.best),     \
        .unit = "N", .min = 0, .max = 262144,                                                                \
        .help = "show the N best distinct points of the runs, and how many runs ended at each; default of "  \
                "--runs then four for each point",                                                           \
        .flags = SHOAL_OPTION_ZERO_UNSET | SHOAL_OPTION_MAIN                                                 \
    }

#define FIT_PLOT_HELP "with --model the data and the curve"

/* Functions for members of struct report; the values of the command begin with struct search_values. */
bool fit_draws_plot(const struct cli *cli);
int fit_check(struct cli *cli);
/* Writes the files of a row that has a result, and keeps in row->kept the data to show. */
int fit_row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver);
bool fit_is_better(const struct cli_row *row, const struct cli_row *other);
void fit_row_print(const struct cli_row *row);
void fit_row_json(cJSON *object, const struct cli_row *row);
void fit_row_free(struct cli_row *row);

#endif
