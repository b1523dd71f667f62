/* The suite thesis-gas on the host: cell schemes (section 3.5.9 of the thesis) and the real gas (4.7) on a
 * CPU.
 *
 * Published figures: 20.6 s for CPUTiled3 with 2 M particles; CPUTiled follows from its 56 times 30 ms.
 */
#include "bench/gas/thesis/cells.h"
#include "bench/gas/thesis/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cells_case {
    enum thesis_gas_zones zones;
    size_t n;
    bool one_near, real;
    double box; /* side of the box; 0: 1000 */
};

struct cells_run {
    const struct cells_case *of;
    struct thesis_gas_cells cells;
    double frames;
};

enum { COLUMNS = 50, CHECKED = 64 };

static void frame(struct cells_run *run)
{
    thesis_gas_cells_accelerate(&run->cells);
    thesis_gas_move(&run->cells.gas);
}

/* Gives the particles of the real gas random positions at the thesis's density, which takes a larger box. */
static void stretch(struct thesis_gas_cells *cells, float box)
{
    struct thesis_gas *gas = &cells->gas;
    for (size_t i = 0; i < gas->n; i++) {
        gas->x[i] *= box / gas->width;
        gas->y[i] *= box / gas->height;
    }
    gas->width = gas->height = box;
    cells->side = box / (float)cells->columns;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct cells_case *of = bench->data;
    struct cells_run *run = bench->state = calloc(1, sizeof *run);
    if (!run || !thesis_gas_cells_create(&run->cells, of->zones, of->n, bench->threads, COLUMNS, of->one_near,
                                         of->real))
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu particles", of->n);
    run->of = of;
    if (of->box > 0)
        stretch(&run->cells, (float)of->box);
    run->cells.gas.dt = 1e-6f;
    const double start = bench_seconds();
    frame(run);
    run->frames = thesis_gas_frames(bench, bench_seconds() - start);
    bench->parts = run->frames;
    return SHOAL_OK;
}

static enum shoal_status run_frames(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct cells_run *run = bench->state;
    for (double f = 0; f < run->frames; f++)
        frame(run);
    return SHOAL_OK;
}

/* The error in the row is that of the scheme; for all pairs it is only rounding. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    (void)error;
    struct cells_run *run = bench->state;
    struct thesis_gas *gas = &run->cells.gas;
    double difference = 0, size = 0;
    memset(gas->vx, 0, gas->padded * sizeof *gas->vx);
    memset(gas->vy, 0, gas->padded * sizeof *gas->vy);
    thesis_gas_cells_accelerate(&run->cells);
    for (size_t s = 0; s < CHECKED; s++) {
        const size_t i = s * gas->n / CHECKED;
        double ax, ay;
        thesis_gas_cells_direct(&run->cells, i, &ax, &ay);
        const double x = (double)gas->vx[i] / (double)gas->dt - ax,
                     y = (double)gas->vy[i] / (double)gas->dt - ay;
        difference += x * x + y * y;
        size += ax * ax + ay * ay;
    }
    check->error = sqrt(difference / size);
    check->passed = check->error <= (run->of->zones == THESIS_GAS_FULL ? 1e-4
                                     : run->of->one_near               ? 0.1
                                                                       : 0.05);
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "accelerations are off by %.3g of their size",
                 check->error);
    return SHOAL_OK;
}

static void destroy(struct bench *bench)
{
    struct cells_run *run = bench->state;
    if (!run)
        return;
    thesis_gas_cells_destroy(&run->cells);
    free(run);
    bench->state = NULL;
}

static void figures(struct bench *bench, double seconds)
{
    const struct cells_run *run = bench->state;
    const double n = (double)run->of->n;
    thesis_gas_rates(bench, seconds, run->frames, n * n, 1, 0, 0);
}

static const struct bench_ops ops = {create, NULL, run_frames, check, destroy, figures};

#define CASE(case_name, text, seconds, on, big, ...)                                                         \
    {                                                                                                        \
        .name = "thesis-gas." case_name, .help = text, .unit = "s", .precision = "fp32",                     \
        .clock = BENCH_WALL_TIME, .published = seconds, .published_on = on, .large = big, .host = &ops,      \
        .data = &(const struct cells_case)                                                                   \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define SIZE(count, big)                                                                                     \
    CASE("cpu-cells.full-" #count, "all pairs by the loop of CPUTiled", 0, "", big, THESIS_GAS_FULL, count), \
        CASE("cpu-cells.tiled1-" #count, "CPUTiled1", 0, "", big, THESIS_GAS_TILED1, count),                 \
        CASE("cpu-cells.tiled2-" #count, "CPUTiled2", 0, "", big, THESIS_GAS_TILED2, count),                 \
        CASE("cpu-cells.tiled3-" #count, "CPUTiled3", 0, "", big, THESIS_GAS_TILED3, count)

static const struct bench_case cases[] = {
    SIZE(16384, false),
    SIZE(262144, true),
    CASE("cpu-cells.tiled3-2097152", "CPUTiled3", 20.6, "Phenom II, 4 cores", true, THESIS_GAS_TILED3,
         2097152),
    CASE("cpu-cells.tiled3-one-2097152", "CPUTiled3, k1 = 1", 0, "", true, THESIS_GAS_TILED3, 2097152,
         .one_near = true),
    CASE("cpu-real.full-8192", "CPUFull: real gas, all pairs", 0, "", false, THESIS_GAS_FULL, 8192,
         .real = true, .box = 5000),
    CASE("cpu-real.tiled-8192", "CPUTiled: real gas", 0, "", false, THESIS_GAS_TILED3, 8192, .real = true,
         .box = 5000),
    CASE("cpu-real.full-65536", "CPUFull: real gas, all pairs", 0, "", true, THESIS_GAS_FULL, 65536,
         .real = true, .box = 5000),
    CASE("cpu-real.tiled-260096", "CPUTiled: real gas", 1.68, "Phenom II, 4 cores", true, THESIS_GAS_TILED3,
         260096, .real = true, .box = 5000),
};

const struct bench_case_list bench_thesis_gas_cells_cases = {cases, sizeof cases / sizeof *cases};
