/* Random formulas on every device under test: each compiles in one method and precision, in turn, and its
 * values are those of the host. A compiler that cannot do with a formula ends the test. */
#include "formulas.h"
#include "harness.h"
#include "searches.h"

enum { FORMULAS = 84 }; /* 7 for each method and precision */

static const int32_t methods[] = {SHOAL_PSO_FUSED, SHOAL_PSO_ONCHIP, SHOAL_PSO_THREAD,
                                  SHOAL_PSO_LANES, SHOAL_PSO_BLOCK,  SHOAL_PSO_MOD};
enum { METHODS = sizeof methods / sizeof *methods };

/* A few steps: all kernels of the method run. False: the method does not take the formula. */
static bool search(const char *formula, int32_t method, int32_t precision)
{
    struct shoal_pso_params params;
    struct shoal_solver *solver = NULL;
    struct shoal_result result = {0};
    test_pso_params_init(&params);
    params.search.expression = formula;
    params.search.lower = -2;
    params.search.upper = 2;
    params.search.dim = 5;
    params.particles = 32;
    params.search.iterations = 3;
    params.method = method;
    params.search.precision = precision;
    const enum shoal_status status =
        shoal_solver_create(shoal_workload_find("pso"), harness.device, harness.queue, &params,
                            SHOAL_VARIANT_AUTO, &solver, &test_error);
    if (status == SHOAL_UNSUPPORTED)
        return false;
    assert_status(status, SHOAL_OK);
    harness_step(solver, params.search.iterations);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    if (!result.check_passed)
        fail_msg("the value is %.17g, with an error of %g", result.value, result.error);
    shoal_solver_destroy(&solver);
    return true;
}

static void every_formula_compiles(void **state)
{
    (void)state;
    const bool fp64 = harness_has_fp64();
    uint32_t found = 0, asked = 0;
    for (uint32_t number = 0; number < FORMULAS; number++) {
        const int32_t precision = fp64 && number / METHODS % 2 == 0 ? SHOAL_FP64 : SHOAL_FP32;
        const char *formula = formula_random(number);
        if (!harness_takes_case())
            continue;
        test_label("%s, method %d, precision %d", formula, (int)methods[number % METHODS], (int)precision);
        asked++;
        found += search(formula, methods[number % METHODS], precision);
    }
    print_message("%u of %u random formulas compiled and agree with the host\n", found, asked);
    assert_true(found > 0);
}

/* Every method divides a point in its own way: each sees the coordinates of the others, with and without
 * reductions, of terms with neighbours and without. */
static void every_method_computes_single_coordinates(void **state)
{
    (void)state;
    static const char *const formulas[] = {
        "(x[1]-1)^2+100*(x[2]-x[1]^2)^2+sum(x[i]^2)",
        "sum((x[i]-x[3])^2)+prod(1+x[5]*x[i]/40)",
        "2+x[4]*sum(x[2]*x[i]*x[i+1])",
        "(x[1]-1)^2+(x[5]-x[2])^4",
    };
    const bool fp64 = harness_has_fp64();
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
        for (size_t m = 0; m < METHODS; m++) {
            const int32_t precision = fp64 && (f + m) % 2 ? SHOAL_FP64 : SHOAL_FP32;
            if (!harness_takes_case())
                continue;
            test_label("%s, method %d, precision %d", formulas[f], (int)methods[m], (int)precision);
            assert_true(search(formulas[f], methods[m], precision));
        }
}

/* With three accumulators in double precision PoCL 3.1 ended the program while it compiled the method fused.
 */
static void many_reductions_compile(void **state)
{
    (void)state;
    static const char *const formulas[] = {
        "sum((x[i]-1)^2)*prod(cos(x[i]))+sum(x[i]*x[i+1])",
        "sum(x[i]^2)+prod(cos(x[i]))+sum(sin(x[i]))+sum(abs(x[i]))",
    };
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        test_label("%s", formulas[i]);
        assert_true(search(formulas[i], SHOAL_PSO_FUSED, SHOAL_FP64));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_reductions_compile),
        cmocka_unit_test(every_method_computes_single_coordinates),
        cmocka_unit_test(every_formula_compiles),
    };
    return harness_main("expressions", tests, sizeof tests / sizeof *tests);
}
