/* Every rule on every device and method, a few steps at a time, against the host solver: in double precision
 * they differ by rounding only. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/ga.h>
#include <string.h>

enum { DIM = 7, CALLS = 9 };

static const struct shoal_workload *ga;

struct rule {
    const char *name;
    bool on_chip;  /* the method onchip takes it */
    bool is_fused; /* the method fused takes it */
    void (*set)(struct shoal_ga_params *params);
};

#define RULE(name) static void set_##name(struct shoal_ga_params *params)
RULE(defaults)
{
    params->population = 33;
}
RULE(pairs)
{
    params->population = 134; /* more than a group of the method fused */
    params->search.islands = 2;
    params->elites = 0;
    params->tournament = 5;
    params->crossover = SHOAL_GA_SBX;
    params->bounds = SHOAL_GA_REFLECT;
}
RULE(thesis)
{
    params->population = 34;
    params->selection = SHOAL_GA_OWN;
    params->crossover = SHOAL_GA_ARITHMETIC;
    params->crossover_rate = 0.7;
    params->mutation = SHOAL_GA_GAUSSIAN;
    params->mutation_rate = 0.3;
    params->one_gene = true;
    params->sigma = 1;
    params->sigma_unit = SHOAL_GA_SIGMA_GENE;
    params->elites = 0;
}
/* Genes that stay in registers, all of which may mutate. */
RULE(few_genes)
{
    params->population = 35;
    params->search.dim = 3;
    params->gene_rate = 0.6;
    params->mutation_rate = 0.7;
}
RULE(thesis_2)
{
    set_thesis(params);
    params->search.dim = 2;
}
RULE(restarts)
{
    params->search.restart = 2;
    params->search.runs = 3;
    params->elites = 0;
}
RULE(restarts_of_elites)
{
    params->search.restart = 1;
    params->search.islands = 2;
    params->search.exchange = 4;
}
RULE(penalty)
{
    params->crossover = SHOAL_GA_HEURISTIC;
    params->mutation = SHOAL_GA_GAUSSIAN;
    params->bounds = SHOAL_GA_PENALTY;
    params->penalty = 10;
    params->gene_rate = 0.5;
}
RULE(blend)
{
    params->crossover = SHOAL_GA_BLX;
    params->mutation = SHOAL_GA_UNIFORM_IN_BOX;
    params->selection = SHOAL_GA_ROULETTE;
    params->elites = 3;
}
RULE(average)
{
    params->crossover = SHOAL_GA_AVERAGE;
    params->mutation = SHOAL_GA_NO_MUTATION;
    params->bounds = SHOAL_GA_UNBOUNDED;
    params->selection = SHOAL_GA_SUS;
}
RULE(one_point)
{
    params->crossover = SHOAL_GA_ONE_POINT;
    params->selection = SHOAL_GA_TRUNCATION;
    params->elites = 5;
}
RULE(elites)
{
    params->elites = 4;
}
RULE(most_elites)
{
    params->population = 36;
    params->elites = 35;
    params->search.restart = 3;
    params->search.dim = 3;
}
RULE(elites_of_runs)
{
    params->elites = 7;
    params->population = 40;
    params->search.runs = 2;
    params->search.islands = 2;
    params->search.exchange = 2;
    params->migrants = 3;
    params->search.restart = 2;
}
RULE(two_point)
{
    params->crossover = SHOAL_GA_TWO_POINT;
    params->one_gene = true;
}
RULE(uniform)
{
    params->crossover = SHOAL_GA_UNIFORM;
    params->population = 20;  /* 48 KiB hold it */
    params->search.dim = 139; /* more than one word of bits, and than one block of them */
    params->gene_rate = 0.3;
}
RULE(linear_rank)
{
    params->selection = SHOAL_GA_LINEAR_RANK;
    params->crossover = SHOAL_GA_NO_CROSSOVER;
}
RULE(exponential_rank)
{
    params->selection = SHOAL_GA_EXPONENTIAL_RANK;
    params->population = 600; /* an order of more than a group */
    params->search.dim = 2;
}
RULE(boltzmann)
{
    params->selection = SHOAL_GA_BOLTZMANN;
}
RULE(cells)
{
    params->structure = SHOAL_GA_CELLULAR_4;
    params->population = 36;
}
RULE(best_cell)
{
    params->structure = SHOAL_GA_CELLULAR_8;
    params->population = 36;
    params->selection = SHOAL_GA_BEST;
    params->replacement = SHOAL_GA_STEADY;
    params->victim = SHOAL_GA_VICTIM_PARENT;
}
RULE(steady)
{
    params->replacement = SHOAL_GA_STEADY;
    params->children = 9;
    params->unique = true;
    params->crossover_rate = 0.2; /* so that some children equal their parents */
    params->mutation_rate = 0.3;
}
RULE(steady_random)
{
    params->replacement = SHOAL_GA_STEADY;
    params->victim = SHOAL_GA_VICTIM_RANDOM;
    params->children = 12;
}
RULE(steady_oldest)
{
    params->replacement = SHOAL_GA_STEADY;
    params->victim = SHOAL_GA_VICTIM_OLDEST;
}
RULE(steady_parent)
{
    params->replacement = SHOAL_GA_STEADY;
    params->victim = SHOAL_GA_VICTIM_PARENT;
    params->children = 16;
}
RULE(plus)
{
    params->replacement = SHOAL_GA_PLUS;
    params->children = 50;
}
RULE(comma)
{
    params->replacement = SHOAL_GA_COMMA;
    params->search.restart = 2;
    params->search.runs = 2;
}
static void set_islands(struct shoal_ga_params *params, int32_t topology)
{
    params->population = 20;
    params->search.islands = 8;
    params->search.runs = 2;
    params->search.exchange = 3;
    params->search.exchange_topology = topology;
    params->migrants = 2;
}
RULE(ring)
{
    set_islands(params, SHOAL_SEARCH_EXCHANGE_RING);
    params->gene_rates = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,1";
}
RULE(all)
{
    set_islands(params, SHOAL_SEARCH_EXCHANGE_ALL);
    params->elites = 0;
}
RULE(hypercube)
{
    set_islands(params, SHOAL_SEARCH_EXCHANGE_HYPERCUBE);
    params->immigrants = SHOAL_GA_REPLACE_RANDOM;
}
RULE(random_source)
{
    set_islands(params, SHOAL_SEARCH_EXCHANGE_RANDOM);
    params->emigrants = SHOAL_GA_RANDOM_LEAVE;
}
RULE(edges)
{
    set_islands(params, SHOAL_SEARCH_EXCHANGE_EDGES);
    params->search.exchange_edges = "0-1,1-2,2-0,0-2,3-0";
}

#define ROW(name, on_chip, is_fused)                                                                         \
    {                                                                                                        \
#name, on_chip, is_fused, set_##name                                                                 \
    }
static const struct rule rules[] = {
    ROW(defaults, true, true),
    ROW(pairs, true, true),
    ROW(thesis, true, true),
    ROW(few_genes, true, true),
    ROW(thesis_2, true, true),
    ROW(restarts, true, true),
    ROW(restarts_of_elites, true, true),
    ROW(penalty, true, true),
    ROW(blend, true, false),
    ROW(average, true, false),
    ROW(one_point, true, false),
    ROW(elites, true, false),
    ROW(most_elites, true, false),
    ROW(elites_of_runs, true, false),
    ROW(two_point, true, true),
    ROW(uniform, true, true),
    ROW(linear_rank, true, false),
    ROW(exponential_rank, true, false),
    ROW(boltzmann, true, false),
    ROW(cells, false, false),
    ROW(best_cell, false, false),
    ROW(steady, false, false),
    ROW(steady_random, false, false),
    ROW(steady_oldest, false, false),
    ROW(steady_parent, false, false),
    ROW(plus, false, false),
    ROW(comma, false, false),
    ROW(ring, true, true),
    ROW(all, true, true),
    ROW(hypercube, true, true),
    ROW(random_source, true, true),
    ROW(edges, true, true),
};

static void compare(const struct rule *rule, int32_t method)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    params.search.function = 0;
    params.search.dim = DIM;
    params.search.precision = SHOAL_FP64;
    params.search.iterations = 1000;
    params.search.seed = 5;
    params.population = 33;
    rule->set(&params);
    params.method = method;
    struct shoal_solver *device = harness_solver("ga", harness.device, &params);
    params.method = SHOAL_GA_AUTO;
    struct shoal_solver *host = harness_solver("ga", test_host_device(harness.shoal), &params);
    for (int call = 0; call < CALLS; call++) {
        size_t count, host_count;
        const uint64_t steps = call < 5 ? 1 : 2;
        assert_int_equal(harness_step(device, steps), steps);
        assert_int_equal(harness_step(host, steps), steps);
        double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
        assert_int_equal(count, host_count);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(own[i] - wanted[i]) <= 1e-10 * fmax(1, fabs(wanted[i]))))
                fail_msg("%s, method %d, call %d: number %zu is %.17g, on the host %.17g", rule->name,
                         (int)method, call, i, own[i], wanted[i]);
        harness_release();
    }
    struct shoal_result of_device = {0}, of_host = {0};
    assert_ok(shoal_solver_result(device, &of_device, &test_error));
    const double value = of_device.value;
    assert_ok(shoal_solver_result(host, &of_host, &test_error));
    assert_true(fabs(value - of_host.value) <= 1e-10 * fmax(1, fabs(value)));
    assert_true(of_device.work == of_host.work);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

/* More than local memory holds where lanes share pairs, and than a group sorts. */
static bool has_many_pairs(const struct rule *rule)
{
    return strcmp(rule->name, "exponential_rank") == 0;
}

/* Rules that launch kernels of their own. */
static const char *kind_of(const struct rule *rule)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    rule->set(&params);
    const int32_t selection = params.selection;
    if (selection == SHOAL_GA_ROULETTE || selection == SHOAL_GA_SUS || selection == SHOAL_GA_BOLTZMANN)
        return "weights";
    if (has_many_pairs(rule))
        return "long order";
    return params.unique ? "unique" : "others";
}

/* More than registers hold. */
static bool has_many_genes(const struct rule *rule)
{
    return strcmp(rule->name, "uniform") == 0;
}

static void test_rules(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (harness_takes_case_of(kind_of(&rules[i])))
            compare(&rules[i], SHOAL_GA_PIPELINE);
        if (rules[i].on_chip && harness_takes_case())
            compare(&rules[i], SHOAL_GA_ONCHIP);
        if (rules[i].is_fused && !has_many_genes(&rules[i]) && harness_takes_case())
            compare(&rules[i], SHOAL_GA_FUSED);
    }
}

static void set_lanes(int64_t lanes)
{
    assert_ok(shoal_tuning_set(harness.device, "ga.onchip", "LANES", lanes, &test_error));
}

/* On the chip with several work-items, where a CPU has one; one or several of them for a pair. Each rule has
 * two of the three numbers. */
static void test_lanes(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t n = 0; n < 3; n++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (rules[i].on_chip && !has_many_genes(&rules[i]) && !has_many_pairs(&rules[i]) && (i + n) % 3 &&
                harness_takes_case()) {
                set_lanes((int64_t)1 << n);
                compare(&rules[i], SHOAL_GA_ONCHIP);
            }
    set_lanes(0);
}

/* Groups of several work-items copy genes together, where a CPU has one: fewer than the genes, and one for
 * each pair, by turns. */
static void test_fused_groups(void **state)
{
    static const int64_t items[] = {3, 64};
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t n = 0; n < sizeof items / sizeof *items; n++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (rules[i].is_fused && !has_many_genes(&rules[i]) && i % 2 == n && harness_takes_case()) {
                assert_ok(shoal_tuning_set(harness.device, "ga.fused", "WG", items[n], &test_error));
                compare(&rules[i], SHOAL_GA_FUSED);
            }
    assert_ok(shoal_tuning_set(harness.device, "ga.fused", "WG", 0, &test_error));
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_ga_params params;
    struct shoal_solver *solver = NULL;
    test_ga_params_init(&params);
    params.population = 32;
    params.method = SHOAL_GA_FUSED;
    params.elites = 2;
    assert_status(shoal_solver_create(ga, harness.device, harness.queue, &params, SHOAL_VARIANT_AUTO, &solver,
                                      &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "method fused does not do more than one elite: use another or auto");
    params.elites = 1;
    params.method = SHOAL_GA_ONCHIP;
    params.search.dim = 1 << 16;
    assert_status(shoal_solver_create(ga, harness.device, harness.queue, &params, SHOAL_VARIANT_AUTO, &solver,
                                      &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "--method onchip keeps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rules), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_fused_groups), cmocka_unit_test(test_refused)};
    ga = shoal_workload_find("ga");
    return harness_main("ga-device", tests, sizeof tests / sizeof *tests);
}
