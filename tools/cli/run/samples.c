#include "cli/run/samples.h"

#include "cli/charts/chart.h"
#include "cli/charts/trace.h"
#include "cli/output/files/endings.h"
#include "cli/stages.h"

#include <stdlib.h>
#include <string.h>

static const struct workload_values *values_of(const struct cli *cli)
{
    return cli->values;
}

static const struct shoal_sampling *sampling_of(const struct cli *cli)
{
    return cli->command->workload->sampling;
}

/* Options ----------------------------------------------------------------------------------------------- */

static const char *keep_text(char *text)
{
    const char *kept = cli_keep(text);
    free(text);
    return kept;
}

static char *columns_help(const struct shoal_sampling *sampling)
{
    char *names = cli_strdup("");
    for (size_t c = 0; c < sampling->column_count; c++) {
        char *longer = cli_sprintf("%s%s%s", names, c ? ", " : "", sampling->columns[c].name);
        free(names);
        names = longer;
    }
    char *help = cli_sprintf("columns of the %s in the output, separated by commas: %s; files have all",
                             sampling->what, names);
    free(names);
    return help;
}

size_t run_samples_options(const struct shoal_workload *workload,
                           struct shoal_option options[RUN_SAMPLES_OPTIONS])
{
    const struct shoal_sampling *sampling = workload->sampling;
    const struct report *report = cli_report_of(workload);
    size_t count = 0;
    if (!sampling)
        return 0;
    options[count] = (struct shoal_option){.name = keep_text(cli_sprintf("%s-file", sampling->option)),
                                           .group = "Files",
                                           .type = SHOAL_OPTION_TEXT,
                                           .offset = offsetof(struct workload_values, sample_file),
                                           .unit = "FILE",
                                           .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN |
                                                    SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS};
    options[count++].help = keep_text(
        cli_sprintf("write the %s to FILE, not to the output, line by line while the run goes on: as CSV if "
                    "the name ends in .csv, as a JSON object a line if it ends in .jsonl, else as a table; "
                    "about 1000 unless --%s is given",
                    sampling->what, sampling->option));
    options[count] = (struct shoal_option){.name = keep_text(cli_sprintf("%s-columns", sampling->option)),
                                           .type = SHOAL_OPTION_TEXT,
                                           .offset = offsetof(struct workload_values, sample_columns),
                                           .unit = "LIST",
                                           .flags = SHOAL_OPTION_STAGE};
    options[count++].help = keep_text(columns_help(sampling));
    if (report && report->chart_count)
        return count;
    options[count] = (struct shoal_option){.name = "plot",
                                           .type = SHOAL_OPTION_TEXT,
                                           .offset = offsetof(struct workload_values, plot),
                                           .unit = "FILE",
                                           .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN};
    options[count++].help = keep_text(
        cli_sprintf("draw the %s of every device as SVG; about 1000 entries unless --%s is given%s%s",
                    sampling->what, sampling->option, report && report->plot_help ? "; " : "",
                    report && report->plot_help ? report->plot_help : ""));
    return count;
}

static const char *value_at(const struct cli *cli, size_t offset)
{
    const char *value;
    memcpy(&value, (const char *)cli->values + offset, sizeof value);
    return value;
}

/* The file for a chart; NULL: the user did not ask for the chart. */
static const char *chart_path(const struct cli *cli, const struct sample_chart *chart)
{
    return value_at(cli, chart->offset);
}

/* The columns that the user chose for a chart; NULL: the user chose none. */
static const char *chart_list(const struct cli *cli, const struct sample_chart *chart)
{
    return chart->list_option ? value_at(cli, chart->list_offset) : NULL;
}

/* Refuses a chart or file of samples for a resumed run if the checkpoint's run took no samples, since a
 * resumed run cannot begin to take samples. */
static int check_taken(const struct cli *cli, const char *option)
{
    const struct shoal_workload *workload = cli->command->workload;
    if (!cli->resumed || *cli_sample_interval(workload, cli->params) != 0)
        return CLI_OK;
    return cli_error(CLI_USAGE, "%s: the run of the checkpoint took no samples (--%s 0); leave it out",
                     option, workload->sampling->option);
}

/* The file of --plot; NULL: not given, or --plot does not show samples. */
static const char *plot_path(const struct cli *cli)
{
    const struct report *report = cli_report_of(cli->command->workload);
    return report && report->draws_plot && report->draws_plot(cli) ? NULL : values_of(cli)->plot;
}

static bool wants_charts(const struct cli *cli)
{
    const struct report *report = cli_report_of(cli->command->workload);
    bool any = plot_path(cli);
    for (size_t i = 0; report && i < report->chart_count; i++)
        any = any || chart_path(cli, &report->charts[i]);
    return any;
}

void run_samples_want(struct cli *cli)
{
    if (sampling_of(cli) && (values_of(cli)->sample_file || wants_charts(cli)))
        cli_want_samples(cli);
}

static char *file_option(const struct cli *cli)
{
    return cli_sprintf("--%s-file", sampling_of(cli)->option);
}

static int check_chart(const struct cli *cli, const char *option, const char *path)
{
    int code = path ? check_taken(cli, option) : CLI_OK;
    return path && code == CLI_OK ? chart_check(option, path) : code;
}

/* Whether lines of samples are printed: not if samples are taken only for a file or chart. */
static bool has_lines(const struct cli *cli)
{
    const struct shoal_sampling *sampling = sampling_of(cli);
    return !values_of(cli)->sample_file && *cli_sample_interval(cli->command->workload, cli->params) &&
           (cli->resumed || sampling->is_shown || cli_is_given(cli, sampling->option));
}

static int check_columns(const struct cli *cli)
{
    const struct workload_values *values = cli->values;
    const struct shoal_sampling *sampling = sampling_of(cli);
    if (!values->sample_columns)
        return CLI_OK;
    char *option = cli_sprintf("--%s-columns", sampling->option);
    int code = sample_check_columns(sampling, option, values->sample_columns);
    if (code == CLI_OK && !has_lines(cli))
        code = cli_error(CLI_USAGE, "%s: no %s go to the output: give --%s, and not --%s-file", option,
                         sampling->what, sampling->option, sampling->option);
    free(option);
    return code;
}

/* Checks the columns that the user chose for a chart. A column may have values in another stage only. */
static int check_list(const struct cli *cli, const struct sample_chart *chart)
{
    const struct shoal_sampling *sampling = sampling_of(cli);
    const struct sample_form form = {.format = SAMPLE_LINES, .sampling = sampling, .params = cli->params};
    const char *rest = chart_list(cli, chart);
    const struct shoal_column *column;
    int code = rest ? sample_check_columns(sampling, chart->list_option, rest) : CLI_OK;
    for (size_t count = 0; code == CLI_OK && (column = sample_next_column(sampling, &rest)); count++) {
        if (count == SAMPLE_CURVES)
            code = cli_error(CLI_USAGE, "%s: a chart shows at most %d columns; leave some out",
                             chart->list_option, SAMPLE_CURVES);
        else if (!cli->stage && !sample_has_column(&form, column))
            code = cli_error(CLI_USAGE, "%s: this run has no values of '%s'; leave it out",
                             chart->list_option, column->name);
    }
    return code;
}

int run_samples_check(const struct cli *cli)
{
    static const char *const endings[] = {".csv", ".json", ".jsonl", ".txt", ".dat", ".log", ".out", NULL};
    const struct workload_values *values = cli->values;
    const struct report *report = cli_report_of(cli->command->workload);
    if (!sampling_of(cli))
        return CLI_OK;
    char *option = file_option(cli);
    const char *path = values->sample_file;
    int code = check_columns(cli);
    if (code == CLI_OK && path)
        code = check_taken(cli, option);
    if (code == CLI_OK && path && !cli_check_ending(option, path, endings, true))
        code = CLI_USAGE;
    if (code == CLI_OK && path)
        code = piece_check(option, path, sample_pieces[sample_format_of(path)]);
    free(option);
    if (code == CLI_OK)
        code = check_chart(cli, "--plot", plot_path(cli));
    for (size_t i = 0; report && i < report->chart_count && code == CLI_OK; i++) {
        code = check_chart(cli, report->charts[i].option, chart_path(cli, &report->charts[i]));
        if (code == CLI_OK)
            code = check_list(cli, &report->charts[i]);
    }
    return code;
}

/* During a run ------------------------------------------------------------------------------------------ */

static void write_line(struct run_samples *samples, const void *sample)
{
    size_t bytes = 0;
    cli_progress_clear();
    if (!samples->any && piece_is_first(samples->file)) {
        char *head = sample_head(&samples->form, &bytes);
        piece_write(samples->files, samples->file, head, bytes);
    }
    char *line = sample_line(&samples->form, sample, &bytes);
    piece_write(samples->files, samples->file, line, bytes);
}

/* Whether a line is printed for this step: each of the first 50 steps, then every second up to 100, every
 * fifth up to 250, every tenth up to 500, and so on, so that the distance of lines grows with the step. */
static bool is_shown(const struct run_samples *samples, uint64_t step)
{
    static const uint64_t round[] = {1, 2, 5};
    uint64_t apart = 1;
    if (!samples->thins)
        return true;
    for (uint64_t ten = 1, i = 0; apart < step / 50 + (step % 50 > 0); i++) {
        ten *= i && i % 3 == 0 ? 10 : 1;
        apart = ten * round[i % 3];
    }
    return step % apart == 0;
}

/* Keeps a copy of a sample whose line is not printed: if this is the last sample, its line is printed after
 * the run. */
static void keep_last(struct run_samples *samples, const void *sample)
{
    const size_t size = samples->form.sampling->size;
    if (!samples->last)
        samples->last = cli_alloc(size);
    memcpy(samples->last, sample, size);
    samples->is_last_shown = false;
}

static bool on_sample(void *data, const void *sample, const char **failure)
{
    struct run_samples *samples = data;
    const struct shoal_sampling *sampling = samples->form.sampling;
    if (samples->keeps)
        samples_keep(&samples->kept, sampling, sample);
    if (samples->files->on_sample)
        samples->files->on_sample(samples->files->sample_data, sampling, sample);
    const bool good = piece_files_at(samples->files, (uint64_t)sample_value(sampling->columns, sample));
    if (good && samples->file && !is_shown(samples, (uint64_t)sample_value(sampling->columns, sample))) {
        keep_last(samples, sample);
    } else if (good && samples->file) {
        write_line(samples, sample);
        samples->is_last_shown = true;
    }
    samples->any = true;
    *failure = samples->files->error.message;
    return !good;
}

int run_samples_begin(struct run_samples *samples, const struct cli *cli, const struct cli_row *row,
                      struct piece_files *files, struct shoal_run_params *params)
{
    const struct shoal_sampling *sampling = sampling_of(cli);
    const char *path = values_of(cli)->sample_file;
    if (!sampling)
        return CLI_OK;
    const uint64_t interval = *cli_sample_interval(row->workload, cli->params);
    const bool to_output = has_lines(cli) && !cli->common.json && !cli->common.quiet;
    *samples = (struct run_samples){.cli = cli, .files = files};
    samples->form = (struct sample_form){.format = path ? sample_format_of(path) : SAMPLE_LINES,
                                         .sampling = sampling,
                                         .params = cli->params,
                                         .chosen = values_of(cli)->sample_columns,
                                         .stage = row->stage ? row->label : NULL,
                                         .stages_have = row->stage ? cli_stages_have : NULL,
                                         .run_stage = row->stage};
    samples->keeps = wants_charts(cli) || (cli->common.json && interval);
    samples->thins = !path && !cli_is_given(cli, sampling->option);
    params->on_sample = on_sample;
    params->sample_data = samples;
    if (to_output && (cli->device_count > 1 || row->label)) {
        char *devices = cli_row_devices(row);
        printf("%s%s%s\n", devices, row->label ? " " : "", row->label ? row->label : "");
        free(devices);
        fflush(stdout);
    }
    if (!path && !to_output)
        return CLI_OK;
    char *name = cli_row_path(cli, row, path ? path : "-"), *option = file_option(cli);
    samples->file = piece_files_add(files, name, sample_pieces[samples->form.format], interval);
    int code = samples->file ? CLI_OK : cli_fail(option, &files->error);
    if (path && samples->file)
        samples->file->continues = samples->file->continues || cli_stage_continues(cli, path);
    free(option);
    free(name);
    return code;
}

/* After a run ------------------------------------------------------------------------------------------- */

/* The number by which values of a chart are divided: field `name` of the result, a count; 1 if `name` is
 * NULL. */
static double divisor_of(const struct cli_row *row, const char *name)
{
    const struct shoal_field *field = name ? shoal_result_find(&row->result, name) : NULL;
    return field ? (double)field->uint : 1;
}

/* Appends to `joined` the samples of `row` and of earlier stages whose chart has the same path. */
static void join(struct samples *joined, const struct cli_row *row, const struct sample_chart *chart,
                 const char *path)
{
    if (row->before)
        join(joined, row->before, chart, path);
    const char *other = chart_path(&row->stage->cli, chart);
    if (other && strcmp(other, path) == 0)
        samples_append(joined, &row->samples_kept);
}

/* Returns NULL where neither the run nor an earlier stage has this column. */
static const double *drawn_column(const struct cli *cli, const struct cli_row *row,
                                  const struct samples *kept, const char *name)
{
    const double *column = NULL;
    for (const struct cli_row *at = row; at && !column; at = at->before) {
        const void *params = at->stage ? at->stage->cli.params : cli->params;
        column = samples_column(
            kept,
            &(struct sample_form){.format = SAMPLE_LINES, .sampling = sampling_of(cli), .params = params},
            name);
    }
    return column;
}

static void draw_samples(const struct cli *cli, const struct cli_row *row, const struct sample_chart *chart,
                         const struct samples *kept, struct chart *drawn, struct chart_curve *curves)
{
    const double *time = drawn_column(cli, row, kept, "time");
    const double divisor = divisor_of(row, chart->per);
    const char *steps = sampling_of(cli)->columns[0].title;
    drawn->across = time ? "time" : steps ? steps : "step";
    const char *list = chart_list(cli, chart);
    const char *names[SAMPLE_CURVES + 1] = {NULL};
    for (size_t c = 0; c < SAMPLE_CURVES; c++) {
        const struct shoal_column *chosen = sample_next_column(sampling_of(cli), &list);
        names[c] = chosen ? chosen->name : NULL;
    }
    const char *const *shown = *names ? names : chart->columns;
    for (size_t c = 0; c < SAMPLE_CURVES && shown[c]; c++) {
        const double *values = drawn_column(cli, row, kept, shown[c]);
        if (!values)
            continue;
        double *y = cli_alloc(kept->count * sizeof *y);
        for (size_t i = 0; i < kept->count; i++)
            y[i] = values[i] / divisor;
        curves[drawn->count++] = (struct chart_curve){
            .label = shown[c], .x = time ? time : kept->values[0], .y = y, .count = kept->count};
    }
}

static int draw(const struct cli *cli, const struct cli_row *row, const struct sample_chart *chart)
{
    const char *given = chart_path(cli, chart);
    struct samples joined = {0};
    if (row->before)
        join(&joined, row, chart, given);
    const struct samples *kept = row->before ? &joined : &row->samples_kept;
    /* A stage that is resumed at its end takes no samples; its chart was drawn before. */
    if (!kept->count && row->stage && cli->resumed)
        return CLI_OK;
    if (!kept->count)
        return cli_error(CLI_FAILURE, "%s: the run took no sample, there is nothing to draw", chart->option);
    /* A chart of several stages has no stage in its title. */
    const bool is_joined = joined.count > row->samples_kept.count;
    const struct cli_row *first = row;
    while (is_joined && first->before)
        first = first->before;
    struct cli_row shown = *first;
    shown.label = is_joined ? NULL : row->label;
    struct chart_curve curves[SAMPLE_CURVES];
    char *path = cli_row_path(cli, row, given), *title = cli_row_title(&shown),
         *subtitle =
             is_joined ? cli_stage_line(row->stage, false) : cli_run_line(row->workload, cli->params, row, 1);
    const char *list = chart_list(cli, chart);
    struct chart drawn = {.title = title,
                          .subtitle = subtitle,
                          .up = chart->up ? chart->up
                                : list    ? list
                                          : chart->columns[0],
                          .curves = curves};
    draw_samples(cli, row, chart, kept, &drawn, curves);
    int code = chart_write(chart->option, path, &drawn);
    for (size_t c = 0; c < drawn.count; c++)
        free((void *)curves[c].y);
    free(subtitle);
    free(title);
    free(path);
    samples_clear(&joined);
    return code;
}

int run_samples_end(struct run_samples *samples, struct cli_row *row)
{
    const struct report *report = cli_report_of(row->workload);
    int code = CLI_OK;
    row->samples_kept = samples->kept;
    samples->kept = (struct samples){0};
    if (samples->last && !samples->is_last_shown)
        write_line(samples, samples->last);
    free(samples->last);
    samples->last = NULL;
    if (samples->any && samples->form.format == SAMPLE_LINES && samples->file)
        putchar('\n');
    for (size_t i = 0; report && i < report->chart_count && cli_row_has_result(row); i++)
        if (chart_path(samples->cli, &report->charts[i]))
            code = cli_first_failure(code, draw(samples->cli, row, &report->charts[i]));
    if (report && report->chart_count && !samples->cli->common.json && !row->stage)
        samples_clear(&row->samples_kept);
    return code;
}

void run_samples_json(cJSON *object, const struct cli *cli, const struct cli_row *row)
{
    const struct sample_form form = {
        .format = SAMPLE_JSON_LINES, .sampling = sampling_of(cli), .params = cli->params};
    if (row->samples_kept.count)
        samples_json(cli_json_object(object, "series"), &form, &row->samples_kept);
}

int run_samples_files(const struct cli *cli, const struct cli_row *rows, size_t count)
{
    const struct trace_rows traces = {rows, count, cli->params};
    const char *path = sampling_of(cli) ? plot_path(cli) : NULL;
    return count && path ? trace_plot(&traces, "--plot", path) : CLI_OK;
}
