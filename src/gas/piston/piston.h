/* Private: the piston, a wall that moves as a body or as prescribed. docs/gas.md, "The piston", states the
 * rules; struct gas_piston is in gas/gas.h. Without a piston the functions do nothing. */
#ifndef SHOAL_GAS_PISTON_H
#define SHOAL_GAS_PISTON_H

#include "gas/gas.h"

/* Sets the piston of a problem whose box and pair force are set. */
void gas_piston_create(struct gas_problem *problem);
/* Makes a step of the piston by piston.force, which the caller then sets to the force after the step. */
void gas_piston_move(struct gas_problem *problem);
/* Whether the piston can be at a place. */
static inline bool gas_piston_fits(const struct gas_piston *piston, double place)
{
    return place > piston->least && place < piston->most;
}

/* Returns the error of a run in which the piston got to the end of its range in step `steps_done`, by the
 * velocity that it has. */
enum shoal_status gas_piston_fail(const struct gas_problem *problem, uint64_t steps_done,
                                  struct shoal_error *error);
/* Speed at the current step. */
double gas_piston_speed(const struct gas_problem *problem);
/* Energy that the gas would have without the piston, less the energy that the gas has: kinetic energy and
 * potential energy of a body, less the work of a prescribed motion. 0: there is no piston. */
double gas_piston_energy(const struct gas_problem *problem);
/* Volume of the gas: that of the box, up to the piston if there is one. */
double gas_volume(const struct gas_problem *problem);
/* Length along an axis in which a gas is shown: that of the box, or longer up to a piston that has moved
 * outwards. */
double gas_shown_length(const struct gas_problem *problem, size_t axis);
/* Whether a state from a checkpoint is one that a piston can have. */
bool gas_piston_is_sound(const struct gas_piston *piston, const struct gas_piston_state *state);

#endif
