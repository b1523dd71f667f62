/* Local search of children that are closed tours, on every device: the members and values of the host solver,
 * however many tours are searched at a time. A generation that is dropped leaves everything as it was. */
#include "compare.h"
#include "states.h"

#include "ga/methods/pipeline.h"
#include "workload/workload.h"

#include <shoal/rng.h>

enum { MOST = 70 };

/* Multiples of a quarter below 256: squares and their sums are exact with contraction, too. */
static struct shoal_objective *tour_of(size_t count, size_t dim)
{
    struct shoal_objective *objective;
    double points[3 * MOST];
    for (size_t i = 0; i < count; i++) {
        const struct shoal_words words = shoal_random_words(11, 0, 0, (uint32_t)i, 0);
        const uint32_t all[] = {words.x, words.y, words.z};
        for (size_t c = 0; c < dim; c++)
            points[i * dim + c] = 0.25 * (all[c] % 1024);
    }
    assert_ok(shoal_objective_from_points(points, count, dim, &objective, &test_error));
    return objective;
}

static const struct tour_case {
    const char *name;
    size_t points, dim;
    int32_t search, moves;
} cases[] = {
    {"67 points, 2-opt and or-opt", 67, 2, SHOAL_GA_FIRST_IMPROVEMENT, SHOAL_GA_MOVES_2OPT_OROPT},
    {"33 points, best 3-opt", 33, 2, SHOAL_GA_BEST_IMPROVEMENT, SHOAL_GA_MOVES_3OPT},
    {"5 points, 2.5-opt", 5, 3, SHOAL_GA_FIRST_IMPROVEMENT, SHOAL_GA_MOVES_2HOPT},
    {"2 points, best or-opt", 2, 2, SHOAL_GA_BEST_IMPROVEMENT, SHOAL_GA_MOVES_OROPT},
};
enum { CASES = sizeof cases / sizeof *cases, RULES = 3 };

static struct shoal_ga_params params_of(const struct tour_case *own, const struct shoal_objective *objective)
{
    struct shoal_ga_params params = pipeline_params();
    params.search.objective = objective;
    params.search.dim = own->points;
    params.population = harness.tiny ? 3 : 9;
    params.local_search = own->search;
    params.moves = own->moves;
    return params;
}

/* All children of an island; the best of several that exchange, restart and end; two at a time. */
static void set_rules(struct shoal_ga_params *params, size_t k)
{
    params->improve = k == 1 ? SHOAL_GA_IMPROVE_ELITES : SHOAL_GA_IMPROVE_ALL;
    params->elites = k == 1 ? 3 : k;
    params->search.islands = k ? 3 : 1;
    params->search.runs = k ? 2 : 1;
    params->search.exchange = k ? 2 : 0;
    params->search.restart = k ? 2 : 0;
    params->search.seed = 3 + k;
}

static void cut_width(struct shoal_solver *solver, size_t k)
{
    struct ga_tour_search *search = &ga_pipeline_of(solver)->improver.tours;
    assert_true(search->wide >= 1);
    if (k == 2)
        search->wide = 2;
}

static void test_tours(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < CASES; i++) {
        struct shoal_objective *objective = tour_of(cases[i].points, cases[i].dim);
        struct shoal_ga_params params = params_of(&cases[i], objective);
        set_rules(&params, harness.tiny ? 0 : i % RULES);
        if ((!harness.tiny || cases[i].points < 6) && harness_takes_case_of(cases[i].name))
            compare_with_host(&params, cases[i].name, i % RULES, 0, cut_width);
        shoal_objective_destroy(&objective);
    }
}

/* Asked between the tours of the children: for the second time in a step, for the first time in the next one.
 */
static void test_dropped(void **state)
{
    (void)state;
    enum { BATCHES = 4 }; /* of 8 children */
    if (!harness_has_fp64() || harness.tiny)
        return;
    struct shoal_objective *objective = tour_of(cases[0].points, cases[0].dim);
    const struct shoal_ga_params params = params_of(&cases[0], objective);
    for (int asked = 1; asked < BATCHES; asked += BATCHES - 2) {
        struct shoal_solver *dropped = harness_solver("ga", harness.device, &params),
                            *whole = harness_solver("ga", harness.device, &params);
        const uint64_t steps = asked < BATCHES - 1 ? 2 : 3;
        int left = asked;
        uint64_t done;
        assert_int_equal(harness_step(dropped, 2), 2);
        assert_int_equal(harness_step(whole, steps), steps);
        cut_width(dropped, 2);
        dropped->must_end = ends_after;
        dropped->end_data = &left;
        assert_ok(shoal_solver_step(dropped, 4, &done, &test_error));
        assert_int_equal(done, steps - 2);
        assert_same_state(dropped, whole);
        dropped->must_end = NULL;
        assert_int_equal(harness_step(dropped, 2), 2);
        assert_int_equal(harness_step(whole, 2), 2);
        assert_same_state(dropped, whole);
        shoal_solver_destroy(&dropped);
        shoal_solver_destroy(&whole);
    }
    shoal_objective_destroy(&objective);
}

/* In single precision values are rounded, but a tour is that of whole distances: none that is improved can be
 * again. */
static void test_single(void **state)
{
    (void)state;
    const struct tour_case *own = &cases[harness.tiny ? 2 : 0];
    struct shoal_objective *objective = tour_of(own->points, own->dim);
    struct shoal_ga_params params = params_of(own, objective);
    struct shoal_result result = {0};
    params.search.precision = SHOAL_FP32;
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
    assert_int_equal(harness_step(solver, harness.tiny ? 1 : 3), harness.tiny ? 1 : 3);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    shoal_solver_destroy(&solver);
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tours), cmocka_unit_test(test_dropped),
                                       by_turn(test_single)};
    return harness_main("ga-device-tours", tests, sizeof tests / sizeof *tests);
}
