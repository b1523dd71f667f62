#include "compare.h"
#include "searches.h"
#include "states.h"

#include <math.h>
#include <string.h>

enum { CALLS = 7 };

const char mixed_genes[] = "r1-r6 real -5 5, n1-n2 integer -20 1000, c choice 4, b1-b40 bit, "
                           "g real 0 1 gray 10, o1-o9 order",
           whole_genes[] = "n1-n3 integer -2000000000 2000000000, c1-c2 choice 7, b1-b70 bit, o1-o21 order";

int32_t function_named(const char *name)
{
    int32_t index = 0;
    while (strcmp(shoal_objective_get_info(shoal_objective_at((size_t)index))->name, name) != 0)
        index++;
    return index;
}

struct shoal_objective *formula_over(const char *variables, double tolerance)
{
    static const char exact[] = "sum(abs(x[i] - i) + i*x[i+1])",
                      rough[] = "sum(i*(x[i] - 0.37*i)^2 + 0.13*x[i]*x[i+1])";
    struct shoal_objective *formula;
    assert_ok(shoal_objective_from_expression_variables(tolerance > 0 ? rough : exact, variables, &formula,
                                                        &test_error));
    return formula;
}

struct shoal_ga_params pipeline_params(void)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    params.search.precision = SHOAL_FP64;
    params.search.iterations = 1000;
    params.method = SHOAL_GA_PIPELINE;
    return params;
}

/* What a case is, for messages. */
struct which {
    const char *name;
    size_t k;
    uint64_t call;
};

static void compare_states(struct shoal_solver *device, struct shoal_solver *host, double tolerance,
                           const struct which *which)
{
    size_t count, host_count;
    double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(own[i] - wanted[i]) <= tolerance * fmax(1, fabs(wanted[i]))))
            fail_msg("%s, rule %zu, call %llu: number %zu is %.17g, on the host %.17g", which->name, which->k,
                     (unsigned long long)which->call, i, own[i], wanted[i]);
    harness_release();
}

static uint64_t not_finite(const struct shoal_result *result)
{
    const struct shoal_field *field = shoal_result_find(result, "not_finite");
    return field ? field->uint : 0;
}

static void compare_outcomes(struct shoal_solver *device, struct shoal_solver *host, double tolerance)
{
    struct shoal_result of_device = {0}, of_host = {0};
    compare_results(device, host, tolerance);
    assert_ok(shoal_solver_result(device, &of_device, &test_error));
    const uint64_t infinite = not_finite(&of_device);
    assert_ok(shoal_solver_result(host, &of_host, &test_error));
    assert_int_equal(infinite, not_finite(&of_host));
}

void compare_with_host(const struct shoal_ga_params *params, const char *name, size_t k, double tolerance,
                       void (*prepare)(struct shoal_solver *solver, size_t k))
{
    struct shoal_solver *device = harness_solver("ga", harness.device, params);
    struct shoal_solver *host = harness_solver("ga", test_host_device(harness.shoal), params);
    if (prepare)
        prepare(device, k);
    for (uint64_t call = 0; call < (harness.tiny ? 1 : CALLS); call++) {
        const uint64_t steps = call < 5 ? 1 : 3;
        assert_int_equal(harness_step(device, steps), steps);
        assert_int_equal(harness_step(host, steps), steps);
        compare_states(device, host, tolerance, &(const struct which){name, k, call});
    }
    compare_outcomes(device, host, tolerance);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

uint64_t compare_to_end(const struct shoal_ga_params *params, const char *name, double tolerance)
{
    struct shoal_solver *device = harness_solver("ga", harness.device, params);
    struct shoal_solver *host = harness_solver("ga", test_host_device(harness.shoal), params);
    uint64_t steps = 0, done = 1;
    for (; done; steps += done) {
        done = harness_step(host, 1);
        assert_int_equal(harness_step(device, 1), done);
        compare_states(device, host, tolerance, &(const struct which){name, 0, steps});
    }
    compare_outcomes(device, host, tolerance);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
    return steps;
}

bool ends_after(void *data)
{
    int *left = data;
    return (*left)-- == 0;
}
