/* Private: integration and rescaling by the kernels of cl/gas/device/motion.cl. */
#ifndef SHOAL_GAS_MOTION_H
#define SHOAL_GAS_MOTION_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_motion_program;

SHOAL_MUST_CHECK enum shoal_status gas_motion_create(struct shoal_solver *solver, struct shoal_error *error);
void gas_motion_destroy(struct shoal_solver *solver); /* accepts what `create` left */

/* Entries of a place in the exchange, 0: there is one for the
 * whole gas. */
size_t gas_exchange_entries(const struct gas_problem *problem);

/* Each enqueues. Those marked * take device->acceleration, which must be that of the current state. */
/* * Velocities of the start, from step 0 to the half step before. */
SHOAL_MUST_CHECK enum shoal_status gas_kick_back(struct shoal_solver *solver, struct shoal_error *error);
/* * One step. */
SHOAL_MUST_CHECK enum shoal_status gas_advance(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* * Stochastic rescaling of the velocities at the full step. */
SHOAL_MUST_CHECK enum shoal_status gas_rescale(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* * The mean energy for SHOAL_GAS_LIMIT_ENERGY. */
SHOAL_MUST_CHECK enum shoal_status gas_find_limit(struct shoal_solver *solver, struct shoal_error *error);

#endif
