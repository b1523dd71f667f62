/* Start points on the device under test, for each method of each algorithm, against the host solver. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/optimise.h>
#include <shoal/theses.h>
#include <string.h>

enum { RUNS = 2, ISLANDS = 2, MEMBERS = 8 };

static const double centre[] = {1, -2, 0.5};
static const char formula[] = "(x[1] - 1)^2 + (x[2] + 2)^2 + (x[3] - 0.5)^2",
                  genes[] = "r1-r2 real -5 5, n integer -3 9, b1-b3 bit, o1-o4 order",
                  of_genes[] = "sum(i*(x[i] - 0.37*i)^2)";

/* The optimum is the second point, which lies in the first island of each run; the last one is in the other.
 */
static const char starts[] = "-4,-4,-4; 1,-2,1/2; 3,3,3;3,3,3;3,3,3;3,3,3;3,3,3;3,3,3; 2,-2,0.5",
                  start_genes[] = "-4.5,2,3,1,0,1,3,1,0,2; 0.25,0.75,1,0,1,1,0,1,2,3";

static void set_common(struct shoal_search_params *params)
{
    params->dim = 3;
    params->expression = formula;
    params->lower_list = "-5, -5, -5";
    params->upper_list = "5";
    params->precision = SHOAL_FP32;
    params->iterations = 4;
    params->runs = RUNS;
    params->islands = ISLANDS;
    params->trace = 1;
    params->start = starts;
}

/* The best value, which is the last of the trace, too, and the first one. */
static double best_of(struct shoal_solver *solver, double *first)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    const struct shoal_field *trace = shoal_result_find(&result, "trace");
    assert_non_null(trace);
    *first = trace->reals[0];
    return result.value;
}

/* After step 0, and after steps that a shuffled member would not survive. */
static void compare(const char *workload, const void *params, double tolerance, const char *method)
{
    struct shoal_solver *device = harness_solver(workload, harness.device, params);
    struct shoal_solver *host = harness_solver(workload, test_host_device(harness.shoal), params);
    for (uint64_t steps = 0; steps < 3; steps++) {
        double first, first_wanted;
        size_t count, host_count;
        harness_step(device, steps);
        harness_step(host, steps);
        const double *own = harness_state(device, &count), *of_host = harness_state(host, &host_count);
        assert_int_equal(count, host_count);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(own[i] - of_host[i]) <= tolerance * fmax(1, fabs(of_host[i]))))
                fail_msg("%s %s, step %llu: number %zu is %.17g, on the host %.17g", workload, method,
                         (unsigned long long)steps, i, own[i], of_host[i]);
        const double value = best_of(device, &first), wanted = best_of(host, &first_wanted);
        assert_near(value, wanted, tolerance * fmax(1, fabs(wanted)));
        assert_near(first, first_wanted, tolerance * fmax(1, fabs(first_wanted)));
        harness_release();
    }
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

/* A start at the optimum is the result of step 0, of each run. */
static void find_at_once(const char *workload, const void *params)
{
    struct shoal_result result = {0};
    struct shoal_solver *device = harness_solver(workload, harness.device, params);
    harness_step(device, 0);
    assert_ok(shoal_solver_result(device, &result, &test_error));
    assert_true(result.check_passed && result.value == 0 && result.steps == 0);
    assert_memory_equal(shoal_result_find(&result, "position")->reals, centre, sizeof centre);
    const struct shoal_field *values = shoal_result_find(&result, "run_values");
    assert_true(values->reals[0] == 0 && values->reals[1] == 0);
    shoal_solver_destroy(&device);
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
        test_pso_params_init(&params);
        set_common(&params.search);
        params.particles = MEMBERS;
        params.method = methods[k].method;
        if (params.method == SHOAL_PSO_FUSED) { /* one swarm of one run */
            params.search.runs = params.search.islands = 1;
            params.search.start = "-4,-4,-4; 1,-2,1/2";
        }
        compare("pso", &params, 2e-6, methods[k].name);
        if (params.search.runs > 1)
            find_at_once("pso", &params);
    }
}

static void test_populations(void **state)
{
    (void)state;
    static const struct {
        int32_t method;
        const char *name;
        bool of_genes;
    } methods[] = {
        {SHOAL_GA_ONCHIP, "onchip", false},
#if SHOAL_THESES
        {SHOAL_GA_THESIS, "thesis", false},
#endif
        {SHOAL_GA_FUSED, "fused", false},
        {SHOAL_GA_ONCHIP, "onchip of genes", true},
        {SHOAL_GA_PIPELINE, "pipeline", true}
    };
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct shoal_ga_params params;
        if (!harness_takes_case())
            continue;
        test_ga_params_init(&params);
        set_common(&params.search);
        params.population = MEMBERS;
        params.method = methods[k].method;
        if (methods[k].of_genes) {
            params.search.dim = 0;
            params.search.expression = of_genes;
            params.search.variables = genes;
            params.search.lower_list = params.search.upper_list = NULL;
            params.search.start = start_genes;
        } else {
            params.crossover = SHOAL_GA_UNIFORM;
            params.mutation = SHOAL_GA_GAUSSIAN;
        }
#if SHOAL_THESES
        struct shoal_ga_thesis thesis = SHOAL_GA_THESIS_PARAMS(.random = SHOAL_GA_HYBRIDTAUS);
        if (params.method == SHOAL_GA_THESIS) {
            params.crossover = SHOAL_GA_ARITHMETIC;
            params.thesis = &thesis;
            params.selection = SHOAL_GA_OWN;
            params.elites = 0;
            params.one_gene = true;
        }
#endif
        compare("ga", &params, 2e-5, methods[k].name);
        if (!methods[k].of_genes)
            find_at_once("ga", &params);
    }
}

/* By the optimiser, which has no other way to a device. */
static void test_optimiser(void **state)
{
    (void)state;
    double x[3], value;
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(3, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_expression(optimiser, formula, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -5, 5, &test_error));
    assert_ok(shoal_optimiser_set_device(optimiser, harness.device, &test_error));
    shoal_optimiser_params(optimiser)->precision = SHOAL_FP32;
    shoal_optimiser_params(optimiser)->target = 0;
    assert_ok(shoal_optimiser_set_start(optimiser, centre, 1, &test_error));
    assert_int_equal(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TARGET);
    assert_true(value == 0 && memcmp(x, centre, sizeof x) == 0);
    assert_true(shoal_optimiser_steps(optimiser) <= 1);
    shoal_optimiser_destroy(&optimiser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swarms),
        cmocka_unit_test(test_populations),
        cmocka_unit_test(test_optimiser),
    };
    return harness_main("search.start", tests, sizeof tests / sizeof *tests);
}
