/* Every way to evaluate objectives that are sums over rows, against compensated double sums: whole tables and
 * pieces of them that take turns on the device. */
#include "curve.h"
#include "eval.h"

#include "objective/evaluate/evaluator_private.h"
#include "objective/rows/rows.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Another residual than the built-in ones, with another rule and a row that has more numbers than x. */
#define RATIO_TEXT                                                                                           \
    "#define SHAPE DATA_ROWS\n"                                                                              \
    "#define RULE(r) fabs(r)\n"                                                                              \
    "static inline real objective_residual(const real *x, const real *row)\n"                                \
    "{\n"                                                                                                    \
    "    real sum = row[DIM];\n"                                                                             \
    "    int d;\n"                                                                                           \
    "    for (d = 0; d < DIM; d++)\n"                                                                        \
    "        sum -= row[d] * x[d];\n"                                                                        \
    "    return sum * row[DIM + 1] + R(1.0);\n"                                                              \
    "}\n"

static char ratio_text[] = RATIO_TEXT;

enum kind { LINEAR, SQUARED, RATIO, KINDS };

struct problem {
    struct shoal_objective *objective;
    struct shoal_objective own; /* RATIO */
    struct objective_table *table;
    enum kind kind;
    double *values;
    size_t rows, columns, dim;
};

static void make_problem(struct problem *problem, enum kind kind, size_t rows, size_t dim)
{
    *problem = (struct problem){.kind = kind, .rows = rows, .dim = dim, .columns = dim + 1 + (kind == RATIO)};
    size_t n = rows * problem->columns;
    uint32_t *words = harness_memory((n + 4) * sizeof *words);
    problem->values = harness_memory(n * sizeof *problem->values);
    harness_words(words, n, 11);
    for (size_t i = 0; i < n; i++)
        problem->values[i] = (float)(words[i] / 2147483648.0 - 1);
    if (kind == RATIO) {
        assert_ok(table_from_values(problem->values, rows, problem->columns, dim, "a test", &problem->table,
                                    &test_error));
        problem->own = (struct shoal_objective){
            .info = {.name = "ratio", .shape = SHOAL_DATA_ROWS, .min_dim = dim, .max_dim = dim},
            .text = ratio_text,
            .text_name = (char *)"ratio.cl",
            .table = problem->table};
        problem->objective = &problem->own;
        return;
    }
    struct shoal_rows given = {.size = sizeof given,
                               .values = problem->values,
                               .rows = rows,
                               .columns = problem->columns,
                               .squared = kind == SQUARED};
    assert_ok(shoal_objective_from_rows(harness.shoal, &given, &problem->objective, &test_error));
}

static void free_problem(struct problem *problem)
{
    if (problem->kind == RATIO)
        table_destroy(&problem->table);
    else
        shoal_objective_destroy(&problem->objective);
}

/* The value, and in `magnitude` the same with every number in place of its size. */
static double reference(const struct problem *problem, const double *x, double *magnitude)
{
    struct exact_sum sum = {0};
    *magnitude = 0;
    for (size_t j = 0; j < problem->rows; j++) {
        const double *row = problem->values + j * problem->columns;
        struct exact_sum residual = {.sum = row[problem->dim]};
        double size = fabs(row[problem->dim]);
        for (size_t d = 0; d < problem->dim; d++) {
            const double term = row[d] * (problem->kind == SQUARED ? x[d] * x[d] : x[d]);
            exact_add(&residual, -term);
            size += fabs(term);
        }
        const double r = exact_value(&residual);
        exact_add(&sum, problem->kind == RATIO ? fabs(r * row[problem->dim + 1] + 1) : r * r);
        *magnitude += problem->kind == RATIO ? size + 1 : size * size;
    }
    return exact_value(&sum);
}

/* A residual is a chain of dim + 3 roundings, and counts twice in its square. The roundings of a sum over
 * many rows have random signs: they grow with the root of their number, here taken four times, and a row left
 * out shows. */
static double tolerance(const struct eval_setup *setup, size_t rows, double magnitude)
{
    const double epsilon = setup->precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    return epsilon * (2 * ((double)setup->dim + 3) + 4 * sqrt((double)rows)) * magnitude;
}

static void compare(const struct problem *problem, struct eval_setup setup, size_t first, size_t count)
{
    double moved[64], magnitude, *x = eval_points(setup.points, setup.dim, 1.5);
    double *got = harness_memory(count * sizeof *got);
    setup.objective = problem->objective;
    eval_on_device(&setup, x, first, count, 2, got);
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0; d < setup.dim; d++)
            moved[d] = x[(first + i) * setup.dim + d] - (setup.shift ? setup.shift[d] : 0);
        const double wanted = reference(problem, moved, &magnitude);
        test_label("kind %d by %s, fp%d, %zu rows (%d at a time), dim %zu, point %zu of %zu",
                   (int)problem->kind, evaluator_method_name(setup.method),
                   setup.precision == SHOAL_FP64 ? 64 : 32, problem->rows, (int)setup.chunk_rows, setup.dim,
                   first + i, setup.points);
        assert_near(got[i], wanted, tolerance(&setup, problem->rows, magnitude));
    }
}

/* What the compiler is told of pointers changes no result. */
static void read_only_loads_give_the_same_bits(void **state)
{
    (void)state;
    static char hidden_text[] = "#undef READ_ONLY\n#define READ_ONLY 0\n" RATIO_TEXT;
    static const enum evaluator_method methods[] = {EVALUATOR_THREAD, EVALUATOR_WARP2, EVALUATOR_BLOCK2};
    enum { ROWS = 150, DIM = 4, POINTS = 5 };
    struct problem problem;
    double got[2][POINTS], *x = eval_points(POINTS, DIM, 1.5);
    make_problem(&problem, RATIO, ROWS, DIM);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (size_t k = 0; k < 2; k++) {
            const struct eval_setup setup = {.objective = problem.objective,
                                             .method = methods[m],
                                             .precision = SHOAL_FP32,
                                             .dim = DIM,
                                             .points = POINTS};
            problem.own.text = k ? hidden_text : ratio_text;
            eval_on_device(&setup, x, 0, POINTS, 1, got[k]);
        }
        assert_memory_equal(got[0], got[1], sizeof got[0]);
    }
    free_problem(&problem);
}

/* The text of a model, with a loss and weights, against its value on the host. Angles are up to 16: rounding
 * them in single precision moves a cosine by 1e-6, and the loss grows at most linearly with it. */
static void models(void **state)
{
    (void)state;
    enum { ROWS = 150, POINTS = 9 };
    static const char *const names[] = {"t", "y", "weight"};
    double t[ROWS], y[ROWS], weights[ROWS], got[POINTS];
    const double *const values[] = {t, y, weights};
    struct shoal_model model;
    struct shoal_objective *objective;
    shoal_model_init(&model);
    model.formula = "a*exp(-b*t)*cos(w*t+p) + c*t^3";
    model.parameters = curve_ranges;
    model.parameter_count = CURVE_PARAMETERS;
    model.columns = names;
    model.values = values;
    model.column_count = 3;
    model.rows = ROWS;
    model.target = "y";
    model.weights = "weight";
    model.loss = SHOAL_LOSS_HUBER;
    model.delta = 0.5;
    curve_rows(ROWS, t, y);
    for (size_t j = 0; j < ROWS; j++)
        weights[j] = (double)(j % 5) / 2;
    assert_ok(shoal_objective_from_model(&model, &objective, &test_error));
    const double *x = eval_points(POINTS, CURVE_PARAMETERS, 1.5);
    for (int fp64 = 0; fp64 <= harness_has_fp64(); fp64++) {
        const struct eval_setup setup = {.objective = objective,
                                         .method = EVALUATOR_ROWS,
                                         .precision = fp64 ? SHOAL_FP64 : SHOAL_FP32,
                                         .dim = CURVE_PARAMETERS,
                                         .points = POINTS};
        if (!harness_takes_case())
            continue;
        eval_on_device(&setup, x, 0, POINTS, 1, got);
        for (size_t i = 0; i < POINTS; i++) {
            test_label("fp%d, point %zu", fp64 ? 64 : 32, i);
            assert_close(got[i], shoal_objective_value(objective, x + i * CURVE_PARAMETERS, CURVE_PARAMETERS),
                         fp64 ? 1e-13 : 1e-5);
        }
    }
    shoal_objective_destroy(&objective);
}

struct size {
    size_t rows, dim, points, first, count;
    uint64_t chunk_rows;
    enum kind kind;
};

static const struct size full_sizes[] = {
    {1, 1, 1, 0, 1, 0, LINEAR},           {1000, 2, 64, 0, 64, 0, LINEAR},
    {17, 31, 33, 0, 33, 0, RATIO},        {5003, 4, 64, 0, 64, 0, LINEAR},
    {5003, 4, 100, 37, 40, 1000, LINEAR}, {1000, 33, 5, 1, 3, 96, SQUARED},
    {3001, 8, 257, 0, 257, 0, SQUARED},   {4096, 3, 40, 0, 40, 0, RATIO},
    {20011, 1, 7, 0, 7, 5000, RATIO},     {400003, 1, 2, 0, 2, 0, LINEAR}, /* blocks of several splits */
};
static const struct size tiny_sizes[] = {{1, 1, 1, 0, 1, 0, LINEAR},
                                         {70, 2, 5, 1, 4, 32, SQUARED},
                                         {67, 3, 9, 0, 9, 0, RATIO},
                                         {150, 4, 20, 0, 20, 0, LINEAR}};

/* `step`: every so manieth size, since compilers take their time. */
static void try_method(enum evaluator_method method, size_t step)
{
    static const double shift[64] = {0.25, -0.5, 0.125, 0, 0.75};
    const struct size *sizes = harness.tiny ? tiny_sizes : full_sizes;
    const size_t count =
        harness.tiny ? sizeof tiny_sizes / sizeof *tiny_sizes : sizeof full_sizes / sizeof *full_sizes;
    for (size_t i = 0; i < count; i += step) {
        struct problem problem;
        make_problem(&problem, sizes[i].kind, sizes[i].rows, sizes[i].dim);
        struct eval_setup setup = {.method = method,
                                   .dim = sizes[i].dim,
                                   .points = sizes[i].points,
                                   .chunk_rows = sizes[i].chunk_rows,
                                   .shift = i % 2 ? shift : NULL};
        for (int fp64 = 0; fp64 <= harness_has_fp64(); fp64++) {
            setup.precision = fp64 ? SHOAL_FP64 : SHOAL_FP32;
            if (harness_takes_case())
                compare(&problem, setup, sizes[i].first, sizes[i].count);
        }
        free_problem(&problem);
        harness_release();
    }
}

static void thread(void **state)
{
    (void)state;
    try_method(EVALUATOR_THREAD, 1);
}

static void warp2(void **state)
{
    (void)state;
    try_method(EVALUATOR_WARP2, 1);
}

static void block2(void **state)
{
    (void)state;
    try_method(EVALUATOR_BLOCK2, 1);
}

static void rows(void **state)
{
    (void)state;
    try_method(EVALUATOR_ROWS, 1);
}

/* Layouts of other devices than the one of the test. */
static void rows_in_other_layouts(void **state)
{
    static const struct {
        int64_t work_group, points, lanes, stage, groups;
    } layouts[] = {{32, 8, 8, 2, 2}, {64, 3, 4, 1, 3}, {16, 1, 16, 3, 1}, {8, 5, 1, 4, 8}, {32, 4, 32, 0, 2}};
    static const char program[] = "objective.rows";
    (void)state;
    for (size_t i = 0; i < (harness.tiny ? 2 : sizeof layouts / sizeof *layouts); i++) {
        assert_ok(shoal_tuning_set(harness.device, program, "WG", layouts[i].work_group, &test_error));
        assert_ok(shoal_tuning_set(harness.device, program, "POINTS", layouts[i].points, &test_error));
        assert_ok(shoal_tuning_set(harness.device, program, "LANES", layouts[i].lanes, &test_error));
        assert_ok(shoal_tuning_set(harness.device, program, "STAGE", layouts[i].stage, &test_error));
        assert_ok(shoal_tuning_set(harness.device, program, "groups", layouts[i].groups, &test_error));
        try_method(EVALUATOR_ROWS, harness.tiny ? 1 : 4);
    }
}

static void choice(void **state)
{
    struct problem problem;
    (void)state;
    make_problem(&problem, LINEAR, 1000, 4);
    assert_int_equal(evaluator_choose(harness.device, problem.objective, 4, 64, "old.evaluator"),
                     EVALUATOR_ROWS);
    assert_ok(shoal_tuning_set(harness.device, "old.evaluator", "rows points=6 dim=2 rows=9",
                               EVALUATOR_BLOCK2, &test_error));
    assert_int_equal(evaluator_choose(harness.device, problem.objective, 4, 64, "old.evaluator"),
                     EVALUATOR_BLOCK2);
    assert_int_equal(evaluator_fits(EVALUATOR_MOD, problem.objective, 4, harness.info, &test_error),
                     SHOAL_UNSUPPORTED);
    free_problem(&problem);
}

static void rows_that_are_too_long(void **state)
{
    enum { COLUMNS = EVALUATOR_MAX_COLUMNS + 1 };
    static const double values[COLUMNS];
    struct objective_table *table;
    (void)state;
    assert_ok(table_from_values(values, 1, COLUMNS, 1, "a test", &table, &test_error));
    const struct shoal_objective objective = {.info = {.name = "long", .shape = SHOAL_DATA_ROWS},
                                              .table = table};
    assert_int_equal(evaluator_fits(EVALUATOR_ROWS, &objective, 1, harness.info, &test_error),
                     SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "which has 4098 numbers: at most 4097");
    table_destroy(&table);
}

/* Layouts for a wide GPU: what has to hold for any size, and that few points and many fill it alike. */
static void plans(void **state)
{
    static const size_t point_counts[] = {1, 7, 40, 64, 1000, 131072}, dims[] = {1, 4, 8, 16, 33, 64, 300};
    const struct shoal_device_info gpu = {.is_gpu = true,
                                          .units = 132,
                                          .local_mem = 48 << 10,
                                          .local_mem_max = 227 << 10,
                                          .max_work_group = 1024,
                                          .architecture = 90,
                                          .fp64 = true};
    (void)state;
    for (size_t i = 0; i < 6 * 7 * 4; i++) {
        const size_t points = point_counts[i % 6], dim = dims[i / 6 % 7];
        const struct rows_problem problem = {.precision = i / 42 % 2 ? SHOAL_FP64 : SHOAL_FP32,
                                             .dim = dim,
                                             .columns = dim + 1,
                                             .points = points,
                                             .tensor = i / 84 && i / 42 % 2 && dim <= 64};
        const struct rows_plan plan = rows_plan_make(&gpu, &problem);
        assert_true(plan.points >= 1 && plan.lanes >= 1 && plan.work_group >= 1);
        assert_true((plan.lanes & (plan.lanes - 1)) == 0 && plan.lanes <= plan.work_group);
        /* Two stages, and the sums at the end. */
        const size_t pitch = problem.tensor ? 160 : 128, real = problem.precision == SHOAL_FP64 ? 8 : 4;
        assert_true(2 * plan.stage * (dim + 1) * pitch <= gpu.local_mem);
        assert_true(plan.work_group * plan.points * real <= gpu.local_mem);
        /* Not twice the work-items that the points need. */
        assert_true(plan.points * plan.lanes < 2 * points + 8 || plan.lanes == 1);
        const size_t resident = rows_resident(&gpu, &problem, &plan);
        assert_true(resident >= 1 && resident <= 8);
        const size_t groups = (points + plan.points * plan.lanes - 1) / (plan.points * plan.lanes);
        const struct rows_cut cut = rows_cut_make(gpu.units, resident, groups, 400000, SIZE_MAX);
        assert_true(groups * cut.blocks >= gpu.units * resident * 9 / 10);
        assert_true(cut.run == 1 || (cut.blocks >= 32 && 400000 / (cut.run * cut.blocks) >= 192));
        for (size_t few = 0; few <= 3; few += 3) {
            const struct rows_cut of_few = rows_cut_make(gpu.units, resident, groups, few, SIZE_MAX);
            assert_true(of_few.blocks >= 1 && of_few.blocks <= (few ? few : 1) && of_few.run == 1);
        }
        const struct rows_cut one = rows_cut_make(gpu.units, resident, groups, 400000, 1);
        assert_true(one.blocks == 1 && one.run == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread), cmocka_unit_test(warp2),
        cmocka_unit_test(block2), cmocka_unit_test(rows),
        cmocka_unit_test(choice), cmocka_unit_test(rows_in_other_layouts),
        cmocka_unit_test(models), by_turn(read_only_loads_give_the_same_bits),
        cmocka_unit_test(plans),  cmocka_unit_test(rows_that_are_too_long),
    };
    return harness_main("eval-rows", tests, sizeof tests / sizeof *tests);
}
