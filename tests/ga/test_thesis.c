/* The thesis's random numbers, its elitism by an island that exchanges with itself, and its mailboxes on the
 * host. */
#include "populations.h"

#include <math.h>
#include <shoal/theses.h>

#include "ga/thesis/options.h"
#include "ga/thesis/thesis.h"

#include "ga/host/model.h"
#include "ga/thesis/hybridtaus.clh"

/* Of the parameters that thesis_params has made last. */
static struct shoal_ga_thesis thesis;

static struct shoal_ga_params thesis_params(void)
{
    struct shoal_ga_params params = small_params();
    thesis = SHOAL_GA_THESIS_PARAMS(.random = SHOAL_GA_HYBRIDTAUS);
    params.thesis = &thesis;
    params.search.function = function_named("rosenbrock");
    params.search.dim = 2;
    params.selection = SHOAL_GA_OWN;
    params.crossover = SHOAL_GA_ARITHMETIC;
    params.crossover_rate = 0.7;
    params.mutation = SHOAL_GA_GAUSSIAN;
    params.mutation_rate = 0.3;
    params.one_gene = true;
    params.sigma = 1;
    params.sigma_unit = SHOAL_GA_SIGMA_GENE;
    params.elites = 0;
    return params;
}

/* No crossover, no mutation. */
static void leave_genes(struct shoal_ga_params *params)
{
    params->crossover_rate = params->mutation_rate = 0;
}

/* Computed from the recurrences with arbitrary integers. */
static void test_generator(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {0xa4165b54, 0xe19753b9, 0x3b047fe3, 0x86464693, 0x6eb49030,
                                      0xa4642bc4, 0x931ac85b, 0x420c34e3, 0xf12bdcad, 0xbe779e9e};
    hybridtaus generator = {12345, 67890, 13579, 24680};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(hybridtaus_next(&generator), wanted[i]);
    double sine, cosine;
    normal_pair(0x40000000, 0x20000000, &cosine, &sine);
    assert_true(fabs(cosine - 1.1774100225) < 1e-8 && fabs(sine - 1.1774100225) < 1e-8);
}

/* None is stuck, members of a run have the same one by one as together, and neighbouring runs share none. */
static void test_seeds(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    uint32_t *words = malloc(2 * COUNT * GA_GENERATOR_WORDS * sizeof *words), one[GA_GENERATOR_WORDS];
    assert_non_null(words);
    ga_thesis_seed(8, 0, COUNT, words);
    ga_thesis_seed(9, 0, COUNT, words + COUNT * GA_GENERATOR_WORDS);
    size_t small = 0;
    for (size_t i = 0; i < 2 * COUNT * GA_GENERATOR_WORDS; i++)
        small += words[i] <= 127;
    assert_int_equal(small, 0);
    for (size_t i = 0; i < COUNT; i += 4999) {
        ga_thesis_seed(8, i, 1, one);
        assert_memory_equal(one, words + i * GA_GENERATOR_WORDS, sizeof one);
        assert_memory_not_equal(one, words + (COUNT + i) * GA_GENERATOR_WORDS, sizeof one);
    }
    free(words);
}

/* The expected copies of the member of rank r among J are (2 (J - r) - 1) / J, r from 0: here without
 * crossover and mutation. */
static void test_selection(void **state)
{
    (void)state;
    enum { MEMBERS = 12, RUNS = 20000 };
    struct shoal_ga_params params = thesis_params();
    struct ga_host host;
    double copies[MEMBERS] = {0};
    leave_genes(&params);
    params.search.runs = RUNS;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 0);
    for (size_t i = 0; i < RUNS * MEMBERS; i++)
        host.search.p[2 * i] = host.search.best[i] = (double)((i * 5) % MEMBERS);
    search_host_advance(&host.search, 1);
    for (size_t i = 0; i < RUNS * MEMBERS; i++)
        copies[(size_t)host.search.p[2 * i]]++;
    for (size_t r = 0; r < MEMBERS; r++) {
        const double wanted = RUNS * (2 * (MEMBERS - (double)r) - 1) / MEMBERS;
        assert_true(fabs(copies[r] - wanted) < 5 * sqrt(wanted));
    }
    search_host_destroy(&host.search);
}

/* With selection for pairs that cross alone, a pair that does not is the members of its own slots; the
 * children of one that does are between the winners, which are at least as good. */
static void test_select_crossing(void **state)
{
    (void)state;
    enum { MEMBERS = 20000 };
    struct shoal_ga_params params = thesis_params();
    struct ga_host host;
    double *before = malloc(MEMBERS * sizeof *before);
    size_t kept = 0;
    assert_non_null(before);
    params.mutation_rate = 0;
    thesis.select_crossing = true;
    params.population = MEMBERS;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 0);
    for (size_t i = 0; i < MEMBERS; i++)
        before[i] = host.search.p[2 * i];
    search_host_advance(&host.search, 1);
    for (size_t p = 0; p < MEMBERS / 2; p++)
        kept += host.search.p[4 * p] == before[2 * p] && host.search.p[4 * p + 2] == before[2 * p + 1];
    assert_true(fabs((double)kept - 0.3 * MEMBERS / 2) < 5 * sqrt(0.21 * MEMBERS / 2));
    search_host_destroy(&host.search);
    free(before);
}

/* Its variance is 1 and it falls on each gene as often; the frequency is the rate. */
static void test_mutation(void **state)
{
    (void)state;
    enum { MEMBERS = 50000, DIM = 3 };
    struct shoal_ga_params params = thesis_params();
    struct ga_host host;
    double count[DIM] = {0}, sum = 0, squares = 0;
    params.crossover_rate = 0;
    params.bounds = SHOAL_GA_UNBOUNDED;
    params.search.dim = DIM;
    params.population = MEMBERS;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 0);
    memset(host.search.p, 0, MEMBERS * DIM * sizeof *host.search.p);
    search_host_advance(&host.search, 1);
    for (size_t i = 0; i < MEMBERS * DIM; i++) {
        const double x = host.search.p[i];
        count[i % DIM] += x != 0;
        sum += x;
        squares += x * x;
    }
    const double mutants = count[0] + count[1] + count[2];
    assert_true(fabs(mutants - 0.3 * MEMBERS) < 5 * sqrt(0.21 * MEMBERS));
    for (size_t d = 0; d < DIM; d++)
        assert_true(fabs(count[d] - mutants / DIM) < 5 * sqrt(mutants / DIM));
    assert_true(fabs(sum / mutants) < 5 / sqrt(mutants) &&
                fabs(squares / mutants - 1) < 5 * sqrt(2 / mutants));
    search_host_destroy(&host.search);
}

/* An island that exchanges with itself has what was its best at the exchange before; without, that may be
 * lost. */
static void test_elitism(void **state)
{
    (void)state;
    bool loses[2] = {false, false};
    for (uint64_t exchange = 0; exchange < 2; exchange++) {
        struct shoal_ga_params params = thesis_params();
        struct ga_host host;
        params.mutation_rate = 1;
        params.search.exchange = exchange;
        thesis.migration = exchange ? SHOAL_GA_MAILBOX : SHOAL_GA_EPOCHS;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 0);
        for (double before = INFINITY; search_host_steps(&host.search) < 200;) {
            search_host_advance(&host.search, 1);
            loses[exchange] = loses[exchange] || host.search.islands[0].goal > before;
            before = exchange ? host.mail_values[0] : host.search.islands[0].goal;
        }
        search_host_destroy(&host.search);
    }
    assert_true(loses[0] && !loses[1]);
}

/* An island takes what its neighbour sent at the exchange before, and at the first one nothing. */
static void test_mailbox(void **state)
{
    (void)state;
    enum { ISLANDS = 3, MEMBERS = 12 };
    struct shoal_ga_params params = thesis_params();
    struct ga_host host;
    double first[ISLANDS];
    params.search.islands = ISLANDS;
    params.search.exchange = 1;
    thesis.migration = SHOAL_GA_MAILBOX;
    leave_genes(&params);
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 1);
    for (size_t s = 0; s < ISLANDS; s++)
        first[s] = host.search.islands[s].goal;
    for (size_t s = 0; s < ISLANDS; s++)
        for (size_t i = 0; i < MEMBERS; i++)
            for (size_t other = 0; other < ISLANDS; other++)
                assert_true(other == s || host.search.best[s * MEMBERS + i] != first[other]);
    search_host_advance(&host.search, 1);
    for (size_t s = 0; s < ISLANDS; s++) {
        bool has = false;
        for (size_t i = 0; i < MEMBERS; i++)
            has = has || host.search.best[s * MEMBERS + i] == first[(s + ISLANDS - 1) % ISLANDS];
        assert_true(has);
    }
    search_host_destroy(&host.search);
}

static void assert_refused(const struct shoal_ga_params *params, const char *message)
{
    assert_status(shoal_workload_validate(NULL, shoal_workload_find("ga"), params, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, message);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_ga_params params = thesis_params();
    params.population = 13;
    assert_refused(&params, "an odd number");
    params = thesis_params();
    params.selection = SHOAL_GA_TOURNAMENT;
    assert_refused(&params, "selection own");
    params = thesis_params();
    thesis.select_crossing = true;
    thesis.random = SHOAL_GA_PHILOX;
    assert_refused(&params, "select-crossing needs --random hybridtaus");
    params = thesis_params();
    params.search.exchange = 5;
    assert_refused(&params, "islands");
    thesis.migration = SHOAL_GA_MAILBOX;
    params.migrants = 7;
    assert_refused(&params, "lower --migrants to 6");
    params.migrants = 1;
    thesis.random = SHOAL_GA_PHILOX;
    assert_refused(&params, "random hybridtaus");
    params = thesis_params();
    params.crossover = SHOAL_GA_NO_CROSSOVER;
    params.mutation = SHOAL_GA_NO_MUTATION;
    params.crossover_rate = 0.9;
    params.mutation_rate = 1;
    params.one_gene = false;
    params.sigma = 0.1;
    params.sigma_unit = SHOAL_GA_SIGMA_BOX;
    params.search.function = function_named("onemax");
    assert_refused(&params, "hybridtaus is for real variables alone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator), cmocka_unit_test(test_seeds), OPEN_TEST(test_selection),
        OPEN_TEST(test_select_crossing),  OPEN_TEST(test_mutation),     OPEN_TEST(test_elitism),
        OPEN_TEST(test_mailbox),          OPEN_TEST(test_refused),
    };
    return cmocka_run_group_tests_name("ga-thesis", tests, NULL, NULL);
}
