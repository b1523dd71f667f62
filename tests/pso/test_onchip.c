/* Islands on the chip: every rule in every layout over its first steps against the host solver, steps in one
 * launch against single ones, and the books of islands over whole runs. The layout is chosen by a tuned
 * number of LANES, so that a CPU runs what a GPU would; 0 is the CPU's own, a group of one work-item. */
#include "harness.h"
#include "searches.h"

#include <math.h>
#include <shoal/theses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };

struct rules {
    int update, topology, bounds, lanes;
    uint64_t particles, dim;
    const char *function;
    bool fp64;
    /* Where not zero: */
    uint64_t neighbours, batch, swarms, runs, exchange, restart;
    int random, initial_velocity, exchange_topology;
    double shift, velocity_limit;
    bool scalar_random, maximise;
};

static void set_lanes(int lanes)
{
    assert_ok(shoal_tuning_set(harness.device, "pso.onchip", "LANES", lanes, &test_error));
}

static struct shoal_pso_params params_of(const struct rules *rules)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = shoal_objective_find(rules->function);
    assert_non_null(params.search.objective);
    params.search.precision = rules->fp64 ? SHOAL_FP64 : SHOAL_FP32;
    params.update = rules->update;
    params.topology = rules->topology;
    params.bounds = rules->bounds;
    params.particles = rules->particles;
    params.search.dim = rules->dim;
    params.neighbours = rules->neighbours;
    params.batch = rules->batch;
    params.search.islands = rules->swarms ? rules->swarms : 1;
    params.search.runs = rules->runs ? rules->runs : 1;
    params.search.exchange = rules->exchange;
    params.search.exchange_topology = rules->exchange_topology;
    params.search.restart = rules->restart;
    params.random = rules->random;
    if (rules->initial_velocity)
        params.initial_velocity = rules->initial_velocity;
    if (rules->shift > 0)
        params.search.shift = rules->shift;
    if (rules->velocity_limit > 0)
        params.velocity_limit = rules->velocity_limit;
    params.scalar_random = rules->scalar_random;
    params.search.maximise = rules->maximise;
    params.method = SHOAL_PSO_ONCHIP;
    params.search.iterations = 1000;
    params.search.seed = 7;
    return params;
}

static void same_state(struct shoal_solver *a, struct shoal_solver *b)
{
    size_t count, other;
    const double *of_a = harness_state(a, &count), *of_b = harness_state(b, &other);
    assert_int_equal(count, other);
    assert_memory_equal(of_a, of_b, count * sizeof *of_a);
}

/* Is this size within what a simulator, or the test's time, allows? */
static bool is_left_out(const struct rules *rules)
{
    if (rules->fp64 && !harness.info->fp64)
        return true;
    return harness.tiny && rules->particles * rules->dim > 300;
}

static void check_pieces(const struct shoal_pso_params *params, struct shoal_solver *at_once, uint64_t steps,
                         double value)
{
    struct shoal_solver *in_pieces = harness_solver("pso", harness.device, params);
    for (uint64_t done = 0, piece = 0; done < steps; piece++) {
        const uint64_t count = piece < steps - done ? piece : steps - done;
        assert_int_equal(harness_step(in_pieces, count), count);
        done += count;
    }
    same_state(at_once, in_pieces);
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(in_pieces, &result, &test_error));
    assert_true(result.value == value);
    shoal_solver_destroy(&in_pieces);
}

/* Single steps against the host; all of them in one call against calls of several lengths, bit by bit. */
static void check(const struct rules *rules)
{
    if (is_left_out(rules) || !harness_takes_case())
        return;
    const struct shoal_pso_params params = params_of(rules);
    const uint64_t steps = harness.tiny ? 4 : STEPS;
    struct shoal_verification verification = {0};
    set_lanes(rules->lanes);
    test_label("%s update %d topology %d bounds %d lanes %d, %d x %d, random %d%s", rules->function,
               rules->update, rules->topology, rules->bounds, rules->lanes, (int)rules->particles,
               (int)rules->dim, rules->random, rules->fp64 ? ", fp64" : "");
    assert_ok(shoal_workload_verify(shoal_workload_find("pso"), harness.device, &params, steps,
                                    harness.variant, &verification, &test_error));
    struct shoal_solver *at_once = harness_solver("pso", harness.device, &params);
    assert_int_equal(harness_step(at_once, steps), steps);
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(at_once, &result, &test_error));
    if (!result.check_passed)
        fail_msg("%s: best %.17g, error %g", result.check_name, result.value, result.error);
    /* A simulator shows no new bits. */
    if (!harness.tiny)
        check_pieces(&params, at_once, steps, result.value);
    shoal_solver_destroy(&at_once);
    harness_release();
}

/* Each lane count from one work-item a particle to more lanes than pairs of dimensions. */
static const int all_lanes[] = {0, 1, 2, 4, 8};
enum { LANE_COUNTS = sizeof all_lanes / sizeof *all_lanes };

static void updates_and_topologies(void **state)
{
    (void)state;
    int turn = 0;
    for (int update = SHOAL_PSO_LINEAR; update <= SHOAL_PSO_FIPS; update++)
        for (int topology = SHOAL_PSO_GLOBAL; topology <= SHOAL_PSO_RANDOM; topology++, turn++) {
            const bool odd = turn % 2;
            const struct rules rules = {.update = update,
                                        .topology = topology,
                                        .lanes = all_lanes[turn % LANE_COUNTS],
                                        .particles = harness.tiny ? 6
                                                     : odd        ? 33
                                                                  : 40,
                                        .dim = harness.tiny ? 5
                                               : odd        ? 7
                                                            : 30,
                                        .function = odd ? "rosenbrock" : "rastrigin",
                                        .fp64 = turn % 3 == 0};
            check(&rules);
        }
}

static void bounds(void **state)
{
    (void)state;
    int turn = 1;
    for (int bounds = SHOAL_PSO_REFLECT; bounds <= SHOAL_PSO_UNBOUNDED; bounds++)
        for (int n = 0; n < 2; n++, turn++) {
            /* Fast particles, so that many leave the box. */
            const struct rules rules = {.bounds = bounds,
                                        .topology = n ? SHOAL_PSO_GLOBAL : SHOAL_PSO_RING,
                                        .lanes = all_lanes[turn % LANE_COUNTS],
                                        .particles = 12,
                                        .dim = n ? 7 : 2,
                                        .function = n ? "griewank" : "sphere",
                                        .fp64 = n == 1,
                                        .initial_velocity = SHOAL_PSO_RANGE,
                                        .shift = n,
                                        .velocity_limit = n ? 0.5 : 0};
            check(&rules);
        }
}

static void random_numbers(void **state)
{
    (void)state;
    for (int n = 0; n < LANE_COUNTS; n += 2) {
        const struct rules rules[] = {
            {.particles = 9, .dim = 13, .function = "ackley", .random = SHOAL_PSO_PHILOX16},
            {.particles = 9,
             .dim = 6,
             .function = "ackley",
             .random = SHOAL_PSO_PHILOX16,
             .fp64 = true,
             .update = SHOAL_PSO_LINEAR},
            {.particles = 9, .dim = 6, .function = "schwefel", .scalar_random = true, .maximise = true},
            {.particles = 9,
             .dim = 6,
             .function = "sphere",
             .scalar_random = true,
             .random = SHOAL_PSO_PHILOX16,
             .bounds = SHOAL_PSO_REENTRY},
        };
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
            struct rules with = rules[i];
            with.lanes = all_lanes[n];
            check(&with);
        }
    }
}

static void sizes(void **state)
{
    (void)state;
    static const uint64_t particles[] = {1, 3, 33, 40}, dims[] = {1, 2, 7, 30, 33};
    int turn = 0;
    for (size_t i = 0; i < sizeof particles / sizeof *particles; i++)
        for (size_t k = i % 2; k < sizeof dims / sizeof *dims; k += 2, turn++) {
            const struct rules rules = {.topology = turn % 2 ? SHOAL_PSO_GLOBAL : SHOAL_PSO_RANDOM,
                                        .update = turn % 3 ? SHOAL_PSO_CONSTRICTION : SHOAL_PSO_FIPS,
                                        .lanes = all_lanes[turn % LANE_COUNTS],
                                        .particles = particles[i],
                                        .dim = dims[k],
                                        .neighbours = turn % 2 ? 0 : 5,
                                        .function = "styblinski-tang",
                                        .fp64 = turn % 4 == 3};
            check(&rules);
        }
}

/* Bests shared in the middle of a step; several islands and runs; fresh draws every few steps. */
static void batches_and_islands(void **state)
{
    (void)state;
    for (int n = 0; n < LANE_COUNTS; n += harness.tiny ? 4 : 2) {
        const struct rules rules[] = {
            {.particles = 10, .dim = 5, .function = "rastrigin", .batch = 1},
            {.particles = 10,
             .dim = 5,
             .function = "rastrigin",
             .batch = 4,
             .topology = SHOAL_PSO_RANDOM,
             .update = SHOAL_PSO_SPSO2011,
             .fp64 = true},
            {.particles = 5, .dim = 4, .function = "rosenbrock", .swarms = 3, .runs = 2, .exchange = 3},
            {.particles = 5,
             .dim = 4,
             .function = "sphere",
             .swarms = 3,
             .runs = 2,
             .exchange = 2,
             .exchange_topology = SHOAL_SEARCH_EXCHANGE_ALL,
             .topology = SHOAL_PSO_VON_NEUMANN},
            {.particles = 4,
             .dim = 6,
             .function = "rastrigin",
             .runs = 3,
             .restart = 2,
             .topology = SHOAL_PSO_RANDOM},
            {.particles = 4, .dim = 6, .function = "rastrigin", .swarms = 4, .restart = 1, .exchange = 3},
            {.particles = 1, .dim = 3, .function = "sphere", .swarms = 3, .exchange = 1},
        };
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
            struct rules with = rules[i];
            with.lanes = all_lanes[n];
            check(&with);
        }
    }
}

/* Opaque objectives have a whole point in a work-item, whatever LANES say. */
static const char opaque_text[] = "#define SHAPE OPAQUE\n"
                                  "static inline real objective_value(const real *x, uint dim)\n"
                                  "{\n"
                                  "    real sum = R(0.0);\n"
                                  "    uint d;\n"
                                  "    for (d = 0; d < dim; d++)\n"
                                  "        sum += x[d] * x[d] * (real)(d + 1u);\n"
                                  "    return sum > R(60.0) ? (real)NAN : sum;\n"
                                  "}\n";

static void opaque_and_not_finite(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    assert_ok(shoal_objective_from_text(harness.shoal, opaque_text, "weighted", &objective, &test_error));
    for (int n = 0; n < LANE_COUNTS; n += 2) {
        const struct rules rules = {
            .particles = 8, .dim = 5, .function = "sphere", .bounds = SHOAL_PSO_INVISIBLE};
        struct shoal_pso_params params = params_of(&rules);
        struct shoal_verification verification = {0};
        params.search.objective = objective;
        params.search.lower = -3;
        params.search.upper = 3;
        set_lanes(all_lanes[n]);
        assert_ok(shoal_workload_verify(shoal_workload_find("pso"), harness.device, &params,
                                        harness.tiny ? 4 : STEPS, harness.variant, &verification,
                                        &test_error));
        struct shoal_solver *host = harness_solver("pso", test_host_device(harness.shoal), &params);
        struct shoal_solver *device = harness_solver("pso", harness.device, &params);
        struct shoal_result of_host = {0}, of_device = {0};
        harness_step(host, 5);
        harness_step(device, 5);
        assert_ok(shoal_solver_result(host, &of_host, &test_error));
        assert_ok(shoal_solver_result(device, &of_device, &test_error));
        const double not_finite = shoal_result_number(&of_device, "not_finite");
        assert_true(not_finite > 0 && not_finite == shoal_result_number(&of_host, "not_finite"));
        shoal_solver_destroy(&host);
        shoal_solver_destroy(&device);
        harness_release();
    }
    shoal_objective_destroy(&objective);
}

/* The table lies behind the settings, and behind the box where they hold one. */
static const char table_text[] =
    "#define SHAPE OPAQUE\n"
    "#define TABLE\n"
    "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
    "{\n"
    "    real most = R(0.0);\n"
    "    uint row, d;\n"
    "    for (row = 0; row < TABLE_ROWS; row++) {\n"
    "        real rest = ELEMENT(table, row, COLUMNS - 1);\n"
    "        for (d = 0; d < dim; d++)\n"
    "            rest -= x[d] * ELEMENT(table, row, d);\n"
    "        most = fmax(most, fabs(rest));\n"
    "    }\n"
    "    return most;\n"
    "}\n";

static void values_from_a_table(void **state)
{
    enum { ROWS = 5, DIM = 3, COLUMNS = DIM + 1 };
    (void)state;
    struct shoal_objective *objective;
    double values[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = (double)(i * i % 17) / 8 - 1;
    assert_ok(shoal_objective_from_text_table(harness.shoal, table_text, "minimax", values, ROWS, COLUMNS,
                                              &objective, &test_error));
    for (int n = 0; n < 4; n++) {
        const struct rules rules = {
            .particles = 8, .dim = DIM, .function = "sphere", .fp64 = n % 2 && harness.info->fp64};
        struct shoal_pso_params params = params_of(&rules);
        struct shoal_verification verification = {0};
        params.search.objective = objective;
        params.search.lower = -3;
        params.search.upper = 3;
        params.search.shift = n / 2;
        set_lanes(all_lanes[n % LANE_COUNTS]);
        assert_ok(shoal_workload_verify(shoal_workload_find("pso"), harness.device, &params,
                                        harness.tiny ? 4 : STEPS, harness.variant, &verification,
                                        &test_error));
        harness_release();
    }
    shoal_objective_destroy(&objective);
}

/* Ends of runs, restarts and the trace as the host has them: on a function so plain that rounding decides
 * nothing. */
static void books_of_runs(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    struct shoal_device *host_device = test_host_device(harness.shoal);
    for (int n = 0; n < 6; n++) {
        const struct rules rules = {.particles = 10,
                                    .dim = 3,
                                    .function = "sphere",
                                    .fp64 = harness.info->fp64,
                                    .runs = 3,
                                    .swarms = n % 2 ? 2 : 1,
                                    .exchange = n % 2 ? 4 : 0,
                                    .restart = n >= 4 ? 6 : 0};
        struct shoal_pso_params params = params_of(&rules);
        params.search.iterations = 90;
        params.search.trace = 7;
        if (n < 2)
            params.search.target = 1e-3;
        else if (n < 4)
            params.search.stagnation = 4;
        set_lanes(n < 3 ? 0 : 2);
        struct shoal_solver *host = harness_solver("pso", host_device, &params),
                            *device = harness_solver("pso", harness.device, &params);
        struct shoal_result of_host = {0}, of_device = {0};
        harness_step(host, 90);
        while (harness_step(device, 40))
            ;
        assert_ok(shoal_solver_result(host, &of_host, &test_error));
        assert_ok(shoal_solver_result(device, &of_device, &test_error));
        assert_true(of_device.check_passed);
        assert_int_equal(of_host.steps, of_device.steps);
        for (size_t i = 0; i < of_host.field_count; i++)
            for (size_t k = 0; k < of_device.field_count; k++) {
                const struct shoal_field *a = &of_host.fields[i], *b = &of_device.fields[k];
                if (strcmp(a->name, b->name) != 0 || strcmp(a->name, "precision") == 0)
                    continue;
                if (a->type == SHOAL_FIELD_UINT)
                    assert_int_equal(a->uint, b->uint);
                if (strcmp(a->name, "trace") != 0)
                    continue;
                assert_int_equal(a->count, b->count);
                for (size_t entry = 0; entry < a->count; entry++)
                    assert_close(b->reals[entry], a->reals[entry], 1e-6);
            }
        shoal_solver_destroy(&host);
        shoal_solver_destroy(&device);
        harness_release();
    }
}

/* A resumed run equals one that was not interrupted, bit by bit. */
static void resumed(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    for (int n = 0; n < 2; n++) {
        const struct rules rules = {.particles = 12,
                                    .dim = 6,
                                    .function = "rastrigin",
                                    .topology = SHOAL_PSO_RANDOM,
                                    .swarms = 2,
                                    .exchange = 5,
                                    .restart = 4};
        const struct shoal_pso_params params = params_of(&rules);
        set_lanes(n ? 2 : 0);
        struct shoal_solver *whole = harness_solver("pso", harness.device, &params);
        struct shoal_solver *first = harness_solver("pso", harness.device, &params);
        struct shoal_solver *second = harness_solver("pso", harness.device, &params);
        assert_int_equal(harness_step(whole, 40), 40);
        assert_int_equal(harness_step(first, 17), 17);
        assert_ok(shoal_solver_save(first, test_path("search"), &test_error));
        assert_ok(shoal_solver_load(second, test_path("search"), &test_error));
        assert_int_equal(harness_step(second, 23), 23);
        same_state(whole, second);
        struct shoal_result of_whole = {0}, of_second = {0};
        assert_ok(shoal_solver_result(whole, &of_whole, &test_error));
        assert_ok(shoal_solver_result(second, &of_second, &test_error));
        assert_true(of_whole.value == of_second.value);
        shoal_solver_destroy(&whole);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
        harness_release();
    }
}

/* The checkpoint of a solver, in memory of the harness. */
static const char *checkpoint_of(struct shoal_solver *solver, size_t *bytes)
{
    const size_t most = 1 << 20;
    char *all = harness_memory(most);
    assert_ok(shoal_solver_save(solver, test_path("search"), &test_error));
    FILE *file = fopen(test_path("search"), "rb");
    assert_non_null(file);
    *bytes = fread(all, 1, most, file);
    assert_true(*bytes < most);
    assert_int_equal(fclose(file), 0);
    return all;
}

/* Of particles with equal values the first one stays the best, wherever launches end. Near a minimum of
 * Rastrigin's function many values are equal in single precision. */
static void equal_bests(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    struct shoal_pso_params params = SHOAL_PSO_PARAMS(.search.seed = 1, .search.runs = 9, .search.dim = 3,
                                                      .search.iterations = 300, .particles = 8);
    size_t size, other;
    params.method = SHOAL_PSO_ONCHIP;
    set_lanes(0);
    struct shoal_solver *at_once = harness_solver("pso", harness.device, &params),
                        *by_steps = harness_solver("pso", harness.device, &params);
    assert_int_equal(harness_step(at_once, 300), 300);
    for (int step = 0; step < 300; step++)
        assert_int_equal(harness_step(by_steps, 1), 1);
    const char *wanted = checkpoint_of(by_steps, &size), *found = checkpoint_of(at_once, &other);
    assert_int_equal(size, other);
    assert_memory_equal(found, wanted, size);
    shoal_solver_destroy(&at_once);
    shoal_solver_destroy(&by_steps);
    harness_release();
}

/* Runs of islands are as good as the host's: median of the runs' bests within three standard errors,
 * each 1.25 standard deviations over the root of the number of runs, a standard deviation 0.74 interquartile
 * ranges. */
static void as_good_as_the_host(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    enum { RUNS = 40 };
    const struct rules rules = {.particles = 16,
                                .dim = 10,
                                .function = "rastrigin",
                                .runs = RUNS,
                                .swarms = 4,
                                .exchange = 50,
                                .random = SHOAL_PSO_PHILOX16};
    struct shoal_pso_params params = params_of(&rules);
    struct shoal_device *devices[] = {harness.device, test_host_device(harness.shoal)};
    double median[2], deviation[2];
    set_lanes(0);
    for (int n = 0; n < 2; n++) {
        struct shoal_solver *solver = harness_solver("pso", devices[n], &params);
        struct shoal_result result = {0};
        assert_int_equal(harness_step(solver, 300), 300);
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        assert_true(result.check_passed);
        median[n] = shoal_result_number(&result, "median");
        deviation[n] = 0.74 * (shoal_result_number(&result, "q75") - shoal_result_number(&result, "q25"));
        shoal_solver_destroy(&solver);
        params.search.seed += RUNS; /* other runs */
    }
    const double error = 1.25 * hypot(deviation[0], deviation[1]) / sqrt(RUNS);
    assert_near(median[0], median[1], 3 * error);
}

/* What does not fit says so in one line. */
static void refusals(void **state)
{
    (void)state;
    struct shoal_solver *solver;
    struct rules rules = {.particles = 5000, .dim = 100, .function = "sphere"};
    struct shoal_pso_params params = params_of(&rules);
    set_lanes(0);
    assert_status(shoal_solver_create(shoal_workload_find("pso"), harness.device, harness.queue, &params,
                                      harness.variant, &solver, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "onchip");
#if SHOAL_THESES
    rules.particles = 10;
    params = params_of(&rules);
    params.random = SHOAL_PSO_GLOB;
    assert_status(shoal_solver_create(shoal_workload_find("pso"), harness.device, harness.queue, &params,
                                      harness.variant, &solver, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "glob");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_and_topologies),
        cmocka_unit_test(bounds),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(batches_and_islands),
        cmocka_unit_test(opaque_and_not_finite),
        cmocka_unit_test(values_from_a_table),
        cmocka_unit_test(books_of_runs),
        cmocka_unit_test(resumed),
        cmocka_unit_test(equal_bests),
        cmocka_unit_test(as_good_as_the_host),
        cmocka_unit_test(refusals),
    };
    return harness_main("onchip", tests, sizeof tests / sizeof *tests);
}
