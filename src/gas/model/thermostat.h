/* Private: the random parts of a step, which host and device share.
 *
 * Step n (after n - 1 steps_done of struct gas_clock) draws random numbers under the number n:
 *   Langevin       stream SHOAL_STREAM_GAS_LANGEVIN, index = particle, draw 0: words x, y give the normal
 *                  numbers of axes x and y, words z, w that of z
 *   thermal walls  stream SHOAL_STREAM_GAS_WALL, index = particle: draw 0, words x, y: normal numbers of axes
 *                  x and y, z and w: flux of x and of y; draw 1 of 3D: the same of axis z, x and y, and z
 *   rescaling      stream SHOAL_STREAM_GAS_RESCALE, index 0, before the forces of that step act
 */
#ifndef SHOAL_GAS_THERMOSTAT_H
#define SHOAL_GAS_THERMOSTAT_H

#include "gas/gas.h"

#include <shoal/rng.h>

/* Two standard normal numbers, equal to those of gas_normals in cl/gas/model/walls.clh except for
 * rounding. */
static inline void gas_normal_pair(uint32_t word0, uint32_t word1, double *first, double *second)
{
    const double radius = sqrt(-2 * log((word0 + 0.5) * 0x1p-32));
    const double angle = 6.283185307179586477 * (word1 >> 8) * 0x1p-24;
    *first = radius * cos(angle);
    *second = radius * sin(angle);
}

/* Speed away from a thermal wall divided by sqrt(T / m). */
static inline double gas_wall_flux(uint32_t word)
{
    return sqrt(-2 * log((word + 0.5) * 0x1p-32));
}

/* Amplitude of Langevin's noise in step `step`, counted from 1: it follows from the temperature after this
 * step. */
double gas_langevin_noise(const struct gas_problem *problem, uint64_t step);

/* Stochastic velocity rescaling (Bussi, Donadio, Parrinello, J. Chem. Phys. 126, 014101, 2007), exact over
 * any time: at full steps, each rescale_interval steps, with velocities of the full step. It is active in
 * every equilibration, and later if it is the thermostat.
 *
 * gas_rescale_is_due: whether a rescaling is due after `steps_done` steps. */
bool gas_rescale_is_due(const struct shoal_gas_params *params, uint64_t steps_done);
/* The next step number above `steps_done` at which velocities are rescaled; UINT64_MAX: none. */
uint64_t gas_rescale_next(const struct shoal_gas_params *params, uint64_t steps_done);

/* The numbers of one rescaling that do not depend on the state. */
struct gas_rescaling {
    double keep;        /* exp(-interval dt / relaxation) */
    double change;      /* 1 - keep */
    double normal;      /* a standard normal number */
    double squares;     /* sum of the squares of degrees - 1 other normal numbers */
    double temperature; /* wanted temperature */
};
struct gas_rescaling gas_rescale_draw(const struct gas_problem *problem, uint64_t steps_done);
/* Factor for all velocities, from the kinetic energy of the full step. 1 for a gas at rest. */
double gas_rescale_factor(const struct gas_rescaling *rescaling, double kinetic);

/* Whether the temperature of the parameters acts on particles in the run: by a thermostat, an equilibration
 * or a wall with that temperature. */
bool gas_keeps_temperature(const struct shoal_gas_params *params);

#endif
