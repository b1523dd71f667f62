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

/* The functions of an objective over genes instead of points; a gene is one number
 * (objective/variables/variables.h). */
struct objective_genes {
    double (*value)(const struct shoal_objective *objective, const double *genes, size_t dim,
                    uint32_t generation);
    double (*change)(const struct shoal_objective *objective, const double *genes, size_t dim, size_t i,
                     size_t j);
    enum shoal_status (*repair)(const struct shoal_objective *objective, double *genes, size_t dim,
                                struct shoal_error *error);
};

/* Makes the kernel text of a file of cl/. The file is included like other files, so that --kernel-dir can
 * replace it. */
#define OBJECTIVE_FILE(path) "#include \"" path "\"\n"

/* Most numbers of the table that an opaque text reads, since kernels count the numbers in 32 bits. */
enum { OBJECTIVE_MAX_NUMBERS = 1 << 28 };

struct shoal_objective {
    struct shoal_objective_info info;
    /* Kernel text: an OBJECTIVE_FILE, or `text` under the name `text_name`; both NULL: a callback. */
    const char *file;
    char *text, *text_name;
    /* SHOAL_PER_DIMENSION: number of coordinates that every term may use (SINGLES of the text) */
    size_t singles;
    double (*value)(const struct shoal_objective *objective, const double *x, size_t dim);
    /* Value in a generation; NULL: info.dynamic is false. */
    double (*value_in_generation)(const struct shoal_objective *objective, const double *x, size_t dim,
                                  uint32_t generation);
    /* The change of the value by a move of kind info.move; NULL: info.move is NONE. */
    double (*change)(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                     size_t j);
    /* Makes a point feasible; this is not checked. NULL: info.repairs is false. */
    enum shoal_status (*repair)(const struct shoal_objective *objective, double *x, size_t dim,
                                struct shoal_error *error);
    /* Functions of an objective over genes, in which several genomes may stand for one value; NULL: the
     * objective is over points. */
    const struct objective_genes *genes;
    /* Computes roots of the terms of rows first .. first + count - 1, whose squares add up to the value;
     * NULL: the value is no sum of squares over the rows of `table`. Any thread may call this. */
    enum shoal_status (*residuals)(const struct shoal_objective *objective, const double *x, size_t first,
                                   size_t count, double *out, struct shoal_error *error);
    /* Computes the info.constraints constraints, the equalities last; NULL: there are none. Any thread. */
    void (*constraints)(const struct shoal_objective *objective, const double *x, size_t dim, double *g);
    /* Set if `value` is the rank of a point under constraints (objective_constrain). constrained: the
     * constraints; parts: implements constrained_sides. NULL: there are no such constraints. */
    const struct constrained *constrained;
    double (*parts)(const struct shoal_objective *objective, const double *x, size_t dim, double *sides);
    double (*minimum)(size_t dim); /* minimum by dimension; NULL: info.minimum */
    /* The same objective with checked indices, which is slower: its take_fault returns SHOAL_INVALID and
     * names the first index out of bounds that this thread met since the last call. NULL: no index can be out
     * of bounds. *is_slow: no further point is to be evaluated with `bounded`. */
    const struct shoal_objective *bounded;
    atomic_bool *is_slow;
    enum shoal_status (*take_fault)(const struct shoal_objective *bounded, struct shoal_error *error);
    const double *lower, *upper; /* usual box of min_dim dimensions; NULL: the box is the same in
                                  * each dimension */
    /* For an objective of several instances: the value of instance run mod `instances`, from 0; the tables of
     * the instances follow each other. NULL: the objective is the same for each run of a search. */
    double (*value_of_run)(const struct shoal_objective *objective, size_t run, const double *x, size_t dim);
    size_t instances; /* 0 where value_of_run is NULL */
    bool is_rotated;  /* made by objective_rotate: kernels keep the rotated points, too */
    bool is_told;     /* a caller of the search tells the values */
    bool whole_table; /* kernels have the numbers of the table as int */
    /* SHOAL_DATA_ROWS: the rows; SHOAL_OPAQUE: the table that the text reads, or NULL */
    const struct objective_table *table;
    int number;                           /* number of the function of CEC 2006, from 1 */
    const struct instance_source *source; /* reads instances of a built-in objective; NULL: it has no
                                           * instances */
    void *state;                          /* data of `value` */
    /* frees `state`, which the constructor allocated; NULL for built-in objectives */
    void (*destroy)(struct shoal_objective *objective);
};

/* Names of the built-in functions, in the order of shoal_objective_at() with functions over reals first,
 * ended by NULL: the choices of --function. objective_names: for an algorithm that takes genes;
 * objective_real_names: for an algorithm that takes only reals. */
extern const char *const objective_names[], *const objective_real_names[];

/* Bounds of the usual box in dimension d; NaN: none. */
static inline double objective_lower(const struct shoal_objective *objective, size_t d)
{
    return objective->lower ? objective->lower[d] : objective->info.lower;
}

static inline double objective_upper(const struct shoal_objective *objective, size_t d)
{
    return objective->upper ? objective->upper[d] : objective->info.upper;
}

/* Most dimensions of a rotated objective: each work-item keeps a point in private memory. */
enum { OBJECTIVE_MAX_ROTATED = 512 };

/* Creates f(m + R (x - m)) for points of `dim` coordinates, where f is `inner`, R a random rotation or
 * reflection that follows from `seed` and `dim`, and each coordinate of m is info.minimiser of f, or 0 if the
 * minimiser is unknown. `inner` must live longer than the new objective, unless *owned is `inner`: the new
 * objective then owns it, and *owned becomes NULL. SHOAL_INVALID: the dimension is not supported, or `inner`
 * is a sum over rows, reads a table or is over genes. */
SHOAL_MUST_CHECK enum shoal_status objective_rotate(const struct shoal_objective *inner,
                                                    struct shoal_objective **owned, uint64_t seed, size_t dim,
                                                    struct shoal_objective **out, struct shoal_error *error);

/* Checks the changes of the value that the objective computes for moves, by differences of values at random
 * points. SHOAL_INVALID: a change and a difference do not agree; the message names the move. */
SHOAL_MUST_CHECK enum shoal_status objective_check_changes(const struct shoal_objective *objective,
                                                           struct shoal_error *error);

/* Evaluates a few points of a box with checks. SHOAL_INVALID: the message names an index out of bounds, with
 * text, line and macro. lower, upper: bounds of each variable; NULL: the usual box; if there is no usual box,
 * no point is evaluated. */
SHOAL_MUST_CHECK enum shoal_status objective_try(const struct shoal_objective *objective, const double *lower,
                                                 const double *upper, size_t dim, struct shoal_error *error);

/* A small dimension that the objective allows, for checks. */
size_t objective_check_dim(const struct shoal_objective *objective);

/* Repairs random points of this dimension, and checks the results. SHOAL_INVALID: a repaired variable has a
 * value that it cannot have; the message names the variable. */
SHOAL_MUST_CHECK enum shoal_status objective_check_repair(const struct shoal_objective *objective, size_t dim,
                                                          struct shoal_error *error);

/* Creates the objective of a formula over reals in which coordinates may have the names of a list of
 * variables; list NULL: does what shoal_objective_from_expression does. */
SHOAL_MUST_CHECK enum shoal_status objective_from_named_expression(const char *formula, const char *variables,
                                                                   struct shoal_objective **out,
                                                                   struct shoal_error *error);

/* Gives the text that replaces objective/snippet.clh in a program that evaluates the objective.
 * SHOAL_UNSUPPORTED: the objective is a callback. `*text` points into the objective or the library. */
SHOAL_MUST_CHECK enum shoal_status objective_kernel_text(const struct shoal_objective *objective,
                                                         struct shoal_kernel_text *text,
                                                         struct shoal_error *error);

#endif
