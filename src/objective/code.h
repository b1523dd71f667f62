/* Private: objectives from texts in the kernel dialect on the host: the properties that their #defines state,
 * and the compiled functions. */
#ifndef SHOAL_OBJECTIVE_CODE_H
#define SHOAL_OBJECTIVE_CODE_H

#include <shoal/objective.h>

enum { TEXT_VARIABLES = 4096 };

/* Properties read from the #defines of a text. */
struct text_facts {
    enum shoal_shape shape;
    double lower, upper, minimum; /* NaN: the text does not define the value */
    size_t min_dim, max_dim;
    size_t singles;                 /* number of single coordinates that every term may use */
    size_t constraints, equalities; /* number of constraints, and of the equalities among them */
    bool table;                     /* OPAQUE: the text reads a table */
    /* list of variables (VARIABLES) of an OPAQUE text; empty: the text takes the coordinates x */
    char variables[TEXT_VARIABLES];
    enum shoal_move move;
    bool repair;       /* the text has objective_repair */
    bool dynamic;      /* the objective's values depend on the generation */
    bool whole_values; /* the objective's values are of type long (VALUE LONG) */
    bool whole_table;  /* the numbers of the objective's table are of type int (TABLE INT) */
    bool squares;      /* DATA_ROWS: the text has no RULE, so the terms of the sum are squares */
};

/* Checks a text by user_text_check, and returns a copy without comments, which the caller frees. name: name
 * of the text in messages. SHOAL_INVALID: the check refuses the text, or the text lacks SHAPE or a function
 * that SHAPE requires. */
SHOAL_MUST_CHECK enum shoal_status text_read(struct shoal *shoal, const char *text, const char *name,
                                             char **checked, struct text_facts *facts,
                                             struct shoal_error *error);

/* A text that was read, and the properties that it defines. */
struct read_text {
    const char *name;
    char *checked; /* the text without comments, which the caller frees */
    struct text_facts facts;
};

/* Checks that a table is given if the text needs one, and only then. */
SHOAL_MUST_CHECK enum shoal_status text_check_table(const struct text_facts *facts, bool given,
                                                    const char *name, struct shoal_error *error);

/* Checks that the text can use a table of `rows` rows and `columns` columns. dim: for DATA_ROWS, the
 * dimension of x. */
SHOAL_MUST_CHECK enum shoal_status text_check_size(const struct text_facts *facts, size_t rows,
                                                   size_t columns, size_t dim, const char *name,
                                                   struct shoal_error *error);

struct objective_table;
/* Makes the checks of text_check_table and text_check_size, and checks that the table was created for the
 * shape of the text. table NULL: there is no table. */
SHOAL_MUST_CHECK enum shoal_status text_check_fit(const struct text_facts *facts,
                                                  const struct objective_table *table, const char *name,
                                                  struct shoal_error *error);

struct objective_code;

struct code_params {
    const char *text, *name;
    size_t dim;           /* DIM of the text; 0: each call gives the dimension */
    size_t rows, columns; /* size of the table; `rows` is used only for OPAQUE */
    bool genes;           /* the text is over genes: it has code_value_genes instead of code_value */
    bool change, repair;  /* code_change and code_repair exist */
    bool residuals;       /* code_residuals exists */
    bool constraints;     /* code_constraints exists */
    bool is_check;
    /* the index macros of the text check their index, and the first one out of bounds is kept: see
     * code_take_fault */
    bool has_bounds;
};

/* Compiles a text. SHOAL_BUILD_FAILED: the error has the compiler's log, with file and line of the text. The
 * call may take as long as a run of the compiler, at most a minute. `shoal` may be NULL. With is_check, *out
 * is NULL: see host_code_check. */
SHOAL_MUST_CHECK enum shoal_status code_create(struct shoal *shoal, const struct code_params *params,
                                               struct objective_code **out, struct shoal_error *error);
/* Returns the value at x. DATA_ROWS: the sum over `row_count` rows of `columns` numbers each. OPAQUE: `rows`
 * is the table that the text reads. Without a table, rows is NULL and row_count 0. Any thread may call this
 * function. */
double code_value(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                  size_t row_count);
/* DATA_ROWS: computes the residual of each of `row_count` rows. Any thread may call this function. */
void code_residuals(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                    size_t row_count, double *out);
/* Computes the constraints at x. Any thread may call this function. */
void code_constraints(const struct objective_code *code, const double *x, size_t dim, double *g);
struct genome;
/* Returns the value of an individual in a generation. table: the table that the text reads, of double or
 * int32_t. */
double code_value_genes(const struct objective_code *code, const struct genome *genome, size_t dim,
                        uint32_t generation, const void *table);
/* Returns the change of the value by move (i, j), for a text with CHANGE. */
double code_change(const struct objective_code *code, const struct genome *genome, size_t dim,
                   const void *table, size_t i, size_t j);
/* Repairs the genome in place, for a text with REPAIR. */
void code_repair(const struct objective_code *code, const struct genome *genome, size_t dim,
                 const void *table);
/* Returns SHOAL_INVALID if, in code with has_bounds, this thread has met an index out of bounds since the
 * last call. The message names text, line, macro, index and bound of the first such index. */
SHOAL_MUST_CHECK enum shoal_status code_take_fault(const struct objective_code *code,
                                                   struct shoal_error *error);
void code_destroy(struct objective_code **code); /* accepts NULL */

/* Defined in indexed.c: returns a copy of a text in which indices of array arguments are checked by
 * HOST_INDEX of cl/objective/host_checked.h. The caller frees the copy; NULL: there is no memory. */
char *text_with_bounds(const char *text);

#endif
