/* Lin-Kernighan search on devices: the tours of the host with the same cells, for every kind of distances and
 * for groups of one and of eight work-items; runs that are resumed, and that end between steps; what is
 * refused. */
#include "harness.h"

#include "tsp/lk/lk.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>

/* Whole coordinates; few places; places far apart; fractions; places in space; latitudes and longitudes; a
 * path between two cities; a matrix whose distances differ both ways; heaps far apart, joined by long edges;
 * a long strip, in which some cells are too long for offsets of 16 bits. */
enum { WHOLE, SHARED, FAR, FRACTIONS, SPACE, GLOBE, PATH, MATRIX, HEAPS, STRIP, KINDS };
enum { MOST = 120, GENERATED = 65537 };

struct input {
    double points[3 * MOST];
    int32_t matrix[MOST * MOST];
};

static uint32_t word_at(uint32_t kind, uint32_t draw)
{
    return shoal_random_words(13, SHOAL_STREAM_TEST, 3, kind, draw).x;
}

static double coordinate(int kind, uint32_t i)
{
    const uint32_t word = word_at((uint32_t)kind, i);
    switch (kind) {
    case SHARED:
        return word % 5;
    case FAR:
        return word % 100000000;
    case FRACTIONS:
        return word % 3000000 / 997.0;
    case GLOBE:
        return (i % 2 ? 180.0 : 90.0) * (word % 2000001 / 1e6 - 1);
    case STRIP:
        return i % 2 ? word % 100 : word % 300000;
    case HEAPS:
        return word % 20 + 1000.0 * (word_at(KINDS, i % 16) % 9);
    default:
        return word % 1000;
    }
}

static struct shoal_tsp_params params_of(int kind, uint32_t n, uint64_t cell, struct input *input)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.iterations = harness.tiny ? 1 : kind == HEAPS ? 8 : 3;
    params.count = n;
    params.cell = cell;
    params.replicas = kind % 2 || kind == PATH ? 3 : 0;
    params.visits = kind % 3 == 2 ? 2 : 0;
    params.dim = kind == SPACE ? 3 : 2;
    for (uint32_t i = 0; i < params.dim * n; i++)
        input->points[i] = coordinate(kind, i);
    for (uint32_t i = 0; i < n * n; i++)
        input->matrix[i] = (int32_t)(word_at(MATRIX, i) % 1000);
    params.metric = kind == MATRIX  ? SHOAL_TSP_MATRIX
                    : kind == SPACE ? SHOAL_TSP_EUC_3D
                    : kind == GLOBE ? SHOAL_TSP_HAVERSINE
                                    : SHOAL_TSP_EUC_2D;
    params.points = kind == MATRIX ? NULL : input->points;
    params.matrix = kind == MATRIX ? input->matrix : NULL;
    params.start = kind == PATH ? "1" : NULL;
    params.end = kind == PATH ? "3" : NULL;
    return params;
}

static int64_t take_tour(struct shoal_solver **solver, uint32_t *tour, size_t room)
{
    int64_t length, again;
    assert_ok(shoal_tsp_best(*solver, tour, room, &length, &test_error));
    assert_ok(shoal_tsp_check(shoal_tsp_problem_of(*solver), tour, room, &again, &test_error));
    assert_true(again == length);
    shoal_solver_destroy(solver);
    return length;
}

/* Steps of host and device side by side. */
static void compare(const struct shoal_tsp_params *params)
{
    struct shoal_solver *host = harness_solver("tsp", test_host_device(harness.shoal), params),
                        *device = harness_solver("tsp", harness.device, params);
    const size_t cities = params->generate ? GENERATED : params->count;
    uint32_t *tours = harness_memory(2 * cities * sizeof *tours);
    for (uint64_t i = 0; i < params->iterations; i++) {
        double lengths[2];
        size_t count;
        harness_step(host, 1);
        harness_step(device, 1);
        assert_ok(shoal_solver_state(host, &lengths[0], 1, &count, &test_error));
        assert_ok(shoal_solver_state(device, &lengths[1], 1, &count, &test_error));
        assert_true(lengths[0] == lengths[1]);
    }
    const int64_t length = take_tour(&host, tours, cities);
    assert_true(take_tour(&device, tours + cities, cities) == length);
    assert_words(tours + cities, tours, cities);
}

static bool has_kind(int kind)
{
    return (kind != FRACTIONS && kind != GLOBE) || harness_has_fp64();
}

/* One cell, cells of few cities, a number of cities that no size of groups divides; a size for each kind,
 * since compilers of kernels take most of the time. */
static void test_tours_of_the_host(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{113, 40}, {37, 8}, {5, 100}}, tiny[] = {13, 8};
    struct input *input = harness_memory(sizeof *input);
    for (int kind = 0; kind < KINDS; kind++) {
        const uint32_t *size = harness.tiny ? tiny : sizes[kind == HEAPS ? 0 : kind % 3];
        const struct shoal_tsp_params params = params_of(kind, size[0], size[1], input);
        if (!harness_takes_case() || !has_kind(kind))
            continue;
        test_label("kind %d, %u cities", kind, (unsigned)size[0]);
        compare(&params);
    }
}

/* More than 65,536 cities begin with a curve, and with two steps without kicks. */
static void test_curve(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    if (harness.tiny || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:65537:1";
    params.iterations = 3;
    params.cell = 8;
    compare(&params);
}

/* The work-items of a group look at moves together, with lists of two candidates at those of two cities. PoCL
 * would take minutes to compile so many barriers for groups of several work-items, so this is for GPUs and
 * the simulator. */
static void test_groups(void **state)
{
    (void)state;
    if (harness.info->is_cpu && !harness.tiny)
        return;
    struct input *input = harness_memory(sizeof *input);
    const int64_t group = 8;
    for (int i = 0; i < 4; i++) {
        const int kind = i % 2 ? PATH : WHOLE;
        struct shoal_tsp_params params =
            params_of(kind, harness.tiny ? 17 : 61, harness.tiny ? 9 : 24, input);
        if (i / 2)
            params.candidates = 2;
        if (!harness_takes_case())
            continue;
        test_label("kind %d, %d candidates", kind, (int)params.candidates);
        assert_ok(shoal_tuning_try(harness.device, "tsp.lk-search", "WG", &group, &test_error));
        compare(&params);
        assert_ok(shoal_tuning_try(harness.device, "tsp.lk-search", "WG", NULL, &test_error));
    }
}

static void test_resumed(void **state)
{
    (void)state;
    enum { CITIES = 90 };
    uint32_t tours[2][CITIES];
    struct input *input = harness_memory(sizeof *input);
    struct shoal_tsp_params params = params_of(WHOLE, CITIES, 30, input);
    params.replicas = 2;
    if (harness.tiny || !harness_takes_case())
        return;
    struct shoal_solver *whole = harness_solver("tsp", harness.device, &params),
                        *first = harness_solver("tsp", harness.device, &params),
                        *second = harness_solver("tsp", harness.device, &params);
    harness_step(whole, 3);
    harness_step(first, 1);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    shoal_solver_destroy(&first);
    assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
    harness_step(second, 2);
    const int64_t length = take_tour(&whole, tours[0], CITIES);
    assert_true(take_tour(&second, tours[1], CITIES) == length);
    assert_words(tours[1], tours[0], CITIES);
}

static bool ends_at_third(void *data)
{
    unsigned *asked = data;
    return ++*asked >= 3;
}

/* A run ends between two steps of a call, and continues as if it had not ended. */
static void test_ended_between_steps(void **state)
{
    (void)state;
    enum { CITIES = 90, STEPS = 5 };
    uint32_t tours[2][CITIES];
    uint64_t done;
    unsigned asked = 0;
    struct input *input = harness_memory(sizeof *input);
    struct shoal_tsp_params params = params_of(WHOLE, CITIES, 30, input);
    params.iterations = STEPS;
    if (harness.tiny || !harness_takes_case())
        return;
    struct shoal_solver *whole = harness_solver("tsp", harness.device, &params),
                        *ended = harness_solver("tsp", harness.device, &params);
    harness_step(whole, STEPS);
    ended->must_end = ends_at_third;
    ended->end_data = &asked;
    assert_ok(shoal_solver_step(ended, STEPS, &done, &test_error));
    assert_int_equal(done, 3);
    ended->must_end = NULL;
    harness_step(ended, STEPS - 3);
    const int64_t length = take_tour(&whole, tours[0], CITIES);
    assert_true(take_tour(&ended, tours[1], CITIES) == length);
    assert_words(tours[1], tours[0], CITIES);
}

struct ahead {
    double most, least; /* seconds from now about which steps have asked */
    double limit;       /* a run must end before a step that takes longer */
};

static bool ends_before_long_step(void *data)
{
    struct ahead *ahead = ((struct shoal_solver *)data)->stop_data;
    const double seconds = ((struct shoal_solver *)data)->ahead_s;
    ahead->most = fmax(ahead->most, seconds);
    ahead->least = fmin(ahead->least, seconds);
    return seconds > ahead->limit;
}

/* Before a step, a run asks whether it must end before the step does, as far as the last one tells, but for
 * half of 0.1 s and 0.1 us a city; the run then makes no further step. */
static void test_ends_before_long_step(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    struct ahead ahead = {.limit = INFINITY};
    uint64_t done;
    if (harness.tiny || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:65537:1";
    params.iterations = 20;
    for (int i = 0; i < 2; i++) {
        struct shoal_device *device = i ? test_host_device(harness.shoal) : harness.device;
        struct shoal_solver *solver = harness_solver("tsp", device, &params);
        struct lk_run *run = solver->method.state;
        ahead = (struct ahead){.limit = INFINITY};
        solver->must_end = ends_before_long_step;
        solver->end_data = solver;
        solver->stop_data = &ahead;
        assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
        assert_int_equal(done, 3);
        for (int kind = 0; kind < LK_STEP_KINDS; kind++)
            run->step_s[kind] = 2;
        ahead = (struct ahead){.limit = 1}; /* the first launches took long */
        assert_ok(shoal_solver_step(solver, 5, &done, &test_error));
        assert_int_equal(done, 0);
        assert_true(fabs(ahead.most - (2.2 - 0.05 - 0.5e-7 * GENERATED)) < 1e-9);
        ahead.limit = 3;
        run->cut->patience_s = 0;
        assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
        assert_int_equal(done, 1);
        assert_true(solver->ahead_s == 0);
        if (i) /* while a step of the host runs */
            assert_true(ahead.least < -0.08 && ahead.least > -0.1);
        shoal_solver_destroy(&solver);
    }
}

static uint64_t visits_of(struct shoal_device *device, const struct shoal_tsp_params *params)
{
    struct shoal_solver *solver = harness_solver("tsp", device, params);
    const uint64_t visits = lk_run_of(solver)->lk.visits;
    shoal_solver_destroy(&solver);
    return visits;
}

/* With a time limit, steps on devices are short beside it; a resumed run keeps its number of visits. */
static void test_visits(void **state)
{
    (void)state;
    struct shoal_device *host = test_host_device(harness.shoal);
    struct shoal_tsp_params params;
    if (harness.tiny || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:10000:1";
    params.iterations = 4;
    assert_int_equal(visits_of(harness.device, &params), 1);
    assert_int_equal(visits_of(host, &params), 4);
    params.visits = 3;
    assert_int_equal(visits_of(harness.device, &params), 3);
    assert_int_equal(visits_of(host, &params), 3);
    params.generate = "uniform:500:1"; /* one cell */
    assert_int_equal(visits_of(host, &params), 1);
    params.visits = 0;
    params.replicas = harness.info->is_cpu ? 4 : 400; /* 40,000 or 4,000,000 kicks in a division: 0.4 s */
    params.generate = "uniform:10000:1";
    params.time = 1;
    assert_int_equal(visits_of(harness.device, &params), 8);
    struct shoal_solver *first = harness_solver("tsp", harness.device, &params);
    harness_step(first, 1);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    shoal_solver_destroy(&first);
    params.time = 100;
    assert_int_equal(visits_of(harness.device, &params), 1);
    struct shoal_solver *second = harness_solver("tsp", harness.device, &params);
    assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
    assert_int_equal(lk_run_of(second)->lk.visits, 8);
    shoal_solver_destroy(&second);
}

/* A run with a time limit is repeated by the numbers that it names. */
static void test_time(void **state)
{
    (void)state;
    enum { CITIES = 3000 };
    uint32_t tours[2][CITIES];
    struct shoal_report report = {0};
    struct shoal_tsp_params params;
    int64_t length;
    if (harness.tiny || !harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:3000:2";
    params.replicas = 8;
    params.time = 0.4; /* 0.24 s of kicks in a division */
    assert_int_equal(visits_of(harness.device, &params), harness.info->is_cpu ? 8 : 1);
    assert_ok(shoal_run(shoal_workload_find("tsp"), harness.device, &params, NULL, &report, &test_error));
    while (report.result.steps == 0 && params.time < 60) { /* a busy machine may end no step in this time */
        params.time *= 2;
        shoal_report_clear(&report);
        assert_ok(shoal_run(shoal_workload_find("tsp"), harness.device, &params, NULL, &report, &test_error));
    }
    assert_true(report.result.steps > 0);
    assert_ok(shoal_tsp_best(report.solver, tours[0], CITIES, &length, &test_error));
    params.iterations = report.result.steps;
    params.cooling = (uint64_t)shoal_result_number(&report.result, "cooling");
    params.visits = (uint64_t)shoal_result_number(&report.result, "visits");
    shoal_report_clear(&report);
    const uint64_t visits = params.visits;
    params.visits = 0;
    assert_int_equal(visits, visits_of(harness.device, &params));
    params.visits = visits;
    params.time = NAN;
    struct shoal_solver *again = harness_solver("tsp", harness.device, &params);
    harness_step(again, params.iterations);
    assert_true(take_tour(&again, tours[1], CITIES) == length);
    assert_words(tours[1], tours[0], CITIES);
}

/* Tours of cells that fall apart are joined: many small cells, long runs, kept tours that are much longer. */
static void test_joined(void **state)
{
    (void)state;
    enum { CITIES = 2500 };
    uint32_t tour[CITIES];
    if (harness.tiny || !harness_takes_case())
        return;
    for (uint64_t cell = 8; cell <= 200; cell *= 5) {
        struct shoal_tsp_params params;
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.generate = "uniform:2500:3";
        params.iterations = 6;
        params.cell = cell;
        test_label("cells of %u", (unsigned)cell);
        struct shoal_solver *host = harness_solver("tsp", test_host_device(harness.shoal), &params);
        harness_step(host, 6);
        take_tour(&host, tour, CITIES);
    }
}

static void assert_refused(const struct shoal_tsp_params *params, enum shoal_status expected,
                           const char *message)
{
    struct shoal_solver *solver = NULL;
    const enum shoal_status status =
        shoal_solver_create(shoal_workload_find("tsp"), harness.device, harness.queue, params,
                            SHOAL_VARIANT_AUTO, &solver, &test_error);
    assert_status(status, expected);
    assert_contains(test_error.message, message);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:60:2";
    params.cell = 7;
    assert_refused(&params, SHOAL_INVALID, "cells have at least 8 cities: raise --cell");
    params.cell = 0;
    params.candidates = 33;
    assert_refused(&params, SHOAL_UNSUPPORTED, "up to 32 candidates, not 33: lower --candidates");
    params.generate = "uniform:5000:2";
    params.candidates = 32;
    params.cell = 5000; /* 6 bytes each; the simulator has 32 KiB */
    if (harness.info->local_mem <= 32768)
        assert_refused(&params, SHOAL_UNSUPPORTED, ": lower --cell");
    /* Local memory is counted for the candidates that there are. */
    params.candidates = 5;
    params.cell = 4800;
    struct shoal_solver *solver = harness_solver("tsp", harness.device, &params);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_tours_of_the_host),
                                       by_turn(test_curve),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_resumed),
                                       cmocka_unit_test(test_ended_between_steps),
                                       by_turn(test_ends_before_long_step),
                                       cmocka_unit_test(test_visits),
                                       cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_joined),
                                       cmocka_unit_test(test_refused)};
    return harness_main("tsp-lk-device", tests, sizeof tests / sizeof *tests);
}
