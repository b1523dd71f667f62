/* Private: the random numbers of a step, and the rescaling thermostat. Host and devices use the same random
 * numbers.
 *
 * The step after `steps_done` steps (struct gas_clock) draws its random numbers with the step number
 * steps_done + 1:
 *   Langevin       stream SHOAL_STREAM_GAS_LANGEVIN, index = particle, draw 0: words x, y give the normal
 *                  numbers of axes x and y, words z, w the normal number of axis z
 *   thermal walls  stream SHOAL_STREAM_GAS_WALL, index = particle. Draw 0: words x, y give the normal
 *                  numbers of axes x and y, word z the flux of axis x, word w that of axis y. Draw 1, in
 *                  3D: words x, y give the normal number of axis z, word z the flux of axis z
 *   rescaling      stream SHOAL_STREAM_GAS_RESCALE, index 0, before the forces of the step act
 */
#ifndef SHOAL_GAS_THERMOSTAT_H
#define SHOAL_GAS_THERMOSTAT_H

#include "gas/gas.h"

#include <shoal/rng.h>

/* Computes two standard normal numbers from two random words, as gas_normals in cl/gas/model/walls.clh,
 * except for rounding. */
static inline void gas_normal_pair(uint32_t word0, uint32_t word1, double *first, double *second)
{
    const double radius = sqrt(-2 * log((word0 + 0.5) * 0x1p-32));
    const double angle = 6.283185307179586477 * (word1 >> 8) * 0x1p-24;
    *first = radius * cos(angle);
    *second = radius * sin(angle);
}

/* Returns the velocity component away from a thermal wall, divided by sqrt(T / m), drawn from the flux
 * distribution. */
static inline double gas_wall_flux(uint32_t word)
{
    return sqrt(-2 * log((word + 0.5) * 0x1p-32));
}

/* Stochastic velocity rescaling (Bussi, Donadio, Parrinello, J. Chem. Phys. 126, 014101, 2007). Every
 * rescale_interval steps it scales the velocities of the full step; it is exact for any interval. It is
 * active in every equilibration, and later if it is the thermostat.
 *
 * gas_rescale_is_due: whether a rescaling is due after `steps_done` steps. */
bool gas_rescale_is_due(const struct shoal_gas_params *params, uint64_t steps_done);
/* The next step number above `steps_done` at which velocities are rescaled; UINT64_MAX: there is none. */
uint64_t gas_rescale_next(const struct shoal_gas_params *params, uint64_t steps_done);

/* The constants and random numbers of one rescaling. They do not depend on the state of the gas. */
struct gas_rescaling {
    double keep;        /* exp(-interval dt / relaxation) */
    double change;      /* 1 - keep */
    double normal;      /* a standard normal number */
    double squares;     /* sum of the squares of degrees - 1 further normal numbers */
    double temperature; /* target temperature */
};
struct gas_rescaling gas_rescale_draw(const struct gas_problem *problem, uint64_t steps_done);
/* Returns the factor by which a rescaling multiplies all velocities. kinetic: kinetic energy of the full
 * step; 0 gives factor 1. */
double gas_rescale_factor(const struct gas_rescaling *rescaling, double kinetic);

/* The Nose-Hoover chain (Martyna, Klein, Tuckerman, J. Chem. Phys. 97, 2635, 1992) acts instead of the
 * rescaling, at the same steps, after the equilibration. */
enum { GAS_CHAIN = 3 }; /* number of thermostats in the chain */
bool gas_chain_acts(const struct shoal_gas_params *params, uint64_t steps_done);

/* The constants of a move of the chain. */
struct gas_chain_move {
    double span;        /* time of the move: that between two rescalings */
    double relaxation;  /* time constant of the chain */
    double temperature; /* target temperature */
    double degrees;     /* number of degrees of freedom */
};
struct gas_chain_move gas_chain_move_at(const struct gas_problem *problem, uint64_t steps_done);
/* Moves the chain, whose thermostats have the velocities `chain`, and returns the factor by which it
 * multiplies all velocities. kinetic: kinetic energy of the full step; 0 gives factor 1 and leaves the chain.
 * *energy: energy that the chain itself gains. It equals the loss of the gas, (1 - factor^2) kinetic, except
 * for the error of the move. */
double gas_chain_factor(const struct gas_chain_move *move, double kinetic, double chain[GAS_CHAIN],
                        double *energy);

/* Whether particles take the temperature of the parameters during the run: from a thermostat, from the
 * equilibration, or from a wall without a temperature of its own. */
bool gas_keeps_temperature(const struct shoal_gas_params *params);

#endif
