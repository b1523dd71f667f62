/* Private: the problem of a search, resolved from the parameters once and constant from then on. */
#ifndef SHOAL_PSO_PROBLEM_H
#define SHOAL_PSO_PROBLEM_H

#include <shoal/pso.h>

#include "cl/pso/layout.clh" /* behind <stdint.h> */

/* UPDATE of the kernels: inertia, linear and constriction differ in constants only. */
enum pso_update_kind { PSO_LINEAR_UPDATE, PSO_SPSO2011_UPDATE, PSO_FIPS_UPDATE };

struct pso_problem {
    const struct shoal_pso_params *params; /* of the solver */
    const struct shoal_objective *objective;
    struct shoal_objective *own; /* the same if created here; else NULL */
    const struct shoal_objective_info *info;
    size_t dim;
    size_t particles, swarms, runs; /* of an island, of a run, in all */
    size_t islands;                 /* swarms * runs; island k belongs to run k / swarms */
    size_t total;                   /* particles * islands; particle i belongs to island i / particles */
    double *lower, *upper, *shift;  /* dim each, allocated */
    bool same_box;                  /* the same box in each dimension and no shift */
    double sign;                    /* 1, or -1 to maximise */
    enum pso_update_kind update;
    double inertia, inertia_step; /* of step 1, added for each further step */
    double cognitive, social;     /* folded with chi for constriction; for FIPS social is chi phi */
    enum shoal_pso_velocity initial_velocity;
    size_t neighbours;  /* of a ring; random: draws of links for each particle */
    size_t columns;     /* of the torus */
    size_t batch;       /* 1 .. particles */
    double target;      /* of sign f; -infinity: none */
    uint64_t max_steps; /* after which every run has ended by iterations or evaluations */
};

/* Rules between the parameters that need no objective; each one by itself is in the range of its option. */
SHOAL_MUST_CHECK enum shoal_status pso_check_params(const struct shoal_pso_params *params,
                                                    struct shoal_error *error);

/* Neighbours of ring and random as `params` ask for them. */
size_t pso_neighbours(const struct shoal_pso_params *params);

/* Steps of a run, by its iterations or its evaluations, those of step 0 included. */
uint64_t pso_total_steps(const struct shoal_pso_params *params);

/* Of struct workload. */
SHOAL_MUST_CHECK enum shoal_status pso_check_input(const void *params, struct shoal_error *error);

/* Resolves the objective (reading and compiling texts, reading tables), boxes, constants. `params` are
 * valid and outlive the problem; its arrays are copied. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status pso_problem_create(struct shoal *shoal,
                                                      const struct shoal_pso_params *params,
                                                      struct pso_problem *problem, struct shoal_error *error);
void pso_problem_destroy(struct pso_problem *problem); /* accepts zeros */

static inline double pso_inertia(const struct pso_problem *problem, uint64_t step)
{
    return problem->inertia + problem->inertia_step * (double)(step - 1);
}

/* Value of the search at x: sign f(x - shift), NaN and infinities as +infinity; in double. scratch: dim. */
double pso_value(const struct pso_problem *problem, const double *x, double *scratch);

#endif
