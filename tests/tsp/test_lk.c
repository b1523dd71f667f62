/* Lin-Kernighan search: shortest tours of few cities against all tours, the same bits for any number of
 * threads and for a cooling that is given, tours of several cells, what is refused. */
#include "harness.h"

#include "tsp/tsp.h"

#include <math.h>
#include <omp.h>
#include <shoal/rng.h>
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
    params.time = NAN;
    shoal_report_clear(&report);
    if (!params.iterations)
        skip(); /* so busy is the machine that no step was made */
    assert_true(length_after(&params, params.iterations, tours[1], CITIES) == length);
    assert_words(tours[1], tours[0], CITIES);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_solver *solver = NULL;
    struct shoal_tsp_params params;
    const struct shoal_workload *tsp = shoal_workload_find("tsp");
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:30:2";
    assert_status(shoal_solver_create(tsp, harness.device, harness.queue, &params, SHOAL_VARIANT_AUTO,
                                      &solver, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "runs on the host only: give --device host");
    params.ants = 5;
    assert_status(tsp_algorithms[SHOAL_TSP_LK]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--ants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_cities), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_cooling), cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_refused)};
    return harness_main("tsp-lk", tests, sizeof tests / sizeof *tests);
}
