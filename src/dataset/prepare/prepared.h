/* Private: rows as they go to a device, in the smallest exact form, and as doubles.
 *
 * Inputs are encoded and filled, not yet scaled: bits stay bits. Whoever loads them applies shift and factor
 * of the preparation. Rows of several data sets or parts follow each other, so that one matrix holds
 * training, validation and test; the caller knows where each begins.
 */
#ifndef SHOAL_DATASET_PREPARE_PREPARED_H
#define SHOAL_DATASET_PREPARE_PREPARED_H

#include "dataset/prepare/prepare.h"

struct prepared_source {
    const struct shoal_dataset *dataset;
    const uint32_t *rows; /* NULL: 0 .. count - 1 */
    size_t count;         /* may be 0 */
};

/* Rows are contiguous, `row_bytes` apart, a multiple of 4, and padded with 0. In the form of bits, input k is
 * bit k % 32 of word k / 32, in the byte order of the host. */
struct prepared {
    size_t rows, inputs, outputs;
    enum storage storage; /* the smallest that holds every number exactly that the columns have */
    bool is_scaled;       /* prepared_narrow has applied shift and factor to the numbers */
    size_t row_bytes;
    unsigned char *data;                   /* rows x row_bytes */
    uint32_t *classes;                     /* rows; NULL for numbers, or without targets */
    double *targets;                       /* rows x outputs, scaled; NULL for classes, or without targets */
    double *weights;                       /* rows; NULL: all are 1 */
    const struct preparation *preparation; /* must live as long */
    struct prepare_match *matches;         /* source_count, whose data sets must live as long */
    struct prepared_source *sources;
    size_t source_count;
    char *notes; /* on categories that training rows have not, a sentence a line; NULL: none */
};

/* SHOAL_IO: a row does not fit the preparation. `has_targets`: see prepare_match. */
SHOAL_MUST_CHECK enum shoal_status prepared_create(const struct preparation *preparation,
                                                   const struct prepared_source *sources, size_t source_count,
                                                   bool has_targets, struct prepared **out,
                                                   struct shoal_error *error);
/* For a device that computes in single precision: doubles, which raw numbers often need, are scaled and
 * become floats, which keep the differences between rows. Other forms stay. */
SHOAL_MUST_CHECK enum shoal_status prepared_narrow(struct prepared *prepared, struct shoal_error *error);
void prepared_destroy(struct prepared **prepared); /* accepts NULL, sets the pointer to NULL */

/* The scaled inputs of rows first .. first + count - 1 as doubles, into out[count * inputs]. Any thread. */
SHOAL_MUST_CHECK enum shoal_status prepared_rows(const struct prepared *prepared, size_t first, size_t count,
                                                 double *out, struct shoal_error *error);
/* Targets of a row as outputs of a net are compared with them: 0 and 1 of classes, or scaled numbers. */
void prepared_targets(const struct prepared *prepared, size_t row, double *out);

#endif
