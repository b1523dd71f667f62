/* Private: what the text formats of particles share. */
#ifndef SHOAL_IO_PARTICLES_TEXT_H
#define SHOAL_IO_PARTICLES_TEXT_H

#include "io/cursor.h"
#include "io/particles.h"

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
