/* The functions of the benchmark BBOB on devices, against the host. */
#include "eval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* How many epsilons of its size a value may be off; the size is that of the value above the minimum and of
 * the minimum. Found on a processor: a fifth of these, or less. Steep waves multiply the errors of a
 * coordinate: the narrowest of f16 has a length of 3^-11, and f19 takes the cosine of numbers up to 1e6. */
static double slack_of(int function)
{
    switch (function) {
    case 11:
        return 300;
    case 16:
        return 12000;
    case 17:
    case 18:
    case 23:
        return 600;
    case 19:
        return 150000;
    default:
        return 120;
    }
}

static void devices_and_host_agree(void **state)
{
    enum { POINTS = 67, MOST = 20 };
    (void)state;
    for (int f = 1; f <= 24; f++) {
        char name[16];
        if (!harness_takes_case())
            continue;
        snprintf(name, sizeof name, "bbob-f%d", f);
        for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
            const size_t points = harness.tiny ? 5 : POINTS;
            const size_t dim = harness.tiny || (f % 2 == 1) == (is_float == 1) ? 3 : MOST;
            const double epsilon = is_float ? (double)FLT_EPSILON : DBL_EPSILON;
            struct shoal_objective *objective = NULL;
            double got[POINTS];
            assert_ok(shoal_objective_from_bbob(name, 4, dim, &objective, &test_error));
            const struct eval_setup setup = {.objective = objective,
                                             .method = EVALUATOR_THREAD,
                                             .precision = is_float ? SHOAL_FP32 : SHOAL_FP64,
                                             .dim = dim,
                                             .points = points};
            const double *x = eval_points(points, dim, 6);
            const double least = shoal_objective_minimum(objective, dim);
            test_label("%s, fp%d, dim %zu", name, is_float ? 32 : 64, dim);
            eval_on_device(&setup, x, 0, points, 1, got);
            for (size_t i = 0; i < points; i++) {
                const double wanted = shoal_objective_value(objective, x + i * dim, dim);
                const double size = fabs(wanted - least) + fabs(least);
                assert_near(got[i], wanted, epsilon * slack_of(f) * size);
            }
            shoal_objective_destroy(&objective);
            harness_release();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_and_host_agree),
    };
    return harness_main("bbob", tests, COUNT(tests));
}
