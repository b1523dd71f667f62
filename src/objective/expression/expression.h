/* Private: formulas such as "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)". Their grammar is in docs/objectives.md.
 *
 * A formula is parsed to a tree. From the tree follow a text in the kernel dialect, for devices, and a
 * program of a stack machine, which computes the value in double precision on the host.
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
    double (*two)(double, double); /* function of two arguments; NULL: the function has one argument */
    /* Returns the derivative at x of a function of one argument; y: value of the function at x. NULL: the
     * derivative is 0. */
    double (*slope)(double x, double y);
};
/* The functions of formulas; a row without a name ends the table. */
extern const struct expression_function expression_functions[];

/* A node of the tree. Its operands are the nodes `left` and `right`; if it has only one operand, `right` is
 * equal to `left`. Operands have lower indices than the node. */
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

/* Names that the formula of a model may use in addition to functions, pi and e. */
struct expression_names {
    const char *const *columns, *const *parameters;
    size_t column_count, parameter_count;
};

/* Returns the least dimension of a point for which the formula has a value. */
size_t expression_least_dim(const struct expression *expression);

struct shoal_variables;
/* Parses a formula, and evaluates its constant parts. SHOAL_INVALID: the message names the column of the
 * error. variables: a list whose names may be used for coordinates; names of functions and constants take
 * precedence; NULL: there is no list. is_sized: `variables` lists all coordinates. */
SHOAL_MUST_CHECK enum shoal_status expression_parse(const char *formula,
                                                    const struct shoal_variables *variables, bool is_sized,
                                                    struct expression *expression, struct shoal_error *error);

/* Parses constraint `number`: two formulas with <=, >= or = between them. The expression becomes the
 * difference of both sides. The constraint is met where it is at most 0 or, if *is_equality, equal to 0. For
 * other arguments and errors see expression_parse. */
SHOAL_MUST_CHECK enum shoal_status expression_parse_relation(const char *formula, int number,
                                                             const struct shoal_variables *variables,
                                                             bool is_sized, struct expression *expression,
                                                             bool *is_equality, struct shoal_error *error);

/* Returns the finite value of a formula without coordinates, such as "-2*pi". SHOAL_INVALID: the formula is
 * wrong, or its value is not finite. */
SHOAL_MUST_CHECK enum shoal_status expression_constant(const char *formula, double *value,
                                                       struct shoal_error *error);

/* Parses the formula of a model, whose value is a number for each row of a table. A name is a column; if
 * there is none of this name, a parameter; otherwise a constant. Names with special characters are in
 * backquotes. SHOAL_INVALID: the message names the character of the error. */
SHOAL_MUST_CHECK enum shoal_status expression_parse_model(const char *formula,
                                                          const struct expression_names *names,
                                                          struct expression *expression,
                                                          struct shoal_error *error);

/* Whether the name is a function or a constant of formulas. */
bool expression_is_reserved(const char *name);

/* Returns the exponent of a power that is computed by products: an integer from 1 to 64, or minus such an
 * integer. 0: the node is no such power. */
int expression_whole_power(const struct expression *expression, const struct expression_node *node);

/* Writes the text of an objective with the shape PER_DIMENSION. If the formula has no sums, all terms are
 * 0. */
void expression_write_kernel(const struct expression *expression, const char *formula, struct text *out);

struct shoal_variables;
/* Writes the text of an objective over genes of `variables`. list: text of the list of variables. */
void expression_write_genes(const struct expression *expression, const char *formula,
                            const struct shoal_variables *variables, const char *list, struct text *out);

/* Writes the function objective_model(x, row) of a model, where x are the parameters, and the functions that
 * it calls. */
void expression_write_model(const struct expression *expression, struct text *out);

/* Writes the function of a constraint, and the functions that it calls: constraint_N(x, dim); with is_genes,
 * constraint_N(genome, dim) for a text of expression_write_genes. N: number of the constraint. */
void expression_write_constraint(const struct expression *expression, bool is_genes, struct text *out);

/* Write parts of these texts. expression_write_head: the formula as a comment, and the lines with SHAPE and
 * other macros. expression_write_functions: objective_terms and objective_finish, with the functions that
 * they call. expression_write_number: a number in the form R(0.5). expression_write_comment: the formula as a
 * comment. */
void expression_write_head(const struct expression *expression, const char *formula, const char *shape,
                           struct text *out);
void expression_write_functions(const struct expression *expression, struct text *out);
void expression_write_number(double number, struct text *out);
void expression_write_comment(const char *formula, struct text *out);

struct expression_program;

/* Compiles a formula to a program; NULL: out of memory. */
struct expression_program *expression_compile(const struct expression *expression);
/* Returns the value at x; NaN: x has fewer dimensions than the formula needs. Any thread may call this
 * function. */
double expression_value(const struct expression_program *program, const double *x, size_t dim);
void expression_program_free(struct expression_program *program);

/* Rows of a table, stored column by column: number c of row j is numbers[c * stride + j]. */
struct expression_rows {
    const double *numbers;
    size_t count, stride;
};

/* expression_scratch: returns the count of numbers of scratch memory for expression_model. parameter_count 0:
 * only values are computed. EXPRESSION_BLOCK: number of rows that are computed at a time. */
enum { EXPRESSION_BLOCK = 32 };
size_t expression_scratch(const struct expression_program *program, size_t parameter_count);

/* Computes the model at each row. slopes[p * stride + j]: derivative of the value of row j with respect to
 * parameter p; slopes NULL: not wanted. Derivatives are computed by forward differentiation. Where a function
 * has no derivative (at a step, or abs at 0), its derivative counts as 0 or as the derivative of one side. */
void expression_model(const struct expression_program *program, const double *parameters,
                      size_t parameter_count, const struct expression_rows *rows, double *scratch,
                      double *values, double *slopes);

#endif
