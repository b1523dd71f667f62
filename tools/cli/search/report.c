/* shoal optimise, and each algorithm without a module of its own: files of positions, and fits of models. */
#include "cli/search/best.h"
#include "cli/search/fields.h"
#include "cli/search/fit.h"

struct values {
    struct workload_values common; /* must be first: the options of every workload */
    struct search_files files;
};

static const struct shoal_option options[] = {SEARCH_FILES(struct values)};

static const struct search_files *files_of(const struct cli *cli)
{
    return &((const struct values *)cli->values)->files;
}

static int check(struct cli *cli)
{
    return fit_check(cli, files_of(cli));
}

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    return fit_row_end(cli, row, solver, files_of(cli));
}

const struct report search_report = {.workload = "optimise",
                                     .documents = "optimise searching search objectives fitting",
                                     .fields = {search_fields, population_fields},
                                     .options = options,
                                     .option_count = sizeof options / sizeof *options,
                                     .values_size = sizeof(struct values),
                                     .draws_plot = fit_draws_plot,
                                     .plot_help = FIT_PLOT_HELP,
                                     .complete = best_complete,
                                     .check = check,
                                     .row_end = row_end,
                                     .row_print = fit_row_print,
                                     .row_json = fit_row_json,
                                     .row_free = fit_row_free,
                                     .is_better = fit_is_better};
