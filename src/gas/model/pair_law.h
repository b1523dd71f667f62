/* Private: the force laws of cl/gas/model/pair.clh in double precision, as inline functions for loops. */
#ifndef SHOAL_GAS_PAIR_LAW_H
#define SHOAL_GAS_PAIR_LAW_H

#include "compute/program/host/signal_stack.h"
#include "fmm/law.h"
#include "gas/model/pair_code.h"
#include "gas/species/species.h"

#include <math.h>

/* Force divided by distance, and energy, of a pair. */
struct gas_value {
    double force, energy;
};

static inline struct gas_value gas_value_of(struct law_value law)
{
    return (struct gas_value){law.force, law.potential};
}

/* Prepares the calling thread for the functions below. Each thread must call this function first, since a
 * user's pair force may overflow the stack of the thread. */
static inline void gas_prepare_pairs(const struct gas_problem *problem)
{
    if (problem->kind == GAS_PAIR_USER)
        signal_stack_provide();
}

/* In the functions below p has the constants of the two particles, gas_pair_between. */

/* Returns force and energy of the whole law, without a cut. energies false: laws with a logarithm return
 * energy 0. */
static inline struct gas_value gas_bare(const struct gas_problem *problem, const struct gas_pair *p, double d,
                                        bool energies)
{
    const double s = d + p->softening2;
    struct gas_value v = {0, 0};
    switch (problem->kind) {
    case GAS_PAIR_LJ: {
        const double i2 = 1 / d, i6 = i2 * i2 * i2;
        v.force = i6 * i2 * (12 * p->lj12 * i6 - 6 * p->lj6);
        v.energy = i6 * (p->lj12 * i6 - p->lj6);
        break;
    }
    case GAS_PAIR_LOG:
    case GAS_PAIR_REAL:
        return gas_value_of(law_log(s, p->attraction, energies));
    case GAS_PAIR_LOG_REPULSION:
        return gas_value_of(law_log_repulsion(s, p->attraction, p->repulsion, energies));
    case GAS_PAIR_GRAVITY:
        return gas_value_of(law_inverse(s, -p->attraction));
    case GAS_PAIR_USER:
        pair_code_evaluate(problem->code, d, &v.force, &v.energy);
        break;
    }
    return v;
}

/* Returns force and energy of the part of the law to which the cutoff applies: the whole law, or the
 * short-range part of the real gas. t: the squared distance that is compared with the cutoff, d, or d +
 * softening^2 for the real gas. */
static inline struct gas_value gas_inside(const struct gas_problem *problem, const struct gas_pair *p,
                                          double t, bool energies)
{
    if (problem->kind != GAS_PAIR_REAL)
        return gas_bare(problem, p, t, energies);
    return gas_value_of(law_log_repulsion(t, p->short_attraction, p->repulsion, energies));
}

/* Returns force and energy of that part with the changes that the cut makes below the cutoff. Undefined
 * beyond the cutoff. */
static inline struct gas_value gas_cut(const struct gas_problem *problem, const struct gas_pair *p, double t,
                                       bool energies)
{
    /* The force of a smoothed cut depends on the energy. */
    struct gas_value v = gas_inside(problem, p, t, energies || problem->cut == SHOAL_GAS_CUT_SMOOTHED);
    if (problem->cut == SHOAL_GAS_CUT_SHIFTED) {
        v.energy -= p->shift_energy;
    } else if (problem->cut == SHOAL_GAS_CUT_FORCE_SHIFTED) {
        v.force += p->shift_force * sqrt(1 / t); /* sqrt(1 / t), since Lennard-Jones needs 1 / t, too */
        v.energy -= p->shift_energy + (sqrt(t) - p->cutoff) * p->shift_force;
    } else if (problem->cut == SHOAL_GAS_CUT_SMOOTHED && t > p->switch2) {
        const double y = (t - p->switch2) * p->switch_inverse;
        const double s = 1 + y * y * y * (-10 + y * (15 - 6 * y));
        const double slope = -30 * y * y * (1 - y) * (1 - y) * p->switch_inverse;
        v.force = v.force * s - 2 * v.energy * slope;
        v.energy *= s;
    }
    return v;
}

static inline struct gas_value gas_cut_off(const struct gas_problem *problem, const struct gas_pair *p,
                                           double t, bool energies)
{
    return t < p->cutoff2 ? gas_cut(problem, p, t, energies) : (struct gas_value){0, 0};
}

/* Returns force and energy of a pair at squared distance d, with cut and cutoff. */
static inline struct gas_value gas_pair_value(const struct gas_problem *problem, const struct gas_pair *p,
                                              double d, bool energies)
{
    struct gas_value v = {0, 0};
    if (problem->kind == GAS_PAIR_REAL || isinf(p->cutoff2))
        v = gas_bare(problem, p, d, energies);
    if (isfinite(p->cutoff2)) {
        const double t = problem->kind == GAS_PAIR_REAL ? d + p->softening2 : d;
        const struct gas_value near = gas_cut_off(problem, p, t, energies);
        v.force += near.force;
        v.energy += near.energy;
    }
    return v;
}

#endif
