/* shoal pso: files of positions, and fits of models. */
#include "cli/search/best.h"
#include "cli/search/fields.h"
#include "cli/search/fit.h"

struct values {
    struct search_values search; /* must be first */
    const char *preset;
};

static const struct shoal_option options[] = {
    SEARCH_FILES,
    PRESET_OPTION(offsetof(struct values, preset)),
};

/* SPSO-2011: the defaults of this workload before the current defaults were chosen by measurements
 * (docs/quality.md). */
static const char *const spso2011[][2] = {{"particles", "40"},    {"update", "spso2011"},
                                          {"topology", "random"}, {"bounds", "bounce"},
                                          {"refine", "auto"},     {NULL, NULL}};

static const struct workload_preset presets[] = {
    {"spso2011",
     "the standard swarm SPSO-2011: 40 particles, its update, links and bounds, without refinement", NULL,
     spso2011},
    {NULL, NULL, NULL, NULL}};

const struct report pso_report = {.workload = "pso",
                                  .documents = "tutorial-fit searching pso search objectives fitting",
                                  .fields = {search_fields},
                                  .options = options,
                                  .option_count = sizeof options / sizeof *options,
                                  .values_size = sizeof(struct values),
                                  .presets = presets,
                                  .draws_plot = fit_draws_plot,
                                  .plot_help = FIT_PLOT_HELP,
                                  .complete = best_complete,
                                  .check = fit_check,
                                  .row_end = fit_row_end,
                                  .row_print = fit_row_print,
                                  .row_json = fit_row_json,
                                  .row_free = fit_row_free,
                                  .is_better = fit_is_better};
