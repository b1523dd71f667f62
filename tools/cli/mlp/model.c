#include "cli/mlp/model.h"

#include "cli/output/progress.h"
#include "cli/run/files.h"
#include "cli/run/rescue.h"

#include <inttypes.h>
#include <shoal/mlp_model.h>
#include <stdlib.h>
#include <string.h>

/* Files of a run ----------------------------------------------------------------------------------------- */

/* Returns the next name of the list at *at, and moves *at past this name; the caller frees the name. NULL:
 * there is no further name. */
static char *next_name(const char **at)
{
    if (!*at)
        return NULL;
    const size_t length = strcspn(*at, ",");
    char *name = cli_sprintf("%.*s", (int)length, *at + strspn(*at, " "));
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return name;
}

static int check_name(const struct cli *cli, const char *option, const char *path)
{
    static const char *const endings[] = {".safetensors", ".net", ".npy", ".onnx", ".c"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        is_known = is_known || cli_ends_with(path, endings[i]);
    if (!is_known)
        return cli_error(CLI_USAGE,
                         "%s: the ending of '%s' names no format; use .safetensors, .net, .npy, .onnx or .c",
                         option, path);
    const int code = run_files_check_read(cli, option, path);
    return code != CLI_OK || cli_check_output(option, path, false) ? code : CLI_FAILURE;
}

int mlp_files_check(const struct cli *cli, const struct mlp_files *files)
{
    const struct shoal_mlp_params *params = cli->params;
    const char *at = files->exports, *option = files->model ? "--model" : "--export";
    int code = CLI_OK;
    if (files->net > params->nets)
        return cli_error(CLI_USAGE, "--net: there is no net %" PRIu64 ", --nets is %" PRIu64, files->net,
                         params->nets);
    if ((files->model || files->exports) && params->folds)
        return cli_error(
            CLI_USAGE,
            "%s: each fold trains a net of its own, of a part of the rows; train the one to keep "
            "without --folds",
            option);
    if (files->model)
        code = check_name(cli, "--model", files->model);
    for (char *name; code == CLI_OK && (name = next_name(&at)); free(name))
        code = check_name(cli, "--export", name);
    if (code == CLI_OK && files->form != MLP_FORM_FLOAT && !(files->exports && strstr(files->exports, ".c")))
        code = cli_error(CLI_USAGE,
                         "--export-form has no effect: it is the form of the file of --export FILE.c");
    return code;
}

struct model_file {
    const struct shoal_mlp_model *model;
    const char *form;
};

static enum shoal_status save(void *data, const char *path, struct shoal_error *error)
{
    const struct model_file *file = data;
    return shoal_mlp_model_save(file->model, path, file->form, error);
}

static int write_file(const char *option, const struct shoal_mlp_model *model, const char *path, bool is_int8)
{
    struct model_file file = {model, is_int8 && cli_ends_with(path, ".c") ? "int8" : NULL};
    return run_write(option, path, save, &file);
}

/* Writes the model to the file of --model and the files of --export. row NULL: there was no run. */
static int write_files(const struct cli *cli, const struct cli_row *row, const struct mlp_files *files,
                       const struct shoal_mlp_model *model)
{
    const char *at = files->exports, *option = "--model";
    int code = CLI_OK;
    char *name = files->model ? cli_strdup(files->model) : NULL;
    for (;; option = "--export") {
        if (name) {
            char *path = row ? cli_row_path(cli, row, name) : cli_strdup(name);
            code = cli_first_failure(code, write_file(option, model, path, files->form == MLP_FORM_INT8));
            free(path);
        }
        free(name);
        name = next_name(&at);
        if (!name)
            return code;
    }
}

int mlp_files_write(const struct cli *cli, const struct cli_row *row, const struct mlp_files *files,
                    struct shoal_solver *solver)
{
    struct shoal_mlp_model *model;
    struct shoal_error error;
    if (!files->model && !files->exports)
        return CLI_OK;
    uint64_t net = files->net ? files->net - 1 : 0;
    if ((!files->net && shoal_mlp_best_net(solver, &net, &error)) ||
        shoal_mlp_model_of(solver, net, &model, &error))
        return cli_fail(files->model ? "--model" : "--export", &error);
    const int code = write_files(cli, row, files, model);
    shoal_mlp_model_destroy(&model);
    return code;
}

/* Without a run -------------------------------------------------------------------------------- */

static enum shoal_status open_model(const struct shoal_mlp_params *params, const struct mlp_files *files,
                                    struct shoal_mlp_model **model, struct shoal_error *error)
{
    struct shoal_mlp_model_file file;
    shoal_mlp_model_file_init(&file);
    file.path = params->start_file;
    file.shape = files->shape;
    file.activation = params->activation;
    file.output = params->output;
    file.slope = params->slope;
    return shoal_mlp_model_open(&file, model, error);
}

int mlp_files_convert(const struct cli *cli, const struct mlp_files *files)
{
    struct shoal_mlp_model *model;
    struct shoal_error error;
    if (open_model(cli->params, files, &model, &error))
        return cli_fail("--load", &error);
    const int code = write_files(cli, NULL, files, model);
    shoal_mlp_model_destroy(&model);
    return code;
}

static enum shoal_status open_rows(const struct shoal_mlp_params *params, const struct mlp_files *files,
                                   struct shoal_dataset **dataset, struct shoal_error *error)
{
    struct shoal_dataset_params file;
    shoal_dataset_params_init(&file);
    file.path = files->predict;
    file.labels = files->labels;
    file.target = params->target;
    file.columns = params->columns;
    file.format = params->format;
    file.header = params->header;
    file.missing_values = params->missing_values;
    file.for_model = true;
    return shoal_dataset_open(&file, dataset, error);
}

/* Refuses --target if it names a column that the model does not predict, since the report could not use the
 * column. */
static enum shoal_status check_target(const struct shoal_mlp_model_info *info,
                                      const struct shoal_dataset *dataset, const char *target,
                                      struct shoal_error *error)
{
    char *names = cli_strdup("");
    bool is_one = !target || !info->targets;
    for (size_t t = 0; t < info->targets && !is_one; t++) {
        const char *name = info->target_names[t];
        for (size_t c = 0; c < shoal_dataset_get_info(dataset)->columns; c++) {
            const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, c);
            is_one = is_one || (column->is_target && strcmp(column->name, name) == 0);
        }
        char *longer = cli_sprintf("%s%s'%s'", names, t ? ", " : "", name);
        free(names);
        names = longer;
    }
    const enum shoal_status status =
        is_one
            ? SHOAL_OK
            : cli_set_error(error, SHOAL_INVALID,
                            "--target: '%s' is not what the model predicts, %s: name that, or omit --target",
                            target, names);
    free(names);
    return status;
}

/* Finds the targets of the model in the file. Weights of rows are used only in the report. */
static enum shoal_status take_truth(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset,
                                    const char *target, struct mlp_rows *rows, struct shoal_error *error)
{
    struct shoal_mlp_outcome *outcome = &rows->outcome;
    const size_t count = outcome->rows;
    bool is_known, are_known;
    if (shoal_dataset_get_info(dataset)->targets == 0)
        return SHOAL_OK;
    if (outcome->classes)
        rows->class_of = cli_alloc((count + 1) * sizeof *rows->class_of);
    else
        rows->truth = cli_alloc((count * outcome->outputs + 1) * sizeof *rows->truth);
    enum shoal_status status =
        shoal_mlp_model_truth(model, dataset, rows->class_of, rows->truth, &is_known, error);
    if (!status && !is_known)
        return check_target(shoal_mlp_model_get_info(model), dataset, target, error);
    if (status)
        return status;
    outcome->class_of = rows->class_of;
    outcome->truth = rows->truth;
    rows->weights = cli_alloc((count + 1) * sizeof *rows->weights);
    status = shoal_mlp_model_weights(model, dataset, rows->weights, &are_known, error);
    outcome->weights = !status && are_known ? rows->weights : NULL;
    return status;
}

static void take_names(const struct shoal_mlp_model_info *info, struct mlp_rows *rows)
{
    const size_t count = info->classes ? info->classes : info->outputs;
    rows->names = cli_alloc((count + 1) * sizeof *rows->names);
    for (size_t i = 0; i < count; i++)
        rows->names[i] = cli_strdup(info->classes ? info->class_names[i] : info->output_names[i]);
    rows->outcome.names = (const char *const *)rows->names;
}

static enum shoal_status say_notes(const struct cli *cli, const struct shoal_mlp_model *model,
                                   const struct shoal_dataset *dataset, struct shoal_error *error)
{
    char *notes;
    const enum shoal_status status = shoal_mlp_model_notes(model, dataset, &notes, error);
    if (!status && notes)
        cli_notes(cli, notes);
    free(notes);
    return status;
}

/* Computes the outputs on the first selected device, in slices: a signal ends the command after a slice. */
static enum shoal_status predict_rows(const struct cli *cli, const struct shoal_mlp_model *model,
                                      const struct shoal_dataset *dataset, double *outputs,
                                      struct shoal_error *error)
{
    enum { SLICE = 1 << 24 /* numbers of the inputs of a slice */ };
    const struct shoal_mlp_params *params = cli->params;
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    const size_t rows = shoal_dataset_get_info(dataset)->rows, slice = SLICE / (info->inputs + 16) + 1;
    struct shoal_mlp_predictor *predictor;
    enum shoal_status status = shoal_mlp_predictor_create(
        model, cli->devices[0], (enum shoal_precision)params->precision, &predictor, error);
    for (size_t first = 0; first < rows && !status; first += slice) {
        const size_t count = rows - first < slice ? rows - first : slice;
        cli_progress_show("mlp  predicts row %zu of %zu", first + 1, rows);
        status = cli_stopped(NULL)
                     ? cli_set_error(error, SHOAL_STOPPED, "stopped after %zu of %zu rows", first, rows)
                     : shoal_mlp_predictor_run_dataset(predictor, dataset, first, count,
                                                       outputs + first * info->outputs, error);
    }
    cli_progress_end();
    shoal_mlp_predictor_destroy(&predictor);
    return status;
}

enum shoal_status mlp_predict(const struct cli *cli, const struct mlp_files *files, struct mlp_rows *rows,
                              struct shoal_error *error)
{
    const struct shoal_mlp_params *params = cli->params;
    struct shoal_mlp_model *model = NULL;
    struct shoal_dataset *dataset = NULL;
    *rows = (struct mlp_rows){.part = SHOAL_MLP_PARTS};
    enum shoal_status status = open_model(params, files, &model, error);
    if (!status)
        status = open_rows(params, files, &dataset, error);
    if (!status) {
        const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
        const size_t count = shoal_dataset_get_info(dataset)->rows;
        cli_notes(cli, shoal_dataset_get_info(dataset)->notes);
        rows->predicted = cli_alloc((count * info->outputs + 1) * sizeof *rows->predicted);
        rows->outcome = (struct shoal_mlp_outcome){.size = sizeof rows->outcome,
                                                   .rows = count,
                                                   .outputs = (uint32_t)info->outputs,
                                                   .classes = (uint32_t)info->classes,
                                                   .predicted = rows->predicted};
        take_names(info, rows);
        status = predict_rows(cli, model, dataset, rows->predicted, error);
    }
    if (!status)
        status = say_notes(cli, model, dataset, error);
    if (!status)
        status = take_truth(model, dataset, params->target, rows, error);
    shoal_dataset_destroy(&dataset);
    shoal_mlp_model_destroy(&model);
    return status;
}
