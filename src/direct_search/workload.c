/* The workloads "nelder-mead", "pattern" and "random": their descriptors. */
#include "direct_search/device/device.h"
#include "direct_search/direct_search.h"
#include "search/optimiser/optimise.h"

#include <shoal/optimise.h>

extern const struct search_algorithm nelder_mead_algorithm, pattern_algorithm, random_algorithm;

/* Sets the sizes that depend on the number of dimensions: a simplex has a vertex more than there are
 * dimensions. */
static void resolve_simplex(struct search_problem *problem)
{
    ((struct shoal_nelder_mead_params *)problem->params)->vertices = problem->dim + 1;
}

/* Sets the edge of the first simplex of a polish to the first step length of a polish by pattern search. */
static void set_polish(struct shoal_search_params *params)
{
    ((struct shoal_nelder_mead_params *)params)->edge = 0x1p-7;
}

static void resolve_pattern(struct search_problem *problem)
{
    /* points of a step: both directions of each axis, and a repetition of the last successful move */
    ((struct shoal_pattern_params *)problem->params)->polls = 2 * problem->dim + 1;
}

static uint64_t one_point(const struct shoal_search_params *params)
{
    (void)params;
    return 1;
}

static uint64_t polled_points(const struct shoal_search_params *params)
{
    return ((const struct shoal_pattern_params *)params)->polls;
}

/* Defines the functions of a descriptor, for the algorithm name##_algorithm. */
#define FUNCTIONS_OF(name)                                                                                   \
    static void name##_init(void *params)                                                                    \
    {                                                                                                        \
        shoal_##name##_params_init(params);                                                                  \
    }                                                                                                        \
    static enum shoal_status name##_check(const void *params, struct shoal_error *error)                     \
    {                                                                                                        \
        return search_check_params(&name##_algorithm, params, error);                                        \
    }                                                                                                        \
    static enum shoal_status name##_problem(struct shoal *shoal, const struct shoal_search_params *params,   \
                                            struct search_problem *problem, struct shoal_error *error)       \
    {                                                                                                        \
        return direct_search_problem_create(shoal, &name##_algorithm, params, problem, error);               \
    }                                                                                                        \
    SEARCH_WORKLOAD_FUNCTIONS(name)

FUNCTIONS_OF(nelder_mead)
FUNCTIONS_OF(pattern)
FUNCTIONS_OF(random)

const struct search_algorithm nelder_mead_algorithm = {
    .name = "nelder-mead",
    .members = "dim",
    .member_name = "vertices",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_nelder_mead_params, vertices),
    .points = one_point,
    .resolve = resolve_simplex,
    .stagnation = NELDER_MEAD_STAGNATION,
    .set_polish = set_polish,
    .places_start = true,
    .dividing_method = "pipeline",
    .problem_size = sizeof(struct search_problem),
    .problem_create = nelder_mead_problem,
    .host = &nelder_mead_functions,
    .device = &direct_search_device_functions,
};

const struct search_algorithm pattern_algorithm = {
    .name = "pattern",
    .members = "dim",
    .member_name = "centres",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_pattern_params, centres),
    .points = polled_points,
    .resolve = resolve_pattern,
    .stagnation = PATTERN_STAGNATION,
    .places_start = true,
    .dividing_method = "pipeline",
    .problem_size = sizeof(struct search_problem),
    .problem_create = pattern_problem,
    .host = &pattern_functions,
    .device = &direct_search_device_functions,
};

const struct search_algorithm random_algorithm = {
    .name = "random",
    .members = "points",
    .member_name = "points",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_random_params, points),
    .stagnation = RANDOM_STAGNATION,
    .places_start = true,
    .dividing_method = "pipeline",
    .problem_size = sizeof(struct search_problem),
    .problem_create = random_problem,
    .host = &random_functions,
    .device = &direct_search_device_functions,
};

static const struct shoal_example nelder_mead_examples[] = {
    {"shoal nelder-mead --function rosenbrock --dim 10 --evaluations 20000",
     "a simplex that starts anew where it has come to an end"},
    {"shoal nelder-mead --expr '(x[1]-1)^2 + abs(x[2])' --lower -5 --upper 5 --start 3,3",
     "from a point of your own"},
    {"shoal nelder-mead --function ackley --dim 10 --islands 4096 --device gpu", "thousands of simplices"},
    {"shoal tune nelder-mead --dim 10 --runs 4096", "the fastest method for as many simplices"},
    {"shoal verify nelder-mead --device gpu --steps 50", "the simplices on the GPUs"},
};

static const struct shoal_example pattern_examples[] = {
    {"shoal pattern --function ellipsoid --dim 20 --evaluations 20000", "steps along the axes"},
    {"shoal tune pattern --dim 20 --runs 1024", "the fastest method for as many searches"},
};

static const struct shoal_example random_examples[] = {
    {"shoal random --function ackley --dim 5 --evaluations 100000 --runs 20",
     "what any other search must be better than"},
    {"shoal tune random --dim 5 --runs 20", "the fastest method for as many searches"},
};

/* All three workloads share these programs. Only nelder-mead lists them, so that each program is listed
 * once. */
static const struct shoal_program_desc *const nelder_mead_programs[] = {&direct_onchip_program,
                                                                        &direct_pipeline_program, NULL};
static const struct shoal_program_desc *const pattern_programs[] = {NULL}, *const random_programs[] = {NULL};

/* Cases to verify, tune and compare. size: options that set the size of an island. Functions are tried
 * without exchange: in two dimensions all coefficients of a simplex are powers of two, so that the point of
 * another island leads to points that equal older ones but for rounding, and rounding decides between their
 * values. */
#define CASES(symbol, size)                                                                                  \
    static const struct shoal_case symbol##_cases[] = {                                                      \
        {"islands", "iterations=2000 islands=4 " size, SHOAL_CASE_VERIFY},                                   \
        {"exchange", "iterations=2000 islands=4 exchange=5 " size,                                           \
         SHOAL_CASE_VERIFY | SHOAL_CASE_VERIFY_ALONE},                                                       \
        {"rows", "iterations=2000 function=f6 " size, SHOAL_CASE_VERIFY_ALONE},                              \
        {"constrained", "iterations=2000 subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4] " size,                      \
         SHOAL_CASE_VERIFY_ALONE},                                                                           \
        {"restarts", "iterations=2000 restart=7 runs=3 " size, SHOAL_CASE_VERIFY_ALONE},                     \
        SEARCH_SAME_TEXTS,                                                                                   \
        {"1024x30", "dim=30 runs=1024 " size, SHOAL_CASE_TUNE},                                              \
        {"small", "runs=16 iterations=500 " size, SHOAL_CASE_COMPARE},                                       \
        {"medium", "runs=256 iterations=500 " size, SHOAL_CASE_COMPARE},                                     \
        {"large", "runs=4096 iterations=500 " size, SHOAL_CASE_COMPARE},                                     \
    }
CASES(nelder_mead, "");
CASES(pattern, "");
CASES(random, "points=32");

static const struct workload_split islands = SEARCH_ISLAND_SPLIT("island", "islands");

static const struct workload_split rows = SEARCH_ROW_SPLIT(search_count_shards);
static const struct workload_split *const splits[] = {&search_split, &islands, &rows, NULL};

#define WORKLOAD_OF(symbol, given_name, text)                                                                \
    {                                                                                                        \
        .face = {.size = sizeof(struct shoal_workload),                                                      \
                 .name = given_name,                                                                         \
                 .summary = text,                                                                            \
                 .params_size = sizeof(struct shoal_##symbol##_params),                                      \
                 .params_init = symbol##_init,                                                               \
                 .options = symbol##_options,                                                                \
                 .option_count = DIRECT_SEARCH_OPTIONS,                                                      \
                 .examples = symbol##_examples,                                                              \
                 .example_count = sizeof symbol##_examples / sizeof *symbol##_examples,                      \
                 .sampling = &search_sampling,                                                               \
                 .progress_name = "best"},                                                                   \
        .check = symbol##_check, .check_input = symbol##_check_input, .total_steps = symbol##_total_steps,   \
        SEARCH_WORKLOAD, .splits = splits, .programs = symbol##_programs, .cases = symbol##_cases,           \
        .case_count = sizeof symbol##_cases / sizeof *symbol##_cases,                                        \
        .device = &direct_search_device_solver, .host = &direct_search_host_solver                           \
    }

const struct workload nelder_mead_workload =
    WORKLOAD_OF(nelder_mead, "nelder-mead", "minimise a function with simplices");
const struct workload pattern_workload =
    WORKLOAD_OF(pattern, "pattern", "minimise a function by steps along the axes");
const struct workload random_workload =
    WORKLOAD_OF(random, "random", "minimise a function with random points");
