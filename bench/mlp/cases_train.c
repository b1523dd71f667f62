/* Updates of nets, whole: gather, forward, loss, backward, gradient, Adam.
 *
 * An update's operations are 4 for each parameter and row, and 2 for each parameter beyond the first layer,
 * as the backward product does not go there. The roof is the rate of fused multiplications and additions.
 * The time of an update is a further figure of the row. Time is the host's, from the first call to the end
 * of the last epoch, so that a read of the losses once an epoch is part of it.
 */
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/dataset.h>
#include <shoal/mlp.h>
#include <stdlib.h>

/* An epoch is one step of the solver. */
struct size {
    uint32_t inputs, outputs;
    const char *hidden;
    double parameters, beyond; /* number of parameters of the net, and of its layers without the first */
    uint32_t rows, batch;      /* number of rows of an epoch, and of an update */
    bool is_cpu;
};

enum { MOST_EPOCHS = 1 << 20 };

struct training {
    struct shoal_dataset *dataset;
    struct shoal_solver *solver;
    uint32_t updates; /* number of updates of an epoch */
};

static void destroy(struct bench *bench)
{
    struct training *training = bench->state;
    if (!training)
        return;
    shoal_solver_destroy(&training->solver);
    shoal_dataset_destroy(&training->dataset);
    free(training);
    bench->state = NULL;
}

static enum shoal_status make_rows(const struct size *size, struct training *training,
                                   struct shoal_error *error)
{
    struct shoal_dataset_generator generator;
    shoal_dataset_generator_init(&generator);
    generator.kind = "random";
    generator.rows = size->rows;
    generator.inputs = size->inputs;
    generator.classes = size->outputs;
    generator.seed = 1;
    return shoal_dataset_generate(&generator, &training->dataset, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    const bool is_cpu = info->is_cpu && !info->is_gpu;
    if (is_cpu != size->is_cpu)
        return bench_fail(error, SHOAL_UNSUPPORTED, "this case is for %s", size->is_cpu ? "CPUs" : "GPUs");
    struct training *training = bench->state = calloc(1, sizeof *training);
    if (!training)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    enum shoal_status status = make_rows(size, training, error);
    if (status != SHOAL_OK)
        return status;
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.dataset = training->dataset;
    params.validation = params.test = 0;
    params.hidden = size->hidden;
    params.optimiser = SHOAL_MLP_ADAM;
    params.rate = 1e-4;
    params.batch = size->batch;
    params.epochs = MOST_EPOCHS;
    status = shoal_solver_create(shoal_workload_find("mlp"), bench->device, bench->queue, &params,
                                 bench->variant, &training->solver, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_solver_build_seconds(training->solver);
    bench->native = shoal_solver_is_native(training->solver);
    training->updates = size->rows / size->batch;
    bench->work = bench->roof_work = (double)size->rows * (4 * size->parameters + 2 * size->beyond);
    return SHOAL_OK;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct training *training = bench->state;
    return shoal_solver_run(training->solver, 1, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct training *training = bench->state;
    return bench_check_result(training->solver, check, error);
}

static void add_figures(struct bench *bench, double seconds)
{
    const struct size *size = bench->data;
    const struct training *training = bench->state;
    bench_add_figure(bench, "update", "s", seconds / training->updates);
    bench_add_figure(bench, "rows", "rows/s", size->rows / seconds);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, add_figures};

static const struct size wide = {784, 10, "512,512", 669706, 267786, 32768, 8192, false},
                         small = {784, 10, "128", 101770, 1290, 32768, 128, false},
                         full = {468, 2, "468", 220430, 938, 15360, 15360, false},
                         cpu = {784, 10, "128", 101770, 1290, 32768, 128, true};

/* Kernels for GPUs have tiles to tune. */
#define CASE(text, words, size, ...)                                                                         \
    {                                                                                                        \
        .name = text, .help = words, .unit = "flop/s", .precision = "fp32", .roof = SHOAL_ROOF_FP32_FLOPS,   \
        .clock = BENCH_WALL_TIME, .device = &ops, .data = &(size), __VA_ARGS__                               \
    }
#define TILED .large = true, .program = "mlp.layer"
static const struct bench_case cases[] = {
    CASE("mlp.gemm.784-512-512-10-b8192", "an epoch of 4 updates of 8192 rows by Adam, GPUs", wide, TILED),
    CASE("mlp.gemm.784-128-10-b128", "an epoch of 256 updates of 128 rows by Adam, GPUs", small, TILED),
    CASE("mlp.gemm.468-468-2-full", "an update of all of 15,360 rows by Adam, GPUs", full, TILED),
    CASE("mlp.cpu.784-128-10-b128", "an epoch of 256 updates of 128 rows by Adam, CPUs", cpu, .large = false),
};

const struct bench_case_list bench_train_cases = {cases, sizeof cases / sizeof *cases};
