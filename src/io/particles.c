/* Files with particles: which format, which frame, the rows. */
#include "io/particles_text.h"

#include "base/error.h"
#include "base/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows ------------------------------------------------------------------------------------------------- */

void columns_add(struct columns *columns, unsigned what)
{
    if (columns->count < MAX_COLUMNS)
        columns->what[columns->count] = (uint8_t)what;
    columns->has[what] = true;
    columns->count++;
}

static const char *column_name(unsigned what)
{
    static const char *const names[COLUMNS_END] = {"",
                                                   "the id",
                                                   "x",
                                                   "y",
                                                   "z",
                                                   "x of the scaled position",
                                                   "y of the scaled position",
                                                   "z of the scaled position",
                                                   "the velocity along x",
                                                   "the velocity along y",
                                                   "the velocity along z"};
    return names[what];
}

static enum shoal_status check_columns(const struct cursor *cursor, const struct columns *columns,
                                       const struct particles *particles)
{
    if (columns->count > MAX_COLUMNS)
        return cursor_fail(cursor, "has %zu columns, %d are allowed", columns->count, MAX_COLUMNS);
    for (unsigned k = 0; k < 2; k++)
        if (!columns->has[COLUMN_POSITION + k] && !columns->has[COLUMN_SCALED + k])
            return cursor_fail(cursor, "no column holds the position along %c", "xy"[k]);
    if (columns_have(columns, COLUMN_SCALED) && !particles->has_box)
        return cursor_fail(cursor, "positions are fractions of a box that is not given");
    return SHOAL_OK;
}

static enum shoal_status read_row(const struct cursor *cursor, struct line line,
                                  const struct columns *columns, struct particles *particles, size_t row,
                                  uint64_t *id)
{
    double *position = particles->position + 3 * row;
    for (size_t c = 0; c < columns->count; c++) {
        const unsigned what = columns->what[c];
        struct word word;
        double value = 0;
        enum shoal_status status = SHOAL_OK;
        if (!line_word(&line, &word))
            return cursor_fail(cursor, "has %zu columns, particles here have %zu", c, columns->count);
        if (what == COLUMN_ID)
            status = word_count(cursor, word, column_name(what), id);
        else if (what != COLUMN_OTHER)
            status = word_real(cursor, word, column_name(what), &value);
        if (status)
            return status;
        if (what >= COLUMN_VELOCITY)
            particles->velocity[3 * row + what - COLUMN_VELOCITY] = value;
        else if (what >= COLUMN_SCALED)
            position[what - COLUMN_SCALED] =
                particles->origin[what - COLUMN_SCALED] + value * particles->length[what - COLUMN_SCALED];
        else if (what >= COLUMN_POSITION)
            position[what - COLUMN_POSITION] = value;
    }
    if (!isfinite(position[0] + position[1] + position[2]))
        return cursor_fail(cursor, "the particle is too far away for a number");
    return SHOAL_OK;
}

/* A row by the number of its particle. */
struct numbered {
    uint64_t id;
    size_t row;
};

static int compare_numbers(const void *a, const void *b)
{
    const struct numbered *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id ? 1 : 0;
}

static void reorder(double *values, double *scratch, const struct numbered *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(scratch + 3 * i, values + 3 * order[i].row, 3 * sizeof *values);
    memcpy(values, scratch, 3 * count * sizeof *values);
}

static enum shoal_status order_by_number(const struct cursor *cursor, struct numbered *order,
                                         struct particles *particles)
{
    const size_t count = particles->count;
    qsort(order, count, sizeof *order, compare_numbers);
    for (size_t i = 1; i < count; i++)
        if (order[i].id == order[i - 1].id)
            return fail(cursor->error, SHOAL_IO, "%s: two particles of a frame have the id %llu",
                        cursor->name, (unsigned long long)order[i].id);
    double *scratch = malloc(3 * count * sizeof *scratch);
    if (!scratch)
        return fail_host_memory(cursor->error);
    reorder(particles->position, scratch, order, count);
    if (particles->velocity)
        reorder(particles->velocity, scratch, order, count);
    free(scratch);
    return SHOAL_OK;
}

enum shoal_status particles_read_rows(struct cursor *cursor, const struct columns *columns,
                                      struct particles *particles)
{
    const size_t count = particles->count;
    enum shoal_status status = check_columns(cursor, columns, particles);
    if (status)
        return status;
    /* A line has two bytes at least: no file asks for more room than a few times its size. */
    if (count > (size_t)(cursor->end - cursor->at) / 2 + 1)
        return cursor_fail(cursor, "announces %zu particles, more than the file can hold", count);
    const bool moving = columns_have(columns, COLUMN_VELOCITY);
    struct numbered *order = NULL;
    particles->position = calloc(3 * count, sizeof *particles->position);
    if (moving)
        particles->velocity = calloc(3 * count, sizeof *particles->velocity);
    if (columns->has[COLUMN_ID])
        order = calloc(count, sizeof *order);
    if (!particles->position || (moving && !particles->velocity) || (columns->has[COLUMN_ID] && !order))
        status = fail_host_memory(cursor->error);
    for (size_t row = 0; row < count && !status; row++) {
        struct line line;
        uint64_t id = row;
        if (!cursor_next(cursor, &line)) {
            status =
                cursor_fail(cursor, "the file ends after %zu of %zu particles of its last frame", row, count);
            break;
        }
        status = read_row(cursor, line, columns, particles, row, &id);
        if (order)
            order[row] = (struct numbered){.id = id, .row = row};
    }
    if (!status && order)
        status = order_by_number(cursor, order, particles);
    free(order);
    return status;
}

/* Frames ----------------------------------------------------------------------------------------------- */

/* False: nothing but empty lines follows. */
static bool more(const struct cursor *cursor)
{
    struct cursor ahead = *cursor;
    struct line line;
    while (cursor_next(&ahead, &line))
        if (line.begin < line.end)
            return true;
    return false;
}

static enum shoal_status read_last(struct cursor *cursor, struct particles *particles)
{
    struct line first = {cursor->at, cursor->at};
    struct cursor ahead = *cursor;
    cursor_next(&ahead, &first);
    enum shoal_status (*const frame)(struct cursor *, bool, struct particles *) =
        line_begins(&first, "ITEM:") ? lammps_dump_frame : extxyz_frame;
    struct cursor last = *cursor;
    size_t frames = 0;
    enum shoal_status status = SHOAL_OK;
    do {
        last = *cursor;
        struct particles skipped = {0};
        status = frame(cursor, false, &skipped);
        frames++;
    } while (!status && more(cursor));
    /* The frame that ends the file is read even where it is cut short, so that the reason is named. */
    if (!status)
        status = frame(&last, true, particles);
    particles->frames = frames;
    return status;
}

enum shoal_status particles_parse(const char *text, size_t bytes, const char *name,
                                  struct particles *particles, struct shoal_error *error)
{
    *particles = (struct particles){0};
    struct cursor cursor = {.name = name, .at = text, .end = text + bytes, .error = error};
    if (!more(&cursor))
        return fail(error, SHOAL_IO, "%s: is empty", name);
    enum shoal_status status = read_last(&cursor, particles);
    if (status)
        particles_free(particles);
    return status;
}

enum shoal_status particles_read(const char *path, struct particles *particles, struct shoal_error *error)
{
    size_t bytes;
    *particles = (struct particles){0};
    char *text;
    enum shoal_status status = read_input(path, "start file", INPUT_DATA_MOST, &text, &bytes, error);
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
    *particles = (struct particles){0};
}
