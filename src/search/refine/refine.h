/* Private: refines the last digits of results, on the host in double precision. */
#ifndef SHOAL_SEARCH_REFINE_H
#define SHOAL_SEARCH_REFINE_H

#include "search/problem.h"

/* How results are refined, which the parameters and the objective determine. */
enum search_refinement {
    SEARCH_AS_FOUND,      /* no refinement */
    SEARCH_LEAST_SQUARES, /* Levenberg-Marquardt */
    SEARCH_PATTERN        /* a pattern search: polish.h */
};
enum search_refinement search_refinement(const struct search_problem *problem);

/* Returns the number of evaluations that the pattern search of a run may make. evaluations: those of the
 * whole run; 0: unlimited. */
uint64_t search_pattern_evaluations(const struct search_problem *problem, uint64_t evaluations);
/* Whether a run reserves some of its evaluations for a refinement: its result is refined by a pattern search,
 * and the objective has no table. */
bool search_keeps_evaluations(const struct search_problem *problem);

/* How a refinement is stopped. One thread calls is_stopped repeatedly; if it returns true, the refinement
 * ends with the best values so far. is_stopped NULL: the refinement is never stopped. */
struct search_stop {
    bool (*is_stopped)(void *data);
    void *data;
    int threads; /* largest number of threads for evaluations; 0: as many threads as pay */
    /* evaluations that were already used for other refinements of the run; the pattern search makes that many
     * fewer */
    uint64_t kept;
};

/* Moves `members`, [runs][dim], to minima nearby inside the box, and updates `values`, f at the members. A
 * member without a finite value does not change. search_refinement(problem) must not be SEARCH_AS_FOUND. Adds
 * the number of evaluations of the whole objective to *passes. settled (NULL: not wanted): [runs], set to
 * true if further evaluations would not change the member. */
SHOAL_MUST_CHECK enum shoal_status search_refine(const struct search_problem *problem, double *members,
                                                 double *values, const struct search_stop *stop,
                                                 uint64_t *passes, bool *settled, struct shoal_error *error);

#endif
