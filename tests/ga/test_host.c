/* Generations of the host solver: replacement, migration, restarts, threads, checkpoints. */
#include "populations.h"

#include <math.h>

enum { KINDS = 9 };

/* Runs that differ in structure, replacement, selection, islands and ends. */
static struct shoal_ga_params kind(size_t k)
{
    struct shoal_ga_params params = small_params();
    params.search.dim = 5;
    switch (k) {
    case 0:
        break;
    case 1:
        params.replacement = SHOAL_GA_STEADY;
        params.children = 3;
        params.unique = true;
        params.selection = SHOAL_GA_ROULETTE;
        break;
    case 2:
        params.replacement = SHOAL_GA_PLUS;
        params.children = 20;
        params.crossover = SHOAL_GA_BLX;
        params.search.islands = 3;
        params.search.exchange = 4;
        params.migrants = 2;
        break;
    case 3:
        params.replacement = SHOAL_GA_COMMA;
        params.crossover = SHOAL_GA_TWO_POINT;
        params.search.runs = 5;
        params.search.target = 0.5;
        params.selection = SHOAL_GA_LINEAR_RANK;
        break;
    case 4:
        params.replacement = SHOAL_GA_COMMA;
        params.children = 30;
        params.search.islands = 2;
        params.search.runs = 2;
        params.search.restart = 3;
        params.search.stagnation_tolerance = 0.05;
        params.search.exchange = 5;
        params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_ALL;
        params.emigrants = SHOAL_GA_RANDOM_LEAVE;
        params.immigrants = SHOAL_GA_REPLACE_RANDOM;
        break;
    case 5:
        params.structure = SHOAL_GA_CELLULAR_8;
        params.search.evaluations = 200;
        break;
    case 6:
        params.structure = SHOAL_GA_CELLULAR_4;
        params.selection = SHOAL_GA_BEST;
        params.replacement = SHOAL_GA_STEADY;
        params.victim = SHOAL_GA_VICTIM_PARENT;
        break;
    case 7:
        params.replacement = SHOAL_GA_STEADY;
        params.victim = SHOAL_GA_VICTIM_PARENT;
        params.search.restart = 4;
        params.search.stagnation_tolerance = 0.1;
        params.selection = SHOAL_GA_SUS;
        params.children = 5;
        break;
    default:
        params.crossover = SHOAL_GA_HEURISTIC;
        params.mutation = SHOAL_GA_GAUSSIAN;
        params.bounds = SHOAL_GA_PENALTY;
        params.penalty = 3;
        params.selection = SHOAL_GA_OWN;
        params.elites = 0;
        params.search.islands = 4;
        params.search.exchange = 3;
        params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_HYPERCUBE;
    }
    return params;
}

/* The value of each member is that of the objective there, and the island's record names the best one. */
static void assert_sound(const struct ga_host *host)
{
    const struct search_problem *problem = &host->problem.search;
    double scratch[16];
    for (size_t i = 0; i < problem->total; i++)
        assert_true(host->search.best[i] ==
                    search_value(problem, host->search.p + i * problem->dim, scratch));
    for (size_t k = 0; k < problem->islands; k++) {
        const struct search_island *island = &host->search.islands[k];
        for (size_t i = 0; i < problem->members; i++)
            assert_true(host->search.best[k * problem->members + island->leader] <=
                        host->search.best[k * problem->members + i]);
        assert_true(island->champion <= island->goal);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const struct shoal_ga_params params = kind(k);
        struct ga_host one, many;
        make_host(&params, 1, &one);
        search_host_advance(&one.search, 40);
        assert_sound(&one);
        for (int threads = 2; threads <= 7; threads += 5) {
            make_host(&params, threads, &many);
            search_host_advance(&many.search, 0);
            for (uint64_t steps = 0; steps < 40; steps += 7) {
                many.search.point_seconds = 1; /* worth waking all */
                many.search.choice.alone = steps % 2;
                many.search.choice.left_s = 1e-9;
                search_host_advance(&many.search, steps + 7 < 40 ? 7 : 40 - steps);
            }
            assert_same(&one, &many);
            search_host_destroy(&many.search);
        }
        search_host_destroy(&one.search);
    }
}

/* A child takes its parent's place, which selections by rank find once more. */
static void test_parents_of_selections(void **state)
{
    (void)state;
    for (int32_t selection = SHOAL_GA_TOURNAMENT; selection <= SHOAL_GA_BOLTZMANN; selection++) {
        struct shoal_ga_params params = small_params();
        struct ga_host host;
        params.search.dim = 5;
        params.replacement = SHOAL_GA_STEADY;
        params.victim = SHOAL_GA_VICTIM_PARENT;
        params.selection = selection;
        params.children = 4;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 20);
        assert_sound(&host);
        search_host_destroy(&host.search);
    }
}

static void test_resume(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const struct shoal_ga_params params = kind(k);
        assert_resumes(&params, 40, 13);
    }
}

/* The same run by itself and as one of several: each has its own seed. */
static void test_runs(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    struct ga_host many, one;
    params.search.islands = 3;
    params.search.exchange = 4;
    params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_RANDOM;
    params.search.runs = 3;
    make_host(&params, 2, &many);
    search_host_advance(&many.search, 20);
    params.search.runs = 1;
    params.search.seed += 2;
    make_host(&params, 1, &one);
    search_host_advance(&one.search, 20);
    const size_t each = one.problem.search.total;
    assert_memory_equal(one.search.p, many.search.p + 2 * each * 3, each * 3 * sizeof(double));
    assert_memory_equal(one.search.best, many.search.best + 2 * each, each * sizeof(double));
    search_host_destroy(&many.search);
    search_host_destroy(&one.search);
}

/* Replacements that keep the best of a population never make it worse; the others do. */
static void test_best_stays(void **state)
{
    (void)state;
    for (size_t k = 0; k < 8; k++) {
        struct shoal_ga_params params = small_params();
        bool keeps = true, fell = false;
        params.mutation_eta = 1;
        params.gene_rate = 0.9;
        if (k == 1)
            params.elites = 3;
        if (k == 2)
            params.replacement = SHOAL_GA_PLUS;
        if (k >= 3 && k <= 5) {
            params.replacement = SHOAL_GA_STEADY;
            params.victim = (int32_t)(k - 3);
            params.children = 7;
        }
        if (k == 6) {
            params.elites = 0;
            keeps = false;
        }
        if (k == 7) {
            params.replacement = SHOAL_GA_COMMA;
            params.children = 14;
            keeps = false;
        }
        struct ga_host host;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 0);
        double best = host.search.islands->goal;
        for (int step = 0; step < 200; step++) {
            search_host_advance(&host.search, 1);
            fell = fell || host.search.islands->goal > best;
            best = host.search.islands->goal;
        }
        assert_true(fell == !keeps);
        assert_sound(&host);
        search_host_destroy(&host.search);
    }
}

/* One generation by hand: which members and children are in the next one. */
static struct ga_host host;
static double before[64], before_p[64 * 3];

static void make_children(const struct shoal_ga_params *params)
{
    make_host(params, 1, &host);
    search_host_advance(&host.search, 3);
    const struct search_problem *problem = &host.problem.search;
    memcpy(before, host.search.best, problem->members * sizeof *before);
    memcpy(before_p, host.search.p, problem->members * 3 * sizeof *before_p);
    search_host_propose(&host.search, 0, 0, (struct search_team){1, 0});
    search_host_evaluate(&host.search, 0, 0, (struct search_team){1, 0});
}

/* Is member i child c, or member j from before? */
static void assert_child(size_t i, size_t c)
{
    assert_true(host.search.best[i] == host.search.y[c]);
    assert_memory_equal(host.search.p + i * 3, host.search.x + c * 3, 3 * sizeof(double));
}

static void assert_member(size_t i, size_t j)
{
    assert_true(host.search.best[i] == before[j]);
    assert_memory_equal(host.search.p + i * 3, before_p + j * 3, 3 * sizeof(double));
}

static void replace(void)
{
    ga_host_replace(&host.search, 0, (struct search_team){1, 0});
}

/* Number of values that come before number i. */
static size_t rank(const double *values, size_t count, size_t i)
{
    size_t before_it = 0;
    for (size_t j = 0; j < count; j++)
        before_it += values[j] < values[i] || (values[j] == values[i] && j < i);
    return before_it;
}

static void test_generational(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.elites = 3;
    make_children(&params);
    assert_int_equal(host.problem.search.points, 9);
    replace();
    for (size_t j = 0; j < 12; j++)
        if (rank(before, 12, j) < 3)
            assert_member(rank(before, 12, j), j);
    for (size_t c = 0; c < 9; c++)
        assert_child(3 + c, c);
    search_host_destroy(&host.search);
}

static void test_order(void **state)
{
    (void)state;
    for (int has_members = 0; has_members < 2; has_members++) {
        struct shoal_ga_params params = small_params();
        double values[40];
        params.replacement = has_members ? SHOAL_GA_PLUS : SHOAL_GA_COMMA;
        params.children = 20;
        make_children(&params);
        const size_t offset = has_members ? 12 : 0;
        memcpy(values, before, 12 * sizeof *values);
        memcpy(values + offset, host.search.y, 20 * sizeof *values);
        replace();
        for (size_t i = 0; i < offset + 20; i++) {
            const size_t slot = rank(values, offset + 20, i);
            if (slot < 12 && i < offset)
                assert_member(slot, i);
            else if (slot < 12)
                assert_child(slot, i - offset);
        }
        search_host_destroy(&host.search);
    }
}

static void test_worst(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.replacement = SHOAL_GA_STEADY;
    params.children = 5;
    make_children(&params);
    /* One better than all, one equal to the second worst, the others in between. */
    for (size_t j = 0; j < 12; j++)
        before[j] = host.search.best[j] = 10 + (double)(j * 7 % 12);
    const double children[] = {20, 19, 1, 17.5, 30};
    memcpy(host.search.y, children, sizeof children);
    replace();
    for (size_t j = 0; j < 12; j++) {
        const double old = before[j]; /* 21, 20, 19, 18: against 1, 17.5, 19, 20 */
        if (old == 21)
            assert_child(j, 2);
        else if (old == 20)
            assert_child(j, 3);
        else if (old == 19)
            assert_child(j, 1);
        else
            assert_member(j, j);
    }
    search_host_destroy(&host.search);
}

static void test_oldest_and_random(void **state)
{
    (void)state;
    size_t taken[12] = {0}, spared = 0;
    for (int random = 0; random < 2; random++)
        for (uint64_t seed = 0; seed < 300; seed++) {
            struct shoal_ga_params params = small_params();
            params.search.seed = seed;
            params.replacement = SHOAL_GA_STEADY;
            params.victim = random ? SHOAL_GA_VICTIM_RANDOM : SHOAL_GA_VICTIM_OLDEST;
            params.children = 5;
            params.elites = 2;
            make_children(&params);
            for (size_t j = 0; j < 12; j++)
                before[j] = host.search.best[j] = (double)(j * 5 % 12) - 100; /* elites: 0 and 5 */
            replace();
            size_t changed = 0;
            assert_member(0, 0);
            assert_member(5, 5);
            for (size_t j = 0; j < 12; j++)
                if (host.search.best[j] != before[j]) {
                    changed++;
                    taken[j] += (size_t)random;
                }
            /* Step 4: places 15 .. 19 modulo 12, of which one is an elite's. */
            for (size_t c = 0; c < 5 && !random; c++)
                if (c != 2)
                    assert_child(3 + c, c);
            assert_true(changed <= 5 && (random || changed == 4));
            spared += changed < 5;
            search_host_destroy(&host.search);
        }
    for (size_t j = 0; j < 12; j++)
        assert_true((taken[j] > 60 && taken[j] < 160) || j == 0 || j == 5);
    assert_true(spared > 300);
}

static void test_parents(void **state)
{
    (void)state;
    size_t several = 0, entered = 0;
    for (uint64_t seed = 1; seed < 60; seed++) {
        struct shoal_ga_params params = small_params();
        params.search.seed = seed;
        params.replacement = SHOAL_GA_STEADY;
        params.victim = SHOAL_GA_VICTIM_PARENT;
        params.children = 11;
        params.gene_rate = 0.5;
        make_children(&params);
        size_t winner[12], children[12] = {0};
        for (size_t j = 0; j < 12; j++)
            winner[j] = SIZE_MAX;
        for (size_t c = 0; c < 11; c++) {
            const struct ga_parents parents = parents_of(&host, 0, c / 2, 4);
            const size_t j = c % 2 ? parents.b : parents.a;
            children[j]++;
            if (host.search.y[c] <= before[j] &&
                (winner[j] == SIZE_MAX || host.search.y[c] < host.search.y[winner[j]]))
                winner[j] = c;
        }
        replace();
        for (size_t j = 0; j < 12; j++) {
            several += children[j] > 1;
            entered += winner[j] != SIZE_MAX;
            if (winner[j] == SIZE_MAX)
                assert_member(j, j);
            else
                assert_child(j, winner[j]);
        }
        search_host_destroy(&host.search);
    }
    assert_true(several > 50 && entered > 50);
}

static void test_unique(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.replacement = SHOAL_GA_STEADY;
    params.children = 4;
    params.unique = true;
    make_children(&params);
    for (size_t j = 0; j < 12; j++)
        before[j] = host.search.best[j] = 10 + (double)j;
    for (size_t i = 0; i < 4 * 3; i++)
        host.search.x[i] = (double)(i / 3 + 1) / 100;
    memcpy(host.search.x, host.search.p + 3, 3 * sizeof(double));     /* child 0: member 1 */
    memcpy(host.search.x + 9, host.search.x + 6, 3 * sizeof(double)); /* child 3: child 2 */
    const double values[] = {1, 2, 3, 4};
    memcpy(host.search.y, values, sizeof values);
    replace();
    assert_child(11, 1);
    assert_child(10, 2);
    for (size_t j = 0; j < 10; j++)
        assert_member(j, j);
    search_host_destroy(&host.search);
}

static void test_cellular(void **state)
{
    (void)state;
    for (int competes = 0; competes < 2; competes++) {
        struct shoal_ga_params params = small_params();
        params.structure = SHOAL_GA_CELLULAR_4;
        params.elites = competes ? 1 : 2;
        if (competes) {
            params.replacement = SHOAL_GA_STEADY;
            params.victim = SHOAL_GA_VICTIM_PARENT;
        }
        make_children(&params);
        replace();
        for (size_t j = 0; j < 12; j++)
            if (host.search.y[j] <= before[j] || (!competes && rank(before, 12, j) >= 2))
                assert_child(j, j);
            else
                assert_member(j, j);
        search_host_destroy(&host.search);
    }
}

/* The text that is compiled for AVX2, too, has the bits of the plain one. */
static void test_processors(void **state)
{
    (void)state;
    for (uint64_t dim = 1; dim < 80; dim += 13) {
        struct ga_host hosts[2];
        struct shoal_ga_params params = small_params();
        params.search.dim = dim;
        params.mutation_rate = 0.3; /* of many genes */
        for (size_t k = 0; k < 2; k++)
            make_host(&params, 1, &hosts[k]);
        hosts[1].reals = &ga_host_reals;
        for (size_t k = 0; k < 2; k++)
            search_host_advance(&hosts[k].search, 30);
        assert_same(&hosts[0], &hosts[1]);
        for (size_t k = 0; k < 2; k++)
            search_host_destroy(&hosts[k].search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_threads),      OPEN_TEST(test_resume),
        OPEN_TEST(test_runs),         OPEN_TEST(test_best_stays),
        OPEN_TEST(test_generational), OPEN_TEST(test_order),
        OPEN_TEST(test_worst),        OPEN_TEST(test_oldest_and_random),
        OPEN_TEST(test_parents),      OPEN_TEST(test_parents_of_selections),
        OPEN_TEST(test_unique),       OPEN_TEST(test_cellular),
        OPEN_TEST(test_processors),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
