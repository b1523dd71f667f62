/* The objective at many points, through the public evaluator with its own choice of mapping and sizes, and a
 * whole iteration of a swarm on a large table. The figure is what a program sees: the host's clock from the
 * first call to the end of a row of evaluations that takes at least half a second.
 */
#include "bench/objective/points.h"
#include "bench/search/searches.h"

#include <math.h>
#include <shoal/evaluator.h>
#include <stdlib.h>

/* Seconds of a repetition: a tenth more than half a second, so that a faster repetition is still long
 * enough. */
static const double wanted_seconds = 0.55;

struct evaluation {
    struct bench_points points;
    uint64_t runs; /* number of evaluations of a repetition */
};

static void destroy(struct bench *bench)
{
    struct evaluation *e = bench->state;
    if (!e)
        return;
    bench_points_destroy(&e->points);
    free(e);
    bench->state = NULL;
}

static enum shoal_status evaluate(struct bench *bench, uint64_t runs, struct shoal_error *error)
{
    struct evaluation *e = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < runs && status == SHOAL_OK; i++)
        status = bench_points_evaluate(&e->points, error);
    return status;
}

/* Finds the number of evaluations that take wanted_seconds. */
static enum shoal_status choose_runs(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    double seconds = 0;
    e->runs = 1;
    /* The first launch loads and, with some drivers, compiles. */
    enum shoal_status status = evaluate(bench, 1, error);
    if (status == SHOAL_OK)
        status = shoal_queue_finish(bench->queue, error);
    for (; status == SHOAL_OK; e->runs *= 2) {
        const double start = bench_seconds();
        status = evaluate(bench, e->runs, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(bench->queue, error);
        seconds = bench_seconds() - start;
        if (seconds >= wanted_seconds / 8)
            break;
    }
    if (status != SHOAL_OK)
        return status;
    e->runs = seconds < wanted_seconds ? (uint64_t)ceil((double)e->runs * wanted_seconds / seconds) : e->runs;
    return SHOAL_OK;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct evaluation *e = bench->state = calloc(1, sizeof *e);
    if (!e)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the points");
    enum shoal_status status = bench_points_rows(&e->points, bench->data, error);
    if (status == SHOAL_OK)
        status = bench_points_evaluator(bench, &e->points, SHOAL_EVALUATOR_AUTO, error);
    if (status == SHOAL_OK)
        status = choose_runs(bench, e, error);
    if (status != SHOAL_OK)
        return status;
    const struct thesis_size *size = &e->points.size;
    bench->parts = (double)e->runs;
    bench->work = (double)(size->particles * (size->dim + 1)) * sizeof(double) * bench->parts;
    bench->roof_work = bench_points_roof_work(&e->points) * bench->parts;
    return SHOAL_OK;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    return evaluate(bench, e->runs, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    return bench_points_check(bench, &e->points, check, error);
}

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    const struct thesis_size *size = bench->data;
    bench->work = (double)(size->particles * (size->dim + 1)) * sizeof(double);
    enum shoal_status status = thesis_host_create(bench, size, thesis_blocked(), error);
    if (!thesis_has_rows(size))
        bench->roof_work = bench->work;
    return status;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};
static const struct bench_ops host_ops = {create_host, NULL, thesis_host_evaluate, thesis_host_check,
                                          thesis_host_destroy};

/* Whole iterations on the substitute for f10, with the residual as a caller writes it. */
static const char residual[] = "#define SHAPE DATA_ROWS\n"
                               "static inline real objective_residual(const real *x, const real *row)\n"
                               "{\n"
                               "    real rest = row[DIM];\n"
                               "    int d;\n"
                               "    for (d = 0; d < DIM; d++)\n"
                               "        rest -= row[d] * x[d];\n"
                               "    return rest;\n"
                               "}\n";

/* Before step FIRST particles improve often; LAST leaves room for half a second on the fastest device. */
enum { FIRST_STEP = 10, LAST_STEP = 10010 };

static enum shoal_status create_swarm(struct bench *bench, struct shoal_error *error)
{
    const struct bench_length length = {FIRST_STEP, LAST_STEP, 0, 0.5};
    struct thesis_size size = *(const struct thesis_size *)bench->data;
    struct bench_searches *swarm;
    double *values = NULL;
    enum shoal_status status = bench_searches_begin(bench, "pso", &swarm, error);
    if (status == SHOAL_OK)
        status = thesis_rows(&size, &values, error);
    if (status != SHOAL_OK)
        return status;
    const struct shoal_rows rows = {.size = sizeof rows,
                                    .values = values,
                                    .rows = size.rows,
                                    .columns = size.dim + 1,
                                    .dim = size.dim,
                                    .text = residual,
                                    .name = "residual.cl"};
    status = shoal_objective_from_rows(bench->shoal, &rows, &swarm->objective, error);
    free(values);
    if (status != SHOAL_OK)
        return status;
    swarm->params.search.objective = swarm->objective;
    swarm->params.pso.method = SHOAL_PSO_ROWS;
    swarm->params.search.precision = SHOAL_FP64;
    swarm->params.pso.particles = size.particles;
    swarm->params.search.lower = thesis_lower(&size);
    swarm->params.search.upper = thesis_upper(&size);
    status = bench_searches_create(bench, &length, error);
    bench->roof_work = thesis_row_flops(&size) * bench->parts;
    return status;
}

static const struct bench_ops swarm_ops = {create_swarm, bench_searches_prepare, bench_searches_run,
                                           bench_searches_check, bench_searches_destroy};

static enum shoal_status create_host_swarm(struct bench *bench, struct shoal_error *error)
{
    return thesis_host_create(bench, bench->data, thesis_blocked(), error);
}

static const struct bench_ops host_swarm_ops = {create_host_swarm, NULL, thesis_host_step, thesis_host_check,
                                                thesis_host_destroy};

static const struct thesis_size f5_few = {"f5", 8, 131072, 64}, f5_more = {"f5", 8, 65536, 1024},
                                f5_many = {"f5", 8, 4096, 131072}, f4 = {"f4", 256, 0, 131072},
                                f10 = {"f10", 0, 0, 64}, michalewicz = {"michalewicz", 2, 0, 1 << 20},
                                griewank = {"griewank-100", 2, 0, 1 << 20};

/* Two coordinates, as in the thesis on genetic algorithms. */
#define OF_TWO(n, t, s)                                                                                      \
    {                                                                                                        \
        .name = "pso.eval." n, .help = t, .unit = "bytes/s", .precision = "fp64",                            \
        .roof = SHOAL_ROOF_COPY_BYTES, .clock = BENCH_WALL_TIME, .program = "objective.dimension",           \
        .data = s, .device = &ops                                                                            \
    }

#define SUM_OF_ROWS(n, t, s, big)                                                                            \
    {                                                                                                        \
        .name = "pso.data." n, .help = t, .unit = "s", .precision = "fp64", .roof = SHOAL_ROOF_FP64_FLOPS,   \
        .clock = BENCH_WALL_TIME, .program = "objective.rows", .data = s, .large = big, .device = &ops,      \
        .host = &host_ops                                                                                    \
    }

static const struct bench_case cases[] = {
    SUM_OF_ROWS("f5-8x131072-64",
                "one evaluation of least squares, 131072 rows of 8 + 1 numbers, at 64 points", &f5_few,
                false),
    SUM_OF_ROWS("f5-8x65536-1024", "the same for 65536 rows at 1024 points", &f5_more, false),
    SUM_OF_ROWS("f5-8x4096-131072", "the same for 4096 rows at 131072 points", &f5_many, true),
    {.name = "pso.data.f10-64",
     .help = "one step of a swarm of 64 on the substitute for f10, 6980011 rows of 4 + 1 numbers, the "
             "residual from a text",
     .unit = "s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .clock = BENCH_WALL_TIME,
     .data = &f10,
     .published = 58157e-6,
     .published_on = "K20",
     .large = true,
     .device = &swarm_ops,
     .host = &host_swarm_ops},
    {.name = "pso.eval.f4-131072x256",
     .help = "sum of squares at 131072 points of 256 coordinates; bytes read and written",
     .unit = "bytes/s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .program = "objective.dimension",
     .data = &f4,
     .device = &ops,
     .host = &host_ops},
    OF_TWO("michalewicz-1048576x2",
           "Michalewicz's function at 1048576 points of 2 coordinates; bytes read and written", &michalewicz),
    OF_TWO("griewank-100-1048576x2", "Griewank's function moved to 100 at the same points", &griewank),
};

const struct bench_case_list bench_eval_cases = {cases, sizeof cases / sizeof *cases};
