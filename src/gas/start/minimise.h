/* Private: minimises the energy of a start by FIRE.
 *
 * E. Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006), in the form "2.0" of J. Guenole et al., Comput.
 * Mater. Sci. 175, 109584 (2020): the integrator is semi-implicit Euler, velocities are mixed between kick
 * and drift, and after a step uphill particles go back by half a step. docs/gas-forces.md states every rule.
 * The solver computes forces and sums and moves particles (struct gas_stepper); the rules by which steps are
 * adapted are in minimise.c, the same for all solvers.
 */
#ifndef SHOAL_GAS_MINIMISE_H
#define SHOAL_GAS_MINIMISE_H

#include "gas/gas.h"

/* Sums over the particles at the current positions. The acceleration a of a particle is due to pair forces,
 * field and soft walls, without the component that pushes the particle into a wall that it touches. It is
 * limited to the length `limit` of the step. A random direction replaces an acceleration that is not finite.
 */
struct gas_fire_sums {
    double power, velocity2, push2; /* sums over the particles of v . a, v . v and a . a */
    double fastest;                 /* largest speed */
    /* length of the largest acceleration before it is limited; infinity: an acceleration is not finite */
    double largest;
};

/* A step: each particle goes back by `back` v; then v becomes keep v + push a, limited to the length
 * `fastest`, and the particle moves by v dt. With keep 0 and back 0 the velocities before the step have no
 * effect. */
struct gas_fire_move {
    double limit; /* limit of accelerations, equal to the one given to fire_sums for this step */
    double keep, push, dt, back, fastest;
    double farthest; /* largest displacement of a particle in the step */
    /* number of the step for random numbers, counted from 1, equal to the one given to fire_sums for this
     * step */
    uint32_t step;
};

/* The result of a minimisation. Checkpoints hold the bytes of this struct. */
struct gas_minimum {
    uint64_t steps;
    double before, after; /* potential energy before and after the minimisation */
    double force;         /* largest force on a particle at the end */
};

static inline bool gas_minimises(const struct gas_problem *problem)
{
    return problem->params->minimise && !problem->past.steps;
}

/* The end of a message about particles that are too near to each other: the advice to minimise the energy, or
 * nothing with a piston, which refuses it. Replicas refuse it too, and cut the advice off. */
#define GAS_MINIMISE_ADVICE ", or with --minimise 1000"
static inline const char *gas_minimise_advice(const struct gas_problem *problem)
{
    return problem->piston.acts ? "" : GAS_MINIMISE_ADVICE;
}

static inline double gas_minimise_force_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->minimise_force, 0.01);
}

/* Minimises the energy of the start that the solver has placed; its velocities have no effect. Positions and
 * border crossings at the minimum replace those of the start in `problem`, the problem of the solver. The
 * solver must then place the start again. SHOAL_INVALID: particles still overlap. SHOAL_STOPPED,
 * SHOAL_FAILED: see gas_fail_ended. */
SHOAL_MUST_CHECK enum shoal_status gas_minimise(struct shoal_solver *solver, struct gas_problem *problem,
                                                struct shoal_error *error);
/* Returns the error of a run that must end before its first step. when: what the run was doing, for the
 * message. SHOAL_FAILED: the time limit is reached. SHOAL_STOPPED: the caller has stopped the run. */
enum shoal_status gas_fail_ended(const struct shoal_solver *solver, const char *when,
                                 struct shoal_error *error);

#endif
