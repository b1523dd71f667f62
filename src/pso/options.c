/* The workload "pso": its options and what must hold between them. */
#include "base/error.h"
#include "objective/objective.h"
#include "pso/pso.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int32_t default_function(void)
{
    int32_t index = 0;
    while (strcmp(objective_names[index], "rastrigin") != 0)
        index++;
    return index;
}

void shoal_pso_params_init(struct shoal_pso_params *params)
{
    *params = (struct shoal_pso_params){.size = sizeof *params,
                                        .function = default_function(),
                                        .precision = SHOAL_FP32,
                                        .lower = NAN,
                                        .upper = NAN,
                                        .shift = NAN,
                                        .particles = 1024,
                                        .initial_velocity = SHOAL_PSO_VELOCITY_BY_UPDATE,
                                        .inertia = NAN,
                                        .inertia_end = NAN,
                                        .cognitive = NAN,
                                        .social = NAN,
                                        .velocity_limit = NAN,
                                        .seed = 1,
                                        .swarms = 1,
                                        .runs = 1,
                                        .success = 1e-8,
                                        .iterations = 2000,
                                        .target = NAN,
                                        .stagnation_tolerance = 1e-9,
                                        .time = NAN};
}

static void params_init(void *params)
{
    shoal_pso_params_init(params);
}

/* The kernels count particles, dimensions and steps in 32 bits, with room for rounding up. */
#define MAX_PARTICLES   268435456.0
#define MAX_DIM         1048576.0
#define MAX_ITERATIONS  4294967040.0
#define MAX_SEED        18446744073709551615.0
#define MAX_ISLANDS     1048576.0
#define MAX_EVALUATIONS 1e18
/* Squares of coordinates stay finite in single precision. */
#define MAX_COORDINATE 1e15

const char *const pso_precision_names[] = {[SHOAL_FP32] = "fp32", [SHOAL_FP64] = "fp64", NULL};

static const char *const update_names[] = {"inertia", "linear", "constriction", "spso2011", "fips", NULL};
static const char *const topology_names[] = {"global", "ring", "von-neumann", "random", NULL};
static const char *const bounds_names[] = {"reflect", "clamp",     "absorb",    "bounce", "periodic",
                                           "reentry", "invisible", "unbounded", NULL};
static const char *const velocity_names[] = {"half-difference", "difference", "range", "zero",
                                             "by-update",       NULL};
static const char *const exchange_names[] = {"ring", "all", NULL};
static const char *const random_names[] = {"philox", "philox16", "glob", "reg", NULL};
static const char *const evaluator_names[] = {"auto",   "fused",       "onchip", "thread", "thread-naive",
                                              "block",  "block-major", "mod",    "lanes",  "warp2",
                                              "block2", "rows",        NULL};
static const char *const argmin_names[] = {"auto", "shared", "shfl", "vol", "warp-first", NULL};

#define FIELD(name) offsetof(struct shoal_pso_params, name)

static const struct shoal_option options[] = {
    {.name = "function",
     .group = "Problem",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(function),
     .unit = "NAME",
     .choices = objective_names,
     .help = "built-in objective function",
     .needs = "!expr, !objective, !data"},
    {.name = "objective",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(objective_file),
     .unit = "FILE",
     .help = "objective function defined by this file in the kernel dialect (docs/objectives.md); with "
             "--data its residual"},
    {.name = "expr",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(expression),
     .unit = "FORMULA",
     .help = "objective function as a formula, e.g. sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)",
     .needs = "!objective, !data"},
    {.name = "data",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(data_file),
     .unit = "FILE",
     .help = "table of a least-squares objective: .npy, .csv, or raw binary with --data-layout"},
    {.name = "data-layout",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(data_layout),
     .unit = "LAYOUT",
     .help = "layout of a raw binary table: f8:ROWSxCOLUMNS or f4:ROWSxCOLUMNS, with :columns behind it for "
             "column-major order, :blocks if the last column comes separately at the end",
     .needs = "data"},
    {.name = "squared",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(squared),
     .unit = "",
     .help = "fit squares of the coordinates: residuals b - sum a[d] x[d]^2",
     .needs = "data, !objective"},
    {.name = "compressed",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(compressed),
     .unit = "",
     .help = "evaluate a QR factor of the table in place of its rows",
     .needs = "data, !objective"},
    {.name = "dim",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(dim),
     .unit = "N",
     .min = 0,
     .max = MAX_DIM,
     .help = "number of dimensions; default that of the data, else 30",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "lower",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(lower),
     .unit = "X",
     .min = -MAX_COORDINATE,
     .max = MAX_COORDINATE,
     .help = "lower bound of the search box in every dimension; default that of the function"},
    {.name = "upper",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(upper),
     .unit = "X",
     .min = -MAX_COORDINATE,
     .max = MAX_COORDINATE,
     .help = "upper bound of the search box in every dimension; default that of the function"},
    {.name = "shift",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(shift),
     .unit = "X",
     .min = -MAX_COORDINATE,
     .max = MAX_COORDINATE,
     .help = "shift the function by X times a random vector with coordinates in -1 to 1"},
    {.name = "maximise",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(maximise),
     .unit = "",
     .help = "maximise the objective function instead"},
    {.name = "particles",
     .group = "Swarm",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(particles),
     .unit = "N",
     .min = 1,
     .max = MAX_PARTICLES,
     .help = "particles in a swarm",
     .flags = SHOAL_OPTION_SHOWN},
    {.name = "update",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(update),
     .unit = "NAME",
     .choices = update_names,
     .help = "velocity update rule"},
    {.name = "topology",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(topology),
     .unit = "NAME",
     .choices = topology_names,
     .help = "neighbourhood topology: from which particles one learns the best position"},
    {.name = "neighbours",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(neighbours),
     .unit = "K",
     .min = 0,
     .max = 1024,
     .help = "neighbours in a ring, an even number, or informants of a particle with random; 0: 2 and 3",
     .needs = "topology=ring|random"},
    {.name = "bounds",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(bounds),
     .unit = "NAME",
     .choices = bounds_names,
     .help = "what happens to a particle that leaves the search box"},
    {.name = "initial-velocity",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(initial_velocity),
     .unit = "NAME",
     .choices = velocity_names,
     .help = "distribution of the initial velocities"},
    {.name = "inertia",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(inertia),
     .unit = "W",
     .min = -10,
     .max = 10,
     .help = "inertia weight; default 0.7298, or that of the update rule",
     .needs = "update=inertia|linear|spso2011"},
    {.name = "inertia-end",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(inertia_end),
     .unit = "W",
     .min = -10,
     .max = 10,
     .help = "inertia weight of the last iteration; default 0.4",
     .needs = "update=linear"},
    {.name = "cognitive",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(cognitive),
     .unit = "C",
     .min = -10,
     .max = 10,
     .help = "cognitive coefficient, the attraction to the particle's own best position; default 1.49618, or "
             "that of the update rule"},
    {.name = "social",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(social),
     .unit = "C",
     .min = -10,
     .max = 10,
     .help = "social coefficient, the attraction to the best position of its neighbours; default 1.49618, or "
             "that of the update rule"},
    {.name = "velocity-limit",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(velocity_limit),
     .unit = "L",
     .min = 0,
     .max = 1000,
     .help = "largest velocity, in widths of the search box; default none"},
    {.name = "scalar-random",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(scalar_random),
     .unit = "",
     .help = "draw one pair of random numbers per particle rather than per dimension",
     .needs = "update=inertia|linear|constriction"},
    {.name = "random",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(random),
     .unit = "NAME",
     .choices = random_names,
     .help = "random number generator of the velocity update",
     .needs = "update=inertia|linear|constriction"},
    {.name = "batch",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(batch),
     .unit = "N",
     .min = 0,
     .max = MAX_PARTICLES,
     .help = "update bests asynchronously, after every N particles; 0: once an iteration"},
    {.name = "seed",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(seed),
     .unit = "N",
     .min = 0,
     .max = MAX_SEED,
     .help = "seed of the random numbers; the same seed on the same device gives the same result",
     .flags = SHOAL_OPTION_SHOWN},
    {.name = "swarms",
     .group = "Several swarms",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(swarms),
     .unit = "N",
     .min = 1,
     .max = MAX_ISLANDS,
     .help = "number of swarms (islands) in a run"},
    {.name = "exchange",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(exchange),
     .unit = "N",
     .min = 0,
     .max = MAX_ITERATIONS,
     .help = "iterations between exchanges of the islands' bests; 0: none",
     .needs = "swarms>1"},
    {.name = "exchange-topology",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(exchange_topology),
     .unit = "NAME",
     .choices = exchange_names,
     .help = "which islands exchange their bests",
     .needs = "exchange"},
    {.name = "runs",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(runs),
     .unit = "N",
     .min = 1,
     .max = MAX_ISLANDS,
     .help = "number of independent runs, with seeds SEED, SEED + 1 ...; their statistics are reported"},
    {.name = "success",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(success),
     .unit = "X",
     .min = 0,
     .max = 1e300,
     .help =
         "tolerance within which a run that finds the known minimum, or the target, counts as successful"},
    {.name = "iterations",
     .group = "End",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(iterations),
     .unit = "N",
     .min = 1,
     .max = MAX_ITERATIONS,
     .help = "number of iterations",
     .flags = SHOAL_OPTION_FREE_ON_RESUME | SHOAL_OPTION_SHOWN},
    {.name = "evaluations",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(evaluations),
     .unit = "N",
     .min = 0,
     .max = MAX_EVALUATIONS,
     .help = "budget of objective evaluations per run; 0: no limit",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "target",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(target),
     .unit = "VALUE",
     .min = -DBL_MAX,
     .max = DBL_MAX,
     .help = "stop when the best value reaches VALUE",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "stagnation",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(stagnation),
     .unit = "N",
     .min = 0,
     .max = MAX_ITERATIONS,
     .help = "stop after N iterations without improvement; 0: never",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "stagnation-tolerance",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(stagnation_tolerance),
     .unit = "X",
     .min = 0,
     .max = 1,
     .help = "least relative improvement that counts",
     .needs = "stagnation or restart"},
    {.name = "time",
     .type = SHOAL_OPTION_REAL,
     .offset = FIELD(time),
     .unit = "S",
     .min = 0,
     .max = 1e9,
     .help = "end after S seconds of wall time",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "restart",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(restart),
     .unit = "N",
     .min = 0,
     .max = MAX_ITERATIONS,
     .help = "restart an island after N iterations without improvement; 0: never",
     .needs = "!stagnation"},
    {.name = "polish",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(polish),
     .unit = "N",
     .min = 0,
     .max = MAX_EVALUATIONS,
     .help = "evaluations of a pattern search that refines the best position at the end; 0: none",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "trace",
     .group = "Trace",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(trace),
     .unit = "N",
     .min = 0,
     .max = MAX_ITERATIONS,
     .help = "record the best value every N iterations; 0: never"},
    {.name = "precision",
     .group = "Method on a device",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(precision),
     .unit = "NAME",
     .choices = pso_precision_names,
     .help = "floating-point format on the device; the host always uses fp64",
     .flags = SHOAL_OPTION_SHOWN},
    {.name = "evaluator",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(evaluator),
     .unit = "NAME",
     .choices = evaluator_names,
     .help = "how a step is laid over the device"},
    {.name = "argmin",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(argmin),
     .unit = "NAME",
     .choices = argmin_names,
     .help = "how the pipeline of single steps finds the best particle; with a method of auto it takes the "
             "pipeline"},
    {.name = "chunk-rows",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(chunk_rows),
     .unit = "N",
     .min = 0,
     .max = MAX_ITERATIONS,
     .help = "rows of the table that are on the device at a time; 0: all, or as many as fit",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
};

static uint64_t total_steps(const void *params)
{
    return pso_total_steps(params);
}

/* Values of the traces of all islands: half a gigabyte. */
static const double max_trace_values = 67108864;

static enum shoal_status validate(const void *data, struct shoal_error *error)
{
    const struct shoal_pso_params *params = data;
    enum shoal_status status = pso_check_params(params, error);
    if (status)
        return status;
    uint64_t steps = total_steps(params);
    double entries = (double)pso_trace_count(params, steps);
    double islands = (double)params->runs * (double)params->swarms;
    if (entries * islands > max_trace_values)
        return fail(error, SHOAL_INVALID,
                    "a trace every %llu of %llu steps of %.0f swarms has more than %.0f entries: raise trace",
                    (unsigned long long)params->trace, (unsigned long long)steps, islands, max_trace_values);
    return SHOAL_OK;
}

static double time_limit(const void *params)
{
    return ((const struct shoal_pso_params *)params)->time;
}

enum shoal_status pso_check_steps(const struct pso_problem *problem, const struct checkpoint *checkpoint,
                                  uint64_t *steps, struct shoal_error *error)
{
    enum shoal_status status = checkpoint_get(checkpoint, "step", steps, sizeof *steps, error);
    if (!status && *steps > problem->max_steps)
        status =
            fail(error, SHOAL_INVALID,
                 "checkpoint %s stands at step %llu, this run ends at %llu: raise iterations or evaluations",
                 checkpoint->path, (unsigned long long)*steps, (unsigned long long)problem->max_steps);
    return status;
}

extern const struct shoal_program_desc pso_best_program, pso_fused_program, pso_island_program,
    pso_move_program, pso_onchip_program;

static const struct shoal_program_desc *const programs[] = {
    &pso_fused_program, &pso_onchip_program, &pso_move_program, &pso_best_program, &pso_island_program};

static const struct shoal_example examples[] = {
    {"shoal pso --function rastrigin --dim 30 --particles 1024 --iterations 2000 --seed 1 --device all",
     "the same swarm on every device"},
    {"shoal pso --expr 'sum(100*(x[i+1]-x[i]^2)^2 + (1-x[i])^2)' --lower -30 --upper 30 --precision fp64",
     "a formula"},
    {"shoal pso --objective my.clh --lower -5 --upper 5 --dim 12 --time 10",
     "a function in a file, for ten seconds"},
    {"shoal pso --data table.npy --lower -10 --upper 10 --polish 10000",
     "least squares over the rows of a table"},
    {"shoal pso --function griewank --update spso2011 --topology random --particles 40 --iterations 7500 "
     "--runs 1000",
     "how often it finds the minimum, over 1000 seeds"},
    {"shoal pso --function ackley --dim 100 --trace 10 --plot way.svg", "a chart of the way to the minimum"},
};

/* Powers of two of the sizes make the keys under which the choice is kept; between them the nearest key has
 * none, and the rule decides. */
static const char *const tuned_sizes[] = {
    "particles=32 dim=4", "particles=32 dim=30", "particles=32 dim=256", "particles=1024 dim=4",
    "particles=1024 dim=30", "particles=1024 dim=256", "particles=16384 dim=4", "particles=16384 dim=30",
    "particles=40 dim=30 runs=1000", "particles=64 function=f6 evaluator=rows precision=fp64",
    "particles=1024 function=f6 evaluator=rows precision=fp64",
    /* the CPUs end here */
    "particles=16384 dim=256", "particles=262144 dim=4", "particles=262144 dim=30",
    "particles=1048576 dim=30", "particles=32 dim=30 swarms=4096",
    "particles=64 function=f7 evaluator=rows precision=fp64",
    "particles=1024 function=f7 evaluator=rows precision=fp64",
    "particles=131072 function=f6 evaluator=rows precision=fp64",
    "particles=64 function=f10 evaluator=rows precision=fp64", NULL};
enum { ON_CPUS = 11 };

/* The text of f6 with more rows. */
static const char *const large_choices[] = {"function=f7", "function=f8", "function=f9", "function=f10",
                                            NULL};

/* Sums over rows take some evaluators, the others sums over dimensions. */
static const struct shoal_companions companions[] = {{"exchange-topology", "swarms=3 exchange=5"},
                                                     {"evaluator=warp2", "function=f6"},
                                                     {"evaluator=block2", "function=f6"},
                                                     {"evaluator=rows", "function=f6"},
                                                     {NULL, NULL}};

const struct shoal_workload pso_workload = {
    .name = "pso",
    .summary = "minimise a function with a particle swarm",
    .params_size = sizeof(struct shoal_pso_params),
    .params_init = params_init,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .programs = programs,
    .program_count = sizeof programs / sizeof *programs,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .validate = validate,
    .total_steps = total_steps,
    .time_limit = time_limit,
    .tuned_option = "evaluator",
    .tuned_sizes = tuned_sizes,
    .tuned_on_cpus = ON_CPUS,
    .large_choices = large_choices,
    .verified_sizes = "particles=96",
    .companions = companions,
    .device = &pso_device_ops,
    .host = &pso_host_ops,
};
