/* The workload "mlp": its descriptor for `shoal mlp`. */
#include "base/error.h"
#include "mlp/mlp.h"

#include <math.h>

static const uint64_t most_epochs = 4294967040;

void shoal_mlp_params_init(struct shoal_mlp_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_mlp_params){.size = sizeof *params,
                                        .wrong = NAN,
                                        .validation = NAN,
                                        .test = NAN,
                                        .split_seed = 1,
                                        .slope = NAN,
                                        .huber = 1,
                                        .range = 0.5,
                                        .output_bias = NAN,
                                        .optimiser = SHOAL_MLP_ADAMW,
                                        .rate = NAN,
                                        .momentum = NAN,
                                        .beta2 = 0.999,
                                        .epsilon = 1e-8,
                                        .decay = NAN,
                                        .step_up = 1.2,
                                        .step_down = 0.5,
                                        .step_least = 1e-6,
                                        .step_greatest = 50,
                                        .elimination_scale = 1,
                                        .schedule = SHOAL_MLP_COSINE,
                                        .rate_factor = 0.5,
                                        .rate_period = 10,
                                        .nets = 1,
                                        .seed = 1,
                                        .target_loss = NAN,
                                        .target_accuracy = NAN,
                                        .time = NAN,
                                        .trace = 1,
                                        .shards = 1};
}

extern const struct shoal_program_desc mlp_head_program_desc, mlp_layer_program_desc, mlp_shards_program_desc,
    mlp_train_program_desc, mlp_train_serial_program_desc;

static void params_init(void *params)
{
    shoal_mlp_params_init(params);
    workload_params_extend(&mlp_workload, params);
}

static enum shoal_status check_input(struct shoal *shoal, const void *params, struct shoal_error *error)
{
    (void)shoal;
    struct mlp_problem problem;
    const enum shoal_status status = mlp_problem_create(params, &problem, error);
    mlp_problem_destroy(&problem);
    return status;
}

static uint64_t total_steps(const void *params)
{
    const struct shoal_mlp_params *mlp = params;
    if (mlp->epochs)
        return mlp->epochs;
    return mlp->updates ? most_epochs : MLP_DEFAULT_EPOCHS;
}

static void make_endless(void *params, uint64_t warm_up_steps)
{
    (void)warm_up_steps;
    struct shoal_mlp_params *mlp = params;
    mlp->epochs = most_epochs;
    mlp->updates = mlp->patience = mlp->trace = 0;
    mlp->time = mlp->target_loss = mlp->target_accuracy = NAN;
}

/* Kernel files, one on each line. */
static const struct shoal_program_desc *const programs[] = {
    &mlp_head_program_desc,  &mlp_layer_program_desc,        &mlp_shards_program_desc,
    &mlp_train_program_desc, &mlp_train_serial_program_desc, MLP_THESIS_PROGRAMS NULL,
};

static const struct shoal_example examples[] = {
    {"shoal mlp --data iris.csv --target species --hidden 64 --model iris.safetensors",
     "from a table to a net that is tested on rows it has not seen"},
    {"shoal mlp --load iris.safetensors --predict new.csv --out predictions.csv", "what it says of new rows"},
    {"shoal mlp --data train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz --test-data "
     "t10k-images-idx3-ubyte.gz --test-labels t10k-labels-idx1-ubyte.gz --hidden 128 --epochs 10",
     "small images"},
    {"shoal mlp --data houses.csv --target price --folds 5", "numbers, by cross-validation"},
    {"shoal mlp --device all", "the same net on every device"},
    {"shoal tune mlp --device gpu", "the fastest products of matrices for a range of nets, on every GPU"},
};

static const struct shoal_case cases[] = {
    {"small", "generate=teacher:20000 epochs=5", SHOAL_CASE_COMPARE},
    {"medium", "generate=teacher:60000 epochs=20", SHOAL_CASE_COMPARE},
    {"large", "generate=teacher:60000 hidden=1024,1024 batch=8192 epochs=100", SHOAL_CASE_COMPARE},
    {"defaults", "generate=teacher:1000 batch=100 epochs=2", SHOAL_CASE_VERIFY | SHOAL_CASE_VERIFY_ALONE},
    {"squared errors", "generate=teacher:1000 hidden=32,16 activation=silu loss=squared batch=100 epochs=2",
     SHOAL_CASE_VERIFY_ALONE},
    {"two classes", "generate=spirals:1000 hidden=16,16 activation=gelu dropout=0.2 batch=100 epochs=2",
     SHOAL_CASE_VERIFY_ALONE},
    {"shards", "generate=teacher:1000 hidden=32,16 dropout=0.2 batch=100 shards=3 epochs=2",
     SHOAL_CASE_VERIFY_ALONE},
    {"full-batch", "generate=teacher:1000 full-batch=yes epochs=2", SHOAL_CASE_VERIFY},
};

const struct workload mlp_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "mlp",
             .summary = "train a neural net on a table or small images",
             .params_size = sizeof(struct shoal_mlp_params) + MLP_THESIS_SIZE,
             .params_init = params_init,
             .options = mlp_options,
             .option_count = MLP_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &mlp_sampling,
             .progress_name = "loss",
             .absent = MLP_THESIS_ABSENT},
    .check = mlp_check_params,
    .check_input = check_input,
    .total_steps = total_steps,
    .time_offset = offsetof(struct shoal_mlp_params, time),
    .make_endless = make_endless,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .steps_section = "step",
    .steps_options = "--epochs or --updates",
    .device = &mlp_device_ops,
    .host = &mlp_host_ops,
    .splits = mlp_splits,
    .thesis_member = offsetof(struct shoal_mlp_params, thesis),
    .thesis = MLP_THESIS_PARAMS,
};
