/* Rules between parameters that `needs` of an option cannot express. A row describes an invalid
 * combination. */
#include "base/error.h"
#include "pso/model/problem.h"

#include <math.h>

typedef unsigned long long ull;

enum {
    /* largest number of neighbours of a fully informed particle, for which it draws a random number in each
     * dimension */
    MAX_INFORMANTS = 1024,
    /* least number of particles of the topology `clusters`, in which three particles of each cluster have a
     * link to another cluster */
    LEAST_CLUSTERED = 12
};

size_t pso_neighbours(const struct shoal_pso_params *params)
{
    if (params->neighbours)
        return (size_t)params->neighbours;
    return params->topology == SHOAL_PSO_RANDOM ? 3 : 2;
}

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static enum shoal_status check_update(const struct shoal_pso_params *params, struct shoal_error *error)
{
    const bool fips = params->update == SHOAL_PSO_FIPS;
    if (fips || params->update == SHOAL_PSO_CONSTRICTION) {
        const char *name = fips ? "fips" : "constriction";
        const double phi = or_default(params->cognitive, 2.05) + or_default(params->social, 2.05);
        if (!(phi > 4))
            return fail(error, SHOAL_INVALID, "%s needs --cognitive + --social above 4, they are %g", name,
                        phi);
    }
    return SHOAL_OK;
}

static enum shoal_status check_topology(const struct shoal_pso_params *params, struct shoal_error *error)
{
    const ull neighbours = pso_neighbours(params), particles = params->particles;
    if (params->topology == SHOAL_PSO_RING) {
        if (neighbours % 2)
            return fail(error, SHOAL_INVALID,
                        "a ring has as many neighbours on either side: --neighbours %llu is odd", neighbours);
        if (neighbours >= particles)
            return fail(error, SHOAL_INVALID,
                        "a ring with %llu neighbours needs %llu particles or more, there are %llu",
                        neighbours, neighbours + 1, particles);
    }
    const bool all = params->topology == SHOAL_PSO_GLOBAL || params->topology == SHOAL_PSO_RANDOM;
    if (params->update == SHOAL_PSO_FIPS && all && particles > MAX_INFORMANTS + 1)
        return fail(error, SHOAL_INVALID,
                    "fips with --topology %s allows %d particles, there are %llu: use ring or von-neumann",
                    params->topology == SHOAL_PSO_GLOBAL ? "global" : "random", MAX_INFORMANTS + 1,
                    particles);
    if (params->topology != SHOAL_PSO_CLUSTERS)
        return SHOAL_OK;
    if (particles < LEAST_CLUSTERED)
        return fail(error, SHOAL_INVALID,
                    "four clusters need three particles each: --topology clusters is for --particles %d or "
                    "more, there are %llu",
                    LEAST_CLUSTERED, particles);
    if (params->update == SHOAL_PSO_FIPS && particles / 4 > MAX_INFORMANTS)
        return fail(error, SHOAL_INVALID,
                    "fips with --topology clusters allows %d particles, there are %llu: use ring, pyramid or "
                    "von-neumann",
                    4 * MAX_INFORMANTS, particles);
    return SHOAL_OK;
}

enum shoal_status pso_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_pso_params *params = given;
    enum shoal_status status = search_check_params(&pso_algorithm, &params->search, error);
    if (!status)
        status = check_update(params, error);
    return status ? status : check_topology(params, error);
}
