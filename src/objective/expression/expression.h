/* Private: formulas such as "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)": grammar in docs/objectives.md.
 *
 * A formula becomes a tree, and the tree both a text of the kernel dialect and a program for a stack machine
 * that gives the value in double precision.
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
    EXPRESSION_INDEX,     /* i, from 1 */
    EXPRESSION_X,         /* x[i] */
    EXPRESSION_NEXT,      /* x[i+1] */
    EXPRESSION_SINGLE,    /* x[3]: single coordinate number `index` */
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
    const char *name, *kernel; /* in formulas; in kernel texts */
    double (*one)(double);
    double (*two)(double, double); /* of two arguments; else NULL */
};
/* Ended by a row without a name. */
extern const struct expression_function expression_functions[];

/* One operand is `left`, the second `right`. Nodes refer to nodes before them. */
struct expression_node {
    enum expression_kind kind;
    int left, right, index;
    double number;
    const struct expression_function *function;
};

struct expression {
    struct expression_node nodes[EXPRESSION_NODES];
    int count, root;
    struct {
        int term;
        bool product;
        bool coupled; /* has x[i+1]: runs over i < D */
    } reductions[EXPRESSION_REDUCTIONS];
    int reduction_count;
    bool coupled;                       /* one of them is */
    size_t singles[EXPRESSION_SINGLES]; /* their dimensions, from 0 */
    int single_count;
};

/* Dimensions that a point has at least. */
size_t expression_least_dim(const struct expression *expression);

/* SHOAL_INVALID names the column. Constant parts are evaluated. */
SHOAL_MUST_CHECK enum shoal_status expression_parse(const char *formula, struct expression *expression,
                                                    struct shoal_error *error);

/* The value of a formula without coordinates, "-2*pi", which is finite. SHOAL_INVALID says what is wrong. */
SHOAL_MUST_CHECK enum shoal_status expression_constant(const char *formula, double *value,
                                                       struct shoal_error *error);

/* The exponent of a power with an integer exponent from 1 to 64 or its negative, which becomes products; 0:
 * not such a power. */
int expression_whole_power(const struct expression *expression, const struct expression_node *node);

/* The text of an objective that is PER_DIMENSION; without sums of one term, which is 0. */
void expression_write_kernel(const struct expression *expression, const char *formula, struct text *out);

struct shoal_variables;
/* The text of an objective over genes of these variables; `list`: as it goes into the text. */
void expression_write_genes(const struct expression *expression, const char *formula,
                            const struct shoal_variables *variables, const char *list, struct text *out);

/* Parts of both texts: the formula as a comment, and the lines that say what the text is; objective_terms and
 * objective_finish with what they call; a number as R(0.5). */
void expression_write_head(const struct expression *expression, const char *formula, const char *shape,
                           struct text *out);
void expression_write_functions(const struct expression *expression, struct text *out);
void expression_write_number(double number, struct text *out);

struct expression_program;

struct expression_program *expression_compile(const struct expression *expression); /* NULL: out of memory */
/* NaN for fewer dimensions than the formula needs. Any thread. */
double expression_value(const struct expression_program *program, const double *x, size_t dim);
void expression_program_free(struct expression_program *program);

#endif
