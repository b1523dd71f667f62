/* Private: constant pressure by stochastic cell rescaling (M. Bernetti, G. Bussi, J. Chem. Phys. 153, 114107,
 * 2020).
 *
 * Every few steps, before the forces of a step act, the volume changes by one step of a Langevin equation for
 * l = sqrt(volume), whose noise does not depend on l:
 *
 *     l' = l + (c / t) (l / 2) (p - p0 + T / (2 V)) g + sqrt(T (c / t) q / 2) R
 *     g = t (1 - exp(-h / t)), q = t (1 - exp(-2 h / t)) / 2
 *
 * with the compressibility c, the relaxation time t, the pressure p of the gas by its virial and velocities,
 * the wanted pressure p0, the time h since the change before, and a standard normal number R. If c is the
 * compressibility of the gas, the mean of l approaches its end in the time t; g and q are then those of the
 * exact solution, in which the variance does not depend on h. Positions keep their place in the box relative
 * to its lengths, and velocities are divided by the factor of the lengths.
 *
 * With SHOAL_GAS_PRESSURE_AXES each axis follows its own pressure p_a, a part of the diagonal of the pressure
 * tensor, whose mean is p (V. Del Tatto, P. Raiteri, M. Bernetti, G. Bussi, Appl. Sci. 12, 1139, 2022, for a
 * box that stays rectangular). Apart from the change of the volume, which gives all lengths one factor, the
 * logarithms of the dim lengths change by
 *
 *     (c / (t dim)) (p_a - p) h + sqrt(2 T (c / t) h / (dim V)) (R_a - mean of the R_b)
 *
 * Random numbers: stream SHOAL_STREAM_GAS_RESCALE, index 1, draw 0: words x, y give R and R_x, words z, w
 * give R_y and R_z. The change after `steps_done` steps draws with the step number steps_done + 1.
 */
#ifndef SHOAL_GAS_BAROSTAT_H
#define SHOAL_GAS_BAROSTAT_H

#include "gas/observe/sampling.h"

/* Number of steps between two changes of the box: a twentieth of the relaxation time, a fiftieth below 1000
 * particles, at least 1, at most 100. A compressibility that is k times that of the gas raises the variance
 * of the volume by the fraction (k - 1) h / (2 t). */
uint64_t gas_barostat_interval(const struct gas_problem *problem);

/* Changes the box of a gas after its steps so far, if such a change is due. */
SHOAL_MUST_CHECK enum shoal_status gas_barostat_act(struct shoal_solver *solver, struct shoal_error *error);

#endif
