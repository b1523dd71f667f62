/* The form for GPUs: cl/mlp/device/layer.cl computes matrix products, head.cl a narrow last layer, and
 * train.cl all else. */
#include "compute/launch.h"
#include "mlp/device/form.h"
#include "mlp/device/head.h"
#include "mlp/device/products.h"
#include "mlp/device/shards.h"

#include "base/error.h"
#include "base/integer.h"
#include "cl/lib/gemm/layout.clh"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_train, mlp_gather, .roof = SHOAL_ROOF_COPY_BYTES, .help = "rows of a batch, scaled"),
    ENTRY(mlp_train, mlp_lose, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_SFU_OPS,
          .help = "loss, score and derivatives of the last layer, a work-item for each row"),
    ENTRY(mlp_train, mlp_finish, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "values of a layer whose sums are divided into parts"),
    ENTRY(mlp_train, mlp_total, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_LAUNCH,
          .help = "sums of a batch's losses"),
    ENTRY(mlp_train, mlp_collect, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the whole gradient and its norm"),
    ENTRY(mlp_train, mlp_move, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the optimiser's update of all parameters"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_train, GATHERED, 1, 64, "rows that a work-group gathers"),
    DEFINE(mlp_train, HEAD, 0, 1, "1: mlp_head makes the gradient of the last layer"),
    DEFINE(mlp_train, LOSS, 0, 5, "enum mlp_loss"),
    DEFINE(mlp_train, NUMBERS, 0, 1, "1: targets are numbers"),
    DEFINE(mlp_train, OPTIMISER, 0, 7, "enum mlp_optimiser"),
    DEFINE(mlp_train, OUTPUTS, 0, 256, "outputs of the net, which a row holds; 0: more"),
    DEFINE(mlp_train, QUADS, 0, 1, "1: inputs are a multiple of 4"),
    DEFINE(mlp_train, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_train, SCALED, 0, 1, "1: inputs are scaled in memory"),
    DEFINE(mlp_train, STORAGE, 0, 3, "inputs in memory: bits, bytes, floats, doubles"),
    DEFINE(mlp_train, WG, 1, 1024, "work-group size"),
};

extern const struct shoal_program_desc mlp_train_program_desc;
const struct shoal_program_desc mlp_train_program_desc = PROGRAM("mlp.train", mlp_train, 0, defines, entries);

/* HELD: most outputs that a work-item keeps in registers. FEW_ROWS: in batches of fewer rows a work-group
 * gathers one row, because with several rows most of a GPU would be idle. LARGEST_GROUP: a multiple of every
 * size of a work-group. Parts of an update begin at multiples of this number, so that devices with different
 * work-groups divide an update at the same parameter. */
enum { HELD = 256, FEW_ROWS = 2048, LARGEST_GROUP = 1024 };

struct parts {
    struct shoal_kernel *gather, *lose, *finish, *head, *total, *collect, *move;
    struct products *products;
    /* parts of the gradient: sums_over_rows from `products`, head_sums from mlp_head */
    struct shoal_buffer *sums_over_rows, *head_sums;
    /* numbers of the rows of the batch, for batches that are shuffled */
    struct shoal_buffer *order;
    /* partial sums of the units of a layer, [part][row of the batch], if products_forward splits its sums */
    struct shoal_buffer *planes;
    /* For updates from the sums of shards, whose gradients have no parts. collect_sums, move_sums: kernels
     * that read no part of mlp_head. whole_layers: a table of layers in which each gradient has one part.
     * one: sums of losses with weight 1. */
    struct shoal_kernel *collect_sums, *move_sums;
    struct shoal_buffer *whole_layers, *one;
    bool has_head;
    /* number of layers that `products` computes: all layers, or all but the last one if mlp_head computes the
     * last one */
    uint32_t layers;
    size_t work_group, gathered;
    /* gathered_first, gathered_count: the rows, in the order of the data set, whose inputs were gathered
     * last; count 0: the last rows were shuffled, or there are none */
    size_t gathered_first, gathered_count;
};

/* has_head: mlp_head computes a part of the gradient. */
static struct defines defines_of(const struct mlp_device *device, bool has_head)
{
    const struct shoal_program_desc *const desc = &mlp_train_program_desc;
    const struct net *const net = device->base.net;
    return (struct defines){
        .list = {{"HEAD", has_head},
                 {"OUTPUTS", net->outputs <= HELD ? net->outputs : 0},
                 {"LOSS", net->loss},
                 {"NUMBERS", !device->setup.prepared->classes},
                 {"OPTIMISER", device->base.training->optimiser},
                 {"QUADS", net->inputs % 4 == 0},
                 {"REAL", device->setup.is_double ? 64 : 32},
                 {"SCALED", device->setup.prepared->is_scaled},
                 {"STORAGE", device->setup.prepared->storage},
                 choose_define(device->device, desc, "GATHERED", device->batch_pass < FEW_ROWS ? 1 : 4)},
        .count = 10};
}

static enum shoal_status build(struct mlp_device *device, struct parts *parts, struct shoal_error *error)
{
    const struct shoal_program_desc *const desc = &mlp_train_program_desc;
    const struct net *const net = device->base.net;
    parts->has_head = head_suits(net);
    parts->layers = net->layer_count - (parts->has_head ? 1 : 0);
    const struct defines set = defines_of(device, parts->has_head);
    const struct entry_kernel kernels[] = {
        {"mlp_finish", &parts->finish}, {"mlp_gather", &parts->gather},   {"mlp_lose", &parts->lose},
        {"mlp_total", &parts->total},   {"mlp_collect", &parts->collect}, {"mlp_move", &parts->move},
    };
    struct shoal_program *program;
    const enum shoal_status status =
        programs_build(device->setup.programs, desc, &set, kernels, COUNT(kernels), &program, error);
    if (status)
        return status;
    parts->work_group = (size_t)shoal_program_define(program, "WG");
    parts->gathered = (size_t)shoal_program_define(program, "GATHERED");
    device->block = parts->has_head ? head_block(device->batch_pass) : parts->work_group;
    return SHOAL_OK;
}

/* Gives parameters the order of net.h, and values and deltas rows whose lengths are multiples of 4. */
static enum shoal_status lay_out(struct mlp_device *device, struct parts *parts, struct shoal_error *error)
{
    const struct net *const net = device->base.net;
    const size_t rows = device->capacity;
    size_t values = rows * rounded_up(net->inputs, 4), deltas = 0;
    uint32_t in = 0, in_pitch = (uint32_t)rounded_up(net->inputs, 4);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *const layer = &net->layers[l];
        const size_t pitch = rounded_up(layer->outputs, 4);
        device->layers[l] = (struct mlp_layer){.inputs = layer->inputs,
                                               .outputs = layer->outputs,
                                               .activation = layer->activation,
                                               .first_unit = layer->first_unit,
                                               .dropout_limit = (uint32_t)(layer->dropout * 4294967296.0),
                                               .weights = (uint32_t)layer->weights,
                                               .biases = (uint32_t)layer->biases,
                                               .weight_pitch = layer->inputs,
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
    device->update_unit = LARGEST_GROUP;
    return device_check_counts(device, error);
}

static void destroy(struct mlp_device *device)
{
    struct parts *const parts = device->parts;
    if (!parts)
        return;
    products_destroy(&parts->products);
    shoal_buffer_destroy(&parts->sums_over_rows);
    shoal_buffer_destroy(&parts->head_sums);
    shoal_buffer_destroy(&parts->order);
    shoal_buffer_destroy(&parts->planes);
    shoal_buffer_destroy(&parts->whole_layers);
    shoal_buffer_destroy(&parts->one);
    free(parts);
    device->parts = NULL;
}

/* Creates the kernels and buffers for updates from the sums of shards. */
static enum shoal_status create_for_sums(struct mlp_device *device, struct parts *parts,
                                         struct shoal_error *error)
{
    const uint32_t count = device->base.net->layer_count;
    const struct defines set = defines_of(device, false);
    const struct entry_kernel kernels[] = {{"mlp_collect", &parts->collect_sums},
                                           {"mlp_move", &parts->move_sums}};
    double losses[MLP_SUM_SIZE] = {0};
    losses[MLP_SUM_WEIGHT] = 1;
    struct mlp_layer *const layers = malloc(count * sizeof *layers);
    if (!layers)
        return fail_host_memory(error);
    for (uint32_t l = 0; l < count; l++) {
        layers[l] = device->layers[l];
        layers[l].back = 1;
    }
    enum shoal_status status = programs_build(device->setup.programs, &mlp_train_program_desc, &set, kernels,
                                              COUNT(kernels), NULL, error);
    if (!status)
        status = device_zeros(device, count, sizeof *layers, &parts->whole_layers, error);
    if (!status)
        status = shoal_buffer_write(device->setup.queue, parts->whole_layers, 0, layers,
                                    count * sizeof *layers, error);
    if (!status)
        status = device_zeros(device, MLP_SUM_SIZE, device->bytes, &parts->one, error);
    if (!status)
        status = device_write(device, parts->one, losses, MLP_SUM_SIZE, error);
    free(layers);
    return status;
}

static enum shoal_status create(struct mlp_device *device, struct shoal_error *error)
{
    struct parts *const parts = device->parts = calloc(1, sizeof *parts);
    if (!parts)
        return fail_host_memory(error);
    enum shoal_status status = build(device, parts, error);
    if (!status)
        status = lay_out(device, parts, error);
    if (!status && parts->has_head)
        status = head_build(device, &parts->head, error);
    if (!status)
        status = products_create(device, parts->layers, parts->has_head, &parts->products, error);
    if (status)
        return status;
    uint32_t planes = 1;
    size_t plane = 0;
    for (uint32_t l = 0; l < parts->layers; l++) {
        struct mlp_layer *const layer = &device->layers[l];
        layer->back = products_parts(parts->products, l);
        layer->split = products_split(parts->products, l);
        planes = layer->back > planes ? layer->back : planes;
        const size_t own = layer->split * device->capacity * layer->out_pitch;
        plane = own > plane ? own : plane;
    }
    if (device->base.training->shards > 1)
        status = create_for_sums(device, parts, error);
    const bool trains = !device->setup.predicts;
    if (!status)
        status = device_zeros(device, trains ? planes * rounded_up(device->base.net->parameters, 4) : 0,
                              device->bytes, &parts->sums_over_rows, error);
    const size_t groups = parts->has_head && trains ? div_up(device->capacity, device->block) : 0;
    if (!status)
        status = device_zeros(device, groups * head_length(device->base.net), device->bytes,
                              &parts->head_sums, error);
    if (!status)
        status = device_zeros(device, device->capacity, sizeof(uint32_t), &parts->order, error);
    if (!status)
        status = device_zeros(device, plane, device->bytes, &parts->planes, error);
    return status;
}

/* Gathers the inputs of the batch, unless an earlier step has gathered the same rows. */
static enum shoal_status gather(struct mlp_device *device, const struct mlp_step *step,
                                struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const bool in_order = step->flags & MLP_STEP_IN_ORDER;
    if (in_order && !device->has_new_rows && parts->gathered_count == step->count &&
        parts->gathered_first == step->first)
        return SHOAL_OK;
    /* A launch that fails leaves the inputs of other rows. */
    parts->gathered_count = 0;
    const enum shoal_status status =
        LAUNCH(mlp_gather, device->setup.queue, parts->gather, div_up(step->count, parts->gathered), error,
               .data = device->data, .scale = device->scale, .layers = device->layer_table,
               .values = device->values, .order = parts->order, .step = step);
    if (status)
        return status;
    device->has_new_rows = false;
    parts->gathered_first = step->first;
    parts->gathered_count = in_order ? step->count : 0;
    return SHOAL_OK;
}

/* Computes the values of layer l. If its sums are in parts, mlp_finish adds the parts; for the layer before
 * the last one, mlp_head adds them. */
static enum shoal_status forward(struct mlp_device *device, uint32_t l, struct shoal_buffer *parameters,
                                 const struct mlp_step *step, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const struct mlp_layer *const layer = &device->layers[l];
    const bool is_completed = parts->has_head && l + 2 == device->base.net->layer_count;
    enum shoal_status status = device_shards_wait(device, l, error);
    if (!status)
        status = products_forward(parts->products, l, parameters, layer->split ? parts->planes : NULL, step,
                                  error);
    if (status || !layer->split || is_completed)
        return status;
    struct mlp_step of_layer = *step;
    of_layer.slot = l;
    return LAUNCH(mlp_finish, device->setup.queue, parts->finish,
                  shoal_kernel_groups(parts->finish, (size_t)step->count * layer->outputs), error,
                  .layers = device->layer_table, .fixed = device->fixed, .parameters = parameters,
                  .planes = parts->planes, .values = device->values, .deltas = device->deltas,
                  .step = &of_layer);
}

static enum shoal_status lose(struct mlp_device *device, const struct mlp_step *step,
                              struct shoal_event **read, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    return LAUNCH_EVENT(mlp_lose, device->setup.queue, parts->lose, div_up(step->count, device->block), read,
                        error, .classes = device->classes, .targets = device->targets,
                        .weights = device->weights, .layers = device->layer_table, .fixed = device->fixed,
                        .values = device->values, .deltas = device->deltas, .sums = device->sums,
                        .outputs = device->outputs, .step = step);
}

static enum shoal_status pass(struct mlp_device *device, struct shoal_buffer *parameters,
                              const struct mlp_step *step, struct shoal_event **read,
                              struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    const uint32_t layers = parts->layers;
    const struct head_buffers of_head = {
        .planes = parts->planes, .order = parts->order, .gradients = parts->head_sums};
    enum shoal_status status = gather(device, step, error);
    for (uint32_t l = 0; l < layers && !status; l++)
        status = forward(device, l, parameters, step, error);
    if (!status)
        status = device_shards_wait(device, device->base.net->layer_count - 1, error);
    if (!status)
        status = parts->has_head ? head_run(device, parts->head, parameters, &of_head, step, read, error)
                                 : lose(device, step, read, error);
    /* If parts->has_head, mlp_head has computed the deltas of the layer before the last one. */
    for (uint32_t l = layers; l-- > 1 && (step->flags & MLP_STEP_TRAIN) && !status;)
        status = products_backward(parts->products, l, step, error);
    return status;
}

/* The parts of a gradient, and the kernels of an update that add them. */
struct gradient_parts {
    struct shoal_kernel *collect, *move;
    struct shoal_buffer *layers, *sums;
};

static struct gradient_parts parts_of_batch(const struct mlp_device *device)
{
    const struct parts *const parts = device->parts;
    return (struct gradient_parts){parts->collect, parts->move, device->layer_table, parts->sums_over_rows};
}

static enum shoal_status total(struct mlp_device *device, struct shoal_queue *queue,
                               const struct mlp_step *step, struct shoal_buffer *sums,
                               struct shoal_buffer *records, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    return LAUNCH(mlp_total, queue, parts->total, 1, error, .sums = sums, .records = records, .step = step);
}

/* Computes the gradient and its norm in `groups` work-groups, of which the first has the number
 * step->first_item. */
static enum shoal_status collect(struct mlp_device *device, const struct mlp_step *step,
                                 const struct gradient_parts *from, struct shoal_buffer *records,
                                 struct shoal_buffer *gradient, size_t groups, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    return LAUNCH(mlp_collect, device->setup.queue, from->collect, groups, error, .layers = from->layers,
                  .fixed = device->fixed, .records = records, .parts = from->sums,
                  .head_parts = parts->head_sums, .parameters = device->parameters, .gradient = gradient,
                  .norms = device->norms, .step = step);
}

/* Updates the parameters of `groups` work-groups; the last of them is number step->last_item. */
static enum shoal_status move(struct mlp_device *device, struct shoal_queue *queue,
                              const struct mlp_step *step, const struct gradient_parts *from, size_t groups,
                              struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    return LAUNCH(mlp_move, queue, from->move, groups, error, .layers = from->layers, .fixed = device->fixed,
                  .settings = device->settings, .sums = device->sums, .records = device->records,
                  .parts = from->sums, .head_parts = parts->head_sums, .gradient = device->gradient,
                  .norms = device->norms, .losses = device->losses, .parameters = device->parameters,
                  .s0 = device->s0, .s1 = device->s1, .s2 = device->s2, .step = step);
}

/* Computes and stores the gradient and its norm, if the update needs the norm (MLP_STEP_GRADIENT). */
static enum shoal_status store_gradient(struct mlp_device *device, const struct mlp_step *step,
                                        const struct gradient_parts *from, struct shoal_error *error)
{
    return step->flags & MLP_STEP_GRADIENT
               ? collect(device, step, from, device->records, device->gradient, device->items, error)
               : SHOAL_OK;
}

/* Computes the parts of the gradients of `layers`, in rising order: the deltas of the first layers were
 * computed last, so they are still in the cache. */
static enum shoal_status sum_layers(struct mlp_device *device, const struct layer_range *layers,
                                    const struct mlp_step *step, struct shoal_error *error)
{
    struct parts *const parts = device->parts;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t l = layers->first; l < layers->end && l < parts->layers && !status; l++)
        status = products_gradient(parts->products, l, parts->sums_over_rows, step, error);
    return status;
}

static enum shoal_status update(struct mlp_device *device, const struct mlp_step *given,
                                struct shoal_error *error)
{
    const struct gradient_parts from = parts_of_batch(device);
    struct mlp_step step = *given;
    step.items = (unsigned)div_up(step.count, device->block); /* number of sums of losses */
    const struct layer_range all = {0, device->base.net->layer_count};
    enum shoal_status status = sum_layers(device, &all, &step, error);
    if (!status && (step.flags & (MLP_STEP_GRADIENT | MLP_STEP_WEIGHTS)))
        status = total(device, device->setup.queue, &step, device->sums, device->records, error);
    if (!status)
        status = store_gradient(device, &step, &from, error);
    /* Work-group number device->items, which has no parameters and starts first, adds the losses. */
    step.last_item = (unsigned)device->items;
    return status || (step.flags & MLP_STEP_PROBE)
               ? status
               : move(device, device->setup.queue, &step, &from, device->items + 1, error);
}

/* Function sum_end of struct device_form. The sums before the last layer end at a multiple of LARGEST_GROUP,
 * so that work-groups are whole. */
static size_t sum_end(const struct mlp_device *device, uint32_t end)
{
    return end < device->base.net->layer_count
               ? device->layers[end].weights / LARGEST_GROUP * (size_t)LARGEST_GROUP
               : device->sum_count;
}

/* Number of work-groups of mlp_collect for the parameters that are complete with the layers before `end`. */
static size_t groups_before(const struct mlp_device *device, uint32_t end)
{
    const struct parts *const parts = device->parts;
    return end < device->base.net->layer_count ? sum_end(device, end) / parts->work_group : device->items;
}

/* See struct device_form. Does not divide by the weight of the batch, which is not known yet: the gradient is
 * computed as for weight 1, so it remains a sum. */
static enum shoal_status sum(struct mlp_device *device, const struct mlp_step *given,
                             const struct layer_range *layers, struct shoal_buffer *sums,
                             struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    const struct gradient_parts from = parts_of_batch(device);
    struct mlp_step step = *given;
    step.items = (unsigned)div_up(step.count, device->block);
    step.slot = (unsigned)device->loss_place;
    enum shoal_status status = sum_layers(device, layers, &step, error);
    if (!status && layers->end == device->base.net->layer_count)
        status = total(device, device->setup.queue, &step, device->sums, sums, error);
    step.slot = 0;
    step.flags = (step.flags & ~(unsigned)MLP_STEP_PENALTY) | MLP_STEP_WEIGHTS;
    step.first_item = (unsigned)groups_before(device, layers->first);
    const size_t groups = groups_before(device, layers->end) - step.first_item;
    return status || !groups ? status : collect(device, &step, &from, parts->one, sums, groups, error);
}

static enum shoal_status apply(struct mlp_device *device, const struct mlp_step *given,
                               struct shoal_buffer *sums, const struct update_part *part,
                               struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    const struct gradient_parts from = {parts->collect_sums, parts->move_sums, parts->whole_layers, sums};
    const size_t first = part->first / parts->work_group, end = div_up(part->end, parts->work_group);
    struct mlp_step step = *given;
    step.items = 1; /* the losses are already one sum */
    step.sums = (unsigned)device->loss_place;
    step.last_item = (unsigned)end - 1;
    enum shoal_status status =
        part->has_losses ? total(device, part->queue, &step, sums, device->records, error) : SHOAL_OK;
    if (!status)
        status = store_gradient(device, &step, &from, error);
    return status || first >= end ? status : move(device, part->queue, &step, &from, end - first, error);
}

static enum shoal_status refresh(struct mlp_device *device, struct shoal_error *error)
{
    (void)device;
    (void)error;
    return SHOAL_OK; /* the form keeps no data that are computed from the parameters */
}

const struct device_form device_tiled_form = {.create = create,
                                              .destroy = destroy,
                                              .pass = pass,
                                              .update = update,
                                              .sum = sum,
                                              .sum_end = sum_end,
                                              .apply = apply,
                                              .refresh = refresh,
                                              .waits_for_layers = true};
