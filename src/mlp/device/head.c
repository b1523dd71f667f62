#include "mlp/device/head.h"
#include "compute/launch.h"

#include "base/integer.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"

/* Limits of mlp_head. MOST_OUTPUTS: outputs of the net. MOST_WEIGHTS: weights of the last layer, for each of
 * which a work-group stores a sum. */
enum { MOST_OUTPUTS = 32, MOST_WEIGHTS = 32768 };
/* Number of sums of each work-item that are in local memory at a time. */
enum { PLACES = 8 };
/* MOST_GROUPS: most work-groups for a batch. LEAST_ROWS: least rows of a work-group. MOST_ROWS: most rows
 * that a work-group takes at a time. */
enum { MOST_GROUPS = 128, LEAST_ROWS = 4, MOST_ROWS = 64 };

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_head, mlp_head, .local_bytes = 4 * MOST_ROWS, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "a narrow last layer: outputs, losses, gradient, and the deltas of the layer before"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_head, ALIGNED, 0, 1, "1: weights begin at multiples of 4"),
    DEFINE(mlp_head, EACH, 1, 4, "rows of a work-item at a time"),
    DEFINE(mlp_head, HIDDEN, 0, 10, "enum mlp_activation of the layer before"),
    DEFINE(mlp_head, INPUTS, 1, 65536, "numbers that the layer reads"),
    DEFINE(mlp_head, LOSS, 0, 5, "enum mlp_loss"),
    DEFINE(mlp_head, NUMBERS, 0, 1, "1: targets are numbers"),
    DEFINE(mlp_head, OUTPUTS, 1, MOST_OUTPUTS, "outputs of the net"),
    DEFINE(mlp_head, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_head, ROOM, 8, 65536, "words of local memory"),
    DEFINE(mlp_head, ROWS, 1, MOST_ROWS, "rows at a time"),
    DEFINE(mlp_head, SCALED, 0, 1, "1: inputs are scaled in memory"),
    DEFINE(mlp_head, SLOPES, 0, 1, "1: derivatives of the layer before are stored"),
    DEFINE(mlp_head, STORAGE, 0, 3, "inputs in memory: bits, bytes, floats, doubles"),
    DEFINE(mlp_head, WG, 1, 1024, "work-group size"),
};

extern const struct shoal_program_desc mlp_head_program_desc;
const struct shoal_program_desc mlp_head_program_desc = PROGRAM("mlp.head", mlp_head, 0, defines, entries);

static const struct net_layer *last_of(const struct net *net)
{
    return &net->layers[net->layer_count - 1];
}

bool head_suits(const struct net *net)
{
    return net->outputs <= MOST_OUTPUTS && (size_t)net->outputs * last_of(net)->inputs <= MOST_WEIGHTS;
}

size_t head_block(size_t batch)
{
    return div_up(div_up(batch, MOST_GROUPS), LEAST_ROWS) * LEAST_ROWS;
}

size_t head_length(const struct net *net)
{
    const struct net_layer *const last = last_of(net);
    return net->parameters - (net->layer_count > 1 ? last[-1].biases : last->weights);
}

enum shoal_status head_build(struct mlp_device *device, struct shoal_kernel **kernel,
                             struct shoal_error *error)
{
    const struct shoal_program_desc *const desc = &mlp_head_program_desc;
    const struct shoal_device_info *const info = shoal_device_get_info(device->device);
    const struct net *const net = device->base.net;
    const struct net_layer *const last = last_of(net);
    const int64_t rows = device->block < MOST_ROWS ? (int64_t)device->block : MOST_ROWS;
    int64_t group = choose_define(device->device, desc, "WG",
                                  rows < 32                 ? 128
                                  : device->setup.is_double ? 256
                                                            : 512)
                        .value;
    while (group > (int64_t)info->max_work_group && group > 1)
        group /= 2;
    const int64_t lanes = group < 32 ? group : 32, sets = group / lanes;
    /* A work-item keeps in registers the sums of all outputs for each of the rows that it takes at a time. */
    const int64_t most = info->is_cpu ? 1 : net->outputs <= 10 ? 4 : net->outputs <= 20 ? 2 : 1;
    int64_t each = 1;
    while (each < most && each * sets < rows)
        each *= 2;
    /* The same local memory first has the sums of work-items and later the sums of rows. */
    const int64_t of_lanes = sets * PLACES * (lanes + 1), of_rows = MLP_SUM_SIZE + net->outputs;
    const int64_t numbers =
        rows * (div_up(net->outputs, 4) * 4 + MLP_SUM_SIZE) + (of_lanes > of_rows ? of_lanes : of_rows);
    const struct defines set = {
        .list = {{"ALIGNED", last->inputs % 4 == 0 && last->weights % 4 == 0},
                 {"EACH", each},
                 {"HIDDEN", net->layer_count > 1 ? last[-1].activation : 0},
                 {"INPUTS", last->inputs},
                 {"LOSS", net->loss},
                 {"NUMBERS", !device->setup.prepared->classes},
                 {"OUTPUTS", net->outputs},
                 {"REAL", device->setup.is_double ? 64 : 32},
                 {"ROOM", numbers * (device->setup.is_double ? 2 : 1)},
                 {"ROWS", rows},
                 {"SCALED", device->setup.prepared->is_scaled},
                 {"SLOPES",
                  net->layer_count > 1 && device_stores_slopes(&device->layers[net->layer_count - 2])},
                 {"STORAGE", device->setup.prepared->storage},
                 {"WG", group}},
        .count = 14};
    const struct entry_kernel kernels[] = {{"mlp_head", kernel}};
    return programs_build(device->setup.programs, desc, &set, kernels, COUNT(kernels), NULL, error);
}

enum shoal_status head_run(struct mlp_device *device, struct shoal_kernel *kernel,
                           struct shoal_buffer *parameters, const struct head_buffers *with,
                           const struct mlp_step *step, struct shoal_event **read, struct shoal_error *error)
{
    return LAUNCH_EVENT(mlp_head, device->setup.queue, kernel, div_up(step->count, device->block), read,
                        error, .classes = device->classes, .targets = device->targets,
                        .weights = device->weights, .layers = device->layer_table, .fixed = device->fixed,
                        .parameters = parameters, .planes = with->planes, .order = with->order,
                        .values = device->values, .deltas = device->deltas, .sums = device->sums,
                        .gradients = with->gradients, .outputs = device->outputs, .step = step);
}
