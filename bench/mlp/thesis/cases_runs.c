/* The suite thesis-mlp, whole runs by the thesis's rule of timing: allocation, the start, transfers, updates
 * and the end, without reading a file and without scores. Its figures 5.5 and 5.6 (15,360 rows; 1000 updates
 * there), 5.7 (n-n-2, two blocks for each multiprocessor) and its worst case, by v1, v2 and
 * the method that the library chooses: as many updates as make a sample of a second at most, and enough that
 * allocation and start have little part in it. The thesis prints no total time, and ratios to one core of a
 * processor alone: each row has ours, to the scalar twin on one thread, and to the vector twin on all, of
 * rates measured in the same run.
 *
 * How many blocks v1 had on its random set is not said: its 1.8 GB of derivatives by 60 blocks of 256 did not
 * fit its card. 60 of 64 stand for them.
 */
#include "bench/mlp/thesis/host.h"

#include <inttypes.h>
#include <omp.h>
#include <shoal/mlp.h>
#include <shoal/theses.h>
#include <stdlib.h>

struct run_case {
    struct thesis_mlp_net net;
    int32_t method;
    uint64_t blocks, threads; /* 0: two blocks for each compute unit, and threads by the method */
    uint64_t updates;
    double fast,
        slow; /* published ratios: GTX 280 over a core of a Q9300; 9500 GT over a core of an Athlon 4000+ */
};

struct run {
    struct thesis_mlp_set set;
    struct shoal_mlp_params params; /* parameters of the run, with `thesis` */
    struct shoal_mlp_thesis thesis;
    char hidden[24];
    struct shoal_solver *solver;
    double scalar, vector; /* rows a second of each twin */
};

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    thesis_mlp_close(&run->set);
    free(run);
    bench->state = NULL;
}

static void set_params(struct run *run, const struct run_case *of)
{
    struct shoal_mlp_params *params = &run->params;
    shoal_mlp_params_init(params);
    snprintf(run->hidden, sizeof run->hidden, "%zu", of->net.hidden);
    params->dataset = run->set.dataset;
    params->validation = params->test = 0;
    params->scale = SHOAL_MLP_UNSCALED;
    params->hidden = run->hidden;
    params->activation = params->output = "logistic";
    params->loss = SHOAL_MLP_LOSS_E;
    params->start = SHOAL_MLP_START_UNIFORM;
    params->range = 0.3;
    params->optimiser = SHOAL_MLP_MOMENTUM;
    params->schedule = SHOAL_MLP_CONSTANT;
    params->rate = 0.5;
    params->full_batch = true;
    params->epochs = of->updates;
    params->trace = 0;
    params->method = of->method;
    shoal_mlp_thesis_init(&run->thesis);
    run->thesis.blocks = of->blocks;
    run->thesis.threads = of->threads;
    params->thesis = &run->thesis;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct run_case *of = bench->data;
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    const enum shoal_status status = thesis_mlp_open(&of->net, &run->set, error);
    if (status != SHOAL_OK)
        return status;
    set_params(run, of);
    bench->work = 1;
    return SHOAL_OK;
}

static enum shoal_status whole_run(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    shoal_solver_destroy(&run->solver);
    enum shoal_status status = shoal_solver_create(shoal_workload_find("mlp"), bench->device, bench->queue,
                                                   &run->params, bench->variant, &run->solver, error);
    if (status == SHOAL_OK)
        status = shoal_solver_run(run->solver, run->params.epochs, error);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_result result = {0};
    enum shoal_status status = shoal_solver_result(run->solver, &result, error);
    if (status != SHOAL_OK)
        return status;
    check->passed = result.check_passed && result.steps == run->params.epochs;
    check->error = result.error;
    snprintf(check->detail, sizeof check->detail, "%.90s", result.check_failure);
    bench->build_s = shoal_solver_build_seconds(run->solver);
    bench->native = shoal_solver_is_native(run->solver);
    if (check->passed && run->scalar == 0)
        status = thesis_mlp_rate(&run->set, &thesis_mlp_scalar, 1, &run->scalar, error);
    if (status == SHOAL_OK && check->passed && run->vector == 0)
        status = thesis_mlp_rate(&run->set, thesis_mlp_vector(), omp_get_max_threads(), &run->vector, error);
    return status;
}

static void figures(struct bench *bench, double seconds)
{
    const struct run_case *of = bench->data;
    const struct run *run = bench->state;
    const double rows = (double)of->updates * THESIS_MLP_ROWS / seconds;
    bench_add_figure(bench, "update", "s", seconds / (double)of->updates);
    bench_add_figure(bench, "rows", "rows/s", rows);
    bench_add_figure(bench, "operations", "flop/s", rows * thesis_mlp_flop(&of->net));
    bench_add_figure(bench, "weight updates", "1/s", rows * (double)thesis_mlp_weights(&of->net));
    bench_add_figure(bench, "over scalar code, 1 thread", "ratio", rows / run->scalar);
    bench_add_figure(bench, "over vector code, all threads", "ratio", rows / run->vector);
    if (of->fast > 0)
        bench_add_figure(bench, "published, GTX 280 over Q9300", "ratio", of->fast);
    if (of->slow > 0)
        bench_add_figure(bench, "published, 9500 GT over Athlon", "ratio", of->slow);
}

static const struct bench_ops ops = {create, NULL, whole_run, check, destroy, figures};

#define RUN(id, text, is_large, ...)                                                                         \
    {                                                                                                        \
        .name = "thesis-mlp." id, .help = text, .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME,  \
        .device = &ops, .large = is_large, .data = &(const struct run_case)                                  \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
/* All nets are also trained by the method that the library chooses. */
#define TOTAL(id, count, text, ...)                                                                          \
    RUN("total." id, "run of " #count " updates, " text, 1, .updates = count, __VA_ARGS__)
#define SWEEP(n, count, best, is_large, gtx, gt)                                                             \
    RUN("sweep.v2-" #n, "run of " #count " updates by v2, " #n "-" #n "-2", is_large, .net = {n, n, 2},      \
        .method = SHOAL_MLP_V2, .updates = count, .fast = gtx, .slow = gt),                                  \
        RUN("sweep.best-" #n, "run of " #best " updates by the method of the library", is_large,             \
            .net = {n, n, 2}, .updates = best)

static const struct bench_case cases[] = {
    TOTAL("v1-dr", 100, "v1, 64-63-26", .net = {64, 63, 26}, .method = SHOAL_MLP_V1, .blocks = 60,
          .threads = 256, .fast = 9, .slow = 2.2),
    TOTAL("v1-r", 20, "v1, 120-120-120", .net = {120, 120, 120}, .method = SHOAL_MLP_V1, .blocks = 60,
          .threads = 64, .fast = 9, .slow = 2.2),
    TOTAL("v2-dr", 200, "v2, 64-63-26", .net = {64, 63, 26}, .method = SHOAL_MLP_V2, .blocks = 60,
          .fast = 27.58, .slow = 9),
    TOTAL("v2-r", 100, "v2, 120-120-120", .net = {120, 120, 120}, .method = SHOAL_MLP_V2, .blocks = 60,
          .fast = 46, .slow = 10.87),
    TOTAL("best-dr", 1000, "the method of the library, 64-63-26", .net = {64, 63, 26}),
    TOTAL("best-r", 1000, "the method of the library, 120-120-120", .net = {120, 120, 120}),
    RUN("worst.v1", "run of 100 updates by v1, 2-511-2", 1, .net = {2, 511, 2}, .method = SHOAL_MLP_V1,
        .blocks = 60, .threads = 256, .updates = 100),
    RUN("worst.v2", "run of 100 updates by v2, 2-511-2", 1, .net = {2, 511, 2}, .method = SHOAL_MLP_V2,
        .updates = 100, .fast = 6.289, .slow = 1.279),
    RUN("worst.best", "run of 1000 updates by the method of the library", 1, .net = {2, 511, 2},
        .updates = 1000),
    SWEEP(8, 100, 100, 0, 0, 0),
    SWEEP(32, 100, 1000, 1, 0, 0),
    SWEEP(64, 100, 1000, 1, 0, 0),
    SWEEP(128, 100, 1000, 1, 0, 0),
    SWEEP(200, 10, 1000, 1, 0, 0),
    SWEEP(225, 10, 1000, 1, 0, 0),
    SWEEP(250, 10, 1000, 1, 0, 0),
    SWEEP(300, 10, 1000, 1, 0, 0),
    SWEEP(384, 5, 1000, 1, 0, 0),
    SWEEP(468, 5, 1000, 1, 56, 38),
    SWEEP(1024, 2, 1000, 1, 0, 0),
};

const struct bench_case_list bench_thesis_mlp_run_cases = {cases, sizeof cases / sizeof *cases};
