#include "mlp/files/c_text.h"

#include "io/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_OF_LINE = 12, LISTED_MOST = 40, DETAIL_MOST = 40 };

/* Makes an identifier of C from the file's name without extension: other characters than letters and digits
 * become underscores. */
static void name_of(const char *path, char name[C_NAME_MOST])
{
    const char *base = file_base_name(path), *dot = strrchr(base, '.');
    const size_t whole = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    size_t length = 0;
    if (!(isalpha((unsigned char)base[0]) || base[0] == '_'))
        length = (size_t)snprintf(name, C_NAME_MOST, "net_");
    for (size_t i = 0; i < whole && length + 1 < C_NAME_MOST - 16; i++)
        name[length++] = (unsigned char)base[i] < 128 && isalnum((unsigned char)base[i]) ? base[i] : '_';
    name[length] = '\0';
}

void c_text_open(struct c_text *text, const struct shoal_mlp_model *model, const char *path)
{
    *text = (struct c_text){.model = model};
    name_of(path, text->name);
    output_open(&text->output, path);
}

void c_text_add(struct c_text *text, const char *lines)
{
    for (const char *at = lines; *at;) {
        const size_t length = strcspn(at, "@");
        text_append(&text->output.text, at, length);
        at += length;
        if (*at == '@') {
            output_add(&text->output, text->name);
            at++;
        }
    }
    output_add(&text->output, ""); /* writes the buffered text */
}

/* Adds a text within a comment, on one line; pairs of characters that would end or begin a comment are
 * changed. */
static void add_comment(struct output *output, const char *string)
{
    char *copy = strdup(string);
    output->text.failed |= !copy;
    if (!copy)
        return;
    text_clean(copy, "");
    for (char *c = copy; c[0] && c[1]; c++)
        if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
            c[1] = '|';
    output_add(output, copy);
    free(copy);
}

static void add_categories(struct output *output, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        output_printf(output, "%s%zu ", k ? ", " : "", k);
        add_comment(output, names[k]);
    }
}

static bool is_number(const struct shoal_mlp_model_column *column)
{
    return column->category_count == 0;
}

/* Writes to `out` the text that `detail` adds after the name of column c; "": none. */
static void column_detail(c_text_detail *detail, void *data, size_t c, char out[DETAIL_MOST])
{
    const char *more = detail(data, false, c);
    snprintf(out, DETAIL_MOST, "%s", more ? more : "");
}

/* Returns the last column that the line of column `first` describes: in a long list, a line describes
 * neighbouring columns of numbers with the same text. */
static size_t last_of(const struct c_text *text, size_t first, c_text_detail *detail, void *data)
{
    const struct shoal_mlp_model *model = text->model;
    char mine[DETAIL_MOST], other[DETAIL_MOST];
    size_t last = first;
    if (!is_number(&model->columns[first]) || model->info.columns <= LISTED_MOST)
        return first;
    column_detail(detail, data, first, mine);
    for (; last + 1 < model->info.columns; last++) {
        const struct shoal_mlp_model_column *next = &model->columns[last + 1];
        if (!is_number(next) || next->may_miss != model->columns[first].may_miss)
            break;
        column_detail(detail, data, last + 1, other);
        if (strcmp(mine, other) != 0)
            break;
    }
    return last;
}

void c_text_describe(struct c_text *text, c_text_detail *detail, void *data)
{
    const struct shoal_mlp_model *model = text->model;
    struct output *output = &text->output;
    char more[DETAIL_MOST];
    output_add(output, " * row:\n");
    for (size_t c = 0; c < model->info.columns; c++) {
        const struct shoal_mlp_model_column *column = &model->columns[c];
        const size_t last = last_of(text, c, detail, data);
        output_printf(output, last > c ? " *   %zu-%zu  " : " *   %zu  ", c, last);
        add_comment(output, column->name);
        if (last > c) {
            output_add(output, " to ");
            add_comment(output, model->columns[last].name);
        }
        column_detail(detail, data, c, more);
        if (is_number(column) && *more)
            output_printf(output, ", %s", more);
        if (!is_number(column)) {
            output_add(output, ": ");
            add_categories(output, column->categories, column->category_count);
        }
        output_add(output, column->may_miss ? "; may be missing\n" : "\n");
        c = last;
    }
    output_add(output, " * outputs:\n");
    for (size_t k = 0; k < model->info.outputs; k++) {
        const char *said = detail(data, true, k);
        output_printf(output, " *   %zu  %s", k, model->info.classes ? "probability of " : "");
        add_comment(output, model->info.output_names[k]);
        output_printf(output, said ? ", %s\n" : "\n", said);
    }
}

static void add_array(struct c_text *text, const char *type, const char *key, size_t count)
{
    output_printf(&text->output, "static const %s %s_%s[%zu] = {", type, text->name, key, count);
}

void c_text_float(struct output *output, double value)
{
    char digits[DECIMAL_MOST + 1];
    digits[decimal_write(digits, value, true)] = '\0';
    output_printf(output, strpbrk(digits, ".e") ? "%sf" : "%s.0f", digits);
}

void c_text_floats(struct c_text *text, const char *key, const double *values, size_t count)
{
    add_array(text, "float", key, count);
    for (size_t i = 0; i < count; i++) {
        output_add(&text->output, i % NUMBERS_OF_LINE ? " " : "\n    ");
        c_text_float(&text->output, values[i]);
        output_add(&text->output, ",");
    }
    output_add(&text->output, "\n};\n");
    text->flash += count * sizeof(float);
}

void c_text_integers(struct c_text *text, const char *key, unsigned bytes, bool is_signed,
                     const double *values, size_t count)
{
    char type[16];
    snprintf(type, sizeof type, "%sint%u_t", is_signed ? "" : "u", 8 * bytes);
    add_array(text, type, key, count);
    for (size_t i = 0; i < count; i++)
        output_printf(&text->output, "%s%.0f,", i % (2 * NUMBERS_OF_LINE) ? " " : "\n    ", values[i]);
    output_add(&text->output, "\n};\n");
    text->flash += count * bytes;
}

void c_text_class(struct c_text *text, const char *type, const char *half)
{
    const size_t outputs = text->model->info.outputs;
    if (!text->model->info.classes)
        return;
    output_printf(&text->output, "\nint %s_class(const %s *outputs)\n{\n", text->name, type);
    if (outputs == 1)
        output_printf(&text->output, "    return outputs[0] > %s;\n}\n", half);
    else
        output_printf(&text->output,
                      "    int best = 0, k;\n"
                      "    for (k = 1; k < %zu; k++)\n"
                      "        if (outputs[k] > outputs[best])\n"
                      "            best = k;\n"
                      "    return best;\n}\n",
                      outputs);
}
