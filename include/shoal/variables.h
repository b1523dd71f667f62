/* Variables: the coordinates of a point, which are real numbers, whole numbers, choices, bits, or positions
 * of an order.
 *
 * A list of variables is a text, as in --variables and in the line #define VARIABLES of an objective:
 *
 *     x1-x4 real -5 5, x5 integer 0 9, x6 choice 3, x7-x38 bit
 *     y1-y3 real -5 5 gray 16        three reals, each coded in 16 bits
 *     x1-xD order                    as many as the dimension, here an order of that many things
 *
 * docs/objectives.md has the grammar. A point has one double for each variable: a choice of n is 0 .. n - 1,
 * a bit is 0 or 1, and coordinate k of an order is the number, from 0, of the element at position k.
 *
 * Threads: variables are constant once created; any number of threads may read them.
 */
#ifndef SHOAL_VARIABLES_H
#define SHOAL_VARIABLES_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

SHOAL_BEGIN_DECLS

/* Kind of a coordinate. */
enum shoal_variable_kind {
    SHOAL_REAL,    /* A real number. */
    SHOAL_INTEGER, /* A whole number. */
    SHOAL_CHOICE,  /* One of n values without an order: 0 .. n - 1. */
    SHOAL_BIT,     /* 0 or 1. */
    SHOAL_ORDER    /* A position of an order: the number, from 0, of the element at this position. */
};

/* Neighbouring variables of one kind and range. Owned by the variables. */
struct shoal_variable_group {
    /* Kind of each coordinate of the group. */
    enum shoal_variable_kind kind;
    size_t first;  /* First coordinate of the group in a point, from 0. */
    size_t count;  /* Number of coordinates of the group. */
    double lower;  /* Least value. NaN: the list states none for a real. */
    double upper;  /* Greatest value. NaN: the list states none for a real. */
    unsigned bits; /* Bits in which a real or an integer is coded. 0: the variable is a gene of its own. */
    bool gray;     /* The code is a Gray code; otherwise binary. The highest bit comes first. */
};

/* The variables of a list. */
struct shoal_variables;

/* Reads a list. `dim` is the value of D in the list; 0: the list must not use D. Limits: 1048576 variables,
 * 1024 groups. Destroy the variables with shoal_variables_destroy.
 * Errors: SHOAL_INVALID: the list has an error; the message names its column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_variables_parse(const char *list, size_t dim, struct shoal_variables **out, struct shoal_error *error);

/* Number of variables, which is the dimension of a point. */
SHOAL_API size_t shoal_variables_count(const struct shoal_variables *variables);

/* Number of groups. */
SHOAL_API size_t shoal_variables_group_count(const struct shoal_variables *variables);

/* Group number `index`, from 0. Valid as long as the variables. NULL: `index` is out of range. */
SHOAL_API const struct shoal_variable_group *shoal_variables_group(const struct shoal_variables *variables,
                                                                   size_t index);

/* A list that gives these variables: "x1-x4 real -5 5, x5 bit". Valid as long as the variables. */
SHOAL_API const char *shoal_variables_list(const struct shoal_variables *variables);

/* Checks that each coordinate of the point `x`, [shoal_variables_count], has a value of its kind and range,
 * and that an order has each element once.
 * Errors: SHOAL_INVALID: a coordinate breaks this rule; the message names the first such variable. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_variables_check(const struct shoal_variables *variables, const double *x, struct shoal_error *error);

/* Destroys the variables and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_variables_destroy(struct shoal_variables **variables);

SHOAL_END_DECLS

#endif
