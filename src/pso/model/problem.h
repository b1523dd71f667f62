/* Private: the problem of a search by swarms. It is created from the parameters, and does not change during a
 * search. */
#ifndef SHOAL_PSO_PROBLEM_H
#define SHOAL_PSO_PROBLEM_H

#include "pso/thesis/thesis.h"
#include "search/problem.h"

#include <shoal/pso.h>

#include "cl/search/layout.clh" /* must be included after <stdint.h> */

#include "cl/pso/layout.clh"

/* Values of the define UPDATE of the kernels. The rules inertia, linear and constriction differ only in
 * constants. */
enum pso_update_kind { PSO_LINEAR_UPDATE, PSO_SPSO2011_UPDATE, PSO_FIPS_UPDATE };

struct pso_problem {
    struct search_problem search;
    const struct shoal_pso_params *params; /* parameters of the solver */
    enum pso_update_kind update;
    double inertia, inertia_step; /* inertia weight of step 1, and its change in each further step */
    /* weights of the pulls. For `constriction` they include the factor chi. For FIPS, `social` is chi phi. */
    double cognitive, social;
    enum shoal_pso_velocity initial_velocity;
    /* number of neighbours of a particle in a ring; for the topology `random`, number of links that each
     * particle draws */
    size_t neighbours;
    size_t columns; /* number of columns of the torus */
    size_t batch;   /* number of particles that move before bests are shared, 1 .. particles */
    struct pso_thesis thesis;
};

extern const struct search_algorithm pso_algorithm;

/* Checks the rules between the parameters that do not depend on the objective. Each parameter must be in the
 * range of its option. */
SHOAL_MUST_CHECK enum shoal_status pso_check_params(const void *params, struct shoal_error *error);

/* Returns the number of neighbours of a particle in a ring or, for the topology `random`, the number of links
 * that each particle draws. */
size_t pso_neighbours(const struct shoal_pso_params *params);

/* Creates the problem and the constants of the swarm. search_problem_destroy destroys them. Frees everything
 * on failure. */
SHOAL_MUST_CHECK enum shoal_status pso_problem_create(struct shoal *shoal,
                                                      const struct shoal_pso_params *params,
                                                      struct pso_problem *problem, struct shoal_error *error);

static inline double pso_inertia(const struct pso_problem *problem, uint64_t step)
{
    return problem->inertia + problem->inertia_step * (double)(step - 1);
}

/* Returns the least number of bytes that a step reads and writes for each evaluation. */
double pso_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
