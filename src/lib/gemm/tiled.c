/* Matrix products on GPUs, by cl/lib/gemm/gemm.cl. */
#include "lib/gemm/gemm.h"

#include "compute/launch.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_gemm, gemm_tiles, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS, .help = "matrix product, a tile for each work-group"),
    ENTRY(lib_gemm, gemm_sum, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "adds the parts of a product whose sum over k is divided"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_gemm, ACTIVATION, 0, GEMM_SILU, "enum gemm_activation"),
    GEMM_TILE_CONTRACT(lib_gemm),
};

const struct shoal_program_desc gemm_program = PROGRAM("lib.gemm", lib_gemm, 0, defines, entries);

static enum shoal_status build(struct shoal_gemm *gemm, int form, struct shoal_error *error)
{
    struct gemm_tiled *const tiled = &gemm->tiled;
    struct shoal_define list[4 + GEMM_TILE_DEFINES] = {{"ACTIVATION", gemm->params.activation},
                                                       {"ALIGNED", form == GEMM_ALIGNED},
                                                       {"TRANS_A", gemm->params.transposed_a},
                                                       {"TRANS_B", gemm->params.transposed_b}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = list;
    params.define_count =
        4 + gemm_tile_defines(gemm->device, &gemm_program, &tiled->tile, gemm->is_double, list + 4);
    params.variant = gemm->params.variant;
    enum shoal_status status =
        shoal_program_create(gemm->device, &gemm_program, &params, &tiled->programs[form], error);
    if (!status)
        status = shoal_kernel_create(tiled->programs[form], "gemm_tiles", &tiled->multiply[form], error);
    return status;
}

/* Creates the buffer of partial sums, for the largest product that is split into parts. */
static enum shoal_status create_parts(struct shoal_gemm *gemm, const struct gemm_sizes *sizes,
                                      struct shoal_error *error)
{
    const size_t numbers = gemm_most_part_numbers(sizes);
    return numbers == 0 ? SHOAL_OK
                        : shoal_buffer_create(gemm->device, numbers * (gemm->is_double ? 8 : 4),
                                              &gemm->tiled.parts, error);
}

enum shoal_status gemm_tiled_create(struct shoal_gemm *gemm, struct shoal_error *error)
{
    struct gemm_tiled *const tiled = &gemm->tiled;
    const struct shoal_gemm_params *const params = &gemm->params;
    const struct gemm_sizes sizes = {(uint32_t)params->max_m, (uint32_t)params->max_n,
                                     (uint32_t)params->max_k, params->transposed_a || params->transposed_b};
    tiled->tile =
        gemm_choose_tile(gemm->device, &gemm_program, "", &sizes, GEMM_SPLIT_TO_FILL, gemm->is_double);
    enum shoal_status status = SHOAL_OK;
    for (int form = 0; form < GEMM_TILED_FORMS && !status; form++)
        status = build(gemm, form, error);
    if (!status)
        status = shoal_kernel_create(tiled->programs[GEMM_ANY], "gemm_sum", &tiled->sum, error);
    return status ? status : create_parts(gemm, &sizes, error);
}

void gemm_tiled_destroy(struct gemm_tiled *tiled)
{
    shoal_buffer_destroy(&tiled->parts);
    shoal_kernel_destroy(&tiled->sum);
    for (int form = 0; form < GEMM_TILED_FORMS; form++) {
        shoal_kernel_destroy(&tiled->multiply[form]);
        shoal_program_destroy(&tiled->programs[form]);
    }
}

/* Computes the product in `c`: the buffer of the result or, if the product is split into parts over k, the
 * buffer of partial sums. */
static enum shoal_status multiply(struct shoal_gemm *gemm, const struct gemm_run *run, struct shoal_buffer *c,
                                  const struct gemm_shape *shape, struct shoal_error *error)
{
    const size_t groups = gemm_tile_groups(&gemm->tiled.tile, shape->m, shape->n) * shape->parts;
    return LAUNCH(gemm_tiles, run->queue, gemm->tiled.multiply[run->is_aligned ? GEMM_ALIGNED : GEMM_ANY],
                  groups, error, .a = run->a, .b = run->b, .c = c, .bias = run->bias, .shape = shape,
                  .bias_place = run->bias_place, .alpha = run->alpha, .beta = run->beta,
                  .slope = gemm->params.slope);
}

enum shoal_status gemm_tiled_run(struct shoal_gemm *gemm, const struct gemm_run *run,
                                 struct shoal_error *error)
{
    struct gemm_shape shape = run->shape;
    const struct gemm_sizes sizes = {shape.m, shape.n, shape.k, false};
    shape.parts = gemm_parts_to_fill(&sizes, gemm->is_double);
    shape.part = shape.parts > 1 ? gemm_part_terms(shape.k, shape.parts) : shape.k;
    if (shape.parts == 1)
        return multiply(gemm, run, run->c, &shape, error);
    struct gemm_shape split = shape;
    split.c = 0;
    split.c_pitch = shape.part_pitch = (uint32_t)rounded_up(shape.n, 4);
    split.plane = shape.plane = (uint64_t)shape.m * split.c_pitch;
    const enum shoal_status status = multiply(gemm, run, gemm->tiled.parts, &split, error);
    if (status)
        return status;
    return LAUNCH(gemm_sum, run->queue, gemm->tiled.sum,
                  shoal_kernel_groups(gemm->tiled.sum, (size_t)shape.m * shape.n), error,
                  .parts = gemm->tiled.parts, .c = run->c, .bias = run->bias, .shape = &shape,
                  .bias_place = run->bias_place, .alpha = run->alpha, .beta = run->beta,
                  .slope = gemm->params.slope);
}
