/* Reads the lines of a frame, each of which holds a particle. */
#include "base/error.h"
#include "io/particles/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns ----------------------------------------------------------------------------------------------- */

/* Is this the name of a column by which ASE or LAMMPS tell particles apart? */
static bool tells_apart(struct word name)
{
    static const char *const names[] = {"species", "type",    "element",         "Z",
                                        "numbers", "mol",     "diameter",        "tags",
                                        "radius",  "magmoms", "initial_magmoms", "move_mask"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_is(name, names[i]))
            return true;
    return false;
}

/* Is this the name of a column of charges in files of ASE or LAMMPS? */
static bool is_charge(struct word name)
{
    return word_is(name, "q") || word_is(name, "charge") || word_is(name, "charges") ||
           word_is(name, "initial_charges");
}

void columns_add(struct columns *columns, unsigned what, struct word name)
{
    if (what == COLUMN_OTHER && is_charge(name))
        what = columns->has[COLUMN_CHARGE] ? COLUMN_KIND : COLUMN_CHARGE;
    if (what == COLUMN_OTHER && tells_apart(name))
        what = COLUMN_KIND;
    if (columns->count < MAX_COLUMNS) {
        columns->what[columns->count] = (uint8_t)what;
        columns->name[columns->count] = name;
    }
    columns->has[what] = true;
    columns->count++;
}

/* Name of the numbers of a column in messages. */
struct column_name {
    char text[32];
};

static struct column_name name_of(unsigned what)
{
    static const struct {
        unsigned first;
        const char *format;
    } vectors[] = {{COLUMN_IMAGE, "the crossings along %c"},
                   {COLUMN_MOMENTUM, "the momentum along %c"},
                   {COLUMN_VELOCITY, "the velocity along %c"},
                   {COLUMN_UNWRAPPED_SCALED, "%c of the scaled position"},
                   {COLUMN_UNWRAPPED, "%c"},
                   {COLUMN_SCALED, "%c of the scaled position"},
                   {COLUMN_POSITION, "%c"}};
    struct column_name name = {"the mass"};
    if (what == COLUMN_CHARGE)
        return (struct column_name){"the charge"};
    size_t i = 0;
    while (i < sizeof vectors / sizeof *vectors && what < vectors[i].first)
        i++;
    if (i < sizeof vectors / sizeof *vectors)
        snprintf(name.text, sizeof name.text, vectors[i].format, "xyz"[what - vectors[i].first]);
    return name;
}

/* Finds the first of the columns from which the position along an axis is read: wrapped positions are
 * preferred to unwrapped positions, and lengths to fractions of the box. */
static unsigned position_column(const struct columns *columns, size_t axis)
{
    static const unsigned firsts[] = {COLUMN_POSITION, COLUMN_SCALED, COLUMN_UNWRAPPED,
                                      COLUMN_UNWRAPPED_SCALED};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        if (columns->has[firsts[i] + axis])
            return firsts[i];
    return COLUMN_OTHER;
}

static enum shoal_status check_columns(const struct cursor *cursor, const struct columns *columns,
                                       const struct particles *particles)
{
    if (columns->count > MAX_COLUMNS)
        return cursor_fail(cursor, "has %zu columns, %d are allowed", columns->count, MAX_COLUMNS);
    for (size_t k = 0; k < 3; k++) {
        const unsigned first = position_column(columns, k);
        if (first == COLUMN_OTHER && k < 2)
            return cursor_fail(cursor, "no column holds the position along %c", "xy"[k]);
        if ((first == COLUMN_SCALED || first == COLUMN_UNWRAPPED_SCALED) && !particles->has_box)
            return cursor_fail(cursor, "positions are fractions of a box that is not given");
    }
    return SHOAL_OK;
}

/* A line --------------------------------------------------------------------------------------------------
 */

/* A row and the number of its particle. */
struct numbered {
    uint64_t id;
    size_t row;
};

/* The state of the reader of rows. */
struct rows {
    const struct columns *columns;
    struct particles *particles;
    /* momenta where the file also has velocities, later divided by the masses; NULL: the file lacks momenta,
     * velocities or masses */
    double *momentum;
    struct numbered *order;         /* NULL: the file has no ids */
    size_t kind;                    /* the column of particles->kind; MAX_COLUMNS: there is none */
    struct word first[MAX_COLUMNS]; /* words of the first row */
    bool varies[MAX_COLUMNS];
};

/* Sets rows->varies of a column that distinguishes kinds of particles, if a word of the column differs from
 * its word in the first row. */
static void compare_kind(struct rows *rows, size_t row, size_t column, struct word word)
{
    struct word *first = &rows->first[column];
    const size_t length = (size_t)(word.end - word.begin);
    if (row == 0)
        *first = word;
    else if ((size_t)(first->end - first->begin) != length || memcmp(first->begin, word.begin, length) != 0)
        rows->varies[column] = true;
}

/* The number of the kind that a word names. Words of different length or beginning are different kinds. */
static uint8_t kind_of(struct particles *particles, struct word word)
{
    char name[PARTICLES_KIND_MOST];
    size_t kind = 0;
    snprintf(name, sizeof name, "%.15s", word_show(word).text);
    while (kind < particles->kinds && strcmp(particles->kind_names[kind], name) != 0)
        kind++;
    if (kind == particles->kinds && kind < PARTICLES_KINDS_MOST)
        memcpy(particles->kind_names[particles->kinds++], name, sizeof name);
    return (uint8_t)kind;
}

static enum shoal_status read_words(const struct cursor *cursor, struct line line, struct rows *rows,
                                    size_t row, double values[COLUMNS_END])
{
    const struct columns *columns = rows->columns;
    struct word word;
    for (size_t c = 0; c < columns->count; c++) {
        const unsigned what = columns->what[c];
        enum shoal_status status = SHOAL_OK;
        if (!line_word(&line, &word))
            return cursor_fail(cursor, "has %zu columns, particles here have %zu", c, columns->count);
        if (what == COLUMN_KIND || what == COLUMN_CHARGE)
            compare_kind(rows, row, c, word);
        if (c == rows->kind)
            rows->particles->kind[row] = kind_of(rows->particles, word);
        if (what == COLUMN_ID)
            status = word_count(cursor, word, "the id", &rows->order[row].id);
        else if (what != COLUMN_OTHER && what != COLUMN_KIND)
            status = word_real(cursor, word, name_of(what).text, &values[what]);
        if (status)
            return status;
    }
    if (!line_word(&line, &word))
        return SHOAL_OK;
    rows->particles->has_more = true;
    return columns->is_open
               ? SHOAL_OK
               : cursor_fail(cursor, "has more than %zu columns, which particles here have", columns->count);
}

static enum shoal_status store_position(const struct cursor *cursor, const struct rows *rows, size_t row,
                                        const double values[COLUMNS_END])
{
    const struct particles *particles = rows->particles;
    double *position = particles->position + 3 * row;
    for (size_t k = 0; k < 3; k++) {
        const unsigned first = position_column(rows->columns, k);
        const double value = first == COLUMN_OTHER ? 0 : values[first + k];
        const bool is_scaled = first == COLUMN_SCALED || first == COLUMN_UNWRAPPED_SCALED;
        position[k] = is_scaled ? particles->origin[k] + value * particles->length[k] : value;
        /* Crossings in the file count only with wrapped positions: unwrapped positions contain the
         * crossings. */
        const double crossed =
            first == COLUMN_POSITION || first == COLUMN_SCALED ? values[COLUMN_IMAGE + k] : 0;
        if (!(fabs(crossed) <= particles_most_crossings && crossed == rint(crossed)))
            return cursor_fail(cursor, "the crossings along %c are %g, which is no count up to %g", "xyz"[k],
                               crossed, particles_most_crossings);
        if (particles->image)
            particles->image[3 * row + k] = (int32_t)crossed;
    }
    return isfinite(position[0] + position[1] + position[2])
               ? SHOAL_OK
               : cursor_fail(cursor, "the particle is too far away for a number");
}

/* Does the velocity equal momentum / mass, up to the eight decimals that ASE writes? */
static bool are_close(double velocity, double momentum, double mass)
{
    return fabs(velocity - momentum / mass) <= 1e-8 * (1 + 1 / mass) + 1e-6 * fabs(velocity);
}

static enum shoal_status store_velocity(const struct cursor *cursor, const struct rows *rows, size_t row,
                                        const double values[COLUMNS_END])
{
    struct particles *particles = rows->particles;
    const bool has_mass = rows->columns->has[COLUMN_MASS];
    const double mass = has_mass ? values[COLUMN_MASS] : 1;
    const unsigned first = columns_have(rows->columns, COLUMN_VELOCITY) ? COLUMN_VELOCITY : COLUMN_MOMENTUM;
    if (particles->masses)
        particles->masses[row] = mass;
    if (particles->charges)
        particles->charges[row] = values[COLUMN_CHARGE];
    if (row == 0)
        particles->mass = has_mass ? mass : 0;
    else if (has_mass && mass != particles->mass)
        particles->mass = NAN;
    if (!(mass > 0) && columns_have(rows->columns, COLUMN_MOMENTUM))
        return cursor_fail(cursor, "the mass is %g, but a velocity is a momentum over a mass", mass);
    for (size_t k = 0; k < 3 && particles->velocity; k++) {
        const double value = values[first + k], scale = first == COLUMN_MOMENTUM ? mass : 1;
        particles->velocity[3 * row + k] = value / scale;
        if (!isfinite(value / scale))
            return cursor_fail(cursor, "the velocity along %c is too large for a number", "xyz"[k]);
        if (!rows->momentum)
            continue;
        const double momentum = values[COLUMN_MOMENTUM + k];
        rows->momentum[3 * row + k] = momentum / mass;
        particles->differs = particles->differs || !are_close(value, momentum, mass);
    }
    return SHOAL_OK;
}

static enum shoal_status read_row(struct cursor *cursor, struct rows *rows, size_t row)
{
    double values[COLUMNS_END] = {0};
    struct line line;
    rows->order[row] = (struct numbered){.id = row, .row = row};
    if (!cursor_next(cursor, &line))
        return cursor_fail(cursor, "the file ends after %zu of %zu particles of its last frame", row,
                           rows->particles->count);
    if (rows->columns->has_comments)
        line_without_comment(&line);
    enum shoal_status status = read_words(cursor, line, rows, row, values);
    if (!status)
        status = store_position(cursor, rows, row, values);
    return status ? status : store_velocity(cursor, rows, row, values);
}

/* All lines -----------------------------------------------------------------------------------------------
 */

static int compare_numbers(const void *a, const void *b)
{
    const struct numbered *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id ? 1 : 0;
}

/* Reorders an array of `size` bytes for each particle. */
static void reorder(void *values, void *scratch, size_t size, const struct rows *rows)
{
    const size_t count = rows->particles->count;
    for (size_t i = 0; i < count && values; i++)
        memcpy((char *)scratch + size * i, (const char *)values + size * rows->order[i].row, size);
    if (values)
        memcpy(values, scratch, size * count);
}

static enum shoal_status order_by_number(const struct cursor *cursor, const struct rows *rows)
{
    struct particles *particles = rows->particles;
    const size_t count = particles->count;
    qsort(rows->order, count, sizeof *rows->order, compare_numbers);
    for (size_t i = 1; i < count; i++)
        if (rows->order[i].id == rows->order[i - 1].id)
            return fail(cursor->error, SHOAL_IO, "%s: two particles of a frame have the id %llu",
                        cursor->name, (unsigned long long)rows->order[i].id);
    void *scratch = malloc(3 * count * sizeof *particles->position);
    if (!scratch)
        return fail_host_memory(cursor->error);
    reorder(particles->position, scratch, 3 * sizeof *particles->position, rows);
    reorder(particles->velocity, scratch, 3 * sizeof *particles->velocity, rows);
    reorder(particles->image, scratch, 3 * sizeof *particles->image, rows);
    reorder(particles->masses, scratch, sizeof *particles->masses, rows);
    reorder(particles->charges, scratch, sizeof *particles->charges, rows);
    reorder(particles->kind, scratch, sizeof *particles->kind, rows);
    free(scratch);
    return SHOAL_OK;
}

static enum shoal_status allocate(const struct cursor *cursor, struct rows *rows)
{
    struct particles *particles = rows->particles;
    const struct columns *columns = rows->columns;
    const size_t count = particles->count, vectors = 3 * count;
    const bool moves = columns_have(columns, COLUMN_VELOCITY),
               pushes = columns_have(columns, COLUMN_MOMENTUM);
    const bool has_image =
        columns_have(columns, COLUMN_IMAGE) || position_column(columns, 0) >= COLUMN_UNWRAPPED;
    particles->position = calloc(vectors, sizeof *particles->position);
    rows->order = calloc(count, sizeof *rows->order);
    bool failed = !particles->position || !rows->order;
    if (moves || pushes)
        failed |= !(particles->velocity = calloc(vectors, sizeof *particles->velocity));
    /* Without masses, velocities cannot be compared with momenta. */
    if (moves && pushes && columns->has[COLUMN_MASS])
        failed |= !(rows->momentum = calloc(vectors, sizeof *rows->momentum));
    if (has_image)
        failed |= !(particles->image = calloc(vectors, sizeof *particles->image));
    if (columns->has[COLUMN_MASS])
        failed |= !(particles->masses = calloc(count, sizeof *particles->masses));
    if (columns->has[COLUMN_CHARGE])
        failed |= !(particles->charges = calloc(count, sizeof *particles->charges));
    if (rows->kind < MAX_COLUMNS)
        failed |= !(particles->kind = calloc(count, sizeof *particles->kind));
    particles->has_momenta = pushes && !moves && !columns->has[COLUMN_MASS];
    return failed ? fail_host_memory(cursor->error) : SHOAL_OK;
}

void particles_tell(char list[PARTICLES_UNUSED_MOST], const char *name)
{
    static const char separator[] = ", ";
    const size_t used = strlen(list), gap = used ? strlen(separator) : 0, bytes = strlen(name);
    if (used + gap + bytes >= PARTICLES_UNUSED_MOST)
        return;
    memcpy(list + used, separator, gap);
    memcpy(list + used + gap, name, bytes + 1);
}

static void name_columns(const struct rows *rows)
{
    struct particles *particles = rows->particles;
    for (size_t c = 0; c < rows->columns->count; c++) {
        const unsigned what = rows->columns->what[c];
        const bool is_mass = what == COLUMN_MASS && isnan(particles->mass);
        if (rows->varies[c] || is_mass)
            particles_tell(is_mass || what == COLUMN_CHARGE || c == rows->kind ? particles->told
                                                                               : particles->unused,
                           word_show(rows->columns->name[c]).text);
    }
}

/* The first of the columns species, element and type; MAX_COLUMNS: there is none. */
static size_t kind_column(const struct columns *columns)
{
    static const char *const names[] = {"species", "element", "type"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t c = 0; c < columns->count && c < MAX_COLUMNS; c++)
            if (columns->what[c] == COLUMN_KIND && word_is(columns->name[c], names[i]))
                return c;
    return MAX_COLUMNS;
}

enum shoal_status particles_rows(struct cursor *cursor, const struct columns *columns, bool read,
                                 struct particles *particles)
{
    const size_t count = particles->count;
    struct rows rows = {.columns = columns, .particles = particles, .kind = kind_column(columns)};
    enum shoal_status status = check_columns(cursor, columns, particles);
    if (status)
        return status;
    if (!read) {
        const size_t skipped = cursor_skip(cursor, count);
        return skipped == count
                   ? SHOAL_OK
                   : cursor_fail(cursor, "the file ends after %zu of %zu particles of its last frame",
                                 skipped, count);
    }
    status = allocate(cursor, &rows);
    for (size_t row = 0; row < count && !status; row++)
        status = read_row(cursor, &rows, row);
    if (!status && particles->differs)
        memcpy(particles->velocity, rows.momentum, 3 * count * sizeof *particles->velocity);
    if (!status && columns->has[COLUMN_ID])
        status = order_by_number(cursor, &rows);
    if (!status)
        name_columns(&rows);
    free(rows.momentum);
    free(rows.order);
    return status;
}
