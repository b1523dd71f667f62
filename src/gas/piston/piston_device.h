/* Private: the piston of a gas on a device. Without a piston the functions do nothing.
 *
 * The state of the piston is among the settings, which all kernels of motion read: enum gas_piston_number. A
 * step of the piston follows each step of the particles, in launches without waiting. */
#ifndef SHOAL_GAS_PISTON_DEVICE_H
#define SHOAL_GAS_PISTON_DEVICE_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_piston_program;

/* Builds the kernels. gas_piston_destroy accepts what a failed gas_piston_start has left. */
SHOAL_MUST_CHECK enum shoal_status gas_piston_start(struct shoal_solver *solver, struct shoal_error *error);
void gas_piston_destroy(struct shoal_solver *solver);
/* Writes the state of problem->piston to the device, at the begin of a run. The positions are there. */
SHOAL_MUST_CHECK enum shoal_status gas_piston_place(struct shoal_solver *solver, struct shoal_error *error);
/* Enqueues the step of the piston after a step of the particles. step: its number; 0: the method of forces
 * stores it in WORD_STEP if the step was made. */
SHOAL_MUST_CHECK enum shoal_status gas_piston_follow(struct shoal_solver *solver, uint64_t step,
                                                     struct shoal_error *error);
/* Sets problem->piston to the state on the device, and fails if the piston has come to the end of its range.
 */
SHOAL_MUST_CHECK enum shoal_status gas_piston_read(struct shoal_solver *solver, struct shoal_error *error);
/* gas_piston_save and gas_piston_load write and read the section "piston" of a checkpoint. */
SHOAL_MUST_CHECK enum shoal_status gas_piston_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_piston_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
