/* The workload "portfolio": its descriptor for `shoal portfolio`. */
#include "portfolio/host/host.h"
#include "portfolio/portfolio.h"
#include "search/optimiser/optimise.h"

static void params_init(void *params)
{
    shoal_portfolio_params_init(params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return portfolio_problem_create(shoal, (const struct shoal_portfolio_params *)params,
                                    (struct portfolio_problem *)problem, error);
}

const struct search_algorithm portfolio_algorithm = {
    .name = "portfolio",
    .members = "points",
    .member_name = "points",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_portfolio_params, points),
    .stagnation = PORTFOLIO_STAGNATION,
    .resolve = portfolio_resolve,
    .places_start = true,
    .problem_size = sizeof(struct portfolio_problem),
    .problem_create = create_problem,
    .problem_destroy = portfolio_problem_destroy,
    .host = &portfolio_host_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(portfolio)

static const struct shoal_program_desc *const no_programs[] = {NULL};

static const struct shoal_example examples[] = {
    {"shoal portfolio --function rosenbrock --rotate 1 --dim 30 --evaluations 300000",
     "CMA-ES and differential evolution in turns"},
    {"shoal portfolio --algorithms cmaes,de,pattern --function rastrigin --dim 10", "three algorithms"},
};

const struct workload portfolio_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "portfolio",
             .summary = "minimise a function by several algorithms in turns, on the host",
             .params_size = sizeof(struct shoal_portfolio_params),
             .params_init = params_init,
             .options = portfolio_options,
             .option_count = PORTFOLIO_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_sampling,
             .flags = SHOAL_WORKLOAD_HOST_ONLY,
             .progress_name = "best"},
    .check = portfolio_check_params,
    .check_input = portfolio_check_input,
    .total_steps = portfolio_total_steps,
    SEARCH_WORKLOAD,
    .programs = no_programs,
    .host = &portfolio_host_solver,
};
