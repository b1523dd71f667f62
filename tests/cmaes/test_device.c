/* Every rule on every device and method, for groups of several sizes, against the host solver: in double
 * precision they differ by rounding only. */
#include "states.h"

#include "cmaes/model/problem.h"
#include "workload/checkpoint/checkpoint.h"
#include "workload/workload.h"

#include <math.h>
#include <shoal/cmaes.h>
#include <stdio.h>

/* Single steps, then calls of several. */
enum { SINGLE = 4, CALLS = 7, FEW = 3, MANY = 30, VERY_MANY = 90 };

/* All values are equal: the population ends when that has lasted for the generations of its ring. */
static const char flat[] = "sum(0*x[i])", slope[] = "sum(i*x[i])",
                  with_nan[] = "sum(sqrt(x[i]+0.7) + x[i]^2)";

struct rule {
    const char *name;
    uint64_t steps; /* of each of the longer calls */
    void (*set)(struct shoal_cmaes_params *params);
};

#define RULE(name) static void set_##name(struct shoal_cmaes_params *params)
RULE(full)
{
    params->search.dim = 7;
}
RULE(odd)
{
    params->search.dim = 2;
    params->population = 7;
    params->positive = true;
}
RULE(single)
{
    params->search.dim = 1;
    params->population = 5;
}
RULE(wide)
{
    params->search.dim = 33;
    params->search.function = 1;
    params->search.runs = 2;
}
/* All work-items turn the points. */
RULE(rotated)
{
    params->search.dim = 6;
    params->search.rotate = 3;
}
RULE(separable)
{
    params->search.dim = 33;
    params->form = SHOAL_CMAES_SEPARABLE;
}
/* Generations of two and four parts. */
RULE(ipop)
{
    params->search.expression = flat;
    params->search.dim = 1;
    params->restarts = SHOAL_CMAES_IPOP;
    params->doublings = 2;
}
RULE(bipop)
{
    params->search.expression = flat;
    params->search.dim = 2;
    params->search.runs = 3;
    params->population = 9;
    params->restarts = SHOAL_CMAES_BIPOP;
    params->doublings = 3;
}
RULE(separable_bipop)
{
    set_bipop(params);
    params->form = SHOAL_CMAES_SEPARABLE;
}
/* The vectors of a generation of 2^12 parts would take more than 4 GiB, so that they are made again. */
RULE(not_kept)
{
    params->search.expression = flat;
    params->search.dim = 64;
    params->search.runs = 17;
    params->population = 64;
    params->restarts = SHOAL_CMAES_IPOP;
    params->doublings = 12;
    params->form = SHOAL_CMAES_SEPARABLE;
}
/* The population ends within a call. */
RULE(spent)
{
    params->search.expression = flat;
    params->search.dim = 2;
    params->population = 9;
    params->restarts = SHOAL_CMAES_NONE;
}
/* The history is full after 256 generations. */
RULE(history)
{
    params->search.dim = 3;
    params->search.expression = slope;
    params->sigma = 1e-6;
    params->restarts = SHOAL_CMAES_NONE;
}
/* Points beyond the bounds are mirrored; the minimum is in a corner. */
RULE(bounds)
{
    params->search.dim = 5;
    params->search.expression = slope;
    params->search.lower = -1;
    params->search.upper = 2;
    params->sigma = 3;
}
RULE(start)
{
    /* One of them is far away. */
    static const double points[] = {1, 2, 3, -4, 4, -4};
    params->search.dim = 3;
    params->search.start_points = points;
    params->search.start_count = 2;
    params->sigma = 0.05;
}
/* Two whole numbers in x4, whose deviation is soon as small as it may be; x3 is almost a real. */
RULE(rounded)
{
    params->search.dim = 0;
    params->search.variables = "x1-x2 real -5 5, x3 integer -50 50, x4 bit, x5 choice 3";
    params->search.expression = "sum(x[i]^2) - x[4]";
    params->search.lower = params->search.upper = NAN;
}
RULE(separable_rounded)
{
    set_rounded(params);
    params->form = SHOAL_CMAES_SEPARABLE;
}
RULE(not_finite)
{
    params->search.dim = 4;
    params->search.expression = with_nan;
    params->search.lower = -1;
    params->search.upper = 1;
}

#define ENTRY_OF(name, steps)                                                                                \
    {                                                                                                        \
#name, steps, set_##name                                                                             \
    }
static const struct rule rules[] = {ENTRY_OF(full, FEW),
                                    ENTRY_OF(odd, FEW),
                                    ENTRY_OF(single, FEW),
                                    ENTRY_OF(wide, FEW),
                                    ENTRY_OF(rotated, FEW),
                                    ENTRY_OF(separable, FEW),
                                    ENTRY_OF(ipop, MANY),
                                    ENTRY_OF(bipop, MANY),
                                    ENTRY_OF(separable_bipop, MANY),
                                    ENTRY_OF(not_kept, MANY),
                                    ENTRY_OF(spent, MANY),
                                    ENTRY_OF(history, VERY_MANY),
                                    ENTRY_OF(bounds, FEW),
                                    ENTRY_OF(start, FEW),
                                    ENTRY_OF(rounded, MANY),
                                    ENTRY_OF(separable_rounded, MANY),
                                    ENTRY_OF(not_finite, FEW)};
enum { RULES = sizeof rules / sizeof *rules };

static struct shoal_cmaes_params params_of(const struct rule *rule, int32_t method)
{
    struct shoal_cmaes_params params;
    shoal_cmaes_params_init(&params);
    params.method = method;
    params.search.lower = -5;
    params.search.upper = 5;
    params.search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params.search.iterations = 2000;
    params.search.refine = SHOAL_REFINE_NONE;
    rule->set(&params);
    return params;
}

/* Processors have groups of one unless tuned. */
static const char *const programs[] = {"cmaes.onchip", "cmaes.pipeline"};

static void compare_reals(const double *own, const double *wanted, size_t count, const char *rule,
                          const char *what, uint64_t call)
{
    const double tolerance = harness_has_fp64() ? 1e-8 : 1e-3;
    for (size_t i = 0; i < count; i++)
        if (own[i] != wanted[i] && !(fabs(own[i] - wanted[i]) <= tolerance * fmax(1, fabs(wanted[i]))))
            fail_msg("%s, call %llu: %s, number %zu is %.17g, on the host %.17g", rule,
                     (unsigned long long)call, what, i, own[i], wanted[i]);
}

static void compare_points(struct shoal_solver *device, struct shoal_solver *host, const char *rule,
                           uint64_t call)
{
    size_t count, host_count;
    const double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    compare_reals(own, wanted, count, rule, "points", call);
    harness_release();
}

static const void *section_of(const struct checkpoint *checkpoint, const char *name, size_t *bytes)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, name);
    assert_non_null(section);
    *bytes = section->bytes;
    return section->data;
}

/* The words of the populations, which decide on what follows, and their distributions. */
static void compare_populations(struct shoal_solver *device, struct shoal_solver *host, const char *rule,
                                uint64_t call)
{
    static const char *const names[] = {"scalars", "numbers", "history", "values"};
    struct checkpoint own = {0}, wanted = {0};
    size_t bytes, host_bytes;
    assert_ok(solver_get_checkpoint(device, &own, &test_error));
    assert_ok(solver_get_checkpoint(host, &wanted, &test_error));
    const uint32_t *words = section_of(&own, "counts", &bytes);
    const uint32_t *host_words = section_of(&wanted, "counts", &host_bytes);
    assert_int_equal(bytes, host_bytes);
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        if (words[i] != host_words[i])
            fail_msg("%s, call %llu: word %zu of population %zu is %u, on the host %u", rule,
                     (unsigned long long)call, i % CMA_WORDS, i / CMA_WORDS, words[i], host_words[i]);
    for (size_t k = 0; k < sizeof names / sizeof *names && harness_has_fp64(); k++) {
        const double *reals = section_of(&own, names[k], &bytes);
        const double *host_reals = section_of(&wanted, names[k], &host_bytes);
        assert_int_equal(bytes, host_bytes);
        compare_reals(reals, host_reals, bytes / sizeof *reals, rule, names[k], call);
    }
    checkpoint_clear(&own);
    checkpoint_clear(&wanted);
}

static void compare(const struct rule *rule, int32_t method)
{
    const struct shoal_cmaes_params params = params_of(rule, method);
    struct shoal_solver *device = harness_solver("cmaes", harness.device, &params);
    struct shoal_solver *host = harness_solver("cmaes", test_host_device(harness.shoal), &params);
    for (uint64_t call = 0; call < (harness.tiny ? 3 : CALLS); call++) {
        const uint64_t steps = call < SINGLE ? 1 : rule->steps;
        harness_step(host, steps);
        harness_step(device, steps);
        compare_points(device, host, rule->name, call);
        compare_populations(device, host, rule->name, call);
    }
    compare_results(device, host, harness_has_fp64() ? 1e-8 : 1e-3);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

static const int32_t methods[] = {SHOAL_CMAES_PIPELINE, SHOAL_CMAES_ONCHIP};
enum { METHODS = sizeof methods / sizeof *methods };

static void test_rules(void **state)
{
    size_t number = 0;
    (void)state;
    for (size_t i = 0; i < RULES; i++)
        for (size_t m = 0; m < METHODS; m++, number++)
            if (harness_takes_case_of(methods[m] == SHOAL_CMAES_PIPELINE ? "pipeline" : "onchip")) {
                set_work_groups(programs, group_of_case(number, METHODS));
                compare(&rules[i], methods[m]);
            }
}

/* The work-items of a group compute the values of its points together. f19 shows the rounding of fp32 most.
 */
static void test_bbob(void **state)
{
    enum { FUNCTIONS = 24, INSTANCE = 3 };
    (void)state;
    for (size_t f = 1; f <= FUNCTIONS; f++) {
        struct shoal_objective *objective = NULL;
        struct shoal_cmaes_params params;
        char name[16];
        if (!harness_takes_case())
            continue;
        snprintf(name, sizeof name, "bbob-f%zu", f);
        shoal_cmaes_params_init(&params);
        params.search.dim = f % 2 ? 3 : 5;
        params.search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
        assert_ok(shoal_objective_from_bbob(name, INSTANCE, params.search.dim, &objective, &test_error));
        params.search.objective = objective;
        params.search.iterations = 10;
        params.search.refine = SHOAL_REFINE_NONE;
        params.method = SHOAL_CMAES_ONCHIP;
        set_work_groups(programs, group_of_case(f, 1));
        struct shoal_solver *device = harness_solver("cmaes", harness.device, &params);
        struct shoal_solver *host = harness_solver("cmaes", test_host_device(harness.shoal), &params);
        harness_step(host, 1);
        harness_step(device, 1);
        compare_populations(device, host, name, 0);
        compare_results(device, host, harness_has_fp64() ? 1e-8 : 2e-2);
        shoal_solver_destroy(&device);
        shoal_solver_destroy(&host);
        shoal_objective_destroy(&objective);
    }
}

/* A checkpoint is loaded with groups of another size: where a population ends within the calls, and between
 * the parts of generations of two and of four parts. */
static void test_resumed(void **state)
{
    (void)state;
    for (size_t m = 0; m < METHODS; m++)
        for (size_t i = 0; i < RULES; i++)
            for (size_t k = 0; k < (rules[i].set == set_ipop ? 3 : rules[i].set == set_spent); k++) {
                static const uint64_t middles[] = {5, 23, 64};
                if (!harness_takes_case())
                    continue;
                const struct shoal_cmaes_params params = params_of(&rules[i], methods[m]);
                set_work_groups(programs, 8);
                struct shoal_solver *whole = harness_solver("cmaes", harness.device, &params);
                set_work_groups(programs, harness.info->is_cpu ? 1 : 64);
                compare_resumed(whole, harness_solver("cmaes", harness.device, &params), middles[k],
                                middles[k] + 25);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rules), by_turn(test_bbob),
                                       cmocka_unit_test(test_resumed)};
    return harness_main("cmaes-device", tests, sizeof tests / sizeof *tests);
}
