/* The algorithm of the thesis on every device: step by step against the host solver in double precision where
 * its order is fixed, and by what mailboxes must keep where it is not. A device that calls itself a GPU
 * without units to spare, or with them, gets the work-groups that GPUs get, so CPUs run them too. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/ga.h>
#include <shoal/theses.h>
#include <string.h>

struct rule {
    const char *name;
    uint64_t population, dim, islands, runs, exchange, migrants;
    int32_t migration, bounds, mutation, topology;
    const char *function;
    bool select_crossing;
};

#define ISLANDS(topology_) .islands = 4, .runs = 2, .exchange = 3, .migrants = 2, .topology = topology_
#define ITSELF(count)      .islands = 1, .runs = 2, .exchange = 2, .migrants = count, .migration = SHOAL_GA_MAILBOX

static const struct rule rules[] = {
    {"alone", 34, 7, 1, 1, .function = "rosenbrock"},
    {"pairs that cross", 34, 3, 2, 1, .function = "rosenbrock", .select_crossing = true},
    {"penalty", 12, 2, 1, 1, .bounds = SHOAL_GA_PENALTY, .function = "michalewicz"},
    {"no mutation", 98, 3, 3, 1, .mutation = SHOAL_GA_NO_MUTATION, .function = "griewank"},
    {"ring", 20, 3, ISLANDS(SHOAL_SEARCH_EXCHANGE_RING), .function = "sphere"},
    {"ring, one migrant", 34, 3, 4, 2, 3, 1, .function = "rosenbrock"},
    {"hypercube", 20, 3, ISLANDS(SHOAL_SEARCH_EXCHANGE_HYPERCUBE), .function = "rastrigin"},
    {"all", 20, 3, ISLANDS(SHOAL_SEARCH_EXCHANGE_ALL), .function = "sphere"},
    {"itself", 34, 3, ITSELF(1), .function = "rastrigin"},
    {"itself, many", 34, 3, ITSELF(17), .bounds = SHOAL_GA_REFLECT, .function = "rastrigin"},
    {"itself, large", 128, 2, ITSELF(1), .function = "rosenbrock"},
    {"itself, larger", 300, 2, ITSELF(3), .function = "rosenbrock"},
};

enum lay { AS_IT_IS, GPU, GPU_WITH_HELPERS };

/* PoCL 3.1 compiles barriers in conditions wrongly, which groups of one work-item, those of CPUs, do without.
 */
static enum lay last_layout(void)
{
    return harness.info->is_cpu && !strstr(harness.info->name, "Oclgrind") ? AS_IT_IS : GPU_WITH_HELPERS;
}

/* Of the solvers created from now on. */
static void lay_out(enum lay lay)
{
    static struct shoal_device_info kept;
    static bool is_kept;
    struct shoal_device_info *info = (struct shoal_device_info *)shoal_device_get_info(harness.device);
    if (!is_kept)
        kept = *info;
    is_kept = lay != AS_IT_IS;
    *info = kept;
    if (lay == AS_IT_IS)
        return;
    info->is_cpu = false;
    info->units = lay == GPU ? 0 : 1000;
}

/* Of the parameters that params_of has made last. */
static struct shoal_ga_thesis thesis;

static struct shoal_ga_params params_of(const struct rule *rule)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    params.search.objective = shoal_objective_find(rule->function);
    params.search.dim = rule->dim;
    params.search.precision = SHOAL_FP64;
    params.search.iterations = 1000;
    params.search.seed = 5;
    params.search.islands = rule->islands;
    params.search.runs = rule->runs;
    params.search.exchange = rule->exchange;
    params.search.exchange_topology = rule->topology;
    params.migrants = rule->migrants ? rule->migrants : 1;
    params.population = rule->population;
    params.selection = SHOAL_GA_OWN;
    params.crossover = SHOAL_GA_ARITHMETIC;
    params.crossover_rate = 0.7;
    params.mutation = rule->mutation ? rule->mutation : SHOAL_GA_GAUSSIAN;
    if (params.mutation == SHOAL_GA_GAUSSIAN) {
        params.mutation_rate = 0.3;
        params.one_gene = true;
    }
    params.bounds = rule->bounds;
    params.elites = 0;
    thesis = SHOAL_GA_THESIS_PARAMS(.random = SHOAL_GA_HYBRIDTAUS, .migration = rule->migration,
                                    .select_crossing = rule->select_crossing);
    params.thesis = &thesis;
    return params;
}

static void compare(const struct rule *rule, enum lay lay)
{
    struct shoal_ga_params params = params_of(rule);
    lay_out(lay);
    struct shoal_solver *device = harness_solver("ga", harness.device, &params);
    lay_out(AS_IT_IS);
    struct shoal_solver *host = harness_solver("ga", test_host_device(harness.shoal), &params);
    for (int call = 0; call < (harness.tiny ? 3 : 9); call++) {
        size_t count, host_count;
        const uint64_t steps = call < 2 ? 1 : 4;
        assert_int_equal(harness_step(device, steps), steps);
        assert_int_equal(harness_step(host, steps), steps);
        double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
        assert_int_equal(count, host_count);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(own[i] - wanted[i]) <= 1e-9 * fmax(1, fabs(wanted[i]))))
                fail_msg("%s, layout %d, call %d: number %zu is %.17g, on the host %.17g", rule->name,
                         (int)lay, call, i, own[i], wanted[i]);
        harness_release();
    }
    struct shoal_result of_device = {0}, of_host = {0};
    assert_ok(shoal_solver_result(device, &of_device, &test_error));
    const double value = of_device.value;
    assert_ok(shoal_solver_result(host, &of_host, &test_error));
    assert_true(fabs(value - of_host.value) <= 1e-9 * fmax(1, fabs(value)));
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

static void test_rules(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (enum lay lay = AS_IT_IS; lay <= last_layout(); lay++)
            if (harness_takes_case_of(lay == AS_IT_IS ? "alone" : "groups"))
                compare(&rules[i], lay);
}

static void assert_same_field(const char *name, const struct shoal_result *a, const struct shoal_result *b)
{
    const struct shoal_field *own = shoal_result_find(a, name), *wanted = shoal_result_find(b, name);
    assert_int_equal(own->count, wanted->count);
    assert_memory_equal(own->reals, wanted->reals, own->count * sizeof *own->reals);
}

/* Launches that hand an exchange on to the next compute what those do that make it by kernels of its own:
 * after calls of one step each, bits and records are the same as after one call. */
static void test_epochs(void **state)
{
    (void)state;
    enum { STEPS = 14 };
    for (uint64_t migrants = 1; migrants <= 2; migrants++)
        for (enum lay lay = AS_IT_IS; lay <= last_layout(); lay++) {
            struct shoal_ga_params params = params_of(&(struct rule){
                "", 34, 3, ISLANDS(SHOAL_SEARCH_EXCHANGE_HYPERCUBE), .function = "rosenbrock"});
            if (!harness_takes_case_of("epochs"))
                continue;
            if (migrants == 1)
                params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_RING;
            params.migrants = migrants;
            params.search.precision = SHOAL_FP32;
            params.search.trace = 1;
            params.search.iterations = STEPS;
            lay_out(lay);
            struct shoal_solver *one = harness_solver("ga", harness.device, &params),
                                *many = harness_solver("ga", harness.device, &params);
            lay_out(AS_IT_IS);
            assert_int_equal(harness_step(one, STEPS), STEPS);
            for (int step = 0; step < STEPS; step++)
                assert_int_equal(harness_step(many, 1), 1);
            size_t count, wanted_count;
            const double *own = harness_state(one, &count), *wanted = harness_state(many, &wanted_count);
            assert_int_equal(count, wanted_count);
            assert_memory_equal(own, wanted, count * sizeof *own);
            struct shoal_result result = {0}, wanted_result = {0};
            assert_ok(shoal_solver_result(one, &result, &test_error));
            assert_ok(shoal_solver_result(many, &wanted_result, &test_error));
            assert_true(result.value == wanted_result.value);
            assert_same_field("trace", &result, &wanted_result);
            assert_same_field("position", &result, &wanted_result);
            harness_release();
            shoal_solver_destroy(&one);
            shoal_solver_destroy(&many);
        }
}

/* Without crossover and mutation each member is one of those that its run began with, so an individual that
 * was torn between two, or is none at all, shows; and some come from other islands. */
static void check_mailboxes(enum lay lay, enum shoal_precision precision, uint64_t migrants)
{
    enum { ISLANDS = 6, MEMBERS = 40, DIM = 12, STEPS = 40 };
    struct shoal_ga_params params =
        params_of(&(struct rule){"", MEMBERS, DIM, ISLANDS, 1, 1, migrants, SHOAL_GA_MAILBOX,
                                 .mutation = SHOAL_GA_NO_MUTATION, .function = "rastrigin"});
    params.search.precision = precision;
    params.crossover_rate = 0;
    lay_out(lay);
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
    lay_out(AS_IT_IS);
    size_t count, strangers = 0;
    assert_int_equal(harness_step(solver, 0), 0);
    double *before = harness_state(solver, &count);
    for (int call = 0; call < 4; call++)
        assert_int_equal(harness_step(solver, STEPS), STEPS);
    const double *after = harness_state(solver, &count);
    const size_t total = count / DIM;
    for (size_t i = 0; i < total; i++) {
        size_t found = 0;
        for (; found < total; found++) {
            size_t d = 0;
            while (d < DIM && before[d * total + found] == after[d * total + i])
                d++;
            if (d == DIM)
                break;
        }
        assert_true(found < total);
        strangers += found / MEMBERS != i / MEMBERS;
    }
    assert_true(strangers > 0);
    harness_release();
    shoal_solver_destroy(&solver);
}

static void test_mailboxes(void **state)
{
    (void)state;
    /* A simulator that looks for races finds that islands read mailboxes while others write. */
    if (harness.tiny)
        skip();
    for (enum lay lay = AS_IT_IS; lay <= last_layout(); lay++) {
        if (harness_takes_case_of("mailbox"))
            check_mailboxes(lay, SHOAL_FP32, 1);
        if (harness_takes_case_of("mailbox") && harness_has_fp64())
            check_mailboxes(lay, SHOAL_FP64, 5);
    }
}

/* A run that is saved and loaded goes on with the same bits, mailbox and generators included. */
static void test_checkpoint(void **state)
{
    (void)state;
    struct shoal_ga_params params = params_of(&rules[5]);
    params.search.precision = SHOAL_FP32;
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params),
                        *other = harness_solver("ga", harness.device, &params);
    size_t count;
    assert_int_equal(harness_step(solver, 5), 5);
    assert_ok(shoal_solver_save(solver, test_path("thesis"), &test_error));
    assert_ok(shoal_solver_load(other, test_path("thesis"), &test_error));
    assert_int_equal(harness_step(solver, 7), 7);
    assert_int_equal(harness_step(other, 7), 7);
    const double *wanted = harness_state(solver, &count), *own = harness_state(other, &count);
    assert_memory_equal(own, wanted, count * sizeof *own);
    harness_release();
    shoal_solver_destroy(&solver);
    shoal_solver_destroy(&other);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_ga_params params = params_of(&rules[0]);
    struct shoal_solver *solver = NULL;
    const struct shoal_workload *ga = shoal_workload_find("ga");
    params.search.precision = SHOAL_FP32;
    params.search.dim = 1 << 16;
    assert_status(shoal_solver_create(ga, harness.device, harness.queue, &params, SHOAL_VARIANT_AUTO, &solver,
                                      &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "keeps an island in local memory: 34 individuals of dim 65536 need");
    params.search.dim = 2;
    params.method = SHOAL_GA_PIPELINE;
    assert_status(shoal_solver_create(ga, harness.device, harness.queue, &params, SHOAL_VARIANT_AUTO, &solver,
                                      &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "does not do random numbers other than philox");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_epochs),
                                       cmocka_unit_test(test_mailboxes), by_turn(test_checkpoint),
                                       cmocka_unit_test(test_refused)};
    return harness_main("ga-thesis-device", tests, sizeof tests / sizeof *tests);
}
