/* Exchange between colonies: what each colony takes, on the host; the same tours on every device, step by
 * step. */
#include "harness.h"

#include "tsp/colonies.h"

enum { COLONIES = 5, STEPS = 3 };

static const int32_t algorithms[] = {SHOAL_TSP_FACO, SHOAL_TSP_EAS,  SHOAL_TSP_RAS,
                                     SHOAL_TSP_MMAS, SHOAL_TSP_BWAS, SHOAL_TSP_ACS};

static struct shoal_tsp_params params_of(int32_t algorithm, uint64_t exchange)
{
    struct shoal_tsp_params params =
        SHOAL_TSP_PARAMS(.generate = "uniform:60:1", .algorithm = algorithm, .colonies = COLONIES);
    params.exchange = exchange;
    params.ants = harness.tiny ? 3 : 9;
    return params;
}

/* Reads the best lengths of all colonies. */
static void read_bests(struct shoal_solver *solver, int64_t bests[COLONIES])
{
    const struct tsp_colonies *colonies = solver->method.state;
    struct tsp_look look;
    assert_ok(tsp_colonies_look(solver, &look, &test_error));
    assert_int_equal(colonies->count, COLONIES);
    for (uint32_t c = 0; c < COLONIES; c++)
        bests[c] = colonies->best_of(colonies->states, c).best;
}

static struct shoal_solver *after_steps(struct shoal_device *device, int32_t algorithm, uint64_t exchange,
                                        int64_t bests[COLONIES])
{
    const struct shoal_tsp_params params = params_of(algorithm, exchange);
    struct shoal_solver *solver = harness_solver("tsp", device, &params);
    harness_step(solver, STEPS);
    read_bests(solver, bests);
    return solver;
}

/* Of colonies that have gone their own ways up to now, each takes the tour of the one before it where that is
 * shorter: no tour goes further than one colony. */
static void takes_the_shorter_tour(void **state)
{
    (void)state;
    struct shoal_device *host = test_host_device(harness.shoal);
    if (harness.tiny)
        skip();
    for (size_t a = 0; a < COUNT(algorithms); a++) {
        int64_t own[COLONIES], bests[COLONIES];
        unsigned taken = 0;
        test_label("%s", tsp_algorithms[algorithms[a]]->name);
        struct shoal_solver *alone = after_steps(host, algorithms[a], 0, own),
                            *solver = after_steps(host, algorithms[a], STEPS, bests);
        for (int c = 0; c < COLONIES; c++) {
            const int64_t sent = own[(c + COLONIES - 1) % COLONIES];
            assert_true(bests[c] == (sent < own[c] ? sent : own[c]));
            taken += sent < own[c];
        }
        assert_true(taken > 0);
        shoal_solver_destroy(&alone);
        shoal_solver_destroy(&solver);
    }
}

/* A checkpoint checks the tours by the lengths that the colonies have. */
static void assert_can_be_loaded(struct shoal_solver *solver)
{
    struct checkpoint checkpoint = {.path = "of the exchange"};
    assert_ok(solver->method.method->save(solver, &checkpoint, &test_error));
    assert_ok(solver->method.method->load(solver, &checkpoint, &test_error));
    checkpoint_clear(&checkpoint);
}

static void device_equals_host(void **state)
{
    (void)state;
    /* faco and mmas have all kernels of an exchange. */
    for (size_t a = 0; a < COUNT(algorithms); a += harness.tiny ? 3 : 1) {
        const struct shoal_tsp_params params = params_of(algorithms[a], a % 3 + 1);
        if (!harness_takes_case_of(tsp_algorithms[algorithms[a]]->name))
            continue;
        test_label("%s", tsp_algorithms[algorithms[a]]->name);
        struct shoal_solver *host = harness_solver("tsp", test_host_device(harness.shoal), &params),
                            *device = harness_solver("tsp", harness.device, &params);
        for (unsigned step = 0; step < (harness.tiny ? 3 : 9); step++) {
            int64_t wanted_bests[COLONIES], bests[COLONIES];
            size_t count, again;
            harness_step(host, 1);
            harness_step(device, 1);
            const double *wanted = harness_state(host, &count), *got = harness_state(device, &again);
            assert_int_equal(again, count);
            assert_memory_equal(got, wanted, count * sizeof *got);
            read_bests(host, wanted_bests);
            read_bests(device, bests);
            assert_memory_equal(bests, wanted_bests, sizeof bests);
        }
        assert_can_be_loaded(host);
        assert_can_be_loaded(device);
        shoal_solver_destroy(&host);
        shoal_solver_destroy(&device);
        harness_release();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_the_shorter_tour), by_turn(device_equals_host)};
    return harness_main("tsp-exchange", tests, sizeof tests / sizeof *tests);
}
