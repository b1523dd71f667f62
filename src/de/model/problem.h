/* Private: the problem of differential evolution. It is created from the parameters, and then constant. */
#ifndef SHOAL_DE_PROBLEM_H
#define SHOAL_DE_PROBLEM_H

#include "de/model/schedule.h"
#include "search/problem.h"

#include "cl/search/layout.clh" /* must be included after <stdint.h> */

#include "cl/de/layout.clh"
#define PLAN const uint32_t *
#include "cl/de/model/step.clh"

struct de_problem {
    struct search_problem search;
    const struct shoal_de_params *params; /* parameters of the solver, including defaults */
    struct de_schedule schedule;
    const uint32_t *plan; /* table of cl/de/layout.clh */
    size_t plan_words;    /* number of words of `plan` */
    size_t cells;         /* number of cells of the memory of F and CR; 0: there is no memory */
    size_t free_cells;    /* number of cells that are updated */
    size_t slots;         /* number of slots in the archive of an island; 0: there is no archive */
    bool has_own;         /* each member has its own F and CR */
    bool ranks;           /* trials depend on the ranks of the members */
    /* number of steps after a draw during which the epsilon level decreases; 0: there is no level */
    uint32_t level_steps;
};

extern const struct search_algorithm de_algorithm;

/* Number of reals of an island's epsilon level: cl/de/model/level.clh. */
enum { DE_LEVEL_REALS = 2 };

/* Largest first epsilon level for each equality, in units of the tolerance of equalities. */
#define DE_LEVEL_MOST 30000.0

/* Returns the largest epsilon level with which an island may begin. */
double de_level_most(const struct de_problem *problem);

/* Checks the rules between the parameters that do not depend on the objective. Each parameter must be in the
 * range of its option. */
SHOAL_MUST_CHECK enum shoal_status de_check_params(const void *params, struct shoal_error *error);

/* Creates the problem, to be destroyed by search_problem_destroy. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status de_problem_create(struct shoal *shoal,
                                                     const struct shoal_de_params *params,
                                                     struct de_problem *problem, struct shoal_error *error);

/* de_resolve, de_shrinking, de_save_state, de_check_state: members of struct search_algorithm. */
void de_resolve(struct search_problem *problem);
extern const struct search_shrinking de_shrinking;
void de_save_state(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status de_check_state(const struct search_problem *problem,
                                                  const struct checkpoint *checkpoint,
                                                  struct shoal_error *error);

/* First values of F and CR in each cell of the memory; *rate < 0: CR is always 0. */
void de_first_cell(const struct de_problem *problem, size_t cell, double *scale, double *rate);

static inline struct de_step de_problem_step(const struct de_problem *problem, uint64_t step)
{
    return de_step_of(problem->plan, (uint32_t)step);
}

/* Least number of bytes that a step reads and writes for each evaluation. */
double de_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
