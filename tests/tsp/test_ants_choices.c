/* The ants of ACOTSP: choices against the roulette over 1e6 draws, of ants by themselves and in lock-step. */
#include "ga/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "ants_on_host.h"

/* Number of an order of five cities, 0 .. 119. */
static size_t order_number(const uint32_t *tour)
{
    size_t number = 0;
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t smaller = 0;
        for (uint32_t j = i + 1; j < 5; j++)
            smaller += tour[j] < tour[i];
        number = number * (5 - i) + smaller;
    }
    return number;
}

/* Probabilities of all orders that go on from the `count` cities of `tour`, from the weights of all edges. */
static void expect_orders(double weights[5][5], uint32_t *tour, uint32_t count, double probability, double q0,
                          double *expected)
{
    double sum = 0, most = 0;
    uint32_t best = 5;
    bool seen[5] = {false};
    for (uint32_t i = 0; i < count; i++)
        seen[tour[i]] = true;
    if (count == 5) {
        expected[order_number(tour)] += probability;
        return;
    }
    for (uint32_t i = 0; i < 5 && count; i++)
        if (!seen[i]) {
            const double weight = weights[tour[count - 1]][i];
            sum += weight;
            best = weight > most ? i : best;
            most = fmax(most, weight);
        }
    for (uint32_t i = 0; i < 5; i++)
        if (!seen[i]) {
            const double share =
                count ? (1 - q0) * weights[tour[count - 1]][i] / sum + (i == best ? q0 : 0) : 0.2;
            tour[count] = i;
            expect_orders(weights, tour, count + 1, probability * share, q0, expected);
        }
}

/* Whole tours of five cities, in the second step, by the weights that the first one left. */
static void check_orders(double q0, int32_t pheromone)
{
    static const double points[10] = {0, 0, 30, 4, 11, 40, 55, 31, 20, 19};
    struct shoal_tsp_params params = params_of(3);
    double weights[5][5] = {{0}}, expected[120] = {0};
    uint64_t counts[120] = {0};
    uint32_t tour[5];
    params.generate = NULL;
    params.points = points;
    params.count = 5;
    params.ants = DRAWS;
    params.colony.q0 = q0;
    params.colony.pheromone = pheromone;
    params.rho = 0.7;
    struct shoal_solver *solver = host_solver(&params);
    harness_step(solver, 1);
    const struct ants_host *host = host_of(solver);
    const struct ants_settings *settings = host->ants.settings;
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t e = 0; e < settings->entries; e++)
            weights[i][pheromone ? e : host->ants.lists[i * settings->lists + e]] =
                host->weights[i * settings->entries + e];
    harness_step(solver, 1);
    for (uint32_t ant = 0; ant < DRAWS; ant++)
        counts[order_number(tour_of(host, ant))]++;
    expect_orders(weights, tour, 0, DRAWS, q0, expected);
    assert_counts(counts, expected, 120);
    shoal_solver_destroy(&solver);
}

static void test_orders(void **state)
{
    (void)state;
    check_orders(0, SHOAL_TSP_ON_CANDIDATES);
    check_orders(0.3, SHOAL_TSP_ON_CANDIDATES);
    check_orders(0, SHOAL_TSP_ON_ALL);
}

/* The second city, with more candidates than there are lanes; the rest of the tours takes the time. */
static void test_many_candidates(void **state)
{
    (void)state;
    enum { N = 41, ANTS = DRAWS / 4 };
    static double expected[N * N];
    static uint64_t counts[N * N];
    struct shoal_tsp_params params = params_of(3);
    params.generate = "uniform:41:2";
    params.candidates = N - 1;
    params.ants = ANTS;
    struct shoal_solver *solver = host_solver(&params);
    harness_step(solver, 1);
    const struct ants_host *host = host_of(solver);
    for (uint32_t i = 0; i < N; i++) {
        const float *row = &host->ants.heuristic[i * (N - 1)];
        double sum = 0;
        for (uint32_t k = 0; k < N - 1; k++)
            sum += row[k];
        for (uint32_t k = 0; k < N - 1; k++)
            expected[i * N + host->ants.lists[i * host->ants.settings->lists + k]] =
                (double)ANTS / N * row[k] / sum;
    }
    for (uint32_t ant = 0; ant < ANTS; ant++)
        counts[tour_of(host, ant)[0] * N + tour_of(host, ant)[1]]++;
    assert_counts(counts, expected, (size_t)N * N);
    shoal_solver_destroy(&solver);
}

/* Two ants of acs on four cities. */
struct pair {
    double weights[4][4]; /* without pheromone */
    double trails[4][4];
    uint32_t tours[2][4], count;
};

/* Of the cities that an ant has not visited: 1 - q0 by their weights, and q0 for the largest. */
static void expect_choice(const struct pair *pair, int ant, double q0, double chances[4])
{
    const uint32_t *tour = pair->tours[ant], here = tour[pair->count - 1];
    double weights[4], sum = 0;
    uint32_t best = here;
    for (uint32_t i = 0; i < 4; i++) {
        weights[i] = pair->weights[here][i] * pair->trails[here][i];
        for (uint32_t k = 0; k < pair->count; k++)
            weights[i] = tour[k] == i ? 0 : weights[i];
        sum += weights[i];
        best = weights[i] > 0 && (best == here || weights[i] > weights[best]) ? i : best;
    }
    for (uint32_t i = 0; i < 4; i++)
        chances[i] = (1 - q0) * weights[i] / sum + (i == best ? q0 : 0);
}

/* Probabilities of both tours, number of a city of the one ant times 4 + that of the other by digits. Both
 * choose by the same pheromone, then each edge crossed loses some, once for each ant. */
static void expect_pairs(const struct pair *pair, double probability, double q0, size_t number,
                         double *expected)
{
    double chances[2][4];
    if (pair->count == 4) {
        expected[number] += probability;
        return;
    }
    for (int ant = 0; ant < 2; ant++)
        expect_choice(pair, ant, q0, chances[ant]);
    for (uint32_t both = 0; both < 16; both++) {
        const uint32_t to[2] = {both / 4, both % 4};
        struct pair next = *pair;
        if (!(chances[0][to[0]] * chances[1][to[1]] > 0))
            continue;
        for (int ant = 0; ant < 2; ant++) {
            const uint32_t here = pair->tours[ant][pair->count - 1];
            double *there = &next.trails[here][to[ant]], *back = &next.trails[to[ant]][here];
            *there = *back = 0.9 * *there + 0.1 / 4;
            next.tours[ant][pair->count] = to[ant];
        }
        next.count++;
        expect_pairs(&next, probability * chances[0][to[0]] * chances[1][to[1]], q0, 16 * number + both,
                     expected);
    }
}

/* Ants in lock-step, by pheromone that was put there: in each of 65536 colonies both ants choose among three
 * cities, then among two. */
static void test_together(void **state)
{
    (void)state;
    static const double points[8] = {0, 0, 30, 4, 11, 40, 55, 31}, q0 = 0.3;
    static const float trails[4][4] = {{0, 3, 1, 2}, {3, 0, 0.5f, 4}, {1, 0.5f, 0, 5}, {2, 4, 5, 0}};
    enum { COLONIES = 65536, RUNS = DRAWS / (4 * COLONIES) + 1, ORDERS = 1 << 16 };
    static double expected[ORDERS];
    static uint64_t counts[ORDERS];
    struct shoal_tsp_params params = params_of(5);
    params.generate = NULL;
    params.points = points;
    params.count = 4;
    params.ants = 2;
    params.colonies = COLONIES;
    params.colony.q0 = q0;
    struct shoal_solver *solver = host_solver(&params);
    harness_step(solver, 1);
    struct ants_host *host = host_of(solver);
    for (int run = 0; run < RUNS; run++) {
        for (uint32_t c = 0; c < COLONIES; c++) {
            for (uint32_t i = 0; i < 4; i++)
                for (uint32_t k = 0; k < 3; k++)
                    host->trails[(c * 4 + i) * 3 + k] =
                        trails[i][host->ants.lists[i * host->ants.settings->lists + k]];
            ants_host_fill(host, c, NULL);
        }
        harness_step(solver, 1);
        for (uint32_t c = 0; c < COLONIES; c++) {
            size_t number = 0;
            for (uint32_t place = 0; place < 4; place++)
                for (uint32_t ant = 0; ant < 2; ant++)
                    number = 4 * number + host->tours[ANTS_TOUR(COLONIES, c, 2, ant) * 4 + place];
            counts[number]++;
        }
    }
    struct pair pair = {.count = 1};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++) {
            const double d =
                rint(hypot(points[2 * i] - points[2 * k], points[2 * i + 1] - points[2 * k + 1]));
            pair.weights[i][k] = i == k ? 0 : 1 / (d * d);
            pair.trails[i][k] = trails[i][k];
        }
    for (uint32_t both = 0; both < 16; both++) {
        pair.tours[0][0] = both / 4;
        pair.tours[1][0] = both % 4;
        expect_pairs(&pair, RUNS * COLONIES / 16.0, q0, both, expected);
    }
    assert_counts(counts, expected, ORDERS);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_many_candidates),
        cmocka_unit_test(test_together),
    };
    return harness_main("tsp-ants-choices", tests, sizeof tests / sizeof *tests);
}
