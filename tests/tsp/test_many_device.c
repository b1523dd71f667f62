/* Many problems on a device in one call: the tours, steps and kicks of single runs, on the device and on the
 * host, for problems whose steps are made together and for others; a problem that fails among them; runs that
 * end after different steps, by their time and by the caller. */
#include "harness.h"

#include <shoal/rng.h>
#include <shoal/tsp.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 300 };
/* PLAIN: whole coordinates, which need 32 bits; LONG: more steps, and coordinates of 16 bits; FEW: an exact
 * tour; ONE: a list of one city; CELLS: several cells; BAD: no cities. Steps of PATH, MATRIX and CELLS are
 * made alone. */
enum {
    PLAIN,
    BAD,
    FIXED,
    FIXED_TOO,
    TWO,
    FEW,
    REPLICAS,
    LONG,
    SPACE,
    FRACTIONS,
    PATH,
    ONE,
    MATRIX,
    CELLS,
    TARGET,
    GREAT,
    LARGER,
    PROBLEMS
};

struct found {
    enum shoal_status status;
    double length, steps, kicks, bound; /* bound 0: none is known */
    uint32_t tour[MOST], cities;
};

struct batch {
    struct shoal_tsp_params params[PROBLEMS];
    double points[PROBLEMS][3 * MOST];
    int32_t matrix[MOST * MOST];
    struct found found[PROBLEMS];
    size_t count, most; /* calls so far, and at which call to end */
    char message[160];
};

static uint32_t cities_of(int kind)
{
    static const uint32_t cities[PROBLEMS] = {
        [PLAIN] = 100, [LONG] = 37,    [SPACE] = 33,  [FRACTIONS] = 21, [FIXED] = 12, [FIXED_TOO] = 19,
        [PATH] = 17,   [TWO] = 2,      [FEW] = 9,     [REPLICAS] = 29,  [ONE] = 26,   [MATRIX] = 14,
        [CELLS] = 30,  [TARGET] = 100, [GREAT] = 260, [LARGER] = 150};
    return harness.tiny && cities[kind] > 7 ? 7 : cities[kind];
}

/* A file with the coordinates of a problem, as the points of others, and two edges that stay. */
static const char *fixed_file(int kind, const double *points, uint32_t n)
{
    const char *name = test_path("fixed-%d.tsp", kind);
    char *path = strcpy(harness_memory(strlen(name) + 1), name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "DIMENSION: %u\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n", (unsigned)n);
    for (uint32_t i = 0; i < n; i++)
        fprintf(file, "%u %.0f %.0f\n", (unsigned)i + 1, points[2 * i], points[2 * i + 1]);
    fprintf(file, "FIXED_EDGES_SECTION\n1 5\n2 7\n-1\nEOF\n");
    assert_int_equal(fclose(file), 0);
    return path;
}

static void set(struct batch *batch, int kind)
{
    struct shoal_tsp_params *params = &batch->params[kind];
    const uint32_t n = cities_of(kind);
    shoal_tsp_params_init(params);
    params->algorithm = kind == FEW ? SHOAL_TSP_ALGORITHM_AUTO : SHOAL_TSP_LK;
    params->iterations = harness.tiny ? 1 : kind == LONG ? 9 : 3;
    params->seed = (uint64_t)kind;
    params->count = n;
    params->dim = kind == SPACE ? 3 : 2;
    params->metric = kind == SPACE ? SHOAL_TSP_EUC_3D : SHOAL_TSP_EUC_2D;
    for (uint32_t i = 0; i < params->dim * n; i++) {
        const uint32_t word = shoal_random_words(13, SHOAL_STREAM_TEST, 4, (uint32_t)kind, i).x;
        batch->points[kind][i] =
            kind == FRACTIONS ? word % 3000000 / 997.0 : word % (kind == LONG ? 1000 : 1000000);
    }
    params->points = batch->points[kind];
    params->replicas = kind == REPLICAS ? 2 : 0;
    params->bound =
        kind == PLAIN || kind == REPLICAS || kind == LONG || kind == SPACE; /* by several threads */
    params->candidates = kind == ONE ? 1 : 0;
    params->cell = kind == CELLS ? 8 : 0;
    params->start = kind == PATH ? "1" : NULL;
    params->end = kind == PATH ? "3" : NULL;
    if (kind == TARGET)
        params->target = 1e12; /* the first tour is short enough */
    const bool is_fixed = kind == FIXED || kind == FIXED_TOO;
    if (kind == BAD || is_fixed || kind == MATRIX) {
        params->points = NULL;
        params->count = kind == MATRIX ? n : 0;
    }
    if (kind == BAD)
        params->generate = "uniform:0:6";
    if (is_fixed)
        params->data = fixed_file(kind, batch->points[kind], n);
    if (kind != MATRIX)
        return;
    for (uint32_t i = 0; i < n * n; i++)
        batch->matrix[i] = (int32_t)(shoal_random_words(13, SHOAL_STREAM_TEST, 5, 0, i).x % 1000);
    params->metric = SHOAL_TSP_MATRIX;
    params->matrix = batch->matrix;
}

static struct batch *create_batch(void)
{
    struct batch *batch = harness_memory(sizeof *batch);
    *batch = (struct batch){.count = 0};
    for (int kind = 0; kind < PROBLEMS; kind++)
        set(batch, kind);
    return batch;
}

static void take(struct found *found, const struct shoal_report *report)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(shoal_tsp_problem_of(report->solver));
    int64_t length;
    found->length = report->result.value;
    found->steps = (double)report->result.steps;
    found->kicks = report->result.work;
    found->bound =
        shoal_result_find(&report->result, "bound") ? shoal_result_number(&report->result, "bound") : 0;
    found->cities = (uint32_t)info->cities;
    assert_true(report->result.check_passed);
    assert_ok(shoal_tsp_best(report->solver, found->tour, MOST, &length, &test_error));
}

static bool solved(void *data, const struct shoal_tsp_solved *given)
{
    struct batch *batch = data;
    assert_int_equal(given->index, batch->count);
    struct found *found = &batch->found[given->index];
    found->status = given->status;
    if (given->status)
        snprintf(batch->message, sizeof batch->message, "%s", given->message);
    else
        take(found, given->report);
    return ++batch->count != batch->most;
}

static void assert_alone(struct shoal_device *device, const struct batch *batch, int kind)
{
    static struct found alone;
    struct shoal_report report = {.size = sizeof report};
    const struct found *found = &batch->found[kind];
    test_label("kind %d on %s", kind, shoal_device_get_info(device)->id);
    assert_ok(
        shoal_run(shoal_workload_find("tsp"), device, &batch->params[kind], NULL, &report, &test_error));
    take(&alone, &report);
    shoal_report_clear(&report);
    assert_int_equal(found->cities, alone.cities);
    assert_true(found->length == alone.length && found->steps == alone.steps && found->kicks == alone.kicks);
    assert_true(found->bound == alone.bound && (found->bound > 0) == batch->params[kind].bound);
    assert_words(found->tour, alone.tour, alone.cities);
}

/* The simulator takes long: it gets the first kinds, in groups of eight, which PoCL would compile for
 * minutes. */
static size_t problems(void)
{
    return harness.tiny ? LONG : PROBLEMS;
}

static void run(struct batch *batch, bool (*stop)(void *data), enum shoal_status expected)
{
    assert_status(
        shoal_tsp_run_many(harness.device, batch->params, problems(), solved, stop, batch, &test_error),
        expected);
}

/* Does a device know the distances of a kind? The alone ones take a program each. */
static bool is_possible(int kind)
{
    return kind != FRACTIONS || harness.info->fp64;
}

static void test_runs_of_the_host(void **state)
{
    (void)state;
    if (!harness_takes_case())
        return;
    const int64_t group = 8;
    struct batch *batch = create_batch();
    if (harness.tiny)
        assert_ok(shoal_tuning_try(harness.device, "tsp.lk-search", "WG", &group, &test_error));
    run(batch, NULL, SHOAL_OK);
    assert_ok(shoal_tuning_try(harness.device, "tsp.lk-search", "WG", NULL, &test_error));
    assert_int_equal(batch->count, problems());
    for (int kind = 0; kind < (int)problems(); kind++) {
        if (!is_possible(kind)) {
            assert_int_equal(batch->found[kind].status, SHOAL_UNSUPPORTED);
            continue;
        }
        assert_int_equal(batch->found[kind].status, kind == BAD ? SHOAL_INVALID : SHOAL_OK);
        if (kind != BAD)
            assert_alone(test_host_device(harness.shoal), batch, kind);
    }
    if (!is_possible(FRACTIONS))
        return;
    assert_contains(batch->message, "uniform:0:6");
}

/* Each single run needs a program of its own, which PoCL compiles for a second. */
static void test_runs_of_the_device(void **state)
{
    (void)state;
    static const int kinds[] = {PLAIN, REPLICAS, FIXED};
    if (harness.tiny || !harness_takes_case())
        return;
    struct batch *batch = create_batch();
    run(batch, NULL, SHOAL_OK);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_alone(harness.device, batch, kinds[i]);
}

static bool always(void *data)
{
    (void)data;
    return true;
}

static bool after_some(void *data)
{
    const struct batch *batch = data;
    return batch->count >= 2;
}

static void test_ends(void **state)
{
    (void)state;
    if (harness.tiny || !harness_takes_case())
        return;
    struct batch *batch = create_batch();
    batch->most = 2;
    run(batch, NULL, SHOAL_STOPPED);
    assert_int_equal(batch->count, 2);
    batch->count = batch->most = 0;
    run(batch, always, SHOAL_STOPPED);
    assert_int_equal(batch->count, 0);
    run(batch, after_some, SHOAL_STOPPED);
    assert_int_equal(batch->count, 2);
}

/* Runs that only their time ends, and one without any time. */
static void test_time(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    if (harness.tiny || !harness_takes_case())
        return;
    struct batch *batch = create_batch();
    for (int i = 0; i < COUNT; i++) {
        batch->params[i] = batch->params[i ? LONG : PLAIN];
        batch->params[i].iterations = 0;
        batch->params[i].replicas = 1;
        batch->params[i].time = i ? 1 : 0;
    }
    assert_ok(shoal_tsp_run_many(harness.device, batch->params, COUNT, solved, NULL, batch, &test_error));
    assert_int_equal(batch->count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(batch->found[i].status, SHOAL_OK);
        assert_true((batch->found[i].steps > 0) == (i > 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_runs_of_the_host),
                                       cmocka_unit_test(test_runs_of_the_device), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_time)};
    return harness_main("tsp-many-device", tests, sizeof tests / sizeof *tests);
}
