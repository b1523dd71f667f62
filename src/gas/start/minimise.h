/* Private: minimisation of the energy of a start, by FIRE.
 *
 * E. Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006), in the form "2.0" of J. Guenole et al., Comput.
 * Mater. Sci. 175, 109584 (2020): the integrator is semi-implicit Euler, velocities are mixed between kick
 * and drift, and after a step uphill particles go half a step back. docs/gas-forces.md states every rule. The
 * solvers compute forces, sums and steps (struct gas_stepper); the rules that adapt a step are here, the same
 * for all solvers.
 */
#ifndef SHOAL_GAS_MINIMISE_H
#define SHOAL_GAS_MINIMISE_H

#include "gas/gas.h"

/* Sums over the particles at the current positions. Accelerations are those by pair forces, field and soft
 * walls, without parts that push a particle into the wall at which it is, and at most `limit` long. Where an
 * acceleration is not finite, a random direction replaces it. */
struct gas_fire_sums {
    double power, velocity2, push2; /* sums of v . a, v . v and a . a */
    double fastest;                 /* largest speed */
    /* largest acceleration without the limit; infinity: an acceleration is not finite */
    double largest;
};

/* A step of each particle: the particle goes back by `back` v; then v = keep v + push a, shortened to
 * `fastest` if longer, and the particle moves by v dt. With keep 0 and back 0 the old velocities have no
 * effect. */
struct gas_fire_move {
    double limit; /* limit of accelerations, equal to that of the sums */
    double keep, push, dt, back, fastest;
    double farthest; /* the farthest that any particle moves */
    uint32_t step;   /* step in the counters of random numbers, from 1 on, equal to that of the sums */
};

/* The result of a minimisation. Checkpoints have the bytes of the struct. */
struct gas_minimum {
    uint64_t steps;
    double before, after; /* potential energy before and after the minimisation */
    double force;         /* largest force on a particle at the end */
};

static inline bool gas_minimises(const struct gas_problem *problem)
{
    return problem->params->minimise && !problem->past.steps;
}

static inline double gas_minimise_force_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->minimise_force, 0.01);
}

/* Minimises the state that the solver has placed, whatever its velocities. Positions and crossings of the
 * minimum replace those of the start in `problem`, the problem of the solver, which then places them anew.
 * SHOAL_INVALID: particles still overlap. SHOAL_STOPPED, SHOAL_FAILED: see gas_fail_ended. */
SHOAL_MUST_CHECK enum shoal_status gas_minimise(struct shoal_solver *solver, struct gas_problem *problem,
                                                struct shoal_error *error);
/* Error for a run that must end before its first step. `when`: what the run was doing. SHOAL_STOPPED, or
 * SHOAL_FAILED where its time is up. */
enum shoal_status gas_fail_ended(const struct shoal_solver *solver, const char *when,
                                 struct shoal_error *error);

#endif
