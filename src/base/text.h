/* A growing character buffer. After a failed allocation every call does nothing and `failed` stays set. */
#ifndef SHOAL_BASE_TEXT_H
#define SHOAL_BASE_TEXT_H

#include <shoal/api.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-terminated once something was added; NULL before */
    size_t length, capacity;
    bool failed;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
SHOAL_PRINTF(2, 3) void text_printf(struct text *text, const char *format, ...);
void text_free(struct text *text);

/* Adds a sentence to lines, malloc'ed, NULL before the first; false: no memory, and they are as before. */
SHOAL_PRINTF(2, 3) bool lines_add(char **lines, const char *format, ...);

/* Copy of a string without leading and trailing blanks; NULL: out of memory. */
char *text_trimmed_copy(const char *string);
/* For people and for formats: replaces by '?' what is no UTF-8 and, in place, each control character that is
 * not among `kept`; NULL: all of them are kept. */
void text_clean(char *text, const char *kept);
/* Whether all characters are UTF-8. */
bool text_is_utf8(const char *bytes, size_t length);
/* A copy in UTF-8 with a NUL behind it, malloc'ed: each byte that is none is read as Windows-1252, whose
 * letters are those of Latin-1, so that a part of a text gives the same as the whole. `*copied`, unless it is
 * NULL: its bytes. NULL: out of memory. */
char *text_utf8_copy(const char *bytes, size_t length, size_t *copied);
/* Whether `text` contains `part`, ignoring case. */
bool text_contains_any_case(const char *text, const char *part);
/* The word of `count` closest to `word`, in any case; NULL: none is close enough to suggest. */
const char *text_nearest(const char *word, const char *const *words, size_t count);

#endif
