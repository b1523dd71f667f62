/* Reads a text in the kernel dialect: finds what the text defines and what it needs. */
#include "base/text.h"
#include "base/error.h"
#include "compute/program/comments.h"
#include "compute/program/source.h"
#include "compute/program/user_text.h"
#include "compute/program/words.h"
#include "objective/code.h"
#include "objective/constraints/constraints.h"
#include "objective/number.h"
#include "objective/variables/variables.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIM_PER_DIMENSION = 1 << 20, MAX_DIM_OPAQUE = 1 << 16, MAX_TERMS = 4, MAX_SINGLES = 64 };

struct reader {
    const char *name;
    /* flat: the text with its includes expanded; bare: `flat` without comments, with the same lines */
    char *flat, *bare;
    struct shoal_error *error;
};

struct definition {
    /* text in `bare` after the name of the macro, up to the end of the line; NULL: the macro is not
     * defined */
    const char *value;
    unsigned long line;
    int length;
};

/* Returns the last #define of a name. Preprocessor conditions are ignored. */
static struct definition find_definition(const struct reader *reader, const char *name)
{
    struct definition found = {0};
    const size_t length = strlen(name);
    unsigned long number = 1;
    for (const char *line = reader->bare; *line; line = next_line(line), number++) {
        const char *c = directive(line, "define");
        if (!c || strncmp(c, name, length) != 0 || is_word(c[length]))
            continue;
        found.value = skip_blanks(c + length);
        found.length = (int)strcspn(found.value, "\r\n");
        found.line = number;
        while (found.length > 0 && isspace((unsigned char)found.value[found.length - 1]))
            found.length--;
    }
    return found;
}

static bool defined_as(const struct definition *definition, const char *word)
{
    return definition->value && (size_t)definition->length == strlen(word) &&
           memcmp(definition->value, word, strlen(word)) == 0;
}

/* Whether the text contains a call or a definition of the function. */
static bool has_function(const struct reader *reader, const char *name)
{
    const size_t length = strlen(name);
    for (const char *c = reader->bare; (c = strstr(c, name)) != NULL; c += length)
        if ((c == reader->bare || !is_word(c[-1])) && *skip_blanks(c + length) == '(')
            return true;
    return false;
}

/* Fails with a message that begins with file and line, such as "my.cl:3: ...". physical: number of the line
 * in the flattened text. */
static enum shoal_status fail_at(const struct reader *reader, unsigned long physical, const char *what,
                                 const struct definition *definition)
{
    const char *name = reader->name;
    int length = (int)strlen(name);
    unsigned long line = 0;
    if (!source_locate(reader->flat, physical, &name, &length, &line))
        return fail(reader->error, SHOAL_INVALID, "%s: %s", reader->name, what);
    if (!definition)
        return fail(reader->error, SHOAL_INVALID, "%.*s:%lu: %s", length, name, line, what);
    return fail(reader->error, SHOAL_INVALID, "%.*s:%lu: %s, not \"%.*s\"", length, name, line, what,
                definition->length < 60 ? definition->length : 60, definition->value);
}

/* Reads a number, which may be in brackets or have the form R(0.5) or 0.5f. */
static bool read_number(const struct definition *definition, double *value)
{
    const char *c = definition->value, *end = c + definition->length;
    double sign = 1;
    while (c < end && strchr("R( \t+-", *c))
        if (*c++ == '-')
            sign = -sign;
    const char *behind = number_read(c, value);
    if (behind == c)
        return false;
    *value *= sign;
    while (behind < end && strchr("f) \t", *behind))
        behind++;
    return behind == end && isfinite(*value);
}

/* Reads an integer from 1 to `most`; 0: the definition is no such integer. */
static size_t count_of(const struct definition *definition, int most)
{
    double count = 0;
    const bool good = read_number(definition, &count) && count >= 1 && count <= most && count == floor(count);
    return good ? (size_t)count : 0;
}

static enum shoal_status number_of(const struct reader *reader, const char *name, double *value)
{
    const struct definition definition = find_definition(reader, name);
    if (!definition.value || read_number(&definition, value))
        return SHOAL_OK;
    struct text what = {0};
    text_printf(&what, "%s must be a number", name);
    enum shoal_status status = what.failed ? fail_host_memory(reader->error)
                                           : fail_at(reader, definition.line, what.data, &definition);
    text_free(&what);
    return status;
}

static enum shoal_status dim_of(const struct reader *reader, const char *name, size_t *dim)
{
    double value = (double)*dim;
    enum shoal_status status = number_of(reader, name, &value);
    if (status)
        return status;
    if (value >= 1 && value <= UINT32_MAX && value == floor(value)) {
        *dim = (size_t)value;
        return SHOAL_OK;
    }
    const struct definition definition = find_definition(reader, name);
    return fail_at(reader, definition.line, "a dimension is a whole number above 0", &definition);
}

static enum shoal_status read_shape(const struct reader *reader, struct text_facts *facts)
{
    static const char *const names[] = {
        [SHOAL_PER_DIMENSION] = "PER_DIMENSION", [SHOAL_DATA_ROWS] = "DATA_ROWS", [SHOAL_OPAQUE] = "OPAQUE"};
    const struct definition shape = find_definition(reader, "SHAPE");
    if (!shape.value)
        return fail(reader->error, SHOAL_INVALID,
                    "%s: an objective needs a line #define SHAPE with PER_DIMENSION, DATA_ROWS or OPAQUE",
                    reader->name);
    for (int i = SHOAL_PER_DIMENSION; i <= SHOAL_OPAQUE; i++)
        if (defined_as(&shape, names[i]))
            facts->shape = (enum shoal_shape)i;
    return facts->shape ? SHOAL_OK
                        : fail_at(reader, shape.line, "SHAPE is PER_DIMENSION, DATA_ROWS or OPAQUE", &shape);
}

static const char *value_declaration(const struct reader *reader)
{
    const bool table = find_definition(reader, "TABLE").value;
    if (find_definition(reader, "VARIABLES").value)
        return table ? "objective_value(GENOME, __global const real *table, uint dim)"
                     : "objective_value(GENOME, uint dim)";
    return table ? "real objective_value(const real *x, __global const real *table, uint dim)"
                 : "real objective_value(const real *x, uint dim)";
}

/* Checks that the text has the functions and the number of accumulators that its shape needs. */
static enum shoal_status check_parts(const struct reader *reader, const struct text_facts *facts)
{
    const struct {
        enum shoal_shape shape;
        const char *function, *declaration;
    } needed[] = {
        {SHOAL_PER_DIMENSION, "objective_terms",
         "void objective_terms(real *term, real x, real next, uint d, uint dim)"},
        {SHOAL_PER_DIMENSION, "objective_finish", "real objective_finish(const real *sum, uint dim)"},
        {SHOAL_DATA_ROWS, "objective_residual", "real objective_residual(const real *x, const real *row)"},
        {SHOAL_OPAQUE, "objective_value", value_declaration(reader)},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].shape == facts->shape && !has_function(reader, needed[i].function))
            return fail(reader->error, SHOAL_INVALID, "%s: the text has no function static inline %s",
                        reader->name, needed[i].declaration);
    const struct definition table = find_definition(reader, "TABLE");
    if (table.value && facts->shape != SHOAL_OPAQUE)
        return fail_at(reader, table.line, "TABLE is for OPAQUE", NULL);
    if (facts->shape != SHOAL_PER_DIMENSION)
        return SHOAL_OK;
    const struct definition terms = find_definition(reader, "TERMS");
    if (!terms.value)
        return fail(
            reader->error, SHOAL_INVALID,
            "%s: an objective that is PER_DIMENSION needs a line #define TERMS with a number from 1 to %d",
            reader->name, MAX_TERMS);
    if (!count_of(&terms, MAX_TERMS))
        return fail_at(reader, terms.line, "TERMS is a number from 1 to 4", &terms);
    return SHOAL_OK;
}

/* Reads SINGLES, the number of single coordinates that every term may use. */
static enum shoal_status read_singles(const struct reader *reader, struct text_facts *facts)
{
    const struct definition singles = find_definition(reader, "SINGLES");
    if (!singles.value)
        return SHOAL_OK;
    if (facts->shape != SHOAL_PER_DIMENSION)
        return fail_at(reader, singles.line, "SINGLES is for PER_DIMENSION", NULL);
    facts->singles = count_of(&singles, MAX_SINGLES);
    if (!facts->singles)
        return fail_at(reader, singles.line, "SINGLES is a number from 1 to 64", &singles);
    if (!has_function(reader, "objective_single"))
        return fail_at(reader, singles.line,
                       "SINGLES needs a function static inline uint objective_single(int j)", NULL);
    if (!find_definition(reader, "MIN_DIM").value)
        return fail_at(reader, singles.line,
                       "SINGLES needs a line #define MIN_DIM: objective_single is below it", NULL);
    return SHOAL_OK;
}

/* Reads the number of constraints, and how many of them are equalities. */
static enum shoal_status read_constraints(const struct reader *reader, struct text_facts *facts)
{
    const struct definition constraints = find_definition(reader, "CONSTRAINTS");
    const struct definition equalities = find_definition(reader, "EQUALITIES");
    if (!constraints.value)
        return equalities.value
                   ? fail_at(reader, equalities.line, "EQUALITIES needs a line #define CONSTRAINTS", NULL)
                   : SHOAL_OK;
    if (facts->shape == SHOAL_DATA_ROWS || find_definition(reader, "VARIABLES").value)
        return fail_at(reader, constraints.line,
                       "CONSTRAINTS is for PER_DIMENSION and OPAQUE, without VARIABLES", NULL);
    facts->constraints = count_of(&constraints, CONSTRAINTS_MOST);
    if (!facts->constraints)
        return fail_at(reader, constraints.line, "CONSTRAINTS is a number from 1 to 1024", &constraints);
    facts->equalities = equalities.value ? count_of(&equalities, (int)facts->constraints) : 0;
    if (equalities.value && !facts->equalities)
        return fail_at(reader, equalities.line, "EQUALITIES is a number from 1 to CONSTRAINTS", &equalities);
    if (!has_function(reader, "objective_constraints"))
        return fail_at(reader, constraints.line,
                       "CONSTRAINTS needs a function static inline void objective_constraints(real *g, "
                       "const real *x, uint dim)",
                       NULL);
    return SHOAL_OK;
}

/* Whether the rest of a line contains a word. */
static bool line_has(const char *line, const char *word)
{
    const char *end = line + strcspn(line, "\n");
    const size_t length = strlen(word);
    for (const char *c = line; (c = memmem(c, (size_t)(end - c), word, length)); c++)
        if ((c == line || !is_word(c[-1])) && !is_word(c[length]))
            return true;
    return false;
}

/* Fails if a preprocessor condition tests DIM where DIM is not a constant on the host. DIM is a constant of
 * kernels for DATA_ROWS and OPAQUE; on the host it is one for DATA_ROWS, and for OPAQUE if the dimension is
 * fixed. */
static enum shoal_status check_dim(const struct reader *reader, const struct text_facts *facts)
{
    const bool fixed = facts->min_dim == facts->max_dim;
    if (facts->shape == SHOAL_DATA_ROWS || (facts->shape == SHOAL_OPAQUE && fixed))
        return SHOAL_OK;
    unsigned long number = 1;
    for (const char *line = reader->bare; *line; line = next_line(line), number++) {
        const char *condition = directive(line, "if");
        if (!condition)
            condition = directive(line, "elif");
        if (facts->shape == SHOAL_PER_DIMENSION && line_has(line, "DIM"))
            return fail_at(reader, number, "DIM is not for PER_DIMENSION: use the argument dim", NULL);
        if (condition && line_has(condition, "DIM"))
            return fail_at(reader, number,
                           "a condition on DIM needs a fixed dimension: define MIN_DIM and MAX_DIM alike",
                           NULL);
    }
    return SHOAL_OK;
}

/* Reads a macro of texts over genes, whose only valid value is `word`. *is_it: the macro is defined with this
 * value. */
static enum shoal_status read_word_macro(const struct reader *reader, const char *name, const char *word,
                                         bool may_be_empty, bool *is_it)
{
    const struct definition macro = find_definition(reader, name);
    *is_it = defined_as(&macro, word);
    if (!macro.value || (!macro.length && may_be_empty))
        return SHOAL_OK;
    if (!*is_it)
        return fail_at(reader, macro.line,
                       may_be_empty ? "TABLE has no value or INT" : "VALUE is LONG, or the line is left out",
                       &macro);
    if (!find_definition(reader, "VARIABLES").value)
        return fail_at(reader, macro.line, "VALUE and TABLE INT need a line #define VARIABLES", NULL);
    return SHOAL_OK;
}

/* Reads the list of variables. If the list does not go up to D, its length is the dimension. */
static enum shoal_status read_variables(const struct reader *reader, struct text_facts *facts)
{
    const struct definition list = find_definition(reader, "VARIABLES");
    struct shoal_variables *variables;
    struct text message = {0};
    if (!list.value)
        return SHOAL_OK;
    if (facts->shape != SHOAL_OPAQUE)
        return fail_at(reader, list.line, "VARIABLES is for OPAQUE", NULL);
    if (list.length - 2 >= TEXT_VARIABLES)
        return fail_at(reader, list.line, "VARIABLES has too many characters: 4095 are the most", NULL);
    memcpy(facts->variables, list.value + 1, (size_t)list.length - 2);
    facts->variables[list.length - 2] = '\0';
    /* A list up to D is read with the dimension 2, which every kind of variable allows. */
    enum shoal_status status = shoal_variables_parse(facts->variables, 0, &variables, reader->error);
    if (!status)
        facts->min_dim = facts->max_dim = shoal_variables_count(variables);
    else
        status = shoal_variables_parse(facts->variables, 2, &variables, reader->error);
    shoal_variables_destroy(&variables);
    if (status != SHOAL_INVALID)
        return status;
    text_printf(&message, "%s", reader->error->message);
    if (!message.failed)
        status = fail_at(reader, list.line, message.data, NULL);
    text_free(&message);
    return status;
}

/* Reads the move for which the text computes changes of the value. The variables must have genes for this
 * move. */
static enum shoal_status read_change(const struct reader *reader, struct text_facts *facts)
{
    static const char *const names[] = {"FLIP", "SWAP", "INSERTION"};
    const struct definition change = find_definition(reader, "CHANGE");
    struct shoal_variables *variables;
    if (!change.value)
        return SHOAL_OK;
    if (!facts->variables[0])
        return fail_at(reader, change.line, "CHANGE needs a line #define VARIABLES", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (defined_as(&change, names[i]))
            facts->move = (enum shoal_move)(SHOAL_MOVE_FLIP + i);
    if (!facts->move)
        return fail_at(reader, change.line, "CHANGE is FLIP, SWAP or INSERTION", &change);
    if (!has_function(reader, "objective_change"))
        return fail_at(reader, change.line,
                       "CHANGE needs a function objective_change(GENOME, uint i, uint j, uint dim)", NULL);
    const size_t dim = facts->min_dim == facts->max_dim ? facts->min_dim : 2;
    enum shoal_status status = shoal_variables_parse(facts->variables, dim, &variables, reader->error);
    if (status)
        return status;
    const struct genome_layout layout = genome_layout(variables);
    shoal_variables_destroy(&variables);
    if (facts->move == SHOAL_MOVE_FLIP ? !layout.bits : !layout.places)
        return fail_at(reader, change.line,
                       "CHANGE FLIP needs bits in VARIABLES, SWAP and INSERTION an order", NULL);
    return SHOAL_OK;
}

/* Reads a macro of texts over genes that has no value. *is_it: the macro is defined. */
static enum shoal_status read_empty_macro(const struct reader *reader, const char *name, bool *is_it)
{
    const struct definition macro = find_definition(reader, name);
    struct text what = {0};
    *is_it = macro.value != NULL;
    if (!macro.value || (!macro.length && find_definition(reader, "VARIABLES").value))
        return SHOAL_OK;
    text_printf(&what, macro.length ? "%s has no value" : "%s needs a line #define VARIABLES", name);
    enum shoal_status status = what.failed
                                   ? fail_host_memory(reader->error)
                                   : fail_at(reader, macro.line, what.data, macro.length ? &macro : NULL);
    text_free(&what);
    return status;
}

/* Reads the macro REPAIR, which a text with the function objective_repair must define. */
static enum shoal_status read_repair(const struct reader *reader, struct text_facts *facts)
{
    static const char function[] = "objective_repair";
    enum shoal_status status = read_empty_macro(reader, "REPAIR", &facts->repair);
    if (status || facts->repair == has_function(reader, function))
        return status;
    if (!facts->repair)
        return fail(reader->error, SHOAL_INVALID, "%s: objective_repair needs a line #define REPAIR",
                    reader->name);
    return fail_at(reader, find_definition(reader, "REPAIR").line,
                   "REPAIR needs a function static inline void objective_repair(GENOME_MUTABLE, uint dim)",
                   NULL);
}

/* Reads the macro DYNAMIC: values depend on the generation. A text with CHANGE or REPAIR may not define
 * it. */
static enum shoal_status read_dynamic(const struct reader *reader, struct text_facts *facts)
{
    unsigned long number = 1;
    enum shoal_status status = read_empty_macro(reader, "DYNAMIC", &facts->dynamic);
    if (!status && facts->dynamic && (facts->move || facts->repair))
        return fail_at(reader, find_definition(reader, "DYNAMIC").line,
                       "DYNAMIC goes with neither CHANGE nor REPAIR", NULL);
    for (const char *line = reader->bare; *line && !status && !facts->dynamic;
         line = next_line(line), number++)
        if (line_has(line, "GENERATION"))
            status = fail_at(reader, number, "GENERATION needs a line #define DYNAMIC", NULL);
    return status;
}

/* Fails if a text without a table uses the size of a table. */
static enum shoal_status check_sizes(const struct reader *reader, const struct text_facts *facts)
{
    unsigned long number = 1;
    for (const char *line = reader->bare; *line; line = next_line(line), number++) {
        if (!facts->table && line_has(line, "TABLE_ROWS"))
            return fail_at(reader, number, "TABLE_ROWS is for OPAQUE with a line #define TABLE", NULL);
        if (!facts->table && facts->shape != SHOAL_DATA_ROWS && line_has(line, "COLUMNS"))
            return fail_at(reader, number,
                           "COLUMNS is for DATA_ROWS, and for OPAQUE with a line #define TABLE", NULL);
    }
    return SHOAL_OK;
}

static enum shoal_status read_facts(const struct reader *reader, struct text_facts *facts)
{
    enum shoal_status status = read_shape(reader, facts);
    if (!status)
        status = check_parts(reader, facts);
    if (!status)
        status = read_singles(reader, facts);
    if (!status)
        status = read_constraints(reader, facts);
    facts->min_dim =
        facts->shape == SHOAL_PER_DIMENSION && find_definition(reader, "NEIGHBOUR").value ? 2 : 1;
    facts->table = find_definition(reader, "TABLE").value != NULL;
    facts->max_dim = facts->shape == SHOAL_OPAQUE ? MAX_DIM_OPAQUE : MAX_DIM_PER_DIMENSION;
    if (!status)
        status = number_of(reader, "LOWER", &facts->lower);
    if (!status)
        status = number_of(reader, "UPPER", &facts->upper);
    if (!status)
        status = number_of(reader, "MINIMUM", &facts->minimum);
    if (!status)
        status = dim_of(reader, "MIN_DIM", &facts->min_dim);
    if (!status)
        status = dim_of(reader, "MAX_DIM", &facts->max_dim);
    if (!status)
        status = read_variables(reader, facts);
    if (!status)
        status = read_change(reader, facts);
    if (!status)
        status = read_repair(reader, facts);
    if (!status)
        status = read_dynamic(reader, facts);
    if (!status)
        status = read_word_macro(reader, "VALUE", "LONG", false, &facts->whole_values);
    if (!status)
        status = read_word_macro(reader, "TABLE", "INT", true, &facts->whole_table);
    facts->squares = facts->shape == SHOAL_DATA_ROWS && !find_definition(reader, "RULE").value;
    if (status)
        return status;
    if (facts->lower >= facts->upper)
        return fail(reader->error, SHOAL_INVALID, "%s: LOWER %g is not less than UPPER %g", reader->name,
                    facts->lower, facts->upper);
    if (facts->min_dim > facts->max_dim)
        return fail(reader->error, SHOAL_INVALID,
                    "%s: it takes dim %zu to %zu, which is no dimension: correct "
                    "MIN_DIM or MAX_DIM",
                    reader->name, facts->min_dim, facts->max_dim);
    status = check_dim(reader, facts);
    return status ? status : check_sizes(reader, facts);
}

enum shoal_status text_read(struct shoal *shoal, const char *text, const char *name, char **checked,
                            struct text_facts *facts, struct shoal_error *error)
{
    static const char *const macros[] = {
        "SHAPE", "TERMS",  "TERM_0", "TERM_1",  "TERM_2",      "TERM_3",     "NEIGHBOUR", "SINGLES",
        "RULE",  "TABLE",  "LOWER",  "UPPER",   "MINIMUM",     "MIN_DIM",    "MAX_DIM",   "VARIABLES",
        "VALUE", "CHANGE", "REPAIR", "DYNAMIC", "CONSTRAINTS", "EQUALITIES", NULL};
    static const char *const functions[] = {"objective_terms",    "objective_finish",      "objective_single",
                                            "objective_residual", "objective_value",       "objective_change",
                                            "objective_repair",   "objective_constraints", NULL};
    static const char *const used[] = {
        "PER_DIMENSION",  "DATA_ROWS",  "OPAQUE",    "SUM",     "PRODUCT",  "COMPLEMENT", "DIM",
        "COLUMNS",        "TABLE_ROWS", "ELEMENT",   "GENOME",  "GENE",     "WHOLE",      "BIT",
        "WORD",           "PLACE",      "INT",       "LONG",    "FLIP",     "SWAP",       "INSERTION",
        "GENOME_MUTABLE", "SET_GENE",   "SET_WHOLE", "SET_BIT", "SET_WORD", "SET_PLACE",  "SWAP_PLACES",
        "GENERATION",     NULL};
    static const char *const folders[] = {"lib/", "objective/builtin/", "objective/genes/", NULL};
    static const char *const strings[] = {"VARIABLES", NULL};
    static const struct user_text_rules rules = {macros, functions, used, folders, strings};
    struct reader reader = {.name = name, .error = error};
    struct shoal_program_params params;
    bool open;
    *facts = (struct text_facts){.lower = NAN, .upper = NAN, .minimum = NAN};
    enum shoal_status status = user_text_check(shoal, text, name, &rules, checked, error);
    if (status)
        return status;
    shoal_program_params_init(&params);
    params.text = *checked;
    params.text_name = name;
    status = source_flatten(shoal, name, &params, &reader.flat, error);
    if (!status && !(reader.bare = text_without_comments(reader.flat, &open)))
        status = fail_host_memory(error);
    if (!status)
        status = read_facts(&reader, facts);
    free(reader.bare);
    free(reader.flat);
    if (status) {
        free(*checked);
        *checked = NULL;
    }
    return status;
}

enum shoal_status text_check_table(const struct text_facts *facts, bool given, const char *name,
                                   struct shoal_error *error)
{
    if (!given && facts->shape == SHOAL_DATA_ROWS)
        return fail(error, SHOAL_INVALID, "%s: its SHAPE is DATA_ROWS: give it a table of rows (--data)",
                    name);
    if (!given && facts->table)
        return fail(error, SHOAL_INVALID, "%s: it has a line #define TABLE: give it a table (--data)", name);
    if (given && facts->shape == SHOAL_OPAQUE && !facts->table)
        return fail(error, SHOAL_INVALID,
                    "%s: the text reads no table: add a line #define TABLE, or omit --data", name);
    if (given && facts->shape == SHOAL_PER_DIMENSION)
        return fail(error, SHOAL_INVALID, "%s: the objective of a table has SHAPE DATA_ROWS or OPAQUE", name);
    return SHOAL_OK;
}
