/* Contracts of cl/mlp/thesis, the setups that the methods of the thesis support, and the distribution of work
 * over a device. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "mlp/thesis/thesis.h"

enum { MOST_ROWS = 16, MOST_ROOM = 1 << 15, ALIGNED = 16, WARP = 32 };

#define NET_DEFINES(file)                                                                                    \
    DEFINE(file, HIDDEN, 0, MLP_ACTIVATIONS - 1, "activation of the hidden layer"),                          \
        DEFINE(file, LAST, 0, MLP_ACTIVATIONS - 1, "activation of the outputs"),                             \
        DEFINE(file, LOSS, 0, MLP_LOSSES - 1, "loss"),                                                       \
        DEFINE(file, NUMBERS, 0, 1, "1: targets are numbers"),                                               \
        DEFINE(file, REAL, 32, 64, "bits of a real number, 32 or 64")

static const struct shoal_entry_desc v1_entries[] = {
    ENTRY(mlp_v1, thesis_v1, .help = "method v1 of the thesis: a work-item takes whole rows"),
    ENTRY(mlp_v1, thesis_clear, .help = "method v1 of the thesis: clears the sums of each work-item"),
};
static const struct shoal_define_desc v1_defines[] = {
    NET_DEFINES(mlp_v1),
    DEFINE(mlp_v1, WG, 1, 1024, "work-group size"),
};
const struct shoal_program_desc mlp_v1_program = PROGRAM("mlp.v1", mlp_v1, 0, v1_defines, v1_entries);

static const struct shoal_entry_desc v2_entries[] = {
    ENTRY(mlp_v2, thesis_v2, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .help = "method v2 of the thesis: a work-group takes some rows, a work-item a neuron"),
};
static const struct shoal_define_desc v2_defines[] = {
    NET_DEFINES(mlp_v2),
    DEFINE(mlp_v2, Q, 1, MOST_ROWS, "rows of a work-group at a time"),
    DEFINE(mlp_v2, ROOM, 2, MOST_ROOM, "words of local memory"),
    DEFINE(mlp_v2, SHARED, 0, 1, "1: values of neurons are in local memory"),
    DEFINE(mlp_v2, WG, 1, 1024, "work-group size"),
};
const struct shoal_program_desc mlp_v2_program = PROGRAM("mlp.v2", mlp_v2, 0, v2_defines, v2_entries);

static const struct shoal_entry_desc update_entries[] = {
    ENTRY(mlp_update, thesis_sum_each, .local_bytes_per_item = 8,
          .help = "adds sums of work-items, a work-group for each parameter"),
    ENTRY(mlp_update, thesis_sum_all, .help = "adds sums of work-groups, a work-item for each parameter"),
    ENTRY(mlp_update, thesis_update, .help = "the update of the parameters"),
};
static const struct shoal_define_desc update_defines[] = {
    DEFINE(mlp_update, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_update, WG, 1, 1024, "work-group size"),
};
const struct shoal_program_desc mlp_thesis_update_program =
    PROGRAM("mlp.thesis-update", mlp_update, 0, update_defines, update_entries);

/* Unsupported setups ------------------------------------------------------------------------------------ */

enum shoal_status mlp_thesis_check(const struct mlp_thesis_setup *setup, struct shoal_error *error)
{
    const struct net *net = setup->net;
    const struct training *training = setup->training;
    const char *name = setup->is_v2 ? "v2" : "v1";
    if (net->layer_count != 2)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s: it has one hidden layer, the net has %u: give one width to --hidden, or take "
                    "another --method",
                    name, (unsigned)net->layer_count - 1);
    if (training->batch && training->batch < setup->training_rows)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s: an update takes all rows: add --full-batch, or take another --method", name);
    if (net->layers[0].dropout > 0 || net->layers[1].dropout > 0)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s: it has no dropout: leave --dropout out, or take another --method", name);
    if (net->layers[1].activation == MLP_SOFTMAX && net->loss != MLP_LOSS_CROSS_ENTROPY)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s: it has softmax with the loss cross-entropy alone: give --output logistic, or "
                    "take another --method",
                    name);
    if (!setup->training_rows || setup->rows->rows > INT32_MAX)
        return fail(error, SHOAL_INVALID, "method %s: %zu rows, it takes 1 to 2^31 - 1", name,
                    setup->rows->rows);
    if ((training->clip > 0 || training->optimiser == MLP_IRPROP_PLUS) &&
        setup->params->update == SHOAL_MLP_ON_DEVICE)
        return fail(error, SHOAL_UNSUPPORTED,
                    "method %s: --clip and irprop-plus need the whole gradient: give --update-on host", name);
    return SHOAL_OK;
}

/* Distribution over the device
 * --------------------------------------------------------------------------------------- */

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static bool keeps_sums(const struct net *net)
{
    const int32_t kind = net->layers[0].activation;
    return kind == MLP_GELU || kind == MLP_GELU_TANH || kind == MLP_SILU;
}

/* Chooses where gradients are summed, and where parameters are updated. In the thesis v1 sums on the device,
 * v2 on the host, and the host updates. */
static void place(const struct mlp_thesis_setup *setup, struct mlp_thesis_plan *plan)
{
    const struct shoal_mlp_thesis *params = setup->params;
    plan->sums_on_device = params->sum ? params->sum == SHOAL_MLP_ON_DEVICE : !setup->is_v2;
    plan->updates_on_device = params->update == SHOAL_MLP_ON_DEVICE;
}

static void plan_v1(const struct mlp_thesis_setup *setup, struct mlp_thesis_plan *plan)
{
    enum { CPU = 16, GPU = 256 };
    const struct shoal_device_info *info = shoal_device_get_info(shoal_queue_device(setup->queue));
    const uint32_t by_device = is_cpu_alone(info) ? CPU : GPU;
    const struct net *net = setup->net;
    plan->threads = least(setup->params->threads ? setup->params->threads : by_device, info->max_work_group);
    plan->blocks = setup->params->blocks ? (uint32_t)setup->params->blocks : 2 * units_for_sums(info);
    plan->interleave = 1;
    plan->items = net->inputs + 1 + net->layers[0].outputs * (1 + keeps_sums(net)) + 1 + 2 * net->outputs;
}

/* A block of v2 has a thread for each neuron of the widest layer, one more for the constant 1 of a layer, and
 * whole warps. */
static void plan_v2(const struct mlp_thesis_setup *setup, struct mlp_thesis_plan *plan)
{
    const struct shoal_device_info *info = shoal_device_get_info(shoal_queue_device(setup->queue));
    const struct net *net = setup->net;
    const uint32_t hidden = net->layers[0].outputs;
    uint32_t widest = net->inputs > hidden ? net->inputs + 1 : hidden + 1;
    widest = widest > net->outputs ? widest : net->outputs;
    const uint64_t asked =
        setup->params->threads ? setup->params->threads : (widest + WARP - 1) / WARP * WARP;
    plan->threads = least(asked, info->max_work_group < 1024 ? info->max_work_group : 1024);
    plan->interleave = setup->params->interleave ? (uint32_t)setup->params->interleave : 4;
    plan->blocks = setup->params->blocks ? (uint32_t)setup->params->blocks : 2 * units_for_sums(info);
    /* A block should have at least one group of rows, since each block has sums that must be added. */
    const size_t groups = (setup->training_rows + plan->interleave - 1) / plan->interleave;
    plan->blocks = least(plan->blocks, groups);
    const double items =
        (double)plan->interleave *
        ((double)net->inputs + 2 + (double)hidden * (1 + keeps_sums(net)) + 2.0 * net->outputs);
    const double values = items > 2.0 * plan->threads ? items : 2.0 * plan->threads;
    plan->items = values < UINT32_MAX ? (uint32_t)values : UINT32_MAX;
    const uint64_t words = (uint64_t)values * (setup->is_double ? 2 : 1);
    /* Programs are built for few sizes of local memory: the next power of two, or the largest size that fits.
     */
    const uint64_t rounded = power_of_two_at_least(words), most = info->local_mem / 4;
    const uint64_t room = rounded <= most ? rounded : words <= most ? most : 0;
    plan->room = room <= MOST_ROOM ? (uint32_t)room : words <= MOST_ROOM ? MOST_ROOM : 0;
}

void mlp_thesis_plan(const struct mlp_thesis_setup *setup, struct mlp_thesis_plan *plan)
{
    *plan = (struct mlp_thesis_plan){.blocks = 0};
    if (setup->is_v2)
        plan_v2(setup, plan);
    else
        plan_v1(setup, plan);
    place(setup, plan);
}

enum shoal_status mlp_thesis_build(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const struct mlp_thesis_setup *setup = &thesis->setup;
    struct mlp_thesis_plan *plan = &thesis->plan;
    const struct net *net = setup->net;
    const int bits = setup->is_double ? 64 : 32;
    struct defines defines = {.count = 0}, update = {.count = 0};
    const struct entry_kernel v1[] = {{"thesis_v1", &thesis->pass}, {"thesis_clear", &thesis->clear}},
                              v2[] = {{"thesis_v2", &thesis->pass}},
                              sums[] = {{"thesis_sum_each", &thesis->sum_each},
                                        {"thesis_sum_all", &thesis->sum_all},
                                        {"thesis_update", &thesis->update}};
    define_add(&defines, "HIDDEN", net->layers[0].activation);
    define_add(&defines, "LAST", net->layers[1].activation);
    define_add(&defines, "LOSS", net->loss);
    define_add(&defines, "NUMBERS", !setup->rows->classes);
    define_add(&defines, "REAL", bits);
    define_add(&defines, "WG", plan->threads);
    define_add(&update, "REAL", bits);
    if (setup->is_v2) {
        define_add(&defines, "Q", plan->interleave);
        define_add(&defines, "SHARED", plan->room > 0);
        if (plan->room)
            define_add(&defines, "ROOM", plan->room);
    }
    enum shoal_status status =
        setup->is_v2 ? programs_build(setup->programs, &mlp_v2_program, &defines, v2, COUNT(v2), NULL, error)
                     : programs_build(setup->programs, &mlp_v1_program, &defines, v1, COUNT(v1), NULL, error);
    if (!status)
        status = programs_build(setup->programs, &mlp_thesis_update_program, &update, sums, COUNT(sums), NULL,
                                error);
    if (status)
        return status;
    plan->threads = shoal_kernel_work_group(thesis->pass);
    plan->parts = setup->is_v2 ? plan->blocks : plan->blocks * plan->threads;
    return SHOAL_OK;
}
