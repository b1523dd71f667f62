/* Replicas on every device under test: the steps of the host, the same bits alone and together, known states.
 */
#include "fixture.h"
#include "harness.h"

#include "gas/replicas/replicas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_NUMBERS = 2 * 3 * 600 };

/* Positions and velocities of a replica. */
struct replica_state {
    size_t particles, dim;
    double position[MOST_NUMBERS / 2], velocity[MOST_NUMBERS / 2];
};

static struct shoal_gas_replicas *open_on(bool on_host, const struct shoal_gas_replicas_params *params)
{
    struct shoal_gas_replicas *replicas = NULL;
    struct shoal_gas_replicas_params own = *params;
    own.variant = harness.variant;
    assert_ok(shoal_gas_replicas_create(on_host ? test_host_device(harness.shoal) : harness.device,
                                        on_host ? NULL : harness.queue, &own, &replicas, &test_error));
    return replicas;
}

static void step(struct shoal_gas_replicas *replicas, uint64_t steps)
{
    uint64_t done;
    assert_ok(shoal_gas_replicas_step(replicas, steps, &done, &test_error));
    assert_int_equal(done, steps);
}

static struct shoal_gas_replica row_of(struct shoal_gas_replicas *replicas, size_t index)
{
    struct shoal_gas_replica row = {.size = sizeof row};
    assert_ok(shoal_gas_replicas_get(replicas, index, &row, &test_error));
    return row;
}

static void look(struct shoal_gas_replicas *replicas, size_t index, const struct shoal_gas_params *params,
                 struct replica_state *state)
{
    memset(state, 0, sizeof *state);
    state->particles = (size_t)params->particles;
    state->dim = (size_t)params->dim;
    assert_true(2 * state->particles * state->dim <= MOST_NUMBERS);
    assert_ok(shoal_gas_replicas_state(replicas, index, state->position, state->velocity, &test_error));
}

/* As gas_run_deviation, of positions in a box of length `length`. */
static double deviation(const struct replica_state *a, const struct replica_state *b, double length)
{
    const size_t dim = a->dim;
    double sum = 0, norm = 0, most = 0;
    for (size_t i = 0; i < a->particles; i++) {
        double square = 0;
        for (size_t at = i * dim; at < (i + 1) * dim; at++) {
            const double apart = remainder(a->position[at] - b->position[at], length),
                         faster = a->velocity[at] - b->velocity[at];
            square += apart * apart + faster * faster;
            norm += pow(b->position[at], 2) + pow(b->velocity[at], 2);
        }
        sum += square;
        most = fmax(most, square);
    }
    return sqrt((a->particles > 8 ? fmax(sum - most, 0) : sum) / norm);
}

static double tolerance_of(int32_t precision)
{
    return precision == SHOAL_GAS_DOUBLE ? 1e-11 : precision == SHOAL_GAS_MIXED ? 1e-5 : 2e-5;
}

static struct shoal_gas_params gas_params_of(uint64_t particles)
{
    return SHOAL_GAS_PARAMS(.particles = particles, .steps = 40, .thermo = 5, .cutoff = 2.2,
                            .thermostat = SHOAL_GAS_RESCALE, .relaxation = 0.1);
}

static struct shoal_gas_table rdf_of(struct shoal_gas_replicas *replicas, size_t index)
{
    struct shoal_gas_table table = {.size = sizeof table};
    assert_ok(shoal_gas_replicas_get_rdf(replicas, index, &table, &test_error));
    return table;
}

/* The same g(r) of a replica on the device and on the host, but for a few pairs at the border of a bin, which
 * add less than this. Errors are standard errors. */
static void check_rdf(struct shoal_gas_replicas *device, struct shoal_gas_replicas *host, size_t index)
{
    const struct shoal_gas_table found = rdf_of(device, index), wanted = rdf_of(host, index);
    const double border = 0.4;
    double sum = 0;
    assert_int_equal(found.rows, wanted.rows);
    assert_int_equal(found.columns, wanted.columns);
    assert_int_equal(found.samples, wanted.samples);
    for (size_t c = 0; c < found.columns; c++) {
        assert_string_equal(found.names[c], wanted.names[c]);
        for (size_t row = 0; row < found.rows; row++)
            if (isfinite(wanted.column[c][row])) /* an error of one block is not known */
                assert_near(found.column[c][row], wanted.column[c][row], border);
    }
    for (size_t row = 0; row < found.rows; row++)
        sum += found.column[1][row];
    assert_true(sum > 0);
}

/* Three replicas on the device and on the host: states and means after some steps. */
static void check_against_host(const struct shoal_gas_params *gas, uint64_t steps)
{
    static struct replica_state found, wanted;
    const double temperature[] = {0.7, 1, 2}, density[] = {0.3, 0.2, 0.45},
                 tolerance = tolerance_of(gas->precision);
    const struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = gas, .count = 3, .temperature = temperature,
                                  .density = gas->width > 0 ? NULL : density);
    if (!harness_takes_case())
        return;
    struct shoal_gas_replicas *device = open_on(false, &params), *host = open_on(true, &params);
    assert_non_null(shoal_gas_replicas_program(device));
    assert_null(shoal_gas_replicas_program(host));
    step(device, steps);
    step(host, steps);
    for (size_t i = 0; i < 3; i++) {
        const struct shoal_gas_replica row = row_of(device, i), other = row_of(host, i);
        test_label("%d particles in %d dimensions, precision %d, thermostat %d, replica %d",
                   (int)gas->particles, (int)gas->dim, (int)gas->precision, (int)gas->thermostat, (int)i);
        look(device, i, gas, &found);
        look(host, i, gas, &wanted);
        const double length = pow((double)row.particles / row.density, 1 / (double)gas->dim);
        assert_at_most(deviation(&found, &wanted, length), tolerance);
        assert_null(row.failure);
        assert_int_equal(row.steps, steps);
        assert_int_equal(row.samples, other.samples);
        assert_near(row.density, other.density, 1e-12);
        assert_near(row.mean_temperature, other.mean_temperature, 10 * tolerance);
        assert_near(row.pressure, other.pressure, 10 * tolerance);
        assert_near(row.potential, other.potential, 10 * tolerance);
        if (steps == gas->steps + gas->equilibration)
            assert_at_most(row.energy_error, 10 * tolerance);
        if (gas->rdf_bins)
            check_rdf(device, host, i);
        assert_true(isnan(row.largest_cluster) == !(gas->cluster_distance > 0));
        if (gas->cluster_distance > 0) {
            assert_near(row.largest_cluster, other.largest_cluster, 0.03);
            assert_true(row.largest_cluster >= 1.0 / (double)row.particles && row.largest_cluster <= 1);
        }
    }
    shoal_gas_replicas_destroy(&device);
    shoal_gas_replicas_destroy(&host);
}

static void steps_are_those_of_the_host(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {37, 2, 64, 300}; /* programs have room for 64, 128, 256, 512 ... */
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (size_t i = 0; i < (harness.tiny ? 2 : sizeof sizes / sizeof *sizes); i++) {
            struct shoal_gas_params gas = gas_params_of(sizes[i]);
            gas.precision = *precision;
            if (sizes[i] < 30) /* a box of twice the cutoff */
                gas.width = gas.height = 6;
            check_against_host(&gas, harness.tiny ? 6 : 40);
        }
}

static void thermostats_and_dimensions(void **state)
{
    (void)state;
    struct shoal_gas_params gas = gas_params_of(harness.tiny ? 40 : 211);
    gas.thermostat = SHOAL_GAS_LANGEVIN;
    gas.relaxation = NAN;
    check_against_host(&gas, harness.tiny ? 4 : 40);
    gas.thermostat = SHOAL_GAS_NVE;
    gas.relaxation = 0.1;
    gas.equilibration = harness.tiny ? 2 : 7;
    check_against_host(&gas, harness.tiny ? 4 : 47);
    gas = gas_params_of(harness.tiny ? 64 : 500);
    gas.dim = 3;
    gas.cutoff = 1.6;
    check_against_host(&gas, harness.tiny ? 4 : 30);
}

/* Species that differ in all that they can, and samples that count by the lists and, beyond their range, by
 * all pairs. */
static void mixtures_and_tallies(void **state)
{
    (void)state;
    struct shoal_gas_params gas = gas_params_of(harness.tiny ? 37 : 64);
    gas.species = "A=0.5,B=0.3:mass=0.5:sigma=0.8:epsilon=0.6,C=0.2:mass=3";
    gas.species_pairs = "A-B:epsilon=1.5:cutoff=1.7";
    gas.rdf_bins = 7;
    gas.cluster_distance = 1.3;
    check_against_host(&gas, harness.tiny ? 6 : 20);
    gas.precision = harness_has_fp64() ? SHOAL_GAS_DOUBLE : SHOAL_GAS_SINGLE;
    gas.species = "A=0.5,B=0.5:mass=2";
    gas.species_pairs = NULL;
    gas.thermostat = SHOAL_GAS_LANGEVIN;
    gas.relaxation = NAN;
    gas.cutoff = 1.5;
    gas.rdf_range = gas.cluster_distance = 2.3;
    gas.work_group = 4;
    check_against_host(&gas, harness.tiny ? 6 : 20);
}

/* Two equal species, and what samples count, change no bit of the motion. A fraction of the first species is
 * one of the particles. */
static void equal_species_are_one(void **state)
{
    (void)state;
    static struct replica_state states[2];
    const double fraction[] = {0.25, 0.7};
    struct shoal_gas_params gas = gas_params_of(40);
    gas.steps = harness.tiny ? 6 : 40;
    struct shoal_gas_replicas_params params = SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 2);
    struct shoal_gas_replicas *plain = open_on(false, &params);
    gas.species = "A=0.5,B=0.1,C=0.4";
    gas.rdf_bins = 5;
    gas.cluster_distance = 1.5;
    params.fraction = fraction;
    struct shoal_gas_replicas *mixed = open_on(false, &params);
    step(plain, gas.steps);
    step(mixed, gas.steps);
    for (size_t i = 0; i < 2; i++) {
        const struct shoal_gas_replica row = row_of(plain, i), other = row_of(mixed, i);
        look(plain, i, &gas, &states[0]);
        look(mixed, i, &gas, &states[1]);
        assert_memory_equal(&states[0], &states[1], sizeof states[0]);
        assert_true(row.potential == other.potential && row.pressure == other.pressure);
        assert_true(isnan(row.fraction) && other.fraction == fraction[i]);
        assert_int_equal(rdf_of(plain, i).rows, 0);
        assert_int_equal(rdf_of(mixed, i).columns, 3 + 2 * 6);
        assert_string_equal(rdf_of(mixed, i).names[14], "g_C_C_error");
    }
    shoal_gas_replicas_destroy(&plain);
    shoal_gas_replicas_destroy(&mixed);
}

/* Work-groups of several work-items, each with particles of its own; a CPU has one. */
static void work_groups(void **state)
{
    (void)state;
    for (uint64_t items = 1; items <= (harness.tiny ? 4 : 64); items *= harness.tiny ? 4 : 64) {
        struct shoal_gas_params gas = gas_params_of(harness.tiny ? 37 : 211);
        gas.work_group = items;
        check_against_host(&gas, harness.tiny ? 4 : 40);
    }
}

/* Gases that begin as droplets in a vapour: lists that were long enough for the mean density overflow. */
static void the_same_bits_alone_and_together(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    static struct replica_state together, alone;
    const double temperature[COUNT] = {0.5, 1.5, 0.7, 2, 0.9}, density[COUNT] = {0.02, 0.05, 0.03, 0.1, 0.2};
    const uint64_t seed[COUNT] = {7, 8, 9, 10, 11};
    struct shoal_gas_params gas = gas_params_of(harness.tiny ? 40 : 300);
    gas.steps = harness.tiny ? 6 : 150;
    gas.start = SHOAL_GAS_DROPLET;
    gas.relaxation = 0.16; /* a rescaling after each third step */
    gas.rdf_bins = 9;
    gas.cluster_distance = 1.5;
    if (harness.tiny)
        gas.work_group = 4;
    struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = COUNT, .temperature = temperature, .density = density,
                                  .seed = seed);
    struct shoal_gas_replicas *all = open_on(false, &params);
    /* the first launch, which is repeated because of the lists, has fewer rescalings than the five steps
     * behind it */
    step(all, 5);
    step(all, gas.steps - 5);
    for (size_t i = 0; i < COUNT; i += 2) {
        struct shoal_gas_params one_gas = gas;
        one_gas.temperature = temperature[i];
        one_gas.density = density[i];
        one_gas.seed = seed[i];
        const struct shoal_gas_replicas_params one = SHOAL_GAS_REPLICAS_PARAMS(.gas = &one_gas, .count = 1);
        struct shoal_gas_replicas *replicas = open_on(false, &one);
        for (uint64_t left = gas.steps, some = 1; left > 0;
             left -= some, some = 2 * some < left ? 2 * some : left)
            step(replicas, some);
        look(all, i, &gas, &together);
        look(replicas, 0, &gas, &alone);
        test_label("replica %d", (int)i);
        assert_memory_equal(&together, &alone, sizeof alone);
        const struct shoal_gas_replica a = row_of(all, i), b = row_of(replicas, 0);
        assert_int_equal(a.samples, b.samples);
        assert_int_equal(a.samples, gas.steps / gas.thermo + 1);
        assert_int_equal(a.rebuilds, b.rebuilds);
        assert_memory_equal(&a.mean_temperature, &b.mean_temperature,
                            sizeof a - offsetof(struct shoal_gas_replica, mean_temperature));
        const struct shoal_gas_table all_rdf = rdf_of(all, i), one_rdf = rdf_of(replicas, 0);
        assert_int_equal(all_rdf.samples, one_rdf.samples);
        for (size_t c = 0; c < all_rdf.columns; c++)
            assert_memory_equal(all_rdf.column[c], one_rdf.column[c], all_rdf.rows * sizeof(double));
        shoal_gas_replicas_destroy(&replicas);
    }
    shoal_gas_replicas_destroy(&all);
}

/* Rescalings between the samples use the forces of their sums, those at samples do not. */
static void samples_change_nothing(void **state)
{
    (void)state;
    static struct replica_state sampled, other;
    for (int32_t precision = SHOAL_GAS_SINGLE; precision <= SHOAL_GAS_DOUBLE; precision++) {
        struct shoal_gas_params gas = gas_params_of(40);
        gas.precision = precision;
        if (precision == SHOAL_GAS_DOUBLE && !harness_has_fp64())
            continue;
        for (int turn = 0; turn < 2; turn++) {
            gas.thermo = turn ? 0 : 1;
            const struct shoal_gas_replicas_params params =
                SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 1);
            struct shoal_gas_replicas *replicas = open_on(false, &params);
            step(replicas, gas.steps);
            look(replicas, 0, &gas, turn ? &other : &sampled);
            shoal_gas_replicas_destroy(&replicas);
        }
        assert_memory_equal(&sampled, &other, sizeof other);
    }
}

static void one_explodes_and_the_others_continue(void **state)
{
    (void)state;
    const double temperature[] = {1, 3e5, 1.5};
    struct shoal_gas_params gas = gas_params_of(37);
    gas.thermostat = SHOAL_GAS_NVE;
    gas.relaxation = NAN;
    gas.density = 0.3;
    gas.steps = harness.tiny ? 6 : 40;
    const struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 3, .temperature = temperature);
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_replicas *replicas = open_on(on_host, &params);
        step(replicas, gas.steps);
        for (size_t i = 0; i < 3; i++) {
            const struct shoal_gas_replica row = row_of(replicas, i);
            if (i != 1) {
                assert_null(row.failure);
                assert_int_equal(row.steps, gas.steps);
                assert_true(isfinite(row.pressure));
            } else {
                assert_non_null(row.failure);
                assert_contains(row.failure, "the gas exploded at step ");
                assert_null(strstr(row.failure, "minimise")); /* replicas refuse it */
                assert_true(row.steps < gas.steps && isnan(row.pressure) && isnan(row.energy_error));
            }
        }
        shoal_gas_replicas_destroy(&replicas);
    }
}

static void refuse_replicas(const struct shoal_gas_replicas_params *params, const char *part)
{
    struct shoal_gas_replicas *replicas = NULL;
    assert_status(shoal_gas_replicas_create(harness.device, harness.queue, params, &replicas, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, part);
    assert_null(replicas);
}

static void wrong_parameters(void **state)
{
    (void)state;
    const double temperature[] = {1, -1}, density[] = {0.4, 3}, fraction[] = {0.5, 1.5};
    struct shoal_gas_params gas = gas_params_of(100);
    struct shoal_gas_replicas_params params = SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 2);
    struct shoal_gas_replicas *replicas = NULL;
    params.temperature = temperature;
    refuse_replicas(&params, "replica 1, temperature -1: ");
    params.temperature = NULL;
    params.density = density;
    refuse_replicas(&params, "replica 1, temperature 1, density 3: ");
    params.density = NULL;
    params.count = 0;
    refuse_replicas(&params, "count is 0; it must be 1 to 65536");
    params.count = 2;
    gas.boundary_x = SHOAL_GAS_WALLS;
    refuse_replicas(&params, "replicas have no --boundary-x");
    gas = gas_params_of(SHOAL_GAS_REPLICAS_PARTICLES + 1);
    refuse_replicas(&params, "2049 particles are too many for a replica");
    gas = gas_params_of(100);
    params.fraction = fraction;
    refuse_replicas(&params, "replica 0, temperature 1: a fraction of the first species needs --species");
    gas.species = "A=50,B=50";
    refuse_replicas(&params, "needs fractions in --species, above 0 for another one: B=0.5");
    gas.species = "A=1.0,B=0.0";
    refuse_replicas(&params, "needs fractions in --species, above 0 for another one: B=0.5");
    gas.species = "A=0.5,B=0.5";
    refuse_replicas(&params,
                    "replica 1, temperature 1: 1.5 is no fraction of the first species: give 0 to 1");
    params.fraction = NULL;
    gas.species = "A=0.5,B=0.4";
    refuse_replicas(&params, "--species: the fractions add up to 0.9, not to 1");
    gas = gas_params_of(100);
    gas.rdf_bins = 5;
    gas.rdf_range = 50;
    refuse_replicas(&params, "--rdf-range 50 is larger than half the periodic box");
    gas = gas_params_of(100);
    gas.speed_bins = 5;
    refuse_replicas(&params, "replicas have no --speed-bins or --profile-axis");
    gas = gas_params_of(100);
    gas.changeable = true;
    refuse_replicas(&params, "replicas have no --changeable");
    gas = gas_params_of(100);
    params.gas = NULL;
    refuse_replicas(&params, "params.gas is NULL");
    params.gas = &gas;
    assert_status(shoal_gas_replicas_create(harness.device, NULL, &params, &replicas, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "queue is NULL");
    replicas = open_on(true, &params);
    struct shoal_gas_replica row = {.size = sizeof row};
    assert_status(shoal_gas_replicas_get(replicas, 2, &row, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "index is 2, and there are 2 replicas");
    struct shoal_gas_table table = {.size = sizeof table};
    assert_status(shoal_gas_replicas_get_rdf(replicas, 2, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "shoal_gas_replicas_get_rdf: index is 2, and there are 2 replicas");
    assert_int_equal(rdf_of(replicas, 0).rows, 0);
    shoal_gas_replicas_destroy(&replicas);
    gas.rdf_bins = 200;
    gas.schedule = "";
    replicas = open_on(true, &params);
    assert_status(replicas_check_tallies(replica_problem(replicas->each), (size_t)1 << 32, &test_error),
                  SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, "lower their number or --rdf-bins");
    /* The blocks of so many replicas fit, but not their tables of g(r) as well. */
    enum { COUNT = 20000, BYTES = COUNT * GAS_BLOCKS * (200 + 1) * (int)sizeof(double) };
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit blocks = {.rlim_cur = BYTES, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &blocks), 0);
    const enum shoal_status status =
        replicas_check_tallies(replica_problem(replicas->each), COUNT, &test_error);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_status(status, SHOAL_OUT_OF_HOST_MEMORY);
    shoal_gas_replicas_destroy(&replicas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_host),
        cmocka_unit_test(thermostats_and_dimensions),
        cmocka_unit_test(mixtures_and_tallies),
        by_turn(equal_species_are_one),
        cmocka_unit_test(work_groups),
        cmocka_unit_test(the_same_bits_alone_and_together),
        cmocka_unit_test(samples_change_nothing),
        cmocka_unit_test(one_explodes_and_the_others_continue),
        cmocka_unit_test(wrong_parameters),
    };
    return harness_main("gas-replicas", tests, sizeof tests / sizeof *tests);
}
