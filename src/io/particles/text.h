/* Private: declarations that the readers of formats of particles share. */
#ifndef SHOAL_IO_PARTICLES_TEXT_H
#define SHOAL_IO_PARTICLES_TEXT_H

#include "io/cursor.h"
#include "io/particles/frame.h"

#include <string.h>

/* Meaning of the columns of a particle's line. */
enum particle_column {
    COLUMN_OTHER,
    COLUMN_KIND, /* a type or the like, which distinguishes kinds of particles */
    COLUMN_ID,
    COLUMN_MASS,
    COLUMN_CHARGE,
    COLUMN_POSITION,                     /* three columns: x, y, z */
    COLUMN_SCALED = COLUMN_POSITION + 3, /* three columns: fractions of the box */
    /* three columns: positions without the jumps at periodic borders */
    COLUMN_UNWRAPPED = COLUMN_SCALED + 3,
    COLUMN_UNWRAPPED_SCALED = COLUMN_UNWRAPPED + 3, /* three columns: unwrapped positions as fractions of the
                                                     * box */
    COLUMN_VELOCITY = COLUMN_UNWRAPPED_SCALED + 3,  /* three columns */
    COLUMN_MOMENTUM = COLUMN_VELOCITY + 3,          /* three columns */
    COLUMN_IMAGE = COLUMN_MOMENTUM + 3,             /* three columns: crossings of periodic borders */
    COLUMNS_END = COLUMN_IMAGE + 3
};
enum { MAX_COLUMNS = 64 };

struct columns {
    size_t count;
    uint8_t what[MAX_COLUMNS]; /* enum particle_column */
    struct word name[MAX_COLUMNS];
    bool has[COLUMNS_END];
    bool is_open;      /* lines may have more columns, which are not read */
    bool has_comments; /* a line ends at # */
};

static inline struct word word_of(const char *text)
{
    return (struct word){text, text + strlen(text)};
}

/* Ends a line before #, and before the blanks in front of #. */
static inline void line_without_comment(struct line *line)
{
    const char *mark =
        line->begin < line->end ? memchr(line->begin, '#', (size_t)(line->end - line->begin)) : NULL;
    line->end = mark ? mark : line->end;
    while (line->end > line->begin && (line->end[-1] == ' ' || line->end[-1] == '\t'))
        line->end--;
}

/* Adds a column with this name. what: enum particle_column; COLUMN_OTHER: the name decides whether the column
 * distinguishes kinds of particles. */
void columns_add(struct columns *columns, unsigned what, struct word name);
/* Whether any of the three columns from `first` on is present. */
static inline bool columns_have(const struct columns *columns, unsigned first)
{
    return columns->has[first] || columns->has[first + 1] || columns->has[first + 2];
}
/* Most crossings of a border that a file may have: with more, their sum with the crossings of a run could
 * overflow. */
static const double particles_most_crossings = 1e9;

/* Appends a name to a list of columns in which particles differ, if there is room. */
void particles_tell(char list[PARTICLES_UNUSED_MOST], const char *name);
/* Reads the rows of `particles->count` particles, sorted by id if there are ids, into newly allocated arrays;
 * read false: skips them. */
SHOAL_MUST_CHECK enum shoal_status particles_rows(struct cursor *cursor, const struct columns *columns,
                                                  bool read, struct particles *particles);

/* extxyz_frame and lammps_dump_frame read one frame from the cursor on; `rows` false: they skip the lines of
 * particles and fill only the counts. */
SHOAL_MUST_CHECK enum shoal_status extxyz_frame(struct cursor *cursor, bool rows,
                                                struct particles *particles);
SHOAL_MUST_CHECK enum shoal_status lammps_dump_frame(struct cursor *cursor, bool rows,
                                                     struct particles *particles);

/* Whether a LAMMPS data file begins at the cursor: the number of atoms is among its first lines. */
bool lammps_data_is_at(struct cursor cursor);
/* Reads a LAMMPS data file, which has one frame. */
SHOAL_MUST_CHECK enum shoal_status lammps_data_read(struct cursor *cursor, struct particles *particles);

/* Whether the bytes begin as those of a GSD file. */
bool gsd_is_at(const char *data, size_t bytes);
/* Reads a GSD file with the schema of HOOMD-blue. */
SHOAL_MUST_CHECK enum shoal_status gsd_read(const char *data, size_t bytes, const char *name,
                                            struct particles *particles, struct shoal_error *error);

#endif
