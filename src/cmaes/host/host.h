/* Private: CMA-ES on the host, in double precision. p and best of struct search_host hold the points of the
 * last step and their values. */
#ifndef SHOAL_CMAES_HOST_H
#define SHOAL_CMAES_HOST_H

#include "cmaes/cmaes.h"
#include "search/host/host.h"

struct cmaes_host {
    struct search_host search;
    struct cmaes_problem problem;
    uint32_t *words; /* [runs][CMA_WORDS] */
    /* [runs] each: scalars, vectors and matrices, best values and history, values of the generation, scratch.
     */
    double *scalars, *numbers, *kept, *values, *weights;
    double *z,
        *y; /* [runs][population][dim]: normal vectors of the points of a step, and steps in units of sigma
             */
    /* With an augmented Lagrangian: its state in each run, and the value and the sides of the constraints at
     * each point of the step, and room for a number of each point. Else NULL. */
    double *lagrangian, *sides, *room;
    double *start; /* [start_count][dim]: start points in units of the box; NULL: none */
};

extern const struct search_host_ops cmaes_host_functions;

static inline struct cmaes_host *cmaes_host_of(const struct search_host *search)
{
    return (struct cmaes_host *)search;
}

/* The rules, by the text of the kernels: rules.c
 * -------------------------------------------------------------- */

/* Begins the first population of a run. */
void cmaes_host_begin(struct search_host *search, size_t run);
/* Makes point i of step `step`; scratch: [dim]. */
void cmaes_host_make(struct search_host *search, size_t i, uint64_t step, double *scratch);
/* Ends the step in which the points of a run got their values. */
void cmaes_host_end_step(struct search_host *search, size_t run);

/* The augmented Lagrangian: lagrangian.c --------------------------------------------------------------- */

/* Numbers of its state in a run, and of the parts of a point; 0: the problem has no augmented Lagrangian. */
size_t cmaes_lagrangian_numbers(const struct cmaes_problem *problem);
size_t cmaes_lagrangian_parts(const struct cmaes_problem *problem);
/* The value of point i, of which it keeps the parts. */
double cmaes_host_value(struct search_host *search, size_t i, uint64_t step, double *scratch);
/* Fills what the points of a step of a run count. is_new: the population makes its first generation. adapts:
 * the coefficients change, as a generation begins. */
void cmaes_host_lagrange(const struct cmaes_host *host, size_t run, bool is_new, bool adapts, double *values);

#endif
