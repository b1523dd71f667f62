/* Species of particles on every device under test: steps of the host, one species as two, checkpoints. */
#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct gas_run_state found, wanted;

static const char mixed[] = "A=0.5:mass=2,B=0.3:sigma=0.8:epsilon=0.5,C=0.2:mass=0.7";

static struct shoal_gas_params mixture(int32_t precision, int32_t method)
{
    struct shoal_gas_params params = gas_run_dense(precision, method);
    params.cutoff = NAN;
    params.species = mixed;
    params.species_pairs = "A-B:epsilon=1.5,C-C:cutoff=2";
    return params;
}

/* The same steps by the host. Tolerances: those of test_list.c. */
static void compare(const struct shoal_gas_params *params)
{
    enum { STEPS = 12 };
    if (!harness_takes_case())
        return;
    struct shoal_gas_params reference = *params;
    reference.method = SHOAL_GAS_AUTO;
    const double tolerance = params->precision == SHOAL_GAS_DOUBLE ? 1e-11 : 2e-5;
    gas_run(params, false, STEPS, &found);
    gas_run(&reference, true, STEPS, &wanted);
    test_label("method %d in %d dimensions, precision %d", (int)params->method, (int)params->dim,
               (int)params->precision);
    assert_at_most(gas_run_deviation(&found, &wanted, (size_t)params->dim), tolerance);
    const double n = (double)params->particles;
    assert_near(found.thermo.potential / n, wanted.thermo.potential / n, tolerance);
    assert_near(found.thermo.kinetic / n, wanted.thermo.kinetic / n, tolerance);
    assert_near(found.thermo.pressure, wanted.thermo.pressure, 10 * tolerance);
    assert_near(found.thermo.conserved / n, wanted.thermo.conserved / n, 10 * tolerance);
    for (size_t k = 0; k < 3; k++)
        assert_near(found.thermo.momentum[k] / n, wanted.thermo.momentum[k] / n, tolerance);
}

/* Few cases, each of which builds kernels of its own. */
static void steps_are_those_of_the_host(void **state)
{
    (void)state;
    struct shoal_gas_params params = mixture(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.wall_left = SHOAL_GAS_WALL_THERMAL;
    params.wall_right = SHOAL_GAS_WALL_DAMPING;
    params.trap = 0.3;
    params.field_y = -0.2;
    compare(&params);
    params.method = SHOAL_GAS_ALLPAIRS;
    compare(&params);
    params = mixture(gas_run_precisions()[1] < 0 ? SHOAL_GAS_SINGLE : SHOAL_GAS_DOUBLE, SHOAL_GAS_LIST);
    params.dim = 3;
    params.density = 0.3;
    params.thermostat = SHOAL_GAS_RESCALE;
    params.relaxation = 0.02;
    params.minimise = 5;
    compare(&params);
    params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_ALLPAIRS);
    params.cutoff = NAN;
    params.potential = SHOAL_GAS_LOG;
    params.attraction = -2;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.species = "P=0.5,N=0.5:charge=-1:mass=3";
    compare(&params);
}

/* Two species with the same values are one, bit for bit, and so are their distances. */
static void equal_species_are_one(void **state)
{
    (void)state;
    enum { BINS = 30 };
    for (int32_t method = SHOAL_GAS_ALLPAIRS; method <= SHOAL_GAS_LIST; method++) {
        double values[2][BINS];
        struct gas_run_state *const states[] = {&wanted, &found};
        if (!harness_takes_case())
            continue;
        for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
            struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, method);
            struct shoal_gas_histogram rdf;
            params.particles = 400; /* enough for a sort of its own for distances */
            params.thermostat = SHOAL_GAS_LANGEVIN;
            params.thermo = 10;
            params.rdf_bins = BINS;
            params.species = is_mixed ? "A=0.3,B=0.7" : NULL;
            struct shoal_solver *solver = gas_run_open(&params, false);
            run_steps(solver, 40);
            gas_run_state(solver, states[is_mixed]);
            assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_RDF, &rdf, &test_error));
            memcpy(values[is_mixed], rdf.value, sizeof *values);
            shoal_solver_destroy(&solver);
        }
        gas_run_same(&found, &wanted);
        assert_memory_equal(values[0], values[1], sizeof *values);
    }
}

/* Distances between species, by a sort and without one, are those of the host. */
static void distances_are_those_of_the_host(void **state)
{
    (void)state;
    if (!harness_takes_case())
        return;
    for (uint64_t particles = 200; particles <= 600; particles += 400) {
        struct shoal_gas_params params = mixture(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        struct shoal_solver *solvers[2];
        params.particles = particles;
        params.rdf_bins = 10;
        params.rdf_range = 2;
        for (int on_host = 0; on_host < 2; on_host++) {
            solvers[on_host] = gas_run_open(&params, on_host);
            run_steps(solvers[on_host], 7);
        }
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                struct shoal_gas_histogram device, host;
                assert_ok(shoal_gas_get_pair_rdf(solvers[0], a, b, &device, &test_error));
                assert_ok(shoal_gas_get_pair_rdf(solvers[1], a, b, &host, &test_error));
                /* rounding may put a distance into the next bin */
                for (size_t bin = 0; bin < 10; bin++)
                    assert_near(device.value[bin], host.value[bin], 0.02 * (1 + host.value[bin]));
            }
        shoal_solver_destroy(&solvers[0]);
        shoal_solver_destroy(&solvers[1]);
    }
}

/* A resumed run has the same bits, and other species are refused; a start from the checkpoint has its
 * species. */
static void checkpoints_hold_species(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = mixture(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        struct shoal_gas_species before = {.size = sizeof before}, after = {.size = sizeof after};
        if (!harness_takes_case())
            continue;
        params.skin = 0.2;
        params.rdf_bins = 10;
        struct shoal_solver *first = gas_run_open(&params, on_host), *second = gas_run_open(&params, on_host);
        run_steps(first, 33);
        assert_ok(shoal_solver_save(first, test_path("mixture"), &test_error));
        assert_ok(shoal_solver_load(second, test_path("mixture"), &test_error));
        run_steps(first, 20);
        run_steps(second, 20);
        gas_run_state(first, &wanted);
        gas_run_state(second, &found);
        gas_run_same(&found, &wanted);
        shoal_solver_destroy(&second);
        params.particles = 0;
        params.density = NAN;
        params.rdf_bins = 0;
        params.start_file = test_path("mixture");
        params.species = "A,B:sigma=0.8:epsilon=0.5,C";
        second = gas_run_open(&params, on_host);
        assert_ok(shoal_gas_get_species(first, &before, &test_error));
        assert_ok(shoal_gas_get_species(second, &after, &test_error));
        assert_memory_equal(before.of, after.of, 211);
        assert_memory_equal(before.mass, after.mass, sizeof before.mass);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(steps_are_those_of_the_host),
        cmocka_unit_test(equal_species_are_one),
        cmocka_unit_test(distances_are_those_of_the_host),
        cmocka_unit_test(checkpoints_hold_species),
    };
    return harness_main("gas mixture", tests, sizeof tests / sizeof *tests);
}
