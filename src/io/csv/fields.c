#include "io/csv/fields.h"

#include "base/error.h"
#include "io/csv/amounts.h"
#include "io/decimal.h"

#include <math.h>
#include <string.h>

enum { NUMBER_MOST = 128 }; /* characters of a number with a decimal comma */

enum shoal_status csv_check_text(const char *name, const char *bytes, size_t count, struct shoal_error *error)
{
    const char *end = memchr(bytes, '\r', count);
    const char *encoding = NULL;
    if (count >= 4 && (memcmp(bytes, "\xff\xfe\0\0", 4) == 0 || memcmp(bytes, "\0\0\xfe\xff", 4) == 0))
        encoding = "UTF-32";
    else if (count >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        encoding = "UTF-16";
    else if (count >= 4 && ((!bytes[0] && bytes[1] && !bytes[2] && bytes[3]) ||
                            (bytes[0] && !bytes[1] && bytes[2] && !bytes[3])))
        encoding = "UTF-16";
    if (!encoding && end && end + 1 < bytes + count && !memchr(bytes, '\n', count))
        return fail(error, SHOAL_IO,
                    "%s: has lines that end in CR alone: convert it: tr '\\r' '\\n' < FILE > NEW", name);
    if (!encoding)
        return SHOAL_OK;
    return fail(error, SHOAL_IO,
                "%s: is text in %s: save it as UTF-8, or convert it: iconv -f %s -t UTF-8 FILE > NEW", name,
                encoding, encoding);
}

/* Rows -------------------------------------------------------------------------------------------------- */

static bool is_blank(char c, char separator)
{
    return c == ' ' || c == '\r' || (c == '\t' && separator != '\t');
}

bool line_is_row(struct line *line, char separator)
{
    struct line text = *line;
    while (text.begin < text.end && is_blank(*text.begin, ' '))
        text.begin++;
    if (text.begin == text.end || *text.begin == '#')
        return false;
    while (is_blank(*line->begin, separator))
        line->begin++;
    while (is_blank(line->end[-1], separator))
        line->end--;
    return true;
}

bool cursor_next_row(struct cursor *cursor, char separator, struct line *line)
{
    while (cursor_next_whole(cursor, line))
        if (line_is_row(line, separator))
            return true;
    return false;
}

/* Whether tabs separate numbers, at least one of which has a decimal comma. */
static bool has_tabs_alone(struct line line)
{
    const struct csv_style style = {.separator = '\t', .has_decimal_commas = true};
    struct word field;
    double value;
    if (!line_has_decimal_comma(line, '\t', NULL, 0))
        return false;
    while (line_field(&line, '\t', &field))
        if (!field_is_missing(NULL, field) && !field_number(&style, field, &value))
            return false;
    return true;
}

/* Whether the line has the separator outside of quotes; a quote opens where a field may begin. */
static bool contains(struct line line, char separator)
{
    bool is_quoted = false;
    char before = separator;
    for (const char *c = line.begin; c < line.end; before = *c++) {
        if (*c == '"' && (is_quoted || strchr(";,\t \"", before)))
            is_quoted = !is_quoted;
        else if (*c == separator && !is_quoted)
            return true;
    }
    return false;
}

char line_separator(struct line line)
{
    static const char separators[] = ";,\t";
    for (const char *c = separators; *c; c++)
        if (contains(line, *c))
            return *c == ',' && contains(line, '\t') && has_tabs_alone(line) ? '\t' : *c;
    return ' ';
}

bool line_has_decimal_comma(struct line line, char separator, const bool *used, size_t columns)
{
    struct word field;
    struct amount amount;
    if (separator != ';' && separator != '\t')
        return false;
    if (!memchr(line.begin, ',', (size_t)(line.end - line.begin)))
        return false;
    for (size_t c = 0; line_field(&line, separator, &field); c++) {
        const struct word content = field_inside(field);
        if (used && (c >= columns || !used[c]))
            continue;
        if (memchr(content.begin, ',', (size_t)(content.end - content.begin)) &&
            amount_read(content, &amount) &&
            (amount.decimal == ',' || (amount.group == ',' && amount.is_open)))
            return true;
    }
    return false;
}

struct csv_style csv_style_of(struct cursor cursor, char separator)
{
    struct csv_style style = {.separator = separator};
    struct line line;
    while ((separator == ';' || separator == '\t') && !style.has_decimal_commas &&
           cursor_next_row(&cursor, separator, &line))
        style.has_decimal_commas = line_has_decimal_comma(line, separator, NULL, 0);
    return style;
}

size_t line_field_count(struct line line, char separator)
{
    struct word field;
    size_t count = 0;
    while (line_field(&line, separator, &field))
        count++;
    return count;
}

size_t line_filled_count(struct line line, char separator)
{
    struct word field;
    size_t count = 0, filled = 0;
    while (line_field(&line, separator, &field)) {
        count++;
        filled = field.begin < field.end ? count : filled;
    }
    return filled;
}

size_t line_empty_end(struct line line, char separator)
{
    size_t count = 0;
    if (separator == ' ')
        return 0;
    for (const char *c = line.end; c > line.begin && (c[-1] == separator || is_blank(c[-1], separator)); c--)
        count += c[-1] == separator;
    return count;
}

/* Fields ------------------------------------------------------------------------------------------------ */

bool line_field(struct line *line, char separator, struct word *field)
{
    const char *c = line->begin;
    if (!c)
        return false;
    while (c < line->end && is_blank(*c, separator))
        c++;
    field->begin = c;
    if (c < line->end && *c == '"') {
        for (c++; c < line->end && (*c != '"' || (c + 1 < line->end && c[1] == '"')); c++)
            c += *c == '"';
        c += c < line->end;
    }
    if (separator == ' ') {
        while (c < line->end && *c != ' ' && *c != '\t')
            c++;
    } else if (c < line->end) {
        const char *stop = memchr(c, separator, (size_t)(line->end - c));
        c = stop ? stop : line->end;
    }
    field->end = c;
    while (field->end > field->begin && is_blank(field->end[-1], separator))
        field->end--;
    while (separator == ' ' && c + 1 < line->end && is_blank(c[1], ' '))
        c++;
    line->begin = c < line->end ? c + 1 : NULL;
    return true;
}

bool field_is_quoted(struct word field)
{
    return field.begin < field.end && *field.begin == '"';
}

const char *field_quote_fault(struct word field)
{
    const char *c = field.begin + 1;
    if (!field_is_quoted(field))
        return NULL;
    while (c < field.end && (*c != '"' || (c + 1 < field.end && c[1] == '"')))
        c += *c == '"' ? 2 : 1;
    if (c >= field.end)
        return "has a quote that is not closed in its line";
    return c + 1 < field.end ? "has text behind its closing quote; quotes within a field are doubled" : NULL;
}

struct word field_inside(struct word field)
{
    const bool is_quoted = field.end - field.begin >= 2 && *field.begin == '"' && field.end[-1] == '"';
    return (struct word){field.begin + is_quoted, field.end - is_quoted};
}

struct word field_unquote(struct word field, struct text *scratch)
{
    const struct word whole = field;
    field = field_inside(field);
    if (field.begin == whole.begin || !memchr(field.begin, '"', (size_t)(field.end - field.begin)))
        return field;
    scratch->length = 0;
    for (const char *c = field.begin; c < field.end; c++) {
        text_append(scratch, c, 1);
        c += *c == '"';
    }
    if (scratch->failed)
        return field;
    return (struct word){scratch->data, scratch->data + scratch->length};
}

static bool is_decimal(struct word field, double *value)
{
    return field.begin < field.end && decimal_read(field.begin, value) == field.end;
}

bool field_number(const struct csv_style *style, struct word field, double *value)
{
    const size_t length = (size_t)(field.end - field.begin);
    char number[NUMBER_MOST + 1];
    if (!style->has_decimal_commas)
        return is_decimal(field, value);
    if (length > NUMBER_MOST || memchr(field.begin, '.', length))
        return false;
    memcpy(number, field.begin, length);
    number[length] = '\0';
    char *comma = memchr(number, ',', length);
    if (comma && (comma[1] < '0' || comma[1] > '9'))
        return false;
    if (comma)
        *comma = '.';
    return is_decimal((struct word){number, number + length}, value);
}

bool field_is_number(const struct csv_style *style, struct word field)
{
    double value;
    field = field_inside(field);
    return word_is_infinite(field) || field_number(style, field, &value);
}

enum field_kind field_kind(const struct csv_style *style, const struct csv_missing *missing,
                           struct word field, double *value)
{
    const struct csv_style points = {.separator = style->separator};
    const struct word content = field_inside(field);
    struct amount amount;
    if (field_is_missing(missing, field))
        return FIELD_MISSING;
    if (field_number(&points, content, value))
        return FIELD_NUMBER;
    if (amount_read(content, &amount)) {
        *value = amount.open_value;
        return amount_is_sure(&amount) ? FIELD_NUMBER : FIELD_AMOUNT;
    }
    *value = INFINITY;
    return word_is_not_finite(content) ? FIELD_NUMBER : FIELD_WORD;
}

enum shoal_status csv_fail(const struct csv_place *place, struct word field, const char *what,
                           struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s: row %zu (line %zu), column %zu%s%s%s: '%s' %s", place->file,
                place->row + 1, place->line, place->column + 1, place->name ? " (" : "",
                place->name ? place->name : "", place->name ? ")" : "", word_show(field).text, what);
}
