/* shoal mlp: the report on the rows by which a run is judged, predictions, curves, model files. */
#include "cli/mlp/data.h"

#include "base/counted.h"
#include "cli/mlp/fields.h"
#include "cli/mlp/figures.h"
#include "cli/mlp/model.h"
#include "cli/mlp/picture.h"
#include "cli/mlp/rows.h"
#include "cli/mlp/uses.h"
#include "cli/mlp/verify.h"
#include "cli/output/files/endings.h"
#include "cli/run/rescue.h"
#include "cli/workload.h"

#include <stdlib.h>
#include <string.h>

struct values {
    struct workload_values common; /* must be first: the options of every workload */
    const char *out, *report, *plot_loss, *plot_score;
    struct mlp_files files;
};

#define FIELD(name) offsetof(struct values, name)

static const char *const form_names[] = {"float", "int8", NULL};

static const struct shoal_option options[] = {
    {.name = "model",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(files.model),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help =
         "write the trained net, of --nets the best or the net of --net: .safetensors holds the whole model"},
    {.name = "export",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(files.exports),
     .unit = "FILES",
     .flags = SHOAL_OPTION_MAIN,
     .help = "write the trained net for other programs, in one or several files, 'net.c,net.onnx': .c (C99 "
             "without heap), .onnx, .net (FANN), .npy (all weights); with --load and no data, write the "
             "loaded model without a run"},
    {.name = "export-form",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(files.form),
     .unit = "",
     .choices = form_names,
     .help = "numbers that the .c of --export computes with: int8 needs no floating-point unit"},
    {.name = "net",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(files.net),
     .unit = "I",
     .max = 65536,
     .flags = SHOAL_OPTION_ZERO_UNSET,
     .help = "report and write net I of --nets instead of the best net, which has the least validation "
             "loss, without validation rows the least training loss, with --folds the least mean over the "
             "folds"},
    {.name = "shape",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(files.shape),
     .unit = "SHAPE",
     .help = "inputs and units of each layer, 64-63-26, of the net whose weights the .npy of --load holds: "
             "for --predict and for --export without a run, with --activation and --output"},
    {.name = "predict",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(files.predict),
     .unit = "FILE",
     .flags = SHOAL_OPTION_READS | SHOAL_OPTION_MAIN,
     .help = "make no run: write predictions of the model of --load for the rows of this file, to --out or "
             "the standard output; with the report if the file has --target; computed on the host unless "
             "--device names another device"},
    {.name = "predict-labels",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(files.labels),
     .unit = "FILE",
     .flags = SHOAL_OPTION_READS,
     .help = "file of labels (IDX) of the rows of --predict, for the report",
     .needs = "predict"},
    {.name = "report",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(report),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help =
         "write the report about the test rows, without test rows about the validation rows: .csv or .jsonl "
         "(a figure on each line), .json, or a picture, .svg (the confusion matrix; for numbers the "
         "predictions over the truth)"},
    {.name = "out",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(out),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "write the predictions for the rows of the report or of --predict as CSV: number of the row, "
             "truth, prediction, and the probability of each class"},
    {.name = "plot-loss",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_loss),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "draw the losses of training and validation over the epochs as SVG"},
    {.name = "plot-score",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_score),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES,
     .help = "draw the scores over the epochs as SVG: accuracy, or R2 for numbers"},
};

static const struct sample_chart charts[] = {
    {.option = "--plot-loss",
     .offset = FIELD(plot_loss),
     .up = "loss",
     .columns = {"loss", "validation_loss"}},
    {.option = "--plot-score",
     .offset = FIELD(plot_score),
     .up = "score",
     .columns = {"score", "validation_score"}},
};

static const struct values *values_of(const struct cli *cli)
{
    return cli->values;
}

/* Data that a row keeps for the report, which is printed after all runs. */
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

static bool has_format(const char *path, const char *const *endings)
{
    for (size_t i = 0; endings[i]; i++)
        if (cli_has_format(path, endings[i]))
            return true;
    return false;
}

/* Whether the command only writes a model to other files, without training. */
static bool converts(const struct cli *cli)
{
    const struct shoal_mlp_params *params = cli->params;
    const struct mlp_files *files = &values_of(cli)->files;
    return params->start_file && !params->data && !params->generate && !cli->resumed &&
           (files->model || files->exports) && !files->predict;
}

static bool makes_no_run(const struct cli *cli)
{
    return values_of(cli)->files.predict || converts(cli);
}

/* Refuses options of the command line that have an effect only on a run, since no run follows. Options of a
 * configuration file are not refused, since they serve many commands. */
static int check_no_run(const struct cli *cli)
{
    static const char *const of_predictions[] = {
        "load",   "shape",   "activation",     "output", "slope", "target",         "columns",   "format",
        "header", "predict", "predict-labels", "report", "out",   "missing-values", "precision", NULL};
    static const char *const of_export[] = {"load",  "shape",  "activation",  "output", "slope",
                                            "model", "export", "export-form", NULL};
    const char *const *useful = values_of(cli)->files.predict ? of_predictions : of_export;
    for (size_t g = 0; g < cli->groups->count; g++) {
        const struct cli_group *group = &cli->groups->group[g];
        for (size_t i = 0; i < group->count && (group->values == cli->params || group->values == cli->values);
             i++) {
            size_t k = 0;
            while (useful[k] && strcmp(useful[k], group->options[i].name) != 0)
                k++;
            if (group->typed[i] && !useful[k] && useful == of_predictions)
                return cli_error(CLI_USAGE, "--predict: makes no run; omit --%s", group->options[i].name);
            if (group->typed[i] && !useful[k])
                return cli_error(
                    CLI_USAGE,
                    "--load: without data a model is written as it is, without a run; omit --%s, "
                    "or give --data",
                    group->options[i].name);
        }
    }
    return CLI_OK;
}

static int check_model(const struct cli *cli)
{
    const struct values *values = values_of(cli);
    const struct shoal_mlp_params *params = cli->params;
    const bool are_weights =
        makes_no_run(cli) && params->start_file && cli_ends_with(params->start_file, ".npy");
    if (values->files.shape && !are_weights)
        return cli_error(CLI_USAGE,
                         "--shape has no effect: it is the shape of a .npy that is loaded without a run");
    if (!makes_no_run(cli))
        return CLI_OK;
    if (!params->start_file)
        return cli_error(CLI_USAGE, "--predict: no model; give --load FILE");
    if (are_weights && !values->files.shape)
        return cli_error(
            CLI_USAGE, "--load: %s has weights alone; give --shape, such as 64-63-26, or load a .safetensors",
            params->start_file);
    if (values->files.predict && (values->files.model || values->files.exports))
        return cli_error(CLI_USAGE, "--predict: makes no run; omit --model and --export");
    return check_no_run(cli);
}

static int check(struct cli *cli)
{
    static const char *const of_report[] = {".csv", ".json", ".jsonl", NULL};
    const struct values *values = values_of(cli);
    if (values->report && !has_format(values->report, of_report) && !cli_ends_with(values->report, ".svg"))
        return cli_error(CLI_USAGE,
                         "--report: the ending of '%s' names no format; use .csv, .jsonl or .json, with .gz "
                         "behind it for a packed file, or .svg",
                         values->report);
    const int code = check_model(cli);
    if (code != CLI_OK)
        return code;
    if (!values->files.predict && values->out && strcmp(values->out, "-") == 0)
        return cli_error(CLI_USAGE, "--out: the standard output is that of the run; name a file");
    if ((values->report && !cli_check_output("--report", values->report, false)) ||
        (values->out && strcmp(values->out, "-") != 0 && !cli_check_output("--out", values->out, false)))
        return CLI_FAILURE;
    return mlp_files_check(cli, &values->files);
}

static char *json_text(const struct kept *kept)
{
    cJSON *json = cli_json_new("mlp");
    mlp_figures_json(cli_json_object(json, "report"), &kept->rows, kept->report);
    return cli_json_file(json);
}

static int write_report(const char *path, const char *title, const struct kept *kept)
{
    static const char option[] = "--report";
    char *text = NULL;
    size_t bytes = 0;
    int code = CLI_OK;
    if (cli_ends_with(path, ".svg"))
        return mlp_draw(option, path, title, &kept->rows, kept->report);
    if (cli_has_format(path, ".json")) {
        text = json_text(kept);
        bytes = text ? strlen(text) : 0;
    } else {
        text = mlp_figures_lines(&kept->rows, kept->report, cli_has_format(path, ".jsonl"), &bytes);
    }
    if (!text)
        code = cli_error(CLI_FAILURE, "out of memory");
    else
        code = run_write_bytes(option, path, text, bytes);
    free(text);
    return code;
}

static enum shoal_status write_rows(void *data, const char *path, struct shoal_error *error)
{
    return mlp_rows_write(path, data, error);
}

static int write_out(const char *path, const struct kept *kept)
{
    return run_write("--out", path, write_rows, (void *)&kept->rows.outcome);
}

static int write_files(const struct cli *cli, const struct cli_row *row, const struct kept *kept)
{
    const struct values *values = values_of(cli);
    int code = CLI_OK;
    if (values->out) {
        char *path = cli_row_path(cli, row, values->out);
        code = write_out(path, kept);
        free(path);
    }
    if (values->report) {
        char *path = cli_row_path(cli, row, values->report), *title = cli_row_title(row);
        code = cli_first_failure(code, write_report(path, title, kept));
        free(title);
        free(path);
    }
    return code;
}

/* A run ---------------------------------------------------------------------------------------------------
 */

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const struct values *values = values_of(cli);
    struct shoal_error error;
    if (!solver || !cli_row_has_result(row))
        return CLI_OK;
    const int code = mlp_files_write(cli, row, &values->files, solver);
    struct kept *kept = cli_alloc(sizeof *kept);
    row->kept = kept;
    enum shoal_status status = mlp_rows_take(solver, cli->params, values->files.net, &kept->rows, &error);
    if (!status)
        status = shoal_mlp_evaluate(&kept->rows.outcome, &kept->report, &error);
    /* If the loss of a run is not finite, its outputs may not be finite either; this failure was reported
     * before. */
    const bool is_told = status == SHOAL_INVALID && row->error.status == SHOAL_CHECK_FAILED;
    if (status) {
        row_free(row);
        if (is_told && !values->out && !values->report)
            return code;
        return cli_first_failure(code, cli_fail("report", &error));
    }
    return cli_first_failure(code, write_files(cli, row, kept));
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

/* Predictions of new rows -------------------------------------------------------------------------------- */

static int print_json(const struct values *values, const struct kept *kept)
{
    cJSON *json = cli_json_new("mlp");
    cli_json_text(json, "file", values->files.predict);
    cli_json_uint(json, "rows", kept->rows.outcome.rows);
    cli_json_text(json, "out", values->out);
    if (kept->report)
        mlp_figures_json(cli_json_object(json, "report"), &kept->rows, kept->report);
    if (!values->out)
        mlp_rows_json(cli_json_array(json, "predictions"), &kept->rows.outcome);
    return cli_json_print(json);
}

/* Writes the predictions to --out, or to standard output if --out is not given and --json is not given
 * either; then the report. */
static int show(const struct cli *cli, const struct kept *kept)
{
    const struct values *values = values_of(cli);
    const bool to_output = !values->out || strcmp(values->out, "-") == 0;
    int code = CLI_OK;
    if (values->out || !cli->common.json)
        code = write_out(to_output ? "-" : values->out, kept);
    if (kept->report && values->report)
        code = cli_first_failure(code, write_report(values->report, values->files.predict, kept));
    if (cli->common.json)
        return cli_first_failure(code, print_json(values, kept));
    if (!to_output && code == CLI_OK) {
        cli_print("%s of %s, predictions in %s\n", counted(kept->rows.outcome.rows, "row").s,
                  values->files.predict, values->out);
        if (kept->report)
            mlp_figures_print(&kept->rows, kept->report);
    }
    return cli_first_failure(code, cli_flush());
}

static bool instead(struct cli *cli, int *code)
{
    const struct values *values = values_of(cli);
    struct kept kept = {0};
    struct shoal_error error;
    if (!makes_no_run(cli))
        return false;
    if (converts(cli)) {
        *code = mlp_files_convert(cli, &values->files);
        return true;
    }
    *code = cli_select(cli, "host", 0);
    if (*code == CLI_OK && cli->device_count > 1)
        *code = cli_error(CLI_USAGE, "--predict: one device predicts, --device selects %zu: name one",
                          cli->device_count);
    if (*code != CLI_OK)
        return true;
    enum shoal_status status = mlp_predict(cli, &values->files, &kept.rows, &error);
    if (!status && (kept.rows.outcome.class_of || kept.rows.outcome.truth))
        status = shoal_mlp_evaluate(&kept.rows.outcome, &kept.report, &error);
    if (status == SHOAL_STOPPED)
        *code = cli_exit_code(status); /* the command says that it was stopped */
    else if (status)
        *code = cli_fail(NULL, &error);
    else if (values->report && !kept.report)
        *code = cli_error(
            CLI_USAGE,
            "--report: %s does not tell the truth of its rows; name its columns by --target, or omit it",
            values->files.predict);
    else
        *code = show(cli, &kept);
    shoal_mlp_report_destroy(&kept.report);
    mlp_rows_free(&kept.rows);
    return true;
}

const struct report mlp_report = {.workload = "mlp",
                                  .uses = mlp_uses,
                                  .documents = "training mlp mlp-files data",
                                  .fields = {mlp_fields},
                                  .other_fields = mlp_predict_fields,
                                  .data_fields = mlp_data_fields,
                                  .options = options,
                                  .option_count = sizeof options / sizeof *options,
                                  .values_size = sizeof(struct values),
                                  .charts = charts,
                                  .chart_count = sizeof charts / sizeof *charts,
                                  .data = mlp_data,
                                  .checks = mlp_checks,
                                  .makes_no_run = makes_no_run,
                                  .check = check,
                                  .instead = instead,
                                  .row_end = row_end,
                                  .row_print = row_print,
                                  .row_json = row_json,
                                  .row_free = row_free};
