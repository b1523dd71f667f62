/* The suite thesis-gas: the far-zone kernels alone (table 6 of the thesis). They calculate the effect on each
 * of 2500 cells of all cells at a distance of R2 = 10 sides or more, with distances computed each time or
 * taken from tables. Published are figures for an HD 7790; those for the thesis's CPU are among the further
 * figures. */
#include "bench/runner/bench.h"
#include "cl/gas/layout.clh"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 50, CELLS = COLUMNS * COLUMNS, PARTICLES = 262144 };
enum form { PLAIN, HA1, HA3, LINEAR };

struct far_case {
    enum form form;
    int unroll;
    double flops;         /* floating-point operations for a pair of cells, as the thesis counts them */
    double published_cpu; /* in seconds */
};

static const float middle2 = 100, side = 20;

struct far {
    const struct far_case *of;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *offsets, *centre, *table[3], *mass, *far, *settings;
    uint32_t counts[CELLS];
    float *results;
};

static void centre_of(size_t c, float *x, float *y)
{
    *x = (float)(c % COLUMNS) + 0.5f;
    *y = (float)(c / COLUMNS) + 0.5f;
}

static enum shoal_status upload(struct bench *bench, const void *data, size_t bytes,
                                struct shoal_buffer **out, struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_create(bench->device, bytes, out, error);
    return status ? status : shoal_buffer_write(bench->queue, *out, 0, data, bytes, error);
}

/* Uploads random counts, as a uniform gas has them, with the centres of mass at the centres of the cells. */
static enum shoal_status upload_cells(struct bench *bench, struct far *far, struct shoal_error *error)
{
    uint32_t offsets[CELLS + 2] = {0};
    float centre[2 * (CELLS + 1)] = {0}, mass[CELLS_MASS_NUMBERS * CELLS] = {0}, settings[GAS_SETTINGS] = {0};
    for (uint32_t i = 0; i < PARTICLES; i++)
        far->counts[shoal_random_words(1, SHOAL_STREAM_TEST, 0, i, 0).x % CELLS]++;
    for (size_t c = 0; c < CELLS; c++) {
        offsets[c + 1] = offsets[c] + far->counts[c];
        centre_of(c, &centre[2 * c], &centre[2 * c + 1]);
        mass[CELLS_MASS_NUMBERS * c + 2] = (float)far->counts[c];
    }
    offsets[CELLS + 1] = offsets[CELLS];
    settings[SET_LENGTH] = settings[SET_LENGTH + 1] = COLUMNS * side;
    settings[SET_ATTRACTION] = 1;
    enum shoal_status status = upload(bench, offsets, sizeof offsets, &far->offsets, error);
    if (!status)
        status = upload(bench, centre, sizeof centre, &far->centre, error);
    if (!status)
        status = upload(bench, mass, sizeof mass, &far->mass, error);
    if (!status)
        status = upload(bench, settings, sizeof settings, &far->settings, error);
    return status ? status
                  : shoal_buffer_create(bench->device, CELLS * CELLS_FAR_NUMBERS * sizeof(float), &far->far,
                                        error);
}

static enum shoal_status upload_tables(struct bench *bench, struct far *far, struct shoal_error *error)
{
    const size_t count = (size_t)CELLS * CELLS;
    const size_t tables = far->of->form == HA3 ? 3 : far->of->form == HA1 ? 1 : 0;
    float *table = tables ? malloc(count * sizeof *table) : NULL;
    enum shoal_status status =
        tables && !table ? bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the tables") : SHOAL_OK;
    for (size_t t = 0; t < tables && !status; t++) {
        for (size_t at = 0; at < count; at++) {
            float x, y, qx, qy;
            centre_of(at / CELLS, &x, &y);
            centre_of(at % CELLS, &qx, &qy);
            const float dx = x - qx, dy = y - qy, d = dx * dx + dy * dy;
            table[at] = t == 0 ? d : d > 0 ? (t == 1 ? dx : dy) / d : 0;
        }
        status = upload(bench, table, count * sizeof *table, &far->table[t], error);
    }
    free(table);
    return status;
}

static enum shoal_status build(struct bench *bench, struct far *far, struct shoal_error *error)
{
    static const char *const entries[] = {"gas_cells_far", "gas_cells_far_ha1", "gas_cells_far_ha3",
                                          "gas_cells_far_linear"};
    const struct shoal_define defines[] = {{"UNROLL", far->of->unroll}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = 1;
    params.variant = bench->variant;
    enum shoal_status status =
        shoal_program_create(bench->device, bench_program("gas.cells_far"), &params, &far->program, error);
    if (status)
        return status;
    bench_uses(bench, far->program);
    return shoal_kernel_create(far->program, entries[far->of->form], &far->kernel, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct far *far = bench->state = calloc(1, sizeof *far);
    if (!far)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the cells");
    far->of = bench->data;
    far->results = malloc(CELLS * CELLS_FAR_NUMBERS * sizeof *far->results);
    enum shoal_status status =
        far->results ? build(bench, far, error)
                     : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the cells");
    if (!status)
        status = upload_cells(bench, far, error);
    bench->roof_work = far->of->flops * CELLS * CELLS;
    return status ? status : upload_tables(bench, far, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct far *far = bench->state;
    const struct cells_grid grid = {COLUMNS, COLUMNS, 0, 0};
    const enum form form = far->of->form;
    struct shoal_arg args[12];
    size_t count = 0;
    if (form != LINEAR)
        args[count++] = shoal_arg_buffer(far->offsets);
    if (form != HA3)
        args[count++] = shoal_arg_buffer(far->centre);
    for (size_t t = 0; t < 3 && far->table[t]; t++)
        args[count++] = shoal_arg_buffer(far->table[t]);
    if (form == LINEAR)
        args[count++] = shoal_arg_buffer(far->mass);
    args[count++] = shoal_arg_buffer(far->far);
    args[count++] = shoal_arg_buffer(far->settings);
    args[count++] = shoal_arg_struct(&grid, sizeof grid);
    args[count++] = shoal_arg_uint(CELLS);
    args[count++] = shoal_arg_float(middle2);
    return shoal_launch(bench->queue, far->kernel,
                        form == LINEAR ? CELLS : shoal_kernel_groups(far->kernel, CELLS), args, count, NULL,
                        error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct far *far = bench->state;
    double difference = 0, size = 0;
    enum shoal_status status = shoal_buffer_read(bench->queue, far->far, 0, far->results,
                                                 CELLS * CELLS_FAR_NUMBERS * sizeof *far->results, error);
    for (size_t c = 0; c < CELLS && !status; c += 7) {
        double fx = 0, fy = 0;
        float x, y, qx, qy;
        centre_of(c, &x, &y);
        for (size_t q = 0; q < CELLS; q++) {
            centre_of(q, &qx, &qy);
            const double dx = (double)(x - qx), dy = (double)(y - qy), d = dx * dx + dy * dy;
            if (d < (double)middle2)
                continue;
            fx -= far->counts[q] * dx / (d * (double)side);
            fy -= far->counts[q] * dy / (d * (double)side);
        }
        const double ex = (double)far->results[CELLS_FAR_NUMBERS * c] - fx,
                     ey = (double)far->results[CELLS_FAR_NUMBERS * c + 1] - fy;
        difference += ex * ex + ey * ey;
        size += fx * fx + fy * fy;
    }
    check->error = sqrt(difference / size);
    /* Errors are those of sums of 2500 numbers in single precision. */
    check->passed = !status && check->error <= 1e-5;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "forces are off by %.3g of their size", check->error);
    return status;
}

static void destroy(struct bench *bench)
{
    struct far *far = bench->state;
    if (!far)
        return;
    shoal_kernel_destroy(&far->kernel);
    shoal_program_destroy(&far->program);
    struct shoal_buffer **const buffers[] = {&far->offsets,  &far->centre, &far->table[0], &far->table[1],
                                             &far->table[2], &far->mass,   &far->far,      &far->settings};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    free(far->results);
    free(far);
    bench->state = NULL;
}

static void figures(struct bench *bench, double seconds)
{
    const struct far *far = bench->state;
    bench_add_figure(bench, "pairs of cells", "pairs/s", (double)CELLS * CELLS / seconds);
    bench_add_figure(bench, "thesis flop", "flop/s", far->of->flops * CELLS * CELLS / seconds);
    if (far->of->published_cpu > 0)
        bench_add_figure(bench, "published CPU", "s", far->of->published_cpu);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures};

#define FAR(n, text, gpu_ms, cpu_ms, f, m, ops_of_pair, bound)                                               \
    {                                                                                                        \
        .name = "thesis-gas.table6." n, .help = text, .unit = "s", .precision = "fp32",                      \
        .roof = SHOAL_ROOF_##bound, .published = gpu_ms * 1e-3, .published_on = "HD 7790", .device = &ops,   \
        .data = &(const struct far_case)                                                                     \
        {                                                                                                    \
            f, m, ops_of_pair, cpu_ms * 1e-3                                                                 \
        }                                                                                                    \
    }

static const struct bench_case cases[] = {
    FAR("2k", "Tiled2k on 2500 cells", 6.7, 13.7, PLAIN, 1, 14, FP32_FLOPS),
    FAR("2k-unrolled", "the same, ten cells a turn", 1.4, 13.7, PLAIN, 10, 14, FP32_FLOPS),
    FAR("ha1", "a table of squared distances", 16.75, 8.78, HA1, 1, 11, NONE),
    FAR("ha1-unrolled", "the same, ten cells a turn", 9, 8.9, HA1, 10, 11, NONE),
    FAR("ha3", "tables of squared distances and both factors", 51, 11.11, HA3, 1, 5, NONE),
    FAR("linear", "ours: with the gradient, a group a cell; published: Tiled2k unrolled", 1.4, 13.7, LINEAR,
        1, 14, FP32_FLOPS),
};

const struct bench_case_list bench_thesis_gas_far_cases = {cases, sizeof cases / sizeof *cases};
