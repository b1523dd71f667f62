/* The exchange between islands: who receives from whom, what leaves, whom it replaces. */
#include "populations.h"

#include <math.h>

enum { ISLANDS = 8, MEMBERS = 12 };

static struct shoal_ga_params params;
static struct ga_host host;
static double before[ISLANDS * MEMBERS];

/* Member i of island s has a value of its own, the best being 100 s. */
static double value_of(size_t s, size_t i)
{
    return 100 * (double)s + (double)((i * 5 + s) % MEMBERS);
}

static void open_islands(int32_t topology)
{
    params = small_params();
    params.search.islands = ISLANDS;
    params.search.exchange = 2;
    params.search.exchange_topology = topology;
}

/* After the exchange of step 2. */
static void exchange(void)
{
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 1);
    for (size_t i = 0; i < host.problem.search.total; i++) {
        before[i] = host.search.best[i] = value_of(i / MEMBERS, i % MEMBERS);
        host.search.p[i * 3] = before[i] / 1000; /* values go with their points */
    }
    search_host_exchange(&host.search, 0);
    for (size_t i = 0; i < host.problem.search.total; i++)
        assert_true(host.search.p[i * 3] == host.search.best[i] / 1000);
}

static bool has(size_t s, double value)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (host.search.best[s * MEMBERS + i] == value)
            return true;
    return false;
}

/* Island s has the best `migrants` of each of the sources in place of its worst. */
static void assert_received(size_t s, const size_t *sources, size_t count, size_t migrants)
{
    size_t changed = 0;
    for (size_t i = 0; i < MEMBERS; i++)
        changed += host.search.best[s * MEMBERS + i] != before[s * MEMBERS + i];
    assert_int_equal(changed, count * migrants);
    for (size_t k = 0; k < count; k++)
        for (size_t m = 0; m < migrants; m++)
            assert_true(has(s, 100 * (double)sources[k] + (double)m));
    for (size_t m = 0; m < MEMBERS; m++)
        assert_true(has(s, 100 * (double)s + (double)m) == (m < MEMBERS - count * migrants));
}

static void test_topologies(void **state)
{
    (void)state;
    open_islands(SHOAL_SEARCH_EXCHANGE_RING);
    params.migrants = 3;
    exchange();
    for (size_t s = 0; s < ISLANDS; s++)
        assert_received(s, (size_t[]){(s + 7) % 8}, 1, 3);
    search_host_destroy(&host.search);
    open_islands(SHOAL_SEARCH_EXCHANGE_HYPERCUBE);
    params.migrants = 2;
    exchange();
    for (size_t s = 0; s < ISLANDS; s++)
        assert_received(s, (size_t[]){s ^ 1, s ^ 2, s ^ 4}, 3, 2);
    search_host_destroy(&host.search);
    /* Two rows of four: up and down are one. */
    open_islands(SHOAL_SEARCH_EXCHANGE_TORUS);
    exchange();
    for (size_t s = 0; s < ISLANDS; s++)
        assert_received(s, (size_t[]){s ^ 4, s / 4 * 4 + (s + 3) % 4, s / 4 * 4 + (s + 1) % 4}, 3, 1);
    search_host_destroy(&host.search);
    /* The best two of the run are those of island 0, which keeps to itself. */
    open_islands(SHOAL_SEARCH_EXCHANGE_ALL);
    params.migrants = 2;
    exchange();
    assert_received(0, NULL, 0, 2);
    for (size_t s = 1; s < ISLANDS; s++)
        assert_received(s, (size_t[]){0}, 1, 2);
    search_host_destroy(&host.search);
    open_islands(SHOAL_SEARCH_EXCHANGE_EDGES);
    params.search.exchange_edges = "7-0, 3-0,0-5";
    params.migrants = 2;
    exchange();
    for (size_t s = 0; s < ISLANDS; s++)
        if (s == 0)
            assert_received(s, (size_t[]){7, 3}, 2, 2);
        else
            assert_received(s, (size_t[]){0}, s == 5, 2);
    search_host_destroy(&host.search);
}

/* Each other island as often. */
static void test_random_source(void **state)
{
    (void)state;
    size_t counts[ISLANDS] = {0};
    for (uint64_t step = 0; step < 7000; step++)
        counts[search_random_source(1, step, 3, ISLANDS)]++;
    assert_int_equal(counts[3], 0);
    for (size_t s = 0; s < ISLANDS; s++)
        assert_true(s == 3 || fabs((double)counts[s] - 1000) < 150);
    open_islands(SHOAL_SEARCH_EXCHANGE_RANDOM);
    exchange();
    for (uint32_t s = 0; s < ISLANDS; s++)
        assert_received(s, (size_t[]){search_random_source(1, 2, s, ISLANDS)}, 1, 1);
    search_host_destroy(&host.search);
}

/* Random members leave, and are replaced, all over the island. */
static void test_random_members(void **state)
{
    (void)state;
    size_t left[MEMBERS] = {0}, replaced[MEMBERS] = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        open_islands(SHOAL_SEARCH_EXCHANGE_RING);
        params.search.seed = seed;
        params.migrants = 4;
        params.emigrants = SHOAL_GA_RANDOM_LEAVE;
        params.immigrants = SHOAL_GA_REPLACE_RANDOM;
        exchange();
        for (size_t i = 0; i < MEMBERS; i++) {
            const double now = host.search.best[MEMBERS + i];
            if (now == before[MEMBERS + i])
                continue;
            assert_true(now >= 0 && now < MEMBERS);
            left[(size_t)now]++;
            replaced[i]++;
        }
        search_host_destroy(&host.search);
    }
    /* 4 of 12 a seed, less those that a later one replaces. */
    for (size_t i = 0; i < MEMBERS; i++)
        assert_true(left[i] > 90 && left[i] < 210 && replaced[i] > 90 && replaced[i] < 210);
}

/* Islands learn from one another, and only then: the optimum of one is that of all after some exchanges. */
static void test_spread(void **state)
{
    (void)state;
    for (uint64_t interval = 0; interval < 2; interval++) {
        open_islands(SHOAL_SEARCH_EXCHANGE_RING);
        params.search.exchange = interval;
        make_host(&params, 2, &host);
        search_host_advance(&host.search, 0);
        memset(host.search.p, 0, 3 * sizeof(double));
        host.search.best[0] = 0;
        search_host_advance(&host.search, 10);
        for (size_t s = 0; s < ISLANDS; s++)
            assert_true((host.search.islands[s].goal == 0) == (s == 0 || interval));
        search_host_destroy(&host.search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_topologies),
        OPEN_TEST(test_random_source),
        OPEN_TEST(test_random_members),
        OPEN_TEST(test_spread),
    };
    return cmocka_run_group_tests_name("migration", tests, NULL, NULL);
}
