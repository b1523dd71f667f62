/* Parses formulas by recursive descent. The tree is built bottom up, so that it is known whether the operands
 * of an operation are constant. */
#include "base/error.h"
#include "base/text.h"
#include "objective/expression/expression.h"
#include "objective/number.h"
#include "objective/variables/variables.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *formula, *at;
    struct expression *expression;
    /* names of a model; NULL: the formula does not belong to a model */
    const struct expression_names *names;
    /* list of variables whose names are known; NULL: there is none */
    const struct shoal_variables *variables;
    bool is_sized; /* the list has all variables */
    /* beginning of messages, before the position of the error; NULL: the default */
    const char *where;
    struct shoal_error *error;
    enum shoal_status status;
    int nesting;
    bool inside;  /* the parser is inside a sum or product */
    bool coupled; /* the formula has x[i+1] */
};

static int parse_sum(struct parser *p);

/* Records an error, unless there is one already. Returns 0, a valid node, so that callers can continue until
 * they next check for errors. */
SHOAL_PRINTF(3, 4)
static int bad(struct parser *p, const char *place, const char *format, ...)
{
    if (p->status)
        return 0;
    char what[200];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    p->status = fail(p->error, SHOAL_INVALID, "%s %zu: %s",
                     p->where   ? p->where
                     : p->names ? "model, character"
                                : "expression, column",
                     (size_t)(place - p->formula) + 1, what);
    return 0;
}

static char peek(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    return *p->at;
}

static bool take(struct parser *p, char c)
{
    if (p->status || peek(p) != c)
        return false;
    p->at++;
    return true;
}

static int unexpected(struct parser *p, const char *wanted)
{
    const char c = peek(p);
    if (!c)
        return bad(p, p->at, "the expression ends where %s should follow", wanted);
    if (!isprint((unsigned char)c))
        return bad(p, p->at, "a character that has no place here, where %s should follow", wanted);
    return bad(p, p->at, "\"%c\" where %s should follow", c, wanted);
}

static void expect(struct parser *p, char c, const char *wanted)
{
    if (!take(p, c))
        unexpected(p, wanted);
}

/* Tree ------------------------------------------------------------------------------------------------- */

static int add_node(struct parser *p, struct expression_node node)
{
    struct expression *expression = p->expression;
    if (expression->count == EXPRESSION_NODES)
        return bad(p, p->at, "the expression has more than %d parts", EXPRESSION_NODES);
    expression->nodes[expression->count] = node;
    return expression->count++;
}

static int add_number(struct parser *p, double number)
{
    return add_node(p, (struct expression_node){.kind = EXPRESSION_NUMBER, .number = number});
}

static const struct expression_node *node_at(const struct parser *p, int index)
{
    return &p->expression->nodes[index];
}

static bool is_number(const struct parser *p, int index)
{
    return node_at(p, index)->kind == EXPRESSION_NUMBER;
}

static double calculate(const struct expression_node *node, double left, double right)
{
    switch (node->kind) {
    case EXPRESSION_NEGATE:
        return -left;
    case EXPRESSION_ADD:
        return left + right;
    case EXPRESSION_SUBTRACT:
        return left - right;
    case EXPRESSION_MULTIPLY:
        return left * right;
    case EXPRESSION_DIVIDE:
        return left / right;
    case EXPRESSION_POWER:
        return pow(left, right);
    default:
        return node->function->two ? node->function->two(left, right) : node->function->one(left);
    }
}

/* Adds an operation. If its operands are constant and its value is finite, adds its value as a constant
 * instead. For an operation with one operand, `right` must be equal to `left`. */
static int add_operation(struct parser *p, struct expression_node node)
{
    if (p->status)
        return 0;
    if (is_number(p, node.left) && is_number(p, node.right)) {
        const double value = calculate(&node, node_at(p, node.left)->number, node_at(p, node.right)->number);
        if (isfinite(value))
            return add_number(p, value);
    }
    return add_node(p, node);
}

static int add_binary(struct parser *p, enum expression_kind kind, int left, int right)
{
    return add_operation(p, (struct expression_node){.kind = kind, .left = left, .right = right});
}

int expression_whole_power(const struct expression *expression, const struct expression_node *node)
{
    const struct expression_node *exponent = &expression->nodes[node->right];
    if (node->kind != EXPRESSION_POWER || exponent->kind != EXPRESSION_NUMBER)
        return 0;
    const double number = exponent->number;
    return number == rint(number) && fabs(number) <= 64 ? (int)number : 0;
}

/* Grammar ---------------------------------------------------------------------------------------------- */

/* Adds coordinate d, which is written with its index in brackets. */
static int add_single(struct parser *p, const char *place, size_t d)
{
    struct expression *expression = p->expression;
    int slot = 0;
    while (slot < expression->single_count && expression->singles[slot] != d)
        slot++;
    if (slot == EXPRESSION_SINGLES)
        return bad(p, place, "more than %d single coordinates", EXPRESSION_SINGLES);
    expression->singles[slot] = d;
    if (slot == expression->single_count)
        expression->single_count++;
    return add_node(p, (struct expression_node){.kind = EXPRESSION_SINGLE, .index = slot});
}

/* Parses the part of x[3] after the bracket. */
static int parse_single(struct parser *p, const char *place)
{
    size_t number = 0;
    for (; isdigit((unsigned char)*p->at) && number <= EXPRESSION_MAX_DIM; p->at++)
        number = 10 * number + (size_t)(*p->at - '0');
    if (number < 1 || number > EXPRESSION_MAX_DIM)
        return bad(p, place, "coordinates are x[1] to x[%d] at most", EXPRESSION_MAX_DIM);
    expect(p, ']', "\"]\"");
    return add_single(p, place, number - 1);
}

/* Returns the coordinate of the variable `name`; SIZE_MAX: there is none. */
static size_t find_variable(const struct parser *p, const char *name, size_t length)
{
    for (size_t g = 0; p->variables && g < p->variables->group_count; g++) {
        const struct variable_names *names = &p->variables->names[g];
        const struct shoal_variable_group *group = &p->variables->groups[g];
        const size_t prefix = strlen(names->prefix);
        size_t number = 0, at = prefix;
        if (length < prefix || memcmp(name, names->prefix, prefix) != 0)
            continue;
        for (; at < length && isdigit((unsigned char)name[at]) && number <= EXPRESSION_MAX_DIM; at++)
            number = 10 * number + (size_t)(name[at] - '0');
        if (!names->numbered && length == prefix)
            return group->first;
        if (names->numbered && at == length && at > prefix && name[prefix] != '0' && number >= names->from &&
            number <= EXPRESSION_MAX_DIM && (!p->is_sized || number - names->from < group->count))
            return group->first + number - names->from;
    }
    return SIZE_MAX;
}

static int parse_coordinate(struct parser *p, const char *place)
{
    static const char forms[] = "use x as x[i], x[i+1] or x[3]";
    if (!take(p, '['))
        return bad(p, place, forms);
    if (isdigit((unsigned char)peek(p)))
        return parse_single(p, place);
    if (!take(p, 'i'))
        return bad(p, place, forms);
    const bool next = take(p, '+');
    if ((next && !take(p, '1')) || !take(p, ']'))
        return bad(p, place, forms);
    if (!p->inside)
        return bad(p, place, "x[i] is allowed only inside sum(...) or prod(...)");
    p->coupled |= next;
    return add_node(p, (struct expression_node){.kind = next ? EXPRESSION_NEXT : EXPRESSION_X});
}

static int parse_reduction(struct parser *p, const char *place, bool product)
{
    struct expression *expression = p->expression;
    if (p->inside)
        return bad(p, place, "sums and products cannot be nested");
    if (expression->reduction_count == EXPRESSION_REDUCTIONS)
        return bad(p, place, "more than %d sums and products", EXPRESSION_REDUCTIONS);
    expect(p, '(', "\"(\"");
    p->inside = true;
    p->coupled = false;
    const int term = parse_sum(p);
    p->inside = false;
    expect(p, ')', "an operator or \")\"");
    if (p->status)
        return 0;
    const int index = expression->reduction_count++;
    expression->reductions[index].term = term;
    expression->reductions[index].product = product;
    expression->reductions[index].coupled = p->coupled;
    expression->coupled |= p->coupled;
    return add_node(p, (struct expression_node){.kind = EXPRESSION_REDUCTION, .index = index});
}

static int parse_call(struct parser *p, const struct expression_function *function)
{
    struct expression_node node = {.kind = EXPRESSION_CALL, .function = function};
    expect(p, '(', "\"(\"");
    node.left = node.right = parse_sum(p);
    if (function->two) {
        expect(p, ',', "an operator or \",\"");
        node.right = parse_sum(p);
    }
    expect(p, ')', "an operator or \")\"");
    if (function->two == pow)
        return add_binary(p, EXPRESSION_POWER, node.left, node.right);
    return add_operation(p, node);
}

static bool is_name(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

static const struct expression_function *find_function(const char *name, size_t length)
{
    const struct expression_function *f = expression_functions;
    while (f->name && !is_name(name, length, f->name))
        f++;
    return f->name ? f : NULL;
}

/* Returns the index of a name of a model; SIZE_MAX: there is none. */
static size_t find_name(const char *const *names, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (is_name(name, length, names[i]))
            return i;
    return SIZE_MAX;
}

/* Reports an unknown name, and suggests the nearest known name. Names of columns may have any characters, so
 * they are cleaned. */
static int unknown_name(struct parser *p, const char *name, size_t length)
{
    const struct expression_names *names = p->names;
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), name);
    text_clean(word, "");
    if (!names)
        return bad(p, name, "\"%s\" is no name or function that expressions know", word);
    const char *near = text_nearest(word, names->columns, names->column_count);
    if (!near)
        near = text_nearest(word, names->parameters, names->parameter_count);
    for (const struct expression_function *f = expression_functions; f->name && !near; f++)
        near = text_nearest(word, &f->name, 1);
    return bad(p, name, "\"%s\" is neither a column, a parameter nor a function%s%.40s%s", word,
               near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* Adds a node for a name of a model: a column, a parameter or a constant. */
static int parse_model_name(struct parser *p, const char *name, size_t length, const char *place)
{
    const struct expression_names *names = p->names;
    const size_t column = find_name(names->columns, names->column_count, name, length);
    const size_t parameter = find_name(names->parameters, names->parameter_count, name, length);
    if (column != SIZE_MAX)
        return add_node(p, (struct expression_node){.kind = EXPRESSION_COLUMN, .index = (int)column});
    if (parameter != SIZE_MAX)
        return add_node(p, (struct expression_node){.kind = EXPRESSION_PARAMETER, .index = (int)parameter});
    if (name == place && is_name(name, length, "pi"))
        return add_number(p, M_PI);
    if (name == place && is_name(name, length, "e"))
        return add_number(p, M_E);
    if (name == place && find_function(name, length))
        return bad(p, place, "%.*s is a function: write %.*s(...)", (int)length, name, (int)length, name);
    return unknown_name(p, name, length);
}

/* Parses a name in backquotes. It may have any characters except a backquote. */
static int parse_quoted(struct parser *p)
{
    const char *name = p->at, *end = strchr(name + 1, '`');
    if (!end)
        return bad(p, name, "a name in backquotes has no end");
    p->at = end + 1;
    return parse_model_name(p, name + 1, (size_t)(end - name) - 1, name);
}

static int parse_name(struct parser *p)
{
    const char *name = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    p->at += length;
    const struct expression_function *function = find_function(name, length);
    if (function && (!p->names || peek(p) == '('))
        return parse_call(p, function);
    if (p->names)
        return parse_model_name(p, name, length, name);
    const size_t variable = function || peek(p) == '[' ? SIZE_MAX : find_variable(p, name, length);
    if (is_name(name, length, "x") && variable == SIZE_MAX)
        return parse_coordinate(p, name);
    if (is_name(name, length, "pi"))
        return add_number(p, M_PI);
    if (is_name(name, length, "e"))
        return add_number(p, M_E);
    if (is_name(name, length, "D") || is_name(name, length, "dim"))
        return add_node(p, (struct expression_node){.kind = EXPRESSION_DIM});
    if (is_name(name, length, "sum") || is_name(name, length, "prod"))
        return parse_reduction(p, name, *name == 'p');
    if (is_name(name, length, "i") && !p->inside)
        return bad(p, name, "i is allowed only inside sum(...) or prod(...)");
    if (is_name(name, length, "i"))
        return add_node(p, (struct expression_node){.kind = EXPRESSION_INDEX});
    if (variable != SIZE_MAX)
        return add_single(p, name, variable);
    return unknown_name(p, name, length);
}

static int parse_primary(struct parser *p)
{
    const char c = peek(p);
    if (take(p, '(')) {
        const int inner = parse_sum(p);
        expect(p, ')', "an operator or \")\"");
        return inner;
    }
    if (isdigit((unsigned char)c) || c == '.') {
        double number;
        const char *behind = number_read(p->at, &number);
        if (behind == p->at)
            return bad(p, p->at, "this is no decimal number");
        if (!isfinite(number))
            return bad(p, p->at, "this number is too large");
        p->at = behind;
        return add_number(p, number);
    }
    if (c == '`' && p->names)
        return parse_quoted(p);
    return isalpha((unsigned char)c) || (c == '_' && p->names) ? parse_name(p)
                                                               : unexpected(p, "a number, a name or \"(\"");
}

/* Parses a sign and a power. "-" has a lower precedence than "^", and "^" is right-associative: -x^2 is
 * -(x^2), 2^3^2 is 2^9. */
static int parse_unary(struct parser *p)
{
    int result;
    if (p->status)
        return 0;
    if (++p->nesting > EXPRESSION_NESTING)
        return bad(p, p->at, "nested deeper than %d levels", EXPRESSION_NESTING);
    if (take(p, '-')) {
        const int operand = parse_unary(p);
        result = add_binary(p, EXPRESSION_NEGATE, operand, operand);
    } else if (take(p, '+')) {
        result = parse_unary(p);
    } else {
        result = parse_primary(p);
        if (take(p, '^'))
            result = add_binary(p, EXPRESSION_POWER, result, parse_unary(p));
    }
    p->nesting--;
    return result;
}

static int parse_product(struct parser *p)
{
    int left = parse_unary(p);
    for (;;) {
        if (take(p, '*'))
            left = *p->at == '*' ? bad(p, p->at - 1, "** is no operator: use ^ for powers")
                                 : add_binary(p, EXPRESSION_MULTIPLY, left, parse_unary(p));
        else if (take(p, '/'))
            left = add_binary(p, EXPRESSION_DIVIDE, left, parse_unary(p));
        else
            return left;
    }
}

static int parse_sum(struct parser *p)
{
    int left = parse_product(p);
    for (;;) {
        if (take(p, '+'))
            left = add_binary(p, EXPRESSION_ADD, left, parse_product(p));
        else if (take(p, '-'))
            left = add_binary(p, EXPRESSION_SUBTRACT, left, parse_product(p));
        else
            return left;
    }
}

static void begin(struct parser *p)
{
    struct expression *expression = p->expression;
    expression->count = expression->reduction_count = expression->single_count = 0;
    expression->constraint = 0;
    expression->coupled = false;
}

static enum shoal_status parse(struct parser *p)
{
    struct expression *expression = p->expression;
    begin(p);
    if (!peek(p))
        return fail(p->error, SHOAL_INVALID, p->names ? "the model is empty" : "the expression is empty");
    expression->root = parse_sum(p);
    if (!p->status && peek(p))
        unexpected(p, "an operator or the end");
    return p->status;
}

/* Skips <=, >=, = or ==, and returns its first character; 0: no relation follows. */
static char take_relation(struct parser *p)
{
    const char relation = peek(p);
    if (p->status || !relation || !strchr("<>=", relation))
        return 0;
    p->at++;
    if (*p->at == '=')
        p->at++;
    else if (relation != '=')
        bad(p, p->at - 1, "\"%c\" is no relation here: write %c=", relation, relation);
    return relation;
}

enum shoal_status expression_parse_relation(const char *formula, int number,
                                            const struct shoal_variables *variables, bool is_sized,
                                            struct expression *expression, bool *is_equality,
                                            struct shoal_error *error)
{
    char where[48];
    snprintf(where, sizeof where, "constraint %d, column", number);
    struct parser p = {.formula = formula,
                       .at = formula,
                       .expression = expression,
                       .variables = variables,
                       .is_sized = is_sized,
                       .where = where,
                       .error = error};
    begin(&p);
    expression->constraint = number;
    const int left = parse_sum(&p);
    const char relation = take_relation(&p);
    if (!p.status && !relation)
        unexpected(&p, "<=, >= or =");
    const int right = p.status ? 0 : parse_sum(&p);
    if (!p.status && peek(&p) && strchr("<>=", *p.at))
        bad(&p, p.at, "a constraint has one relation: give two constraints");
    else if (!p.status && peek(&p))
        unexpected(&p, "an operator or the end");
    *is_equality = relation == '=';
    if (!p.status && is_number(&p, left) && is_number(&p, right))
        bad(&p, formula, "no coordinate, such as x[1], is in the constraint");
    if (!p.status)
        expression->root = relation == '>' ? add_binary(&p, EXPRESSION_SUBTRACT, right, left)
                                           : add_binary(&p, EXPRESSION_SUBTRACT, left, right);
    return p.status;
}

enum shoal_status expression_parse(const char *formula, const struct shoal_variables *variables,
                                   bool is_sized, struct expression *expression, struct shoal_error *error)
{
    struct parser p = {.formula = formula,
                       .at = formula,
                       .expression = expression,
                       .variables = variables,
                       .is_sized = is_sized,
                       .error = error};
    enum shoal_status status = parse(&p);
    if (!status && expression->reduction_count == 0 && expression->single_count == 0)
        return fail(
            error, SHOAL_INVALID,
            "the expression has neither a sum(...) or prod(...) over i nor a coordinate such as x[1]");
    return status;
}

enum shoal_status expression_parse_model(const char *formula, const struct expression_names *names,
                                         struct expression *expression, struct shoal_error *error)
{
    struct parser p = {
        .formula = formula, .at = formula, .expression = expression, .names = names, .error = error};
    return parse(&p);
}

enum shoal_status expression_constant(const char *formula, double *value, struct shoal_error *error)
{
    struct expression *expression = malloc(sizeof *expression);
    if (!expression)
        return fail_host_memory(error);
    struct parser p = {.formula = formula, .at = formula, .expression = expression, .error = error};
    enum shoal_status status = peek(&p) ? parse(&p) : fail(error, SHOAL_INVALID, "it is empty");
    if (!status && !is_number(&p, expression->root))
        status = fail(error, SHOAL_INVALID, "it is not constant and finite");
    else if (!status)
        *value = node_at(&p, expression->root)->number;
    free(expression);
    return status;
}

size_t expression_least_dim(const struct expression *expression)
{
    size_t least = expression->coupled ? 2 : 1;
    for (int j = 0; j < expression->single_count; j++)
        if (least < expression->singles[j] + 1)
            least = expression->singles[j] + 1;
    return least;
}
