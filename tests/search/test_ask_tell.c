/* The optimiser of <shoal/optimise.h> asked for points and told their values, and its state. */
#include "kinds.h"

#include "workload/checkpoint/checkpoint.h"

#include <math.h>

/* Tells up to `batches` batches; returns the batches told. The values of a search go to `log` in their order.
 */
static size_t tell_some(struct shoal_optimiser *optimiser, size_t batches, double *log, size_t *logged)
{
    double points[64 * DIM], again[64 * DIM], values[64];
    size_t told = 0, count, same;
    assert_in_range(shoal_optimiser_capacity(optimiser), 1, 1024);
    for (; told < batches; told++) {
        assert_ok(shoal_optimiser_ask(optimiser, points, 64, &count, &test_error));
        if (!count)
            return told;
        assert_ok(shoal_optimiser_ask(optimiser, again, 64, &same, &test_error));
        assert_true(same == count && memcmp(points, again, count * DIM * sizeof *points) == 0);
        for (size_t i = 0; i < count; i++)
            log[(*logged)++] = values[i] = bowl(points + i * DIM, DIM, NULL);
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
    return told;
}

enum { LOG = 2000 };

static void test_ask_tell(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        static double log[LOG];
        size_t logged = 0;
        double x[DIM], value, best = INFINITY, one_x[DIM], one;
        struct shoal_optimiser *optimiser = kind(k);
        assert_false(shoal_optimiser_best(optimiser, x, &value));
        for (size_t batches = 1; batches;) {
            const size_t before = logged;
            batches = tell_some(optimiser, 1, log, &logged);
            for (size_t i = before; i < logged; i++)
                best = fmin(best, log[i]);
            assert_true(shoal_optimiser_best(optimiser, x, &value));
            assert_true(value == best && bowl(x, DIM, NULL) == value);
            assert_int_equal(shoal_optimiser_evaluations(optimiser), logged);
        }
        assert_result(shoal_optimiser_state(optimiser), SHOAL_OPTIMISE_EVALUATIONS);
        shoal_optimiser_destroy(&optimiser);
        /* One call finds the same. */
        optimiser = kind(k);
        assert_ok(shoal_optimiser_set_callback(optimiser, bowl, NULL, &test_error));
        assert_result(shoal_optimise(optimiser, one_x, &one, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
        assert_true(one == value && shoal_optimiser_evaluations(optimiser) == logged);
        assert_memory_equal(one_x, x, sizeof x);
        shoal_optimiser_destroy(&optimiser);
    }
}

/* Asks and tells until the search is over or, if `together` is set, until the points of several steps wait;
 * returns the most points of an ask. room: points that an ask may give. found: number of an evaluation that
 * has the value -100. */
static size_t ask_until(struct shoal_optimiser *optimiser, size_t room, bool together, uint64_t found)
{
    double points[64 * DIM], values[64];
    const size_t population = shoal_optimiser_cmaes(optimiser)->population;
    size_t count, most = 0;
    for (;;) {
        assert_ok(shoal_optimiser_ask(optimiser, points, room, &count, &test_error));
        most = count > most ? count : most;
        if (!count || (together && count > population))
            return most;
        for (size_t i = 0; i < count; i++)
            values[i] = shoal_optimiser_evaluations(optimiser) + i == found
                            ? -100
                            : bowl(points + i * DIM, DIM, NULL);
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
}

static struct shoal_optimiser *of_form(int32_t form, double target)
{
    struct shoal_optimiser *optimiser = kind(13);
    shoal_optimiser_cmaes(optimiser)->form = form;
    shoal_optimiser_params(optimiser)->target = target;
    return optimiser;
}

/* The points of several steps at once make the search that each step by itself makes, also if the first of
 * them ends it. */
static void test_steps_together(void **state)
{
    (void)state;
    double x[2][DIM], value[2];
    for (int32_t k = 0; k < 6; k++) {
        const int32_t form = k / 2, ends = k % 2;
        const double target = ends ? -50 : NAN;
        struct shoal_optimiser *first = of_form(form, NAN), *apart = of_form(form, target),
                               *at_once = of_form(form, target);
        ask_until(first, 64, true, UINT64_MAX);
        const uint64_t found = ends ? shoal_optimiser_evaluations(first) + 1 : UINT64_MAX;
        assert_int_equal(ask_until(apart, 6, false, found), 6);
        const size_t most = ask_until(at_once, 64, false, found);
        assert_in_range(most, 12, 64);
        assert_true(shoal_optimiser_best(apart, x[0], &value[0]) &&
                    shoal_optimiser_best(at_once, x[1], &value[1]));
        assert_true(value[0] == value[1]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_int_equal(shoal_optimiser_steps(apart), shoal_optimiser_steps(at_once));
        assert_result(shoal_optimiser_state(apart),
                      ends ? SHOAL_OPTIMISE_TARGET : SHOAL_OPTIMISE_EVALUATIONS);
        assert_result(shoal_optimiser_state(at_once), shoal_optimiser_state(apart));
        if (ends)
            assert_in_range(shoal_optimiser_evaluations(at_once) - shoal_optimiser_evaluations(apart), 6, 63);
        else
            assert_int_equal(shoal_optimiser_evaluations(at_once), shoal_optimiser_evaluations(apart));
        shoal_optimiser_destroy(&first);
        shoal_optimiser_destroy(&apart);
        shoal_optimiser_destroy(&at_once);
    }
}

/* Points of several steps that wait are all asked again after a load, also where the search is over by its
 * new limit, or would be within these steps. */
static void test_steps_together_loaded(void **state)
{
    (void)state;
    double points[2][64 * DIM], values[64];
    for (uint32_t more = 0; more < 3; more++) {
        struct shoal_optimiser *saved = kind(13), *loaded = kind(13);
        void *bytes;
        size_t size, count[2];
        ask_until(saved, 64, true, UINT64_MAX);
        assert_ok(shoal_optimiser_ask(saved, points[0], 64, &count[0], &test_error));
        assert_int_equal(shoal_optimiser_capacity(saved), count[0]);
        assert_ok(shoal_optimiser_save_memory(saved, &bytes, &size, &test_error));
        const uint64_t steps = shoal_optimiser_steps(saved) + more;
        shoal_optimiser_params(loaded)->iterations = (uint32_t)steps;
        assert_ok(shoal_optimiser_load_memory(loaded, bytes, size, &test_error));
        free(bytes);
        assert_ok(shoal_optimiser_ask(loaded, points[1], 64, &count[1], &test_error));
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(points[0], points[1], count[0] * DIM * sizeof **points);
        for (size_t i = 0; i < count[0]; i++)
            values[i] = bowl(points[0] + i * DIM, DIM, NULL);
        assert_ok(shoal_optimiser_tell(loaded, values, count[1], &test_error));
        assert_ok(shoal_optimiser_ask(loaded, points[1], 64, &count[1], &test_error));
        assert_int_equal(count[1], 0);
        assert_int_equal(shoal_optimiser_steps(loaded), more ? steps : steps + 1);
        shoal_optimiser_destroy(&saved);
        shoal_optimiser_destroy(&loaded);
    }
}

static void ask_for_more(struct checkpoint_section *section)
{
    static const uint64_t steps = 1000;
    section->data = &steps;
}

static void cut_short(struct checkpoint_section *section)
{
    section->bytes--;
}

static void test_damaged_steps_together(void **state)
{
    (void)state;
    void (*const changes[])(struct checkpoint_section *) = {ask_for_more, cut_short};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct shoal_optimiser *optimiser = kind(13);
        ask_until(optimiser, 64, true, UINT64_MAX);
        assert_status(load_with(optimiser, "steps asked", changes[i]), SHOAL_IO);
        shoal_optimiser_destroy(&optimiser);
    }
}

/* A whole population to start from, asked for as it was given; what is not of its kind or range is refused.
 */
static void test_start_points(void **state)
{
    (void)state;
    enum { POPULATION = 12 };
    double points[POPULATION][DIM], asked[POPULATION][DIM];
    size_t count;
    struct shoal_optimiser *optimiser = over(mixed);
    for (size_t i = 0; i < POPULATION; i++) {
        const double x[DIM] = {(double)i / 7, (double)i - 6, -10 + 20.0 * (double)(i * 321) / 4095,
                               (double)(i % 9)};
        memcpy(points[i], x, sizeof x);
    }
    assert_ok(shoal_optimiser_set_start(optimiser, *points, POPULATION, &test_error));
    assert_ok(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error));
    assert_int_equal(count, POPULATION);
    for (size_t i = 0; i < POPULATION; i++)
        for (size_t d = 0; d < DIM; d++)
            assert_near(asked[i][d], points[i][d], 1e-14);
    shoal_optimiser_reset(optimiser);
    points[3][1] = 2.5;
    assert_ok(shoal_optimiser_set_start(optimiser, *points, 4, &test_error));
    assert_status(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "start point 4: x2 is 2.5: an integer has a whole value from -10 to 10");
    shoal_optimiser_destroy(&optimiser);
    /* Reals without a range have that of the search. */
    optimiser = over("x1-x2 bit, x3-x4 real");
    const double outside[DIM] = {0, 1, 0, 100};
    assert_ok(shoal_optimiser_set_objective(optimiser, shoal_objective_find("sphere"), &test_error));
    assert_ok(shoal_optimiser_set_start(optimiser, outside, 1, &test_error));
    assert_status(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "start point 1: x4 is 100: its range is ");
    shoal_optimiser_destroy(&optimiser);
    optimiser = over("x1-x5 order");
    assert_status(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the list has 5 variables, not --dim 4");
    shoal_optimiser_destroy(&optimiser);
    optimiser = over("x1-x4 order");
    const double twice[DIM] = {0, 3, 3, 1};
    assert_ok(shoal_optimiser_set_start(optimiser, twice, 1, &test_error));
    assert_status(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "start point 1: places 1 and 2 of the order both have 3: each once");
    shoal_optimiser_destroy(&optimiser);
    optimiser = over(mixed);
    shoal_optimiser_params(optimiser)->polish = 100;
    assert_status(shoal_optimiser_ask(optimiser, *asked, POPULATION, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--polish is for reals, of which each variable must be one");
    shoal_optimiser_destroy(&optimiser);
}

/* Saved after any number of batches, with points asked for and not told, and taken up elsewhere: nothing
 * changes. */
static void test_state(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        static double whole[LOG], log[LOG], other[LOG];
        size_t length = 0, batches;
        double points[64 * DIM];
        struct shoal_optimiser *optimiser = kind(k);
        batches = tell_some(optimiser, SIZE_MAX, whole, &length);
        shoal_optimiser_destroy(&optimiser);
        for (size_t cut = 0; cut <= batches; cut += 1 + batches / 7) {
            size_t logged = 0, count, size;
            void *bytes;
            struct shoal_optimiser *first = kind(k), *second = kind(k), *third = kind(k);
            tell_some(first, cut, log, &logged);
            assert_ok(shoal_optimiser_ask(first, points, 64, &count, &test_error));
            assert_ok(shoal_optimiser_save_memory(first, &bytes, &size, &test_error));
            assert_ok(shoal_optimiser_save(first, test_path("state"), &test_error));
            shoal_optimiser_destroy(&first);
            assert_ok(shoal_optimiser_load_memory(second, bytes, size, &test_error));
            free(bytes);
            assert_int_equal(shoal_optimiser_evaluations(second), logged);
            tell_some(second, SIZE_MAX, log, &logged);
            assert_int_equal(logged, length);
            assert_memory_equal(log, whole, length * sizeof *log);
            /* From the file, into one that has gone another way. */
            logged = 0;
            tell_some(third, 3, other, &logged);
            assert_ok(shoal_optimiser_load(third, test_path("state"), &test_error));
            logged = shoal_optimiser_evaluations(third);
            tell_some(third, SIZE_MAX, log, &logged);
            assert_memory_equal(log, whole, length * sizeof *log);
            shoal_optimiser_destroy(&second);
            shoal_optimiser_destroy(&third);
        }
    }
}

/* Longer than it was. */
static void test_longer(void **state)
{
    (void)state;
    double log[LOG];
    size_t logged = 0, size;
    void *bytes;
    struct shoal_optimiser *optimiser = kind(0), *longer = kind(0);
    tell_some(optimiser, SIZE_MAX, log, &logged);
    assert_int_equal(logged, 920); /* whole steps */
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    shoal_optimiser_params(longer)->evaluations = 1200;
    assert_ok(shoal_optimiser_load_memory(longer, bytes, size, &test_error));
    tell_some(longer, SIZE_MAX, log, &logged);
    assert_int_equal(logged, 1200);
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(&longer);
}

/* The pattern search begins again where the longer search ends. */
static void test_longer_polished(void **state)
{
    (void)state;
    double log[LOG], x[DIM], wanted_x[DIM], value, wanted;
    size_t logged = 0, size;
    void *bytes;
    struct shoal_optimiser *optimiser = kind(2), *longer = kind(2), *whole = kind(2);
    shoal_optimiser_params(longer)->evaluations = shoal_optimiser_params(whole)->evaluations = 1200;
    tell_some(whole, SIZE_MAX, log, &logged);
    assert_true(logged > 1200 && shoal_optimiser_best(whole, wanted_x, &wanted));
    logged = 0;
    tell_some(optimiser, SIZE_MAX, log, &logged);
    assert_true(logged > 900);
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    assert_ok(shoal_optimiser_load_memory(longer, bytes, size, &test_error));
    logged = 0;
    tell_some(longer, SIZE_MAX, log, &logged);
    assert_true(logged > 300 && shoal_optimiser_best(longer, x, &value) && value == wanted);
    assert_memory_equal(x, wanted_x, sizeof x);
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(&longer);
    shoal_optimiser_destroy(&whole);
}

/* One that was used up goes on with more evaluations, wherever it was cut off, as if it had had them. */
static void test_more_polish(void **state)
{
    (void)state;
    static double whole[LOG], log[LOG];
    size_t length = 0;
    struct shoal_optimiser *optimiser = kind(2);
    tell_some(optimiser, SIZE_MAX, whole, &length);
    assert_int_equal(length, 1200);
    shoal_optimiser_destroy(&optimiser);
    for (uint64_t polish = 1; polish < 60; polish++) {
        size_t logged = 0, size;
        void *bytes;
        optimiser = kind(2);
        shoal_optimiser_params(optimiser)->polish = polish;
        tell_some(optimiser, SIZE_MAX, log, &logged);
        assert_int_equal(logged, 900 + polish);
        assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
        shoal_optimiser_params(optimiser)->polish = 300;
        assert_ok(shoal_optimiser_load_memory(optimiser, bytes, size, &test_error));
        tell_some(optimiser, SIZE_MAX, log, &logged);
        assert_int_equal(logged, length);
        assert_memory_equal(log, whole, length * sizeof *log);
        free(bytes);
        shoal_optimiser_destroy(&optimiser);
    }
}

/* Saved in the first draw, they go with the state, also into an optimiser that has others. */
static void test_start_saved(void **state)
{
    (void)state;
    double start[40 * DIM], points[64 * DIM], values[64];
    size_t count, size;
    void *bytes;
    for (size_t i = 0; i < 40 * DIM; i++)
        start[i] = (double)i / 32;
    struct shoal_optimiser *optimiser = kind(1), *other = kind(1);
    assert_ok(shoal_optimiser_set_start(optimiser, start, 40, &test_error));
    assert_ok(shoal_optimiser_set_start(other, start + 7, 3, &test_error));
    for (size_t i = 0; i < 12; i++) {
        assert_ok(shoal_optimiser_ask(optimiser, points, 64, &count, &test_error));
        assert_int_equal(count, 1);
        assert_memory_equal(points, start + i * DIM, DIM * sizeof *start);
        values[0] = bowl(points, DIM, NULL);
        assert_ok(shoal_optimiser_tell(optimiser, values, 1, &test_error));
    }
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    assert_ok(shoal_optimiser_load_memory(other, bytes, size, &test_error));
    assert_ok(shoal_optimiser_ask(other, points, 64, &count, &test_error));
    assert_memory_equal(points, start + 12 * DIM, DIM * sizeof *start);
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(&other);
}

static void test_bad_state(void **state)
{
    (void)state;
    size_t size, count;
    void *bytes;
    double points[64 * DIM];
    struct shoal_optimiser *optimiser = kind(2), *other = kind(1), *boxed = kind(2);
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    assert_status(shoal_optimiser_load_memory(other, bytes, size, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--particles 10");
    assert_ok(shoal_optimiser_set_box(boxed, -10, 11, &test_error));
    assert_status(shoal_optimiser_load_memory(boxed, bytes, size, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "another box");
    for (size_t cut = 0; cut < size; cut += 1 + size / 40)
        assert_status(shoal_optimiser_load_memory(optimiser, bytes, cut, &test_error), SHOAL_IO);
    /* Still of use. */
    assert_ok(shoal_optimiser_ask(optimiser, points, 64, &count, &test_error));
    assert_int_equal(count, 20);
    assert_status(shoal_optimiser_load(optimiser, test_path("absent"), &test_error), SHOAL_IO);
    assert_status(shoal_optimiser_save(optimiser, "/nonexistent/state", &test_error), SHOAL_IO);
    /* A checkpoint of the workload is no state of an optimiser. */
    struct shoal *shoal = unit_open();
    struct shoal_pso_params params = *shoal_optimiser_pso(optimiser);
    struct shoal_run_params run;
    struct shoal_report report = {0};
    shoal_run_params_init(&run);
    run.checkpoint = test_path("checkpoint");
    params.search.objective = shoal_objective_find("sphere");
    assert_ok(
        shoal_run(shoal_workload_find("pso"), test_host_device(shoal), &params, &run, &report, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -5.12, 5.12, &test_error));
    assert_status(shoal_optimiser_load(optimiser, run.checkpoint, &test_error), SHOAL_IO);
    shoal_report_clear(&report);
    shoal_close(&shoal);
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(&other);
    shoal_optimiser_destroy(&boxed);
}

static void rename_algorithm(struct checkpoint_section *section)
{
    section->data = "annealing";
    section->bytes = 9;
}

static void test_other_algorithm(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = kind(0);
    assert_status(load_with(optimiser, "workload", rename_algorithm), SHOAL_INVALID);
    assert_string_equal(test_error.message,
                        "the memory given is a search by the algorithm annealing, this one is by pso");
    shoal_optimiser_destroy(&optimiser);
}

/* h of struct search in src/search/refine/pattern.c. */
static void lose_step(struct checkpoint_section *section)
{
    double *numbers = malloc(section->bytes);
    assert_non_null(numbers);
    memcpy(numbers, section->data, section->bytes);
    assert_true(numbers[8] > 0 && numbers[8] < 1);
    numbers[8] = NAN;
    section->data = section->owned = numbers;
}

/* A pattern search with a step that is no number would have no end. */
static void test_bad_polish(void **state)
{
    (void)state;
    double log[LOG];
    size_t logged = 0;
    struct shoal_optimiser *optimiser = kind(2);
    tell_some(optimiser, 47, log, &logged);
    assert_true(logged > 900);
    assert_status(load_with(optimiser, "polished", lose_step), SHOAL_IO);
    assert_contains(test_error.message, "is damaged");
    shoal_optimiser_destroy(&optimiser);
}

static struct shoal_optimiser *simplex_kind(void)
{
    struct shoal_optimiser *optimiser = kind(2);
    shoal_optimiser_params(optimiser)->polish_rule = SHOAL_POLISH_NELDER_MEAD;
    return optimiser;
}

static void fill_words(struct checkpoint_section *section)
{
    char *data = malloc(section->bytes);
    assert_non_null(data);
    memset(data, 0xff, section->bytes);
    section->data = section->owned = data;
}

/* A polish by a simplex that is saved in its midst goes on as if it had not been. */
static void test_simplex_polish(void **state)
{
    (void)state;
    static double whole[LOG], log[LOG];
    double x[DIM], wanted_x[DIM], value, wanted, rough;
    size_t length = 0, size;
    void *bytes;
    struct shoal_optimiser *optimiser = simplex_kind();
    tell_some(optimiser, SIZE_MAX, whole, &length);
    rough = whole[0];
    for (size_t i = 0; i < 900; i++)
        rough = fmin(rough, whole[i]);
    assert_true(length > 900 && length <= 1200);
    assert_true(shoal_optimiser_best(optimiser, wanted_x, &wanted));
    assert_true(wanted < 0.1 * rough && bowl(wanted_x, DIM, NULL) == wanted);
    shoal_optimiser_destroy(&optimiser);
    for (size_t batches = 47; batches < 120; batches += 25) {
        size_t logged = 0;
        struct shoal_optimiser *other = simplex_kind();
        optimiser = simplex_kind();
        tell_some(optimiser, batches, log, &logged);
        assert_in_range(logged, 900, length - 1);
        assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
        assert_ok(shoal_optimiser_load_memory(other, bytes, size, &test_error));
        tell_some(other, SIZE_MAX, log, &logged);
        assert_int_equal(logged, length);
        assert_memory_equal(log, whole, length * sizeof *log);
        assert_true(shoal_optimiser_best(other, x, &value) && value == wanted);
        assert_memory_equal(x, wanted_x, sizeof x);
        shoal_optimiser_params(other)->polish_rule = SHOAL_POLISH_PATTERN;
        assert_status(shoal_optimiser_load_memory(other, bytes, size, &test_error), SHOAL_INVALID);
        assert_string_equal(
            test_error.message,
            "the memory given has a polish by the rule nelder-mead: set polish_rule to it, not to pattern");
        assert_status(load_with(optimiser, "polish rule", fill_words), SHOAL_IO);
        assert_ok(shoal_optimiser_load_memory(optimiser, bytes, size, &test_error));
        assert_status(load_with(optimiser, "polished", fill_words), SHOAL_IO);
        assert_contains(test_error.message, "is damaged");
        free(bytes);
        shoal_optimiser_destroy(&optimiser);
        shoal_optimiser_destroy(&other);
    }
}

/* One coordinate beyond the box of -10 to 10, the first of the section. */
static void leave_box(struct checkpoint_section *section)
{
    double *numbers = malloc(section->bytes);
    assert_non_null(numbers);
    memcpy(numbers, section->data, section->bytes);
    numbers[0] = 10.5;
    section->data = section->owned = numbers;
}

/* The first coordinate of the pattern search, behind struct search in src/search/refine/pattern.c. */
static void leave_box_polishing(struct checkpoint_section *section)
{
    double *numbers = malloc(section->bytes);
    assert_non_null(numbers);
    memcpy(numbers, section->data, section->bytes);
    assert_true(numbers[8] > 0 && numbers[8] < 1 && numbers[9] >= -10 && numbers[9] <= 10);
    numbers[9] = -10.5;
    section->data = section->owned = numbers;
}

static void test_outside(void **state)
{
    (void)state;
    static const char *const sections[] = {"x", "p", "champion", "start"};
    double log[LOG], start[DIM] = {1, 2, 3, 4};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        size_t logged = 0;
        const bool draws = strcmp(sections[i], "start") == 0;
        struct shoal_optimiser *optimiser = kind(1);
        assert_ok(shoal_optimiser_set_start(optimiser, start, 1, &test_error));
        tell_some(optimiser, draws ? 20 : 100, log, &logged);
        assert_status(load_with(optimiser, sections[i], leave_box), SHOAL_IO);
        assert_contains(test_error.message, "damaged");
        shoal_optimiser_destroy(&optimiser);
    }
    size_t logged = 0;
    struct shoal_optimiser *optimiser = kind(2);
    tell_some(optimiser, 47, log, &logged);
    assert_status(load_with(optimiser, "polished", leave_box_polishing), SHOAL_IO);
    shoal_optimiser_destroy(&optimiser);
}

static void test_order(void **state)
{
    (void)state;
    double points[64 * DIM], values[64] = {0};
    size_t count;
    struct shoal_optimiser *optimiser = make();
    assert_status(shoal_optimiser_tell(optimiser, values, 40, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "ask first");
    assert_status(shoal_optimiser_ask(optimiser, points, 39, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "40 points");
    assert_int_equal(count, 0);
    assert_ok(shoal_optimiser_ask(optimiser, points, 40, &count, &test_error));
    assert_status(shoal_optimiser_tell(optimiser, values, 39, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "not 39");
    assert_ok(shoal_optimiser_tell(optimiser, values, 40, &test_error));
    assert_status(shoal_optimiser_tell(optimiser, values, 40, &test_error), SHOAL_INVALID);
    shoal_optimiser_destroy(&optimiser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(test_ask_tell),
        UNIT_TEST(test_steps_together),
        UNIT_TEST(test_steps_together_loaded),
        UNIT_TEST(test_damaged_steps_together),
        UNIT_TEST(test_start_points),
        UNIT_TEST(test_state),
        UNIT_TEST(test_longer),
        UNIT_TEST(test_bad_state),
        UNIT_TEST(test_order),
        UNIT_TEST(test_other_algorithm),
        UNIT_TEST(test_bad_polish),
        UNIT_TEST(test_longer_polished),
        UNIT_TEST(test_more_polish),
        UNIT_TEST(test_simplex_polish),
        UNIT_TEST(test_start_saved),
        UNIT_TEST(test_outside),
    };
    return cmocka_run_group_tests_name("ask_tell", tests, NULL, NULL);
}
