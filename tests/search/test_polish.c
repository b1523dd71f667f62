/* Pattern searches during the run on the device under test, for methods of each algorithm, against the host.
 */
#include "states.h"

#include <math.h>
#include <shoal/optimise.h>
#include <string.h>

enum { MEMBERS = 40, EVERY = 5, STEPS = 12 };

static void set_common(struct shoal_search_params *params)
{
    params->dim = 3;
    params->expression = "(x[1] - 1)^2 + 20*(x[2] + 2 - x[1])^2 + (x[3] - 0.5*x[1])^2";
    params->lower_list = "-5";
    params->upper_list = "5";
    params->precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params->iterations = 100;
    params->refine = SHOAL_REFINE_NONE;
    params->polish_every = EVERY;
}

static void check(const char *workload, const void *params, const char *method)
{
    const double tolerance = harness_has_fp64() ? 1e-7 : 0.1;
    struct shoal_solver *device = harness_solver(workload, harness.device, params);
    struct shoal_solver *host = harness_solver(workload, test_host_device(harness.shoal), params);
    struct shoal_result result = {0};
    assert_int_equal(harness_step(device, STEPS), harness_step(host, STEPS));
    assert_ok(shoal_solver_result(host, &result, &test_error));
    if (!(result.work > (double)result.steps * result.step_work + MEMBERS))
        fail_msg("%s: %.0f evaluations count no pattern search", workload, result.work);
    size_t count, host_count;
    const double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    for (size_t i = 0; i < count && harness_has_fp64(); i++)
        if (!(fabs(own[i] - wanted[i]) <= tolerance * fmax(1, fabs(wanted[i]))))
            fail_msg("%s %s: number %zu is %.17g, on the host %.17g", workload, method, i, own[i], wanted[i]);
    compare_results(device, host, tolerance);
    harness_release();
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
    compare_resumed(harness_solver(workload, harness.device, params),
                    harness_solver(workload, harness.device, params), EVERY - 1, STEPS);
}

static void test_swarms(void **state)
{
    (void)state;
    static const struct {
        int32_t method;
        const char *name;
    } methods[] = {{SHOAL_PSO_ONCHIP, "onchip"}, {SHOAL_PSO_FUSED, "fused"}, {SHOAL_PSO_THREAD, "thread"}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct shoal_pso_params params;
        if (!harness_takes_case())
            continue;
        shoal_pso_params_init(&params);
        set_common(&params.search);
        params.particles = MEMBERS;
        params.method = methods[k].method;
        params.topology = params.method == SHOAL_PSO_FUSED ? SHOAL_PSO_GLOBAL : SHOAL_PSO_RING;
        if (params.method == SHOAL_PSO_FUSED) {
            params.update = SHOAL_PSO_INERTIA;
            params.bounds = SHOAL_PSO_REFLECT;
        }
        params.search.islands = params.method == SHOAL_PSO_FUSED ? 1 : 2;
        check("pso", &params, methods[k].name);
    }
}

static void test_populations(void **state)
{
    (void)state;
    static const int32_t methods[] = {SHOAL_GA_ONCHIP, SHOAL_GA_PIPELINE};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct shoal_ga_params params;
        if (!harness_takes_case())
            continue;
        shoal_ga_params_init(&params);
        set_common(&params.search);
        params.population = MEMBERS;
        params.method = methods[k];
        params.search.runs = 2;
        check("ga", &params, k ? "pipeline" : "onchip");
    }
}

static void test_evolution(void **state)
{
    (void)state;
    static const int32_t methods[] = {SHOAL_DE_ONCHIP, SHOAL_DE_PIPELINE};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct shoal_de_params params;
        if (!harness_takes_case())
            continue;
        shoal_de_params_init(&params);
        set_common(&params.search);
        params.population = MEMBERS;
        params.population_end = 10; /* lost members stay lost */
        params.method = methods[k];
        check("de", &params, k ? "pipeline" : "onchip");
    }
}

/* Members are compared after the pattern search of the same step, on the host and on devices. */
static void test_convergence(void **state)
{
    (void)state;
    struct shoal_de_params params;
    if (!harness_takes_case() || !harness_has_fp64())
        return;
    shoal_de_params_init(&params);
    set_common(&params.search);
    params.population = MEMBERS;
    params.search.polish_every = 50;
    params.search.iterations = 1000;
    params.search.x_tolerance = 1e-9;
    struct shoal_solver *device = harness_solver("de", harness.device, &params);
    struct shoal_solver *host = harness_solver("de", test_host_device(harness.shoal), &params);
    const uint64_t steps = harness_step(host, 1000);
    assert_true(steps < 1000);
    assert_int_equal(harness_step(device, 1000), steps);
    compare_results(device, host, 1e-7);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swarms),
        cmocka_unit_test(test_populations),
        cmocka_unit_test(test_evolution),
        cmocka_unit_test(test_convergence),
    };
    return harness_main("search.polish", tests, sizeof tests / sizeof *tests);
}
