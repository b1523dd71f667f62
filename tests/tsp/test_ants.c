/* The ants of ACOTSP: rules of the pheromone, tours and pheromone of the device under test against the host
 * to the last bit, threads, checkpoints that cannot be. */
#include "tsp/ants/device.h"
#include "workload/arrays.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ants_on_host.h"

/* Pheromone --------------------------------------------------------------------------------------------- */

/* The entry of an edge, or SHOAL_TSP_NONE. */
static uint32_t entry_of(const struct ants *ants, uint32_t from, uint32_t to)
{
    const struct ants_settings *settings = ants->settings;
    for (uint32_t k = 0; k < settings->candidates; k++)
        if (ants->lists[from * settings->lists + k] == to)
            return k;
    return SHOAL_TSP_NONE;
}

static bool holds_edge(const uint32_t *tour, uint32_t n, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = tour[i], d = tour[i + 1 < n ? i + 1 : 0];
        if ((a == c && b == d) || (a == d && b == c))
            return true;
    }
    return false;
}

/* A step of the published formulas in double precision, for all edges; `before`: pheromone before the update.
 */
static double expected_trail(const struct shoal_tsp_params *params, const struct ants_host *host,
                             double before, uint32_t a, uint32_t b)
{
    const struct ants_settings *settings = host->ants.settings;
    const double first = (double)settings->first;
    const uint32_t n = settings->cities;
    double trail = before * (1 - params->rho);
    if (params->algorithm == SHOAL_TSP_MMAS || params->algorithm == SHOAL_TSP_ACS) {
        const bool is_mmas = params->algorithm == SHOAL_TSP_MMAS;
        const bool holds =
            holds_edge(&host->tours[is_mmas ? ANTS_RESTART_BEST(0) * n : ANTS_BEST(0) * n], n, a, b);
        const double length = (double)(is_mmas ? host->colonies[0].restart_best : host->colonies[0].best);
        if (!is_mmas)
            return holds ? trail + params->rho * first / length : before;
        const double most = first / length / params->rho, p = exp(log(0.05) / n);
        trail += holds ? first / length : 0;
        return fmin(most, fmax(trail, most * (1 - p) / (p * ((settings->candidates + 1) / 2))));
    }
    for (uint32_t ant = 0; ant < settings->ants; ant++)
        if (holds_edge(tour_of(host, ant), n, a, b))
            trail += first / (double)host->lengths[ANTS_TOUR(1, 0, settings->ants, ant)];
    if (params->algorithm == SHOAL_TSP_EAS && holds_edge(&host->tours[ANTS_BEST(0) * n], n, a, b))
        trail += n * first / (double)host->colonies[0].best;
    return trail;
}

/* The first step: pheromone begins everywhere alike, and all tours are at hand. */
static void test_deposits(void **state)
{
    (void)state;
    static const int tested[] = {0, 1, 3};
    for (size_t t = 0; t < COUNT(tested); t++) {
        struct shoal_tsp_params params = params_of(tested[t]);
        params.ants = 12;
        params.rho = 0.25;
        test_label("%s", names[tested[t]]);
        struct shoal_solver *solver = host_solver(&params);
        harness_step(solver, 1);
        const struct ants_host *host = host_of(solver);
        for (uint32_t i = 0; i < 60; i++)
            for (uint32_t k = 0; k < 20; k++) {
                const uint32_t to = host->ants.lists[i * host->ants.settings->lists + k];
                const double wanted = expected_trail(&params, host, 4, i, to), got = host->trails[i * 20 + k];
                /* 13 additions and a product in single precision */
                if (!(fabs(got - wanted) <= 14 * 0x1p-24 * wanted))
                    fail_msg("edge %u - %u: %.9g, not %.9g", (unsigned)i, (unsigned)to, got, wanted);
            }
        shoal_solver_destroy(&solver);
    }
}

/* Both directions of an edge hold the same, within the bounds of mmas, after many steps. */
static void test_invariants(void **state)
{
    (void)state;
    for (int a = 0; a < ALGORITHMS; a++) {
        struct shoal_tsp_params params = params_of(a);
        params.ants = 10;
        test_label("%s", names[a]);
        struct shoal_solver *solver = host_solver(&params);
        harness_step(solver, 80);
        const struct ants_host *host = host_of(solver);
        const struct ants_colony *colony = host->colonies;
        for (uint32_t i = 0; i < 60; i++)
            for (uint32_t k = 0; k < 20; k++) {
                const uint32_t to = host->ants.lists[i * host->ants.settings->lists + k];
                const uint32_t back = entry_of(&host->ants, to, i);
                const float trail = host->trails[i * 20 + k];
                assert_true(trail > 0);
                if (back != SHOAL_TSP_NONE)
                    assert_true(host->trails[to * 20 + back] == trail);
                if (a == 3)
                    assert_true(trail >= colony->trail_min && trail <= colony->trail_max);
            }
        assert_true(colony->best == tsp_form_length(host->ants.problem, host->tours));
        shoal_solver_destroy(&solver);
    }
}

/* All ants of mmas find the best tour each time, those of bwas follow the pheromone soon. */
static void set_converging(struct shoal_tsp_params *params)
{
    const bool is_mmas = params->algorithm == SHOAL_TSP_MMAS;
    params->generate = is_mmas ? "uniform:8:4" : "uniform:60:4";
    params->ants = is_mmas ? 100 : 5;
    params->beta = 5;
    params->rho = 0.5;
}

/* mmas and bwas begin anew once they have converged, and bwas mutates from then on. */
static void test_restarts(void **state)
{
    (void)state;
    static const int tested[] = {3, 4};
    for (size_t t = 0; t < COUNT(tested); t++) {
        struct shoal_tsp_params params = params_of(tested[t]);
        set_converging(&params);
        params.iterations = 600;
        test_label("%s", names[tested[t]]);
        struct shoal_solver *solver = host_solver(&params);
        harness_step(solver, 600);
        assert_true(host_of(solver)->colonies[0].restart_step > 1);
        shoal_solver_destroy(&solver);
    }
}

/* Host and device --------------------------------------------------------------------------------------- */

/* Bests, lengths of all ants and pheromone, to the last bit. */
static void assert_same(struct shoal_solver *device_solver, struct shoal_solver *host_solver_)
{
    const struct ants_host *host = host_of(host_solver_);
    const struct ants_device *device = device_solver->method.state;
    const struct ants_settings *settings = host->ants.settings;
    void *trails = NULL, *bests = NULL;
    size_t count;
    const double *wanted = harness_state(host_solver_, &count), *got = harness_state(device_solver, &count);
    assert_memory_equal(got, wanted, count * sizeof *got);
    assert_ok(arrays_read(&device->common.arrays, "pheromone", &trails, &test_error));
    assert_memory_equal(trails, host->trails,
                        (size_t)settings->colonies * settings->cities * settings->entries *
                            sizeof *host->trails);
    assert_ok(arrays_read(&device->common.arrays, "best tours", &bests, &test_error));
    assert_memory_equal(bests, host->tours,
                        2 * (size_t)settings->colonies * settings->cities * sizeof *host->tours);
    free(trails);
    free(bests);
}

static void compare(const struct shoal_tsp_params *params, uint64_t steps)
{
    struct shoal_solver *host = host_solver(params), *device = harness_solver("tsp", harness.device, params);
    harness_step(host, steps);
    harness_step(device, steps);
    assert_same(device, host);
    shoal_solver_destroy(&host);
    shoal_solver_destroy(&device);
}

/* Cities of the tests against a simulator: the rest takes minutes there. */
static const char *cities(const char *all)
{
    return harness.tiny ? "uniform:9:1" : all;
}

static void test_device(void **state)
{
    (void)state;
    for (int a = 0; a < ALGORITHMS; a++)
        for (int full = 0; full < 2; full++) {
            if (!harness_takes_case_of(names[a]))
                continue;
            struct shoal_tsp_params params = params_of(a);
            test_label("%s, %s", names[a], full ? "all edges" : "candidates");
            params.generate = cities("uniform:75:3");
            params.ants = harness.tiny ? 3 : 11;
            params.colonies = 2;
            params.candidates = 7;
            params.colony.pheromone = full;
            compare(&params, harness.tiny ? 2 : 12);
        }
}

/* Exponents, many candidates, best choices, a path, cities that share places. */
static void test_device_rules(void **state)
{
    (void)state;
    static const double shared[14] = {1, 1, 1, 1, 2, 2, 1, 1, 2, 2, 5, 5, 1, 1};
    for (int kind = 0; kind < 6; kind++) {
        struct shoal_tsp_params params = params_of(kind % 2 ? 5 : 3);
        if (!harness_takes_case())
            continue;
        test_label("rules %d", kind);
        params.generate = cities("clustered:120:3");
        params.ants = 5;
        if (kind == 0) {
            params.alpha = 1.3;
            params.beta = 3.7;
        } else if (kind == 1) {
            params.candidates = 50;
        } else if (kind == 2) {
            params.candidates = 70;
            params.colony.q0 = 0.4;
        } else if (kind == 3) {
            params.colony.q0 = 0;
            params.candidates = 3;
        } else if (kind == 4) {
            params.path = true;
            params.start = "3";
            params.end = "5";
        } else {
            params.generate = NULL;
            params.points = shared;
            params.count = 7;
        }
        compare(&params, harness.tiny ? 2 : 10);
    }
}

/* Tours of several blocks of 128 random numbers, also with fixed edges or pheromone on all edges, with as
 * many cities as fill the last block, and with more cities than a bit each of the registers of a warp. */
static void test_device_blocks(void **state)
{
    (void)state;
    static const char *const problems[] = {"uniform:300:3", "uniform:300:3", "uniform:300:3", "uniform:256:1",
                                           "uniform:1100:1"};
    for (int kind = 0; kind < (int)COUNT(problems); kind++) {
        struct shoal_tsp_params params = params_of(3);
        if (harness.tiny || !harness_takes_case())
            continue;
        test_label("%s, kind %d", problems[kind], kind);
        params.generate = problems[kind];
        params.ants = 3;
        params.colonies = 2;
        params.path = kind == 1;
        params.colony.pheromone = kind == 2;
        params.candidates = kind == 3 ? 32 : 20;
        compare(&params, 4);
    }
}

/* Restarts and mutations, after which host and device go on alike. */
static void test_device_restarts(void **state)
{
    (void)state;
    static const int tested[] = {3, 4};
    for (size_t t = 0; t < COUNT(tested); t++) {
        struct shoal_tsp_params params = params_of(tested[t]);
        if (harness.tiny || !harness_takes_case_of(names[tested[t]]))
            continue;
        test_label("%s", names[tested[t]]);
        set_converging(&params);
        params.iterations = 420;
        compare(&params, 420);
    }
}

static void test_device_local_search(void **state)
{
    (void)state;
    static const char *const problems[] = {"uniform:79:6", "uniform:80:6", "clustered:101:2", "uniform:67:1"};
    for (uint64_t search = 1; search <= 4; search++) {
        struct shoal_tsp_params params = params_of(search == 2 ? 5 : 3);
        if (harness.tiny || !harness_takes_case())
            continue;
        test_label("local search %d", (int)search);
        params.generate = problems[search - 1];
        params.ants = 6;
        params.colony.local_search = search;
        params.colony.local_neighbours = 9;
        params.colony.look_bits = search != 4;
        compare(&params, 6);
    }
}

/* The rest of the host ---------------------------------------------------------------------------------- */

static void test_threads(void **state)
{
    (void)state;
    const int all = omp_get_max_threads();
    for (int a = 0; a < ALGORITHMS; a++) {
        struct shoal_tsp_params params = params_of(a);
        struct shoal_solver *solvers[2];
        params.colonies = 3;
        params.ants = 7;
        test_label("%s", names[a]);
        for (int i = 0; i < 2; i++) {
            omp_set_num_threads(i ? 3 : 1);
            solvers[i] = host_solver(&params);
            harness_step(solvers[i], 15);
        }
        omp_set_num_threads(all);
        const struct ants_host *one = host_of(solvers[0]), *three = host_of(solvers[1]);
        assert_memory_equal(one->trails, three->trails, (size_t)3 * 60 * 20 * sizeof(float));
        assert_memory_equal(one->tours, three->tours, (size_t)3 * (7 + 2) * 60 * sizeof(uint32_t));
        shoal_solver_destroy(&solvers[0]);
        shoal_solver_destroy(&solvers[1]);
    }
}

/* Tours of ants after local search: don't-look bits miss moves, without them none is left. */
static void test_look_bits(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < 2; bits++) {
        struct shoal_tsp_params params = params_of(3);
        params.generate = "uniform:200:1";
        params.colony.local_search = 1;
        params.colony.look_bits = bits;
        test_label("don't-look bits %d", (int)bits);
        struct shoal_solver *solver = host_solver(&params);
        harness_step(solver, 1);
        const struct ants_host *host = host_of(solver);
        const struct ants *ants = &host->ants;
        const struct tsp_improve_rules rules = {
            .moves = TSP_MOVES_2OPT, .lists = ants->near, .neighbours = ants->neighbours};
        struct tsp_improver *improver;
        uint32_t tour[200], improved = 0;
        assert_ok(tsp_improver_create(ants->problem, &rules, &improver, &test_error));
        for (uint32_t ant = 0; ant < ants->settings->ants; ant++) {
            memcpy(tour, tour_of(host, ant), sizeof tour);
            improved += tsp_improve(improver, tour, NULL, 0) > 0;
        }
        assert_true(bits ? improved > 0 : improved == 0);
        tsp_improver_destroy(&improver);
        shoal_solver_destroy(&solver);
    }
}

/* Evaporation that leaves numbers in single precision, and what is refused. */
static void test_rho(void **state)
{
    (void)state;
    static const double refused[] = {0, 1, 9e-7, 1e-40};
    for (int a = 0; a < ALGORITHMS; a++) {
        struct shoal_tsp_params params = params_of(a);
        for (size_t i = 0; i < COUNT(refused); i++) {
            params.rho = refused[i];
            assert_status(tsp_algorithms[params.algorithm]->check(&params, &test_error), SHOAL_INVALID);
            assert_contains(test_error.message, "--rho");
        }
        params.rho = 1e-6;
        params.ants = 3;
        assert_ok(tsp_algorithms[params.algorithm]->check(&params, &test_error));
        struct shoal_solver *solver = host_solver(&params);
        harness_step(solver, 2);
        const struct ants_host *host = host_of(solver);
        for (size_t i = 0; i < (size_t)60 * 20; i++)
            assert_true(isfinite(host->trails[i]) && host->trails[i] > 0);
        shoal_solver_destroy(&solver);
    }
}

/* Sections that a run cannot have written. */
static void test_damaged(void **state)
{
    (void)state;
    enum { N = 60, VALUES = N * 20 };
    struct shoal_tsp_params params = params_of(3);
    params.ants = 4;
    struct shoal_solver *solver = host_solver(&params);
    harness_step(solver, 3);
    const struct ants_host *host = host_of(solver);
    for (int kind = 0; kind < 8; kind++) {
        uint32_t tours[2 * N];
        float trails[VALUES];
        struct ants_colony colony = host->colonies[0];
        struct checkpoint checkpoint = {0};
        memcpy(tours, host->tours, sizeof tours);
        memcpy(trails, host->trails, sizeof trails);
        tours[3] = kind == 1 ? N : kind == 2 ? tours[4] : tours[3];
        trails[77] = kind == 3 ? NAN : kind == 4 ? -1 : trails[77];
        colony.best -= kind == 5;
        colony.restart_found += kind == 6 ? 9 : 0;
        colony.trail_max = kind == 7 ? INFINITY : colony.trail_max;
        checkpoint_add(&checkpoint, "best tours", tours, sizeof tours);
        checkpoint_add(&checkpoint, "colonies", &colony, sizeof colony);
        checkpoint_add(&checkpoint, "pheromone", trails, sizeof trails);
        test_label("damage %d", kind);
        const enum shoal_status status = ants_check_saved(&host->ants, &checkpoint, 3, &test_error);
        assert_int_equal(status, kind ? SHOAL_IO : SHOAL_OK);
        checkpoint_clear(&checkpoint);
    }
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deposits),     cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_restarts),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_rho),          cmocka_unit_test(test_look_bits),
        cmocka_unit_test(test_damaged),      cmocka_unit_test(test_device),
        cmocka_unit_test(test_device_rules), by_turn(test_device_blocks),
        by_turn(test_device_restarts),       cmocka_unit_test(test_device_local_search),
    };
    const struct CMUnitTest tiny[] = {cmocka_unit_test(test_device), cmocka_unit_test(test_device_rules)};
    const char *sizes = getenv("SHOAL_TEST_SIZES");
    const bool is_tiny = sizes && strcmp(sizes, "tiny") == 0;
    return harness_main("tsp-ants", is_tiny ? tiny : tests, is_tiny ? COUNT(tiny) : COUNT(tests));
}
