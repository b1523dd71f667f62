#include "io/cursor.h"

#include "base/error.h"
#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void cursor_skip_mark(struct cursor *cursor)
{
    if (cursor->end - cursor->at >= 3 && memcmp(cursor->at, "\xef\xbb\xbf", 3) == 0)
        cursor->at += 3;
}

bool cursor_next(struct cursor *cursor, struct line *line)
{
    if (cursor->at == cursor->end)
        return false;
    const char *feed = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    line->begin = cursor->at;
    line->end = feed ? feed : cursor->end;
    cursor->at = feed ? feed + 1 : cursor->end;
    cursor->line++;
    while (line->begin < line->end && is_blank(*line->begin))
        line->begin++;
    while (line->end > line->begin && is_blank(line->end[-1]))
        line->end--;
    return true;
}

size_t cursor_skip(struct cursor *cursor, size_t count)
{
    struct line line;
    size_t skipped = 0;
    while (skipped < count && cursor_next(cursor, &line))
        skipped++;
    return skipped;
}

bool line_word(struct line *line, struct word *word)
{
    const char *c = line->begin;
    while (c < line->end && is_blank(*c))
        c++;
    word->begin = c;
    while (c < line->end && !is_blank(*c))
        c++;
    word->end = line->begin = c;
    return word->end > word->begin;
}

bool word_is(struct word word, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(word.end - word.begin) == length && memcmp(word.begin, text, length) == 0;
}

bool line_begins(const struct line *line, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(line->end - line->begin) >= length && memcmp(line->begin, text, length) == 0;
}

enum shoal_status cursor_fail(const struct cursor *cursor, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return fail(cursor->error, SHOAL_IO, "%s: line %zu: %s", cursor->name, cursor->line, reason);
}

struct shown word_show(struct word word)
{
    struct shown shown = {""};
    const size_t length = (size_t)(word.end - word.begin);
    for (size_t i = 0; i < length && i + 1 < sizeof shown.text; i++)
        shown.text[i] = word.begin[i] < ' ' || word.begin[i] > '~' ? '?' : word.begin[i];
    return shown;
}

static bool word_is_any_case(struct word word, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(word.end - word.begin) == length && strncasecmp(word.begin, text, length) == 0;
}

bool word_is_infinite(struct word word)
{
    word.begin += word.begin < word.end && *word.begin == '+';
    return word_is_any_case(word, "inf") || word_is_any_case(word, "infinity");
}

bool word_is_not_finite(struct word word)
{
    word.begin += word.begin < word.end && *word.begin == '-';
    return word_is_infinite(word) || word_is_any_case(word, "nan");
}

enum shoal_status word_real(const struct cursor *cursor, struct word word, const char *what, double *value)
{
    if (word.begin < word.end && decimal_read(word.begin, value) == word.end && isfinite(*value))
        return SHOAL_OK;
    if (word_is_not_finite(word) || (word.begin < word.end && decimal_read(word.begin, value) == word.end))
        return cursor_fail(cursor, "%s is '%s', which is not finite", what, word_show(word).text);
    return cursor_fail(cursor, "'%s' should be %s", word_show(word).text, what);
}

enum shoal_status word_count(const struct cursor *cursor, struct word word, const char *what, uint64_t *value)
{
    *value = 0;
    const char *c = word.begin;
    for (; c < word.end && *c >= '0' && *c <= '9' && *value < UINT64_MAX / 10 - 1; c++)
        *value = 10 * *value + (uint64_t)(*c - '0');
    if (c < word.end || word.begin == word.end)
        return cursor_fail(cursor, "'%s' should be %s", word_show(word).text, what);
    return SHOAL_OK;
}

/* Fields of CSV ------------------------------------------------------------------------------------------ */

bool cursor_next_row(struct cursor *cursor, char separator, struct line *line)
{
    const char *start = cursor->at;
    for (; cursor_next(cursor, line); start = cursor->at) {
        if (line->begin == line->end || *line->begin == '#')
            continue;
        while (separator == '\t' && line->begin > start)
            line->begin--;
        while (separator == '\t' && line->end < cursor->at && is_blank(*line->end))
            line->end++;
        return true;
    }
    return false;
}

char line_separator(struct line line)
{
    static const char separators[] = ";,\t";
    for (const char *c = separators; *c; c++)
        if (memchr(line.begin, *c, (size_t)(line.end - line.begin)))
            return *c;
    return ' ';
}

bool line_field(struct line *line, char separator, struct word *field)
{
    const char *c = line->begin;
    if (!c)
        return false;
    while (c < line->end && *c == ' ')
        c++;
    field->begin = c;
    if (c < line->end && *c == '"') {
        for (c++; c < line->end && (*c != '"' || (c + 1 < line->end && c[1] == '"')); c++)
            c += *c == '"';
        c += c < line->end;
    }
    while (c < line->end && *c != separator && !(separator == ' ' && *c == '\t'))
        c++;
    field->end = c;
    while (field->end > field->begin && is_blank(field->end[-1]))
        field->end--;
    while (separator == ' ' && c + 1 < line->end && is_blank(c[1]))
        c++;
    line->begin = c < line->end ? c + 1 : NULL;
    return true;
}

struct word field_unquote(struct word field, struct text *scratch)
{
    if (field.end - field.begin < 2 || *field.begin != '"' || field.end[-1] != '"')
        return field;
    field.begin++;
    field.end--;
    if (!memchr(field.begin, '"', (size_t)(field.end - field.begin)))
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

bool field_is_number(struct word field)
{
    double value;
    return word_is_infinite(field) ||
           (field.begin < field.end && decimal_read(field.begin, &value) == field.end);
}
