/* Options for the parameters of the direct searches: defaults, ranges and help. */
#include "direct_search/direct_search.h"

void shoal_nelder_mead_params_init(struct shoal_nelder_mead_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_nelder_mead_params){.edge = 0.1};
    search_params_init(&params->search, sizeof *params);
    params->search.precision = SHOAL_FP64;
    params->search.refine = SHOAL_REFINE_ALL;
}

void shoal_pattern_params_init(struct shoal_pattern_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_pattern_params){.width = 0.25, .centres = 1};
    search_params_init(&params->search, sizeof *params);
    params->search.precision = SHOAL_FP64;
    params->search.refine = SHOAL_REFINE_ALL;
}

void shoal_random_params_init(struct shoal_random_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_random_params){.points = 100};
    search_params_init(&params->search, sizeof *params);
    params->search.precision = SHOAL_FP64;
    params->search.refine = SHOAL_REFINE_ALL;
}

#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "islands"

const char *const direct_method_names[] = {"auto", "onchip", "pipeline", NULL};

#define METHOD_OPTION                                                                                        \
    {                                                                                                        \
        .name = "method", OPTION_CHOICE(method, "NAME", direct_method_names),                                \
        .help = "distribution of the work of a step over the device", .flags = SHOAL_OPTION_METHOD           \
    }

#define OPTIONS_OF          struct shoal_nelder_mead_params
#define SEARCH_ISLANDS_HELP "number of simplices in a run"
#define SEARCH_STAGNATION   SEARCH_TEXT(NELDER_MEAD_STAGNATION)
const struct shoal_option nelder_mead_options[DIRECT_SEARCH_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "edge",
     .group = "Simplex",
     OPTION_REAL(edge, "L", 1e-12, 0.5),
     .help = "length of the edges of a first simplex, in widths of the box",
     .flags = SHOAL_OPTION_MAIN},
#include "search/options/run.inc"
    METHOD_OPTION,
#include "search/options/table.inc"
};
#undef OPTIONS_OF
#undef SEARCH_ISLANDS_HELP
#undef SEARCH_STAGNATION

#define OPTIONS_OF          struct shoal_pattern_params
#define SEARCH_ISLANDS_HELP "number of patterns in a run"
#define SEARCH_STAGNATION   SEARCH_TEXT(PATTERN_STAGNATION)
const struct shoal_option pattern_options[DIRECT_SEARCH_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "width",
     .group = "Pattern",
     OPTION_REAL(width, "L", 1e-12, 0.5),
     .help = "first step along each axis, in widths of the box",
     .flags = SHOAL_OPTION_MAIN},
#include "search/options/run.inc"
    METHOD_OPTION,
#include "search/options/table.inc"
};
#undef OPTIONS_OF
#undef SEARCH_ISLANDS_HELP
#undef SEARCH_STAGNATION

#define OPTIONS_OF          struct shoal_random_params
#define SEARCH_ISLANDS_HELP "number of islands in a run"
#define SEARCH_STAGNATION   SEARCH_TEXT(RANDOM_STAGNATION)
const struct shoal_option random_options[DIRECT_SEARCH_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "points",
     .group = "Points",
     OPTION_UINT(points, "N", 1, SEARCH_MAX_MEMBERS),
     .help = "points of an island in a step",
     .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_MAIN},
#include "search/options/run.inc"
    METHOD_OPTION,
#include "search/options/table.inc"
};
