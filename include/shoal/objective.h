/* Objective functions of the optimisers.
 *
 * An objective is a text of the kernel dialect (docs/objectives.md) that is compiled for each device when a
 * solver is made, and a way to evaluate the same function on the host in double precision:
 *     built-in     textbook formula in C, on purpose not the rearranged one of the kernel text
 *     expression   interpreted in double
 *     text         compiled by the C compiler of the machine ($CC, else cc) against lib/host.h
 *     callback     the caller's C function; has no kernel text and runs on the host device only
 *
 * The shape says how the work of one evaluation can be shared out:
 *     per dimension   up to 4 accumulators, each a sum or a product over the dimensions of a term of
 *                     (x[d], x[d+1], d, dim), and a finish of the accumulators
 *     data rows       a residual of x and a row of a table, put together over the rows by a rule (its square,
 *                     unless the text says otherwise) and summed
 *     opaque          the whole value by one work-item
 *
 * Threads: an objective is constant after it was made; shoal_objective_value may be called from any thread.
 */
#ifndef SHOAL_OBJECTIVE_H
#define SHOAL_OBJECTIVE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

enum shoal_precision { SHOAL_FP32, SHOAL_FP64 };

enum shoal_shape {
    SHOAL_PER_DIMENSION = 1, /* the values are those of SHAPE in kernel texts */
    SHOAL_DATA_ROWS = 2,
    SHOAL_OPAQUE = 3,
    SHOAL_CALLBACK = 4
};

struct shoal_objective;

struct shoal_objective_info {
    size_t size;      /* of this struct as the library knows it */
    const char *name; /* "rastrigin"; for a text its file name */
    const char *formula;
    enum shoal_shape shape;
    double lower, upper;     /* customary box, the same in each dimension; NaN: the caller must give one */
    size_t min_dim, max_dim; /* dimensions for which the function is defined; equal for data objectives */
    double minimum;          /* least value in that box; NaN: not known or dependent on dim */
    double minimiser;        /* coordinate of a global minimiser, the same in each dimension; NaN: not so */
};

/* Built-in functions, f1 to f10 of the thesis (sections 3 and 7.9 of its table of functions) among them. They
 * are constants: never destroyed. f6 to f10 name sizes of f5: a solver makes their rows, until then the value
 * is NaN. f5 itself is shoal_objective_from_rows. */
SHOAL_API size_t shoal_objective_count(void);
SHOAL_API const struct shoal_objective *shoal_objective_at(size_t index);       /* NULL beyond the end */
SHOAL_API const struct shoal_objective *shoal_objective_find(const char *name); /* NULL: none */
SHOAL_API const struct shoal_objective_info *
shoal_objective_get_info(const struct shoal_objective *objective);

/* Least value in the customary box for that dimension; NaN where it is not known. */
SHOAL_API double shoal_objective_minimum(const struct shoal_objective *objective, size_t dim);

/* Value at x[0 .. dim - 1] in double precision. */
SHOAL_API double shoal_objective_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* Objectives of the caller; release each with shoal_objective_destroy after every solver that uses it. */

/* A text of the kernel dialect that defines SHAPE; `name` is shown in build logs. For SHOAL_DATA_ROWS give
 * the table in the function below. Compiles the text for the host: SHOAL_BUILD_FAILED with the compiler's
 * log. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_text(struct shoal *shoal, const char *text,
                                                                       const char *name,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);
/* "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)": sums and products over i, put together by a formula. Grammar in
 * docs/objectives.md. SHOAL_INVALID names the column of an error. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_expression(const char *expression,
                                                                             struct shoal_objective **out,
                                                                             struct shoal_error *error);
/* A table: `rows` rows of `columns` doubles each, one behind the other (copied). `text` NULL: the
 * least-squares residual b - sum a[d] x[d] (f5 of the thesis) of rows a[0] .. a[columns - 2], b; with
 * `squared` the sum is over a[d] x[d]^2. Otherwise a text whose SHAPE is DATA_ROWS. dim: of x; with text NULL
 * columns - 1. A number that is not finite is refused with its row and column. */
struct shoal_rows {
    size_t size;
    const double *values;
    size_t rows, columns, dim;
    const char *text, *name;
    bool squared;
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_rows(struct shoal *shoal,
                                                                       const struct shoal_rows *rows,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);
/* Called by several threads at once unless the solver is limited to one; `data` is passed through. */
typedef double (*shoal_objective_fn)(const double *x, size_t dim, void *data);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_callback(shoal_objective_fn function,
                                                                           void *data, const char *name,
                                                                           struct shoal_objective **out,
                                                                           struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL; a built-in is left alone. */
SHOAL_API void shoal_objective_destroy(struct shoal_objective **objective);

SHOAL_END_DECLS

#endif
