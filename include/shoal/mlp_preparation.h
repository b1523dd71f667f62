/* What training makes of the columns of a data set before it begins: parts, encodings, categories, scales and
 * what fills missing values, all learned from the training rows alone (docs/data.md, "Preparation").
 *
 *     number of the net = (encoded - shift) * factor
 *
 * Threads: a preparation is constant; any number of threads may read it. What its structs point to lives as
 * long. Errors: those of <shoal/workload.h>.
 */
#ifndef SHOAL_MLP_PREPARATION_H
#define SHOAL_MLP_PREPARATION_H

#include <shoal/mlp.h>

SHOAL_BEGIN_DECLS

struct shoal_mlp_preparation;

/* Of the data set and the rules that `params` state, as a run has it, without a run; `params` are read by the
 * call alone. With folds that of fold `fold`, from 0, else fold is 0. Errors are those that a run would give.
 * With a model to start from it is that of the model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_preparation_create(const struct shoal_mlp_params *params, uint64_t fold,
                             struct shoal_mlp_preparation **out, struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_mlp_preparation_destroy(struct shoal_mlp_preparation **preparation);

struct shoal_mlp_preparation_info {
    size_t size;      /* of this struct in the library */
    const char *name; /* of the data set */
    size_t rows[SHOAL_MLP_PARTS];
    size_t dropped;              /* rows left out for a missing value */
    size_t columns;              /* of the data set */
    size_t inputs, outputs;      /* numbers of the net */
    const char *form;            /* of the inputs on a device, the smallest exact one: bits, u8, fp32, fp64 */
    int32_t scale, target_scale; /* enum shoal_mlp_scale */
    int32_t missing;             /* enum shoal_mlp_missing */
    size_t classes;              /* 0: targets are numbers */
    const char *const *class_names; /* classes */
    const uint64_t *class_rows;     /* training rows of each class */
    const double *class_weights;    /* NULL: all are 1 */
    const char *notes;              /* what a user should know, a sentence a line; "": nothing */
};
SHOAL_API const struct shoal_mlp_preparation_info *
shoal_mlp_preparation_get_info(const struct shoal_mlp_preparation *preparation);

/* Can the net that is to be trained on them be written by shoal_mlp_model_save as `path`, in the form `form`
 * (NULL: the first one of the extension)? SHOAL_UNSUPPORTED: the format lacks an activation of a layer;
 * SHOAL_INVALID: the extension names no format. What only the trained weights say is not known here. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_preparation_can_save(const struct shoal_mlp_preparation *preparation, const char *path,
                               const char *form, struct shoal_error *error);

/* UNUSED: ignored, or no column of the model to start from. */
enum shoal_mlp_use {
    SHOAL_MLP_USE_INPUT,
    SHOAL_MLP_USE_TARGET,
    SHOAL_MLP_USE_WEIGHT,
    SHOAL_MLP_USE_GROUP,
    SHOAL_MLP_UNUSED
};

/* A column of the data set. */
struct shoal_mlp_preparation_column {
    size_t size;                  /* of this struct in the library */
    const char *name;             /* its number where the data set has no names */
    enum shoal_mlp_use use;       /* the rest is of inputs and targets, 0 and NULL of others */
    enum shoal_column_kind kind;  /* number or category */
    enum shoal_encoding encoding; /* of a target that is classes no matter */
    size_t missing;               /* training rows without a value */
    size_t first, width;          /* which inputs or outputs of the net it becomes */
    bool has_indicator;           /* the last of these inputs says that the value is missing */
    const double *fill;           /* of a missing value, encoded, without the indicator; NULL: none */
    const double *shift, *factor; /* width numbers each; factor 0: constant. NULL: a target that is classes */
    size_t category_count;        /* 0: numbers */
    const char *const *categories;
};
/* NULL: there are fewer. */
SHOAL_API const struct shoal_mlp_preparation_column *
shoal_mlp_preparation_column_at(const struct shoal_mlp_preparation *preparation, size_t index);

SHOAL_END_DECLS

#endif
