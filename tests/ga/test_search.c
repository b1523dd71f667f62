/* What the search finds: DEAP's generational loop with the same operators, and steps to the optimum. */
#include "populations.h"
#include "searches.h"

#include <math.h>

/* DEAP 1.4, eaSimple of Rastrigin in 30 dimensions: tournament of 2, population 100, 500 generations,
 * cxSimulatedBinaryBounded eta 15 with 0.9, mutPolynomialBounded eta 20 with 1 / 30, no elite: best ever and
 * mean of the last population, with their standard errors. */
static const double deap_best = 17.83, deap_best_error = 0.63, deap_mean = 53.5, deap_mean_error = 1.1;

static void test_deap(void **state)
{
    (void)state;
    struct shoal_ga_params params;
    struct ga_host host;
    struct shoal_result result = {0};
    /* 400 take a minute. */
    const bool is_full = getenv("SHOAL_TEST_SHARE") == NULL;
    test_ga_params_init(&params);
    params.search.function = function_named("rastrigin");
    params.search.dim = 30;
    params.search.iterations = 500;
    params.search.runs = is_full ? 400 : 40;
    params.population = 100;
    params.elites = 0;
    make_host(&params, 0, &host);
    search_host_advance(&host.search, 500);
    assert_ok(search_host_solver_result(&(struct shoal_solver){.state = &host.search}, &result, &test_error));
    const double best = shoal_result_number(&result, "mean");
    const double best_error = shoal_result_number(&result, "mean_error");
    const double mean = shoal_result_number(&result, "population_mean");
    const double mean_error = shoal_result_number(&result, "population_mean_error");
    assert_true(best_error > 0 && best_error < 1 && mean_error > 0 && mean_error < 2);
    if (!(fabs(best - deap_best) < 3 * hypot(best_error, deap_best_error)))
        fail_msg("best %g +- %g, DEAP %g +- %g", best, best_error, deap_best, deap_best_error);
    if (!(fabs(mean - deap_mean) < 3 * hypot(mean_error, deap_mean_error)))
        fail_msg("mean %g +- %g, DEAP %g +- %g", mean, mean_error, deap_mean, deap_mean_error);
    search_host_destroy(&host.search);
}

/* Values of the last population by another algorithm: two passes. */
static void test_spread(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.search.islands = 2;
    params.search.maximise = true;
    params.search.iterations = 3;
    struct ga_host host;
    struct shoal_result result = {0};
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 3);
    double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < 24; i++) {
        const double value = -host.search.best[i];
        sum += value;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    for (size_t i = 0; i < 24; i++)
        squares += pow(-host.search.best[i] - sum / 24, 2);
    assert_ok(search_host_solver_result(&(struct shoal_solver){.state = &host.search}, &result, &test_error));
    assert_true(fabs(shoal_result_number(&result, "population_mean") - sum / 24) < 1e-9);
    assert_true(shoal_result_number(&result, "population_min") == least);
    assert_true(shoal_result_number(&result, "population_max") == most);
    assert_true(fabs(shoal_result_number(&result, "population_deviation") - sqrt(squares / 24)) < 1e-9);
    /* 12 a island in step 0, 11 children of each generation. */
    assert_true(result.work == 24 + 3 * 22 && result.step_work == 22);
    search_host_destroy(&host.search);
}

/* Selection by weights from equal values, and from none that is finite, says so. */
static void test_equal(void **state)
{
    (void)state;
    for (int32_t selection = SHOAL_GA_TOURNAMENT; selection <= SHOAL_GA_ROULETTE;
         selection += SHOAL_GA_ROULETTE) {
        struct shoal_ga_params params = small_params();
        struct shoal_objective *flat = NULL;
        struct ga_host host;
        struct shoal_result result = {0};
        assert_ok(shoal_objective_from_expression("0 * sum(x[i])", &flat, &test_error));
        params.search.objective = flat;
        params.search.lower = -1;
        params.search.upper = 1;
        params.selection = selection;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 5);
        assert_ok(
            search_host_solver_result(&(struct shoal_solver){.state = &host.search}, &result, &test_error));
        if (selection == SHOAL_GA_ROULETTE)
            assert_contains(result.warning, "all equal or infinite");
        else
            assert_null(result.warning);
        search_host_destroy(&host.search);
        shoal_objective_destroy(&flat);
    }
}

/* Every operator and selection reaches the least of a bowl. */
static void test_finds(void **state)
{
    (void)state;
    for (int32_t selection = SHOAL_GA_TOURNAMENT; selection < SHOAL_GA_BEST; selection++)
        for (int32_t crossover = SHOAL_GA_SBX_BOUNDED; crossover <= SHOAL_GA_NO_CROSSOVER; crossover++) {
            struct shoal_ga_params params = small_params();
            struct ga_host host;
            params.population = 60;
            params.elites = 2;
            params.selection = selection;
            params.crossover = crossover;
            params.mutation = crossover % 2 ? SHOAL_GA_GAUSSIAN : SHOAL_GA_POLYNOMIAL;
            params.bounds = crossover % 3 ? SHOAL_GA_REFLECT : SHOAL_GA_CLAMP;
            params.sigma = crossover % 2 ? 0.02 : params.sigma;
            make_host(&params, 1, &host);
            search_host_advance(&host.search, 200);
            if (!(host.search.islands->champion < 0.05))
                fail_msg("selection %d, crossover %d: %g", selection, crossover,
                         host.search.islands->champion);
            search_host_destroy(&host.search);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_deap),
        OPEN_TEST(test_spread),
        OPEN_TEST(test_equal),
        OPEN_TEST(test_finds),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
