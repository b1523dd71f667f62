/* The twins of the thesis's net on a CPU: every build's derivatives against double precision at odd sizes and
 * numbers of rows, and updates that do not depend on the threads but by rounding. */
#include "unit.h"

#include "bench/mlp/thesis/host.h"

#include <math.h>

static const struct thesis_mlp_net nets[] = {{5, 7, 3}, {64, 63, 26}, {2, 95, 2}, {7, 96, 17}};

static void check_twin(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin, size_t rows)
{
    const size_t weights = thesis_mlp_weights(&set->net);
    double *got = malloc(2 * weights * sizeof *got);
    assert_non_null(got);
    assert_ok(thesis_mlp_gradient(set, twin, rows, got, &test_error));
    assert_ok(thesis_mlp_exact(set, rows, got + weights, &test_error));
    const double deviation = thesis_mlp_deviation(got, got + weights, weights);
    if (!(deviation <= 1e-5))
        fail_msg("%zu-%zu-%zu, %zu rows, %s: %g", set->net.inputs, set->net.hidden, set->net.outputs, rows,
                 twin->compiler, deviation);
    free(got);
}

static void test_derivatives(void **state)
{
    static const size_t rows[] = {1, 95, 97, 301};
    (void)state;
    for (size_t n = 0; n < sizeof nets / sizeof *nets; n++) {
        struct thesis_mlp_set set;
        assert_ok(thesis_mlp_open(&nets[n], &set, &test_error));
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            check_twin(&set, &thesis_mlp_scalar, rows[r]);
            for (size_t k = 0; thesis_mlp_vector_at(k); k++)
                check_twin(&set, thesis_mlp_vector_at(k), rows[r]);
        }
        thesis_mlp_close(&set);
    }
}

static void train(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin, int threads,
                  double *out)
{
    struct thesis_mlp_training training;
    assert_ok(thesis_mlp_begin(set, twin, threads, &training, &test_error));
    for (int epoch = 0; epoch < 3; epoch++)
        thesis_mlp_epoch(&training, set, 203);
    for (size_t k = 0; k < thesis_mlp_weights(&set->net); k++)
        out[k] = (double)training.weights[k];
    thesis_mlp_end(&training);
}

static void test_threads(void **state)
{
    enum { WEIGHTS = 6 * 7 + 8 * 3 };
    double one[WEIGHTS], three[WEIGHTS], vector[WEIGHTS], start[WEIGHTS];
    struct thesis_mlp_set set;
    (void)state;
    assert_ok(thesis_mlp_open(&nets[0], &set, &test_error));
    for (size_t k = 0; k < WEIGHTS; k++)
        start[k] = (double)set.weights[k];
    train(&set, &thesis_mlp_scalar, 1, one);
    train(&set, &thesis_mlp_scalar, 3, three);
    train(&set, thesis_mlp_vector(), 2, vector);
    assert_true(thesis_mlp_deviation(start, one, WEIGHTS) > 1e-3);
    assert_true(thesis_mlp_deviation(three, one, WEIGHTS) <= 1e-5);
    assert_true(thesis_mlp_deviation(vector, one, WEIGHTS) <= 1e-5);
    thesis_mlp_close(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
