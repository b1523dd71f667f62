/* What objectives over genes ask of the host solver: repaired individuals, formulas over variables. */
#include "populations.h"
#include "search/space.h"
#include "searches.h"

#include <shoal/optimise.h>

#include <math.h>

/* Greatest profit: 52, of things 1, 3, 4, 5 and 6. */
static const char sack[] = "1\n8 2 0\n9 11 13 7 15 8 12 10\n"
                           "3 7 4 2 5 3 6 8\n5 6 3 3 4 2 7 9\n"
                           "17\n18\n";

/* With an objective of their own. */
static struct shoal_ga_params own_params(void)
{
    struct shoal_ga_params params = small_params(), defaults;
    test_ga_params_init(&defaults);
    params.search.function = defaults.search.function;
    params.search.dim = 0;
    return params;
}

static struct shoal_ga_params sack_params(const struct shoal_objective *objective, enum shoal_repair repair)
{
    struct shoal_ga_params params = own_params();
    params.search.objective = objective;
    params.search.maximise = true;
    params.search.repair = (int32_t)repair;
    return params;
}

/* Members of which the sack holds not all things. */
static size_t count_infeasible(const struct ga_host *host)
{
    const struct search_problem *problem = &host->problem.search;
    size_t count = 0;
    for (size_t i = 0; i < problem->total; i++)
        count +=
            shoal_objective_value(problem->objective, host->search.p + i * problem->dim, problem->dim) < 0;
    return count;
}

static void test_repair(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    test_write_text(test_path("sack"), sack);
    assert_ok(shoal_objective_from_instance("knapsack", test_path("sack"), 0, &objective, &test_error));
    for (int repair = SHOAL_REPAIR_NONE; repair <= SHOAL_REPAIR_VALUE_ONLY; repair++) {
        const struct shoal_ga_params params = sack_params(objective, (enum shoal_repair)repair);
        struct ga_host host;
        make_host(&params, 1, &host);
        const struct search_problem *problem = &host.problem.search;
        size_t infeasible = 0;
        for (int step = 0; step < 12; step++) {
            search_host_advance(&host.search, step > 0);
            infeasible += count_infeasible(&host);
            for (size_t i = 0; i < problem->total; i++) {
                const double *x = host.search.p + i * problem->dim, value = -host.search.best[i];
                double point[8], scratch[8];
                assert_true(value == -search_value(problem, x, scratch));
                search_to_point(problem, x, point);
                assert_true(value == shoal_objective_value(problem->objective, point, 8));
                assert_true(repair == SHOAL_REPAIR_NONE || value > 0);
            }
        }
        assert_true((infeasible == 0) == (repair == SHOAL_REPAIR_WRITTEN_BACK));
        assert_true(-host.search.islands->champion == 52);
        search_host_destroy(&host.search);
    }
    const struct shoal_ga_params params = sack_params(objective, SHOAL_REPAIR_WRITTEN_BACK);
    assert_resumes(&params, 12, 5);
    shoal_objective_destroy(&objective);
}

static void test_refused_repairs(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define REPAIR\n"
        "#define VARIABLES \"x1-xD order\"\n"
        "static inline void objective_repair(GENOME_MUTABLE, uint dim)\n"
        "{\n"
        "    if (dim > 40u)\n"
        "        SET_PLACE(40, PLACE(2));\n"
        "}\n"
        "static inline real objective_value(GENOME, uint dim) { return (real)PLACE(0); }\n";
    struct shoal_ga_params params = own_params();
    struct ga_host host;
    test_write_text(test_path("broken.clh"), text);
    params.search.objective_file = test_path("broken.clh");
    params.search.dim = 40;
    make_host(&params, 1, &host);
    search_host_destroy(&host.search);
    params.search.dim = 41;
    assert_status(search_host_create(shoal, &ga_algorithm, &params.search, 1, &host.search, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "broken.clh: objective_repair leaves no individual: places ");
    assert_contains(test_error.message, " and 40 of the order both have ");
    params = small_params();
    params.search.repair = SHOAL_REPAIR_VALUE_ONLY;
    assert_status(search_host_create(shoal, &ga_algorithm, &params.search, 1, &host.search, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "sphere repairs no individuals: leave out --repair");
}

/* One 1 moves on every four generations; a population follows it, whose members have the values of the last
 * one. */
static const char moving[] = "#define SHAPE OPAQUE\n"
                             "#define DYNAMIC\n"
                             "#define VALUE LONG\n"
                             "#define VARIABLES \"x1-xD integer 0 100\"\n"
                             "static inline long objective_value(GENOME, uint dim)\n"
                             "{\n"
                             "    long sum = 0;\n"
                             "    uint i;\n"
                             "    for (i = 0u; i < dim; i++) {\n"
                             "        const int off = WHOLE(i) - (int)(GENERATION / 4u + i);\n"
                             "        sum += off < 0 ? -off : off;\n"
                             "    }\n"
                             "    return sum;\n"
                             "}\n";

static double distance(const double *x, size_t dim, uint64_t generation)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += fabs(x[i] - (double)(generation / 4 + i));
    return sum;
}

static void test_dynamic(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    assert_ok(shoal_objective_from_text(shoal, moving, "moving.clh", &objective, &test_error));
    for (int k = 0; k < 4; k++) {
        struct shoal_ga_params params = own_params();
        struct ga_host host;
        params.search.objective = objective;
        params.search.dim = 4;
        params.population = 40;
        params.replacement = k % 2 ? SHOAL_GA_STEADY : SHOAL_GA_GENERATIONAL;
        params.elites = k % 2 ? 0 : 2;
        if (k > 1) {
            params.search.islands = 3;
            params.search.exchange = 3;
        }
        make_host(&params, k > 1 ? 2 : 1, &host);
        const struct search_problem *problem = &host.problem.search;
        double sum = 0;
        for (uint64_t step = 0; step < 200; step++) {
            double best = INFINITY;
            search_host_advance(&host.search, step > 0);
            for (size_t i = 0; i < problem->total; i++) {
                assert_true(host.search.best[i] == distance(host.search.p + i * 4, 4, step));
                best = fmin(best, host.search.best[i]);
            }
            const size_t island = search_host_champion(&host.search, 0);
            assert_true(host.search.islands[island].champion == best);
            assert_true(distance(host.search.champion + island * 4, 4, step) == best);
            sum += step >= 100 ? best : 0;
        }
        assert_true(sum / 100 < 50);
        search_host_destroy(&host.search);
        assert_resumes(&params, 10, 3);
    }
    struct shoal_ga_params params = own_params();
    struct ga_host host;
    params.search.objective = objective;
    params.search.dim = 4;
    uint64_t *const refused[] = {&params.search.restart, &params.search.stagnation,
                                 &params.search.evaluations};
    static const char *const options[] = {"--restart", "--stagnation", "--evaluations"};
    for (size_t i = 0; i < 3; i++) {
        *refused[i] = 50;
        assert_status(search_host_create(shoal, &ga_algorithm, &params.search, 1, &host.search, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, "moving.clh depends on the generation: leave out ");
        assert_contains(test_error.message, options[i]);
        *refused[i] = 0;
    }
    shoal_objective_destroy(&objective);
}

/* An optimiser on the host asks for repaired points, and has no generations. */
static void test_optimiser(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    struct shoal_optimiser *optimiser;
    double x[8], value;
    test_write_text(test_path("sack"), sack);
    assert_ok(shoal_objective_from_instance("knapsack", test_path("sack"), 0, &objective, &test_error));
    for (int repair = SHOAL_REPAIR_WRITTEN_BACK; repair <= SHOAL_REPAIR_VALUE_ONLY; repair++) {
        double points[8 * 200];
        size_t count;
        assert_ok(shoal_optimiser_create(8, &optimiser, &test_error));
        assert_ok(shoal_optimiser_set_algorithm(optimiser, "ga", &test_error));
        assert_ok(shoal_optimiser_set_objective(optimiser, objective, &test_error));
        shoal_optimiser_params(optimiser)->repair = repair;
        shoal_optimiser_params(optimiser)->maximise = true;
        shoal_optimiser_params(optimiser)->evaluations = 3000;
        assert_ok(shoal_optimiser_ask(optimiser, points, 200, &count, &test_error));
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_true(shoal_objective_value(objective, points + 8 * i, 8) > 0);
        shoal_optimiser_reset(optimiser);
        assert_true(shoal_optimise(optimiser, x, &value, &test_error) > 0);
        assert_true(value == 52 && shoal_objective_value(objective, x, 8) == 52);
        shoal_optimiser_destroy(&optimiser);
    }
    shoal_objective_destroy(&objective);
    assert_ok(shoal_objective_from_text(shoal, moving, "moving.clh", &objective, &test_error));
    assert_ok(shoal_optimiser_create(8, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "ga", &test_error));
    assert_ok(shoal_optimiser_set_objective(optimiser, objective, &test_error));
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) == SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "moving.clh depends on the generation: an optimiser on the host");
    shoal_optimiser_destroy(&optimiser);
    shoal_objective_destroy(&objective);
}

static void test_formula(void **state)
{
    (void)state;
    struct shoal_ga_params params = own_params();
    struct ga_host host;
    params.search.expression = "sum(x[i]*x[i+1]) - 3*x[2] + x[12]";
    params.search.variables = "b1-b9 bit, n1-n2 integer -3 4, g real -1 1 gray 5";
    make_host(&params, 1, &host);
    const struct search_problem *problem = &host.problem.search;
    assert_string_equal(problem->info->variables, params.search.variables);
    search_host_advance(&host.search, 60);
    double x[12], sum;
    search_to_point(problem, host.search.champion, x);
    sum = x[11] - 3 * x[1];
    for (size_t i = 0; i < 11; i++)
        sum += x[i] * x[i + 1];
    assert_near(host.search.islands->champion, sum, 1e-12);
    assert_true(sum < -12);
    search_host_destroy(&host.search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_repair),    OPEN_TEST(test_refused_repairs), OPEN_TEST(test_dynamic),
        OPEN_TEST(test_optimiser), OPEN_TEST(test_formula),
    };
    return cmocka_run_group_tests_name("ga-objectives", tests, NULL, NULL);
}
