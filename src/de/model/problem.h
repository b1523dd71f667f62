/* Private: the problem of a search by differential evolution. Its members follow from the parameters and stay
 * constant. */
#ifndef SHOAL_DE_PROBLEM_H
#define SHOAL_DE_PROBLEM_H

#include "de/model/schedule.h"
#include "search/problem.h"

#include "cl/search/layout.clh" /* include after <stdint.h> */

#include "cl/de/layout.clh"
#define PLAN const uint32_t *
#include "cl/de/model/step.clh"

struct de_problem {
    struct search_problem search;
    const struct shoal_de_params *params; /* parameters of the solver, with their defaults */
    struct de_schedule schedule;
    const uint32_t *plan; /* see cl/de/layout.clh */
    size_t plan_words;    /* words of `plan` */
    size_t cells;         /* cells of the memory of F and CR; 0: no memory */
    size_t free_cells;    /* cells that change */
    size_t slots;         /* slots of the archive of an island; 0: no archive */
    bool has_own;         /* each member keeps an F and a CR of its own */
    bool ranks;           /* trials use the order of the members */
    uint32_t
        level_steps; /* steps after a draw during which the level of violation falls; 0: there is no level */
};

extern const struct search_algorithm de_algorithm;

/* Reals of an island's level of violation: cl/de/model/level.clh. */
enum { DE_LEVEL_REALS = 2 };

/* The level of violation at the begin is at most this for each equality, in tolerances of equalities. */
#define DE_LEVEL_MOST 30000.0

/* The greatest level of violation with which an island begins. */
double de_level_most(const struct de_problem *problem);

/* Checks rules between the parameters that need no objective. Each parameter must be in the range of its
 * option. */
SHOAL_MUST_CHECK enum shoal_status de_check_params(const void *params, struct shoal_error *error);

/* Creates the problem; search_problem_destroy destroys it. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status de_problem_create(struct shoal *shoal,
                                                     const struct shoal_de_params *params,
                                                     struct de_problem *problem, struct shoal_error *error);

/* Functions of struct search_algorithm. */
void de_resolve(struct search_problem *problem);
extern const struct search_shrinking de_shrinking;
void de_save_state(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status de_check_state(const struct search_problem *problem,
                                                  const struct checkpoint *checkpoint,
                                                  struct shoal_error *error);

/* F and CR in each cell of the memory at the begin; *rate < 0: CR is 0 for ever. */
void de_first_cell(const struct de_problem *problem, size_t cell, double *scale, double *rate);

static inline struct de_step de_problem_step(const struct de_problem *problem, uint64_t step)
{
    return de_step_of(problem->plan, (uint32_t)step);
}

/* Least bytes that a step reads and writes for one evaluation. */
double de_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
