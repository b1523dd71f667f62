/* The workload "portfolio": descriptor for `shoal portfolio`. */
#include "portfolio/host/host.h"
#include "portfolio/portfolio.h"
#include "portfolio/turns/turns.h"
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
    .rounds = true,
    .problem_size = sizeof(struct portfolio_problem),
    .problem_create = create_problem,
    .problem_destroy = portfolio_problem_destroy,
    .look_into = portfolio_look_into,
    .host = &portfolio_host_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(portfolio)

static const struct shoal_program_desc *const no_programs[] = {NULL};

static const struct shoal_example examples[] = {
    {"shoal portfolio --function rosenbrock --rotate 1 --dim 30 --evaluations 300000",
     "CMA-ES and differential evolution in turns"},
    {"shoal portfolio --algorithms cmaes,de,pattern --function rastrigin --dim 10", "three algorithms"},
    {"shoal portfolio --function rastrigin --dim 30 --islands 1024 --device gpu",
     "a thousand islands of both algorithms on a GPU"},
};

/* The cases set `turns`, since the default on the host is turns of points, which devices do not have.
 * Objective functions are verified with the single algorithms. */
#define STEPS "turns=steps epoch=2 champions=1 iterations=200 "
static const struct shoal_case cases[] = {
    {"small", "turns=steps islands=8 iterations=100", SHOAL_CASE_COMPARE},
    {"medium", "turns=steps islands=64 iterations=500", SHOAL_CASE_COMPARE},
    {"large", "turns=steps islands=2048 iterations=1000", SHOAL_CASE_COMPARE},
    {"defaults", "turns=steps points=20 islands=2 iterations=200", SHOAL_CASE_VERIFY_ALONE},
    {"lives",
     "turns=lives populations=3 points=60 life=0.25 runs=2 islands=2 dim=4 iterations=20 refine=none",
     SHOAL_CASE_VERIFY_ALONE},
    {"swarm", STEPS "points=20 algorithms=cmaes,pso islands=3 runs=2 dim=4", SHOAL_CASE_VERIFY_ALONE},
    {"direct", STEPS "points=20 algorithms=pattern,nelder-mead,random dim=4", SHOAL_CASE_VERIFY_ALONE},
    {"genes", STEPS "points=20 algorithms=ga,de islands=3 runs=2 dim=4", SHOAL_CASE_VERIFY_ALONE},
    {"rounded",
     STEPS
     "points=20 algorithms=ga,cmaes islands=3 variables=x1-x2\treal\t-5\t5,x3\tinteger\t-3\t4,x4\tchoice\t5,"
     "x5-x6\tbit dim=6",
     SHOAL_CASE_VERIFY_ALONE},
    {"constrained",
     STEPS "points=20 algorithms=cmaes,pso islands=3 dim=5 subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4]",
     SHOAL_CASE_VERIFY_ALONE},
};

const struct workload portfolio_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "portfolio",
             .summary = "minimise a function by several algorithms in turns",
             .params_size = sizeof(struct shoal_portfolio_params),
             .params_init = params_init,
             .options = portfolio_options,
             .option_count = PORTFOLIO_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_sampling,
             .flags = SHOAL_WORKLOAD_HOST_FIRST,
             .progress_name = "best"},
    .check = portfolio_check_params,
    .check_input = portfolio_check_input,
    .total_steps = portfolio_total_steps,
    SEARCH_WORKLOAD,
    .programs = no_programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .device = &portfolio_device_solver,
    .host = &portfolio_host_solver,
};
