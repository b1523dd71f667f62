/* Lin-Kernighan search: shortest tours of few cities against all tours, the same bits for any number of
 * threads and for a cooling that is given, divisions, cuts into many cells, tours of several cells, edges
 * across the plane, tours between clusters, what is refused.
 */
#include "harness.h"

#include "tsp/lk/lk.h"

#include <math.h>
#include <omp.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points in the plane; few places, so that many tours are as short; a path between two cities; a matrix whose
 * distances differ both ways. */
enum { PLANE, SHARED, PATH, MATRIX, KINDS };
enum { MOST = 8 };

static uint32_t word_at(uint32_t problem, uint32_t draw)
{
    return shoal_random_words(11, SHOAL_STREAM_TEST, 2, problem, draw).x;
}

struct input {
    double points[2 * MOST];
    int32_t matrix[MOST * MOST];
};

static struct shoal_tsp_params params_of(int kind, uint32_t n, uint32_t number, struct input *input)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.iterations = 60;
    params.count = n;
    for (uint32_t i = 0; i < 2 * n; i++)
        input->points[i] = word_at(number, i) % (kind == SHARED ? 3 : 1000);
    for (uint32_t i = 0; i < n * n; i++)
        input->matrix[i] = (int32_t)(word_at(number, 100 + i) % 1000);
    params.metric = kind == MATRIX ? SHOAL_TSP_MATRIX : SHOAL_TSP_EUC_2D;
    params.points = kind == MATRIX ? NULL : input->points;
    params.matrix = kind == MATRIX ? input->matrix : NULL;
    params.start = kind == PATH ? "1" : NULL;
    params.end = kind == PATH ? "3" : NULL;
    return params;
}

/* The least length of all orders of the places from `first` on. */
static int64_t least_length(const struct shoal_tsp_problem *problem, uint32_t *order, uint32_t n,
                            uint32_t first)
{
    int64_t best = INT64_MAX;
    if (first == n)
        return shoal_tsp_check(problem, order, n, &best, &test_error) ? INT64_MAX : best;
    for (uint32_t i = first; i < n; i++) {
        const uint32_t city = order[i];
        order[i] = order[first];
        order[first] = city;
        const int64_t length = least_length(problem, order, n, first + 1);
        best = length < best ? length : best;
        order[first] = order[i];
        order[i] = city;
    }
    return best;
}

static struct shoal_solver *solver_of(const struct shoal_tsp_params *params)
{
    return harness_solver("tsp", test_host_device(harness.shoal), params);
}

/* The length after `steps` steps; `tour` receives the best tour. */
static int64_t length_after(const struct shoal_tsp_params *params, uint64_t steps, uint32_t *tour,
                            size_t room)
{
    struct shoal_solver *solver = solver_of(params);
    int64_t length, again;
    harness_step(solver, steps);
    assert_ok(shoal_tsp_best(solver, tour, room, &length, &test_error));
    assert_ok(shoal_tsp_check(shoal_tsp_problem_of(solver), tour, room, &again, &test_error));
    assert_true(again == length);
    shoal_solver_destroy(&solver);
    return length;
}

static void test_few_cities(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t number = 0; number < 12; number++) {
            const uint32_t n = 4 + number % (kind == MATRIX ? 4 : 5);
            struct input input;
            uint32_t tour[MOST], order[MOST];
            if (!harness_takes_case())
                continue;
            test_label("kind %d, problem %u, %u cities", kind, (unsigned)number, (unsigned)n);
            const struct shoal_tsp_params params = params_of(kind, n, number, &input);
            struct shoal_solver *solver = solver_of(&params);
            for (uint32_t i = 0; i < n; i++)
                order[i] = i;
            const int64_t best = least_length(shoal_tsp_problem_of(solver), order, n, kind == PATH ? 0 : 1);
            shoal_solver_destroy(&solver);
            assert_true(length_after(&params, params.iterations, tour, n) == best);
        }
}

/* Several cells, several threads, one thread. */
static void test_threads(void **state)
{
    (void)state;
    enum { CITIES = 11000 };
    uint32_t *tours = malloc(2 * CITIES * sizeof *tours);
    const int most = omp_get_max_threads();
    for (int kind = 0; kind < 2; kind++) {
        struct shoal_tsp_params params;
        if (!harness_takes_case())
            continue;
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.generate = kind ? "clustered:11000:1" : "uniform:11000:1";
        params.path = kind == 1;
        params.iterations = 2;
        test_label("kind %d", kind);
        omp_set_num_threads(1);
        const int64_t alone = length_after(&params, 2, tours, CITIES);
        omp_set_num_threads(3);
        assert_true(length_after(&params, 2, tours + CITIES, CITIES) == alone);
        assert_words(tours + CITIES, tours, CITIES);
        omp_set_num_threads(most);
    }
    free(tours);
}

/* Cells of a matrix whose distances differ both ways are parts of the tour; most of their edges are fixed. */
static void test_cells_of_a_matrix(void **state)
{
    (void)state;
    enum { CITIES = 2600 };
    int32_t *matrix = malloc((size_t)CITIES * CITIES * sizeof *matrix);
    uint32_t tours[2][CITIES];
    struct shoal_tsp_params params;
    const int most = omp_get_max_threads();
    if (harness_takes_case()) {
        assert_non_null(matrix);
        for (uint32_t i = 0; i < (uint32_t)CITIES * CITIES; i++)
            matrix[i] = (int32_t)(i * UINT32_C(2654435761) >> 16);
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.matrix = matrix;
        params.count = CITIES;
        params.iterations = 1;
        omp_set_num_threads(1);
        const int64_t alone = length_after(&params, 1, tours[0], CITIES);
        omp_set_num_threads(2);
        assert_true(length_after(&params, 1, tours[1], CITIES) == alone);
        assert_words(tours[1], tours[0], CITIES);
        omp_set_num_threads(most);
    }
    free(matrix);
}

enum { DIVISIONS = 12 };

/* Straight cuts into more cells than a problem of this size has. */
static void check_cuts(const struct shoal_tsp_params *params, uint32_t cells)
{
    struct shoal_solver *solver = solver_of(params);
    harness_step(solver, 0);
    struct lk_run *run = lk_run_of(solver);
    struct lk lk = run->lk;
    assert_true(lk.is_cut);
    lk.cells = cells;
    const uint32_t mean = (lk.n + cells - 1) / cells;
    run->wholes->division = UINT64_MAX;
    for (uint64_t division = 0; division < DIVISIONS; division++) {
        uint32_t counts[LK_BATCH] = {0};
        lk_divide(&lk, run->wholes, division);
        for (uint32_t i = 0; i < lk.n; i++) {
            assert_in_range(run->wholes->cell_of[i], 0, cells - 1);
            counts[run->wholes->cell_of[i]]++;
        }
        for (uint32_t c = 0; c < cells; c++)
            assert_in_range(counts[c], mean / 2, (uint32_t)((1 + LK_CUT_SHIFT) * mean) + LK_BATCH);
    }
    shoal_solver_destroy(&solver);
}

/* Cities anywhere, and all at one place. */
static void test_cuts(void **state)
{
    (void)state;
    enum { CITIES = 600 };
    double points[2 * CITIES];
    for (size_t i = 0; i < 2 * CITIES; i++)
        points[i] = 7;
    for (uint32_t cells = 8; cells <= LK_BATCH; cells *= 2)
        for (int is_one_place = 0; is_one_place < 2; is_one_place++) {
            struct shoal_tsp_params params;
            if (!harness_takes_case())
                continue;
            test_label("%u cells, %s", cells, is_one_place ? "one place" : "uniform");
            shoal_tsp_params_init(&params);
            params.algorithm = SHOAL_TSP_LK;
            params.iterations = 1;
            params.generate = is_one_place ? NULL : "uniform:600:1";
            params.points = is_one_place ? points : NULL;
            params.count = is_one_place ? CITIES : 0;
            check_cuts(&params, cells);
        }
}

/* Each division gives each city a cell, and no cell more cities than there is room for. */
static void test_divisions(void **state)
{
    (void)state;
    static const struct {
        const char *generate;
        uint32_t cells;
        bool is_path;
    } cases[] = {{"uniform:513:1", 2, false}, {"clustered:5001:1", 2, true}, {"uniform:10001:1", 4, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params params;
        if (!harness_takes_case())
            continue;
        test_label("%s", cases[i].generate);
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.generate = cases[i].generate;
        params.path = cases[i].is_path;
        params.iterations = 1;
        struct shoal_solver *solver = solver_of(&params);
        harness_step(solver, 0);
        struct lk_run *run = lk_run_of(solver);
        assert_int_equal(run->lk.cells, cases[i].cells);
        for (uint64_t division = 0; division < DIVISIONS; division++) {
            lk_divide(&run->lk, run->wholes, division);
            lk_gather(&run->lk, run->wholes, division);
            for (uint32_t c = 0; c < run->lk.cells; c++) {
                const uint32_t cities = run->wholes->begins[c + 1] - run->wholes->begins[c];
                assert_in_range(cities, run->lk.n / run->lk.cells / 2, run->lk.most_cities);
            }
            assert_int_equal(run->wholes->begins[run->lk.cells], run->lk.n);
        }
        shoal_solver_destroy(&solver);
    }
}

/* The greedy tour of these cities ends with an edge across the plane, whose ends are in different cells.
 * Edges up to half of the square root of the cities are left to the divisions that follow. */
static void test_long_edge(void **state)
{
    (void)state;
    enum { CITIES = 11000, LONG = 52 };
    uint32_t tour[CITIES];
    int64_t length;
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:11000:2";
    params.iterations = 1;
    struct shoal_solver *solver = solver_of(&params);
    harness_step(solver, 1);
    assert_ok(shoal_tsp_best(solver, tour, CITIES, &length, &test_error));
    for (uint32_t i = 0; i < CITIES; i++)
        assert_true(tsp_distance(tsp_problem_of(solver), tour[i], tour[(i + 1) % CITIES]) <=
                    LONG * length / CITIES);
    shoal_solver_destroy(&solver);
}

/* Heaps of cities at the places of a grid, which the start tour visits in a random order. Cells of the size
 * of a few heaps find the shortest order, in which each edge between heaps has the length of a step of the
 * grid. */
static void test_clusters(void **state)
{
    (void)state;
    enum { WIDTH = 6, HEAPS = 24, EACH = 20, CITIES = HEAPS * EACH, STEP = 1000, SIZE = 50 };
    static double points[2 * CITIES];
    uint32_t tour[CITIES], order[HEAPS], between = 0;
    int64_t length;
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    for (uint32_t h = 0; h < HEAPS; h++)
        order[h] = h;
    for (uint32_t h = HEAPS - 1; h; h--) {
        const uint32_t other = word_at(100, h) % (h + 1), heap = order[h];
        order[h] = order[other];
        order[other] = heap;
    }
    for (uint32_t i = 0; i < CITIES; i++) {
        points[2 * i] = i / EACH % WIDTH * STEP + word_at(101, i) % SIZE;
        points[2 * i + 1] = i / EACH / WIDTH * STEP + word_at(102, i) % SIZE;
        tour[i] = order[i / EACH] * EACH + i % EACH;
    }
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.points = points;
    params.count = CITIES;
    params.metric = SHOAL_TSP_EUC_2D;
    params.cell = 100;
    params.iterations = 40;
    params.start_tour = tour;
    struct shoal_solver *solver = solver_of(&params);
    harness_step(solver, params.iterations);
    assert_ok(shoal_tsp_best(solver, tour, CITIES, &length, &test_error));
    for (uint32_t i = 0; i < CITIES; i++) {
        const int64_t leg = tsp_distance(tsp_problem_of(solver), tour[i], tour[(i + 1) % CITIES]);
        between += leg > STEP / 2;
        assert_true(leg < STEP + 2 * SIZE);
    }
    assert_int_equal(between, HEAPS);
    shoal_solver_destroy(&solver);
}

enum { ODD = 120 };
enum { ONE_PLACE, LINE, CIRCLE, LATTICE, HEAPS, DOUBLED, FAR_AWAY, FEW_PLACES, ODD_KINDS };

/* Cities for which many tours are as short, or distances are 0, or rounding leaves little of them. */
static void set_odd_places(int kind, double *points)
{
    for (uint32_t i = 0; i < ODD; i++) {
        const double x = word_at(kind, i) % 1000, y = word_at(kind, ODD + i) % 1000;
        const double angle = 2 * 3.14159265358979 * i / ODD;
        const double places[ODD_KINDS][2] = {{7, 7},
                                             {x, 3},
                                             {1e4 * cos(angle), 1e4 * sin(angle)},
                                             {10.0 * (i % 12), 10.0 * (i / 12.0 - i % 12 / 12.0)},
                                             {x + (i % 2 ? 1e6 : 0), y},
                                             {word_at(kind, i / 2) % 1000, word_at(kind, ODD + i / 2) % 1000},
                                             {1e9 + x / 1000, 1e9 + y / 1000},
                                             {word_at(kind, i) % 3, word_at(kind, ODD + i) % 3}};
        points[2 * i] = places[kind][0];
        points[2 * i + 1] = places[kind][1];
    }
}

/* Of odd places the tours of all seeds are about as short, and a run is never longer than its start. */
static void test_odd_places(void **state)
{
    (void)state;
    enum { SEEDS = 6 };
    double points[2 * ODD];
    uint32_t start[ODD], tour[ODD];
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        int64_t best = INT64_MAX, worst = 0, begun;
        struct shoal_tsp_params params;
        if (!harness_takes_case())
            continue;
        test_label("kind %d", kind);
        set_odd_places(kind, points);
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.points = points;
        params.count = ODD;
        params.metric = kind == FAR_AWAY ? SHOAL_TSP_EUCLID : SHOAL_TSP_EUC_2D;
        for (params.seed = 1; params.seed <= SEEDS; params.seed++) {
            params.iterations = 25;
            const int64_t length = length_after(&params, params.iterations, tour, ODD);
            best = length < best ? length : best;
            worst = length > worst ? length : worst;
        }
        assert_true((double)worst <= 1.02 * (double)best);
        for (uint32_t i = 0; i < ODD; i++)
            start[i] = i;
        params.start_tour = start;
        params.iterations = 1;
        struct shoal_solver *solver = solver_of(&params);
        assert_ok(shoal_tsp_check(shoal_tsp_problem_of(solver), start, ODD, &begun, &test_error));
        shoal_solver_destroy(&solver);
        assert_true(length_after(&params, 1, tour, ODD) <= begun);
    }
}

/* Each number of cities. */
static void test_numbers_of_cities(void **state)
{
    (void)state;
    for (uint32_t n = 13; n <= 200; n++) {
        struct shoal_tsp_params params;
        uint32_t tour[200];
        char name[32];
        if (!harness_takes_case())
            continue;
        test_label("%u cities", (unsigned)n);
        shoal_tsp_params_init(&params);
        snprintf(name, sizeof name, "uniform:%u:1", (unsigned)n);
        params.algorithm = SHOAL_TSP_LK;
        params.generate = name;
        params.path = n % 3 == 0;
        length_after(&params, 2, tour, n);
    }
}

/* The threshold falls over the iterations, or over the cooling that is given. */
static void test_cooling(void **state)
{
    (void)state;
    enum { CITIES = 300 };
    uint32_t tours[3][CITIES];
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:300:2";
    params.iterations = 12;
    length_after(&params, 12, tours[0], CITIES);
    params.iterations = 40;
    params.cooling = 12;
    length_after(&params, 12, tours[1], CITIES);
    assert_words(tours[1], tours[0], CITIES);
    params.cooling = 1000;
    length_after(&params, 12, tours[2], CITIES);
    assert_true(memcmp(tours[2], tours[0], sizeof *tours) != 0);
}

/* A run with a time limit estimates its cooling; another run repeats it with the same number of steps. */
static void test_time(void **state)
{
    (void)state;
    enum { CITIES = 300 };
    uint32_t tours[2][CITIES];
    struct shoal_report report = {0};
    struct shoal_tsp_params params;
    int64_t length;
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:300:2";
    params.time = 0.3;
    assert_ok(shoal_run(shoal_workload_find("tsp"), test_host_device(harness.shoal), &params, NULL, &report,
                        &test_error));
    assert_ok(shoal_tsp_best(report.solver, tours[0], CITIES, &length, &test_error));
    params.iterations = report.result.steps;
    params.cooling = (uint64_t)shoal_result_number(&report.result, "cooling");
    params.replicas = (uint64_t)shoal_result_number(&report.result, "replicas");
    params.time = NAN;
    shoal_report_clear(&report);
    if (!params.iterations)
        skip(); /* so busy is the machine that no step was made */
    assert_true(length_after(&params, params.iterations, tours[1], CITIES) == length);
    assert_words(tours[1], tours[0], CITIES);
}

static enum shoal_status slow_down(void *data, struct shoal_solver *solver, uint64_t *steps,
                                   struct shoal_error *error)
{
    (void)steps;
    (void)error;
    for (int kind = 0; kind < LK_STEP_KINDS; kind++)
        lk_run_of(solver)->step_s[kind] = *(double *)data;
    return SHOAL_OK;
}

/* A run whose next step would end after its time limit ends before it, as by time. */
static void test_step_too_long(void **state)
{
    (void)state;
    double seconds = 1001;
    struct shoal_run_params run;
    struct shoal_report report = {0};
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    shoal_run_params_init(&run);
    run.between = slow_down;
    run.between_data = &seconds;
    run.chunk = 1;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:300:2";
    params.replicas = 1;
    params.time = 1000;
    assert_ok(shoal_run(shoal_workload_find("tsp"), test_host_device(harness.shoal), &params, &run, &report,
                        &test_error));
    assert_true(report.timed_out);
    assert_int_equal(report.result.steps, 1);
    assert_true(shoal_result_number(&report.result, "kicks") == report.result.work);
    shoal_report_clear(&report);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:30:2";
    params.ants = 5;
    assert_status(tsp_algorithms[SHOAL_TSP_LK]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--ants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_cities),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_divisions),
                                       cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_cells_of_a_matrix),
                                       cmocka_unit_test(test_long_edge),
                                       cmocka_unit_test(test_clusters),
                                       cmocka_unit_test(test_odd_places),
                                       cmocka_unit_test(test_numbers_of_cities),
                                       cmocka_unit_test(test_cooling),
                                       cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_step_too_long),
                                       cmocka_unit_test(test_refused)};
    return harness_main("tsp-lk", tests, sizeof tests / sizeof *tests);
}
