#include "cli/gas/series.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const char *const keys[GAS_SERIES_KINDS] = {[GAS_SERIES_RDF] = "rdf", [GAS_SERIES_SPEEDS] = "speeds"};

/* Taking them ------------------------------------------------------------------------------------------- */

static double *add_column(struct gas_series *series, const char *name)
{
    double *column = cli_alloc(series->rows * sizeof *column);
    series->names[series->column_count] = name;
    series->columns[series->column_count++] = column;
    return column;
}

static void copy_column(struct gas_series *series, const char *name, const double *values)
{
    memcpy(add_column(series, name), values, series->rows * sizeof *values);
}

enum shoal_status gas_series_take(struct shoal_solver *solver, enum gas_series_kind kind,
                                  struct gas_series *series, struct shoal_error *error)
{
    const bool is_rdf = kind == GAS_SERIES_RDF;
    struct shoal_gas_histogram histogram;
    *series = (struct gas_series){.kind = kind};
    enum shoal_status status =
        shoal_gas_get_histogram(solver, is_rdf ? SHOAL_GAS_RDF : SHOAL_GAS_SPEEDS, &histogram, error);
    if (status || histogram.bins == 0)
        return status;
    series->samples = histogram.samples;
    series->rows = histogram.bins;
    double *middle = add_column(series, is_rdf ? "r" : "speed");
    for (size_t b = 0; b < histogram.bins; b++)
        middle[b] = ((double)b + 0.5) * histogram.width;
    copy_column(series, is_rdf ? "g" : "density", histogram.value);
    if (histogram.theory)
        copy_column(series, "maxwell", histogram.theory);
    return SHOAL_OK;
}

void gas_series_clear(struct gas_series *series)
{
    for (size_t c = 0; c < series->column_count; c++)
        free(series->columns[c]);
    *series = (struct gas_series){0};
}

/* Showing them ------------------------------------------------------------------------------------------ */

void gas_series_json(cJSON *object, const struct gas_series *series)
{
    cJSON *own = cli_json_object(object, keys[series->kind]);
    cli_json_uint(own, "samples", series->samples);
    for (size_t c = 0; c < series->column_count; c++) {
        cJSON *array = cli_json_array(own, series->names[c]);
        for (size_t row = 0; row < series->rows; row++)
            cli_json_real(array, NULL, series->columns[c][row]);
    }
}

int gas_series_check(const char *option, const char *path)
{
    if (!cli_ends_with(path, ".csv") && !cli_ends_with(path, ".json"))
        return cli_error(CLI_USAGE, "%s: the ending of '%s' names no format; use .csv or .json", option,
                         path);
    return cli_check_output(option, path, false) ? CLI_OK : CLI_FAILURE;
}

static char *csv_text(const struct gas_series *series)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    for (size_t c = 0; c < series->column_count; c++)
        fprintf(out, "%s%s", c ? "," : "", series->names[c]);
    fputc('\n', out);
    for (size_t row = 0; row < series->rows; row++) {
        for (size_t c = 0; c < series->column_count; c++)
            fprintf(out, "%s%.17g", c ? "," : "", series->columns[c][row]);
        fputc('\n', out);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

int gas_series_write(const char *option, const char *path, const struct gas_series *series)
{
    struct shoal_error error;
    char *text;
    int code = CLI_OK;
    if (cli_ends_with(path, ".json")) {
        cJSON *json = cli_json_new("gas");
        gas_series_json(json, series);
        text = cli_json_file(json);
    } else {
        text = csv_text(series);
    }
    if (!text)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (cli_write_file(path, text, strlen(text), &error))
        code = cli_fail(option, &error);
    free(text);
    return code;
}
