/* Private to this folder: reads values of a data set for a preparation, and learns columns, targets, weights
 * and scales. */
#ifndef SHOAL_DATASET_PREPARE_VALUES_H
#define SHOAL_DATASET_PREPARE_VALUES_H

#include "dataset/prepare/prepare.h"

enum value_state { VALUE_THERE, VALUE_MISSING, VALUE_UNKNOWN };

/* Whether a column counts as a column of numbers. A column of numbers 0 and 1 does, although the data set
 * calls such a column binary. */
bool column_is_number(const struct column *column);
/* Reads a number, or a category's number in the preparation. Slots are inputs, then targets. UNKNOWN: the
 * preparation lacks the category. */
enum value_state value_at(const struct prepare_match *match, size_t slot, size_t row, double *value);
/* Fails with "FILE: row R, column C ('NAME')" and that the row has no value that the preparation knows;
 * returns SHOAL_IO. `remedy` ends the message. */
enum shoal_status value_fail(const struct prepare_match *match, size_t slot, size_t row,
                             enum value_state state, const char *remedy, struct shoal_error *error);

/* Learns the encoding and the range of column c from the training rows. The caller sets column->place and
 * column->fill. */
SHOAL_MUST_CHECK enum shoal_status learn_column(const struct shoal_dataset *dataset, const uint32_t *rows,
                                                size_t count, size_t c, struct prepare_column *column,
                                                struct shoal_error *error);
/* Learns the task, the targets and their classes. */
SHOAL_MUST_CHECK enum shoal_status learn_targets(struct preparation *preparation,
                                                 const struct shoal_dataset *dataset, const uint32_t *rows,
                                                 size_t count, const struct prepare_rules *rules,
                                                 struct shoal_error *error);
/* Learns the weights of the classes, and adds a note on classes without rows. */
SHOAL_MUST_CHECK enum shoal_status learn_class_weights(struct preparation *preparation,
                                                       const struct prepare_match *match,
                                                       const uint32_t *rows, size_t count,
                                                       const char *class_weights, struct shoal_error *error);
/* Sets shift and factor of `count` columns of numbers. statistics: [4 * count], for each column the mean, the
 * least and the greatest value, and the sum of squared deviations. */
void learn_scale(enum prepare_scale scale, const double *statistics, size_t count, double *shift,
                 double *factor);

#endif
