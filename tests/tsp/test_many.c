/* Many problems in one call: the tours of single runs, a problem that fails among others, calls in order, the
 * end by the caller. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS = 12, CITIES = 40, BAD = 5, LONG = 30 };

struct results {
    size_t count, most; /* calls so far, and at which call to end */
    enum shoal_status status[PROBLEMS];
    int64_t lengths[PROBLEMS];
    uint32_t tours[PROBLEMS][CITIES];
    char message[160];
};

static bool solved(void *data, const struct shoal_tsp_solved *given)
{
    struct results *results = data;
    assert_int_equal(given->index, results->count);
    assert_int_equal(given->size, sizeof *given);
    results->status[given->index] = given->status;
    if (given->status)
        snprintf(results->message, sizeof results->message, "%s", given->message);
    else
        assert_ok(shoal_tsp_best(given->report->solver, results->tours[given->index], CITIES,
                                 &results->lengths[given->index], &test_error));
    assert_true((given->report != NULL) == (given->status == SHOAL_OK));
    return ++results->count != results->most;
}

struct batch {
    struct shoal_tsp_params params[PROBLEMS];
    char names[PROBLEMS][32];
};

static void set_batch(struct batch *batch)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        snprintf(batch->names[i], sizeof batch->names[i], "uniform:%d:%zu", i == BAD ? 0 : CITIES, i + 1);
        batch->params[i] =
            SHOAL_TSP_PARAMS(.generate = batch->names[i], .algorithm = SHOAL_TSP_LK, .iterations = 3);
    }
    batch->params[0].iterations = LONG; /* others are finished while it runs */
}

static void test_all(void **state)
{
    (void)state;
    static struct results results;
    struct batch batch;
    struct shoal_device *host = test_host_device(harness.shoal);
    if (!harness_takes_case())
        return;
    set_batch(&batch);
    results = (struct results){0};
    assert_ok(shoal_tsp_run_many(host, batch.params, PROBLEMS, solved, NULL, &results, &test_error));
    assert_int_equal(results.count, PROBLEMS);
    for (size_t i = 0; i < PROBLEMS; i++) {
        uint32_t tour[CITIES];
        int64_t length;
        if (i == BAD) {
            assert_int_equal(results.status[i], SHOAL_INVALID);
            assert_contains(results.message, "uniform:0:6");
            continue;
        }
        assert_int_equal(results.status[i], SHOAL_OK);
        struct shoal_solver *solver = harness_solver("tsp", host, &batch.params[i]);
        harness_step(solver, batch.params[i].iterations);
        assert_ok(shoal_tsp_best(solver, tour, CITIES, &length, &test_error));
        assert_true(length == results.lengths[i]);
        assert_words(tour, results.tours[i], CITIES);
        shoal_solver_destroy(&solver);
    }
}

static bool always(void *data)
{
    (void)data;
    return true;
}

static void test_ends(void **state)
{
    (void)state;
    static struct results results;
    struct batch batch;
    struct shoal_device *host = test_host_device(harness.shoal);
    if (!harness_takes_case())
        return;
    set_batch(&batch);
    results = (struct results){.most = 3};
    assert_status(shoal_tsp_run_many(host, batch.params, PROBLEMS, solved, NULL, &results, &test_error),
                  SHOAL_STOPPED);
    assert_int_equal(results.count, 3);
    results = (struct results){0};
    assert_status(shoal_tsp_run_many(host, batch.params, PROBLEMS, solved, always, &results, &test_error),
                  SHOAL_STOPPED);
    assert_int_equal(results.count, 0);
    assert_status(shoal_tsp_run_many(host, batch.params, PROBLEMS, NULL, NULL, NULL, &test_error),
                  SHOAL_INVALID);
    batch.params[0].size = 0;
    assert_status(shoal_tsp_run_many(host, batch.params, PROBLEMS, solved, NULL, &results, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "size");
    set_batch(&batch);
    batch.params[7].size = 0;
    assert_status(shoal_tsp_run_many(host, batch.params, PROBLEMS, solved, NULL, &results, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "params[7].size is 0");
    assert_int_equal(results.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_ends)};
    return harness_main("tsp-many", tests, sizeof tests / sizeof *tests);
}
