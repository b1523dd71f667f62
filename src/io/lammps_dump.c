/* LAMMPS dumps of style atom or custom, as text: sections that begin with ITEM:.
 *
 * Read are BOX BOUNDS of upright boxes and, of ATOMS, the columns id, x y z, xs ys zs (fractions of the box),
 * the unwrapped xu yu zu and xsu ysu zsu, and vx vy vz. */
#include "io/particles_text.h"

#include <math.h>

static enum shoal_status value_line(struct cursor *cursor, const char *what, struct line *line)
{
    if (!cursor_next(cursor, line))
        return cursor_fail(cursor, "the file ends before %s", what);
    return SHOAL_OK;
}

static enum shoal_status read_count(struct cursor *cursor, const char *what, uint64_t *value)
{
    struct line line;
    struct word word;
    enum shoal_status status = value_line(cursor, what, &line);
    if (status)
        return status;
    line_word(&line, &word);
    return word_count(cursor, word, what, value);
}

/* `line` is the one of the section, behind its name: the boundaries. */
static enum shoal_status read_bounds(struct cursor *cursor, struct line line, struct particles *particles)
{
    struct word word;
    for (size_t k = 0; k < 3 && line_word(&line, &word); k++) {
        if (word_is(word, "xy") || word_is(word, "abc"))
            return cursor_fail(cursor, "the box is oblique, boxes here are upright");
        particles->periodic[k] = word_is(word, "pp");
        particles->has_periodic = k == 2;
    }
    for (size_t k = 0; k < 3; k++) {
        double bounds[2];
        enum shoal_status status = value_line(cursor, "the three lines of the box", &line);
        for (size_t i = 0; i < 2 && !status; i++) {
            line_word(&line, &word);
            status = word_real(cursor, word, "a bound of the box", &bounds[i]);
        }
        if (status)
            return status;
        particles->origin[k] = bounds[0];
        particles->length[k] = bounds[1] - bounds[0];
        if (!(particles->length[k] > 0 && particles->length[k] < HUGE_VAL))
            return cursor_fail(cursor, "the box is empty or endless along %c: %g to %g", "xyz"[k], bounds[0],
                               bounds[1]);
    }
    particles->has_box = true;
    return SHOAL_OK;
}

static unsigned column_of(struct word word)
{
    static const struct {
        const char *name[3];
        unsigned first;
    } known[] = {{{"x", "y", "z"}, COLUMN_POSITION},
                 {{"xu", "yu", "zu"}, COLUMN_POSITION},
                 {{"xs", "ys", "zs"}, COLUMN_SCALED},
                 {{"xsu", "ysu", "zsu"}, COLUMN_SCALED},
                 {{"vx", "vy", "vz"}, COLUMN_VELOCITY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (unsigned k = 0; k < 3; k++)
            if (word_is(word, known[i].name[k]))
                return known[i].first + k;
    return word_is(word, "id") ? COLUMN_ID : COLUMN_OTHER;
}

enum shoal_status lammps_dump_frame(struct cursor *cursor, bool rows, struct particles *particles)
{
    static const char atoms[] = "ITEM: ATOMS", box[] = "ITEM: BOX BOUNDS", number[] = "ITEM: NUMBER OF ATOMS";
    struct line line;
    uint64_t count = 0, step;
    while (cursor_next(cursor, &line)) {
        enum shoal_status status = SHOAL_OK;
        if (line_begins(&line, atoms)) {
            struct columns columns = {0};
            struct word word;
            if (!count)
                return cursor_fail(cursor, "the particles come before their number");
            line.begin += sizeof atoms - 1;
            while (line_word(&line, &word))
                columns_add(&columns, column_of(word));
            particles->count = (size_t)count;
            if (rows)
                return particles_read_rows(cursor, &columns, particles);
            cursor_skip(cursor, (size_t)count);
            return SHOAL_OK;
        }
        if (line_begins(&line, box)) {
            line.begin += sizeof box - 1;
            status = read_bounds(cursor, line, particles);
        } else if (line_begins(&line, number)) {
            status = read_count(cursor, "the number of atoms", &count);
            if (!status && !count)
                return cursor_fail(cursor, "a frame has no particles");
        } else if (line_begins(&line, "ITEM: TIMESTEP")) {
            status = read_count(cursor, "the number of a step", &step);
        } else if (line_begins(&line, "ITEM:")) {
            cursor_skip(cursor, 1); /* UNITS, TIME: one line each */
        } else if (line.begin < line.end) {
            return cursor_fail(cursor, "a section of a LAMMPS dump should begin here, with ITEM:");
        }
        if (status)
            return status;
    }
    return cursor_fail(cursor, "the file ends before the particles of its last frame");
}
