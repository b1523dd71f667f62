#include "mlp/files/source.h"

#include "base/error.h"
#include "base/vectors/processor.h"
#include "dataset/prepare/plain.h"

struct row_source source_of_raw(const struct shoal_mlp_model *model, const double *raw, size_t count)
{
    return (struct row_source){
        .model = model, .raw = raw, .count = count, .is_plain = prepare_is_plain(model->preparation)};
}

struct row_source source_of_floats(const struct shoal_mlp_model *model, const float *raw, size_t count)
{
    return (struct row_source){
        .model = model, .raw_floats = raw, .count = count, .is_plain = prepare_is_plain(model->preparation)};
}

enum shoal_status source_of_dataset(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset,
                                    size_t first, size_t count, struct prepare_match *match,
                                    struct row_source *out, struct shoal_error *error)
{
    if (first > dataset->info.rows || count > dataset->info.rows - first)
        return fail(error, SHOAL_INVALID, "%s: rows %zu to %zu are not there; it has %zu", dataset->name,
                    first + 1, first + count, dataset->info.rows);
    *out = (struct row_source){.model = model, .match = match, .first = first, .count = count};
    return prepare_match(model->preparation, dataset, false, match, error);
}

/* Rows ------------------------------------------------------------------------------------------------- */

size_t source_scratch(const struct shoal_mlp_model *model)
{
    return model->info.columns + model->net->inputs;
}

/* Encodes and fills a row. columns: memory for its raw numbers. */
static enum shoal_status encode(const struct row_source *source, size_t row, double *columns, double *inputs,
                                struct shoal_error *error)
{
    const struct preparation *const rule = source->model->preparation;
    const size_t count = rule->input_columns, at = source->first + row;
    if (source->match)
        return prepare_row(source->match, at, inputs, error);
    for (size_t k = 0; k < count && source->raw_floats; k++)
        columns[k] = (double)source->raw_floats[at * count + k];
    const enum shoal_status status =
        prepare_raw(rule, source->raw_floats ? columns : source->raw + at * count, inputs, error);
    if (status)
        error_prefix(error, "row %zu: ", at + 1);
    return status;
}

enum shoal_status source_take(const struct row_source *source, size_t row, double *scratch, double *inputs,
                              struct shoal_error *error)
{
    const struct preparation *const rule = source->model->preparation;
    const size_t count = rule->input_width;
    if (source->is_plain && source->raw &&
        (processor_has_avx2() ? plain_to_doubles_avx2 : plain_to_doubles)(
            source->raw + (source->first + row) * count, rule->shift, rule->factor, count, inputs))
        return SHOAL_OK;
    const enum shoal_status status = encode(source, row, scratch, inputs, error);
    if (!status)
        prepare_scale(rule, inputs);
    return status;
}

/* Scales a plain row; false: it has a number that is not finite. */
static bool scale_floats(const struct row_source *source, size_t row, float *inputs)
{
    const struct preparation *const rule = source->model->preparation;
    const size_t count = rule->input_width;
    if (source->raw_floats)
        return (processor_has_avx2() ? plain_of_floats_avx2 : plain_of_floats)(
            source->raw_floats + (source->first + row) * count, rule->shift, rule->factor, count, inputs);
    return (processor_has_avx2() ? plain_to_floats_avx2 : plain_to_floats)(
        source->raw + (source->first + row) * count, rule->shift, rule->factor, count, inputs);
}

enum shoal_status source_take_floats(const struct row_source *source, size_t row, double *scratch,
                                     float *inputs, struct shoal_error *error)
{
    const struct shoal_mlp_model *const model = source->model;
    if (source->is_plain && scale_floats(source, row, inputs))
        return SHOAL_OK;
    double *const wide = scratch + model->info.columns;
    const enum shoal_status status = source_take(source, row, scratch, wide, error);
    for (size_t k = 0; k < model->net->inputs && !status; k++)
        inputs[k] = (float)wide[k];
    return status;
}
