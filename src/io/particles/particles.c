/* Reads files with particles: finds the format, and the frame to read. */
#include "io/particles/particles.h"

#include "base/error.h"
#include "base/input.h"
#include "io/particles/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames ----------------------------------------------------------------------------------------------- */

/* Does a further frame follow? False: only empty lines follow. */
static bool more(const struct cursor *cursor)
{
    struct cursor ahead = *cursor;
    struct line line;
    while (cursor_next(&ahead, &line))
        if (line.begin < line.end)
            return true;
    return false;
}

/* Whether the text ends within the present frame, in the midst of a line or before all of its lines: a writer
 * was killed, or is still writing. */
static bool is_cut(const struct cursor *cursor)
{
    return cursor->is_over || (cursor->at == cursor->end && cursor->end[-1] != '\n');
}

static enum shoal_status read_last(struct cursor *cursor, struct particles *particles)
{
    struct line first = {cursor->at, cursor->at};
    struct cursor ahead = *cursor;
    cursor_next(&ahead, &first);
    const bool is_dump = line_begins(&first, "ITEM:");
    enum shoal_status (*const frame)(struct cursor *, bool, struct particles *) =
        is_dump ? lammps_dump_frame : extxyz_frame;
    struct cursor last = *cursor, before = *cursor;
    struct particles skipped = {0};
    size_t frames = 0;
    enum shoal_status status = SHOAL_OK;
    do {
        before = last;
        last = *cursor;
        skipped.count = 0;
        skipped.has_box = false;
        status = frame(cursor, false, &skipped);
        frames++;
    } while (!status && more(cursor));
    const bool cut = is_cut(cursor), goes_back = cut && frames > 1;
    if (!status || goes_back)
        status = frame(goes_back ? &before : &last, true, particles);
    /* A dump names its units only once. */
    memcpy(particles->units, skipped.units, sizeof particles->units);
    particles->frames = frames;
    particles->frame = goes_back ? frames - 1 : frames;
    particles->is_cut = cut;
    particles->format = is_dump ? "LAMMPS dump" : "extended XYZ";
    return status;
}

/* Reads a LAMMPS data file. */
static enum shoal_status read_data(struct cursor *cursor, struct particles *particles)
{
    particles->format = "LAMMPS data file";
    particles->frames = particles->frame = 1;
    particles->is_cut = cursor->end[-1] != '\n';
    return lammps_data_read(cursor, particles);
}

enum shoal_status particles_parse(const char *text, size_t bytes, const char *name,
                                  struct particles *particles, struct shoal_error *error)
{
    *particles = (struct particles){0};
    struct cursor cursor = {.name = name, .at = text, .end = text + bytes, .error = error};
    enum shoal_status status;
    if (gsd_is_at(text, bytes))
        status = gsd_read(text, bytes, name, particles, error);
    else if (!more(&cursor))
        status = fail(error, SHOAL_IO, "%s: is empty", name);
    else
        status = lammps_data_is_at(cursor) ? read_data(&cursor, particles) : read_last(&cursor, particles);
    if (status)
        particles_free(particles);
    return status;
}

enum shoal_status particles_read(const char *path, struct particles *particles, struct shoal_error *error)
{
    size_t bytes;
    *particles = (struct particles){0};
    char *text;
    bool is_cut; /* the packed data end early; the frames before the end are whole */
    enum shoal_status status = read_input(path, "start file", INPUT_DATA_MOST, &text, &bytes, error);
    if (!status)
        status = input_unpack_cut(path, &text, &bytes, &is_cut, error);
    if (status)
        return status;
    status = particles_parse(text, bytes, path, particles, error);
    free(text);
    return status;
}

void particles_free(struct particles *particles)
{
    free(particles->position);
    free(particles->velocity);
    free(particles->image);
    free(particles->masses);
    free(particles->charges);
    free(particles->kind);
    *particles = (struct particles){0};
}
