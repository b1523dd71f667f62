/* Pair forces in double precision: the laws of cl/gas/model/pair.clh, and the constants of these laws. */
#include "base/error.h"
#include "gas/model/pair_law.h"
#include "gas/model/problem.h"

void gas_pair_evaluate(const struct gas_problem *problem, const struct gas_pair *pair, double d,
                       double *force_over_r, double *energy)
{
    gas_prepare_pairs(problem);
    const struct gas_value v = gas_pair_value(problem, pair, d, energy);
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

static void set_law(const struct gas_problem *problem, enum shoal_gas_potential potential, double epsilon,
                    double sigma, struct gas_pair *p)
{
    const struct shoal_gas_params *params = problem->params;
    if (problem->kind == GAS_PAIR_LJ) {
        const double sigma6 = pow(sigma, 6);
        p->lj6 = 4 * epsilon * sigma6;
        p->lj12 = p->lj6 * sigma6;
    } else if (gas_is_long(potential)) {
        const bool real = potential == SHOAL_GAS_REAL;
        const double softening = or_default(params->softening, 0.25);
        p->softening2 = softening * softening;
        p->attraction = or_default(params->attraction, real ? 1e-4 : 1);
        p->short_attraction = real ? or_default(params->short_attraction, 2) : 0;
        /* By default the energy has its minimum at distance 1, where s = d + softening^2 is repulsion / (sum
         * of the attractions). */
        if (real || potential == SHOAL_GAS_LOG_REPULSION)
            p->repulsion = or_default(params->repulsion,
                                      fmax(p->attraction + p->short_attraction, 0) * (1 + p->softening2));
    }
}

/* Sets cut, cutoff and the constants of the cut, for which the constants of the law must be set. */
static enum shoal_status set_cut(struct gas_problem *problem, enum shoal_gas_potential potential,
                                 double cutoff, struct gas_pair *p, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
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
    const struct gas_value end = gas_inside(problem, p, p->cutoff2, true);
    if (!isfinite(end.force) || !isfinite(end.energy))
        return fail(
            error, SHOAL_INVALID,
            "the pair force is not finite at its cutoff %g: force %g, energy %g; choose another --cutoff",
            cutoff, end.force * cutoff, end.energy);
    if (problem->cut != SHOAL_GAS_CUT_TRUNCATED)
        p->shift_energy = end.energy;
    if (problem->cut == SHOAL_GAS_CUT_FORCE_SHIFTED)
        p->shift_force = -end.force * cutoff;
    return SHOAL_OK;
}

enum shoal_status gas_fail_without_cutoff(const struct gas_problem *problem, struct shoal_error *error)
{
    return fail(error, SHOAL_INVALID, "%s has no cutoff: #define CUTOFF in it, or give --cutoff, 0 for none",
                problem->pair_name);
}

/* Sets the constants of the pair force between each two species: those of the gas, problem->pair, with other
 * values. */
static enum shoal_status set_species(struct gas_problem *problem, enum shoal_gas_potential potential,
                                     struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    struct gas_species *species = problem->species;
    struct gas_kinds kinds;
    enum shoal_status status = gas_kinds_read(params, &kinds, error);
    for (size_t at = 0; !status && at < species->count * species->count; at++) {
        const size_t a = at / species->count, b = at % species->count;
        const struct gas_strength strength = gas_strength_between(params, &kinds, a, b);
        struct gas_pair *p = &species->pair[a][b];
        *p = problem->pair;
        p->attraction *= species->charge[a] * species->charge[b];
        if (problem->kind != GAS_PAIR_LJ)
            continue;
        if (params->switch_radius >= strength.cutoff)
            return fail(error, SHOAL_INVALID, "--switch-radius %g must be less than the cutoff %g of %s-%s",
                        params->switch_radius, strength.cutoff, species->names[a], species->names[b]);
        *p = (struct gas_pair){.softening2 = problem->pair.softening2};
        set_law(problem, potential, strength.epsilon, strength.sigma, p);
        status = set_cut(problem, potential, strength.cutoff, p, error);
        species->epsilon = fmax(species->epsilon, strength.epsilon);
        species->sigma = fmax(species->sigma, strength.sigma);
    }
    return status;
}

enum shoal_status gas_set_pair(struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const enum shoal_gas_potential potential = gas_potential_of(params);
    double cutoff = gas_cutoff_of(params);
    problem->kind = kind_of(potential);
    gas_prepare_pairs(problem);
    if (potential == SHOAL_GAS_USER && isnan(cutoff)) {
        cutoff = pair_code_cutoff(problem->code);
        if (isnan(cutoff))
            return gas_fail_without_cutoff(problem, error);
        if (!(cutoff > 0))
            return fail(error, SHOAL_INVALID, "%s: CUTOFF is %g, it must be above 0", problem->pair_name,
                        cutoff);
    }
    if (params->switch_radius >= cutoff)
        return fail(error, SHOAL_INVALID, "--switch-radius %g must be less than --cutoff %g",
                    params->switch_radius, cutoff);
    set_law(problem, potential, params->epsilon, params->sigma, &problem->pair);
    enum shoal_status status = set_cut(problem, potential, cutoff, &problem->pair, error);
    if (!status && problem->species)
        status = set_species(problem, potential, error);
    return status || potential != SHOAL_GAS_USER ? status : gas_check_pair(problem, error);
}
