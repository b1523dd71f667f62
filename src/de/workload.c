/* The workload "de": descriptor for `shoal de`. */
#include "de/de.h"
#include "de/device/device.h"
#include "de/host/host.h"
#include "de/methods/level.h"
#include "de/methods/onchip.h"
#include "de/methods/order.h"
#include "de/methods/pipeline.h"
#include "search/optimiser/optimise.h"
#include "workload/checkpoint/saved_options.h"

static void params_init(void *params)
{
    shoal_de_params_init(params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return de_problem_create(shoal, (const struct shoal_de_params *)params, (struct de_problem *)problem,
                             error);
}

const struct search_algorithm de_algorithm = {
    .name = "de",
    .members = "population",
    .member_name = "members",
    .takes_points = true,
    .dividing_method = "pipeline",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_de_params, population),
    .shrinking = &de_shrinking,
    .stagnation = DE_STAGNATION,
    .resolve = de_resolve,
    .rounds = true,
    .has_population = true,
    .problem_size = sizeof(struct de_problem),
    .problem_create = create_problem,
    .save_state = de_save_state,
    .check_state = de_check_state,
    .host = &de_host_functions,
    .device = &de_device_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(de)

static const struct shoal_program_desc *const programs[] = {
    &de_onchip_program, &de_order_program, &de_trial_program, &de_replace_program, &de_level_program, NULL};

static const struct shoal_example examples[] = {
    {"shoal de --function rastrigin --dim 30 --evaluations 300000 --runs 100",
     "the success rate of L-SHADE over 100 seeds"},
    {"shoal de --expr 'sum(100*(x[i+1]-x[i]^2)^2 + (1-x[i])^2)' --lower -30 --upper 30 --precision fp64",
     "a formula"},
    {"shoal de --objective my.clh --lower -5 --upper 5 --dim 12 --time 10",
     "a function in a file, for ten seconds"},
    {"shoal de --function ackley --rotate 1 --adaptation jso --evaluations 300000",
     "jSO on a rotated function"},
    {"shoal de --function griewank --islands 1024 --population 128 --exchange 100 --device gpu",
     "a thousand populations that exchange their bests"},
    {"shoal de --data osc.csv --model 'a*exp(-b*t)*cos(w*t+p)+c' --fit "
     "'a=0:10,b=0:5,w=0:20,p=-pi:pi,c=-5:5' --target y",
     "a curve fitted to the columns t and y of a table"},
    {"shoal tune de --dim 30 --population 128 --islands 1024", "the fastest method for islands of that size"},
    {"shoal verify de --device gpu --steps 20", "differential evolution on the GPUs"},
};

/* Cases to tune and verify. The cases to verify differ in their kernels. */
enum { TUNE = SHOAL_CASE_TUNE, VERIFY = SHOAL_CASE_VERIFY, COMPARE = SHOAL_CASE_COMPARE };
/* Adapted F and CR depend on small differences of values, and so propagate rounding errors. Therefore there
 * is one case for each adaptation, and functions are verified without adaptation. */
#define POPULATION "iterations=2000 population=64 "
#define STEPS      POPULATION "adaptation=none "
static const struct shoal_case cases[] = {
    {"small", "population=128 islands=8 iterations=500 population-end=128", COMPARE},
    {"medium", "population=128 islands=128 iterations=300 population-end=128", COMPARE},
    {"large", "population=128 islands=4096 iterations=200 population-end=128", COMPARE},
    {"classic", STEPS, VERIFY},
    {"islands", STEPS "islands=4 exchange=5", VERIFY},
    {"rows", STEPS "function=f6", VERIFY},
    {"shrinking", "iterations=40 population=64", SHOAL_CASE_VERIFY_ALONE},
    {"lshade", POPULATION, SHOAL_CASE_VERIFY_ALONE},
    {"jso", POPULATION "adaptation=jso", SHOAL_CASE_VERIFY_ALONE},
    {"shade", POPULATION "adaptation=shade crossover=exponential", SHOAL_CASE_VERIFY_ALONE},
    {"jade", POPULATION "adaptation=jade", SHOAL_CASE_VERIFY_ALONE},
    {"jde", POPULATION "adaptation=jde", SHOAL_CASE_VERIFY_ALONE},
    {"constrained", STEPS "subject-to=x[1]+x[2]<=-1 method=onchip", SHOAL_CASE_VERIFY_ALONE},
    {"level", STEPS "subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4]", SHOAL_CASE_VERIFY_ALONE},
    {"best", STEPS "strategy=best-1", SHOAL_CASE_VERIFY_ALONE},
    {"rounded", STEPS "variables=x1-x5\treal\t-5\t5,x6-x8\tinteger\t-3\t4,x9\tchoice\t5,x10\tbit dim=10",
     SHOAL_CASE_VERIFY_ALONE},
    /* Functions whose values are rough at the scale of rounding errors, or hardly change, so that rounding
     * decides which trials succeed. */
    {"michalewicz", "function=michalewicz", SHOAL_CASE_NO_VERIFY},
    {"weierstrass", "function=weierstrass", SHOAL_CASE_NO_VERIFY},
    /* Logarithms of ratios, and three equalities. In double precision the best value is the host's. */
    {"cec2006-g14", "function=cec2006-g14", SHOAL_CASE_NO_VERIFY},
    /* f7 to f10 have the same kernel text as f6, and more rows. */
    {"f7", "function=f7", SHOAL_CASE_NO_VERIFY},
    {"f8", "function=f8", SHOAL_CASE_NO_VERIFY},
    {"f9", "function=f9", SHOAL_CASE_NO_VERIFY},
    {"f10", "function=f10", SHOAL_CASE_NO_VERIFY},
    SEARCH_SAME_TEXTS,
    {"128x30", "population=128 population-end=128 dim=30", TUNE},
    {"128x30-islands", "population=128 population-end=128 dim=30 islands=1024", TUNE},
};

static const struct old_option old_options[] = {
    SEARCH_OLD_OPTIONS, {"level", "level", .before = "0"}, {NULL, NULL, NULL, false, 0}};

static const struct workload_split islands = SEARCH_ISLAND_SPLIT("island", "islands");

/* Whether the method may be "pipeline", whose evaluations can be divided over devices. The evaluations of the
 * method "onchip" cannot be divided. */
static bool is_pipeline(const void *params)
{
    return ((const struct shoal_de_params *)params)->method != SHOAL_DE_ONCHIP;
}

static uint64_t count_shards(const void *params)
{
    return is_pipeline(params) ? search_count_shards(params) : 0;
}

static const struct workload_split rows = SEARCH_ROW_SPLIT(count_shards);

static void take_members(const struct search_problem *problem, void *data)
{
    *(uint64_t *)data = problem->members;
}

/* Number of members of an island whose evaluations can be divided, by method "pipeline"; 0: evaluations
 * cannot be divided. The default of the population depends on the objective. */
static uint64_t count_members(const void *params)
{
    const struct shoal_de_params *own = params;
    struct shoal_error ignored;
    uint64_t members = own->population;
    if (!is_pipeline(params) || search_shape(&own->search) == SHOAL_CALLBACK)
        return 0;
    if (!members)
        (void)!search_examine(NULL, &de_algorithm, &own->search, take_members, &members, &ignored);
    return members;
}

static const struct workload_split members =
    SEARCH_POINT_SPLIT("member", "members", "--population", count_members);
static const struct workload_split *const splits[] = {&search_split, &islands, &rows, &members, NULL};

const struct workload de_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "de",
             .summary = "minimise a function with differential evolution",
             .params_size = sizeof(struct shoal_de_params),
             .params_init = params_init,
             .options = de_options,
             .option_count = DE_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_population_sampling,
             .progress_name = "best"},
    .check = de_check_params,
    .check_input = de_check_input,
    .total_steps = de_total_steps,
    SEARCH_WORKLOAD,
    .splits = splits,
    .old_options = old_options,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .programs = programs,
    .host = &de_host_solver,
    .device = &de_device_solver,
};
