/* The texts of the host that are compiled for AVX2, too, have the bits of the plain ones; and the vectors of
 * CMA-ES that are kept have the bits of those that are made again. */
#include "base/vectors/exp.h"
#include "base/vectors/log.h"
#include "base/vectors/processor.h"
#include "cmaes/host/host.h"
#include "de/host/host.h"
#include "open.h"
#include "pso/host/host.h"
#include "together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 };
/* Both halves of the seed count. */
static const uint64_t seed = 0x123456789abcdef0;

/* Makes a search by what the processor has, and one by plain rules, and compares their members and values
 * after STEPS steps. plain: sets the plain rules; each_step: called before each step of the second search;
 * each_end: called with this search at the end. Both may be NULL. */
static void compare(const struct search_algorithm *algorithm, const struct shoal_search_params *params,
                    void (*plain)(struct search_host *), void (*each_step)(struct search_host *),
                    void (*each_end)(struct search_host *))
{
    struct search_host *hosts[2];
    for (size_t k = 0; k < 2; k++) {
        assert_non_null(hosts[k] = calloc(1, algorithm->host->size));
        assert_ok(search_host_create(shoal, algorithm, params, 1, hosts[k], &test_error));
    }
    if (plain)
        plain(hosts[1]);
    for (size_t step = 0; step < STEPS; step++)
        for (size_t k = 0; k < 2; k++) {
            if (k == 1 && each_step)
                each_step(hosts[k]);
            search_host_advance(hosts[k], 1);
        }
    const struct search_problem *problem = hosts[0]->problem;
    assert_int_equal(search_host_steps(hosts[0]), STEPS);
    assert_memory_equal(hosts[0]->p, hosts[1]->p, problem->total * problem->dim * sizeof(double));
    assert_memory_equal(hosts[0]->best, hosts[1]->best, problem->total * sizeof(double));
    if (each_end)
        each_end(hosts[1]);
    for (size_t k = 0; k < 2; k++) {
        search_host_destroy(hosts[k]);
        free(hosts[k]);
    }
}

static void set(struct shoal_search_params *params, uint64_t dim)
{
    params->dim = dim;
    params->seed = seed;
    params->refine = SHOAL_REFINE_NONE;
    params->iterations = STEPS;
    params->runs = 2;
}

static void plain_moves(struct search_host *search)
{
    pso_host_of(search)->moves = &pso_host_moves;
}

static void test_swarms(void **state)
{
    (void)state;
    static const int32_t updates[] = {SHOAL_PSO_INERTIA, SHOAL_PSO_FIPS, SHOAL_PSO_SPSO2011};
    for (size_t u = 0; u < COUNT(updates); u++)
        for (uint64_t dim = 1; dim < 40; dim += 9) {
            struct shoal_pso_params params;
            shoal_pso_params_init(&params);
            set(&params.search, dim);
            params.update = updates[u];
            compare(&pso_algorithm, &params.search, plain_moves, NULL, NULL);
        }
}

static void plain_trials(struct search_host *search)
{
    de_host_of(search)->move = de_host_move;
}

static void test_trials(void **state)
{
    (void)state;
    static const struct {
        int32_t adaptation, strategy, crossover;
    } cases[] = {{SHOAL_DE_LSHADE, SHOAL_DE_STRATEGY_AUTO, SHOAL_DE_BINOMIAL},
                 {SHOAL_DE_LSHADE, SHOAL_DE_STRATEGY_AUTO, SHOAL_DE_EXPONENTIAL},
                 {SHOAL_DE_JDE, SHOAL_DE_RAND_1, SHOAL_DE_BINOMIAL},
                 {SHOAL_DE_JDE, SHOAL_DE_BEST_1, SHOAL_DE_EXPONENTIAL}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (uint64_t dim = 1; dim < 40; dim += 9) {
            struct shoal_de_params params;
            shoal_de_params_init(&params);
            set(&params.search, dim);
            params.adaptation = cases[i].adaptation;
            params.strategy = cases[i].strategy;
            params.crossover = cases[i].crossover;
            params.population = params.population_end = 20;
            compare(&de_algorithm, &params.search, plain_trials, NULL, NULL);
        }
}

static void plain_rules(struct search_host *search)
{
    cmaes_host_of(search)->rules = &cmaes_host_rules;
}

/* Loses the vectors of all parts that were made. */
static void forget(struct search_host *search)
{
    struct cmaes_host *host = cmaes_host_of(search);
    const size_t runs = search->problem->runs;
    for (size_t run = 0; run < runs; run++)
        host->lost[run] = host->words[run * CMA_WORDS + CMA_PART];
    for (size_t i = 0; i < runs * 2 * host->sizes.points * search->problem->dim; i++)
        host->parts[i] = NAN;
}

/* Generations of several parts were made, which have vectors to keep. */
static void assert_doubled(struct search_host *search)
{
    for (size_t run = 0; run < search->problem->runs; run++)
        assert_true(cmaes_host_of(search)->words[run * CMA_WORDS + CMA_DOUBLINGS] > 0);
}

/* With a constant objective each population ends soon, so that generations of several parts follow. */
static void test_populations(void **state)
{
    (void)state;
    for (int32_t form = SHOAL_CMAES_FULL; form <= SHOAL_CMAES_LIMITED; form++)
        for (uint64_t dim = 1; dim < 40; dim += 9) {
            struct shoal_cmaes_params params;
            shoal_cmaes_params_init(&params);
            set(&params.search, dim);
            params.form = form;
            params.restarts = SHOAL_CMAES_IPOP;
            params.search.expression = "sum(0 * x[i])";
            params.search.lower = -1;
            params.search.upper = 1;
            compare(&cmaes_algorithm, &params.search, plain_rules, forget, assert_doubled);
        }
}

/* Draws up to and behind the last one. */
static void test_draws(void **state)
{
    (void)state;
    static const uint32_t firsts[] = {0, 5, UINT32_MAX - 4, UINT32_MAX - 3, UINT32_MAX - 2, UINT32_MAX};
    const uint32_t step = 0x89abcdef, index = 0xfffffffc;
    for (size_t i = 0; i < COUNT(firsts); i++) {
        struct drawn expected, drawn;
        for (uint32_t n = 0; n < RANDOM_TOGETHER; n++)
            expected.successive[n] = shoal_random_words(seed, SHOAL_STREAM_TEST, step, index, firsts[i] + n);
        for (uint32_t n = 0; n < 2 * RANDOM_TOGETHER; n++) {
            const struct random_draw draw = draw_of(index, firsts[i], n);
            expected.each[n] = shoal_random_words(seed, draw.stream, step, draw.index, draw.draw);
            expected.twice[n] = shoal_random_words(seed, SHOAL_STREAM_TEST, step, index, firsts[i] + n);
            expected.indices[n] = shoal_random_words(seed, SHOAL_STREAM_TEST, step, index + n, firsts[i]);
        }
        together(seed, step, index, firsts[i], &drawn);
        assert_memory_equal(&drawn, &expected, sizeof drawn);
#ifdef __x86_64__
        if (!processor_has_avx2())
            continue;
        together_avx2(seed, step, index, firsts[i], &drawn);
        assert_memory_equal(&drawn, &expected, sizeof drawn);
#endif
    }
    for (uint64_t word = 0; word <= UINT32_MAX;
         word += word < 0x7FFFFFF0 ? 0x7FFFFFF0 : 1 + (word & 0x7FFFFF) * 3)
        assert_true(random_number((uint32_t)word) == (double)word);
}

/* Some words of a generator, and numbers near 1, where a sum of terms would lose digits. The error of log()
 * itself is below 1 ulp, and that of the function is below 2 ulp. */
static void test_logarithm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const double near = 1 + (i - 10000.0) * 0x1p-40, far = (i * 214748.0 + 0.5) * 0x1p-32;
        for (size_t k = 0; k < 2; k++) {
            const double x = k ? near : far, expected = log(x);
            assert_true(fabs(vector_log(x) - expected) <= 2 * 0x1p-52 * fabs(expected));
        }
    }
    assert_true(vector_log(1) == 0);
}

static void test_power(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= 20000; i++) {
        const double near = (i - 10000.0) * 0x1p-40, far = (i - 10000.0) * 0.07;
        for (size_t k = 0; k < 2; k++) {
            const double x = k ? near : far, found = vector_exp(x);
            assert_true(fabsl(found - expl(x)) <= nextafter(found, INFINITY) - found);
        }
    }
    assert_true(vector_exp(0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {OPEN_TEST(test_swarms),           OPEN_TEST(test_trials),
                                       OPEN_TEST(test_populations),      cmocka_unit_test(test_draws),
                                       cmocka_unit_test(test_logarithm), cmocka_unit_test(test_power)};
    if (!processor_has_avx2())
        print_message("this processor has no AVX2: the texts for it are not tested\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
