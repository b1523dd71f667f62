#include "cli/search/positions.h"

#include "base/text.h"
#include "cli/output/files/endings.h"
#include "cli/run/rescue.h"
#include "io/decimal.h"

#include <endian.h>
#include <inttypes.h>
#include <shoal/search.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "--out";

enum format { FORMAT_CSV, FORMAT_NPY, FORMAT_TXT, FORMAT_JSON, FORMATS };
static const char *const endings[FORMATS] = {".csv", ".npy", ".txt", ".json"};

struct positions {
    const struct cli *cli;
    const struct cli_row *row;
    const struct shoal_solver *solver;
    size_t runs, dim;
    double *x; /* [runs][dim] */
};

static enum format format_of(const char *path)
{
    int format = 0;
    while (format < FORMATS && !cli_has_format(path, endings[format]))
        format++;
    return (enum format)format;
}

int positions_check(const char *path)
{
    return format_of(path) < FORMATS
               ? CLI_OK
               : cli_error(CLI_USAGE,
                           "%s: the ending of '%s' names no format; use .csv, .npy, .txt or .json, with "
                           ".gz behind it for a packed file",
                           option, path);
}

/* Formats --------------------------------------------------------------------------------------------------
 */

static void put_numbers(FILE *out, const struct positions *of, char between)
{
    for (size_t i = 0; i < of->runs * of->dim; i++)
        fprintf(out, "%s%c", decimal_text(of->x[i], (double)(float)of->x[i] == of->x[i]).s,
                (i + 1) % of->dim ? between : '\n');
}

static void put_csv(FILE *out, const struct positions *of)
{
    char name[SHOAL_SEARCH_NAME];
    for (size_t d = 0; d < of->dim; d++)
        fprintf(out, "%s%c", shoal_search_name(of->solver, d, name), d + 1 < of->dim ? ',' : '\n');
    put_numbers(out, of, ',');
}

/* Writes version 1.0 of the format: the header, padded to a multiple of 64 bytes, and numbers in double
 * precision. */
static void put_npy(FILE *out, const struct positions *of)
{
    enum { START = 10, ALIGNED = 64 };
    char *header =
        cli_sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", of->runs, of->dim);
    const size_t length = (START + strlen(header) + ALIGNED) / ALIGNED * ALIGNED - START;
    fwrite("\x93NUMPY\x01", 1, 7, out);
    fprintf(out, "%c%c%c%-*s\n", 0, (int)(length & 0xff), (int)(length >> 8), (int)length - 1, header);
    free(header);
    for (size_t i = 0; i < of->runs * of->dim; i++) {
        uint64_t word;
        memcpy(&word, &of->x[i], sizeof word);
        word = htole64(word);
        fwrite(&word, sizeof word, 1, out);
    }
}

static void put_json(FILE *out, const struct positions *of)
{
    const struct shoal_field *values = shoal_result_find(&of->row->result, "run_values");
    const uint64_t seed = ((const struct shoal_search_params *)of->cli->params)->seed;
    char name[SHOAL_SEARCH_NAME];
    cJSON *json = cli_json_new(of->cli->command->workload->name), *names = cli_json_array(json, "names");
    for (size_t d = 0; d < of->dim; d++)
        cli_json_text(names, NULL, shoal_search_name(of->solver, d, name));
    cJSON *runs = cli_json_array(json, "runs");
    for (size_t r = 0; r < of->runs; r++) {
        cJSON *run = cli_json_object(runs, NULL);
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, seed + r);
        cli_json_text(run, "seed", text); /* may be too large for a number in JSON */
        cli_json_real(run, "value", values && r < values->count ? values->reals[r] : of->row->result.value);
        cli_json_reals(run, "position", of->x + r * of->dim, of->dim);
    }
    char *whole = cli_json_file(json);
    fputs(whole ? whole : "", out);
    free(whole);
}

/* -----------------------------------------------------------------------------------------------------------
 */

static int write_file(const struct positions *of, const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    int code = CLI_OK;
    if (out)
        switch (format_of(path)) {
        case FORMAT_NPY:
            put_npy(out, of);
            break;
        case FORMAT_TXT:
            put_numbers(out, of, ' ');
            break;
        case FORMAT_JSON:
            put_json(out, of);
            break;
        default:
            put_csv(out, of);
        }
    if (!out || fclose(out) != 0)
        code = cli_error(CLI_FAILURE, "out of memory");
    else
        code = run_write_bytes(option, path, text, bytes);
    free(text);
    return code;
}

int positions_write(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                    const char *path, char **text)
{
    const struct shoal_field *best = shoal_result_find(&row->result, "position");
    const uint64_t runs = ((const struct shoal_search_params *)cli->params)->runs;
    struct positions of = {
        .cli = cli, .row = row, .solver = solver, .runs = (size_t)runs, .dim = best ? best->count : 0};
    struct shoal_error error = {0};
    enum shoal_status status = SHOAL_OK;
    *text = NULL;
    if (!best)
        return CLI_OK;
    of.x = cli_alloc(of.runs * of.dim * sizeof *of.x);
    for (uint64_t r = 0; r < runs && !status; r++)
        status = shoal_search_run_position(solver, r, of.x + r * of.dim, of.dim, &error);
    char *name = cli_row_path(cli, row, path);
    const int code = status ? cli_fail(option, &error) : write_file(&of, name);
    if (code == CLI_OK)
        *text = of.runs > 1 ? cli_sprintf("%s (a row for each of the %zu runs, of %zu numbers)", name,
                                          of.runs, of.dim)
                            : cli_sprintf("%s (%zu number%s)", name, of.dim, of.dim == 1 ? "" : "s");
    free(name);
    free(of.x);
    return code;
}
