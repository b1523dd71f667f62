/* Private: lines and words of the text formats of particles. */
#ifndef SHOAL_IO_PARTICLES_TEXT_H
#define SHOAL_IO_PARTICLES_TEXT_H

#include "io/particles.h"

#include <locale.h>
#include <stdint.h>

/* A place in a text, and the line it is in. `text` ends with a NUL at `end`. */
struct cursor {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    size_t line; /* number of the line got last */
    locale_t locale;
    struct shoal_error *error;
};

/* A line without its end and surrounding blanks. */
struct line {
    const char *begin, *end;
};

struct word {
    const char *begin, *end;
};

/* False: there is no further line. */
bool cursor_next(struct cursor *cursor, struct line *line);
/* Skips `count` lines; returns how many there were. */
size_t cursor_skip(struct cursor *cursor, size_t count);
/* Removes the next word from the line; false: there is none. */
bool line_word(struct line *line, struct word *word);
bool word_is(struct word word, const char *text);
bool line_begins(const struct line *line, const char *text);

/* SHOAL_INVALID: "FILE: line N: ...". */
SHOAL_PRINTF(2, 3) enum shoal_status cursor_fail(const struct cursor *cursor, const char *format, ...);
/* Reads a finite number; `what` names it in messages. */
SHOAL_MUST_CHECK enum shoal_status word_real(const struct cursor *cursor, struct word word, const char *what,
                                             double *value);
SHOAL_MUST_CHECK enum shoal_status word_count(const struct cursor *cursor, struct word word, const char *what,
                                              uint64_t *value);

/* Meaning of the columns of a particle's line. */
enum particle_column {
    COLUMN_OTHER,
    COLUMN_ID,
    COLUMN_POSITION,                     /* 3: x, y, z */
    COLUMN_SCALED = COLUMN_POSITION + 3, /* 3: fractions of the box */
    COLUMN_VELOCITY = COLUMN_SCALED + 3, /* 3 */
    COLUMNS_END = COLUMN_VELOCITY + 3
};
enum { MAX_COLUMNS = 64 };

struct columns {
    size_t count;
    uint8_t what[MAX_COLUMNS]; /* enum particle_column */
    bool has[COLUMNS_END];
};

void columns_add(struct columns *columns, unsigned what);
/* Whether any of the three columns from `first` on is present. */
static inline bool columns_have(const struct columns *columns, unsigned first)
{
    return columns->has[first] || columns->has[first + 1] || columns->has[first + 2];
}
/* The rows of `particles->count` particles, ordered by id where there is one. Allocates the arrays. */
SHOAL_MUST_CHECK enum shoal_status particles_read_rows(struct cursor *cursor, const struct columns *columns,
                                                       struct particles *particles);

/* One frame from the cursor on; `rows` false: skips the particles' lines and fills the counts alone. */
SHOAL_MUST_CHECK enum shoal_status extxyz_frame(struct cursor *cursor, bool rows,
                                                struct particles *particles);
SHOAL_MUST_CHECK enum shoal_status lammps_dump_frame(struct cursor *cursor, bool rows,
                                                     struct particles *particles);

#endif
