/* Lower bounds on every device: rounds of an ascent with the whole numbers of the host's, and the host's
 * bounds. */
#include "ascents.h"
#include "harness.h"

#include "tsp/bound/device.h"
#include "tsp/bound/rounds.h"
#include "tsp/tsp.h"

#include <shoal/tsp_bound.h>
#include <stdlib.h>

#include "lib/host.h"
#include "tsp/bound/rounds.clh"

enum { MANY = 2051, TINY = 75, ROUNDS = 9, TINY_ROUNDS = 2, LOOKS = 4 };

static void read_back(struct shoal_buffer *buffer, void *to, size_t bytes)
{
    assert_ok(shoal_buffer_read(harness.queue, buffer, 0, to, bytes, &test_error));
}

/* penalties, degrees: [n], scratch memory. */
static void assert_same(const struct tsp_rounds *host, struct tsp_device_rounds *rounds, int64_t *penalties,
                        int32_t *degrees)
{
    const size_t n = host->n;
    round_total total;
    assert_ok(tsp_device_rounds_look(rounds, &total, &test_error));
    assert_true(total.weight == host->weight && total.longest == host->longest);
    assert_int_equal(total.special, host->special);
    assert_int_equal(total.even, host->even);
    read_back(rounds->penalties, penalties, n * sizeof *penalties);
    read_back(rounds->degrees, degrees, n * sizeof *degrees);
    assert_memory_equal(penalties, host->penalties, n * sizeof *penalties);
    assert_memory_equal(degrees, host->degrees, n * sizeof *degrees);
}

/* The same rounds on host and device, then the same best penalties. */
static void assert_rounds(const struct tsp_problem *problem)
{
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_bound_device device;
    struct tsp_device_rounds rounds;
    struct tsp_rounds host;
    struct tsp_graph graph;
    ascents_graph(problem, &graph);
    int64_t *penalties = malloc(graph.n * sizeof *penalties);
    int32_t *degrees = malloc(graph.n * sizeof *degrees);
    assert_ok(tsp_places_create(problem, harness.queue, &places, &test_error));
    assert_ok(tsp_bound_device_create(&places, &programs, &device, &test_error));
    assert_ok(tsp_device_rounds_create(&device, &graph, 1, &rounds, &test_error));
    assert_ok(tsp_rounds_create(&graph, 1, &host, &test_error));
    tsp_rounds_find(&host);
    assert_ok(tsp_device_rounds_find(&rounds, &test_error));
    for (int round = 0; round < (harness.tiny ? TINY_ROUNDS : ROUNDS) && host.even < graph.n; round++) {
        const int64_t step = host.longest > 0 ? host.longest / (1 + round) : 1000;
        assert_same(&host, &rounds, penalties, degrees);
        tsp_rounds_move(&host, step);
        tsp_rounds_find(&host);
        assert_ok(tsp_device_rounds_move(&rounds, step, &test_error));
        assert_ok(tsp_device_rounds_find(&rounds, &test_error));
    }
    assert_same(&host, &rounds, penalties, degrees);
    assert_ok(tsp_device_rounds_give(&rounds, &graph, &test_error));
    for (uint32_t i = 0; i < graph.n; i++)
        penalties[i] = graph.penalties[i];
    tsp_rounds_give(&host, &graph);
    assert_memory_equal(penalties, graph.penalties, graph.n * sizeof *penalties);
    tsp_device_rounds_destroy(&rounds);
    tsp_rounds_destroy(&host);
    tsp_graph_destroy(&graph);
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    free(penalties);
    free(degrees);
}

static void test_rounds(void **state)
{
    (void)state;
    if (harness_has_fp64())
        ascents_each(harness.tiny ? TINY : MANY, assert_rounds);
}

/* A tour ends the changes of penalties: three cities, and a circle. */
static void test_tour(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 10, 1, 19, 8, 15, 20, 3, 17, -4, 8};
    struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.points = points, .count = 6);
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_bounder *bounder;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    for (params.count = 3; params.count <= 6; params.count += 3) {
        int64_t bound = -1, wanted;
        assert_ok(shoal_tsp_open(&params, &problem, &test_error));
        assert_ok(shoal_tsp_bound(problem, &wanted, &test_error));
        assert_ok(shoal_tsp_bounder_create(problem, harness.queue, harness.variant, &bounder, &test_error));
        assert_status(shoal_tsp_bounder_get(bounder, &bound, &test_error), SHOAL_INVALID);
        assert_ok(shoal_tsp_bounder_run(bounder, &test_error));
        assert_ok(shoal_tsp_bounder_get(bounder, &bound, &test_error));
        assert_true(bound == wanted);
        assert_non_null(shoal_tsp_bounder_program(bounder));
        shoal_tsp_bounder_destroy(&bounder);
        shoal_tsp_close(&problem);
    }
}

/* Whole bounds, more than once: repeated ascents after edges are added. */
static void test_bounds(void **state)
{
    (void)state;
    static const char *const generated[] = {"uniform:1201:5", "uniform:14:1"};
    if (!harness_has_fp64() || harness.tiny)
        return;
    for (size_t i = 0; i < sizeof generated / sizeof *generated; i++) {
        struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.generate = generated[i]);
        struct shoal_tsp_problem *problem;
        struct shoal_tsp_bounder *bounder;
        int64_t bound = -1, wanted;
        if (!harness_takes_case())
            continue;
        test_label("%s", generated[i]);
        assert_ok(shoal_tsp_open(&params, &problem, &test_error));
        assert_ok(shoal_tsp_bound(problem, &wanted, &test_error));
        assert_ok(shoal_tsp_bounder_create(problem, harness.queue, harness.variant, &bounder, &test_error));
        for (int turn = 0; turn < 2; turn++) {
            assert_ok(shoal_tsp_bounder_run(bounder, &test_error));
            assert_ok(shoal_tsp_bounder_get(bounder, &bound, &test_error));
            assert_true(bound == wanted);
        }
        shoal_tsp_bounder_destroy(&bounder);
        shoal_tsp_close(&problem);
    }
}

/* Answers yes from that question on among those asked once the graph is scaled, right before the rounds. */
struct question {
    const struct tsp_graph *graph;
    unsigned yes_from, asked;
};

static bool ends(void *data)
{
    struct question *question = data;
    question->asked += question->graph->scale > 1;
    return question->asked >= question->yes_from;
}

/* An ascent on a device that is cut among its rounds is given up, and makes no more rounds. */
static void test_cut(void **state)
{
    (void)state;
    double points[2 * TINY];
    const int64_t none[TINY] = {0};
    struct cities cities;
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_bound_device device;
    struct tsp_graph graph = {0}, whole = {0};
    struct question question = {.graph = &graph, .yes_from = LOOKS};
    struct shoal_solver solver = {.must_end = ends, .end_data = &question};
    struct long_step cut;
    int64_t bound;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    cities_make_points(UNIFORM, SHOAL_TSP_EUC_2D, 2, points, TINY);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, TINY);
    assert_ok(tsp_places_create(&cities.problem, harness.queue, &places, &test_error));
    assert_ok(tsp_bound_device_create(&places, &programs, &device, &test_error));
    long_step_create(&cut, &solver);
    cut.patience_s = cut.pause_s = 0;
    long_step_begin(&cut);
    const struct tsp_listing listing = {.threads = 1, .cut = &cut};
    assert_status(tsp_ascend(&cities.problem, &listing, &device, &graph, &bound, &test_error), SHOAL_STOPPED);
    assert_int_equal(question.asked, LOOKS);
    /* Some rounds have changed penalties, but not all rounds. */
    assert_ok(tsp_ascend(&cities.problem, &(struct tsp_listing){0}, NULL, &whole, NULL, &test_error));
    assert_memory_not_equal(graph.penalties, none, sizeof none);
    assert_memory_not_equal(graph.penalties, whole.penalties, sizeof none);
    tsp_graph_destroy(&graph);
    tsp_graph_destroy(&whole);
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    cities_close(&cities);
}

/* Sets the size of the cities' arrays so that the device has `bytes` left beside them. */
static void leave_memory(struct tsp_places *places, double bytes)
{
    struct array *first = &places->arrays.list[0];
    first->count = 0;
    first->count =
        ((double)shoal_device_get_info(harness.device)->memory - bytes - arrays_bytes(&places->arrays)) /
        (double)first->element;
}

/* The device is chosen for large problems, if it has the memory that docs/tsp.md names. */
static void test_choice(void **state)
{
    (void)state;
    enum { N = 200 };
    struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.generate = "uniform:200:1");
    struct shoal_tsp_problem *problem;
    struct tsp_places places;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    assert_ok(tsp_places_create(tsp_private(problem), harness.queue, &places, &test_error));
    places.sooner_from_s = 0;
    assert_true(tsp_bound_is_for_device(tsp_private(problem), &places, 1));
    leave_memory(&places, 340 * N);
    assert_true(tsp_bound_is_for_device(tsp_private(problem), &places, 1));
    leave_memory(&places, 330 * N);
    assert_false(tsp_bound_is_for_device(tsp_private(problem), &places, 1));
    leave_memory(&places, 340 * N);
    places.sooner_from_s = 10;
    assert_false(tsp_bound_is_for_device(tsp_private(problem), &places, 1));
    assert_false(tsp_bound_is_for_device(tsp_private(problem), NULL, 1));
    tsp_places_destroy(&places);
    shoal_tsp_close(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rounds), cmocka_unit_test(test_tour),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_choice)};
    return harness_main("tsp-bound-device", tests, sizeof tests / sizeof *tests);
}
