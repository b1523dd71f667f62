/* Whether a swarm's solver runs native text: told by what was built, not by what the workload might build. */
#include "searches.h"
#include "unit.h"

#include <shoal/shoal.h>

static struct shoal *shoal;
static struct shoal_device *device, *host;

/* "other" has a prelude, as CUDA has: there programs with a native text take it. */
static int open_other(void **state)
{
    if (unit_setup(state))
        return -1;
    struct shoal_device_info info = fake_gpu("With native text");
    fake_reset();
    fake_add_device(&fake_other_backend, &info);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    host = shoal_device_at(shoal, 1);
    return 0;
}

static int close_other(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

static struct shoal_pso_params swarm(enum shoal_pso_method method)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.method = method;
    params.search.dim = 4;
    params.particles = 64;
    params.search.iterations = 2;
    return params;
}

static enum shoal_status create(const struct shoal_pso_params *params, enum shoal_variant variant,
                                bool *is_native)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    enum shoal_status status =
        shoal_solver_create(shoal_workload_find("pso"), device, queue, params, variant, &solver, &test_error);
    *is_native = shoal_solver_is_native(solver);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return status;
}

static void expect(const struct shoal_pso_params *params, bool has_native)
{
    bool is_native = !has_native;
    assert_ok(create(params, SHOAL_VARIANT_AUTO, &is_native));
    assert_int_equal(is_native, has_native);
    assert_ok(create(params, SHOAL_VARIANT_CL, &is_native));
    assert_false(is_native);
    if (has_native) {
        assert_ok(create(params, SHOAL_VARIANT_CU, &is_native));
        assert_true(is_native);
        return;
    }
    assert_status(create(params, SHOAL_VARIANT_CU, &is_native), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "pso on other:0 has no native CUDA text");
    assert_contains(test_error.message, "use --variant cl or auto");
}

static void each_method_reports(void **state)
{
    (void)state;
    struct shoal_pso_params params = swarm(SHOAL_PSO_FUSED);
    expect(&params, true);
    params = swarm(SHOAL_PSO_ONCHIP);
    expect(&params, true);
    params = swarm(SHOAL_PSO_THREAD);
    expect(&params, false);
}

/* The pipeline's own programs have no native text, its evaluator may. */
static void the_pipeline_is_as_native_as_its_evaluator(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const struct shoal_rows rows = {.size = sizeof rows, .values = values, .rows = 2, .columns = 5};
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_rows(shoal, &rows, &objective, &test_error));
    struct shoal_pso_params params = swarm(SHOAL_PSO_ROWS);
    params.search.objective = objective;
    params.search.lower = -1;
    params.search.upper = 1;
    expect(&params, true);
    params.method = SHOAL_PSO_THREAD;
    expect(&params, false);
    shoal_objective_destroy(&objective);
}

static void nothing_is_native_on_the_host(void **state)
{
    (void)state;
    const struct shoal_pso_params params = swarm(SHOAL_PSO_AUTO);
    struct shoal_solver *solver = NULL;
    assert_ok(shoal_solver_create(shoal_workload_find("pso"), host, NULL, &params, SHOAL_VARIANT_CU, &solver,
                                  &test_error));
    assert_false(shoal_solver_is_native(solver));
    assert_false(shoal_solver_is_native(NULL));
    shoal_solver_destroy(&solver);
}

#define NATIVE_TEST(function) cmocka_unit_test_setup_teardown(function, open_other, close_other)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NATIVE_TEST(each_method_reports),
        NATIVE_TEST(the_pipeline_is_as_native_as_its_evaluator),
        NATIVE_TEST(nothing_is_native_on_the_host),
    };
    return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}
