/* The calls on problems that need no solver, as a program makes them. */
#include "unit.h"

#include <math.h>

static void points(void **state)
{
    (void)state;
    static const double places[] = {0, 0, 0, 3, 4, 3, 4, 0};
    static const uint32_t tour[] = {2, 1, 0, 3}, wanted[] = {1, 3, 0, 2, 3, 1, 2, 0};
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    uint32_t again[4], lists[8];
    int64_t length;
    char id[32];
    shoal_tsp_params_init(&params);
    params.points = places;
    params.count = 4;
    params.metric = SHOAL_TSP_EUC_2D;
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    assert_string_equal(info->name, "points");
    assert_true(info->cities == 4 && info->dim == 2 && info->unit == 1 && info->metric == SHOAL_TSP_EUC_2D);
    assert_true(!info->is_path && !info->is_asymmetric && !info->optimum && info->size == sizeof *info);
    assert_ptr_equal(shoal_tsp_points(problem), places);
    assert_int_equal(shoal_tsp_distance(problem, 0, 2), 5);
    assert_int_equal(shoal_tsp_distance(problem, 0, 4), SHOAL_TSP_FORBIDDEN);
    shoal_tsp_id(problem, 3, id, sizeof id);
    assert_string_equal(id, "4");
    shoal_tsp_id(problem, 4, id, sizeof id);
    assert_string_equal(id, "");
    assert_ok(shoal_tsp_check(problem, tour, 4, &length, &test_error));
    assert_int_equal(length, 14);
    assert_status(shoal_tsp_check(problem, tour, 3, &length, &test_error), SHOAL_INVALID);
    assert_ok(shoal_tsp_write_tour(problem, tour, test_path("t.tour"), &test_error));
    assert_ok(shoal_tsp_read_tour(problem, test_path("t.tour"), again, &test_error));
    assert_words(again, tour, 4);
    assert_ok(shoal_tsp_write(problem, test_path("p.tsp"), &test_error));
    assert_ok(shoal_tsp_neighbours(problem, 2, lists, &test_error));
    assert_words(lists, wanted, 8);
    assert_status(shoal_tsp_neighbours(problem, 129, lists, &test_error), SHOAL_INVALID);
    shoal_tsp_close(&problem);
    assert_null(problem);
    shoal_tsp_close(&problem);
}

/* Neighbours are of the cities alone, whatever the tour is to hold. */
static void neighbours_of_paths_and_matrices(void **state)
{
    (void)state;
    static const double places[] = {0, 0, 1, 0, 3, 0, 7, 0};
    static const int32_t matrix[] = {0, 5, 3, 9, 0, 2, SHOAL_TSP_FORBIDDEN, 4, 0};
    static const uint32_t on_line[] = {1, 2, 3, 0, 2, 3, 1, 0, 3, 2, 1, 0};
    static const uint32_t of_matrix[] = {
        2, 1, SHOAL_TSP_NONE, 2, 0, SHOAL_TSP_NONE, 1, SHOAL_TSP_NONE, SHOAL_TSP_NONE};
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    uint32_t lists[12];
    shoal_tsp_params_init(&params);
    params.points = places;
    params.count = 4;
    params.start = "1";
    params.end = "4";
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    assert_true(shoal_tsp_get_info(problem)->is_path);
    assert_ok(shoal_tsp_neighbours(problem, 3, lists, &test_error));
    assert_words(lists, on_line, 12);
    shoal_tsp_close(&problem);
    shoal_tsp_params_init(&params);
    params.matrix = matrix;
    params.count = 3;
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    assert_true(shoal_tsp_get_info(problem)->is_asymmetric);
    assert_null(shoal_tsp_points(problem));
    assert_ok(shoal_tsp_neighbours(problem, 3, lists, &test_error));
    assert_words(lists, of_matrix, 9);
    shoal_tsp_close(&problem);
}

/* The first tour and the local search use the caller's lists: without any, no edge may be exchanged. */
static void lists_of_the_caller(void **state)
{
    (void)state;
    enum { N = 30 };
    double places[2 * N];
    uint32_t lists[N * (N - 1)], none[N], greedy[2][N], improved[3][N];
    struct shoal_tsp_params params;
    struct shoal_tsp_improve_params improve;
    struct shoal_tsp_problem *problem;
    shoal_tsp_params_init(&params);
    shoal_tsp_improve_params_init(&improve);
    for (uint32_t i = 0; i < 2 * N; i++)
        places[i] = i * 7919 % 1009;
    params.points = places;
    params.count = N;
    improve.neighbours = N - 1;
    for (uint32_t turn = 0; turn < 3; turn++) {
        int64_t before, after;
        for (uint32_t i = 0; i < N; i++) {
            none[i] = SHOAL_TSP_NONE;
            improved[turn][i] = i;
        }
        params.neighbour_lists = turn ? turn == 1 ? lists : none : NULL;
        params.neighbours = turn ? turn == 1 ? N - 1 : 1 : 0;
        assert_ok(shoal_tsp_open(&params, &problem, &test_error));
        if (!turn)
            assert_ok(shoal_tsp_neighbours(problem, N - 1, lists, &test_error));
        assert_ok(shoal_tsp_check(problem, improved[turn], N, &before, &test_error));
        assert_ok(shoal_tsp_improve(problem, &improve, NULL, improved[turn], 1, &after, &test_error));
        assert_true(turn == 2 ? after == before : after < before);
        if (turn < 2)
            assert_ok(shoal_tsp_greedy(problem, 5, greedy[turn], &test_error));
        shoal_tsp_close(&problem);
    }
    assert_words(improved[1], improved[0], N);
    assert_words(greedy[1], greedy[0], N);
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem = NULL;
    shoal_tsp_params_init(&params);
    params.data = "none.tsp";
    assert_status(shoal_tsp_open(&params, &problem, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "cannot read problem none.tsp");
    assert_null(problem);
    params.generate = "E1k.0";
    assert_status(shoal_tsp_open(&params, &problem, &test_error), SHOAL_INVALID);
    assert_status(shoal_tsp_open(NULL, &problem, &test_error), SHOAL_INVALID);
    /* A program of an earlier version has a shorter struct. */
    params.data = NULL;
    params.size = offsetof(struct shoal_tsp_params, points);
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    assert_int_equal(shoal_tsp_get_info(problem)->cities, 1000);
    shoal_tsp_close(&problem);
}

/* What a map shows: places across and up, longitudes from -180 to 180, minutes as parts of degrees. */
static void maps(void **state)
{
    (void)state;
    static const double degrees[] = {10.30, 20, -5.15, 350, 0, -200};
    static const double geo[3][2] = {{20, 10.5}, {-10, -5.25}, {160, 0}};
    static const double decimal[3][2] = {{20, 10.3}, {-10, -5.15}, {160, 0}};
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    double position[2];
    for (int kind = 0; kind < 3; kind++) {
        shoal_tsp_params_init(&params);
        params.points = degrees;
        params.count = 3;
        params.metric = kind == 0 ? SHOAL_TSP_GEO : kind == 1 ? SHOAL_TSP_GEOM : SHOAL_TSP_EUCLID;
        assert_ok(shoal_tsp_open(&params, &problem, &test_error));
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(shoal_tsp_map_position(problem, i, position));
            for (int axis = 0; axis < 2; axis++) {
                const double wanted = kind == 0   ? geo[i][axis]
                                      : kind == 1 ? decimal[i][axis]
                                                  : degrees[2 * i + (size_t)axis];
                assert_true(fabs(position[axis] - wanted) < 1e-12);
            }
        }
        assert_false(shoal_tsp_map_position(problem, 3, position));
        assert_null(shoal_tsp_fixed_edges(problem));
        assert_string_equal(shoal_tsp_get_info(problem)->unit_name, kind == 0 ? "km" : kind == 1 ? "m" : "");
        assert_string_equal(shoal_tsp_get_info(problem)->notes, "");
        shoal_tsp_close(&problem);
    }
}

/* What was not read as a file may mean it, and the edges that it fixes. */
static void notes_and_fixed_edges(void **state)
{
    (void)state;
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    uint32_t tour[4];
    size_t count;
    shoal_tsp_params_init(&params);
    params.data = test_path("noted.tsp");
    test_write_text(params.data,
                    "DIMENSION: 4\nCAPACITY: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"
                    "2 0 9\n3 9 9\n4 9 0\nFIXED_EDGES_SECTION\n3 1\n2 4\n-1\n-1\nEOF\n");
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    assert_contains(info->notes, "line 2: CAPACITY is no key");
    assert_null(strchr(info->notes, '\n'));
    static const uint32_t wanted[] = {2, 0, 1, 3};
    assert_int_equal(info->fixed_edges, 2);
    assert_words(shoal_tsp_fixed_edges(problem), wanted, 4);
    const char *path = test_path("two.tour");
    test_write_text(path, "TOUR_SECTION\n3 1 2 4 -1\n1 3 4 2 -1\n-1\nEOF\n");
    assert_ok(shoal_tsp_read_tours(problem, path, tour, &count, &test_error));
    assert_int_equal(count, 2);
    assert_words(tour, wanted, 4);
    assert_status(shoal_tsp_read_tours(problem, path, tour, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_tsp_read_tours(NULL, path, tour, &count, &test_error), SHOAL_INVALID);
    shoal_tsp_close(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(maps),
        UNIT_TEST(notes_and_fixed_edges),
        UNIT_TEST(points),
        UNIT_TEST(neighbours_of_paths_and_matrices),
        UNIT_TEST(lists_of_the_caller),
        UNIT_TEST(what_cannot_be_opened),
    };
    return cmocka_run_group_tests_name("tsp-public", tests, NULL, NULL);
}
