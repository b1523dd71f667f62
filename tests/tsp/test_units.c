/* Runs of problems whose distances are the same but for the unit: every algorithm but that of the thesis
 * finds the same tours, on the host and on the device under test, also where cities are at no distance: the
 * ends of paths, cities at one place, zeros of a matrix. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { CITIES = 24, UNITS = 3, MATRICES = 60, MATRIX_CITIES = 8 };
static const int32_t units[UNITS] = {1, 1000, 1000000};

enum kind { SYMMETRIC, ASYMMETRIC, ZEROS, DOUBLED, KINDS };

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 8) * below) >> 24);
}

static void make_matrix(enum kind kind, uint32_t seed, int32_t n, int32_t *matrix)
{
    uint32_t state = seed;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            int32_t *distance = &matrix[i * n + j];
            *distance = i == j ? 0 : 1 + (int32_t)draw(&state, 1999);
            if (kind == ZEROS && i != j && draw(&state, 3) == 0)
                *distance = 0;
            if (kind != ASYMMETRIC && j < i)
                *distance = matrix[j * n + i];
        }
    /* Each second city is where the one before is. */
    for (int32_t i = 0; i < n && kind == DOUBLED; i++)
        for (int32_t j = 0; j < n; j++)
            matrix[i * n + j] = i / 2 == j / 2 ? 0 : matrix[i / 2 * 2 * n + j / 2 * 2];
}

static int64_t run(struct shoal_tsp_params *params, struct shoal_device *device, const int32_t *matrix,
                   int32_t unit, uint32_t *tour)
{
    const size_t n = params->count;
    struct shoal_report report = {0};
    int64_t length = -1;
    int32_t *scaled = malloc(n * n * sizeof *scaled);
    assert_non_null(scaled);
    for (size_t i = 0; i < n * n; i++)
        scaled[i] = matrix[i] * unit;
    params->matrix = scaled;
    assert_ok(shoal_run(shoal_workload_find("tsp"), device, params, NULL, &report, &test_error));
    assert_true(report.result.check_passed);
    assert_ok(shoal_tsp_best(report.solver, tour, n, &length, &test_error));
    assert_true(length % unit == 0);
    shoal_report_clear(&report);
    free(scaled);
    return length / unit;
}

struct variant {
    const char *name;
    int32_t algorithm;
    uint64_t local_search;
    int32_t pheromone;
};
static const struct variant variants[] = {
    {"faco", SHOAL_TSP_FACO, 0, 0},         {"as", SHOAL_TSP_AS, 0, 0},
    {"eas", SHOAL_TSP_EAS, 0, 0},           {"ras", SHOAL_TSP_RAS, 0, 0},
    {"mmas", SHOAL_TSP_MMAS, 0, 0},         {"bwas", SHOAL_TSP_BWAS, 0, 0},
    {"acs", SHOAL_TSP_ACS, 0, 0},           {"mmas, 2-opt", SHOAL_TSP_MMAS, 1, 0},
    {"acs, 3-opt", SHOAL_TSP_ACS, 3, 0},    {"as, full", SHOAL_TSP_AS, 0, SHOAL_TSP_ON_ALL},
    {"bwas, Or-opt", SHOAL_TSP_BWAS, 4, 0}, {"lk", SHOAL_TSP_LK, 0, 0},
};

static void test_units(void **state)
{
    (void)state;
    int32_t matrix[CITIES * CITIES];
    uint32_t tours[UNITS][CITIES];
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (enum kind kind = 0; kind < KINDS; kind++)
            for (int is_path = 0; is_path < 2; is_path++)
                for (int turn = 0; turn < 2; turn++) {
                    const bool is_lk = variants[v].algorithm == SHOAL_TSP_LK; /* runs on the host only */
                    struct shoal_device *device =
                        turn || is_lk ? test_host_device(harness.shoal) : harness.device;
                    struct shoal_tsp_params params;
                    if (!harness_takes_case_of(variants[v].name))
                        continue;
                    test_label("%s, kind %d, path %d, turn %d", variants[v].name, (int)kind, is_path, turn);
                    make_matrix(kind, 17 + (uint32_t)kind, CITIES, matrix);
                    shoal_tsp_params_init(&params);
                    params.count = CITIES;
                    params.path = is_path;
                    params.algorithm = variants[v].algorithm;
                    params.colony.local_search = variants[v].local_search;
                    params.colony.pheromone = variants[v].pheromone;
                    params.iterations = 30;
                    params.ants = is_lk ? 0 : 8;
                    for (int u = 0; u < UNITS; u++) {
                        run(&params, device, matrix, units[u], tours[u]);
                        assert_memory_equal(tours[u], tours[0], sizeof tours[0]);
                    }
                }
}

/* The shortest path of few cities from one of them: all orders, by the next city. */
static int64_t shortest(const int32_t *matrix, uint32_t here, uint32_t left)
{
    int64_t best = left ? INT64_MAX : 0;
    for (uint32_t next = 0; next < MATRIX_CITIES; next++)
        if (left >> next & 1) {
            const int64_t length =
                matrix[here * MATRIX_CITIES + next] + shortest(matrix, next, left & ~(1u << next));
            best = length < best ? length : best;
        }
    return best;
}

/* Small asymmetric matrices with a first city: the algorithm chosen by default finds the best path in each
 * unit. */
static void test_best_paths(void **state)
{
    (void)state;
    int32_t matrix[MATRIX_CITIES * MATRIX_CITIES];
    uint32_t tour[MATRIX_CITIES];
    for (uint32_t m = 0; m < MATRICES; m++) {
        struct shoal_tsp_params params;
        test_label("matrix %u", (unsigned)m);
        make_matrix(ASYMMETRIC, 1000 + m, MATRIX_CITIES, matrix);
        const int64_t wanted = shortest(matrix, 2, 0xfbu);
        shoal_tsp_params_init(&params);
        params.count = MATRIX_CITIES;
        params.start = "3";
        params.path = true;
        params.iterations = 100;
        for (int u = 0; u < UNITS; u++)
            assert_true(run(&params, test_host_device(harness.shoal), matrix, units[u], tour) == wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_best_paths),
    };
    return harness_main("tsp-units", tests, sizeof tests / sizeof *tests);
}
