/* Private: the problem of a search by CMA-ES. It is created from the parameters, and then constant. */
#ifndef SHOAL_CMAES_PROBLEM_H
#define SHOAL_CMAES_PROBLEM_H

#include "search/problem.h"

#include <shoal/cmaes.h>

#include "cl/search/layout.clh" /* must be included after <stdint.h> */

#include "cl/cmaes/layout.clh"

struct checkpoint;

struct cmaes_problem {
    struct search_problem search;
    const struct shoal_cmaes_params *params; /* parameters of the solver */
    size_t vectors;                          /* number of vectors of the limited form */
    size_t ring; /* number of best values that a population keeps, one for each generation */
    /* [doublings + 1][CMA_CONSTANTS]. If some coordinates are rounded, [dim] numbers follow: the distance of
     * two whole numbers as a part of the width of the box, 0 for a coordinate that is not rounded. Points
     * into search.tables. */
    const double *constants;
};

extern const struct search_algorithm cmaes_algorithm;

/* Checks the rules between parameters that do not depend on the objective. Each parameter must be in the
 * range of its option. */
SHOAL_MUST_CHECK enum shoal_status cmaes_check_params(const void *params, struct shoal_error *error);

/* Creates the problem with the constants of the populations, to be destroyed by search_problem_destroy. Frees
 * everything on failure. */
SHOAL_MUST_CHECK enum shoal_status cmaes_problem_create(struct shoal *shoal,
                                                        const struct shoal_cmaes_params *params,
                                                        struct cmaes_problem *problem,
                                                        struct shoal_error *error);

/* Sets the rule for constraints on the host. SHOAL_INVALID: the problem does not allow the rule that was
 * asked for. */
SHOAL_MUST_CHECK enum shoal_status cmaes_choose_rule(struct cmaes_problem *problem,
                                                     struct shoal_error *error);

/* Sets the size of a population from the number of dimensions, unless the parameters give the size. */
void cmaes_resolve(struct search_problem *problem);

/* Fills the constants of a population: docs/cmaes.md, "Constants". */
void cmaes_set_constants(const struct shoal_cmaes_params *params, size_t dim, size_t population,
                         double constants[CMA_CONSTANTS]);

/* cmaes_numbers: number of elements in the vectors and matrices of a population. cmaes_kept: number of
 * elements in the best values and the history of a population. */
size_t cmaes_numbers(const struct cmaes_problem *problem);
size_t cmaes_kept(const struct cmaes_problem *problem);

/* cmaes_constants: numbers in `constants`. cmaes_grains: the part of `constants` that follows the rows; NULL:
 * no coordinate is rounded. */
size_t cmaes_constants(const struct cmaes_problem *problem);
const double *cmaes_grains(const struct cmaes_problem *problem);

/* Returns the largest number of points of a generation. */
static inline size_t cmaes_most_points(const struct cmaes_problem *problem)
{
    return problem->search.members << problem->params->doublings;
}

/* Returns coordinate d of a point in units of the box. */
static inline double cmaes_to_unit(const struct search_problem *search, size_t d, double coordinate)
{
    const double lower = search->lower[d], width = search->upper[d] - lower;
    return width > 0 ? (coordinate - lower) / width : 0.5;
}

/* Fills start[start_count][dim] with the start points in units of the box. */
void cmaes_fill_start(const struct cmaes_problem *problem, double *start);

/* Moves the mean of a population towards a point from outside of the search, between two steps. words, sigma:
 * the words of the population and its step size; numbers: its vectors and matrices. Does nothing in the
 * limited form, and between two parts of a generation. */
void cmaes_inject(const struct cmaes_problem *problem, const uint32_t *words, double sigma,
                  const double *point, double *numbers);

/* Checks the words of the populations in a checkpoint, which the rules use as indices. */
SHOAL_MUST_CHECK enum shoal_status cmaes_check_state(const struct search_problem *problem,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);

/* Least number of bytes that a step reads and writes for each evaluation. */
double cmaes_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
