/* Nets trained by backprop: parameters of the workload "mlp" (shoal_workload_find("mlp")), and calls on what
 * a run has learned.
 *
 * A run trains a set of nets on one data set, most often one net. A step is an epoch: each training row once,
 * in updates of `batch` rows. What turns raw columns into numbers (categories, scale, filled values) is
 * learned from the training rows alone and belongs to the model.
 *
 * The thesis: B. Grebensek, General-purpose programming of graphical devices for machine learning, Ljubljana
 * 2010. docs/mlp.md states each rule with its source, and the random numbers drawn.
 *
 * Threads and errors: those of <shoal/workload.h>.
 */
#ifndef SHOAL_MLP_H
#define SHOAL_MLP_H

#include <shoal/dataset.h>
#include <shoal/mlp_model.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

enum shoal_mlp_activation {
    SHOAL_MLP_LOGISTIC, /* 1 / (1 + exp(-slope v)) */
    SHOAL_MLP_TANH,
    SHOAL_MLP_RELU,
    SHOAL_MLP_LEAKY_RELU, /* slope below 0 */
    SHOAL_MLP_GELU,       /* by erf */
    SHOAL_MLP_GELU_TANH,
    SHOAL_MLP_SILU,
    SHOAL_MLP_LINEAR,
    SHOAL_MLP_SOFTMAX,         /* the last layer alone */
    SHOAL_MLP_THRESHOLD,       /* 1 from 0 on, else 0; the perceptron's */
    SHOAL_MLP_PIECEWISE_LINEAR /* v + 1 / 2 within 0 to 1 */
};

enum shoal_mlp_loss {
    SHOAL_MLP_LOSS_AUTO, /* of classes cross-entropy, of numbers the squared error */
    SHOAL_MLP_LOSS_E,    /* half the sum of squares: the thesis's. Classes are numbers 0 and 1 then */
    SHOAL_MLP_LOSS_SQUARED,
    SHOAL_MLP_LOSS_ABSOLUTE,
    SHOAL_MLP_LOSS_HUBER,
    SHOAL_MLP_LOSS_LOGISTIC,     /* from logits; two classes have one output */
    SHOAL_MLP_LOSS_CROSS_ENTROPY /* from logits */
};

enum shoal_mlp_start {
    SHOAL_MLP_START_AUTO, /* He behind ReLU and its like, else Xavier: by the first layer */
    SHOAL_MLP_START_UNIFORM,
    SHOAL_MLP_START_XAVIER,
    SHOAL_MLP_START_HE,
    SHOAL_MLP_START_ORTHOGONAL
};

enum shoal_mlp_optimiser {
    SHOAL_MLP_SGD,
    SHOAL_MLP_MOMENTUM,
    SHOAL_MLP_NESTEROV,
    SHOAL_MLP_RMSPROP,
    SHOAL_MLP_ADAM,
    SHOAL_MLP_ADAMW,
    SHOAL_MLP_IRPROP_MINUS,
    SHOAL_MLP_IRPROP_PLUS
};

enum shoal_mlp_schedule {
    SHOAL_MLP_CONSTANT,
    SHOAL_MLP_STEPS,
    SHOAL_MLP_COSINE, /* to 0 at the last update */
    SHOAL_MLP_PLATEAU
};

enum shoal_mlp_scale { SHOAL_MLP_STANDARD, SHOAL_MLP_MIN_MAX, SHOAL_MLP_UNSCALED };
enum shoal_mlp_missing {
    SHOAL_MLP_REFUSE,
    SHOAL_MLP_FILL_MEAN,
    SHOAL_MLP_FILL_MEDIAN,
    SHOAL_MLP_INDICATOR, /* fill by the mean, and an input says so */
    SHOAL_MLP_DROP_ROWS
};

/* How the work lies over a device. */
enum shoal_mlp_method {
    SHOAL_MLP_AUTO,
    SHOAL_MLP_GEMM /* products of matrices */
    /* 2, 3: enum shoal_mlp_thesis_method of <shoal/theses.h>. */
};

struct shoal_mlp_thesis; /* <shoal/theses.h> */

/* Parts of a data set. */
enum shoal_mlp_part { SHOAL_MLP_TRAINING, SHOAL_MLP_VALIDATION, SHOAL_MLP_TEST, SHOAL_MLP_PARTS };

/* One of the samples of a run, each `trace` epochs: means over the nets of a set. Scores: accuracy of
 * classes; of numbers R2, 1 - sum w (y - p)^2 / sum w (y - mean y)^2, the mean over the outputs whose targets
 * vary. */
struct shoal_mlp_sample {
    uint64_t step; /* epochs done */
    double seconds;
    uint64_t updates;                         /* of each net */
    double loss, score;                       /* of the batches of the epoch as they were trained on */
    double validation_loss, validation_score; /* NaN: no validation rows */
    double rate;                              /* of the last update */
    double samples_per_second;                /* rows of all nets in the epochs since the sample before */
};

/* NaN, NULL and 0: by the rule stated, else there is none. */
struct shoal_mlp_params {
    size_t size;

    /* The data set is one of `data`, `generate` and `dataset`; without any the teacher of 64 bits and 26
     * classes. Readers and their settings: <shoal/dataset.h>. */
    const char *data, *labels;
    const char *target, *columns, *format;
    int32_t header;       /* CSV, whether the first line names the columns: 0 by its content, 1 no, 2 yes */
    const char *generate; /* "KIND", "KIND:ROWS", "KIND:ROWS:SEED": xor, parity, spirals, random, teacher */
    double wrong;         /* teacher: share of the rows with a wrong class; NaN: none */
    const struct shoal_dataset *dataset; /* not copied: valid as long as the solver */

    /* Rows of the parts. Further files, whose columns are found by name; lists of rows from 1, "1-15360,
     * 15400"; shares of the training list, without one of the rows that no list names; or folds,
     * each of which validates a net of its own. */
    const char *validation_data, *validation_labels, *test_data, *test_labels;
    const char *rows, *validation_rows, *test_rows;
    /* Shares; NaN: 0.1 and 0.2, where nothing else names such rows and there are 5 to divide. */
    double validation, test;
    bool no_stratify;  /* shares and folds do not keep the proportions of classes */
    uint64_t folds;    /* 2 or more */
    const char *group; /* column: its equal values share a part */
    uint64_t split_seed;

    /* What turns columns into numbers. */
    int32_t scale, target_scale;        /* enum shoal_mlp_scale */
    int32_t missing;                    /* enum shoal_mlp_missing */
    const char *weight, *class_weights; /* column; "balanced" or a number for each class */

    /* Net: units of hidden layers "64,32", "none"; NULL: 64, for the teacher 63. Activations: one, or one for
     * each layer, "relu,tanh". */
    const char *hidden;
    const char *activation;  /* of hidden layers; NULL: relu */
    const char *output;      /* activation of the last layer; NULL: by the loss */
    double slope;            /* of logistic (NaN: 1) and leaky ReLU (NaN: 0.01) */
    double dropout;          /* share of hidden units */
    int32_t loss;            /* enum shoal_mlp_loss */
    double huber, smoothing; /* limit of Huber's loss; label smoothing */
    int32_t start;           /* enum shoal_mlp_start */
    double range;            /* of START_UNIFORM */
    double output_bias;      /* at the start; NaN: as the others */
    const char *start_file;  /* parameters to start from, or to score: a model, or .npy; NULL: none */

    /* Training. */
    int32_t optimiser; /* enum shoal_mlp_optimiser */
    double rate; /* NaN: 0.005 of Adam and AdamW, 0.002 of RMSprop, 0.01 of iRPROP's first steps, else 0.1 */
    const double *rates, *decays; /* instead, for each net of the set: nets (times folds) numbers. Copied */
    double momentum;              /* NaN: 0.9, of RMSprop 0.99 */
    double beta2, epsilon;
    /* Of AdamW. NaN: 800, or the net's parameters if they are fewer, / training rows; but at most 1 with the
     * logistic loss and cross-entropy, and, with the other losses and numbers as targets, 20^-L. L is the
     * lack of fit of a line: the share of its squared errors, at rows that it was not fitted to, that the
     * errors of near rows explain. So noise, and a table of which a line is all that its rows show, have 1,
     * smooth curves without noise 0.05. At most 0.4 where L is not measured: a line leaves less than a
     * hundredth of the variance, rows are fewer than 16, inputs more than 256, targets are classes, or rows
     * are not there yet (shoal_mlp_trainer). */
    double decay;
    double step_up, step_down, step_least, step_greatest; /* iRPROP */
    double l1, l2, elimination, elimination_scale;        /* penalties, beside the mean loss */
    double clip;                                          /* greatest norm of a gradient; 0: none */
    int32_t schedule;                                     /* enum shoal_mlp_schedule */
    double rate_factor;                                   /* of SHOAL_MLP_STEPS and SHOAL_MLP_PLATEAU */
    uint64_t rate_period;                                 /* epochs */
    uint64_t warm_up;                                     /* updates in which the rate rises */
    uint64_t batch;  /* rows of an update; 0: a 32nd of the training rows, from 8 to 128 */
    bool full_batch; /* instead: all of them */
    bool no_shuffle;
    uint64_t nets; /* of the set, for each fold; net k has seed + k */
    uint64_t seed;

    /* Ends: the first that is reached. */
    uint64_t epochs; /* 0: 100, or no such end where `updates` is given */
    uint64_t updates;
    uint64_t patience; /* epochs without a better loss of the validation rows, without such of the training */
    double target_loss, target_accuracy; /* of the validation, without such of the training */
    double time;                         /* seconds; NaN: none */

    int32_t precision; /* enum shoal_precision of the device; the host computes in double */
    int32_t method;    /* enum shoal_mlp_method */
    /* Rows of a chunk, of which a device has two at a time, at least a batch; 0: all rows are on the device,
     * or as many as fit. Results are the same bits. No effect on the host. */
    uint64_t chunk_rows;
    uint64_t trace;                  /* epochs between samples; 0: none */
    struct shoal_mlp_thesis *thesis; /* parameters of the thesis; NULL: its defaults */

    const char *missing_values; /* of CSV: see struct shoal_dataset_params */
    int32_t task;               /* enum shoal_task; of `dataset` the one that it was opened with */
};

SHOAL_API void shoal_mlp_params_init(struct shoal_mlp_params *params);
#define SHOAL_MLP_PARAMS(...) SHOAL_INIT(shoal_mlp_params, shoal_mlp_params_init, __VA_ARGS__)

/* Nets of the set. 0: no solver of mlp. */
SHOAL_API uint64_t shoal_mlp_nets(const struct shoal_solver *solver);
/* A net of a set: with folds those of the first fold come first. What it ended with is of the epoch that its
 * parameters are of, as in shoal_mlp_parameters. */
struct shoal_mlp_net {
    size_t size;           /* set by the caller: of the struct; 0: that of its first release */
    uint64_t fold, number; /* from 0: the fold, and the net within it */
    uint64_t seed, updates;
    double rate, decay;           /* of this net */
    double loss, validation_loss; /* NaN: no such rows, or no epoch has ended */
    /* Accuracy, or R2, of the rows of each part, by shoal_solver_result; NaN before, where the part has no
     * rows, and where the training of the net failed. */
    double scores[SHOAL_MLP_PARTS];
    bool has_failed; /* a loss was no finite number */
    /* Of the rows that it was trained on, by which its decay was chosen, 0 to 1; NaN: it was not chosen, or
     * not by this. */
    double lack_of_fit;
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_net_at(struct shoal_solver *solver, uint64_t net,
                                                              struct shoal_mlp_net *out,
                                                              struct shoal_error *error);
/* The number, from 0, of the net with the least loss of the validation rows, without such of the training
 * rows; with folds of the least mean over them. Nets that failed come last, of equal ones the first counts.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_best_net(struct shoal_solver *solver, uint64_t *number,
                                                                struct shoal_error *error);
/* Flat parameters of a net: layer after layer, weights (row o holds those of output o, as torch.nn.Linear),
 * then biases. `*count` receives how many; `parameters` NULL asks for that alone. They are the best ones
 * where there are validation rows or patience, else the last. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_parameters(struct shoal_solver *solver, uint64_t net,
                                                                  double *parameters, size_t capacity,
                                                                  size_t *count, struct shoal_error *error);
/* Loss over all training rows for parameters of the caller, with the penalties of the run, and its gradient
 * (NULL: not wanted), both of as many numbers as the net has parameters: on the host in double precision, in
 * one batch without dropout. For optimisers of your own, and to check a device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_gradient(struct shoal_solver *solver, uint64_t net,
                                                                const double *parameters, double *loss,
                                                                double *gradient, struct shoal_error *error);
/* Rows of a part, and for each the outputs of a net with these parameters (probabilities of classes, or
 * numbers in the units of the data), its truth (the class, or numbers in these units) and its weight. The
 * arrays belong to the solver and live until its next call. */
struct shoal_mlp_outcome {
    size_t size; /* set by the caller: of the struct; 0: that of its first release */
    size_t rows;
    uint32_t outputs, classes; /* classes 0: numbers. One output of two classes: that of the second */
    const char *const *names;  /* of classes, or of the outputs */
    const double *predicted;   /* rows x outputs */
    const uint32_t *class_of;  /* rows; NULL: numbers */
    const double *truth;       /* rows x outputs; NULL: classes */
    const double *weights;     /* rows, of the column alone, not of classes; NULL: all 1 */
    const uint32_t *number;    /* of each row in its file, from 0 */
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predict_part(struct shoal_solver *solver, uint64_t net,
                                                                    enum shoal_mlp_part part,
                                                                    struct shoal_mlp_outcome *out,
                                                                    struct shoal_error *error);

/* The class that outputs[outcome->outputs] say, of rows with classes: the most probable, the first of equal
 * ones. */
SHOAL_API uint32_t shoal_mlp_outcome_class(const struct shoal_mlp_outcome *outcome, const double *outputs);

/* The model of a net with these parameters: <shoal/mlp_model.h>. The caller destroys it. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_model_of(struct shoal_solver *solver, uint64_t net,
                                                                struct shoal_mlp_model **out,
                                                                struct shoal_error *error);

/* A net in four calls, in the manner of FANN: create, train, save, predict. Single rows need no device.
 *
 * Create reads the data that `params` name and checks it; `params` are copied, the texts and arrays that they
 * point to must stay valid until training has ended. `device` is of shoal_open, also the host. */
struct shoal_mlp;
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_create(struct shoal_device *device,
                                                              const struct shoal_mlp_params *params,
                                                              struct shoal_mlp **out,
                                                              struct shoal_error *error);
/* Trains to the end; of a set the best net is kept, as shoal_mlp_best_net has it, with folds that of the
 * first. `score` (NULL: not wanted) receives the accuracy, or R2, of the test rows by this net; without such
 * of the validation rows, else of the training rows. Again: begins anew. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_train(struct shoal_mlp *mlp, double *score,
                                                             struct shoal_error *error);
/* For each training from now on: `stop` is asked before the first update and then about each 0.1 s, between
 * the launches of a long epoch too, on the thread that trains; true ends the training. What it has learned by
 * then is kept, and shoal_mlp_train gives SHOAL_STOPPED. NULL: nothing stops it. */
SHOAL_API void shoal_mlp_set_stop(struct shoal_mlp *mlp, bool (*stop)(void *data), void *data);
/* What was trained; NULL before. Valid until it is trained again or destroyed. */
SHOAL_API const struct shoal_mlp_model *shoal_mlp_trained(const struct shoal_mlp *mlp);
/* As shoal_mlp_model_save and shoal_mlp_model_predict. SHOAL_INVALID: it was not trained. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_save(const struct shoal_mlp *mlp, const char *path,
                                                            struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_predict(const struct shoal_mlp *mlp,
                                                               const double *rows, size_t count,
                                                               double *outputs, struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_mlp_destroy(struct shoal_mlp **mlp);

/* Below the four calls: one update at a time, on rows of the caller. On the host these are arrays of doubles;
 * on a device buffers in the precision of the parameters, and an update is enqueued. */
struct shoal_mlp_trainer;
struct shoal_mlp_trainer_params {
    size_t size; /* set by shoal_mlp_trainer_params_init */
    /* Net and training: the members from `hidden` to `seed`, without dropout of rows or penalties left out;
     * `epochs` counts updates for the cosine. Data, parts, batch and ends have no effect. Read by the call
     * alone. */
    const struct shoal_mlp_params *mlp;
    size_t inputs, outputs; /* of the net; outputs of classes: one for each */
    size_t rows;            /* of each update */
    bool has_classes;       /* answers are classes from 0 on, else numbers */
};
SHOAL_API void shoal_mlp_trainer_params_init(struct shoal_mlp_trainer_params *params);
#define SHOAL_MLP_TRAINER_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_mlp_trainer_params, shoal_mlp_trainer_params_init, __VA_ARGS__)
/* `queue` NULL: on the host. It must stay valid as long as the trainer, which belongs to its thread.
 * SHOAL_INVALID: `mlp` breaks a rule that shoal_workload_validate has, too. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_create(struct shoal_queue *queue, enum shoal_variant variant,
                         const struct shoal_mlp_trainer_params *params, struct shoal_mlp_trainer **out,
                         struct shoal_error *error);
/* inputs[rows * inputs], and classes[rows] or targets[rows * outputs]; the other NULL. SHOAL_INVALID names
 * the row of a class that the net has no output for: classes are 0 to outputs - 1, with one output 0 and 1.
 * SHOAL_CHECK_FAILED: the loss is no finite number. Parameters are then those before the update. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_update(struct shoal_mlp_trainer *trainer, const double *inputs, const uint32_t *classes,
                         const double *targets, struct shoal_error *error);
/* The same on buffers of the device, row after row: fp32 or fp64 numbers, and uint32_t classes or such
 * numbers. They are read when the update runs; classes are not checked. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_update_buffers(struct shoal_mlp_trainer *trainer, struct shoal_buffer *inputs,
                                 struct shoal_buffer *answers, struct shoal_error *error);
/* Mean loss of the last update, of the parameters before it; waits. SHOAL_CHECK_FAILED: a loss was no finite
 * number, names the update. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_trainer_loss(struct shoal_mlp_trainer *trainer,
                                                                    double *loss, struct shoal_error *error);
/* How many parameters there are, and all of them: see shoal_mlp_parameters. Waits. */
SHOAL_API size_t shoal_mlp_trainer_count(const struct shoal_mlp_trainer *trainer);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_get(struct shoal_mlp_trainer *trainer, double *parameters, struct shoal_error *error);
/* Begins anew with these: update 0. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_mlp_trainer_set(struct shoal_mlp_trainer *trainer, const double *parameters, struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_mlp_trainer_destroy(struct shoal_mlp_trainer **trainer);

SHOAL_END_DECLS

#endif
