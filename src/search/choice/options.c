/* Options for the parameters of `shoal optimise`: common parameters of the algorithms, and the algorithm. */
#include "search/options/options.h"
#include "base/error.h"

#include <shoal/optimise.h>

#define ALGORITHM(symbol, name) name,
static const char *const algorithm_names[] = {"auto",
#include "search/algorithms.inc"
                                              NULL};
#undef ALGORITHM

void shoal_optimise_params_init(struct shoal_optimise_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_optimise_params){.algorithm = 0};
    search_params_init(&params->search, sizeof *params);
    params->search.refine = SHOAL_REFINE_ALL;
}

#define OPTIONS_OF struct shoal_optimise_params

#define SEARCH_FUNCTIONS      objective_names
#define SEARCH_FUNCTION_NEEDS "rastrigin: !data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP   "number of islands (populations) in a run"
#define SEARCH_STAGNATION     "the default of the algorithm"
#define SEARCH_MAIN_OF_ONE    0

static const struct shoal_option options[] = {
#include "search/options/problem.inc"
    {.name = "algorithm",
     .group = "Algorithm",
     OPTION_CHOICE(algorithm, "NAME", algorithm_names),
     .help = "the algorithm that searches; auto: the one that suits the problem (docs/optimise.md); --help "
             "NAME shows the options of an algorithm",
     .flags = SHOAL_OPTION_MAIN},
#include "search/options/run.inc"
#include "search/options/table.inc"
};
_Static_assert(sizeof options / sizeof *options == SEARCH_OPTIONS + 1, "options");

const struct shoal_option *shoal_optimise_options(size_t *count)
{
    if (!count)
        return NULL;
    *count = sizeof options / sizeof *options;
    return options;
}
