/*  Private: the polish of the best position of each run by a pattern search or a simplex. All runs take their
 * iterations together, so that their points make one batch.
 *
 * The owner evaluates the points: on the host, on a device, or by handing them to its own caller: while
 * ((count = search_polish_ask(polish, &points)) > 0) values of the points; search_polish_tell(polish,
 * values);
 */
#ifndef SHOAL_SEARCH_POLISH_H
#define SHOAL_SEARCH_POLISH_H

#include "search/problem.h"

struct search_polish;

/* position: [runs][dim]; best: [runs], the values at the positions, +infinity for a run without a value. Both
 * arrays are copied. Each run gets at most `evaluations` evaluations. All coordinates are numbers of
 * precision `precision`. */
SHOAL_MUST_CHECK enum shoal_status
search_polish_create(const struct search_problem *problem, enum shoal_polish_rule rule,
                     enum shoal_precision precision, uint64_t evaluations, const double *position,
                     const double *best, struct search_polish **out, struct shoal_error *error);
void search_polish_destroy(struct search_polish **polish);

/* Returns the number of points in the next batch; 0: the search has ended. *points: [count][dim], valid until
 * the next call of search_polish_tell. Repeated calls give the same batch until its values are told. */
size_t search_polish_ask(struct search_polish *polish, const double **points);
/* Most points that a batch has. */
size_t search_polish_capacity(const struct search_problem *problem);
/* Takes the value of each point of the batch: sign f(x - shift) and the penalty. Values that are not finite
 * are worse than all others. */
void search_polish_tell(struct search_polish *polish, const double *values);

/* Asks, evaluates and tells to the end of the search, or until the solver is stopped; another call continues.
 * `evaluate` fills values[i] for point i < count. */
typedef enum shoal_status (*search_evaluate_fn)(struct shoal_solver *solver, const double *points,
                                                size_t count, double *values, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_polish_run(struct search_polish *polish,
                                                     search_evaluate_fn evaluate, struct shoal_solver *solver,
                                                     struct shoal_error *error);

const double *search_polish_position(const struct search_polish *polish); /* [runs][dim] */
const double *search_polish_best(const struct search_polish *polish);     /* [runs] */
/* [runs]: true where the search ended at a minimum, as far as its steps show; false where its evaluations
 * were used up before. */
const bool *search_polish_settled(const struct search_polish *polish);
uint64_t search_polish_evaluations(const struct search_polish *polish); /* evaluations used by all runs */

/* The whole state as plain bytes. A search of the same problem and precision can read them. */
size_t search_polish_bytes(struct search_polish *polish);
void search_polish_get(struct search_polish *polish, void *bytes);
/* Reads the state from bytes. False: the bytes are not valid, and the search must be destroyed. */
bool search_polish_set(struct search_polish *polish, const void *bytes);

#endif
