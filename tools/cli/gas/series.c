#include "cli/gas/series.h"

#include "cli/cli.h"
#include "cli/output/files/endings.h"
#include "cli/run/rescue.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[GAS_SERIES_KINDS] = {
    [GAS_SERIES_RDF] = "rdf",
    [GAS_SERIES_SPEEDS] = "speeds",
    [GAS_SERIES_PROFILE] = "profile",
    [GAS_SERIES_MSD] = "msd",
    [GAS_SERIES_STRUCTURE] = "structure",
    [GAS_SERIES_VACF] = "vacf",
    [GAS_SERIES_CLUSTERS] = "clusters",
    [GAS_SERIES_G6] = "g6",
};

/* Taking series
 * -------------------------------------------------------------------------------------------- */

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

/* Adds a column of g(r) for each two species: g_A_A, g_A_B. */
static enum shoal_status take_pairs(struct shoal_solver *solver, struct gas_series *series,
                                    struct shoal_error *error)
{
    struct shoal_gas_species species = {.size = sizeof species};
    struct shoal_gas_histogram histogram;
    enum shoal_status status = shoal_gas_get_species(solver, &species, error);
    size_t pair = 0;
    for (size_t a = 0; a < species.count && !status && species.count > 1; a++)
        for (size_t b = a; b < species.count && !status; b++) {
            char *name = series->pairs[pair++];
            snprintf(name, sizeof *series->pairs, "g_%s_%s", species.names[a], species.names[b]);
            status = shoal_gas_get_pair_rdf(solver, a, b, &histogram, error);
            if (!status)
                copy_column(series, name, histogram.value);
        }
    return status;
}

static enum shoal_status take_histogram(struct shoal_solver *solver, const struct shoal_gas_params *params,
                                        struct gas_series *series, struct shoal_error *error)
{
    static const char *const axes[] = {"", "x", "y", "z"};
    const struct {
        enum shoal_gas_histogram_kind kind;
        const char *of, *value;
    } shown[] = {
        [GAS_SERIES_RDF] = {SHOAL_GAS_RDF, "r", "g"},
        [GAS_SERIES_SPEEDS] = {SHOAL_GAS_SPEEDS, "speed", "density"},
        [GAS_SERIES_PROFILE] = {SHOAL_GAS_PROFILE, axes[params->profile_axis], "density"},
    };
    struct shoal_gas_histogram histogram;
    enum shoal_status status = shoal_gas_get_histogram(solver, shown[series->kind].kind, &histogram, error);
    if (status || histogram.bins == 0)
        return status;
    series->samples = histogram.samples;
    series->rows = histogram.bins;
    double *middle = add_column(series, shown[series->kind].of);
    for (size_t b = 0; b < histogram.bins; b++)
        middle[b] = ((double)b + 0.5) * histogram.width;
    copy_column(series, shown[series->kind].value, histogram.value);
    if (histogram.theory)
        copy_column(series, "maxwell", histogram.theory);
    return series->kind == GAS_SERIES_RDF ? take_pairs(solver, series, error) : SHOAL_OK;
}

static enum shoal_status take_msd(struct shoal_solver *solver, const struct shoal_gas_params *params,
                                  struct gas_series *series, struct shoal_error *error)
{
    static const char *const names[] = {"msd_x", "msd_y", "msd_z"};
    struct shoal_gas_msd msd;
    enum shoal_status status = shoal_gas_get_msd(solver, &msd, error);
    if (status || msd.samples == 0)
        return status;
    series->samples = series->rows = msd.samples;
    series->diffusion = msd.diffusion;
    series->diffusion_error = msd.diffusion_error;
    double *time = add_column(series, "time"), *total = add_column(series, "msd");
    for (size_t i = 0; i < msd.samples; i++) {
        time[i] = msd.sample[i].time;
        total[i] = msd.sample[i].total;
    }
    for (size_t k = 0; k < params->dim; k++) {
        double *along = add_column(series, names[k]);
        for (size_t i = 0; i < msd.samples; i++)
            along[i] = msd.sample[i].along[k];
    }
    return SHOAL_OK;
}

static enum shoal_status take_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind,
                                    struct gas_series *series, struct shoal_error *error)
{
    struct shoal_gas_table table = {.size = sizeof table};
    enum shoal_status status = shoal_gas_get_table(solver, kind, &table, error);
    if (status || table.rows == 0)
        return status;
    series->samples = table.samples;
    series->rows = table.rows;
    for (size_t c = 0; c < table.columns; c++)
        copy_column(series, table.names[c], table.column[c]);
    return SHOAL_OK;
}

enum shoal_status gas_series_take(struct shoal_solver *solver, const struct shoal_gas_params *params,
                                  enum gas_series_kind kind, struct gas_series *series,
                                  struct shoal_error *error)
{
    *series = (struct gas_series){.kind = kind};
    if (kind == GAS_SERIES_STRUCTURE)
        return take_table(solver, SHOAL_GAS_STRUCTURE, series, error);
    if (kind == GAS_SERIES_VACF)
        return take_table(solver, SHOAL_GAS_MOTION, series, error);
    if (kind == GAS_SERIES_CLUSTERS)
        return take_table(solver, SHOAL_GAS_CLUSTERS, series, error);
    if (kind == GAS_SERIES_G6)
        return take_table(solver, SHOAL_GAS_G6, series, error);
    if (kind == GAS_SERIES_PROFILE && params->profile_all)
        return take_table(solver, SHOAL_GAS_PROFILES, series, error);
    return kind == GAS_SERIES_MSD ? take_msd(solver, params, series, error)
                                  : take_histogram(solver, params, series, error);
}

void gas_series_clear(struct gas_series *series)
{
    for (size_t c = 0; c < series->column_count; c++)
        free(series->columns[c]);
    *series = (struct gas_series){0};
}

/* Showing series
 * ------------------------------------------------------------------------------------------- */

void gas_series_json(cJSON *object, const struct gas_series *series)
{
    cJSON *own = cli_json_object(object, keys[series->kind]);
    cli_json_uint(own, "samples", series->samples);
    if (series->kind == GAS_SERIES_MSD) {
        cli_json_real(own, "diffusion", series->diffusion);
        cli_json_real(own, "diffusion_error", series->diffusion_error);
    }
    for (size_t c = 0; c < series->column_count; c++) {
        cJSON *array = cli_json_array(own, series->names[c]);
        for (size_t row = 0; row < series->rows; row++)
            cli_json_real(array, NULL, series->columns[c][row]);
    }
}

int gas_series_check(const char *option, const char *path)
{
    if (!cli_has_format(path, ".csv") && !cli_has_format(path, ".json"))
        return cli_error(
            CLI_USAGE,
            "%s: the ending of '%s' names no format; use .csv or .json, with .gz behind it for a packed file",
            option, path);
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
            fprintf(out, "%s%s", c ? "," : "",
                    isnan(series->columns[c][row]) ? "" : decimal_text(series->columns[c][row], false).s);
        fputc('\n', out);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

int gas_series_write(const char *option, const char *path, const struct gas_series *series)
{
    char *text;
    int code = CLI_OK;
    if (cli_has_format(path, ".json")) {
        cJSON *json = cli_json_new("gas");
        gas_series_json(json, series);
        text = cli_json_file(json);
    } else {
        text = csv_text(series);
    }
    if (!text)
        code = cli_error(CLI_FAILURE, "out of memory");
    else
        code = run_write_bytes(option, path, text, strlen(text));
    free(text);
    return code;
}
