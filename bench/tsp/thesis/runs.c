/* Whole runs of the thesis, or one of its levels. A repetition begins with a new solver, as the levels of a
 * run follow each other. */
#include "bench/tsp/thesis/runs.h"

#include <math.h>
#include <stdlib.h>

struct run {
    const struct thesis_tsp_case *of;
    struct shoal_tsp_params params;
    struct shoal_solver *solver;
    double length, macro_s, micro_s;
};

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (run)
        shoal_solver_destroy(&run->solver);
    free(run);
    bench->state = NULL;
}

static void set_params(const struct thesis_tsp_case *of, struct shoal_tsp_params *params)
{
    struct shoal_tsp_thesis *thesis = &params->thesis;
    shoal_tsp_params_init(params);
    params->algorithm = SHOAL_TSP_THESIS;
    params->generate = of->generate;
    params->alpha = of->alpha > 0 ? of->alpha : NAN;
    params->beta = of->beta > 0 ? of->beta : NAN;
    thesis->macro_cycles = of->macro_cycles ? of->macro_cycles : thesis->macro_cycles;
    thesis->micro_cycles = of->micro_cycles ? of->micro_cycles : thesis->micro_cycles;
    thesis->piece = of->piece ? of->piece : thesis->piece;
    thesis->macro_squad = of->macro_squad;
    thesis->micro_squad = of->micro_squad;
    thesis->scan = of->scan;
    thesis->memory = of->memory;
    thesis->rewinding = of->rewinding;
    thesis->one_by_one = of->one_by_one;
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    uint64_t done;
    shoal_solver_destroy(&run->solver);
    enum shoal_status status = shoal_solver_create(shoal_workload_find("tsp"), bench->device, bench->queue,
                                                   &run->params, bench->variant, &run->solver, error);
    if (status == SHOAL_OK && run->of->part == THESIS_TSP_MICRO)
        status = shoal_solver_step(run->solver, run->params.thesis.macro_cycles, &done, error);
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a run");
    run->of = bench->data;
    set_params(run->of, &run->params);
    bench->work = 1;
    return prepare(bench, error);
}

static enum shoal_status step(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    const struct shoal_tsp_thesis *thesis = &run->params.thesis;
    const uint64_t steps = run->of->part == THESIS_TSP_MACRO   ? thesis->macro_cycles
                           : run->of->part == THESIS_TSP_MICRO ? thesis->overlaps
                                                               : thesis->macro_cycles + thesis->overlaps;
    return shoal_solver_run(run->solver, steps, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_result result;
    const enum shoal_status status = shoal_solver_result(run->solver, &result, error);
    if (status != SHOAL_OK)
        return status;
    check->passed = result.check_passed;
    snprintf(check->detail, sizeof check->detail, "%.90s", result.check_failure);
    run->length = result.value;
    run->macro_s = shoal_result_number(&result, "macro_time");
    run->micro_s = shoal_result_number(&result, "micro_time");
    return SHOAL_OK;
}

static void figures(struct bench *bench, double seconds)
{
    const struct run *run = bench->state;
    (void)seconds;
    bench_add_figure(bench, "length", "", run->length);
    if (run->of->part == THESIS_TSP_WHOLE) {
        bench_add_figure(bench, "macro", "s", run->macro_s);
        bench_add_figure(bench, "micro", "s", run->micro_s);
    }
}

const struct bench_ops thesis_tsp_ops = {create, prepare, step, check, destroy, figures};
