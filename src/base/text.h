/* A growing character buffer. After a failed allocation `failed` is set, and every further call does
 * nothing. */
#ifndef SHOAL_BASE_TEXT_H
#define SHOAL_BASE_TEXT_H

#include <shoal/api.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* text with a NUL at its end; NULL before the first addition */
    size_t length, capacity;
    bool failed;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
SHOAL_PRINTF(2, 3) void text_printf(struct text *text, const char *format, ...);
void text_free(struct text *text);

/* Adds a sentence to *lines, which is malloc'ed and NULL before the first sentence. False: out of memory, and
 * *lines is unchanged. */
SHOAL_PRINTF(2, 3) bool lines_add(char **lines, const char *format, ...);

/* Copy of a string without leading and trailing blanks; NULL: out of memory. */
char *text_trimmed_copy(const char *string);
/* Cleans a text for people and file formats, in place: replaces each invalid UTF-8 byte and each control
 * character that is not in `kept` by '?'. kept NULL: all control characters stay. */
void text_clean(char *text, const char *kept);
/* Are all characters valid UTF-8? */
bool text_is_utf8(const char *bytes, size_t length);
/* Makes a malloc'ed copy in UTF-8, followed by a NUL. Each byte that is not valid UTF-8 is read as
 * Windows-1252, which has the letters of Latin-1; so a part of a text gives the same result as the whole.
 * *copied: number of bytes; may be NULL. Returns NULL where out of memory. */
char *text_utf8_copy(const char *bytes, size_t length, size_t *copied);
/* Does `text` contain `part`, ignoring case? */
bool text_contains_any_case(const char *text, const char *part);
/* The word closest to `word`, ignoring case; NULL: no word is close enough to suggest. */
const char *text_nearest(const char *word, const char *const *words, size_t count);

#endif
