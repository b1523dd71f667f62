/* Private: the problem of the workload "mlp", and a run: a set of nets in training, each by a method of the
 * host or of a device. */
#ifndef SHOAL_MLP_PRIVATE_H
#define SHOAL_MLP_PRIVATE_H

#include "dataset/prepare/prepared.h"
#include "mlp/host/pass.h"
#include "mlp/thesis/options.h"
#include "mlp/training/state.h"
#include "workload/workload.h"

#include <math.h>
#include <shoal/mlp.h>

enum { MLP_FILES = SHOAL_MLP_PARTS, MLP_DEFAULT_EPOCHS = 100 };

/* Rows shared by all nets with the same training rows, and the shape of these nets. */
struct mlp_fold {
    struct split split;
    struct preparation *preparation;
    /* Training, validation and test rows follow each other: part p has count[p] rows from first[p] on. */
    struct prepared *prepared;
    size_t count[SHOAL_MLP_PARTS], first[SHOAL_MLP_PARTS];
    uint32_t *numbers; /* [rows]: number of each row in its file */
    char **names;      /* names of outputs that are numbers; NULL: outputs are classes */
    struct net *net;
    /* lack of fit of the training rows; NaN: not measured, or the default decay does not need it */
    double lack_of_fit;
};

struct mlp_problem {
    /* Data sets by part: the first has the training rows; the data sets of validation and test are NULL
     * unless there are files for these parts. */
    const struct shoal_dataset *sets[MLP_FILES];
    struct shoal_dataset *opened[MLP_FILES];
    struct mlp_fold *folds;
    size_t fold_count;
    size_t dropped;                /* number of rows dropped for missing values */
    struct shoal_mlp_model *start; /* model with which training begins; NULL: none, or an array in .npy */
};

/* Opens and prepares the data that `params` name. After a failure mlp_problem_destroy frees what was
 * created. */
SHOAL_MUST_CHECK enum shoal_status mlp_problem_create(const struct shoal_mlp_params *params,
                                                      struct mlp_problem *problem, struct shoal_error *error);
void mlp_problem_destroy(struct mlp_problem *problem);
/* Frees data sets and prepared rows of the problem, if only the preparations are needed any more. */
void mlp_problem_free_rows(struct mlp_problem *problem);
/* Checks the rules between the parameters that need no data. */
SHOAL_MUST_CHECK enum shoal_status mlp_check_params(const void *params, struct shoal_error *error);

/* Creates the shape of a net for a preparation. start: model with which training begins; NULL: none.
 * SHOAL_INVALID: a list of units or activations has an error. */
SHOAL_MUST_CHECK enum shoal_status mlp_net_of(const struct shoal_mlp_params *params,
                                              const struct preparation *preparation,
                                              const struct shoal_mlp_model *start, struct net **net,
                                              struct shoal_error *error);
/* Whether the decay is chosen by a rule, because no parameter gives a decay. */
bool mlp_chooses_decay(const struct shoal_mlp_params *params);
/* Measures the lack of fit of the training rows and sets fold->lack_of_fit. */
SHOAL_MUST_CHECK enum shoal_status mlp_measure_fold(const struct shoal_mlp_params *params,
                                                    struct mlp_fold *fold, struct shoal_error *error);
/* Returns the training of net number `index` of the set on `rows` rows. lack: lack of fit of the rows; NaN:
 * unknown. */
struct training mlp_training_of(const struct shoal_mlp_params *params, const struct net *net, size_t index,
                                size_t rows, double lack);

/* Sets the initial parameters of a net: those of the model `start`. start NULL: the array in
 * params->start_file, or, if there is no file, random numbers by params->start. */
SHOAL_MUST_CHECK enum shoal_status mlp_start(const struct shoal_mlp_params *params,
                                             const struct shoal_mlp_model *start, const struct mlp_fold *fold,
                                             uint64_t seed, double *parameters, struct shoal_error *error);

/* A net in training. */
struct mlp_member {
    const struct mlp_fold *fold;
    struct training training;
    /* lack of fit by which the decay was chosen; NaN: the decay was chosen otherwise */
    double lack_of_fit;
    uint64_t epoch_updates;     /* number of updates of an epoch */
    struct net_training *net;   /* state of the net, owned by the method */
    uint64_t updates;           /* number of updates enqueued so far */
    size_t batch;               /* number of rows of an update */
    struct trainer_epoch epoch; /* figures of the last judged epoch; NaN: no epoch was judged yet */
    bool is_judged;             /* `epoch` belongs to the updates done so far */
    struct trainer_epoch best;  /* figures of the epoch after which the method kept the best parameters */
    bool has_best;              /* `best` is set */
    bool has_ended;             /* training has ended: by patience, a target, the number of updates, or a
                                 * loss that is not finite */
    /* training has ended by a loss that is not finite; the result has the best parameters before that */
    bool failed;
    double *start;   /* initial parameters of the net */
    double *learned; /* parameters of the result, read when a caller wants the result */
    /* scores of the rows of each part, by the parameters in `learned`; NaN: not known */
    double scores[SHOAL_MLP_PARTS];
    bool is_read; /* `learned` is up to date */
};

/* The rows of a fold in double precision; part[p] points into `all`. */
struct mlp_rows {
    struct pass_data all, part[SHOAL_MLP_PARTS];
    double *inputs, *factors;
};
/* Creates the rows. If there is no memory for the inputs, the message says how many bytes they need. Call
 * mlp_rows_destroy also after a failure. */
SHOAL_MUST_CHECK enum shoal_status mlp_rows_create(const struct mlp_fold *fold, struct mlp_rows *out,
                                                   struct shoal_error *error);
void mlp_rows_destroy(struct mlp_rows *rows);

/* Sets the number of rows of an update (0: all rows), and the members of `member` that depend on this
 * number. */
void mlp_set_batch(const struct shoal_mlp_params *params, struct mlp_member *member, size_t batch);
/* Checks the number of shards. SHOAL_INVALID: batches have fewer rows than shards. */
SHOAL_MUST_CHECK enum shoal_status mlp_check_shards(const struct mlp_member *member,
                                                    struct shoal_error *error);

/* A method by which nets are trained, on the host or on a device. The trained parameters depend only on the
 * method, the net, its training and the prepared rows. */
struct mlp_method {
    /* MLP_METHOD_BASE: the functions for all nets of a solver, in which the methods differ by the functions
     * for one net that follow. solver->method.state is not used, since each net has a state of its own. */
    struct method base;
    /* Converts the rows of a fold to the form that nets of this method read; called before the first of these
     * nets is created. NULL: rows need no conversion. */
    enum shoal_status (*prepare)(const struct shoal_solver *solver, const struct mlp_fold *fold,
                                 struct shoal_error *error);
    /* Creates the net and sets member->net; NULL after a failure. shares: a net of the same solver with the
     * same rows, whose rows the new net may use instead of a copy; NULL: there is none. */
    enum shoal_status (*create_net)(struct shoal_solver *solver, struct mlp_member *member,
                                    struct net_training *shares, struct shoal_error *error);
    void (*destroy_net)(struct net_training *net);
    enum shoal_status (*begin_net)(struct net_training *net, const double *parameters,
                                   struct shoal_error *error);
    /* Enqueues `count` updates, all of them in one epoch. SHOAL_CHECK_FAILED, here or at the end of the
     * epoch: a loss is not finite. */
    enum shoal_status (*update)(struct net_training *net, uint64_t count, struct shoal_error *error);
    /* Waits for all updates. *updates receives, also after a failure, the number of updates before the first
     * update whose loss is not finite. SHOAL_CHECK_FAILED: there is such an update. NULL: `update` itself
     * waits. */
    enum shoal_status (*settle)(struct net_training *net, uint64_t *updates, struct shoal_error *error);
    /* Called after the last update of an epoch: waits, judges the epoch, and keeps the parameters if the
     * epoch is the best, or if no loss judges epochs. */
    enum shoal_status (*end_epoch)(struct net_training *net, struct trainer_epoch *epoch,
                                   struct shoal_error *error);
    /* Waits, and copies the current parameters; with `best` the parameters of the least loss. */
    enum shoal_status (*parameters)(struct net_training *net, bool best, double *parameters,
                                    struct shoal_error *error);
    /* Computes the outputs of prepared rows first .. first + count - 1 by given parameters:
     * [count][outputs]. */
    enum shoal_status (*predict)(struct net_training *net, const double *parameters, size_t first,
                                 size_t count, double *outputs, struct shoal_error *error);
    /* save_net copies and load_net sets the whole state of a net: net->state, and in `arrays` the parameters,
     * the best parameters and three arrays of the optimiser, net->parameters numbers each. */
    enum shoal_status (*save_net)(struct net_training *net, double *arrays, struct shoal_error *error);
    enum shoal_status (*load_net)(struct net_training *net, const struct trainer_state *state,
                                  const double *arrays, struct shoal_error *error);
};

static inline const struct mlp_method *mlp_method_of(const struct shoal_solver *solver)
{
    return (const struct mlp_method *)solver->method.method;
}

enum { MLP_STATE_ARRAYS = TRAINER_ARRAYS };

extern const struct mlp_method mlp_device_method, mlp_host_method;

/* The functions of each method for all nets of a solver (method.c; save and load: checkpoint.c). Nets take
 * turns in mlp_advance_nets, an epoch at a time. */
SHOAL_MUST_CHECK enum shoal_status mlp_create_nets(struct shoal_solver *solver, struct shoal_error *error);
void mlp_destroy_nets(struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status mlp_begin_nets(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_advance_nets(struct shoal_solver *solver, uint64_t steps,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_save_nets(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
mlp_load_nets(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);
#define MLP_METHOD_BASE(name_)                                                                               \
    {                                                                                                        \
        .name = name_, .create = mlp_create_nets, .destroy = mlp_destroy_nets, .begin = mlp_begin_nets,      \
        .advance = mlp_advance_nets, .save = mlp_save_nets, .load = mlp_load_nets                            \
    }

/* Whether the solver is a share of a divided run that computes shards of each batch. Such a share has all
 * nets of the run; other shares have some of the nets. */
static inline bool mlp_is_shard(const struct shoal_solver *solver)
{
    return solver->share.of && solver->share.rules->scheme == SPLIT_SHARDS;
}

/* State of a solver. A share of a divided run uses problem and members of the solver of the whole run, and
 * owns the nets of its members. If shares divide batches, all shares but the first have copies of the
 * members. */
struct mlp_run {
    struct mlp_problem problem;
    struct mlp_member *members; /* nets of fold 0, then of fold 1 ... */
    size_t count;
    bool begun, ended;
    uint64_t steps;                 /* number of whole epochs done */
    struct shoal_mlp_sample sample; /* sample of the last epoch */
    double sampled_at;              /* seconds of the run at the preceding sample */
    uint64_t sampled_work, sampled_step;
    size_t chunk_rows; /* rows of a chunk on the device; 0: the device has all rows */
    /* outcome of the last call of shoal_mlp_predict_part or of the result */
    struct shoal_mlp_outcome outcome;
    double *predicted, *truth; /* numbers to which the outcome points */
    double *weights;           /* weights of the rows of the outcome, without class weights */
    char fault[192];           /* fault of the first net whose training failed; "": none */
    uint64_t fault_step;       /* number of epochs done before the fault */
    char title[160], warning[200], note[320];
    /* if the run must end: most seconds for computing the figures of one part of the rows */
    double most_figures_s;
};

static inline struct mlp_run *mlp_run_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static inline const struct shoal_mlp_params *mlp_params(const struct shoal_solver *solver)
{
    return solver->params;
}

/* Number of nets of a solver: the nets of all folds or, in a share that has some of the nets, the nets of the
 * share. */
static inline size_t mlp_nets_of(const struct shoal_solver *solver)
{
    return solver->share.of && !mlp_is_shard(solver)
               ? (size_t)solver->share.count
               : mlp_run_of(solver)->problem.fold_count * (size_t)mlp_params(solver)->nets;
}

/* Whether the best parameters are the result; otherwise the last parameters are the result. */
static inline bool mlp_takes_best(const struct mlp_member *member)
{
    const bool is_judged = member->fold->count[SHOAL_MLP_VALIDATION] > 0 || member->training.patience > 0;
    return member->has_best && (is_judged || member->failed);
}

/* Figures of the epoch whose parameters are the result. */
static inline const struct trainer_epoch *mlp_epoch_of(const struct mlp_member *member)
{
    return mlp_takes_best(member) ? &member->best : &member->epoch;
}

/* The loss by which an epoch is judged: the loss of the validation rows, or without such rows the loss of the
 * training rows. */
static inline double mlp_judged_loss(const struct trainer_epoch *epoch)
{
    return isnan(epoch->validation_loss) ? epoch->loss : epoch->validation_loss;
}

/* Whether a net counts in the means of a set. Nets that failed do not count, unless all nets failed. */
bool mlp_counts(const struct mlp_run *run, const struct mlp_member *member);

/* mlp_no_epoch: figures of a net before its first epoch. mlp_no_sample: sample of a run before its first
 * sample. */
extern const struct trainer_epoch mlp_no_epoch;
extern const struct shoal_mlp_sample mlp_no_sample;
/* Whether training has ended after the last epoch, by patience, a target or the number of updates. */
bool mlp_has_ended(const struct shoal_mlp_params *params, const struct mlp_member *member);
bool mlp_have_all_ended(const struct mlp_run *run);
void mlp_take_means(struct shoal_solver *solver); /* writes the means over the nets to the sample */
/* Creates net `index` by the method. The net uses the rows of net index - 1, if both nets have the same
 * fold. */
SHOAL_MUST_CHECK enum shoal_status mlp_create_net(struct shoal_solver *solver, size_t index,
                                                  struct shoal_error *error);

/* Resets the run to the state before its first step; methods keep their state. */
void mlp_reset(struct mlp_run *run);

/* mlp_save writes and mlp_load reads a checkpoint: solver_ops.save and load. SHOAL_IO: a run with a fault has
 * no checkpoint. */
SHOAL_MUST_CHECK enum shoal_status mlp_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                            struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                            struct shoal_error *error);

/* A run whose nets or batches are divided among several solvers (shares.c). mlp_splits lists the kinds of
 * division. mlp_take_share takes the data and members of a share from the solver of the whole run;
 * mlp_drop_share frees the memory that mlp_take_share has allocated. mlp_advance_shares makes up to `steps`
 * epochs on all shares. */
extern const struct workload_split *const mlp_splits[]; /* ended by NULL */
SHOAL_MUST_CHECK enum shoal_status mlp_take_share(struct shoal_solver *solver, struct shoal_error *error);
void mlp_drop_share(struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status mlp_advance_shares(struct shoal_solver *solver, uint64_t steps,
                                                      struct shoal_error *error);
/* If each share updates a part of the parameters of each net, gives the shares the parts of the optimiser's
 * state that they lack, so that the first share has the whole state. */
SHOAL_MUST_CHECK enum shoal_status mlp_gather_shares(struct shoal_solver *solver, struct shoal_error *error);

/* Returns the index of the net with the least loss; with several folds, of the net with the least mean loss
 * over the folds. The last epoch must have been judged. */
uint64_t mlp_best_of(const struct shoal_solver *solver);
uint64_t mlp_work(const struct mlp_run *run); /* number of rows used by all updates so far */
/* Checks the solver of a public call. SHOAL_INVALID: the solver is of another workload, or has no such net.
 * call: name of the public call, for the message. */
SHOAL_MUST_CHECK enum shoal_status mlp_check_call(const char *call, const struct shoal_solver *solver,
                                                  uint64_t net, struct shoal_error *error);
/* Waits for the last epoch, and reads its losses if they were not read before. */
SHOAL_MUST_CHECK enum shoal_status mlp_judge(struct shoal_solver *solver, struct shoal_error *error);
/* Reads the parameters of the result into member->learned. */
SHOAL_MUST_CHECK enum shoal_status mlp_learn(struct shoal_solver *solver, struct mlp_member *member,
                                             struct shoal_error *error);

enum { MLP_OPTIONS = 75 + MLP_THESIS_OPTIONS };
extern const struct shoal_option mlp_options[MLP_OPTIONS];
extern const struct shoal_sampling mlp_sampling; /* samples of struct shoal_mlp_sample */
extern const struct workload mlp_workload;
extern const struct shoal_solver_ops mlp_device_ops, mlp_host_ops;
/* Activations of hidden layers, for messages and help. */
#define MLP_HIDDEN_ACTIVATIONS                                                                               \
    "logistic, tanh, relu, leaky-relu, gelu, gelu-tanh, silu, linear, threshold, piecewise-linear"
extern const char *const mlp_activation_names[];

/* Makes the result of a run: solver_ops.result. */
SHOAL_MUST_CHECK enum shoal_status mlp_result(struct shoal_solver *solver, struct shoal_result *result,
                                              struct shoal_error *error);

#endif
