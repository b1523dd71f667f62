/* What ends a run where the parameters leave it open, and the end of runs whose members have come together:
 * on the host and by methods that keep the members in different places of a device. */
#include "harness.h"

#include <math.h>
#include <shoal/ga.h>
#include <shoal/pso.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct end {
    char why[80];
    uint64_t steps;
    double value, work;
};

static struct end run_with(const char *workload, struct shoal_device *device, const void *params,
                           const struct shoal_run_params *run_params)
{
    struct shoal_report report = {0};
    struct end end;
    const enum shoal_status status =
        shoal_run(shoal_workload_find(workload), device, params, run_params, &report, &test_error);
    if (status)
        fail_msg("%s %s", test_error.message, test_error.log);
    end.steps = report.result.steps;
    end.value = report.result.value;
    end.work = report.result.work;
    snprintf(end.why, sizeof end.why, "%s", shoal_result_find(&report.result, "end")->text);
    shoal_report_clear(&report);
    return end;
}

static struct end run(const char *workload, struct shoal_device *device, const void *params)
{
    return run_with(workload, device, params, NULL);
}

static void assert_end(const struct end *end, const char *why, uint64_t steps)
{
    assert_string_equal(end->why, why);
    assert_int_equal(end->steps, steps);
}

/* Limits ----------------------------------------------------------------------------------------------- */

static struct shoal_pso_params swarm_on(const char *expression)
{
    struct shoal_pso_params params;
    shoal_pso_params_init(&params);
    params.particles = 10;
    params.update = SHOAL_PSO_SPSO2011;
    params.topology = SHOAL_PSO_RANDOM;
    params.bounds = SHOAL_PSO_BOUNCE;
    params.search.refine = SHOAL_REFINE_AUTO;
    params.search.expression = expression;
    params.search.dim = 2;
    params.search.lower = -5;
    params.search.upper = 5;
    return params;
}

/* A constant improves never, so that each limit ends a run at the step it says: 20000 evaluations of 10
 * particles are those of 1999 steps and the first positions. */
static void each_limit_ends_a_run(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint64_t iterations, evaluations, stagnation, restart;
        double target, time;
        const char *why;
        uint64_t steps;
    } cases[] = {
        {"none", 0, 0, 0, 0, NAN, NAN, "stagnated", 100},
        {"iterations", 150, 0, 0, 0, NAN, NAN, "iterations", 150},
        {"evaluations", 0, 1510, 0, 0, NAN, NAN, "evaluations", 150},
        {"a target", 0, 0, 0, 0, 1, NAN, "evaluations", 1999},
        {"restarts", 0, 0, 0, 50, NAN, NAN, "evaluations", 1999},
        {"stagnation", 0, 0, 30, 0, NAN, NAN, "stagnated", 30},
        {"stagnation and iterations", 150, 0, 30, 0, NAN, NAN, "stagnated", 30},
        {"time", 0, 0, 0, 0, NAN, 0, "time", 0},
        {"time and iterations", 150, 0, 0, 0, NAN, 1e6, "iterations", 150},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_pso_params params = swarm_on("sum(0*x[i]) + 5");
        params.search.iterations = cases[i].iterations;
        params.search.evaluations = cases[i].evaluations;
        params.search.stagnation = cases[i].stagnation;
        params.search.restart = cases[i].restart;
        params.search.target = cases[i].target;
        params.search.time = cases[i].time;
        const struct end end = run("pso", test_host_device(harness.shoal), &params);
        test_label("%s", cases[i].what);
        assert_end(&end, cases[i].why, cases[i].steps);
    }
    struct shoal_pso_params informed = swarm_on("sum(0*x[i]) + 5");
    informed.update = SHOAL_PSO_FIPS;
    const struct end end = run("pso", test_host_device(harness.shoal), &informed);
    assert_end(&end, "stagnated", 500);
}

/* Values that fall to 0 do so until the members are together, those of any scale until they fall no more. */
static void a_run_ends_by_itself(void **state)
{
    (void)state;
    struct shoal_pso_params params = swarm_on("sum(x[i]^2)");
    struct end end = run("pso", test_host_device(harness.shoal), &params);
    assert_string_equal(end.why, "converged");
    assert_true(end.steps % 100 == 0 && end.steps < 1999);
    assert_true(end.value < 1e-15);

    params = swarm_on("1e-20*(sum((x[i] - 1)^2) + 1)");
    end = run("pso", test_host_device(harness.shoal), &params);
    assert_string_equal(end.why, "stagnated");
    assert_true(end.steps > 150);
    assert_near(end.value, 1e-20, 1e-27);
}

/* A rough minimum will do where least squares find the last digits, unless a tolerance is given, be it that
 * of all other searches. */
static void fits_end_early(void **state)
{
    (void)state;
    struct shoal_pso_params params = swarm_on(NULL);
    params.search.dim = 3;
    params.search.data_file = test_path("fit.csv");
    test_write_text(params.search.data_file, "1,2,3,4\n2,1,0,1\n3,1,1,1\n0,1,1,2\n1,1,5,2\n");
    const struct end rough = run("pso", test_host_device(harness.shoal), &params);
    params.search.stagnation_tolerance = 1e-4;
    assert_int_equal(run("pso", test_host_device(harness.shoal), &params).steps, rough.steps);
    params.search.stagnation_tolerance = 1e-9;
    const struct end fine = run("pso", test_host_device(harness.shoal), &params);
    assert_true(fine.steps > rough.steps + 20);
    assert_near(fine.value, rough.value, 1e-9);
}

/* Before there is a solver: of built-in functions, formulas and tables, and where evaluations are not
 * counted. */
static void the_length_of_a_run_is_known_before(void **state)
{
    (void)state;
    const struct shoal_workload *pso = shoal_workload_find("pso"), *ga = shoal_workload_find("ga");
    struct shoal_pso_params params;
    shoal_pso_params_init(&params);
    /* 1000 for each dimension are those of the pattern search at the end. */
    assert_int_equal(shoal_workload_total_steps(pso, &params), 270000 / 60 - 1);
    params.search.evaluations = 30000;
    assert_int_equal(shoal_workload_total_steps(pso, &params), 24000 / 60 - 1);
    params.search.polish = 10;
    assert_int_equal(shoal_workload_total_steps(pso, &params), 30000 / 60 - 1);
    params.search.iterations = 12;
    assert_int_equal(shoal_workload_total_steps(pso, &params), 12);
    params = swarm_on("sum(x[i]^2)");
    assert_int_equal(shoal_workload_total_steps(pso, &params), 1999);
    params.search.time = 1;
    assert_true(shoal_workload_total_steps(pso, &params) > 4000000000);
    params.search.x_tolerance = 0.5;
    params.search.stagnation = 50;
    params.search.stagnation_tolerance = 0.1;
    shoal_workload_make_endless(pso, &params, 0);
    assert_true(isnan(params.search.x_tolerance) && shoal_workload_total_steps(pso, &params) > 2000000000);
    assert_ok(shoal_workload_validate(harness.shoal, pso, &params, &test_error));
    params = swarm_on("sum(x[i]^2");
    assert_true(shoal_workload_total_steps(pso, &params) > 4000000000); /* there is no such problem */
    params = swarm_on(NULL);
    params.search.dim = 0;
    params.search.data_file = test_path("rows.csv");
    test_write_text(params.search.data_file, "a,b,c,y\n1,2,3,4\n2,1,0,1\n3,1,1,1\n0,1,1,2\n");
    assert_int_equal(shoal_workload_total_steps(pso, &params), 2999);

    struct shoal_ga_params genes;
    shoal_ga_params_init(&genes);
    /* 1000 evaluations for each of 30 dimensions are left for the pattern search. */
    assert_int_equal(shoal_workload_total_steps(ga, &genes), (270000 - 100 - 1) / 100 + 1);
    genes.search.expression = "sum(x[i])";
    genes.search.variables = "x1-x8 bit";
    genes.local_search = SHOAL_GA_BEST_IMPROVEMENT;
    assert_int_equal(shoal_workload_total_steps(ga, &genes), (80000 - 100 - 1) / 99 + 1);
    const struct end end = run("ga", test_host_device(harness.shoal), &genes);
    assert_string_equal(end.why, "stagnated");
    assert_in_range(end.steps, 200, 210); /* the search of the first children finds the minimum */
    genes.search.x_tolerance = 0.1;
    assert_status(shoal_workload_validate(harness.shoal, ga, &genes, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--x-tolerance is for reals");
}

/* Members that come together --------------------------------------------------------------------------- */

/* The inertia rule with the global best is what all methods do. */
static struct shoal_pso_params three_runs(int32_t method)
{
    struct shoal_pso_params params;
    shoal_pso_params_init(&params);
    params.particles = 17;
    params.update = SHOAL_PSO_INERTIA;
    params.topology = SHOAL_PSO_GLOBAL;
    params.method = method;
    params.search.objective = shoal_objective_find("sphere");
    params.search.dim = 3;
    params.search.iterations = 1000;
    params.search.x_tolerance = 1e-6;
    params.search.runs = method == SHOAL_PSO_FUSED ? 1 : 3;
    params.search.precision = harness.info->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    return params;
}

static const char *name_of(const struct shoal_pso_params *params)
{
    return params->search.runs == 1 ? "converged" : "converged 3";
}

/* As on the host, run by run, and each as if it were alone. */
static void devices_see_it_as_the_host(void **state)
{
    (void)state;
    static const int32_t methods[] = {SHOAL_PSO_ONCHIP, SHOAL_PSO_FUSED, SHOAL_PSO_THREAD, SHOAL_PSO_LANES};
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (!harness_takes_case())
            continue;
        struct shoal_pso_params params = three_runs(methods[i]);
        const struct end end = run("pso", harness.device, &params);
        const double work = end.work;
        test_label("method %d", (int)methods[i]);
        assert_string_equal(end.why, name_of(&params));
        assert_true(end.steps % 100 == 0 && end.steps < 1000);
        params.method = SHOAL_PSO_AUTO;
        const struct end host = run("pso", test_host_device(harness.shoal), &params);
        assert_string_equal(host.why, name_of(&params));
        if (harness.info->fp64) {
            assert_int_equal(end.steps, host.steps);
            assert_true(work == host.work);
        }
        double alone = 0;
        const uint64_t runs = params.search.runs;
        params.search.runs = 1;
        for (params.search.seed = 1; params.search.seed <= runs; params.search.seed++)
            alone += run("pso", test_host_device(harness.shoal), &params).work;
        assert_true(alone == host.work);
    }
}

static void populations_too(void **state)
{
    (void)state;
    struct shoal_ga_params params;
    shoal_ga_params_init(&params);
    params.population = 20;
    params.replacement = SHOAL_GA_GENERATIONAL;
    params.mutation = SHOAL_GA_NO_MUTATION;
    params.crossover = SHOAL_GA_ARITHMETIC;
    params.search.objective = shoal_objective_find("sphere");
    params.search.dim = 3;
    params.search.iterations = 1000;
    params.search.islands = 2;
    params.search.x_tolerance = 1e-3;
    params.search.precision = harness.info->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    struct shoal_device *const devices[] = {test_host_device(harness.shoal), harness.device};
    for (size_t i = 0; i < COUNT(devices); i++) {
        const struct end end = run("ga", devices[i], &params);
        test_label("device %zu", i);
        assert_end(&end, "converged", 100);
    }
    /* Mutation keeps them apart. */
    params.mutation = SHOAL_GA_MUTATION_AUTO;
    params.search.iterations = 300;
    const struct end end = run("ga", devices[0], &params);
    assert_end(&end, "iterations", 300);
}

/* A run that is interrupted ends as one that is not; one that has ended stays so, unless it is to go on. */
static void checkpoints_keep_it(void **state)
{
    (void)state;
    static const int32_t methods[] = {SHOAL_PSO_ONCHIP, SHOAL_PSO_FUSED};
    for (size_t i = 0; i <= COUNT(methods); i++) {
        const bool on_host = i == COUNT(methods);
        if (!on_host && !harness_takes_case())
            continue;
        struct shoal_device *device = on_host ? test_host_device(harness.shoal) : harness.device;
        struct shoal_pso_params params = three_runs(on_host ? SHOAL_PSO_AUTO : methods[i]);
        struct shoal_run_params first, second;
        shoal_run_params_init(&first);
        shoal_run_params_init(&second);
        first.checkpoint = second.resume = test_path("state");
        test_label("case %zu", i);
        const struct end whole = run("pso", device, &params);
        params.search.iterations = 150;
        run_with("pso", device, &params, &first);
        params.search.iterations = 1000;
        second.checkpoint = test_path("ended");
        struct end resumed = run_with("pso", device, &params, &second);
        assert_end(&resumed, whole.why, whole.steps);
        assert_true(resumed.value == whole.value && resumed.work == whole.work);
        second.resume = second.checkpoint;
        second.checkpoint = NULL;
        resumed = run_with("pso", device, &params, &second);
        assert_end(&resumed, whole.why, whole.steps);
        params.search.x_tolerance = 0;
        params.search.iterations = whole.steps + 30;
        resumed = run_with("pso", device, &params, &second);
        assert_int_equal(resumed.steps, whole.steps + 30);
        assert_true(strstr(resumed.why, "iterations") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_ends_a_run),
        cmocka_unit_test(a_run_ends_by_itself),
        cmocka_unit_test(fits_end_early),
        cmocka_unit_test(the_length_of_a_run_is_known_before),
        cmocka_unit_test(devices_see_it_as_the_host),
        cmocka_unit_test(populations_too),
        cmocka_unit_test(checkpoints_keep_it),
    };
    return harness_main("search.limits", tests, COUNT(tests));
}
