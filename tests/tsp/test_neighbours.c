/* Candidate lists on the host against a look at all pairs. */
#include "base/integer.h"
#include "cities.h"
#include "lists.h"
#include "unit.h"

#include <stdlib.h>

static const uint32_t sizes[] = {1, 2, 3, 5, 8, 9, 33, 100, 257, 700};
static const uint32_t counts[] = {1, 5, 10, 128};

static void check(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind)
{
    const size_t words = (size_t)problem->form.n * count;
    uint32_t *got = malloc(words * sizeof *got), *wanted = malloc(words * sizeof *wanted);
    assert_true(got && wanted);
    lists_reference(problem, count, kind, wanted);
    for (int threads = 1; threads <= 3; threads += 2) {
        lists_on_host(problem, count, kind, threads, got);
        assert_words(got, wanted, words);
    }
    free(got);
    free(wanted);
}

static void lists_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < lists_case_count(); i++) {
        static double points[3 * 700];
        const struct lists_case *a_case = lists_case_at(i);
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (size_t c = 0; c < COUNT(counts); c++) {
                struct cities cities;
                if (sizes[s] >= 100 && (c != (i + s) % COUNT(counts) || !test_is_of_quick((unsigned)i)))
                    continue;
                test_label("%s, %u cities, %u of each", a_case->name, sizes[s], counts[c]);
                cities_make_points(a_case->kind, a_case->metric, a_case->dim, points, sizes[s]);
                cities_open(&cities, a_case->metric, a_case->dim, points, sizes[s]);
                check(&cities.problem, counts[c], TSP_NEAREST);
                check(&cities.problem, counts[c], TSP_QUADRANT);
                cities_close(&cities);
            }
    }
}

static void what_the_form_sets_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < LISTS_SPECIALS; i++) {
        struct lists_special special;
        lists_open_special(&special, i);
        for (size_t c = 0; c < COUNT(counts); c++) {
            test_label("%s, %u of each", special.name, counts[c]);
            check(&special.cities.problem, counts[c], TSP_NEAREST);
            check(&special.cities.problem, counts[c], TSP_QUADRANT);
        }
        lists_close_special(&special);
    }
}

/* A cluster of cities at one place among others: each list is found without a look at all. */
static void many_at_one_place(void **state)
{
    (void)state;
    const uint32_t n = 50000, count = 10;
    double *points = malloc(2 * n * sizeof *points);
    uint32_t *lists = malloc((size_t)n * count * sizeof *lists);
    assert_true(points && lists);
    for (uint32_t i = 0; i < n; i++) {
        points[2 * (size_t)i] = i % 2 ? 3 : i;
        points[2 * (size_t)i + 1] = i % 2 ? 3 : 0;
    }
    struct cities cities;
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, n);
    lists_on_host(&cities.problem, count, TSP_NEAREST, 2, lists);
    for (uint32_t i = 1; i < n; i += 2)
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t city = 2 * k + 1;
            assert_int_equal(lists[(size_t)i * count + k], city + (i <= 2 * count && city >= i ? 2 : 0));
        }
    cities_close(&cities);
    free(points);
    free(lists);
}

/* Two groups far from each other, of each of which a city has enough near ones; a path joins nothing. */
static void components_of_lists(void **state)
{
    (void)state;
    enum { N = 80, LISTED = 8 };
    double points[2 * N];
    uint32_t lists[(N + 1) * LISTED], components = 0;
    for (uint32_t i = 0; i < N; i++) {
        points[2 * (size_t)i] = i / 2 % 8 + (i % 2 ? 1000 : 0);
        points[2 * (size_t)i + 1] = i / 16;
    }
    for (int is_path = 0; is_path < 2; is_path++) {
        struct cities cities;
        cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, N);
        assert_ok(cities_change(&cities, is_path, SHOAL_TSP_NONE, SHOAL_TSP_NONE, NULL, 0));
        for (int kind = TSP_NEAREST; kind <= TSP_QUADRANT; kind++) {
            const struct tsp_listing listing = {
                .count = LISTED, .kind = (enum tsp_neighbour_kind)kind, .threads = 1};
            assert_ok(tsp_neighbours(&cities.problem, &listing, lists, &test_error));
            assert_ok(tsp_lists_components(&cities.problem, lists, LISTED, &components, &test_error));
            assert_int_equal(components, kind == TSP_NEAREST ? 2 : 1);
        }
        for (size_t i = 0; i < COUNT(lists); i++)
            lists[i] = SHOAL_TSP_NONE;
        assert_ok(tsp_lists_components(&cities.problem, lists, LISTED, &components, &test_error));
        assert_int_equal(components, N);
        cities_close(&cities);
    }
}

static void counts_have_limits(void **state)
{
    (void)state;
    const double points[] = {0, 0, 1, 1};
    uint32_t lists[2 * 129];
    struct cities cities;
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, 2);
    assert_status(tsp_neighbours(&cities.problem, &(struct tsp_listing){.count = 0}, lists, &test_error),
                  SHOAL_INVALID);
    assert_status(tsp_neighbours(&cities.problem, &(struct tsp_listing){.count = 129}, lists, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "1 to 128 cities, not 129");
    cities_close(&cities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(lists_are_exact),     UNIT_TEST(what_the_form_sets_apart), UNIT_TEST(many_at_one_place),
        UNIT_TEST(components_of_lists), UNIT_TEST(counts_have_limits),
    };
    return cmocka_run_group_tests_name("tsp neighbours", tests, NULL, NULL);
}
