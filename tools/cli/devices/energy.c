#include "cli/devices/energy.h"

#include "cli/cli.h"
#include "cli/output/tables/layout.h"
#include "cli/row.h"
#include "cli/waiting.h"

#include <math.h>
#include <stdlib.h>

struct repeated {
    const struct cli_row *row;
    const void *params;
    struct shoal_run_params run;
    struct row_energy *energy;
};

static enum shoal_status run_again(void *data, struct shoal_error *error)
{
    struct repeated *repeated = data;
    struct shoal_report report = {0};
    const enum shoal_status status =
        cli_row_run_once(repeated->row, repeated->params, &repeated->run, &report, error);
    repeated->energy->work += status == SHOAL_OK ? report.timed_work : 0;
    repeated->energy->runs += status == SHOAL_OK;
    shoal_report_clear(&report);
    return status;
}

void row_energy_measure(struct cli_row *row, const void *params, const struct shoal_run_params *run)
{
    struct row_energy *energy = &row->energy;
    struct power_figure *power = &energy->power;
    struct shoal_error error = {.status = SHOAL_OK};
    struct repeated repeated = {.row = row, .params = params, .energy = energy};
    shoal_run_params_init(&repeated.run);
    repeated.run.variant = row->variant;
    repeated.run.stop = cli_stopped;
    repeated.run.hang_limit = run->hang_limit;
    repeated.run.resume = run->resume;
    energy->is_measured = true;
    if (row->stage) {
        *power = (struct power_figure){.watts = NAN, .idle_watts = NAN};
        power->error.status = SHOAL_UNSUPPORTED;
        snprintf(power->error.message, sizeof power->error.message, "the energy of a stage is not measured");
        return;
    }
    const size_t count = row->split ? row->split->count : 1;
    const struct shoal_device_info **infos = cli_alloc(count * sizeof *infos);
    for (size_t k = 0; k < count; k++)
        infos[k] = shoal_device_get_info(row->split ? row->split->devices[k] : row->device);
    char *ids = cli_row_devices(row);
    cli_progress_show("%s  %s  measures power", row->workload->name, ids);
    (void)!power_measure((struct power_devices){infos, count}, NULL, power_window_seconds, run_again,
                         &repeated, power, &error);
    free(ids);
    free(infos);
    cli_progress_end();
}

double row_energy_yield(const struct row_energy *energy)
{
    const double joules = energy->power.watts * energy->power.seconds;
    const bool is_known = energy->is_measured && energy->power.error.status == SHOAL_OK && joules > 0;
    return is_known ? energy->work / joules : NAN;
}

char *row_energy_text(const struct cli_row *row)
{
    const struct row_energy *energy = &row->energy;
    if (!energy->is_measured)
        return NULL;
    if (energy->power.error.status != SHOAL_OK)
        return cli_sprintf("-, %s", energy->power.error.message);
    char *unit = cli_sprintf("%s/J", row->result.work_unit ? row->result.work_unit : "work");
    char *text =
        cli_sprintf("%s, %s at rest, %s (%llu runs in %s)", cli_si(energy->power.watts, "W").s,
                    cli_si(energy->power.idle_watts, "W").s, cli_si(row_energy_yield(energy), unit).s,
                    (unsigned long long)energy->runs, cli_seconds(energy->power.seconds).s);
    free(unit);
    return text;
}

void row_energy_print(const struct cli_row *rows, size_t count)
{
    bool is_first = true;
    for (size_t r = 0; r < count; r++) {
        char *text = row_energy_text(&rows[r]);
        if (!text)
            continue;
        char *devices = cli_row_devices(&rows[r]);
        char *line = cli_sprintf("power of %s %s: %s", devices, cli_row_variant(&rows[r]).s, text);
        if (is_first)
            putchar('\n');
        is_first = false;
        cli_paragraph(stdout, 2, line);
        free(line);
        free(devices);
        free(text);
    }
}

void row_energy_json(const struct cli_row *row, cJSON *object)
{
    const struct row_energy *energy = &row->energy;
    if (!energy->is_asked)
        return;
    const bool is_known = energy->is_measured && energy->power.error.status == SHOAL_OK;
    cJSON *item = cli_json_object(object, "energy");
    cli_json_real(item, "power_w", is_known ? energy->power.watts : NAN);
    cli_json_real(item, "rest_power_w", is_known ? energy->power.idle_watts : NAN);
    cli_json_real(item, "work_per_joule", row_energy_yield(energy));
    cli_json_real(item, "window_s", is_known ? energy->power.seconds : NAN);
    cli_json_uint(item, "runs", energy->runs);
    cli_json_text(item, "reason",
                  is_known              ? NULL
                  : energy->is_measured ? energy->power.error.message
                                        : "the run gave no result that passed its check");
}
