/* What tests of the host solver of the gas share: solvers with a start of the test's own, runs, samples. */
#ifndef SHOAL_TESTS_GAS_HOST_H
#define SHOAL_TESTS_GAS_HOST_H

#include "unit.h"

#include "gas/host/host.h"

int host_set_up(void **state);
int host_tear_down(void **state);
#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, host_set_up, host_tear_down)

/* Few particles, no equilibration, room for any number of steps. */
struct shoal_gas_params host_params(uint64_t particles);

/* The caller destroys it. A failure to make one fails the test. threads 0: as many as there are. */
struct shoal_solver *host_open(const struct shoal_gas_params *params, int threads);
/* The start, before the first step. */
void host_place(struct shoal_solver *solver, const double *position, const double *velocity);
void host_run(struct shoal_solver *solver, uint64_t steps);
struct shoal_gas_thermo host_thermo(struct shoal_solver *solver);
struct shoal_gas_frame host_frame(struct shoal_solver *solver);
/* The same bits in positions, velocities, energies. */
void host_assert_same(struct shoal_solver *a, struct shoal_solver *b);
double host_length(const double *v, size_t count);

/* Averages over a run of `steps`, a sample each `every`, after `before` steps. */
struct host_means {
    double kinetic, potential, virial, pressure, wall_pressure;
    double kinetic_variance, conserved_spread; /* largest - smallest */
    uint64_t samples;
};
struct host_means host_average(struct shoal_solver *solver, uint64_t before, uint64_t steps, uint64_t every);

#endif
