/* What a device sees of its gas against sums in double over its own positions and velocities: energies,
 * pressure, momentum, histograms; and that looking changes nothing. */
#include "fixture.h"
#include "harness.h"

#include "gas/observe/sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct shoal_gas_params params_for(uint64_t particles, uint64_t dim, int32_t precision)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = particles;
    params.dim = dim;
    params.precision = precision;
    params.density = 0.3;
    params.width = NAN;
    params.dt = 0.004;
    params.steps = 1000000;
    params.method = SHOAL_GAS_ALLPAIRS;
    if (particles < 40) { /* the box must hold the cutoff twice */
        params.density = NAN;
        params.width = params.height = 11;
        params.depth = dim == 3 ? 12 : NAN;
    }
    return params;
}

static int32_t precisions(void)
{
    return harness_has_fp64() ? SHOAL_GAS_DOUBLE : SHOAL_GAS_SINGLE;
}

/* Sums ------------------------------------------------------------------------------------------------- */

static double sum(const double *values, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

static void compare_sums(struct shoal_solver *solver)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t n = problem->n, dim = problem->dim;
    const double mass = problem->params->mass;
    /* Terms of fp32; those of one sign add up to a relative error of at most this. */
    const double epsilon = problem->params->precision == SHOAL_GAS_DOUBLE ? 1e-13 : 2e-6;
    double *energy = calloc(n, sizeof *energy), *virial = calloc(n, sizeof *virial);
    double *acceleration = calloc(n * dim, sizeof *acceleration);
    double squares = 0, fastest = 0, momentum[GAS_MAX_DIM] = {0}, size = 0, pull = 0;
    struct shoal_gas_thermo thermo;
    assert_ok(shoal_gas_get_thermo(solver, &thermo, &test_error));
    const struct shoal_gas_frame frame = frame_of(solver);
    assert_ok(gas_forces(problem, frame.position, acceleration, energy, virial, &test_error));
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t k = 0; k < dim; k++) {
            const double v = frame.velocity[i * dim + k];
            square += v * v;
            momentum[k] += mass * v;
        }
        squares += square;
        fastest = fmax(fastest, square);
        size += fabs(energy[i]);
        pull += fabs(virial[i]);
    }
    const double outer = gas_external_energy(problem, frame.position, frame.image);
    const double kinetic = 0.5 * mass * squares, potential = sum(energy, n) + outer;
    const double pressure = (2 * kinetic + sum(virial, n)) / ((double)dim * problem->volume);
    assert_near(thermo.kinetic, kinetic, epsilon * kinetic);
    assert_near(thermo.potential, potential, 4 * epsilon * (size + fabs(outer) + 1e-3 * (double)n));
    assert_near(thermo.pressure, pressure, 16 * epsilon * (2 * kinetic + pull) / problem->volume);
    assert_near(thermo.max_speed, sqrt(fastest), epsilon * sqrt(fastest));
    for (size_t k = 0; k < dim; k++)
        assert_near(thermo.momentum[k], momentum[k], epsilon * mass * sqrt(squares * (double)n));
    assert_near(thermo.temperature, 2 * kinetic / problem->degrees, epsilon * thermo.temperature);
    assert_near(thermo.total, thermo.kinetic + thermo.potential, 0);
    free(energy);
    free(virial);
    free(acceleration);
}

static void test_sums(void **state)
{
    (void)state;
    static const uint64_t all[] = {1, 2, 37, 1025, 0}, tiny[] = {1, 3, 37, 0};
    /* Any two of dimension, precision and surroundings; sizes last: they have the same programs. */
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t precision = SHOAL_GAS_SINGLE; precision <= precisions(); precision++)
            for (const uint64_t *n = harness.tiny ? tiny : all; *n; n++) {
                const bool surrounded = (dim + (uint64_t)precision) % 2;
                if (!harness_takes_case())
                    continue;
                struct shoal_gas_params params = params_for(*n, dim, precision);
                test_label("%d particles, dim %d, precision %d, %s", (int)*n, (int)dim, (int)precision,
                           surrounded ? "walls and field" : "periodic");
                if (surrounded) {
                    params.boundary_x = SHOAL_GAS_WALLS;
                    params.boundary_y = SHOAL_GAS_OPEN;
                    params.wall_method = SHOAL_GAS_W5;
                    params.field_x = 0.3;
                    params.mass = 1.7;
                }
                struct shoal_solver *solver = gas_run_open(&params, false);
                compare_sums(solver);
                run_steps(solver, harness.tiny ? 2 : 40);
                compare_sums(solver);
                shoal_solver_destroy(&solver);
            }
}

/* Histograms ------------------------------------------------------------------------------------------- */

struct counted {
    uint64_t *pairs, *speeds, *places;
};

/* The same counts of the solver's frame, every pair. */
static void count_in_double(struct shoal_solver *solver, struct counted counted)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t n = problem->n, dim = problem->dim, bins = gas_bins(problem, SHOAL_GAS_RDF);
    const double width = gas_bin_width(problem, SHOAL_GAS_RDF), range = width * (double)bins;
    const struct shoal_gas_frame frame = frame_of(solver);
    for (size_t i = 0; i < n; i++) {
        const size_t axis = gas_profile_axis(problem);
        const double place = frame.position[i * dim + axis] / gas_bin_width(problem, SHOAL_GAS_PROFILE);
        if (place >= 0 && place < (double)gas_bins(problem, SHOAL_GAS_PROFILE))
            counted.places[(size_t)place]++;
        double square = 0;
        for (size_t k = 0; k < dim; k++)
            square += frame.velocity[i * dim + k] * frame.velocity[i * dim + k];
        const double speed = sqrt(square) / gas_bin_width(problem, SHOAL_GAS_SPEEDS);
        if (speed < (double)gas_bins(problem, SHOAL_GAS_SPEEDS))
            counted.speeds[(size_t)speed]++;
        for (size_t j = 0; j < i; j++) {
            double d = 0;
            for (size_t k = 0; k < dim && d < range * range; k++) {
                const double off =
                    gas_image(problem, k, frame.position[i * dim + k] - frame.position[j * dim + k]);
                d += off * off;
            }
            if (d < range * range)
                counted.pairs[(size_t)(sqrt(d) / width)] += 2;
        }
    }
}

/* Rounding moves a length across the border of a bin now and then. */
static void compare_counts(const uint64_t *is, const uint64_t *should, size_t bins, double share)
{
    double total = 0, off = 0;
    for (size_t b = 0; b < bins; b++) {
        total += (double)should[b];
        off += fabs((double)is[b] - (double)should[b]);
    }
    if (!(total > 0))
        fail_msg("nothing was counted");
    assert_at_most(off, 4 + share * total);
}

static void test_histograms(void **state)
{
    (void)state;
    static const uint64_t all[] = {37, 2003, 0}, tiny[] = {37, 0};
    static const uint64_t bins[] = {50, 5000}; /* in local memory, and too many for it */
    /* Any two of dimension, boundary and precision. */
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_OPEN; boundary++)
            for (const uint64_t *n = harness.tiny ? tiny : all; *n; n++) {
                const int32_t precision = (dim + (uint64_t)boundary) % 2 ? precisions() : SHOAL_GAS_SINGLE;
                if (!harness_takes_case())
                    continue;
                struct shoal_gas_params params = params_for(*n, dim, precision);
                struct counted is, should;
                test_label("%d particles, dim %d, precision %d, boundary %d", (int)*n, (int)dim,
                           (int)precision, (int)boundary);
                params.boundary_x = boundary;
                params.rdf_bins = bins[boundary == SHOAL_GAS_WALLS];
                params.speed_bins = 30;
                params.profile_bins = 23;
                params.profile_axis = dim == 3 && boundary == SHOAL_GAS_WALLS ? SHOAL_GAS_Z : SHOAL_GAS_X;
                params.rdf_range = *n < 40 ? 4.873 : 3.0137; /* no distance of a lattice */
                params.thermo = 2;
                is.pairs = harness_memory(params.rdf_bins * sizeof(uint64_t));
                is.speeds = harness_memory(params.speed_bins * sizeof(uint64_t));
                is.places = harness_memory(params.profile_bins * sizeof(uint64_t));
                should.places = harness_memory(params.profile_bins * sizeof(uint64_t));
                memset(should.places, 0, params.profile_bins * sizeof(uint64_t));
                should.pairs = harness_memory(params.rdf_bins * sizeof(uint64_t));
                should.speeds = harness_memory(params.speed_bins * sizeof(uint64_t));
                memset(should.pairs, 0, params.rdf_bins * sizeof(uint64_t));
                memset(should.speeds, 0, params.speed_bins * sizeof(uint64_t));
                struct shoal_solver *solver = gas_run_open(&params, false);
                for (int sample = 0; sample < 2; sample++) {
                    run_steps(solver, sample ? 2 : 0);
                    count_in_double(solver, should);
                }
                const struct gas_stepper *stepper = gas_common_of(solver)->stepper;
                assert_ok(stepper->get_counts(solver, SHOAL_GAS_RDF, is.pairs, &test_error));
                assert_ok(stepper->get_counts(solver, SHOAL_GAS_SPEEDS, is.speeds, &test_error));
                const double share = precision == SHOAL_GAS_DOUBLE ? 1e-9 : 1e-3;
                compare_counts(is.pairs, should.pairs, params.rdf_bins, share);
                compare_counts(is.speeds, should.speeds, params.speed_bins, share);
                assert_ok(stepper->get_counts(solver, SHOAL_GAS_PROFILE, is.places, &test_error));
                compare_counts(is.places, should.places, params.profile_bins, share);
                shoal_solver_destroy(&solver);
                harness_release();
            }
}

/* Cells count what all pairs count, to the last one: of the same bins, those up to a range that cells serve
 * and, eight times as many, up to one that takes all pairs. */
static void test_cells_count_all_pairs(void **state)
{
    (void)state;
    enum { BINS = 40, WIDER = 8 };
    static const uint64_t sizes[] = {257, 641, 1024};
    /* Any two of dimension, precision and boundary; sizes last: they have the same programs. */
    for (uint64_t dim = 2; dim <= 3 && !harness.tiny; dim++)
        for (int32_t precision = SHOAL_GAS_SINGLE; precision <= precisions(); precision++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                if (!harness_takes_case())
                    continue;
                uint64_t counts[2][BINS * WIDER], pairs = 0;
                test_label("%d particles, dim %d, precision %d", (int)sizes[s], (int)dim, (int)precision);
                for (size_t wide = 0; wide < 2; wide++) {
                    struct shoal_gas_params params = params_for(sizes[s], dim, precision);
                    const double box = pow((double)sizes[s] / params.density, 1 / (double)dim);
                    params.start = SHOAL_GAS_RANDOM;
                    params.start_distance = params.epsilon = 0; /* pairs at any distance */
                    params.boundary_y =
                        (dim + (uint64_t)precision) % 2 ? SHOAL_GAS_WALLS : SHOAL_GAS_PERIODIC;
                    params.rdf_range = box / 17 * (wide ? WIDER : 1);
                    params.rdf_bins = BINS * (wide ? WIDER : 1);
                    struct shoal_solver *solver = gas_run_open(&params, false);
                    run_steps(solver, 0);
                    assert_ok(gas_common_of(solver)->stepper->get_counts(solver, SHOAL_GAS_RDF, counts[wide],
                                                                         &test_error));
                    shoal_solver_destroy(&solver);
                }
                for (size_t b = 0; b < BINS; b++) {
                    assert_int_equal(counts[0][b], counts[1][b]);
                    pairs += counts[0][b];
                }
                assert_true(pairs > 0);
            }
}

/* g(r) of a gas without forces is 1, its speeds are Maxwell's. */
static void test_ideal(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    struct shoal_gas_params params = params_for(3000, 2, SHOAL_GAS_SINGLE);
    params.epsilon = 0;
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 0;
    params.rdf_bins = 10;
    params.rdf_range = 5;
    params.speed_bins = 25;
    struct shoal_solver *solver = gas_run_open(&params, false);
    struct shoal_gas_histogram histogram;
    run_steps(solver, 0);
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_RDF, &histogram, &test_error));
    assert_null(histogram.theory);
    for (size_t b = 0; b < histogram.bins; b++) {
        const double inner = (double)b * 0.5, outer = inner + 0.5;
        const double pairs = 3000 * 0.3 * 3.14159265 * (outer * outer - inner * inner) / 2;
        assert_near(histogram.value[b], 1, 4 / sqrt(pairs));
    }
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_SPEEDS, &histogram, &test_error));
    for (size_t b = 0; b < histogram.bins; b++) {
        const double expected = histogram.theory[b] * histogram.width * 3000;
        assert_near(histogram.value[b] * histogram.width * 3000, expected, 4 * sqrt(expected + 1));
    }
    shoal_solver_destroy(&solver);
}

/* Displacements ---------------------------------------------------------------------------------------- */

/* Positions without the jumps at borders, n * dim. */
static double *unwrapped(struct shoal_solver *solver)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t numbers = problem->n * problem->dim;
    double *all = harness_memory(2 * numbers * sizeof *all); /* velocities too */
    size_t count;
    assert_ok(shoal_solver_state(solver, all, 2 * numbers, &count, &test_error));
    return all;
}

static void compare_msd(struct shoal_solver *solver, const double *from, double epsilon)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t n = problem->n, dim = problem->dim;
    const double *to = unwrapped(solver);
    const struct gas_msd *msd = &gas_common_of(solver)->msd;
    const struct shoal_gas_displacement *sample = &msd->samples[msd->count - 1];
    double total = 0;
    assert_near(sample->time, thermo_of(solver).time, 0);
    for (size_t k = 0; k < dim; k++) {
        double squares = 0;
        for (size_t i = 0; i < n; i++)
            squares += pow(to[i * dim + k] - from[i * dim + k], 2);
        assert_near(sample->along[k], squares / (double)n, epsilon * squares / (double)n);
        total += squares / (double)n;
    }
    assert_near(sample->total, total, epsilon * total);
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
        const size_t begin = gas_msd_begin(n, g), end = gas_msd_begin(n, g + 1);
        double squares = 0;
        for (size_t at = begin * dim; at < end * dim; at++)
            squares += pow(to[at] - from[at], 2);
        squares /= end > begin ? (double)(end - begin) : 1;
        assert_near(msd->groups[msd->count - 1][g], squares, epsilon * squares);
    }
}

/* Particles that fly through the box several times between two samples, in an order that a list changes. */
static void test_displacements(void **state)
{
    (void)state;
    static const uint64_t all[] = {5, 37, 1103, 0}, tiny[] = {5, 37, 0};
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t precision = SHOAL_GAS_SINGLE; precision <= precisions(); precision++)
            for (const uint64_t *n = harness.tiny ? tiny : all; *n; n++) {
                /* Mixed in 3D repeats the positions of single and the sums of double. */
                if ((dim == 3 && precision == SHOAL_GAS_MIXED) || !harness_takes_case())
                    continue;
                struct shoal_gas_params params = params_for(*n, dim, precision);
                test_label("%d particles, dim %d, precision %d", (int)*n, (int)dim, (int)precision);
                params.method = *n > 40 && dim == 2 && precision == SHOAL_GAS_SINGLE ? SHOAL_GAS_LIST
                                                                                     : SHOAL_GAS_ALLPAIRS;
                params.epsilon = 0;
                params.temperature = 400;
                params.dt = 0.01;
                params.equilibration = 3;
                params.boundary_y = precision == SHOAL_GAS_SINGLE ? SHOAL_GAS_WALLS : SHOAL_GAS_PERIODIC;
                params.msd = true;
                params.thermo = harness.tiny ? 4 : 40;
                struct shoal_solver *solver = gas_run_open(&params, false);
                run_steps(solver, 3);
                const double *from = unwrapped(solver);
                for (int sample = 0; sample < 3; sample++) {
                    /* The unit of fixed-point coordinates is in fp32. */
                    compare_msd(solver, from, precision == SHOAL_GAS_DOUBLE ? 1e-9 : 1e-6);
                    run_steps(solver, params.thermo);
                }
                assert_int_equal(gas_common_of(solver)->msd.count, 4);
                assert_true(gas_common_of(solver)->msd.samples[3].along[0] > (harness.tiny ? 0.1 : 100));
                shoal_solver_destroy(&solver);
                harness_release();
            }
}

/* Looking ---------------------------------------------------------------------------------------------- */

static void test_unchanged(void **state)
{
    (void)state;
    const uint64_t n = harness.tiny ? 37 : 4200;
    struct shoal_gas_params params = params_for(n, 2, SHOAL_GAS_SINGLE);
    params.method = SHOAL_GAS_AUTO;
    double *seen = harness_memory(4 * n * sizeof *seen), *alone = harness_memory(4 * n * sizeof *alone);
    size_t count;
    struct shoal_solver *solver = gas_run_open(&params, false);
    run_steps(solver, 30);
    assert_ok(shoal_solver_state(solver, alone, 4 * n, &count, &test_error));
    shoal_solver_destroy(&solver);
    params.thermo = 3;
    params.rdf_bins = params.speed_bins = params.profile_bins = 40;
    params.profile_axis = SHOAL_GAS_Y;
    params.msd = true;
    params.cluster_distance = 1.3;
    solver = gas_run_open(&params, false);
    run_steps(solver, 30);
    assert_ok(shoal_solver_state(solver, seen, 4 * n, &count, &test_error));
    assert_memory_equal(seen, alone, 4 * n * sizeof *seen);
    struct shoal_gas_thermo thermo;
    assert_ok(shoal_gas_get_thermo(solver, &thermo, &test_error));
    assert_true(thermo.largest_cluster > 0 && thermo.largest_cluster <= 1);
    shoal_solver_destroy(&solver);
}

/* The temperature of the progress line: there is one in the equilibration too, and asking changes nothing. */
static void test_value(void **state)
{
    (void)state;
    const uint64_t n = harness.tiny ? 37 : 1200;
    struct shoal_gas_params params = params_for(n, 2, SHOAL_GAS_SINGLE);
    params.method = SHOAL_GAS_AUTO;
    params.equilibration = 25;
    params.thermo = 0;
    params.average_every = 0;
    double *seen = harness_memory(4 * n * sizeof *seen), *alone = harness_memory(4 * n * sizeof *alone),
           value;
    size_t count;
    struct shoal_solver *solver = gas_run_open(&params, false);
    run_steps(solver, 35);
    assert_ok(shoal_solver_state(solver, alone, 4 * n, &count, &test_error));
    shoal_solver_destroy(&solver);
    solver = gas_run_open(&params, false);
    for (uint64_t step = 0; step < 35; step += 7) {
        run_steps(solver, 7);
        gas_common_of(solver)->look_s = 0;
        assert_ok(gas_value(solver, &value, &test_error));
        assert_near(value, thermo_of(solver).temperature, 1e-12);
        /* A look takes a small part of the time. */
        gas_common_of(solver)->look_s = INFINITY;
        assert_ok(gas_value(solver, &value, &test_error));
        assert_true(isnan(value));
    }
    assert_ok(shoal_solver_state(solver, seen, 4 * n, &count, &test_error));
    assert_memory_equal(seen, alone, 4 * n * sizeof *seen);
    shoal_solver_destroy(&solver);
}

static void test_checkpoint(void **state)
{
    (void)state;
    struct shoal_gas_params params = params_for(130, 2, SHOAL_GAS_SINGLE);
    uint64_t pairs[2][30], speeds[2][30];
    params.thermo = 2;
    params.rdf_bins = params.speed_bins = 30;
    struct shoal_solver *solvers[2] = {gas_run_open(&params, false), gas_run_open(&params, false)};
    run_steps(solvers[0], 5);
    assert_ok(shoal_solver_save(solvers[0], test_path("gas"), &test_error));
    assert_ok(shoal_solver_load(solvers[1], test_path("gas"), &test_error));
    for (int s = 0; s < 2; s++) {
        run_steps(solvers[s], 5);
        const struct gas_stepper *stepper = gas_common_of(solvers[s])->stepper;
        assert_int_equal(gas_common_of(solvers[s])->clock.counted, 6);
        assert_ok(stepper->get_counts(solvers[s], SHOAL_GAS_RDF, pairs[s], &test_error));
        assert_ok(stepper->get_counts(solvers[s], SHOAL_GAS_SPEEDS, speeds[s], &test_error));
    }
    assert_memory_equal(pairs[0], pairs[1], sizeof pairs[0]);
    assert_memory_equal(speeds[0], speeds[1], sizeof speeds[0]);
    shoal_solver_destroy(&solvers[0]);
    shoal_solver_destroy(&solvers[1]);
}

/* Total energy less the heat stays what it was, whatever brings heat. */
static void test_conserved(void **state)
{
    (void)state;
    if (harness.tiny)
        return;
    /* Each precision and each thermostat: their other pairs are in gas-motion. */
    for (int32_t thermostat = SHOAL_GAS_NVE; thermostat <= SHOAL_GAS_RESCALE; thermostat++) {
        const int32_t precision = thermostat % (precisions() + 1);
        if (!harness_takes_case())
            continue;
        struct shoal_gas_params params = params_for(200, 2, precision);
        test_label("precision %d, thermostat %d", (int)precision, (int)thermostat);
        params.thermostat = thermostat;
        params.boundary_x = SHOAL_GAS_WALLS;
        params.wall_left = SHOAL_GAS_WALL_THERMAL;
        params.wall_right = SHOAL_GAS_WALL_DAMPING;
        params.friction = thermostat == SHOAL_GAS_LANGEVIN ? 4 : NAN;
        params.relaxation = thermostat == SHOAL_GAS_RESCALE ? 0.1 : NAN;
        struct shoal_solver *solver = gas_run_open(&params, false);
        struct shoal_gas_thermo before, after;
        assert_ok(shoal_gas_get_thermo(solver, &before, &test_error));
        run_steps(solver, 1000);
        assert_ok(shoal_gas_get_thermo(solver, &after, &test_error));
        /* Ten times what may be left over: the walls alone bring that much. */
        assert_true(fabs(after.total - before.total) > 2);
        /* The error of the step itself; rounding is far below. */
        assert_near(after.conserved, before.conserved, 0.2);
        shoal_solver_destroy(&solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_histograms),
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_unchanged),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_conserved),
        cmocka_unit_test(test_displacements),
        cmocka_unit_test(test_cells_count_all_pairs),
    };
    return harness_main("gas-observe", tests, sizeof tests / sizeof *tests);
}
