/* shoal report: results of any number of runs, side by side, from their files. */
#include "base/file.h"
#include "base/input.h"
#include "cli/cli.h"
#include "cli/output/tables/layout.h"
#include "cli/report/regressions.h"
#include "cli/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *html, *csv, *baseline, *relative_to;
    bool baseline_busy;
};

static const struct shoal_option options[] = {
    {"html", SHOAL_OPTION_TEXT, offsetof(struct values, html), "FILE", 0, 0, NULL,
     "write a self-contained HTML page with charts", .flags = SHOAL_OPTION_WRITES},
    {"csv", SHOAL_OPTION_TEXT, offsetof(struct values, csv), "FILE", 0, 0, NULL,
     "write a table with a line for each row and each left-out case of the files",
     .flags = SHOAL_OPTION_WRITES},
    {"baseline", SHOAL_OPTION_TEXT, offsetof(struct values, baseline), "FILE", 0, 0, NULL,
     "an earlier result file; exit code 7 if a row of the same device is worse by more than 5 % and three "
     "times the spread of both",
     .flags = SHOAL_OPTION_READS},
    {"baseline-busy", SHOAL_OPTION_FLAG, offsetof(struct values, baseline_busy), "", 0, 0, NULL,
     "compare even if other programs took more than half of the threads before one of the runs",
     .needs = "baseline"},
    {"relative-to", SHOAL_OPTION_TEXT, offsetof(struct values, relative_to), "DEVICE", 0, 0, NULL,
     "id of the device that speeds are relative to (default: the device that shares most cases with others)"},
};

static const struct shoal_example examples[] = {
    {"shoal report bench.json --html report.html", "one run as a page with charts"},
    {"shoal report one.json other.json --html report.html", "two machines side by side"},
    {"shoal report now.json --baseline before.json", "exit code 7 if a case became slower"},
};

/* A file and what it holds. */
struct source {
    struct results results;
    const char *path;
    char *name, *machine; /* name: of the machine, as the file has it */
};

struct sources {
    struct source *source;
    size_t count;
    struct report_quality *qualities;
    size_t quality_count;
    int code; /* exit code of the first file or entry that was left out */
};

/* Reading ------------------------------------------------------------------------------------------------ */

static void tell(void *data, const char *line)
{
    struct sources *sources = data;
    sources->code = cli_first_failure(sources->code, cli_error(CLI_FAILURE, "%s", line));
}

/* Reads a file whole or in part; entries that cannot be used are told. Returns false if there are no results:
 * nothing can be used, or the file is of another kind and is added to the qualities. */
static bool read_source(struct sources *sources, const char *path, struct results *results)
{
    size_t bytes;
    struct shoal_error error = {0};
    char *text = input_read(path, INPUT_DATA_MOST, &bytes);
    if (!text) {
        sources->code = cli_first_failure(
            sources->code, cli_error(CLI_FAILURE, "%s: cannot be read: %s", path, input_reason(errno)));
        return false;
    }
    sources->qualities =
        cli_realloc(sources->qualities, (sources->quality_count + 1) * sizeof *sources->qualities);
    if (quality_read(&sources->qualities[sources->quality_count], text, path)) {
        sources->quality_count++;
        free(text);
        return false;
    }
    const enum shoal_status status = results_parse_most(results, text, path, tell, sources, &error);
    free(text);
    if (status != SHOAL_OK)
        sources->code = cli_first_failure(sources->code, cli_fail(NULL, &error));
    return status == SHOAL_OK;
}

/* Name of the machine in the file; in files without it the first word of the file's name, "h200" of
 * "h200-bench-2026-11-21.json". */
static char *name_of(const struct source *source)
{
    const char *base = file_base_name(source->path);
    return *source->results.machine.name ? cli_strdup(source->results.machine.name)
                                         : cli_sprintf("%.*s", (int)strcspn(base, "-."), base);
}

/* Why two runs on machines of one name were on different machines; NULL: nothing shows that. */
static const char *difference(const struct results *one, const struct results *two)
{
    const struct result_machine *a = &one->machine, *b = &two->machine;
    if (*a->processor && *b->processor && strcmp(a->processor, b->processor) != 0)
        return "another processor";
    if (a->threads > 0 && b->threads > 0 && a->threads != b->threads)
        return "another number of threads";
    for (size_t i = 0; i < one->device_count; i++) {
        const struct result_device *device = results_device(two, one->devices[i].id);
        /* A device without a name has its id as the name. */
        const bool has_names =
            device && strcmp(device->name, device->id) != 0 && strcmp(one->devices[i].name, device->id) != 0;
        if (has_names && strcmp(device->name, one->devices[i].name) != 0)
            return "other devices";
    }
    return NULL;
}

/* Gives each machine a name of its own, and tells where a file's machine has the name of another one. */
static void name_machines(struct sources *sources, const struct cli *cli)
{
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->source[i];
        const char *differs = NULL;
        size_t number = 1;
        source->name = name_of(source);
        for (size_t k = 0; k < i && !source->machine; k++) {
            const struct source *other = &sources->source[k];
            if (strcmp(other->name, source->name) != 0)
                continue;
            const char *what = difference(&other->results, &source->results);
            if (!what) {
                source->machine = cli_strdup(other->machine);
            } else {
                bool is_new = true;
                for (size_t e = 0; e < k; e++)
                    is_new = is_new && strcmp(sources->source[e].machine, other->machine) != 0;
                number += is_new;
                differs = what;
            }
        }
        if (source->machine)
            continue;
        source->machine =
            number == 1 ? cli_strdup(source->name) : cli_sprintf("%s (%zu)", source->name, number);
        if (differs)
            cli_note(cli, "%s: its machine has the name of another one, '%s', but %s: it is shown as '%s'",
                     source->path, source->name, differs, source->machine);
    }
}

static void read_sources(struct sources *sources, const struct cli *cli)
{
    sources->source = cli_alloc(cli->argument_count * sizeof *sources->source);
    for (size_t i = 0; i < cli->argument_count; i++) {
        struct source source = {.path = cli->arguments[i]};
        if (read_source(sources, source.path, &source.results))
            sources->source[sources->count++] = source;
    }
    name_machines(sources, cli);
}

static void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        results_clear(&sources->source[i].results);
        free(sources->source[i].name);
        free(sources->source[i].machine);
    }
    for (size_t q = 0; q < sources->quality_count; q++)
        quality_free(&sources->qualities[q]);
    free(sources->source);
    free(sources->qualities);
}

/* Output ------------------------------------------------------------------------------------------------- */

int report_write(const char *option, const char *path, void (*write)(FILE *out, const void *data),
                 const struct results_report *report)
{
    char *text = NULL;
    size_t bytes = 0;
    struct shoal_error error = {0};
    int code = CLI_OK;
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        write(out, report);
    if (!out || fclose(out) != 0)
        code = cli_error(CLI_FAILURE, "%s: out of memory", option);
    else if (cli_write_file(path, text, bytes, &error) != SHOAL_OK)
        code = cli_fail(option, &error);
    free(text);
    return code;
}

/* Whether another device than the reference has a figure of a case that the reference has, too. */
static bool is_compared(const struct results_report *report, size_t workload)
{
    size_t count, cases = 0;
    struct report_mean *means = report_means(report, workload, &count);
    for (size_t m = 0; m < count; m++)
        if (means[m].device != report->references[workload])
            cases += means[m].cases;
    free(means);
    return cases > 0;
}

/* Prints the rows of the workloads whose devices are not compared. compared: for each workload whether they
 * are; follows: behind another table. */
static void print_rows(const struct results_report *report, const bool *compared, bool follows)
{
    static const struct cli_column columns[] = {{.title = "case"},
                                                {.title = "device", .stays = true},
                                                {.title = "variant", .stays = true},
                                                {.title = "figure", .stays = true, .right = true},
                                                {.title = "share", .stays = true, .right = true},
                                                {.title = "of the roof", .stays = true, .rank = 1}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    size_t rows = 0;
    for (size_t c = 0; c < report->case_count; c++)
        for (size_t r = 0; r < report->cases[c].row_count && !compared[report->cases[c].workload]; r++) {
            const struct report_case *of = &report->cases[c];
            const struct report_row *row = &of->rows[r];
            if (!report_has_figure(row->row) || report_is_replaced(report, of, row))
                continue;
            char *device = report_device_label(report, row->device);
            rows++;
            cli_table_row(table);
            cli_table_cell(table, "%s", of->name);
            cli_table_cell(table, "%s", device);
            cli_table_cell(table, "%s", row->row->variant);
            cli_table_cell(table, "%s", cli_figure(row->row->value, row->row->unit).s);
            const struct cli_text share = report_share(row->row);
            const bool is_known = strcmp(share.s, "-") != 0;
            cli_table_cell(table, "%.*s", (int)strcspn(share.s, "%") + is_known, share.s);
            cli_table_cell(table, "%s", is_known ? result_roof_words(row->row->bound) : "-");
            free(device);
        }
    if (rows && follows)
        puts("");
    if (rows)
        cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_means(const struct results_report *report, const bool *compared)
{
    static const struct cli_column columns[] = {{.title = "workload"},
                                                {.title = "device", .stays = true},
                                                {.title = "variant", .stays = true},
                                                {.title = "times as fast", .stays = true, .right = true},
                                                {.title = "as", .rank = 2},
                                                {.title = "cases", .right = true, .rank = 3},
                                                {.title = "of the roof", .stays = true, .rank = 1}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t w = 0; w < report->workload_count; w++) {
        size_t count;
        if (!compared[w])
            continue;
        struct report_mean *means = report_means(report, w, &count);
        for (size_t m = 0; m < count; m++) {
            char *device = report_device_label(report, means[m].device),
                 *reference = means[m].cases ? report_device_label(report, report->references[w]) : NULL;
            cli_table_row(table);
            cli_table_cell(table, "%s", report->workloads[w]);
            cli_table_cell(table, "%s", device);
            cli_table_cell(table, "%s", means[m].variant);
            cli_table_cell(table, "%s", cli_ratio(means[m].speed).s);
            cli_table_cell(table, "%s", reference ? reference : "-");
            cli_table_cell(table, "%zu", means[m].cases);
            cli_table_cell(table, "%s", means[m].nearest ? report_share(means[m].nearest).s : "-");
            free(device);
            free(reference);
        }
        free(means);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    cli_paragraph(stdout, 2,
                  "times as fast: the geometric mean over the cases that both devices have; of the roof: the "
                  "best case");
}

static int print_text(const struct results_report *report)
{
    bool *compared = cli_alloc(report->workload_count * sizeof *compared), is_any = false;
    for (size_t w = 0; w < report->workload_count; w++) {
        compared[w] = is_compared(report, w);
        is_any |= compared[w];
    }
    if (is_any)
        print_means(report, compared);
    print_rows(report, compared, is_any);
    free(compared);
    if (!report->case_count)
        puts("no rates; --html shows the files");
    if (report->failure_count)
        printf("%zu without a figure; --html and --csv show why\n", report->failure_count);
    if (report->baseline)
        regressions_print(report->losses, report->loss_count, report->compared_count);
    return cli_flush();
}

static int print_json(const struct results_report *report)
{
    cJSON *json = cli_json_new("report");
    cJSON *runs = cli_json_array(json, "runs"), *means = cli_json_array(json, "means"),
          *failures = cli_json_array(json, "failures");
    for (size_t r = 0; r < report->run_count; r++) {
        cJSON *object = cli_json_object(runs, NULL);
        cli_json_text(object, "file", report->runs[r].path);
        cli_json_text(object, "machine", report->runs[r].machine);
        cli_json_text(object, "date", report->runs[r].results->date);
        cli_json_text(object, "commit", report->runs[r].results->commit);
        cli_json_uint(object, "rows", report->runs[r].results->row_count);
    }
    for (size_t w = 0; w < report->workload_count; w++) {
        size_t count;
        struct report_mean *of = report_means(report, w, &count);
        for (size_t m = 0; m < count; m++) {
            cJSON *object = cli_json_object(means, NULL);
            cli_json_text(object, "workload", report->workloads[w]);
            cli_json_text(object, "machine", report->devices[of[m].device].machine);
            cli_json_text(object, "device", report->devices[of[m].device].id);
            cli_json_text(object, "variant", of[m].variant);
            cli_json_text(object, "relative_to",
                          of[m].cases ? report->devices[report->references[w]].id : NULL);
            cli_json_real(object, "speed", of[m].speed);
            cli_json_uint(object, "cases", of[m].cases);
            cli_json_real(object, "share", of[m].nearest ? of[m].nearest->share : NAN);
            cli_json_text(object, "bound", of[m].nearest ? result_roof_name(of[m].nearest->bound) : NULL);
        }
        free(of);
    }
    for (size_t f = 0; f < report->failure_count; f++) {
        const struct report_failure *failure = &report->failures[f];
        cJSON *object = cli_json_object(failures, NULL);
        cli_json_text(object, "case", failure->name);
        cli_json_text(object, "machine", report->devices[failure->device].machine);
        cli_json_text(object, "device", report->devices[failure->device].id);
        cli_json_text(object, "reason", failure->reason);
    }
    if (report->baseline)
        regressions_json(json, report->losses, report->loss_count);
    else if (report->baseline_path)
        cli_json_text(json, "regressions", NULL);
    return cli_json_print(json);
}

/* Command ------------------------------------------------------------------------------------------------ */

/* Refuses an id that no device of the files has. */
static int check_reference(const struct results_report *report)
{
    if (report->reference_id && !report->device_count)
        return cli_error(CLI_USAGE, "--relative-to %s: the files have no devices", report->reference_id);
    const char **ids = cli_alloc((report->device_count + 1) * sizeof *ids);
    size_t count = 0;
    bool is_known = !report->reference_id;
    for (size_t d = 0; d < report->device_count; d++) {
        is_known = is_known || strcmp(report->devices[d].id, report->reference_id) == 0;
        bool is_new = true;
        for (size_t i = 0; i < count; i++)
            is_new = is_new && strcmp(ids[i], report->devices[d].id) != 0;
        if (is_new)
            ids[count++] = report->devices[d].id;
    }
    const int code = is_known ? CLI_OK : cli_not_one_of("--relative-to", report->reference_id, ids, count);
    free(ids);
    return code;
}

/* Title of the page: the first machines of the runs. */
static char *title_of(const struct results_report *report)
{
    enum { SHOWN = 4 };
    char *title = cli_strdup(report->run_count ? "shoal on" : "shoal: quality of results");
    size_t count = 0;
    for (size_t r = 0; r < report->run_count; r++) {
        bool is_new = true;
        for (size_t k = 0; k < r; k++)
            is_new = is_new && strcmp(report->runs[k].machine, report->runs[r].machine) != 0;
        if (!is_new || ++count > SHOWN)
            continue;
        char *longer = cli_sprintf("%s%s %s", title, r ? "," : "", report->runs[r].machine);
        free(title);
        title = longer;
    }
    if (count > SHOWN) {
        char *longer = cli_sprintf("%s and %zu more", title, count - SHOWN);
        free(title);
        title = longer;
    }
    return title;
}

static char *about_of(const struct results_report *report)
{
    const char *first = report->run_count ? report->runs[0].results->date : "", *last = first;
    if (!report->run_count)
        return cli_strdup("How good the results of programs are; the files have no rates.");
    for (size_t r = 1; r < report->run_count; r++) {
        const char *date = report->runs[r].results->date;
        first = !*first || (*date && strcmp(date, first) < 0) ? date : first;
        last = strcmp(date, last) > 0 ? date : last;
    }
    return cli_sprintf("Results of %zu run%s, %.10s%s%.10s. Figures are medians; no figure failed the check "
                       "of its result: a result whose check failed has none.",
                       report->run_count, report->run_count == 1 ? "" : "s", first,
                       strncmp(first, last, 10) ? " to " : "", strncmp(first, last, 10) ? last : "");
}

/* Refuses a verdict that the rows do not give: the report then goes without the baseline. */
static int check_baseline(const struct values *values, struct results_report *report)
{
    if (!report->baseline)
        return CLI_OK;
    const bool was_busy = result_machine_is_busy(&report->baseline->machine);
    const struct result_machine *busy = was_busy       ? &report->baseline->machine
                                        : report->busy ? &report->busy->results->machine
                                                       : NULL;
    int code = CLI_OK;
    if (!report->compared_count)
        code = cli_error(CLI_FAILURE,
                         "--baseline: %s has no row that can be compared: same case, device, device name, "
                         "variant and unit",
                         report->baseline_path);
    else if (busy && !values->baseline_busy)
        code = cli_error(CLI_FAILURE,
                         "--baseline: busy, no verdict: load %.2f of %.0f threads before the run of %s; "
                         "repeat it on an idle machine, or judge all the same by --baseline-busy",
                         busy->load, busy->threads, was_busy ? report->baseline_path : report->busy->path);
    if (code != CLI_OK) {
        report->baseline = NULL;
        report->loss_count = 0;
    }
    return code;
}

static int write_report(struct cli *cli, const struct values *values, struct results_report *report)
{
    report->reference_id = values->relative_to;
    report_collect(report);
    int code = check_reference(report), verdict = CLI_OK;
    char *title = title_of(report), *about = about_of(report);
    report->title = title;
    report->about = about;
    if (code == CLI_OK) {
        verdict = check_baseline(values, report);
        if (values->html)
            code = report_write("--html", values->html, report_page, report);
        if (values->csv)
            code = cli_first_failure(code, report_write("--csv", values->csv, report_csv, report));
        code = cli_first_failure(code, cli->common.json ? print_json(report) : print_text(report));
        code = cli_first_failure(code, report->loss_count ? CLI_REGRESSION : verdict);
    }
    free(title);
    free(about);
    report_free(report);
    return code;
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct sources sources = {0};
    struct results baseline = {0};
    if (cli->argument_count == 0)
        return cli_error(CLI_USAGE,
                         "no FILE; 'shoal bench --out' and 'shoal compare --out' write result files");
    if ((values->html && (!cli_check_output("--html", values->html, false) ||
                          !cli_check_replaced("--html", values->html, "<!doctype html>", "page"))) ||
        (values->csv && (!cli_check_output("--csv", values->csv, false) ||
                         !cli_check_replaced("--csv", values->csv, "case,size,", "table"))))
        return CLI_FAILURE;
    read_sources(&sources, cli);
    const size_t qualities = sources.quality_count;
    const bool has_baseline = values->baseline && read_source(&sources, values->baseline, &baseline);
    if (sources.quality_count > qualities) {
        quality_free(&sources.qualities[--sources.quality_count]);
        sources.code = cli_first_failure(
            sources.code,
            cli_error(CLI_FAILURE, "--baseline: %s is a file of quality, without rates to compare",
                      values->baseline));
    }
    struct report_run *runs = cli_alloc((sources.count + 1) * sizeof *runs);
    for (size_t i = 0; i < sources.count; i++)
        runs[i] = (struct report_run){&sources.source[i].results, sources.source[i].path,
                                      sources.source[i].machine};
    int code = sources.code;
    if (sources.count || sources.quality_count) {
        struct results_report report = {.runs = runs,
                                        .run_count = sources.count,
                                        .baseline = has_baseline ? &baseline : NULL,
                                        .baseline_path = values->baseline,
                                        .qualities = sources.qualities,
                                        .quality_count = sources.quality_count};
        code = cli_first_failure(code, write_report(cli, values, &report));
    }
    free(runs);
    sources_free(&sources);
    results_clear(&baseline);
    return code;
}

const struct cli_command cli_report = {
    .name = "report",
    .summary = "results of several runs and machines side by side, from their files",
    .description =
        "Reads result files, which 'shoal bench --out' and 'shoal compare --out' write, of any number of "
        "machines and dates, and shows each workload on each device: speeds relative to one device, shares "
        "of the roofs, other programs, and what has no figure and why. The page of --html is one file "
        "without "
        "scripts; --csv is for charts of your own.\nA file, a device or a row that cannot be used is left "
        "out, "
        "with one line and exit code 1; the rest is shown. A result whose check failed is shown without a "
        "figure and is in no mean.",
    .takes = CLI_TAKES_JSON,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .argument = "FILE",
    .max_arguments = 1000,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
