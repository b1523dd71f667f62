/* Preparation of a data set for training: parts, encodings, categories, scales and the values that fill
 * missing ones, all learned from the training rows alone (docs/data.md, "Preparation").
 *
 *     input of the net = (encoded number - shift) * factor
 *
 * Threads: a preparation is constant; any number of threads may read a preparation.
 */
#ifndef SHOAL_MLP_PREPARATION_H
#define SHOAL_MLP_PREPARATION_H

#include <shoal/mlp.h>

SHOAL_BEGIN_DECLS

/* The preparation of one run, without the run. */
struct shoal_mlp_preparation;

/* Prepares the data set of `params` by the rules of `params`, as a run does. `params` are only read during
 * the call. `fold`: number of the fold, from 0; without folds 0. If `params` name a model to start from, the
 * model's preparation is used. Destroy the preparation with shoal_mlp_preparation_destroy.
 * Errors: see shoal_workload_validate: SHOAL_INVALID, SHOAL_IO; SHOAL_INVALID also if `fold` is out of range.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_preparation_create(const struct shoal_mlp_params *params, uint64_t fold,
                             struct shoal_mlp_preparation **out, struct shoal_error *error);

/* Destroys the preparation and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_preparation_destroy(struct shoal_mlp_preparation **preparation);

/* Properties of a preparation. Owned by the preparation. */
struct shoal_mlp_preparation_info {
    size_t size;                  /* Bytes of the struct as the library knows it. */
    const char *name;             /* Name of the data set. */
    size_t rows[SHOAL_MLP_PARTS]; /* Number of rows of each part, by enum shoal_mlp_part. */
    size_t dropped;               /* Number of rows left out for a missing value. */
    size_t columns;               /* Number of columns of the data set. */
    size_t inputs;                /* Number of inputs of the net. */
    size_t outputs;               /* Number of outputs of the net. */
    /* Form of the inputs on a device, the smallest exact form: "bits", "u8", "fp32" or "fp64". */
    const char *form;
    int32_t scale;                  /* How inputs are scaled, enum shoal_mlp_scale. */
    int32_t target_scale;           /* How targets are scaled, enum shoal_mlp_scale. */
    int32_t missing;                /* Treatment of missing values, enum shoal_mlp_missing. */
    size_t classes;                 /* Number of classes. 0: targets are numbers. */
    const char *const *class_names; /* Names of the classes, [classes]. */
    const uint64_t *class_rows;     /* Training rows of each class, [classes]. */
    const double *class_weights;    /* Weight of each class, [classes]. NULL: all weights are 1. */
    const char *notes;              /* Notes for the user, a sentence on each line. "": nothing. */
};

/* Properties of the preparation. Valid as long as the preparation. */
SHOAL_API const struct shoal_mlp_preparation_info *
shoal_mlp_preparation_get_info(const struct shoal_mlp_preparation *preparation);

/* Whether the net that is to be trained can be written by shoal_mlp_model_save as `path`, in the form `form`
 * (NULL: the first form of the format). Limits of a format that depend on the trained weights are not
 * checked.
 * Errors: SHOAL_UNSUPPORTED: the format lacks an activation of a layer. SHOAL_INVALID: the extension names no
 * format. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_preparation_can_save(const struct shoal_mlp_preparation *preparation, const char *path,
                               const char *form, struct shoal_error *error);

/* Use of a column of the data set. */
enum shoal_mlp_use {
    SHOAL_MLP_USE_INPUT,  /* An input of the net. */
    SHOAL_MLP_USE_TARGET, /* A target. */
    SHOAL_MLP_USE_WEIGHT, /* The weight of a row. */
    SHOAL_MLP_USE_GROUP,  /* The group of a row: rows with equal values are in the same part. */
    SHOAL_MLP_UNUSED      /* No use: the column is ignored, or is no column of the model to start from. */
};

/* A column of the data set. Owned by the preparation. The members after `use` describe inputs and targets;
 * for other columns they are 0 or NULL. */
struct shoal_mlp_preparation_column {
    size_t size; /* Bytes of the struct as the library knows it. */
    /* Name of the column; its number, from 1, where the data set has no names. */
    const char *name;
    enum shoal_mlp_use use;      /* Use of the column. */
    enum shoal_column_kind kind; /* Number or category. */
    /* How the column becomes numbers; without meaning for a target that is classes. */
    enum shoal_encoding encoding;
    size_t missing;     /* Number of training rows without a value. */
    size_t first;       /* First input or output of the net that the column becomes. */
    size_t width;       /* Number of inputs or outputs of the net that the column becomes. */
    bool has_indicator; /* The last number of the column says whether the value is missing. */
    /* Encoded numbers that replace a missing value, without the indicator. NULL: missing values are not
     * replaced. */
    const double *fill;
    const double *shift; /* Shift of each number, [width]. NULL: a target that is classes. */
    /* Factor of each number, [width]; 0: the number is constant. NULL: a target that is classes. */
    const double *factor;
    size_t category_count;         /* Number of categories. 0: numbers. */
    const char *const *categories; /* Names of the categories, [category_count]. */
};

/* Column number `index`, from 0, of the data set. Valid as long as the preparation. NULL: `index` is out of
 * range. */
SHOAL_API const struct shoal_mlp_preparation_column *
shoal_mlp_preparation_column_at(const struct shoal_mlp_preparation *preparation, size_t index);

SHOAL_END_DECLS

#endif
