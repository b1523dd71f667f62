/* The form for GPUs: products by cl/mlp/device/layer.cl, the rest by cl/mlp/device/train.cl. */
#include "mlp/device/form.h"
#include "mlp/device/products.h"

#include "base/error.h"
#include "cl/mlp/methods/gemm_layout.clh"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_train, mlp_gather, .roof = SHOAL_ROOF_COPY_BYTES, .help = "rows of a batch, scaled"),
    ENTRY(mlp_train, mlp_lose, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_SFU_OPS,
          .help = "loss, hits and derivatives of the last layer, a row for each work-item"),
    ENTRY(mlp_train, mlp_bias_parts, .roof = SHOAL_ROOF_COPY_BYTES, .help = "gradients of biases, in parts"),
    ENTRY(mlp_train, mlp_total, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_LAUNCH,
          .help = "sums of a batch's losses"),
    ENTRY(mlp_train, mlp_collect, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the whole gradient and its norm"),
    ENTRY(mlp_train, mlp_move, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the optimiser's update of all parameters"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_train, GATHERED, 1, 64, "rows that a work-group gathers"),
    DEFINE(mlp_train, LOSS, 0, 5, "enum mlp_loss"),
    DEFINE(mlp_train, OPTIMISER, 0, 7, "enum mlp_optimiser"),
    DEFINE(mlp_train, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_train, SCALED, 0, 1, "1: inputs are scaled in memory"),
    DEFINE(mlp_train, STORAGE, 0, 3, "inputs in memory: bits, bytes, floats, doubles"),
    DEFINE(mlp_train, WG, 1, 1024, "work-group size"),
};

extern const struct shoal_program_desc mlp_train_program_desc;
const struct shoal_program_desc mlp_train_program_desc = PROGRAM("mlp.train", mlp_train, 0, defines, entries);

enum { BIAS_PARTS = 32, BIAS_ROWS = 32 };

struct parts {
    struct shoal_kernel *gather, *lose, *bias_parts, *total, *collect, *move;
    struct products *products;
    struct shoal_buffer *sums_over_rows, *bias_sums; /* parts of the gradient */
    size_t work_group, gathered;
    unsigned bias_parts_most;
    size_t gathered_first, gathered_count; /* rows in order that the values hold; count 0: others */
};

static size_t round_up(size_t count, size_t unit)
{
    return (count + unit - 1) / unit * unit;
}

static enum shoal_status build(struct mlp_device *device, struct parts *parts, struct shoal_error *error)
{
    const struct shoal_program_desc *const desc = &mlp_train_program_desc;
    const struct shoal_define groups = choose_define(device->device, desc, "WG", 128);
    struct defines set = {.list = {{"LOSS", device->net->loss},
                                   {"OPTIMISER", device->training->optimiser},
                                   {"REAL", device->setup.is_double ? 64 : 32},
                                   {"SCALED", device->setup.prepared->is_scaled},
                                   {"STORAGE", device->setup.prepared->storage},
                                   choose_define(device->device, desc, "GATHERED", 4),
                                   groups},
                          .count = 7};
    const struct entry_kernel kernels[] = {
        {"mlp_gather", &parts->gather},         {"mlp_lose", &parts->lose},
        {"mlp_bias_parts", &parts->bias_parts}, {"mlp_total", &parts->total},
        {"mlp_collect", &parts->collect},       {"mlp_move", &parts->move},
    };
    struct shoal_program *program;
    const enum shoal_status status =
        programs_build(device->setup.programs, desc, &set, kernels, COUNT(kernels), &program, error);
    if (status)
        return status;
    parts->work_group = (size_t)shoal_program_define(program, "WG");
    parts->gathered = (size_t)shoal_program_define(program, "GATHERED");
    device->block = parts->work_group;
    return SHOAL_OK;
}

/* Parameters lie as in net.h; values and deltas in rows of whole quads. */
static enum shoal_status lay_out(struct mlp_device *device, struct parts *parts, struct shoal_error *error)
{
    const struct net *const net = device->net;
    const size_t rows = device->capacity;
    size_t values = rows * round_up(net->inputs, 4), deltas = 0;
    uint32_t in = 0, in_pitch = (uint32_t)round_up(net->inputs, 4);
    const size_t bias_parts = div_up(device->batch, BIAS_ROWS);
    parts->bias_parts_most = bias_parts < BIAS_PARTS ? (unsigned)bias_parts : BIAS_PARTS;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *const layer = &net->layers[l];
        const size_t pitch = round_up(layer->outputs, 4);
        device->layers[l] = (struct mlp_layer){.inputs = layer->inputs,
                                               .outputs = layer->outputs,
                                               .activation = layer->activation,
                                               .first_unit = layer->first_unit,
                                               .dropout_limit = (uint32_t)(layer->dropout * 4294967296.0),
                                               .weights = (uint32_t)layer->weights,
                                               .biases = (uint32_t)layer->biases,
                                               .weight_pitch = layer->inputs,
                                               .back_pitch = parts->bias_parts_most,
                                               .in = in,
                                               .in_pitch = in_pitch,
                                               .out = (uint32_t)values,
                                               .out_pitch = (uint32_t)pitch,
                                               .delta = (uint32_t)deltas,
                                               .delta_pitch = (uint32_t)pitch};
        in = (uint32_t)values;
        in_pitch = (uint32_t)pitch;
        values += rows * pitch;
        deltas += rows * pitch;
    }
    device->by_input = false;
    device->parameter_count = net->parameters;
    device->value_count = values;
    device->delta_count = deltas;
    device->items = div_up(net->parameters, parts->work_group);
    if (values > UINT32_MAX || net->parameters > UINT32_MAX)
        return fail(
            error, SHOAL_INVALID,
            "a batch of the net takes %zu bytes on the device, more than 2^32 numbers; lower the batch "
            "or the widths",
            (values + deltas) * device->bytes);
    return SHOAL_OK;
}

static void destroy(struct mlp_device *device)
{
    struct parts *const parts = device->parts;
    if (!parts)
        return;
    products_destroy(&parts->products);
    shoal_buffer_destroy(&parts->sums_over_rows);
    shoal_buffer_destroy(&parts->bias_sums);
    free(parts);
    device->parts = NULL;
}

static enum shoal_status create(struct mlp_device *device, struct shoal_error *error)
{
    struct parts *const parts = device->parts = calloc(1, sizeof *parts);
    if (!parts)
        return fail_host_memory(error);
    enum shoal_status status = build(device, parts, error);
    if (!status)
        status = lay_out(device, parts, error);
    if (!status)
        status = products_create(device, &parts->products, error);
    if (status)
        return status;
    uint32_t planes = 1;
    for (uint32_t l = 0; l < device->net->layer_count; l++) {
        device->layers[l].back = products_parts(parts->products, l);
        planes = device->layers[l].back > planes ? device->layers[l].back : planes;
    }
    status = device_zeros(device, planes * round_up(device->net->parameters, 4), device->bytes,
                          &parts->sums_over_rows, error);
    if (!status)
        status = device_zeros(device, (size_t)device->net->units * parts->bias_parts_most, device->bytes,
                              &parts->bias_sums, error);
    return status;
}

/* The batch's inputs, unless they are there. */
static enum shoal_status gather(struct mlp_device *device, const struct mlp_step *step,
                                struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const bool in_order = step->flags & MLP_STEP_IN_ORDER;
    if (in_order && parts->gathered_count == step->count && parts->gathered_first == step->first)
        return SHOAL_OK;
    parts->gathered_first = step->first;
    parts->gathered_count = in_order ? step->count : 0;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->data),        shoal_arg_buffer(device->scale),
        shoal_arg_buffer(device->layer_table), shoal_arg_buffer(device->values),
        shoal_arg_struct(step, sizeof *step),
    };
    return shoal_launch(device->setup.queue, parts->gather, div_up(step->count, parts->gathered), args,
                        COUNT(args), NULL, error);
}

static enum shoal_status pass(struct mlp_device *device, struct shoal_buffer *parameters,
                              const struct mlp_step *step, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const uint32_t layers = device->net->layer_count;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->classes), shoal_arg_buffer(device->targets),
        shoal_arg_buffer(device->weights), shoal_arg_buffer(device->layer_table),
        shoal_arg_buffer(device->fixed),   shoal_arg_buffer(device->values),
        shoal_arg_buffer(device->deltas),  shoal_arg_buffer(device->sums),
        shoal_arg_buffer(device->outputs), shoal_arg_struct(step, sizeof *step),
    };
    enum shoal_status status = gather(device, step, error);
    for (uint32_t l = 0; l < layers && !status; l++)
        status = products_forward(parts->products, l, parameters, step, error);
    if (!status)
        status = shoal_launch(device->setup.queue, parts->lose, div_up(step->count, device->block), args,
                              COUNT(args), NULL, error);
    for (uint32_t l = layers - 1; l > 0 && (step->flags & MLP_STEP_TRAIN) && !status; l--)
        status = products_backward(parts->products, l, step, error);
    return status;
}

/* With a stored gradient, before the update: losses, the whole gradient and its norm. */
static enum shoal_status collect(struct mlp_device *device, const struct mlp_step *step,
                                 struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->layer_table), shoal_arg_buffer(device->fixed),
        shoal_arg_buffer(device->records),     shoal_arg_buffer(parts->sums_over_rows),
        shoal_arg_buffer(parts->bias_sums),    shoal_arg_buffer(device->parameters),
        shoal_arg_buffer(device->gradient),    shoal_arg_buffer(device->norms),
        shoal_arg_struct(step, sizeof *step),
    };
    return shoal_launch(device->setup.queue, parts->collect, device->items, args, COUNT(args), NULL, error);
}

static enum shoal_status move(struct mlp_device *device, const struct mlp_step *step,
                              struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->layer_table), shoal_arg_buffer(device->fixed),
        shoal_arg_buffer(device->settings),    shoal_arg_buffer(device->sums),
        shoal_arg_buffer(device->records),     shoal_arg_buffer(parts->sums_over_rows),
        shoal_arg_buffer(parts->bias_sums),    shoal_arg_buffer(device->gradient),
        shoal_arg_buffer(device->norms),       shoal_arg_buffer(device->losses),
        shoal_arg_buffer(device->parameters),  shoal_arg_buffer(device->s0),
        shoal_arg_buffer(device->s1),          shoal_arg_buffer(device->s2),
        shoal_arg_struct(step, sizeof *step),
    };
    /* The last work-group adds the losses. */
    return shoal_launch(device->setup.queue, parts->move, device->items + 1, args, COUNT(args), NULL, error);
}

static enum shoal_status update(struct mlp_device *device, const struct mlp_step *given,
                                struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    struct mlp_step step = *given;
    step.items = (unsigned)div_up(step.count, device->block); /* sums of losses */
    const struct shoal_arg scalars = shoal_arg_struct(&step, sizeof step);
    const struct shoal_arg biases[] = {
        shoal_arg_buffer(device->layer_table),
        shoal_arg_buffer(device->deltas),
        shoal_arg_buffer(parts->bias_sums),
        scalars,
    };
    const struct shoal_arg losses[] = {
        shoal_arg_buffer(device->sums),
        shoal_arg_buffer(device->records),
        scalars,
    };
    const bool is_stored = step.flags & MLP_STEP_GRADIENT;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t l = 0; l < device->net->layer_count && !status; l++)
        status = products_gradient(parts->products, l, parts->sums_over_rows, &step, error);
    if (!status)
        status = shoal_launch(
            device->setup.queue, parts->bias_parts,
            shoal_kernel_groups(parts->bias_parts, (size_t)device->net->units * parts->bias_parts_most),
            biases, COUNT(biases), NULL, error);
    if (!status && (is_stored || (step.flags & MLP_STEP_WEIGHTS)))
        status = shoal_launch(device->setup.queue, parts->total, 1, losses, COUNT(losses), NULL, error);
    if (!status && is_stored)
        status = collect(device, &step, error);
    if (!status && !(step.flags & MLP_STEP_PROBE))
        status = move(device, &step, error);
    return status;
}

static enum shoal_status refresh(struct mlp_device *device, struct shoal_error *error)
{
    (void)device;
    (void)error;
    return SHOAL_OK; /* nothing follows from the parameters */
}

const struct device_form device_tiled_form = {create, destroy, pass, update, refresh};
