/* Private: linear least squares, sum (b - sum a[d] x[d])^2, by an orthogonal factor of the rows [a b].
 *
 * The factor has `columns` = dim + 1 rows and columns, stored row after row, zeros below the diagonal:
 *     R  Q'b
 *     0  rho
 * The sum of squares over all rows is |R x - Q'b|^2 + rho^2, without the cancellation of the normal
 * equations.
 */
#ifndef SHOAL_OBJECTIVE_FACTOR_H
#define SHOAL_OBJECTIVE_FACTOR_H

#include "objective/rows/table.h"

/* With more columns the factor would be larger than most tables, and its computation would take hours. */
enum { FACTOR_MAX_COLUMNS = 4096 };

/* Returns the number of rows that are added to the factor at a time. */
size_t factor_block_rows(size_t columns);
/* Adds `count` rows to the factor, which must be zero before the first call. block: the rows, column by
 * column; it is overwritten. */
void factor_add_rows(double *factor, size_t columns, double *block, size_t count);

/* Computes the factor of a whole table; factor: [columns][columns]. SHOAL_UNSUPPORTED: the table has more
 * than FACTOR_MAX_COLUMNS columns. */
SHOAL_MUST_CHECK enum shoal_status factor_table(const struct objective_table *table, double *factor,
                                                struct shoal_error *error);

/* Computes the minimum over all x, the minimiser, and the rank of the columns a. A column counts as dependent
 * on other columns if its component orthogonal to them is shorter than 1e-12 of its length. If the rank is
 * lower than the number of columns, there are many minimisers, of which one is returned. */
SHOAL_MUST_CHECK enum shoal_status factor_solve(const double *factor, size_t dim, double *minimiser,
                                                double *minimum, size_t *rank, struct shoal_error *error);

/* Computes the minimum over lower[d] <= x[d] <= upper[d], by the active-set method of Stark and Parker
 * (Bounded variable least squares, 1995), in the order of dim^4 operations. Bounds may be infinite. */
SHOAL_MUST_CHECK enum shoal_status factor_solve_bounded(const double *factor, size_t dim, const double *lower,
                                                        const double *upper, double *minimiser,
                                                        double *minimum, struct shoal_error *error);

/* Returns the sum of squares at x. */
double factor_value(const double *factor, size_t dim, const double *x);

#endif
