/* Checks of indices for the arrays that functions of a text get as pointers: x[i] becomes x[HOST_INDEX(i,
 * DIM, "x")], in the functions that shoal calls. The lines keep their numbers. */
#include "base/text.h"
#include "compute/program/words.h"
#include "objective/code.h"

#include <stdlib.h>

enum { MOST_ARRAYS = 3, MOST_DEPTH = 64 };

/* Functions of a text, and the lengths of their array arguments in the order of these arguments; "": indices
 * of the array are not checked. */
static const struct function {
    const char *name, *bounds[MOST_ARRAYS];
} functions[] = {
    {"objective_terms", {"TERMS"}},
    {"objective_finish", {"TERMS"}},
    {"objective_residual", {"DIM", "COLUMNS"}},
    {"objective_value", {"DIM", "TABLE_ROWS * COLUMNS"}},
    {"objective_constraints", {"CONSTRAINTS", "DIM"}},
};

struct array {
    struct word name;
    const char *bound;
};

/* Returns the length of an array. SINGLES is added to TERMS only if the text mentions SINGLES, since its
 * default is defined after the text. */
static const char *with_singles(const char *text, const char *bound)
{
    return strcmp(bound, "TERMS") == 0 && strstr(text, "SINGLES") ? "TERMS + SINGLES" : bound;
}

/* Returns the bracket that closes the bracket at `c`; NULL: there is none. */
static const char *end_of(const char *c)
{
    int depth = 0;
    for (; *c; c++) {
        depth += (*c == '(' || *c == '{' || *c == '[') - (*c == ')' || *c == '}' || *c == ']');
        if (depth == 0)
            return c;
    }
    return NULL;
}

/* Lists the arrays among the parameters from `c` to `end`, which are the pointers; a pointer to the table is
 * the last of them. A genome is no array, since texts read it by macros. */
static size_t read_arrays(const char *c, const char *end, const struct function *function,
                          struct array *arrays)
{
    size_t count = 0;
    bool is_pointer = false, is_table = false;
    struct word last = {0};
    for (; c <= end && count < MOST_ARRAYS; c++) {
        if (*c == '*') {
            is_pointer = true;
        } else if (*c == ',' || c == end) {
            const char *bound = is_table ? "TABLE_ROWS * COLUMNS" : function->bounds[count];
            if (is_pointer && bound)
                arrays[count++] = (struct array){last, bound};
            is_pointer = is_table = false;
        } else if (starts_word(*c)) {
            last = read_word(c);
            is_table = is_table || word_is(last, "__global");
            c += last.length - 1;
        }
    }
    return count;
}

/* Returns the body of a function, from its '{', and lists its array parameters; NULL: the text does not
 * define the function. */
static const char *find_body(const char *text, const struct function *function, struct array *arrays,
                             size_t *count)
{
    const size_t length = strlen(function->name);
    for (const char *c = text; (c = strstr(c, function->name)) != NULL; c += length) {
        const char *open = c + length + strspn(c + length, " \t\n"), *close;
        if ((c != text && is_word(c[-1])) || *open != '(' || !(close = end_of(open)))
            continue;
        const char *body = close + 1 + strspn(close + 1, " \t\n");
        if (*body != '{')
            continue;
        *count = read_arrays(open + 1, close, function, arrays);
        return body;
    }
    return NULL;
}

/* Returns the array that is indexed at `c`, where a word begins; NULL: none. A name that follows another word
 * is declared there, not indexed. */
static const struct array *array_at(const char *begin, const char *c, const struct array *arrays,
                                    size_t count)
{
    const struct word word = read_word(c);
    const char *before = c;
    while (before > begin && isspace((unsigned char)before[-1]))
        before--;
    const char *first = before;
    while (first > begin && is_word(first[-1]))
        first--;
    const struct word type = {first, (size_t)(before - first)};
    const bool is_member = (before > begin && before[-1] == '.') ||
                           (before > begin + 1 && before[-2] == '-' && before[-1] == '>');
    if (*skip_blanks(c + word.length) != '[' || is_member ||
        (type.length && !word_is(type, "return") && !word_is(type, "else") && !word_is(type, "case")))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (word.length == arrays[i].name.length && memcmp(word.at, arrays[i].name.at, word.length) == 0)
            return &arrays[i];
    return NULL;
}

/* Copies the body of a function, from `c` to `end`, and adds a check to each index of one of `arrays`. */
static void write_body(struct text *out, const char *c, const char *end, const struct array *arrays,
                       size_t count)
{
    const struct array *open[MOST_DEPTH] = {NULL}; /* the array that each open '[' indexes */
    const char *const begin = c;
    size_t depth = 0;
    for (; c <= end; c++) {
        const struct array *array = starts_word(*c) ? array_at(begin, c, arrays, count) : NULL;
        const size_t length = starts_word(*c) ? read_word(c).length : starts_number(c) ? number_length(c) : 1;
        if (*c == ']' && depth && open[--depth])
            text_printf(out, "), %s, \"%.*s\")", open[depth]->bound, (int)open[depth]->name.length,
                        open[depth]->name.at);
        text_printf(out, "%.*s", (int)length, c);
        c += length - 1;
        if (array && depth + 1 < MOST_DEPTH) {
            const char *bracket = skip_blanks(c + 1);
            text_printf(out, "[HOST_INDEX((");
            open[depth++] = array;
            c = bracket;
        } else if (*c == '[' && depth + 1 < MOST_DEPTH) {
            open[depth++] = NULL;
        }
    }
}

char *text_with_bounds(const char *text)
{
    struct text out = {0};
    const char *rest = text;
    while (*rest) {
        struct array arrays[MOST_ARRAYS], next_arrays[MOST_ARRAYS];
        size_t count = 0, next_count;
        const char *body = NULL;
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            const char *found = find_body(rest, &functions[i], next_arrays, &next_count);
            if (!found || (body && body < found))
                continue;
            body = found;
            count = next_count;
            memcpy(arrays, next_arrays, sizeof arrays);
        }
        const char *end = body ? end_of(body) : NULL;
        if (!end)
            break;
        for (size_t i = 0; i < count; i++)
            arrays[i].bound = with_singles(text, arrays[i].bound);
        text_printf(&out, "%.*s", (int)(body - rest), rest);
        write_body(&out, body, end, arrays, count);
        rest = end + 1;
    }
    text_printf(&out, "%s", rest);
    if (!out.failed)
        return out.data;
    text_free(&out);
    return NULL;
}
