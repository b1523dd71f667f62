/* The workload "pso": its descriptor for `shoal pso`. */
#include "base/error.h"
#include "pso/pso.h"
#include "workload/checkpoint/saved_options.h"

#include <math.h>

static void params_init(void *params)
{
    shoal_pso_params_init(params);
}

static uint64_t total_steps(const void *params)
{
    return pso_total_steps(params);
}

/* Values of the traces of all islands: half a gigabyte. */
static const double max_trace_values = 67108864;

static enum shoal_status check(const void *data, struct shoal_error *error)
{
    const struct shoal_pso_params *params = data;
    enum shoal_status status = pso_check_params(params, error);
    if (status)
        return status;
    uint64_t steps = total_steps(params);
    double entries = (double)pso_trace_count(params, steps);
    double islands = (double)params->runs * (double)params->swarms;
    if (entries * islands > max_trace_values)
        return fail(
            error, SHOAL_INVALID,
            "a trace every %llu of %llu steps of %.0f swarms has more than %.0f entries: raise --trace",
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
    return status ? status
                  : checkpoint_check_steps(checkpoint, *steps, problem->max_steps,
                                           "--iterations or --evaluations", error);
}

bool pso_island_is_sound(const struct pso_problem *problem, uint64_t steps,
                         const struct pso_island_counts *island)
{
    const bool in_step = island->steps == steps || (island->ended && island->steps < steps);
    return in_step && island->ended <= 1 && island->reached <= 1 && island->stagnant <= island->steps &&
           island->restarts <= island->steps && island->links_at <= island->steps + 1 &&
           island->leader < problem->particles;
}

/* Without a trace, which would have an entry for each interval of all those steps. */
static void make_endless(void *params, uint64_t warm_up_steps)
{
    struct shoal_pso_params *pso = params;
    (void)warm_up_steps;
    pso->iterations = 2147483520;
    pso->evaluations = pso->stagnation = pso->polish = pso->trace = 0;
    pso->target = pso->time = NAN;
}

extern const struct shoal_program_desc pso_best_program, pso_fused_program, pso_island_program,
    pso_move_program, pso_onchip_program;

static const struct shoal_program_desc *const programs[] = {
    &pso_best_program, &pso_fused_program, &pso_island_program, &pso_move_program, &pso_onchip_program, NULL,
};

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
     "the success rate over 1000 seeds"},
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

/* Sizes to tune: choices are stored by powers of two of the sizes; a size without an entry has the rule. To
 * verify: some methods sum over rows, the others over dimensions. */
enum {
    TUNE = SHOAL_CASE_TUNE,
    SLOW = SHOAL_CASE_TUNE | SHOAL_CASE_SLOW_ON_CPU,
    VERIFY = SHOAL_CASE_VERIFY,
    COMPARE = SHOAL_CASE_COMPARE
};
static const struct shoal_case cases[] = {
    {"small", "particles=1024 iterations=500", COMPARE},
    {"medium", "particles=65536 iterations=200", COMPARE},
    {"large", "particles=1048576 iterations=200", COMPARE},
    {"few", "particles=96", VERIFY},
    {"rows", "particles=96 function=f6", VERIFY},
    {"islands", "particles=96 swarms=3 exchange=5", VERIFY},
    /* The text of f6 with more rows. */
    {"f7", "function=f7", SHOAL_CASE_LARGE},
    {"f8", "function=f8", SHOAL_CASE_LARGE},
    {"f9", "function=f9", SHOAL_CASE_LARGE},
    {"f10", "function=f10", SHOAL_CASE_LARGE},
    {"32x4", "particles=32 dim=4", TUNE},
    {"32x30", "particles=32 dim=30", TUNE},
    {"32x256", "particles=32 dim=256", TUNE},
    {"1024x4", "particles=1024 dim=4", TUNE},
    {"1024x30", "particles=1024 dim=30", TUNE},
    {"1024x256", "particles=1024 dim=256", TUNE},
    {"16384x4", "particles=16384 dim=4", TUNE},
    {"16384x30", "particles=16384 dim=30", TUNE},
    {"runs", "particles=40 dim=30 runs=1000", TUNE},
    {"64-f6", "particles=64 function=f6 method=rows precision=fp64", TUNE},
    {"1024-f6", "particles=1024 function=f6 method=rows precision=fp64", TUNE},
    {"16384x256", "particles=16384 dim=256", SLOW},
    {"262144x4", "particles=262144 dim=4", SLOW},
    {"262144x30", "particles=262144 dim=30", SLOW},
    {"1048576x30", "particles=1048576 dim=30", SLOW},
    {"4096-islands", "particles=32 dim=30 swarms=4096", SLOW},
    {"64-f7", "particles=64 function=f7 method=rows precision=fp64", SLOW},
    {"1024-f7", "particles=1024 function=f7 method=rows precision=fp64", SLOW},
    {"131072-f6", "particles=131072 function=f6 method=rows precision=fp64", SLOW},
    {"64-f10", "particles=64 function=f10 method=rows precision=fp64", SLOW},
};

static const struct old_option old_options[] = {{"evaluator", "method", NULL}, {NULL, NULL, NULL}};

const struct workload pso_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "pso",
             .summary = "minimise a function with a particle swarm",
             .params_size = sizeof(struct shoal_pso_params),
             .params_init = params_init,
             .options = pso_options,
             .option_count = PSO_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &pso_sampling,
             .progress_name = "best"},
    .check = check,
    .check_input = pso_check_input,
    .total_steps = total_steps,
    .time_limit = time_limit,
    .make_endless = make_endless,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .old_options = old_options,
    .device = &pso_device_ops,
    .host = &pso_host_ops,
};
