/* Private: the last digits of a fit: Levenberg-Marquardt on the host, in double precision. */
#ifndef SHOAL_SEARCH_REFINE_H
#define SHOAL_SEARCH_REFINE_H

#include "search/problem.h"

/* Are the results of the search refined, by the parameters and the objective? */
bool search_refines(const struct search_problem *problem);

/* Moves the member x to the minimum of the sum of squares in whose basin it lies, inside the box, and
 * lowers *value, that of the search at x; or leaves both. *passes: evaluations of all residuals, added. */
SHOAL_MUST_CHECK enum shoal_status search_refine(const struct search_problem *problem, double *x,
                                                 double *value, uint64_t *passes, struct shoal_error *error);

#endif
