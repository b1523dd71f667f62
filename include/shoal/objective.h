/* Objective functions of the optimisers.
 *
 * An objective is a text in the kernel dialect (docs/objectives.md), compiled for each device when a solver
 * is created, and an evaluation of the same function on the host in double precision:
 *     built-in     textbook formula in C, on purpose not the rearranged one of the kernel text
 *     expression   interpreted in double
 *     text         compiled by the C compiler of the machine ($CC, else cc) against lib/host.h
 *     callback     the caller's C function; has no kernel text and runs on the host device only
 *
 * The shape says how one evaluation can be divided among work-items:
 *     per dimension   up to 4 accumulators, each a sum or a product over the dimensions of a term of
 *                     (x[d], x[d+1], d, dim), and a final function of the accumulators; both may use up to 64
 *                     single coordinates
 *     data rows       the sum over the rows of a table of a function (the square, unless the text says
 *                     otherwise) of a residual of x and the row
 *     opaque          not at all: one work-item computes the whole value
 *
 * Threads: an objective is constant once created; shoal_objective_value may be called from any thread.
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

/* A small change of a point: bit i is flipped; places i and j exchange what they have; what is at place i is
 * taken out and put in again at place j, those between move up. Bits and places count from 0, each kind by
 * itself. */
enum shoal_move { SHOAL_MOVE_NONE, SHOAL_MOVE_FLIP, SHOAL_MOVE_SWAP, SHOAL_MOVE_INSERTION };

/* What becomes of individuals that an objective repairs (info.repairs) before they are evaluated. */
enum shoal_repair {
    SHOAL_REPAIR_NONE,         /* they are evaluated as they are */
    SHOAL_REPAIR_WRITTEN_BACK, /* the repaired one takes the place of the other */
    SHOAL_REPAIR_VALUE_ONLY    /* it gives the value alone */
};

struct shoal_objective;

struct shoal_objective_info {
    size_t size;      /* of this struct as the library knows it */
    const char *name; /* "rastrigin"; for a text its file name */
    const char *formula;
    enum shoal_shape shape;
    double lower, upper;     /* usual search box, the same in each dimension; NaN: the caller must give one */
    size_t min_dim, max_dim; /* dimensions for which the function is defined; equal for data objectives */
    double minimum;          /* least value in that box; NaN: unknown, or it depends on dim */
    double minimiser;        /* each coordinate of a global minimiser; NaN: unknown, or they differ */
    const char *variables;   /* list of what its coordinates are, see shoal/variables.h; NULL: reals */
    bool maximise;           /* it is one to be maximised; `minimum` is then its greatest value */
    int32_t move;            /* enum shoal_move: of which it computes the change alone; NONE: of no one */
    bool whole_values; /* values are whole numbers, of 64 bits on devices; as doubles exact up to 2^53 */
    bool repairs;      /* it has shoal_objective_repair */
    bool dynamic;      /* its values depend on the generation of a search */
};

/* Built-in functions, among them f1 to f10 of the thesis (M. Hosala, Prague 2014, sections 3 and 7.9 of its
 * table of functions). They are constants and need not be destroyed. f6 to f10 are f5 at given sizes: a
 * solver generates their rows, until then the value is NaN. f5 itself is shoal_objective_from_rows. */
SHOAL_API size_t shoal_objective_count(void);
SHOAL_API const struct shoal_objective *shoal_objective_at(size_t index);       /* NULL beyond the end */
SHOAL_API const struct shoal_objective *shoal_objective_find(const char *name); /* NULL: none */
SHOAL_API const struct shoal_objective_info *
shoal_objective_get_info(const struct shoal_objective *objective);

/* Least value in the usual box for that dimension; NaN where it is unknown. */
SHOAL_API double shoal_objective_minimum(const struct shoal_objective *objective, size_t dim);

/* An instance of a built-in objective over genes: of a file in the format of its library, `path`, for
 * max-sat, knapsack, max-cut, qubo, qap, flow-shop, tour and linear-ordering (docs/objectives.md); with path
 * NULL made for the dimension, for nk and planted-sat. Without one their value is NaN. SHOAL_IO names file
 * and line. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_instance(const char *function,
                                                                           const char *path, size_t dim,
                                                                           struct shoal_objective **out,
                                                                           struct shoal_error *error);

/* `tour` through count points of dim numbers each, one behind the other, which are copied. SHOAL_INVALID. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_points(const double *points, size_t count,
                                                                         size_t dim,
                                                                         struct shoal_objective **out,
                                                                         struct shoal_error *error);

/* Value at x[0 .. dim - 1] in double precision. Of an objective over genes x must be a point that
 * shoal_variables_check accepts: it is not checked here, and numbers of an order are places in memory. */
SHOAL_API double shoal_objective_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* The same in a generation of a search, for an objective whose values depend on it (info.dynamic); others
 * ignore it. shoal_objective_value is that of generation 0. */
SHOAL_API double shoal_objective_value_in_generation(const struct shoal_objective *objective, const double *x,
                                                     size_t dim, uint32_t generation);

/* Makes the point feasible in place, for an objective that can (info.repairs). SHOAL_UNSUPPORTED: it cannot;
 * SHOAL_INVALID names a variable that has then no value of its kind and range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_repair(const struct shoal_objective *objective,
                                                                    double *x, size_t dim,
                                                                    struct shoal_error *error);

/* By how much a move changes the value at x; j has no meaning for a flip. Computed by itself where the
 * objective can (info.move), else from two values. NaN: the objective has no such genes, or no bit or place i
 * or j. */
SHOAL_API double shoal_objective_change(const struct shoal_objective *objective, const double *x, size_t dim,
                                        enum shoal_move move, size_t i, size_t j);

/* Objectives of the caller: destroy each with shoal_objective_destroy after every solver that uses it. Texts
 * and tables are copied. */

/* A text in the kernel dialect that defines SHAPE; `name` is shown in build logs. A text of SHOAL_DATA_ROWS
 * goes to shoal_objective_from_rows with its table. SHOAL_INVALID: it defines or uses a name of the kernels,
 * or what else docs/objectives.md rules out. Compiles the text for the host: SHOAL_BUILD_FAILED with the
 * compiler's log. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_text(struct shoal *shoal, const char *text,
                                                                       const char *name,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);
/* A text whose SHAPE is OPAQUE and that has a line #define TABLE, with the table that it reads: rows *
 * columns numbers, row by row. SHOAL_INVALID names row and column of a number that is not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_text_table(struct shoal *shoal, const char *text, const char *name, const double *values,
                                size_t rows, size_t columns, struct shoal_objective **out,
                                struct shoal_error *error);
/* A formula such as "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)", of sums and products over i and of single
 * coordinates such as x[3]. Grammar in docs/objectives.md. SHOAL_INVALID names the column of an error. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_expression(const char *expression,
                                                                             struct shoal_objective **out,
                                                                             struct shoal_error *error);
/* The same over variables of any kinds (shoal/variables.h): x[i] is the value of variable i, of an order the
 * thing at place i. A list that goes up to D is for any dimension; one of plain reals gives the objective
 * without a list. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_expression_variables(const char *expression, const char *variables,
                                          struct shoal_objective **out, struct shoal_error *error);
/* A sum over the rows of a table. `text` NULL: least squares, with the residual b - sum a[d] x[d] (f5 of the
 * thesis) of rows a[0] .. a[columns - 2], b; with `squared` the sum is over a[d] x[d]^2. Otherwise a text
 * whose SHAPE is DATA_ROWS. SHOAL_INVALID names row and column of a number that is not finite. */
struct shoal_rows {
    size_t size;          /* set by shoal_rows_init */
    const double *values; /* rows * columns, row by row; copied */
    size_t rows, columns;
    /* Of x; 0: columns - 1 with text NULL, else that of a text whose MIN_DIM is its MAX_DIM. */
    size_t dim;
    const char *text, *name; /* text in the kernel dialect or NULL, and its name in build logs */
    bool squared;
};
SHOAL_API void shoal_rows_init(struct shoal_rows *rows);
#define SHOAL_ROWS(...) SHOAL_INIT(shoal_rows, shoal_rows_init, __VA_ARGS__)
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
/* The source of a kernel file as shoal_kernel_source gives it, for programs that build it by themselves, with
 * the objective in the place of the one that it holds (sphere); a file that holds none is as it is. `*text`
 * is malloc'ed. Any thread. SHOAL_UNSUPPORTED: the objective is a C function; SHOAL_INVALID: no such file. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_kernel_source(const struct shoal *shoal, const struct shoal_objective *objective,
                              const char *file, char **text, struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL; a built-in is left alone. */
SHOAL_API void shoal_objective_destroy(struct shoal_objective **objective);

SHOAL_END_DECLS

#endif
