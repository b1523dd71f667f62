/* Private: pattern search from the best position of each run, all runs in step, so that their points make one
 * batch.
 *
 * The owner evaluates the points: on the host, on a device, or by its own caller:
 *     while ((count = search_polish_ask(polish, &points)) > 0)
 *         values of the points; search_polish_tell(polish, values);
 */
#ifndef SHOAL_SEARCH_POLISH_H
#define SHOAL_SEARCH_POLISH_H

#include "search/problem.h"

struct search_polish;

/* position: runs * dim, best: their values, +infinity for a run that has none; both are copied. Each run gets
 * so many evaluations. The points, and so the positions found, are numbers of that precision. */
SHOAL_MUST_CHECK enum shoal_status search_polish_create(const struct search_problem *problem,
                                                        enum shoal_precision precision, uint64_t evaluations,
                                                        const double *position, const double *best,
                                                        struct search_polish **out,
                                                        struct shoal_error *error);
void search_polish_destroy(struct search_polish **polish);

/* The next batch, dim contiguous coordinates of a point, valid until the next call of tell; 0: the
 * search is over. The same batch until its values are told. */
size_t search_polish_ask(struct search_polish *polish, const double **points);
/* Points of a batch at most. */
size_t search_polish_capacity(const struct search_problem *problem);
/* sign f(x - shift) and the penalty of each point of the batch; values that are not finite are worse than all
 * others. */
void search_polish_tell(struct search_polish *polish, const double *values);

/* Asks, evaluates and tells to the end, or until the solver is to stop; another call goes on. `evaluate`
 * fills values[i] for point i < count. */
typedef enum shoal_status (*search_evaluate_fn)(struct shoal_solver *solver, const double *points,
                                                size_t count, double *values, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_polish_run(struct search_polish *polish,
                                                     search_evaluate_fn evaluate, struct shoal_solver *solver,
                                                     struct shoal_error *error);

const double *search_polish_position(const struct search_polish *polish); /* runs * dim */
const double *search_polish_best(const struct search_polish *polish);     /* runs */
/* runs: is it at a minimum, for all that its steps tell, or were its evaluations used up before? */
const bool *search_polish_settled(const struct search_polish *polish);
uint64_t search_polish_evaluations(const struct search_polish *polish); /* of all runs */

/* The whole state as plain bytes, which fit a search made from the same problem and precision. */
size_t search_polish_bytes(const struct search_polish *polish);
void search_polish_get(const struct search_polish *polish, void *bytes);
/* False if the bytes are not valid; then the search must be destroyed. */
bool search_polish_set(struct search_polish *polish, const void *bytes);

#endif
