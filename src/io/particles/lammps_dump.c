/* LAMMPS dumps of style atom or custom, as text: sections that begin with ITEM:.
 *
 * The reader takes BOX BOUNDS of upright boxes and, of ATOMS, the columns id, x y z, xs ys zs (fractions of
 * the box), the unwrapped xu yu zu and xsu ysu zsu, ix iy iz, vx vy vz and mass. */
#include "io/particles/text.h"

#include <math.h>
#include <stdio.h>

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

/* Reads a line of the box: the bounds along an axis and, for a tilted box, the tilt. */
static enum shoal_status read_bound(struct cursor *cursor, size_t axis, struct particles *particles)
{
    static const char *const tilts[] = {"xy", "xz", "yz"};
    double bounds[2], tilt = 0;
    struct line line;
    struct word word;
    enum shoal_status status = value_line(cursor, "the three lines of the box", &line);
    for (size_t i = 0; i < 2 && !status; i++) {
        line_word(&line, &word);
        status = word_real(cursor, word, "a bound of the box", &bounds[i]);
    }
    if (!status && line_word(&line, &word))
        status = word_real(cursor, word, "a tilt of the box", &tilt);
    if (status)
        return status;
    if (tilt != 0)
        return cursor_fail(cursor, "the box is oblique (triclinic): %s is %g, boxes here are upright",
                           tilts[axis], tilt);
    particles->origin[axis] = bounds[0];
    particles->length[axis] = bounds[1] - bounds[0];
    if (!(particles->length[axis] >= 0 && particles->length[axis] < HUGE_VAL))
        return cursor_fail(cursor, "the box is empty or endless along %c: %g to %g", "xyz"[axis], bounds[0],
                           bounds[1]);
    particles->has_box = particles->has_box || particles->length[axis] > 0;
    return SHOAL_OK;
}

/* Reads the box. line: the rest of the section's first line, with names of tilts, if any, and the kinds of
 * the boundaries. */
static enum shoal_status read_bounds(struct cursor *cursor, struct line line, struct particles *particles)
{
    struct word word;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < 3 && line_word(&line, &word);) {
        if (word_is(word, "abc"))
            return cursor_fail(cursor, "the box is oblique (triclinic), boxes here are upright");
        if (word_is(word, "xy") || word_is(word, "xz") || word_is(word, "yz"))
            continue;
        particles->periodic[k] = word_is(word, "pp");
        particles->has_periodic = ++k == 3;
    }
    for (size_t k = 0; k < 3 && !status; k++)
        status = read_bound(cursor, k, particles);
    return status;
}

/* Reads the name of the units. Units "lj" are reduced units, as in this library, and leave `units` empty. */
static enum shoal_status read_units(struct cursor *cursor, struct particles *particles)
{
    struct line line;
    struct word word;
    enum shoal_status status = value_line(cursor, "the name of its units", &line);
    if (!status && line_word(&line, &word) && !word_is(word, "lj"))
        snprintf(particles->units, sizeof particles->units, "%.15s", word_show(word).text);
    return status;
}

static unsigned column_of(struct word word)
{
    static const struct {
        const char *name[3];
        unsigned first;
    } known[] = {{{"x", "y", "z"}, COLUMN_POSITION},     {{"xs", "ys", "zs"}, COLUMN_SCALED},
                 {{"xu", "yu", "zu"}, COLUMN_UNWRAPPED}, {{"xsu", "ysu", "zsu"}, COLUMN_UNWRAPPED_SCALED},
                 {{"ix", "iy", "iz"}, COLUMN_IMAGE},     {{"vx", "vy", "vz"}, COLUMN_VELOCITY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (unsigned k = 0; k < 3; k++)
            if (word_is(word, known[i].name[k]))
                return known[i].first + k;
    return word_is(word, "id") ? COLUMN_ID : word_is(word, "mass") ? COLUMN_MASS : COLUMN_OTHER;
}

static enum shoal_status read_atoms(struct cursor *cursor, struct line line, bool rows,
                                    struct particles *particles)
{
    struct columns columns = {0};
    struct word word;
    if (!particles->count)
        return cursor_fail(cursor, "the particles come before their number");
    while (line_word(&line, &word))
        columns_add(&columns, column_of(word), word);
    return particles_rows(cursor, &columns, rows, particles);
}

static enum shoal_status read_number(struct cursor *cursor, struct particles *particles)
{
    uint64_t count;
    enum shoal_status status = read_count(cursor, "the number of atoms", &count);
    particles->count = (size_t)count;
    return status || count ? status : cursor_fail(cursor, "a frame has no particles");
}

enum shoal_status lammps_dump_frame(struct cursor *cursor, bool rows, struct particles *particles)
{
    static const char atoms[] = "ITEM: ATOMS", box[] = "ITEM: BOX BOUNDS";
    struct line line;
    uint64_t step;
    while (cursor_next(cursor, &line)) {
        enum shoal_status status = SHOAL_OK;
        if (line_begins(&line, atoms)) {
            line.begin += sizeof atoms - 1;
            return read_atoms(cursor, line, rows, particles);
        }
        if (line_begins(&line, box)) {
            line.begin += sizeof box - 1;
            status = read_bounds(cursor, line, particles);
        } else if (line_begins(&line, "ITEM: NUMBER OF ATOMS")) {
            status = read_number(cursor, particles);
        } else if (line_begins(&line, "ITEM: TIMESTEP")) {
            status = read_count(cursor, "the number of a step", &step);
        } else if (line_begins(&line, "ITEM: UNITS")) {
            status = read_units(cursor, particles);
        } else if (line_begins(&line, "ITEM:")) {
            cursor_skip(cursor, 1); /* the section TIME has one line */
        } else if (line.begin < line.end) {
            status = cursor_fail(cursor, "a section of a LAMMPS dump should begin here, with ITEM:");
        }
        if (status)
            return status;
    }
    return cursor_fail(cursor, "the file ends before the particles of its last frame");
}
