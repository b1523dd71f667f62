/* Private: the problem of a search by swarms, resolved from the parameters once and constant from then on. */
#ifndef SHOAL_PSO_PROBLEM_H
#define SHOAL_PSO_PROBLEM_H

#include "pso/thesis/thesis.h"
#include "search/problem.h"

#include <shoal/pso.h>

#include "cl/search/layout.clh" /* behind <stdint.h> */

#include "cl/pso/layout.clh"

/* UPDATE of the kernels: inertia, linear and constriction differ in constants only. */
enum pso_update_kind { PSO_LINEAR_UPDATE, PSO_SPSO2011_UPDATE, PSO_FIPS_UPDATE };

struct pso_problem {
    struct search_problem search;
    const struct shoal_pso_params *params; /* of the solver */
    enum pso_update_kind update;
    double inertia, inertia_step; /* of step 1, added for each further step */
    double cognitive, social;     /* folded with chi for constriction; for FIPS social is chi phi */
    enum shoal_pso_velocity initial_velocity;
    size_t neighbours; /* of a ring; random: draws of links for each particle */
    size_t columns;    /* of the torus */
    size_t batch;      /* 1 .. particles */
    struct pso_thesis thesis;
};

extern const struct search_algorithm pso_algorithm;

/* Rules between the parameters that need no objective; each one by itself is in the range of its option. */
SHOAL_MUST_CHECK enum shoal_status pso_check_params(const void *params, struct shoal_error *error);

/* Neighbours of ring and random as `params` ask for them. */
size_t pso_neighbours(const struct shoal_pso_params *params);

/* The problem, to be destroyed by search_problem_destroy, and the constants of the swarm. Frees everything on
 * failure. */
SHOAL_MUST_CHECK enum shoal_status pso_problem_create(struct shoal *shoal,
                                                      const struct shoal_pso_params *params,
                                                      struct pso_problem *problem, struct shoal_error *error);

static inline double pso_inertia(const struct pso_problem *problem, uint64_t step)
{
    return problem->inertia + problem->inertia_step * (double)(step - 1);
}

/* Memory that a step reads and writes at least for one evaluation. */
double pso_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
