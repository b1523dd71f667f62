#include "cli/output/samples.h"

#include "cli/output/files/endings.h"
#include "cli/output/json.h"
#include "cli/output/message.h"
#include "cli/output/text.h"
#include "cli/output/values.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum sample_format sample_format_of(const char *path)
{
    if (cli_has_format(path, ".csv"))
        return SAMPLE_CSV;
    return cli_has_format(path, ".jsonl") || cli_has_format(path, ".json") ? SAMPLE_JSON_LINES : SAMPLE_TABLE;
}

bool sample_has_column(const struct sample_form *form, const struct shoal_column *column)
{
    /* If several stages continue a file, all stages must have the same columns. */
    const unsigned in_tables = SHOAL_COLUMN_IN_TABLES | (form->stage ? SHOAL_COLUMN_IN_FILES : 0);
    const bool is_continued = form->stages_have && form->format != SAMPLE_LINES;
    const unsigned always[] = {[SAMPLE_TABLE] = in_tables,
                               [SAMPLE_CSV] = SHOAL_COLUMN_IN_FILES,
                               [SAMPLE_JSON_LINES] = SHOAL_COLUMN_IN_FILES,
                               [SAMPLE_LINES] = 0};
    return !column->applies || column->applies(form->params) ||
           (is_continued && form->stages_have(form->run_stage, column)) ||
           (column->flags & always[form->format]);
}

/* Index of the column with the first name of the list `names`, whose names are separated by commas;
 * column_count: no column has this name. */
static size_t named_column(const struct shoal_sampling *sampling, const char *names)
{
    const size_t length = strcspn(names, ",");
    size_t c = 0;
    while (c < sampling->column_count && (strlen(sampling->columns[c].name) != length ||
                                          strncasecmp(sampling->columns[c].name, names, length) != 0))
        c++;
    return c;
}

int sample_check_columns(const struct shoal_sampling *sampling, const char *option, const char *names)
{
    const char **known = cli_alloc(sampling->column_count * sizeof *known);
    int code = CLI_OK;
    for (size_t c = 0; c < sampling->column_count; c++)
        known[c] = sampling->columns[c].name;
    for (const char *rest = names; rest && code == CLI_OK; rest = strchr(rest, ',')) {
        rest += *rest == ',' && rest != names;
        if (named_column(sampling, rest) < sampling->column_count)
            continue;
        char *name = cli_sprintf("%.*s", (int)strcspn(rest, ","), rest);
        code = cli_not_one_of(option, name, known, sampling->column_count);
        free(name);
    }
    free(known);
    return code;
}

const struct shoal_column *sample_next_column(const struct shoal_sampling *sampling, const char **rest)
{
    if (!*rest)
        return NULL;
    const struct shoal_column *column = &sampling->columns[named_column(sampling, *rest)];
    const char *comma = strchr(*rest, ',');
    *rest = comma ? comma + 1 : NULL;
    return column;
}

/* Whether the workload has marked columns for the lines of a run. */
static bool has_shown(const struct shoal_sampling *sampling)
{
    bool any = false;
    for (size_t c = 0; c < sampling->column_count; c++)
        any = any || sampling->columns[c].flags & SHOAL_COLUMN_SHOWN;
    return any;
}

/* The columns of a form in their order; the caller frees the list. */
static size_t *columns_of(const struct sample_form *form, size_t *count)
{
    const struct shoal_sampling *sampling = form->sampling;
    const bool is_lines = form->format == SAMPLE_LINES, by_mark = is_lines && has_shown(sampling);
    size_t room = sampling->column_count;
    for (const char *at = form->chosen; at && *at; at++)
        room += *at == ',';
    size_t *columns = cli_alloc((room + 1) * sizeof *columns);
    *count = 0;
    if (is_lines && form->chosen) {
        for (const char *rest = form->chosen; rest; rest = strchr(rest, ',')) {
            rest += *rest == ',' && rest != form->chosen;
            columns[(*count)++] = named_column(sampling, rest);
        }
        return columns;
    }
    for (size_t c = 0; c < sampling->column_count; c++)
        if (sample_has_column(form, &sampling->columns[c]) &&
            (!by_mark || sampling->columns[c].flags & SHOAL_COLUMN_SHOWN))
            columns[(*count)++] = c;
    return columns;
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

static const char *title_of(const struct shoal_column *column)
{
    return column->title ? column->title : column->name;
}

/* Width of a column in the lines of a run. */
static int line_width(const struct shoal_column *column)
{
    const int least = column->type == SHOAL_COLUMN_UINT ? 8 : 11, name = (int)strlen(title_of(column));
    return name > least ? name : least;
}

/* Writes a value with six digits, or fewer if six do not fit the column. */
static void put_in_line(FILE *out, const struct shoal_column *column, double value)
{
    const int width = line_width(column);
    char text[32];
    int digits = 6;
    while (snprintf(text, sizeof text, "%.*g", digits, value) > width && digits > 1)
        digits--;
    fprintf(out, "%*s", width, isfinite(value) ? text : "-");
}

void sample_put(FILE *out, enum sample_format format, const struct shoal_column *column, double value)
{
    if (column->type == SHOAL_COLUMN_UINT)
        fprintf(out, "%*.0f",
                format == SAMPLE_TABLE   ? 15
                : format == SAMPLE_LINES ? line_width(column)
                                         : 0,
                value);
    else if (format == SAMPLE_LINES)
        put_in_line(out, column, value);
    else if (format == SAMPLE_TABLE)
        isfinite(value) ? fprintf(out, "%15.9g", value) : fprintf(out, "%15s", "-");
    else if (isfinite(value))
        fputs(decimal_text(value, false).s, out);
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

static const char *const between[] = {
    [SAMPLE_TABLE] = " ", [SAMPLE_CSV] = ",", [SAMPLE_JSON_LINES] = ", ", [SAMPLE_LINES] = " "};

char *sample_head(const struct sample_form *form, size_t *bytes)
{
    size_t count, *columns = NULL;
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    if (form->format == SAMPLE_JSON_LINES)
        return finish(out, &text);
    columns = columns_of(form, &count);
    for (size_t i = 0; i < count; i++) {
        const struct shoal_column *column = &form->sampling->columns[columns[i]];
        fprintf(out, "%s%*s", i ? between[form->format] : "",
                form->format == SAMPLE_TABLE   ? 15
                : form->format == SAMPLE_LINES ? line_width(column)
                                               : 0,
                form->format == SAMPLE_LINES ? title_of(column) : column->name);
    }
    if (form->stage && form->format != SAMPLE_LINES)
        fprintf(out, "%s%s", between[form->format], "stage");
    fputc('\n', out);
    free(columns);
    return finish(out, &text);
}

char *sample_line(const struct sample_form *form, const void *sample, size_t *bytes)
{
    const bool is_json = form->format == SAMPLE_JSON_LINES;
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    size_t count, *columns = columns_of(form, &count);
    if (is_json)
        fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        const struct shoal_column *column = &form->sampling->columns[columns[i]];
        fputs(i ? between[form->format] : "", out);
        if (is_json)
            fprintf(out, "\"%s\": ", column->name);
        sample_put(out, form->format, column, sample_value(column, sample));
    }
    if (form->stage && is_json)
        fprintf(out, ", \"stage\": \"%s\"", form->stage);
    else if (form->stage && form->format != SAMPLE_LINES)
        fprintf(out, "%s%s", between[form->format], form->stage);
    fputs(is_json ? "}\n" : "\n", out);
    free(columns);
    return finish(out, &text);
}

/* Reading existing files ----------------------------------------------------------------------------------
 */

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

piece_next *const sample_pieces[] = {[SAMPLE_TABLE] = next_row,
                                     [SAMPLE_CSV] = next_csv,
                                     [SAMPLE_JSON_LINES] = next_json,
                                     [SAMPLE_LINES] = next_row};

/* Kept samples ------------------------------------------------------------------------------------------ */

static void make_room(struct samples *samples, const struct shoal_sampling *sampling, size_t count)
{
    if (!samples->values)
        samples->values = cli_alloc(sampling->column_count * sizeof *samples->values);
    samples->sampling = sampling;
    if (samples->count + count <= samples->room)
        return;
    while (samples->room < samples->count + count)
        samples->room = samples->room ? 2 * samples->room : 256;
    for (size_t c = 0; c < sampling->column_count; c++)
        samples->values[c] = cli_realloc(samples->values[c], samples->room * sizeof **samples->values);
}

static void thin(struct samples *samples)
{
    const size_t kept = (samples->count + 1) / 2;
    for (size_t c = 0; c < samples->sampling->column_count; c++)
        for (size_t i = 0; i < kept; i++)
            samples->values[c][i] = samples->values[c][2 * i];
    samples->count = kept;
    samples->thinned++;
}

void samples_keep(struct samples *samples, const struct shoal_sampling *sampling, const void *sample)
{
    const uint64_t number = samples->seen++;
    if (samples->count == SAMPLES_MOST)
        thin(samples);
    if (number % ((uint64_t)1 << samples->thinned) != 0)
        return;
    make_room(samples, sampling, 1);
    for (size_t c = 0; c < sampling->column_count; c++)
        samples->values[c][samples->count] = sample_value(&sampling->columns[c], sample);
    samples->count++;
}

void samples_append(struct samples *samples, const struct samples *more)
{
    if (!more->count)
        return;
    make_room(samples, more->sampling, more->count);
    for (size_t c = 0; c < more->sampling->column_count; c++)
        memcpy(samples->values[c] + samples->count, more->values[c], more->count * sizeof **more->values);
    samples->count += more->count;
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
