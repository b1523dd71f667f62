/* Points of any variables and their values on a device. */
#ifndef SHOAL_TESTS_GENES_H
#define SHOAL_TESTS_GENES_H

#include "harness.h"

#include <shoal/evaluator.h>
#include <shoal/variables.h>

/* `count` random points of the variables, reals such as both precisions hold. */
double *genes_points(const struct shoal_variables *variables, size_t count);
/* The values of an objective over genes at those points, by an evaluator; whole values as they are. */
double *genes_on_device(const struct shoal_objective *objective, enum shoal_precision precision,
                        const double *points, size_t dim, size_t count);
/* Both, compared with the values of the host, which are returned: each within `slack` roundings of `size`, or
 * the same whole number. */
double *genes_compare(const struct shoal_objective *objective, size_t dim, size_t count, double slack,
                      double size);
/* Repaired points of a device and their values, written back or not, compared with those of the host. */
void genes_compare_repairs(const struct shoal_objective *objective, size_t dim, size_t count);
/* The values of a generation, as genes_compare. */
void genes_compare_generation(const struct shoal_objective *objective, size_t dim, size_t count,
                              uint32_t generation);
/* Changes by random moves on a device, compared with differences of values on the host. */
void genes_compare_changes(const struct shoal_objective *objective, size_t dim, size_t count);

#endif
