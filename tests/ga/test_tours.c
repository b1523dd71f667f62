/* Local search of children that are closed tours, by the host solver: the tours of the public local search
 * and their values, optima in fewer generations than without, what it cannot do is refused. */
#include "populations.h"

#include "ga/model/tours.h"
#include "objective/instances/instance.h"

#include <math.h>
#include <shoal/rng.h>
#include <shoal/variables.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 100 };

/* Random points in a square, or all in one place, or on a line. */
enum shape { SPREAD, ONE_PLACE, LINE };

static struct shoal_objective *tour_of(size_t count, size_t dim, enum shape shape)
{
    struct shoal_objective *objective;
    double points[3 * MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct shoal_words words = shoal_random_words(7, 0, 0, (uint32_t)i, 0);
        const uint32_t all[] = {words.x, words.y, words.z};
        for (size_t c = 0; c < dim && shape != ONE_PLACE; c++)
            points[i * dim + c] = shape == LINE && c > 0 ? 0 : all[c] % 1000;
    }
    assert_ok(shoal_objective_from_points(points, count, dim, &objective, &test_error));
    return objective;
}

static struct shoal_ga_params tour_params(const struct shoal_objective *objective, uint64_t dim)
{
    struct shoal_ga_params params = small_params();
    params.search.objective = objective;
    params.search.dim = dim;
    params.local_search = SHOAL_GA_FIRST_IMPROVEMENT;
    params.moves = SHOAL_GA_MOVES_2OPT_OROPT;
    return params;
}

/* The children of the first generation of other parameters, as the public local search improves them. */
static void assert_improved(const struct ga_host *improved, const struct ga_host *plain)
{
    const struct search_problem *problem = &improved->problem.search;
    const struct ga_improve *improve = &improved->problem.improve;
    const size_t n = problem->dim;
    struct shoal_tsp_improve_params params;
    uint32_t tour[MOST];
    shoal_tsp_improve_params_init(&params);
    params.moves = (enum shoal_tsp_moves)(improve->moves - SHOAL_GA_MOVES_2OPT);
    params.best_improvement = improve->search == SHOAL_GA_BEST_IMPROVEMENT;
    for (size_t k = 0; k < problem->total; k++) {
        const double *x = improved->search.p + k * n, *before = plain->search.p + k * n;
        for (size_t i = 0; i < n; i++)
            tour[i] = (uint32_t)before[i];
        assert_ok(shoal_tsp_improve(improve->tours->problem, &params, NULL, tour, 1, NULL, &test_error));
        for (size_t i = 0; i < n; i++)
            assert_true(x[i] == tour[i]);
        assert_true(improved->search.best[k] == shoal_objective_value(problem->objective, x, n));
    }
}

static void test_improved(void **state)
{
    (void)state;
    static const size_t counts[] = {2, 3, 4, 5, 7, 12, 33, 67};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int32_t moves = SHOAL_GA_MOVES_2OPT; moves <= SHOAL_GA_MOVES_3OPT; moves++) {
            const size_t rule = i + (size_t)moves;
            struct shoal_objective *objective = tour_of(counts[i], 2 + i % 2, (enum shape)(rule % 3));
            struct shoal_ga_params params = tour_params(objective, counts[i]);
            struct ga_host plain, improved;
            params.elites = 0;
            params.moves = SHOAL_GA_MOVES_AUTO;
            params.local_search = SHOAL_GA_NO_LOCAL_SEARCH;
            make_host(&params, 1, &plain);
            params.moves = moves;
            params.local_search = rule % 2 ? SHOAL_GA_BEST_IMPROVEMENT : SHOAL_GA_FIRST_IMPROVEMENT;
            make_host(&params, 1, &improved);
            search_host_advance(&plain.search, 1);
            search_host_advance(&improved.search, 1);
            assert_improved(&improved, &plain);
            search_host_destroy(&plain.search);
            search_host_destroy(&improved.search);
            shoal_objective_destroy(&objective);
        }
}

/* An evaluation for each child that is improved: all, or as many as there are elites. */
static void test_counts(void **state)
{
    (void)state;
    struct shoal_objective *objective = tour_of(20, 2, SPREAD);
    for (int32_t improve = SHOAL_GA_IMPROVE_ALL; improve <= SHOAL_GA_IMPROVE_ELITES; improve++) {
        struct shoal_ga_params params = tour_params(objective, 20);
        struct ga_host host;
        params.improve = improve;
        params.elites = 3;
        params.search.islands = 2;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 4);
        assert_int_equal(host.search.moves[0], 4 * 2 * (improve == SHOAL_GA_IMPROVE_ALL ? 9 : 3));
        search_host_destroy(&host.search);
    }
    shoal_objective_destroy(&objective);
}

static void test_threads(void **state)
{
    (void)state;
    struct shoal_objective *objective = tour_of(20, 2, SPREAD);
    struct shoal_ga_params params = tour_params(objective, 20);
    params.search.islands = 3;
    params.search.exchange = 2;
    params.search.restart = 3;
    assert_same_by_threads(&params, 6, 4);
    shoal_objective_destroy(&objective);
}

/* Generations until the target is reached; `most`: it was not. */
static uint64_t generations_to(struct shoal_ga_params params, double target, uint64_t most)
{
    struct ga_host host;
    params.search.target = target;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, most);
    const uint64_t done = host.search.runs[0].reached ? host.search.runs[0].steps : most;
    search_host_destroy(&host.search);
    return done;
}

/* The shortest tour of a few points, by dynamic programming over sets of points (Held and Karp 1962). */
static double shortest(const double *points, size_t count)
{
    enum { FEW = 11 };
    static double least[1 << FEW][FEW];
    const size_t rest = count - 1;
    double best = INFINITY;
    assert_true(rest <= FEW);
    for (size_t set = 1; set < (size_t)1 << rest; set++)
        for (size_t end = 0; end < rest; end++) {
            const size_t before = set ^ (size_t)1 << end;
            least[set][end] = INFINITY;
            if (!(set >> end & 1))
                continue;
            for (size_t from = 0; from <= rest; from++) {
                const double *a = points + 2 * (from < rest ? from : rest), *b = points + 2 * end;
                const double leg = hypot(a[0] - b[0], a[1] - b[1]);
                if (from < rest ? before >> from & 1 : !before)
                    least[set][end] = fmin(least[set][end], (from < rest ? least[before][from] : 0) + leg);
            }
        }
    for (size_t end = 0; end < rest; end++)
        best = fmin(best,
                    least[((size_t)1 << rest) - 1][end] + hypot(points[2 * end] - points[2 * rest],
                                                                points[2 * end + 1] - points[2 * rest + 1]));
    return best;
}

static void test_optimum(void **state)
{
    (void)state;
    enum { POINTS = 12 };
    struct shoal_objective *objective = tour_of(POINTS, 2, SPREAD);
    struct shoal_ga_params params = tour_params(objective, POINTS);
    size_t count, dim;
    const double *points = tour_points(objective, &count, &dim);
    const double target = shortest(points, count) * (1 + 1e-12);
    const uint64_t improved = generations_to(params, target, 20);
    assert_true(improved < 20);
    params.local_search = SHOAL_GA_NO_LOCAL_SEARCH;
    params.moves = SHOAL_GA_MOVES_AUTO;
    assert_true(generations_to(params, target, 2 * improved + 1) > improved);
    shoal_objective_destroy(&objective);
}

/* No longer than the published optimal tour, whose distances were rounded. */
static void check_published(const char *folder, const char *name)
{
    struct shoal_tsp_params tsp;
    struct shoal_tsp_problem *problem;
    struct shoal_objective *objective;
    char path[4096];
    uint32_t tour[MOST];
    double x[MOST];
    shoal_tsp_params_init(&tsp);
    snprintf(path, sizeof path, "%s/%s.tsp", folder, name);
    tsp.data = path;
    assert_ok(shoal_tsp_open(&tsp, &problem, &test_error));
    const size_t count = shoal_tsp_get_info(problem)->cities;
    assert_true(count <= MOST);
    assert_ok(shoal_objective_from_points(shoal_tsp_points(problem), count, 2, &objective, &test_error));
    snprintf(path, sizeof path, "%s/%s.opt.tour", folder, name);
    assert_ok(shoal_tsp_read_tour(problem, path, tour, &test_error));
    for (size_t i = 0; i < count; i++)
        x[i] = tour[i];
    struct shoal_ga_params params = tour_params(objective, count);
    const double target = shoal_objective_value(objective, x, count) * (1 + 1e-12);
    const uint64_t improved = generations_to(params, target, 100);
    print_message("%s: %llu generations to %.6f\n", name, (unsigned long long)improved, target);
    assert_true(improved < 50);
    params.local_search = SHOAL_GA_NO_LOCAL_SEARCH;
    params.moves = SHOAL_GA_MOVES_AUTO;
    assert_int_equal(generations_to(params, target, 100), 100);
    shoal_objective_destroy(&objective);
    shoal_tsp_close(&problem);
}

static void test_published(void **state)
{
    (void)state;
    const char *folder = getenv("SHOAL_TEST_TSPLIB");
    if (!folder || access(folder, R_OK) != 0) {
        print_message("no folder of published problems: set SHOAL_TEST_TSPLIB\n");
        skip();
    }
    check_published(folder, "berlin52");
    check_published(folder, "eil51");
    check_published(folder, "kroA100");
}

static void refuse(struct shoal_ga_params params, const char *part)
{
    assert_status(refusal(&params, part), SHOAL_INVALID);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_objective *tour = tour_of(9, 2, SPREAD), *other;
    struct shoal_ga_params params = tour_params(tour, 9);
    params.search.maximise = true;
    refuse(params, "leave out --maximise");
    params.search.maximise = false;
    params.local_search = SHOAL_GA_TABU;
    refuse(params, "needs --local-search first or best");
    params.local_search = SHOAL_GA_FIRST_IMPROVEMENT;
    params.local_steps = 3;
    refuse(params, "needs --moves auto, flip, swap or insertion");
    shoal_objective_destroy(&tour);
    assert_ok(shoal_objective_from_points((const double[]){0, 1, 2, 3}, 4, 1, &tour, &test_error));
    refuse(tour_params(tour, 4), "2 or 3 coordinates, not 1");
    assert_ok(shoal_objective_from_instance("flow-shop", "ta001", 0, &other, &test_error));
    refuse(tour_params(other, 20), "is a move of closed tours, which flow-shop ta001 has not");
    shoal_objective_destroy(&other);
    shoal_objective_destroy(&tour);
    assert_status(shoal_objective_from_points((const double[]){0, NAN}, 2, 1, &tour, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "number 0 of point 1 is not finite");
    assert_status(shoal_objective_from_points((const double[]){0}, 1, 1, &tour, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "2 to 65536 points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {OPEN_TEST(test_improved),  OPEN_TEST(test_counts),
                                       OPEN_TEST(test_threads),   OPEN_TEST(test_optimum),
                                       OPEN_TEST(test_published), OPEN_TEST(test_refused)};
    return cmocka_run_group_tests_name("ga-tours", tests, NULL, NULL);
}
