/* The thesis on devices: the same tour as on the host, position by position, however it is laid over a
 * device. */
#include "harness.h"

#include <math.h>
#include <shoal/theses.h>
#include <stdio.h>
#include <string.h>

/* Of the parameters that params_of has made last. */
static struct shoal_tsp_thesis thesis;

static struct shoal_tsp_params params_of(const char *generate)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_THESIS;
    shoal_tsp_thesis_init(&thesis);
    params.thesis = &thesis;
    params.generate = generate;
    /* An optimiser for CPUs takes longest for the kernels, not for what they do. */
    thesis.micro_cycles = 3;
    thesis.macro_cycles = 2;
    return params;
}

/* All steps on the device and on the host. */
static void compare(const struct shoal_tsp_params *params)
{
    const struct shoal_workload *tsp = shoal_workload_find("tsp");
    const uint64_t steps = shoal_workload_total_steps(tsp, params);
    struct shoal_solver *device = harness_solver("tsp", harness.device, params);
    struct shoal_solver *host = harness_solver("tsp", test_host_device(harness.shoal), params);
    size_t count, host_count;
    int64_t length, host_length;
    for (uint64_t step = 0; step < steps; step++) {
        assert_int_equal(harness_step(device, 1), 1);
        assert_int_equal(harness_step(host, 1), 1);
        const double *got = harness_state(device, &count), *wanted = harness_state(host, &host_count);
        assert_int_equal(count, host_count);
        for (size_t i = 0; i < count; i++)
            if (got[i] != wanted[i])
                fail_msg("step %d: position %zu has city %.0f, not %.0f", (int)step + 1, i, got[i],
                         wanted[i]);
        assert_ok(shoal_tsp_best(device, NULL, 0, &length, &test_error));
        assert_ok(shoal_tsp_best(host, NULL, 0, &host_length, &test_error));
        assert_int_equal(length, host_length);
    }
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
    harness_release();
}

/* Sizes ------------------------------------------------------------------------------------------------ */

enum { KINDS = 4, MOST = 200 };
static const char *const kind_names[KINDS] = {"uniform", "duplicates", "line", "one place"};

static void test_sizes(void **state)
{
    (void)state;
    static const uint32_t full[] = {4, 5, 6, 7, 8, 9, 10, 95, 96, 97, 98, 191, 192, 193, 0},
                          tiny[] = {5, 9, 0};
    const uint32_t *sizes = harness.tiny ? tiny : full;
    double points[2 * MOST];
    for (size_t i = 0; sizes[i]; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            struct shoal_tsp_params params = params_of(NULL);
            uint32_t word = sizes[i];
            test_label("%u cities, %s", (unsigned)sizes[i], kind_names[kind]);
            for (uint32_t k = 0; k < 2 * sizes[i]; k++) {
                word = word * 1664525u + 1013904223u;
                const uint32_t draw = word >> 8;
                points[k] = kind == 0   ? draw % 1000
                            : kind == 1 ? draw % 6
                            : kind == 2 ? (k % 2 ? 5 : draw % 500)
                                        : 9;
            }
            params.points = points;
            params.count = sizes[i];
            params.metric = SHOAL_TSP_EUC_2D;
            if (harness.tiny)
                thesis.piece = 5;
            compare(&params);
        }
}

/* Layouts ---------------------------------------------------------------------------------------------- */

struct layout {
    int32_t memory, rewinding, choice, scan;
    uint64_t macro_squad, micro_squad, piece;
    double alpha, beta;
    bool one_by_one;
};

static void test_layouts(void **state)
{
    (void)state;
    static const struct layout layouts[] = {
        {SHOAL_TSP_MEMORY_TRIANGLE, .macro_squad = 32, .micro_squad = 4, .alpha = NAN, .beta = NAN},
        {SHOAL_TSP_MEMORY_LOCAL, .macro_squad = 7, .micro_squad = 3, .piece = 40, .alpha = NAN, .beta = NAN},
        {SHOAL_TSP_MEMORY_SKEWED, .macro_squad = 1, .micro_squad = 1, .piece = 33, .alpha = NAN, .beta = NAN},
        {SHOAL_TSP_MEMORY_GLOBAL, .macro_squad = 64, .micro_squad = 5, .alpha = NAN, .beta = NAN,
         .one_by_one = true},
        {SHOAL_TSP_MEMORY_GLOBAL, SHOAL_TSP_REWIND_LATE, .micro_squad = 4, .piece = 50, .alpha = NAN,
         .beta = NAN},
        {SHOAL_TSP_MEMORY_TRIANGLE, SHOAL_TSP_REWIND_LATE, .piece = 31, .alpha = 2, .beta = 1},
        {SHOAL_TSP_MEMORY_AUTO, .choice = SHOAL_TSP_PROBABILISTIC, .macro_squad = 8, .piece = 60,
         .alpha = NAN, .beta = NAN},
        {SHOAL_TSP_MEMORY_AUTO, .choice = SHOAL_TSP_PROBABILISTIC, .micro_squad = 2, .alpha = 0.5,
         .beta = 3.5},
        {SHOAL_TSP_MEMORY_AUTO, .scan = SHOAL_TSP_SCAN_ALL, .macro_squad = 16, .piece = 4, .alpha = NAN,
         .beta = NAN},
        {SHOAL_TSP_MEMORY_AUTO, .macro_squad = 3, .piece = 256, .alpha = 0.7, .beta = 2.5},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout *layout = &layouts[i];
        struct shoal_tsp_params params = params_of(harness.tiny ? "uniform:11:2" : "clustered:210:2");
        if (!harness_takes_case())
            continue;
        params.alpha = layout->alpha;
        params.beta = layout->beta;
        thesis.memory = layout->memory;
        thesis.rewinding = layout->rewinding;
        thesis.choice = layout->choice;
        thesis.scan = layout->scan;
        thesis.macro_squad = layout->macro_squad;
        thesis.micro_squad = layout->micro_squad;
        thesis.one_by_one = layout->one_by_one;
        thesis.piece = harness.tiny ? 6 : layout->piece ? layout->piece : 96;
        test_label("layout %zu", i);
        compare(&params);
    }
}

/* Kinds of problems ------------------------------------------------------------------------------------ */

/* A path, another way back, forbidden pairs, places that are no whole numbers. */
static void test_kinds(void **state)
{
    (void)state;
    enum { N = 30 };
    const uint32_t n = harness.tiny ? 7 : N;
    int32_t matrix[N * N];
    double points[2 * N];
    uint32_t word = 5;
    for (int kind = 0; kind < 4; kind++) {
        struct shoal_tsp_params params = params_of(NULL);
        if (!harness_takes_case())
            continue;
        test_label("kind %d", kind);
        for (uint32_t i = 0; i < n * n; i++) {
            word = word * 1664525u + 1013904223u;
            const uint32_t a = i / n, b = i % n;
            matrix[i] = kind == 2 && (a + b) % 5 == 0 && (a + 1) % n != b ? SHOAL_TSP_FORBIDDEN
                                                                          : (int32_t)(word >> 20);
            if (i < 2 * n)
                points[i] = (word >> 16) / 16.0;
        }
        params.count = n;
        if (kind == 1 || kind == 2)
            params.matrix = matrix;
        else
            params.points = points;
        params.path = kind == 0;
        params.start = kind == 0 ? "3" : NULL;
        params.metric = kind == 3 ? SHOAL_TSP_CEIL_2D : SHOAL_TSP_AUTO;
        thesis.piece = harness.tiny ? 5 : 17;
        compare(&params);
    }
}

/* Either level on the host beside the device. */
static void test_two_devices(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of(harness.tiny ? "uniform:9:4" : "uniform:150:4");
    const struct shoal_workload *tsp = shoal_workload_find("tsp");
    struct shoal_device *const host = test_host_device(harness.shoal), *const own = harness.device;
    struct shoal_device *const devices[] = {host, host, own, own};
    const char *const micro[] = {NULL, harness.info->id, "host", harness.info->id};
    double values[4];
    if (!harness_takes_case())
        return;
    for (int turn = 0; turn < 4; turn++) {
        struct shoal_report report = {0};
        thesis.micro_device = micro[turn];
        assert_ok(shoal_run(tsp, devices[turn], &params, NULL, &report, &test_error));
        assert_true(report.result.check_passed);
        values[turn] = report.result.value;
        shoal_report_clear(&report);
        assert_true(values[turn] == values[0]);
    }
    struct shoal_report report = {0};
    thesis.micro_device = "opencl:77";
    assert_status(shoal_run(tsp, host, &params, NULL, &report, &test_error), SHOAL_NO_DEVICE);
}

static char *history_of(const struct shoal_tsp_params *params, struct shoal_device *device, size_t *size)
{
    struct shoal_report report = {0};
    assert_ok(shoal_run(shoal_workload_find("tsp"), device, params, NULL, &report, &test_error));
    assert_ok(shoal_tsp_write_history(report.solver, test_path("history.xml"), &test_error));
    shoal_report_clear(&report);
    FILE *file = fopen(test_path("history.xml"), "r");
    assert_non_null(file);
    char *text = harness_memory(1 << 22);
    *size = fread(text, 1, 1 << 22, file);
    fclose(file);
    return text;
}

/* The tours of all cycles, byte for byte. */
static void test_history(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of(harness.tiny ? "uniform:11:3" : "uniform:110:3");
    size_t size, wanted_size;
    thesis.history = "wanted";
    thesis.piece = harness.tiny ? 6 : 40;
    if (!harness_takes_case())
        return;
    const char *wanted = history_of(&params, test_host_device(harness.shoal), &wanted_size);
    const char *got = history_of(&params, harness.device, &size);
    assert_int_equal(size, wanted_size);
    assert_memory_equal(got, wanted, size);
    assert_true(size > 1000);
    thesis.history = NULL;
    struct shoal_report report = {0};
    assert_ok(shoal_run(shoal_workload_find("tsp"), harness.device, &params, NULL, &report, &test_error));
    assert_status(shoal_tsp_write_history(report.solver, test_path("none.xml"), &test_error), SHOAL_INVALID);
    shoal_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),       cmocka_unit_test(test_layouts), by_turn(test_kinds),
        cmocka_unit_test(test_two_devices), cmocka_unit_test(test_history),
    };
    return harness_main("tsp-thesis-device", tests, sizeof tests / sizeof *tests);
}
