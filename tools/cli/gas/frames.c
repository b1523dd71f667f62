/* Frames of the gas as text. */
#include "cli/gas/frames.h"

#include "cli/cli.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

static char *finish(FILE *out, char **text)
{
    if (fclose(out) == 0)
        return *text;
    free(*text);
    return NULL;
}

/* The shortest text that reads back as the same number. */
static struct decimal_text shortest(double value)
{
    return decimal_text(value, false);
}

static double component(const double *array, const struct shoal_gas_frame *frame, size_t i, size_t k)
{
    return k < frame->dim ? array[i * frame->dim + k] : 0;
}

/* The momentum is computed from the velocity with the digits that the file has, so that momentum divided by
 * mass gives the same digits. */
static void put_motion(FILE *out, const struct shoal_gas_frame *frame, size_t i, double mass)
{
    char velocities[3][32];
    for (size_t k = 0; k < 3; k++) {
        snprintf(velocities[k], sizeof velocities[k], "%.9g", component(frame->velocity, frame, i, k));
        fprintf(out, " %s", velocities[k]);
    }
    fprintf(out, " %s", shortest(mass).s);
    for (size_t k = 0; k < 3; k++)
        if (mass == 1)
            fprintf(out, " %s", velocities[k]);
        else
            fprintf(out, " %s", shortest(mass * strtod(velocities[k], NULL)).s);
}

char *gas_frame_xyz(const struct shoal_gas_frame *frame, const char *element, double mass, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    const struct shoal_gas_species *species = frame->species;
    const double depth = frame->dim == 3 ? frame->length[2] : 1;
    const bool charged = gas_frame_has_charges(species);
    fprintf(out,
            "%zu\nLattice=\"%s 0 0 0 %s 0 0 0 %s\" Origin=\"%s %s %s\" "
            "Properties=species:S:1:pos:R:3:velo:R:3:masses:R:1:momenta:R:3%s Time=%s Step=%llu pbc=\"%c %c "
            "%c\"\n",
            frame->particles, shortest(frame->length[0]).s, shortest(frame->length[1]).s, shortest(depth).s,
            shortest(frame->origin[0]).s, shortest(frame->origin[1]).s,
            shortest(frame->dim == 3 ? frame->origin[2] : 0).s, charged ? ":charge:R:1" : "",
            shortest(frame->time).s, (unsigned long long)frame->step, frame->periodic[0] ? 'T' : 'F',
            frame->periodic[1] ? 'T' : 'F', frame->dim == 3 && frame->periodic[2] ? 'T' : 'F');
    for (size_t i = 0; i < frame->particles; i++) {
        const char *name = species ? species->names[species->of[i]] : element;
        fprintf(out, "%s %.12g %.12g %.12g", name, component(frame->position, frame, i, 0),
                component(frame->position, frame, i, 1), component(frame->position, frame, i, 2));
        put_motion(out, frame, i, species ? species->mass[species->of[i]] : mass);
        if (charged)
            fprintf(out, " %s", shortest(species->charge[species->of[i]]).s);
        fputc('\n', out);
    }
    return finish(out, &text);
}

char *gas_frame_dump(const struct shoal_gas_frame *frame, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    fprintf(out, "ITEM: TIMESTEP\n%llu\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS",
            (unsigned long long)frame->step, frame->particles);
    /* A two-dimensional box is written as periodic along z, from -0.5 to 0.5. */
    for (size_t k = 0; k < 3; k++)
        fputs(k >= frame->dim || frame->periodic[k] ? " pp" : " ff", out);
    fputc('\n', out);
    for (size_t k = 0; k < 3; k++)
        fprintf(out, "%s %s\n", shortest(k < frame->dim ? frame->origin[k] : -0.5).s,
                shortest(k < frame->dim ? frame->origin[k] + frame->length[k] : 0.5).s);
    const struct shoal_gas_species *species = frame->species;
    const bool charged = gas_frame_has_charges(species);
    fprintf(out, "ITEM: ATOMS id type %s%sx y z vx vy vz ix iy iz\n", species ? "element mass " : "",
            charged ? "q " : "");
    for (size_t i = 0; i < frame->particles; i++) {
        fprintf(out, "%zu %d", i + 1, species ? species->of[i] + 1 : 1);
        if (species)
            fprintf(out, " %s %s", species->names[species->of[i]], shortest(species->mass[species->of[i]]).s);
        if (charged)
            fprintf(out, " %s", shortest(species->charge[species->of[i]]).s);
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %.12g", component(frame->position, frame, i, k));
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %.9g", component(frame->velocity, frame, i, k));
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %d", k < frame->dim ? frame->image[i * frame->dim + k] : 0);
        fputc('\n', out);
    }
    return finish(out, &text);
}

/* Reading existing files ----------------------------------------------------------------------------------
 */

enum piece gas_next_xyz(struct piece_reader *reader, uint64_t *step)
{
    static const char name[] = " Step=";
    uint64_t particles;
    if (!piece_line(reader))
        return PIECE_NONE;
    if (!piece_count(reader->line, "\n", &particles))
        return PIECE_STRANGE;
    if (!piece_line(reader))
        return PIECE_NONE;
    const char *found = strstr(reader->line, name);
    if (!found || !piece_count(found + sizeof name - 1, " \n", step))
        return PIECE_STRANGE;
    return piece_skip(reader, particles) ? PIECE_WHOLE : PIECE_NONE;
}

enum piece gas_next_dump(struct piece_reader *reader, uint64_t *step)
{
    /* Titles in the file, with the number of lines of numbers that follow each. */
    uint64_t particles = 0, *const counts[] = {step, &particles, NULL, NULL};
    static const char *const titles[] = {"ITEM: TIMESTEP\n", "ITEM: NUMBER OF ATOMS\n", "ITEM: BOX BOUNDS ",
                                         "ITEM: ATOMS "};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (!piece_line(reader))
            return PIECE_NONE;
        if (!piece_begins(reader->line, titles[i]))
            return PIECE_STRANGE;
        if (!counts[i] && !piece_skip(reader, i == 2 ? 3 : particles))
            return PIECE_NONE;
        if (counts[i] && !piece_line(reader))
            return PIECE_NONE;
        if (counts[i] && !piece_count(reader->line, "\n", counts[i]))
            return PIECE_STRANGE;
    }
    return PIECE_WHOLE;
}
