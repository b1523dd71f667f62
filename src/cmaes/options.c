/* Options for the parameters of CMA-ES: defaults, ranges and help. */
#include "cmaes/cmaes.h"

void shoal_cmaes_params_init(struct shoal_cmaes_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_cmaes_params){.sigma = 0.3, .restarts = SHOAL_CMAES_BIPOP, .doublings = 9};
    search_params_init(&params->search, sizeof *params);
    params->search.precision = SHOAL_FP64;
    params->search.refine = SHOAL_REFINE_AUTO;
}

static const char *const form_names[] = {"full", "separable", "limited", NULL};
static const char *const restarts_names[] = {"none", "ipop", "bipop", NULL};
static const char *const rule_names[] = {"auto", "deb", "lagrangian", NULL};
const char *const cmaes_method_names[] = {"auto", "onchip", "pipeline", NULL};

#define OPTIONS_OF struct shoal_cmaes_params

#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP                                                                                  \
    "number of populations in a run, which is 1: --restarts takes the place of islands"
#define SEARCH_STAGNATION SEARCH_TEXT(CMAES_STAGNATION)

const struct shoal_option cmaes_options[CMAES_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "population",
     .group = "Population",
     OPTION_UINT(population, "N", 0, 65536),
     .help = "points of a generation before the first restart; 0: 4 + 3 ln(dim)",
     .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_ZERO_UNSET | SHOAL_OPTION_MAIN},
    {.name = "sigma",
     OPTION_REAL(sigma, "X", 1e-6, 10),
     .help = "first step size, in widths of the search box",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "form",
     OPTION_CHOICE(form, "NAME", form_names),
     .help =
         "form of the covariance matrix. full: up to dim 8192. separable: a diagonal, for coordinates that "
         "do not depend on one another. limited: a few vectors, for dim 1000 and more, on the host",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "positive",
     OPTION_FLAG(positive),
     .help = "give the worse points no negative weights in the covariance matrix",
     .needs = "form=full|separable"},
    {.name = "constraint-rule",
     OPTION_CHOICE(constraint_rule, "NAME", rule_names),
     .help =
         "how a population compares points under constraints. deb: by violation before value. lagrangian: "
         "by an augmented Lagrangian, on the host. auto: lagrangian on the host, else deb",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "restarts",
     OPTION_CHOICE(restarts, "NAME", restarts_names),
     .help = "what follows when a population can improve no more. none: the run ends. ipop: a population of "
             "twice "
             "the size. bipop: in turns a larger one, and a small one with a smaller step size",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "doublings",
     OPTION_UINT(doublings, "N", 0, 12),
     .help = "most times that the population is doubled",
     .needs = "restarts=ipop|bipop"},
#include "search/options/run.inc"
    {.name = "method",
     OPTION_CHOICE(method, "NAME", cmaes_method_names),
     .help = "distribution of the work of a step over the device",
     .flags = SHOAL_OPTION_METHOD},
#include "search/options/table.inc"
};
