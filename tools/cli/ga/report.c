/* shoal ga: presets. */
#include "cli/workload.h"

struct values {
    struct workload_values common; /* first: the options of every workload */
    const char *preset;
};

static const struct shoal_option options[] = {PRESET_OPTION(offsetof(struct values, preset))};

/* The island algorithm of the thesis (Pospichal, Brno 2009) as its measurements of migration have it, with
 * the migrants of its pictures. */
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
                                        {NULL, NULL}};

static const struct workload_preset presets[] = {
    {"thesis",
     "the island genetic algorithm of the thesis: its operators, random numbers and mailboxes (docs/ga.md)",
     NULL, thesis},
    {NULL, NULL, NULL, NULL}};

const struct report ga_report = {.workload = "ga",
                                 .options = options,
                                 .option_count = sizeof options / sizeof *options,
                                 .values_size = sizeof(struct values),
                                 .presets = presets};
