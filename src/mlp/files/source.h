/* Private: the rows of a prediction, raw numbers or rows of a data set, as inputs of a net. */
#ifndef SHOAL_MLP_FILES_SOURCE_H
#define SHOAL_MLP_FILES_SOURCE_H

#include "mlp/files/model.h"

struct row_source {
    const struct shoal_mlp_model *model;
    /* raw inputs of all rows, as doubles or as floats; both NULL: the rows are in `match` */
    const double *raw;
    const float *raw_floats;
    /* rows of a data set, with its columns matched to the columns of the model */
    const struct prepare_match *match;
    size_t first, count; /* the rows are first .. first + count - 1 */
    bool is_plain;       /* the numbers of a raw row are the inputs of the net, before they are scaled */
};

struct row_source source_of_raw(const struct shoal_mlp_model *model, const double *raw, size_t count);
struct row_source source_of_floats(const struct shoal_mlp_model *model, const float *raw, size_t count);
/* Matches the columns of a data set to those of the model, in *match, which the caller frees with
 * prepare_match_free unless the call fails. SHOAL_INVALID: the range of rows passes the last row. SHOAL_IO:
 * see prepare_match. */
SHOAL_MUST_CHECK enum shoal_status source_of_dataset(const struct shoal_mlp_model *model,
                                                     const struct shoal_dataset *dataset, size_t first,
                                                     size_t count, struct prepare_match *match,
                                                     struct row_source *out, struct shoal_error *error);

/* Number of doubles of scratch memory that a row needs. */
size_t source_scratch(const struct shoal_mlp_model *model);
/* Makes the scaled inputs of row `row` of the source, [net->inputs]. SHOAL_INVALID, SHOAL_IO: a value is
 * unknown to the model; the message names the row. Any thread, with scratch memory of its own. */
SHOAL_MUST_CHECK enum shoal_status source_take(const struct row_source *source, size_t row, double *scratch,
                                               double *inputs, struct shoal_error *error);
/* The same in single precision: numbers are scaled first and then rounded. */
SHOAL_MUST_CHECK enum shoal_status source_take_floats(const struct row_source *source, size_t row,
                                                      double *scratch, float *inputs,
                                                      struct shoal_error *error);
/* Computes the outputs of all rows of the source on the host, [count][outputs]. */
SHOAL_MUST_CHECK enum shoal_status source_predict(const struct row_source *source, double *outputs,
                                                  struct shoal_error *error);

#endif
