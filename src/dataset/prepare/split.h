/* Private: which rows of a data set train, validate and test.
 *
 * Rows are numbers from 0, in increasing order within a part; no row is in two parts. Shuffles are by Philox,
 * stream SHOAL_STREAM_DATASET_SPLIT, so that a seed gives the same parts on every machine.
 */
#ifndef SHOAL_DATASET_PREPARE_SPLIT_H
#define SHOAL_DATASET_PREPARE_SPLIT_H

#include <shoal/dataset.h>

enum split_part { SPLIT_TRAINING, SPLIT_VALIDATION, SPLIT_TEST, SPLIT_PARTS };

struct split {
    uint32_t *rows[SPLIT_PARTS]; /* row numbers of each part, which split_free frees; NULL: no rows */
    size_t count[SPLIT_PARTS];
    bool trains_all; /* no share was taken, because of may_train_all */
};

/* Rows that the lists name go to the parts of the lists. Shares and folds then divide the rows of the
 * training list, or, without a training list, all rows that no list names; rows that this division leaves are
 * for training. With a training list, the rows outside all lists are the test rows, or belong to no part if
 * there is a test list or a test share. */
struct split_rules {
    /* Lists of row numbers, counted from 1, such as "1-15360, 15400"; NULL: none. */
    const char *rows[SPLIT_PARTS];
    double validation, test; /* shares of the divided rows, from 0 to below 1; their sum is below 1 */
    bool may_train_all;      /* fewer than 5 rows are not divided, and all are for training */
    bool is_stratified;      /* each class has its share in each part, within one row */
    /* column, by name or number from 1, whose equal values share a part; NULL: none */
    const char *group;
    uint32_t folds, fold; /* folds > 1: fold 0 .. folds - 1 validates, and `validation` must be 0 */
    uint64_t seed;
};

/* Divides rows. SHOAL_INVALID: a list, share, fold or group does not fit the data set, or no row is left for
 * training. */
SHOAL_MUST_CHECK enum shoal_status split_create(const struct shoal_dataset *dataset,
                                                const struct split_rules *rules, struct split *split,
                                                struct shoal_error *error);
void split_free(struct split *split); /* accepts a struct of zeros */

/* Finds a column by name, or by its number from 1. SHOAL_INVALID: there is none; the message names
 * `option`. */
SHOAL_MUST_CHECK enum shoal_status split_find_column(const struct shoal_dataset *dataset, const char *name,
                                                     const char *option, size_t *column,
                                                     struct shoal_error *error);

#endif
