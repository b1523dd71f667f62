/* Constants of a swarm: weights of the update rule, neighbourhoods, batches. */
#include "pso/model/problem.h"
#include "base/error.h"
#include "search/space.h"

#include <math.h>

#include "cl/pso/model/mendes.clh"

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Returns the constriction factor chi of Clerc and Kennedy; phi > 4. */
static double constriction(double phi)
{
    return 2 / (phi - 2 + sqrt(phi * phi - 4 * phi));
}

/* Sets the constants of the update rule. steps: number of steps over which the inertia weight of `linear`
 * decreases. */
static void set_update(struct pso_problem *problem, uint64_t steps)
{
    const struct shoal_pso_params *params = problem->params;
    double inertia = 0.7298, pull = 1.49618;
    problem->update = PSO_LINEAR_UPDATE;
    switch ((enum shoal_pso_update)params->update) {
    case SHOAL_PSO_INERTIA:
        break;
    case SHOAL_PSO_LINEAR:
        inertia = 0.9;
        pull = 2;
        break;
    case SHOAL_PSO_CONSTRICTION:
        pull = 2.05;
        break;
    case SHOAL_PSO_SPSO2011:
        inertia = 1 / (2 * log(2));
        pull = 0.5 + log(2);
        problem->update = PSO_SPSO2011_UPDATE;
        break;
    case SHOAL_PSO_FIPS:
        pull = 2.05;
        problem->update = PSO_FIPS_UPDATE;
        break;
    }
    problem->inertia = or_default(params->inertia, inertia);
    problem->cognitive = or_default(params->cognitive, pull);
    problem->social = or_default(params->social, pull);
    if (params->update == SHOAL_PSO_LINEAR && steps > 1)
        problem->inertia_step =
            (or_default(params->inertia_end, 0.4) - problem->inertia) / (double)(steps - 1);
    if (params->update != SHOAL_PSO_CONSTRICTION && params->update != SHOAL_PSO_FIPS)
        return;
    const double phi = problem->cognitive + problem->social, chi = constriction(phi);
    problem->inertia = chi;
    if (params->update == SHOAL_PSO_CONSTRICTION) {
        problem->cognitive *= chi;
        problem->social *= chi;
    } else {
        problem->cognitive = 0;
        problem->social = chi * phi;
    }
}

static void set_swarm(struct pso_problem *problem)
{
    const struct shoal_pso_params *params = problem->params;
    const size_t particles = problem->search.members;
    problem->initial_velocity = (enum shoal_pso_velocity)params->initial_velocity;
    if (problem->initial_velocity == SHOAL_PSO_VELOCITY_BY_UPDATE)
        problem->initial_velocity =
            params->update == SHOAL_PSO_SPSO2011 ? SHOAL_PSO_DIFFERENCE : SHOAL_PSO_HALF_DIFFERENCE;
    problem->neighbours = pso_neighbours(params) * (params->topology == SHOAL_PSO_RANDOM ? LINK_DRAWS : 1);
    problem->columns = particles / search_torus_rows(particles);
    problem->batch = params->batch && params->batch < particles ? (size_t)params->batch : particles;
    problem->thesis = pso_thesis_of(params);
    problem->search.is_unbounded = params->bounds == SHOAL_PSO_UNBOUNDED;
}

/* Fails if a counter of random numbers would need more than 32 bits. */
static enum shoal_status check_counts(const struct pso_problem *problem, struct shoal_error *error)
{
    const size_t particles = problem->search.members, dim = problem->search.dim;
    const int32_t topology = problem->params->topology;
    const size_t neighbours = topology == SHOAL_PSO_VON_NEUMANN ? 4
                              : topology == SHOAL_PSO_PYRAMID   ? PYRAMID_MOST
                              : topology == SHOAL_PSO_RING      ? problem->neighbours
                                                                : particles;
    if (problem->update == PSO_FIPS_UPDATE && (double)neighbours * (double)(dim / 4 + 1) > 4294967295.0)
        return fail(error, SHOAL_INVALID,
                    "fips has no random numbers for %zu particles of dim %zu: lower --particles or --dim",
                    particles, dim);
    return SHOAL_OK;
}

enum shoal_status pso_problem_create(struct shoal *shoal, const struct shoal_pso_params *params,
                                     struct pso_problem *problem, struct shoal_error *error)
{
    *problem = (struct pso_problem){.params = NULL};
    enum shoal_status status =
        search_problem_create(shoal, &pso_algorithm, &params->search, &problem->search, error);
    if (status)
        return status;
    problem->params = (const struct shoal_pso_params *)problem->search.params;
    set_update(problem, params->search.iterations ? params->search.iterations : problem->search.max_steps);
    set_swarm(problem);
    status = check_counts(problem, error);
    if (!status)
        status = search_check_fixed(
            &problem->search, params->bounds == SHOAL_PSO_INVISIBLE || params->bounds == SHOAL_PSO_UNBOUNDED,
            params->bounds == SHOAL_PSO_INVISIBLE ? "invisible" : "unbounded", error);
    if (status)
        search_problem_destroy(&problem->search);
    return status;
}

/* A step reads and writes x and v, and reads p. It seldom writes p, so these writes are not counted. */
double pso_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    return 5 * (double)problem->dim * (double)(precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}
