/* Private: raw rows of numbers that are inputs as they are. Most nets have such rows, and a loop without
 * encodings takes them at the speed of memory. The bits are those of prepare_raw and prepare_scale. */
#ifndef SHOAL_DATASET_PREPARE_PLAIN_H
#define SHOAL_DATASET_PREPARE_PLAIN_H

#include "dataset/prepare/prepare.h"

/* Whether each raw number is an input of the net, before it is scaled. */
bool prepare_is_plain(const struct preparation *preparation);

/* Scale raw[count] into out[count]: (raw - shift) * factor, in double precision. False: a number is not
 * finite, which prepare_raw must treat; `out` then has any numbers. */
bool plain_to_doubles(const double *raw, const double *shift, const double *factor, size_t count,
                      double *out);
bool plain_to_floats(const double *raw, const double *shift, const double *factor, size_t count, float *out);
bool plain_of_floats(const float *raw, const double *shift, const double *factor, size_t count, float *out);
/* The same bits with the vectors of other processors. */
bool plain_to_doubles_avx2(const double *raw, const double *shift, const double *factor, size_t count,
                           double *out);
bool plain_to_floats_avx2(const double *raw, const double *shift, const double *factor, size_t count,
                          float *out);
bool plain_of_floats_avx2(const float *raw, const double *shift, const double *factor, size_t count,
                          float *out);

#endif
