/* Values that are told one by one, in any order. */
#include "kinds.h"

#include <math.h>

/* Kinds of searches, and those of the host alone; room for the points of an ask. */
enum { MORE_KINDS = KINDS + 4, ROOM = 100 };

static struct shoal_optimiser *any_kind(size_t k)
{
    static const char *const direct[] = {"nelder-mead", "pattern", "random", "portfolio"};
    if (k < KINDS)
        return kind(k);
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_algorithm(optimiser, direct[k - KINDS], &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 300;
    return optimiser;
}

/* Every 29th point has no value. */
static double lossy_bowl(const double *x, size_t number)
{
    return number % 29 == 28 ? NAN : bowl(x, DIM, NULL);
}

/* Replaces the optimiser by another of its kind that loads its state. */
static void move_state(struct shoal_optimiser **optimiser, size_t k)
{
    size_t size;
    void *bytes;
    assert_ok(shoal_optimiser_save_memory(*optimiser, &bytes, &size, &test_error));
    shoal_optimiser_destroy(optimiser);
    *optimiser = any_kind(k);
    assert_ok(shoal_optimiser_load_memory(*optimiser, bytes, size, &test_error));
    free(bytes);
}

/* Tells the values of a batch from its middle on, each third point first; halfway the search moves into
 * another optimiser, which asks again. */
static void tell_one_by_one(struct shoal_optimiser **optimiser, size_t k, const double *points, size_t count,
                            size_t before)
{
    double again[ROOM * DIM], value, best;
    size_t told = 0, same, missing[ROOM];
    for (size_t third = 0; third < 3; third++)
        for (size_t n = third; n < count; n += 3, told++) {
            const size_t i = (n + count / 2) % count;
            const bool had = shoal_optimiser_best(*optimiser, NULL, &best);
            value = lossy_bowl(points + i * DIM, before + i);
            assert_ok(shoal_optimiser_tell_value(*optimiser, i, value, &test_error));
            /* Each value counts at once. */
            assert_int_equal(shoal_optimiser_evaluations(*optimiser), before + told + 1);
            if (!isnan(value) && (!had || value < best)) {
                double x[DIM];
                assert_true(shoal_optimiser_best(*optimiser, x, &best) && best == value);
                assert_memory_equal(x, points + i * DIM, sizeof x);
            }
            if (told + 1 == count)
                return;
            assert_int_equal(shoal_optimiser_missing(*optimiser, missing, ROOM), count - told - 1);
            for (size_t m = 0; m < count - told - 1; m++)
                assert_true(missing[m] != i && (m == 0 || missing[m - 1] < missing[m]) && missing[m] < count);
            if (told == count / 2 && before % 5 == 0) {
                move_state(optimiser, k);
                assert_int_equal(shoal_optimiser_evaluations(*optimiser), before + told + 1);
                assert_int_equal(shoal_optimiser_missing(*optimiser, NULL, 0), count - told - 1);
            }
            assert_ok(shoal_optimiser_ask(*optimiser, again, ROOM, &same, &test_error));
            assert_int_equal(same, count);
            assert_memory_equal(again, points, count * DIM * sizeof *points);
        }
}

static void assert_same_state(struct shoal_optimiser *a, struct shoal_optimiser *b)
{
    size_t size, other;
    void *bytes, *others;
    assert_ok(shoal_optimiser_save_memory(a, &bytes, &size, &test_error));
    assert_ok(shoal_optimiser_save_memory(b, &others, &other, &test_error));
    assert_int_equal(size, other);
    assert_memory_equal(bytes, others, size);
    free(bytes);
    free(others);
}

/* Values told one by one, in another order and with a move in between, make the search that all at once make,
 * to the last byte of its state. */
static void test_one_by_one(void **state)
{
    (void)state;
    for (size_t k = 0; k < MORE_KINDS; k++) {
        double points[ROOM * DIM], others[ROOM * DIM], values[ROOM];
        size_t count, other, before = 0;
        struct shoal_optimiser *whole = any_kind(k), *single = any_kind(k);
        for (;; before += count) {
            assert_ok(shoal_optimiser_ask(whole, points, ROOM, &count, &test_error));
            assert_ok(shoal_optimiser_ask(single, others, ROOM, &other, &test_error));
            assert_int_equal(count, other);
            if (!count)
                break;
            assert_memory_equal(points, others, count * DIM * sizeof *points);
            for (size_t i = 0; i < count; i++)
                values[i] = lossy_bowl(points + i * DIM, before + i);
            assert_ok(shoal_optimiser_tell(whole, values, count, &test_error));
            tell_one_by_one(&single, k, points, count, before);
            assert_int_equal(shoal_optimiser_missing(single, NULL, 0), 0);
            assert_int_equal(shoal_optimiser_not_finite(single), shoal_optimiser_not_finite(whole));
        }
        assert_true(before > 100);
        assert_same_state(whole, single);
        shoal_optimiser_destroy(&whole);
        shoal_optimiser_destroy(&single);
    }
}

/* An objective that is set afterwards evaluates the other points only. */
static void test_rest_by_objective(void **state)
{
    (void)state;
    double points[ROOM * DIM], x[DIM], value;
    size_t count;
    atomic_size_t calls = 0;
    struct shoal_optimiser *optimiser = make_for(bowl, &calls);
    assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
    for (size_t i = 0; i < count; i += 2)
        assert_ok(shoal_optimiser_tell_value(optimiser, i, i ? 1e3 : -100, &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 4000);
    assert_int_equal(calls, 4000 - count / 2);
    assert_true(value == -100);
    assert_memory_equal(x, points, sizeof x);
    shoal_optimiser_destroy(&optimiser);
}

/* One call for each step makes the search of two calls, with the points by coordinate. */
static void test_tell_ask(void **state)
{
    (void)state;
    for (size_t k = 0; k < MORE_KINDS; k++) {
        double points[ROOM * DIM], columns[ROOM * DIM], values[ROOM];
        size_t count, other, before = 0;
        struct shoal_optimiser *apart = any_kind(k), *together = any_kind(k);
        assert_ok(shoal_optimiser_tell_ask(together, NULL, 0, columns, ROOM, &other, &test_error));
        for (;; before += count) {
            assert_ok(shoal_optimiser_ask(apart, points, ROOM, &count, &test_error));
            assert_int_equal(count, other);
            if (!count)
                break;
            for (size_t i = 0; i < count; i++)
                values[i] = lossy_bowl(points + i * DIM, before + i);
            for (size_t i = 0; i < count * DIM; i++)
                assert_true(columns[i % DIM * count + i / DIM] == points[i]);
            assert_ok(shoal_optimiser_tell(apart, values, count, &test_error));
            assert_ok(shoal_optimiser_tell_ask(together, values, count, columns, ROOM, &other, &test_error));
        }
        assert_true(before > 100);
        assert_same_state(apart, together);
        shoal_optimiser_destroy(&apart);
        shoal_optimiser_destroy(&together);
    }
    struct shoal_optimiser *optimiser = kind(0);
    double columns[ROOM * DIM], values[ROOM] = {0};
    size_t count = 1;
    assert_status(shoal_optimiser_tell_ask(optimiser, values, 3, columns, ROOM, &count, &test_error),
                  SHOAL_INVALID);
    assert_int_equal(count, 0);
    assert_status(shoal_optimiser_tell_ask(optimiser, NULL, 0, columns, 1, &count, &test_error),
                  SHOAL_INVALID);
    assert_ok(shoal_optimiser_tell_ask(optimiser, NULL, 0, columns, ROOM, &count, &test_error));
    const size_t first = count;
    assert_status(shoal_optimiser_tell_ask(optimiser, values, first + 1, columns, ROOM, &count, &test_error),
                  SHOAL_INVALID);
    /* Too little room for the next points: no value is told, and the same call with room tells the values. */
    assert_status(shoal_optimiser_tell_ask(optimiser, values, first, columns, 1, &count, &test_error),
                  SHOAL_INVALID);
    assert_int_equal(count, 0);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 0);
    assert_ok(shoal_optimiser_tell_ask(optimiser, values, first, columns, ROOM, &count, &test_error));
    assert_int_equal(shoal_optimiser_evaluations(optimiser), first);
    shoal_optimiser_destroy(&optimiser);
}

static struct shoal_optimiser *portfolio(const char *algorithms)
{
    struct shoal_optimiser *optimiser = NULL;
    assert_ok(shoal_optimiser_create(DIM, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "portfolio", &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -5, 4, &test_error));
    struct shoal_search_params *params = shoal_optimiser_params(optimiser);
    ((struct shoal_portfolio_params *)(void *)params)->algorithms = algorithms;
    params->evaluations = 12000;
    return optimiser;
}

/* A function with many minima. */
static double waves(const double *x)
{
    double sum = 0;
    for (size_t d = 0; d < DIM; d++)
        sum += x[d] * x[d] - 3 * cos(9 * x[d]);
    return sum;
}

/* Points of several steps at once make the search that each step by itself makes, also saved and loaded while
 * they wait: at each size that was not seen before, and at each 32nd call. */
static void check_portfolio(const char *algorithms)
{
    double points[ROOM * DIM], values[ROOM], x[2][DIM], value[2];
    size_t most[2] = {0};
    uint64_t evaluations[2];
    for (size_t k = 0; k < 2; k++) {
        struct shoal_optimiser *optimiser = portfolio(algorithms);
        const size_t room = k ? ROOM : shoal_optimiser_capacity(optimiser);
        for (size_t count, calls = 1;; calls++) {
            assert_ok(shoal_optimiser_ask(optimiser, points, room, &count, &test_error));
            if (!count)
                break;
            if (count > most[k] || calls % 32 == 0) { /* the same points again, from another optimiser */
                struct shoal_optimiser *loaded = portfolio(algorithms);
                double again[ROOM * DIM];
                void *bytes;
                size_t size, other;
                assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
                assert_ok(shoal_optimiser_load_memory(loaded, bytes, size, &test_error));
                free(bytes);
                assert_ok(shoal_optimiser_ask(loaded, again, ROOM, &other, &test_error));
                assert_int_equal(other, count);
                assert_memory_equal(again, points, count * DIM * sizeof *points);
                shoal_optimiser_destroy(&optimiser);
                optimiser = loaded;
                most[k] = count > most[k] ? count : most[k];
            }
            for (size_t i = 0; i < count; i++)
                values[i] = waves(points + i * DIM);
            assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
        }
        assert_true(shoal_optimiser_best(optimiser, x[k], &value[k]));
        evaluations[k] = shoal_optimiser_evaluations(optimiser);
        shoal_optimiser_destroy(&optimiser);
    }
    assert_int_equal(evaluations[0], evaluations[1]);
    assert_true(most[1] > 2 * most[0]);
    assert_true(value[0] == value[1]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* Batches of differential evolution; parts of the generations of CMA-ES, which restarts with more of them. */
static void test_portfolio_together(void **state)
{
    (void)state;
    check_portfolio("de");
    check_portfolio("cmaes");
    check_portfolio("de,cmaes");
}

/* A limit that was lowered leaves the pattern search fewer points: where all of them have values, the batch
 * is complete. */
static void test_lower_limit(void **state)
{
    (void)state;
    double points[ROOM * DIM], values[ROOM] = {0};
    size_t count, size, before = 0;
    void *bytes;
    struct shoal_optimiser *optimiser = kind(2);
    for (;; before += count) {
        assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
        assert_true(count > 0);
        if (before >= 900 && count > 2)
            break;
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
    assert_ok(shoal_optimiser_tell_value(optimiser, 0, 1, &test_error));
    assert_ok(shoal_optimiser_tell_value(optimiser, 2, NAN, &test_error));
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    for (size_t more = 0; more < 3; more++) {
        shoal_optimiser_reset(optimiser);
        shoal_optimiser_params(optimiser)->polish = before - 900 + more;
        assert_ok(shoal_optimiser_load_memory(optimiser, bytes, size, &test_error));
        assert_int_equal(shoal_optimiser_missing(optimiser, NULL, 0), more == 2);
        assert_int_equal(shoal_optimiser_evaluations(optimiser), before + (more > 0));
        assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
        assert_int_equal(count, more < 2 ? 0 : 2);
    }
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
}

/* Fills a section with the largest numbers, or leaves its last byte out. */
static void fill_section(struct checkpoint_section *section)
{
    char *data = malloc(section->bytes);
    assert_non_null(data);
    memset(data, 0xff, section->bytes);
    section->data = section->owned = data;
}

static void cut_section(struct checkpoint_section *section)
{
    section->bytes--;
}

/* What a portfolio keeps besides the arrays of every search. */
static void test_damaged_portfolio(void **state)
{
    (void)state;
    static const char *const sections[] = {"arms", "epochs", "slots", "searches"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        for (size_t cut = 0; cut < 2; cut++) {
            struct shoal_optimiser *optimiser = any_kind(MORE_KINDS - 1);
            double points[ROOM * DIM], values[ROOM] = {0};
            size_t count;
            for (size_t step = 0; step < 5; step++) {
                assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
                assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
            }
            assert_status(load_with(optimiser, sections[i], cut ? cut_section : fill_section), SHOAL_IO);
            shoal_optimiser_destroy(&optimiser);
        }
}

static void test_bad_values(void **state)
{
    (void)state;
    double points[ROOM * DIM], values[ROOM] = {0};
    size_t count, missing[2] = {7, 7};
    struct shoal_optimiser *optimiser = make();
    assert_int_equal(shoal_optimiser_missing(optimiser, missing, 2), 0);
    assert_int_equal(shoal_optimiser_missing(NULL, missing, 2), 0);
    assert_status(shoal_optimiser_tell_value(optimiser, 0, 1, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "no points wait for values: ask first");
    assert_status(shoal_optimiser_ask(optimiser, points, 39, &count, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "there are 40 points to evaluate and room for 39");
    assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
    assert_status(shoal_optimiser_tell_value(optimiser, 40, 1, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "there is no point 40: points 0 to 39 were asked");
    assert_status(shoal_optimiser_tell(optimiser, values, 39, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "40 points wait for values, not 39");
    assert_status(shoal_optimiser_tell(optimiser, values, 41, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "40 points wait for values, not 41");
    assert_int_equal(shoal_optimiser_missing(optimiser, NULL, 0), 40);
    assert_ok(shoal_optimiser_tell_value(optimiser, 0, 1, &test_error));
    assert_status(shoal_optimiser_tell_value(optimiser, 0, 2, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "point 0 has its value already");
    assert_status(shoal_optimiser_tell(optimiser, values, 40, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "1 of 40 points have their values already");
    assert_int_equal(shoal_optimiser_missing(optimiser, missing, 2), 39);
    assert_true(missing[0] == 1 && missing[1] == 2);
    shoal_optimiser_reset(optimiser);
    assert_int_equal(shoal_optimiser_missing(optimiser, missing, 2), 0);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 0);
    shoal_optimiser_destroy(&optimiser);
    /* The pattern search: a second tell needs an ask as well. */
    optimiser = kind(2);
    for (size_t before = 0; before <= 900; before += count) {
        assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
        assert_true(count > 0);
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
    assert_status(shoal_optimiser_tell_value(optimiser, 0, 1, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "no points wait for values: ask first");
    shoal_optimiser_destroy(&optimiser);
}

/* The number of the first value. */
static void tell_beyond(struct checkpoint_section *section)
{
    uint64_t *numbers = malloc(section->bytes);
    assert_non_null(numbers);
    memcpy(numbers, section->data, section->bytes);
    numbers[0] = 40;
    section->data = section->owned = numbers;
}

static void tell_twice(struct checkpoint_section *section)
{
    tell_beyond(section);
    uint64_t *numbers = section->owned;
    numbers[0] = numbers[2];
}

static void cut_value(struct checkpoint_section *section)
{
    section->bytes--;
}

static void test_bad_told(void **state)
{
    (void)state;
    void (*const changes[])(struct checkpoint_section *) = {tell_beyond, tell_twice, cut_value};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        double points[ROOM * DIM];
        size_t count;
        struct shoal_optimiser *optimiser = make();
        assert_ok(shoal_optimiser_ask(optimiser, points, ROOM, &count, &test_error));
        assert_ok(shoal_optimiser_tell_value(optimiser, 5, 1, &test_error));
        assert_ok(shoal_optimiser_tell_value(optimiser, 3, 1, &test_error));
        assert_status(load_with(optimiser, "told", changes[i]), SHOAL_IO);
        assert_contains(test_error.message, "is damaged");
        shoal_optimiser_destroy(&optimiser);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(test_one_by_one),        UNIT_TEST(test_tell_ask),    UNIT_TEST(test_portfolio_together),
        UNIT_TEST(test_rest_by_objective), UNIT_TEST(test_lower_limit), UNIT_TEST(test_damaged_portfolio),
        UNIT_TEST(test_bad_values),        UNIT_TEST(test_bad_told),
    };
    return cmocka_run_group_tests_name("tell_value", tests, NULL, NULL);
}
