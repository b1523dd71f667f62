/* Private: a preparation turns raw columns into the numbers of a net: inputs that are encoded, filled and
 * scaled, targets that are classes or scaled numbers. A preparation is learned from the training rows alone,
 * belongs to the model, and is applied to every other row.
 *
 *     prepared = (encoded - shift) * factor
 *
 * standard: shift is the mean over the training rows; factor is 1 / standard deviation, whose square is the
 * mean of the squared deviations (as in scikit-learn's StandardScaler). min-max: shift is the least value,
 * factor 1 / (greatest - least). none: shift 0, factor 1. An input that is constant in the training rows is
 * named in `notes`, and its factor is 0, or 1 with `none`.
 *
 * Missing values, and categories that no training row has:
 *   refuse     a missing value is an error that names row and column
 *   mean       the mean of each encoded number over the training rows
 *   median     numbers: the median; categories: the most frequent one
 *   indicator  numbers: the mean; categories: 0; and the column gets a further input, its last, which is 1 in
 *              rows without a value, otherwise 0. Columns that have all values in the training rows get none
 *   drop       prepare_drop removes rows with missing values; an unknown category is refused
 * Values that are filled in are rounded to single precision, so that the rows keep their small form. Targets
 * are never filled.
 *
 * Threads: constant once created.
 */
#ifndef SHOAL_DATASET_PREPARE_PREPARE_H
#define SHOAL_DATASET_PREPARE_PREPARE_H

#include "dataset/dataset.h"
#include "dataset/prepare/split.h"

enum prepare_scale { PREPARE_STANDARD, PREPARE_MIN_MAX, PREPARE_NONE };
enum prepare_missing { PREPARE_REFUSE, PREPARE_MEAN, PREPARE_MEDIAN, PREPARE_INDICATOR, PREPARE_DROP };
enum prepare_task {
    PREPARE_CLASSES, /* an output for each class, of which exactly one is 1 */
    PREPARE_BINARY,  /* one output: whether the row has the second of two classes */
    PREPARE_NUMBERS  /* an output for each encoded number of the targets */
};

struct prepare_rules {
    enum prepare_scale scale;        /* scale of inputs */
    enum prepare_scale target_scale; /* scale of targets that are numbers */
    enum prepare_missing missing;
    bool is_one_output; /* two classes have one output */
    /* targets are numbers even if they hold classes: the loss E takes classes as 0 and 1 */
    bool are_numbers;
    enum shoal_task task; /* the task that the caller chose, for one target or several */
    /* column, by name or number, whose equal values group rows; the column is no input; NULL: none */
    const char *group;
    const char *weight;        /* column of the weights of rows, which are at least 0; NULL: none */
    const char *class_weights; /* "balanced": rows / (classes x rows of the class); or "1,2,0.5"; NULL: 1 */
};

/* An input or a target column. */
struct prepare_column {
    char *name;
    enum shoal_column_kind kind; /* number or category; a column of two words is a category */
    enum shoal_encoding encoding;
    unsigned bits;
    bool is_whole; /* the column has numbers, which are whole in all training rows */
    bool is_day;   /* the numbers stand for dates */
    bool has_indicator;
    size_t place; /* column in the file from which the preparation was learned */
    double least; /* where the thermometer of a number begins */
    size_t width; /* number of encoded numbers, without the indicator */
    size_t first; /* index of the first encoded number among inputs or targets */
    size_t category_count;
    char **categories;
    double *fill; /* [width]: encoded numbers of a missing value; NULL: a missing value is refused, or
                   * prepare_drop has removed its row */
};

struct preparation {
    enum prepare_scale scale, target_scale;
    enum prepare_missing missing;
    enum prepare_task task;
    bool has_names;      /* the file from which the preparation was learned has names of columns */
    size_t file_columns; /* number of columns of that file */
    struct prepare_column *inputs, *targets; /* columns in the order of the file */
    size_t input_columns, target_columns;
    size_t input_width;     /* inputs of the net */
    size_t target_width;    /* outputs of the net */
    double *shift, *factor; /* shift and factor of each encoded input, [input_width] */
    /* shift and factor of each target, [target_width]; NULL: targets are classes */
    double *target_shift, *target_factor;
    /* names of the classes, or, if each class has a target column of 0 and 1, of these columns; NULL: targets
     * are numbers */
    char **classes;
    size_t class_count;
    double *class_weights; /* [class_count]; NULL: all weights are 1 */
    char *weight;          /* the column of weights; NULL: none */
    char *group;           /* column that groups rows and is no input; NULL: none */
    char *notes;           /* notes for the user, one sentence a line; NULL: none */
};

/* Learns a preparation from rows `rows[0 .. count - 1]`, the training rows. SHOAL_INVALID: a name or list
 * does not fit, or there are no targets. SHOAL_IO: a value is missing and refused, a target is constant, or
 * there is only one class. */
SHOAL_MUST_CHECK enum shoal_status prepare_create(const struct shoal_dataset *dataset, const uint32_t *rows,
                                                  size_t count, const struct prepare_rules *rules,
                                                  struct preparation **out, struct shoal_error *error);
void prepare_destroy(struct preparation **preparation); /* accepts NULL, sets the pointer to NULL */

/* Removes rows with a missing value in a used column from all parts. Call it before prepare_create where the
 * rule is drop. `dropped` may be NULL. SHOAL_IO: no training row is left. */
SHOAL_MUST_CHECK enum shoal_status prepare_drop(const struct shoal_dataset *dataset,
                                                const struct prepare_rules *rules, struct split *split,
                                                size_t *dropped, struct shoal_error *error);

/* Writes the preparation as JSON, numbers with all digits; the caller frees the text. NULL: there is no
 * memory. */
char *prepare_to_json(const struct preparation *preparation);
/* Reads a preparation. SHOAL_IO: the text is not a preparation, or contradicts itself. what: name of the text
 * in messages. */
SHOAL_MUST_CHECK enum shoal_status prepare_from_json(const char *json, const char *what,
                                                     struct preparation **out, struct shoal_error *error);

/* Copies a preparation through its JSON, which does not hold the notes. */
SHOAL_MUST_CHECK enum shoal_status prepare_copy(const struct preparation *preparation,
                                                struct preparation **out, struct shoal_error *error);

/* Match of the columns of a data set with the columns of a preparation. Columns match by name. If the data
 * set or the preparation has no names, columns match by their order: the data set must have as many columns
 * as the file of the preparation, or only the inputs. */
struct prepare_match {
    const struct preparation *preparation;
    const struct shoal_dataset *dataset;
    /* columns of the data set; targets NULL: the data set lacks the target columns, and targets are not
     * needed */
    size_t *inputs, *targets;
    /* column of weights; SIZE_MAX: there is none, or it is missing and not needed */
    size_t weight;
    /* for each input and target: maps a category of the data set to a category of the preparation, or
     * NO_CATEGORY; NULL where the data set has numbers */
    uint32_t **codes;
    /* for each input and target: maps a category of the data set to its day; NULL where the column is no
     * date, or the data set has dates as numbers */
    double **days;
};

/* Matches the columns of a data set with those of a preparation. needs_targets: a net is trained or scored on
 * the rows; false: the data set may lack targets and weights. SHOAL_IO: a column is missing or of another
 * kind; the message names the column. Columns that the preparation does not use are ignored. */
SHOAL_MUST_CHECK enum shoal_status prepare_match(const struct preparation *preparation,
                                                 const struct shoal_dataset *dataset, bool needs_targets,
                                                 struct prepare_match *match, struct shoal_error *error);
void prepare_match_free(struct prepare_match *match);

/* Writes the encoded inputs of a row, filled and not scaled, into out[input_width]. SHOAL_IO: a value is
 * missing. */
SHOAL_MUST_CHECK enum shoal_status prepare_row(const struct prepare_match *match, size_t row, double *out,
                                               struct shoal_error *error);
/* Adds a line to `notes` for each input column with categories that the preparation does not know, in the
 * rows `rows` (NULL: first .. first + count - 1): how many rows, which categories, and how they are treated.
 * Rows that cannot be filled do not count: prepare_row refuses them. False: out of memory. */
SHOAL_MUST_CHECK bool prepare_note_unseen(const struct prepare_match *match, const uint32_t *rows,
                                          size_t first, size_t count, char **notes);
/* Computes the class of a row, for the tasks CLASSES and BINARY, or for the task NUMBERS its scaled targets
 * in out[target_width]. The pointer for the result that the task does not have may be NULL. */
SHOAL_MUST_CHECK enum shoal_status prepare_target(const struct prepare_match *match, size_t row,
                                                  uint32_t *class_of, double *out, struct shoal_error *error);
/* Computes the encoded targets of a row in the units of the file, for the task NUMBERS. */
SHOAL_MUST_CHECK enum shoal_status prepare_numbers(const struct prepare_match *match, size_t row, double *out,
                                                   struct shoal_error *error);
/* The weight of a row by the column of weights alone; without such a column 1. */
SHOAL_MUST_CHECK enum shoal_status prepare_row_weight(const struct prepare_match *match, size_t row,
                                                      double *weight, struct shoal_error *error);
/* The weight of a row: its number in the column of weights times the weight of its class. */
SHOAL_MUST_CHECK enum shoal_status prepare_weight(const struct prepare_match *match, size_t row,
                                                  uint32_t class_of, double *weight,
                                                  struct shoal_error *error);
/* Encodes a raw row that is not from a file: raw[input_columns] are numbers, or numbers of categories of
 * the preparation; NaN: missing. SHOAL_INVALID: a category does not exist, or a missing value cannot be
 * filled. */
SHOAL_MUST_CHECK enum shoal_status prepare_raw(const struct preparation *preparation, const double *raw,
                                               double *out, struct shoal_error *error);
/* Scales input_width encoded numbers in place. */
void prepare_scale(const struct preparation *preparation, double *encoded);
/* Converts numbers of a net's outputs to the units of the file, in place: x / factor + shift. */
void prepare_unscale_targets(const struct preparation *preparation, double *outputs);

#endif
