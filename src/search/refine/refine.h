/* Private: refinement of the last digits of a fit, on the host in double precision. */
#ifndef SHOAL_SEARCH_REFINE_H
#define SHOAL_SEARCH_REFINE_H

#include "search/problem.h"

/* How the results of the search are refined, by the parameters and the objective. */
enum search_refinement {
    SEARCH_AS_FOUND,      /* no refinement */
    SEARCH_LEAST_SQUARES, /* Levenberg-Marquardt */
    SEARCH_PATTERN        /* a pattern search: polish.h */
};
enum search_refinement search_refinement(const struct search_problem *problem);

/* Evaluations that the pattern search may take where the whole run has `evaluations` (0: no limit). */
uint64_t search_pattern_evaluations(const struct search_problem *problem, uint64_t evaluations);
/* Do the evaluations of a refinement count among the evaluations of the run? For a fit to a table they do
 * not. */
bool search_keeps_evaluations(const struct search_problem *problem);

/* One thread asks is_stopped in the middle of a refinement: true ends the refinement with the best values so
 * far. is_stopped NULL: it is never stopped. */
struct search_stop {
    bool (*is_stopped)(void *data);
    void *data;
    int threads; /* most threads for evaluations; 0: as many threads as make them faster */
};

/* Moves `members` ([runs][dim]) to the minima of their basins inside the box and updates `values`, f at the
 * members. Members without a finite value stay as they are. search_refinement(problem) must not be
 * SEARCH_AS_FOUND. *passes: grows by the evaluations of all rows. settled[run]: set to true where more
 * evaluations would change nothing; NULL: not wanted. */
SHOAL_MUST_CHECK enum shoal_status search_refine(const struct search_problem *problem, double *members,
                                                 double *values, const struct search_stop *stop,
                                                 uint64_t *passes, bool *settled, struct shoal_error *error);

#endif
