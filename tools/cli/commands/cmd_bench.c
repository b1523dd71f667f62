/* shoal bench: every case on every device, against the roofs, a baseline and an earlier run. */
#include "base/text.h"
#include "bench/runner/bench.h"
#include "cli/cli.h"
#include "cli/output/tables/layout.h"
#include "cli/report/regressions.h"
#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *filter, *out, *before, *baseline;
    bool list, no_roofs, before_busy, energy;
    double time;
};

static const struct shoal_option options[] = {
    {"filter", SHOAL_OPTION_TEXT, offsetof(struct values, filter), "PATTERN", 0, 0, NULL,
     "cases to measure, the same as the operand; * matches any text, ? any character, 'lib' is short for "
     "'lib.*'"},
    {"list", SHOAL_OPTION_FLAG, offsetof(struct values, list), "", 0, 0, NULL,
     "list the cases without measuring"},
    {"time", SHOAL_OPTION_REAL, offsetof(struct values, time), "SECONDS", 0, 3600, NULL,
     "measuring time of each row"},
    {"energy", SHOAL_OPTION_FLAG, offsetof(struct values, energy), "", 0, 0, NULL,
     "add mean power, power at rest and work for each joule to each row, by 5 s of further repetitions, "
     "and 5 s of rest for each device"},
    {"no-roofs", SHOAL_OPTION_FLAG, offsetof(struct values, no_roofs), "", 0, 0, NULL,
     "skip the measurement of the roofs; rows then show no share of a roof"},
    {"out", SHOAL_OPTION_TEXT, offsetof(struct values, out), "FILE", 0, 0, NULL,
     "write a result file; in a folder the file's name has host and date", .flags = SHOAL_OPTION_WRITES},
    {"baseline", SHOAL_OPTION_TEXT, offsetof(struct values, baseline), "DEVICE", 0, 0, NULL,
     "id of the device that speeds are relative to (default host, else the first)"},
    {"before", SHOAL_OPTION_TEXT, offsetof(struct values, before), "FILE", 0, 0, NULL,
     "compare with an earlier result file; exit code 7 if a row is worse by more than 5 % and three times "
     "the spread of both"},
    {"before-busy", SHOAL_OPTION_FLAG, offsetof(struct values, before_busy), "", 0, 0, NULL,
     "compare even if other programs took more than half of the threads before one of the two runs",
     .needs = "before"},
};

static const struct shoal_example examples[] = {
    {"shoal bench --list", "the cases and what they do"},
    {"shoal bench core --device all", "launches and transfers on every device"},
    {"shoal bench --device gpu --out bench/results", "a result file named by host and date"},
    {"shoal bench --before earlier.json", "exit code 7 if a case became slower"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->time = 1;
}

struct session {
    struct cli *cli;
    const struct values *values;
    const struct shoal_device *baseline; /* device to which speeds are relative, one of cli->devices */
    struct results results, before;
    struct regression *regressions; /* rows that are worse than in the earlier run */
    size_t regression_count, compared_count;
};

static const char *id_of(const struct shoal_device *device)
{
    return shoal_device_get_info(device)->id;
}

static bool left_out(enum shoal_status status)
{
    return status == SHOAL_UNSUPPORTED || status == SHOAL_OUT_OF_DEVICE_MEMORY;
}

static int list_cases(const struct cli *cli, const struct values *values)
{
    static const struct cli_column columns[] = {{.title = "case"},
                                                {.title = "unit", .stays = true, .rank = 1},
                                                {.title = "roof", .stays = true, .rank = 2},
                                                {.title = "one repetition", .stays = true, .wraps = true}};
    if (cli->common.json) {
        cJSON *json = cli_json_new("bench");
        cli_json_text(json, "commit", results_commit());
        cJSON *cases = cli_json_array(json, "cases");
        for (size_t i = 0; i < bench_case_count(); i++) {
            const struct bench_case *bench_case = bench_case_at(i);
            if (!bench_matches(values->filter, bench_case->name))
                continue;
            cJSON *object = cli_json_object(cases, NULL);
            cli_json_text(object, "case", bench_case->name);
            cli_json_text(object, "unit", bench_case->unit);
            cli_json_text(object, "bound", bench_case->roof ? result_roof_name(bench_case->roof) : NULL);
            cli_json_bool(object, "host", bench_case->host != NULL);
            cli_json_text(object, "help", bench_case->help);
        }
        return cli_json_print(json);
    }
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < bench_case_count(); i++) {
        const struct bench_case *bench_case = bench_case_at(i);
        if (!bench_matches(values->filter, bench_case->name))
            continue;
        cli_table_row(table);
        cli_table_cell(table, "%s", bench_case->name);
        cli_table_cell(table, "%s", bench_case->unit);
        cli_table_cell(table, "%s", bench_case->roof ? result_roof_name(bench_case->roof) : "-");
        cli_table_cell(table, "%s", bench_case->help);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    return cli_flush();
}

static int no_such_case(const char *pattern)
{
    if (!SHOAL_THESES && strncmp(pattern, "thesis-", strlen("thesis-")) == 0)
        return cli_error(CLI_USAGE, "%s " CLI_NEEDS_THESES, pattern);
    size_t count = bench_case_count();
    const char **names = cli_alloc(count * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = bench_case_at(i)->name;
    const char *nearest = text_nearest(pattern, names, count);
    int code = nearest
                   ? cli_error(CLI_USAGE, "no case matches '%s'; did you mean '%s'?", pattern, nearest)
                   : cli_error(CLI_USAGE, "no case matches '%s'; 'shoal bench --list' shows them", pattern);
    free(names);
    return code;
}

static int measure_roofs(struct session *session)
{
    struct shoal_error error;
    int code = CLI_OK;
    for (size_t i = 0; i < session->cli->device_count && !cli_stopped(NULL); i++) {
        struct shoal_device *device = session->cli->devices[i];
        struct shoal_roofs roofs, *measured = session->values->no_roofs ? NULL : &roofs;
        cli_progress_show("%s  measuring its roofs", id_of(device));
        if (measured && shoal_measure_roofs(device, &roofs, &error) != SHOAL_OK) {
            code = cli_first_failure(code, cli_fail(id_of(device), &error));
            measured = NULL;
        }
        if (results_add_device(&session->results, device, measured, &error) != SHOAL_OK)
            return cli_fail(NULL, &error);
    }
    cli_progress_end();
    return code;
}

static void take_row(void *data, const struct bench_case *bench_case, struct shoal_device *device,
                     const struct result_row *row, const struct shoal_error *error)
{
    struct session *session = data;
    if (row && error->status == SHOAL_OK) {
        cli_progress_show("%s  %s %s  %s", row->name, row->device, row->variant,
                          cli_si(row->value, row->unit).s);
        return;
    }
    if (!left_out(error->status) && error->status != SHOAL_STOPPED)
        cli_fail(id_of(device), error);
    if (row)
        return;
    struct shoal_error failure;
    if (results_add_skipped(&session->results, bench_case->name, id_of(device), error, &failure) != SHOAL_OK)
        cli_fail(NULL, &failure);
}

/* Lists a case that no selected device can run: a case for devices if only the host is selected, or a case
 * for the host if the host is not selected. */
static void name_unmeasured(struct session *session, const struct bench_case *bench_case)
{
    struct shoal_device *device = session->cli->devices[0];
    const bool is_host = shoal_device_get_info(device)->is_host;
    struct shoal_error error = {.status = SHOAL_UNSUPPORTED};
    snprintf(error.message, sizeof error.message,
             is_host ? "it is for devices: give --device all" : "it is for the host: give --device host");
    take_row(session, bench_case, device, NULL, &error);
}

static int run_cases(struct session *session)
{
    struct bench_options run_options = {.variant = (enum shoal_variant)session->cli->common.variant,
                                        .seconds = session->values->time,
                                        .energy = session->values->energy,
                                        .stop = cli_stopped};
    int code = CLI_OK;
    for (size_t i = 0; i < bench_case_count(); i++) {
        const struct bench_case *bench_case = bench_case_at(i);
        if (!bench_matches(session->values->filter, bench_case->name))
            continue;
        run_options.large = session->values->filter && strcmp(session->values->filter, bench_case->name) == 0;
        const size_t rows = session->results.row_count, skipped = session->results.skipped_count;
        for (size_t d = 0; d < session->cli->device_count && !cli_stopped(NULL); d++) {
            struct shoal_device *device = session->cli->devices[d];
            cli_progress_show("%s  %s", bench_case->name, id_of(device));
            enum shoal_status status = bench_case_run(bench_case, session->cli->shoal, device, &run_options,
                                                      &session->results, take_row, session);
            cli_progress_end();
            if (status != SHOAL_OK && status != SHOAL_STOPPED)
                code = cli_first_failure(code, cli_exit_code(status));
        }
        if (session->results.row_count == rows && session->results.skipped_count == skipped &&
            !cli_stopped(NULL))
            name_unmeasured(session, bench_case);
    }
    return cli_first_failure(cli_stop_code(), code);
}

/* Whether both result files have a device with the same id and name: results of different devices do not show
 * what the code has changed. */
static bool same_device(const struct session *session, const char *id)
{
    const struct result_device *now = results_device(&session->results, id),
                               *then = results_device(&session->before, id);
    return now && then && strcmp(now->name, then->name) == 0;
}

/* Refuses a comparison of results of which one is from a busy machine: the difference of their times does not
 * show what the code has changed. */
static int check_load(const struct session *session)
{
    const bool now = result_machine_is_busy(&session->results.machine);
    if (session->values->before_busy || (!now && !result_machine_is_busy(&session->before.machine)))
        return CLI_OK;
    const struct result_machine *busy = now ? &session->results.machine : &session->before.machine;
    return cli_error(
        CLI_FAILURE,
        "--before: busy, no verdict: load %.2f of %.0f threads before %s%s; repeat it on an idle "
        "machine, or judge all the same by --before-busy",
        busy->load, busy->threads, now ? "this run" : "the run of ", now ? "" : session->values->before);
}

static int compare_with_before(struct session *session)
{
    const struct results *results = &session->results;
    session->regressions = cli_alloc((results->row_count + 1) * sizeof *session->regressions);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *row = &results->rows[i], *before = results_row(&session->before, row);
        struct regression regression;
        if (!before || !same_device(session, row->device) || !regression_compare(row, before, &regression))
            continue;
        session->compared_count++;
        if (regression.worse)
            session->regressions[session->regression_count++] = regression;
    }
    if (session->compared_count == 0)
        return cli_error(CLI_FAILURE,
                         "--before: %s has no row that can be compared: same case, device, device name, "
                         "variant and unit",
                         session->values->before);
    if (check_load(session) != CLI_OK) {
        free(session->regressions);
        session->regressions = NULL;
        session->regression_count = session->compared_count = 0;
        return CLI_FAILURE;
    }
    if (session->regression_count)
        return cli_error(CLI_REGRESSION, "%zu of %zu rows are worse than %s", session->regression_count,
                         session->compared_count, session->values->before);
    return CLI_OK;
}

/* Finds the row of the same case on the baseline: the first such row, or, if the baseline is the host, the
 * row with all threads. */
static const struct result_row *baseline_row(const struct session *session, const struct result_row *row)
{
    const struct results *results = &session->results;
    const struct result_row *found = NULL;
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *other = &results->rows[i];
        if (strcmp(other->device, id_of(session->baseline)) == 0 && strcmp(other->name, row->name) == 0 &&
            strcmp(other->unit, row->unit) == 0 && other->check == RESULT_PASSED &&
            (!found || strtoul(other->variant + 1, NULL, 10) > strtoul(found->variant + 1, NULL, 10)))
            found = other;
    }
    return found;
}

/* Number, from 1, of the compiler of the row among the compilers other than that of the library; 0: the
 * compiler of the library. */
static size_t compiler_number(const struct results *results, const struct result_row *row)
{
    size_t number = 0;
    for (size_t i = 0; *row->compiler && i < results->row_count; i++) {
        bool known = !*results->rows[i].compiler;
        for (size_t before = 0; before < i && !known; before++)
            known = strcmp(results->rows[before].compiler, results->rows[i].compiler) == 0;
        number += !known;
        if (strcmp(results->rows[i].compiler, row->compiler) == 0)
            return number;
    }
    return 0;
}

static void print_compilers(const struct results *results)
{
    size_t printed = 0;
    for (size_t i = 0; i < results->row_count; i++)
        if (compiler_number(results, &results->rows[i]) > printed)
            cli_print("[%zu]: %s\n", ++printed, results->rows[i].compiler);
}

/* How many times better the value of the row is than the value `other`. */
static struct cli_text gain(const struct result_row *row, double other)
{
    return cli_ratio(row->higher_is_better ? row->value / other : other / row->value);
}

static void print_row(struct cli_table *table, const struct session *session, const struct result_row *row,
                      bool published)
{
    cli_table_row(table);
    cli_table_cell(table, "%s", row->name);
    cli_table_cell(table, "%s", row->device);
    size_t compiler = compiler_number(&session->results, row);
    if (compiler)
        cli_table_cell(table, "%s [%zu]", row->variant, compiler);
    else
        cli_table_cell(table, "%s", row->variant);
    if (row->check == RESULT_FAILED) {
        cli_table_span(table, "check failed: no figure");
        return;
    }
    const struct result_row *baseline = baseline_row(session, row);
    cli_table_cell(table, "%s", cli_figure(row->value, row->unit).s);
    cli_table_cell(table, "%.1f %%", 100 * row->spread);
    if (row->share > 0)
        cli_table_cell(table, "%.0f %% %s", 100 * row->share, result_roof_name(row->bound));
    else
        cli_table_cell(table, "-");
    if (baseline)
        cli_table_cell(table, "%s%s", baseline == row ? "" : result_machine_mark(&session->results.machine),
                       gain(row, baseline->value).s);
    else
        cli_table_cell(table, "-");
    cli_table_cell(table, "%zu", row->samples);
    cli_table_cell(table, "%s", row->error > 0 ? cli_number(row->error).s : "0");
    cli_table_cell(table, "%s", cli_seconds(row->first_launch_s).s);
    if (published && row->published > 0) {
        cli_table_cell(table, "%s %s", cli_figure(row->published, row->unit).s, row->published_on);
        cli_table_cell(table, "%s", gain(row, row->published).s);
    }
}

/* Prints the further figures of rows, a line for each row. */
static void print_figures(const struct results *results)
{
    static const struct cli_column columns[] = {{.title = "further figures"},
                                                {.title = "device"},
                                                {.title = "variant"},
                                                {.title = "", .wraps = true}};
    struct cli_table *table = NULL;
    for (size_t i = 0; i < results->row_count; i++) {
        const struct result_row *row = &results->rows[i];
        char text[RESULT_FIGURES * 64 + 512] = "";
        for (size_t f = 0; f < row->figure_count; f++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", f ? "; " : "",
                     row->figures[f].name, cli_figure(row->figures[f].value, row->figures[f].unit).s);
        if (*row->note)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? "; " : "", row->note);
        if (!*text)
            continue;
        if (!table)
            table = cli_table_new(columns, sizeof columns / sizeof *columns);
        cli_table_row(table);
        cli_table_cell(table, "%s", row->name);
        cli_table_cell(table, "%s", row->device);
        cli_table_cell(table, "%s", row->variant);
        cli_table_cell(table, "%s", text);
    }
    if (!table)
        return;
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_rows(const struct session *session)
{
    char *speed = cli_sprintf("x %s", id_of(session->baseline));
    const struct cli_column columns[] = {{.title = "case"},
                                         {.title = "device"},
                                         {.title = "variant"},
                                         {.title = "median", .right = true},
                                         {.title = "spread", .right = true, .rank = 4},
                                         {.title = "of roof", .right = true, .rank = 1},
                                         {.title = speed, .right = true, .rank = 2},
                                         {.title = "samples", .right = true, .rank = 7},
                                         {.title = "error", .right = true, .rank = 6},
                                         {.title = "first", .right = true, .rank = 8},
                                         {.title = "published", .right = true, .rank = 5},
                                         {.title = "gain", .right = true, .rank = 3}};
    const struct results *results = &session->results;
    bool published = false, compared = false;
    for (size_t i = 0; i < results->row_count; i++) {
        published = published || results->rows[i].published > 0;
        compared = compared || baseline_row(session, &results->rows[i]);
    }
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns - (published ? 0 : 2));
    for (size_t i = 0; i < results->row_count; i++)
        print_row(table, session, &results->rows[i], published);
    for (size_t i = 0; i < results->skipped_count; i++) {
        const struct result_skipped *skipped = &results->skipped[i];
        cli_table_row(table);
        cli_table_cell(table, "%s", skipped->name);
        cli_table_cell(table, "%s", skipped->device);
        cli_table_cell(table, "%s", "");
        if (skipped->error.status == SHOAL_STOPPED)
            cli_table_span(table, "stopped");
        else
            cli_table_span(table, "%s: %s", left_out(skipped->error.status) ? "left out" : "failed",
                           skipped->error.message);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    print_figures(results);
    for (size_t i = 0; i < results->device_count; i++)
        cli_print("%s%s: %s (%s)\n", i ? "" : "\n", results->devices[i].id, results->devices[i].name,
                  results->devices[i].driver);
    result_machine_print(&results->machine);
    print_compilers(results);
    char *about = cli_sprintf("%s: times as fast%s", speed,
                              shoal_device_get_info(session->baseline)->is_host ? " as all its threads" : "");
    if (compared)
        cli_paragraph(stdout, 2, about);
    cli_paragraph(stdout, 2, "spread: half the interquartile range over the median");
    if (published)
        cli_paragraph(stdout, 2,
                      "published: figure and hardware of the source; gain: how many times as fast, hardware "
                      "included");
    free(about);
    free(speed);
}

static int print_json(const struct session *session)
{
    cJSON *json = results_json(&session->results);
    if (!json)
        return cli_error(CLI_FAILURE, "out of memory");
    if (session->values->before && !session->regressions) {
        cli_json_text(json, "regressions", NULL);
    } else if (session->values->before) {
        regressions_json(json, session->regressions, session->regression_count);
    }
    return cli_json_print(json);
}

static int write_results(const struct session *session)
{
    struct shoal_error error;
    char *written = NULL;
    if (results_write(&session->results, session->values->out, &written, &error) != SHOAL_OK)
        return cli_fail("--out", &error);
    cli_note(session->cli, "wrote %s", written);
    free(written);
    return CLI_OK;
}

static int run_session(struct session *session)
{
    const struct values *values = session->values;
    struct shoal_error error;
    if (values->out && (!cli_check_output("--out", values->out, true) ||
                        !cli_check_replaced("--out", values->out, "{", "result file")))
        return CLI_FAILURE;
    if (values->before && results_read(&session->before, values->before, &error) != SHOAL_OK)
        return cli_fail("--before", &error);
    int code = cli_select(session->cli, "all", SHOAL_SELECT_ALIASES);
    if (code == CLI_OK)
        code = cli_baseline(session->cli, values->baseline, &session->baseline);
    if (code != CLI_OK)
        return code;
    if (results_begin(&session->results, cli_processor(session->cli), session->cli->argc, session->cli->argv,
                      &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    code = measure_roofs(session);
    code = cli_first_failure(code, run_cases(session));
    if (values->before)
        code = cli_first_failure(code, compare_with_before(session));
    if (values->out && session->results.row_count)
        code = cli_first_failure(code, write_results(session));
    if (session->cli->common.json)
        return cli_first_failure(code, print_json(session));
    print_rows(session);
    if (values->before)
        regressions_print(session->regressions, session->regression_count, session->compared_count);
    return cli_first_failure(code, cli_flush());
}

static int run(struct cli *cli)
{
    struct values *values = cli->values;
    bool any = false;
    if (cli->argument_count && values->filter)
        return cli_error(CLI_USAGE, "--filter: the operand '%s' selects cases already; use one of the two",
                         cli->arguments[0]);
    if (cli->argument_count)
        values->filter = cli->arguments[0];
    for (size_t i = 0; i < bench_case_count(); i++)
        any = any || bench_matches(values->filter, bench_case_at(i)->name);
    if (!any)
        return no_such_case(values->filter);
    if (values->list)
        return list_cases(cli, values);
    struct session session = {.cli = cli, .values = values};
    int code = run_session(&session);
    results_clear(&session.results);
    results_clear(&session.before);
    free(session.regressions);
    return code;
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "measure kernels and workloads against the roofs of each device and each other",
    .description =
        "Runs every case on every device: warm-up, a check of the result, then samples that are long "
        "compared with the resolution of the clock. A row shows the median, the share of the device's roof, "
        "which the run measures, and the speed relative to --baseline. A case whose check fails has no "
        "figure.\nOn a CUDA device a case with a native kernel has two rows: 'cu' for native CUDA and 'cl' "
        "for OpenCL C.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "PATTERN",
    .max_arguments = 1,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
