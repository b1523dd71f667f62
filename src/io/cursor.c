#include "io/cursor.h"

#include "base/error.h"
#include "base/text.h"
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

bool cursor_next_whole(struct cursor *cursor, struct line *line)
{
    if (cursor->at == cursor->end) {
        cursor->is_over = true;
        return false;
    }
    const char *feed = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    line->begin = cursor->at;
    line->end = feed ? feed : cursor->end;
    cursor->at = feed ? feed + 1 : cursor->end;
    cursor->line++;
    return true;
}

bool cursor_next(struct cursor *cursor, struct line *line)
{
    if (!cursor_next_whole(cursor, line))
        return false;
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
    if (!cursor->line)
        return fail(cursor->error, SHOAL_IO, "%s: %s", cursor->name, reason);
    return fail(cursor->error, SHOAL_IO, "%s: line %zu: %s", cursor->name, cursor->line, reason);
}

struct shown word_show(struct word word)
{
    struct shown shown = {""};
    const size_t length = (size_t)(word.end - word.begin), most = sizeof shown.text - 1;
    size_t shows = length < most ? length : most;
    while (length > most && shows > most - 3 && ((unsigned char)word.begin[shows] & 0xc0) == 0x80)
        shows--; /* the text is not cut in the middle of a character */
    memcpy(shown.text, word.begin, shows);
    for (char *nul; (nul = memchr(shown.text, '\0', shows)) != NULL;)
        *nul = '?';
    text_clean(shown.text, "");
    return shown;
}

bool word_is_any_case(struct word word, const char *text)
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
