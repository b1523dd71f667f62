/* Shortest tours of few cities: against all tours, for each kind of distance, closed tours, paths and fixed
 * edges; runs on the host and on a device; problems without a tour. */
#include "cities.h"
#include "harness.h"

#include "tsp/exact/exact.h"
#include "tsp/tsp.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 9, PROBLEMS = 1000 };

/* Shapes of tours: closed, and a path with two free ends, with a start, with an end and with both. */
enum { CLOSED, FREE, START, END, BOTH, SHAPES };

/* A search of all tours. */
struct search {
    const struct tsp_problem *problem;
    int64_t distance[MOST][MOST]; /* `forbidden`: no tour may use the pair */
    uint32_t order[MOST];
    int64_t best;
};
static const int64_t forbidden = INT64_C(1) << 40;

/* Tries all orders of the places from `first` on. No distance is negative, so a part of a tour that is too
 * long is left. */
static void try_all(struct search *search, uint32_t first, int64_t length)
{
    const uint32_t n = search->problem->n, last = search->order[first ? first - 1 : 0];
    if (first == n && !search->problem->is_path)
        length += search->distance[last][search->order[0]];
    if (length >= search->best)
        return;
    if (first == n) {
        if (tsp_tour_fault(search->problem, search->order, n, NULL) == SHOAL_OK)
            search->best = length;
        return;
    }
    for (uint32_t i = first; i < n; i++) {
        const uint32_t city = search->order[i];
        search->order[i] = search->order[first];
        search->order[first] = city;
        try_all(search, first + 1, first ? length + search->distance[last][city] : 0);
        search->order[first] = search->order[i];
        search->order[i] = city;
    }
}

/* The length of the shortest tour; `forbidden`: there is none. */
static int64_t shortest(const struct tsp_problem *problem)
{
    struct search search = {.problem = problem, .best = forbidden};
    for (uint32_t a = 0; a < problem->n; a++) {
        search.order[a] = a;
        for (uint32_t b = 0; b < problem->n; b++) {
            const int64_t distance = a == b ? 0 : tsp_input_distance(problem, a, b);
            search.distance[a][b] = distance == SHOAL_TSP_FORBIDDEN ? forbidden : distance;
        }
    }
    try_all(&search, problem->is_path ? 0 : 1, 0);
    return search.best;
}

static void assert_shortest(const struct tsp_problem *problem)
{
    uint32_t tour[MOST];
    const int64_t best = shortest(problem);
    assert_ok(tsp_exact_tour(problem, tour, &test_error));
    if (best == forbidden) {
        assert_int_equal(tsp_tour_fault(problem, tour, problem->n, NULL), SHOAL_INVALID);
        return;
    }
    assert_ok(tsp_tour_fault(problem, tour, problem->n, &test_error));
    assert_true(tsp_length(problem, tour, NULL) == best);
}

/* Number of cities of a problem: each number up to 8, seldom 9, which take long. */
static uint32_t count_of(int number)
{
    return number % 100 == 99 ? MOST : 1 + (uint32_t)number % (MOST - 1);
}

/* Sets ends and fixed edges that a random tour has. */
static void set_shape(struct cities *cities, int shape, uint64_t *state)
{
    const uint32_t n = cities->problem.n;
    uint32_t order[MOST], fixed[2][2];
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t place = (uint32_t)(cities_random(state) % (i + 1));
        order[i] = order[place];
        order[place] = i;
    }
    for (uint32_t i = 0; n > 3 && i + 1 < n && count < 2; i++)
        if (cities_random(state) % 4 == 0) {
            fixed[count][0] = order[i];
            fixed[count++][1] = order[i + 1];
        }
    const uint32_t start = shape == START || shape == BOTH ? order[0] : SHOAL_TSP_NONE,
                   end = n > 1 && (shape == END || shape == BOTH) ? order[n - 1] : SHOAL_TSP_NONE;
    assert_ok(cities_change(cities, shape != CLOSED, start, end, (const uint32_t(*)[2])fixed, count));
}

/* Each kind of distance of points. A third of the problems has few places, so that many tours are as short.
 */
static void test_points(void **state)
{
    (void)state;
    for (int metric = SHOAL_TSP_EUC_2D; metric <= SHOAL_TSP_GEOM; metric++)
        for (int number = 0; number < PROBLEMS && metric != SHOAL_TSP_MATRIX; number++) {
            uint64_t random = (uint64_t)(metric * PROBLEMS + number + 1);
            const unsigned dim =
                metric == SHOAL_TSP_EUC_3D || metric == SHOAL_TSP_MAN_3D || metric == SHOAL_TSP_MAX_3D ? 3
                                                                                                       : 2;
            const double span = number % 3 == 0 ? 3 : 85;
            double points[3 * MOST];
            struct cities cities;
            if (!harness_takes_case())
                continue;
            test_label("metric %d, problem %d", metric, number);
            for (unsigned i = 0; i < dim * count_of(number); i++)
                points[i] = floor(cities_uniform(&random) * span);
            cities_open(&cities, (enum shoal_tsp_metric)metric, dim, points, count_of(number));
            set_shape(&cities, number % SHAPES, &random);
            assert_shortest(&cities.problem);
            cities_close(&cities);
        }
}

/* Matrices: symmetric, asymmetric, and with forbidden edges, which may leave no tour. */
static void test_matrices(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int number = 0; number < PROBLEMS; number++) {
            uint64_t random = (uint64_t)(kind * PROBLEMS + number + 1);
            const uint32_t n = count_of(number);
            const int32_t most = number % 3 == 0 ? 4 : 1000;
            const bool is_symmetric = kind % 2 == 0, forbids = kind >= 2;
            int32_t matrix[MOST * MOST];
            struct cities cities;
            if (!harness_takes_case())
                continue;
            test_label("kind %d, problem %d", kind, number);
            for (uint32_t a = 0; a < n; a++)
                for (uint32_t b = 0; b < n; b++) {
                    const uint64_t word = cities_random(&random);
                    int32_t *distance = &matrix[a * n + b];
                    *distance = (int32_t)(word % (uint64_t)most);
                    if (is_symmetric && b < a)
                        *distance = matrix[b * n + a];
                    else if (forbids && a != b && word >> 60 < 5)
                        *distance = SHOAL_TSP_FORBIDDEN;
                }
            /* A problem of which it is plain that it has no tour is refused before any search. */
            cities.params = (struct shoal_tsp_params){.size = 0};
            shoal_tsp_params_init(&cities.params);
            cities.params.matrix = matrix;
            cities.params.count = n;
            if (tsp_problem_create(&cities.params, &cities.problem, &test_error)) {
                assert_true(forbids);
                continue;
            }
            if (!forbids || number % 3 == 1)
                set_shape(&cities, number % SHAPES, &random);
            assert_shortest(&cities.problem);
            cities_close(&cities);
        }
}

/* The tour of a run; `report` receives the result. */
static int64_t run(struct shoal_device *device, const struct shoal_tsp_params *params, uint32_t *tour,
                   struct shoal_report *report)
{
    int64_t length;
    assert_ok(shoal_run(shoal_workload_find("tsp"), device, params, NULL, report, &test_error));
    assert_true(report->result.check_passed && report->result.steps == 0);
    assert_true(shoal_result_number(&report->result, "optimal") == 1);
    assert_null(shoal_result_find(&report->result, "lists"));
    assert_ok(shoal_tsp_best(report->solver, tour, TSP_EXACT_CITIES, &length, &test_error));
    shoal_report_clear(report);
    return length;
}

/* Whole runs on the device under test and on the host, which find the same tours. */
static void test_runs(void **state)
{
    (void)state;
    struct shoal_report report = {0};
    for (int n = 1; n <= TSP_EXACT_CITIES; n++)
        for (int is_path = 0; is_path < 2; is_path++) {
            struct shoal_tsp_params params;
            uint32_t tours[2][TSP_EXACT_CITIES];
            char name[32];
            if (!harness_takes_case())
                continue;
            test_label("%d cities, path %d", n, is_path);
            shoal_tsp_params_init(&params);
            snprintf(name, sizeof name, "uniform:%d:3", n);
            params.algorithm = SHOAL_TSP_EXACT;
            params.generate = name;
            params.path = is_path;
            assert_true(run(harness.device, &params, tours[0], &report) ==
                        run(test_host_device(harness.shoal), &params, tours[1], &report));
            assert_words(tours[1], tours[0], (size_t)n);
        }
}

static void test_refused(void **state)
{
    (void)state;
    /* Cities 0 to 2 and cities 3 to 5 are joined by city 0 alone, which a tour would have to visit twice. */
    int32_t matrix[36];
    struct shoal_tsp_params params;
    struct shoal_report report = {0};
    const struct shoal_workload *tsp = shoal_workload_find("tsp");
    if (!harness_takes_case())
        return;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_EXACT;
    params.generate = "uniform:13:1";
    assert_status(shoal_run(tsp, harness.device, &params, NULL, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "exact takes at most 12 cities, not 13");
    params.ants = 3;
    assert_status(tsp_algorithms[SHOAL_TSP_EXACT]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "exact has no ants: leave out --ants");
    params.ants = 0;
    params.lists = SHOAL_TSP_LISTS_QUADRANT;
    assert_status(tsp_algorithms[SHOAL_TSP_EXACT]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "exact has no candidate lists and no start tour: leave out --lists");
    params.lists = SHOAL_TSP_LISTS_AUTO;
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            matrix[6 * a + b] = a && b && a / 3 != b / 3 ? SHOAL_TSP_FORBIDDEN : 1;
    params.generate = NULL;
    params.matrix = matrix;
    params.count = 6;
    assert_status(shoal_run(tsp, harness.device, &params, NULL, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "no tour exists: each one has a forbidden edge");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_matrices),
                                       cmocka_unit_test(test_runs), cmocka_unit_test(test_refused)};
    return harness_main("tsp-exact", tests, sizeof tests / sizeof *tests);
}
