/* Private: CMA-ES on the host, in double precision. p and best of struct search_host hold the points of the
 * last step and their values. */
#ifndef SHOAL_CMAES_HOST_H
#define SHOAL_CMAES_HOST_H

#include "cmaes/cmaes.h"
#include "search/host/host.h"

/* CMAES_BLOCK: number of points in a block, whose random numbers are drawn together. CMAES_SHORT: largest
 * number of coordinates for which the vectors of a block stay in lanes; several such blocks are made with the
 * first one, since they do not take so long that threads should share them. */
enum { CMAES_BLOCK = 4, CMAES_SHORT = 64 };

struct cmaes_host {
    struct search_host search;
    struct cmaes_problem problem;
    const struct cmaes_host_rules *rules;
    /* numbers of a run in the arrays below; points: largest number of points of a generation */
    struct {
        size_t numbers, kept, points;
    } sizes;
    const double *grains; /* cmaes_grains() */
    size_t together;      /* number of points that are made with the first one of them */
    uint32_t *words;      /* [runs][CMA_WORDS] */
    /* Arrays with a row for each run. scalars: enum cma_scalar; numbers: vectors and matrices; kept: best
     * values and history; values: values of the points of a generation; weights: scratch, a weight for each
     * point; rank_weights: weights of the ranks, for generations of ranked[run] points. */
    double *scalars, *numbers, *kept, *values, *weights, *rank_weights;
    uint32_t *ranked; /* [runs]; 0: the weights of the ranks are not set */
    /* [runs][population][dim] each: z: normal vectors of the points of a step; y: steps in units of sigma.
     * Not used for a generation of several parts if there is memory for `parts` */
    double *z, *y;
    /* parts: z and y of the parts of a generation, [runs][2^doublings][2][population][dim]; NULL: they would
     * need too much memory, and are made again. lost, [runs]: number of the first parts of the generation
     * that are not in `parts`, since a state was loaded */
    double *parts;
    uint32_t *lost;
    /* Arrays of the augmented Lagrangian; NULL: the problem has none. lagrangian: state of each run; sides:
     * objective value and sides of the constraints for each point of the step; room: scratch, a number for
     * each point. */
    double *lagrangian, *sides, *room;
    double *start; /* [start_count][dim]: start points in units of the box; NULL: none */
};

extern const struct search_host_ops cmaes_host_functions;

static inline struct cmaes_host *cmaes_host_of(const struct search_host *search)
{
    return (struct cmaes_host *)search;
}

/* The rules, by the text of the kernels: rules.c ------------------------------------------------------- */

struct cmaes_host_rules {
    /* Begins the first population of a run. */
    void (*begin)(struct search_host *search, size_t run);
    /* Makes point i of step `step`, the first of `together` points, and the others of them. */
    void (*make)(struct search_host *search, size_t i, uint64_t step);
    /* Ends the step of a run, whose points all have values. */
    void (*end_step)(struct search_host *search, size_t run);
};

/* cmaes_host_rules_avx2: the same rules, with the same bits, for processors with AVX2. */
extern const struct cmaes_host_rules cmaes_host_rules, cmaes_host_rules_avx2;

/* The augmented Lagrangian: lagrangian.c --------------------------------------------------------------- */

/* cmaes_lagrangian_numbers: numbers in the state of a run. cmaes_lagrangian_parts: parts of a point, which
 * are its objective value and the sides of its constraints. Both are 0 if the problem has no augmented
 * Lagrangian. */
size_t cmaes_lagrangian_numbers(const struct cmaes_problem *problem);
size_t cmaes_lagrangian_parts(const struct cmaes_problem *problem);
/* Returns the objective value of point i, and stores the parts of the point for the augmented Lagrangian. */
double cmaes_host_value(struct search_host *search, size_t i, uint64_t step, double *scratch);
/* Fills values[population] with the augmented Lagrangian of the points of a run's step. is_new: the
 * generation is the first of its population. adapts: a generation is complete; the coefficients are updated
 * before the values are computed. */
void cmaes_host_lagrange(const struct cmaes_host *host, size_t run, bool is_new, bool adapts, double *values);

#endif
