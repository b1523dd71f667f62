/* Private: rows as they go to a device, in the smallest exact form, and as doubles.
 *
 * Inputs are encoded and filled, but not yet scaled, so that bits stay bits. The code that loads inputs
 * applies shift and factor of the preparation. Rows of several data sets or parts follow each other, so that
 * one matrix holds training, validation and test; the caller knows where each of these begins.
 */
#ifndef SHOAL_DATASET_PREPARE_PREPARED_H
#define SHOAL_DATASET_PREPARE_PREPARED_H

#include "dataset/prepare/prepare.h"

struct prepared_source {
    const struct shoal_dataset *dataset;
    const uint32_t *rows; /* NULL: rows 0 .. count - 1 */
    size_t count;         /* may be 0 */
};

/* Rows are contiguous, `row_bytes` apart, a multiple of 4, and padded with 0. In the form of bits, input k is
 * bit k % 32 of word k / 32, in the byte order of the host. */
struct prepared {
    size_t rows, inputs, outputs;
    enum storage storage; /* the smallest form that holds every number of the columns exactly */
    bool is_scaled;       /* prepared_narrow has applied shift and factor to the numbers */
    size_t row_bytes;
    unsigned char *data; /* [rows] of row_bytes bytes */
    uint32_t *classes;   /* [rows]; NULL: targets are numbers, or there are none */
    /* [rows][outputs], scaled; NULL: targets are classes, or there are none */
    double *targets;
    double *weights;                       /* [rows]; NULL: all weights are 1 */
    const struct preparation *preparation; /* must be valid as long as the rows */
    /* [source_count]; their data sets must be valid as long as the rows */
    struct prepare_match *matches;
    struct prepared_source *sources;
    size_t source_count;
    /* notes on categories that the training rows do not have, a sentence on each line; NULL: none */
    char *notes;
};

/* Prepares rows. SHOAL_IO: a row does not fit the preparation. `has_targets`: see prepare_match. */
SHOAL_MUST_CHECK enum shoal_status prepared_create(const struct preparation *preparation,
                                                   const struct prepared_source *sources, size_t source_count,
                                                   bool has_targets, struct prepared **out,
                                                   struct shoal_error *error);
/* For a device that computes in single precision: scales rows of doubles, which raw numbers often need,
 * before it rounds them to floats, so that differences between rows are kept. Rows of other forms stay as
 * they are. */
SHOAL_MUST_CHECK enum shoal_status prepared_narrow(struct prepared *prepared, struct shoal_error *error);
void prepared_destroy(struct prepared **prepared); /* accepts NULL, sets the pointer to NULL */

/* Writes the scaled inputs of rows first .. first + count - 1 as doubles into out[count * inputs]. Any
 * thread. */
SHOAL_MUST_CHECK enum shoal_status prepared_rows(const struct prepared *prepared, size_t first, size_t count,
                                                 double *out, struct shoal_error *error);
/* Targets of a row in the form in which the outputs of a net are compared with them: 0 and 1 for classes, or
 * scaled numbers. */
void prepared_targets(const struct prepared *prepared, size_t row, double *out);

#endif
