/* Pair forces in double precision: the same laws as cl/gas/pair.clh, and the constants that both use. */
#include "base/error.h"
#include "gas/pair_code.h"
#include "gas/problem.h"

#include <math.h>

/* Force over distance and energy. */
struct value {
    double force, energy;
};

/* Without `energies` that of the laws with a logarithm is 0. */
static struct value bare(const struct gas_problem *problem, double d, bool energies)
{
    const struct gas_pair *p = &problem->pair;
    const double s = d + p->softening2;
    struct value v = {0, 0};
    switch (problem->kind) {
    case GAS_PAIR_LJ: {
        const double i6 = 1 / (d * d * d);
        v.force = i6 / d * (12 * p->lj12 * i6 - 6 * p->lj6);
        v.energy = i6 * (p->lj12 * i6 - p->lj6);
        break;
    }
    case GAS_PAIR_LOG:
    case GAS_PAIR_REAL:
        v.force = -p->attraction / s;
        v.energy = energies ? 0.5 * p->attraction * log(s) : 0;
        break;
    case GAS_PAIR_LOG_REPULSION:
        v.force = (p->repulsion / s - p->attraction) / s;
        v.energy = energies ? 0.5 * (p->attraction * log(s) + p->repulsion / s) : 0;
        break;
    case GAS_PAIR_GRAVITY:
        v.energy = -p->attraction / sqrt(s);
        v.force = v.energy / s;
        break;
    case GAS_PAIR_USER:
        pair_code_evaluate(problem->code, d, &v.force, &v.energy);
        break;
    }
    return v;
}

/* What the cutoff acts on, at the squared distance t of its test: for the real gas the short part at t = s.
 */
static struct value inside(const struct gas_problem *problem, double t, bool energies)
{
    const struct gas_pair *p = &problem->pair;
    if (problem->kind != GAS_PAIR_REAL)
        return bare(problem, t, energies);
    return (struct value){.force = (p->repulsion / t - p->short_attraction) / t,
                          .energy = energies ? 0.5 * (p->short_attraction * log(t) + p->repulsion / t) : 0};
}

static struct value cut_off(const struct gas_problem *problem, double t, bool energies)
{
    const struct gas_pair *p = &problem->pair;
    if (!(t < p->cutoff2))
        return (struct value){0, 0};
    /* The force of the smoothed cut has a part of the energy. */
    struct value v = inside(problem, t, energies || problem->cut == SHOAL_GAS_CUT_SMOOTHED);
    if (problem->cut == SHOAL_GAS_CUT_SHIFTED) {
        v.energy -= p->shift_energy;
    } else if (problem->cut == SHOAL_GAS_CUT_FORCE_SHIFTED) {
        const double r = sqrt(t);
        v.force += p->shift_force / r;
        v.energy -= p->shift_energy + (r - p->cutoff) * p->shift_force;
    } else if (problem->cut == SHOAL_GAS_CUT_SMOOTHED && t > p->switch2) {
        const double y = (t - p->switch2) * p->switch_inverse;
        const double s = 1 + y * y * y * (-10 + y * (15 - 6 * y));
        const double slope = -30 * y * y * (1 - y) * (1 - y) * p->switch_inverse;
        v.force = v.force * s - 2 * v.energy * slope;
        v.energy *= s;
    }
    return v;
}

void gas_pair_evaluate(const struct gas_problem *problem, double d, double *force_over_r, double *energy)
{
    struct value v = {0, 0};
    if (problem->kind == GAS_PAIR_REAL || isinf(problem->pair.cutoff2))
        v = bare(problem, d, energy);
    if (isfinite(problem->pair.cutoff2)) {
        const double t = problem->kind == GAS_PAIR_REAL ? d + problem->pair.softening2 : d;
        const struct value near = cut_off(problem, t, energy);
        v.force += near.force;
        v.energy += near.energy;
    }
    *force_over_r = v.force;
    if (energy)
        *energy = v.energy;
}

/* Constants -------------------------------------------------------------------------------------------- */

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static enum gas_pair_kind kind_of(enum shoal_gas_potential potential)
{
    switch (potential) {
    case SHOAL_GAS_LOG:
        return GAS_PAIR_LOG;
    case SHOAL_GAS_LOG_REPULSION:
        return GAS_PAIR_LOG_REPULSION;
    case SHOAL_GAS_REAL:
        return GAS_PAIR_REAL;
    case SHOAL_GAS_GRAVITY:
        return GAS_PAIR_GRAVITY;
    case SHOAL_GAS_USER:
        return GAS_PAIR_USER;
    default:
        return GAS_PAIR_LJ;
    }
}

static void set_law(struct gas_problem *problem, enum shoal_gas_potential potential)
{
    const struct shoal_gas_params *params = problem->params;
    struct gas_pair *p = &problem->pair;
    if (problem->kind == GAS_PAIR_LJ) {
        const double sigma6 = pow(params->sigma, 6);
        p->lj6 = 4 * params->epsilon * sigma6;
        p->lj12 = p->lj6 * sigma6;
    } else if (gas_is_long(potential)) {
        const bool real = potential == SHOAL_GAS_REAL;
        const double softening = or_default(params->softening, 0.25);
        p->softening2 = softening * softening;
        p->attraction = or_default(params->attraction, real ? 1e-4 : 1);
        p->short_attraction = real ? or_default(params->short_attraction, 2) : 0;
        /* The least energy lies at s = repulsion / all attraction. */
        if (real || potential == SHOAL_GAS_LOG_REPULSION)
            p->repulsion = or_default(params->repulsion,
                                      fmax(p->attraction + p->short_attraction, 0) * (1 + p->softening2));
    }
}

/* Cut and its constants, which need the law. */
static enum shoal_status set_cut(struct gas_problem *problem, enum shoal_gas_potential potential,
                                 double cutoff, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    struct gas_pair *p = &problem->pair;
    problem->cut = params->cut ? (enum shoal_gas_cut)params->cut : SHOAL_GAS_CUT_FORCE_SHIFTED;
    if (potential == SHOAL_GAS_WCA)
        problem->cut = SHOAL_GAS_CUT_SHIFTED;
    if (isinf(cutoff))
        problem->cut = SHOAL_GAS_CUT_TRUNCATED;
    p->cutoff = cutoff;
    p->cutoff2 = cutoff * cutoff;
    if (isinf(cutoff))
        return SHOAL_OK;
    if (problem->cut == SHOAL_GAS_CUT_SMOOTHED) {
        const double from = or_default(params->switch_radius, 0.9 * cutoff);
        p->switch2 = from * from;
        p->switch_inverse = 1 / (p->cutoff2 - p->switch2);
        return SHOAL_OK;
    }
    const struct value end = inside(problem, p->cutoff2, true);
    if (!isfinite(end.force) || !isfinite(end.energy))
        return fail(
            error, SHOAL_INVALID,
            "the pair force is not finite at its cutoff %g: force %g, energy %g; choose another cutoff",
            cutoff, end.force * cutoff, end.energy);
    if (problem->cut != SHOAL_GAS_CUT_TRUNCATED)
        p->shift_energy = end.energy;
    if (problem->cut == SHOAL_GAS_CUT_FORCE_SHIFTED)
        p->shift_force = -end.force * cutoff;
    return SHOAL_OK;
}

enum shoal_status gas_set_pair(struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const enum shoal_gas_potential potential = gas_potential_of(params);
    double cutoff = gas_cutoff_of(params);
    problem->kind = kind_of(potential);
    if (potential == SHOAL_GAS_USER && isnan(cutoff)) {
        cutoff = pair_code_cutoff(problem->code);
        if (isnan(cutoff))
            return fail(error, SHOAL_INVALID,
                        "%s does not say where the force ends: #define CUTOFF in it, or give cutoff, 0 for "
                        "none",
                        problem->pair_name);
        if (!(cutoff > 0))
            return fail(error, SHOAL_INVALID, "%s: CUTOFF is %g, it must be above 0", problem->pair_name,
                        cutoff);
    }
    if (params->switch_radius >= cutoff)
        return fail(error, SHOAL_INVALID, "switch-radius %g must be less than the cutoff %g",
                    params->switch_radius, cutoff);
    set_law(problem, potential);
    return set_cut(problem, potential, cutoff, error);
}
