#include "bench/gas/thesis/host.h"
#include "bench/gas/thesis/cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ladder {
    const struct thesis_gas_case *of;
    const struct thesis_gas_variant *variant;
    struct thesis_gas gas;
    double frames; /* number of frames in a repetition */
};

/* Number of particles that the check looks at. */
enum { CHECKED = 64 };

double thesis_gas_frames(const struct bench *bench, double seconds)
{
    enum { MEAN_OF = 50, LEAST = (MEAN_OF + BENCH_LEAST_SAMPLES - 1) / BENCH_LEAST_SAMPLES };
    if (!(bench->seconds > 0))
        return 1;
    return fmax(fmin(fmax(floor(bench->seconds / seconds), fmin(floor(1 / seconds), LEAST)), MEAN_OF), 1);
}

void thesis_gas_rates(struct bench *bench, double seconds, double frames, double pairs, double iterations,
                      double flops, double bytes)
{
    bench_add_figure(bench, "frames", "1/s", 1 / seconds);
    bench_add_figure(bench, "pairs", "pairs/s", pairs / seconds);
    if (flops > 0)
        bench_add_figure(bench, "thesis flop", "flop/s", flops * iterations / seconds);
    if (bytes > 0)
        bench_add_figure(bench, "effective bandwidth", "bytes/s", bytes * iterations / seconds);
    bench_add_figure(bench, "mean of frames", "", BENCH_LEAST_SAMPLES * frames);
}

static double iterations_of(const struct ladder *ladder)
{
    const double n = (double)ladder->gas.n;
    return (ladder->variant->each_pair_once ? n * (n - 1) / 2 : n * n) / (double)ladder->gas.stride;
}

static void frame(struct ladder *ladder)
{
    ladder->variant->accelerate(&ladder->gas);
    thesis_gas_move(&ladder->gas);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct thesis_gas_case *of = bench->data;
    if (of->racy)
        return bench_fail(error, SHOAL_UNSUPPORTED, "%s", of->racy);
    struct ladder *ladder = bench->state = calloc(1, sizeof *ladder);
    if (!ladder)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the particles");
    const struct thesis_gas_build *build = thesis_gas_build();
    ladder->of = of;
    ladder->variant = thesis_gas_variant(build, of->variant);
    if (of->threads > bench->threads)
        return bench_fail(error, SHOAL_UNSUPPORTED, "needs %zu threads, there are %u", of->threads,
                          bench->threads);
    if (of->threads)
        bench->threads = (uint32_t)of->threads;
    if (ladder->variant->sequential && bench->threads > 1)
        return bench_fail(error, SHOAL_UNSUPPORTED, "runs on one thread: the row t1");
    const size_t slots = strncmp(of->variant, "lines", 5) ? 1 : bench->threads < 16 ? bench->threads : 16;
    if (!thesis_gas_create(&ladder->gas, of->n, bench->threads, slots))
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu particles on %u threads", of->n,
                          bench->threads);
    ladder->gas.stride = of->stride ? of->stride : 1;
    const double start = bench_seconds();
    frame(ladder);
    const double seconds = bench_seconds() - start;
    ladder->frames = thesis_gas_frames(bench, seconds);
    bench->parts = ladder->frames;
    bench->compiler = build->compiler;
    bench->roof_work = ladder->frames * ladder->variant->flops * iterations_of(ladder);
    return SHOAL_OK;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct ladder *ladder = bench->state;
    for (double f = 0; f < ladder->frames; f++)
        frame(ladder);
    return SHOAL_OK;
}

/* Calculates the acceleration by sums in double precision, over the pairs that the stride leaves. */
static void direct(const struct ladder *ladder, size_t i, double *ax, double *ay)
{
    const struct thesis_gas *gas = &ladder->gas;
    const bool gathers = strcmp(ladder->variant->name, "mti") == 0;
    *ax = *ay = 0;
    if (gas->stride == 1) {
        thesis_gas_direct(gas, i, ax, ay);
        return;
    }
    /* With a stride, MTJ leaves out targets, MTI leaves out sources. */
    if (!gathers && i % gas->stride)
        return;
    for (size_t j = 0; j < gas->n; j += gathers ? gas->stride : 1) {
        const double dx = (double)gas->x[i] - (double)gas->x[j], dy = (double)gas->y[i] - (double)gas->y[j];
        const double w = -(double)gas->attraction / (dx * dx + dy * dy + (double)gas->softening2);
        *ax += dx * w;
        *ay += dy * w;
    }
}

/* Makes one more pass over particles at rest: their velocities are then dt times the accelerations. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    (void)error;
    struct ladder *ladder = bench->state;
    struct thesis_gas *gas = &ladder->gas;
    const size_t step = gas->n / CHECKED ? gas->n / CHECKED : 1;
    double difference = 0, size = 0;
    memset(gas->vx, 0, gas->padded * sizeof *gas->vx);
    memset(gas->vy, 0, gas->padded * sizeof *gas->vy);
    ladder->variant->accelerate(gas);
    for (size_t i = 0; i < gas->n; i += step) {
        double ax, ay;
        direct(ladder, i, &ax, &ay);
        const double x = (double)gas->vx[i] / (double)gas->dt - ax,
                     y = (double)gas->vy[i] / (double)gas->dt - ay;
        difference += x * x + y * y;
        size += ax * ax + ay * ay;
    }
    check->error = sqrt(difference / size);
    /* Errors are those of sums of n numbers in single precision, added one after the other. */
    check->passed = check->error <= 1e-6 * sqrt((double)gas->n);
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "accelerations are off by %.3g of their size",
                 check->error);
    return SHOAL_OK;
}

static void destroy(struct bench *bench)
{
    struct ladder *ladder = bench->state;
    if (!ladder)
        return;
    thesis_gas_destroy(&ladder->gas);

    free(ladder);
    bench->state = NULL;
}

static void figures(struct bench *bench, double seconds)
{
    const struct ladder *ladder = bench->state;
    const struct thesis_gas_variant *variant = ladder->variant;
    const double n = (double)ladder->gas.n;
    thesis_gas_rates(bench, seconds, ladder->frames, n * n / (double)ladder->gas.stride,
                     iterations_of(ladder), variant->flops, variant->bytes);
    if (ladder->gas.stride > 1)
        bench_add_figure(bench, "for all j", "s", seconds * (double)ladder->gas.stride);
    if (ladder->of->n != 16384 || ladder->gas.stride > 1)
        return;
    if (variant->phenom1 > 0)
        bench_add_figure(bench, "Phenom II, 1 core", "s", 1e-3 * variant->phenom1);
    if (variant->phenom4 > 0)
        bench_add_figure(bench, "Phenom II, 4 cores", "s", 1e-3 * variant->phenom4);
    if (variant->i5 > 0)
        bench_add_figure(bench, "i5-3570", "s", 1e-3 * variant->i5);
}

const struct bench_ops thesis_gas_host_ops = {create, NULL, run, check, destroy, figures};
