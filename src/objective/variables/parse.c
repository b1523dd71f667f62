/* Reads a list of variables, such as "x1-x4 real -5 5, x5 choice 3". The grammar is in docs/objectives.md. */
#include "base/error.h"
#include "base/params.h"
#include "base/text.h"
#include "objective/number.h"
#include "objective/variables/variables.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A word or number of the list. */
struct piece {
    const char *at;
    int length;
};

struct parser {
    const char *list, *at;
    size_t dim;
    /* the last name of a range, "xD", if the range goes up to the dimension; else of length 0 */
    struct piece to_dim;
    struct shoal_variables *variables;
    struct shoal_error *error;
};

SHOAL_PRINTF(3, 4)
static enum shoal_status bad(const struct parser *p, const char *place, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(p->error, SHOAL_INVALID, "variables, column %zu: %s", (size_t)(place - p->list) + 1, what);
}

static const char *skip(const char *c)
{
    while (isspace((unsigned char)*c))
        c++;
    return c;
}

/* Returns the text up to the next blank or comma, and advances past it. */
static struct piece next_piece(struct parser *p)
{
    p->at = skip(p->at);
    struct piece piece = {p->at, 0};
    while (*p->at && *p->at != ',' && !isspace((unsigned char)*p->at))
        p->at++;
    piece.length = (int)(p->at - piece.at);
    return piece;
}

static bool is(struct piece piece, const char *word)
{
    return (size_t)piece.length == strlen(word) && memcmp(piece.at, word, strlen(word)) == 0;
}

/* Returns the beginning of the piece for messages: at most 40 characters, all printable. */
static struct piece shown(struct piece piece)
{
    int length = 0;
    while (length < piece.length && length < 40 && isprint((unsigned char)piece.at[length]))
        length++;
    return (struct piece){piece.at, length};
}

/* Names -------------------------------------------------------------------------------------------------- */

/* Separates the number at the end of a name from its prefix. Returns false if there is no number, or if it is
 * too large. */
static bool split_number(struct piece name, int *prefix, size_t *number)
{
    *prefix = name.length;
    while (*prefix > 0 && isdigit((unsigned char)name.at[*prefix - 1]))
        --*prefix;
    *number = 0;
    for (int i = *prefix; i < name.length; i++)
        if (*number <= VARIABLES_MOST)
            *number = 10 * *number + (size_t)(name.at[i] - '0');
    const bool plain = *prefix + 1 == name.length || (*prefix < name.length && name.at[*prefix] != '0');
    return plain && *number <= VARIABLES_MOST;
}

static enum shoal_status check_name(const struct parser *p, struct piece name)
{
    bool good = name.length > 0 && isalpha((unsigned char)*name.at);
    for (int i = 1; i < name.length && good; i++)
        good = isalnum((unsigned char)name.at[i]) || name.at[i] == '_';
    if (!good)
        return bad(p, name.at, "a name such as x1 or x1-x4 is expected, not \"%.*s\"", shown(name).length,
                   name.at);
    if (name.length >= VARIABLES_NAME)
        return bad(p, name.at, "a name has at most %d characters", VARIABLES_NAME - 1);
    return SHOAL_OK;
}

/* Reads the last name of a range x1-x4 or x1-xD. names: the first name of the range. */
static enum shoal_status read_end(struct parser *p, struct piece last, const struct variable_names *names,
                                  size_t *count)
{
    int length;
    size_t number;
    const int known = (int)strlen(names->prefix);
    const bool same = last.length > known && memcmp(last.at, names->prefix, (size_t)known) == 0;
    if (same && names->numbered && last.length == known + 1 && last.at[known] == 'D') {
        if (!p->dim)
            return bad(p, last.at, "%.*s goes up to the dimension: give --dim", last.length, last.at);
        if (p->variables->group_count || names->from != 1)
            return bad(p, last.at, "%.*s goes up to the dimension: %s1-%.*s is for a list of one kind",
                       last.length, last.at, names->prefix, last.length, last.at);
        p->to_dim = last;
        number = p->dim;
    } else if (!same || !names->numbered || !split_number(last, &length, &number) || length != known) {
        return bad(p, last.at, "a range is x1-x4, with the same name and two numbers, not -%.*s",
                   shown(last).length, last.at);
    }
    if (number < names->from)
        return bad(p, last.at, "the range ends with %zu, before its first number %zu", number, names->from);
    *count = number - names->from + 1;
    return SHOAL_OK;
}

static enum shoal_status read_names(struct parser *p, struct variable_names *names, size_t *count)
{
    const struct piece range = next_piece(p);
    const char *dash = memchr(range.at, '-', (size_t)range.length);
    const struct piece first = {range.at, dash ? (int)(dash - range.at) : range.length};
    int prefix;
    enum shoal_status status = check_name(p, first);
    if (status)
        return status;
    names->numbered = split_number(first, &prefix, &names->from);
    if (!names->numbered)
        prefix = first.length;
    memcpy(names->prefix, first.at, (size_t)prefix);
    names->prefix[prefix] = '\0';
    *count = 1;
    if (!dash)
        return SHOAL_OK;
    const struct piece last = {dash + 1, range.length - first.length - 1};
    return read_end(p, last, names, count);
}

/* Whether two groups have a common name. */
static bool share_name(const struct variable_names *a, size_t a_count, const struct variable_names *b,
                       size_t b_count)
{
    return a->numbered == b->numbered && strcmp(a->prefix, b->prefix) == 0 && a->from < b->from + b_count &&
           b->from < a->from + a_count;
}

/* Kinds -------------------------------------------------------------------------------------------------- */

static bool read_number(struct piece piece, double *value)
{
    const char *c = piece.at, *end = c + piece.length;
    const bool minus = piece.length > 0 && *c == '-';
    c += piece.length > 0 && (*c == '-' || *c == '+');
    const char *behind = number_read(c, value);
    if (behind == c || behind != end || !isfinite(*value))
        return false;
    *value = minus ? -*value : *value;
    return true;
}

static enum shoal_status read_whole(struct parser *p, const char *what, double least, double most,
                                    double *value)
{
    const struct piece piece = next_piece(p);
    if (read_number(piece, value) && *value == floor(*value) && *value >= least && *value <= most)
        return SHOAL_OK;
    return bad(p, piece.at, "%s is a whole number from %.0f to %.0f, not \"%.*s\"", what, least, most,
               shown(piece).length, piece.at);
}

static bool at_end(struct parser *p)
{
    p->at = skip(p->at);
    return *p->at == ',' || !*p->at;
}

/* Reads the code of a variable after its range: "binary 10" or "gray 16". */
static enum shoal_status read_code(struct parser *p, struct shoal_variable_group *group)
{
    if (at_end(p))
        return SHOAL_OK;
    const struct piece word = next_piece(p);
    double bits;
    group->gray = is(word, "gray");
    if (!group->gray && !is(word, "binary"))
        return bad(p, word.at, "\"%.*s\" where binary, gray, a comma or the end is expected",
                   shown(word).length, word.at);
    if (isnan(group->lower))
        return bad(p, word.at, "a coded real needs its range: real -5 5 %.*s 16", word.length, word.at);
    enum shoal_status status = read_whole(p, "the number of bits", 1, 32, &bits);
    if (status)
        return status;
    group->bits = (unsigned)bits;
    if (group->kind == SHOAL_INTEGER && ldexp(1, (int)group->bits) < group->upper - group->lower + 1)
        return bad(p, word.at, "%u bits have %.0f values, fewer than the %.0f from %.0f to %.0f", group->bits,
                   ldexp(1, (int)group->bits), group->upper - group->lower + 1, group->lower, group->upper);
    return SHOAL_OK;
}

static enum shoal_status read_real(struct parser *p, struct shoal_variable_group *group)
{
    group->lower = group->upper = NAN;
    p->at = skip(p->at);
    if (at_end(p) || isalpha((unsigned char)*p->at))
        return read_code(p, group);
    const struct piece lower = next_piece(p), upper = next_piece(p);
    if (!read_number(lower, &group->lower))
        return bad(p, lower.at, "the lower bound is a number, not \"%.*s\"", shown(lower).length, lower.at);
    if (!read_number(upper, &group->upper))
        return bad(p, upper.at, "the upper bound is a number, not \"%.*s\"", shown(upper).length, upper.at);
    /* A variable with equal bounds is fixed. A variable with a code must have different bounds. */
    if (!(group->lower < group->upper) && !(group->lower == group->upper && at_end(p)))
        return bad(p, lower.at, "the lower bound %g is not less than the upper bound %g", group->lower,
                   group->upper);
    if (!isfinite(group->upper - group->lower))
        return bad(p, lower.at, "from %g to %g is wider than a double holds: narrow the range", group->lower,
                   group->upper);
    return read_code(p, group);
}

static enum shoal_status read_integer(struct parser *p, struct shoal_variable_group *group)
{
    const char *start = skip(p->at);
    enum shoal_status status = read_whole(p, "the least integer", INT32_MIN, INT32_MAX, &group->lower);
    if (!status)
        status = read_whole(p, "the greatest integer", INT32_MIN, INT32_MAX, &group->upper);
    if (status)
        return status;
    if (group->lower >= group->upper)
        return bad(p, start, "the least integer %.0f is not below the greatest %.0f", group->lower,
                   group->upper);
    return read_code(p, group);
}

static enum shoal_status read_choice(struct parser *p, struct shoal_variable_group *group)
{
    double count;
    enum shoal_status status = read_whole(p, "the number of choices", 2, INT32_MAX, &count);
    group->lower = 0;
    group->upper = status ? 1 : count - 1;
    return status;
}

static enum shoal_status check_order(const struct parser *p, const char *place,
                                     const struct shoal_variable_group *group)
{
    for (size_t i = 0; i < p->variables->group_count; i++)
        if (p->variables->groups[i].kind == SHOAL_ORDER)
            return bad(p, place, "there is an order already: a list has at most one");
    if (group->count < 2 || group->count > VARIABLES_PLACES)
        return bad(p, place, "an order has 2 to %d places, not %zu", VARIABLES_PLACES, group->count);
    return SHOAL_OK;
}

static enum shoal_status read_kind(struct parser *p, struct shoal_variable_group *group)
{
    const struct piece word = next_piece(p);
    enum shoal_status status = SHOAL_OK;
    if (is(word, "real")) {
        group->kind = SHOAL_REAL;
        return read_real(p, group);
    }
    if (is(word, "integer")) {
        group->kind = SHOAL_INTEGER;
        return read_integer(p, group);
    }
    if (is(word, "choice")) {
        group->kind = SHOAL_CHOICE;
        status = read_choice(p, group);
    } else if (is(word, "bit")) {
        group->kind = SHOAL_BIT;
        group->upper = 1;
    } else if (is(word, "order")) {
        group->kind = SHOAL_ORDER;
        group->upper = (double)group->count - 1;
        status = check_order(p, word.at, group);
    } else {
        status = bad(p, word.at, "a kind is expected, real, integer, choice, bit or order, not \"%.*s\"",
                     shown(word).length, word.at);
    }
    return status;
}

/* The list ----------------------------------------------------------------------------------------------- */

static enum shoal_status add_group(struct parser *p)
{
    struct shoal_variables *variables = p->variables;
    const char *start = skip(p->at);
    struct variable_names names;
    struct shoal_variable_group group = {.first = variables->count};
    if (variables->group_count == VARIABLES_GROUPS)
        return bad(p, start, "a list has at most %d groups: join neighbours of the same kind, as x1-x4",
                   VARIABLES_GROUPS);
    if (p->to_dim.length)
        return bad(p, p->to_dim.at, "%.*s is for a list of one kind: write a number, as x1-x4",
                   p->to_dim.length, p->to_dim.at);
    enum shoal_status status = read_names(p, &names, &group.count);
    for (size_t i = 0; i < variables->group_count && !status; i++)
        if (share_name(&names, group.count, &variables->names[i], variables->groups[i].count))
            status = bad(p, start, "the name of a variable before is used again: give each its own");
    if (!status && group.count > VARIABLES_MOST - variables->count)
        status = bad(p, start, "there are more than %d variables", VARIABLES_MOST);
    if (!status)
        status = read_kind(p, &group);
    if (status)
        return status;
    const struct piece rest = next_piece(p);
    if (rest.length)
        return bad(p, rest.at, "\"%.*s\" where a comma or the end is expected", shown(rest).length, rest.at);
    variables->groups[variables->group_count] = group;
    variables->names[variables->group_count] = names;
    variables->count += group.count;
    variables->group_count++;
    return SHOAL_OK;
}

static enum shoal_status read_list(struct parser *p)
{
    enum shoal_status status;
    do {
        status = add_group(p);
    } while (!status && *p->at++ == ',');
    if (!status && p->dim && p->variables->count != p->dim)
        return fail(p->error, SHOAL_INVALID, "the list has %zu variables, not --dim %zu", p->variables->count,
                    p->dim);
    return status;
}

/* Writes a number so that the same number is read back. The decimal point does not depend on the locale. */
static void write_number(struct text *out, double value)
{
    char digits[40];
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(locale);
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    uselocale(before);
    if (locale)
        freelocale(locale);
    text_printf(out, " %s", digits);
}

static void write_group(const struct shoal_variable_group *group, const struct variable_names *names,
                        struct text *out)
{
    static const char *const kinds[] = {"real", "integer", "choice", "bit", "order"};
    text_printf(out, "%s%s", group->first ? ", " : "", names->prefix);
    if (names->numbered)
        text_printf(out, "%zu", names->from);
    if (group->count > 1)
        text_printf(out, "-%s%zu", names->prefix, names->from + group->count - 1);
    text_printf(out, " %s", kinds[group->kind]);
    if (group->kind == SHOAL_CHOICE)
        text_printf(out, " %.0f", group->upper + 1);
    if (group->kind == SHOAL_INTEGER || (group->kind == SHOAL_REAL && !isnan(group->lower))) {
        write_number(out, group->lower);
        write_number(out, group->upper);
    }
    if (group->bits)
        text_printf(out, " %s %u", group->gray ? "gray" : "binary", group->bits);
}

static enum shoal_status write_list(struct shoal_variables *variables, struct shoal_error *error)
{
    struct text out = {0};
    for (size_t i = 0; i < variables->group_count; i++)
        write_group(&variables->groups[i], &variables->names[i], &out);
    variables->list = out.data;
    return out.failed ? fail_host_memory(error) : SHOAL_OK;
}

enum shoal_status shoal_variables_parse(const char *list, size_t dim, struct shoal_variables **out,
                                        struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!list)
        return fail(error, SHOAL_INVALID,
                    "a list of variables is expected, such as \"x1-x4 real -5 5, x5 bit\"");
    struct shoal_variables *variables = calloc(1, sizeof *variables);
    enum shoal_status status = variables ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        variables->groups = calloc(VARIABLES_GROUPS, sizeof *variables->groups);
        variables->names = calloc(VARIABLES_GROUPS, sizeof *variables->names);
        if (!variables->groups || !variables->names)
            status = fail_host_memory(error);
    }
    struct parser parser = {.list = list, .at = list, .dim = dim, .variables = variables, .error = error};
    if (!status)
        status = read_list(&parser);
    if (!status)
        status = write_list(variables, error);
    if (status)
        shoal_variables_destroy(&variables);
    *out = variables;
    return status;
}
