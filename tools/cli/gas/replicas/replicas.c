#include "cli/gas/replicas/replicas.h"

#include "base/clock.h"
#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/output/files/endings.h"
#include "cli/output/text.h"
#include "cli/run/rescue.h"
#include "io/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/replicas.h>
#include <stdlib.h>
#include <string.h>

static const struct replicas_values *values_of(const struct cli *cli)
{
    return cli->values;
}

/* Sweeps ----------------------------------------------------------------------------------------------- */

/* Reads a number that ends before `end`. */
static bool take_number(const char **at, char end, double *value)
{
    const char *rest = decimal_read(*at, value);
    if (rest == *at || *rest != end || !isfinite(*value))
        return false;
    *at = rest + (end != '\0');
    return true;
}

/* FIRST:LAST:COUNT. */
static bool take_range(const char *text, struct replicas_axis *axis)
{
    double first, last, count;
    if (!take_number(&text, ':', &first) || !take_number(&text, ':', &last) ||
        !take_number(&text, '\0', &count) || !(count >= 1) || count > SHOAL_GAS_REPLICAS_MOST ||
        count != floor(count))
        return false;
    axis->count = (size_t)count;
    axis->values = cli_alloc(axis->count * sizeof *axis->values);
    for (size_t i = 0; i < axis->count; i++)
        axis->values[i] = i == 0 ? first : first + (last - first) * (double)i / (count - 1);
    return true;
}

/* VALUE,VALUE,... */
static bool take_list(const char *text, struct replicas_axis *axis)
{
    size_t count = 1;
    for (const char *at = text; *at; at++)
        count += *at == ',';
    axis->values = cli_alloc(count * sizeof *axis->values);
    axis->count = count;
    for (size_t i = 0; i < count; i++)
        if (!take_number(&text, i + 1 < count ? ',' : '\0', &axis->values[i]))
            return false;
    return true;
}

static int take_sweep(const char *text, struct replicas_run *run)
{
    static const char *const names[] = {"temperature=", "density=", "fraction="};
    struct replicas_axis *const axes[] = {&run->temperature, &run->density, &run->fraction};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) != 0)
            continue;
        if (axes[i]->count)
            return cli_error(CLI_USAGE, "--sweep: there are two sweeps of %.*s: give one", (int)length - 1,
                             text);
        if (strchr(text, ':') ? take_range(text + length, axes[i]) : take_list(text + length, axes[i]))
            return CLI_OK;
        return cli_error(CLI_USAGE,
                         "--sweep %s: give FIRST:LAST:COUNT with a COUNT of 1 to %d, or VALUE,VALUE,...",
                         text, SHOAL_GAS_REPLICAS_MOST);
    }
    return cli_error(CLI_USAGE,
                     "--sweep %s: give temperature=VALUES, density=VALUES or "
                     "fraction=VALUES",
                     text);
}

static int take_sweeps(const struct cli *cli, struct replicas_run *run)
{
    char *text = cli_strdup(values_of(cli)->sweep ? values_of(cli)->sweep : ""), *rest = text;
    int code = CLI_OK;
    for (char *one = strtok_r(text, " ", &rest); one && code == CLI_OK; one = strtok_r(NULL, " ", &rest))
        code = take_sweep(one, run);
    free(text);
    return code;
}

static void run_free(struct replicas_run *run)
{
    free(run->temperature.values);
    free(run->density.values);
    free(run->fraction.values);
    free(run->temperatures);
    free(run->fractions);
    free(run->densities);
    free(run->rows);
    gas_replicas_free_rdf(&run->rdf);
}

/* Lists the replicas: by temperature, then by density, then by fraction, then by seed. */
static int list_replicas(const struct cli *cli, struct replicas_run *run)
{
    int code = take_sweeps(cli, run);
    if (code != CLI_OK)
        return code;
    const size_t temperatures = run->temperature.count ? run->temperature.count : 1,
                 densities = run->density.count ? run->density.count : 1,
                 fractions = run->fraction.count ? run->fraction.count : 1,
                 each = values_of(cli)->count ? (size_t)values_of(cli)->count : 1;
    const double all = (double)temperatures * (double)densities * (double)fractions * (double)each;
    if (all > SHOAL_GAS_REPLICAS_MOST)
        return cli_error(CLI_USAGE,
                         "--replicas and --sweep ask for %.0f replicas, %d are allowed: lower them", all,
                         SHOAL_GAS_REPLICAS_MOST);
    run->count = (size_t)all;
    run->temperatures = run->temperature.count ? cli_alloc(run->count * sizeof(double)) : NULL;
    run->densities = run->density.count ? cli_alloc(run->count * sizeof(double)) : NULL;
    run->fractions = run->fraction.count ? cli_alloc(run->count * sizeof(double)) : NULL;
    for (size_t i = 0; i < run->count; i++) {
        if (run->temperatures)
            run->temperatures[i] = run->temperature.values[i / (each * fractions * densities)];
        if (run->densities)
            run->densities[i] = run->density.values[i / (each * fractions) % densities];
        if (run->fractions)
            run->fractions[i] = run->fraction.values[i / each % fractions];
    }
    return CLI_OK;
}

void gas_replicas_imply(const struct replicas_values *values, struct shoal_gas_params *params)
{
    /* the range of the attraction, beyond the first neighbours */
    const double distance = 1.5 * params->sigma;
    if (values->diagram && params->cluster_distance == 0 && params->potential == SHOAL_GAS_LJ)
        params->cluster_distance = params->cutoff < distance ? params->cutoff : distance;
}

/* Checks ----------------------------------------------------------------------------------------------- */

static bool is_asked(const struct cli *cli)
{
    return values_of(cli)->count || values_of(cli)->sweep;
}

static int refuse(const char *option)
{
    return cli_error(CLI_USAGE, "--replicas and --sweep give means alone: leave out --%s", option);
}

/* Refuses options that have no effect on replicas: files of a run, and ways to make its steps. */
static int check_others(const struct cli *cli)
{
    static const char *const others[] = {"thermo-columns", "control",    "live", "resume",
                                         "split",          "hang-limit", "on",   "energy"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_is_given(cli, others[i]))
            return refuse(others[i]);
    for (size_t g = 0; g < cli->groups->count; g++)
        for (size_t i = 0; i < cli->groups->group[g].count; i++) {
            const struct shoal_option *option = &cli->groups->group[g].options[i];
            if ((option->flags & SHOAL_OPTION_WRITES) && strcmp(option->name, "replicas-file") != 0 &&
                strcmp(option->name, "phase-diagram") != 0 && strcmp(option->name, "rdf-file") != 0 &&
                cli_is_given(cli, option->name))
                return refuse(option->name);
        }
    return CLI_OK;
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* A value twice would draw two states as one. */
static int check_values(const char *name, const struct replicas_axis *axis)
{
    if (axis->count < 2)
        return CLI_OK;
    double *values = cli_alloc(axis->count * sizeof *values);
    size_t twice = 0;
    memcpy(values, axis->values, axis->count * sizeof *values);
    qsort(values, axis->count, sizeof *values, by_value);
    for (size_t i = 1; i < axis->count && !twice; i++)
        twice = values[i] == values[i - 1] ? i : 0;
    const double value = values[twice];
    free(values);
    return twice ? cli_error(CLI_USAGE,
                             "--phase-diagram: --sweep %s has the value %g twice: give each value once", name,
                             value)
                 : CLI_OK;
}

static int check_diagram(const struct replicas_run *run, const char *path)
{
    if (run->density.count < 2)
        return cli_error(CLI_USAGE, "--phase-diagram shows pressures of several densities: give them by "
                                    "--sweep density=VALUES");
    if (run->fraction.count)
        return cli_error(CLI_USAGE, "--phase-diagram is of one mixture: leave out --sweep fraction");
    int code = check_values("temperature", &run->temperature);
    if (code == CLI_OK)
        code = check_values("density", &run->density);
    return code == CLI_OK ? chart_check("--phase-diagram", path) : code;
}

int gas_replicas_check(const struct cli *cli)
{
    struct replicas_run run = {.count = 0};
    if (!is_asked(cli))
        return CLI_OK;
    int code = check_others(cli);
    if (code != CLI_OK)
        return code;
    if (cli->stage)
        return cli_error(CLI_USAGE, "--replicas and --sweep have no stages: leave them out");
    code = list_replicas(cli, &run);
    if (code == CLI_OK && run.temperature.count && cli_is_given(cli, "temperature"))
        code = cli_error(CLI_USAGE, "--sweep gives the temperatures: leave out --temperature");
    if (code == CLI_OK && run.density.count && cli_is_given(cli, "density"))
        code = cli_error(CLI_USAGE, "--sweep gives the densities: leave out --density");
    const char *file = values_of(cli)->file;
    if (code == CLI_OK && file && !cli_has_format(file, ".csv") && !cli_has_format(file, ".json"))
        code = cli_error(CLI_USAGE,
                         "--replicas-file: the ending of '%s' names no format; use .csv or .json, with .gz "
                         "behind it for a packed file",
                         file);
    if (code == CLI_OK && file && !cli_check_output("--replicas-file", file, false))
        code = CLI_FAILURE;
    if (code == CLI_OK && values_of(cli)->diagram)
        code = check_diagram(&run, values_of(cli)->diagram);
    run_free(&run);
    return code;
}

/* Run -------------------------------------------------------------------------------------------------- */

/* Makes all steps, in calls of about `call_s`: a signal is seen between two calls. */
static enum shoal_status make_steps(const struct cli *cli, struct shoal_gas_replicas *replicas,
                                    struct replicas_run *run, struct shoal_error *error)
{
    const double call_s = 0.3;
    const struct shoal_gas_params *params = cli->params;
    const uint64_t total = params->steps + params->equilibration;
    const double begin = clock_seconds();
    uint64_t done = 1;
    double some = 16, before = begin;
    enum shoal_status status = SHOAL_OK;
    while (!status && done > 0 && !cli_stopped(NULL)) {
        cli_progress_show("%zu replicas, step %" PRIu64 " of %" PRIu64, run->count, run->steps, total);
        status = shoal_gas_replicas_step(replicas, (uint64_t)some, &done, error);
        run->steps += done;
        const double now = clock_seconds();
        some = fmin(1e9, fmax(1, some * fmin(2, call_s / fmax(1e-9, now - before))));
        before = now;
    }
    cli_progress_end();
    run->seconds = clock_seconds() - begin;
    return status;
}

/* Copies the rows, whose texts live until the end of the process. */
static enum shoal_status take_rows(struct shoal_gas_replicas *replicas, struct replicas_run *run,
                                   struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    run->rows = cli_alloc(run->count * sizeof *run->rows);
    for (size_t i = 0; i < run->count && !status; i++) {
        struct shoal_gas_replica *row = &run->rows[i];
        row->size = sizeof *row;
        status = shoal_gas_replicas_get(replicas, i, row, error);
        if (!status && row->failure)
            row->failure = cli_keep(row->failure);
    }
    return status;
}

static enum shoal_status run_all(const struct cli *cli, struct replicas_run *run, struct shoal_error *error)
{
    struct shoal_device *device = cli->devices[0];
    struct shoal_gas_params gas;
    struct shoal_queue *queue = NULL;
    struct shoal_gas_replicas *replicas = NULL;
    memcpy(&gas, cli->params, sizeof gas);
    gas.size = sizeof gas; /* not that of the block of the command */
    run->has_species = gas.species != NULL;
    run->has_clusters = gas.cluster_distance > 0;
    run->thermostat = gas.thermostat;
    const struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = run->count, .temperature = run->temperatures,
                                  .density = run->densities, .fraction = run->fractions,
                                  .variant = (enum shoal_variant)cli->common.variant);
    enum shoal_status status =
        shoal_device_get_info(device)->is_host ? SHOAL_OK : shoal_queue_create(device, 0, &queue, error);
    if (!status)
        status = shoal_gas_replicas_create(device, queue, &params, &replicas, error);
    if (!status)
        status = make_steps(cli, replicas, run, error);
    if (!status)
        status = take_rows(replicas, run, error);
    if (!status && gas.rdf_bins)
        status = gas_replicas_take_rdf(replicas, run, error);
    shoal_gas_replicas_destroy(&replicas);
    shoal_queue_destroy(&queue);
    return status;
}

/* Output ----------------------------------------------------------------------------------------------- */

static struct gas_replicas_table table_of(const struct replicas_run *run)
{
    const size_t temperatures = run->temperature.count ? run->temperature.count : 1,
                 densities = run->density.count ? run->density.count : 1;
    return (struct gas_replicas_table){run->rows, temperatures, densities,
                                       run->count / (temperatures * densities),
                                       gas_kinetic_part(run->thermostat, (double)run->rows->particles)};
}

/* NaN: unknown. */
static struct gas_estimate boyle_of(const struct replicas_run *run)
{
    const struct gas_replicas_table table = table_of(run);
    return run->fraction.count ? (struct gas_estimate){NAN, NAN} : gas_replicas_boyle(&table);
}

static cJSON *document(const struct cli *cli, const struct replicas_run *run)
{
    cJSON *json = cli_json_new("gas");
    cli_json_device(json, "device", cli->devices[0]);
    cli_json_uint(json, "steps", run->steps);
    cli_json_real(json, "seconds", run->seconds);
    cli_json_real(json, "particle_steps_per_second", gas_replicas_speed(run));
    const struct gas_estimate boyle = boyle_of(run);
    cli_json_real(json, "boyle_temperature", boyle.value);
    cli_json_real(json, "boyle_temperature_error", boyle.error);
    gas_replicas_json(json, run);
    return json;
}

static int show(const struct cli *cli, const struct replicas_run *run)
{
    const char *file = values_of(cli)->file;
    /* Far above the rounding of sums in single precision. */
    const double largest_error = 1e-4;
    const struct gas_replicas_table table = table_of(run);
    const struct gas_estimate boyle = boyle_of(run);
    size_t stopped = 0, wrong = 0;
    int code = file ? gas_replicas_write("--replicas-file", file, run, false) : CLI_OK;
    if (values_of(cli)->rdf)
        code = cli_first_failure(code, gas_replicas_write("--rdf-file", values_of(cli)->rdf, run, true));
    if (values_of(cli)->diagram)
        code = cli_first_failure(code, gas_replicas_diagram(values_of(cli)->diagram, &table));
    for (size_t i = 0; i < run->count; i++) {
        stopped += run->rows[i].failure != NULL;
        wrong += run->rows[i].energy_error > largest_error;
    }
    if (wrong)
        code = cli_error(CLI_CHECK,
                         "the potential energies of %zu replicas are wrong: their energy_error is "
                         "above %g",
                         wrong, largest_error);
    if (stopped)
        code = cli_first_failure(code,
                                 cli_error(CLI_CHECK, "%zu of %zu replicas have stopped: their rows say why",
                                           stopped, run->count));
    if (cli->common.json)
        return cli_first_failure(code, cli_json_print(document(cli, run)));
    gas_replicas_print(cli, run);
    if (isfinite(boyle.value))
        cli_print("Boyle temperature %s, from the two lowest densities\n",
                  cli_uncertain(boyle.value, boyle.error).s);
    return cli_first_failure(code, cli_flush());
}

bool gas_replicas_instead(struct cli *cli, int *code)
{
    struct replicas_run run = {.count = 0};
    struct shoal_error error = {0};
    if (!is_asked(cli))
        return false;
    *code = list_replicas(cli, &run);
    if (*code == CLI_OK)
        *code = cli_select(cli, NULL, 0);
    if (*code == CLI_OK && cli->device_count > 1)
        *code = cli_error(CLI_USAGE, "replicas run on one device, --device selects %zu: name one",
                          cli->device_count);
    if (*code == CLI_OK && run_all(cli, &run, &error))
        *code = cli_fail(NULL, &error);
    else if (*code == CLI_OK)
        *code = show(cli, &run);
    if (cli_stopped(NULL))
        *code = cli_exit_code(SHOAL_STOPPED); /* the command says that it was stopped */
    run_free(&run);
    return true;
}
