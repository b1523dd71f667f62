/* Private: the parts of an objective. */
#ifndef SHOAL_OBJECTIVE_PRIVATE_H
#define SHOAL_OBJECTIVE_PRIVATE_H

#include <shoal/objective.h>
#include <shoal/program.h>
#include <stdatomic.h>

struct constrained;
struct instance_source;
struct objective_table;
struct shoal_objective;
struct shoal_variables;

/* Functions of an objective over genes, for its genes instead of a point. A gene is a number
 * (objective/variables/variables.h). */
struct objective_genes {
    double (*value)(const struct shoal_objective *objective, const double *genes, size_t dim,
                    uint32_t generation);
    double (*change)(const struct shoal_objective *objective, const double *genes, size_t dim, size_t i,
                     size_t j);
    enum shoal_status (*repair)(const struct shoal_objective *objective, double *genes, size_t dim,
                                struct shoal_error *error);
};

/* Returns the kernel text that includes a file of cl/. As an include, the file can be replaced by
 * --kernel-dir. */
#define OBJECTIVE_FILE(path) "#include \"" path "\"\n"

/* Largest count of numbers in a table that an opaque text reads, since kernels count the numbers in 32
 * bits. */
enum { OBJECTIVE_MAX_NUMBERS = 1 << 28 };

struct shoal_objective {
    struct shoal_objective_info info;
    /* Kernel text: `file`, which is an OBJECTIVE_FILE, or `text` with the name `text_name`. file and text
     * NULL: the objective is a callback. */
    const char *file;
    char *text, *text_name;
    /* SHOAL_PER_DIMENSION: number of single coordinates that every term may use (SINGLES of the text) */
    size_t singles;
    double (*value)(const struct shoal_objective *objective, const double *x, size_t dim);
    /* Computes the values at points[count][dim] in one call; NULL: points have to be evaluated one by one. */
    void (*values)(const struct shoal_objective *objective, const double *points, size_t count, size_t dim,
                   double *values);
    /* Returns the value in a generation; NULL: info.dynamic is false. */
    double (*value_in_generation)(const struct shoal_objective *objective, const double *x, size_t dim,
                                  uint32_t generation);
    /* Returns the change of the value by move (i, j) of the kind info.move; NULL: info.move is NONE. */
    double (*change)(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                     size_t j);
    /* Changes a point so that it is feasible; the result is not checked. NULL: info.repairs is false. */
    enum shoal_status (*repair)(const struct shoal_objective *objective, double *x, size_t dim,
                                struct shoal_error *error);
    /* Functions that take genes. Several genomes may decode to the same point. NULL: the objective is over
     * points. */
    const struct objective_genes *genes;
    /* Computes the residuals of rows first .. first + count - 1; the value is the sum of the squares of all
     * residuals. NULL: the value is no sum of squares over the rows of `table`. Any thread may call this
     * function. */
    enum shoal_status (*residuals)(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *out, struct shoal_error *error);
    /* Computes the info.constraints constraints at x, the equalities last; NULL: there are none. Any thread
     * may call this function. */
    void (*constraints)(const struct shoal_objective *objective, const double *x, size_t dim, double *g);
    /* If `value` is the rank of a point under constraints (objective_constrain): constrained has the
     * constraints, and `parts` implements constrained_sides. NULL: `value` is no rank. */
    const struct constrained *constrained;
    double (*parts)(const struct shoal_objective *objective, const double *x, size_t dim, double *sides);
    /* returns the minimum for a dimension; NULL: info.minimum holds for each dimension */
    double (*minimum)(size_t dim);
    /* bounded: the same objective with checked indices, which is slower. Its function take_fault returns
     * SHOAL_INVALID and names the first index out of bounds that this thread has met since the last call.
     * NULL: no index can be out of bounds. *is_slow: `bounded` is too slow to evaluate further points. */
    const struct shoal_objective *bounded;
    atomic_bool *is_slow;
    enum shoal_status (*take_fault)(const struct shoal_objective *bounded, struct shoal_error *error);
    /* default box for min_dim dimensions; NULL: the box is the same in each dimension */
    const double *lower, *upper;
    /* For an objective with several instances: returns the value of instance run mod `instances`. The tables
     * of the instances follow each other in `table`. NULL: all runs of a search have the same objective. */
    double (*value_of_run)(const struct shoal_objective *objective, size_t run, const double *x, size_t dim);
    size_t instances; /* 0 if value_of_run is NULL */
    /* the objective was created by objective_rotate: its kernels also keep the rotated point */
    bool is_rotated;
    /* The work-items of a group may compute values of several points together: BY_TEAM of the text. */
    bool by_team;
    bool is_told;     /* the caller of the search gives the values */
    bool whole_table; /* kernels have the numbers of the table as int */
    /* SHOAL_DATA_ROWS: the rows; SHOAL_OPAQUE: the table that the text reads; NULL: there is no table */
    const struct objective_table *table;
    int number; /* number of the function among the functions of CEC 2006, from 1 */
    /* reads or makes instances of a built-in objective; NULL: the objective has none */
    const struct instance_source *source;
    void *state; /* data of the functions above */
    /* frees `state`, which the constructor allocated; NULL for built-in objectives */
    void (*destroy)(struct shoal_objective *objective);
};

/* Names of the built-in functions, which are the choices of --function, ended by NULL. They have the order of
 * shoal_objective_at(), with functions over reals first. objective_names: for an algorithm that takes genes.
 * objective_real_names: for an algorithm that takes only reals. */
extern const char *const objective_names[], *const objective_real_names[];

/* Return the bounds of the default box in dimension d; NaN: there is no default bound. */
static inline double objective_lower(const struct shoal_objective *objective, size_t d)
{
    return objective->lower ? objective->lower[d] : objective->info.lower;
}

static inline double objective_upper(const struct shoal_objective *objective, size_t d)
{
    return objective->upper ? objective->upper[d] : objective->info.upper;
}

/* A function that returns a value as a number cannot return why there is none. objective_fail_value keeps the
 * reason for the calling thread, and returns NaN as the value. objective_take_failure returns the latest
 * reason of the calling thread; SHOAL_OK: there was none. objective_take_failure and objective_forget_failure
 * forget the reason. objective_fail_memory: objective_fail_value for a value that got no memory. */
double objective_fail_value(const struct shoal_error *reason);
double objective_fail_memory(void);
void objective_forget_failure(void);
SHOAL_MUST_CHECK enum shoal_status objective_take_failure(struct shoal_error *error);

/* Largest dimension of a rotated objective: each work-item keeps a point in private memory. */
enum { OBJECTIVE_MAX_ROTATED = 512 };

/* Creates the objective f(m + R (x - m)) for points of `dim` coordinates. f is `inner`. R is a random
 * rotation or reflection, which follows from `seed` and `dim`. Each coordinate of m is info.minimiser of f,
 * or 0 if the minimiser is unknown. If *owned is `inner`, the new objective owns `inner`, and *owned becomes
 * NULL; otherwise `inner` must be valid as long as the new objective. SHOAL_INVALID: the dimension is not
 * supported, or `inner` is a sum over rows, reads a table or is over genes. */
SHOAL_MUST_CHECK enum shoal_status objective_rotate(const struct shoal_objective *inner,
                                                    struct shoal_objective **owned, uint64_t seed, size_t dim,
                                                    struct shoal_objective **out, struct shoal_error *error);

/* objective_has_points: whether objective_over_points can create an objective over points from this objective
 * over genes. It cannot if values depend on the generation, or if the objective repairs individuals.
 * objective_over_points: creates the objective whose value at a point is that of the individual of the point,
 * for algorithms that round coordinates. variables: the variables of `inner`, none of them an order or coded.
 * If *owned is `inner`, the new objective owns `inner`, and *owned becomes NULL; otherwise `inner` must be
 * valid as long as the new objective. */
bool objective_has_points(const struct shoal_objective *objective);
SHOAL_MUST_CHECK enum shoal_status objective_over_points(const struct shoal_objective *inner,
                                                         struct shoal_objective **owned,
                                                         const struct shoal_variables *variables,
                                                         struct shoal_objective **out,
                                                         struct shoal_error *error);

/* Compares the changes that the objective computes for moves with differences of values, at random points.
 * SHOAL_INVALID: a change is wrong; the message names the move. */
SHOAL_MUST_CHECK enum shoal_status objective_check_changes(const struct shoal_objective *objective,
                                                           struct shoal_error *error);

/* Evaluates a few points of a box with checks of indices. SHOAL_INVALID: an index is out of bounds; the
 * message names the index, text, line and macro. lower, upper: bounds of each variable; NULL: the default
 * box; if there is none, no point is evaluated. */
SHOAL_MUST_CHECK enum shoal_status objective_try(const struct shoal_objective *objective, const double *lower,
                                                 const double *upper, size_t dim, struct shoal_error *error);

/* Returns a small dimension that the objective allows, for checks. */
size_t objective_check_dim(const struct shoal_objective *objective);

/* Repairs random points of dimension `dim`, and checks the results. SHOAL_INVALID: a repaired variable has an
 * invalid value; the message names the variable. */
SHOAL_MUST_CHECK enum shoal_status objective_check_repair(const struct shoal_objective *objective, size_t dim,
                                                          struct shoal_error *error);

/* Creates the objective of a formula over reals. variables: a list that gives names to coordinates; NULL:
 * does what shoal_objective_from_expression does. */
SHOAL_MUST_CHECK enum shoal_status objective_from_named_expression(const char *formula, const char *variables,
                                                                   struct shoal_objective **out,
                                                                   struct shoal_error *error);

/* Sets *text to the text that replaces objective/snippet.clh in a program that evaluates the objective. *text
 * points into the objective or the library. SHOAL_UNSUPPORTED: the objective is a callback. */
SHOAL_MUST_CHECK enum shoal_status objective_kernel_text(const struct shoal_objective *objective,
                                                         struct shoal_kernel_text *text,
                                                         struct shoal_error *error);

#endif
