#include "mlp/device/products.h"

#include "base/error.h"
#include "base/integer.h"
#include "cl/lib/gemm/layout.clh"
#include "compute/launch.h"
#include "lib/gemm/tiles.h"

#include <stdlib.h>
#include <string.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_layer, mlp_layer, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS, .help = "matrix product of a layer, a tile for each work-group"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_layer, ACTIVATION, 0, 11, "enum mlp_activation of the layer; 11: none"),
    DEFINE(mlp_layer, EPILOGUE, 0, 3, "0 none, 1 forward, 2 backward, 3 gradient with that of biases"),
    DEFINE(mlp_layer, SLOPES, 0, 1, "1: derivatives are stored"),
    GEMM_TILE_CONTRACT(mlp_layer),
};

extern const struct shoal_program_desc mlp_layer_program_desc;
const struct shoal_program_desc mlp_layer_program_desc = PROGRAM("mlp.layer", mlp_layer, 0, defines, entries);

/* The constants with which the kernel of a product is built. Products with equal constants share a kernel. */
struct plan {
    struct gemm_tile tile;
    int epilogue, activation;
    bool slopes, aligned, transposed_a, transposed_b;
};

struct product {
    struct plan plan;
    struct shoal_kernel *kernel;
    struct gemm_sizes sizes; /* sizes of the product for the largest batch */
    uint32_t parts;
};

enum { FORWARD, BACKWARD, GRADIENT, KINDS };

struct products {
    struct mlp_device *device;
    struct product (*layers)[KINDS];
};

/* Plans ------------------------------------------------------------------------------------------------ */

static void choose_tile(const struct mlp_device *device, struct product *product, const char *class,
                        bool is_split)
{
    const bool is_double = device->setup.is_double;
    product->plan.tile = gemm_choose_tile(device->device, &mlp_layer_program_desc, class, &product->sizes,
                                          is_split ? GEMM_SPLIT_ALWAYS : GEMM_SPLIT_NEVER, is_double);
    product->parts = gemm_find_parts(&product->sizes, is_split, is_double);
}

/* Splits a forward product into parts if otherwise most of the device would be idle. Another launch,
 * mlp_finish or mlp_head, then adds the parts. */
static void choose_split(const struct mlp_device *device, struct product *product)
{
    if (!gemm_is_small(&product->sizes, device->setup.is_double) || product->parts < 2) {
        product->parts = 0;
        return;
    }
    product->plan.epilogue = 0;
    product->plan.activation = MLP_ACTIVATIONS;
    product->plan.slopes = false;
}

static void make_plans(struct mlp_device *device, uint32_t count, bool has_head,
                       struct product layers[][KINDS])
{
    const struct net *const net = device->base.net;
    for (uint32_t l = 0; l < count; l++) {
        const struct mlp_layer *const layer = &device->layers[l], *const before = layer - 1;
        const bool is_last = l + 1 == net->layer_count;
        const bool is_raw = layer->activation == MLP_SOFTMAX || (is_last && net_is_from_logits(net));
        const bool aligned = layer->inputs % 4 == 0 && layer->weights % 4 == 0;
        const uint32_t batch = (uint32_t)device->batch_pass;
        layers[l][FORWARD] =
            (struct product){.plan = {.epilogue = 1,
                                      .activation = is_raw ? MLP_ACTIVATIONS : layer->activation,
                                      .slopes = !is_raw && device_stores_slopes(layer),
                                      .aligned = aligned,
                                      .transposed_b = true},
                             .sizes = {batch, layer->outputs, layer->inputs, true}};
        /* If has_head, mlp_head computes the gradient of the biases of layer count - 1. */
        const bool sums_biases = !has_head || l + 1 < count;
        layers[l][GRADIENT] = (struct product){.plan = {.epilogue = sums_biases ? 3 : 0,
                                                        .activation = MLP_ACTIVATIONS,
                                                        .aligned = aligned,
                                                        .transposed_a = true},
                                               .sizes = {layer->outputs, layer->inputs, batch, true}};
        choose_tile(device, &layers[l][FORWARD], "product=forward ", false);
        choose_split(device, &layers[l][FORWARD]);
        if (device->setup.predicts) {
            layers[l][GRADIENT] = (struct product){.parts = 0};
            continue;
        }
        choose_tile(device, &layers[l][GRADIENT], "product=gradient ", true);
        if (l == 0)
            continue;
        const bool slopes = device_stores_slopes(before);
        layers[l][BACKWARD] =
            (struct product){.plan = {.epilogue = 2,
                                      .activation = slopes ? MLP_ACTIVATIONS : before->activation,
                                      .slopes = slopes,
                                      .aligned = aligned},
                             .sizes = {batch, layer->inputs, layer->outputs, false}};
        choose_tile(device, &layers[l][BACKWARD], "product=backward ", false);
    }
}

static enum shoal_status build(struct mlp_device *device, struct product *product, struct shoal_error *error)
{
    const struct plan *const plan = &product->plan;
    struct defines set = {.list = {{"ACTIVATION", plan->activation},
                                   {"ALIGNED", plan->aligned},
                                   {"EPILOGUE", plan->epilogue},
                                   {"SLOPES", plan->slopes},
                                   {"TRANS_A", plan->transposed_a},
                                   {"TRANS_B", plan->transposed_b}},
                          .count = 6};
    set.count += gemm_tile_defines(device->device, &mlp_layer_program_desc, &plan->tile,
                                   device->setup.is_double, set.list + set.count);
    const struct entry_kernel kernels[] = {{"mlp_layer", &product->kernel}};
    return programs_build(device->setup.programs, &mlp_layer_program_desc, &set, kernels, 1, NULL, error);
}

static bool are_equal(const struct plan *a, const struct plan *b)
{
    return memcmp(&a->tile, &b->tile, sizeof a->tile) == 0 && a->epilogue == b->epilogue &&
           a->activation == b->activation && a->slopes == b->slopes && a->aligned == b->aligned &&
           a->transposed_a == b->transposed_a && a->transposed_b == b->transposed_b;
}

/* Takes the kernel of an earlier product with an equal plan, or builds one. */
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

enum shoal_status products_create(struct mlp_device *device, uint32_t layers, bool has_head,
                                  struct products **out, struct shoal_error *error)
{
    struct products *products = *out = calloc(1, sizeof *products);
    if (!products)
        return fail_host_memory(error);
    products->device = device;
    products->layers = calloc(layers + 1, sizeof *products->layers);
    if (!products->layers) {
        products_destroy(out);
        return fail_host_memory(error);
    }
    make_plans(device, layers, has_head, products->layers);
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < (size_t)layers * KINDS && !status; k++)
        if (products->layers[k / KINDS][k % KINDS].sizes.m > 0)
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
    const size_t groups = gemm_tile_groups(&product->plan.tile, shape->m, shape->n);
    return LAUNCH(mlp_layer, device->setup.queue, product->kernel, groups * shape->parts, error, .a = with->a,
                  .b = with->b, .c = with->c, .own = with->own, .fixed = device->fixed,
                  .deltas = device->deltas, .shape = shape, .product = what);
}

enum shoal_status products_forward(struct products *products, uint32_t l, struct shoal_buffer *parameters,
                                   struct shoal_buffer *planes, const struct mlp_step *step,
                                   struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct mlp_layer *const layer = &device->layers[l];
    const struct product *const product = &products->layers[l][FORWARD];
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
                                     .part = planes ? gemm_part_terms(layer->inputs, product->parts)
                                                    : layer->inputs};
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
    const struct operands with = {
        .a = device->values, .b = parameters, .c = planes ? planes : device->values, .own = parameters};
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
    const struct operands with = {
        .a = device->deltas, .b = device->parameters, .c = device->deltas, .own = device->values};
    return run(products, &products->layers[l][BACKWARD], &with, &shape, &what, error);
}

enum shoal_status products_gradient(struct products *products, uint32_t l, struct shoal_buffer *parts,
                                    const struct mlp_step *step, struct shoal_error *error)
{
    struct mlp_device *const device = products->device;
    const struct product *const product = &products->layers[l][GRADIENT];
    const struct mlp_layer *const layer = &device->layers[l];
    const struct gemm_shape shape = {.a = layer->delta,
                                     .b = layer->in,
                                     .c = layer->weights,
                                     .plane = rounded_up(device->base.net->parameters, 4),
                                     .m = layer->outputs,
                                     .n = layer->inputs,
                                     .k = step->count,
                                     .a_pitch = layer->delta_pitch,
                                     .b_pitch = layer->in_pitch,
                                     .c_pitch = layer->weight_pitch,
                                     .parts = product->parts,
                                     .part = gemm_part_terms(step->count, product->parts)};
    const struct mlp_product what = {.number = l, .columns = layer->inputs, .biases = layer->biases};
    const struct operands with = {.a = device->deltas, .b = device->values, .c = parts, .own = device->fixed};
    return run(products, product, &with, &shape, &what, error);
}
