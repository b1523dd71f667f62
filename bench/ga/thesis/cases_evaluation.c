/* The suite thesis-ga: evaluation alone (tables 6.3 and 6.4 of the thesis and its figure 6.7), of 2^23 points
 * in single precision, with fast functions and without, and with points written to the device and values read
 * back. The thesis does not state the numbers of genes; they follow from the ranges of values that it shows.
 * Every 64th value is compared with the host's value in double precision; shown are the mean and the largest
 * difference, and how many values are the same. */
#include "bench/ga/thesis/search.h"

#include <math.h>
#include <shoal/evaluator.h>
#include <shoal/rng.h>
#include <stdlib.h>

enum { POINTS = 1 << 23, CHECKED = 64, MOST_GENES = 2 };

struct evaluation_case {
    enum thesis_ga_function function;
    size_t dim;
    bool native, transfers;
    bool scalar; /* on the host: the scalar twin, not the vector twin */
};

struct evaluation {
    const struct evaluation_case *of;
    float *x, *y; /* in the evaluator's layout; on the host gene d of point i is at d * POINTS + i */
    size_t tile, coordinates;
    struct shoal_objective *objective; /* only with `native` */
    struct shoal_evaluator *evaluator;
    struct shoal_buffer *points, *values;
    double mean_error, max_error, same;
};

static void destroy(struct bench *bench)
{
    struct evaluation *e = bench->state;
    if (!e)
        return;
    shoal_evaluator_destroy(&e->evaluator);
    shoal_objective_destroy(&e->objective);
    shoal_buffer_destroy(&e->points);
    shoal_buffer_destroy(&e->values);
    free(e->x);
    free(e->y);
    free(e);
    bench->state = NULL;
}

static size_t place_of(const struct evaluation *e, size_t i, size_t d)
{
    return (i / e->tile * e->of->dim + d) * e->tile + i % e->tile;
}

static const struct shoal_objective *function_of(const struct evaluation *e)
{
    return shoal_objective_find(thesis_ga_function_name(e->of->function));
}

/* Fills the points with uniform random numbers in the box, at the places given by place_of. */
static enum shoal_status fill(struct evaluation *e, struct shoal_error *error)
{
    const double lower = thesis_ga_lower(e->of->function), width = thesis_ga_upper(e->of->function) - lower;
    e->x = calloc(e->coordinates, sizeof *e->x);
    e->y = malloc(POINTS * sizeof *e->y);
    if (!e->x || !e->y)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for %d points", POINTS);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < POINTS; i++) {
        const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0);
        const uint32_t word[MOST_GENES] = {words.x, words.y};
        for (size_t d = 0; d < e->of->dim; d++)
            e->x[place_of(e, i, d)] = (float)(lower + width * shoal_uniform_double(word[d], 0));
    }
    return SHOAL_OK;
}

static enum shoal_status begin(struct bench *bench, struct shoal_error *error)
{
    struct evaluation *e = bench->state = calloc(1, sizeof *e);
    if (!e)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the points");
    e->of = bench->data;
    bench->work = POINTS;
    bench->roof_work = sizeof(float) * (double)POINTS * (double)(e->of->dim + 1);
    return SHOAL_OK;
}

static enum shoal_status create_evaluator(struct bench *bench, struct evaluation *e,
                                          struct shoal_error *error)
{
    struct shoal_evaluator_params params;
    enum shoal_status status =
        e->of->native ? thesis_ga_native(bench, e->of->function, &e->objective, error) : SHOAL_OK;
    if (status != SHOAL_OK)
        return status;
    shoal_evaluator_params_init(&params);
    params.objective = e->objective ? e->objective : function_of(e);
    params.precision = SHOAL_FP32;
    params.dim = e->of->dim;
    params.points = POINTS;
    params.variant = bench->variant;
    status = shoal_evaluator_create(bench->queue, &params, &e->evaluator, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_evaluator_build_seconds(e->evaluator);
    bench->native = shoal_evaluator_is_native(e->evaluator);
    e->tile = shoal_evaluator_tile(e->evaluator);
    e->coordinates = shoal_evaluator_coordinates(e->evaluator);
    return SHOAL_OK;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = begin(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct evaluation *e = bench->state;
    status = create_evaluator(bench, e, error);
    if (status == SHOAL_OK)
        status = fill(e, error);
    const size_t bytes = e->coordinates * sizeof(float);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, bytes, &e->points, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, e->points, 0, e->x, bytes, error);
    return status == SHOAL_OK ? shoal_buffer_create(bench->device, POINTS * sizeof(float), &e->values, error)
                              : status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    enum shoal_status status = SHOAL_OK;
    if (e->of->transfers)
        status = shoal_buffer_write(bench->queue, e->points, 0, e->x, e->coordinates * sizeof(float), error);
    if (status == SHOAL_OK)
        status = shoal_evaluator_run(e->evaluator, e->points, e->values, 0, POINTS, error);
    if (status == SHOAL_OK && e->of->transfers)
        status = shoal_buffer_read(bench->queue, e->values, 0, e->y, POINTS * sizeof(float), error);
    return status;
}

/* The device's fast functions have absolute errors near 1e-6, which powers multiply. */
static void compare(struct evaluation *e, struct bench_check *check)
{
    double errors = 0, same = 0;
    check->passed = true;
    e->max_error = 0;
    for (size_t i = 0; i < POINTS; i += CHECKED) {
        double x[MOST_GENES];
        for (size_t d = 0; d < e->of->dim; d++)
            x[d] = (double)e->x[place_of(e, i, d)];
        const double wanted = shoal_objective_value(function_of(e), x, e->of->dim);
        const double off = fabs((double)e->y[i] - wanted), size = fmax(1, fabs(wanted));
        errors += off;
        same += e->y[i] == (float)wanted;
        e->max_error = fmax(e->max_error, off);
        check->error = fmax(check->error, off / size);
        if (off <= (e->of->native ? 1e-4 : 1e-5) * size)
            continue;
        check->passed = false;
        snprintf(check->detail, sizeof check->detail, "a value is %.9g, not %.9g", (double)e->y[i], wanted);
    }
    e->mean_error = errors * CHECKED / POINTS;
    e->same = same * CHECKED / POINTS;
}

static enum shoal_status check(struct bench *bench, struct bench_check *checked, struct shoal_error *error)
{
    struct evaluation *e = bench->state;
    enum shoal_status status =
        bench->queue ? shoal_buffer_read(bench->queue, e->values, 0, e->y, POINTS * sizeof(float), error)
                     : SHOAL_OK;
    if (status == SHOAL_OK)
        compare(e, checked);
    return status;
}

static void figures(struct bench *bench, double seconds)
{
    const struct evaluation *e = bench->state;
    (void)seconds;
    bench_add_figure(bench, "mean error", "", e->mean_error);
    bench_add_figure(bench, "largest error", "", e->max_error);
    bench_add_figure(bench, "identical", "", e->same);
}

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = begin(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct evaluation *e = bench->state;
    e->tile = POINTS;
    e->coordinates = POINTS * e->of->dim;
    bench->compiler = (e->of->scalar ? &thesis_ga_scalar : thesis_ga_vector())->compiler;
    return fill(e, error);
}

static enum shoal_status run_host(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    const struct evaluation *e = bench->state;
    const struct thesis_ga_twin *twin = e->of->scalar ? &thesis_ga_scalar : thesis_ga_vector();
    twin->evaluate(e->of->function, e->of->dim, POINTS, e->x, e->y);
    return SHOAL_OK;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures},
                              host_ops = {create_host, NULL, run_host, check, destroy, figures};

#define EVALUATION(n_case, text, roof_name, mega, on, ...)                                                   \
    {                                                                                                        \
        .name = "thesis-ga.evaluation." n_case, .help = "2^23 values of the function" text,                  \
        .unit = "evaluations/s", .precision = "fp32", .roof = SHOAL_ROOF_##roof_name,                        \
        .published = (mega)*1e6, .published_on = on, .data = &(const struct evaluation_case)                 \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }
#define DEVICE(n_case, text, mega, ...)                                                                      \
    EVALUATION(n_case, text, COPY_BYTES, mega, "8800 GTX", __VA_ARGS__), .clock = BENCH_DEVICE_TIME,         \
                                                                         .device = &ops                      \
    }
#define HOST(n_case, text, mega, ...)                                                                        \
    EVALUATION(n_case, text, NONE, mega, "Core i7 920, 1 core", __VA_ARGS__), .clock = BENCH_WALL_TIME,      \
                                                                              .host = &host_ops              \
    }
/* With transfers counted, the thesis reports for Michalewicz's function 35 times the speed of its
 * processor. */
#define FUNCTION(f, id, genes, cpu, gpu, moved)                                                              \
    HOST(f "-scalar", ", scalar code", cpu, .function = THESIS_##id, .dim = genes, .scalar = true),          \
        HOST(f "-vector", ", vector code", cpu, .function = THESIS_##id, .dim = genes),                      \
        DEVICE(f, "", gpu, .function = THESIS_##id, .dim = genes),                                           \
        EVALUATION(f "-transfers", ", points written and values read back", NONE, moved, "8800 GTX",         \
                   .function = THESIS_##id, .dim = genes, .transfers = true),                                \
        .clock = BENCH_WALL_TIME, .device = &ops                                                             \
    }
#define NATIVE(f, id, genes, gpu)                                                                            \
    DEVICE(f "-native", ", by fast functions of the device", gpu, .function = THESIS_##id, .dim = genes,     \
           .native = true)

static const struct bench_case cases[] = {
    FUNCTION("michalewicz", MICHALEWICZ, 1, 6.4, 2077, 6.4 * 35),
    NATIVE("michalewicz", MICHALEWICZ, 1, 4460),
    FUNCTION("rosenbrock", ROSENBROCK, 2, 82.3, 1630, 0),
    FUNCTION("griewank", GRIEWANK, 1, 21.5, 5111, 0),
    NATIVE("griewank", GRIEWANK, 1, 8630),
};

const struct bench_case_list bench_thesis_ga_evaluation_cases = {cases, sizeof cases / sizeof *cases};
