/* The workload "pso": descriptor for `shoal pso`. */
#include "base/error.h"
#include "pso/device/device.h"
#include "pso/host/host.h"
#include "pso/pso.h"
#include "search/optimiser/optimise.h"
#include "workload/checkpoint/saved_options.h"

extern const struct workload pso_workload;

static void params_init(void *params)
{
    shoal_pso_params_init(params);
    workload_params_extend(&pso_workload, params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return pso_problem_create(shoal, (const struct shoal_pso_params *)params, (struct pso_problem *)problem,
                              error);
}

static uint64_t stagnation_of(const struct shoal_search_params *params)
{
    return ((const struct shoal_pso_params *)params)->update == SHOAL_PSO_FIPS ? PSO_FIPS_STAGNATION
                                                                               : PSO_STAGNATION;
}

const struct search_algorithm pso_algorithm = {
    .name = "pso",
    .members = "particles",
    .member_name = "particles",
    .takes_points = true,
    .dividing_method = "thread",
    .islands = "swarms",
    .members_offset = offsetof(struct shoal_pso_params, particles),
    .stagnation = PSO_STAGNATION,
    .stagnation_of = stagnation_of,
    .problem_size = sizeof(struct pso_problem),
    .problem_create = create_problem,
    .old_evaluator = "pso.evaluator",
    .host = &pso_host_functions,
    .device = &pso_device_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(pso)

extern const struct shoal_program_desc pso_best_program, pso_fused_best_program, pso_fused_program,
    pso_move_program, pso_onchip_program;

static const struct shoal_program_desc *const programs[] = {
    &pso_best_program, &pso_fused_program,  &pso_fused_best_program,
    &pso_move_program, &pso_onchip_program, PSO_THESIS_PROGRAMS NULL,
};

static const struct shoal_example examples[] = {
    {"shoal pso --function ackley --dim 30 --particles 256 --iterations 2000 --seed 1 --device all",
     "the same swarm on every device"},
    {"shoal pso --expr 'sum(100*(x[i+1]-x[i]^2)^2 + (1-x[i])^2)' --lower -30 --upper 30 --precision fp64",
     "a formula"},
    {"shoal pso --objective my.clh --lower -5 --upper 5 --dim 12 --time 10",
     "a function in a file, for ten seconds"},
    {"shoal pso --data table.npy --lower -10 --upper 10 --polish 10000",
     "least squares over the rows of a table"},
    {"shoal pso --data osc.csv --model 'a*exp(-b*t)*cos(w*t+p)+c' --fit "
     "'a=0:10,b=0:5,w=0:20,p=-pi:pi,c=-5:5' --target y --residuals r.csv --plot fit.svg",
     "a curve fitted to the columns t and y of a table"},
    {"shoal pso --function griewank --dim 10 --evaluations 100000 --runs 1000",
     "the success rate over 1000 seeds"},
    {"shoal pso --function griewank --preset spso2011 --iterations 7500 --runs 1000",
     "the same of SPSO-2011, in 30 dimensions"},
    {"shoal pso --function ackley --dim 100 --trace 10 --plot best.svg",
     "a chart of the best value by iteration"},
    {"shoal tune pso --dim 30 --particles 4096", "the fastest method for a swarm of that size"},
    {"shoal compare pso --set pso.dim=100,pso.particles=65536 --device gpu,host",
     "one workload at another size on the GPUs and the host"},
    {"shoal tune pso --dim 8 --particles 64 --data table.npy --lower -10 --upper 10",
     "the fastest method for one problem, stored for problems of similar size"},
    {"shoal tune pso --device all", "for a range of sizes, on every device"},
    {"shoal verify pso --device gpu --steps 50", "the particle swarm on the GPUs"},
};

/* Cases to tune and to verify. Tuned choices are stored by powers of two of the sizes. Sizes without a tuned
 * choice get the choice by rule. Among the cases to verify are methods that divide the rows of a table, and
 * methods that divide dimensions. */
enum {
    TUNE = SHOAL_CASE_TUNE,
    SLOW = SHOAL_CASE_TUNE | SHOAL_CASE_SLOW_ON_CPU,
    VERIFY = SHOAL_CASE_VERIFY,
    COMPARE = SHOAL_CASE_COMPARE
};
/* Options of the swarm that most cases have. */
#define SWARM "update=inertia topology=global bounds=reflect "
#define STEPS "iterations=2000 " SWARM
static const struct shoal_case cases[] = {
    {"small", SWARM "particles=1024 iterations=500", COMPARE},
    {"medium", SWARM "particles=65536 iterations=200", COMPARE},
    {"large", SWARM "particles=1048576 iterations=200", COMPARE},
    {"few", STEPS "particles=96", VERIFY},
    {"rows", STEPS "particles=96 function=f6", VERIFY},
    {"islands", STEPS "particles=96 swarms=4 exchange=5", VERIFY},
    {"edges", STEPS "particles=96 swarms=4 exchange=5 exchange-topology=edges exchange-edges=0-1,1-2,2-0",
     VERIFY},
    {"constrained", STEPS "particles=96 subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4]", SHOAL_CASE_VERIFY_ALONE},
    /* cases for kernels that a swarm with a global best does not launch */
    {"links", "topology=random function=f6 iterations=2000 update=spso2011 bounds=reflect particles=96",
     SHOAL_CASE_VERIFY_ALONE},
    {"ring", "topology=ring function=f6 iterations=2000 update=inertia bounds=reflect particles=96",
     SHOAL_CASE_VERIFY_ALONE},
    /* f7 to f10 have the kernel text of f6 and more rows, so they are not verified */
    {"f7", "function=f7", SHOAL_CASE_NO_VERIFY},
    {"f8", "function=f8", SHOAL_CASE_NO_VERIFY},
    {"f9", "function=f9", SHOAL_CASE_NO_VERIFY},
    {"f10", "function=f10", SHOAL_CASE_NO_VERIFY},
    SEARCH_SAME_TEXTS,
    {"32x4", SWARM "particles=32 dim=4", TUNE},
    {"32x30", SWARM "particles=32 dim=30", TUNE},
    {"32x256", SWARM "particles=32 dim=256", TUNE},
    {"1024x4", SWARM "particles=1024 dim=4", TUNE},
    {"1024x30", SWARM "particles=1024 dim=30", TUNE},
    {"1024x256", SWARM "particles=1024 dim=256", TUNE},
    {"16384x4", SWARM "particles=16384 dim=4", TUNE},
    {"16384x30", SWARM "particles=16384 dim=30", TUNE},
    {"runs", SWARM "particles=40 dim=30 runs=1000", TUNE},
    {"64-f6", SWARM "particles=64 function=f6 method=rows precision=fp64", TUNE},
    {"1024-f6", SWARM "particles=1024 function=f6 method=rows precision=fp64", TUNE},
    {"16384x256", SWARM "particles=16384 dim=256", SLOW},
    {"262144x4", SWARM "particles=262144 dim=4", SLOW},
    {"262144x30", SWARM "particles=262144 dim=30", SLOW},
    {"1048576x30", SWARM "particles=1048576 dim=30", SLOW},
    {"4096-islands", SWARM "particles=32 dim=30 swarms=4096", SLOW},
    {"64-f7", SWARM "particles=64 function=f7 method=rows precision=fp64", SLOW},
    {"1024-f7", SWARM "particles=1024 function=f7 method=rows precision=fp64", SLOW},
    {"131072-f6", SWARM "particles=131072 function=f6 method=rows precision=fp64", SLOW},
    {"64-f10", SWARM "particles=64 function=f10 method=rows precision=fp64", SLOW},
};

static const struct old_option old_options[] = {
    SEARCH_OLD_OPTIONS, {"evaluator", "method", NULL, false, 0}, {NULL, NULL, NULL, false, 0}};

static const struct workload_split swarms = SEARCH_ISLAND_SPLIT("swarm", "swarms");
/* Returns the number of shards into which the rows of the objective's table can be divided; 0: they cannot be
 * divided. Only the method "rows" sums them in parts. */
static uint64_t count_shards(const void *params)
{
    const struct shoal_pso_params *own = params;
    const bool is_rows = own->method == SHOAL_PSO_AUTO || own->method == SHOAL_PSO_ROWS;
    return is_rows ? search_count_shards(params) : 0;
}

static const struct workload_split rows = SEARCH_ROW_SPLIT(count_shards);

/* Returns the number of blocks into which the particles of a swarm can be divided; 0: they cannot be divided.
 * Only the method "fused" can move a part of the particles. */
static uint64_t count_blocks(const void *params)
{
    const struct shoal_pso_params *own = params;
    const bool is_fused = own->method == SHOAL_PSO_AUTO || own->method == SHOAL_PSO_FUSED;
    if (own->search.runs * own->search.islands > 1 || own->particles <= SEARCH_BLOCK || !is_fused ||
        own->topology != SHOAL_PSO_GLOBAL || own->update == SHOAL_PSO_SPSO2011 ||
        own->update == SHOAL_PSO_FIPS || own->batch || own->search.restart ||
        pso_thesis_of(own).needs_pipeline || search_shape(&own->search) != SHOAL_PER_DIMENSION)
        return 0;
    return (own->particles - 1) / SEARCH_BLOCK + 1;
}

/* Returns the number of particles whose evaluations can be divided; 0: they cannot be divided. Only methods
 * of the pipeline can evaluate a part of the particles. */
static uint64_t count_particles(const void *params)
{
    const struct shoal_pso_params *own = params;
    const bool is_pipeline = own->method == SHOAL_PSO_AUTO || own->method >= SHOAL_PSO_THREAD;
    return is_pipeline && search_shape(&own->search) != SHOAL_CALLBACK ? own->particles : 0;
}

static const struct workload_split particles =
    SEARCH_POINT_SPLIT("particle", "particles", "--particles", count_particles);
static const struct workload_split blocks = SEARCH_MEMBER_SPLIT(count_blocks);
static const struct workload_split *const splits[] = {&search_split, &swarms,    &rows,
                                                      &blocks,       &particles, NULL};

const struct workload pso_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "pso",
             .summary = "minimise a function with a particle swarm",
             .params_size = sizeof(struct shoal_pso_params) + PSO_THESIS_SIZE,
             .params_init = params_init,
             .options = pso_options,
             .option_count = PSO_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_sampling,
             .progress_name = "best",
             .absent = PSO_THESIS_ABSENT},
    .check = pso_check_params,
    .check_input = pso_check_input,
    .total_steps = pso_total_steps,
    SEARCH_WORKLOAD,
    .splits = splits,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .old_options = old_options,
    .device = &pso_device_solver,
    .host = &pso_host_solver,
    .thesis_member = offsetof(struct shoal_pso_params, thesis),
    .thesis = PSO_THESIS_PARAMS,
    .remaining = PSO_THESIS_REMAINING,
};
