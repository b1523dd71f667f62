/* Private: the polish of the best position of each run, by a pattern search or a simplex search. The next
 * points of all runs form one batch.
 *
 * The owner of the polish evaluates the points: on the host, on a device, or by passing them to its caller:
 *     while ((count = search_polish_ask(polish, &points)) > 0)
 *         ... compute the values of the points ...
 *         search_polish_tell(polish, values);
 */
#ifndef SHOAL_SEARCH_POLISH_H
#define SHOAL_SEARCH_POLISH_H

#include "search/problem.h"

struct search_polish;

/* Creates a polish. position: [runs][dim]; best: [runs], values at the positions, +infinity for a run without
 * a value; both arrays are copied. Each run makes at most `evaluations` evaluations. Coordinates are rounded
 * to `precision`. */
SHOAL_MUST_CHECK enum shoal_status
search_polish_create(const struct search_problem *problem, enum shoal_polish_rule rule,
                     enum shoal_precision precision, uint64_t evaluations, const double *position,
                     const double *best, struct search_polish **out, struct shoal_error *error);
void search_polish_destroy(struct search_polish **polish);

/* Returns the number of points in the next batch; 0: the polish has ended. *points: [count][dim], valid until
 * the next call of search_polish_tell. Until the values are told, further calls return the same batch. */
size_t search_polish_ask(struct search_polish *polish, const double **points);
/* Returns the largest number of points in a batch. */
size_t search_polish_capacity(const struct search_problem *problem);
/* Takes the values of all points of the batch: sign f(x - shift) plus the penalty. A value that is not finite
 * is worse than every finite value. */
void search_polish_tell(struct search_polish *polish, const double *values);

double *search_polish_values(struct search_polish *polish); /* room for the values of a batch */

/* Asks for points, evaluates them and tells the values until the polish has ended or the solver is stopped. A
 * further call continues. evaluate: computes values[i], the value of point i, for i < count. */
typedef enum shoal_status (*search_evaluate_fn)(struct shoal_solver *solver, const double *points,
                                                size_t count, double *values, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_polish_run(struct search_polish *polish,
                                                     search_evaluate_fn evaluate, struct shoal_solver *solver,
                                                     struct shoal_error *error);

const double *search_polish_position(const struct search_polish *polish); /* [runs][dim] */
const double *search_polish_best(const struct search_polish *polish);     /* [runs] */
/* [runs]: whether the search of the run has ended at a minimum, by the criterion of its rule; false: its
 * evaluations were used up before */
const bool *search_polish_settled(const struct search_polish *polish);
/* number of evaluations of all runs */
uint64_t search_polish_evaluations(const struct search_polish *polish);
/* number of evaluations of one run */
uint64_t search_polish_used(const struct search_polish *polish, size_t run);

/* search_polish_bytes: returns the size of the state. search_polish_get: copies the state to `bytes`, from
 * which search_polish_set can load it into a polish for the same problem and precision. */
size_t search_polish_bytes(struct search_polish *polish);
void search_polish_get(struct search_polish *polish, void *bytes);
/* Loads a state. Returns false if the state is invalid; the polish must then be destroyed. */
bool search_polish_set(struct search_polish *polish, const void *bytes);

#endif
