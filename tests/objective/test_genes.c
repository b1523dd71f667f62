/* Objectives over genes, of texts: devices and the host against sums written out here. */
#include "genes.h"

#include <math.h>
#include <string.h>

static struct shoal_objective *from_text(const char *text, const double *table, size_t rows, size_t columns)
{
    struct shoal_objective *objective;
    assert_ok(table ? shoal_objective_from_text_table(harness.shoal, text, "genes.clh", table, rows, columns,
                                                      &objective, &test_error)
                    : shoal_objective_from_text(harness.shoal, text, "genes.clh", &objective, &test_error));
    return objective;
}

/* Every kind at once, odd numbers of each. */
static void genes_of_all_kinds(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VARIABLES \"b1-b37 bit, r1-r3 real -2 2, i integer -9 9, o1-o5 order, c choice 4, s real 0 "
        "1\"\n"
        "static inline real my_part(GENOME, uint i)\n"
        "{\n"
        "    return GENE(i) * (real)(i + 1u);\n"
        "}\n"
        "static inline real objective_value(GENOME, uint dim)\n"
        "{\n"
        "    real sum = (real)dim + (real)WHOLE(0) + R(16.0) * (real)WHOLE(1) + (real)popcount(WORD(1));\n"
        "    uint i;\n"
        "    for (i = 0u; i < 4u; i++)\n"
        "        sum += my_part(genome, i);\n"
        "    for (i = 0u; i < 37u; i++)\n"
        "        sum += BIT(i) ? (real)i : R(0.0);\n"
        "    for (i = 0u; i < 5u; i++)\n"
        "        sum += (real)(PLACE(i) * (i + 1u));\n"
        "    return sum;\n"
        "}\n";
    enum { DIM = 48, POINTS = 77 };
    struct shoal_objective *objective = from_text(text, NULL, 0, 0);
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_true(info->min_dim == DIM && info->max_dim == DIM && !info->whole_values);
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(info->variables, 0, &variables, &test_error));
    const double *points = genes_points(variables, POINTS),
                 *values = genes_compare(objective, DIM, POINTS, 8, 1000);
    for (size_t p = 0; p < POINTS; p++) {
        const double *x = points + p * DIM;
        double sum = DIM + x[40] + 16 * x[46] + 4 * x[47];
        for (size_t i = 0; i < 37; i++)
            sum += x[i] * (double)(i + (i >= 32));
        for (size_t i = 0; i < 3; i++)
            sum += x[37 + i] * (double)(i + 1);
        for (size_t i = 0; i < 5; i++)
            sum += x[41 + i] * (double)(i + 1);
        assert_near(values[p], sum, 1e-10);
    }
    shoal_variables_destroy(&variables);
    shoal_objective_destroy(&objective);
}

/* Beyond what floats and doubles of a device count, with a table of whole numbers; any dimension. */
static void whole_values_are_exact(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VALUE LONG\n"
        "#define TABLE INT\n"
        "#define VARIABLES \"x1-xD order\"\n"
        "static inline long objective_value(GENOME, __global const int *table, uint dim)\n"
        "{\n"
        "    long sum = -(long)TABLE_ROWS;\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += (long)ELEMENT(table, i % TABLE_ROWS, i % COLUMNS) * (long)(PLACE(i) + 1u);\n"
        "    return sum;\n"
        "}\n";
    static const double table[] = {2147483647, -5, 16777217, 3, 100000007, -2147483648.0};
    struct shoal_objective *objective = from_text(text, table, 2, 3);
    assert_true(shoal_objective_get_info(objective)->whole_values);
    static const size_t dims[] = {2, 7, 64, 301};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        const size_t dim = dims[k], count = 33;
        struct shoal_variables *variables;
        assert_ok(shoal_variables_parse("x1-xD order", dim, &variables, &test_error));
        const double *points = genes_points(variables, count),
                     *values = genes_compare(objective, dim, count, 0, 0);
        for (size_t p = 0; p < count; p++) {
            double sum = -2;
            for (size_t i = 0; i < dim; i++)
                sum += table[i % 2 * 3 + i % 3] * (points[p * dim + i] + 1);
            assert_true(values[p] == sum);
        }
        shoal_variables_destroy(&variables);
    }
    shoal_objective_destroy(&objective);
}

static void real_tables_and_single_bits(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define TABLE\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "#define MAX_DIM 100\n"
        "static inline real objective_value(GENOME, __global const real *table, uint dim)\n"
        "{\n"
        "    real sum = R(0.0);\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += BIT(i) ? ELEMENT(table, 0, i % COLUMNS) : R(0.0);\n"
        "    return sum;\n"
        "}\n";
    static const double table[] = {0.5, 0.25, -3, 8};
    struct shoal_objective *objective = from_text(text, table, 1, 4);
    assert_int_equal(shoal_objective_get_info(objective)->max_dim, 100);
    for (size_t dim = 31; dim <= 65; dim += 17)
        genes_compare(objective, dim, 65, 0, 0);
    shoal_objective_destroy(&objective);
}

static void points_are_checked_before_they_are_written(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "static inline real objective_value(GENOME, uint dim) { return (real)(BIT(0) + dim); }\n";
    struct shoal_objective *objective = from_text(text, NULL, 0, 0);
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator;
    const double points[] = {0, 1, 1, 0.5};
    shoal_evaluator_params_init(&params);
    params.objective = objective;
    params.precision = SHOAL_FP32;
    params.dim = 2;
    params.points = 2;
    assert_ok(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error));
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *small = harness_buffer(1);
    assert_status(shoal_evaluator_write_points(evaluator, points, x, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "point 1: x2 is 0.5: a bit has a whole value from 0 to 1");
    assert_status(shoal_evaluator_write_points(evaluator, points, small, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer holds 1");
    assert_status(shoal_evaluator_run(evaluator, small, x, 0, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer holds 1");
    shoal_evaluator_destroy(&evaluator);
    const double shift[] = {1, 1};
    params.shift = shift;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "genes, which cannot be shifted");
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genes_of_all_kinds),
        cmocka_unit_test(whole_values_are_exact),
        cmocka_unit_test(real_tables_and_single_bits),
        cmocka_unit_test(points_are_checked_before_they_are_written),
    };
    return harness_main("genes", tests, sizeof tests / sizeof *tests);
}
