/* The form for CPUs: cl/mlp/device/train_serial.cl. */
#include "compute/launch.h"
#include "mlp/device/form.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"
#include "lib/gemm/gemm.h"

#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_train_serial, mlp_serial_rows, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "rows of a batch through a net and back, a block for each work-item"),
    ENTRY(mlp_train_serial, mlp_serial_predict, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "predictions of rows in order, some blocks for each work-item"),
    ENTRY(mlp_train_serial, mlp_serial_update, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "gradient and update, a work-item for some inputs of a layer"),
    ENTRY(mlp_train_serial, mlp_serial_apply, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "update from a stored gradient with a known norm"),
    ENTRY(mlp_train_serial, mlp_serial_collect, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "mean gradient and its norm from the sums of shards"),
    ENTRY(mlp_train_serial, mlp_serial_back, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the copy of the weights for the backward product"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_train_serial, ACTIVATIONS, 0, 2047, "bit k: a layer has activation k"),
    DEFINE(mlp_train_serial, BLOCK, 1, 1024, "rows of a work-item, a multiple of MR"),
    DEFINE(mlp_train_serial, CHUNK, 1, 65536, "rows whose gradients are summed at a time"),
    DEFINE(mlp_train_serial, LOSS, 0, 5, "enum mlp_loss"),
    DEFINE(mlp_train_serial, MR, 1, 16, "rows of a tile"),
    DEFINE(mlp_train_serial, NR, 1, 64, "columns of a tile"),
    DEFINE(mlp_train_serial, NUMBERS, 0, 1, "1: targets are numbers"),
    DEFINE(mlp_train_serial, OPTIMISER, 0, 7, "enum mlp_optimiser"),
    DEFINE(mlp_train_serial, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_train_serial, SCALED, 0, 1, "1: inputs are scaled in memory"),
    DEFINE(mlp_train_serial, SPAN, 1, 1024, "inputs of a work-item in an update, a multiple of MR"),
    DEFINE(mlp_train_serial, STORAGE, 0, 3, "inputs in memory: bits, bytes, floats, doubles"),
    DEFINE(mlp_train_serial, WG, 1, 256, "work-group size"),
    DEFINE(mlp_train_serial, WIDE, 0, 1, "1: vectors of 64 bytes, of OpenCL C"),
};

extern const struct shoal_program_desc mlp_train_serial_program_desc;
const struct shoal_program_desc mlp_train_serial_program_desc =
    PROGRAM("mlp.train-serial", mlp_train_serial, 0, defines, entries);

struct parts {
    struct shoal_kernel *rows, *predict, *update, *collect, *apply, *back;
    size_t tile_m, tile_n, span;
};

/* Multiplications for a row of a net whose layers have multiples of `unit` outputs. */
static double padded_work(const struct net *net, size_t unit)
{
    double work = 0;
    for (uint32_t l = 0; l < net->layer_count; l++)
        work += (double)net->layers[l].inputs * (double)rounded_up(net->layers[l].outputs, unit);
    return work;
}

/* Number of vectors in a row of a tile. Processors with vectors of 64 bytes have 32 vector registers, others
 * 16; a tile takes most of them. Tiles of 6 x 4 vectors load fewer numbers for a multiplication than tiles of
 * 8 x 2: predictions of 784-128-10 on two cores of a Xeon take 0.92 times as long. Updates keep their tiles,
 * since the order of their sums depends on them. */
static int64_t choose_vectors(const struct mlp_device *device)
{
    const struct net *const net = device->base.net;
    const size_t lanes = device->setup.is_double ? 8 : 16;
    return device->setup.predicts && gemm_is_wide(device->device) &&
                   padded_work(net, 4 * lanes) <= 1.1 * padded_work(net, 2 * lanes)
               ? 4
               : 2;
}

/* Number of rows of a tile. Predictions on processors with vectors of 32 bytes use 12 of their 16 registers
 * for sums: predictions of 784-128-10 on two cores of an EPYC take 0.93 times as long as with 8. */
static int64_t choose_rows(const struct mlp_device *device, int64_t vectors)
{
    enum { FLOATS_OF_32_BYTES = 8 };
    if (gemm_is_wide(device->device))
        return vectors == 4 ? 6 : 8;
    return device->setup.predicts && shoal_device_get_info(device->device)->simd_width >= FLOATS_OF_32_BYTES
               ? 6
               : 4;
}

/* Builds the programs. */
static enum shoal_status build(struct mlp_device *device, struct parts *parts, struct shoal_error *error)
{
    const struct shoal_program_desc *const desc = &mlp_train_serial_program_desc;
    const bool is_wide = gemm_is_wide(device->device);
    const int64_t vectors = choose_vectors(device);
    const struct shoal_define rows = choose_define(device->device, desc, "MR", choose_rows(device, vectors));
    const int64_t units = 16 / rows.value > 0 ? 16 / rows.value : 1;
    int64_t activations = 0;
    for (uint32_t l = 0; l < device->base.net->layer_count; l++)
        activations |= INT64_C(1) << device->base.net->layers[l].activation;
    struct defines set = {.list = {{"ACTIVATIONS", activations},
                                   {"LOSS", device->base.net->loss},
                                   {"NUMBERS", !device->setup.prepared->classes},
                                   {"OPTIMISER", device->base.training->optimiser},
                                   {"REAL", device->setup.is_double ? 64 : 32},
                                   {"SCALED", device->setup.prepared->is_scaled},
                                   {"STORAGE", device->setup.prepared->storage},
                                   {"WG", 1},
                                   rows},
                          .count = 9};
    const struct {
        const char *name;
        int64_t value;
    } rules[] = {{"BLOCK", units * rows.value},
                 {"CHUNK", 512},
                 {"NR", vectors * (is_wide ? 16 : 8) / (device->setup.is_double ? 2 : 1)},
                 {"SPAN", 2 * units * rows.value},
                 {"WIDE", is_wide}};
    for (size_t k = 0; k < COUNT(rules); k++)
        set.list[set.count++] = choose_define(device->device, desc, rules[k].name, rules[k].value);
    const struct entry_kernel predicts[] = {{"mlp_serial_predict", &parts->predict}},
                              trains[] = {{"mlp_serial_rows", &parts->rows},
                                          {"mlp_serial_update", &parts->update},
                                          {"mlp_serial_collect", &parts->collect},
                                          {"mlp_serial_apply", &parts->apply},
                                          {"mlp_serial_back", &parts->back}};
    struct shoal_program *program;
    const enum shoal_status status =
        programs_build(device->setup.programs, desc, &set, device->setup.predicts ? predicts : trains,
                       device->setup.predicts ? COUNT(predicts) : COUNT(trains), &program, error);
    if (status)
        return status;
    parts->tile_m = (size_t)shoal_program_define(program, "MR");
    parts->tile_n = (size_t)shoal_program_define(program, "NR");
    parts->span = (size_t)shoal_program_define(program, "SPAN");
    device->block = (size_t)shoal_program_define(program, "BLOCK");
    return SHOAL_OK;
}

/* Decides the layout of the arrays. Values lie in memory layer after layer. Because tiles reach beyond the
 * last row and column, the arrays are longer than the values need. */
static enum shoal_status lay_out(struct mlp_device *device, const struct parts *parts,
                                 struct shoal_error *error)
{
    const struct net *const net = device->base.net;
    const size_t rows = rounded_up(device->capacity, device->block), unit = parts->tile_n;
    size_t values = rows * rounded_up(net->inputs + (size_t)1, 16), deltas = 0, weights = 0, back = 0,
           items = 0;
    uint32_t in = 0, in_pitch = (uint32_t)rounded_up(net->inputs + (size_t)1, 16);
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *const layer = &net->layers[l];
        const size_t width = rounded_up(layer->outputs, unit),
                     out_pitch = rounded_up(layer->outputs + (size_t)1, unit);
        device->layers[l] = (struct mlp_layer){.inputs = layer->inputs,
                                               .outputs = layer->outputs,
                                               .activation = layer->activation,
                                               .first_unit = layer->first_unit,
                                               .dropout_limit = (uint32_t)(layer->dropout * 4294967296.0),
                                               .weights = (uint32_t)weights,
                                               .biases = (uint32_t)(weights + layer->inputs * width),
                                               .weight_pitch = (uint32_t)width,
                                               .back = (uint32_t)back,
                                               .back_pitch = (uint32_t)rounded_up(layer->inputs, unit),
                                               .in = in,
                                               .in_pitch = in_pitch,
                                               .out = (uint32_t)values,
                                               .out_pitch = (uint32_t)out_pitch,
                                               .delta = (uint32_t)deltas,
                                               .delta_pitch = (uint32_t)width};
        in = (uint32_t)values;
        in_pitch = (uint32_t)out_pitch;
        values += rows * out_pitch;
        deltas += rows * width;
        weights += (layer->inputs + (size_t)1) * width;
        back += l > 0 ? layer->outputs * rounded_up(layer->inputs, unit) : 0;
        items += (layer->inputs + parts->span) / parts->span;
    }
    device->by_input = true;
    device->parameter_count = weights;
    device->value_count = values + 64;
    device->delta_count = deltas + 64;
    device->back_count = back + 64;
    device->items = items;
    device->update_unit = unit;
    return device_check_counts(device, error);
}

static void destroy(struct mlp_device *device)
{
    free(device->parts);
    device->parts = NULL;
}

static enum shoal_status create(struct mlp_device *device, struct shoal_error *error)
{
    struct parts *const parts = device->parts = calloc(1, sizeof *parts);
    if (!parts)
        return fail_host_memory(error);
    const enum shoal_status status = build(device, parts, error);
    return status ? status : lay_out(device, parts, error);
}

/* Of many rows a work-item takes several blocks, but each compute unit has ITEMS work-items, so that all end
 * at about the same time. */
static enum shoal_status predict(struct mlp_device *device, struct shoal_buffer *parameters,
                                 const struct mlp_step *given, struct shoal_event **read,
                                 struct shoal_error *error)
{
    enum { ITEMS = 8 };
    const struct parts *const parts = device->parts;
    const size_t units = shoal_device_get_info(device->device)->units,
                 blocks = div_up(given->count, device->block), together = blocks / (ITEMS * units);
    struct mlp_step step = *given;
    step.block = (unsigned)(device->block * (together > 1 ? together : 1));
    return LAUNCH_EVENT(mlp_serial_predict, device->setup.queue, parts->predict,
                        div_up(step.count, step.block), read, error, .data = device->data,
                        .scale = device->scale, .layers = device->layer_table, .fixed = device->fixed,
                        .parameters = parameters, .values = device->values, .sums = device->sums,
                        .outputs = device->outputs, .step = &step);
}

static enum shoal_status pass(struct mlp_device *device, struct shoal_buffer *parameters,
                              const struct mlp_step *step, struct shoal_event **read,
                              struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    if (device->setup.predicts)
        return predict(device, parameters, step, read, error);
    return LAUNCH_EVENT(mlp_serial_rows, device->setup.queue, parts->rows, div_up(step->count, device->block),
                        read, error, .data = device->data, .scale = device->scale, .classes = device->classes,
                        .targets = device->targets, .weights = device->weights, .layers = device->layer_table,
                        .fixed = device->fixed, .parameters = parameters, .back = device->back,
                        .values = device->values, .deltas = device->deltas, .sums = device->sums,
                        .outputs = device->outputs, .step = step);
}

/* Computes the gradient by `items` work-items from step->first_item on, and makes the update from it unless
 * the step stores the gradient. */
static enum shoal_status sum_gradient(struct mlp_device *device, const struct mlp_step *step, size_t items,
                                      struct shoal_buffer *gradient, struct shoal_buffer *records,
                                      struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    return LAUNCH(mlp_serial_update, device->setup.queue, parts->update, items, error,
                  .layers = device->layer_table, .fixed = device->fixed, .settings = device->settings,
                  .values = device->values, .deltas = device->deltas, .sums = device->sums,
                  .parameters = device->parameters, .s0 = device->s0, .s1 = device->s1, .s2 = device->s2,
                  .back = device->back, .gradient = gradient, .records = records, .norms = device->norms,
                  .step = step);
}

/* Makes the update from the stored gradient. sums: see step->sums and step->count. */
static enum shoal_status apply_gradient(struct mlp_device *device, struct shoal_queue *queue,
                                        const struct mlp_step *step, struct shoal_buffer *sums,
                                        struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    return LAUNCH(mlp_serial_apply, queue, parts->apply, device->items, error, .layers = device->layer_table,
                  .fixed = device->fixed, .settings = device->settings, .sums = sums, .norms = device->norms,
                  .gradient = device->gradient, .parameters = device->parameters, .s0 = device->s0,
                  .s1 = device->s1, .s2 = device->s2, .back = device->back, .losses = device->losses,
                  .step = step);
}

static enum shoal_status update(struct mlp_device *device, const struct mlp_step *step,
                                struct shoal_error *error)
{
    const enum shoal_status status =
        sum_gradient(device, step, device->items, device->gradient, device->records, error);
    if (status || !(step->flags & MLP_STEP_GRADIENT) || (step->flags & MLP_STEP_PROBE))
        return status;
    return apply_gradient(device, device->setup.queue, step, device->sums, error);
}

static size_t items_before(const struct mlp_device *device, uint32_t end)
{
    const struct parts *const parts = device->parts;
    size_t items = 0;
    for (uint32_t l = 0; l < end; l++)
        items += (device->layers[l].inputs + parts->span) / parts->span;
    return items;
}

static size_t sum_end(const struct mlp_device *device, uint32_t end)
{
    return end < device->base.net->layer_count ? device->layers[end].weights : device->sum_count;
}

static enum shoal_status sum(struct mlp_device *device, const struct mlp_step *given,
                             const struct layer_range *layers, struct shoal_buffer *sums,
                             struct shoal_error *error)
{
    struct mlp_step step = *given;
    step.flags = (step.flags & ~(unsigned)MLP_STEP_PENALTY) | MLP_STEP_GRADIENT | MLP_STEP_SUM;
    step.slot = (unsigned)device->loss_place;
    step.first_item = (unsigned)items_before(device, layers->first);
    return sum_gradient(device, &step, items_before(device, layers->end) - step.first_item, sums, sums,
                        error);
}

static enum shoal_status apply(struct mlp_device *device, const struct mlp_step *given,
                               struct shoal_buffer *sums, const struct update_part *part,
                               struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    struct mlp_step step = *given;
    const bool is_empty = part->first >= part->end; /* then one work-item records the losses */
    step.sums = (unsigned)device->loss_place;
    step.first_item = is_empty ? 1 : (unsigned)(part->first / parts->tile_n);
    step.last_item = is_empty ? 0 : (unsigned)(part->end / parts->tile_n) - 1;
    if (is_empty && !part->has_losses)
        return SHOAL_OK;
    const enum shoal_status status =
        LAUNCH(mlp_serial_collect, part->queue, parts->collect, is_empty ? 1 : device->items, error,
               .layers = device->layer_table, .fixed = device->fixed, .totals = sums,
               .parameters = device->parameters, .gradient = device->gradient, .records = device->records,
               .norms = device->norms, .step = &step);
    step.count = 1; /* the losses are already one sum */
    return status || is_empty ? status : apply_gradient(device, part->queue, &step, sums, error);
}

static enum shoal_status refresh(struct mlp_device *device, struct shoal_error *error)
{
    const struct parts *const parts = device->parts;
    const struct mlp_step step = {.layer_count = device->base.net->layer_count};
    return LAUNCH(mlp_serial_back, device->setup.queue, parts->back, device->items, error,
                  .layers = device->layer_table, .parameters = device->parameters, .back = device->back,
                  .step = &step);
}

const struct device_form device_serial_form = {.create = create,
                                               .destroy = destroy,
                                               .pass = pass,
                                               .update = update,
                                               .sum = sum,
                                               .sum_end = sum_end,
                                               .apply = apply,
                                               .refresh = refresh};
