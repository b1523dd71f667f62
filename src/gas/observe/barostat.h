/* Private: constant pressure by stochastic cell rescaling (M. Bernetti, G. Bussi, J. Chem. Phys. 153, 114107,
 * 2020).
 *
 * Every few steps, before the forces of a step act, the volume changes by one step of a Langevin equation for
 * l = sqrt(volume), whose noise does not depend on l:
 *
 *     l' = l + (c / t) (l / 2) (p - p0 + T / (2 V)) h + sqrt(T (c / t) h / 2) R
 *
 * with the compressibility c, the relaxation time t, the pressure p of the gas by its virial and velocities,
 * the wanted pressure p0, the time h since the change before, and a standard normal number R. Positions keep
 * their place in the box relative to its lengths, and velocities are divided by the factor of the lengths.
 *
 * Random numbers: stream SHOAL_STREAM_GAS_RESCALE, index 1, draw 0: words x, y give R. The change after
 * `steps_done` steps draws with the step number steps_done + 1.
 */
#ifndef SHOAL_GAS_BAROSTAT_H
#define SHOAL_GAS_BAROSTAT_H

#include "gas/observe/sampling.h"

/* Number of steps between two changes of the box: a fiftieth of the relaxation time, at least 1, at most 100.
 * With the compressibility of the gas the step of the Langevin equation then raises the variance of the
 * volume by at most 1 %, or more if the relaxation time is below 50 time steps. */
uint64_t gas_barostat_interval(const struct shoal_gas_params *params);

/* Changes the box of a gas after its steps so far, if such a change is due. */
SHOAL_MUST_CHECK enum shoal_status gas_barostat_act(struct shoal_solver *solver, struct shoal_error *error);

#endif
