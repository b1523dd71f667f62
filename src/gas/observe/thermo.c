/* What follows from the sums that a solver takes over its gas, and the ways in which a gas fails. */
#include "base/error.h"
#include "gas/observe/sampling.h"

void gas_finish_thermo(const struct gas_problem *problem, double virial, double heat,
                       struct shoal_gas_thermo *thermo)
{
    const double dim = (double)problem->dim;
    thermo->particles = problem->n;
    thermo->total = thermo->kinetic + thermo->potential;
    thermo->conserved = thermo->total - heat;
    thermo->temperature = problem->degrees > 0 ? 2 * thermo->kinetic / problem->degrees : 0;
    thermo->pressure = (2 * thermo->kinetic + virial) / (dim * problem->volume);
}

double gas_mean_wall_impulse(const struct gas_problem *problem, double impulse[GAS_MAX_DIM][2])
{
    double sum = 0, area = 0;
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_WALLS) {
            area += 2 * problem->volume / problem->length[k];
            sum += impulse[k][0] + impulse[k][1];
        }
    return sum / area;
}

enum shoal_status gas_fail_exploded(const struct gas_problem *problem, uint64_t made, size_t particle,
                                    struct shoal_error *error)
{
    const int64_t step = (int64_t)(made - problem->params->equilibration);
    return fail(error, SHOAL_CHECK_FAILED,
                "the gas exploded at step %lld: particle %zu went further in one step than a particle may; "
                "lower dt (%g), or start with particles further apart",
                (long long)step, particle, problem->params->dt);
}

enum shoal_status gas_fail_escaped(const struct gas_problem *problem, uint64_t made, size_t particle,
                                   struct shoal_error *error)
{
    const int64_t step = (int64_t)(made - problem->params->equilibration);
    return fail(error, SHOAL_CHECK_FAILED,
                "particle %zu is more than half a box outside of the box after step %lld, where it is no "
                "longer followed: take a larger box or walls",
                particle, (long long)step);
}
