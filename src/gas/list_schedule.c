/* When the neighbour list is made anew: numbers that follow from the gas and from what the device has seen.
 */
#include "gas/list.h"

#include <math.h>

enum { FIRST_REVISION = 64, REVISION = 1024, LONGEST_INTERVAL = 1024 };

double gas_list_skin(const struct gas_problem *problem, const struct shoal_device_info *info)
{
    /* Up to here a rebuild takes several launches of nearly nothing, and a step too: fewer rebuilds are worth
     * longer lists. Measured on an H200 at 4096 particles: 154, 184 and 204 thousand steps a second with
     * skins of 0.2, 0.4 and 0.7 cutoffs. */
    enum { FEW_PARTICLES = 16384 };
    const double asked = problem->params->skin, cutoff = problem->pair.cutoff;
    if (!isnan(asked))
        return asked;
    if (problem->dim == 2 && !info->is_cpu && problem->n <= FEW_PARTICLES)
        return 0.7 * cutoff;
    /* Twice the volume of the cutoff in three dimensions would be tried in vain at the skin that pays in two.
     */
    return (problem->dim == 2 ? 0.3 : 0.15) * cutoff;
}

/* The fastest of n particles has sqrt(2 ln n) thermal speeds in each direction, one more for what it gains.
 */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin)
{
    const struct shoal_gas_params *params = problem->params;
    const double thermal = sqrt(params->temperature / params->mass);
    const double fastest = thermal * (1 + sqrt(2 * log((double)problem->n + 1)));
    const double steps = 0.5 * skin / (fastest * params->dt);
    return steps < 1 ? 1 : steps < LONGEST_INTERVAL ? (uint32_t)steps : LONGEST_INTERVAL;
}

/* The last step of an interval may lead out of the list, since no force is taken from it there. */
uint32_t gas_list_next_interval(uint32_t interval, double pace)
{
    const double margin = 0.95, steps = fmin(1 + floor(margin / pace), 2.0 * interval);
    return steps < 1 ? 1 : steps < LONGEST_INTERVAL ? (uint32_t)steps : LONGEST_INTERVAL;
}

/* Powers of two, until they are that far apart. */
uint64_t gas_list_next_revision(uint64_t made)
{
    uint64_t next = FIRST_REVISION;
    while (next <= made && next < REVISION)
        next *= 2;
    return next > made ? next : (made / REVISION + 1) * REVISION;
}
