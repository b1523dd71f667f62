/* Every way to evaluate objectives that are sums over dimensions, and opaque ones, against compensated double
 * sums. */
#include "eval.h"

#include "objective/objective.h"
#include "objective/rows/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Terms with two coordinates and a place. */
static char chain_text[] =
    "#define SHAPE PER_DIMENSION\n"
    "#define TERMS 1\n"
    "#define NEIGHBOUR\n"
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
    "{\n"
    "    (void)dim;\n"
    "    term[0] = x * next + (real)d * x;\n"
    "}\n"
    "static inline real objective_finish(const real *sum, uint dim)\n"
    "{\n"
    "    return sum[0] + (real)dim;\n"
    "}\n";

static double chain(const struct shoal_objective *objective, const double *x, size_t dim)
{
    struct exact_sum sum = {0};
    (void)objective;
    for (size_t d = 0; d + 1 < dim; d++)
        exact_add(&sum, x[d] * x[d + 1] + (double)d * x[d]);
    return exact_value(&sum) + (double)dim;
}

/* Each kind of accumulator. */
static char mixed_text[] =
    "#define SHAPE PER_DIMENSION\n"
    "#define TERMS 4\n"
    "#define TERM_1 PRODUCT\n"
    "#define TERM_2 COMPLEMENT\n"
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
    "{\n"
    "    (void)next;\n"
    "    (void)d;\n"
    "    (void)dim;\n"
    "    term[0] = x;\n"
    "    term[1] = R(1.0) + R(0.0625) * x;\n"
    "    term[2] = R(0.001953125) * x * x;\n"
    "    term[3] = x * x;\n"
    "}\n"
    "static inline real objective_finish(const real *sum, uint dim)\n"
    "{\n"
    "    (void)dim;\n"
    "    return sum[0] + R(3.0) * sum[1] + R(5.0) * sum[2] + sum[3];\n"
    "}\n";

static double mixed(const struct shoal_objective *objective, const double *x, size_t dim)
{
    struct exact_sum sum = {0};
    double product = 1, rest = 1;
    (void)objective;
    for (size_t d = 0; d < dim; d++) {
        exact_add(&sum, x[d] + x[d] * x[d]);
        product *= 1 + 0.0625 * x[d];
        rest *= 1 - 0.001953125 * x[d] * x[d];
    }
    return exact_value(&sum) + 3 * product + 5 * (1 - rest);
}

/* Terms and a value that use coordinates of other dimensions, next to each other or not. */
static char anchored_text[] =
    "#define SHAPE PER_DIMENSION\n"
    "#define TERMS 2\n"
    "#define SINGLES 2\n"
    "#define MIN_DIM 3\n"
    "#define NEIGHBOUR\n"
    "static inline uint objective_single(int j)\n"
    "{\n"
    "    return j == 0 ? 2u : 0u;\n"
    "}\n"
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
    "{\n"
    "    (void)d;\n"
    "    (void)dim;\n"
    "    term[0] = x * term[TERMS] + next;\n"
    "    term[1] = x - term[TERMS + 1];\n"
    "}\n"
    "static inline real objective_finish(const real *sum, uint dim)\n"
    "{\n"
    "    (void)dim;\n"
    "    return sum[0] + sum[1] + sum[TERMS] * sum[TERMS + 1];\n"
    "}\n";

static double anchored(const struct shoal_objective *objective, const double *x, size_t dim)
{
    struct exact_sum sum = {0};
    (void)objective;
    for (size_t d = 0; d + 1 < dim; d++)
        exact_add(&sum, x[d] * x[2] + x[d + 1] + (x[d] - x[0]));
    return exact_value(&sum) + x[2] * x[0];
}

static char opaque_text[] = "#define SHAPE OPAQUE\n"
                            "static inline real objective_value(const real *x, uint dim)\n"
                            "{\n"
                            "    real value = R(0.0);\n"
                            "    uint d;\n"
                            "    for (d = 0; d < dim; d++)\n"
                            "        value = R(0.5) * value + x[dim - 1u - d] * x[d];\n"
                            "    return value;\n"
                            "}\n";

static double opaque(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double value = 0;
    (void)objective;
    for (size_t d = 0; d < dim; d++)
        value = 0.5 * value + x[dim - 1 - d] * x[d];
    return value;
}

/* A value that depends on the whole table: its bilinear form with the point, taken again and again. */
static char reader_text[] =
    "#define SHAPE OPAQUE\n"
    "#define TABLE\n"
    "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
    "{\n"
    "    real value = R(0.0);\n"
    "    uint d, column;\n"
    "    for (d = 0; d < dim; d++)\n"
    "        for (column = 0; column < COLUMNS; column++)\n"
    "            value += x[d] * ELEMENT(table, d % TABLE_ROWS, column);\n"
    "    return value;\n"
    "}\n";

enum { READ_ROWS = 7, READ_COLUMNS = 3 };

static double number_read(size_t row, size_t column)
{
    return (double)(row * READ_COLUMNS + column) / 16 - 0.5;
}

static double reader(const struct shoal_objective *objective, const double *x, size_t dim)
{
    struct exact_sum sum = {0};
    (void)objective;
    for (size_t d = 0; d < dim; d++)
        for (size_t column = 0; column < READ_COLUMNS; column++)
            exact_add(&sum, x[d] * number_read(d % READ_ROWS, column));
    return exact_value(&sum);
}

#define OBJECTIVE(n, s, least)                                                                               \
    {                                                                                                        \
        .info = {.name = #n, .shape = s, .min_dim = least, .max_dim = 1 << 20}, .text = n##_text,            \
        .text_name = (char *)#n ".cl", .value = n                                                            \
    }
static const struct shoal_objective chain_objective = OBJECTIVE(chain, SHOAL_PER_DIMENSION, 2);
static const struct shoal_objective mixed_objective = OBJECTIVE(mixed, SHOAL_PER_DIMENSION, 1);
static const struct shoal_objective anchored_objective = OBJECTIVE(anchored, SHOAL_PER_DIMENSION, 3);
static struct shoal_objective reader_objective = OBJECTIVE(reader, SHOAL_OPAQUE, 1);
static const struct shoal_objective opaque_objective = OBJECTIVE(opaque, SHOAL_OPAQUE, 1);

enum { SPAN = 4 };

/* Every operation rounds by half an epsilon at most; a value is the end of a chain of at most so many of them
 * as there are dimensions and a dozen, on numbers that are no larger than the sum of the terms' magnitudes.
 */
static double tolerance(const struct eval_setup *setup)
{
    const double epsilon = setup->precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const double dim = (double)setup->dim;
    const double magnitude = setup->objective == &chain_objective      ? dim * (SPAN * SPAN + dim * SPAN)
                             : setup->objective == &anchored_objective ? (dim + 1) * (SPAN * SPAN + 3 * SPAN)
                             : setup->objective == &reader_objective   ? READ_COLUMNS * dim * SPAN
                             : setup->objective == &opaque_objective
                                 ? 2 * SPAN * SPAN
                                 : dim * (SPAN + SPAN * SPAN) + 3 * pow(1 + 0.0625 * SPAN, dim / 2) + 5;
    return 0.5 * epsilon * (dim + 12) * magnitude;
}

static void compare(const struct eval_setup *setup, size_t first, size_t count)
{
    double *x = eval_points(setup->points, setup->dim, SPAN);
    double *got = harness_memory(count * sizeof *got), moved[512];
    eval_on_device(setup, x, first, count, 2, got);
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0; d < setup->dim; d++)
            moved[d] = x[(first + i) * setup->dim + d] - (setup->shift ? setup->shift[d] : 0);
        const double wanted = setup->objective->value(setup->objective, moved, setup->dim);
        test_label("%s by %s, fp%d, dim %zu, point %zu of %zu", setup->objective->info.name,
                   evaluator_method_name(setup->method), setup->precision == SHOAL_FP64 ? 64 : 32, setup->dim,
                   first + i, setup->points);
        assert_near(got[i], wanted, tolerance(setup));
    }
    harness_release();
}

/* Whole tables and pieces of them, with and without a shift. */
static void try_sizes(const struct shoal_objective *objective, enum evaluator_method method,
                      enum shoal_precision precision)
{
    static const struct {
        size_t points, dim, first, count;
    } full[] = {{1, 1, 0, 1},      {1, 2, 0, 1},      {33, 31, 0, 33},   {100, 2, 37, 40},
                {257, 33, 1, 255}, {70, 300, 16, 54}, {1000, 3, 0, 1000}},
      tiny[] = {{1, 2, 0, 1}, {33, 3, 0, 33}, {37, 9, 5, 30}};
    static double shift[512];
    for (size_t d = 0; d < 512; d++)
        shift[d] = (double)(d % 5) * 0.25 - 0.5;
    const size_t count = harness.tiny ? sizeof tiny / sizeof *tiny : sizeof full / sizeof *full;
    for (size_t i = 0; i < count; i++) {
        struct eval_setup setup = {.objective = objective, .method = method, .precision = precision};
        setup.points = harness.tiny ? tiny[i].points : full[i].points;
        setup.dim = harness.tiny ? tiny[i].dim : full[i].dim;
        setup.shift = i % 2 ? shift : NULL;
        if (setup.dim >= objective->info.min_dim && harness_takes_case())
            compare(&setup, harness.tiny ? tiny[i].first : full[i].first,
                    harness.tiny ? tiny[i].count : full[i].count);
    }
}

static void try_objective(const struct shoal_objective *objective)
{
    struct shoal_error error;
    unsigned fitting = 0;
    for (int method = 0; method < EVALUATOR_METHODS; method++) {
        if (evaluator_fits((enum evaluator_method)method, objective, 3, harness.info, &error))
            continue;
        fitting++;
        if (harness_has_fp64())
            try_sizes(objective, (enum evaluator_method)method, SHOAL_FP64);
        try_sizes(objective, (enum evaluator_method)method, SHOAL_FP32);
    }
    assert_int_equal(fitting, objective->info.shape == SHOAL_OPAQUE ? 1 : 6);
}

static void coupled_terms(void **state)
{
    (void)state;
    try_objective(&chain_objective);
}

static void all_kinds_of_accumulators(void **state)
{
    (void)state;
    try_objective(&mixed_objective);
}

static void single_coordinates(void **state)
{
    (void)state;
    try_objective(&anchored_objective);
}

static void opaque_values(void **state)
{
    (void)state;
    try_objective(&opaque_objective);
}

static void values_from_a_table(void **state)
{
    (void)state;
    double values[READ_ROWS * READ_COLUMNS];
    struct objective_table *table;
    for (size_t i = 0; i < READ_ROWS * READ_COLUMNS; i++)
        values[i] = number_read(i / READ_COLUMNS, i % READ_COLUMNS);
    assert_ok(table_from_values(values, READ_ROWS, READ_COLUMNS, 0, "a test", &table, &test_error));
    reader_objective.table = table;
    try_objective(&reader_objective);
    table_destroy(&table);
    /* A number that fp32 has not. */
    values[READ_COLUMNS] = 1e300;
    assert_ok(table_from_values(values, READ_ROWS, READ_COLUMNS, 0, "a test", &table, &test_error));
    reader_objective.table = table;
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator = NULL;
    shoal_evaluator_params_init(&params);
    params.objective = &reader_objective;
    params.precision = SHOAL_FP32;
    params.dim = 2;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 2, column 1 is too large for fp32");
    reader_objective.table = NULL;
    table_destroy(&table);
}

static void what_does_not_fit_is_named(void **state)
{
    static const struct shoal_objective callback = {.info = {.name = "a function", .shape = SHOAL_CALLBACK}};
    struct shoal_error error;
    (void)state;
    assert_int_equal(evaluator_fits(EVALUATOR_THREAD, &callback, 2, harness.info, &error), SHOAL_UNSUPPORTED);
    assert_contains(error.message, "host device only");
    assert_int_equal(evaluator_fits(EVALUATOR_ROWS, &chain_objective, 2, harness.info, &error),
                     SHOAL_UNSUPPORTED);
    assert_contains(error.message, "use thread");
    assert_int_equal(evaluator_fits(EVALUATOR_MOD, &opaque_objective, 2, harness.info, &error),
                     SHOAL_UNSUPPORTED);
    assert_int_equal(evaluator_fits(EVALUATOR_THREAD, &opaque_objective, 100000, harness.info, &error),
                     SHOAL_UNSUPPORTED);
    assert_contains(error.message, "at most 4096");
}

/* The rule gives methods that fit; a tuned one comes first, unless it is none. */
static void choice(void **state)
{
    static const size_t points[] = {1, 64, 1024, 131072};
    const struct shoal_objective *const objectives[] = {&chain_objective, &mixed_objective,
                                                        &opaque_objective};
    static const char old[] = "old.evaluator", sizes[] = "dimension points=9 dim=4";
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++)
            for (size_t dim = 2; dim < 600; dim *= 4)
                assert_ok(
                    evaluator_fits(evaluator_choose(harness.device, objectives[k], dim, points[i], NULL),
                                   objectives[k], dim, harness.info, &test_error));
    /* A number of a version before names, then names, which stand before it. */
    assert_ok(shoal_tuning_set(harness.device, old, sizes, EVALUATOR_BLOCK, &test_error));
    assert_int_equal(evaluator_choose(harness.device, &chain_objective, 30, 1000, old), EVALUATOR_BLOCK);
    assert_int_not_equal(evaluator_choose(harness.device, &chain_objective, 30, 1000, NULL), EVALUATOR_BLOCK);
    assert_ok(shoal_tuning_set(harness.device, old, sizes, EVALUATOR_ROWS, &test_error));
    assert_int_not_equal(evaluator_choose(harness.device, &chain_objective, 30, 1000, old), EVALUATOR_ROWS);
    assert_ok(evaluator_remember(harness.device, &chain_objective, 30, 1000, EVALUATOR_LANES, &test_error));
    assert_int_equal(evaluator_choose(harness.device, &chain_objective, 30, 1000, old), EVALUATOR_LANES);
    assert_int_equal(evaluator_choose(harness.device, &chain_objective, 31, 600, NULL), EVALUATOR_LANES);
    assert_ok(evaluator_remember(harness.device, &chain_objective, 30, 1000, EVALUATOR_ROWS, &test_error));
    assert_int_not_equal(evaluator_choose(harness.device, &chain_objective, 30, 1000, NULL), EVALUATOR_ROWS);
}

/* The public face: an optimiser's view. NaN comes back as NaN, infinities as such. */
static void public_interface(void **state)
{
    enum { POINTS = 50, DIM = 3, FIRST = 5, COUNT = 40 };
    const struct shoal_objective *sphere = shoal_objective_find("sphere");
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator = NULL;
    float y[POINTS];
    (void)state;
    shoal_evaluator_params_init(&params);
    params.objective = sphere;
    params.precision = SHOAL_FP32;
    params.dim = DIM;
    params.points = POINTS;
    assert_ok(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error));
    const size_t tile = shoal_evaluator_tile(evaluator), n = shoal_evaluator_coordinates(evaluator);
    assert_true(n % (tile * DIM) == 0 && n >= POINTS * DIM);
    float *x = harness_memory(n * sizeof *x);
    for (size_t i = 0; i < n / DIM; i++)
        for (size_t d = 0; d < DIM; d++)
            x[(i / tile * DIM + d) * tile + i % tile] = i == 7 ? NAN : i == 8 ? INFINITY : (float)(i + d);
    struct shoal_buffer *points = harness_upload(x, n * sizeof *x), *values = harness_buffer(sizeof y);
    assert_ok(shoal_evaluator_run(evaluator, points, values, FIRST, COUNT, &test_error));
    harness_read(values, y, sizeof y);
    for (size_t i = FIRST; i < FIRST + COUNT; i++) {
        const double f = (double)i, wanted = f * f + (f + 1) * (f + 1) + (f + 2) * (f + 2);
        assert_true(i == 7 ? isnan(y[i]) : i == 8 ? isinf(y[i]) : y[i] == (float)wanted);
    }
    assert_true(*shoal_evaluator_method_name(evaluator) && shoal_evaluator_build_seconds(evaluator) >= 0);
    assert_status(shoal_evaluator_run(evaluator, points, values, FIRST, POINTS, &test_error), SHOAL_INVALID);
    assert_status(shoal_evaluator_run(evaluator, points, points, 0, 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_evaluator_run(evaluator, values, points, 0, 1, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer holds");
    shoal_evaluator_destroy(&evaluator);
    assert_null(evaluator);
    shoal_evaluator_destroy(&evaluator);

    params.points = 0;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    params.points = POINTS;
    params.dim = 0;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "sphere has");
    params.dim = DIM;
    params.method = SHOAL_EVALUATOR_ROWS;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_UNSUPPORTED);
    params.method = SHOAL_EVALUATOR_ROWS + 1;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    params.size = 1;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_status(shoal_evaluator_create(harness.queue, NULL, &evaluator, &test_error), SHOAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupled_terms),
        cmocka_unit_test(all_kinds_of_accumulators),
        by_turn(single_coordinates),
        cmocka_unit_test(opaque_values),
        cmocka_unit_test(values_from_a_table),
        cmocka_unit_test(what_does_not_fit_is_named),
        cmocka_unit_test(choice),
        cmocka_unit_test(public_interface),
    };
    return harness_main("eval-dimension", tests, sizeof tests / sizeof *tests);
}
