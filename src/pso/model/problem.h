/* Private: the problem of a search by swarms. Its members follow from the parameters and stay constant. */
#ifndef SHOAL_PSO_PROBLEM_H
#define SHOAL_PSO_PROBLEM_H

#include "pso/thesis/thesis.h"
#include "search/problem.h"

#include <shoal/pso.h>

#include "cl/search/layout.clh" /* include after <stdint.h> */

#include "cl/pso/layout.clh"

/* UPDATE of the kernels: inertia, linear and constriction differ in constants only. */
enum pso_update_kind { PSO_LINEAR_UPDATE, PSO_SPSO2011_UPDATE, PSO_FIPS_UPDATE };

struct pso_problem {
    struct search_problem search;
    const struct shoal_pso_params *params; /* parameters of the solver */
    enum pso_update_kind update;
    double inertia, inertia_step; /* inertia weight of step 1, and its change from each step to the next */
    double cognitive, social;     /* weights, multiplied by chi for `constriction`; for FIPS `social` is chi
                                   * phi */
    enum shoal_pso_velocity initial_velocity;
    size_t neighbours; /* neighbours of a particle in a ring; topology random: links that each particle draws
                        */
    size_t columns;    /* columns of the torus */
    size_t batch;      /* particles that move before bests are shared: 1 .. particles */
    struct pso_thesis thesis;
};

extern const struct search_algorithm pso_algorithm;

/* Checks rules between the parameters that need no objective. Each parameter must be in the range of its
 * option. */
SHOAL_MUST_CHECK enum shoal_status pso_check_params(const void *params, struct shoal_error *error);

/* Number of neighbours in a ring, or of links that a particle draws for topology `random`. */
size_t pso_neighbours(const struct shoal_pso_params *params);

/* Creates the problem and the constants of the swarm; search_problem_destroy destroys the problem. Frees
 * everything on failure. */
SHOAL_MUST_CHECK enum shoal_status pso_problem_create(struct shoal *shoal,
                                                      const struct shoal_pso_params *params,
                                                      struct pso_problem *problem, struct shoal_error *error);

static inline double pso_inertia(const struct pso_problem *problem, uint64_t step)
{
    return problem->inertia + problem->inertia_step * (double)(step - 1);
}

/* Least bytes that a step reads and writes for one evaluation. */
double pso_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
