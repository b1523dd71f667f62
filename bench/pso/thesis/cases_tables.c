/* The suite thesis-pso: whole iterations, charts 1 to 8 and table 9 of the thesis (M. Hosala, Employing GPUs
 * in Global Optimization Problems, Charles University, 2014). Single steps of an iteration are in
 * cases_steps.c.
 *
 * Every point of a chart is two cases. The case named after the point runs what shoal chooses on a device,
 * and the blocked code on the host. The case whose name ends in `-thesis` runs the choices of the thesis: MOD
 * (f1 to f4) or BLOCK_2 (f5 to f10), SHFL, REG on a device, one scalar task for each particle on the host.
 * All cases are in double precision, without bounds, with the inertia weight, the correct constants (the
 * thesis prints them swapped) and the global best.
 *
 * The figures behind the thesis's charts are lost, and so are the places on their axes. Taken here are 128 to
 * 131072 particles, each number four times the one before, in charts 1 to 4 (the thesis names 128 and 512),
 * and 64, 128, 512, 2048 in chart 8.
 */
#include "bench/pso/host.h"
#include "bench/search/searches.h"

#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>

/* The thesis took the time of 1000 iterations three times. */
enum { LAST_ITERATION = 1000, CHART_DIM = 256 };

enum mapping {
    OURS,   /* the choices of shoal */
    THESIS, /* the choices of the thesis, see above */
    LOADS,  /* the choices of the thesis without read-only loads */
    ROWS    /* rows are in tiles, and each row is read once for all particles */
};

struct point {
    struct thesis_size size;
    enum mapping mapping;
};

static struct shoal_pso_thesis shfl = {.size = sizeof shfl, .argmin = SHOAL_PSO_ARGMIN_SHFL};

static void set_mapping(struct shoal_pso_params *params, const struct point *point)
{
    if (point->mapping == ROWS)
        params->method = SHOAL_PSO_ROWS;
    if (point->mapping != THESIS && point->mapping != LOADS)
        return;
    params->method = thesis_has_rows(&point->size) ? SHOAL_PSO_BLOCK2 : SHOAL_PSO_MOD;
    params->thesis = &shfl;
    params->random = SHOAL_PSO_REG;
}

static enum shoal_status set_function(struct shoal_pso_params *params, const struct thesis_size *size,
                                      struct shoal_error *error)
{
    const struct shoal_objective *objective = shoal_objective_find(size->function);
    params->search.function = 0;
    while (shoal_objective_at((size_t)params->search.function) != objective)
        params->search.function++;
    if (!objective)
        return bench_fail(error, SHOAL_UNSUPPORTED, "there is no function %s", size->function);
    params->search.dim = size->dim;
    params->search.lower = thesis_lower(size);
    params->search.upper = thesis_upper(size);
    return SHOAL_OK;
}

/* Sets the rows as a text of their own that does not allow the compiler read-only loads:
 * objective/eval_data.cl. */
static enum shoal_status set_plain_loads(struct bench *bench, struct bench_searches *swarm,
                                         const struct thesis_size *size, struct shoal_error *error)
{
    static const char text[] = "#undef READ_ONLY\n"
                               "#define READ_ONLY 0\n"
                               "#include \"objective/least_squares.clh\"\n";
    struct thesis_size actual = *size;
    double *values = NULL;
    enum shoal_status status = thesis_rows(&actual, &values, error);
    const struct shoal_rows rows = {.size = sizeof rows,
                                    .values = values,
                                    .rows = actual.rows,
                                    .columns = actual.dim + 1,
                                    .dim = actual.dim,
                                    .text = text,
                                    .name = "plain_loads.cl"};
    if (status == SHOAL_OK)
        status = shoal_objective_from_rows(bench->shoal, &rows, &swarm->objective, error);
    free(values);
    swarm->params.search.objective = swarm->objective;
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct point *point = bench->data;
    const struct thesis_size *size = &point->size;
    /* A twentieth of a second is long beside all overheads; a sample must not get longer than the time given
     * for samples allows. */
    const struct bench_length length = {1, LAST_ITERATION, 0,
                                        bench->seconds < 0.5 ? bench->seconds / 10 : 0.05};
    struct bench_searches *swarm;
    enum shoal_status status = bench_searches_begin(bench, "pso", &swarm, error);
    if (status == SHOAL_OK)
        status = set_function(&swarm->params.pso, size, error);
    if (status == SHOAL_OK && point->mapping == LOADS)
        status = set_plain_loads(bench, swarm, size, error);
    if (status != SHOAL_OK)
        return status;
    swarm->params.search.precision = SHOAL_FP64;
    swarm->params.pso.particles = size->particles;
    swarm->params.pso.bounds = SHOAL_PSO_UNBOUNDED;
    swarm->params.pso.initial_velocity = SHOAL_PSO_RANGE;
    set_mapping(&swarm->params.pso, point);
    status = bench_searches_create(bench, &length, error);
    /* With rows the roof counts operations, else bytes: x and v are read and written, p is read. */
    bench->roof_work = bench->parts * (thesis_has_rows(size) ? thesis_row_flops(size)
                                                             : 5.0 * sizeof(double) * (double)size->dim *
                                                                   (double)size->particles);
    return status;
}

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    const struct point *point = bench->data;
    return thesis_host_create(bench, &point->size,
                              point->mapping == THESIS ? &thesis_scalar : thesis_blocked(), error);
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run, bench_searches_check,
                                     bench_searches_destroy};
static const struct bench_ops host_ops = {create_host, NULL, thesis_host_step, thesis_host_check,
                                          thesis_host_destroy};

/* Makes a point of a chart. `bound` and `text` are used in the cases of f1 to f4 and of f6 to f10. */
#define CASE(n, t, bound, d, big)                                                                            \
    {                                                                                                        \
        .name = "thesis-pso." n, .help = t, .unit = "s", .precision = "fp64", .roof = SHOAL_ROOF_##bound,    \
        .clock = BENCH_WALL_TIME, .data = &(const struct point)d, .large = big, .device = &ops,              \
        .host = &host_ops                                                                                    \
    }
#define BRACED(...)                                                                                          \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define POINT(chart, f, dim, rows, m, bound, big)                                                            \
    CASE("chart" #chart "." #f "-" #m, "an iteration of " #m " particles on " #f, bound,                     \
         BRACED({#f, dim, rows, m}, OURS), big),                                                             \
        CASE("chart" #chart "." #f "-" #m "-thesis", "the same in the mapping of the thesis", bound,         \
             BRACED({#f, dim, rows, m}, THESIS), big)

#define DIMENSIONS(chart, f)                                                                                 \
    POINT(chart, f, CHART_DIM, 0, 128, COPY_BYTES, false),                                                   \
        POINT(chart, f, CHART_DIM, 0, 512, COPY_BYTES, false),                                               \
        POINT(chart, f, CHART_DIM, 0, 2048, COPY_BYTES, false),                                              \
        POINT(chart, f, CHART_DIM, 0, 8192, COPY_BYTES, false),                                              \
        POINT(chart, f, CHART_DIM, 0, 32768, COPY_BYTES, true),                                              \
        POINT(chart, f, CHART_DIM, 0, 131072, COPY_BYTES, true)

#define DATA(chart, f, n, P, m, big) POINT(chart, f, n, P, m, FP64_FLOPS, big)

static const struct bench_case cases[] = {
    DIMENSIONS(1, f1),
    DIMENSIONS(2, f2),
    DIMENSIONS(3, f3),
    DIMENSIONS(4, f4),
    DATA(5, f6, 16, 16384, 128, false),
    DATA(5, f7, 16, 65536, 128, false),
    DATA(5, f8, 16, 272144, 128, false),
    DATA(5, f9, 16, 1088576, 128, true),
    DATA(6, f6, 16, 16384, 512, false),
    DATA(6, f7, 16, 65536, 512, false),
    DATA(6, f8, 16, 272144, 512, true),
    DATA(6, f9, 16, 1088576, 512, true),
    DATA(7, f6, 16, 16384, 2048, false),
    DATA(7, f7, 16, 65536, 2048, true),
    DATA(7, f8, 16, 272144, 2048, true),
    DATA(7, f9, 16, 1088576, 2048, true),
    DATA(8, f10, 4, 6980011, 64, true),
    DATA(8, f10, 4, 6980011, 128, true),
    DATA(8, f10, 4, 6980011, 512, true),
    DATA(8, f10, 4, 6980011, 2048, true),
    {.name = "thesis-pso.table9.f10-64-block2",
     .help = "an iteration of 64 particles on the substitute for f10, BLOCK_2; published: with __ldg",
     .unit = "s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .clock = BENCH_WALL_TIME,
     .data = &(const struct point){{"f10", 4, 6980011, 64}, THESIS},
     .published = 58157e-6,
     .published_on = "K20",
     .large = true,
     .device = &ops,
     .host = &host_ops},
    {.name = "thesis-pso.table9.f10-64-block2-loads",
     .help = "the same without read-only loads; published: without __ldg",
     .unit = "s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .clock = BENCH_WALL_TIME,
     .data = &(const struct point){{"f10", 4, 6980011, 64}, LOADS},
     .published = 125326e-6,
     .published_on = "K20",
     .large = true,
     .device = &ops},
    {.name = "thesis-pso.table9.f10-64-rows",
     .help = "an iteration on the same rows, each read once for all particles; published: BLOCK_2 with __ldg",
     .unit = "s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .clock = BENCH_WALL_TIME,
     .data = &(const struct point){{"f10", 4, 6980011, 64}, ROWS},
     .published = 58157e-6,
     .published_on = "K20",
     .large = true,
     .device = &ops,
     .host = &host_ops},
};

const struct bench_case_list bench_thesis_cases = {cases, sizeof cases / sizeof *cases};
