/* Private: reads lines, words and numbers of a text in memory. */
#ifndef SHOAL_IO_CURSOR_H
#define SHOAL_IO_CURSOR_H

#include "base/text.h"

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position in a text, which ends with a NUL at `end`. */
struct cursor {
    const char *name; /* file name, for messages */
    const char *at, *end;
    size_t line;  /* number of the line that was read last */
    bool is_over; /* a line after the last line was asked for */
    struct shoal_error *error;
};

/* A line without its end and without blanks around it. */
struct line {
    const char *begin, *end;
};

struct word {
    const char *begin, *end;
};

/* Skips a byte order mark. */
void cursor_skip_mark(struct cursor *cursor);
/* cursor_next reads the next line; cursor_next_whole keeps the blanks at both ends of the line. False: there
 * is no further line. */
bool cursor_next(struct cursor *cursor, struct line *line);
bool cursor_next_whole(struct cursor *cursor, struct line *line);
/* Skips `count` lines; returns how many there were. */
size_t cursor_skip(struct cursor *cursor, size_t count);
/* Removes the next word from the line; false: the line has no further word. */
bool line_word(struct line *line, struct word *word);
bool word_is(struct word word, const char *text);
bool word_is_any_case(struct word word, const char *text);
bool line_begins(const struct line *line, const char *text);

/* Fails with SHOAL_IO and the message "FILE: line N: ...", or "FILE: ..." if no line was read yet. */
SHOAL_PRINTF(2, 3) enum shoal_status cursor_fail(const struct cursor *cursor, const char *format, ...);
/* Text of a word, shortened for a message. */
struct shown {
    char text[32]; /* UTF-8 text */
};
struct shown word_show(struct word word);
/* Whether a word is infinity, as "inf" or "infinity" in any case, without a sign or with +. */
bool word_is_infinite(struct word word);
bool word_is_not_finite(struct word word); /* is a word an infinity, its negative, or "nan"? */
/* word_real reads a finite number, word_count a whole number. what: name of the number in messages. */
SHOAL_MUST_CHECK enum shoal_status word_real(const struct cursor *cursor, struct word word, const char *what,
                                             double *value);
SHOAL_MUST_CHECK enum shoal_status word_count(const struct cursor *cursor, struct word word, const char *what,
                                              uint64_t *value);

#endif
