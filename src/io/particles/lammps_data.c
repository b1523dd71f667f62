/* Data files of LAMMPS (https://docs.lammps.org/read_data.html): a title, a header of numbers with keywords,
 * and sections, each a line with the section's name, an empty line, and lines of numbers.
 *
 * The reader takes the header lines "atoms" and "xlo xhi", "ylo yhi" and "zlo zhi" of upright boxes, and the
 * sections Masses, Atoms (atom_style atomic and charge) and Velocities. Other sections are skipped. */
#include "base/error.h"
#include "io/particles/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most lines at the beginning of a file among which the number of atoms is looked for. */
enum { HEADER_MOST = 200 };

/* A section: its place in the text, at the first line of numbers. */
struct section {
    struct cursor cursor;
    struct word style; /* the word behind # in the line of the name; empty: none */
    bool is_there;
};

struct data_file {
    struct section masses, atoms, velocities;
    uint64_t *ids; /* [count], ascending */
};

/* Reads the next line, without a comment. False: there is no further line. */
static bool next_line(struct cursor *cursor, struct line *line)
{
    if (!cursor_next(cursor, line))
        return false;
    line_without_comment(line);
    return true;
}

static bool begins_with_letter(const struct line *line)
{
    return line->begin < line->end &&
           ((*line->begin >= 'A' && *line->begin <= 'Z') || (*line->begin >= 'a' && *line->begin <= 'z'));
}

/* Whether a line has words, all of which begin with a letter, as the names of sections. */
static bool is_name_of_section(struct line line)
{
    struct word word;
    size_t words = 0;
    for (; line_word(&line, &word); words++)
        if (!begins_with_letter(&(struct line){word.begin, word.end}))
            return false;
    return words > 0;
}

/* Whether a line is "NUMBER atoms". */
static bool is_count_of_atoms(struct line line)
{
    struct word number, word, more;
    return line_word(&line, &number) && *number.begin >= '0' && *number.begin <= '9' &&
           line_word(&line, &word) && word_is(word, "atoms") && !line_word(&line, &more);
}

bool lammps_data_is_at(struct cursor cursor)
{
    struct line line;
    struct word word;
    if (!cursor_next(&cursor, &line)) /* the title */
        return false;
    /* The first line of extended XYZ is a number alone. */
    if (line_word(&line, &word) && strspn(word.begin, "0123456789") == (size_t)(word.end - word.begin) &&
        !line_word(&line, &word))
        return false;
    for (size_t i = 0; i < HEADER_MOST && next_line(&cursor, &line) && !begins_with_letter(&line); i++)
        if (is_count_of_atoms(line))
            return true;
    return false;
}

/* Header ------------------------------------------------------------------------------------------------ */

static enum shoal_status read_numbers(const struct cursor *cursor, struct line line, const char *what,
                                      double *values, size_t count)
{
    struct word word;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        line_word(&line, &word);
        status = word_real(cursor, word, what, &values[i]);
    }
    return status;
}

static enum shoal_status read_bounds(const struct cursor *cursor, struct line line, size_t axis,
                                     struct particles *particles)
{
    double bounds[2];
    enum shoal_status status = read_numbers(cursor, line, "a bound of the box", bounds, 2);
    if (status)
        return status;
    particles->origin[axis] = bounds[0];
    particles->length[axis] = bounds[1] - bounds[0];
    particles->has_box = true;
    if (!(particles->length[axis] > 0 && particles->length[axis] < HUGE_VAL))
        return cursor_fail(cursor, "the box is empty or endless along %c: %g to %g", "xyz"[axis], bounds[0],
                           bounds[1]);
    return SHOAL_OK;
}

/* Reads a line of the header by its keyword, which follows the numbers. */
static enum shoal_status read_header_line(const struct cursor *cursor, struct line line,
                                          struct particles *particles)
{
    static const char *const lows[] = {"xlo", "ylo", "zlo"};
    struct line rest = line;
    struct word first, word = {line.begin, line.begin};
    line_word(&rest, &first);
    if (is_count_of_atoms(line)) {
        uint64_t count;
        enum shoal_status status = word_count(cursor, first, "the number of atoms", &count);
        particles->count = (size_t)count;
        return status || count ? status : cursor_fail(cursor, "the file has no particles: 0 atoms");
    }
    while (line_word(&rest, &word)) {
        for (size_t k = 0; k < 3; k++)
            if (word_is(word, lows[k]))
                return read_bounds(cursor, line, k, particles);
        if (word_is(word, "avec") || word_is(word, "bvec") || word_is(word, "cvec"))
            return cursor_fail(cursor, "the box is oblique (triclinic), boxes here are upright");
        if (word_is(word, "xy")) {
            double tilts[3];
            enum shoal_status status = read_numbers(cursor, line, "a tilt of the box", tilts, 3);
            if (!status && (tilts[0] != 0 || tilts[1] != 0 || tilts[2] != 0))
                status = cursor_fail(cursor,
                                     "the box is oblique (triclinic): its tilts are %g, %g and %g, "
                                     "boxes here are upright",
                                     tilts[0], tilts[1], tilts[2]);
            return status;
        }
    }
    return SHOAL_OK; /* numbers of bonds, types and so on */
}

/* Sections ---------------------------------------------------------------------------------------------- */

/* Notes the place of the section whose name is `line`, with its comment; skips the empty line. */
static enum shoal_status begin_section(struct cursor *cursor, struct line whole, struct data_file *file)
{
    struct line name = whole;
    line_without_comment(&name);
    const struct {
        const char *name;
        struct section *section;
    } known[] = {{"Masses", &file->masses}, {"Atoms", &file->atoms}, {"Velocities", &file->velocities}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct section *section = known[i].section;
        struct line comment = {name.end, whole.end}, line;
        struct word mark;
        if (!word_is((struct word){name.begin, name.end}, known[i].name))
            continue;
        if (section->is_there)
            return cursor_fail(cursor, "the section %s is there twice", known[i].name);
        section->is_there = true;
        if (line_word(&comment, &mark) && mark.end - mark.begin > 1) /* "#style" */
            section->style = (struct word){mark.begin + 1, mark.end};
        else if (!line_word(&comment, &section->style))
            section->style = (struct word){whole.end, whole.end};
        struct cursor ahead = *cursor;
        while (next_line(&ahead, &line) && line.begin == line.end)
            *cursor = ahead;
        section->cursor = *cursor;
    }
    return SHOAL_OK;
}

static enum shoal_status find_sections(struct cursor *cursor, struct particles *particles,
                                       struct data_file *file)
{
    struct line line, name;
    bool in_header = true;
    enum shoal_status status = SHOAL_OK;
    cursor_next(cursor, &line); /* the title */
    while (!status && cursor_next(cursor, &line)) {
        name = line;
        line_without_comment(&name);
        if (name.begin == name.end)
            continue;
        if (begins_with_letter(&name)) {
            in_header = false;
            status = begin_section(cursor, line, file);
        } else if (in_header) {
            status = read_header_line(cursor, name, particles);
        }
    }
    if (!status && !file->atoms.is_there)
        status = cursor_fail(cursor, "the file ends without a section Atoms");
    for (size_t k = 0; k < 2 && !status && particles->has_box; k++)
        if (!(particles->length[k] > 0))
            status = cursor_fail(cursor, "no line gives %clo and %chi of the box", "xy"[k], "xy"[k]);
    return status;
}

/* Particles --------------------------------------------------------------------------------------------- */

/* The columns of the section Atoms, by the style that its comment names, else by their number. */
static enum shoal_status find_columns(const struct section *atoms, struct columns *columns)
{
    static const char *const names[] = {"x", "y", "z"};
    struct cursor ahead = atoms->cursor;
    struct line line = {NULL, NULL};
    struct word word, style = atoms->style;
    size_t count = 0;
    if (next_line(&ahead, &line))
        while (line_word(&line, &word))
            count++;
    const bool is_named = style.begin < style.end;
    const bool is_charge = is_named && word_is(style, "charge");
    if (is_named && !is_charge && !word_is(style, "atomic"))
        return cursor_fail(&ahead,
                           "atoms of atom_style '%s' are not read: write the file with atom_style "
                           "atomic or charge",
                           word_show(style).text);
    if (!is_named && (count == 6 || count == 9))
        return cursor_fail(&ahead, "the third column may be a charge or a molecule: name the atom_style, as "
                                   "in 'Atoms # charge'");
    const size_t least = is_charge ? 6 : 5;
    if (count != least && count != least + 3)
        return cursor_fail(&ahead, "has %zu columns, atoms of atom_style %s have %zu, or %zu with crossings",
                           count, is_charge ? "charge" : "atomic", least, least + 3);
    *columns = (struct columns){.has_comments = true};
    columns_add(columns, COLUMN_ID, word_of("id"));
    columns_add(columns, COLUMN_OTHER, word_of("type"));
    if (is_charge)
        columns_add(columns, COLUMN_OTHER, word_of("q"));
    for (unsigned k = 0; k < 3; k++)
        columns_add(columns, COLUMN_POSITION + k, word_of(names[k]));
    for (unsigned k = 0; k < 3 && count > least; k++)
        columns_add(columns, COLUMN_IMAGE + k, word_of(names[k]));
    return SHOAL_OK;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* Reads the ids of the atoms, which particles_rows has checked. */
static enum shoal_status read_ids(const struct particles *particles, struct data_file *file)
{
    struct cursor cursor = file->atoms.cursor;
    file->ids = malloc(particles->count * sizeof *file->ids);
    enum shoal_status status = file->ids ? SHOAL_OK : fail_host_memory(cursor.error);
    for (size_t i = 0; i < particles->count && !status; i++) {
        struct line line = {NULL, NULL};
        struct word word;
        cursor_next(&cursor, &line);
        line_word(&line, &word);
        status = word_count(&cursor, word, "the id", &file->ids[i]);
    }
    if (!status)
        qsort(file->ids, particles->count, sizeof *file->ids, compare_ids);
    return status;
}

static enum shoal_status read_velocity(struct cursor *cursor, const struct data_file *file, bool *seen,
                                       struct particles *particles)
{
    struct line line;
    struct word word;
    uint64_t id;
    if (!next_line(cursor, &line) || line.begin == line.end)
        return cursor_fail(cursor, "the section Velocities ends before the last of %zu particles",
                           particles->count);
    line_word(&line, &word);
    enum shoal_status status = word_count(cursor, word, "the id", &id);
    if (status)
        return status;
    const uint64_t *found = bsearch(&id, file->ids, particles->count, sizeof id, compare_ids);
    if (!found)
        return cursor_fail(cursor, "the velocity of id %llu, which no atom has", (unsigned long long)id);
    const size_t i = (size_t)(found - file->ids);
    if (seen[i])
        return cursor_fail(cursor, "a second velocity of id %llu", (unsigned long long)id);
    seen[i] = true;
    return read_numbers(cursor, line, "a velocity", &particles->velocity[3 * i], 3);
}

static enum shoal_status read_velocities(struct data_file *file, struct particles *particles)
{
    struct cursor cursor = file->velocities.cursor;
    if (!file->velocities.is_there)
        return SHOAL_OK;
    enum shoal_status status = read_ids(particles, file);
    bool *seen = calloc(particles->count, sizeof *seen);
    particles->velocity = calloc(3 * particles->count, sizeof *particles->velocity);
    if (!status && (!seen || !particles->velocity))
        status = fail_host_memory(cursor.error);
    for (size_t i = 0; i < particles->count && !status; i++)
        status = read_velocity(&cursor, file, seen, particles);
    free(seen);
    return status;
}

/* Reads the mass of each type, and from it the masses of the particles. The section ends at an empty line or
 * at the name of the next section; a type may be a word, so that the first letter of a line does not tell.
 * Particles of a type beyond those that are told apart have no known mass; the file then counts as one
 * without masses. */
static enum shoal_status read_masses(struct data_file *file, struct particles *particles)
{
    struct cursor cursor = file->masses.cursor;
    double masses[PARTICLES_KINDS_MOST + 1] = {0}, mass;
    struct line line;
    struct word type, word;
    bool is_whole = file->masses.is_there;
    while (file->masses.is_there && next_line(&cursor, &line) && !is_name_of_section(line) &&
           line_word(&line, &type)) {
        line_word(&line, &word);
        enum shoal_status status = word_real(&cursor, word, "the mass of a type", &mass);
        if (!status && !(mass > 0))
            status = cursor_fail(&cursor, "the mass of a type is %g, it must be above 0", mass);
        if (status)
            return status;
        for (size_t kind = 0; kind < particles->kinds; kind++)
            if (word_is(type, particles->kind_names[kind]))
                masses[kind] = mass;
    }
    for (size_t i = 0; i < particles->count && is_whole; i++)
        is_whole = masses[particles->kind[i]] > 0;
    if (!is_whole)
        return SHOAL_OK;
    particles->masses = malloc(particles->count * sizeof *particles->masses);
    if (!particles->masses)
        return fail_host_memory(cursor.error);
    particles->mass = masses[particles->kind[0]];
    for (size_t i = 0; i < particles->count; i++) {
        particles->masses[i] = masses[particles->kind[i]];
        if (particles->masses[i] != particles->mass)
            particles->mass = NAN;
    }
    if (isnan(particles->mass))
        particles_tell(particles->told, "mass");
    return SHOAL_OK;
}

enum shoal_status lammps_data_read(struct cursor *cursor, struct particles *particles)
{
    struct data_file file = {0};
    struct columns columns;
    enum shoal_status status = find_sections(cursor, particles, &file);
    if (!status)
        status = find_columns(&file.atoms, &columns);
    if (!status) {
        /* the first pass finds that all lines are there before memory is taken for them */
        struct cursor rows = file.atoms.cursor, again = rows;
        status = particles_rows(&rows, &columns, false, particles);
        if (!status)
            status = particles_rows(&again, &columns, true, particles);
    }
    if (!status)
        status = read_velocities(&file, particles);
    if (!status)
        status = read_masses(&file, particles);
    free(file.ids);
    return status;
}
