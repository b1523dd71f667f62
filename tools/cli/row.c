/* One workload on one device: timed runs and their record. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output/stats.h"
#include "cli/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_row_valid(const struct cli_row *row)
{
    return row->samples > 0 &&
           (row->error.status == SHOAL_OK || row->error.status == SHOAL_STOPPED || row->unsaved);
}

bool cli_row_has_result(const struct cli_row *row)
{
    return cli_row_valid(row) || (row->samples > 0 && row->error.status == SHOAL_CHECK_FAILED);
}

bool cli_row_is_abandoned(const struct cli *cli, const struct cli_row *row)
{
    return row->error.status == SHOAL_DEVICE_LOST && shoal_is_hung(cli->shoal);
}

const struct shoal_result *cli_first_result(const struct cli_row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++)
        if (cli_row_valid(&rows[r]))
            return &rows[r].result;
    for (size_t r = 0; r < count; r++)
        if (cli_row_has_result(&rows[r]))
            return &rows[r].result;
    return NULL;
}

const char *cli_row_choice(const struct cli_row *row, const struct shoal_option *option)
{
    const struct shoal_field *field = option->type == SHOAL_OPTION_CHOICE && cli_row_has_result(row)
                                          ? shoal_result_find(&row->result, option->name)
                                          : NULL;
    return field && field->type == SHOAL_FIELD_TEXT ? field->text : NULL;
}

/* The value of an option as output shows it: "precision=fp32". If all rows computed with the same value and
 * it differs from the given value, shows only the value of the rows; if only some rows computed with another
 * value, shows both: "precision=fp32 (host: fp64)". "": the value is the default, which is not shown. */
static char *shown_value(const struct shoal_option *option, const void *params, const void *defaults,
                         const struct cli_row *rows, size_t count)
{
    const struct cli_text given = cli_value_get(option, params);
    char *line = cli_values_line(option, 1, params, defaults), *others = NULL;
    const char *common = NULL;
    bool is_common = count > 0;
    for (size_t r = 0; r < count && *line; r++) {
        const char *computed = cli_row_choice(&rows[r], option), *label = rows[r].label;
        is_common = is_common && computed && (!common || strcmp(common, computed) == 0);
        common = computed;
        if (!computed || strcmp(computed, given.s) == 0)
            continue;
        char *longer = cli_sprintf("%s%s%s%s%s: %s", others ? others : "", others ? ", " : "",
                                   shoal_device_get_info(rows[r].device)->id, label ? " " : "",
                                   label ? label : "", computed);
        free(others);
        others = longer;
    }
    if (others) {
        free(line);
        line = is_common ? cli_sprintf("%s=%s", option->name, common)
                         : cli_sprintf("%s=%s (%s)", option->name, given.s, others);
    }
    free(others);
    return line;
}

/* Whether the option had no effect on any row that has a result. */
static bool is_unused(const struct shoal_option *option, const struct cli_row *rows, size_t count)
{
    size_t used = 0, unused = 0;
    for (size_t r = 0; r < count; r++) {
        const char *name = rows[r].result.unused;
        const bool is_it = name && strcmp(name, option->name) == 0;
        unused += cli_row_has_result(&rows[r]) && is_it;
        used += cli_row_has_result(&rows[r]) && !is_it;
    }
    return unused && !used;
}

/* Lists the options whose flags, masked by `among`, equal `flags`. */
static char *values_line(const struct cli_row *rows, size_t count, const struct shoal_workload *workload,
                         const void *params, unsigned among, unsigned flags)
{
    void *defaults = cli_alloc(workload->params_size);
    workload->params_init(defaults);
    char *line = cli_strdup("");
    for (size_t i = 0; i < workload->option_count; i++) {
        if ((workload->options[i].flags & among) != flags || is_unused(&workload->options[i], rows, count))
            continue;
        char *value = shown_value(&workload->options[i], params, defaults, rows, count);
        char *longer = cli_sprintf("%s%s%s", line, *line && *value ? " " : "", value);
        free(value);
        free(line);
        line = longer;
    }
    free(defaults);
    return line;
}

char *cli_run_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                   size_t count)
{
    return values_line(rows, count, workload, params, 0, 0);
}

char *cli_stage_line(const struct cli_stage *stage, bool own)
{
    return values_line(NULL, 0, stage->cli.command->workload, stage->cli.params, SHOAL_OPTION_STAGE,
                       own ? SHOAL_OPTION_STAGE : 0);
}

char *cli_work_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                    size_t count)
{
    const struct shoal_result *result = cli_first_result(rows, count);
    const bool has_stages = count && rows[0].stage;
    char *values = values_line(rows, count, workload, params, has_stages ? SHOAL_OPTION_STAGE : 0, 0);
    char *line = cli_sprintf("%s%s%s", result && result->title ? result->title : "",
                             result && result->title && *values ? "; " : "", values);
    text_clean(line, "");
    free(values);
    return line;
}

struct cli_text cli_row_variant(const struct cli_row *row)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    struct cli_text text = {"cl"};
    if (info->is_host)
        snprintf(text.s, sizeof text.s, "t%u", info->units);
    else if (row->native || row->variant == SHOAL_VARIANT_CU)
        text = (struct cli_text){"cu"};
    return text;
}

char *cli_row_tag(const struct cli *cli, const struct cli_row *row)
{
    const char *label = row->stage ? NULL : row->label;
    char *tag = cli_sprintf("%s%s%s%s", cli->device_count > 1 ? "-" : "",
                            cli->device_count > 1 ? shoal_device_get_info(row->device)->id : "",
                            label ? "-" : "", label ? label : "");
    for (char *colon = tag; (colon = strchr(colon, ':'));)
        *colon = '-';
    return tag;
}

char *cli_row_path(const struct cli *cli, const struct cli_row *row, const char *path)
{
    char *tag = cli_row_tag(cli, row), *name = cli_tagged_path(path, tag);
    free(tag);
    return name;
}

char *cli_row_title(const struct cli_row *row)
{
    char *devices = cli_row_devices(row);
    char *title =
        cli_sprintf("shoal %s: %s, %s%s%s", row->workload->name, row->result.title ? row->result.title : "",
                    devices, row->label ? ", " : "", row->label ? row->label : "");
    free(devices);
    return title;
}

struct cli_text cli_result_value(const struct shoal_result *result)
{
    const bool has_unit = isfinite(result->value) && result->value_unit && *result->value_unit;
    struct cli_text text;
    snprintf(text.s, sizeof text.s, "%.60s%s%.12s", cli_digits(result->value, result->value_digits).s,
             has_unit ? " " : "", has_unit ? result->value_unit : "");
    return text;
}

static void clear_result(struct cli_row *row)
{
    for (size_t i = 0; i < row->result.field_count; i++)
        if (row->result.fields[i].type == SHOAL_FIELD_REALS)
            free((void *)row->result.fields[i].reals);
    row->result.field_count = 0;
}

void cli_row_clear(struct cli_row *row)
{
    clear_result(row);
    free(row->parts);
    samples_clear(&row->samples_kept);
}

/* Copies the result into the row. Devices run one after another, and each should have all memory for itself,
 * so the solver, which owns the result, is destroyed before the result is printed. */
static void keep_result(struct cli_row *row, const struct shoal_result *result)
{
    struct shoal_result *kept = &row->result;
    clear_result(row);
    *kept = *result;
    kept->value_name = cli_keep(result->value_name);
    kept->value_unit = result->value_unit ? cli_keep(result->value_unit) : NULL;
    kept->check_name = cli_keep(result->check_name);
    kept->work_unit = cli_keep(result->work_unit);
    kept->title = result->title ? cli_keep(result->title) : NULL;
    kept->unused = result->unused ? cli_keep(result->unused) : NULL;
    kept->note = result->note ? cli_keep(result->note) : NULL;
    kept->warning = result->warning ? cli_keep(result->warning) : NULL;
    for (size_t i = 0; i < kept->field_count; i++) {
        struct shoal_field *field = &kept->fields[i];
        field->name = cli_keep(field->name);
        field->unit = cli_keep(field->unit);
        field->text = field->text ? cli_keep(field->text) : NULL;
        if (field->type == SHOAL_FIELD_REALS) {
            double *reals = cli_alloc(field->count * sizeof *reals);
            memcpy(reals, field->reals, field->count * sizeof *reals);
            field->reals = reals;
        }
    }
}

static void keep_parts(struct cli_row *row, const struct shoal_solver *solver)
{
    struct shoal_error error;
    row->part_count = shoal_part_count(solver);
    row->parts = cli_realloc(row->parts, (row->part_count + 1) * sizeof *row->parts);
    for (size_t k = 0; k < row->part_count; k++) {
        row->parts[k] = (struct shoal_part){.size = sizeof row->parts[k]};
        if (shoal_part_get(solver, k, &row->parts[k], &error))
            row->part_count = k;
    }
}

const struct shoal_part *cli_row_faster_alone(const struct cli_row *row, double *alone, double *together)
{
    /* least time of a run; least share of the time of a run that a device must save */
    static const double least_s = 0.1, margin = 0.1;
    const struct shoal_part *best = NULL;
    uint64_t units = 0;
    bool has_moved = false;
    *alone = INFINITY;
    *together = 0;
    for (size_t k = 0; k < row->part_count; k++) {
        const struct shoal_part *part = &row->parts[k];
        units += part->count;
        has_moved = has_moved || part->moves;
        *together = fmax(*together, part->busy_s + part->waited_s);
    }
    /* The seconds of a part include the wait until the other devices have made their first launches; wall_s
     * does not. */
    *together = fmin(*together, row->wall_s);
    for (size_t k = 0; k < row->part_count && !has_moved; k++) {
        const struct shoal_part *part = &row->parts[k];
        const double seconds = part->busy_s * (double)units / (double)part->count;
        if (part->count && seconds < *alone) {
            *alone = seconds;
            best = part;
        }
    }
    return *together >= least_s && *alone < (1 - margin) * *together ? best : NULL;
}

char *cli_row_devices(const struct cli_row *row)
{
    /* Devices of a divided run: the devices that have a part, or all devices before there are parts. */
    const size_t count = row->part_count ? row->part_count : row->split ? row->split->count : 1;
    char *ids = cli_strdup("");
    for (size_t k = 0; k < count; k++) {
        const struct shoal_device *device = row->split ? row->split->devices[k] : row->device;
        const char *id = row->part_count ? row->parts[k].device : shoal_device_get_info(device)->id;
        char *longer = cli_sprintf("%s%s%s", ids, k ? " + " : "", id);
        free(ids);
        ids = longer;
    }
    return ids;
}

void cli_row_free_own(struct shoal_split_params *split)
{
    for (size_t k = 0; split->device_params && k < split->count; k++)
        free((void *)split->device_params[k]);
    free((void *)split->device_params);
    split->device_params = NULL;
}

/* Returns the division of a run with `params`, which may be the parameters of a stage. Parameters of single
 * devices are copies of `params` with the options of the device; free them by cli_row_free_own. */
static struct shoal_split_params split_of(const struct cli_row *row, const void *params)
{
    const struct shoal_workload *workload = row->workload;
    struct shoal_split_params split = *row->split;
    if (!row->split->device_params)
        return split;
    void **own = cli_alloc(split.count * sizeof *own);
    for (size_t k = 0; k < split.count; k++) {
        const void *given = row->split->device_params[k];
        own[k] = given ? cli_alloc(workload->params_size) : NULL;
        if (given)
            memcpy(own[k], params, workload->params_size);
        for (size_t i = 0; given && i < workload->option_count; i++)
            if (workload->options[i].flags & SHOAL_OPTION_OF_DEVICE)
                cli_value_copy(&workload->options[i], own[k], given);
    }
    split.device_params = (const void *const *)own;
    return split;
}

enum shoal_status cli_row_run_once(const struct cli_row *row, const void *params,
                                   const struct shoal_run_params *run, struct shoal_report *report,
                                   struct shoal_error *error)
{
    if (!row->split)
        return shoal_run(row->workload, row->device, params, run, report, error);
    struct shoal_split_params split = split_of(row, params);
    const enum shoal_status status = shoal_run_split(row->workload, &split, params, run, report, error);
    cli_row_free_own(&split);
    return status;
}

/* Whether a run with a result lacks nothing but its checkpoint. A run that was stopped and has lost a device
 * or a rank has failed. */
static bool lacks_checkpoint(enum shoal_status status, const struct shoal_report *report)
{
    const bool is_lost = status == SHOAL_DEVICE_LOST && report->stopped;
    return status != SHOAL_OK && status != SHOAL_STOPPED && status != SHOAL_CHECK_FAILED && !is_lost;
}

void cli_row_run(struct cli_row *row, const void *params, const struct shoal_run_params *run, size_t samples)
{
    char *id = cli_row_devices(row);
    double *device_s = cli_alloc(samples * sizeof *device_s), *wall_s = cli_alloc(samples * sizeof *wall_s);
    char *label = cli_sprintf("%s  %s%s%s", row->workload->name, id, row->label ? " " : "",
                              row->label ? row->label : "");
    struct cli_progress progress = {.label = label,
                                    .name = row->workload->progress_name,
                                    .warm_up_name = row->workload->warm_up_name,
                                    .limit = shoal_workload_time_limit(row->workload, params)};
    struct shoal_run_params one = *run;
    one.variant = row->variant;
    one.stop = cli_stopped;
    one.progress = cli_progress_steps;
    one.data = &progress;
    one.between = row->between;
    one.between_data = row->between_data;
    if (row->between)
        one.between_every = row->between_every;
    while (row->samples < samples && row->error.status == SHOAL_OK) {
        struct shoal_report report = {0};
        enum shoal_status status = cli_row_run_once(row, params, &one, &report, &row->error);
        row->error.status = status;
        if (status == SHOAL_STOPPED && row->samples > 0) {
            /* Keeps the earlier samples, which are complete, and drops the failed sample. */
            row->error = (struct shoal_error){.status = SHOAL_OK};
            samples = row->samples;
        } else if (report.solver) {
            /* A sample counts if it is complete, was stopped, could not write its checkpoint, or failed its
             * check. */
            device_s[row->samples] = report.device_s;
            wall_s[row->samples] = report.wall_s;
            row->timed_work = report.timed_work;
            if (row->samples == 0) {
                row->build_s = report.build_s;
                row->first_launch_s = report.first_launch_s;
            }
            row->stopped = report.stopped;
            row->timed_out = report.timed_out;
            row->unsaved = lacks_checkpoint(status, &report);
            row->native = shoal_solver_is_native(report.solver);
            row->notes =
                *shoal_solver_notes(report.solver) ? cli_keep(shoal_solver_notes(report.solver)) : NULL;
            keep_result(row, &report.result);
            keep_parts(row, report.solver);
            row->samples++;
        }
        cli_progress_show("%s  writes its files", label);
        if (row->inspect)
            row->inspect(row->inspect_data, row, report.solver);
        shoal_report_clear(&report);
    }
    cli_progress_end();
    if (row->energy.is_asked && row->samples && row->error.status == SHOAL_OK && !row->stopped)
        row_energy_measure(row, params, run);
    if (row->samples) {
        struct stats device = stats_of(device_s, row->samples);
        row->device_s = device.median;
        row->device_min = device.min;
        row->device_max = device.max;
        row->device_spread = device.spread;
        row->wall_s = stats_of(wall_s, row->samples).median;
    }
    if (row->error.status != SHOAL_OK && row->error.status != SHOAL_STOPPED) {
        /* A failed check is shown in the row. If only the checkpoint is missing, the figures are valid. */
        if (row->error.status != SHOAL_CHECK_FAILED && !row->unsaved)
            row->samples = 0;
        /* A fault of the input occurs on every device, so the message names no device. */
        const bool is_input = row->error.status == SHOAL_INVALID || row->error.status == SHOAL_IO ||
                              row->error.status == SHOAL_BUILD_FAILED;
        const bool is_refused = row->may_be_refused && row->error.status == SHOAL_INVALID;
        if (!is_refused && (!is_input || !cli_was_reported(row->error.message)))
            cli_fail(id, &row->error);
    }
    free(id);
    free(label);
    free(device_s);
    free(wall_s);
}

static void add_parts(cJSON *object, const struct cli_row *row)
{
    cJSON *parts = cli_json_array(object, "parts");
    for (size_t k = 0; k < row->part_count; k++) {
        const struct shoal_part *part = &row->parts[k];
        cJSON *own = cli_json_object(parts, NULL);
        cli_json_text(own, "device", part->device);
        cli_json_text(own, "unit", part->unit);
        cli_json_uint(own, "first", part->first);
        cli_json_uint(own, "count", part->count);
        cli_json_real(own, "busy_s", part->busy_s);
        cli_json_real(own, "waited_s", part->waited_s);
        cli_json_uint(own, "began_with", part->began_with);
        cli_json_uint(own, "moves", part->moves);
        cli_json_text(own, "path", part->path);
    }
    double alone, together;
    const struct shoal_part *faster = cli_row_faster_alone(row, &alone, &together);
    cli_json_text(object, "faster_alone", faster ? faster->device : NULL);
}

cJSON *cli_json_row(cJSON *array, const struct cli_row *row)
{
    cJSON *object = cli_json_object(array, NULL);
    const bool is_shown = cli_row_has_result(row);
    cli_json_text(object, "workload", row->workload->name);
    char *devices = cli_row_devices(row);
    cli_json_text(object, "device", devices);
    free(devices);
    if (row->label)
        cli_json_text(object, row->stage ? "stage" : "label", row->label);
    cli_json_text(object, "variant", cli_row_variant(row).s);
    cli_json_text(object, "status", shoal_status_name(row->error.status));
    cli_json_bool(object, "timed_out", row->timed_out);
    cli_json_error(object, "error", &row->error);
    cli_json_text(object, "notes", row->notes);
    cli_json_uint(object, "samples", row->samples);
    cli_json_real(object, "device_s", is_shown ? row->device_s : NAN);
    cli_json_real(object, "device_s_min", is_shown ? row->device_min : NAN);
    cli_json_real(object, "device_s_max", is_shown ? row->device_max : NAN);
    cli_json_real(object, "timed_work", is_shown ? row->timed_work : NAN);
    cli_json_real(object, "wall_s", is_shown ? row->wall_s : NAN);
    cli_json_real(object, "build_s", is_shown ? row->build_s : NAN);
    cli_json_real(object, "first_launch_s", is_shown ? row->first_launch_s : NAN);
    row_energy_json(row, object);
    if (row->part_count)
        add_parts(object, row);
    if (is_shown)
        cli_json_result(cli_json_object(object, "result"), &row->result);
    else
        cli_json_text(object, "result", NULL);
    return object;
}
