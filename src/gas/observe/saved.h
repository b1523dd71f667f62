/* Private: checks the state of a gas in a checkpoint, which may hold invalid data, before a solver loads
 * it. */
#ifndef SHOAL_GAS_SAVED_H
#define SHOAL_GAS_SAVED_H

#include "gas/gas.h"

/* Format of the numbers in a checkpoint: that of the host solver, or that of a device with the precision of
 * the problem. */
enum gas_form { GAS_OF_HOST, GAS_OF_DEVICE };

/* Checks the positions in section `name`, since solvers compute indices of cells from positions. */
SHOAL_MUST_CHECK enum shoal_status gas_check_positions(const struct gas_problem *problem,
                                                       const struct checkpoint *checkpoint, const char *name,
                                                       enum gas_form form, struct shoal_error *error);
/* Checks positions, velocities and border crossings of the particles in a checkpoint. */
SHOAL_MUST_CHECK enum shoal_status gas_check_particles(const struct gas_problem *problem,
                                                       const struct checkpoint *checkpoint,
                                                       enum gas_form form, struct shoal_error *error);
/* Checks the origins of displacements and of correlations in a checkpoint, of runs that have them. */
SHOAL_MUST_CHECK enum shoal_status gas_check_origins(const struct gas_problem *problem,
                                                     const struct checkpoint *checkpoint, enum gas_form form,
                                                     struct shoal_error *error);

#endif
