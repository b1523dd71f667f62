/* What tests of whole gases share: solvers on the device under test and on the host, their states. */
#ifndef SHOAL_TESTS_GAS_RUNS_H
#define SHOAL_TESTS_GAS_RUNS_H

#include "harness.h"

enum { GAS_RUN_MOST = 4096 }; /* numbers of a state: 2 * particles * dim */

/* Small, at rest in no unit, no output: 37 particles of Lennard-Jones in a box of density 0.3. */
struct shoal_gas_params gas_run_params(void);

/* Of harness.device, or of the host; the caller destroys it. A failure to make one fails the test. */
struct shoal_solver *gas_run_open(const struct shoal_gas_params *params, bool on_host);
/* All of the steps. */
void gas_run_steps(struct shoal_solver *solver, uint64_t steps);

struct gas_run_state {
    size_t count;
    double numbers[GAS_RUN_MOST]; /* positions without jumps, then velocities at full steps */
    struct shoal_gas_thermo thermo;
};
void gas_run_state(struct shoal_solver *solver, struct gas_run_state *state);
/* Opens, makes the steps, looks, closes. */
void gas_run(const struct shoal_gas_params *params, bool on_host, uint64_t steps,
             struct gas_run_state *state);
/* Euclidean norm of the difference of positions and velocities over that of `b`, without the particle that
 * differs most: rounding may send one another way. */
double gas_run_deviation(const struct gas_run_state *a, const struct gas_run_state *b, size_t dim);
void gas_run_same(const struct gas_run_state *a, const struct gas_run_state *b);

/* Precisions that the device has, ended by -1. */
const int32_t *gas_run_precisions(void);

/* Writes an extended XYZ file of a 2D start and names it in params; removed by gas_run_forget. */
void gas_run_start(struct shoal_gas_params *params, const double *position, const double *velocity,
                   size_t particles, double width, double height);
void gas_run_forget(void);

#endif
