/* Thermo lines and frames of the gas as text. */
#include "cli/gas/frames.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum gas_format gas_lines_of(const char *path)
{
    if (cli_ends_with(path, ".csv"))
        return GAS_CSV;
    return cli_ends_with(path, ".jsonl") || cli_ends_with(path, ".json") ? GAS_JSON_LINES : GAS_TABLE;
}

enum { COLUMNS = 16 };

struct column {
    const char *name;
    double value;
    bool whole; /* a count */
};

static bool has_walls(const struct shoal_gas_params *params)
{
    return params->boundary_x == SHOAL_GAS_WALLS || params->boundary_y == SHOAL_GAS_WALLS ||
           params->boundary_z == SHOAL_GAS_WALLS;
}

/* Columns of a line; a table, which is for people, is without those that have no value in this run. */
static size_t columns_of(enum gas_format lines, const struct shoal_gas_thermo *t,
                         const struct shoal_gas_params *params, struct column columns[COLUMNS])
{
    const bool all = lines != GAS_TABLE;
    static const char *const momentum[] = {"momentum_x", "momentum_y", "momentum_z"};
    size_t count = 0;
    columns[count++] = (struct column){"step", (double)t->step, true};
    columns[count++] = (struct column){"time", t->time, false};
    columns[count++] = (struct column){"temperature", t->temperature, false};
    columns[count++] = (struct column){"kinetic", t->kinetic, false};
    columns[count++] = (struct column){"potential", t->potential, false};
    columns[count++] = (struct column){"total", t->total, false};
    columns[count++] = (struct column){"conserved", t->conserved, false};
    columns[count++] = (struct column){"pressure", t->pressure, false};
    if (all || has_walls(params))
        columns[count++] = (struct column){"wall_pressure", t->wall_pressure, false};
    columns[count++] = (struct column){"max_speed", t->max_speed, false};
    for (size_t k = 0; k < params->dim; k++)
        columns[count++] = (struct column){momentum[k], t->momentum[k], false};
    columns[count++] = (struct column){"rebuilds", (double)t->rebuilds, true};
    if (all || params->cluster_distance > 0)
        columns[count++] = (struct column){"largest_cluster", t->largest_cluster, false};
    return count;
}

static char *finish(FILE *out, char **text)
{
    if (fclose(out) == 0)
        return *text;
    free(*text);
    return NULL;
}

char *gas_thermo_head(enum gas_format lines, const struct shoal_gas_params *params, size_t *bytes)
{
    const struct shoal_gas_thermo none = {0};
    struct column columns[COLUMNS];
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    size_t count = columns_of(lines, &none, params, columns);
    for (size_t i = 0; i < count && lines != GAS_JSON_LINES; i++)
        fprintf(out, lines == GAS_CSV ? "%s%s" : "%s%15s",
                i == 0             ? ""
                : lines == GAS_CSV ? ","
                                   : " ",
                columns[i].name);
    if (lines != GAS_JSON_LINES)
        fputc('\n', out);
    return finish(out, &text);
}

static void put_number(FILE *out, enum gas_format lines, const struct column *column)
{
    if (column->whole)
        fprintf(out, lines == GAS_TABLE ? "%15.0f" : "%.0f", column->value);
    else if (lines == GAS_TABLE)
        isfinite(column->value) ? fprintf(out, "%15.9g", column->value) : fprintf(out, "%15s", "-");
    else if (isfinite(column->value))
        fprintf(out, "%.17g", column->value);
    else if (lines == GAS_JSON_LINES)
        fputs("null", out);
}

char *gas_thermo_line(enum gas_format lines, const struct shoal_gas_thermo *thermo,
                      const struct shoal_gas_params *params, size_t *bytes)
{
    struct column columns[COLUMNS];
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    size_t count = columns_of(lines, thermo, params, columns);
    if (lines == GAS_JSON_LINES)
        fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(lines == GAS_TABLE ? " " : lines == GAS_CSV ? "," : ", ", out);
        if (lines == GAS_JSON_LINES)
            fprintf(out, "\"%s\": ", columns[i].name);
        put_number(out, lines, &columns[i]);
    }
    fputs(lines == GAS_JSON_LINES ? "}\n" : "\n", out);
    return finish(out, &text);
}

static double component(const double *array, const struct shoal_gas_frame *frame, size_t i, size_t k)
{
    return k < frame->dim ? array[i * frame->dim + k] : 0;
}

char *gas_frame_xyz(const struct shoal_gas_frame *frame, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    const double depth = frame->dim == 3 ? frame->length[2] : 1;
    fprintf(out,
            "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" Origin=\"%.17g %.17g %.17g\" "
            "Properties=species:S:1:pos:R:3:velo:R:3 Time=%.17g Step=%llu pbc=\"%c %c %c\"\n",
            frame->particles, frame->length[0], frame->length[1], depth, frame->origin[0], frame->origin[1],
            frame->dim == 3 ? frame->origin[2] : 0, frame->time, (unsigned long long)frame->step,
            frame->periodic[0] ? 'T' : 'F', frame->periodic[1] ? 'T' : 'F',
            frame->dim == 3 && frame->periodic[2] ? 'T' : 'F');
    for (size_t i = 0; i < frame->particles; i++)
        fprintf(out, "Ar %.12g %.12g %.12g %.9g %.9g %.9g\n", component(frame->position, frame, i, 0),
                component(frame->position, frame, i, 1), component(frame->position, frame, i, 2),
                component(frame->velocity, frame, i, 0), component(frame->velocity, frame, i, 1),
                component(frame->velocity, frame, i, 2));
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
    /* A flat box is periodic along z there, half a unit to each side of the plane. */
    for (size_t k = 0; k < 3; k++)
        fputs(k >= frame->dim || frame->periodic[k] ? " pp" : " ff", out);
    fputc('\n', out);
    for (size_t k = 0; k < 3; k++)
        fprintf(out, "%.17g %.17g\n", k < frame->dim ? frame->origin[k] : -0.5,
                k < frame->dim ? frame->origin[k] + frame->length[k] : 0.5);
    fputs("ITEM: ATOMS id type x y z vx vy vz ix iy iz\n", out);
    for (size_t i = 0; i < frame->particles; i++) {
        fprintf(out, "%zu 1", i + 1);
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
