/* Options for the parameters of differential evolution: defaults, ranges and help. */
#include "de/de.h"

#include <math.h>

void shoal_de_params_init(struct shoal_de_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_de_params){.adaptation = SHOAL_DE_LSHADE,
                                       .scale = 0.5,
                                       .crossover_rate = 0.9,
                                       .pbest = NAN,
                                       .archive = NAN,
                                       .level = NAN};
    search_params_init(&params->search, sizeof *params);
    params->search.refine = SHOAL_REFINE_ALL;
}

static const char *const adaptation_names[] = {"none", "jde", "jade", "shade", "lshade", "jso", NULL};
static const char *const strategy_names[] = {"auto", "rand-1", "best-1", "current-to-pbest-1", NULL};
static const char *const crossover_names[] = {"binomial", "exponential", NULL};
const char *const de_method_names[] = {"auto", "onchip", "pipeline", NULL};

#define OPTIONS_OF struct shoal_de_params

#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP   "number of islands (populations) in a run"
#define SEARCH_STAGNATION     SEARCH_TEXT(DE_STAGNATION)

const struct shoal_option de_options[DE_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "population",
     .group = "Population",
     OPTION_UINT(population, "N", 0, SEARCH_MAX_MEMBERS),
     .help = "members of an island at the begin; default by --adaptation: none 10 and lshade 18 for each "
             "dimension, jso 25 ln(dim) sqrt(dim), others 100; at most a fiftieth of the evaluations",
     .flags = SHOAL_OPTION_ZERO_UNSET | SHOAL_OPTION_MAIN},
    {.name = "population-end",
     OPTION_UINT(population_end, "N", 0, SEARCH_MAX_MEMBERS),
     .help = "members at the end of --evaluations or --iterations; the worst leave on the way; default 4 "
             "with lshade and jso, else all",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "adaptation",
     OPTION_CHOICE(adaptation, "NAME", adaptation_names),
     .help = "how the scale factor F and the crossover rate CR are chosen from the trials that succeeded",
     .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_MAIN},
    {.name = "strategy",
     OPTION_CHOICE(strategy, "NAME", strategy_names),
     .help = "members of which a mutant is made; auto: rand-1 with none, jde and with constraints, "
             "else current-to-pbest-1",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "crossover",
     OPTION_CHOICE(crossover, "NAME", crossover_names),
     .help = "which coordinates a trial takes from the mutant"},
    {.name = "scale",
     OPTION_REAL(scale, "F", 1e-6, 2),
     .help = "scale factor of differences",
     .needs = "adaptation=none"},
    {.name = "crossover-rate",
     OPTION_REAL(crossover_rate, "CR", 0, 1),
     .help = "probability with which a trial takes a coordinate from the mutant",
     .needs = "adaptation=none"},
    {.name = "pbest",
     OPTION_REAL(pbest, "P", 1e-6, 1),
     .help = "share of the members to one of which current-to-pbest-1 pulls; default 0.11, or the value of "
             "--adaptation"},
    {.name = "archive",
     OPTION_REAL(archive, "A", 0, 10),
     .help = "archived members for each member, from which current-to-pbest-1 takes differences; default "
             "2.6 with lshade, 1 with jade, shade and jso"},
    {.name = "memory",
     OPTION_UINT(memory, "H", 0, 1024),
     .help = "cells of the memory of F and CR; default 100 with shade, 6 with lshade, 5 with jso",
     .needs = "adaptation=shade|lshade|jso",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "level",
     OPTION_REAL(level, "SHARE", 0, 1),
     .help =
         "share of the budget during which violations of constraints up to a falling level count as none; 0: "
         "never; default 0.1 with equalities, else 0 (docs/constraints.md)"},
#include "search/options/run.inc"
    {.name = "method",
     OPTION_CHOICE(method, "NAME", de_method_names),
     .help = "distribution of the work of a step over the device",
     .flags = SHOAL_OPTION_METHOD},
#include "search/options/table.inc"
};
