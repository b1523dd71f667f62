/* The suite thesis-mlp, CPU code: the thesis's reference (its figures 5.4 and 5.5, of which it prints no
 * number) and the same for vector units, each on one thread and on all; of the nets of its runs, 15,360 rows.
 * A repetition is an update with all rows. The first 256 rows are compared with double precision. */
#include "bench/mlp/thesis/host.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

struct cpu_case {
    struct thesis_mlp_net net;
    bool is_scalar;
};

struct cpu {
    struct thesis_mlp_set set;
    struct thesis_mlp_training training;
};

static void destroy(struct bench *bench)
{
    struct cpu *cpu = bench->state;
    if (!cpu)
        return;
    thesis_mlp_end(&cpu->training);
    thesis_mlp_close(&cpu->set);
    free(cpu);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct cpu_case *of = bench->data;
    const struct thesis_mlp_twin *twin = of->is_scalar ? &thesis_mlp_scalar : thesis_mlp_vector();
    struct cpu *cpu = bench->state = calloc(1, sizeof *cpu);
    if (!cpu)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a net");
    enum shoal_status status = thesis_mlp_open(&of->net, &cpu->set, error);
    if (status == SHOAL_OK)
        status = thesis_mlp_begin(&cpu->set, twin, (int)bench->threads, &cpu->training, error);
    bench->compiler = twin->compiler;
    bench->work = THESIS_MLP_ROWS;
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct cpu *cpu = bench->state;
    (void)error;
    thesis_mlp_epoch(&cpu->training, &cpu->set, THESIS_MLP_ROWS);
    return SHOAL_OK;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    enum { CHECKED = 256 };
    const struct cpu *cpu = bench->state;
    const size_t weights = thesis_mlp_weights(&cpu->set.net);
    double *got = malloc(2 * weights * sizeof *got);
    if (!got)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a net");
    enum shoal_status status = thesis_mlp_gradient(&cpu->set, cpu->training.twin, CHECKED, got, error);
    if (status == SHOAL_OK)
        status = thesis_mlp_exact(&cpu->set, CHECKED, got + weights, error);
    if (status == SHOAL_OK) {
        check->error = thesis_mlp_deviation(got, got + weights, weights);
        check->passed = check->error <= 1e-5 && isfinite((double)cpu->training.weights[0]);
        snprintf(check->detail, sizeof check->detail, "the derivatives are off by %.3g", check->error);
    }
    free(got);
    return status;
}

static void figures(struct bench *bench, double seconds)
{
    const struct cpu_case *of = bench->data;
    bench_add_figure(bench, "operations", "flop/s", THESIS_MLP_ROWS * thesis_mlp_flop(&of->net) / seconds);
    bench_add_figure(bench, "weight updates", "1/s",
                     THESIS_MLP_ROWS * (double)thesis_mlp_weights(&of->net) / seconds);
    bench_add_figure(bench, "epoch", "s", seconds);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures};

#define CPU(id, text, form, ...)                                                                             \
    {                                                                                                        \
        .name = "thesis-mlp.cpu." id, .help = text, .unit = "rows/s", .precision = "fp32",                   \
        .clock = BENCH_WALL_TIME, .host = &ops, .data = &(const struct cpu_case)                             \
        {                                                                                                    \
            __VA_ARGS__, form                                                                                \
        }                                                                                                    \
    }
#define BOTH(id, text, ...)                                                                                  \
    CPU(id "-scalar", "an update of " text ", scalar code", true, {__VA_ARGS__}),                            \
        CPU(id "-vector", "an update of " text ", vector code", false, {__VA_ARGS__})

static const struct bench_case cases[] = {
    BOTH("dr", "64-63-26, the thesis's letters", 64, 63, 26),
    BOTH("r", "120-120-120, its random set", 120, 120, 120),
    BOTH("n468", "468-468-2, its best case of v2", 468, 468, 2),
    BOTH("worst", "2-511-2, its worst", 2, 511, 2),
};

const struct bench_case_list bench_thesis_mlp_cpu_cases = {cases, sizeof cases / sizeof *cases};
