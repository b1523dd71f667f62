#include "mlp/device/products.h"
#include "compute/launch.h"

#include "base/error.h"
#include "base/integer.h"
#include "cl/mlp/methods/gemm_layout.clh"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_layer, mlp_layer, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS, .help = "product of a layer, a tile for each work-group"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_layer, ACTIVATION, 0, 11, "enum mlp_activation of the layer; 11: none"),
    DEFINE(mlp_layer, AHEAD, 0, 1, "1: terms are loaded ahead"),
    DEFINE(mlp_layer, ALIGNED, 0, 1, "1: places and pitches are multiples of 4"),
    DEFINE(mlp_layer, BAND, 1, 64, "tiles below each other that follow each other"),
    DEFINE(mlp_layer, BK, 4, 32, "terms of a slice, a power of two"),
    DEFINE(mlp_layer, BM, 32, 256, "rows of a tile"),
    DEFINE(mlp_layer, BN, 32, 256, "columns of a tile"),
    DEFINE(mlp_layer, EPILOGUE, 0, 3, "0 none, 1 forward, 2 backward, 3 gradient with that of biases"),
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

/* From these sizes on, terms are best loaded ahead, on an H200 with CUDA and with OpenCL. */
enum { AHEAD_CUDA = 128 * 128, AHEAD_OPENCL = 256 * 160 };

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

/* From the largest to the smallest. A work-item of a large one does more for each number that it reads. Those
 * behind BY_RULE are for shoal tune. */
enum { WIDE, LARGE, BY_RULE = 6, LARGE_OPENCL };
static const struct tile tiles[] = {{256, 160, 8, 256, 1}, {256, 128, 8, 256, 1}, {128, 128, 16, 256, 2},
                                    {128, 64, 16, 128, 3}, {64, 64, 16, 64, 4},   {32, 32, 32, 64, 8},
                                    {128, 128, 8, 128, 2}, {256, 128, 16, 256, 1}};

static uint64_t tiles_of(const struct product *product, const struct tile *tile)
{
    return (uint64_t)div_up(product->m, (uint32_t)tile->m) * div_up(product->n, (uint32_t)tile->n);
}

/* Terms that a part of a sum has at least, and of which it has a multiple. Work-items that a unit of a GPU
 * works on at a time, but for the largest tile, of which it has one. Units of the GPU that the parts of sums
 * are for, an H100: the order of a sum depends on no other device, nor on the tile that is taken. */
enum {
    LEAST_TERMS = 96,
    TERMS = 32,
    FEW_TERMS = 8,
    LONG_PART = 512,
    MOST_PARTS = 64,
    RESIDENT = 512,
    UNITS = 132
};

static uint32_t most_parts(const struct product *product)
{
    const uint32_t parts = product->k / LEAST_TERMS;
    return parts == 0 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

/* What a unit of a GPU multiplies at most, with a tile that it has one of at a time. */
static uint64_t work_of(const struct product *product, const struct tile *tile, uint32_t units,
                        bool is_gradient)
{
    const uint64_t groups = tiles_of(product, tile), most = is_gradient ? most_parts(product) : 1;
    const uint64_t wanted = groups < units ? units / groups : 1, parts = wanted < most ? wanted : most;
    const uint64_t rounds = (groups * parts + units - 1) / units;
    return rounds * (uint64_t)(tile->m * tile->n) * ((product->k + parts - 1) / parts);
}

/* The largest tile of which there are enough to fill the units of a GPU; of the two largest, which differ in
 * how much of them is beyond the matrix, the one with less work. A tile that is mostly beyond a narrow matrix
 * does less. */
static const struct tile *find_tile(const struct product *product, uint32_t units, bool is_gradient,
                                    bool is_double)
{
    for (size_t k = 0; k + 1 < BY_RULE; k++) {
        const struct tile *const tile = &tiles[k];
        const bool is_wide = product->m > tile->m / 2 && product->n > tile->n / 2;
        const uint64_t groups = tiles_of(product, tile) * (is_gradient ? most_parts(product) : 1);
        if (is_double && tile->m * tile->n > 64 * 64)
            continue;
        if (k == WIDE &&
            work_of(product, tile, units, is_gradient) >= work_of(product, &tiles[LARGE], units, is_gradient))
            continue;
        if (is_wide && 8 * groups >= 7 * (uint64_t)units) /* nearly all units have one */
            return tile;
    }
    return &tiles[BY_RULE - 1];
}

static uint32_t find_parts(const struct product *product, bool is_gradient, bool is_double)
{
    const struct tile *const tile = find_tile(product, UNITS, is_gradient, is_double);
    const uint64_t resident = tile->min_groups == 1 ? 1 : RESIDENT / (uint64_t)tile->work_group;
    const uint64_t wanted = UNITS * resident / tiles_of(product, tile);
    const uint32_t most = most_parts(product);
    return wanted < 1 ? 1 : wanted < most ? (uint32_t)wanted : most;
}

/* The number of a tile in the tuning file: 3 digits each for rows, columns and terms of a slice. */
static int64_t number_of(const struct tile *tile)
{
    enum { DIGITS = 1000 };
    return (tile->m * DIGITS + tile->n) * DIGITS + tile->k;
}

/* The tuned tile for products of such sizes. */
static const struct tile *ask_tile(const struct mlp_device *device, const struct product *product,
                                   const char *kind, const struct tile *by_rule)
{
    enum { DOUBLES = 2 };
    static const int64_t tries[] = {32032032,  64064016,  128064016, 128128008,
                                    128128016, 256128008, 256128016, 256160008};
    char class[TUNING_CLASS_SIZE];
    snprintf(class, sizeof class, "product=%s precision=%d m=2^%u n=2^%u k=2^%u", kind,
             device->setup.is_double, tuning_power(2, product->m), tuning_power(2, product->n),
             tuning_power(2, product->k));
    const size_t count = device->setup.is_double ? DOUBLES : COUNT(tries);
    const struct tuning_question question = {.program = mlp_layer_program_desc.name,
                                             .name = "TILE",
                                             .sizes = class,
                                             .value = number_of(by_rule),
                                             .min = tries[0],
                                             .max = tries[count - 1],
                                             .tries = tries,
                                             .try_count = count};
    const int64_t value = tuning_ask(device->device, &question);
    const int64_t most = shoal_device_get_info(device->device)->max_work_group;
    for (size_t k = 0; k < COUNT(tiles) && value != question.value; k++)
        if (number_of(&tiles[k]) == value && tiles[k].work_group <= most)
            return &tiles[k];
    return by_rule;
}

static void choose_tile(const struct mlp_device *device, struct product *product, const char *kind)
{
    const struct shoal_device_info *const info = shoal_device_get_info(device->device);
    const bool is_gradient = strcmp(kind, "gradient") == 0, is_double = device->setup.is_double;
    const bool is_small = info->is_cpu || info->max_work_group < 256;
    const struct tile small = {32, 32, 8, info->max_work_group < 16 ? info->max_work_group : 16, 1};
    const struct tile *by_rule = is_small ? &small : find_tile(product, info->units, is_gradient, is_double);
    /* On an H200 the large tile is 3 % faster in such slices, but not with CUDA. */
    if (by_rule == &tiles[LARGE] && !is_cuda(device->device))
        by_rule = &tiles[LARGE_OPENCL];
    product->plan.tile = *ask_tile(device, product, kind, by_rule);
    if (is_double && product->plan.tile.k > 16)
        product->plan.tile.k = 16;
    product->parts = find_parts(product, is_gradient, is_double);
}

/* A forward product is split where that fills a device that is mostly idle: what completes it is a launch
 * more, or a part of mlp_head. */
static void choose_split(const struct mlp_device *device, struct product *product)
{
    const struct tile *const tile = find_tile(product, UNITS, false, device->setup.is_double);
    if (2 * tiles_of(product, tile) > UNITS || product->parts < 2) {
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
        const uint32_t batch = (uint32_t)device->batch;
        layers[l][FORWARD] =
            (struct product){.plan = {.epilogue = 1,
                                      .activation = is_raw ? MLP_ACTIVATIONS : layer->activation,
                                      .slopes = !is_raw && device_stores_slopes(layer),
                                      .aligned = aligned,
                                      .transposed_b = true},
                             .m = batch,
                             .n = layer->outputs,
                             .k = layer->inputs};
        /* mlp_head sums those of the layer before it. */
        const bool sums_biases = !has_head || l + 1 < count;
        layers[l][GRADIENT] = (struct product){.plan = {.epilogue = sums_biases ? 3 : 0,
                                                        .activation = MLP_ACTIVATIONS,
                                                        .aligned = aligned,
                                                        .transposed_a = true},
                                               .m = layer->outputs,
                                               .n = layer->inputs,
                                               .k = batch};
        choose_tile(device, &layers[l][FORWARD], "forward");
        choose_split(device, &layers[l][FORWARD]);
        choose_tile(device, &layers[l][GRADIENT], "gradient");
        if (l == 0)
            continue;
        const bool slopes = device_stores_slopes(before);
        layers[l][BACKWARD] =
            (struct product){.plan = {.epilogue = 2,
                                      .activation = slopes ? MLP_ACTIVATIONS : before->activation,
                                      .slopes = slopes,
                                      .aligned = aligned},
                             .m = batch,
                             .n = layer->inputs,
                             .k = layer->outputs};
        choose_tile(device, &layers[l][BACKWARD], "backward");
    }
}

static enum shoal_status build(struct mlp_device *device, struct product *product, struct shoal_error *error)
{
    const struct plan *const plan = &product->plan;
    const struct tile *const tile = &plan->tile;
    const struct shoal_define stages = choose_define(device->device, &mlp_layer_program_desc, "STAGES", 2);
    const int64_t words = stages.value * tile->k * (tile->m + tile->n) * (device->setup.is_double ? 2 : 1);
    struct defines set = {
        .list = {{"ACTIVATION", plan->activation},
                 choose_define(device->device, &mlp_layer_program_desc, "AHEAD",
                               tile->m * tile->n >= (is_cuda(device->device) ? AHEAD_CUDA : AHEAD_OPENCL)),
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
        .count = 15};
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

/* Of a part of a sum: whole slices of the small tiles; long parts have those of the large ones, so that all
 * have nearly the same. */
static uint32_t terms_of(uint32_t all, uint32_t parts)
{
    const uint32_t unit = all / parts < LONG_PART ? TERMS : FEW_TERMS;
    return div_up(div_up(all, unit), parts) * unit;
}

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
                                     .part =
                                         planes ? terms_of(layer->inputs, product->parts) : layer->inputs};
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
                                     .plane = (device->base.net->parameters + 3) / 4 * 4,
                                     .m = layer->outputs,
                                     .n = layer->inputs,
                                     .k = step->count,
                                     .a_pitch = layer->delta_pitch,
                                     .b_pitch = layer->in_pitch,
                                     .c_pitch = layer->weight_pitch,
                                     .parts = product->parts,
                                     .part = terms_of(step->count, product->parts)};
    const struct mlp_product what = {.number = l, .columns = layer->inputs, .biases = layer->biases};
    const struct operands with = {.a = device->deltas, .b = device->values, .c = parts, .own = device->fixed};
    return run(products, product, &with, &shape, &what, error);
}
