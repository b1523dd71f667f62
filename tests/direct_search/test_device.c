/* Simplices, patterns and random points on every device and method, for groups of several sizes, against the
 * host solver: in double precision they differ by rounding only. */
#include "states.h"

#include "direct_search/direct_search.h"

#include <math.h>
#include <string.h>

/* Single steps, then calls of several. */
enum { SINGLE = 3, CALLS = 6 };

static const char flat[] = "sum(0*x[i])", slope[] = "sum(i*x[i])",
                  with_nan[] = "sum(sqrt(x[i]+0.7) + x[i]^2)",
                  whole[] = "sin(x[1])*x[2]^2 + abs(x[3] - x[1])";

struct case_of {
    const char *name, *workload;
    uint64_t steps; /* of each of the longer calls */
    void (*set)(struct shoal_search_params *search);
    double length;   /* edge or width; 0: the default */
    uint64_t points; /* of a random search */
};

#define SETTER(name) static void set_##name(struct shoal_search_params *search)
SETTER(plain)
{
    search->dim = 7;
}
SETTER(single)
{
    search->dim = 1;
}
SETTER(wide)
{
    search->dim = 33;
    search->function = 1;
    search->runs = 2;
}
/* The work-items do not share a point. */
SETTER(opaque)
{
    search->dim = 3;
    search->expression = whole;
}
/* Islands exchange their bests; the minimum is in a corner. */
SETTER(islands)
{
    search->dim = 5;
    search->expression = slope;
    search->islands = 3;
    search->runs = 2;
    search->exchange = 4;
    search->lower = -1;
    search->upper = 2;
}
/* All values are equal: a simplex is at its end at once. */
SETTER(flat)
{
    search->dim = 2;
    search->expression = flat;
}
/* The minimum of a line is at a bound, where a simplex comes to its end and begins anew. */
SETTER(ends)
{
    search->dim = 1;
    search->expression = slope;
}
SETTER(restart)
{
    search->dim = 3;
    search->restart = 4;
    search->islands = 2;
}
SETTER(start)
{
    static const double points[] = {1, 2, 3, -4, 4, -4};
    search->dim = 3;
    search->start_points = points;
    search->start_count = 2;
}
SETTER(one_start)
{
    set_start(search);
    search->start_count = 1;
}
SETTER(not_finite)
{
    search->dim = 4;
    search->expression = with_nan;
    search->lower = -1;
    search->upper = 1;
}

static const struct case_of cases[] = {
    {"plain", "nelder-mead", 9, set_plain, 0, 0},
    {"single", "nelder-mead", 2, set_single, 0, 0},
    {"wide", "nelder-mead", 20, set_wide, 0, 0},
    {"opaque", "nelder-mead", 9, set_opaque, 0, 0},
    {"islands", "nelder-mead", 9, set_islands, 0, 0},
    {"flat", "nelder-mead", 9, set_flat, 0, 0},
    {"ends", "nelder-mead", 3, set_ends, 0, 0},
    {"restart", "nelder-mead", 20, set_restart, 1e-9, 0},
    {"start", "nelder-mead", 9, set_start, 0, 0},
    {"not finite", "nelder-mead", 9, set_not_finite, 0, 0},
    {"plain", "pattern", 9, set_plain, 0, 0},
    {"single", "pattern", 5, set_single, 0, 0},
    {"opaque", "pattern", 9, set_opaque, 0, 0},
    {"islands", "pattern", 9, set_islands, 0, 0},
    {"flat", "pattern", 40, set_flat, 0, 0},
    {"start", "pattern", 9, set_one_start, 0, 0},
    {"not finite", "pattern", 9, set_not_finite, 0, 0},
    {"plain", "random", 3, set_plain, 0, 9},
    {"islands", "random", 3, set_islands, 0, 33},
    {"start", "random", 3, set_start, 0, 5},
};
enum { CASES = sizeof cases / sizeof *cases };

union params {
    struct shoal_search_params search;
    struct shoal_nelder_mead_params simplex;
    struct shoal_pattern_params pattern;
    struct shoal_random_params random;
};

static union params params_of(const struct case_of *one, int32_t method)
{
    union params params;
    if (strcmp(one->workload, "nelder-mead") == 0) {
        shoal_nelder_mead_params_init(&params.simplex);
        params.simplex.method = method;
        params.simplex.edge = one->length > 0 ? one->length : params.simplex.edge;
    } else if (strcmp(one->workload, "pattern") == 0) {
        shoal_pattern_params_init(&params.pattern);
        params.pattern.method = method;
    } else {
        shoal_random_params_init(&params.random);
        params.random.method = method;
        params.random.points = one->points;
    }
    params.search.lower = -5;
    params.search.upper = 5;
    params.search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params.search.iterations = 2000;
    params.search.refine = SHOAL_REFINE_NONE;
    one->set(&params.search);
    return params;
}

static const char *const programs[] = {"direct.onchip", "direct.pipeline"};

static void compare_states(struct shoal_solver *device, struct shoal_solver *host, const struct case_of *one,
                           int32_t method, uint64_t call)
{
    const double tolerance = harness_has_fp64() ? 1e-9 : 1e-3;
    size_t count, host_count;
    const double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(own[i] - wanted[i]) <= tolerance))
            fail_msg("%s %s, %s, call %llu: number %zu is %.17g, on the host %.17g", one->workload, one->name,
                     direct_method_names[method], (unsigned long long)call, i, own[i], wanted[i]);
    harness_release();
}

static void compare(const struct case_of *one, int32_t method)
{
    const union params params = params_of(one, method);
    struct shoal_solver *device = harness_solver(one->workload, harness.device, &params);
    struct shoal_solver *host = harness_solver(one->workload, test_host_device(harness.shoal), &params);
    for (uint64_t call = 0; call < (harness.tiny ? 3 : CALLS); call++) {
        const uint64_t steps = call < SINGLE ? 1 : one->steps;
        harness_step(host, steps);
        harness_step(device, steps);
        compare_states(device, host, one, method, call);
    }
    compare_results(device, host, 1e-3);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

static const int32_t methods[] = {SHOAL_DIRECT_ONCHIP, SHOAL_DIRECT_PIPELINE};
enum { METHODS = sizeof methods / sizeof *methods };

static void test_rules(void **state)
{
    size_t number = 0;
    (void)state;
    for (size_t i = 0; i < CASES; i++)
        for (size_t m = 0; m < METHODS; m++, number++)
            if (harness_takes_case_of(direct_method_names[methods[m]])) {
                set_work_groups(programs, group_of_case(number, METHODS));
                compare(&cases[i], methods[m]);
            }
}

static void test_resumed(void **state)
{
    (void)state;
    for (size_t m = 0; m < METHODS; m++)
        for (size_t i = 0; i < CASES; i++)
            if (cases[i].set == set_islands && harness_takes_case()) {
                const union params params = params_of(&cases[i], methods[m]);
                set_work_groups(programs, harness.info->is_cpu ? 1 : 32);
                compare_resumed(harness_solver(cases[i].workload, harness.device, &params),
                                harness_solver(cases[i].workload, harness.device, &params), 5, 30);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rules), cmocka_unit_test(test_resumed)};
    return harness_main("direct-search-device", tests, sizeof tests / sizeof *tests);
}
