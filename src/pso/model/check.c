/* Rules between the parameters of a swarm beyond `needs` of its options: one line for each invalid
 * combination. */
#include "base/error.h"
#include "pso/model/problem.h"

#include <math.h>

typedef unsigned long long ull;

enum {
    /* More than a chart can show, and well within the step counters of every device. */
    MAX_TRACE = 1 << 20,
    /* A fully informed particle draws a number for each neighbour and dimension. */
    MAX_INFORMANTS = 1024
};

/* Of all runs: the kernels count particles and islands in 32 bits, with room for rounding up. */
static const double max_total = 268435456, max_islands = 1048576;

size_t pso_neighbours(const struct shoal_pso_params *params)
{
    if (params->neighbours)
        return (size_t)params->neighbours;
    return params->topology == SHOAL_PSO_RANDOM ? 3 : 2;
}

uint64_t pso_total_steps(const struct shoal_pso_params *params)
{
    const uint64_t each = params->particles * params->swarms;
    const uint64_t allowed = params->evaluations ? (params->evaluations - 1) / each : UINT64_MAX;
    return allowed < params->iterations ? allowed : params->iterations;
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
    return SHOAL_OK;
}

static enum shoal_status check_size(const struct shoal_pso_params *params, struct shoal_error *error)
{
    const double total = (double)params->particles * (double)params->swarms * (double)params->runs;
    if ((double)params->swarms * (double)params->runs > max_islands)
        return fail(error, SHOAL_INVALID,
                    "%llu runs of %llu swarms are more than %.0f: lower --runs or --swarms",
                    (ull)params->runs, (ull)params->swarms, max_islands);
    if (total > max_total)
        return fail(error, SHOAL_INVALID,
                    "%llu runs of %llu swarms of %llu particles are more than %.0f particles: lower --runs, "
                    "--swarms or --particles",
                    (ull)params->runs, (ull)params->swarms, (ull)params->particles, max_total);
    const uint64_t steps = pso_total_steps(params);
    if (params->trace && steps / params->trace >= MAX_TRACE)
        return fail(error, SHOAL_INVALID,
                    "a trace every %llu of %llu steps has more than %d entries: raise --trace",
                    (ull)params->trace, (ull)steps, MAX_TRACE);
    return SHOAL_OK;
}

enum shoal_status pso_check_params(const struct shoal_pso_params *params, struct shoal_error *error)
{
    if (params->objective && (params->objective_file || params->expression || params->data_file))
        return fail(error, SHOAL_INVALID,
                    "an objective of the caller and a file or formula are both given: use one");
    enum shoal_status status = check_update(params, error);
    if (!status)
        status = check_topology(params, error);
    if (!status)
        status = check_size(params, error);
    if (status)
        return status;
    if (!isnan(params->lower) && !isnan(params->upper) && !(params->lower < params->upper))
        return fail(error, SHOAL_INVALID, "the box is empty: --lower %.9g is not less than --upper %.9g",
                    params->lower, params->upper);
    return SHOAL_OK;
}
