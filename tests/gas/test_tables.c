/* Tables of a gas: sums of a device against those of the host, tables against what is known of single states,
 * and the blocks and wave vectors that they are made of. Averages of long runs: test_averages.c. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Devices --------------------------------------------------------------------------------------------- */

/* The same sums since the time origin of step 0. */
static void compare_origins(struct shoal_solver *device, struct shoal_solver *host, double rounding)
{
    const struct gas_origins *is = &gas_common_of(device)->tables.origins,
                             *should = &gas_common_of(host)->tables.origins;
    for (size_t row = 0; row <= 2; row++)
        for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
            const double products = should->products[0][g];
            assert_int_equal(is->count[row], 1);
            assert_near(is->products[row][g], should->products[row][g], rounding * products);
            assert_near(is->squares[row][g], should->squares[row][g],
                        rounding * fmax(should->squares[row][g], 1e-3 * products));
        }
}

/* The same sums of the same state. In a lattice it depends on rounding which neighbours are the nearest.
 * rounding: relative to the root of the sum of squares of a table. */
static void compare(struct shoal_solver *device, struct shoal_solver *host, bool is_lattice, double rounding)
{
    const struct gas_tables *is = &gas_common_of(device)->tables, *should = &gas_common_of(host)->tables;
    const struct gas_problem *problem = gas_common_of(host)->problem;
    for (int kind = 0; kind < GAS_TABLES; kind++) {
        const size_t cells = gas_table_cells(problem, &should->waves, (enum shoal_gas_table_kind)kind);
        double size = 0;
        for (size_t c = 0; c < cells; c++)
            size += should->sums[kind][c] * should->sums[kind][c];
        for (size_t c = 0; c < cells && !(is_lattice && (kind == SHOAL_GAS_HEXATIC || kind == SHOAL_GAS_G6));
             c++)
            assert_near(is->sums[kind][c], should->sums[kind][c], rounding * sqrt(size));
        for (size_t slice = 0; kind == SHOAL_GAS_PROFILES && slice < gas_slices(problem); slice++)
            assert_true(is->sums[kind][slice * PROFILE_SUMS] == should->sums[kind][slice * PROFILE_SUMS]);
    }
}

static double trace_of(const struct gas_common *common)
{
    double tensor[STRESS_PARTS], sum = 0;
    gas_tensor(common->problem, common->tables.sums[SHOAL_GAS_TENSOR], tensor);
    for (size_t k = 0; k < common->problem->dim; k++)
        sum += tensor[k];
    return sum / (double)common->problem->dim;
}

/* Any two of dimension, precision and boundary; between walls two species; sizes with one cell, and with
 * many. */
static void test_device(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {37, 1025, 0}, tiny[] = {37, 0};
    const int32_t *precisions = gas_run_precisions();
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_OPEN; boundary++)
            for (const uint64_t *n = harness.tiny ? tiny : sizes; *n; n++) {
                const int32_t precision = precisions[1] < 0 ? 0 : precisions[(dim + (uint64_t)boundary) % 3];
                if (!harness_takes_case())
                    continue;
                struct shoal_gas_params params = gas_run_tables(*n, dim, precision);
                test_label("%d particles, dim %d, precision %d, boundary %d", (int)*n, (int)dim,
                           (int)precision, (int)boundary);
                params.boundary_y = boundary;
                params.field_x = boundary == SHOAL_GAS_WALLS ? 0.3 : 0;
                params.species =
                    boundary == SHOAL_GAS_WALLS ? "A=0.6:mass=2.5,B=0.4:sigma=0.9:epsilon=0.7" : NULL;
                params.structure_bins = boundary == SHOAL_GAS_PERIODIC ? 7 : 0;
                params.vacf = true;
                params.hexatic_range = dim == 2 ? (*n < 40 ? 2 : 1.8) : 0;
                params.g6_bins = dim == 2 ? 6 : 0;
                params.g6_range = dim == 2 && *n < 40 ? 4 : NAN;
                params.cutoff = *n < 40 ? 2 : 2.5;
                if (boundary == SHOAL_GAS_OPEN) { /* no cutoff: all pairs, softened */
                    params.boundary_x = SHOAL_GAS_OPEN;
                    params.boundary_z = dim == 3 ? SHOAL_GAS_OPEN : SHOAL_GAS_PERIODIC;
                    params.potential = SHOAL_GAS_LOG;
                    params.cutoff = NAN;
                    params.profile_axis = SHOAL_GAS_X;
                }
                struct shoal_solver *device = gas_run_open(&params, false),
                                    *host = gas_run_open(&params, true);
                run_steps(device, 0);
                run_steps(host, 0);
                compare(device, host, true, precision == SHOAL_GAS_DOUBLE ? 1e-12 : 3e-6);
                run_steps(device, 4);
                run_steps(host, 4);
                compare(device, host, false, precision == SHOAL_GAS_DOUBLE ? 1e-9 : 1e-4);
                assert_near(trace_of(gas_common_of(host)), gas_common_of(host)->clock.last.pressure, 1e-9);
                compare_origins(device, host, precision == SHOAL_GAS_DOUBLE ? 1e-9 : 1e-3);
                shoal_solver_destroy(&device);
                shoal_solver_destroy(&host);
            }
}

/* The mean of the diagonal is the pressure; the slices together are the box; a run with lists, whose order of
 * particles changes, has the bits of its tables again, also if it is saved and resumed. */
static void test_run(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        if (!harness_takes_case() || (on_host && harness.tiny))
            continue;
        struct shoal_gas_params params = gas_run_tables(harness.tiny ? 37 : 400, 2, SHOAL_GAS_SINGLE);
        double kept[3][1024] = {{0}};
        params.structure_bins = 4;
        params.vacf = true;
        params.hexatic_range = 2;
        params.cluster_distance = 1.2;
        params.g6_bins = 5;
        params.g6_range = 3;
        params.cutoff = 2;
        params.method = SHOAL_GAS_LIST;
        for (int run = 0; run < 3; run++) {
            struct shoal_solver *solver = gas_run_open(&params, on_host);
            const struct gas_common *common = gas_common_of(solver);
            struct shoal_gas_table table = {.size = sizeof table};
            test_label("on host %d, run %d", on_host, run);
            run_steps(solver, harness.tiny ? 2 : 30);
            if (run == 2) {
                assert_ok(shoal_solver_save(solver, test_path("tables"), &test_error));
                shoal_solver_destroy(&solver);
                solver = gas_run_open(&params, on_host);
                assert_ok(shoal_solver_load(solver, test_path("tables"), &test_error));
                common = gas_common_of(solver);
            }
            run_steps(solver, 2);
            assert_near(trace_of(common), common->clock.last.pressure, 1e-5);
            size_t at = 0;
            for (int kind = 0; kind < GAS_TABLES; kind++) {
                assert_ok(shoal_gas_get_table(solver, (enum shoal_gas_table_kind)kind, &table, &test_error));
                assert_int_equal(table.samples, common->clock.samples);
                assert_true(table.rows > 0 && table.columns > 2);
                for (size_t c = 0; c < table.columns; c++)
                    for (size_t row = 0; row < table.rows && at < 1024; row++)
                        kept[run][at++] = table.column[c][row];
            }
            assert_memory_equal(kept[run], kept[0], sizeof *kept);
            shoal_solver_destroy(&solver);
        }
    }
}

/* What is known ---------------------------------------------------------------------------------------- */

/* S(k) of a square lattice is n at its own vectors, and 0 elsewhere. */
static void test_structure(void **state)
{
    (void)state;
    if (harness.tiny || !harness_takes_case())
        return;
    struct shoal_gas_params params = gas_run_tables(400, 2, SHOAL_GAS_SINGLE);
    params.epsilon = 0;
    params.density = 1;
    params.structure_bins = 12;
    params.structure_range = 9;
    params.pressure_tensor = params.profile_all = false;
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 0);
    const struct gas_tables *tables = &gas_common_of(solver)->tables;
    size_t peaks = 0;
    for (size_t i = 0; i < tables->waves.count; i++) {
        const bool is_peak = tables->waves.waves[i][0] % 20 == 0 && tables->waves.waves[i][1] % 20 == 0;
        assert_near(tables->sums[SHOAL_GAS_STRUCTURE][i] / 400, is_peak ? 400 : 0, 1e-9);
        peaks += is_peak;
    }
    assert_true(peaks > 0);
    shoal_solver_destroy(&solver);
}

/* In a triangular lattice of spacing 1.1 all pairs have the correlation 1; there are three pairs of nearest
 * neighbours for each particle, and none between the shells. */
static void check_lattice(struct shoal_solver *solver)
{
    const struct shoal_gas_table table = gas_run_table(solver, SHOAL_GAS_G6);
    const double *r = gas_run_column(&table, "r"), *g6 = gas_run_column(&table, "g6"),
                 *pairs = gas_run_column(&table, "pairs");
    double nearest = 0;
    assert_int_equal(table.rows, 50);
    for (size_t bin = 0; bin < table.rows; bin++) {
        assert_near(r[bin], 0.1 * (double)bin + 0.05, 1e-12);
        nearest += r[bin] < 1.3 ? pairs[bin] : 0;
        if (pairs[bin] > 0)
            assert_near(g6[bin], 1, 1e-5);
        else
            assert_true(isnan(g6[bin]));
    }
    assert_true(pairs[14] == 0 && nearest == 3 * 144);
}

/* A triangular lattice has the order 1 everywhere; particles at random places have about none, together. */
static void test_hexatic(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    for (int on_host = 0; on_host < 2; on_host++) {
        if (harness.tiny || !harness_takes_case())
            continue;
        struct shoal_gas_params params = gas_run_tables(0, 2, SHOAL_GAS_SINGLE);
        double position[SIDE * SIDE * 2], velocity[SIDE * SIDE * 2] = {0};
        for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
            position[2 * i] = 1.1 * ((double)(i % SIDE) + 0.5 * (double)(i / SIDE % 2));
            position[2 * i + 1] = 1.1 * sqrt(0.75) * (double)(i / SIDE);
        }
        params.pressure_tensor = params.profile_all = false;
        params.profile_axis = SHOAL_GAS_NO_AXIS;
        params.profile_bins = 0;
        params.hexatic_range = 2.1;
        params.g6_bins = 50;
        params.g6_range = 5;
        gas_run_start(&params, position, velocity, (size_t)SIDE * SIDE, 1.1 * SIDE, 1.1 * sqrt(0.75) * SIDE);
        struct shoal_solver *solver = gas_run_open(&params, on_host);
        run_steps(solver, 0);
        struct shoal_gas_table table = gas_run_table(solver, SHOAL_GAS_HEXATIC);
        assert_near(*gas_run_column(&table, "hexatic_local"), 1, 1e-5);
        assert_near(*gas_run_column(&table, "hexatic_global"), 1, 1e-5);
        check_lattice(solver);
        shoal_solver_destroy(&solver);
        params.start_file = NULL;
        params.start = SHOAL_GAS_RANDOM;
        params.particles = 1000;
        params.density = 0.3;
        params.start_distance = params.epsilon = 0;
        solver = gas_run_open(&params, on_host);
        run_steps(solver, 0);
        table = gas_run_table(solver, SHOAL_GAS_HEXATIC);
        assert_near(*gas_run_column(&table, "hexatic_local"), 0.4, 0.15);
        assert_at_most(*gas_run_column(&table, "hexatic_global"), 0.1);
        /* Pairs that share no neighbours: about 9000 in the 11 bins from 3.9 to 5, each near 0.4^2. */
        table = gas_run_table(solver, SHOAL_GAS_G6);
        double sum = 0, pairs = 0;
        for (size_t bin = 39; bin < 50; bin++) {
            pairs += gas_run_column(&table, "pairs")[bin];
            sum += gas_run_column(&table, "pairs")[bin] * gas_run_column(&table, "g6")[bin];
        }
        assert_near(pairs, 0.5 * 1000 * 0.3 * acos(-1) * (25 - 3.9 * 3.9), 300);
        assert_at_most(fabs(sum / pairs), 0.03);
        shoal_solver_destroy(&solver);
    }
}

/* Sums of the clusters of particles at these positions: each particle takes the lowest number of its
 * neighbours, until no number changes. */
static void sum_clusters(const struct gas_problem *problem, const double *position, double *sums)
{
    const size_t n = problem->n, dim = problem->dim;
    uint32_t *lowest = harness_memory(n * sizeof *lowest);
    memset(sums, 0, (CLUSTER_SIZES + 2 * gas_cluster_bins(n)) * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        lowest[i] = (uint32_t)i;
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double square = 0;
                for (size_t k = 0; k < dim && lowest[j] < lowest[i]; k++)
                    square += pow(gas_image(problem, k, position[i * dim + k] - position[j * dim + k]), 2);
                if (lowest[j] < lowest[i] && sqrt(square) < problem->params->cluster_distance) {
                    lowest[i] = lowest[j];
                    changes = true;
                }
            }
    }
    for (size_t i = 0; i < n; i++) {
        size_t size = 0;
        for (size_t j = 0; j < n && lowest[i] == i; j++)
            size += lowest[j] == i;
        if (size == 0)
            continue;
        /* size 1 to 8; then the doubling above 8 2^d, in quarters */
        size_t bin = size - 1, d = 0;
        while (size > (size_t)16 << d)
            d++;
        if (size > 8)
            bin = 8 + 4 * d + (size - 1 - ((size_t)8 << d)) / ((size_t)2 << d);
        sums[CLUSTER_LARGEST] = fmax(sums[CLUSTER_LARGEST], (double)size);
        sums[CLUSTER_SQUARES] += (double)(size * size);
        sums[CLUSTER_COUNT]++;
        sums[CLUSTER_SIZES + 2 * bin]++;
        sums[CLUSTER_SIZES + 2 * bin + 1] += (double)size;
    }
    gas_clusters_find(problem, sums);
}

/* Particles at random places, near the density at which one cluster spans the box, on the host and on the
 * device. Counts are the same; single precision rounds the squares of the sizes. */
static void test_clusters(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 37, 600, 0}, tiny[] = {37, 0};
    const int32_t *precisions = gas_run_precisions();
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_OPEN; boundary++)
            for (const uint64_t *n = harness.tiny ? tiny : sizes; *n; n++) {
                const int32_t precision = precisions[1] < 0 ? 0 : precisions[(dim + (uint64_t)boundary) % 3];
                double should[CLUSTER_SIZES + 2 * CLUSTER_BINS];
                struct shoal_gas_params params = gas_run_tables(*n, dim, precision);
                if ((*n == 1 && boundary != SHOAL_GAS_PERIODIC) || !harness_takes_case())
                    continue;
                test_label("%d particles, dim %d, precision %d, boundary %d", (int)*n, (int)dim,
                           (int)precision, (int)boundary);
                params.pressure_tensor = params.profile_all = false;
                params.profile_axis = SHOAL_GAS_NO_AXIS;
                params.profile_bins = 0;
                params.boundary_y = boundary;
                params.epsilon = params.start_distance = 0;
                params.start = SHOAL_GAS_RANDOM;
                params.cutoff = 0.5;
                params.cluster_distance = *n == 1 ? 0.7 : dim == 2 ? 1.9 : 1.2;
                for (int on_host = 0; on_host < 2; on_host++) {
                    struct shoal_solver *solver = gas_run_open(&params, on_host);
                    run_steps(solver, 0);
                    const struct gas_common *common = gas_common_of(solver);
                    const double *sums = common->tables.sums[SHOAL_GAS_CLUSTERS];
                    sum_clusters(common->problem, frame_of(solver).position, should);
                    assert_near(sums[CLUSTER_SQUARES], should[CLUSTER_SQUARES],
                                1e-6 * should[CLUSTER_SQUARES]);
                    assert_true(*n < 100 || should[CLUSTER_LARGEST] * (double)*n > 20);
                    for (size_t at = 0; at < CLUSTER_SIZES + 2 * gas_cluster_bins(*n); at++)
                        assert_true(at == CLUSTER_SQUARES || sums[at] == should[at]);
                    shoal_solver_destroy(&solver);
                }
            }
}

/* The parts -------------------------------------------------------------------------------------------- */

/* Means and errors of independent numbers, before and after blocks are joined. */
static void test_blocks(void **state)
{
    (void)state;
    for (size_t count = 1; count < 3000; count = count * 5 / 2 + 1) {
        struct gas_blocks blocks = {0};
        double sum = 0, weights = 0, fractions[2 * 3000], error, ratio_error;
        gas_box_fractions(fractions, 2 * count, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            const double values[2] = {fractions[2 * i], 1 + fractions[2 * i + 1]};
            sum += values[0];
            weights += values[1];
            assert_ok(gas_blocks_add(&blocks, 2, values, &test_error));
        }
        test_label("%d samples", (int)count);
        assert_near(gas_blocks_mean(&blocks, 0, GAS_ONE, &error), sum / (double)count, 1e-12);
        assert_near(gas_blocks_mean(&blocks, 0, 1, &ratio_error), sum / weights, 1e-12);
        const double exact = sqrt(1 / (12 * (double)count));
        if (count < 2)
            assert_true(isnan(error) && isnan(ratio_error));
        else if (count > 20) { /* of 16 to 32 blocks: the error of the error is a fifth */
            assert_near(error, exact, 0.7 * exact);
            assert_near(ratio_error, exact * sqrt(1 + 1 / 9.) / 1.5, 0.7 * exact);
        }
        assert_true(isnan(gas_blocks_mean(&(struct gas_blocks){0}, 0, GAS_ONE, &error)) && isnan(error));
        gas_blocks_clear(&blocks);
    }
}

/* Vectors are within their bins, none is there twice or with its negative, and bins are full where there are
 * many. */
static void test_waves(void **state)
{
    (void)state;
    static const double lengths[][3] = {{10, 10, 10}, {200, 3, 7}, {1000, 900, 800}};
    for (size_t dim = 2; dim <= 3; dim++)
        for (size_t l = 0; l < 3; l++) {
            struct shoal_gas_params params = gas_run_tables(1, dim, SHOAL_GAS_SINGLE);
            struct gas_problem problem = {.params = &params, .dim = dim};
            struct gas_waves waves;
            params.structure_bins = 50;
            memcpy(problem.length, lengths[l], sizeof problem.length);
            assert_ok(gas_waves_create(&problem, &waves, &test_error));
            for (size_t i = 0; i < waves.count; i++) {
                double square = 0;
                for (size_t k = 0; k < dim; k++)
                    square += pow(2 * acos(-1) * waves.waves[i][k] / problem.length[k], 2);
                assert_int_equal((size_t)(sqrt(square) / 20 * 50), waves.bin[i]);
                for (size_t j = 0; j < i; j++) {
                    bool same = true, opposite = true;
                    for (size_t k = 0; k < dim; k++) {
                        same = same && waves.waves[i][k] == waves.waves[j][k];
                        opposite = opposite && waves.waves[i][k] == -waves.waves[j][k];
                    }
                    assert_false(same || opposite);
                }
            }
            if (l == 2)
                assert_int_equal(waves.count, 50 * GAS_WAVES);
            gas_waves_destroy(&waves);
        }
}

static void test_mistakes(void **state)
{
    (void)state;
    struct shoal_gas_params params = gas_run_tables(40, 2, SHOAL_GAS_SINGLE);
    struct shoal_gas_table table = {0};
    params.structure_bins = 4;
    params.structure_range = 1e-3;
    params.cutoff = 2;
    struct shoal_solver *solver = NULL;
    assert_int_equal(shoal_solver_create(shoal_workload_find("gas"), harness.device, harness.queue, &params,
                                         SHOAL_VARIANT_AUTO, &solver, &test_error),
                     SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "below the least wave number"));
    shoal_solver_destroy(&solver);
    params.structure_range = 1e9;
    assert_int_equal(shoal_solver_create(shoal_workload_find("gas"), harness.device, harness.queue, &params,
                                         SHOAL_VARIANT_AUTO, &solver, &test_error),
                     SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "waves in the box"));
    shoal_solver_destroy(&solver);
    params.structure_range = NAN;
    params.boundary_x = SHOAL_GAS_WALLS;
    assert_int_equal(shoal_workload_validate(harness.shoal, shoal_workload_find("gas"), &params, &test_error),
                     SHOAL_INVALID);
    params.boundary_x = SHOAL_GAS_PERIODIC;
    params.profile_axis = SHOAL_GAS_NO_AXIS;
    params.profile_bins = 0;
    assert_int_equal(shoal_workload_validate(harness.shoal, shoal_workload_find("gas"), &params, &test_error),
                     SHOAL_INVALID);
    params.profile_all = false;
    solver = gas_run_open(&params, true);
    assert_int_equal(shoal_gas_get_table(solver, (enum shoal_gas_table_kind)GAS_TABLES, &table, &test_error),
                     SHOAL_INVALID);
    assert_ok(shoal_gas_get_table(solver, SHOAL_GAS_PROFILES, &table, &test_error));
    assert_int_equal(table.rows, 0);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device),    by_turn(test_run),
        cmocka_unit_test(test_structure), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_waves),     cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_hexatic),   cmocka_unit_test(test_clusters),
    };
    return harness_main("gas-tables", tests, sizeof tests / sizeof *tests);
}
