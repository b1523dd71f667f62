/* Nets trained by backprop: parameters of the workload "mlp" (shoal_workload_find("mlp")), and calls on what
 * a run has learned.
 *
 * A run trains a set of nets on one data set, most often one net. A step is an epoch, which uses each
 * training row once, in updates of `batch` rows. The preparation that turns raw columns into numbers
 * (categories, scales, filled values) is learned from the training rows alone and is part of the model.
 *
 * The thesis: B. Grebensek, General-purpose programming of graphical devices for machine learning, Ljubljana
 * 2010. docs/mlp.md states each rule with its source, and the random numbers drawn.
 *
 * Threads and errors: see <shoal/workload.h>.
 */
#ifndef SHOAL_MLP_H
#define SHOAL_MLP_H

#include <shoal/dataset.h>
#include <shoal/mlp_model.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Activation of a unit with weighted sum v. */
enum shoal_mlp_activation {
    SHOAL_MLP_LOGISTIC,        /* 1 / (1 + exp(-slope v)). */
    SHOAL_MLP_TANH,            /* tanh(v). */
    SHOAL_MLP_RELU,            /* max(0, v). */
    SHOAL_MLP_LEAKY_RELU,      /* v above 0, slope v below. */
    SHOAL_MLP_GELU,            /* Gaussian error linear unit, by erf. */
    SHOAL_MLP_GELU_TANH,       /* Gaussian error linear unit, approximated by tanh. */
    SHOAL_MLP_SILU,            /* v / (1 + exp(-v)). */
    SHOAL_MLP_LINEAR,          /* v. */
    SHOAL_MLP_SOFTMAX,         /* exp(v) over the sum of exp(v) of all outputs. Only for the last layer. */
    SHOAL_MLP_THRESHOLD,       /* The perceptron's function: 1 from 0 on, 0 below 0. */
    SHOAL_MLP_PIECEWISE_LINEAR /* min(1, max(0, v + 0.5)). */
};

/* The loss that training minimises. */
enum shoal_mlp_loss {
    SHOAL_MLP_LOSS_AUTO, /* Cross-entropy for classes, the squared error for numbers. */
    /* Half the sum of the squared errors, the loss of the thesis. Classes are then numbers 0 and 1. */
    SHOAL_MLP_LOSS_E,
    SHOAL_MLP_LOSS_SQUARED,      /* Mean of the squared errors. */
    SHOAL_MLP_LOSS_ABSOLUTE,     /* Mean of the absolute errors. */
    SHOAL_MLP_LOSS_HUBER,        /* Mean of Huber's loss with the limit `huber`. */
    SHOAL_MLP_LOSS_LOGISTIC,     /* Logistic loss from logits; two classes have one output. */
    SHOAL_MLP_LOSS_CROSS_ENTROPY /* Cross-entropy from logits. */
};

/* Rule of the initial weights. */
enum shoal_mlp_start {
    /* SHOAL_MLP_START_HE where the first layer has ReLU or a similar activation, else
     * SHOAL_MLP_START_XAVIER. */
    SHOAL_MLP_START_AUTO,
    SHOAL_MLP_START_UNIFORM,   /* Weights and biases uniform from -range to range. */
    SHOAL_MLP_START_XAVIER,    /* Glorot and Bengio 2010. */
    SHOAL_MLP_START_HE,        /* He, Zhang, Ren and Sun 2015. */
    SHOAL_MLP_START_ORTHOGONAL /* Orthogonal matrices: Saxe, McClelland and Ganguli 2014. */
};

/* Rule of an update. */
enum shoal_mlp_optimiser {
    SHOAL_MLP_SGD,          /* Gradient descent. */
    SHOAL_MLP_MOMENTUM,     /* Gradient descent with momentum. */
    SHOAL_MLP_NESTEROV,     /* Gradient descent with Nesterov's momentum. */
    SHOAL_MLP_RMSPROP,      /* RMSprop. */
    SHOAL_MLP_ADAM,         /* Adam. */
    SHOAL_MLP_ADAMW,        /* Adam with decoupled weight decay. */
    SHOAL_MLP_IRPROP_MINUS, /* iRPROP-, for full batches. */
    SHOAL_MLP_IRPROP_PLUS   /* iRPROP+, for full batches. */
};

/* Schedule of the learning rate. */
enum shoal_mlp_schedule {
    SHOAL_MLP_CONSTANT, /* The rate is constant. */
    SHOAL_MLP_STEPS,    /* The rate is multiplied by rate_factor after each rate_period epochs. */
    SHOAL_MLP_COSINE,   /* The rate follows a cosine, to 0 at the last update. */
    /* The rate is multiplied by rate_factor after each rate_period epochs without a better loss. */
    SHOAL_MLP_PLATEAU
};

/* How numbers are scaled. */
enum shoal_mlp_scale {
    SHOAL_MLP_STANDARD, /* Numbers get mean 0 and standard deviation 1. */
    SHOAL_MLP_MIN_MAX,  /* Numbers are scaled to the range 0 to 1. */
    SHOAL_MLP_UNSCALED  /* Numbers stay as they are. */
};

/* Treatment of missing values. */
enum shoal_mlp_missing {
    SHOAL_MLP_REFUSE,      /* The file is refused: SHOAL_IO. */
    SHOAL_MLP_FILL_MEAN,   /* The mean of the column fills the value. */
    SHOAL_MLP_FILL_MEDIAN, /* The median of the column fills the value. */
    /* The mean of the column fills the value, and a further input of the net says that the value was
     * missing. */
    SHOAL_MLP_INDICATOR,
    SHOAL_MLP_DROP_ROWS /* The row is left out. */
};

/* How the work is divided over a device. Values 2 and 3: enum shoal_mlp_thesis_method of <shoal/theses.h>. */
enum shoal_mlp_method {
    SHOAL_MLP_AUTO, /* The method that `shoal tune mlp` measured as the fastest, else by a rule. */
    SHOAL_MLP_GEMM  /* Products of matrices. */
};

/* Parameters of the thesis: see <shoal/theses.h>. */
struct shoal_mlp_thesis;

/* Parts of a data set. */
enum shoal_mlp_part {
    SHOAL_MLP_TRAINING,   /* Rows to train on. */
    SHOAL_MLP_VALIDATION, /* Rows that choose the best parameters. */
    SHOAL_MLP_TEST,       /* Rows that measure the quality of the trained net. */
    SHOAL_MLP_PARTS       /* Number of parts. */
};

/* A sample of a run, taken each `trace` epochs: means over the nets of a set. A score is the accuracy for
 * classes. For numbers a score is R^2, 1 - sum w (y - p)^2 / sum w (y - mean y)^2, the mean over the outputs
 * whose targets vary. */
struct shoal_mlp_sample {
    uint64_t step;             /* Number of epochs done. */
    double seconds;            /* Seconds since the first epoch began. */
    uint64_t updates;          /* Number of updates of each net. */
    double loss;               /* Mean loss of the batches of the epoch, each before its update. */
    double score;              /* Score of the batches of the epoch, each before its update. */
    double validation_loss;    /* Loss of the validation rows. NaN: there are none. */
    double validation_score;   /* Score of the validation rows. NaN: there are none. */
    double rate;               /* Learning rate of the last update. */
    double samples_per_second; /* Rows a second of all nets together, since the preceding sample. */
};

/* Parameters of training. Texts are not copied: valid as long as the solver. */
struct shoal_mlp_params {
    size_t size; /* Bytes of the struct, set by shoal_mlp_params_init. */

    /* The data set: one of data, generate and dataset. If none is given, "teacher" of 64 bits and 26 classes
     * is generated. Readers and their settings: <shoal/dataset.h>. */

    const char *data;   /* File of the data set. Default: NULL, none. */
    const char *labels; /* File of the labels of an IDX or .npy file. Default: NULL, none. */
    /* Target columns: names or numbers, as in struct shoal_dataset_params. Default: NULL, by the format. */
    const char *target;
    /* Kinds and encodings of columns, as in struct shoal_dataset_params. Default: NULL, as found. */
    const char *columns;
    /* Format of the files, as in struct shoal_dataset_params. Default: NULL, by content and name. */
    const char *format;
    /* Whether the first line of a CSV file names the columns, enum shoal_header. Default:
     * SHOAL_HEADER_AUTO. */
    int32_t header;
    /* Data set to generate: "KIND", "KIND:ROWS" or "KIND:ROWS:SEED", where KIND is xor, parity, spirals,
     * random or teacher. Default: NULL, none. */
    const char *generate;
    /* Share of the rows with a wrong class, for the data set "teacher". Range: 0 to 1. Default: NaN, none. */
    double wrong;
    /* Data set. Not copied: valid as long as the solver. Default: NULL, none. */
    const struct shoal_dataset *dataset;

    /* Rows of the parts. Further files hold rows of a part; their columns are found by name. Lists hold row
     * numbers, from 1: "1-15360, 15400". Shares are taken of the rows that `rows` lists, or, without `rows`,
     * of all rows that no list names. Each fold is the validation part of a net of its own. */

    /* File of the validation rows. Default: NULL, none. */
    const char *validation_data;
    /* File of the labels of the validation rows (IDX). Default: NULL, none. */
    const char *validation_labels;
    /* File of the test rows. Default: NULL, none. */
    const char *test_data;
    /* File of the labels of the test rows (IDX). Default: NULL, none. */
    const char *test_labels;
    const char *rows; /* List of rows to train on. Default: NULL, none. */
    /* List of rows for validation. Default: NULL, none. */
    const char *validation_rows;
    /* List of rows for the test. Default: NULL, none. */
    const char *test_rows;
    /* Share of rows for validation, 0 to 0.99. Default: NaN, which means 0.1 where no other member gives
     * validation rows and there are 5 rows to divide. */
    double validation;
    /* Share of rows for the test, 0 to 0.99. Default: NaN, which means 0.2 where no other member gives test
     * rows and there are 5 rows to divide. */
    double test;
    bool no_stratify;  /* Shares and folds do not keep the proportions of classes. Default: false. */
    uint64_t folds;    /* Number of folds, 2 to 1000; 0: none. Default: 0. */
    const char *group; /* Column whose equal values keep rows in the same part. Default: NULL, none. */
    /* Seed of the shuffle that divides rows into parts. Range: any number. Default: 1. */
    uint64_t split_seed;

    /* How columns become numbers. */

    int32_t scale; /* Scale of inputs, enum shoal_mlp_scale. Default: SHOAL_MLP_STANDARD. */
    /* Scale of targets that are numbers, enum shoal_mlp_scale. Default: SHOAL_MLP_STANDARD, which is
     * SHOAL_MLP_UNSCALED with the losses logistic and cross-entropy. */
    int32_t target_scale;
    int32_t missing;    /* Missing values, enum shoal_mlp_missing. Default: SHOAL_MLP_REFUSE. */
    const char *weight; /* Column with the weight of each row. Default: NULL, all weights are 1. */
    /* Weights of the classes: "balanced", or a number for each class. Default: NULL, all weights are 1. */
    const char *class_weights;

    /* The net. */

    /* Number of units of each hidden layer: "64,32", or "none". Default: NULL, one layer of 64 units, or of
     * 63 units for the data set "teacher". */
    const char *hidden;
    /* Activation of the hidden layers: one name for all layers or a name for each layer, "relu,tanh".
     * Default: NULL, relu. */
    const char *activation;
    const char *output; /* Activation of the last layer. Default: NULL, by the loss. */
    /* Slope of logistic and leaky ReLU. Range: 0 to 1e6. Default: NaN, which means 1 of logistic and 0.01 of
     * leaky ReLU. */
    double slope;
    double dropout; /* Share of the hidden units that an update leaves out, 0 to 0.99. Default: 0. */
    int32_t loss;   /* Loss that training minimises, enum shoal_mlp_loss. Default: SHOAL_MLP_LOSS_AUTO. */
    double huber;   /* Limit of Huber's loss. Range: 1e-12 to 1e12. Default: 1. */
    /* Label smoothing: share of a class that is spread over all classes, 0 to 0.99. Default: 0. */
    double smoothing;
    int32_t start; /* Initial weights, enum shoal_mlp_start. Default: SHOAL_MLP_START_AUTO. */
    double range;  /* Bound of SHOAL_MLP_START_UNIFORM: weights lie between -range and range. Range: 0 to 1e6.
                      Default: 0.5. */
    /* Value of the output biases at the start. Range: -1e6 to 1e6. Default: NaN, which means the initial
     * value of the other biases. */
    double output_bias;
    /* File of the initial parameters, or of the parameters to score: a model, or .npy. Default: NULL, none.
     */
    const char *start_file;

    /* Training. */

    int32_t optimiser; /* Rule of an update, enum shoal_mlp_optimiser. Default: SHOAL_MLP_ADAMW. */
    /* Learning rate. Range: 0 to 1e12. Default: NaN, which means 0.005 for Adam and AdamW, 0.002 for RMSprop,
     * 0.01 for iRPROP, whose first steps have this size, else 0.1. */
    double rate;
    /* Learning rate of each net of the set, in place of `rate`, [nets x folds]. Copied. Default: NULL, `rate`
     * for all nets. */
    const double *rates;
    /* Weight decay of each net of the set, in place of `decay`, [nets x folds]. Copied. Default: NULL,
     * `decay` for all nets. */
    const double *decays;
    /* Factor by which an update keeps earlier gradients: momentum, or beta1 of Adam. Range: 0 to 0.999999999.
     * Default: NaN, which means 0.99 for RMSprop, else 0.9. */
    double momentum;
    /* Factor by which an update of Adam keeps earlier squared gradients. Range: 0 to 0.999999999. Default:
     * 0.999. */
    double beta2;
    /* Added to the root in the divisor, of RMSprop and Adam. Range: 0 to 1. Default: 1e-8. */
    double epsilon;
    /* Weight decay of AdamW. Range: 0 to 1e6. Default: NaN, which means min(800, number of parameters of the
     * net) / number of training rows, up to a limit. The limit is 1 with the logistic loss and cross-entropy,
     * and 20^-L with other losses and numbers as targets. L, from 0 to 1, is the lack of fit of a linear
     * model: the share of its squared errors, at rows that it was not fitted to, that errors of near rows
     * explain. Noise and linear data have the limit 1, smooth curves without noise 0.05. The limit is 0.4
     * where L is not measured: a linear model leaves less than a hundredth of the variance, there are fewer
     * than 16 rows or more than 256 inputs, targets are classes, or there are no rows yet
     * (shoal_mlp_trainer). */
    double decay;
    /* iRPROP: factor of a step whose gradient keeps its sign. Range: 1 to 10. Default: 1.2. */
    double step_up;
    /* iRPROP: factor of a step whose gradient changed its sign. Range: 0 to 1. Default: 0.5. */
    double step_down;
    double step_least;    /* iRPROP: least step. Range: 0 to 1e6. Default: 1e-6. */
    double step_greatest; /* iRPROP: greatest step. Range: 0 to 1e12. Default: 50. */
    double l1; /* Penalty l1 sum |w| on weights, beside the mean loss. Range: 0 to 1e6. Default: 0. */
    /* Penalty l2 sum w^2 / 2 on weights, beside the mean loss. Range: 0 to 1e6. Default: 0. */
    double l2;
    /* Weight elimination: penalty elimination sum r / (1 + r), r = w^2 / elimination_scale^2. Range: 0 to
     * 1e6. Default: 0. */
    double elimination;
    double elimination_scale; /* Scale of weight elimination. Range: 1e-12 to 1e6. Default: 1. */
    double clip;              /* Greatest norm of a gradient; 0: no limit. Range: 0 to 1e12. Default: 0. */
    int32_t schedule;         /* Schedule of the rate, enum shoal_mlp_schedule. Default: SHOAL_MLP_COSINE. */
    /* Factor of the rate of SHOAL_MLP_STEPS and SHOAL_MLP_PLATEAU. Range: 1e-9 to 1. Default: 0.5. */
    double rate_factor;
    /* Number of epochs after which SHOAL_MLP_STEPS and SHOAL_MLP_PLATEAU lower the rate. Range: 1 to 1e9.
     * Default: 10. */
    uint64_t rate_period;
    /* Number of updates at the start in which the rate rises. Range: 0 to 1e15. Default: 0. */
    uint64_t warm_up;
    /* Rows of an update. Range: 0 to 2^32 - 1. Default: 0, which means 1/32 of the training rows, from 8 to
     * 128. */
    uint64_t batch;
    bool full_batch; /* All training rows in each update, in place of `batch`. Default: false. */
    bool no_shuffle; /* Rows are taken in the order of the file in each epoch. Default: false. */
    /* Number of nets of the set, for each fold; net k has seed + k. Range: 1 to 65536. Default: 1. */
    uint64_t nets;
    uint64_t seed; /* Seed of initial weights, shuffles and dropout. Range: any number. Default: 1. */

    /* Ends of a run. The first that is reached ends the run. */

    /* Number of epochs. Range: 0 to 2^32 - 256. Default: 0, which means 100, or no such end where `updates`
     * is given. */
    uint64_t epochs;
    /* Number of updates, after which a run ends within an epoch, too; 0: no such end. Range: 0 to 9e18.
     * Default: 0. */
    uint64_t updates;
    /* Number of epochs without a better loss of the validation rows, or of the training rows where there are
     * no validation rows; 0: no such end. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t patience;
    /* The run ends at this loss of the validation rows, or of the training rows where there are no validation
     * rows. Range: 0 to 1e300. Default: NaN, no such end. */
    double target_loss;
    /* The run ends at this accuracy of the validation rows, or of the training rows where there are no
     * validation rows. Range: 0 to 1. Default: NaN, no such end. */
    double target_accuracy;
    /* The run ends after this number of seconds, at the end of an epoch. Range: 0 to 1e9. Default: NaN, no
     * such end. */
    double time;

    /* Floating-point format of the device, enum shoal_precision; the host always uses double precision.
     * Default: SHOAL_FP32. */
    int32_t precision;
    int32_t method; /* How a device divides the work, enum shoal_mlp_method. Default: SHOAL_MLP_AUTO. */
    /* Rows of a chunk, at least a batch; a device has two chunks in memory at a time. Chunks do not change
     * the bits of the results. No effect on the host. Range: 0 to 2^32 - 1. Default: 0, all rows are on the
     * device, or chunks of as many rows as fit. */
    uint64_t chunk_rows;
    uint64_t trace; /* Epochs between samples; 0: none. Range: 0 to 2^32 - 256. Default: 1. */
    /* Parameters of the thesis, struct shoal_mlp_thesis of <shoal/theses.h>. Default: NULL, the defaults. */
    struct shoal_mlp_thesis *thesis;

    /* Words of a CSV file that are missing values, as in struct shoal_dataset_params. Default: NULL. */
    const char *missing_values;
    /* Kind of the targets, enum shoal_task. Default: SHOAL_TASK_AUTO, with `dataset` the task that the data
     * set was opened with. */
    int32_t task;
    /* Number of shards of a batch, 1 to 1024, at most the number of rows of a batch. A shard is a range of
     * rows whose gradients are summed apart; the sums of the shards are added in a fixed order. Several
     * devices can share the shards of a batch: <shoal/split.h>. The number of shards changes the rounding of
     * a gradient, and which units dropout drops. Default: 1. */
    uint64_t shards;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_mlp_params_init(struct shoal_mlp_params *params);
#define SHOAL_MLP_PARAMS(...) SHOAL_INIT(shoal_mlp_params, shoal_mlp_params_init, __VA_ARGS__)

/* Number of nets of the set. 0: the solver is of another workload. */
SHOAL_API uint64_t shoal_mlp_nets(const struct shoal_solver *solver);

/* A net of a set; with folds, the nets of the first fold come first. Losses belong to the epoch whose
 * parameters shoal_mlp_parameters gives. */
struct shoal_mlp_net {
    size_t size;            /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    uint64_t fold;          /* Fold, from 0. */
    uint64_t number;        /* Number of the net within its fold, from 0. */
    uint64_t seed;          /* Seed of the net. */
    uint64_t updates;       /* Number of updates. */
    double rate;            /* Learning rate of the net. */
    double decay;           /* Weight decay of the net. */
    double loss;            /* Loss of the training rows. NaN: no epoch has ended. */
    double validation_loss; /* Loss of the validation rows. NaN: there are none, or no epoch has ended. */
    /* Accuracy, or R^2, of the rows of each part, by enum shoal_mlp_part. NaN: shoal_solver_result was not
     * called yet, the part has no rows, or the training of the net failed. */
    double scores[SHOAL_MLP_PARTS];
    bool has_failed; /* A loss was not finite. */
    /* Lack of fit of a linear model to the training rows, 0 to 1, from which `decay` was computed. NaN:
     * `decay` does not follow from a lack of fit. */
    double lack_of_fit;
};

/* Fills `out` with net number `net`, from 0. Before the call set out->size, usually to 0.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `net` is out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_net_at(struct shoal_solver *solver, uint64_t net,
                                                              struct shoal_mlp_net *out,
                                                              struct shoal_error *error);

/* `*number` receives the number, from 0, of the best net: the net with the least loss of the validation rows,
 * or, without validation rows, of the training rows. With folds the mean of the loss over the folds counts.
 * Nets that failed come last; of equal nets the first is best.
 * Errors: SHOAL_INVALID: the solver is of another workload. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_best_net(struct shoal_solver *solver, uint64_t *number,
                                                                struct shoal_error *error);

/* Copies the parameters of a net as one array: for each layer the weights (row o has the weights of output o,
 * as in torch.nn.Linear), then the biases. `*count` receives the number of parameters; `parameters`, with
 * room for `capacity` numbers, may be NULL, to ask for the count alone. The array holds the best parameters
 * if there are validation rows or patience, else the last parameters.
 * Errors: SHOAL_INVALID: the solver is of another workload, `net` is out of range, or `capacity` is too
 * small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_parameters(struct shoal_solver *solver, uint64_t net,
                                                                  double *parameters, size_t capacity,
                                                                  size_t *count, struct shoal_error *error);

/* Computes the loss over all training rows at `parameters`, with the penalties of the run. `gradient`
 * receives the gradient of the loss; NULL: not wanted. `parameters` and `gradient` have one number for each
 * parameter of the net. Computed on the host in double precision, as one batch without dropout: for
 * optimisers of your own, and to check a device.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `net` is out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_gradient(struct shoal_solver *solver, uint64_t net,
                                                                const double *parameters, double *loss,
                                                                double *gradient, struct shoal_error *error);

/* Predictions for the rows of a part: for each row the outputs of a net, the true class or numbers, and the
 * weight. The arrays belong to the solver and are valid until the next call on the solver. */
struct shoal_mlp_outcome {
    /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t size;
    size_t rows;      /* Number of rows. */
    uint32_t outputs; /* Number of outputs of the net. */
    /* Number of classes; if the net has one output for two classes, the output is the probability of the
     * second class. 0: targets are numbers. */
    uint32_t classes;
    const char *const *names; /* Names of the classes, or of the outputs. */
    /* Probabilities of classes, or numbers in the units of the data, [rows][outputs]. */
    const double *predicted;
    const uint32_t *class_of; /* True class of each row, [rows]. NULL: targets are numbers. */
    /* True numbers in the units of the data, [rows][outputs]. NULL: targets are classes. */
    const double *truth;
    /* Weight of each row from the column of weights, without class weights, [rows]. NULL: all weights are 1.
     */
    const double *weights;
    const uint32_t *number; /* Index of each row in its file, from 0, [rows]. */
};

/* Fills `out` with the rows of a part and the outputs of net number `net` for these rows, by the parameters
 * that shoal_mlp_parameters gives. Before the call set out->size, usually to 0.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `net` or `part` is out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predict_part(struct shoal_solver *solver, uint64_t net,
                                                                    enum shoal_mlp_part part,
                                                                    struct shoal_mlp_outcome *out,
                                                                    struct shoal_error *error);

/* Index of the class that the outputs of a row, [outcome->outputs], predict: the most probable class, the
 * first of equally probable classes. */
SHOAL_API uint32_t shoal_mlp_outcome_class(const struct shoal_mlp_outcome *outcome, const double *outputs);

/* Creates the model of net number `net`: <shoal/mlp_model.h>. Destroy the model with shoal_mlp_model_destroy.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `net` is out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_of(struct shoal_solver *solver, uint64_t net,
                                                                struct shoal_mlp_model **out,
                                                                struct shoal_error *error);

/* A net in four calls, in the manner of FANN: create, train, save, predict. Single rows need no device. */

/* A net with its data. */
struct shoal_mlp;

/* Reads the data that `params` name and checks them. `params` are copied; the texts and arrays to which they
 * point must stay valid until training has ended. `device`: a device of shoal_open, also the host. Destroy
 * the net with shoal_mlp_destroy.
 * Errors: see shoal_solver_create: SHOAL_INVALID, SHOAL_IO, SHOAL_UNSUPPORTED, SHOAL_BUILD_FAILED. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_create(struct shoal_device *device,
                                                              const struct shoal_mlp_params *params,
                                                              struct shoal_mlp **out,
                                                              struct shoal_error *error);

/* Trains to the end. Of a set of nets the call keeps the net that shoal_mlp_best_net chooses, with folds the
 * net of the first fold. `*score` (NULL: not wanted) receives the accuracy, or R^2, of this net on the test
 * rows; if there are none, on the validation rows, else on the training rows. Another call starts the
 * training anew.
 * Errors: SHOAL_STOPPED: the stop callback returned true; the parameters learned so far are kept.
 * SHOAL_CHECK_FAILED: the training failed its check. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_train(struct shoal_mlp *mlp, double *score,
                                                             struct shoal_error *error);

/* Sets a callback for each training from now on: the thread that trains calls `stop` before the first update
 * and then about every 0.1 s, also between the launches of a long epoch. True ends the training. `data` is
 * passed to `stop`. `stop` NULL: nothing stops training. */
SHOAL_API void shoal_mlp_set_stop(struct shoal_mlp *mlp, bool (*stop)(void *data), void *data);

/* The trained model. Valid until the next training or shoal_mlp_destroy. NULL: nothing was trained yet. */
SHOAL_API const struct shoal_mlp_model *shoal_mlp_trained(const struct shoal_mlp *mlp);

/* Writes the trained model, as shoal_mlp_model_save does.
 * Errors: SHOAL_INVALID: nothing was trained, or the extension names no format. SHOAL_IO: the file cannot be
 * written. SHOAL_UNSUPPORTED: the format cannot hold this model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_save(const struct shoal_mlp *mlp, const char *path,
                                                            struct shoal_error *error);

/* Computes the outputs of raw rows by the trained model, as shoal_mlp_model_predict does:
 * rows[count][info.columns] into outputs[count][info.outputs].
 * Errors: SHOAL_INVALID: nothing was trained, or a value is unknown to the model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predict(const struct shoal_mlp *mlp,
                                                               const double *rows, size_t count,
                                                               double *outputs, struct shoal_error *error);

/* Destroys the net and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_destroy(struct shoal_mlp **mlp);

/* A trainer makes one update at a time, on rows of the caller: an interface of a lower level than
 * shoal_mlp_train. On the host rows are arrays of doubles; on a device rows are buffers in the precision of
 * the parameters, and an update is enqueued. */

/* A net that the caller trains update by update. */
struct shoal_mlp_trainer;

/* Net and training of a trainer. */
struct shoal_mlp_trainer_params {
    size_t size; /* Bytes of the struct, set by shoal_mlp_trainer_params_init. */
    /* Net and training: the members from `hidden` to `seed`, and `epochs`, which here is the number of
     * updates over which SHOAL_MLP_COSINE lowers the rate. Data, parts, batch and ends have no effect. Read
     * only during the call. Must be set. */
    const struct shoal_mlp_params *mlp;
    size_t inputs;    /* Number of inputs of the net, 1 to 2^32 - 1. Must be set. */
    size_t outputs;   /* Number of outputs of the net, 1 to 2^32 - 1; for classes one output for each class.
                         Must be set. */
    size_t rows;      /* Number of rows of each update, 1 to 2^32 - 1. Must be set. */
    bool has_classes; /* Targets are classes, counted from 0; otherwise numbers. Default: false. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_mlp_trainer_params_init(struct shoal_mlp_trainer_params *params);
#define SHOAL_MLP_TRAINER_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_mlp_trainer_params, shoal_mlp_trainer_params_init, __VA_ARGS__)

/* Creates a trainer on the device of `queue`, which must stay valid as long as the trainer; NULL: on the
 * host. The trainer belongs to the thread of its queue. Destroy the trainer with shoal_mlp_trainer_destroy.
 * Errors: SHOAL_INVALID: `mlp` breaks a rule of shoal_workload_validate, or sizes are missing.
 * SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_create(struct shoal_queue *queue, enum shoal_variant variant,
                         const struct shoal_mlp_trainer_params *params, struct shoal_mlp_trainer **out,
                         struct shoal_error *error);

/* Makes one update with inputs[rows][inputs] and either classes[rows] or targets[rows][outputs]; the pointer
 * that is not used is NULL. After an error the parameters are as before the update.
 * Errors: SHOAL_INVALID: a class is out of range; the message names its row. Classes are 0 .. outputs - 1, or
 * 0 and 1 with one output. SHOAL_CHECK_FAILED: the loss is not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_update(struct shoal_mlp_trainer *trainer, const double *inputs, const uint32_t *classes,
                         const double *targets, struct shoal_error *error);

/* Enqueues one update with buffers of the device, row after row: `inputs` of fp32 or fp64 numbers, and
 * `answers` of uint32_t classes or of numbers. The buffers are read when the update runs; classes are not
 * checked.
 * Errors: SHOAL_INVALID: the trainer is on the host, or a buffer is too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_update_buffers(struct shoal_mlp_trainer *trainer, struct shoal_buffer *inputs,
                                 struct shoal_buffer *answers, struct shoal_error *error);

/* Waits for the updates. `*loss` receives the mean loss of the last update, at the parameters before this
 * update.
 * Errors: SHOAL_CHECK_FAILED: a loss was not finite; the message names the update. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_trainer_loss(struct shoal_mlp_trainer *trainer,
                                                                    double *loss, struct shoal_error *error);

/* Number of parameters of the net. */
SHOAL_API size_t shoal_mlp_trainer_count(const struct shoal_mlp_trainer *trainer);

/* Waits and copies all parameters, [shoal_mlp_trainer_count], in the order of shoal_mlp_parameters.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_get(struct shoal_mlp_trainer *trainer, double *parameters, struct shoal_error *error);

/* Sets all parameters, [shoal_mlp_trainer_count], and begins anew at update 0.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_set(struct shoal_mlp_trainer *trainer, const double *parameters, struct shoal_error *error);

/* Destroys the trainer and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_trainer_destroy(struct shoal_mlp_trainer **trainer);

SHOAL_END_DECLS

#endif
