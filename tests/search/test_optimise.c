/* The optimiser of <shoal/optimise.h>: one call, its ends, and what it refuses. */
#include "optimiser.h"

#include "objective/objective.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* One call --------------------------------------------------------------------------------------------- */

static void test_callback(void **state)
{
    (void)state;
    atomic_size_t calls = 0;
    struct shoal_optimiser *optimiser = make_for(bowl, &calls);
    double x[DIM], value;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_found(x, value);
    assert_true(bowl(x, DIM, NULL) == value);
    assert_int_equal(calls, 4000);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 4000);
    assert_int_equal(shoal_optimiser_steps(optimiser), 99);
    assert_result(shoal_optimiser_state(optimiser), SHOAL_OPTIMISE_EVALUATIONS);
    /* It is over: nothing is evaluated any more. */
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_int_equal(calls, 4000);
    /* Anew, with what was changed meanwhile. */
    shoal_optimiser_params(optimiser)->evaluations = 400;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimiser_state(optimiser), SHOAL_OPTIMISE_RUNNING);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_int_equal(calls, 4400);
    shoal_optimiser_destroy(&optimiser);
    assert_null(optimiser);
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(NULL);
}

/* By default a pattern search from the best position has a part of the evaluations, and finds the last
 * digits. One that reached its target has ended. */
static void test_refined(void **state)
{
    (void)state;
    atomic_size_t calls = 0;
    struct shoal_optimiser *optimiser = make_for(bowl, &calls);
    double x[DIM], value, best;
    shoal_optimiser_params(optimiser)->refine = SHOAL_REFINE_ALL;
    shoal_optimiser_params(optimiser)->evaluations = 600;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_near(value, -7, 1e-14);
    assert_int_equal(shoal_optimiser_steps(optimiser), 11); /* 480 evaluations, a fifth is kept */
    assert_true(shoal_optimiser_best(optimiser, x, &best) && best == value && bowl(x, DIM, NULL) == value);
    assert_in_range(shoal_optimiser_evaluations(optimiser), 481, 600);
    assert_int_equal(calls, shoal_optimiser_evaluations(optimiser));
    shoal_optimiser_params(optimiser)->target = 0;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TARGET);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 40 * (shoal_optimiser_steps(optimiser) + 1));
    shoal_optimiser_destroy(&optimiser);
}

/* With any number of threads, and by the workload's own solver. */
static void test_same(void **state)
{
    (void)state;
    double first[DIM] = {0}, value_first = 0;
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        struct shoal_optimiser *optimiser = make_for(bowl, NULL);
        double x[DIM], value;
        assert_ok(shoal_optimiser_set_threads(optimiser, threads, &test_error));
        assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
        if (threads == 1) {
            memcpy(first, x, sizeof x);
            value_first = value;
        }
        assert_memory_equal(first, x, sizeof x);
        assert_true(value == value_first);
        shoal_optimiser_destroy(&optimiser);
    }
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    struct shoal_pso_params params = *shoal_optimiser_pso(optimiser);
    struct shoal_objective *objective;
    struct shoal_report report = {0};
    struct shoal *shoal = unit_open();
    assert_ok(shoal_objective_from_callback(bowl, NULL, "bowl", &objective, &test_error));
    params.search.objective = objective;
    params.search.lower = -10;
    params.search.upper = 10;
    assert_ok(
        shoal_run(shoal_workload_find("pso"), test_host_device(shoal), &params, NULL, &report, &test_error));
    assert_true(report.result.value == value_first);
    shoal_report_clear(&report);
    shoal_objective_destroy(&objective);
    shoal_optimiser_destroy(&optimiser);
    shoal_close(&shoal);
}

static void test_ends(void **state)
{
    (void)state;
    double x[DIM], value;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    struct shoal_pso_params *params = shoal_optimiser_pso(optimiser);
    params->search.target = -6.9;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TARGET);
    assert_true(value <= -6.9 && shoal_optimiser_evaluations(optimiser) < 4000);
    params->search.target = NAN;
    params->search.iterations = 10;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_ITERATIONS);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 11 * 40);
    params->search.iterations = 100000;
    params->search.evaluations = 0;
    params->search.stagnation = 20;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STAGNATED);
    assert_found(x, value);
    params->search.stagnation = 0;
    params->search.time = 0;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TIME);
    assert_true(isnan(value) && shoal_optimiser_evaluations(optimiser) == 0);
    params->search.time = 0.05;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TIME);
    const uint64_t before = shoal_optimiser_evaluations(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_TIME);
    assert_true(shoal_optimiser_evaluations(optimiser) > before && before > 0);
    shoal_optimiser_destroy(&optimiser);
}

static void test_maximise(void **state)
{
    (void)state;
    double x[DIM], value;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    shoal_optimiser_params(optimiser)->maximise = true;
    shoal_optimiser_params(optimiser)->target = 600;
    /* Largest in the corner at -10: -7 + 100 + 121 + 144 + 169. */
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_true(value == 527 && x[0] == -10 + 20 * (x[0] > 0) && x[3] == -10);
    shoal_optimiser_destroy(&optimiser);
}

struct stopper {
    struct shoal_optimiser *optimiser;
    atomic_size_t calls;
    size_t at;
};

static double stopping(const double *x, size_t dim, void *data)
{
    struct stopper *stopper = data;
    if (atomic_fetch_add(&stopper->calls, 1) + 1 == stopper->at)
        shoal_optimiser_stop(stopper->optimiser);
    return bowl(x, dim, NULL);
}

/* A search that was stopped in the middle of a batch ends like one that was not. */
static void test_stop(void **state)
{
    (void)state;
    double x[DIM], value, whole_x[DIM], whole;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    assert_result(shoal_optimise(optimiser, whole_x, &whole, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    shoal_optimiser_destroy(&optimiser);
    struct stopper stopper = {.at = 1};
    optimiser = stopper.optimiser = make_for(stopping, &stopper);
    assert_ok(shoal_optimiser_set_threads(optimiser, 1, &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STOPPED);
    assert_int_equal(stopper.calls, 1);
    assert_true(isnan(value)); /* the batch is not complete */
    stopper.at = 130;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STOPPED);
    assert_int_equal(stopper.calls, 130);
    assert_true(isfinite(value) && bowl(x, DIM, NULL) == value);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 4000);
    assert_true(value == whole);
    assert_memory_equal(x, whole_x, sizeof x);
    shoal_optimiser_destroy(&optimiser);
}

static void *stop_later(void *data)
{
    usleep(20000);
    shoal_optimiser_stop(data);
    return NULL;
}

static void test_stop_from_thread(void **state)
{
    (void)state;
    double x[DIM], value;
    pthread_t thread;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    shoal_optimiser_params(optimiser)->evaluations = 0;
    shoal_optimiser_params(optimiser)->iterations = 4000000000;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, optimiser), 0);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STOPPED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    shoal_optimiser_destroy(&optimiser);
}

static double nowhere(const double *x, size_t dim, void *data)
{
    (void)x;
    (void)dim;
    (void)data;
    return NAN;
}

static double half(const double *x, size_t dim, void *data)
{
    return x[0] < 0 ? INFINITY : bowl(x, dim, data);
}

static void test_not_finite(void **state)
{
    (void)state;
    double x[DIM], value;
    struct shoal_optimiser *optimiser = make_for(nowhere, NULL);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "no finite value at any of 4000 points");
    assert_int_equal(shoal_optimiser_not_finite(optimiser), 4000);
    assert_false(shoal_optimiser_best(optimiser, x, &value));
    assert_ok(shoal_optimiser_set_callback(optimiser, half, NULL, &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_found(x, value);
    const uint64_t count = shoal_optimiser_not_finite(optimiser);
    assert_true(count > 0 && count < 4000);
    shoal_optimiser_destroy(&optimiser);
}

struct failing {
    atomic_size_t calls;
    size_t fails_at; /* number of a call that gets no memory */
};

static double without_memory(const double *x, size_t dim, void *data)
{
    struct failing *failing = data;
    return atomic_fetch_add(&failing->calls, 1) == failing->fails_at ? objective_fail_memory()
                                                                     : bowl(x, dim, NULL);
}

/* A value that gets no memory ends the call; the next call makes the search of an unfailed one. */
static void test_no_memory(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++)
        for (size_t k = 0; k < 3; k++) {
            struct failing failing = {0, k * 1000}, never = {0, SIZE_MAX};
            struct shoal_optimiser *optimiser = make_for(without_memory, &failing),
                                   *unfailed = make_for(without_memory, &never);
            double x[2][DIM], value[2];
            assert_ok(shoal_optimiser_set_threads(optimiser, threads, &test_error));
            assert_result(shoal_optimise(optimiser, x[0], &value[0], &test_error), SHOAL_OPTIMISE_FAILED);
            assert_int_equal(test_error.status, SHOAL_OUT_OF_HOST_MEMORY);
            assert_result(shoal_optimise(optimiser, x[0], &value[0], &test_error),
                          SHOAL_OPTIMISE_EVALUATIONS);
            assert_result(shoal_optimise(unfailed, x[1], &value[1], &test_error), SHOAL_OPTIMISE_EVALUATIONS);
            assert_true(value[0] == value[1]);
            assert_memory_equal(x[0], x[1], sizeof x[0]);
            assert_int_equal(shoal_optimiser_evaluations(optimiser), 4000);
            shoal_optimiser_destroy(&optimiser);
            shoal_optimiser_destroy(&unfailed);
        }
}

static void test_objectives(void **state)
{
    (void)state;
    double x[DIM], value;
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(DIM, &optimiser, &test_error));
    use_spso2011(optimiser);
    /* Its customary box. */
    assert_ok(shoal_optimiser_set_function(optimiser, "sphere", &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_CONVERGED);
    assert_true(value >= 0 && value < 1e-9);
    assert_ok(shoal_optimiser_set_expression(optimiser, "sum((x[i] - 1)^2) + 3", &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "--lower and --upper");
    assert_ok(shoal_optimiser_set_box(optimiser, -2, 2, &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STAGNATED);
    assert_true(fabs(value - 3) < 1e-9 && fabs(x[2] - 1) < 1e-4);
    /* Rows whose solution is (1, 2, 3, 4). */
    enum { ROWS = 9, COLUMNS = DIM + 1 };
    double table[ROWS * COLUMNS];
    for (size_t j = 0; j < ROWS; j++) {
        table[j * COLUMNS + DIM] = 0;
        for (size_t d = 0; d < DIM; d++) {
            table[j * COLUMNS + d] = (double)((j * 7 + d * d * 5 + j * d) % 11) - 5;
            table[j * COLUMNS + DIM] += table[j * COLUMNS + d] * ((double)d + 1);
        }
    }
    struct shoal *shoal = unit_open();
    const struct shoal_rows rows = {
        .size = sizeof rows, .values = table, .rows = ROWS, .columns = COLUMNS, .dim = DIM, .name = "table"};
    assert_ok(shoal_optimiser_set_rows(optimiser, shoal, &rows, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -10, 10, &test_error));
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_CONVERGED);
    for (size_t d = 0; d < DIM; d++)
        assert_near(x[d], (double)d + 1, 1e-3);
    /* A text without a name. */
    const char *text =
        "#define SHAPE OPAQUE\n"
        "static inline real objective_value(const real *x, uint dim) { return x[0] * x[0] + R(2.0); }\n";
    assert_ok(shoal_optimiser_set_text(optimiser, shoal, text, NULL, &test_error));
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_STAGNATED);
    assert_true(value >= 2 && value < 2 + 1e-9);
    assert_status(shoal_optimiser_set_text(optimiser, shoal, NULL, NULL, &test_error), SHOAL_INVALID);
    shoal_optimiser_destroy(&optimiser);
    shoal_close(&shoal);
}

static void test_bounds(void **state)
{
    (void)state;
    const double lower[DIM] = {-1, 2, -3, 4}, upper[DIM] = {1, 3, 5, 4.5};
    const double start[3 * DIM] = {0.5, 2.5, 4.5, 4.25, -0.5, 2.25, 0, 4.125, 0.75, 3, -3, 4.5};
    double points[64 * DIM], x[DIM], value;
    size_t count;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_bounds(optimiser, lower, upper, &test_error));
    assert_ok(shoal_optimiser_set_start(optimiser, start, 1, &test_error));
    assert_ok(shoal_optimiser_ask(optimiser, points, 64, &count, &test_error));
    assert_int_equal(count, 40);
    assert_memory_equal(points, start, DIM * sizeof *start);
    for (size_t i = 0; i < count * DIM; i++)
        assert_true(points[i] >= lower[i % DIM] && points[i] <= upper[i % DIM]);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_true(fabs(x[0]) < 1e-3 && x[1] == 2 && fabs(x[2] - 2) < 1e-3 && x[3] == 4);
    assert_ok(shoal_optimiser_set_start(optimiser, NULL, 0, &test_error));
    shoal_optimiser_reset(optimiser);
    assert_ok(shoal_optimiser_ask(optimiser, points, 64, &count, &test_error));
    assert_memory_not_equal(points, start, DIM * sizeof *start);
    shoal_optimiser_destroy(&optimiser);
}

/* Of all islands, whatever batches they move in. */
static void test_start_population(void **state)
{
    (void)state;
    enum { PARTICLES = 3, ISLANDS = 2, ALL = PARTICLES * ISLANDS };
    double start[ALL * DIM], points[ALL * DIM], values[ALL];
    size_t count;
    for (size_t i = 0; i < ALL * DIM; i++)
        start[i] = (double)i / 8;
    struct shoal_optimiser *optimiser = make();
    struct shoal_pso_params *params = shoal_optimiser_pso(optimiser);
    params->particles = PARTICLES;
    params->batch = 2;
    params->search.islands = ISLANDS;
    assert_ok(shoal_optimiser_set_start(optimiser, start, ALL, &test_error));
    /* Two particles of each island, then the last of each. */
    assert_ok(shoal_optimiser_ask(optimiser, points, ALL, &count, &test_error));
    assert_int_equal(count, 4);
    assert_memory_equal(points, start, 2 * DIM * sizeof *start);
    assert_memory_equal(points + 2 * DIM, start + 3 * DIM, 2 * DIM * sizeof *start);
    for (size_t i = 0; i < count; i++)
        values[i] = bowl(points + i * DIM, DIM, NULL);
    assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    /* Others are for the next search. */
    assert_ok(shoal_optimiser_set_start(optimiser, NULL, 0, &test_error));
    assert_ok(shoal_optimiser_ask(optimiser, points, ALL, &count, &test_error));
    assert_int_equal(count, 2);
    assert_memory_equal(points, start + 2 * DIM, DIM * sizeof *start);
    assert_memory_equal(points + DIM, start + 5 * DIM, DIM * sizeof *start);
    shoal_optimiser_destroy(&optimiser);
}

/* Algorithm -------------------------------------------------------------------------------------------- */

static void test_algorithm(void **state)
{
    (void)state;
    double x[DIM], value, chosen;
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(DIM, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -10, 10, &test_error));
    assert_ok(shoal_optimiser_set_callback(optimiser, bowl, NULL, &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 4000;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    /* Starts anew with the defaults, objective and box stay. */
    shoal_optimiser_pso(optimiser)->particles = 3;
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "pso", &test_error));
    assert_int_equal(shoal_optimiser_evaluations(optimiser), 0);
    assert_int_equal(shoal_optimiser_pso(optimiser)->particles, 60);
    assert_ptr_equal(&shoal_optimiser_pso(optimiser)->search, shoal_optimiser_params(optimiser));
    shoal_optimiser_params(optimiser)->evaluations = 4000;
    assert_result(shoal_optimise(optimiser, x, &chosen, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_true(chosen == value);
    assert_status(shoal_optimiser_set_algorithm(optimiser, "annealing", &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "there is no algorithm annealing: use one of pso");
    assert_contains(test_error.message, ", auto");
    assert_status(shoal_optimiser_set_algorithm(optimiser, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_algorithm(NULL, "pso", &test_error), SHOAL_INVALID);
    /* What was refused changed nothing. */
    assert_true(shoal_optimiser_best(optimiser, x, &value) && value == chosen);
    shoal_optimiser_destroy(&optimiser);
}

/* "auto" takes an algorithm when the search starts, and the algorithm of a state that it loads. */
static void test_auto(void **state)
{
    (void)state;
    double x[DIM], y[DIM], value, chosen;
    void *bytes;
    size_t size;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL), *named = make_for(bowl, NULL);
    struct shoal_optimise_params params =
        SHOAL_OPTIMISE_PARAMS(.search.dim = DIM, .search.evaluations = 3000);
    struct shoal_optimise_choice choice = {.size = sizeof choice};
    assert_ok(shoal_optimise_choose(NULL, &params, &choice, &test_error));
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "auto", &test_error));
    assert_string_equal(shoal_optimiser_algorithm(optimiser), "auto");
    assert_null(shoal_optimiser_pso(optimiser));
    shoal_optimiser_params(optimiser)->evaluations = 3000;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_string_equal(shoal_optimiser_algorithm(optimiser), choice.workload->name);
    assert_ok(shoal_optimiser_set_algorithm(named, choice.workload->name, &test_error));
    shoal_optimiser_params(named)->evaluations = 3000;
    assert_result(shoal_optimise(named, y, &chosen, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_true(value == chosen);
    assert_memory_equal(x, y, sizeof x);
    /* The other algorithm, which "auto" would not take. */
    assert_ok(shoal_optimiser_set_algorithm(named, "pso", &test_error));
    assert_string_not_equal(choice.workload->name, "pso");
    shoal_optimiser_params(named)->evaluations = 3000;
    assert_true(shoal_optimiser_capacity(named) > 0);
    assert_ok(shoal_optimiser_save_memory(named, &bytes, &size, &test_error));
    assert_ok(shoal_optimiser_load_memory(optimiser, bytes, size, &test_error));
    assert_string_equal(shoal_optimiser_algorithm(optimiser), "pso");
    free(bytes);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_result(shoal_optimise(named, y, &chosen, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_true(value == chosen);
    shoal_optimiser_reset(optimiser);
    assert_string_equal(shoal_optimiser_algorithm(optimiser), "auto");
    shoal_optimiser_destroy(&optimiser);
    shoal_optimiser_destroy(&named);
}

/* Refused ---------------------------------------------------------------------------------------------- */

static void check_start(struct shoal_optimiser *optimiser, const char *part)
{
    double x[DIM], value;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, part);
    assert_lacks(test_error.message, "\n");
    shoal_optimiser_destroy(&optimiser);
}

/* Equal bounds fix a coordinate; all of them cannot be fixed. */
static void test_fixed(void **state)
{
    (void)state;
    const double lower[DIM] = {-5, 3, -5, -5}, upper[DIM] = {5, 3, 5, 5};
    double x[DIM], value;
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_bounds(optimiser, lower, upper, &test_error));
    assert_true(shoal_optimise(optimiser, x, &value, &test_error) > SHOAL_OPTIMISE_RUNNING);
    assert_true(x[1] == 3 && isfinite(value));
    shoal_optimiser_destroy(&optimiser);
    optimiser = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_bounds(optimiser, lower, lower, &test_error));
    check_start(optimiser, "there is nothing to search");
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_optimiser *optimiser = NULL;
    const double up[DIM] = {1, 1, 1, 1}, down[DIM] = {0, 0, 2, 0}, far[DIM] = {0, 0, 11, 0},
                 many[2 * DIM] = {0};
    assert_status(shoal_optimiser_create(0, &optimiser, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "dim is 0");
    assert_status(shoal_optimiser_create(SIZE_MAX, &optimiser, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_create(1, NULL, &test_error), SHOAL_INVALID);
    check_start(make(), "no objective");
    optimiser = make_for(bowl, NULL);
    assert_status(shoal_optimiser_set_bounds(optimiser, down, up, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "dimension 3");
    assert_status(shoal_optimiser_set_box(optimiser, 0, INFINITY, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_box(optimiser, NAN, 1, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_bounds(optimiser, NULL, up, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_function(optimiser, "cube", &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "cube");
    assert_status(shoal_optimiser_set_callback(optimiser, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_expression(optimiser, "sum(x[i]", &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_objective(optimiser, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_threads(optimiser, 1000000, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_ask(optimiser, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_result(shoal_optimise(NULL, NULL, NULL, &test_error), SHOAL_OPTIMISE_FAILED);
    /* What was refused changed nothing. */
    double x[DIM], value;
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_EVALUATIONS);
    assert_found(x, value);
    shoal_optimiser_destroy(&optimiser);

    optimiser = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_start(optimiser, far, 1, &test_error));
    check_start(optimiser, "start point 1: x[3] is 11, outside the box, -10 to 10");
    optimiser = make_for(bowl, NULL);
    shoal_optimiser_pso(optimiser)->particles = 1;
    assert_ok(shoal_optimiser_set_start(optimiser, many, 2, &test_error));
    check_start(optimiser, "2 start points for 1 particles");
    optimiser = make_for(bowl, NULL);
    assert_status(shoal_optimiser_set_start(optimiser, many, SIZE_MAX, &test_error), SHOAL_INVALID);
    assert_status(shoal_optimiser_set_start(optimiser, NULL, 1, &test_error), SHOAL_INVALID);
    shoal_optimiser_destroy(&optimiser);
    optimiser = make_for(bowl, NULL);
    shoal_optimiser_pso(optimiser)->particles = 0;
    check_start(optimiser, "particles is 0");
    optimiser = make_for(bowl, NULL);
    shoal_optimiser_params(optimiser)->runs = 2;
    check_start(optimiser, "one run");
    optimiser = make_for(bowl, NULL);
    shoal_optimiser_pso(optimiser)->scalar_random = true;
    check_start(optimiser, "scalar-random");
    optimiser = make();
    assert_ok(shoal_optimiser_set_function(optimiser, "f10", &test_error));
    double points[1];
    size_t count;
    shoal_optimiser_pso(optimiser)->particles = 0;
    assert_status(shoal_optimiser_ask(optimiser, points, 1, &count, &test_error), SHOAL_INVALID);
    assert_int_equal(shoal_optimiser_capacity(optimiser), 0);
    shoal_optimiser_destroy(&optimiser);
}

/* A search reads what was set through the parameters of its algorithm, which no other algorithm has. */
static void test_direct_searches(void **state)
{
    (void)state;
    struct shoal_optimiser *simplex = make_for(bowl, NULL), *pattern = make_for(bowl, NULL),
                           *random = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_algorithm(simplex, "nelder-mead", &test_error));
    assert_ok(shoal_optimiser_set_algorithm(pattern, "pattern", &test_error));
    assert_ok(shoal_optimiser_set_algorithm(random, "random", &test_error));
    assert_null(shoal_optimiser_nelder_mead(pattern));
    assert_null(shoal_optimiser_pattern(random));
    assert_null(shoal_optimiser_random(simplex));
    shoal_optimiser_nelder_mead(simplex)->edge = 0.6;
    shoal_optimiser_pattern(pattern)->width = 0.7;
    shoal_optimiser_random(random)->points = 0;
    check_start(simplex, "edge is 0.6");
    check_start(pattern, "width is 0.7");
    check_start(random, "points is 0");
}

static void test_names(void **state)
{
    (void)state;
    for (int result = SHOAL_OPTIMISE_FAILED; result <= SHOAL_OPTIMISE_CONVERGED; result++)
        assert_string_not_equal(shoal_optimise_result_name((enum shoal_optimise_result)result), "unknown");
    assert_string_equal(shoal_optimise_result_name((enum shoal_optimise_result)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(test_callback),
        UNIT_TEST(test_refined),
        UNIT_TEST(test_same),
        UNIT_TEST(test_ends),
        UNIT_TEST(test_maximise),
        UNIT_TEST(test_stop),
        UNIT_TEST(test_stop_from_thread),
        UNIT_TEST(test_not_finite),
        UNIT_TEST(test_no_memory),
        UNIT_TEST(test_objectives),
        UNIT_TEST(test_bounds),
        UNIT_TEST(test_fixed),
        UNIT_TEST(test_refused),
        UNIT_TEST(test_names),
        UNIT_TEST(test_algorithm),
        UNIT_TEST(test_direct_searches),
        UNIT_TEST(test_auto),
        UNIT_TEST(test_start_population),
    };
    return cmocka_run_group_tests_name("optimise", tests, NULL, NULL);
}
