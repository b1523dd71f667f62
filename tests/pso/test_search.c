/* What the host solver finds: known minima, the quality of SPSO-2011, the pattern search. */
#include "fixture.h"
#include "searches.h"

#include <math.h>

static struct shoal_pso_params search(const char *function, uint64_t dim, uint64_t runs)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = shoal_objective_find(function);
    params.search.precision = SHOAL_FP64;
    params.search.dim = dim;
    params.particles = 40;
    params.search.runs = runs;
    assert_non_null(params.search.objective);
    return params;
}

/* Each coordinate of f1 is at least -1.21598217511... inside the box. */
static void test_f1(void **state)
{
    (void)state;
    for (uint64_t dim = 1; dim <= 10; dim += 3) {
        const struct shoal_pso_params params = search("f1", dim, 10);
        struct pso_host reference;
        make_host(&params, 2, &reference);
        search_host_advance(&reference.search, 1000);
        size_t found = 0;
        for (size_t run = 0; run < 10; run++) {
            const double best = reference.search.islands[run].champion, n = (double)dim;
            assert_true(best >= -1.2159821751 * n - 1e-9 * n);
            found += best < -1.2159821751 * n + 1e-6 * n;
        }
        assert_true(dim > 1 || found == 10);
        search_host_destroy(&reference.search);
    }
}

/* The least value of f2 is -2 (n - 1), where two numbers take turns; found with 60 particles of the
 * constriction update on a ring of two neighbours, 2000 steps. */
static void test_f2(void **state)
{
    (void)state;
    static const size_t wanted[] = {[2] = 40, [3] = 40, [4] = 25};
    for (uint64_t dim = 2; dim <= 4; dim++) {
        struct shoal_pso_params params = search("f2", dim, 50);
        params.update = SHOAL_PSO_CONSTRICTION;
        params.topology = SHOAL_PSO_RING;
        params.particles = 60;
        struct pso_host reference;
        make_host(&params, 2, &reference);
        search_host_advance(&reference.search, 2000);
        const double least = -2 * ((double)dim - 1);
        size_t found = 0;
        for (size_t run = 0; run < params.search.runs; run++) {
            assert_true(reference.search.islands[run].champion >= least - 1e-9);
            found += reference.search.islands[run].champion < least + 1e-3;
        }
        if (found < wanted[dim])
            fail_msg("f2 in %d dimensions: found in %zu runs of 50, should be %zu", (int)dim, found,
                     wanted[dim]);
        search_host_destroy(&reference.search);
    }
}

/* The thesis prints inertia and pulls swapped: then the swarm flies apart. */
static void test_thesis(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("f4", 10, 1);
    params.bounds = SHOAL_PSO_UNBOUNDED;
    params.initial_velocity = SHOAL_PSO_RANGE;
    params.scalar_random = true;
    for (int swapped = 0; swapped < 2; swapped++) {
        params.inertia = swapped ? 1.49618 : 0.72984;
        params.cognitive = params.social = swapped ? 0.72984 : 1.49618;
        struct pso_host reference;
        make_host(&params, 1, &reference);
        double farthest = 0;
        search_host_advance(&reference.search, 300);
        for (size_t i = 0; i < 40 * 10; i++)
            farthest = fmax(farthest, fabs(reference.search.x[i]));
        assert_true(swapped ? farthest > 1e12 : farthest < 1e3);
        search_host_destroy(&reference.search);
    }
}

/* SPSO-2011 as measured elsewhere (400 runs of 300,000 evaluations: Rastrigin 24.5 asynchronous, 25.0
 * synchronous, standard deviation of a run 8). 16 runs: within four standard errors. */
static void test_quality(void **state)
{
    (void)state;
    for (uint64_t batch = 0; batch < 2; batch++) {
        struct shoal_pso_params params = search("rastrigin", 30, 16);
        params.update = SHOAL_PSO_SPSO2011;
        params.topology = SHOAL_PSO_RANDOM;
        params.bounds = SHOAL_PSO_BOUNCE;
        params.batch = batch;
        params.search.evaluations = 300000;
        params.search.iterations = 300000;
        struct pso_host reference;
        make_host(&params, 0, &reference);
        search_host_advance(&reference.search, 300000);
        assert_int_equal(search_host_steps(&reference.search), 7499);
        double sum = 0;
        for (size_t run = 0; run < 16; run++)
            sum += reference.search.islands[run].champion;
        assert_near(sum / 16, 24.75, 8);
        search_host_destroy(&reference.search);
    }
}

/* Polish ----------------------------------------------------------------------------------------------- */

/* With the same number of evaluations all ten runs end lower with a pattern search: by chance once in 1024.
 */
static void compare_polish(const char *function, uint64_t evaluations)
{
    struct shoal_pso_params params = search(function, 20, 10);
    params.search.evaluations = params.search.iterations = evaluations;
    struct pso_host plain;
    make_host(&params, 0, &plain);
    search_host_advance(&plain.search, evaluations);
    params.search.evaluations = params.search.polish = evaluations / 2;
    struct pso_host polished;
    make_host(&params, 0, &polished);
    struct shoal_result result = {0};
    search_host_advance(&polished.search, evaluations);
    assert_ok(
        search_host_solver_result(&(struct shoal_solver){.state = &polished.search}, &result, &test_error));
    assert_true(result.check_passed);
    assert_true(search_polish_evaluations(polished.search.polish) <= 10 * params.search.polish);
    for (size_t run = 0; run < 10; run++)
        assert_true(search_polish_best(polished.search.polish)[run] < plain.search.islands[run].champion);
    search_host_destroy(&plain.search);
    search_host_destroy(&polished.search);
}

static void test_polish(void **state)
{
    (void)state;
    compare_polish("rosenbrock", 30000);
    compare_polish("ellipsoid", 30000);
    /* The swarm alone comes closer to 0 than any difference of two coordinates of order 1. */
    compare_polish("ellipsoid", 200000);
}

/* The least value in a corner of the box, on its edge, and where no value is finite. */
static void test_polish_edges(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("sphere", 3, 1);
    params.search.lower = 2;
    params.search.upper = 3;
    params.search.iterations = 1;
    params.search.polish = 500;
    struct pso_host reference;
    make_host(&params, 1, &reference);
    struct shoal_result result = {0};
    search_host_advance(&reference.search, 1);
    assert_ok(
        search_host_solver_result(&(struct shoal_solver){.state = &reference.search}, &result, &test_error));
    assert_true(result.value == 12 && search_polish_evaluations(reference.search.polish) <= 500);
    /* The last evaluations are used, whatever the phase they end in. */
    for (uint64_t polish = 1; polish < 40; polish += 3) {
        params.search.lower = -3;
        params.search.polish = polish;
        struct pso_host small_budget;
        make_host(&params, 1, &small_budget);
        search_host_advance(&small_budget.search, 1);
        assert_ok(search_host_solver_result(&(struct shoal_solver){.state = &small_budget.search}, &result,
                                            &test_error));
        assert_int_equal(search_polish_evaluations(small_budget.search.polish), polish);
        assert_true(result.check_passed && result.value <= small_budget.search.islands->champion);
        search_host_destroy(&small_budget.search);
    }
    search_host_destroy(&reference.search);
}

/* Slow, but no problem. */
static void test_million_dimensions(void **state)
{
    (void)state;
    struct shoal_pso_params params = search("sphere", 1000000, 1);
    struct shoal_result result = {0};
    params.particles = 3;
    params.search.polish = 7;
    struct pso_host reference;
    make_host(&params, 2, &reference);
    assert_int_equal(search_host_advance(&reference.search, 1), 1);
    assert_ok(
        search_host_solver_result(&(struct shoal_solver){.state = &reference.search}, &result, &test_error));
    assert_true(result.check_passed);
    search_host_destroy(&reference.search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_f1),
        OPEN_TEST(test_f2),
        OPEN_TEST(test_thesis),
        OPEN_TEST(test_quality),
        OPEN_TEST(test_polish),
        OPEN_TEST(test_polish_edges),
        OPEN_TEST(test_million_dimensions),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
