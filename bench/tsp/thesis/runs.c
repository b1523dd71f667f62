/* Whole runs of the thesis, or one of its levels. A repetition begins with new solvers, since the levels of a
 * run follow each other. */
#include "bench/tsp/thesis/runs.h"
#include "bench/tsp/tsplib.h"
#include "cli/output/stats.h"

#include <math.h>
#include <omp.h>
#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 32, MOST_OVERLAPS = 4 };

/* One problem of a case. */
struct run {
    const struct thesis_tsp_case *of;
    struct shoal_tsp_params params; /* with `thesis` */
    struct shoal_tsp_thesis thesis;
    char path[1024];   /* file of the problem, or the text that generates its substitute */
    size_t substitute; /* number of cities of the substitute; 0: the problem is the one that the case names */
    struct shoal_solver *solver;
    double length, deviation, macro_s, micro_s;
};

struct runs {
    struct run all[MOST_PROBLEMS];
    size_t count;
    bool is_compared;
    /* Figures of one problem: excess over the optimum after the macro level and after each micro step. */
    double steps[1 + MOST_OVERLAPS];
    /* seconds of the host with one thread, of the host with all threads, and of the case `with`; 0: not
     * timed */
    double one_s, all_s, with_s;
};

static void destroy(struct bench *bench)
{
    struct runs *runs = bench->state;
    for (size_t i = 0; runs && i < runs->count; i++)
        shoal_solver_destroy(&runs->all[i].solver);
    free(runs);
    bench->state = NULL;
}

/* Uniform cities stand for a problem whose file is absent: as many as the digits in a name of TSPLIB say. */
static void set_problem(struct run *run, const char *problem)
{
    const char *ending = strstr(problem, ".tsp");
    char name[64];
    struct shoal_error error;
    run->params.generate = problem;
    if (!ending)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(ending - problem), problem);
    if (bench_tsplib(name, run->path, sizeof run->path, &error) == SHOAL_OK) {
        run->params.generate = NULL;
        run->params.data = run->path;
        return;
    }
    run->substitute = strtoul(name + strcspn(name, "0123456789"), NULL, 10);
    snprintf(run->path, sizeof run->path, "uniform:%zu:%zu", run->substitute, run->substitute);
    run->params.generate = run->path;
}

static void set_params(struct run *run, const struct thesis_tsp_case *of, const char *problem)
{
    struct shoal_tsp_thesis *thesis = &run->thesis;
    run->of = of;
    shoal_tsp_params_init(&run->params);
    shoal_tsp_thesis_init(thesis);
    run->params.thesis = thesis;
    run->params.algorithm = SHOAL_TSP_THESIS;
    run->params.alpha = of->alpha > 0 ? of->alpha : NAN;
    run->params.beta = of->beta > 0 ? of->beta : NAN;
    run->params.rho = of->rho > 0 ? of->rho : NAN;
    thesis->macro_cycles = of->macro_cycles ? of->macro_cycles : thesis->macro_cycles;
    thesis->micro_cycles = of->micro_cycles ? of->micro_cycles : thesis->micro_cycles;
    thesis->piece = of->piece ? of->piece : thesis->piece;
    thesis->macro_squad = of->macro_squad;
    thesis->micro_squad = of->micro_squad;
    thesis->scan = of->scan;
    thesis->memory = of->memory;
    thesis->rewinding = of->rewinding;
    thesis->one_by_one = of->one_by_one;
    set_problem(run, problem);
}

/* Makes steps one by one: those of a large problem take long, and the bench may be stopped between them. */
static enum shoal_status make_steps(const struct bench *bench, const struct run *run, uint64_t steps,
                                    struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < steps && status == SHOAL_OK; i++) {
        status = bench_stopped(bench, error);
        if (status == SHOAL_OK)
            status = shoal_solver_run(run->solver, 1, error);
    }
    return status;
}

static enum shoal_status prepare_run(const struct bench *bench, struct run *run, struct shoal_device *device,
                                     struct shoal_queue *queue, struct shoal_error *error)
{
    shoal_solver_destroy(&run->solver);
    const enum shoal_status status = shoal_solver_create(shoal_workload_find("tsp"), device, queue,
                                                         &run->params, bench->variant, &run->solver, error);
    return status == SHOAL_OK && run->of->part == THESIS_TSP_MICRO
               ? make_steps(bench, run, run->thesis.macro_cycles, error)
               : status;
}

static enum shoal_status step_run(const struct bench *bench, const struct run *run, struct shoal_error *error)
{
    const struct shoal_tsp_thesis *thesis = &run->thesis;
    const uint64_t steps = run->of->part == THESIS_TSP_MACRO   ? thesis->macro_cycles
                           : run->of->part == THESIS_TSP_MICRO ? thesis->overlaps
                                                               : thesis->macro_cycles + thesis->overlaps;
    return make_steps(bench, run, steps, error);
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    struct runs *runs = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; status == SHOAL_OK && i < runs->count; i++)
        status = prepare_run(bench, &runs->all[i], bench->device, bench->queue, error);
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct thesis_tsp_case *of = bench->data;
    const char *const single[] = {of->problem, NULL};
    struct runs *runs = bench->state = calloc(1, sizeof *runs);
    if (!runs)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a run");
    bench->work = 1;
    for (const char *const *problem = of->problem ? single : of->problems; *problem; problem++) {
        struct run *run = &runs->all[runs->count];
        set_params(run, of, *problem);
        /* The optimum of a substitute is unknown, so a mean over problems leaves it out. */
        if (of->problem || !run->substitute)
            runs->count++;
        else
            *run = (struct run){.solver = NULL};
    }
    if (of->problem && runs->all[0].substitute)
        snprintf(bench->suffix, sizeof bench->suffix, "-u%zu", runs->all[0].substitute);
    return prepare(bench, error);
}

static enum shoal_status step(struct bench *bench, struct shoal_error *error)
{
    struct runs *runs = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; status == SHOAL_OK && i < runs->count; i++)
        status = step_run(bench, &runs->all[i], error);
    return status;
}

/* Comparisons ------------------------------------------------------------------------------------------ */

/* Median time of runs of the case after a first run: three runs, or as many as begin in the time of a row. */
static enum shoal_status time_case(const struct bench *bench, const struct thesis_tsp_case *of,
                                   struct shoal_device *device, struct shoal_queue *queue, double *seconds,
                                   struct shoal_error *error)
{
    double samples[1 + BENCH_LEAST_SAMPLES], spent = 0;
    size_t count = 0;
    struct run run = {.solver = NULL};
    enum shoal_status status = SHOAL_OK;
    set_params(&run, of, of->problem);
    while (status == SHOAL_OK && (count < 2 || (count <= BENCH_LEAST_SAMPLES && spent < bench->seconds))) {
        status = prepare_run(bench, &run, device, queue, error);
        if (status == SHOAL_OK && queue)
            status = shoal_queue_finish(queue, error);
        const double begin = bench_seconds();
        if (status == SHOAL_OK)
            status = step_run(bench, &run, error);
        if (status == SHOAL_OK && queue)
            status = shoal_queue_finish(queue, error);
        samples[count] = bench_seconds() - begin;
        spent += samples[count++];
    }
    shoal_solver_destroy(&run.solver);
    *seconds = status == SHOAL_OK ? stats_of(samples + 1, count - 1).median : 0;
    return status;
}

static enum shoal_status time_host(const struct bench *bench, int threads, double *seconds,
                                   struct shoal_error *error)
{
    const int before = omp_get_max_threads();
    struct shoal_device *host;
    size_t count;
    enum shoal_status status = shoal_device_select(bench->shoal, "host", 0, &host, 1, &count, error);
    omp_set_num_threads(threads);
    if (status == SHOAL_OK)
        status = time_case(bench, bench->data, host, NULL, seconds, error);
    omp_set_num_threads(before);
    return status;
}

/* Makes the run again, and looks at the tour after each level. */
static enum shoal_status look_at_steps(struct bench *bench, struct shoal_error *error)
{
    struct runs *runs = bench->state;
    struct run run = {.of = runs->all[0].of, .params = runs->all[0].params, .thesis = runs->all[0].thesis};
    const struct shoal_tsp_thesis *thesis = run.params.thesis;
    enum shoal_status status = prepare_run(bench, &run, bench->device, bench->queue, error);
    for (uint64_t i = 0; status == SHOAL_OK && i <= thesis->overlaps && i <= MOST_OVERLAPS; i++) {
        struct shoal_result result = {0};
        status = make_steps(bench, &run, i ? 1 : thesis->macro_cycles, error);
        if (status == SHOAL_OK)
            status = shoal_solver_result(run.solver, &result, error);
        if (status == SHOAL_OK)
            runs->steps[i] = shoal_result_number(&result, "gap");
    }
    shoal_solver_destroy(&run.solver);
    return status;
}

static enum shoal_status compare(struct bench *bench, struct shoal_error *error)
{
    const struct thesis_tsp_case *of = bench->data;
    struct runs *runs = bench->state;
    enum shoal_status status = SHOAL_OK;
    runs->is_compared = true;
    if (of->has_gains && (bench->queue || bench->threads > 1))
        status = time_host(bench, 1, &runs->one_s, error);
    if (status == SHOAL_OK && of->has_gains && bench->queue)
        status = time_host(bench, omp_get_max_threads(), &runs->all_s, error);
    if (status == SHOAL_OK && of->with)
        status = time_case(bench, of->with, bench->device, bench->queue, &runs->with_s, error);
    if (status == SHOAL_OK && of->problem && of->part == THESIS_TSP_WHOLE)
        status = look_at_steps(bench, error);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct runs *runs = bench->state;
    check->passed = true;
    for (size_t i = 0; check->passed && i < runs->count; i++) {
        struct run *run = &runs->all[i];
        struct shoal_result result = {0};
        const enum shoal_status status = shoal_solver_result(run->solver, &result, error);
        if (status != SHOAL_OK)
            return status;
        check->passed = result.check_passed;
        snprintf(check->detail, sizeof check->detail, "%.90s", result.check_failure);
        run->length = result.value;
        run->deviation = shoal_result_number(&result, "gap");
        run->macro_s = shoal_result_number(&result, "macro_time");
        run->micro_s = shoal_result_number(&result, "micro_time");
    }
    return check->passed && !runs->is_compared ? compare(bench, error) : SHOAL_OK;
}

/* Figures ---------------------------------------------------------------------------------------------- */

static void add_ratio(struct bench *bench, const char *name, double ratio)
{
    if (ratio > 0)
        bench_add_figure(bench, name, "ratio", ratio);
}

static void add_gains(struct bench *bench, double seconds)
{
    const struct thesis_tsp_case *of = bench->data;
    const struct runs *runs = bench->state;
    add_ratio(bench, "over 1 thread", runs->one_s / seconds);
    add_ratio(bench, "over all threads", runs->all_s / seconds);
    if (bench->queue) {
        add_ratio(bench, "published, Pentium E6600 t1", of->over_one);
        add_ratio(bench, "published, Pentium E6600 t2", of->over_two);
        add_ratio(bench, "published, 2 Opteron 2387 t8", of->over_eight);
    }
    if (of->with) {
        add_ratio(bench, "gain", seconds / runs->with_s);
        add_ratio(bench, "published gain", of->gain);
    }
}

static void figures(struct bench *bench, double seconds)
{
    const struct thesis_tsp_case *of = bench->data;
    const struct runs *runs = bench->state;
    if (of->problems) {
        double sum = 0, worst = 0;
        for (size_t i = 0; i < runs->count; i++) {
            sum += runs->all[i].deviation;
            worst = fmax(worst, runs->all[i].deviation);
        }
        bench_add_figure(bench, "problems", "", (double)runs->count);
        bench_add_figure(bench, "mean over optimum", "", sum / (double)runs->count);
        bench_add_figure(bench, "most over optimum", "", worst);
        return;
    }
    const struct run *run = &runs->all[0];
    bench_add_figure(bench, "length", "", run->length);
    if (of->part == THESIS_TSP_WHOLE) {
        bench_add_figure(bench, "macro", "s", run->macro_s);
        bench_add_figure(bench, "micro", "s", run->micro_s);
        if (!isnan(run->deviation)) {
            bench_add_figure(bench, "over optimum: macro", "", runs->steps[0]);
            bench_add_figure(bench, "first micro step", "", runs->steps[1]);
            bench_add_figure(bench, "second", "", runs->steps[2]);
        }
    }
    add_gains(bench, seconds);
}

const struct bench_ops thesis_tsp_ops = {create, prepare, step, check, destroy, figures};
