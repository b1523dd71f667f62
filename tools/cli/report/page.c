/* The page: one file, no scripts, nothing loaded from elsewhere. */
#include "cli/charts/chart.h"
#include "cli/output/message.h"
#include "cli/report/html.h"
#include "cli/report/report.h"
#include "cli/report/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 10 }; /* length of "2026-11-27", the begin of a date */

/* What follows the name of a device: the name of its product, and the day where the report has several. */
static const char *about_row(const struct results_report *report, const struct report_row *row, char *text,
                             size_t bytes)
{
    const char *name = report->devices[row->device].name;
    const char *day = report_has_dates(report) ? report->runs[row->run].results->date : "";
    snprintf(text, bytes, "%s%s%.*s", name, *name && *day ? ", " : "", DAY, day);
    return text;
}

/* All workloads side by side ---------------------------------------------------------------------------- */

/* "relative to host of cpu2, AMD EPYC"; NULL: the workload has no such device. The caller frees the text. */
static char *relative_to(const struct results_report *report, size_t workload)
{
    const size_t device = report->references[workload];
    if (device >= report->device_count)
        return NULL;
    char *label = report_device_label(report, device);
    char *text = cli_sprintf("relative to %s, %s", label, report->devices[device].name);
    free(label);
    return text;
}

/* Fills bars with a heading for each workload and a bar for each mean. shares true: the bars are the largest
 * shares of a roof, false: the speeds. */
static struct html_bars mean_bars(const struct results_report *report, bool shares)
{
    struct html_bars bars = {.unit = shares ? "%" : "ratio"};
    for (size_t w = 0; w < report->workload_count; w++) {
        size_t count;
        struct report_mean *means = report_means(report, w, &count);
        bars.bars = cli_realloc(bars.bars, (bars.count + count + 1) * sizeof *bars.bars);
        const size_t heading = bars.count++;
        bars.bars[heading] =
            (struct html_bar){.about = report->workloads[w], .facts = shares ? NULL : relative_to(report, w)};
        for (size_t m = 0; m < count; m++) {
            const struct report_mean *mean = &means[m];
            if (shares ? !mean->nearest : !isfinite(mean->speed))
                continue;
            char *device = report_device_label(report, mean->device);
            const double value = shares ? 100 * mean->nearest->share : mean->speed;
            bars.bars[bars.count++] = (struct html_bar){
                .name = cli_sprintf("%s %s", device, mean->variant),
                .about = report->devices[mean->device].name,
                .facts = shares ? cli_sprintf(" of the %s%s%s", result_roof_words(mean->nearest->bound),
                                              *mean->nearest->size ? "" : " in ",
                                              *mean->nearest->size ? "" : mean->nearest->name)
                         : mean->cases > 1 ? cli_sprintf(" over %zu cases", mean->cases)
                                           : cli_strdup(""),
                .value = value,
                .least = value,
                .most = value,
                .colour = report->devices[mean->device].colour};
            free(device);
        }
        if (bars.count == heading + 1) {
            free(bars.bars[heading].facts);
            bars.count = heading;
        }
        free(means);
    }
    return bars;
}

/* Whether there is a speed or a share to show. */
static bool has_means(const struct results_report *report)
{
    bool has = false;
    for (size_t w = 0; w < report->workload_count && !has; w++) {
        size_t count;
        struct report_mean *means = report_means(report, w, &count);
        for (size_t m = 0; m < count; m++)
            has = has || means[m].nearest || isfinite(means[m].speed);
        free(means);
    }
    return has;
}

static void overview(FILE *out, const struct results_report *report)
{
    struct html_bars speeds = mean_bars(report, false), shares = mean_bars(report, true);
    if (has_means(report))
        fputs("<h2 id=\"all\">All workloads side by side</h2>\n", out);
    if (speeds.count) {
        speeds.caption =
            "Speed relative to one device on the same cases, longer is better. Over several cases: "
            "the geometric mean of their ratios";
        speeds.axis = "times as fast";
        html_bars(out, &speeds);
    }
    if (shares.count) {
        shares.caption = "How near the best case of each workload comes to the roof of its device, the "
                         "highest rate that the same run measured";
        shares.axis = "share of the roof";
        html_bars(out, &shares);
    }
    html_bars_free(&speeds);
    html_bars_free(&shares);
}

/* Workloads --------------------------------------------------------------------------------------------- */

/* The best figure of shoal on the machine and device of a peer's row; NULL: there is none. */
static const struct result_row *rival_of(const struct report_case *of, const struct report_row *peer)
{
    const struct result_row *best = NULL;
    for (size_t r = 0; r < of->row_count; r++) {
        const struct result_row *row = of->rows[r].row;
        if (of->rows[r].is_peer || of->rows[r].device != peer->device || !report_has_figure(row) ||
            strcmp(row->unit, peer->row->unit) != 0)
            continue;
        if (!best || (row->higher_is_better ? row->value > best->value : row->value < best->value))
            best = row;
    }
    return best;
}

/* The further words behind a figure. */
static char *facts_of(const struct report_case *of, const struct report_row *row)
{
    const struct result_row *figure = row->row;
    struct cli_text share = report_share(figure);
    const struct result_row *rival = row->is_peer ? rival_of(of, row) : NULL;
    char *range = figure->max > figure->min
                      ? cli_sprintf("; %s to %s", cli_figure(figure->min, figure->unit).s,
                                    cli_figure(figure->max, figure->unit).s)
                      : cli_strdup("");
    char *text =
        cli_sprintf("%s%s%s", range, share.s[0] == '-' ? "" : "; ", share.s[0] == '-' ? "" : share.s);
    if (rival && report_has_figure(figure)) {
        const double gain =
            figure->higher_is_better ? rival->value / figure->value : figure->value / rival->value;
        char *longer = cli_sprintf("%s; shoal on the same device: %s", text, cli_ratio(gain).s);
        free(text);
        text = longer;
    }
    free(range);
    return text;
}

static void case_bars(FILE *out, const struct results_report *report, const struct report_case *of)
{
    struct html_bars bars = {.bars = cli_alloc((of->row_count + 1) * sizeof *bars.bars)};
    char(*about)[160] = cli_alloc((of->row_count + 1) * sizeof *about);
    const struct result_row *first = of->rows[0].row;
    for (size_t r = 0; r < of->row_count; r++) {
        const struct report_row *row = &of->rows[r];
        const struct result_row *figure = row->row;
        if (strcmp(figure->unit, first->unit) != 0 && report_has_figure(figure))
            continue; /* in another unit: in the table alone */
        const bool has_range = report_can_draw(figure->min) && report_can_draw(figure->max);
        bars.bars[bars.count++] =
            (struct html_bar){.name = report_label(report, row),
                              .about = about_row(report, row, about[r], sizeof about[r]),
                              .facts = facts_of(of, row),
                              .why = report_has_figure(figure) ? NULL : report_reason(figure),
                              .value = figure->value,
                              .least = has_range ? figure->min : figure->value,
                              .most = has_range ? figure->max : figure->value,
                              .marker = report_can_draw(figure->roof) ? figure->roof : 0,
                              .colour = report->devices[row->device].colour,
                              .is_faint = row->is_peer};
    }
    char *axis = cli_sprintf("%s; %s", strcmp(first->unit, "s") == 0 ? "time" : first->unit,
                             first->higher_is_better ? "longer is better" : "shorter is better");
    bars.axis = axis;
    bars.unit = first->unit;
    html_bars(out, &bars);
    html_bars_free(&bars);
    free(about);
    free(axis);
}

/* Further figures of a row in one text; the caller frees it. */
static char *further(const struct result_row *row)
{
    char *text = cli_strdup("");
    if (row->published > 0) {
        char *longer = cli_sprintf("%s%spublished: %s on %s", text, *text ? "; " : "",
                                   cli_figure(row->published, row->unit).s, row->published_on);
        free(text);
        text = longer;
    }
    for (size_t f = 0; f < row->figure_count; f++) {
        const struct result_figure *figure = &row->figures[f];
        char *longer = cli_sprintf("%s%s%s %s", text, *text ? "; " : "", figure->name,
                                   *figure->unit ? cli_figure(figure->value, figure->unit).s
                                                 : cli_number(figure->value).s);
        free(text);
        text = longer;
    }
    return text;
}

static struct cli_text percent(double share)
{
    struct cli_text text = {"-"};
    if (isfinite(share))
        snprintf(text.s, sizeof text.s, "%.1f %%", 100 * share);
    return text;
}

static void table_row(struct html_table *table, const struct results_report *report,
                      const struct report_case *of, const struct report_row *row)
{
    const struct result_row *figure = row->row;
    char *label = report_label(report, row), *name = report_case_label(report, of), *more = further(figure);
    html_row_begin(table);
    html_cell(table, name);
    html_cell(table, label);
    html_cell(table, *figure->precision ? figure->precision : "-");
    if (report_has_figure(figure)) {
        char text[48];
        html_cell(table, cli_figure(figure->value, figure->unit).s);
        html_cell(table, cli_ratio(row->is_peer ? NAN : report_speed(report, of, row)).s);
        html_cell(table, report_share(figure).s);
        html_cell(table, percent(figure->spread).s);
        snprintf(text, sizeof text, "%zu", figure->samples);
        html_cell(table, text);
        html_cell(table, cli_seconds(figure->build_s).s);
        html_cell(table, cli_seconds(figure->first_launch_s).s);
        snprintf(text, sizeof text, "%.1e", figure->error);
        html_cell(table, figure->check == RESULT_NOT_CHECKED ? "not checked"
                         : isfinite(figure->error)           ? text
                                                             : "passed");
        if (table->titles[table->next])
            html_cell(table, *more ? more : "-");
    } else {
        html_across(table, report_reason(figure));
    }
    html_row_end(table);
    free(label);
    free(name);
    free(more);
}

static void workload_table(FILE *out, const struct results_report *report, size_t workload)
{
    bool has_more = false;
    for (size_t c = 0; c < report->case_count; c++)
        for (size_t r = 0; r < report->cases[c].row_count && report->cases[c].workload == workload; r++) {
            const struct result_row *row = report->cases[c].rows[r].row;
            has_more = has_more || row->figure_count || row->published > 0;
        }
    char *speed = NULL;
    if (report->references[workload] < report->device_count) {
        char *label = report_device_label(report, report->references[workload]);
        speed = cli_sprintf("x %s", label);
        free(label);
    }
    const char *const titles[] = {"case",
                                  "device",
                                  "precision",
                                  "median",
                                  speed ? speed : "speed",
                                  "of the roof",
                                  "spread",
                                  "samples",
                                  "build",
                                  "first launch",
                                  "error",
                                  has_more ? "further figures" : NULL,
                                  NULL};
    struct html_table table = {.out = out, .titles = titles, .first_number = 3};
    html_table_begin(&table);
    for (size_t c = 0; c < report->case_count; c++)
        for (size_t r = 0; r < report->cases[c].row_count && report->cases[c].workload == workload; r++)
            table_row(&table, report, &report->cases[c], &report->cases[c].rows[r]);
    html_table_end(&table);
    free(speed);
}

static void workload_section(FILE *out, const struct results_report *report, size_t workload)
{
    fprintf(out, "<h2 id=\"w%zu\">", workload);
    html_text(out, strcmp(report->workloads[workload], "peer") == 0 ? "Other programs"
                                                                    : report->workloads[workload]);
    fputs("</h2>\n", out);
    sizes_draw(out, report, workload);
    for (size_t c = 0; c < report->case_count; c++) {
        const struct report_case *of = &report->cases[c];
        if (of->workload != workload)
            continue;
        char *name = report_case_label(report, of);
        const char *about = report_case_about(of);
        html_element(out, "h3", name);
        if (*about)
            html_element(out, "p", about);
        for (size_t r = 0; r < of->row_count; r++)
            if (*of->rows[r].row->note)
                html_element(out, "p", of->rows[r].row->note);
        case_bars(out, report, of);
        free(name);
    }
    workload_table(out, report, workload);
}

/* What became slower, what failed ------------------------------------------------------------------------ */

static void losses(FILE *out, const struct results_report *report)
{
    static const char *const titles[] = {"case", "device", "before", "now", "slower by", "allowed", NULL};
    struct html_table table = {.out = out, .titles = titles, .first_number = 2};
    if (!report->baseline)
        return;
    char *about =
        cli_sprintf("Compared with %s of %.*s, commit %s: %zu of %zu figures on the same devices are "
                    "slower by more than 5 %% and by more than three times the spread of both runs.",
                    report->baseline_path, DAY, report->baseline->date, report->baseline->commit,
                    report->loss_count, report->compared_count);
    fputs("<h2 id=\"slower\">What became slower</h2>\n", out);
    html_element(out, "p", about);
    free(about);
    if (!report->loss_count)
        return;
    html_table_begin(&table);
    for (size_t i = 0; i < report->loss_count; i++) {
        const struct regression *loss = &report->losses[i];
        const struct result_row *row = loss->row, *before = loss->before;
        char *label = report_label(report, &report->losers[i]);
        html_row_begin(&table);
        html_cell(&table, row->name);
        html_cell(&table, label);
        html_cell(&table, cli_figure(before->value, before->unit).s);
        html_cell(&table, isnan(loss->loss) ? "no figure" : cli_figure(row->value, row->unit).s);
        html_cell(&table, percent(loss->loss).s);
        html_cell(&table, percent(loss->tolerance).s);
        html_row_end(&table);
        free(label);
    }
    html_table_end(&table);
}

static void failures(FILE *out, const struct results_report *report)
{
    static const char *const titles[] = {"case", "device", "machine", "reason", NULL};
    struct html_table table = {.out = out, .titles = titles, .first_number = 4};
    if (!report->failure_count)
        return;
    fputs("<h2 id=\"failed\">What has no figure, and why</h2>\n", out);
    html_table_begin(&table);
    for (size_t f = 0; f < report->failure_count; f++) {
        const struct report_failure *failure = &report->failures[f];
        html_row_begin(&table);
        html_cell(&table, failure->name);
        html_cell(&table, report->devices[failure->device].id);
        html_cell(&table, report->runs[failure->run].machine);
        html_cell(&table, failure->reason);
        html_row_end(&table);
    }
    html_table_end(&table);
}

static void qualities(FILE *out, const struct results_report *report)
{
    if (report->quality_count)
        fputs("<h2 id=\"quality\">Quality of results</h2>\n", out);
    for (size_t q = 0; q < report->quality_count; q++)
        quality_write(out, &report->qualities[q]);
}

/* Devices and runs --------------------------------------------------------------------------------------- */

static void devices(FILE *out, const struct results_report *report)
{
    static const char *const titles[] = {"device",
                                         "name",
                                         "driver or compiler",
                                         "fp32 arithmetic",
                                         "fp64 arithmetic",
                                         "reciprocal square roots",
                                         "memory bandwidth",
                                         "launch of a kernel",
                                         NULL};
    struct html_table table = {.out = out, .titles = titles, .first_number = 3};
    fputs("<h2 id=\"devices\">Devices and their roofs</h2>\n", out);
    html_table_begin(&table);
    for (size_t d = 0; d < report->device_count; d++) {
        const struct report_device *device = &report->devices[d];
        const struct shoal_roofs *roofs = device->roofs;
        char *label = report_device_label(report, d);
        html_row_begin(&table);
        html_cell(&table, label);
        html_cell(&table, device->name);
        html_cell(&table, device->driver);
        if (roofs) {
            html_cell(&table, cli_roof(roofs->fp32_flops, "flop/s").s);
            html_cell(&table, cli_roof(roofs->fp64_flops, "flop/s").s);
            html_cell(&table, cli_roof(roofs->sfu_ops, "op/s").s);
            html_cell(&table, cli_roof(roofs->copy_bytes, "B/s").s);
            html_cell(&table, cli_roof(roofs->launch_s, "s").s);
        } else {
            html_across(&table, "roofs not measured");
        }
        html_row_end(&table);
        free(label);
    }
    html_table_end(&table);
    fputs("<p class=\"facts\">Roofs are the highest rates that a program of shoal measured on the device: "
          "fused "
          "multiply-adds count two operations, memory bandwidth counts bytes read and written.</p>\n",
          out);
}

static void fact(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    html_element(out, "dt", name);
    html_element(out, "dd", value);
    putc('\n', out);
}

static void run_facts(FILE *out, const struct report_run *run)
{
    const struct results *results = run->results;
    const struct result_machine *machine = &results->machine;
    char text[512] = "";
    char *load = result_machine_load(machine);
    fputs("<dl>\n", out);
    fact(out, "machine", run->machine);
    if (*machine->processor)
        snprintf(text, sizeof text, "%s", machine->processor);
    if (*machine->processor && machine->threads > 0)
        snprintf(text, sizeof text, "%s, %.0f threads", machine->processor, machine->threads);
    fact(out, "processor", text);
    fact(out, "kernel", machine->kernel);
    if (isfinite(machine->load))
        fact(out, "load", load + strlen("load "));
    free(load);
    fact(out, "date", results->date);
    snprintf(text, sizeof text, "commit %s%s%s", results->commit, run->path ? "" : ", shoal ",
             run->path ? "" : shoal_version());
    fact(out, "program", text);
    fact(out, "command", results->command);
    fact(out, "file", run->path ? run->path : "");
    fputs("</dl>\n", out);
}

static void contents(FILE *out, const struct results_report *report)
{
    fputs("<nav aria-label=\"Contents\"><ul>", out);
    if (has_means(report))
        fputs("<li><a href=\"#all\">all workloads</a></li>\n", out);
    if (report->baseline)
        fputs("<li><a href=\"#slower\">slower</a></li>\n", out);
    if (report->failure_count)
        fputs("<li><a href=\"#failed\">failed</a></li>\n", out);
    for (size_t w = 0; w < report->workload_count; w++) {
        fprintf(out, "<li><a href=\"#w%zu\">", w);
        html_text(out, strcmp(report->workloads[w], "peer") == 0 ? "other programs" : report->workloads[w]);
        fputs("</a></li>\n", out);
    }
    if (report->quality_count)
        fputs("<li><a href=\"#quality\">quality</a></li>\n", out);
    fputs("<li><a href=\"#devices\">devices</a></li><li><a href=\"#runs\">runs</a></li></ul></nav>\n", out);
}

void report_page(FILE *out, const void *data)
{
    const struct results_report *report = data;
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
          out);
    fputs("<title>", out);
    chart_escaped(out, report->title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", html_style);
    html_element(out, "h1", report->title);
    html_element(out, "p", report->about);
    if (report->case_count)
        fputs(
            "<p>In the charts, the line below a bar goes from the least to the largest sample, and the "
            "dashed "
            "line is the roof of the device, where there is one (what fits into caches can be faster).</p>\n",
            out);
    contents(out, report);
    overview(out, report);
    losses(out, report);
    failures(out, report);
    for (size_t w = 0; w < report->workload_count; w++)
        workload_section(out, report, w);
    qualities(out, report);
    devices(out, report);
    fputs("<h2 id=\"runs\">Runs</h2>\n", out);
    for (size_t r = 0; r < report->run_count; r++)
        run_facts(out, &report->runs[r]);
    fputs("</main>\n</body>\n</html>\n", out);
}
