/* shoal mlp: the report of the rows that a run is judged by, their predictions, curves. */
#include "cli/mlp/figures.h"
#include "cli/mlp/picture.h"
#include "cli/mlp/rows.h"
#include "cli/workload.h"

#include <stdlib.h>
#include <string.h>

struct values {
    struct workload_values common; /* first: the options of every workload */
    const char *out, *report, *plot_loss, *plot_accuracy;
};

#define FIELD(name) offsetof(struct values, name)

static const struct shoal_option options[] = {
    {.name = "report",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(report),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help =
         "write the report of the test rows, without such of the validation rows: .csv or .jsonl (a figure "
         "a line), .json, or a picture, .svg (the confusion matrix; of numbers predictions over the truth)"},
    {.name = "out",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(out),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "write the predictions for these rows as CSV: number of the row, truth, prediction, and the "
             "probability of each class"},
    {.name = "plot-loss",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_loss),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "draw the losses of training and validation over the epochs as SVG"},
    {.name = "plot-accuracy",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_accuracy),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES,
     .help = "draw the accuracies as SVG"},
};

static const struct sample_chart charts[] = {
    {"--plot-loss", FIELD(plot_loss), "loss", {"loss", "validation_loss"}, NULL},
    {"--plot-accuracy", FIELD(plot_accuracy), "accuracy", {"accuracy", "validation_accuracy"}, NULL},
};

static const struct values *values_of(const struct cli *cli)
{
    return cli->values;
}

/* What a row keeps for the report that is printed after all runs. */
struct kept {
    struct mlp_rows rows;
    struct shoal_mlp_report *report;
};

static void row_free(struct cli_row *row)
{
    struct kept *kept = row->kept;
    if (!kept)
        return;
    shoal_mlp_report_destroy(&kept->report);
    mlp_rows_free(&kept->rows);
    free(kept);
    row->kept = NULL;
}

/* Files -------------------------------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *const *endings)
{
    for (size_t i = 0; endings[i]; i++)
        if (cli_ends_with(path, endings[i]))
            return true;
    return false;
}

static int check(struct cli *cli)
{
    static const char *const of_report[] = {".csv", ".json", ".jsonl", ".svg", NULL};
    const struct values *values = values_of(cli);
    if (values->report && !has_ending(values->report, of_report))
        return cli_error(CLI_USAGE,
                         "--report: the ending of '%s' names no format; use .csv, .jsonl, .json or .svg",
                         values->report);
    if ((values->report && !cli_check_output("--report", values->report, false)) ||
        (values->out && !cli_check_output("--out", values->out, false)))
        return CLI_FAILURE;
    return CLI_OK;
}

static char *json_text(const struct kept *kept)
{
    cJSON *json = cli_json_new("mlp");
    mlp_figures_json(cli_json_object(json, "report"), &kept->rows, kept->report);
    char *text = cJSON_Print(json), *ended = text ? cli_sprintf("%s\n", text) : NULL;
    free(text);
    cJSON_Delete(json);
    return ended;
}

static int write_report(const struct cli *cli, const struct cli_row *row, const struct kept *kept)
{
    static const char option[] = "--report";
    char *path = cli_row_path(cli, row, values_of(cli)->report), *text = NULL;
    struct shoal_error error;
    size_t bytes = 0;
    int code = CLI_OK;
    if (cli_ends_with(path, ".svg")) {
        char *title = cli_row_title(row);
        code = mlp_draw(option, path, title, &kept->rows, kept->report);
        free(title);
        free(path);
        return code;
    }
    if (cli_ends_with(path, ".json")) {
        text = json_text(kept);
        bytes = text ? strlen(text) : 0;
    } else {
        text = mlp_figures_lines(&kept->rows, kept->report, cli_ends_with(path, ".jsonl"), &bytes);
    }
    if (!text)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (cli_write_file(path, text, bytes, &error))
        code = cli_fail(option, &error);
    free(text);
    free(path);
    return code;
}

static int write_out(const struct cli *cli, const struct cli_row *row, const struct kept *kept)
{
    char *path = cli_row_path(cli, row, values_of(cli)->out);
    struct shoal_error error;
    const int code = mlp_rows_write(path, &kept->rows.outcome, &error) ? cli_fail("--out", &error) : CLI_OK;
    free(path);
    return code;
}

/* A run ---------------------------------------------------------------------------------------------------
 */

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const struct values *values = values_of(cli);
    struct shoal_error error;
    int code = CLI_OK;
    if (!solver || !cli_row_has_result(row))
        return CLI_OK;
    struct kept *kept = cli_alloc(sizeof *kept);
    row->kept = kept;
    enum shoal_status status = mlp_rows_take(solver, cli->params, &kept->rows, &error);
    if (!status)
        status = shoal_mlp_evaluate(&kept->rows.outcome, &kept->report, &error);
    if (status) {
        row_free(row);
        return cli_fail("report", &error);
    }
    if (values->out)
        code = write_out(cli, row, kept);
    if (values->report)
        code = cli_first_failure(code, write_report(cli, row, kept));
    return code;
}

static void row_print(const struct cli_row *row)
{
    const struct kept *kept = row->kept;
    if (kept)
        mlp_figures_print(&kept->rows, kept->report);
}

static void row_json(cJSON *object, const struct cli_row *row)
{
    const struct kept *kept = row->kept;
    if (kept)
        mlp_figures_json(cli_json_object(object, "report"), &kept->rows, kept->report);
}

const struct report mlp_report = {.workload = "mlp",
                                  .options = options,
                                  .option_count = sizeof options / sizeof *options,
                                  .values_size = sizeof(struct values),
                                  .charts = charts,
                                  .chart_count = sizeof charts / sizeof *charts,
                                  .check = check,
                                  .row_end = row_end,
                                  .row_print = row_print,
                                  .row_json = row_json,
                                  .row_free = row_free};
