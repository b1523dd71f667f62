/* The workload "cmaes": descriptor for `shoal cmaes`. */
#include "cmaes/cmaes.h"
#include "cmaes/device/device.h"
#include "cmaes/host/host.h"
#include "cmaes/methods/onchip.h"
#include "cmaes/methods/pipeline.h"
#include "search/optimiser/optimise.h"
#include "workload/checkpoint/saved_options.h"

static void params_init(void *params)
{
    shoal_cmaes_params_init(params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return cmaes_problem_create(shoal, (const struct shoal_cmaes_params *)params,
                                (struct cmaes_problem *)problem, error);
}

const struct search_algorithm cmaes_algorithm = {
    .name = "cmaes",
    .members = "population",
    .member_name = "points",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_cmaes_params, population),
    .resolve = cmaes_resolve,
    .rounds = true,
    .stagnation = CMAES_STAGNATION,
    .has_population = true,
    .check_state = cmaes_check_state,
    .places_start = true,
    .problem_size = sizeof(struct cmaes_problem),
    .problem_create = create_problem,
    .host = &cmaes_host_functions,
    .device = &cmaes_device_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(cmaes)

static const struct shoal_program_desc *const programs[] = {&cmaes_onchip_program, &cmaes_pipeline_program,
                                                            NULL};

static const struct shoal_example examples[] = {
    {"shoal cmaes --function rosenbrock --rotate 1 --dim 30", "a narrow valley that lies across the axes"},
    {"shoal cmaes --function ackley --dim 30 --restarts ipop --population 14 --evaluations 300000 --runs 100",
     "the success rate over 100 seeds"},
    {"shoal cmaes --expr 'sum(100*(x[i+1]-x[i]^2)^2 + (1-x[i])^2)' --lower -5 --upper 5 --start 0,0,0,0 "
     "--sigma 0.1",
     "a formula, from a point near its minimum"},
    {"shoal cmaes --function ellipsoid --dim 10000 --form separable",
     "many coordinates that do not depend on one another"},
    {"shoal tune cmaes --dim 30 --runs 1024", "the fastest method for as many populations"},
    {"shoal verify cmaes --device gpu --steps 50", "the populations on the GPUs"},
};

static const struct shoal_case cases[] = {
    {"few", "iterations=2000 population=14 runs=3", SHOAL_CASE_VERIFY},
    {"parts", "restarts=ipop sigma=1e-6 dim=3 iterations=2000", SHOAL_CASE_VERIFY_ALONE},
    {"constrained", "iterations=2000 population=14 runs=3 subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4]",
     SHOAL_CASE_VERIFY_ALONE},
    {"rounded",
     "population=14 iterations=200 variables=x1-x5\treal\t-5\t5,x6-x8\tinteger\t-3\t4,x9\tchoice\t5,x10\tbit "
     "dim=10",
     SHOAL_CASE_VERIFY_ALONE},
    SEARCH_SAME_TEXTS,
    {"1024x30", "population=14 runs=1024", SHOAL_CASE_TUNE},
    {"small", "runs=16 iterations=500", SHOAL_CASE_COMPARE},
    {"medium", "runs=256 iterations=500", SHOAL_CASE_COMPARE},
    {"large", "runs=4096 iterations=500", SHOAL_CASE_COMPARE},
};

/* Files from versions without the option "constraint-rule" mean the rule "deb". */
static const struct old_option old_options[] = {{"constraint-rule", "constraint-rule", .before = "deb"},
                                                {NULL, NULL, NULL, false, 0}};

static void settle_as_device(void *params)
{
    struct shoal_cmaes_params *own = params;
    if (own->constraint_rule == SHOAL_CMAES_CONSTRAINT_AUTO)
        own->constraint_rule = SHOAL_CMAES_DEB;
}

static const struct workload_split *const splits[] = {&search_split, NULL};

const struct workload cmaes_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "cmaes",
             .summary = "minimise a function by CMA-ES",
             .params_size = sizeof(struct shoal_cmaes_params),
             .params_init = params_init,
             .options = cmaes_options,
             .option_count = CMAES_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_sampling,
             .progress_name = "best"},
    .check = cmaes_check_params,
    .check_input = cmaes_check_input,
    .total_steps = cmaes_total_steps,
    SEARCH_WORKLOAD,
    .settle_as_device = settle_as_device,
    .old_options = old_options,
    .splits = splits,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .device = &cmaes_device_solver,
    .host = &cmaes_host_solver,
};
