/* The rows of a comparison as a result file and as a page. */
#include "cli/commands/compare.h"
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes the name of a case. A name must always mean the same work, so it contains every parameter that
 * differs from its default. */
static char *case_name(const struct compared_work *work)
{
    const struct shoal_workload *workload = work->workload;
    void *defaults = cli_alloc(workload->params_size);
    char *name = cli_sprintf("%s.compare.", workload->name);
    bool plain = true;
    workload->params_init(defaults);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        struct cli_text value = cli_value_get(option, work->params);
        if (strcmp(value.s, cli_value_get(option, defaults).s) == 0)
            continue;
        char *longer = cli_sprintf("%s%s%s=%s", name, plain ? "" : ",", option->name, value.s);
        free(name);
        name = longer;
        plain = false;
    }
    free(defaults);
    if (!plain)
        return name;
    char *longer = cli_sprintf("%sdefault", name);
    free(name);
    return longer;
}

static struct cli_text precision(const struct compared_work *work, const struct cli_row *row)
{
    const struct shoal_option *option = cli_option_find(work->workload, "precision");
    const char *computed = option ? cli_row_choice(row, option) : NULL;
    struct cli_text text = {""};
    if (computed)
        snprintf(text.s, sizeof text.s, "%s", computed);
    else if (option)
        text = cli_value_get(option, work->params);
    return text;
}

static bool is_whole(const struct cli_row *row)
{
    return cli_row_valid(row) && row->error.status == SHOAL_OK && row->device_s > 0;
}

double compare_speed(const struct comparison *comparison, const struct compared_work *work,
                     const struct cli_row *row)
{
    for (size_t r = 0; is_whole(row) && r < work->row_count; r++)
        if (!work->rows[r].split && work->rows[r].device == comparison->baseline && is_whole(&work->rows[r]))
            return work->rows[r].device_s / row->device_s;
    return NAN;
}

double compare_share(const struct comparison *comparison, const struct cli_row *row)
{
    size_t d = 0;
    if (row->split)
        return 0; /* roofs are those of single devices */
    while (comparison->cli->devices[d] != row->device)
        d++;
    const struct compared_roofs *measured = &comparison->roofs[d];
    const bool is_known = measured->measured && measured->error.status == SHOAL_OK && is_whole(row);
    const double roof = is_known ? result_roof_value(&measured->roofs, row->result.roof) : 0;
    return roof > 0 ? row->timed_work * row->result.roof_work / row->device_s / roof : 0;
}

struct cli_text compare_share_text(const struct comparison *comparison, const struct cli_row *row)
{
    struct cli_text text = {"-"};
    const double share = compare_share(comparison, row);
    if (share > 0)
        snprintf(text.s, sizeof text.s, "%.*f %% of %s", share < 0.1, 100 * share,
                 result_roof_name(row->result.roof));
    return text;
}

static double rate_of(const struct cli_row *row)
{
    return row->timed_work / row->wall_s;
}

/* Returns the first row of a run on `device` alone, which uses the same kernels as the divided run. NULL:
 * there is no such row, or its run is not complete. */
static const struct cli_row *row_alone(const struct compared_work *work, const struct shoal_device *device)
{
    for (size_t r = 0; r < work->row_count; r++)
        if (!work->rows[r].split && work->rows[r].device == device)
            return is_whole(&work->rows[r]) ? &work->rows[r] : NULL;
    return NULL;
}

struct compare_gain compare_gain(const struct compared_work *work, const struct cli_row *row)
{
    const struct cli_row *best = NULL;
    double sum = 0;
    for (size_t k = 0; row->split && is_whole(row) && k < row->split->count; k++) {
        const struct cli_row *alone = row_alone(work, row->split->devices[k]);
        if (!alone)
            return (struct compare_gain){.best = NULL};
        sum += rate_of(alone);
        best = best && rate_of(best) >= rate_of(alone) ? best : alone;
    }
    return best ? (struct compare_gain){best, rate_of(row) / rate_of(best), rate_of(row) / sum}
                : (struct compare_gain){.best = NULL};
}

/* The units of each part of a run: "2 + 3 runs". */
static char *parts_text(const struct cli_row *row)
{
    char *text = cli_strdup("");
    for (size_t k = 0; k < row->part_count; k++) {
        char *longer = cli_sprintf("%s%s%llu", text, k ? " + " : "", (unsigned long long)row->parts[k].count);
        free(text);
        text = longer;
    }
    char *whole = cli_sprintf("%s %s", text, row->part_count ? row->parts[0].units : "");
    free(text);
    return whole;
}

char *compare_divided_text(const struct compared_work *work)
{
    const struct cli_row *row = work->row_count ? &work->rows[work->row_count - 1] : NULL;
    if (work->refusal.status != SHOAL_OK)
        return cli_sprintf("not divided: %s", work->refusal.message);
    const struct compare_gain gain = row ? compare_gain(work, row) : (struct compare_gain){.best = NULL};
    if (!gain.best)
        return NULL;
    char *devices = cli_row_devices(row), *parts = parts_text(row);
    const char *best = shoal_device_get_info(gain.best->device)->id;
    char *text =
        cli_sprintf("divided over %s (%s): %.2f times the rate of %s, %s, and %.2f of the sum of the "
                    "rates of the devices alone, by wall time",
                    devices, parts, gain.gain, best,
                    gain.gain < 1 ? "which is faster alone" : "the fastest of them alone", gain.of_sum);
    free(devices);
    free(parts);
    return text;
}

/* What the work is, in a sentence or two. */
static char *title_of(const struct compared_work *work)
{
    const struct shoal_result *first = cli_first_result(work->rows, work->row_count);
    char *sizes = cli_work_line(work->workload, work->params, work->rows, work->row_count);
    char *title = cli_sprintf("%s; %s%s%s", work->workload->summary, sizes, first ? "; check: " : "",
                              first ? first->check_name : "");
    free(sizes);
    return title;
}

/* What the row says about the divided run: the row of this run, or, without one, the first row. */
static char *note_of(const struct compared_work *work, const struct cli_row *row)
{
    const bool is_its_row = work->refusal.status != SHOAL_OK ? row == work->rows : row->split != NULL;
    char *text = is_its_row ? compare_divided_text(work) : NULL;
    return text ? text : cli_strdup("");
}

static void add_figure(struct result_row *out, const char *name, const char *unit, double value)
{
    struct result_figure *figure = &out->figures[out->figure_count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    snprintf(figure->unit, sizeof figure->unit, "%s", unit);
    figure->value = value;
}

/* Adds power and energy, under the names of `shoal bench`. */
static void add_energy(struct result_row *out, const struct cli_row *row)
{
    const double yield = row_energy_yield(&row->energy);
    char *unit = cli_sprintf("%s/J", row->result.work_unit ? row->result.work_unit : "work");
    if (!isnan(yield)) {
        add_figure(out, "mean power", "W", row->energy.power.watts);
        add_figure(out, "power at rest", "W", row->energy.power.idle_watts);
        add_figure(out, "a joule", unit, yield);
    }
    free(unit);
}

static enum shoal_status add_row(struct comparison *comparison, const struct compared_work *work,
                                 const struct cli_row *row, char *name, struct shoal_error *error)
{
    const bool whole = is_whole(row);
    const double share = compare_share(comparison, row);
    struct cli_text variant = cli_row_variant(row), kind = precision(work, row);
    char *unit = cli_sprintf("%s/s", whole ? row->result.work_unit : "work"), *devices = cli_row_devices(row);
    char *title = title_of(work), *note = note_of(work, row);
    char *reason = whole ? cli_strdup("")
                   : row->error.status == SHOAL_STOPPED
                       ? cli_strdup("stopped")
                       : cli_sprintf("%s: %s", shoal_status_name(row->error.status), row->error.message);
    struct result_row out = {.name = name,
                             .device = devices,
                             .variant = variant.s,
                             .precision = kind.s,
                             .value = whole ? row->timed_work / row->device_s : NAN,
                             .unit = unit,
                             .higher_is_better = true,
                             .samples = whole ? row->samples : 0,
                             .min = whole ? row->timed_work / row->device_max : NAN,
                             .max = whole ? row->timed_work / row->device_min : NAN,
                             .spread = whole ? row->device_spread : NAN,
                             .bound = share > 0 ? row->result.roof : SHOAL_ROOF_NONE,
                             .roof = share > 0 ? row->timed_work / row->device_s / share : 0,
                             .share = share,
                             .check = whole                                     ? RESULT_PASSED
                                      : row->error.status == SHOAL_CHECK_FAILED ? RESULT_FAILED
                                                                                : RESULT_NOT_CHECKED,
                             .error = whole ? row->result.error : NAN,
                             .device_s = whole ? row->device_s : NAN,
                             .wall_s = whole ? row->wall_s : NAN,
                             .build_s = whole ? row->build_s : NAN,
                             .first_launch_s = whole ? row->first_launch_s : NAN,
                             .title = title,
                             .size = (char *)work->size,
                             .reason = reason,
                             .note = note};
    if (whole)
        add_figure(&out, row->result.value_name, row->result.value_unit ? row->result.value_unit : "",
                   row->result.value);
    add_energy(&out, row);
    enum shoal_status status = results_add_row(&comparison->results, &out, error);
    free(unit);
    free(devices);
    free(title);
    free(note);
    free(reason);
    return status;
}

/* Adds the rows of divided runs, or all others. */
static enum shoal_status add_rows(struct comparison *comparison, bool divided, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t w = 0; w < comparison->work_count && status == SHOAL_OK; w++) {
        const struct compared_work *work = &comparison->works[w];
        char *name = case_name(work);
        for (size_t r = 0; r < work->row_count && status == SHOAL_OK; r++)
            if ((work->rows[r].split != NULL) == divided)
                status = add_row(comparison, work, &work->rows[r], name, error);
        free(name);
    }
    return status;
}

enum shoal_status compare_results(struct comparison *comparison, struct shoal_error *error)
{
    const struct cli *cli = comparison->cli;
    enum shoal_status status = SHOAL_OK;
    for (size_t d = 0; d < cli->device_count && status == SHOAL_OK; d++) {
        const struct compared_roofs *measured = &comparison->roofs[d];
        bool good = measured->measured && measured->error.status == SHOAL_OK;
        status =
            results_add_device(&comparison->results, cli->devices[d], good ? &measured->roofs : NULL, error);
    }
    /* Result files only have rows of single devices; `shoal bench` writes results of divided runs. */
    return status == SHOAL_OK ? add_rows(comparison, false, error) : status;
}

enum shoal_status compare_divided(struct comparison *comparison, struct shoal_error *error)
{
    return add_rows(comparison, true, error);
}

int compare_page(const struct comparison *comparison, const char *path)
{
    const struct report_run run = {.results = &comparison->results,
                                   .machine = comparison->results.machine.name};
    char *about = cli_sprintf(
        "The same work, with the same parameters and seed, on every device; %s. " COMPARE_ROUNDING,
        comparison->samples > 1 ? "times are medians of the runs" : "times are those of one run");
    char *title = cli_sprintf("shoal compare on %s, %.10s", run.machine, comparison->results.date);
    struct results_report report = {.title = title,
                                    .about = about,
                                    .runs = &run,
                                    .run_count = 1,
                                    .reference_id = shoal_device_get_info(comparison->baseline)->id};
    report_collect(&report);
    const int code = report_write("--html", path, report_page, &report);
    report_free(&report);
    free(title);
    free(about);
    return code;
}
