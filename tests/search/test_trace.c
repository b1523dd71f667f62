/* Samples of searches: quantiles over runs, means of populations, bounded memory, checkpoints. */
#include "search/observe/trace.h"
#include "unit.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 4, INTERVAL = 10 };

static struct shoal_search_params params;
static const struct search_algorithm swarms, populations = {.has_population = true};
static struct search_problem problem;
static struct search_trace trace;
static size_t given;
static struct shoal_search_sample last;

static bool on_sample(void *data, const void *sample, const char **failure)
{
    (void)data;
    (void)failure;
    given++;
    memcpy(&last, sample, sizeof last);
    return false;
}

static void open_trace(void)
{
    params = (struct shoal_search_params){.trace = INTERVAL, .runs = RUNS};
    problem = (struct search_problem){.params = &params, .runs = RUNS, .sign = 1, .algorithm = &populations};
    search_trace_clear(&trace);
    given = 0;
}

static enum shoal_status take(uint64_t step, const double *best, const struct search_spread *spread)
{
    static const struct shoal_workload workload = {.sampling = &search_population_sampling};
    struct shoal_solver solver = {.workload = &workload, .on_sample = on_sample};
    return search_trace_take(&solver, &problem, &trace, step, best, spread, &test_error);
}

static const struct shoal_field *field(struct shoal_result *result, const char *name)
{
    *result = (struct shoal_result){.value = 0};
    assert_ok(search_trace_result(&problem, &trace, result, &test_error));
    return shoal_result_find(result, name);
}

static void quantiles_over_the_runs(void **state)
{
    (void)state;
    const double best[RUNS] = {33, 30, 32, 31}, later[RUNS] = {9, 21, 20, 22};
    struct shoal_result result = {0};
    open_trace();
    assert_ok(take(0, best, NULL));
    assert_ok(take(0, later, NULL)); /* taken before */
    assert_ok(take(INTERVAL, later, NULL));
    assert_int_equal(given, 2);
    assert_true(last.step == INTERVAL && last.value == 20.5 && isnan(last.mean));
    const struct shoal_field *median = field(&result, "trace");
    assert_int_equal(median->count, 2);
    assert_near(median->reals[0], 31.5, 1e-12);
    assert_near(median->reals[1], 20.5, 1e-12);
    assert_near(field(&result, "trace_q25")->reals[0], 30.75, 1e-12);
    assert_near(field(&result, "trace_q95")->reals[0], 32.85, 1e-12);
    assert_true(field(&result, "trace_begin")->real == 0 &&
                field(&result, "trace_interval")->real == INTERVAL);
    /* Of one run there are none, and of a swarm no means. */
    problem.runs = 1;
    problem.algorithm = &swarms;
    assert_null(field(&result, "trace_q25"));
    assert_null(field(&result, "trace_mean"));
    search_trace_clear(&trace);
}

static void means_over_the_runs(void **state)
{
    (void)state;
    const double best[RUNS] = {-3, -1, -2, -4};
    /* A run all of whose values are not finite has no mean. */
    const struct search_spread spread[RUNS] = {{.mean = 4, .deviation = 1, .count = 8},
                                               {.mean = 6, .deviation = 2, .count = 8},
                                               {.count = 0},
                                               {.mean = 8, .deviation = 6, .count = 2}};
    struct shoal_result result = {0};
    open_trace();
    problem.sign = -1; /* a maximum: values of f are shown */
    assert_ok(take(0, best, spread));
    assert_true(last.value == 2.5 && last.q05 < last.q95);
    assert_near(field(&result, "trace_mean")->reals[0], -6, 1e-12);
    assert_near(field(&result, "trace_deviation")->reals[0], 3, 1e-12);
    search_trace_clear(&trace);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    const double best[RUNS] = {0};
    const size_t most = SEARCH_TRACE_MOST, count = 2 * most + 4;
    open_trace();
    for (size_t i = 0; i < count; i++) {
        assert_true(search_trace_wait(&problem, i * INTERVAL) == INTERVAL);
        assert_ok(take(i * INTERVAL, best, NULL));
    }
    assert_int_equal(given, count);
    /* Every second one went twice. */
    assert_true(trace.interval == 4 * INTERVAL && trace.count == most / 2 + 1 && trace.room <= most);
    for (size_t i = 0; i < trace.count; i++)
        assert_true(trace.samples[i].step == i * trace.interval);
    search_trace_clear(&trace);
    params.trace = 0;
    assert_true(search_trace_wait(&problem, 7) == UINT64_MAX);
}

/* The values of the runs as they are. */
static bool old_trace(const void *data, const void *entry, size_t bytes, uint64_t step, size_t run,
                      double *least)
{
    (void)data;
    (void)step;
    memcpy(least, (const double *)entry + run, sizeof *least);
    return bytes == RUNS * sizeof *least;
}

static enum shoal_status load(struct search_trace *again, uint64_t step, const struct checkpoint *checkpoint)
{
    *again = (struct search_trace){0};
    return search_trace_load(&problem, again, step, old_trace, NULL, checkpoint, &test_error);
}

static void checkpoints_hold_them(void **state)
{
    (void)state;
    const double best[RUNS] = {3, 1, 2, 4};
    struct checkpoint checkpoint = {0}, old = {0};
    struct search_trace again;
    open_trace();
    for (uint64_t step = 0; step <= 30; step += INTERVAL)
        assert_ok(take(step, best, NULL));
    search_trace_save(&trace, &checkpoint);
    assert_ok(load(&again, 35, &checkpoint));
    assert_true(again.count == 4 && again.interval == INTERVAL && again.next == 36);
    assert_memory_equal(again.samples, trace.samples, 4 * sizeof *trace.samples);
    search_trace_clear(&again);
    /* Samples behind the step, of another interval, out of order. */
    assert_status(load(&again, 29, &checkpoint), SHOAL_IO);
    search_trace_clear(&again);
    trace.interval = 3 * INTERVAL;
    assert_status(load(&again, 35, &checkpoint), SHOAL_IO);
    search_trace_clear(&again);
    trace.interval = INTERVAL;
    trace.samples[1].step = 20;
    assert_status(load(&again, 35, &checkpoint), SHOAL_IO);
    search_trace_clear(&again);
    /* Those of earlier versions: without a trace, with one, and with another number of runs. */
    assert_ok(load(&again, 35, &old));
    assert_true(again.count == 0 && again.next == 36);
    const double recorded[2][RUNS] = {{4, 3, 2, 1}, {1, 1, 2, 2}};
    checkpoint_add(&old, "trace", recorded, sizeof recorded);
    assert_ok(load(&again, 15, &old));
    assert_true(again.count == 2 && again.interval == INTERVAL && again.next == 16);
    assert_true(again.samples[0].value == 2.5 && again.samples[1].value == 1.5 &&
                again.samples[1].step == 10);
    search_trace_clear(&again);
    assert_status(load(&again, 5, &old), SHOAL_IO);
    search_trace_clear(&again);
    checkpoint_clear(&old);
    checkpoint_clear(&checkpoint);
    search_trace_clear(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(quantiles_over_the_runs), UNIT_TEST(means_over_the_runs),
                                       UNIT_TEST(memory_is_bounded), UNIT_TEST(checkpoints_hold_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
