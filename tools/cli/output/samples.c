#include "cli/output/samples.h"

#include "cli/output/json.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum sample_format sample_format_of(const char *path)
{
    if (cli_ends_with(path, ".csv"))
        return SAMPLE_CSV;
    return cli_ends_with(path, ".jsonl") || cli_ends_with(path, ".json") ? SAMPLE_JSON_LINES : SAMPLE_TABLE;
}

bool sample_has_column(const struct sample_form *form, const struct shoal_column *column)
{
    const bool is_file = form->format != SAMPLE_TABLE;
    return !column->applies || column->applies(form->params) ||
           (is_file && (column->flags & SHOAL_COLUMN_IN_FILES));
}

double sample_value(const struct shoal_column *column, const void *sample)
{
    const char *place = (const char *)sample + column->offset;
    uint64_t uint;
    double real;
    if (column->type == SHOAL_COLUMN_UINT) {
        memcpy(&uint, place, sizeof uint);
        return (double)uint;
    }
    memcpy(&real, place, sizeof real);
    return real;
}

void sample_put(FILE *out, enum sample_format format, const struct shoal_column *column, double value)
{
    if (column->type == SHOAL_COLUMN_UINT)
        fprintf(out, format == SAMPLE_TABLE ? "%15.0f" : "%.0f", value);
    else if (format == SAMPLE_TABLE)
        isfinite(value) ? fprintf(out, "%15.9g", value) : fprintf(out, "%15s", "-");
    else if (isfinite(value))
        fprintf(out, "%.17g", value);
    else if (format == SAMPLE_JSON_LINES)
        fputs("null", out);
}

static char *finish(FILE *out, char **text)
{
    if (fclose(out) == 0)
        return *text;
    free(*text);
    return NULL;
}

static const char *const between[] = {[SAMPLE_TABLE] = " ", [SAMPLE_CSV] = ",", [SAMPLE_JSON_LINES] = ", "};

char *sample_head(const struct sample_form *form, size_t *bytes)
{
    const struct shoal_sampling *sampling = form->sampling;
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    for (size_t i = 0; i < sampling->column_count && form->format != SAMPLE_JSON_LINES; i++)
        if (sample_has_column(form, &sampling->columns[i]))
            fprintf(out, form->format == SAMPLE_CSV ? "%s%s" : "%s%15s", i ? between[form->format] : "",
                    sampling->columns[i].name);
    if (form->format != SAMPLE_JSON_LINES)
        fputc('\n', out);
    return finish(out, &text);
}

char *sample_line(const struct sample_form *form, const void *sample, size_t *bytes)
{
    const struct shoal_sampling *sampling = form->sampling;
    const bool is_json = form->format == SAMPLE_JSON_LINES;
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    if (is_json)
        fputc('{', out);
    for (size_t i = 0; i < sampling->column_count; i++) {
        const struct shoal_column *column = &sampling->columns[i];
        if (!sample_has_column(form, column))
            continue;
        fputs(i ? between[form->format] : "", out);
        if (is_json)
            fprintf(out, "\"%s\": ", column->name);
        sample_put(out, form->format, column, sample_value(column, sample));
    }
    fputs(is_json ? "}\n" : "\n", out);
    return finish(out, &text);
}

/* Files that are there ---------------------------------------------------------------------------------- */

static enum piece next_sample(struct piece_reader *reader, enum sample_format format, uint64_t *step)
{
    static const char first[] = "{\"step\": ";
    if (!piece_line(reader))
        return PIECE_NONE;
    const char *head = reader->line + strspn(reader->line, " ");
    if (reader->number == 1 && format != SAMPLE_JSON_LINES && piece_begins(head, "step") &&
        !piece_line(reader))
        return PIECE_NONE;
    if (format == SAMPLE_JSON_LINES && !piece_begins(reader->line, first))
        return PIECE_STRANGE;
    const char *count = reader->line + (format == SAMPLE_JSON_LINES ? sizeof first - 1 : 0);
    return piece_count(count, format == SAMPLE_TABLE ? " " : ",", step) ? PIECE_WHOLE : PIECE_STRANGE;
}

static enum piece next_row(struct piece_reader *reader, uint64_t *step)
{
    return next_sample(reader, SAMPLE_TABLE, step);
}

static enum piece next_csv(struct piece_reader *reader, uint64_t *step)
{
    return next_sample(reader, SAMPLE_CSV, step);
}

static enum piece next_json(struct piece_reader *reader, uint64_t *step)
{
    return next_sample(reader, SAMPLE_JSON_LINES, step);
}

piece_next *const sample_pieces[] = {
    [SAMPLE_TABLE] = next_row, [SAMPLE_CSV] = next_csv, [SAMPLE_JSON_LINES] = next_json};

/* Kept samples ------------------------------------------------------------------------------------------ */

void samples_keep(struct samples *samples, const struct shoal_sampling *sampling, const void *sample)
{
    const size_t columns = sampling->column_count;
    if (!samples->values)
        samples->values = cli_alloc(columns * sizeof *samples->values);
    samples->sampling = sampling;
    if (samples->count == samples->room) {
        samples->room = samples->room ? 2 * samples->room : 256;
        for (size_t c = 0; c < columns; c++)
            samples->values[c] = cli_realloc(samples->values[c], samples->room * sizeof **samples->values);
    }
    for (size_t c = 0; c < columns; c++)
        samples->values[c][samples->count] = sample_value(&sampling->columns[c], sample);
    samples->count++;
}

const double *samples_column(const struct samples *samples, const struct sample_form *form, const char *name)
{
    for (size_t c = 0; samples->values && c < samples->sampling->column_count; c++) {
        const struct shoal_column *column = &samples->sampling->columns[c];
        if (strcmp(column->name, name) == 0 && sample_has_column(form, column))
            return samples->values[c];
    }
    return NULL;
}

void samples_json(cJSON *object, const struct sample_form *form, const struct samples *samples)
{
    for (size_t c = 0; c < samples->sampling->column_count; c++) {
        const struct shoal_column *column = &samples->sampling->columns[c];
        if (!sample_has_column(form, column))
            continue;
        cJSON *array = cli_json_array(object, column->name);
        for (size_t i = 0; i < samples->count; i++)
            if (column->type == SHOAL_COLUMN_UINT)
                cli_json_uint(array, NULL, (uint64_t)samples->values[c][i]);
            else
                cli_json_real(array, NULL, samples->values[c][i]);
    }
}

void samples_clear(struct samples *samples)
{
    for (size_t c = 0; samples->values && c < samples->sampling->column_count; c++)
        free(samples->values[c]);
    free(samples->values);
    *samples = (struct samples){0};
}
