#include "mlp/device/products.h"

#include "base/error.h"
#include "base/integer.h"
#include "cl/mlp/methods/gemm_layout.clh"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <stdlib.h>
#include <string.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_layer, mlp_layer, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS, .help = "product of a layer, a tile for each work-group"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_layer, ACTIVATION, 0, 9, "enum mlp_activation of the layer; 9: none"),
    DEFINE(mlp_layer, ALIGNED, 0, 1, "1: places and pitches are multiples of 4"),
    DEFINE(mlp_layer, BAND, 1, 64, "tiles below each other that follow each other"),
    DEFINE(mlp_layer, BK, 4, 32, "terms of a slice, a power of two"),
    DEFINE(mlp_layer, BM, 32, 256, "rows of a tile"),
    DEFINE(mlp_layer, BN, 32, 256, "columns of a tile"),
    DEFINE(mlp_layer, EPILOGUE, 0, 2, "0 none, 1 forward, 2 backward"),
    DEFINE(mlp_layer, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),
    DEFINE(mlp_layer, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_layer, ROOM, 64, 65536, "words of local memory"),
    DEFINE(mlp_layer, SLOPES, 0, 1, "1: derivatives are stored"),
    DEFINE(mlp_layer, STAGES, 1, 2, "slices in local memory"),
    DEFINE(mlp_layer, TRANS_A, 0, 1, "1: A is transposed"),
    DEFINE(mlp_layer, TRANS_B, 0, 1, "1: B is transposed"),
    DEFINE(mlp_layer, WG, 1, 256, "work-group size"),
};

extern const struct shoal_program_desc mlp_layer_program_desc;
const struct shoal_program_desc mlp_layer_program_desc = PROGRAM("mlp.layer", mlp_layer, 0, defines, entries);

struct tile {
    int64_t m, n, k, work_group, min_groups;
};

/* What a product is built for; equal ones share a kernel. */
struct plan {
    struct tile tile;
    int epilogue, activation;
    bool slopes, aligned, transposed_a, transposed_b;
};

struct product {
    struct plan plan;
    struct shoal_kernel *kernel;
    uint32_t m, n, k, parts; /* the largest sizes */
};

enum { FORWARD, BACKWARD, GRADIENT, KINDS };

struct products {
    struct mlp_device *device;
    struct product (*layers)[KINDS];
};

/* Plans ------------------------------------------------------------------------------------------------ */

static uint64_t tiles_of(const struct product *product, const struct tile *tile)
{
    return (uint64_t)div_up(product->m, (uint32_t)tile->m) * div_up(product->n, (uint32_t)tile->n);
}

/* Terms that a part of a sum has at least. Work-items that a unit of a GPU works on at a time, but for the
 * largest tile, of which it has one. */
enum { LEAST_TERMS = 96, MOST_PARTS = 64, RESIDENT = 512 };

static uint32_t most_parts(const struct product *product)
{
    const uint32_t parts = product->k / LEAST_TERMS;
    return parts == 0 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

/* The largest tile of which there are enough to fill the device: work-items of a large tile do more for each
 * number that they read. A tile that is mostly beyond a narrow matrix does less. */
static void choose_tile(const struct mlp_device *device, struct product *product, bool is_gradient)
{
    static const struct tile all[] = {{256, 128, 8, 256, 1},
                                      {128, 128, 16, 256, 2},
                                      {128, 64, 16, 128, 3},
                                      {64, 64, 16, 64, 4},
                                      {32, 32, 32, 64, 8}};
    const struct shoal_device_info *const info = shoal_device_get_info(device->device);
    struct tile tile = {32, 32, 8, info->max_work_group < 16 ? info->max_work_group : 16, 1};
    for (size_t k = 0; k < COUNT(all) && !info->is_cpu && info->max_work_group >= 256; k++) {
        tile = all[k];
        if (device->setup.is_double && tile.m * tile.n > 64 * 64)
            continue;
        const bool is_wide = product->m > tile.m / 2 && product->n > tile.n / 2;
        const uint64_t groups = tiles_of(product, &tile) * (is_gradient ? most_parts(product) : 1);
        if (is_wide && 8 * groups >= 7 * (uint64_t)info->units) /* nearly all units have one */
            break;
    }
    if (device->setup.is_double && tile.k > 16)
        tile.k = 16;
    const struct shoal_program_desc *const desc = &mlp_layer_program_desc;
    tile.m = choose_define(device->device, desc, "BM", tile.m).value;
    tile.n = choose_define(device->device, desc, "BN", tile.n).value;
    tile.k = choose_define(device->device, desc, "BK", tile.k).value;
    tile.work_group = choose_define(device->device, desc, "WG", tile.work_group).value;
    while (tile.work_group > info->max_work_group && tile.work_group > 1)
        tile.work_group /= 2;
    product->plan.tile = tile;
    const uint64_t tiles = tiles_of(product, &tile);
    const uint64_t resident = tile.min_groups == 1 ? 1 : RESIDENT / (uint64_t)tile.work_group;
    const uint64_t wanted = info->units * resident / tiles;
    const uint32_t most = most_parts(product);
    product->parts = wanted < 1 ? 1 : wanted < most ? (uint32_t)wanted : most;
}

/* A forward product is split where that fills a device that is mostly idle: what completes it is a launch
 * more, or a part of mlp_head. */
static void choose_split(const struct mlp_device *device, struct product *product)
{
    const uint64_t tiles = tiles_of(product, &product->plan.tile);
    if (2 * tiles > shoal_device_get_info(device->device)->units || product->parts < 2) {
        product->parts = 0;
        return;
    }
    product->plan.epilogue = 0;
    product->plan.activation = MLP_ACTIVATIONS;
    product->plan.slopes = false;
}

static bool stores_slopes(const struct mlp_layer *layer)
{
    return layer->activation == MLP_GELU || layer->activation == MLP_GELU_TANH ||
           layer->activation == MLP_SILU || layer->dropout_limit > 0;
}

static void make_plans(struct mlp_device *device, struct product layers[][KINDS])
{
    const struct net *const net = device->net;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct mlp_layer *const layer = &device->layers[l], *const before = layer - 1;
        const bool is_last = l + 1 == net->layer_count;
        const bool is_raw = layer->activation == MLP_SOFTMAX || (is_last && net_is_from_logits(net));
        const bool aligned = layer->inputs % 4 == 0 && layer->weights % 4 == 0;
        const uint32_t batch = (uint32_t)device->batch;
        layers[l][FORWARD] =
            (struct product){.plan = {.epilogue = 1,
                                      .activation = is_raw ? MLP_ACTIVATIONS : layer->activation,
                                      .slopes = !is_raw && stores_slopes(layer),
                                      .aligned = aligned,
                                      .transposed_b = true},
                             .m = batch,
                             .n = layer->outputs,
                             .k = layer->inputs};
        layers[l][GRADIENT] = (struct product){
            .plan = {.activation = MLP_ACTIVATIONS, .aligned = aligned, .transposed_a = true},
            .m = layer->outputs,
            .n = layer->inputs,
            .k = batch};
        choose_tile(device, &layers[l][FORWARD], false);
        choose_split(device, &layers[l][FORWARD]);
        choose_tile(device, &layers[l][GRADIENT], true);
        if (l == 0)
            continue;
        const bool slopes = stores_slopes(before);
        layers[l][BACKWARD] =
            (struct product){.plan = {.epilogue = 2,
                                      .activation = slopes ? MLP_ACTIVATIONS : before->activation,
                                      .slopes = slopes,
                                      .aligned = aligned},
                             .m = batch,
                             .n = layer->inputs,
                             .k = layer->outputs};
        choose_tile(device, &layers[l][BACKWARD], false);
    }
}

static enum shoal_status build(struct mlp_device *device, struct product *product, struct shoal_error *error)
{
    const struct plan *const plan = &product->plan;
    const struct tile *const tile = &plan->tile;
    const struct shoal_define stages = choose_define(device->device, &mlp_layer_program_desc, "STAGES", 2);
    const int64_t words = stages.value * tile->k * (tile->m + tile->n) * (device->setup.is_double ? 2 : 1);
    struct defines set = {.list = {{"ACTIVATION", plan->activation},
                                   {"ALIGNED", plan->aligned},
                                   {"BK", tile->k},
                                   {"BM", tile->m},
                                   {"BN", tile->n},
                                   {"EPILOGUE", plan->epilogue},
                                   {"MIN_GROUPS", tile->min_groups},
                                   {"REAL", device->setup.is_double ? 64 : 32},
                                   {"ROOM", words},
                                   {"SLOPES", plan->slopes},
                                   stages,
                                   {"TRANS_A", plan->transposed_a},
                                   {"TRANS_B", plan->transposed_b},
                                   {"WG", tile->work_group}},
                          .count = 14};
    const struct entry_kernel kernels[] = {{"mlp_layer", &product->kernel}};
    return programs_build(device->setup.programs, &mlp_layer_program_desc, &set, kernels, 1, NULL, error);
}

static bool are_equal(const struct plan *a, const struct plan *b)
{
    return memcmp(&a->tile, &b->tile, sizeof a->tile) == 0 && a->epilogue == b->epilogue &&
           a->activation == b->activation && a->slopes == b->slopes && a->aligned == b->aligned &&
           a->transposed_a == b->transposed_a && a->transposed_b == b->transposed_b;
}

/* The kernel of an equal plan before it, or one of its own. */
static enum shoal_status find_kernel(struct products *products, size_t index, struct shoal_error *error)
{
    struct product *const all = products->layers[0], *const own = &all[index];
    for (size_t k = 0; k < index; k++)
        if (all[k].kernel && are_equal(&all[k].plan, &own->plan)) {
            own->kernel = all[k].kernel;
            return SHOAL_OK;
        }
    return build(products->device, own, error);
}

enum shoal_status products_create(struct mlp_device *device, struct products **out, struct shoal_error *error)
{
    const size_t layers = device->net->layer_count;
    struct products *products = *out = calloc(1, sizeof *products);
    if (!products)
        return fail_host_memory(error);
    products->device = device;
    products->layers = calloc(layers, sizeof *products->layers);
    if (!products->layers) {
        products_destroy(out);
        return fail_host_memory(error);
    }
    make_plans(device, products->layers);
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < layers * KINDS && !status; k++)
        if (products->layers[k / KINDS][k % KINDS].m > 0)
            status = find_kernel(products, k, error);
    if (status)
        products_destroy(out);
    return status;
}

void products_destroy(struct products **pointer)
{
    if (!pointer || !*pointer)
        return;
    free((*pointer)->layers);
    free(*pointer);
    *pointer = NULL;
}

uint32_t products_parts(const struct products *products, uint32_t l)
{
    return products->layers[l][GRADIENT].parts;
}

uint32_t products_split(const struct products *products, uint32_t l)
{
    return products->layers[l][FORWARD].parts;
}

/* Runs ------------------------------------------------------------------------------------------------- */

struct operands {
    struct shoal_buffer *a, *b, *c, *own;
};

static enum shoal_status run(struct products *products, const struct product *product,
                             const struct operands *with, const struct gemm_shape *shape,
                             const struct mlp_product *what, struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct tile *const tile = &product->plan.tile;
    const size_t groups = (size_t)div_up(shape->m, (uint32_t)tile->m) * div_up(shape->n, (uint32_t)tile->n);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(with->a),
        shoal_arg_buffer(with->b),
        shoal_arg_buffer(with->c),
        shoal_arg_buffer(with->own),
        shoal_arg_buffer(device->fixed),
        shoal_arg_buffer(device->deltas),
        shoal_arg_struct(shape, sizeof *shape),
        shoal_arg_struct(what, sizeof *what),
    };
    return shoal_launch(device->setup.queue, product->kernel, groups * shape->parts, args, COUNT(args), NULL,
                        error);
}

enum shoal_status products_forward(struct products *products, uint32_t l, struct shoal_buffer *parameters,
                                   struct shoal_buffer *planes, const struct mlp_step *step,
                                   struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct mlp_layer *const layer = &device->layers[l];
    const struct product *const product = &products->layers[l][FORWARD];
    const uint32_t step_k = (uint32_t)product->plan.tile.k, slices = div_up(layer->inputs, step_k);
    const bool drops = (step->flags & MLP_STEP_TRAIN) && !(step->flags & MLP_STEP_PROBE);
    const struct gemm_shape shape = {.a = layer->in,
                                     .b = layer->weights,
                                     .c = planes ? 0 : layer->out,
                                     .plane = (uint64_t)step->count * layer->out_pitch,
                                     .m = step->count,
                                     .n = layer->outputs,
                                     .k = layer->inputs,
                                     .a_pitch = layer->in_pitch,
                                     .b_pitch = layer->weight_pitch,
                                     .c_pitch = layer->out_pitch,
                                     .parts = planes ? product->parts : 1,
                                     .part =
                                         planes ? div_up(slices, product->parts) * step_k : layer->inputs};
    const struct mlp_product what = {.seed = step->seed,
                                     .number = l,
                                     .columns = layer->outputs,
                                     .biases = layer->biases,
                                     .deltas = layer->delta,
                                     .delta_pitch = layer->delta_pitch,
                                     .dropout_limit = drops ? layer->dropout_limit : 0,
                                     .first_unit = layer->first_unit,
                                     .update = step->update,
                                     .trains = (step->flags & MLP_STEP_TRAIN) != 0};
    const struct operands with = {device->values, parameters, planes ? planes : device->values, parameters};
    return run(products, product, &with, &shape, &what, error);
}

enum shoal_status products_backward(struct products *products, uint32_t l, const struct mlp_step *step,
                                    struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct mlp_layer *const layer = &device->layers[l], *const before = layer - 1;
    const struct gemm_shape shape = {.a = layer->delta,
                                     .b = layer->weights,
                                     .c = before->delta,
                                     .m = step->count,
                                     .n = layer->inputs,
                                     .k = layer->outputs,
                                     .a_pitch = layer->delta_pitch,
                                     .b_pitch = layer->weight_pitch,
                                     .c_pitch = before->delta_pitch,
                                     .parts = 1,
                                     .part = layer->outputs};
    const struct mlp_product what = {.number = l - 1,
                                     .columns = layer->inputs,
                                     .values = before->out,
                                     .value_pitch = before->out_pitch,
                                     .deltas = before->delta,
                                     .delta_pitch = before->delta_pitch};
    const struct operands with = {device->deltas, device->parameters, device->deltas, device->values};
    return run(products, &products->layers[l][BACKWARD], &with, &shape, &what, error);
}

enum shoal_status products_gradient(struct products *products, uint32_t l, struct shoal_buffer *parts,
                                    const struct mlp_step *step, struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct product *const product = &products->layers[l][GRADIENT];
    const struct mlp_layer *const layer = &device->layers[l];
    const uint32_t slices = div_up(step->count, (uint32_t)product->plan.tile.k);
    const struct gemm_shape shape = {.a = layer->delta,
                                     .b = layer->in,
                                     .c = layer->weights,
                                     .plane = (device->net->parameters + 3) / 4 * 4,
                                     .m = layer->outputs,
                                     .n = layer->inputs,
                                     .k = step->count,
                                     .a_pitch = layer->delta_pitch,
                                     .b_pitch = layer->in_pitch,
                                     .c_pitch = layer->weight_pitch,
                                     .parts = product->parts,
                                     .part = div_up(slices, product->parts) * (uint32_t)product->plan.tile.k};
    const struct mlp_product what = {.number = l, .columns = layer->inputs};
    const struct operands with = {device->deltas, device->values, parts, device->fixed};
    return run(products, product, &with, &shape, &what, error);
}
