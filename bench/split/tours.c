/* How much shorter the tours of several devices are than those of one, after the same time. */
#include "bench/split/split.h"

#include <math.h>
#include <shoal/tsp.h>
#include <stdlib.h>

enum { SEEDS = 5 };
static const double run_s = 15;

struct tours {
    double one, all; /* lengths */
    struct bench_check check;
};

/* *length: length of the tour that `count` devices find. */
static enum shoal_status find_tour(const struct bench *bench, struct shoal_device *const *devices,
                                   size_t count, uint64_t seed, double *length, struct bench_check *check,
                                   struct shoal_error *error)
{
    const struct shoal_tsp_params params =
        SHOAL_TSP_PARAMS(.generate = "E1M.0", .lists = SHOAL_TSP_LISTS_NEAREST, .seed = seed, .time = run_s,
                         .algorithm = SHOAL_TSP_LK);
    struct shoal_report report = {.size = sizeof report};
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = devices, .count = count);
    enum shoal_status status = split_run(bench, "tsp", &split, &params, NULL, &report, error);
    if (status == SHOAL_CHECK_FAILED && report.solver)
        status = SHOAL_OK;
    if (status == SHOAL_OK) {
        *length = report.result.value;
        check->passed = check->passed && report.result.check_passed;
        check->error = fmax(check->error, report.result.error);
    }
    shoal_report_clear(&report);
    return status;
}

static void emit(struct bench *bench, struct bench_sink *sink, size_t count, const struct tours *tours)
{
    double ratios[SEEDS], one = 0, all = 0;
    unsigned shorter = 0;
    struct bench_check check = {.passed = true};
    for (int i = 0; i < SEEDS; i++) {
        ratios[i] = tours[i].one / tours[i].all;
        one += tours[i].one / SEEDS;
        all += tours[i].all / SEEDS;
        shorter += tours[i].all < tours[i].one;
        if (!tours[i].check.passed)
            check = tours[i].check;
    }
    bench_add_figure(bench, "devices", "", (double)count);
    bench_add_figure(bench, "seeds with a shorter tour", "", shorter);
    bench_add_figure(bench, "mean length", "", all);
    bench_add_figure(bench, "mean length of one", "", one);
    struct bench_figure figure = split_figure(bench, ratios, SEEDS);
    figure.wall_s = run_s;
    figure.check = check;
    bench_emit(sink, &figure);
}

enum shoal_status split_measure_tours(struct bench *bench, struct bench_sink *sink, struct shoal_error *error)
{
    struct shoal_device **devices = NULL;
    size_t count = 0;
    struct tours tours[SEEDS];
    enum shoal_status status = split_devices(bench, &devices, &count, error);
    for (int i = 0; i < SEEDS && status == SHOAL_OK; i++) {
        const uint64_t seed = (uint64_t)i + 1;
        tours[i] = (struct tours){.check = {.passed = true}};
        status = find_tour(bench, devices, 1, seed, &tours[i].one, &tours[i].check, error);
        if (status == SHOAL_OK)
            status = find_tour(bench, devices, count, seed, &tours[i].all, &tours[i].check, error);
    }
    if (status == SHOAL_OK)
        emit(bench, sink, count, tours);
    free((void *)devices);
    return status;
}
