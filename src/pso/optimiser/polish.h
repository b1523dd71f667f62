/* Private: pattern search from the best position of each run, all runs in step, so that their points make one
 * batch.
 *
 * The owner evaluates the points: on the host, on a device, or by its own caller:
 *     while ((count = pso_polish_ask(polish, &points)) > 0)
 *         values of the points; pso_polish_tell(polish, values);
 */
#ifndef SHOAL_PSO_POLISH_H
#define SHOAL_PSO_POLISH_H

#include "pso/model/problem.h"

struct pso_polish;

/* position: runs * dim, best: their values, +infinity for a run that has none; both are copied. Each run gets
 * params->polish evaluations. The points, and so the positions found, are numbers of that precision. */
SHOAL_MUST_CHECK enum shoal_status pso_polish_create(const struct pso_problem *problem,
                                                     enum shoal_precision precision, const double *position,
                                                     const double *best, struct pso_polish **out,
                                                     struct shoal_error *error);
void pso_polish_destroy(struct pso_polish **polish);

/* The next batch, dim contiguous coordinates of a point, valid until the next call of tell; 0: the
 * search is over. The same batch until its values are told. */
size_t pso_polish_ask(struct pso_polish *polish, const double **points);
/* Points of a batch at most. */
size_t pso_polish_capacity(const struct pso_problem *problem);
/* sign f(x - shift) of each point of the batch; values that are not finite are worse than all others. */
void pso_polish_tell(struct pso_polish *polish, const double *values);

/* Asks, evaluates and tells to the end. `evaluate` fills values[i] for point i < count. */
typedef enum shoal_status (*pso_evaluate_fn)(void *data, const double *points, size_t count, double *values,
                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status pso_polish_run(struct pso_polish *polish, pso_evaluate_fn evaluate,
                                                  void *data, struct shoal_error *error);

const double *pso_polish_position(const struct pso_polish *polish); /* runs * dim */
const double *pso_polish_best(const struct pso_polish *polish);     /* runs */
uint64_t pso_polish_evaluations(const struct pso_polish *polish);   /* of all runs */

/* The whole state as plain bytes, which fit a search made from the same problem and precision. */
size_t pso_polish_bytes(const struct pso_polish *polish);
void pso_polish_get(const struct pso_polish *polish, void *bytes);
/* False if the bytes are not valid; then the search must be destroyed. */
bool pso_polish_set(struct pso_polish *polish, const void *bytes);

#endif
