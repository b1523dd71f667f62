/* Options for the parameters of a portfolio: defaults, ranges and help. */
#include "portfolio/portfolio.h"

void shoal_portfolio_params_init(struct shoal_portfolio_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_portfolio_params){.epoch = 10, .champions = 5, .life = 0.6};
    search_params_init(&params->search, sizeof *params);
    params->search.precision = SHOAL_FP64; /* the default precision of CMA-ES */
    params->search.refine = SHOAL_REFINE_ALL;
}

#define OPTIONS_OF struct shoal_portfolio_params

#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP   "number of islands in a run, each a whole portfolio"
#define SEARCH_STAGNATION     SEARCH_TEXT(PORTFOLIO_STAGNATION)

static const char *const turn_names[] = {"auto", "points", "steps", "lives", NULL};

const struct shoal_option portfolio_options[PORTFOLIO_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "algorithms",
     .group = "Portfolio",
     OPTION_TEXT(algorithms, "NAME,NAME..."),
     .help = "algorithms that search in turns, each with its default options; default cmaes,de, with "
             "--turns lives de,cmaes",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "points",
     OPTION_UINT(points, "N", 0, 16777216),
     .help =
         "points that an island evaluates in a step; 0: 4 + 3 ln(dim), ten times as many with --turns steps, "
         "200 dim for each population with --turns lives",
     .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_ZERO_UNSET | SHOAL_OPTION_MAIN},
    {.name = "epoch",
     OPTION_UINT(epoch, "N", 1, 1000000),
     .help = "iterations from one choice of an algorithm to the next",
     .needs = "turns=auto|points|steps",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "champions",
     OPTION_UINT(champions, "N", 0, 1000000),
     .help = "epochs after which the algorithms receive the island's best point; 0: never",
     .needs = "turns=auto|points|steps",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "life",
     OPTION_REAL(life, "X", 1e-6, 1),
     .help = "part of the evaluations for one life of an algorithm whose population shrinks"},
    {.name = "turns",
     OPTION_CHOICE(turns, "RULE", turn_names),
     .help =
         "what an algorithm makes in its turn: points, whole steps of its own for all islands at once, or "
         "all steps of a life; auto: points on the host, on a device lives where --time alone ends a run, "
         "else steps"},
    {.name = "populations",
     OPTION_UINT(populations, "N", 0, 65536),
     .help = "populations of each algorithm on an island with turns of lives; 0: one for each unit of the "
             "device",
     .needs = "turns=auto|lives",
     .flags = SHOAL_OPTION_ZERO_UNSET},
#include "search/options/run.inc"
#include "search/options/table.inc"
};
