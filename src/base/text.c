#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool reserve(struct text *text, size_t extra)
{
    if (text->failed)
        return false;
    size_t need = text->length + extra + 1;
    if (need <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !reserve(text, (size_t)length)) {
        text->failed = true;
        return;
    }
    va_start(list, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, list);
    va_end(list);
    text->length += (size_t)length;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

bool lines_add(char **lines, const char *format, ...)
{
    char line[400];
    va_list arguments;
    struct text text = {0};
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_clean(line, "");
    if (*lines)
        text_printf(&text, "%s\n", *lines);
    text_add(&text, line);
    if (text.failed) {
        text_free(&text);
        return false;
    }
    free(*lines);
    *lines = text.data;
    return true;
}

char *text_trimmed_copy(const char *string)
{
    while (isspace((unsigned char)*string))
        string++;
    size_t length = strlen(string);
    while (length && isspace((unsigned char)string[length - 1]))
        length--;
    return strndup(string, length);
}

/* Bytes of the UTF-8 character at `c`; 0: no valid character. */
static size_t character_bytes(const unsigned char *c)
{
    const size_t bytes = *c < 0x80 ? 1 : *c >= 0xf0 && *c < 0xf5 ? 4 : *c >= 0xe0 ? 3 : *c >= 0xc2 ? 2 : 0;
    if (*c >= 0xf5)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    /* Invalid: a form longer than needed, half of a pair of UTF-16, or beyond the last code point. */
    const bool is_wrong = (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) ||
                          (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f);
    return is_wrong ? 0 : bytes;
}

/* character_bytes for a text of which only `left` bytes are left. */
static size_t character_within(const char *bytes, size_t left)
{
    unsigned char c[4] = {0};
    memcpy(c, bytes, left < sizeof c ? left : sizeof c);
    return character_bytes(c);
}

bool text_is_utf8(const char *bytes, size_t length)
{
    size_t step = 1;
    for (size_t at = 0; at < length && step; at += step)
        step = character_within(bytes + at, length - at);
    return step > 0;
}

/* The code point of a byte of Windows-1252. Bytes from 0x80 to 0x9f without a character give the replacement
 * character. */
static unsigned latin_character(unsigned char byte)
{
    static const unsigned short others[] = {0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                            0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
                                            0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                            0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};
    return byte < 0x80 || byte >= 0xa0 ? byte : others[byte - 0x80];
}

char *text_utf8_copy(const char *bytes, size_t length, size_t *copied)
{
    struct text copy = {0};
    size_t plain = 0; /* begin of the bytes that are copied unchanged */
    for (size_t at = 0, step; at < length; at += step ? step : 1) {
        step = character_within(bytes + at, length - at);
        if (step)
            continue;
        const unsigned code = latin_character((unsigned char)bytes[at]);
        const char three[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)),
                              (char)(0x80 | (code & 0x3f))};
        const char two[] = {(char)(0xc0 | code >> 6), three[2]};
        text_append(&copy, bytes + plain, at - plain);
        text_append(&copy, code < 0x800 ? two : three, code < 0x800 ? sizeof two : sizeof three);
        plain = at + 1;
    }
    text_append(&copy, bytes + plain, length - plain);
    if (copy.failed)
        text_free(&copy);
    if (copied)
        *copied = copy.length;
    return copy.data;
}

void text_clean(char *text, const char *kept)
{
    const unsigned char *from = (const unsigned char *)text;
    char *to = text;
    while (*from) {
        const size_t bytes = character_bytes(from);
        const bool is_control = (bytes == 1 && (*from < 0x20 || *from == 0x7f)) ||
                                (bytes == 2 && *from == 0xc2 && from[1] < 0xa0);
        if (bytes == 0 || (is_control && (bytes > 1 || (kept && !strchr(kept, *from))))) {
            *to++ = '?';
            from += bytes ? bytes : 1;
        } else {
            memmove(to, from, bytes);
            to += bytes;
            from += bytes;
        }
    }
    *to = '\0';
}

bool text_contains_any_case(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

/* Number of edits (insert, delete, replace) between two short words, ignoring case. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1], rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t best = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[columns];
}

const char *text_nearest(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(word), least = length / 4 + 2; /* a suggestion must need fewer edits than this */
    for (size_t i = 0; i < count; i++) {
        if (length >= 3 && strncasecmp(words[i], word, length) == 0)
            return words[i];
        size_t edits = distance(word, words[i]);
        if (edits < least && edits < strlen(words[i])) {
            least = edits;
            nearest = words[i];
        }
    }
    return nearest;
}
