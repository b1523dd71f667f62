/* What the coordinates of a point are: real numbers, whole numbers, choices, bits, the places of an order.
 *
 * A list in words, as --variables and the line #define VARIABLES of a text have it:
 *     x1-x4 real -5 5, x5 integer 0 9, x6 choice 3, x7-x38 bit
 *     y1-y3 real -5 5 gray 16        three reals, each coded in 16 bits
 *     x1-xD order                    as many as the dimension, here an order of that many things
 * docs/objectives.md has the grammar. A point has one double for each variable: a choice of n is 0 .. n - 1,
 * a bit 0 or 1, and coordinate k of an order the number of the thing, from 0, at its place k.
 *
 * Threads: constant once created.
 */
#ifndef SHOAL_VARIABLES_H
#define SHOAL_VARIABLES_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

SHOAL_BEGIN_DECLS

enum shoal_variable_kind { SHOAL_REAL, SHOAL_INTEGER, SHOAL_CHOICE, SHOAL_BIT, SHOAL_ORDER };

/* Neighbouring variables of the same kind and range. */
struct shoal_variable_group {
    enum shoal_variable_kind kind;
    size_t first, count; /* coordinates first .. first + count - 1 of a point */
    double lower, upper; /* least and greatest value; reals: NaN where the list has none */
    unsigned bits;       /* in which a real or integer is coded; 0: it is a gene of its own */
    bool gray;           /* their code: Gray, else binary; the highest bit comes first */
};

struct shoal_variables;

/* dim: what D is in the list; 0: the list must do without. SHOAL_INVALID names the column of an error. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_variables_parse(const char *list, size_t dim, struct shoal_variables **out, struct shoal_error *error);
/* Number of variables, which is the dimension of a point. */
SHOAL_API size_t shoal_variables_count(const struct shoal_variables *variables);
SHOAL_API size_t shoal_variables_group_count(const struct shoal_variables *variables);
SHOAL_API const struct shoal_variable_group *shoal_variables_group(const struct shoal_variables *variables,
                                                                   size_t index); /* NULL beyond the end */
/* "x1-x4 real -5 5, x5 bit": a list that gives the same variables. Lives as long as they do. */
SHOAL_API const char *shoal_variables_list(const struct shoal_variables *variables);
/* Whether a point has a value of its kind and range in each coordinate, and every thing once in an order; its
 * coordinates are those of a whole point. SHOAL_INVALID names the first variable that has not. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_variables_check(const struct shoal_variables *variables, const double *x, struct shoal_error *error);
SHOAL_API void shoal_variables_destroy(struct shoal_variables **variables); /* accepts NULL */

SHOAL_END_DECLS

#endif
