/* Private: the last digits of a fit, on the host in double precision. */
#ifndef SHOAL_SEARCH_REFINE_H
#define SHOAL_SEARCH_REFINE_H

#include "search/problem.h"

/* How the results of the search are refined, by the parameters and the objective. */
enum search_refinement {
    SEARCH_AS_FOUND,      /* not at all */
    SEARCH_LEAST_SQUARES, /* Levenberg-Marquardt */
    SEARCH_PATTERN        /* a pattern search: polish.h */
};
enum search_refinement search_refinement(const struct search_problem *problem);

/* Evaluations of a run by a pattern search, of `evaluations` that the whole run has (0: no limit). */
uint64_t search_pattern_evaluations(const struct search_problem *problem, uint64_t evaluations);
/* Do those come out of the evaluations of the run? Over a table they come beside them. */
bool search_keeps_evaluations(const struct search_problem *problem);
/* After which it ends, by the limit of the wall time of the run; NaN: there is none. */
double search_pattern_seconds(const struct shoal_search_params *params);

/* Asked by one thread in the middle of a refinement: true ends it with what it has reached. NULL: never. */
struct search_stop {
    bool (*is_stopped)(void *data);
    void *data;
    int threads; /* at most, for values; 0: as many as pay */
};

/* Moves the members, `dim` numbers for each run, to the minimum in whose basin they lie, inside the box, and
 * their values of f with them; or leaves both, as those of runs whose value is not finite. The problem is one
 * that is refined. *passes: evaluations of all rows, added.
 * settled[run]: whether more of them would change nothing; NULL: not wanted. */
SHOAL_MUST_CHECK enum shoal_status search_refine(const struct search_problem *problem, double *members,
                                                 double *values, const struct search_stop *stop,
                                                 uint64_t *passes, bool *settled, struct shoal_error *error);

#endif
