/* Model files of nets: what training has learned, saved, opened, exported, and applied to rows.
 *
 * A model is a net with its parameters and all that turns a raw row into inputs of the net, and outputs of
 * the net into classes or numbers: encodings, categories, filled values, scales. A raw row has a number for
 * each input column, in the order of shoal_mlp_model_column_at: a number of the file, the number of a
 * category, from 0, or NaN where the value is missing.
 *
 * The extension of a file names its format; docs/mlp-files.md describes the content of each format:
 *
 *     .safetensors  in and out; the whole model. Weights have the keys and shapes of torch.nn.Sequential
 *     .net          in and out; FANN's, floating point
 *     .npy          in and out; all parameters in one array
 *     .onnx         out; raw rows in, encodings and scales are part of the graph
 *     .c            out; C99 in one file without heap, raw rows in; computes in float, or in integers alone
 *
 * A file is written whole or not at all.
 *
 * Threads: a model is constant once created; any number of threads may use a model.
 */
#ifndef SHOAL_MLP_MODEL_H
#define SHOAL_MLP_MODEL_H

#include <shoal/dataset.h>
#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* A trained net with its preparation. */
struct shoal_mlp_model;

/* A file to open. The members after `path` give the shape or the activations of a net if the file, written by
 * another program, lacks them. */
struct shoal_mlp_model_file {
    size_t size;      /* Bytes of the struct, set by shoal_mlp_model_file_init. */
    const char *path; /* Path of the file. Must be set. */
    /* Number of inputs, then number of units of each layer: "64-63-26". Needed for .npy. Default: NULL, the
     * shape in the file. */
    const char *shape;
    /* Activation of the hidden layers: logistic, tanh, relu, leaky-relu, gelu, gelu-tanh, silu, linear,
     * threshold, piecewise-linear; one name for all layers or a name for each layer, "relu,tanh". Needed for
     * .npy, and for .safetensors that shoal has not written. Default: NULL, the activations in the file. */
    const char *activation;
    /* Activation of the last layer: any of `activation`, or softmax. Needed where `activation` is needed.
     * Default: NULL, the activation in the file. */
    const char *output;
    /* Slope of logistic and of leaky-relu, a finite number. Default: NaN, which means 1 of logistic and 0.01
     * of leaky-relu. */
    double slope;
};

/* Fills `file` with the defaults. */
SHOAL_API void shoal_mlp_model_file_init(struct shoal_mlp_model_file *file);
#define SHOAL_MLP_MODEL_FILE(...) SHOAL_INIT(shoal_mlp_model_file, shoal_mlp_model_file_init, __VA_ARGS__)

/* Opens a model file. Without shoal's description, inputs are taken as they are; outputs are classes named 0,
 * 1 and so on if the last layer is softmax, else numbers. Destroy the model with shoal_mlp_model_destroy.
 * Errors: SHOAL_IO: the file cannot be read or is no such model. SHOAL_INVALID: a member is wrong or is
 * needed. SHOAL_UNSUPPORTED: the format can only be written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_open(const struct shoal_mlp_model_file *file,
                                                                  struct shoal_mlp_model **out,
                                                                  struct shoal_error *error);

/* Writes a model in the format of the extension of `path`. `form`: for .c "float" or "int8"; NULL: "float".
 * Other formats have no forms.
 * Errors: SHOAL_IO: the file cannot be written. SHOAL_INVALID: the extension names no format, or the format
 * has no such form. SHOAL_UNSUPPORTED: the format cannot hold this model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_save(const struct shoal_mlp_model *model,
                                                                  const char *path, const char *form,
                                                                  struct shoal_error *error);

/* Destroys the model and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_model_destroy(struct shoal_mlp_model **model);

/* Properties of a model. Owned by the model. */
struct shoal_mlp_model_info {
    size_t size;                /* Bytes of the struct as the library knows it. */
    size_t columns;             /* Length of a raw row: number of input columns. */
    size_t inputs;              /* Number of inputs of the net. */
    size_t outputs;             /* Number of outputs of the net. */
    size_t layers;              /* Number of layers, the hidden layers and the last one. */
    const uint32_t *widths;     /* Outputs of each layer, [layers]. */
    const int32_t *activations; /* Activation of each layer, enum shoal_mlp_activation, [layers]. */
    const double *slopes;       /* Slope of each layer whose activation has one, [layers]. */
    size_t parameters;          /* Number of weights and biases. */
    /* Number of classes; if the net has one output for two classes, the output is the probability of the
     * second class. 0: outputs are numbers. */
    size_t classes;
    const char *const *class_names;  /* Names of the classes, [classes]. NULL: outputs are numbers. */
    const char *const *output_names; /* Names of target columns or classes, [outputs]. */
    /* Precision of the device that trained the net, and of the numbers in the file. */
    enum shoal_precision precision;
    const char *creator; /* Name of the program that wrote the file. "": unknown. */
    const char *notes;   /* Notes in the file. "": there are none. */
    /* Number of columns of the data set that the net was trained to predict. 0: the file names none. */
    size_t targets;
    /* Names of the columns that the net was trained to predict, [targets]. */
    const char *const *target_names;
};

/* Properties of the model. Valid as long as the model. */
SHOAL_API const struct shoal_mlp_model_info *shoal_mlp_model_get_info(const struct shoal_mlp_model *model);

/* An input column of a model. Owned by the model. */
struct shoal_mlp_model_column {
    size_t size; /* Bytes of the struct as the library knows it. */
    /* Name of the column; its number, from 1, where the data set had no names. */
    const char *name;
    enum shoal_column_kind kind;   /* Kind of the values of the column. */
    enum shoal_encoding encoding;  /* How the column becomes numbers. */
    bool may_miss;                 /* A missing value is filled in. */
    size_t category_count;         /* Number of categories. 0: the column holds numbers. */
    const char *const *categories; /* Names of the categories, [category_count]. */
};

/* Input column number `index`, from 0. Valid as long as the model. NULL: `index` is out of range. */
SHOAL_API const struct shoal_mlp_model_column *shoal_mlp_model_column_at(const struct shoal_mlp_model *model,
                                                                         size_t index);

/* Computes the outputs of raw rows, rows[count][info.columns], into outputs[count][info.outputs]:
 * probabilities of classes, or numbers in the units of the data. On the host in double precision, large
 * inputs on several threads.
 * Errors: SHOAL_INVALID: a value is unknown to the model; the message names row and column, from 1. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_predict(const struct shoal_mlp_model *model,
                                                                     const double *rows, size_t count,
                                                                     double *outputs,
                                                                     struct shoal_error *error);

/* Computes the outputs of rows first .. first + count - 1 of a data set into outputs[count][info.outputs].
 * Columns are found by name, or by their order where the model or the data set has no names.
 * Errors: SHOAL_INVALID: the range passes the last row. SHOAL_IO: the data set lacks a column, or a value
 * does not fit. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_model_predict_dataset(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset,
                                size_t first, size_t count, double *outputs, struct shoal_error *error);

/* Predictions on a device: the kernels are built and the parameters are uploaded once, for any number of
 * calls. */

/* A model on a device. */
struct shoal_mlp_predictor;

/* Creates a predictor for `model` on `device`; both must stay valid as long as the predictor. `precision`:
 * floating-point format of the device; the host always computes in double precision, with the bits of
 * shoal_mlp_model_predict. In single precision an output differs from that of double precision by some units
 * of the sixth digit of the largest sums of the net. A predictor belongs to one thread at a time. Destroy it
 * with shoal_mlp_predictor_destroy.
 * Errors: SHOAL_INVALID: `precision` is none. SHOAL_UNSUPPORTED: the device has no double precision.
 * SHOAL_OUT_OF_DEVICE_MEMORY: the net does not fit; the message says how many bytes it takes.
 * SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predictor_create(const struct shoal_mlp_model *model,
                                                                        struct shoal_device *device,
                                                                        enum shoal_precision precision,
                                                                        struct shoal_mlp_predictor **out,
                                                                        struct shoal_error *error);

/* Computes the outputs of raw rows, as shoal_mlp_model_predict does, on the device of the predictor. Rows go
 * to the device in pieces; the host prepares a piece while the device computes the piece before.
 * Errors: SHOAL_INVALID: a value is unknown to the model; the message names row and column, from 1. Errors of
 * the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predictor_run(struct shoal_mlp_predictor *predictor,
                                                                     const double *rows, size_t count,
                                                                     double *outputs,
                                                                     struct shoal_error *error);

/* Computes the outputs of raw rows in single precision into outputs in single precision, on the device of the
 * predictor, which reads half of the memory that shoal_mlp_predictor_run needs.
 * Errors: SHOAL_INVALID: a value is unknown to the model; the message names row and column, from 1. Errors of
 * the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_predictor_run_floats(struct shoal_mlp_predictor *predictor, const float *rows, size_t count,
                               float *outputs, struct shoal_error *error);

/* Computes the outputs of rows of a data set, as shoal_mlp_model_predict_dataset does, on the device of the
 * predictor.
 * Errors: SHOAL_INVALID: the range passes the last row. SHOAL_IO: the data set lacks a column, or a value
 * does not fit. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_predictor_run_dataset(struct shoal_mlp_predictor *predictor, const struct shoal_dataset *dataset,
                                size_t first, size_t count, double *outputs, struct shoal_error *error);

/* Destroys the predictor and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_predictor_destroy(struct shoal_mlp_predictor **predictor);

/* Checks the rows of a data set before a prediction: `*notes` receives a sentence on each line, which states
 * for a column how many rows have a category that training did not see. Such a category is filled as a
 * missing value is. The caller releases `*notes` with free(); NULL: there are no such rows.
 * Errors: SHOAL_IO: the data set lacks a column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_notes(const struct shoal_mlp_model *model,
                                                                   const struct shoal_dataset *dataset,
                                                                   char **notes, struct shoal_error *error);

/* Reads the true answers of all rows of a data set: into class_of[rows] for classes, into
 * truth[rows][info.outputs], in the units of the data, for numbers; the pointer that is not needed may be
 * NULL. Target columns are found as input columns are. `*is_known` false: the data set lacks a target column,
 * does not mark the column as a target, or lacks values of it.
 * Errors: SHOAL_IO: a row is of a class that the model does not know. SHOAL_INVALID: the pointer that is
 * needed is NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_truth(const struct shoal_mlp_model *model,
                                                                   const struct shoal_dataset *dataset,
                                                                   uint32_t *class_of, double *truth,
                                                                   bool *is_known, struct shoal_error *error);

/* Reads the weights of all rows of a data set into weights[rows], from the column of weights with which the
 * model was trained. `*are_known` false: the model was trained without weights, or the data set lacks the
 * column.
 * Errors: SHOAL_IO: a weight is missing or is no valid weight. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_weights(const struct shoal_mlp_model *model,
                                                                     const struct shoal_dataset *dataset,
                                                                     double *weights, bool *are_known,
                                                                     struct shoal_error *error);

/* Index of the class that the outputs of a row, [info.outputs], predict: the most probable class, the first
 * of equally probable classes. 0: outputs are numbers. */
SHOAL_API size_t shoal_mlp_model_class(const struct shoal_mlp_model *model, const double *outputs);

SHOAL_END_DECLS

#endif
