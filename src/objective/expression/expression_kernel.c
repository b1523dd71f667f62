/* Formulas as texts in the kernel dialect, in a form that kernels compute fast and exactly: integer powers
 * are products, angles are in turns, and divisions by constants and by roots are multiplications. */
#include "objective/expression/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_node(const struct expression *expression, int index, struct text *out);
static void write_open(const struct expression *expression, int index, struct text *out);

/* Writes a number as R(number). %.17g keeps every bit of the double. The macro R appends a suffix, before
 * which a point or an exponent is needed. */
void expression_write_number(double number, struct text *out)
{
    char digits[48];
    snprintf(digits, sizeof digits, "%.17g", number);
    /* In some locales the decimal point is another character, of one or several bytes. */
    const size_t whole = strspn(digits, "-+0123456789e");
    const char *rest = digits + whole + strcspn(digits + whole, "0123456789");
    text_printf(out, "R(%.*s%s%s)", (int)whole, digits,
                digits[whole]         ? "."
                : strchr(digits, 'e') ? ""
                                      : ".0",
                rest);
}

static bool is_call(const struct expression_node *node, const char *name)
{
    return node->kind == EXPRESSION_CALL && strcmp(node->function->name, name) == 0;
}

/* Writes the left operand of an operator. An operand with an operator of the same precedence gets no
 * brackets, since compilers limit how deep brackets are nested. */
static void write_left(const struct expression *expression, int index, bool products, struct text *out)
{
    const enum expression_kind kind = expression->nodes[index].kind;
    if (products ? kind == EXPRESSION_MULTIPLY || kind == EXPRESSION_DIVIDE
                 : kind == EXPRESSION_ADD || kind == EXPRESSION_SUBTRACT)
        write_open(expression, index, out);
    else
        write_node(expression, index, out);
}

/* Whether a product with this number is unlikely to overflow or underflow in single precision. */
static bool is_moderate(double number)
{
    return fabs(number) > 1e-30 && fabs(number) < 1e30;
}

/* Writes a division, whose dividend is already written. part: writes the divisor. */
static void write_division(const struct expression *expression, int right,
                           void (*part)(const struct expression *, int, struct text *), struct text *out)
{
    const struct expression_node *divisor = &expression->nodes[right];
    const double inverse = divisor->kind == EXPRESSION_NUMBER ? 1 / divisor->number : 0;
    if (is_call(divisor, "sqrt")) {
        text_add(out, " * rsqrt(");
        write_node(expression, divisor->left, out);
        text_add(out, ")");
    } else if (is_moderate(inverse)) {
        text_add(out, " * ");
        expression_write_number(inverse, out);
    } else {
        text_add(out, " / ");
        part(expression, right, out);
    }
}

static void write_call(const struct expression *expression, const char *function, int left, int right,
                       struct text *out)
{
    text_printf(out, "%s(", function);
    write_node(expression, left, out);
    if (right >= 0) {
        text_add(out, ", ");
        write_node(expression, right, out);
    }
    text_add(out, ")");
}

/* Angles ----------------------------------------------------------------------------------------------- */

/* Returns the constant factor of a product; write_rest writes its other factors. */
static double factor_of(const struct expression *expression, int index)
{
    const struct expression_node *node = &expression->nodes[index];
    switch (node->kind) {
    case EXPRESSION_NUMBER:
        return node->number;
    case EXPRESSION_NEGATE:
        return -factor_of(expression, node->left);
    case EXPRESSION_MULTIPLY:
        return factor_of(expression, node->left) * factor_of(expression, node->right);
    case EXPRESSION_DIVIDE:
        return factor_of(expression, node->left) / factor_of(expression, node->right);
    default:
        return 1;
    }
}

static bool is_constant(const struct expression *expression, int index)
{
    return expression->nodes[index].kind == EXPRESSION_NUMBER;
}

static void write_rest(const struct expression *expression, int index, struct text *out)
{
    const struct expression_node *node = &expression->nodes[index];
    if (node->kind == EXPRESSION_NEGATE) {
        write_rest(expression, node->left, out);
    } else if (node->kind == EXPRESSION_MULTIPLY && is_constant(expression, node->left)) {
        write_rest(expression, node->right, out);
    } else if (node->kind == EXPRESSION_MULTIPLY && !is_constant(expression, node->right)) {
        text_add(out, "(");
        write_rest(expression, node->left, out);
        text_add(out, " * ");
        write_rest(expression, node->right, out);
        text_add(out, ")");
    } else if (node->kind == EXPRESSION_DIVIDE && !is_constant(expression, node->right)) {
        text_add(out, "(");
        if (is_constant(expression, node->left))
            text_add(out, "R(1.0)");
        else
            write_rest(expression, node->left, out);
        write_division(expression, node->right, write_rest, out);
        text_add(out, ")");
    } else if (node->kind == EXPRESSION_MULTIPLY || node->kind == EXPRESSION_DIVIDE) {
        write_rest(expression, node->left, out);
    } else {
        write_node(expression, index, out);
    }
}

/* Writes sin or cos of an angle in radians as sin or cos of turns. The division by 2 pi changes the angle by
 * a rounding, as a rounding of x would; for an angle with the factor 2 pi it changes nothing. A factor that
 * single precision cannot represent stays in the angle. */
static void write_wave(const struct expression *expression, const struct expression_node *node,
                       struct text *out)
{
    double turns = factor_of(expression, node->left) / (2 * M_PI);
    if (!is_moderate(turns)) {
        write_call(expression, node->function->kernel, node->left, -1, out);
        return;
    }
    const double steps = rint(turns * 16);
    if (fabs(turns * 16 - steps) < 1e-14 * fabs(steps))
        turns = steps / 16;
    text_printf(out, "%s2pi(", node->function->name);
    if (turns != 1) {
        expression_write_number(turns, out);
        text_add(out, " * ");
    }
    write_rest(expression, node->left, out);
    text_add(out, ")");
}

/* Texts ------------------------------------------------------------------------------------------------ */

/* Writes the prefix of the names of functions. */
static void write_prefix(const struct expression *expression, struct text *out)
{
    if (expression->constraint)
        text_printf(out, "constraint_%d", expression->constraint);
    else
        text_add(out, "expression");
}

static void write_whole_power(const struct expression *expression, int base, int exponent, struct text *out)
{
    if (exponent < 0)
        text_add(out, "(R(1.0) / ");
    if (abs(exponent) > 1) {
        write_prefix(expression, out);
        text_printf(out, "_power_%d(", abs(exponent));
    }
    write_node(expression, base, out);
    if (abs(exponent) > 1)
        text_add(out, ")");
    if (exponent < 0)
        text_add(out, ")");
}

static void write_power(const struct expression *expression, const struct expression_node *node,
                        struct text *out)
{
    const struct expression_node *base = &expression->nodes[node->left];
    const struct expression_node *exponent = &expression->nodes[node->right];
    const int whole = expression_whole_power(expression, node);
    const double root = exponent->kind == EXPRESSION_NUMBER ? exponent->number : 0;
    const double constant = base->kind == EXPRESSION_NUMBER ? base->number : 0;
    if (whole)
        write_whole_power(expression, node->left, whole, out);
    else if (fabs(root) == 0.5)
        write_call(expression, root > 0 ? "sqrt" : "rsqrt", node->left, -1, out);
    else if (constant == 2 || constant == 10 || constant == M_E)
        write_call(expression,
                   constant == 2    ? "exp2"
                   : constant == 10 ? "exp10"
                                    : "exp",
                   node->right, -1, out);
    else
        write_call(expression, "pow", node->left, node->right, out);
}

static void write_node(const struct expression *expression, int index, struct text *out)
{
    const struct expression_node *node = &expression->nodes[index];
    switch (node->kind) {
    case EXPRESSION_NUMBER:
        expression_write_number(node->number, out);
        break;
    case EXPRESSION_DIM:
        text_add(out, "size");
        break;
    case EXPRESSION_INDEX:
        text_add(out, "index");
        break;
    case EXPRESSION_X:
        text_add(out, "x");
        break;
    case EXPRESSION_NEXT:
        text_add(out, "next");
        break;
    case EXPRESSION_SINGLE:
        text_printf(out, "single[%d]", node->index);
        break;
    case EXPRESSION_COLUMN:
        text_printf(out, "row[%d]", node->index);
        break;
    case EXPRESSION_PARAMETER:
        text_printf(out, "x[%d]", node->index);
        break;
    case EXPRESSION_REDUCTION:
        text_printf(out, "sum[%d]", node->index);
        break;
    case EXPRESSION_NEGATE:
        text_add(out, "(-");
        write_node(expression, node->left, out);
        text_add(out, ")");
        break;
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_DIVIDE:
        text_add(out, "(");
        write_open(expression, index, out);
        text_add(out, ")");
        break;
    case EXPRESSION_POWER:
        write_power(expression, node, out);
        break;
    case EXPRESSION_CALL:
        if ((is_call(node, "sin") || is_call(node, "cos")) && !is_constant(expression, node->left))
            write_wave(expression, node, out);
        else
            write_call(expression, node->function->kernel, node->left, node->function->two ? node->right : -1,
                       out);
    }
}

/* Writes a sum, difference, product or quotient without brackets around it. Writes any other node by
 * write_node. */
static void write_open(const struct expression *expression, int index, struct text *out)
{
    const struct expression_node *node = &expression->nodes[index];
    switch (node->kind) {
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
        write_left(expression, node->left, false, out);
        text_add(out, node->kind == EXPRESSION_ADD ? " + " : " - ");
        write_node(expression, node->right, out);
        break;
    case EXPRESSION_MULTIPLY:
        write_left(expression, node->left, true, out);
        text_add(out, " * ");
        write_node(expression, node->right, out);
        break;
    case EXPRESSION_DIVIDE:
        write_left(expression, node->left, true, out);
        write_division(expression, node->right, write_node, out);
        break;
    default:
        write_node(expression, index, out);
    }
}

/* Writes a function for an integer power, by repeated squaring: x^5 is x4 * x. */
static void write_power_function(const struct expression *expression, int exponent, struct text *out)
{
    text_add(out, "static inline real ");
    write_prefix(expression, out);
    text_printf(out, "_power_%d(real x)\n{\n", exponent);
    for (int square = 2; square <= exponent; square *= 2)
        if (square == 2)
            text_add(out, "    const real x2 = x * x;\n");
        else
            text_printf(out, "    const real x%d = x%d * x%d;\n", square, square / 2, square / 2);
    text_add(out, "    return ");
    bool first = true;
    for (int square = 64; square >= 1; square /= 2) {
        if (!(exponent & square))
            continue;
        text_add(out, first ? "x" : " * x");
        if (square > 1)
            text_printf(out, "%d", square);
        first = false;
    }
    text_add(out, ";\n}\n\n");
}

static void write_power_functions(const struct expression *expression, struct text *out)
{
    bool used[65] = {false};
    for (int i = 0; i < expression->count; i++)
        used[abs(expression_whole_power(expression, &expression->nodes[i]))] = true;
    for (int exponent = 2; exponent <= 64; exponent++)
        if (used[exponent])
            write_power_function(expression, exponent, out);
}

/* Writes objective_single, which returns the dimension of each single coordinate. objective_terms gets these
 * coordinates after the terms, and objective_finish gets them after the sums. */
static void write_singles(const struct expression *expression, struct text *out)
{
    text_printf(out, "static inline uint objective_single(int j)\n{\n    return ");
    for (int j = 0; j < expression->single_count - 1; j++)
        text_printf(out, "j == %d ? %zuu : ", j, expression->singles[j]);
    text_printf(out, "%zuu;\n}\n\n", expression->singles[expression->single_count - 1]);
}

/* Writes a function for the terms of each sum and each product. */
static void write_term_functions(const struct expression *expression, struct text *out)
{
    const bool singles = expression->single_count > 0;
    for (int r = 0; r < expression->reduction_count; r++) {
        text_add(out, "static inline real ");
        write_prefix(expression, out);
        text_printf(out,
                    "_term_%d(%sreal x, real next, real index, real size)\n{\n"
                    "%s    (void)x;\n    (void)next;\n    (void)index;\n    (void)size;\n    return ",
                    r, singles ? "const real *single, " : "", singles ? "    (void)single;\n" : "");
        write_open(expression, expression->reductions[r].term, out);
        text_add(out, ";\n}\n\n");
    }
}

static void write_terms(const struct expression *expression, struct text *out)
{
    const bool singles = expression->single_count > 0;
    write_term_functions(expression, out);
    text_add(out, "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n{\n"
                  "    const real index = (real)(d + 1u), size = (real)dim;\n");
    if (!expression->reduction_count)
        text_add(out, "    (void)x;\n    (void)next;\n    (void)index;\n    (void)size;\n"
                      "    term[0] = R(0.0);\n");
    for (int r = 0; r < expression->reduction_count; r++) {
        text_printf(out, "    term[%d] = expression_term_%d(%sx, next, index, size);\n", r, r,
                    singles ? "term + TERMS, " : "");
        if (expression->coupled && !expression->reductions[r].coupled)
            /* the loop for coupled sums leaves out the last dimension, which this sum needs, too */
            text_printf(out,
                        "    if (d + 2u == dim)\n"
                        "        term[%d] %c= expression_term_%d(%snext, next, index + R(1.0), size);\n",
                        r, expression->reductions[r].product ? '*' : '+', r, singles ? "term + TERMS, " : "");
    }
    text_add(out, "}\n\n");
}

/* Writes the formula as a comment. The formula may have line feeds, and names in backquotes may have any
 * characters; neither must end the comment or its line. */
void expression_write_comment(const char *formula, struct text *out)
{
    char before = '/';
    text_add(out, "/* ");
    for (; *formula; before = *formula++) {
        const bool is_plain = *formula >= ' ' && *formula <= '~' && !strchr("\\?", *formula);
        const bool is_mark = (before == '*' && *formula == '/') || (before == '/' && *formula == '*');
        text_append(out, is_plain && !is_mark ? formula : " ", 1);
    }
    text_add(out, " */\n");
}

void expression_write_functions(const struct expression *expression, struct text *out)
{
    const bool singles = expression->single_count > 0;
    write_power_functions(expression, out);
    write_terms(expression, out);
    text_add(out, "static inline real objective_finish(const real *sum, uint dim)\n{\n"
                  "    const real size = (real)dim;\n    (void)size;\n");
    text_add(out,
             singles ? "    const real *single = sum + TERMS;\n    (void)single;\n    (void)sum;\n" : "");
    text_add(out, "    return ");
    write_open(expression, expression->root, out);
    text_add(out, ";\n}\n");
}

void expression_write_head(const struct expression *expression, const char *formula, const char *shape,
                           struct text *out)
{
    expression_write_comment(formula, out);
    text_printf(out, "#include \"lib/trig.clh\"\n\n#define SHAPE %s\n#define TERMS %d\n", shape,
                expression->reduction_count ? expression->reduction_count : 1);
}

void expression_write_kernel(const struct expression *expression, const char *formula, struct text *out)
{
    const bool singles = expression->single_count > 0;
    expression_write_head(expression, formula, "PER_DIMENSION", out);
    for (int r = 0; r < expression->reduction_count; r++)
        if (expression->reductions[r].product)
            text_printf(out, "#define TERM_%d PRODUCT\n", r);
    if (singles)
        text_printf(out, "#define SINGLES %d\n#define MIN_DIM %zu\n", expression->single_count,
                    expression_least_dim(expression));
    text_add(out, expression->coupled ? "#define NEIGHBOUR\n\n" : "\n");
    if (singles)
        write_singles(expression, out);
    expression_write_functions(expression, out);
}

void expression_write_model(const struct expression *expression, struct text *out)
{
    write_power_functions(expression, out);
    text_add(out, "static inline real objective_model(const real *x, const real *row)\n{\n"
                  "    (void)row;\n    return ");
    write_open(expression, expression->root, out);
    text_add(out, ";\n}\n\n");
}

void expression_write_constraint(const struct expression *expression, bool is_genes, struct text *out)
{
    const int singles = expression->single_count, sums = expression->reduction_count;
    write_power_functions(expression, out);
    write_term_functions(expression, out);
    text_printf(out, "static inline real constraint_%d(%s, uint dim)\n{\n    const real size = (real)dim;\n",
                expression->constraint, is_genes ? "GENOME" : "const real *x");
    if (singles)
        text_printf(out, "    real single[%d];\n", singles);
    if (sums)
        text_printf(out, "    real sum[%d];\n    uint d;\n", sums);
    text_add(out, "    (void)size;\n");
    for (int j = 0; j < singles; j++)
        text_printf(
            out, is_genes ? "    single[%d] = expression_x(genome, %zuu);\n" : "    single[%d] = x[%zuu];\n",
            j, expression->singles[j]);
    for (int r = 0; r < sums; r++) {
        const bool coupled = expression->reductions[r].coupled;
        text_printf(out, "    sum[%d] = %s;\n    for (d = 0u; d%s < dim; d++)\n        sum[%d] %c= ", r,
                    expression->reductions[r].product ? "R(1.0)" : "R(0.0)", coupled ? " + 1u" : "", r,
                    expression->reductions[r].product ? '*' : '+');
        write_prefix(expression, out);
        text_printf(out, "_term_%d(%s", r, singles ? "single, " : "");
        text_printf(out, is_genes ? "expression_x(genome, d), %s" : "x[d], %s",
                    !coupled   ? "R(0.0)"
                    : is_genes ? "expression_x(genome, d + 1u)"
                               : "x[d + 1u]");
        text_add(out, ", (real)(d + 1u), size);\n");
    }
    text_add(out, "    return ");
    write_open(expression, expression->root, out);
    text_add(out, ";\n}\n\n");
}
