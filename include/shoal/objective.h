/* Objective functions of the optimisers.
 *
 * An objective is a text in the kernel dialect (docs/objectives.md), compiled for each device when a solver
 * is created, and an evaluation of the same function on the host in double precision:
 *
 *     built-in     textbook formula in C, on purpose not the rearranged one of the kernel text
 *     expression   interpreted in double
 *     text         compiled by the C compiler of the machine ($CC, else cc) against lib/host.h
 *     callback     the caller's C function; has no kernel text and runs on the host device only
 *
 * The shape says how one evaluation can be divided among work-items:
 *
 *     per dimension   up to 4 accumulators, each a sum or a product over the dimensions of a term of
 *                     (x[d], x[d+1], d, dim), and a final function of the accumulators; both may use up to 64
 *                     single coordinates
 *     data rows       the sum over the rows of a table of a function (the square, unless the text says
 *                     otherwise) of a residual of x and the row
 *     opaque          not at all: one work-item computes the whole value
 *
 * Threads: an objective is constant once created. shoal_objective_value may be called from any thread.
 *
 * Texts and tables given to a call are copied. Destroy an objective with shoal_objective_destroy, after every
 * solver that uses the objective.
 */
#ifndef SHOAL_OBJECTIVE_H
#define SHOAL_OBJECTIVE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* Floating-point format. */
enum shoal_precision {
    SHOAL_FP32, /* Single precision. */
    SHOAL_FP64  /* Double precision. */
};

/* How one evaluation can be divided among work-items. The values are the values of SHAPE in kernel texts. */
enum shoal_shape {
    SHOAL_PER_DIMENSION = 1, /* Sums and products over the dimensions. */
    SHOAL_DATA_ROWS = 2,     /* A sum over the rows of a table. */
    SHOAL_OPAQUE = 3,        /* Not divisible: one work-item computes the whole value. */
    SHOAL_CALLBACK = 4       /* A C function of the caller, on the host only. */
};

/* A move: a small change of a point. Bits i count from 0 among the bits of the point, positions i and j from
 * 0 within its order. */
enum shoal_move {
    SHOAL_MOVE_NONE, /* No change. */
    SHOAL_MOVE_FLIP, /* Bit i is flipped. */
    SHOAL_MOVE_SWAP, /* The elements at positions i and j are exchanged. */
    /* The element at position i moves to position j; the elements between shift by one position. */
    SHOAL_MOVE_INSERTION
};

/* Use of repaired individuals, for objectives that repair individuals before their evaluation
 * (info.repairs). */
enum shoal_repair {
    SHOAL_REPAIR_NONE,         /* Individuals are evaluated as they are. */
    SHOAL_REPAIR_WRITTEN_BACK, /* The repaired individual replaces the original. */
    SHOAL_REPAIR_VALUE_ONLY    /* The repaired individual gives the value alone. */
};

/* An objective function. Built-in objectives are constants. */
struct shoal_objective;

/* Properties of an objective. Owned by the objective. */
struct shoal_objective_info {
    size_t size;      /* Bytes of the struct as the library knows it. */
    const char *name; /* Name: "rastrigin"; the file name of a text. */
    /* The function in words or as a formula. */
    const char *formula;
    /* How one evaluation can be divided. */
    enum shoal_shape shape;
    /* Lower end of the usual search box, in each dimension. NaN: the caller must give a box, or the ends
     * differ from dimension to dimension: shoal_objective_box. */
    double lower;
    /* Upper end of the usual search box, in each dimension. NaN: as for `lower`. */
    double upper;
    size_t min_dim; /* Least number of dimensions. */
    size_t max_dim; /* Greatest number of dimensions; equals `min_dim` for data objectives. */
    /* Least value in the usual box; greatest value where `maximise` is true. NaN: unknown, or dependent on
     * the dimension. */
    double minimum;
    /* Each coordinate of the point with the value `minimum`. NaN: unknown, or coordinates differ. */
    double minimiser;
    /* Kinds and ranges of the coordinates: see <shoal/variables.h>. NULL: reals. */
    const char *variables;
    bool maximise; /* The function is to be maximised. */
    /* The move, enum shoal_move, for which the objective computes the change of its value directly, without
     * evaluating the changed point: see shoal_objective_change. SHOAL_MOVE_NONE: there is no such move. */
    int32_t move;
    /* Values are whole numbers, of 64 bits on devices; as doubles they are exact up to 2^53. */
    bool whole_values;
    bool repairs; /* shoal_objective_repair makes points feasible. */
    bool dynamic; /* Values depend on the generation of a search. */
    /* Number of constraints on a point, which shoal_objective_constraints computes. */
    size_t constraints;
    size_t equalities; /* Number of equalities, which are the last of the constraints. */
};

/* Number of built-in functions, among which are f1 to f10 of the thesis (M. Hosala, Prague 2014, section 3
 * and the table of functions in section 7.9). */
SHOAL_API size_t shoal_objective_count(void);

/* Built-in function number `index`, from 0: a constant, which need not be destroyed. f6 to f10 are f5 at
 * given sizes: a solver generates their rows; without rows their value is NaN. f5 is created by
 * shoal_objective_from_rows. NULL: `index` is out of range. */
SHOAL_API const struct shoal_objective *shoal_objective_at(size_t index);

/* The built-in function with the name `name`: a constant. NULL: there is none. */
SHOAL_API const struct shoal_objective *shoal_objective_find(const char *name);

/* Properties of the objective. Valid as long as the objective. */
SHOAL_API const struct shoal_objective_info *
shoal_objective_get_info(const struct shoal_objective *objective);

/* Fills `lower` and `upper`, each [dim], with the usual search box of `dim` dimensions; NULL: not wanted.
 * NaN: the caller must give this bound, the objective has fewer dimensions, or `objective` is NULL. */
SHOAL_API void shoal_objective_box(const struct shoal_objective *objective, size_t dim, double *lower,
                                   double *upper);

/* Least value in the usual box for `dim` dimensions. NaN: unknown. */
SHOAL_API double shoal_objective_minimum(const struct shoal_objective *objective, size_t dim);

/* Creates an instance of a built-in objective over genes. For max-sat, knapsack, max-cut, qubo, qap,
 * flow-shop, tour and linear-ordering the instance is read from the file `path`, in a format of
 * docs/objectives.md. For nk and planted-sat the instance is generated for the dimension `dim`; `path` is
 * NULL. Without an instance the value of these functions is NaN.
 * Errors: SHOAL_INVALID: there is no such function, the function needs a file or takes none, or `dim` is out
 * of its range. SHOAL_IO: the file cannot be read or is wrong; the message names file and line. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_instance(const char *function,
                                                                           const char *path, size_t dim,
                                                                           struct shoal_objective **out,
                                                                           struct shoal_error *error);

/* Creates a numbered instance of bbob-f1 to bbob-f24, the 24 noiseless functions of the benchmark BBOB, for
 * `dim` dimensions, 2 to 40. `instance` is 1 to 200000; the benchmark itself uses 1 to 15.
 * shoal_objective_minimum gives the minimum of the instance.
 * Errors: SHOAL_INVALID: the function has no numbered instances, or `instance` or `dim` is out of its range.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_bbob(const char *function,
                                                                       uint64_t instance, size_t dim,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);

/* Creates an objective of several instances of bbob-f1 to bbob-f24, of one function or of several, for a
 * search by `cmaes` on a device without refinement and polish. Run number r of the search, from 0, minimises
 * instance instances[i] of functions[i], i = r mod count. `functions` and `instances` have [count] elements.
 * Values are differences from the minimum of the instance; shoal_objective_value takes the first instance.
 * Errors: see shoal_objective_from_bbob; SHOAL_INVALID also where `count` is 0 or more than 1024. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_bbob_instances(const char *const *functions, const uint64_t *instances, size_t count,
                                    size_t dim, struct shoal_objective **out, struct shoal_error *error);

/* Creates the objective `tour`, the length of a closed tour, through `points`, [count][dim], 2 to 65536
 * points, which are copied.
 * Errors: SHOAL_INVALID: too few or too many points, or a number is not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_points(const double *points, size_t count,
                                                                         size_t dim,
                                                                         struct shoal_objective **out,
                                                                         struct shoal_error *error);

/* Value at x, [dim], in double precision. For an objective over genes x must be a point that
 * shoal_variables_check accepts: x is not checked here, and numbers of an order are used as array indices.
 * NaN, among others: the objective has no instance or no rows yet. */
SHOAL_API double shoal_objective_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* Value at x, [dim], in a generation of a search, for an objective whose values depend on the generation
 * (info.dynamic). Other objectives ignore the generation. shoal_objective_value gives the value in generation
 * 0. */
SHOAL_API double shoal_objective_value_in_generation(const struct shoal_objective *objective, const double *x,
                                                     size_t dim, uint32_t generation);

/* Makes the point x, [dim], feasible in place, for an objective with info.repairs.
 * Errors: SHOAL_UNSUPPORTED: the objective repairs nothing. SHOAL_INVALID: a variable of the repaired point
 * has no value of its kind and range; the message names the variable. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_repair(const struct shoal_objective *objective,
                                                                    double *x, size_t dim,
                                                                    struct shoal_error *error);

/* Change of the value at x, [dim], by a move of positions `i` and `j`, or a flip of bit `i`, for which `j`
 * has no meaning. The change is computed directly if the objective can do so (info.move), else as the
 * difference of two values. NaN: the objective has no genes of the kind, or `i` or `j` is out of range. */
SHOAL_API double shoal_objective_change(const struct shoal_objective *objective, const double *x, size_t dim,
                                        enum shoal_move move, size_t i, size_t j);

/* Creates an objective from a text in the kernel dialect that defines SHAPE, and compiles the text for the
 * host. `name` is shown in build logs; NULL: "objective.cl". For a text whose SHAPE is DATA_ROWS call
 * shoal_objective_from_rows, which takes the table. `shoal` NULL: the built-in kernels, without a compiler.
 * Errors: SHOAL_INVALID: the text defines or uses a name of the kernels, or something else that
 * docs/objectives.md rules out. SHOAL_BUILD_FAILED: the text does not compile; error->log has the compiler's
 * messages. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_text(struct shoal *shoal, const char *text,
                                                                       const char *name,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);

/* Creates an objective from a text whose SHAPE is OPAQUE and that has a line #define TABLE, with the table
 * that the text reads: `values`, [rows][columns].
 * Errors: SHOAL_INVALID: a number is not finite, which the message names by row and column, or the text is
 * not allowed. SHOAL_BUILD_FAILED: the text does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_text_table(struct shoal *shoal, const char *text, const char *name, const double *values,
                                size_t rows, size_t columns, struct shoal_objective **out,
                                struct shoal_error *error);

/* Creates an objective from a formula such as "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)", of sums and products
 * over i and of single coordinates such as x[3]. docs/objectives.md has the grammar.
 * Errors: SHOAL_INVALID: the formula has an error; the message names its column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_expression(const char *expression,
                                                                             struct shoal_objective **out,
                                                                             struct shoal_error *error);

/* Creates an objective from a formula over variables of any kinds (<shoal/variables.h>). x[i] is the value of
 * variable i; for an order, the element at position i. A list with variables up to number D fits any
 * dimension. A list of plain reals is the same as no list.
 * Errors: SHOAL_INVALID: formula or list have an error; the message names its column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_expression_variables(const char *expression, const char *variables,
                                          struct shoal_objective **out, struct shoal_error *error);

/* An objective that is a sum over the rows of a table. Everything is copied. */
struct shoal_rows {
    size_t size;          /* Bytes of the struct, set by shoal_rows_init. */
    const double *values; /* Numbers of the table, [rows][columns]. Must be set. */
    size_t rows;          /* Number of rows, at least 1. Must be set. */
    size_t columns;       /* Number of columns, at least 1, without a text 2. Must be set. */
    /* Dimension of x, at least 1. Default: 0, which means columns - 1 without a text, else the only dimension
     * of the text, whose MIN_DIM and MAX_DIM must be equal. */
    size_t dim;
    /* Text in the kernel dialect whose SHAPE is DATA_ROWS. Default: NULL, least squares: the residual is b -
     * sum a[d] x[d] (f5 of the thesis) of rows a[0] .. a[columns - 2], b. */
    const char *text;
    const char *name; /* Name of the objective, also in build logs. Default: NULL, "table". */
    /* Least squares in the squares of the coordinates: sum over a[d] x[d]^2. Not with a text. Default:
     * false. */
    bool squared;
};

/* Fills `rows` with the defaults. */
SHOAL_API void shoal_rows_init(struct shoal_rows *rows);
#define SHOAL_ROWS(...) SHOAL_INIT(shoal_rows, shoal_rows_init, __VA_ARGS__)

/* Creates an objective that is a sum over the rows of a table. `shoal` may be NULL without a text.
 * Errors: SHOAL_INVALID: a number is not finite, which the message names by row and column, or sizes do not
 * fit. SHOAL_BUILD_FAILED: the text does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_rows(struct shoal *shoal,
                                                                       const struct shoal_rows *rows,
                                                                       struct shoal_objective **out,
                                                                       struct shoal_error *error);

/* A function of the caller that returns the value at x, [dim]. `data` is passed through. Called by several
 * threads at once, unless the solver is limited to one. */
typedef double (*shoal_objective_fn)(const double *x, size_t dim, void *data);

/* Creates an objective from a C function, which runs on the host only. `name` NULL: "callback". `data` must
 * stay valid as long as the objective.
 * Errors: SHOAL_INVALID: no function. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_callback(shoal_objective_fn function,
                                                                           void *data, const char *name,
                                                                           struct shoal_objective **out,
                                                                           struct shoal_error *error);

/* A function of the caller that fills values, [count], with the values at points, [count][dim]. `data` is
 * passed through. Called by several threads at once, unless the solver is limited to one. */
typedef void (*shoal_objective_points_fn)(const double *points, size_t count, size_t dim, double *values,
                                          void *data);

/* Creates an objective from a C function of several points, which runs on the host only. Searches call the
 * function with one point at a time, the pattern search after a run with all points of a batch. Values that
 * the function does not set are NaN. `name` and `data`: see shoal_objective_from_callback.
 * Errors: SHOAL_INVALID: no function. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_from_points_callback(shoal_objective_points_fn function, void *data, const char *name,
                                     struct shoal_objective **out, struct shoal_error *error);

/* Constraints of the caller: fills g, [count], at x, [dim]. `data` is passed through. Called by several
 * threads at once, unless the solver is limited to one. */
typedef void (*shoal_constraints_fn)(const double *x, size_t dim, double *g, void *data);

/* Creates the objective `objective` with `count` constraints that `function` computes, for the host only: a
 * point is allowed where each constraint is at most 0, and each of the last `equalities` is 0 within the
 * tolerance of the search (struct shoal_search_params). `objective` and `data` must outlive the new
 * objective. Up to 1024 constraints.
 * Errors: SHOAL_INVALID: no function, a wrong count, or `objective` has constraints already, is over genes or
 * is a sum over rows. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_with_constraints(const struct shoal_objective *objective, shoal_constraints_fn function,
                                 void *data, size_t count, size_t equalities, struct shoal_objective **out,
                                 struct shoal_error *error);

/* Fills g, [info.constraints], with the constraints at x, [dim]; the equalities come last. An objective
 * without constraints leaves g as it is. */
SHOAL_API void shoal_objective_constraints(const struct shoal_objective *objective, const double *x,
                                           size_t dim, double *g);

/* Text of a kernel file as shoal_kernel_source gives it, with `objective` in place of the objective sphere
 * that the file includes. The text of a file that includes no objective is unchanged. `file` is relative to
 * cl/. The caller releases `*text` with free(). `shoal` NULL: the embedded files. Any thread.
 * Errors: SHOAL_UNSUPPORTED: the objective is a C function. SHOAL_INVALID: there is no such file. SHOAL_IO: a
 * file of params.kernel_dir cannot be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_objective_kernel_source(const struct shoal *shoal, const struct shoal_objective *objective,
                              const char *file, char **text, struct shoal_error *error);

/* Destroys the objective and sets the pointer to NULL. Accepts NULL. Built-in functions are left alone. */
SHOAL_API void shoal_objective_destroy(struct shoal_objective **objective);

SHOAL_END_DECLS

#endif
