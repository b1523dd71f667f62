/* The means of replicas and their g(r): JSON, files and the table. */
#include "cli/gas/replicas/replicas.h"

#include "cli/cli.h"
#include "cli/output/files/endings.h"
#include "cli/output/text.h"
#include "cli/run/rescue.h"
#include "io/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a row, in the order of the columns of files. */
enum { NUMBERS = 11 };
static const char *const number_names[NUMBERS] = {"temperature",
                                                  "density",
                                                  "fraction",
                                                  "mean_temperature",
                                                  "mean_temperature_error",
                                                  "pressure",
                                                  "pressure_error",
                                                  "potential",
                                                  "potential_error",
                                                  "largest_cluster",
                                                  "largest_cluster_error"};

static void numbers_of(const struct shoal_gas_replica *row, double numbers[NUMBERS])
{
    const double all[NUMBERS] = {row->temperature,
                                 row->density,
                                 row->fraction,
                                 row->mean_temperature,
                                 row->mean_temperature_error,
                                 row->pressure,
                                 row->pressure_error,
                                 row->potential,
                                 row->potential_error,
                                 row->largest_cluster,
                                 row->largest_cluster_error};
    memcpy(numbers, all, sizeof all);
}

const struct json_field gas_replicas_fields[] = {
    {"device", "", "with --replicas or --sweep: the device"},
    {"steps", "", "with --replicas or --sweep: steps of each replica, equilibration included"},
    {"seconds", "s", "with --replicas or --sweep: time of the steps"},
    {"particle_steps_per_second", "1/s", "with --replicas or --sweep: speed of all replicas together"},
    {"boyle_temperature", "reduced",
     "with sweeps and a thermostat: where the second virial coefficient of the two lowest densities is 0; "
     "null: unknown"},
    {"boyle_temperature_error", "reduced", "standard error of boyle_temperature"},
    {"replicas[].index", "", "number of the replica, from 0 on"},
    {"replicas[].seed", "", "seed of the random numbers"},
    {"replicas[].particles", "", "number of particles"},
    {"replicas[].steps", "", "steps made, equilibration included"},
    {"replicas[].samples", "", "samples in the means"},
    {"replicas[].rebuilds", "", "builds of the neighbour list"},
    {"replicas[].failure", "", "why the replica has stopped; null: it has not"},
    {"replicas[].temperature", "reduced", "temperature of the thermostat, or of the start"},
    {"replicas[].density", "reduced", "number density"},
    {"replicas[].fraction", "", "fraction of the particles that are of the first species; null: one species"},
    {"replicas[].mean_temperature", "reduced", "mean temperature; null: the replica has stopped"},
    {"replicas[].mean_temperature_error", "reduced", "standard error of mean_temperature"},
    {"replicas[].pressure", "reduced", "mean pressure"},
    {"replicas[].pressure_error", "reduced", "standard error of pressure"},
    {"replicas[].potential", "reduced", "mean potential energy of a particle"},
    {"replicas[].potential_error", "reduced", "standard error of potential"},
    {"replicas[].largest_cluster", "",
     "mean fraction of the particles in the largest cluster, with --cluster-distance or --phase-diagram"},
    {"replicas[].largest_cluster_error", "", "standard error of largest_cluster"},
    {"replicas[].energy_error", "", "relative error of the last potential energy, against double precision"},
    {"replicas[].rdf.r[]", "sigma", "middle of each bin, with --rdf-bins or --rdf-file"},
    {"replicas[].rdf.g[]", "", "g(r); null: the replica has stopped"},
    {"replicas[].rdf.g_error[]", "", "standard error of g"},
    {"replicas[].rdf.g_A_B[]", "", "g(r) between the species A and B, for each two species"},
    {"replicas[].rdf.g_A_B_error[]", "", "standard error of g_A_B"},
    JSON_FIELDS_END};

/* g(r) --------------------------------------------------------------------------------------------------- */

static const double *column_of(const struct replicas_rdf *rdf, size_t index, size_t column)
{
    return rdf->numbers + (index * rdf->columns + column) * rdf->rows;
}

enum shoal_status gas_replicas_take_rdf(struct shoal_gas_replicas *replicas, struct replicas_run *run,
                                        struct shoal_error *error)
{
    struct replicas_rdf *rdf = &run->rdf;
    struct shoal_gas_table table = {.size = sizeof table};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < run->count && !status; i++) {
        status = shoal_gas_replicas_get_rdf(replicas, i, &table, error);
        if (status || table.rows == 0)
            continue;
        const size_t numbers = table.rows * table.columns;
        if (!rdf->rows) {
            rdf->rows = table.rows;
            rdf->columns = table.columns;
            rdf->names = cli_alloc(table.columns * sizeof *rdf->names);
            rdf->numbers = cli_alloc(run->count * numbers * sizeof *rdf->numbers);
            for (size_t at = 0; at < run->count * numbers; at++)
                rdf->numbers[at] = NAN;
            for (size_t c = 0; c < table.columns; c++)
                rdf->names[c] = cli_strdup(table.names[c]);
        }
        for (size_t c = 0; c < table.columns; c++)
            memcpy(rdf->numbers + (i * rdf->columns + c) * rdf->rows, table.column[c],
                   rdf->rows * sizeof *rdf->numbers);
    }
    return status;
}

void gas_replicas_free_rdf(struct replicas_rdf *rdf)
{
    for (size_t c = 0; c < rdf->columns; c++)
        free(rdf->names[c]);
    free(rdf->names);
    free(rdf->numbers);
}

static void add_rdf(cJSON *object, const struct replicas_rdf *rdf, size_t index)
{
    cJSON *own = rdf->rows ? cli_json_object(object, "rdf") : NULL;
    for (size_t c = 0; c < rdf->columns; c++)
        cli_json_reals(own, rdf->names[c], column_of(rdf, index, c), rdf->rows);
}

static void put_number(FILE *out, double number)
{
    fprintf(out, ",%s", isnan(number) ? "" : decimal_text(number, false).s);
}

/* A line for each bin of each replica that has not stopped. */
static void put_rdf(FILE *out, const struct replicas_run *run)
{
    const struct replicas_rdf *rdf = &run->rdf;
    fprintf(out, "index,temperature,density,fraction");
    for (size_t c = 0; c < rdf->columns; c++)
        fprintf(out, ",%s", rdf->names[c]);
    fputc('\n', out);
    for (size_t i = 0; i < run->count; i++)
        for (size_t row = 0; row < rdf->rows && !run->rows[i].failure; row++) {
            fprintf(out, "%zu", run->rows[i].index);
            put_number(out, run->rows[i].temperature);
            put_number(out, run->rows[i].density);
            put_number(out, run->rows[i].fraction);
            for (size_t c = 0; c < rdf->columns; c++)
                put_number(out, column_of(rdf, i, c)[row]);
            fputc('\n', out);
        }
}

/* Rows --------------------------------------------------------------------------------------------------- */

void gas_replicas_json(cJSON *json, const struct replicas_run *run)
{
    cJSON *list = cli_json_array(json, "replicas");
    for (size_t i = 0; i < run->count; i++) {
        const struct shoal_gas_replica *row = &run->rows[i];
        double numbers[NUMBERS];
        cJSON *object = cli_json_object(list, NULL);
        char seed[24];
        snprintf(seed, sizeof seed, "%" PRIu64, row->seed);
        numbers_of(row, numbers);
        cli_json_uint(object, "index", row->index);
        cli_json_text(object, "seed", seed);
        cli_json_uint(object, "particles", row->particles);
        cli_json_uint(object, "steps", row->steps);
        cli_json_uint(object, "samples", row->samples);
        cli_json_uint(object, "rebuilds", row->rebuilds);
        cli_json_text(object, "failure", row->failure);
        for (size_t k = 0; k < NUMBERS; k++)
            cli_json_real(object, number_names[k], numbers[k]);
        cli_json_real(object, "energy_error", row->energy_error);
        add_rdf(object, &run->rdf, i);
    }
}

static void put_rows(FILE *out, const struct replicas_run *run)
{
    fprintf(out, "index,seed,particles,steps,samples,rebuilds");
    for (size_t k = 0; k < NUMBERS; k++)
        fprintf(out, ",%s", number_names[k]);
    fprintf(out, ",failure\n");
    for (size_t i = 0; i < run->count; i++) {
        const struct shoal_gas_replica *row = &run->rows[i];
        double numbers[NUMBERS];
        numbers_of(row, numbers);
        fprintf(out, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, row->index, row->seed,
                row->particles, row->steps, row->samples, row->rebuilds);
        for (size_t k = 0; k < NUMBERS; k++)
            put_number(out, numbers[k]);
        fputc(',', out);
        cli_csv_text(out, row->failure ? row->failure : "");
        fputc('\n', out);
    }
}

/* The text that `put` writes. NULL: out of memory. */
static char *text_of(void (*put)(FILE *out, const struct replicas_run *run), const struct replicas_run *run)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    put(out, run);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

int gas_replicas_write(const char *option, const char *path, const struct replicas_run *run, bool is_rdf)
{
    char *text;
    if (cli_has_format(path, ".json")) {
        cJSON *json = cli_json_new("gas");
        gas_replicas_json(json, run);
        text = cli_json_file(json);
    } else {
        text = text_of(is_rdf ? put_rdf : put_rows, run);
    }
    const int code =
        text ? run_write_bytes(option, path, text, strlen(text)) : cli_error(CLI_FAILURE, "out of memory");
    free(text);
    return code;
}

double gas_replicas_speed(const struct replicas_run *run)
{
    return (double)run->count * (double)run->rows->particles * (double)run->steps / run->seconds;
}

void gas_replicas_print(const struct cli *cli, const struct replicas_run *run)
{
    static const struct cli_column all[] = {{.title = "replica", .right = true},
                                            {.title = "T", .right = true, .stays = true},
                                            {.title = "density", .right = true, .stays = true},
                                            {.title = "fraction", .right = true, .stays = true},
                                            {.title = "mean T", .right = true, .rank = 1},
                                            {.title = "pressure", .right = true},
                                            {.title = "potential", .right = true},
                                            {.title = "largest", .right = true},
                                            {.title = "rebuilds", .right = true, .rank = 2}};
    struct cli_column columns[sizeof all / sizeof *all];
    size_t count = 0;
    for (size_t c = 0; c < sizeof all / sizeof *all; c++)
        if ((run->has_species || strcmp(all[c].title, "fraction") != 0) &&
            (run->has_clusters || strcmp(all[c].title, "largest") != 0))
            columns[count++] = all[c];
    struct cli_table *table = cli_table_new(columns, count);
    for (size_t i = 0; i < run->count; i++) {
        const struct shoal_gas_replica *row = &run->rows[i];
        cli_table_row(table);
        cli_table_cell(table, "%zu", row->index);
        cli_table_cell(table, "%s", cli_number(row->temperature).s);
        cli_table_cell(table, "%s", cli_number(row->density).s);
        if (run->has_species)
            cli_table_cell(table, "%s", cli_number(row->fraction).s);
        if (row->failure) {
            cli_table_span(table, "%s", row->failure);
            continue;
        }
        cli_table_cell(table, "%s", cli_uncertain(row->mean_temperature, row->mean_temperature_error).s);
        cli_table_cell(table, "%s", cli_uncertain(row->pressure, row->pressure_error).s);
        cli_table_cell(table, "%s", cli_uncertain(row->potential, row->potential_error).s);
        if (run->has_clusters)
            cli_table_cell(table, "%s", cli_uncertain(row->largest_cluster, row->largest_cluster_error).s);
        cli_table_cell(table, "%" PRIu64, row->rebuilds);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    cli_print("%zu replica%s of %" PRIu64 " particles on %s: %" PRIu64 " steps in %s, %s\n", run->count,
              run->count == 1 ? "" : "s", run->rows->particles, shoal_device_get_info(cli->devices[0])->id,
              run->steps, cli_seconds(run->seconds).s, cli_si(gas_replicas_speed(run), "particle-steps/s").s);
}
