/* Predictions of a model for rows, on the host. A thread computes a piece of the rows at a time, so that the
 * number of threads changes no bit. */
#include "mlp/files/model.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "mlp/files/source.h"
#include "mlp/host/pass.h"
#include "mlp/host/row.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 256, FEW = 4 /* FEW: most rows that are computed one by one, which is then faster */ };

/* Scratch memory of a thread. */
struct lane {
    struct pass *pass;
    double *inputs, *scratch;
};

static enum shoal_status open_lane(const struct shoal_mlp_model *model, size_t rows, struct lane *lane,
                                   struct shoal_error *error)
{
    const size_t numbers = rows * model->net->inputs + source_scratch(model);
    const double bytes = (double)numbers * sizeof *lane->inputs;
    enum shoal_status status = check_host_memory(bytes, "a piece of the rows", "lower the widths", error);
    if (!status)
        status = pass_create(model->net, rows, &lane->pass, error);
    if (status)
        return status;
    lane->inputs = malloc(numbers * sizeof *lane->inputs);
    if (!lane->inputs)
        return fail_host_memory(error);
    lane->scratch = lane->inputs + rows * model->net->inputs;
    return SHOAL_OK;
}

static enum shoal_status run_piece(const struct shoal_mlp_model *model, const struct row_source *source,
                                   size_t first, const struct lane *lane, double *outputs,
                                   struct shoal_error *error)
{
    const size_t width = model->net->outputs, inputs = model->net->inputs;
    const size_t rows = source->count - first < PIECE ? source->count - first : PIECE;
    for (size_t r = 0; r < rows; r++) {
        const enum shoal_status status =
            source_take(source, first + r, lane->scratch, lane->inputs + r * inputs, error);
        if (status)
            return status;
    }
    const struct pass_data data = {.rows = rows, .inputs = lane->inputs};
    const struct pass_batch batch = {.data = &data, .count = rows};
    pass_run(lane->pass, &batch, model->parameters, NULL, outputs + first * width);
    for (size_t r = 0; r < rows; r++)
        prepare_unscale_targets(model->preparation, outputs + (first + r) * width);
    return SHOAL_OK;
}

static enum shoal_status predict(const struct shoal_mlp_model *model, const struct row_source *source,
                                 double *outputs, struct shoal_error *error)
{
    const size_t pieces = (source->count + PIECE - 1) / PIECE;
    const double operation_s = 0.5e-9,
                 alone_s = operation_s * (double)source->count * (double)model->net->parameters;
    size_t threads = (size_t)threads_once(alone_s), failed = SIZE_MAX;
    enum shoal_status status = SHOAL_OK;
    threads = threads < pieces ? threads : pieces;
#pragma omp parallel num_threads((int)(threads ? threads : 1))
    {
        struct shoal_error mine = {0};
        struct lane lane = {0};
        const enum shoal_status opened =
            open_lane(model, source->count < PIECE ? source->count : PIECE, &lane, &mine);
#pragma omp for schedule(dynamic)
        for (size_t piece = 0; piece < pieces; piece++) {
            const enum shoal_status now =
                opened ? opened : run_piece(model, source, piece * PIECE, &lane, outputs, &mine);
            /* Reports the first row that failed, whichever thread computed it. */
#pragma omp critical(shoal_mlp_predict)
            if (now && piece < failed) {
                failed = piece;
                status = now;
                if (error)
                    *error = mine;
            }
        }
        pass_destroy(&lane.pass);
        free(lane.inputs);
    }
    return status;
}

/* Predicts few rows, on the calling thread. */
static enum shoal_status predict_few(const struct shoal_mlp_model *model, const struct row_source *source,
                                     double *outputs, struct shoal_error *error)
{
    const struct net *net = model->net;
    const size_t ahead = net->inputs + row_scratch(net);
    double *inputs = malloc((ahead + source_scratch(model)) * sizeof *inputs);
    enum shoal_status status = inputs ? SHOAL_OK : fail_host_memory(error);
    for (size_t r = 0; r < source->count && !status; r++) {
        status = source_take(source, r, inputs + ahead, inputs, error);
        if (status)
            break;
        row_predict(net, model->parameters, inputs, inputs + net->inputs, outputs + r * net->outputs);
        prepare_unscale_targets(model->preparation, outputs + r * net->outputs);
    }
    free(inputs);
    return status;
}

enum shoal_status source_predict(const struct row_source *source, double *outputs, struct shoal_error *error)
{
    return source->count <= FEW ? predict_few(source->model, source, outputs, error)
                                : predict(source->model, source, outputs, error);
}

enum shoal_status shoal_mlp_model_predict(const struct shoal_mlp_model *model, const double *rows,
                                          size_t count, double *outputs, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, model) || (count && !NEED(error, rows, outputs)))
        return SHOAL_INVALID;
    const struct row_source source = source_of_raw(model, rows, count);
    return source_predict(&source, outputs, error);
}

enum shoal_status shoal_mlp_model_predict_dataset(const struct shoal_mlp_model *model,
                                                  const struct shoal_dataset *dataset, size_t first,
                                                  size_t count, double *outputs, struct shoal_error *error)
{
    struct prepare_match match;
    error_reset(error);
    if (!NEED(error, model, dataset) || (count && !NEED(error, outputs)))
        return SHOAL_INVALID;
    struct row_source source;
    enum shoal_status status = source_of_dataset(model, dataset, first, count, &match, &source, error);
    if (status)
        return status;
    status = source_predict(&source, outputs, error);
    prepare_match_free(&match);
    return status;
}

enum shoal_status shoal_mlp_model_notes(const struct shoal_mlp_model *model,
                                        const struct shoal_dataset *dataset, char **notes,
                                        struct shoal_error *error)
{
    struct prepare_match match;
    error_reset(error);
    if (notes)
        *notes = NULL;
    if (!NEED(error, model, dataset, notes))
        return SHOAL_INVALID;
    enum shoal_status status = prepare_match(model->preparation, dataset, false, &match, error);
    if (status)
        return status;
    if (!prepare_note_unseen(&match, NULL, 0, dataset->info.rows, notes)) {
        free(*notes);
        *notes = NULL;
        status = fail_host_memory(error);
    }
    prepare_match_free(&match);
    return status;
}

/* The truth ---------------------------------------------------------------------------------------------- */

static bool knows_targets(const struct prepare_match *match)
{
    bool knows = match->targets != NULL;
    for (size_t t = 0; knows && t < match->preparation->target_columns; t++) {
        const struct shoal_dataset_column *column = &match->dataset->columns[match->targets[t]].face;
        knows = column->is_target && column->missing == 0;
    }
    return knows;
}

enum shoal_status shoal_mlp_model_truth(const struct shoal_mlp_model *model,
                                        const struct shoal_dataset *dataset, uint32_t *class_of,
                                        double *truth, bool *is_known, struct shoal_error *error)
{
    struct prepare_match match;
    error_reset(error);
    if (!NEED(error, model, dataset, is_known))
        return SHOAL_INVALID;
    *is_known = false;
    const bool are_numbers = model->preparation->task == PREPARE_NUMBERS;
    if (dataset->info.rows && !(are_numbers ? NEED(error, truth) : NEED(error, class_of)))
        return SHOAL_INVALID;
    enum shoal_status status = prepare_match(model->preparation, dataset, false, &match, error);
    if (status)
        return status;
    const bool knows = knows_targets(&match);
    for (size_t row = 0; knows && row < dataset->info.rows && !status; row++)
        status = are_numbers ? prepare_numbers(&match, row, truth + row * model->net->outputs, error)
                             : prepare_target(&match, row, &class_of[row], NULL, error);
    *is_known = knows && !status;
    prepare_match_free(&match);
    return status;
}

enum shoal_status shoal_mlp_model_weights(const struct shoal_mlp_model *model,
                                          const struct shoal_dataset *dataset, double *weights,
                                          bool *are_known, struct shoal_error *error)
{
    struct prepare_match match;
    error_reset(error);
    if (!NEED(error, model, dataset, are_known) || (dataset->info.rows && !NEED(error, weights)))
        return SHOAL_INVALID;
    *are_known = false;
    enum shoal_status status = prepare_match(model->preparation, dataset, false, &match, error);
    if (status)
        return status;
    const bool knows = match.weight != SIZE_MAX;
    for (size_t row = 0; knows && row < dataset->info.rows && !status; row++)
        status = prepare_row_weight(&match, row, &weights[row], error);
    *are_known = knows && !status;
    prepare_match_free(&match);
    return status;
}
