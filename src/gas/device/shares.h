/* Private: a gas that several devices share. A share is an ordinary solver that holds all particles, but
 * computes forces on its own particles only, and moves only these. */
#ifndef SHOAL_GAS_SHARES_H
#define SHOAL_GAS_SHARES_H

#include "gas/device/device.h"

/* The solver whose arrays hold the state of all particles after gas_collect and gas_find_forces: the first
 * share of a divided gas, else the solver itself. */
static inline struct shoal_solver *gas_holder(struct shoal_solver *solver)
{
    return solver_holders(&solver).solvers[0];
}

static inline const struct shoal_solver *gas_const_holder(const struct shoal_solver *solver)
{
    return solver->shares ? solver->shares->solvers[0] : solver;
}

/* Checks that shares can compute by the method that is chosen for the whole gas. */
SHOAL_MUST_CHECK enum shoal_status gas_check_shared(const struct method *method, struct shoal_error *error);
/* Makes the problem of a share a copy of the whole gas's, whose arrays it does not own. */
SHOAL_MUST_CHECK enum shoal_status gas_borrow_problem(struct shoal_solver *share, struct shoal_error *error);

/* What a meeting copies of each particle: velocities and accelerations; crossings of borders and what was
 * exchanged with walls and thermostat; half the pair energies and virials. */
enum gas_rows { GAS_POSITIONS = 1, GAS_MOTION = 2, GAS_BORDERS = 4, GAS_ENERGIES = 8 };
/* Called by all shares at once, with the same rows: copies the rows of the particles of other shares to this
 * one, if it `takes` them. Does nothing where the gas is not shared. */
SHOAL_MUST_CHECK enum shoal_status gas_gather(struct shoal_solver *share, unsigned rows, bool takes,
                                              struct shoal_error *error);
/* For the solver of a run: copies the rows of all particles to the holder. */
SHOAL_MUST_CHECK enum shoal_status gas_collect(struct shoal_solver *solver, unsigned rows,
                                               struct shoal_error *error);
/* For the solver of a run: computes the forces on all particles, and copies all rows but positions to the
 * holder. */
SHOAL_MUST_CHECK enum shoal_status gas_find_forces(struct shoal_solver *solver, bool energies,
                                                   struct shoal_error *error);

/* Does the solver compute with the values that the run chose? A share on a device of another kind than the
 * first device of the run has values of its own. */
bool gas_takes_chosen(const struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status
gas_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
