/* shoal optimise, and each algorithm without a module of its own: files of positions, and fits of models. */
#include "cli/search/best.h"
#include "cli/search/fields.h"
#include "cli/search/fit.h"

static const struct shoal_option options[] = {SEARCH_FILES};

const struct report search_report = {.workload = "optimise",
                                     .documents = "optimise searching search objectives fitting",
                                     .fields = {search_fields, population_fields},
                                     .options = options,
                                     .option_count = sizeof options / sizeof *options,
                                     .values_size = sizeof(struct search_values),
                                     .draws_plot = fit_draws_plot,
                                     .plot_help = FIT_PLOT_HELP,
                                     .complete = best_complete,
                                     .check = fit_check,
                                     .row_end = fit_row_end,
                                     .row_print = fit_row_print,
                                     .row_json = fit_row_json,
                                     .row_free = fit_row_free,
                                     .is_better = fit_is_better};
