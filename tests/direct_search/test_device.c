/* Simplices, patterns and random points on every device and method, for groups of several sizes, against the
 * host solver: in double precision they differ by rounding only. */
#include "harness.h"

#include "direct_search/direct_search.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
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

static void set_group(int64_t items)
{
    while (items > (int64_t)harness.info->max_work_group)
        items /= 8;
    assert_ok(shoal_tuning_set(harness.device, "direct.onchip", "WG", items, &test_error));
    assert_ok(shoal_tuning_set(harness.device, "direct.pipeline", "WG", items, &test_error));
}

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
    struct shoal_result of_device = {0}, of_host = {0};
    assert_ok(shoal_solver_result(device, &of_device, &test_error));
    const double value = of_device.value, work = of_device.work;
    assert_ok(shoal_solver_result(host, &of_host, &test_error));
    assert_true(fabs(value - of_host.value) <= 1e-3 * fmax(1, fabs(value)));
    assert_true(work == of_host.work);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

static const int32_t methods[] = {SHOAL_DIRECT_ONCHIP, SHOAL_DIRECT_PIPELINE};

static void test_rules(void **state)
{
    static const int64_t groups[] = {8, 64, 1, 32};
    size_t number = 0;
    (void)state;
    for (size_t i = 0; i < CASES; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++, number++)
            if (harness_takes_case_of(direct_method_names[methods[m]])) {
                set_group(groups[(number + i / 2) % (sizeof groups / sizeof *groups)]);
                compare(&cases[i], methods[m]);
            }
}

static void *saved(struct shoal_solver *solver, size_t *size)
{
    struct checkpoint checkpoint = {0};
    void *bytes;
    assert_ok(solver_get_checkpoint(solver, &checkpoint, &test_error));
    assert_ok(checkpoint_to_memory(&checkpoint, &bytes, size, &test_error));
    checkpoint_clear(&checkpoint);
    return bytes;
}

/* Calls of one step, calls of many, and after a checkpoint is loaded: the same bytes. */
static void compare_resumed(const struct case_of *one, int32_t method)
{
    enum { STEPS = 30, MIDDLE = 5 };
    const union params params = params_of(one, method);
    struct checkpoint checkpoint;
    size_t size, other_size;
    set_group(harness.info->is_cpu ? 1 : 32);
    struct shoal_solver *uncut = harness_solver(one->workload, harness.device, &params);
    struct shoal_solver *again = harness_solver(one->workload, harness.device, &params);
    harness_step(uncut, MIDDLE);
    void *middle = saved(uncut, &size);
    assert_ok(checkpoint_parse(&checkpoint, middle, size, "memory", &test_error));
    assert_ok(solver_set_checkpoint(again, &checkpoint, &test_error));
    for (size_t step = MIDDLE; step < STEPS; step++)
        harness_step(uncut, 1);
    harness_step(again, STEPS - MIDDLE);
    void *first = saved(uncut, &size), *other = saved(again, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(first, other, size);
    free(middle);
    free(first);
    free(other);
    shoal_solver_destroy(&uncut);
    shoal_solver_destroy(&again);
}

static void test_resumed(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t i = 0; i < CASES; i++)
            if (cases[i].set == set_islands && harness_takes_case())
                compare_resumed(&cases[i], methods[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_resumed)};
    return harness_main("direct-search-device", tests, sizeof tests / sizeof *tests);
}
