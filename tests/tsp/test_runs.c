/* Whole runs of every algorithm on the host and on the device under test: problems of few cities and of
 * cities at odd places, ends, callbacks, tours to start from, checkpoints. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shoal_workload *tsp;

static const struct shoal_option *option_of(const char *name)
{
    for (size_t i = 0; i < tsp->option_count; i++)
        if (strcmp(tsp->options[i].name, name) == 0)
            return &tsp->options[i];
    return NULL;
}

/* Of an algorithm by its number, with few ants; NULL: there are no more. */
static const char *algorithm_name(int32_t algorithm)
{
    return option_of("algorithm")->choices[algorithm];
}

static struct shoal_tsp_params params_of(int32_t algorithm)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = algorithm;
    params.iterations = 5;
    params.ants = algorithm <= SHOAL_TSP_ACS ? 8 : 0;
    return params;
}

/* Whether the algorithm finds the same tours on the host and on devices. AUTO does not. */
static bool is_same_on_devices(int32_t algorithm)
{
    return algorithm != SHOAL_TSP_ALGORITHM_AUTO;
}

/* Whether the next case is to be tested, and the algorithm takes problems of so many cities. */
static bool takes_case(int32_t algorithm, uint32_t cities)
{
    return (algorithm != SHOAL_TSP_EXACT || cities <= 12) && harness_takes_case_of(algorithm_name(algorithm));
}

/* The device under test, then the host. An algorithm without a form for devices runs on the host twice. */
static struct shoal_device *device_at(const struct shoal_tsp_params *params, int turn)
{
    return turn || params->algorithm == SHOAL_TSP_LK ? test_host_device(harness.shoal) : harness.device;
}
enum { TURNS = 2 };

static int64_t run(const struct shoal_tsp_params *params, int turn, uint32_t *tour, size_t room)
{
    struct shoal_report report = {0};
    int64_t length = -1;
    assert_ok(shoal_run(tsp, device_at(params, turn), params, NULL, &report, &test_error));
    assert_true(report.result.check_passed);
    assert_ok(shoal_tsp_best(report.solver, tour, room, &length, &test_error));
    if (tour) {
        int64_t again = -2;
        const struct shoal_tsp_problem *problem = shoal_tsp_problem_of(report.solver);
        assert_ok(shoal_tsp_check(problem, tour, shoal_tsp_get_info(problem)->cities, &again, &test_error));
        assert_true(again == length);
    }
    shoal_report_clear(&report);
    return length;
}

/* Few cities, all of them at one place, all on a line: the shortest tours are known. */
static void test_small(void **state)
{
    (void)state;
    uint32_t tour[64];
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++)
            for (uint32_t n = 1; n <= 9; n++)
                for (int kind = 0; kind < 3; kind++) {
                    double points[18];
                    struct shoal_tsp_params params = params_of(a);
                    if (!takes_case(a, n))
                        continue;
                    test_label("%s, %u cities, kind %d, turn %d", algorithm_name(a), (unsigned)n, kind, turn);
                    for (uint32_t i = 0; i < n; i++) { /* at one place, on a line, on two lines */
                        points[2 * i] = kind == 0 ? 7 : 10.0 * (i % 2 ? n - 1 - i / 2 : i / 2);
                        points[2 * i + 1] = kind == 2 ? 10.0 * (i % 2) : 3;
                    }
                    params.points = points;
                    params.count = n;
                    params.metric = SHOAL_TSP_EUC_2D;
                    const int64_t length = run(&params, turn, tour, 64);
                    if (kind == 0)
                        assert_true(length == 0);
                    if (kind == 1)
                        assert_true(length == 20 * (int64_t)(n - 1));
                }
}

/* A path between two cities, a matrix with another way back, a fixed edge by TSPLIB. */
static void test_kinds(void **state)
{
    (void)state;
    uint32_t tour[64];
    int32_t matrix[36];
    const double points[12] = {0, 0, 50, 0, 10, 0, 40, 0, 20, 0, 30, 0};
    for (int32_t i = 0; i < 6; i++)
        for (int32_t j = 0; j < 6; j++)
            matrix[i * 6 + j] = (j - i + 6) % 6 == 1 ? 1 : 50; /* 0 -> 1 -> 2 ... is cheap */
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++) {
            if (!takes_case(a, 6))
                continue;
            test_label("%s, turn %d", algorithm_name(a), turn);
            struct shoal_tsp_params path = params_of(a), asymmetric = path;
            path.points = points;
            path.count = 6;
            path.metric = SHOAL_TSP_EUC_2D;
            path.path = true;
            path.start = "1";
            path.end = "2";
            assert_true(run(&path, turn, tour, 64) == 50);
            assert_true(tour[0] == 0 && tour[5] == 1);
            path.end = NULL;
            path.start = NULL;
            assert_true(run(&path, turn, tour, 64) == 50);
            asymmetric.matrix = matrix;
            asymmetric.count = 6;
            asymmetric.iterations = 30;
            assert_true(run(&asymmetric, turn, tour, 64) == 6);
            assert_true((tour[0] + 1) % 6 == tour[1]);
        }
}

/* A first city alone: the closed tour begins there, and is the same one. */
static void test_first_city(void **state)
{
    (void)state;
    uint32_t tour[12], begun[12];
    int32_t matrix[12 * 12];
    for (int32_t i = 0; i < 12; i++)
        for (int32_t j = 0; j < 12; j++)
            matrix[i * 12 + j] = 1 + (7 * i + 5 * j) % 23;
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++)
            for (int kind = 0; kind < 3; kind++) {
                struct shoal_tsp_params params = params_of(a);
                if (!takes_case(a, 12))
                    continue;
                test_label("%s, kind %d, turn %d", algorithm_name(a), kind, turn);
                params.count = kind == 2 ? 3 : 12;
                params.matrix = kind ? matrix : NULL;
                params.generate = kind ? NULL : "uniform:12:5";
                const int64_t length = run(&params, turn, tour, 12);
                params.start = "3";
                assert_true(run(&params, turn, begun, 12) == length);
                assert_int_equal(begun[0], 2);
                uint32_t place = 0;
                while (tour[place] != 2)
                    place++;
                for (uint32_t i = 0; i < params.count; i++)
                    assert_int_equal(begun[i], tour[(place + i) % params.count]);
            }
}

/* The caller's lists ----------------------------------------------------------------------------------- */

enum { LISTED = 20 };

struct listed {
    const char *name;
    const char *start, *end;
    bool is_path, is_matrix;
    uint32_t first; /* cities of a list before the caller's: partners of fixed edges, that of a path */
};
static const struct listed listed_kinds[] = {
    {"closed", NULL, NULL, false, false, 0},       {"path", NULL, NULL, true, false, 1},
    {"from 3 to 7", "3", "7", true, false, 3},     {"asymmetric", NULL, NULL, false, true, 1},
    {"asymmetric path", NULL, "4", true, true, 3},
};

static void fill_listed(const struct listed *listed, struct shoal_tsp_params *params, double *points,
                        int32_t *matrix)
{
    for (uint32_t i = 0; i < LISTED * LISTED; i++) {
        points[i % (2 * LISTED)] = i * 7919 % 1009;
        matrix[i] = (int32_t)(1 + i * 6151 % 997);
    }
    params->points = listed->is_matrix ? NULL : points;
    params->matrix = listed->is_matrix ? matrix : NULL;
    params->count = LISTED;
    params->metric = listed->is_matrix ? SHOAL_TSP_AUTO : SHOAL_TSP_EUC_2D;
    params->path = listed->is_path;
    params->start = listed->start;
    params->end = listed->end;
}

/* The nearest cities, given by the caller in another order, lead to the tours of those that shoal finds. */
static void test_given_lists(void **state)
{
    (void)state;
    double points[2 * LISTED];
    int32_t matrix[LISTED * LISTED];
    uint32_t lists[LISTED * (LISTED - 1)], wanted[LISTED], got[LISTED];
    for (int32_t a = 0; algorithm_name(a); a++)
        for (size_t kind = 0; kind < sizeof listed_kinds / sizeof *listed_kinds; kind++)
            for (int turn = 0; turn < TURNS; turn++) {
                if (!is_same_on_devices(a) || !takes_case(a, LISTED))
                    continue;
                test_label("%s, %s, turn %d", algorithm_name(a), listed_kinds[kind].name, turn);
                /* Lists of the thesis change no tour, unless they are the caller's and lack some. */
                const bool is_thesis = strcmp(algorithm_name(a), "thesis") == 0;
                const uint32_t width = kind < 2 && !is_thesis ? 6 : LISTED - 1;
                struct shoal_tsp_params params = params_of(a);
                struct shoal_tsp_problem *problem;
                fill_listed(&listed_kinds[kind], &params, points, matrix);
                params.candidates = width + listed_kinds[kind].first;
                params.lists = SHOAL_TSP_LISTS_NEAREST;
                const int64_t length = run(&params, 1, wanted, LISTED);
                assert_ok(shoal_tsp_open(&params, &problem, &test_error));
                assert_ok(shoal_tsp_neighbours(problem, width, lists, &test_error));
                shoal_tsp_close(&problem);
                for (uint32_t city = 0; city < LISTED; city++) {
                    uint32_t *list = lists + city * width, last = list[width - 1];
                    list[width - 1] = list[0];
                    list[0] = last;
                }
                params.candidates = 0;
                params.lists = SHOAL_TSP_LISTS_AUTO;
                params.neighbour_lists = lists;
                params.neighbours = width;
                assert_true(run(&params, turn, got, LISTED) == length);
                assert_words(got, wanted, LISTED);
            }
}

/* Of a ring, each city lists the two beside it: an ant has no choice. */
static void test_lists_of_a_ring(void **state)
{
    (void)state;
    double points[2 * LISTED];
    int32_t matrix[LISTED * LISTED];
    uint32_t lists[3 * LISTED], tour[LISTED];
    for (uint32_t i = 0; i < LISTED; i++) {
        lists[3 * i] = (i + 7) % LISTED;
        lists[3 * i + 1] = (i + LISTED - 7) % LISTED;
        lists[3 * i + 2] = SHOAL_TSP_NONE;
    }
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++) {
            if (a == SHOAL_TSP_FACO || a == SHOAL_TSP_LK || a == SHOAL_TSP_ALGORITHM_AUTO ||
                !takes_case(a, LISTED))
                continue; /* focused ants and lk improve their tours with edges that no list has */
            test_label("%s, turn %d", algorithm_name(a), turn);
            struct shoal_tsp_params params = params_of(a);
            fill_listed(&listed_kinds[0], &params, points, matrix);
            params.neighbour_lists = lists;
            params.neighbours = 3;
            params.iterations = strcmp(algorithm_name(a), "thesis") == 0 ? 1 : 2; /* the macro level alone */
            run(&params, turn, tour, LISTED);
            for (uint32_t i = 0; i < LISTED; i++) {
                const uint32_t apart = (tour[(i + 1) % LISTED] + LISTED - tour[i]) % LISTED;
                assert_true(apart == 7 || apart == LISTED - 7);
            }
        }
}

/* Ends ------------------------------------------------------------------------------------------------- */

struct heard {
    unsigned calls;
    int64_t last;
    uint64_t steps;
};

static void on_better(void *data, const struct shoal_tsp_better *better)
{
    struct heard *heard = data;
    assert_true(better->length < heard->last && better->steps >= heard->steps);
    assert_true(better->tour && better->count == 200);
    heard->last = better->length;
    heard->steps = better->steps;
    heard->calls++;
}

static void test_ends(void **state)
{
    (void)state;
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++) {
            if (!takes_case(a, 200))
                continue;
            test_label("%s, turn %d", algorithm_name(a), turn);
            struct heard heard = {.last = INT64_MAX};
            struct shoal_tsp_params params = params_of(a);
            params.generate = "uniform:200:3";
            params.on_better = on_better;
            params.better_data = &heard;
            const int64_t length = run(&params, turn, NULL, 0);
            assert_true(heard.calls > 0 && heard.last == length);
            /* A target that it reached ends it no later, with a tour that is as short. */
            struct shoal_report report = {0};
            params.on_better = NULL;
            params.target = (double)length;
            assert_ok(shoal_run(tsp, device_at(&params, turn), &params, NULL, &report, &test_error));
            assert_true(report.result.value <= (double)length && report.result.steps <= heard.steps);
            shoal_report_clear(&report);
        }
}

enum { HEARD = 64 };

struct log {
    size_t count;
    struct {
        uint64_t steps, tours;
        int64_t length;
    } calls[HEARD];
};

static void keep_call(void *data, const struct shoal_tsp_better *better)
{
    struct log *log = data;
    assert_true(log->count < HEARD && better->length_in_unit == (double)better->length);
    log->calls[log->count].steps = better->steps;
    log->calls[log->count].tours = better->tours;
    log->calls[log->count++].length = better->length;
}

/* Each better tour is told at its step, however many steps are made at once, on host and device alike. */
static void test_better_tours(void **state)
{
    (void)state;
    for (int32_t a = 0; algorithm_name(a); a++) {
        struct log logs[TURNS + 1] = {{.count = 0}};
        struct shoal_tsp_params params = params_of(a);
        if (!is_same_on_devices(a) || !takes_case(a, 200))
            continue;
        params.generate = "uniform:200:3";
        params.iterations = 12;
        params.on_better = keep_call;
        for (int turn = 0; turn < TURNS; turn++) {
            test_label("%s, turn %d", algorithm_name(a), turn);
            params.better_data = &logs[turn];
            run(&params, turn, NULL, 0);
        }
        test_label("%s, by steps", algorithm_name(a));
        params.better_data = &logs[TURNS];
        struct shoal_solver *solver = harness_solver("tsp", device_at(&params, 1), &params);
        for (uint64_t steps = 1; harness_step(solver, steps); steps++)
            continue;
        shoal_solver_destroy(&solver);
        assert_true(logs[0].count > 0);
        for (int i = 1; i <= TURNS; i++)
            assert_memory_equal(&logs[i], &logs[0], sizeof logs[0]);
    }
}

/* Saved and loaded anywhere, a run has the same tours as without. */
static void test_checkpoint(void **state)
{
    (void)state;
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++) {
            if (!takes_case(a, 150))
                continue;
            test_label("%s, turn %d", algorithm_name(a), turn);
            struct shoal_tsp_params params = params_of(a);
            params.generate = "clustered:150:5";
            params.iterations = 9;
            struct shoal_solver *whole = harness_solver("tsp", device_at(&params, turn), &params);
            struct shoal_solver *first = harness_solver("tsp", device_at(&params, turn), &params);
            struct shoal_solver *second = harness_solver("tsp", device_at(&params, turn), &params);
            uint32_t tours[2][150];
            int64_t lengths[2];
            const uint64_t steps = shoal_workload_total_steps(tsp, &params);
            assert_true(harness_step(whole, steps) == steps);
            harness_step(first, steps / 2);
            assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
            assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
            harness_step(second, steps - steps / 2);
            assert_ok(shoal_tsp_best(whole, tours[0], 150, &lengths[0], &test_error));
            assert_ok(shoal_tsp_best(second, tours[1], 150, &lengths[1], &test_error));
            assert_true(lengths[0] == lengths[1]);
            assert_words(tours[1], tours[0], 150);
            size_t count;
            const double *wanted = harness_state(whole, &count), *got = harness_state(second, &count);
            assert_memory_equal(got, wanted, count * sizeof *got);
            shoal_solver_destroy(&whole);
            shoal_solver_destroy(&first);
            shoal_solver_destroy(&second);
        }
}

/* From a tour: the result is no longer. */
static void test_start_tour(void **state)
{
    (void)state;
    uint32_t tour[100], again[100];
    for (int32_t a = 0; algorithm_name(a); a++)
        for (int turn = 0; turn < TURNS; turn++) {
            struct shoal_tsp_params params = params_of(a);
            if (strcmp(algorithm_name(a), "thesis") == 0 || !takes_case(a, 100))
                continue; /* the thesis constructs its own */
            test_label("%s, turn %d", algorithm_name(a), turn);
            params.generate = "uniform:100:9";
            const int64_t length = run(&params, turn, tour, 100);
            params.start_tour = tour;
            params.iterations = 1;
            assert_true(run(&params, turn, again, 100) <= length);
        }
}

int main(void)
{
    tsp = shoal_workload_find("tsp");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),           cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_first_city),      cmocka_unit_test(test_ends),
        cmocka_unit_test(test_better_tours),    cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_start_tour),      cmocka_unit_test(test_given_lists),
        cmocka_unit_test(test_lists_of_a_ring),
    };
    return harness_main("tsp-runs", tests, sizeof tests / sizeof *tests);
}
