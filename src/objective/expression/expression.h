/* Private: formulas such as "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)": grammar in docs/objectives.md.
 *
 * A formula becomes a tree. The tree becomes a text of the kernel dialect for devices, and a program for a
 * stack machine, which gives the value in double precision.
 */
#ifndef SHOAL_OBJECTIVE_EXPRESSION_H
#define SHOAL_OBJECTIVE_EXPRESSION_H

#include "base/text.h"

#include <shoal/error.h>

enum {
    EXPRESSION_NODES = 2048,
    EXPRESSION_REDUCTIONS = 4,
    EXPRESSION_NESTING = 32,
    EXPRESSION_SINGLES = 64,
    EXPRESSION_MAX_DIM = 1 << 20
};

enum expression_kind {
    EXPRESSION_NUMBER,
    EXPRESSION_DIM,
    EXPRESSION_INDEX,     /* i, which counts dimensions from 1 */
    EXPRESSION_X,         /* x[i] */
    EXPRESSION_NEXT,      /* x[i+1] */
    EXPRESSION_SINGLE,    /* x[3]: single coordinate number `index` */
    EXPRESSION_COLUMN,    /* column number `index` of the row, in a model */
    EXPRESSION_PARAMETER, /* parameter number `index`, in a model */
    EXPRESSION_REDUCTION, /* sum or product number `index` */
    EXPRESSION_NEGATE,
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_POWER,
    EXPRESSION_CALL
};

struct expression_function {
    const char *name, *kernel; /* name in formulas; name in kernel texts */
    double (*one)(double);
    double (*two)(double, double); /* function of two arguments; else NULL */
    /* Derivative at x of a function of one argument; y: value of the function at x. NULL: the derivative is
     * 0. */
    double (*slope)(double x, double y);
};
/* The functions of formulas; a row without a name ends the table. */
extern const struct expression_function expression_functions[];

/* A node of the tree. The operands are `left` and, if there are two, `right`. Nodes refer only to earlier
 * nodes. */
struct expression_node {
    enum expression_kind kind;
    int left, right, index;
    double number;
    const struct expression_function *function;
};

struct expression {
    struct expression_node nodes[EXPRESSION_NODES];
    int count, root;
    int constraint; /* number, from 1, of the constraint that this formula states; 0: the formula is no
                     * constraint */
    struct {
        int term;
        bool product;
        bool coupled; /* the sum or product has x[i+1], so that i runs to D - 1 */
    } reductions[EXPRESSION_REDUCTIONS];
    int reduction_count;
    bool coupled;                       /* a sum or product has x[i+1] */
    size_t singles[EXPRESSION_SINGLES]; /* dimensions of the single coordinates, from 0 */
    int single_count;
};

/* Names that the formula of a model may use besides functions, pi and e. */
struct expression_names {
    const char *const *columns, *const *parameters;
    size_t column_count, parameter_count;
};

/* The least dimension of a point that the formula needs. */
size_t expression_least_dim(const struct expression *expression);

struct shoal_variables;
/* Parses a formula. SHOAL_INVALID: the message names the column. Constant parts are evaluated. variables:
 * names of single coordinates; the names of functions and constants take precedence; NULL: none. is_sized:
 * `variables` lists all coordinates. */
SHOAL_MUST_CHECK enum shoal_status expression_parse(const char *formula,
                                                    const struct shoal_variables *variables, bool is_sized,
                                                    struct expression *expression, struct shoal_error *error);

/* Parses constraint `number`: two formulas with <=, >= or = between them. The constraint is met where the
 * expression is at most 0, or, with *is_equality, where it is 0. Other arguments and errors: see
 * expression_parse. */
SHOAL_MUST_CHECK enum shoal_status expression_parse_relation(const char *formula, int number,
                                                             const struct shoal_variables *variables,
                                                             bool is_sized, struct expression *expression,
                                                             bool *is_equality, struct shoal_error *error);

/* The finite value of a formula without coordinates, such as "-2*pi". SHOAL_INVALID: the message has the
 * error. */
SHOAL_MUST_CHECK enum shoal_status expression_constant(const char *formula, double *value,
                                                       struct shoal_error *error);

/* Parses the formula of a model, one number for each row of a table. A name means a column, or else a
 * parameter, or else a constant; names with other characters are in backquotes. SHOAL_INVALID: the message
 * names the character. */
SHOAL_MUST_CHECK enum shoal_status expression_parse_model(const char *formula,
                                                          const struct expression_names *names,
                                                          struct expression *expression,
                                                          struct shoal_error *error);

/* Whether the name is a function or a constant of formulas. */
bool expression_is_reserved(const char *name);

/* The exponent of a power that becomes products: an integer from 1 to 64, or the negative of such an integer.
 * 0: the node is no such power. */
int expression_whole_power(const struct expression *expression, const struct expression_node *node);

/* Writes the text of an objective of shape PER_DIMENSION; a formula without sums gets a term that is 0. */
void expression_write_kernel(const struct expression *expression, const char *formula, struct text *out);

struct shoal_variables;
/* Writes the text of an objective over genes of these variables. list: the list of variables as the text
 * states it. */
void expression_write_genes(const struct expression *expression, const char *formula,
                            const struct shoal_variables *variables, const char *list, struct text *out);

/* Writes the function objective_model(x, row) of a model with parameters x, and the functions that it
 * calls. */
void expression_write_model(const struct expression *expression, struct text *out);

/* Writes the function constraint_N of a constraint, and the functions that it calls: constraint_N(x, dim), or
 * with is_genes constraint_N(genome, dim) for a text of expression_write_genes. */
void expression_write_constraint(const struct expression *expression, bool is_genes, struct text *out);

/* Functions for parts of these texts. expression_write_comment: the formula as a comment;
 * expression_write_head: the comment and the lines with SHAPE and the like; expression_write_functions:
 * objective_terms and objective_finish, with the functions that they call; expression_write_number: a number
 * as R(0.5). */
void expression_write_head(const struct expression *expression, const char *formula, const char *shape,
                           struct text *out);
void expression_write_functions(const struct expression *expression, struct text *out);
void expression_write_number(double number, struct text *out);
void expression_write_comment(const char *formula, struct text *out);

struct expression_program;

/* Makes the program of a formula; NULL: out of memory. */
struct expression_program *expression_compile(const struct expression *expression);
/* Value at x; NaN: x has fewer dimensions than the formula needs. Any thread. */
double expression_value(const struct expression_program *program, const double *x, size_t dim);
void expression_program_free(struct expression_program *program);

/* Rows of a table, stored column after column: number c of row j is numbers[c * stride + j]. */
struct expression_rows {
    const double *numbers;
    size_t count, stride;
};

/* Size of the scratch memory of expression_model, in numbers. parameter_count 0: only values are computed.
 * EXPRESSION_BLOCK: rows that are computed at a time. */
enum { EXPRESSION_BLOCK = 32 };
size_t expression_scratch(const struct expression_program *program, size_t parameter_count);

/* Computes the model at each row. slopes[p * stride + j]: derivative of the value of row j by parameter p;
 * slopes NULL: not wanted. Uses forward differentiation: where no derivative exists (at a step, or abs at 0),
 * the result is 0 or the derivative of one side. */
void expression_model(const struct expression_program *program, const double *parameters,
                      size_t parameter_count, const struct expression_rows *rows, double *scratch,
                      double *values, double *slopes);

#endif
