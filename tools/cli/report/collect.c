/* Puts the rows of all runs in order: by workload, by case, by device. */
#include "bench/runner/bench.h"
#include "cli/report/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char peer_prefix[] = "peer.";

bool report_can_draw(double value)
{
    return value > 1e-100 && value < 1e100;
}

bool report_has_figure(const struct result_row *row)
{
    return row->check != RESULT_FAILED && report_can_draw(row->value);
}

const char *report_reason(const struct result_row *row)
{
    return *row->reason                  ? row->reason
           : row->check == RESULT_FAILED ? "the check of the result failed"
                                         : "the file has no figure";
}

struct cli_text report_share(const struct result_row *row)
{
    struct cli_text text = {"-"};
    if (report_has_figure(row) && report_can_draw(row->share) && row->bound != SHOAL_ROOF_NONE)
        snprintf(text.s, sizeof text.s, "%.*f %% of the %s", row->share < 0.1, 100 * row->share,
                 result_roof_words(row->bound));
    return text;
}

/* Devices ---------------------------------------------------------------------------------------------- */

/* The device with this machine, id and name; a new one if there is none. */
static size_t device_of(struct results_report *report, const char *machine, const char *id, const char *name)
{
    for (size_t d = 0; d < report->device_count; d++) {
        const struct report_device *device = &report->devices[d];
        if (strcmp(device->machine, machine) == 0 && strcmp(device->id, id) == 0 &&
            strcmp(device->name, name) == 0)
            return d;
    }
    report->devices = cli_realloc(report->devices, (report->device_count + 1) * sizeof *report->devices);
    report->devices[report->device_count] =
        (struct report_device){.machine = machine, .id = id, .name = name, .driver = "", .date = ""};
    size_t colour = 0;
    for (size_t d = 0; d < report->device_count; d++) {
        const struct report_device *device = &report->devices[d];
        if (strcmp(device->id, id) == 0 && strcmp(device->name, name) == 0) {
            colour = device->colour;
            break;
        }
        colour = device->colour >= colour ? device->colour + 1 : colour;
    }
    report->devices[report->device_count].colour = colour;
    return report->device_count++;
}

static void take_devices(struct results_report *report, const struct report_run *run)
{
    for (size_t i = 0; i < run->results->device_count; i++) {
        const struct result_device *from = &run->results->devices[i];
        const size_t index = device_of(report, run->machine, from->id, from->name);
        struct report_device *device = &report->devices[index];
        const bool is_newer = strcmp(run->results->date, device->date) >= 0;
        if (!*device->driver || is_newer)
            device->driver = from->driver;
        if (from->roofs.copy_bytes != 0 && (!device->roofs || is_newer)) {
            device->roofs = &from->roofs;
            device->date = run->results->date;
        }
    }
}

/* Cases ------------------------------------------------------------------------------------------------- */

static size_t workload_of(struct results_report *report, const char *name)
{
    const size_t length = strcspn(name, ".");
    for (size_t w = 0; w < report->workload_count; w++)
        if (strlen(report->workloads[w]) == length && strncmp(report->workloads[w], name, length) == 0)
            return w;
    report->workloads =
        cli_realloc(report->workloads, (report->workload_count + 1) * sizeof *report->workloads);
    report->workloads[report->workload_count] = cli_sprintf("%.*s", (int)length, name);
    return report->workload_count++;
}

static struct report_case *case_of(struct results_report *report, const char *name)
{
    for (size_t c = 0; c < report->case_count; c++)
        if (strcmp(report->cases[c].name, name) == 0)
            return &report->cases[c];
    report->cases = cli_realloc(report->cases, (report->case_count + 1) * sizeof *report->cases);
    struct report_case *added = &report->cases[report->case_count++];
    *added = (struct report_case){.name = name, .workload = workload_of(report, name)};
    return added;
}

/* The workload that the name of a peer's row contains, as "peer.torch-2.11.0.ga-128x30" does; NULL: none. */
static const char *workload_in(const char *name)
{
    for (size_t i = 0; i < shoal_workload_count(); i++) {
        const char *workload = shoal_workload_at(i)->name, *at = strstr(name, workload);
        for (; at; at = strstr(at + 1, workload))
            if (at > name && at[-1] == '.' && strchr("-.", at[strlen(workload)]))
                return workload;
    }
    return NULL;
}

/* Finds the case that another program solves: the name of its row ends with the last part of the name of the
 * case, and the units are equal. NULL: there is none. */
static struct report_case *case_of_peer(const struct results_report *report, const struct result_row *row)
{
    struct report_case *found = NULL;
    const size_t length = strlen(row->name);
    const char *workload = workload_in(row->name);
    size_t longest = 0;
    for (size_t c = 0; c < report->case_count; c++) {
        struct report_case *at = &report->cases[c];
        const char *part = strchr(at->name, '.');
        part = part && strchr(part + 1, '.') ? strchr(part + 1, '.') + 1 : at->name;
        const size_t bytes = strlen(part);
        if (bytes <= longest || bytes >= length || strcmp(row->name + length - bytes, part) != 0 ||
            isalnum((unsigned char)row->name[length - bytes - 1]) || at->rows[0].is_peer ||
            (workload && strcmp(report->workloads[at->workload], workload) != 0) ||
            strcmp(at->rows[0].row->unit, row->unit) != 0)
            continue;
        longest = bytes;
        found = at;
    }
    return found;
}

static void take_rows(struct results_report *report, size_t run, bool peers)
{
    const struct results *results = report->runs[run].results;
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *row = &results->rows[i];
        if ((strncmp(row->name, peer_prefix, strlen(peer_prefix)) == 0) != peers)
            continue;
        const struct result_device *device = results_device(results, row->device);
        struct report_case *of = peers ? case_of_peer(report, row) : NULL;
        if (!of)
            of = case_of(report, row->name);
        of->rows = cli_realloc(of->rows, (of->row_count + 1) * sizeof *of->rows);
        of->rows[of->row_count++] = (struct report_row){
            .row = row,
            .run = run,
            .is_peer = peers,
            .device = device_of(report, report->runs[run].machine, row->device, device ? device->name : "")};
    }
}

/* Orders cases by their workloads; within a workload the order of their first rows is kept. */
static void order_cases(struct results_report *report)
{
    struct report_case *ordered = cli_alloc((report->case_count + 1) * sizeof *ordered);
    size_t count = 0;
    for (size_t w = 0; w < report->workload_count; w++)
        for (size_t c = 0; c < report->case_count; c++)
            if (report->cases[c].workload == w)
                ordered[count++] = report->cases[c];
    free(report->cases);
    report->cases = ordered;
}

static void take_failure(struct results_report *report, size_t run, const char *name, const char *id,
                         const char *reason, const struct result_row *row)
{
    const struct result_device *device = results_device(report->runs[run].results, id);
    report->failures = cli_realloc(report->failures, (report->failure_count + 1) * sizeof *report->failures);
    report->failures[report->failure_count++] = (struct report_failure){
        .name = name,
        .reason = reason,
        .run = run,
        .device = device_of(report, report->runs[run].machine, id, device ? device->name : ""),
        .row = row};
}

static void take_failures(struct results_report *report, size_t run)
{
    const struct results *results = report->runs[run].results;
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *row = &results->rows[i];
        if (!report_has_figure(row))
            take_failure(report, run, row->name, row->device, report_reason(row), row);
    }
    for (size_t i = 0; i < results->skipped_count; i++) {
        const struct result_skipped *skipped = &results->skipped[i];
        take_failure(report, run, skipped->name, skipped->device, skipped->error.message, NULL);
    }
}

/* Speeds ------------------------------------------------------------------------------------------------ */

static double times_as_fast(const struct result_row *row, const struct result_row *than)
{
    return row->higher_is_better ? row->value / than->value : than->value / row->value;
}

/* Returns the best figure of a device, from its newest run, in the unit of `like`; NULL: there is none. */
static const struct report_row *best_of(const struct results_report *report, const struct report_case *of,
                                        size_t device, const struct result_row *like)
{
    const struct report_row *best = NULL;
    for (size_t r = 0; r < of->row_count; r++) {
        const struct report_row *at = &of->rows[r];
        if (at->device != device || at->is_peer || !report_has_figure(at->row) ||
            strcmp(at->row->unit, like->unit) != 0 || at->row->higher_is_better != like->higher_is_better)
            continue;
        const int order =
            best ? strcmp(report->runs[at->run].results->date, report->runs[best->run].results->date) : 1;
        if (order > 0 || (order == 0 && times_as_fast(at->row, best->row) > 1))
            best = at;
    }
    return best;
}

double report_speed(const struct results_report *report, const struct report_case *of,
                    const struct report_row *row)
{
    if (!report_has_figure(row->row) || report->references[of->workload] >= report->device_count)
        return NAN;
    const struct report_row *reference = best_of(report, of, report->references[of->workload], row->row);
    return reference ? times_as_fast(row->row, reference->row) : NAN;
}

/* Number of cases in which the device and another one have a figure. workload: workload of the cases;
 * workload_count: all cases. */
static size_t shared_cases(const struct results_report *report, size_t device, size_t workload)
{
    size_t count = 0;
    for (size_t c = 0; c < report->case_count; c++) {
        bool is_own = false, is_other = false;
        if (workload < report->workload_count && report->cases[c].workload != workload)
            continue;
        for (size_t r = 0; r < report->cases[c].row_count; r++) {
            const struct report_row *row = &report->cases[c].rows[r];
            if (row->is_peer || !report_has_figure(row->row))
                continue;
            is_own = is_own || row->device == device;
            is_other = is_other || row->device != device;
        }
        count += is_own && is_other;
    }
    return count;
}

/* The device that shares most cases with others; of equals the host, else the first. */
static size_t most_shared(const struct results_report *report, size_t workload)
{
    size_t most = 1, found = report->device_count;
    for (size_t d = 0; d < report->device_count; d++) {
        const size_t weight =
            2 * shared_cases(report, d, workload) + (strcmp(report->devices[d].id, "host") == 0);
        if (weight > most) {
            most = weight;
            found = d;
        }
    }
    return found;
}

/* Chooses one device for all workloads, and another one for a workload that the first has not run. */
static void choose_references(struct results_report *report)
{
    size_t first = report->device_count;
    for (size_t d = report->device_count; d-- > 0 && report->reference_id;)
        if (strcmp(report->devices[d].id, report->reference_id) == 0)
            first = d;
    if (!report->reference_id)
        first = most_shared(report, report->workload_count);
    report->references = cli_alloc((report->workload_count + 1) * sizeof *report->references);
    for (size_t w = 0; w < report->workload_count; w++)
        report->references[w] =
            report->reference_id || shared_cases(report, first, w) ? first : most_shared(report, w);
}

/* Adds a row to the means of a workload. */
static struct report_mean *mean_of(struct report_mean *means, size_t *count, const struct report_row *row)
{
    for (size_t m = 0; m < *count; m++)
        if (means[m].device == row->device && strcmp(means[m].variant, row->row->variant) == 0)
            return &means[m];
    means[*count] = (struct report_mean){.device = row->device, .variant = row->row->variant};
    return &means[(*count)++];
}

bool report_is_replaced(const struct results_report *report, const struct report_case *of,
                        const struct report_row *row)
{
    const char *date = report->runs[row->run].results->date;
    for (size_t r = 0; r < of->row_count; r++) {
        const struct report_row *other = &of->rows[r];
        if (other->device == row->device && strcmp(other->row->variant, row->row->variant) == 0 &&
            strcmp(other->row->unit, row->row->unit) == 0 && report_has_figure(other->row) &&
            strcmp(report->runs[other->run].results->date, date) > 0)
            return true;
    }
    return false;
}

struct report_mean *report_means(const struct results_report *report, size_t workload, size_t *count)
{
    size_t rows = 0;
    for (size_t c = 0; c < report->case_count; c++)
        rows += report->cases[c].row_count;
    struct report_mean *means = cli_alloc((rows + 1) * sizeof *means);
    *count = 0;
    for (size_t c = 0; c < report->case_count; c++) {
        const struct report_case *of = &report->cases[c];
        for (size_t r = 0; r < of->row_count && of->workload == workload; r++) {
            const struct report_row *row = &of->rows[r];
            if (row->is_peer || !report_has_figure(row->row) || report_is_replaced(report, of, row))
                continue;
            struct report_mean *mean = mean_of(means, count, row);
            const double speed = report_speed(report, of, row);
            if (isfinite(speed) && speed > 0) {
                mean->speed += log(speed);
                mean->cases++;
            }
            if (report_can_draw(row->row->share) &&
                (!mean->nearest || row->row->share > mean->nearest->share))
                mean->nearest = row->row;
        }
    }
    for (size_t m = 0; m < *count; m++)
        means[m].speed = means[m].cases ? exp(means[m].speed / (double)means[m].cases) : NAN;
    return means;
}

/* Baseline ---------------------------------------------------------------------------------------------- */

/* Whether the baseline is of the device of the row: results of different devices do not show what the code
 * has changed. */
static bool is_same_device(const struct results_report *report, const struct report_row *row)
{
    const struct result_device *device = results_device(report->baseline, row->row->device);
    return device && strcmp(device->name, report->devices[row->device].name) == 0;
}

static void take_verdict(struct results_report *report, const struct report_row *row,
                         const struct regression *regression)
{
    report->compared_count++;
    if (!report->busy && result_machine_is_busy(&report->runs[row->run].results->machine))
        report->busy = &report->runs[row->run];
    if (!regression->worse)
        return;
    report->losses = cli_realloc(report->losses, (report->loss_count + 1) * sizeof *report->losses);
    report->losers = cli_realloc(report->losers, (report->loss_count + 1) * sizeof *report->losers);
    report->losers[report->loss_count] = *row;
    report->losses[report->loss_count++] = *regression;
}

/* Whether the run of `row`, or one that is as late or later, has a row of the same case, device and variant.
 */
static bool has_row(const struct results_report *report, const struct report_row *row)
{
    const char *date = report->runs[row->run].results->date;
    for (size_t c = 0; c < report->case_count; c++)
        for (size_t r = 0; r < report->cases[c].row_count; r++) {
            const struct report_row *other = &report->cases[c].rows[r];
            if (other->device == row->device && strcmp(other->row->name, row->row->name) == 0 &&
                strcmp(other->row->variant, row->row->variant) == 0 &&
                strcmp(report->runs[other->run].results->date, date) >= 0)
                return true;
        }
    return false;
}

/* Rows of the baseline whose case the device has left out now. */
static void compare_left_out(struct results_report *report, const struct report_failure *failure)
{
    for (size_t i = 0; i < report->baseline->row_count && !failure->row; i++) {
        const struct result_row *before = &report->baseline->rows[i];
        const struct report_row row = {.row = before, .run = failure->run, .device = failure->device};
        if (strcmp(before->name, failure->name) != 0 ||
            strcmp(before->device, report->devices[failure->device].id) != 0 || !report_has_figure(before) ||
            !is_same_device(report, &row) || has_row(report, &row))
            continue;
        struct result_row now = *before;
        struct regression regression;
        now.value = NAN;
        if (!regression_compare(&now, before, &regression))
            continue;
        regression.row = before;
        take_verdict(report, &row, &regression);
    }
}

static void compare_with_baseline(struct results_report *report)
{
    for (size_t c = 0; c < report->case_count; c++) {
        for (size_t r = 0; r < report->cases[c].row_count; r++) {
            const struct report_row *row = &report->cases[c].rows[r];
            const struct result_row *before = results_row(report->baseline, row->row);
            struct regression regression;
            struct result_row now = *row->row;
            if (!report_has_figure(&now))
                now.value = NAN;
            if (!before || !report_has_figure(before) || !is_same_device(report, row) ||
                report_is_replaced(report, &report->cases[c], row) ||
                !regression_compare(&now, before, &regression))
                continue;
            regression.row = row->row;
            take_verdict(report, row, &regression);
        }
    }
    for (size_t f = 0; f < report->failure_count; f++)
        compare_left_out(report, &report->failures[f]);
}

/* Names ------------------------------------------------------------------------------------------------- */

bool report_has_machines(const struct results_report *report)
{
    for (size_t r = 1; r < report->run_count; r++)
        if (strcmp(report->runs[r].machine, report->runs[0].machine) != 0)
            return true;
    return false;
}

bool report_has_dates(const struct results_report *report)
{
    for (size_t r = 1; r < report->run_count; r++)
        if (strncmp(report->runs[r].results->date, report->runs[0].results->date, strlen("2026-11-27")) != 0)
            return true;
    return false;
}

char *report_device_label(const struct results_report *report, size_t device)
{
    const struct report_device *of = &report->devices[device];
    return report_has_machines(report) ? cli_sprintf("%s of %s", of->id, of->machine) : cli_strdup(of->id);
}

char *report_label(const struct results_report *report, const struct report_row *row)
{
    char *device = report_device_label(report, row->device);
    const char *variant = row->row->variant;
    char *text = cli_sprintf("%s%s%s", device, *variant ? " " : "", variant);
    if (row->is_peer) {
        const char *program = row->row->name + strlen(peer_prefix);
        /* The name of the program has no points before its version: "pagmo-2.18.0.rastrigin30". */
        size_t length = strcspn(program, ".");
        while (program[length] == '.' && isdigit((unsigned char)program[length + 1]))
            length += 1 + strcspn(program + length + 1, ".");
        char *longer = cli_sprintf("%.*s, %s", (int)length, program, text);
        free(text);
        text = longer;
    }
    free(device);
    return text;
}

char *report_case_label(const struct results_report *report, const struct report_case *of)
{
    for (size_t r = 0; r < of->row_count; r++)
        if (*of->rows[r].row->size)
            return cli_sprintf("%s, %s", report->workloads[of->workload], of->rows[r].row->size);
    return cli_strdup(of->name);
}

const char *report_case_about(const struct report_case *of)
{
    for (size_t r = 0; r < of->row_count; r++)
        if (*of->rows[r].row->title)
            return of->rows[r].row->title;
    for (size_t i = 0; i < bench_case_count(); i++)
        if (strcmp(bench_case_at(i)->name, of->name) == 0)
            return bench_case_at(i)->help;
    return "";
}

void report_collect(struct results_report *report)
{
    for (size_t r = 0; r < report->run_count; r++)
        take_devices(report, &report->runs[r]);
    for (size_t r = 0; r < report->run_count; r++)
        take_rows(report, r, false);
    for (size_t r = 0; r < report->run_count; r++)
        take_rows(report, r, true);
    for (size_t r = 0; r < report->run_count; r++)
        take_failures(report, r);
    order_cases(report);
    choose_references(report);
    if (report->baseline)
        compare_with_baseline(report);
}

void report_free(struct results_report *report)
{
    for (size_t c = 0; c < report->case_count; c++)
        free(report->cases[c].rows);
    for (size_t w = 0; w < report->workload_count; w++)
        free(report->workloads[w]);
    free(report->cases);
    free(report->workloads);
    free(report->references);
    free(report->devices);
    free(report->failures);
    free(report->losses);
    free(report->losers);
}
