/* Private: values of data objectives on the host.
 *
 * Rows are taken in blocks of ROWS_BLOCK. Inside a block, eight partial sums each add the terms of every
 * eighth row, and are then added (terms of a user's text are added one after another); the sums of the blocks
 * are added with a correction (Neumaier 1974). The relative error of a sum of squares is below 1e-14 (text:
 * 1e-13), whatever the number of rows.
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
    /* A correction that is infinite or NaN is left out. */
    return isfinite(total->sum) ? total->sum + total->correction : total->sum;
}

/* Sum over all rows of (b - sum a[d] x[d])^2; squared: with x[d]^2 in place of x[d]. NaN: the rows can no
 * longer be read. */
double rows_least_squares(const struct objective_table *table, const double *x, bool squared);

/* Functions that create objectives over a table. They take ownership of the table, which is destroyed after a
 * failure. */

SHOAL_MUST_CHECK enum shoal_status objective_from_table(struct objective_table *table, const char *name,
                                                        bool squared, struct shoal_objective **out,
                                                        struct shoal_error *error);
/* Creates an objective from a text. The text defines the residual, or, if the dim of the table is 0, reads
 * the whole table. table NULL: the text has no table. name: name of the text in build logs. is_check: the
 * text is only checked for errors (host_code_check), and only `info` of the objective can be used. */
SHOAL_MUST_CHECK enum shoal_status objective_from_table_text(struct shoal *shoal,
                                                             struct objective_table *table, const char *text,
                                                             const char *name, bool is_check,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);
struct read_text;
/* Creates the objective from a text that was read and fits the table. The objective takes ownership of the
 * text, and read->checked becomes NULL. After a failure the caller frees read->checked. */
SHOAL_MUST_CHECK enum shoal_status
objective_from_read_text(struct shoal *shoal, struct objective_table *table, struct read_text *read,
                         bool is_check, struct shoal_objective **out, struct shoal_error *error);
/* Is the residual one of the two built-in residuals? *squared: which of them. */
bool objective_is_least_squares(const struct shoal_objective *objective, bool *squared);

#endif
