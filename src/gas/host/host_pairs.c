/* Pair forces of many distances at once. This file is compiled without errno and traps, so that its loops
 * become vector code. The results are rounded as in other files. */
#include "gas/host/host_list.h"
#include "gas/model/pair_law.h"

/* Inlined, so that the compiler knows the force law and the cut at each call. */
__attribute__((always_inline)) static inline void evaluate(const struct gas_problem *problem,
                                                           enum gas_pair_kind kind, enum shoal_gas_cut cut,
                                                           size_t count, const double *restrict d,
                                                           double *restrict force)
{
    struct gas_problem law = *problem;
    law.kind = kind;
    law.cut = cut;
    for (size_t c = 0; c < count; c++) {
        const double inside = gas_cut(&law, &law.pair, d[c], false).force;
        force[c] = d[c] < law.pair.cutoff2 ? inside : 0;
    }
}

static void evaluate_lennard_jones(const struct gas_problem *problem, size_t count, const double *d,
                                   double *force)
{
    switch (problem->cut) {
    case SHOAL_GAS_CUT_FORCE_SHIFTED:
        evaluate(problem, GAS_PAIR_LJ, SHOAL_GAS_CUT_FORCE_SHIFTED, count, d, force);
        break;
    /* `shifted` changes the energy only, so its forces are those of `truncated` */
    default:
        evaluate(problem, GAS_PAIR_LJ, SHOAL_GAS_CUT_TRUNCATED, count, d, force);
    }
}

void gas_host_pairs(const struct gas_problem *problem, size_t count, const double *d, double *force,
                    double *energy)
{
    if (problem->kind == GAS_PAIR_LJ && problem->cut != SHOAL_GAS_CUT_SMOOTHED && !energy) {
        evaluate_lennard_jones(problem, count, d, force);
        return;
    }
    gas_prepare_pairs(problem);
    for (size_t c = 0; c < count; c++) {
        const struct gas_value v = gas_pair_value(problem, &problem->pair, d[c], energy);
        force[c] = v.force;
        if (energy)
            energy[c] = v.energy;
    }
}

void gas_host_mixed_pairs(const struct gas_problem *problem, size_t count,
                          const struct gas_pair *const *pairs, const double *d, double *force, double *energy)
{
    gas_prepare_pairs(problem);
    for (size_t c = 0; c < count; c++) {
        const struct gas_value v = gas_pair_value(problem, pairs[c], d[c], energy);
        force[c] = v.force;
        if (energy)
            energy[c] = v.energy;
    }
}
