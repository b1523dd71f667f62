/* Local search on the host: where it ends no move is better, by a search of all moves that knows nothing of
 * candidate lists and positions; gains are the differences of lengths; fixed edges stay; first tours are
 * tours of the usual length. */
#include "fixture.h"
#include "kinds.h"

#include "tsp/improve/curve.h"
#include "tsp/improve/improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static int64_t improve_to_the_end(const struct kind_problem *kind, const struct tsp_improve_rules *rules,
                                  uint32_t *tour)
{
    struct tsp_improver *improver;
    int64_t gain, all = 0;
    assert_ok(tsp_improver_create(&kind->problem, rules, &improver, &test_error));
    /* Don't-look bits miss moves, which another search from all cities finds. */
    do {
        gain = tsp_improve(improver, tour, NULL, 0);
        assert_false(rules->no_bits && all && gain);
        all += gain;
    } while (gain);
    tsp_improver_destroy(&improver);
    return all;
}

static struct tsp_improve_rules rules_of(const struct kind_problem *kind, enum tsp_moves moves, bool is_best)
{
    return (struct tsp_improve_rules){
        .moves = moves, .is_best = is_best, .lists = kind->lists, .neighbours = kind->neighbours};
}

/* Joins the parts of a tour that begin at places 0, a and b, each forwards or backwards, in the order given:
 * -2 is the part from b on backwards. */
static int64_t length_of_parts(const struct tsp_problem *problem, const uint32_t *tour, uint32_t a,
                               uint32_t b, int second, int third, uint32_t *joined)
{
    const uint32_t begins[] = {0, a, b, problem->form.n};
    const int parts[] = {second, third};
    uint32_t count = a;
    memcpy(joined, tour, a * sizeof *joined);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t part = (uint32_t)abs(parts[i]), begin = begins[part], end = begins[part + 1];
        for (uint32_t j = begin; j < end; j++)
            joined[count++] = tour[parts[i] > 0 ? j : end - 1 - (j - begin)];
    }
    return tsp_form_length(problem, joined);
}

/* No exchange of two edges, and with `three` of three, makes the tour shorter. */
static void assert_no_exchange(const struct tsp_problem *problem, const uint32_t *tour, bool three)
{
    static const int ways[][2] = {{-1, 2}, {1, -2}, {-2, -1}, {2, 1}, {2, -1}, {-2, 1}, {-1, -2}};
    const uint32_t n = problem->form.n;
    const int64_t length = tsp_form_length(problem, tour);
    uint32_t *joined = malloc(n * sizeof *joined), *turned = malloc(n * sizeof *turned);
    /* One of the three edges is behind the last city of a turned tour. */
    for (uint32_t turn = 0; turn < n; turn++) {
        for (uint32_t i = 0; i < n; i++)
            turned[i] = tour[(i + turn) % n];
        for (uint32_t a = 1; a < n - 1; a++)
            for (uint32_t b = a + 1; b < n; b++)
                for (unsigned way = 0; way < (three ? 7 : 3); way++)
                    assert_false(length_of_parts(problem, turned, a, b, ways[way][0], ways[way][1], joined) <
                                 length);
    }
    free(joined);
    free(turned);
}

static void test_local_optima(void **state)
{
    (void)state;
    for (enum kind k = 0; k < KINDS; k++)
        for (uint32_t n = 5; n <= 13; n += 4) {
            struct kind_problem kind;
            kind_open(k, n, n * 2, &kind); /* all other cities are candidates */
            uint32_t *tour = malloc(kind.problem.form.n * sizeof *tour);
            for (uint32_t number = 0; number < 6; number++)
                for (enum tsp_moves moves = TSP_MOVES_2OPT; moves <= TSP_MOVES_3OPT; moves++)
                    for (int best = 0; best < 2; best++) {
                        struct tsp_improve_rules rules = rules_of(&kind, moves, best);
                        test_label("%s, %u cities, tour %u, moves %d, best %d", kind_name(k), n, number,
                                   (int)moves, best);
                        rules.no_bits = number % 2;
                        kind_tour(&kind, number, tour);
                        const int64_t before = tsp_form_length(&kind.problem, tour);
                        const int64_t gain = improve_to_the_end(&kind, &rules, tour);
                        assert_tour(&kind.problem, tour);
                        assert_true(gain >= 0 && before - gain == tsp_form_length(&kind.problem, tour));
                        /* Forbidden edges are no candidates: what they could gain is not looked for. */
                        if (moves != TSP_MOVES_OROPT && k != ASYMMETRIC)
                            assert_no_exchange(&kind.problem, tour, moves == TSP_MOVES_3OPT);
                    }
            free(tour);
            kind_close(&kind);
        }
}

/* Is there an edge that a move takes out with an end that comes nearer to what it is joined to instead?
 * Cities in a row: before, first .. last, after; to be put between `one`, beside first, and `other`. */
static bool is_looked_for(const struct tsp_problem *problem, uint32_t before, uint32_t first, uint32_t last,
                          uint32_t after, uint32_t one, uint32_t other)
{
    const int64_t own = tsp_distance(problem, one, other), begins = tsp_distance(problem, one, first);
    const int64_t ends = tsp_distance(problem, last, other);
    return begins < tsp_distance(problem, before, first) || ends < tsp_distance(problem, last, after) ||
           begins < own || ends < own;
}

/* No segment of up to `longest` cities has a better place among those that the rules look for. */
static void assert_no_better_place(const struct tsp_problem *problem, const uint32_t *tour, uint32_t longest)
{
    const uint32_t n = problem->form.n;
    for (uint32_t length = 1; length <= longest && length + 2 <= n; length++)
        for (uint32_t begin = 0; begin < n; begin++)
            for (uint32_t to = length; to + 1 < n; to++)
                for (int turned = 0; turned < 2; turned++) {
                    const uint32_t before = tour[(begin + n - 1) % n], after = tour[(begin + length) % n];
                    const uint32_t a = tour[begin], b = tour[(begin + length - 1) % n];
                    const uint32_t first = turned ? b : a, last = turned ? a : b;
                    const uint32_t one = tour[(begin + to) % n], other = tour[(begin + to + 1) % n];
                    const int64_t gain =
                        tsp_distance(problem, before, a) + tsp_distance(problem, b, after) +
                        tsp_distance(problem, one, other) - tsp_distance(problem, before, after) -
                        tsp_distance(problem, one, first) - tsp_distance(problem, last, other);
                    const bool is_looked =
                        turned ? is_looked_for(problem, after, first, last, before, one, other)
                               : is_looked_for(problem, before, first, last, after, one, other);
                    assert_false(is_looked && gain > 0);
                }
}

static void test_segments(void **state)
{
    (void)state;
    static const uint32_t longest[] = {0, 1, 3, 3, 3};
    for (enum kind k = 0; k < ASYMMETRIC; k++)
        for (uint32_t n = 5; n <= 41; n += 12) {
            struct kind_problem kind;
            kind_open(k, n, n, &kind);
            uint32_t *tour = malloc(kind.problem.form.n * sizeof *tour);
            for (enum tsp_moves moves = TSP_MOVES_2HOPT; moves <= TSP_MOVES_3OPT; moves++)
                for (int best = 0; best < 2; best++) {
                    const struct tsp_improve_rules rules = rules_of(&kind, moves, best);
                    test_label("%s, %u cities, moves %d, best %d", kind_name(k), n, (int)moves, best);
                    kind_tour(&kind, n, tour);
                    improve_to_the_end(&kind, &rules, tour);
                    assert_no_better_place(&kind.problem, tour, longest[moves]);
                }
            free(tour);
            kind_close(&kind);
        }
}

/* The first move of best improvement gains what the best 2-opt move of all pairs of edges gains. */
static void test_best(void **state)
{
    (void)state;
    for (enum kind k = 0; k < ASYMMETRIC; k++) {
        struct kind_problem kind;
        kind_open(k, 57, 57, &kind);
        const struct tsp_problem *problem = &kind.problem;
        const struct tsp_improve_rules rules = rules_of(&kind, TSP_MOVES_2OPT, true);
        const uint32_t n = problem->form.n;
        uint32_t *tour = malloc(n * sizeof *tour);
        struct tsp_improver *improver;
        int64_t best = 0;
        test_label("%s", kind_name(k));
        kind_tour(&kind, 1, tour);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = i + 1; j < n; j++) {
                const uint32_t a = tour[i], b = tour[(i + 1) % n], c = tour[j], d = tour[(j + 1) % n];
                const int64_t gain = tsp_distance(problem, a, b) + tsp_distance(problem, c, d) -
                                     tsp_distance(problem, a, c) - tsp_distance(problem, b, d);
                best = gain > best ? gain : best;
            }
        assert_ok(tsp_improver_create(problem, &rules, &improver, &test_error));
        tsp_improver_begin(improver, tour, NULL, NULL, 0);
        assert_false(tsp_improver_advance(improver, 1));
        assert_int_equal(tsp_improver_moves(improver), 1);
        assert_true(best > 0 && tsp_improver_gain(improver) == best);
        tsp_improver_destroy(&improver);
        free(tour);
        kind_close(&kind);
    }
}

/* In rounds as at once; places are kept; only what waits looks; the reach bounds each move. */
static void test_parts(void **state)
{
    (void)state;
    struct kind_problem kind;
    kind_open(WHOLE, 301, 8, &kind);
    enum { N = 301 };
    uint32_t tour[N], other[N], place[N];
    for (enum tsp_moves moves = TSP_MOVES_2OPT; moves <= TSP_MOVES_3OPT; moves++) {
        struct tsp_improve_rules rules = rules_of(&kind, moves, false);
        struct tsp_improver *improver;
        test_label("moves %d", (int)moves);
        assert_ok(tsp_improver_create(&kind.problem, &rules, &improver, &test_error));
        kind_tour(&kind, 2, tour);
        kind_tour(&kind, 2, other);
        for (uint32_t i = 0; i < N; i++)
            place[tour[i]] = i;
        tsp_improver_begin(improver, tour, place, NULL, 0);
        while (!tsp_improver_advance(improver, 1))
            ;
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(place[tour[i]], i);
        assert_true(tsp_improver_gain(improver) == tsp_improve(improver, other, NULL, 0));
        assert_words(tour, other, N);

        kind_tour(&kind, 2, other);
        assert_true(tsp_improve(improver, other, other, 0) == 0);
        const uint32_t wake[] = {other[17], other[200]};
        tsp_improver_begin(improver, other, NULL, wake, 2);
        tsp_improver_advance(improver, 1);
        assert_true(tsp_improver_gain(improver) > 0 && tsp_improver_moves(improver) <= 2);
        tsp_improver_destroy(&improver);

        kind_tour(&kind, 2, other);
        rules.reach = 1;
        assert_ok(tsp_improver_create(&kind.problem, &rules, &improver, &test_error));
        const uint64_t most = 2 * rules.reach;
        tsp_improver_begin(improver, other, NULL, NULL, 0);
        kind_tour(&kind, 2, tour);
        tsp_improver_advance(improver, 1);
        uint64_t moved = 0;
        for (uint32_t i = 0; i < N; i++)
            moved += tour[i] != other[i];
        assert_true(moved <= most * tsp_improver_moves(improver));
        tsp_improver_destroy(&improver);
    }
    kind_close(&kind);
}

/* All cities wait in every order that is drawn: the best move of all is the same, over several blocks of the
 * queue, too. With first improvement seed, step and ant each lead to another tour, and back to the same. */
static void test_draw(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {33, 301, 1301};
    static const struct {
        uint64_t seed;
        uint32_t step, ant;
    } draws[] = {{0, 0, 0}, {UINT64_C(1) << 40, 0, 0}, {0, 3, 0}, {0, 0, 7}, {0, 0, 0}};
    enum { DRAWS = sizeof draws / sizeof *draws, MOST = 1301 };
    uint32_t tours[DRAWS][MOST], other[MOST];
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t n = sizes[s];
        struct kind_problem kind;
        struct tsp_improver *improvers[2];
        int64_t best = 0;
        kind_open(WHOLE, n, 8, &kind);
        for (unsigned i = 0; i < 2; i++) {
            const struct tsp_improve_rules rules = rules_of(&kind, TSP_MOVES_2OPT_OROPT, i);
            assert_ok(tsp_improver_create(&kind.problem, &rules, &improvers[i], &test_error));
        }
        for (unsigned d = 0; d < DRAWS; d++) {
            test_label("%u cities, draw %u", n, d);
            for (unsigned i = 0; i < 2; i++)
                tsp_improver_draw(improvers[i], draws[d].seed, draws[d].step, draws[d].ant);
            kind_tour(&kind, 2, tours[d]);
            memcpy(other, tours[d], n * sizeof *other);
            tsp_improver_begin(improvers[1], other, NULL, NULL, 0);
            tsp_improver_advance(improvers[1], 1);
            assert_true(d == 0 || tsp_improver_gain(improvers[1]) == best);
            best = tsp_improver_gain(improvers[1]);
            tsp_improve(improvers[0], tours[d], NULL, 0);
            assert_true(d == 0 || (memcmp(tours[d], tours[0], n * sizeof *other) == 0) == (d + 1 == DRAWS));
        }
        for (unsigned i = 0; i < 2; i++)
            tsp_improver_destroy(&improvers[i]);
        kind_close(&kind);
    }
}

static void test_fixed(void **state)
{
    (void)state;
    static const enum kind kinds[] = {FIXED, PATH, ASYMMETRIC};
    for (unsigned k = 0; k < 3; k++)
        for (enum tsp_moves moves = TSP_MOVES_2OPT; moves <= TSP_MOVES_3OPT; moves++) {
            struct kind_problem kind;
            kind_open(kinds[k], 120, 9, &kind);
            const struct tsp_improve_rules rules = rules_of(&kind, moves, moves % 2 == 1);
            uint32_t *tour = malloc(kind.problem.form.n * sizeof *tour),
                     *left = malloc(kind.problem.n * sizeof *left);
            test_label("%s, moves %d", kind_name(kinds[k]), (int)moves);
            assert_ok(
                tsp_greedy_tour(&kind.problem, kind.lists, kind.neighbours, NULL, NULL, tour, &test_error));
            assert_tour(&kind.problem, tour);
            kind_tour(&kind, 0, tour);
            const bool was_allowed = tsp_form_leave(&kind.problem, tour, left);
            improve_to_the_end(&kind, &rules, tour);
            assert_tour(&kind.problem, tour);
            if (was_allowed)
                assert_true(tsp_form_leave(&kind.problem, tour, left));
            free(tour);
            free(left);
            kind_close(&kind);
        }
}

static void test_first_tours(void **state)
{
    (void)state;
    for (enum kind k = 0; k < KINDS; k++)
        for (uint32_t n = 5; n <= 1205; n *= n < 1205 / 5 ? 7 : 5) {
            struct kind_problem kind;
            kind_open(k, n, 6, &kind);
            const struct tsp_problem *problem = &kind.problem;
            uint32_t *tour = malloc(problem->form.n * sizeof *tour);
            test_label("%s, %u cities", kind_name(k), n);
            assert_ok(tsp_curve_order(problem, &tsp_plain_curve, tour, &test_error));
            assert_tour(problem, tour);
            const double curve = (double)tsp_form_length(problem, tour);
            assert_ok(tsp_greedy_tour(problem, kind.lists, kind.neighbours, NULL, NULL, tour, &test_error));
            assert_tour(problem, tour);
            const double greedy = (double)tsp_form_length(problem, tour);
            const struct tsp_greedy_noise noise = {.part = 0.3, .seed = 1, .tour = 2};
            assert_ok(tsp_greedy_tour(problem, kind.lists, kind.neighbours, &noise, NULL, tour, &test_error));
            assert_tour(problem, tour);
            /* Of uniform points in a square D. S. Johnson and L. A. McGeoch (1997) have 1.16 to 1.19 for
             * greedy edges and L. K. Platzman and J. J. Bartholdi (1989) 1.25 for curves, over 0.7124 sqrt(n
             * A) (1 + 0.33 / n); 0.05 is for the size. */
            const double expected = 0.7124 * sqrt(n * 9e6) * (1 + 0.33 / n);
            if (k == WHOLE && n > 1000) {
                assert_near(greedy / expected, 1.18, 0.07);
                assert_near(curve / expected, 1.30, 0.10);
            }
            free(tour);
            kind_close(&kind);
        }
}

static uint32_t key_of(size_t i)
{
    return (uint32_t)(i * 2654435761u % 251) << (8 * (i % 4)); /* many equal keys, in each byte */
}

/* Sorted by one thread and by several, each with a piece of the items: by key, equal keys in their order. */
static void test_sorted_by_threads(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 16383, 16384, 16385, 100003};
    static const int threads[] = {1, 2, 3, 40};
    struct tsp_curve_item *items = malloc(2 * 100003 * sizeof *items);
    assert_non_null(items);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            const size_t count = counts[c];
            for (size_t i = 0; i < count; i++)
                items[i] = (struct tsp_curve_item){key_of(i), (uint32_t)i};
            tsp_sort_items(items, items + count, count, threads[t]);
            for (size_t i = 0; i < count; i++) {
                assert_true(items[i].value < count && items[i].key == key_of(items[i].value));
                assert_true(i == 0 || items[i - 1].key < items[i].key ||
                            (items[i - 1].key == items[i].key && items[i - 1].value < items[i].value));
            }
        }
    free(items);
}

/* The cities of a square lattice along a Moore curve are a closed tour of steps to neighbours. */
static void test_closed_curve(void **state)
{
    (void)state;
    enum { SIDE = 16, N = SIDE * SIDE };
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    struct text text = {0};
    uint32_t order[N];
    text_add(&text, "x,y\n");
    for (uint32_t i = 0; i < N; i++)
        text_printf(&text, "%u,%u\n", (unsigned)(i % SIDE), (unsigned)(i / SIDE));
    assert_ok(tsp_fixture_read(&params, "lattice.csv", text.data, &problem));
    assert_ok(tsp_curve_order(&problem, &tsp_closed_curve, order, &test_error));
    assert_tour(&problem, order);
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t a = order[i], b = order[(i + 1) % N];
        assert_int_equal(abs((int)(a % SIDE) - (int)(b % SIDE)) + abs((int)(a / SIDE) - (int)(b / SIDE)), 1);
    }
    tsp_problem_destroy(&problem);
    text_free(&text);
}

/* By the public calls, on the host: several tours at once as one by one, all pairs to the end, what is
 * refused. */
static void test_public(void **state)
{
    (void)state;
    enum { N = 211, TOURS = 5 };
    struct shoal_tsp_params problem_params;
    struct shoal_tsp_improve_params params;
    struct shoal_tsp_problem *problem;
    uint32_t tours[TOURS * N], other[TOURS * N];
    int64_t lengths[TOURS], length;
    shoal_tsp_params_init(&problem_params);
    problem_params.generate = "uniform:211:5";
    assert_ok(shoal_tsp_open(&problem_params, &problem, &test_error));
    assert_ok(shoal_tsp_greedy(problem, 6, tours, &test_error));
    assert_ok(shoal_tsp_check(problem, tours, N, &length, &test_error));
    for (uint32_t i = 0; i < TOURS * N; i++)
        tours[i] = i / N ? (i * 17 + i / N) % N : tours[i];
    memcpy(other, tours, sizeof tours);
    for (int32_t moves = SHOAL_TSP_2OPT; moves <= SHOAL_TSP_ALL_PAIRS; moves++) {
        shoal_tsp_improve_params_init(&params);
        params.moves = moves;
        params.quadrants = moves % 2;
        memcpy(tours, other, sizeof tours);
        test_label("moves %d", (int)moves);
        assert_ok(shoal_tsp_improve(problem, &params, NULL, tours, TOURS, lengths, &test_error));
        for (uint32_t i = 0; i < TOURS; i++) {
            uint32_t alone[N];
            int64_t before, one;
            memcpy(alone, other + i * N, sizeof alone);
            assert_ok(shoal_tsp_check(problem, alone, N, &before, &test_error));
            assert_ok(shoal_tsp_improve(problem, &params, NULL, alone, 1, &one, &test_error));
            assert_words(alone, tours + i * N, N);
            assert_ok(shoal_tsp_check(problem, alone, N, &length, &test_error));
            assert_true(length == one && length == lengths[i] &&
                        (length < before || (i == 0 && length == before)));
        }
        if (moves == SHOAL_TSP_ALL_PAIRS)
            assert_no_exchange(tsp_private(problem), tours, false);
    }
    memcpy(tours, other, sizeof tours);
    params.most_moves = 1;
    assert_ok(shoal_tsp_improve(problem, &params, NULL, tours, 1, &length, &test_error));
    params.most_moves = 2;
    assert_ok(shoal_tsp_improve(problem, &params, NULL, other, 1, lengths, &test_error));
    assert_true(lengths[0] < length);

    params.neighbours = 129;
    assert_status(shoal_tsp_improve(problem, &params, NULL, tours, 1, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "neighbours: 129 is not between 1 and 128");
    params.neighbours = 5;
    params.moves = 17;
    assert_status(shoal_tsp_improve(problem, &params, NULL, tours, 1, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "moves: 17");
    params.moves = SHOAL_TSP_2OPT;
    assert_status(shoal_tsp_improve(problem, &params, NULL, tours, 0, NULL, &test_error), SHOAL_INVALID);
    params.size = 0;
    assert_status(shoal_tsp_improve(problem, &params, NULL, tours, 1, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "shoal_tsp_improve_params_init");
    shoal_tsp_improve_params_init(&params);
    tours[0] = tours[1];
    assert_status(shoal_tsp_improve(problem, &params, NULL, tours, 1, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_tsp_greedy(problem, 0, tours, &test_error), SHOAL_INVALID);
    shoal_tsp_close(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(test_local_optima), UNIT_TEST(test_segments),     UNIT_TEST(test_best),
        UNIT_TEST(test_parts),        UNIT_TEST(test_draw),         UNIT_TEST(test_fixed),
        UNIT_TEST(test_first_tours),  UNIT_TEST(test_closed_curve), UNIT_TEST(test_sorted_by_threads),
        UNIT_TEST(test_public),
    };
    return cmocka_run_group_tests_name("tsp-improve", tests, NULL, NULL);
}
