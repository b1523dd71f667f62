/* What is kept of genes on a device: tuned methods by their kinds, and checkpoints. */
#include "compare.h"

#include "workload/checkpoint/checkpoint.h"
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Key of the method in the tuning file. */
static void read_class(const char *variables, int32_t mutation, uint64_t messy, char out[TUNING_CLASS_SIZE])
{
    struct shoal_ga_params params = pipeline_params();
    params.search.function = function_named("sphere");
    params.search.variables = variables;
    params.search.lower = variables ? NAN : -5;
    params.search.upper = variables ? NAN : 5;
    params.search.dim = variables ? 0 : 12;
    params.whole_mutation = mutation;
    params.messy = messy;
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
    snprintf(out, TUNING_CLASS_SIZE, "%s", solver->choice.sizes);
    shoal_solver_destroy(&solver);
    assert_in_range(strlen(out), 1, TUNING_CLASS_SIZE - 2);
}

/* What is tuned over genes of one kind is not for those of another, nor for another operator of these. */
static void test_tuned(void **state)
{
    (void)state;
    static const struct {
        const char *variables;
        int32_t mutation;
        uint64_t messy;
    } kinds[] = {{NULL, 0},
                 {"x1-x12 bit", 0},
                 {"x1-x12 bit", SHOAL_GA_WHOLE_TAIL_INVERSION},
                 {"x1-x12 bit", 0, 24},
                 {"x1-x12 integer 0 9", 0},
                 {"x1-x12 order", 0},
                 {"x1-x6 bit, y1-y6 order", 0}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    char classes[KINDS][TUNING_CLASS_SIZE];
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < KINDS; i++) {
        read_class(kinds[i].variables, kinds[i].mutation, kinds[i].messy, classes[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(classes[i], classes[k]);
    }
}

/* Kernels index by an order and count the bits of whole words: neither is taken from a file as it is. */
static void test_damaged(void **state)
{
    (void)state;
    struct shoal_ga_params params = pipeline_params();
    struct shoal_objective *objective;
    if (!harness_has_fp64())
        params.search.precision = SHOAL_FP32;
    assert_ok(shoal_objective_from_expression_variables("sum(x[i])", "n integer 5 9, b1-b3 bit, o1-o5 order",
                                                        &objective, &test_error));
    params.search.objective = objective;
    params.search.dim = 0;
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
    struct checkpoint saved = {0}, read;
    void *bytes;
    size_t size;
    assert_int_equal(harness_step(solver, 5), 5);
    assert_ok(solver_get_checkpoint(solver, &saved, &test_error));
    assert_ok(checkpoint_to_memory(&saved, &bytes, &size, &test_error));
    assert_ok(checkpoint_parse(&read, bytes, size, "memory", &test_error));
    assert_ok(solver_set_checkpoint(solver, &read, &test_error));
    /* A whole number, bits, a place, and what is behind the last one. */
    static const struct {
        size_t at;
        uint32_t word;
    } wrong[] = {{0, 10}, {1, 8}, {2, 0x50000}, {4, 1 << 16}};
    static const char *const sections[] = {"x", "champion"};
    enum { WORDS = 5 };
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            const struct checkpoint_section *section = checkpoint_find(&read, sections[s]);
            const size_t count = section->bytes / sizeof(uint32_t) / WORDS;
            char *at = (char *)bytes + ((const char *)section->data - (const char *)bytes) +
                       sizeof(uint32_t) * wrong[i].at * (s ? 1 : count);
            uint32_t before;
            memcpy(&before, at, sizeof before);
            memcpy(at, &wrong[i].word, sizeof before);
            assert_status(solver_set_checkpoint(solver, &read, &test_error), SHOAL_IO);
            assert_contains(test_error.message, "damaged");
            memcpy(at, &before, sizeof before);
        }
    assert_ok(solver_set_checkpoint(solver, &read, &test_error));
    assert_int_equal(harness_step(solver, 2), 2);
    free(bytes);
    checkpoint_clear(&saved);
    shoal_solver_destroy(&solver);
    shoal_objective_destroy(&objective);
}

/* Members that begin at whole loads have numbers behind their genes, of which a checkpoint knows nothing. */
static void test_strides(void **state)
{
    (void)state;
    enum { MEMBERS = 37, DIM = 7 };
    struct shoal_ga_params params = pipeline_params();
    struct checkpoint saved = {0};
    size_t count, again;
    params.search.precision = SHOAL_FP32;
    params.search.dim = DIM;
    params.population = MEMBERS;
    params.method = SHOAL_GA_FUSED;
    assert_ok(shoal_tuning_set(harness.device, "ga.fused", "WG", 8, &test_error));
    struct shoal_solver *first = harness_solver("ga", harness.device, &params),
                        *second = harness_solver("ga", harness.device, &params);
    assert_ok(shoal_tuning_set(harness.device, "ga.fused", "WG", 0, &test_error));
    assert_int_equal(harness_step(first, 3), 3);
    assert_ok(solver_get_checkpoint(first, &saved, &test_error));
    assert_int_equal(checkpoint_find(&saved, "x")->bytes, MEMBERS * DIM * sizeof(float));
    assert_ok(solver_set_checkpoint(second, &saved, &test_error));
    assert_int_equal(harness_step(first, 2), 2);
    assert_int_equal(harness_step(second, 2), 2);
    const double *one = harness_state(first, &count), *other = harness_state(second, &again);
    assert_int_equal(count, MEMBERS * DIM);
    assert_int_equal(again, MEMBERS * DIM);
    assert_memory_equal(one, other, count * sizeof *one);
    harness_release();
    checkpoint_clear(&saved);
    shoal_solver_destroy(&first);
    shoal_solver_destroy(&second);
}

/* On a CPU and with CUDA the launch of a generation of the method fused ends the one before: records,
 * champions and samples are those of steps that end by themselves, with and without an exchange between them.
 */
static void test_steps_at_once(void **state)
{
    (void)state;
    enum { STEPS = 11 };
    static const char *const sections[] = {"x", "best", "champion", "words", "reals", "samples"};
    struct shoal_ga_params params = pipeline_params();
    struct checkpoint alone = {0}, at_once = {0};
    params.search.precision = SHOAL_FP32;
    params.search.islands = 2;
    params.search.exchange = 4;
    params.search.trace = 3;
    params.population = 70;
    params.method = SHOAL_GA_FUSED;
    struct shoal_solver *first = harness_solver("ga", harness.device, &params),
                        *second = harness_solver("ga", harness.device, &params);
    for (size_t step = 0; step < STEPS; step++)
        assert_int_equal(harness_step(first, 1), 1);
    assert_int_equal(harness_step(second, STEPS), STEPS);
    assert_ok(solver_get_checkpoint(first, &alone, &test_error));
    assert_ok(solver_get_checkpoint(second, &at_once, &test_error));
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        const struct checkpoint_section *one = checkpoint_find(&alone, sections[s]),
                                        *other = checkpoint_find(&at_once, sections[s]);
        assert_non_null(one);
        assert_int_equal(one->bytes, other->bytes);
        assert_memory_equal(one->data, other->data, one->bytes);
    }
    harness_release();
    checkpoint_clear(&alone);
    checkpoint_clear(&at_once);
    shoal_solver_destroy(&first);
    shoal_solver_destroy(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tuned), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_strides), cmocka_unit_test(test_steps_at_once)};
    return harness_main("ga-device-kept", tests, sizeof tests / sizeof *tests);
}
