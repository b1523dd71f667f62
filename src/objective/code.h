/* Private: objectives from texts in the kernel dialect on the host: their #defines and their compiled
 * functions. */
#ifndef SHOAL_OBJECTIVE_CODE_H
#define SHOAL_OBJECTIVE_CODE_H

#include <shoal/objective.h>

enum { TEXT_VARIABLES = 4096 };

/* Properties read from the #defines of a text. */
struct text_facts {
    enum shoal_shape shape;
    double lower, upper, minimum; /* NaN: the text does not define the value */
    size_t min_dim, max_dim;
    size_t singles;                 /* number of coordinates that every term may use */
    size_t constraints, equalities; /* number of constraints, and of the equalities among them */
    bool table;                     /* OPAQUE: the text reads a table */
    /* list of genes (VARIABLES) of an OPAQUE text; empty: the text is over the coordinates x */
    char variables[TEXT_VARIABLES];
    enum shoal_move move;
    bool repair;       /* the text has objective_repair */
    bool dynamic;      /* the objective's values depend on the generation */
    bool whole_values; /* the objective's values are of type long (VALUE LONG) */
    bool whole_table;  /* the numbers of the objective's table are of type int (TABLE INT) */
    bool squares;      /* DATA_ROWS: the terms of the sum are squares, because the text has no RULE */
};

/* Checks a text (user_text_check) and stores it without comments; the caller frees the copy. name: shown in
 * messages. SHOAL_INVALID: the text is refused, or lacks SHAPE or a function that SHAPE requires. */
SHOAL_MUST_CHECK enum shoal_status text_read(struct shoal *shoal, const char *text, const char *name,
                                             char **checked, struct text_facts *facts,
                                             struct shoal_error *error);

/* A text that was read, and the properties that it defines. */
struct read_text {
    const char *name;
    char *checked; /* the text without comments, which the caller frees */
    struct text_facts facts;
};

/* Checks that a text has a table if it needs one, and none otherwise. */
SHOAL_MUST_CHECK enum shoal_status text_check_table(const struct text_facts *facts, bool given,
                                                    const char *name, struct shoal_error *error);

/* Checks that a table of this size fits the text. dim: dimension of x for the rows, with DATA_ROWS. */
SHOAL_MUST_CHECK enum shoal_status text_check_size(const struct text_facts *facts, size_t rows,
                                                   size_t columns, size_t dim, const char *name,
                                                   struct shoal_error *error);

struct objective_table;
/* Does what text_check_table does, for a table or NULL, and checks that the table has the shape that the text
 * needs. */
SHOAL_MUST_CHECK enum shoal_status text_check_fit(const struct text_facts *facts,
                                                  const struct objective_table *table, const char *name,
                                                  struct shoal_error *error);

struct objective_code;

struct code_params {
    const char *text, *name;
    size_t dim;           /* DIM of the text; 0: each call states the dimension */
    size_t rows, columns; /* size of the table; `rows` for OPAQUE alone */
    bool genes;           /* the text is over genes: of the functions below only code_value_genes exists */
    bool change, repair;  /* code_change and code_repair exist */
    bool residuals;       /* code_residuals exists */
    bool constraints;     /* code_constraints exists */
    bool is_check;
    bool has_bounds; /* the index macros of the text note an index out of bounds: see code_take_fault */
};

/* Compiles a text. SHOAL_BUILD_FAILED: the error has the compiler's log, with file and line of the text.
 * Takes as long as a compiler, a minute at most. `shoal` may be NULL. If the text is only checked, *out is
 * NULL: see host_code_check. */
SHOAL_MUST_CHECK enum shoal_status code_create(struct shoal *shoal, const struct code_params *params,
                                               struct objective_code **out, struct shoal_error *error);
/* Value at x. DATA_ROWS: the sum over `row_count` dense rows of `columns` numbers; OPAQUE: `rows` is the
 * table that the text reads. rows NULL and row_count 0: there is no table. Any thread. */
double code_value(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                  size_t row_count);
/* DATA_ROWS: computes the residual of each of the rows. Any thread. */
void code_residuals(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                    size_t row_count, double *out);
/* Computes the constraints at x. Any thread. */
void code_constraints(const struct objective_code *code, const double *x, size_t dim, double *g);
struct genome;
/* Value of an individual in a generation. table: the table that the text reads, of double or int32_t. */
double code_value_genes(const struct objective_code *code, const struct genome *genome, size_t dim,
                        uint32_t generation, const void *table);
/* Change of the value by a move, for a text with CHANGE. */
double code_change(const struct objective_code *code, const struct genome *genome, size_t dim,
                   const void *table, size_t i, size_t j);
/* Repairs the genome, by the function of a text with REPAIR. */
void code_repair(const struct objective_code *code, const struct genome *genome, size_t dim,
                 const void *table);
/* Reports a fault in code with bounds. SHOAL_INVALID: this thread met an index out of bounds since the last
 * call; the message names text, line, macro, index and bound of the first such index. */
SHOAL_MUST_CHECK enum shoal_status code_take_fault(const struct objective_code *code,
                                                   struct shoal_error *error);
void code_destroy(struct objective_code **code); /* accepts NULL */

/* Defined in indexed.c: copies a text, and adds checks by HOST_INDEX to the indices of array arguments of its
 * functions; see HOST_INDEX of cl/objective/host_checked.h. The caller frees the copy; NULL: there is no
 * memory. */
char *text_with_bounds(const char *text);

#endif
