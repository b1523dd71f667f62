/* shoal ga: presets, fits of models, and a picture of the last populations. */
#include "cli/cli.h"
#include "cli/ga/population.h"
#include "cli/ga/verify.h"
#include "cli/search/best.h"
#include "cli/search/fields.h"
#include "cli/search/fit.h"

struct values {
    struct search_values search; /* must be first */
    const char *preset, *plot_population;
};

static const struct shoal_option options[] = {
    {.name = "plot-population",
     .type = SHOAL_OPTION_TEXT,
     .offset = offsetof(struct values, plot_population),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES,
     .help =
         "draw the last population of a search in two dimensions as SVG, over the contours of its function"},
    SEARCH_FILES,
    PRESET_OPTION(offsetof(struct values, preset)),
};

#if SHOAL_THESES
/* The island algorithm of the thesis (Pospichal, Brno 2009): the settings of the thesis's measurements of
 * migration, and the number of migrants of its figures. */
static const char *const thesis[][2] = {{"function", "rosenbrock"},
                                        {"dim", "2"},
                                        {"islands", "16"},
                                        {"population", "128"},
                                        {"iterations", "100"},
                                        {"selection", "own"},
                                        {"crossover", "arithmetic"},
                                        {"crossover-rate", "0.7"},
                                        {"mutation", "gaussian"},
                                        {"mutation-rate", "0.05"},
                                        {"one-gene", "true"},
                                        {"sigma", "1"},
                                        {"sigma-unit", "gene"},
                                        {"bounds", "penalty"},
                                        {"elites", "0"},
                                        {"exchange", "5"},
                                        {"migrants", "2"},
                                        {"migration", "mailbox"},
                                        {"random", "hybridtaus"},
                                        {"refine", "auto"},
                                        {NULL, NULL}};
#define THESIS_ABSENT NULL
#else
#define THESIS_ABSENT                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "preset=thesis", NULL                                                                                \
    }
#endif

/* The defaults of earlier versions, in which a child with real genes did not compete with its parent. */
static const char *const classic[][2] = {{"replacement", "generational"}, {"refine", "auto"}, {NULL, NULL}};

static const struct workload_preset presets[] = {
    {"classic", "children replace all individuals but the best, parents are the best of two, no refinement",
     NULL, classic},
#if SHOAL_THESES
    {"thesis",
     "the island genetic algorithm of the thesis: its operators, random numbers and mailboxes (docs/ga.md)",
     NULL, thesis},
#endif
    {NULL, NULL, NULL, NULL}};

static int check(struct cli *cli)
{
    const struct values *values = cli->values;
    const int code = fit_check(cli);
    return code == CLI_OK && values->plot_population ? ga_population_check(cli, values->plot_population)
                                                     : code;
}

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const struct values *values = cli->values;
    const int code = fit_row_end(cli, row, solver);
    return values->plot_population && solver && cli_row_has_result(row)
               ? cli_first_failure(code, ga_population_plot(cli, row, solver, values->plot_population))
               : code;
}

const struct report ga_report = {.workload = "ga",
                                 .documents = "searching ga search objectives fitting",
                                 .fields = {search_fields, population_fields},
                                 .options = options,
                                 .option_count = sizeof options / sizeof *options,
                                 .values_size = sizeof(struct values),
                                 .presets = presets,
                                 .draws_plot = fit_draws_plot,
                                 .plot_help = FIT_PLOT_HELP,
                                 .complete = best_complete,
                                 .check = check,
                                 .row_end = row_end,
                                 .row_print = fit_row_print,
                                 .row_json = fit_row_json,
                                 .row_free = fit_row_free,
                                 .is_better = fit_is_better,
                                 .checks = ga_checks,
                                 .absent = THESIS_ABSENT};
