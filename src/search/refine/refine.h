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

/* Number of evaluations that the pattern search may make if the whole run has `evaluations` (0: no limit). */
uint64_t search_pattern_evaluations(const struct search_problem *problem, uint64_t evaluations);
/* Whether evaluations of a refinement are part of the evaluations of the run. Those of a fit to a table are
 * not. */
bool search_keeps_evaluations(const struct search_problem *problem);

/* One thread calls is_stopped repeatedly during a refinement; if it returns true, the refinement ends with
 * the best values so far. is_stopped NULL: the refinement is never stopped. */
struct search_stop {
    bool (*is_stopped)(void *data);
    void *data;
    int threads; /* most threads for evaluations; 0: as many threads as pay */
    /* evaluations of each run that a pattern search leaves to others, of those that all may make */
    uint64_t kept;
};

/* Moves `members`, [runs][dim], to the minima of their basins inside the box, and updates `values`, f at the
 * members. Members without a finite value do not change. search_refinement(problem) must not be
 * SEARCH_AS_FOUND. *passes: is increased by the number of evaluations of all rows. settled (NULL: not
 * wanted): set to true for runs that further evaluations would not change. */
SHOAL_MUST_CHECK enum shoal_status search_refine(const struct search_problem *problem, double *members,
                                                 double *values, const struct search_stop *stop,
                                                 uint64_t *passes, bool *settled, struct shoal_error *error);

#endif
