/* Model files of nets: what training has learned, saved, opened, exported, and applied to rows.
 *
 * A model is a net with its parameters and all that turns a raw row into the inputs of the net and its
 * outputs into classes or numbers: encodings, categories, filled values, scales. A raw row has a number for
 * each input column, in the order of shoal_mlp_model_column: a number of the file, the number of a category,
 * from 0, or NaN where the value is missing.
 *
 * The extension of a file is its format; docs/mlp-files.md says what is in each:
 *     .safetensors  in and out; the whole model. Weights have the keys and shapes of torch.nn.Sequential
 *     .net          in and out; FANN's, floating point
 *     .npy          in and out; all parameters in one array
 *     .onnx         out; raw rows in, encodings and scales are part of the graph
 *     .c            out; C99 in one file without heap, raw rows in; computes in float, or in integers alone
 * A file is written whole or not at all.
 *
 * Threads: a model is constant once it is there; any number of threads may use it.
 * Errors: SHOAL_IO: a file cannot be read or written, or is no such model; SHOAL_INVALID: an argument is at
 * fault; SHOAL_UNSUPPORTED: the format has no form for this model. One line says what to do.
 */
#ifndef SHOAL_MLP_MODEL_H
#define SHOAL_MLP_MODEL_H

#include <shoal/dataset.h>
#include <shoal/device.h>

SHOAL_BEGIN_DECLS

struct shoal_mlp_model;

/* A file to open. Files of others do not say all of a net; NULL and NaN: what the file says. */
struct shoal_mlp_model_file {
    size_t size; /* set by shoal_mlp_model_file_init */
    const char *path;
    const char *shape;      /* "64-63-26": inputs, then the units of each layer. Needed for .npy */
    const char *activation; /* of hidden layers: logistic, tanh, relu, leaky-relu, gelu, gelu-tanh, silu,
                               linear, threshold, piecewise-linear; one for all, or one for each: "relu,tanh".
                               Needed for .npy, and for .safetensors that shoal has not written */
    const char *output;     /* of the last layer: those, or softmax. Needed likewise */
    double slope;           /* of logistic (NaN: 1) and of leaky-relu (NaN: 0.01) */
};
SHOAL_API void shoal_mlp_model_file_init(struct shoal_mlp_model_file *file);
#define SHOAL_MLP_MODEL_FILE(...) SHOAL_INIT(shoal_mlp_model_file, shoal_mlp_model_file_init, __VA_ARGS__)

/* Without shoal's description inputs are taken as they are; the outputs are classes named 0, 1, ... if the
 * last layer is softmax, else numbers. The caller destroys the model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_open(const struct shoal_mlp_model_file *file,
                                                                  struct shoal_mlp_model **out,
                                                                  struct shoal_error *error);
/* `form`: of .c "float" or "int8"; NULL: float. Other formats have no forms. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_save(const struct shoal_mlp_model *model,
                                                                  const char *path, const char *form,
                                                                  struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_mlp_model_destroy(struct shoal_mlp_model **model);

struct shoal_mlp_model_info {
    size_t size;            /* of this struct as the library knows it */
    size_t columns;         /* numbers of a raw row */
    size_t inputs, outputs; /* of the net */
    size_t layers;
    const uint32_t *widths;     /* outputs of each layer */
    const int32_t *activations; /* enum shoal_mlp_activation of each layer */
    const double *slopes;       /* of each layer, where the activation has one */
    size_t parameters;
    size_t classes; /* 0: outputs are numbers. One output of two classes: the probability of the second */
    const char *const *class_names;  /* classes; NULL: outputs are numbers */
    const char *const *output_names; /* outputs: target columns or classes */
    enum shoal_precision precision;  /* of the device that trained it, and of the numbers in its file */
    const char *creator, *notes;     /* "" where unknown */
    size_t targets;                  /* columns that it was trained to predict; 0: the file names none */
    const char *const *target_names; /* targets */
};
/* Valid as long as the model. */
SHOAL_API const struct shoal_mlp_model_info *shoal_mlp_model_get_info(const struct shoal_mlp_model *model);

struct shoal_mlp_model_column {
    size_t size;      /* of this struct as the library knows it */
    const char *name; /* its number where the data set had no names */
    enum shoal_column_kind kind;
    enum shoal_encoding encoding;
    bool may_miss;         /* a missing value is filled in */
    size_t category_count; /* 0: it is a number */
    const char *const *categories;
};
/* Valid as long as the model. NULL: there are fewer. */
SHOAL_API const struct shoal_mlp_model_column *shoal_mlp_model_column_at(const struct shoal_mlp_model *model,
                                                                         size_t index);

/* Outputs of `count` raw rows into outputs[count * info.outputs]: probabilities of classes, or numbers in the
 * units of the data. On the host in double precision, large inputs on several threads. SHOAL_INVALID names
 * the row, from 1, and the column whose value the model does not know. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_predict(const struct shoal_mlp_model *model,
                                                                     const double *rows, size_t count,
                                                                     double *outputs,
                                                                     struct shoal_error *error);
/* The same for rows first .. first + count - 1 of a data set, whose columns are found by name, or by place
 * where one of the two has no names. SHOAL_IO names a column that lacks, or a value that does not fit. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_model_predict_dataset(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset,
                                size_t first, size_t count, double *outputs, struct shoal_error *error);
/* What a user should know of all rows of a data set before they are predicted, a sentence a line: of each
 * column how many rows have a category that training did not see, which is filled as a missing value is.
 * `*notes`: the caller releases it with free(); NULL: nothing. SHOAL_IO: a column lacks. Any thread. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_notes(const struct shoal_mlp_model *model,
                                                                   const struct shoal_dataset *dataset,
                                                                   char **notes, struct shoal_error *error);
/* What all rows of a data set say themselves: of classes class_of[rows], of numbers truth[rows x
 * info.outputs] in the units of the data; the other pointer may be NULL. The target columns of the model are
 * found as its inputs are. `*is_known` false: one lacks, is no target of the data set, or misses values.
 * SHOAL_IO: a row is of a class that the model does not know. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_truth(const struct shoal_mlp_model *model,
                                                                   const struct shoal_dataset *dataset,
                                                                   uint32_t *class_of, double *truth,
                                                                   bool *is_known, struct shoal_error *error);
/* weights[rows] by the column of weights that the model was trained with. `*are_known` false: there was none,
 * or the data set lacks it. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_weights(const struct shoal_mlp_model *model,
                                                                     const struct shoal_dataset *dataset,
                                                                     double *weights, bool *are_known,
                                                                     struct shoal_error *error);
/* The class that outputs[info.outputs] of a row say: the most probable, the first of equal ones. Numbers: 0.
 */
SHOAL_API size_t shoal_mlp_model_class(const struct shoal_mlp_model *model, const double *outputs);

SHOAL_END_DECLS

#endif
