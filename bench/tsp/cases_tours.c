/* Tours within a time: how much longer than the best known ones they are. A repetition is a whole run of each
 * problem, candidate lists and first tour counted in, with a seed of its own; the figures are means over all
 * seeds. */
#include "bench/tsp/tsplib.h"

#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

struct tours_case {
    /* problems for --generate, or NAME.tsp in a file (bench/tsp/tsplib.h), and seconds of their runs */
    struct {
        const char *problem;
        double seconds;
    } runs[MOST];
    size_t count;
    bool is_of_cpus;   /* a GPU has no row */
    bool is_over_time; /* the runs are of one problem: seconds, not problems, name their figures */
};

struct tours {
    struct shoal_tsp_params params[MOST];
    char paths[MOST][1024];
    uint64_t seeds;   /* number of seeds so far */
    double sum[MOST]; /* of the excess over the best known length */
    bool passed;      /* all tours so far have passed their checks; `detail`: the first reason if not */
    char detail[96];
};

static void destroy(struct bench *bench)
{
    free(bench->state);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct tours_case *own = bench->data;
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    if (own->is_of_cpus && !info->is_cpu)
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s is no processor", info->id);
    struct tours *tours = bench->state = calloc(1, sizeof *tours);
    if (!tours)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of tours");
    bench->work = 1;
    tours->passed = true;
    for (size_t i = 0; i < own->count; i++) {
        struct shoal_tsp_params *params = &tours->params[i];
        const char *problem = own->runs[i].problem, *ending = strstr(problem, ".tsp");
        char name[64];
        shoal_tsp_params_init(params);
        params->algorithm = SHOAL_TSP_LK;
        params->time = own->runs[i].seconds;
        params->generate = ending ? NULL : problem;
        params->data = ending ? tours->paths[i] : NULL;
        snprintf(name, sizeof name, "%.*s", ending ? (int)(ending - problem) : 0, problem);
        const enum shoal_status status =
            ending ? bench_tsplib(name, tours->paths[i], sizeof tours->paths[i], error) : SHOAL_OK;
        if (status != SHOAL_OK)
            return status;
    }
    return SHOAL_OK;
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    struct tours *tours = bench->state;
    (void)error;
    tours->seeds++;
    return SHOAL_OK;
}

static enum shoal_status run_one(const struct bench *bench, struct tours *tours, size_t i,
                                 struct shoal_error *error)
{
    struct shoal_run_params run;
    struct shoal_report report = {.size = 0};
    shoal_run_params_init(&run);
    run.variant = bench->variant;
    run.stop = bench->stop;
    run.data = bench->stop_data;
    tours->params[i].seed = tours->seeds;
    const enum shoal_status status =
        shoal_run(shoal_workload_find("tsp"), bench->device, &tours->params[i], &run, &report, error);
    if (status == SHOAL_OK) {
        tours->sum[i] += shoal_result_number(&report.result, "gap");
        if (!report.result.check_passed && tours->passed)
            snprintf(tours->detail, sizeof tours->detail, "%.90s", report.result.check_failure);
        tours->passed = tours->passed && report.result.check_passed;
    }
    shoal_report_clear(&report);
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct tours_case *own = bench->data;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < own->count && status == SHOAL_OK; i++)
        status = run_one(bench, bench->state, i, error);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct tours *tours = bench->state;
    (void)error;
    check->passed = tours->passed;
    memcpy(check->detail, tours->detail, sizeof check->detail);
    return SHOAL_OK;
}

static void figures(struct bench *bench, double spent)
{
    const struct tours_case *own = bench->data;
    const struct tours *tours = bench->state;
    double sum = 0;
    (void)spent;
    bench_add_figure(bench, "seeds", "", (double)tours->seeds);
    for (size_t i = 0; i < own->count; i++)
        sum += tours->sum[i] / (double)tours->seeds;
    if (!own->is_over_time)
        bench_add_figure(bench, "mean over best known", "", sum / (double)own->count);
    for (size_t i = 0; own->count > 1 && i < own->count; i++) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%g s", own->runs[i].seconds);
        bench_add_figure(bench, own->is_over_time ? seconds : own->runs[i].problem, "",
                         tours->sum[i] / (double)tours->seeds);
    }
}

static const struct bench_ops ops = {create, prepare, run, check, destroy, figures};

static const struct tours_case tsplib6 = {{{"pr1002.tsp", 10},
                                           {"pr2392.tsp", 10},
                                           {"pcb3038.tsp", 10},
                                           {"fnl4461.tsp", 10},
                                           {"rl11849.tsp", 10},
                                           {"d18512.tsp", 10}},
                                          6},
                               large = {{{"E10k.0", 10}, {"E100k.0", 60}}, 2},
                               pocl = {{{"E10k.0", 10}}, 1, .is_of_cpus = true};

/* Each time has a run of its own, since the search cools down by the time that it is given. */
static const struct tours_case
    curve_e1k = {{{"E1k.0", 1}, {"E1k.0", 3}, {"E1k.0", 10}, {"E1k.0", 30}}, 4, .is_over_time = true},
    curve_pr2392 = {{{"pr2392.tsp", 1}, {"pr2392.tsp", 3}, {"pr2392.tsp", 10}, {"pr2392.tsp", 30}},
                    4,
                    .is_over_time = true},
    curve_e10k = {{{"E10k.0", 1}, {"E10k.0", 3}, {"E10k.0", 10}, {"E10k.0", 30}}, 4, .is_over_time = true};

#define TOURS .unit = "s", .precision = "u32", .clock = BENCH_WALL_TIME, .large = true, .all_threads = true

#define CURVE(runs) TOURS, .host = &ops, .data = &runs

static const struct bench_case cases[] = {
    {.name = "tsp.cpu.tsplib6",
     .help = "Lin-Kernighan search for 10 s on each of six problems of TSPLIB",
     TOURS,
     .host = &ops,
     .data = &tsplib6},
    {.name = "tsp.cpu.large",
     .help = "the same for 10 s on E10k.0 and for 60 s on E100k.0",
     TOURS,
     .host = &ops,
     .data = &large},
    {.name = "tsp.cpu.curve-E1k.0", .help = "the same for 1, 3, 10 and 30 s on E1k.0", CURVE(curve_e1k)},
    {.name = "tsp.cpu.curve-pr2392", .help = "the same for these times on pr2392", CURVE(curve_pr2392)},
    {.name = "tsp.cpu.curve-E10k.0", .help = "the same for these times on E10k.0", CURVE(curve_e10k)},
    {.name = "tsp.cpu.pocl",
     .help = "the same for 10 s on E10k.0, on an OpenCL device that is a processor",
     TOURS,
     .device = &ops,
     .data = &pocl},
};

const struct bench_case_list bench_tsp_tours_cases = {cases, sizeof cases / sizeof *cases};
