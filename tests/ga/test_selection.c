/* Selection, mutation rates and rate lists of the host solver: how often each member is a parent and each
 * gene mutates, over 1e6 draws. */
#include "populations.h"
#include "statistics.h"

#include "ga/host/model.h"

enum { MEMBERS = 16 };

static struct ga_host host;
static uint64_t copies[MEMBERS];
static double expected[MEMBERS];

/* Member i has the value of rank (5 i + 3) mod MEMBERS: its square. */
static size_t rank_of(size_t i)
{
    return (5 * i + 3) % MEMBERS;
}

static void open_members(struct shoal_ga_params *params)
{
    params->population = MEMBERS;
    params->elites = 0;
    make_host(params, 1, &host);
    search_host_advance(&host.search, 0);
    for (size_t i = 0; i < MEMBERS; i++)
        host.search.best[i] = (double)(rank_of(i) * rank_of(i));
    ga_host_prepare(&host.search, 0);
}

/* Parents of pairs in many steps; counts copies by rank, of parent A and of B. */
static void select_many(void)
{
    memset(copies, 0, sizeof copies);
    for (size_t n = 0; n < DRAWS / 2; n++) {
        const struct ga_parents parents =
            parents_of(&host, 0, n % host.problem.pairs, 1 + n / host.problem.pairs);
        copies[rank_of(parents.a)]++;
        copies[rank_of(parents.b)]++;
    }
}

static void assert_selects(struct shoal_ga_params params,
                           double (*share)(const struct shoal_ga_params *, size_t))
{
    double sum = 0;
    open_members(&params);
    select_many();
    for (size_t r = 0; r < MEMBERS; r++)
        sum += share(&params, r);
    for (size_t r = 0; r < MEMBERS; r++)
        expected[r] = DRAWS * share(&params, r) / sum;
    assert_counts(copies, expected, MEMBERS);
    search_host_destroy(&host.search);
}

/* Rank r, 0 the best, has (2 (J - r) - 1) / J copies in a population of J by a tournament of two. */
static double by_two(const struct shoal_ga_params *params, size_t r)
{
    (void)params;
    return 2. * (MEMBERS - (double)r) - 1;
}

/* Wins a tournament of k if none is better and not all are worse. */
static double by_tournament(const struct shoal_ga_params *params, size_t r)
{
    const double k = (double)params->tournament, rest = MEMBERS - (double)r;
    return pow(rest / MEMBERS, k) - pow((rest - 1) / MEMBERS, k);
}

static double by_fitness(const struct shoal_ga_params *params, size_t r)
{
    (void)params;
    return 1 - (double)(r * r) / ((MEMBERS - 1) * (MEMBERS - 1));
}

static double by_boltzmann(const struct shoal_ga_params *params, size_t r)
{
    return exp((by_fitness(params, r) - 1) / params->temperature);
}

static double by_linear_rank(const struct shoal_ga_params *params, size_t r)
{
    return params->pressure - 2 * (params->pressure - 1) * (double)r / (MEMBERS - 1);
}

static double by_exponential_rank(const struct shoal_ga_params *params, size_t r)
{
    return pow(params->rank_base, (double)r);
}

static double by_truncation(const struct shoal_ga_params *params, size_t r)
{
    return (double)r < params->truncation * MEMBERS;
}

static void test_selections(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    assert_selects(params, by_two);
    params.tournament = 2;
    assert_selects(params, by_tournament);
    params.tournament = 5;
    assert_selects(params, by_tournament);
    params = small_params();
    params.selection = SHOAL_GA_OWN;
    assert_selects(params, by_two);
    params.selection = SHOAL_GA_ROULETTE;
    assert_selects(params, by_fitness);
    params.selection = SHOAL_GA_BOLTZMANN;
    params.cooling = 1;
    params.temperature = 0.3;
    assert_selects(params, by_boltzmann);
    params = small_params();
    params.selection = SHOAL_GA_LINEAR_RANK;
    params.pressure = 1.7;
    assert_selects(params, by_linear_rank);
    params = small_params();
    params.selection = SHOAL_GA_EXPONENTIAL_RANK;
    params.rank_base = 0.8;
    assert_selects(params, by_exponential_rank);
    params.rank_base = 1;
    assert_selects(params, by_exponential_rank);
    params = small_params();
    params.selection = SHOAL_GA_TRUNCATION;
    params.truncation = 0.3125;
    assert_selects(params, by_truncation);
}

/* With `own` a parent of slot i is member i or a better one; parents A and B are of neighbouring slots. */
static void test_own(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.selection = SHOAL_GA_OWN;
    open_members(&params);
    for (size_t n = 0; n < 10000; n++) {
        const size_t pair = n % host.problem.pairs;
        const struct ga_parents parents = parents_of(&host, 0, pair, n);
        assert_true(rank_of(parents.a) <= rank_of(2 * pair));
        assert_true(rank_of(parents.b) <= rank_of(2 * pair + 1));
    }
    search_host_destroy(&host.search);
}

/* Each generation has the whole part of the expected copies of each member, or one more; in any order. */
static void test_sus(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.selection = SHOAL_GA_SUS;
    open_members(&params);
    double sum = 0;
    uint64_t total[MEMBERS] = {0}, neighbours = 0;
    for (size_t r = 0; r < MEMBERS; r++)
        sum += by_fitness(&params, r);
    for (uint64_t step = 1; step <= 20000; step++) {
        memset(copies, 0, sizeof copies);
        for (size_t pair = 0; pair < host.problem.pairs; pair++) {
            const struct ga_parents parents = parents_of(&host, 0, pair, step);
            copies[rank_of(parents.a)]++;
            copies[rank_of(parents.b)]++;
            neighbours += parents.a == parents.b;
        }
        for (size_t r = 0; r < MEMBERS; r++) {
            const double wanted = MEMBERS * by_fitness(&params, r) / sum;
            assert_true((double)copies[r] >= floor(wanted) && (double)copies[r] <= ceil(wanted));
            total[r] += copies[r];
        }
    }
    /* Dependent draws vary less: a bound on each. */
    for (size_t r = 0; r < MEMBERS; r++)
        assert_true(fabs((double)total[r] / 20000 - MEMBERS * by_fitness(&params, r) / sum) < 0.02);
    /* In the order of the members, nearly each pair would be twice the same one. */
    assert_true(neighbours < 20000);
    search_host_destroy(&host.search);
}

/* Equal values, and values without a finite one: each member as often. */
static void test_equal_values(void **state)
{
    (void)state;
    const int32_t selections[] = {SHOAL_GA_ROULETTE, SHOAL_GA_SUS, SHOAL_GA_BOLTZMANN};
    for (size_t s = 0; s < 3; s++)
        for (int infinite = 0; infinite < 2; infinite++) {
            struct shoal_ga_params params = small_params();
            params.selection = selections[s];
            open_members(&params);
            for (size_t i = 0; i < MEMBERS; i++)
                host.search.best[i] = infinite ? INFINITY : 3;
            ga_host_prepare(&host.search, 0);
            select_many();
            for (size_t r = 0; r < MEMBERS; r++)
                expected[r] = (double)DRAWS / MEMBERS;
            if (selections[s] == SHOAL_GA_SUS)
                for (size_t r = 0; r < MEMBERS; r++)
                    assert_true(copies[r] == DRAWS / MEMBERS);
            else
                assert_counts(copies, expected, MEMBERS);
            search_host_destroy(&host.search);
        }
}

/* Cells select from their neighbourhoods: the best, or a tournament. */
static void test_cells(void **state)
{
    (void)state;
    for (int32_t structure = SHOAL_GA_CELLULAR_4; structure <= SHOAL_GA_CELLULAR_8; structure++) {
        struct shoal_ga_params params = small_params();
        params.structure = structure;
        open_members(&params);
        uint64_t drawn[MEMBERS] = {0};
        double wanted[MEMBERS] = {0};
        host.problem.params = &params;
        const size_t cell = 6, cells = structure == SHOAL_GA_CELLULAR_8 ? 9 : 5;
        size_t best = cell;
        for (size_t q = 0; q < cells; q++) {
            const size_t other = cell_neighbour((uint)cell, (uint)q, 4, 4);
            best = rank_of(other) < rank_of(best) ? other : best;
            wanted[other] = (double)DRAWS / (double)cells;
        }
        params.tournament = 1;
        for (size_t n = 0; n < DRAWS; n++) {
            const struct ga_parents parents = parents_of(&host, 0, cell, n);
            assert_int_equal(parents.a, cell);
            drawn[parents.b]++;
        }
        assert_counts(drawn, wanted, MEMBERS);
        params.selection = SHOAL_GA_BEST;
        assert_int_equal(parents_of(&host, 0, cell, 1).b, best);
        search_host_destroy(&host.search);
    }
}

/* Without a crossover each gene of the child of equal parents that is another one has mutated. */
static void count_mutations(const struct shoal_ga_params *params, double rate, double gene)
{
    enum { GENES = 10 };
    struct shoal_ga_params own = *params;
    own.search.dim = GENES;
    own.population = 500;
    own.elites = 0;
    own.crossover = SHOAL_GA_NO_CROSSOVER;
    make_host(&own, 1, &host);
    uint64_t numbers[GENES + 1] = {0}, genes[GENES] = {0};
    double wanted[GENES + 1], each[GENES];
    size_t children = 0;
    search_host_advance(&host.search, 0);
    for (uint64_t step = 1; step <= 200; step++)
        for (size_t c = 0; c < 500; c++, children++) {
            size_t count = 0;
            ga_host_move(&host.search, c, step, search_host_scratch_of(&host.search, 0));
            const struct ga_parents parents = parents_of(&host, 0, c / 2, step);
            const double *x = host.search.x + c * GENES;
            const double *from = host.search.p + (c % 2 ? parents.b : parents.a) * GENES;
            for (size_t d = 0; d < GENES; d++)
                if (x[d] != from[d]) {
                    count++;
                    genes[d]++;
                }
            numbers[count]++;
        }
    double choose = 1;
    for (size_t k = 0; k <= GENES; k++) {
        wanted[k] =
            own.one_gene ? (k == 1) : choose * pow(gene, (double)k) * pow(1 - gene, (double)(GENES - k));
        wanted[k] = (double)children * (rate * wanted[k] + (k == 0 ? 1 - rate : 0));
        choose *= (double)(GENES - k) / (double)(k + 1);
    }
    for (size_t d = 0; d < GENES; d++)
        each[d] = (double)children * rate * (own.one_gene ? 1. / GENES : gene);
    assert_counts(numbers, wanted, GENES + 1);
    assert_counts(genes, each, GENES);
    search_host_destroy(&host.search);
}

static void test_mutation_rates(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    count_mutations(&params, 1, 0.1);
    params.gene_rate = 0.35;
    params.mutation_rate = 0.6;
    count_mutations(&params, 0.6, 0.35);
    params.mutation = SHOAL_GA_GAUSSIAN;
    count_mutations(&params, 0.6, 0.35);
    params.gene_rate = NAN;
    params.one_gene = true;
    count_mutations(&params, 0.6, 0);
}

/* Rates of 0 and 1 are exact. */
static void test_ends_of_rates(void **state)
{
    (void)state;
    for (int one = 0; one < 2; one++) {
        struct shoal_ga_params params = small_params();
        params.population = 200;
        params.elites = 0;
        params.mutation = one ? SHOAL_GA_UNIFORM_IN_BOX : SHOAL_GA_POLYNOMIAL;
        params.crossover = SHOAL_GA_ARITHMETIC;
        params.crossover_rate = params.mutation_rate = params.gene_rate = one;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 0);
        for (size_t c = 0; c < 200; c++) {
            ga_host_move(&host.search, c, 1, search_host_scratch_of(&host.search, 0));
            const struct ga_parents parents = parents_of(&host, 0, c / 2, 1);
            const double *x = host.search.x + c * 3, *a = host.search.p + parents.a * 3;
            const double *b = host.search.p + parents.b * 3;
            for (size_t d = 0; d < 3; d++)
                assert_true((x[d] == (c % 2 ? b : a)[d]) == !one);
        }
        search_host_destroy(&host.search);
    }
}

/* Each island of a run has its own rates; another run has the same. */
static void test_lists(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.search.islands = 2;
    params.search.runs = 2;
    params.crossover_rates = "1,0";
    params.crossover = SHOAL_GA_ARITHMETIC;
    params.mutation_rates = "0,1";
    params.gene_rate = 1;
    params.mutation = SHOAL_GA_UNIFORM_IN_BOX;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 0);
    for (size_t island = 0; island < 4; island++) {
        const size_t c = island * 12;
        ga_host_move(&host.search, c, 1, search_host_scratch_of(&host.search, 0));
        const struct ga_parents parents = parents_of(&host, island, 0, 1);
        const double *x = host.search.x + c * 3, *a = host.search.p + (c + parents.a) * 3;
        const double *b = host.search.p + (c + parents.b) * 3;
        for (size_t d = 0; d < 3; d++) {
            const bool between = (x[d] - a[d]) * (x[d] - b[d]) <= 0;
            assert_true(island % 2 || between);
        }
        /* The same weight for all genes, or genes drawn anew. */
        const double w = (x[0] - b[0]) / (a[0] - b[0]), v = (x[1] - b[1]) / (a[1] - b[1]);
        assert_true(parents.a == parents.b || (fabs(w - v) < 1e-9) == (island % 2 == 0));
    }
    search_host_destroy(&host.search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_selections),    OPEN_TEST(test_own),   OPEN_TEST(test_sus),
        OPEN_TEST(test_equal_values),  OPEN_TEST(test_cells), OPEN_TEST(test_mutation_rates),
        OPEN_TEST(test_ends_of_rates), OPEN_TEST(test_lists),
    };
    return cmocka_run_group_tests_name("selection", tests, NULL, NULL);
}
