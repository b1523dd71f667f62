/* Every rule on every device and method, step by step, against the host solver: in double precision they
 * differ by rounding only. */
#include "states.h"

#include <math.h>
#include <shoal/de.h>
#include <string.h>

enum { DIM = 11, CALLS = 9 };

struct rule {
    const char *name;
    void (*set)(struct shoal_de_params *params);
};

#define RULE(name) static void set_##name(struct shoal_de_params *params)
/* The number of members falls in each step. */
RULE(lshade)
{
    params->search.iterations = 14;
}
RULE(jso)
{
    params->adaptation = SHOAL_DE_JSO;
    params->search.iterations = 0;
    params->search.evaluations = 150;
}
RULE(shade)
{
    params->adaptation = SHOAL_DE_SHADE;
    params->memory = 3;
    params->crossover = SHOAL_DE_EXPONENTIAL;
}
/* The archive is full after a few steps. */
RULE(jade)
{
    params->adaptation = SHOAL_DE_JADE;
    params->archive = 0.2;
}
RULE(jde)
{
    params->adaptation = SHOAL_DE_JDE;
    params->population_end = 5;
    params->search.iterations = 14;
}
RULE(classic)
{
    params->adaptation = SHOAL_DE_NONE;
    params->crossover = SHOAL_DE_EXPONENTIAL;
}
RULE(best)
{
    params->adaptation = SHOAL_DE_JADE;
    params->strategy = SHOAL_DE_BEST_1;
}
RULE(no_archive)
{
    params->archive = 0;
}
RULE(islands)
{
    params->population = 13;
    params->search.islands = 3;
    params->search.exchange = 2;
    params->search.iterations = 14;
}
RULE(restarts)
{
    params->population = 4;
    params->search.restart = 1;
    params->search.runs = 2;
    params->search.iterations = 14;
}
/* A box of its own in each dimension, and a shift. */
RULE(box)
{
    params->search.shift = 0.5;
}
RULE(many)
{
    params->population = 75; /* with the archive no more than the 32 KiB that every device has */
    params->archive = 1;
    params->search.iterations = 14;
}
/* So many members that a processor sorts them; several parts of sums; NaN of lost members in the order. */
RULE(sorted)
{
    params->population = 2500;
    params->archive = 0.2;
    params->search.dim = 2;
    params->search.islands = 2;
    params->search.exchange = 3;
    params->search.iterations = 14;
}
/* Whole numbers, choices and bits beside reals. */
RULE(rounded)
{
    params->search.variables = "x1-x4 real -5 5, x5-x7 integer -3 4, x8-x9 choice 5, x10-x11 bit";
}
/* Terms that join neighbouring coordinates, and a text that takes the whole point. */
RULE(rosenbrock)
{
    params->search.function = 1;
}

/* A level of violation, and one that begins anew with each restart. */
RULE(level)
{
    params->search.subject_to = "x[1] + x[2] <= -1; x[3] = x[4]; x[5]^2 = 2";
    params->search.iterations = 40;
    params->level = 0.5;
}
RULE(level_again)
{
    set_level(params);
    params->search.islands = 2;
    params->search.exchange = 3;
    params->search.restart = 4;
    params->adaptation = SHOAL_DE_JADE;
    params->strategy = SHOAL_DE_CURRENT_TO_PBEST_1;
}
/* A run that ends while the level still falls. */
RULE(level_stagnant)
{
    set_level(params);
    params->search.stagnation = 3;
}

#define ENTRY_OF(name)                                                                                       \
    {                                                                                                        \
#name, set_##name                                                                                    \
    }
static const struct rule rules[] = {ENTRY_OF(lshade),   ENTRY_OF(jso),         ENTRY_OF(shade),
                                    ENTRY_OF(jade),     ENTRY_OF(jde),         ENTRY_OF(classic),
                                    ENTRY_OF(best),     ENTRY_OF(no_archive),  ENTRY_OF(islands),
                                    ENTRY_OF(restarts), ENTRY_OF(box),         ENTRY_OF(rounded),
                                    ENTRY_OF(sorted),   ENTRY_OF(many),        ENTRY_OF(rosenbrock),
                                    ENTRY_OF(level),    ENTRY_OF(level_again), ENTRY_OF(level_stagnant)};

static struct shoal_de_params params_of(const struct rule *rule, int32_t method)
{
    struct shoal_de_params params;
    shoal_de_params_init(&params);
    params.population = 21;
    params.method = method;
    params.search.dim = DIM;
    params.search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params.search.iterations = 2000;
    params.search.refine = SHOAL_REFINE_NONE;
    rule->set(&params);
    return params;
}

static void compare_states(struct shoal_solver *device, struct shoal_solver *host, const char *name,
                           uint64_t call)
{
    const double tolerance = harness_has_fp64() ? 1e-10 : 1e-3;
    size_t count, host_count;
    const double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(own[i] - wanted[i]) <= tolerance * fmax(1, fabs(wanted[i]))))
            fail_msg("%s, call %llu: number %zu is %.17g, on the host %.17g", name, (unsigned long long)call,
                     i, own[i], wanted[i]);
    harness_release();
}

static void compare(const struct rule *rule, int32_t method)
{
    const struct shoal_de_params params = params_of(rule, method);
    struct shoal_solver *device = harness_solver("de", harness.device, &params);
    struct shoal_solver *host = harness_solver("de", test_host_device(harness.shoal), &params);
    for (uint64_t call = 0; call < (harness.tiny ? 2 : CALLS); call++) {
        const uint64_t steps = call < 5 ? 1 : 3, done = harness_step(host, steps);
        assert_int_equal(harness_step(device, steps), done);
        compare_states(device, host, rule->name, call);
    }
    compare_results(device, host, harness_has_fp64() ? 1e-9 : 1e-3);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

static const int32_t methods[] = {SHOAL_DE_PIPELINE, SHOAL_DE_ONCHIP};

/* Whether the method has the rule: a sorted island is too large for the chip, and a level is for the
 * pipeline. */
static bool has_rule(int32_t method, const struct rule *rule)
{
    return method == SHOAL_DE_PIPELINE || (rule->set != set_sorted && strncmp(rule->name, "level", 5) != 0);
}

/* The kernels that the case launches: those that sort are launched for large islands alone. */
static const char *kind_of(int32_t method, const struct rule *rule)
{
    return method == SHOAL_DE_ONCHIP ? "onchip" : rule->set == set_sorted ? "sorted" : "pipeline";
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (has_rule(methods[m], &rules[i]) && harness_takes_case_of(kind_of(methods[m], &rules[i])))
                compare(&rules[i], methods[m]);
}

static void test_resumed(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const struct shoal_de_params params = params_of(&rules[8], methods[m]);
        compare_resumed(harness_solver("de", harness.device, &params),
                        harness_solver("de", harness.device, &params), 5, 11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rules), cmocka_unit_test(test_resumed)};
    return harness_main("de-device", tests, sizeof tests / sizeof *tests);
}
