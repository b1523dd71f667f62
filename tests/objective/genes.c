#include "genes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void draw_order(double *x, size_t count, const uint32_t *words)
{
    for (size_t i = 0; i < count; i++) {
        const size_t j = words[i] % (i + 1);
        x[i] = x[j];
        x[j] = (double)i;
    }
}

double *genes_points(const struct shoal_variables *variables, size_t count)
{
    const size_t dim = shoal_variables_count(variables);
    double *points = harness_memory(count * dim * sizeof *points);
    uint32_t *words = harness_memory((dim + 4) * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        double *x = points + i * dim;
        harness_words(words, dim, 100 + (uint32_t)i);
        for (size_t g = 0; g < shoal_variables_group_count(variables); g++) {
            const struct shoal_variable_group *group = shoal_variables_group(variables, g);
            const double span = group->upper - group->lower;
            for (size_t d = group->first; d < group->first + group->count; d++)
                x[d] = group->kind == SHOAL_REAL
                           ? (double)(float)(group->lower + span * (words[d] >> 12) / 1048576)
                           : group->lower + floor((span + 1) * (words[d] / 4294967296.0));
            if (group->kind == SHOAL_ORDER)
                draw_order(x + group->first, group->count, words + group->first);
        }
        assert_ok(shoal_variables_check(variables, x, &test_error));
    }
    return points;
}

static struct shoal_evaluator *evaluator_for(const struct shoal_objective *objective,
                                             enum shoal_precision precision, size_t dim, size_t count,
                                             enum shoal_repair repair)
{
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator;
    shoal_evaluator_params_init(&params);
    params.objective = objective;
    params.precision = (int32_t)precision;
    params.dim = dim;
    params.points = count;
    params.variant = harness.variant;
    params.repair = (int32_t)repair;
    assert_ok(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error));
    assert_int_equal(shoal_evaluator_coordinates(evaluator), 0);
    return evaluator;
}

/* Values as doubles. */
static double value_at(const struct shoal_objective *objective, enum shoal_precision precision,
                       const void *raw, size_t i)
{
    return shoal_objective_get_info(objective)->whole_values ? (double)((const int64_t *)raw)[i]
           : precision == SHOAL_FP64                         ? ((const double *)raw)[i]
                                                             : (double)((const float *)raw)[i];
}

double *genes_on_device(const struct shoal_objective *objective, enum shoal_precision precision,
                        const double *points, size_t dim, size_t count)
{
    struct shoal_evaluator *evaluator = evaluator_for(objective, precision, dim, count, SHOAL_REPAIR_NONE);
    const size_t bytes = shoal_evaluator_value_bytes(evaluator);
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *y = harness_buffer(count * bytes + 8);
    double *values = harness_memory(count * sizeof *values);
    unsigned char *raw = harness_memory(count * bytes + 8);
    assert_ok(shoal_evaluator_write_points(evaluator, points, x, &test_error));
    /* In two parts, the second one first. */
    const size_t half = count / 2;
    assert_ok(shoal_evaluator_run(evaluator, x, y, half, count - half, &test_error));
    assert_ok(shoal_evaluator_run(evaluator, x, y, 0, half, &test_error));
    harness_read(y, raw, count * bytes + 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(raw[count * bytes + i], 0xA5);
    for (size_t i = 0; i < count; i++)
        values[i] = value_at(objective, precision, raw, i);
    shoal_evaluator_destroy(&evaluator);
    return values;
}

double *genes_compare(const struct shoal_objective *objective, size_t dim, size_t count, double slack,
                      double size)
{
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(info->variables, dim, &variables, &test_error));
    double *points = genes_points(variables, count), *wanted = harness_memory(count * sizeof *wanted);
    for (size_t i = 0; i < count; i++)
        wanted[i] = shoal_objective_value(objective, points + i * dim, dim);
    for (int p = SHOAL_FP32; p <= (harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32); p++) {
        const double epsilon = p == SHOAL_FP64 ? DBL_EPSILON : FLT_EPSILON;
        const double *values = genes_on_device(objective, (enum shoal_precision)p, points, dim, count);
        for (size_t i = 0; i < count; i++)
            if (info->whole_values)
                assert_true(values[i] == wanted[i]);
            else
                assert_near(values[i], wanted[i], slack * epsilon * size);
    }
    shoal_variables_destroy(&variables);
    return wanted;
}

void genes_compare_changes(const struct shoal_objective *objective, size_t dim, size_t count)
{
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    const enum shoal_move kind = (enum shoal_move)info->move;
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(info->variables, dim, &variables, &test_error));
    const double *points = genes_points(variables, count);
    uint32_t *moves = harness_memory((2 * count + 4) * sizeof *moves);
    harness_words(moves, 2 * count, 77);
    for (size_t i = 0; i < 2 * count; i++)
        moves[i] %= (uint32_t)dim;
    struct shoal_evaluator *evaluator = evaluator_for(objective, SHOAL_FP32, dim, count, SHOAL_REPAIR_NONE);
    const size_t bytes = count * shoal_evaluator_value_bytes(evaluator);
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *y = harness_buffer(bytes), *pairs = harness_upload(moves, 2 * count * sizeof *moves);
    void *raw = harness_memory(bytes);
    assert_ok(shoal_evaluator_write_points(evaluator, points, x, &test_error));
    assert_ok(shoal_evaluator_run_changes(evaluator, x, pairs, y, 1, count - 1, &test_error));
    assert_ok(shoal_evaluator_run_changes(evaluator, x, pairs, y, 0, 1, &test_error));
    harness_read(y, raw, bytes);
    for (size_t i = 0; i < count; i++)
        assert_true(
            value_at(objective, SHOAL_FP32, raw, i) ==
            shoal_objective_change(objective, points + i * dim, dim, kind, moves[2 * i], moves[2 * i + 1]));
    shoal_evaluator_destroy(&evaluator);
    shoal_variables_destroy(&variables);
}

static void compare_repair(const struct shoal_objective *objective, enum shoal_repair repair,
                           const double *points, size_t dim, size_t count)
{
    struct shoal_evaluator *evaluator = evaluator_for(objective, SHOAL_FP32, dim, count, repair);
    const size_t bytes = count * shoal_evaluator_value_bytes(evaluator);
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *y = harness_buffer(bytes);
    double *left = harness_memory(count * dim * sizeof *left), *wanted = harness_memory(dim * sizeof *wanted);
    void *raw = harness_memory(bytes);
    assert_ok(shoal_evaluator_write_points(evaluator, points, x, &test_error));
    assert_ok(shoal_evaluator_run(evaluator, x, y, 1, count - 1, &test_error));
    assert_ok(shoal_evaluator_run(evaluator, x, y, 0, 1, &test_error));
    assert_ok(shoal_evaluator_read_points(evaluator, x, left, &test_error));
    harness_read(y, raw, bytes);
    for (size_t i = 0; i < count; i++) {
        const double *point = points + i * dim;
        memcpy(wanted, point, dim * sizeof *wanted);
        assert_ok(shoal_objective_repair(objective, wanted, dim, &test_error));
        assert_true(value_at(objective, SHOAL_FP32, raw, i) == shoal_objective_value(objective, wanted, dim));
        assert_memory_equal(left + i * dim, repair == SHOAL_REPAIR_WRITTEN_BACK ? wanted : point,
                            dim * sizeof *wanted);
    }
    shoal_evaluator_destroy(&evaluator);
}

void genes_compare_repairs(const struct shoal_objective *objective, size_t dim, size_t count)
{
    struct shoal_variables *variables;
    assert_ok(
        shoal_variables_parse(shoal_objective_get_info(objective)->variables, dim, &variables, &test_error));
    const double *points = genes_points(variables, count);
    compare_repair(objective, SHOAL_REPAIR_WRITTEN_BACK, points, dim, count);
    compare_repair(objective, SHOAL_REPAIR_VALUE_ONLY, points, dim, count);
    shoal_variables_destroy(&variables);
}

void genes_compare_generation(const struct shoal_objective *objective, size_t dim, size_t count,
                              uint32_t generation)
{
    struct shoal_variables *variables;
    assert_ok(
        shoal_variables_parse(shoal_objective_get_info(objective)->variables, dim, &variables, &test_error));
    const double *points = genes_points(variables, count);
    struct shoal_evaluator *evaluator = evaluator_for(objective, SHOAL_FP32, dim, count, SHOAL_REPAIR_NONE);
    const size_t bytes = count * shoal_evaluator_value_bytes(evaluator);
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *y = harness_buffer(bytes);
    void *raw = harness_memory(bytes);
    assert_ok(shoal_evaluator_write_points(evaluator, points, x, &test_error));
    shoal_evaluator_set_generation(evaluator, generation);
    assert_ok(shoal_evaluator_run(evaluator, x, y, 0, count, &test_error));
    harness_read(y, raw, bytes);
    for (size_t i = 0; i < count; i++)
        assert_true(value_at(objective, SHOAL_FP32, raw, i) ==
                    shoal_objective_value_in_generation(objective, points + i * dim, dim, generation));
    shoal_evaluator_destroy(&evaluator);
    shoal_variables_destroy(&variables);
}
