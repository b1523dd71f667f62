/* Extended XYZ: a line with the number of particles, a line of KEY=VALUE, a line for each particle.
 *
 * Known keys are Lattice (three vectors, which must lie along x, y and z; a vector of length 0, as ASE writes
 * for flat boxes, counts as no vector), Origin, pbc and Properties, whose columns pos, velo (vel, velocity,
 * velocities), momenta, masses and id are read. Plain XYZ, whose second line is a comment, has no box and the
 * columns name, x, y, z. */
#include "io/particles/text.h"

#include <string.h>

/* KEY=VALUE or KEY="VALUE". A word alone is a key with an empty value. */
struct pair {
    struct word key, value;
};

static bool next_pair(struct line *line, struct pair *pair)
{
    const char *c = line->begin, *end = line->end;
    while (c < end && (*c == ' ' || *c == '\t'))
        c++;
    if (c == end)
        return false;
    pair->key.begin = c;
    while (c < end && *c != '=' && *c != ' ' && *c != '\t')
        c++;
    pair->key.end = pair->value.begin = pair->value.end = c;
    if (c < end && *c == '=') {
        c++;
        const char quote = c < end && (*c == '"' || *c == '\'') ? *c : '\0';
        c += quote != '\0';
        pair->value.begin = c;
        while (c < end && (quote ? *c != quote : *c != ' ' && *c != '\t'))
            c++;
        pair->value.end = c;
        c += quote && c < end;
    }
    line->begin = c;
    return true;
}

static enum shoal_status read_reals(const struct cursor *cursor, struct word value, const char *key,
                                    double *out, size_t count)
{
    struct line rest = {value.begin, value.end};
    struct word word;
    for (size_t i = 0; i < count; i++) {
        if (!line_word(&rest, &word))
            return cursor_fail(cursor, "%s has %zu numbers, needs %zu", key, i, count);
        enum shoal_status status = word_real(cursor, word, key, &out[i]);
        if (status)
            return status;
    }
    if (line_word(&rest, &word))
        return cursor_fail(cursor, "%s has more than %zu numbers", key, count);
    return SHOAL_OK;
}

static enum shoal_status read_lattice(const struct cursor *cursor, struct word value,
                                      struct particles *particles)
{
    double vectors[9];
    enum shoal_status status = read_reals(cursor, value, "Lattice", vectors, 9);
    if (status)
        return status;
    for (size_t i = 0; i < 9; i++)
        if (i % 4 != 0 && vectors[i] != 0)
            return cursor_fail(cursor,
                               "Lattice is oblique (triclinic), boxes here are upright: only its 1st, 5th "
                               "and 9th number may differ from 0");
    for (size_t k = 0; k < 3; k++) {
        particles->length[k] = vectors[4 * k];
        if (vectors[4 * k] < 0)
            return cursor_fail(cursor, "Lattice is %g long along %c, it must be above 0", vectors[4 * k],
                               "xyz"[k]);
        particles->has_box = particles->has_box || vectors[4 * k] > 0;
    }
    return SHOAL_OK;
}

static enum shoal_status read_periodic(const struct cursor *cursor, struct word value,
                                       struct particles *particles)
{
    struct line rest = {value.begin, value.end};
    for (size_t k = 0; k < 3; k++) {
        struct word word;
        if (!line_word(&rest, &word) || !strchr("TtFf10", *word.begin))
            return cursor_fail(cursor, "pbc should be three of T and F");
        particles->periodic[k] = strchr("Tt1", *word.begin) != NULL;
    }
    particles->has_periodic = true;
    return SHOAL_OK;
}

/* Takes the part of a word up to the next colon. */
static bool property_part(struct word *rest, struct word *part)
{
    if (rest->begin >= rest->end)
        return false;
    const char *colon = memchr(rest->begin, ':', (size_t)(rest->end - rest->begin));
    part->begin = rest->begin;
    part->end = colon ? colon : rest->end;
    rest->begin = colon ? colon + 1 : rest->end;
    return true;
}

/* Returns the first of the columns that a property fills; most: number of these columns. */
static unsigned property_column(struct word name, size_t *most)
{
    static const struct {
        const char *name;
        unsigned first;
        size_t most;
    } known[] = {{"pos", COLUMN_POSITION, 3},        {"velo", COLUMN_VELOCITY, 3},
                 {"vel", COLUMN_VELOCITY, 3},        {"velocity", COLUMN_VELOCITY, 3},
                 {"velocities", COLUMN_VELOCITY, 3}, {"momenta", COLUMN_MOMENTUM, 3},
                 {"momentum", COLUMN_MOMENTUM, 3},   {"masses", COLUMN_MASS, 1},
                 {"mass", COLUMN_MASS, 1},           {"id", COLUMN_ID, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (word_is(name, known[i].name)) {
            *most = known[i].most;
            return known[i].first;
        }
    *most = 1;
    return COLUMN_OTHER;
}

static enum shoal_status read_properties(const struct cursor *cursor, struct word value,
                                         struct columns *columns)
{
    struct word name, type, count;
    *columns = (struct columns){0};
    while (property_part(&value, &name)) {
        uint64_t number;
        size_t most;
        if (!property_part(&value, &type) || !property_part(&value, &count))
            return cursor_fail(cursor, "Properties should be NAME:TYPE:COLUMNS, joined by colons");
        enum shoal_status status = word_count(cursor, count, "a number of columns in Properties", &number);
        if (status)
            return status;
        if (number > MAX_COLUMNS)
            return cursor_fail(cursor, "Properties has more than %d columns", MAX_COLUMNS);
        const unsigned first = property_column(name, &most);
        for (size_t i = 0; i < number; i++)
            columns_add(columns, first != COLUMN_OTHER && i < most ? first + (unsigned)i : COLUMN_OTHER,
                        name);
    }
    return SHOAL_OK;
}

static enum shoal_status read_comment(const struct cursor *cursor, struct line line, struct columns *columns,
                                      struct particles *particles)
{
    struct pair pair;
    enum shoal_status status = SHOAL_OK;
    *columns = (struct columns){.is_open = true};
    columns_add(columns, COLUMN_KIND, word_of("species"));
    for (unsigned k = 0; k < 3; k++)
        columns_add(columns, COLUMN_POSITION + k, word_of("pos"));
    while (!status && next_pair(&line, &pair)) {
        if (word_is(pair.key, "Lattice"))
            status = read_lattice(cursor, pair.value, particles);
        else if (word_is(pair.key, "Origin"))
            status = read_reals(cursor, pair.value, "Origin", particles->origin, 3);
        else if (word_is(pair.key, "pbc"))
            status = read_periodic(cursor, pair.value, particles);
        else if (word_is(pair.key, "Properties"))
            status = read_properties(cursor, pair.value, columns);
    }
    return status;
}

enum shoal_status extxyz_frame(struct cursor *cursor, bool rows, struct particles *particles)
{
    struct line line = {NULL, NULL};
    struct word word;
    struct columns columns;
    uint64_t count;
    while (cursor_next(cursor, &line) && line.begin == line.end)
        continue;
    line_word(&line, &word);
    enum shoal_status status =
        word_count(cursor, word, "the number of particles of a frame of extended XYZ", &count);
    if (status)
        return status;
    if (!count)
        return cursor_fail(cursor, "a frame has no particles");
    particles->count = (size_t)count;
    if (!cursor_next(cursor, &line))
        return cursor_fail(cursor, "the file ends before the second line of its last frame");
    status = read_comment(cursor, line, &columns, particles);
    if (status)
        return status;
    return particles_rows(cursor, &columns, rows, particles);
}
