/* Private: values of objectives over rows on the host.
 *
 * Rows are processed in blocks of ROWS_BLOCK. In a block, eight partial sums each add the terms of every
 * eighth row, and are then added. Terms of a user's text are added one after another instead. The sums of the
 * blocks are added with a correction (Neumaier 1974). Whatever the number of rows, the relative error of a
 * sum of squares is below 1e-14, for a text below 1e-13.
 */
#ifndef SHOAL_OBJECTIVE_ROWS_H
#define SHOAL_OBJECTIVE_ROWS_H

#include "objective/rows/table.h"

#include <math.h>

enum { ROWS_BLOCK = 64 * TABLE_TILE };

/* A running sum, whose value is sum + correction. */
struct rows_sum {
    double sum, correction;
};

static inline void rows_sum_add(struct rows_sum *total, double value)
{
    const double sum = total->sum + value;
    const double larger = fabs(total->sum) >= fabs(value) ? total->sum : value;
    const double smaller = fabs(total->sum) >= fabs(value) ? value : total->sum;
    total->correction += larger - sum + smaller;
    total->sum = sum;
}

static inline double rows_sum_value(const struct rows_sum *total)
{
    /* The correction is left out if it may be infinite or NaN. */
    return isfinite(total->sum) ? total->sum + total->correction : total->sum;
}

/* Returns the sum over all rows of (b - sum a[d] x[d])^2; squared: with x[d]^2 instead of x[d]. NaN: the file
 * of the table could not be read. */
double rows_least_squares(const struct objective_table *table, const double *x, bool squared);

/* The functions below create objectives over a table. They take ownership of the table, also after a
 * failure. */

SHOAL_MUST_CHECK enum shoal_status objective_from_table(struct objective_table *table, const char *name,
                                                        bool squared, struct shoal_objective **out,
                                                        struct shoal_error *error);
/* Creates an objective from a text that computes the residual or, if the dim of the table is 0, reads the
 * whole table. table NULL: the text needs no table. name: name of the text in build logs. is_check: the text
 * is only checked for errors (host_code_check), and only `info` of the objective can be used. */
SHOAL_MUST_CHECK enum shoal_status objective_from_table_text(struct shoal *shoal,
                                                             struct objective_table *table, const char *text,
                                                             const char *name, bool is_check,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);
struct read_text;
/* Creates the objective from a text that was read and that fits the table. Takes ownership of read->checked,
 * which becomes NULL, and of the table. After a failure the caller frees read->checked. */
SHOAL_MUST_CHECK enum shoal_status
objective_from_read_text(struct shoal *shoal, struct objective_table *table, struct read_text *read,
                         bool is_check, struct shoal_objective **out, struct shoal_error *error);
/* Whether the residual is one of the two built-in residuals. *squared: it is the one with x[d]^2. */
bool objective_is_least_squares(const struct shoal_objective *objective, bool *squared);

#endif
