/* Passes a problem to the kernels of swarms: values of defines, and settings. */
#include "cl/pso/choices.clh"
#include "pso/device/device.h"

#include <math.h>

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(LINEAR_UPDATE, PSO_LINEAR_UPDATE);
SAME(SPSO2011, PSO_SPSO2011_UPDATE);
SAME(FIPS, PSO_FIPS_UPDATE);
SAME(GLOBAL_BEST, SHOAL_PSO_GLOBAL);
SAME(RING, SHOAL_PSO_RING);
SAME(VON_NEUMANN, SHOAL_PSO_VON_NEUMANN);
SAME(RANDOM_LINKS, SHOAL_PSO_RANDOM);
SAME(CLUSTERS, SHOAL_PSO_CLUSTERS);
SAME(PYRAMID, SHOAL_PSO_PYRAMID);
SAME(REFLECT, SHOAL_PSO_REFLECT);
SAME(CLAMP, SHOAL_PSO_CLAMP);
SAME(ABSORB, SHOAL_PSO_ABSORB);
SAME(BOUNCE, SHOAL_PSO_BOUNCE);
SAME(PERIODIC, SHOAL_PSO_PERIODIC);
SAME(REENTRY, SHOAL_PSO_REENTRY);
SAME(INVISIBLE, SHOAL_PSO_INVISIBLE);
SAME(UNBOUNDED, SHOAL_PSO_UNBOUNDED);
SAME(PHILOX, SHOAL_PSO_PHILOX);
SAME(PHILOX16, SHOAL_PSO_PHILOX16);

void pso_rule_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    const struct shoal_pso_params *params = problem->params;
    define_add(defines, "BOUNDS", params->bounds);
    define_add(defines, "BOX", !problem->search.same_box);
    define_add(defines, "INITIAL_VELOCITY", problem->initial_velocity);
    define_add(defines, "LIMITED", !isnan(params->velocity_limit));
    define_add(defines, "RANDOM", params->random);
    define_add(defines, "REAL", device->search.precision == SHOAL_FP64 ? 64 : 32);
    define_add(defines, "SCALAR_RANDOM", params->scalar_random);
    define_add(defines, "TOPOLOGY", params->topology);
    define_add(defines, "UPDATE", problem->update);
}

SAME(SET_OWN, SET_INERTIA);
_Static_assert((int)SET_LIMIT < (int)SET_BOX, "room for the settings of the swarm");

void pso_fill_settings(const struct search_problem *search, double *settings)
{
    const struct pso_problem *problem = (const struct pso_problem *)search;
    settings[SET_INERTIA] = problem->inertia;
    settings[SET_INERTIA_STEP] = problem->inertia_step;
    settings[SET_COGNITIVE] = problem->cognitive;
    settings[SET_SOCIAL] = problem->social;
    settings[SET_LIMIT] = isnan(problem->params->velocity_limit) ? 0 : problem->params->velocity_limit;
}
