#include "mlp/methods/gemm.h"
#include "compute/launch.h"

#include "base/error.h"
#include "base/integer.h"
#include "cl/mlp/methods/gemm_layout.clh"
#include "compute/device.h"
#include "compute/tune.h"

#include <stdlib.h>

extern const struct shoal_program_desc mlp_gemm_program_desc, mlp_gemm_serial_program_desc;

struct mlp_gemm {
    struct mlp_gemm_setup setup;
    bool is_serial;
    size_t bytes; /* of a number */
    struct shoal_program *program;
    struct shoal_kernel *multiply, *sum, *pack_a, *pack_b; /* sum: for GPUs; pack: for CPUs */
    struct shoal_buffer *parts, *panels_a, *panels_b;
    uint32_t tile_m, tile_n, step; /* rows and columns of a work-group's piece of C, terms added at a time */
    uint32_t panel_m, panel_n;     /* CPUs: rows of a panel of A, columns of a panel of B */
};

/* Tiles ------------------------------------------------------------------------------------------------ */

struct tile {
    int64_t m, n, k, room; /* room: words of local memory */
};

static uint64_t tiles(const struct mlp_gemm_setup *setup, int64_t m, int64_t n)
{
    return (uint64_t)div_up(setup->m, (uint32_t)m) * div_up(setup->n, (uint32_t)n);
}

/* The largest tile of which there are enough to fill the device. Work-items of a large tile do more for each
 * number that they read; each work-item of 32 x 32 has a number of its own even in the smallest groups. */
static struct tile choose_tile(const struct mlp_gemm_setup *setup, int64_t work_group)
{
    const struct shoal_device_info *info = shoal_device_get_info(setup->device);
    const struct shoal_program_desc *desc = &mlp_gemm_program_desc;
    struct tile tile = {64, 64, setup->is_double ? 8 : 16, 0};
    if (work_group < 256)
        tile = (struct tile){32, 32, 8, 0};
    else if (!setup->is_double && tiles(setup, 128, 256) >= info->units && info->local_mem >= 48 << 10)
        tile = (struct tile){128, 256, 16, 0};
    else if (!setup->is_double && tiles(setup, 128, 128) >= info->units)
        tile = (struct tile){128, 128, 16, 0};
    tile.m = choose_define(setup->device, desc, "BM", tile.m).value;
    tile.n = choose_define(setup->device, desc, "BN", tile.n).value;
    tile.k = choose_define(setup->device, desc, "BK", tile.k).value;
    tile.room = choose_define(setup->device, desc, "STAGES", 2).value * tile.k * (tile.m + tile.n) *
                (setup->is_double ? 2 : 1);
    return tile;
}

static enum shoal_status build_tiled(struct mlp_gemm *gemm, struct shoal_error *error)
{
    const struct mlp_gemm_setup *setup = &gemm->setup;
    const struct shoal_device_info *info = shoal_device_get_info(setup->device);
    int64_t work_group = choose_define(setup->device, &mlp_gemm_program_desc, "WG", 256).value;
    while (work_group > info->max_work_group && work_group > 1)
        work_group /= 2;
    const struct tile tile = choose_tile(setup, work_group);
    const struct shoal_define defines[] = {
        choose_define(setup->device, &mlp_gemm_program_desc, "AHEAD", is_cuda(setup->device)),
        {"ALIGNED", setup->is_aligned},
        {"BK", tile.k},
        {"BM", tile.m},
        {"BN", tile.n},
        choose_define(setup->device, &mlp_gemm_program_desc, "MIN_GROUPS",
                      tile.m * tile.n <= 128 * 128 ? 2 : 1),
        {"REAL", setup->is_double ? 64 : 32},
        {"ROOM", tile.room},
        choose_define(setup->device, &mlp_gemm_program_desc, "STAGES", 2),
        {"TRANS_A", setup->transposed_a},
        {"TRANS_B", setup->transposed_b},
        {"WG", work_group},
    };
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = COUNT(defines);
    params.variant = setup->variant;
    enum shoal_status status =
        shoal_program_create(setup->device, &mlp_gemm_program_desc, &params, &gemm->program, error);
    if (!status)
        status = shoal_kernel_create(gemm->program, "gemm_tiles", &gemm->multiply, error);
    if (!status)
        status = shoal_kernel_create(gemm->program, "gemm_sum", &gemm->sum, error);
    gemm->tile_m = (uint32_t)tile.m;
    gemm->tile_n = (uint32_t)tile.n;
    gemm->step = (uint32_t)tile.k;
    if (!status && setup->max_parts > 1)
        status = shoal_buffer_create(
            setup->device, gemm->bytes * setup->max_parts * setup->m * (((size_t)setup->n + 3) / 4 * 4),
            &gemm->parts, error);
    return status;
}

bool mlp_gemm_is_wide(struct shoal_device *device)
{
    enum { WIDE_FLOATS = 16 };
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return info->is_cpu && info->simd_width >= WIDE_FLOATS;
}

/* Vectors of 64 bytes have 32 registers, shorter ones 16: a tile takes most of them. */
static enum shoal_status build_serial(struct mlp_gemm *gemm, struct shoal_error *error)
{
    enum { BLOCK = 56 };
    const struct mlp_gemm_setup *setup = &gemm->setup;
    const bool is_wide = mlp_gemm_is_wide(setup->device);
    const struct shoal_program_desc *desc = &mlp_gemm_serial_program_desc;
    const struct shoal_define rows = choose_define(setup->device, desc, "MR", is_wide ? 14 : 6);
    const struct shoal_define defines[] = {
        choose_define(setup->device, desc, "BLOCK", BLOCK / rows.value * rows.value),
        choose_define(setup->device, desc, "KC", 512),
        rows,
        choose_define(setup->device, desc, "NR", (is_wide ? 32 : 16) / (setup->is_double ? 2 : 1)),
        {"REAL", setup->is_double ? 64 : 32},
        {"TRANS_A", setup->transposed_a},
        {"TRANS_B", setup->transposed_b},
        {"WG", 1},
        choose_define(setup->device, desc, "WIDE", is_wide),
    };
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = COUNT(defines);
    params.variant = setup->variant;
    enum shoal_status status = shoal_program_create(setup->device, desc, &params, &gemm->program, error);
    if (!status)
        status = shoal_kernel_create(gemm->program, "gemm_blocks", &gemm->multiply, error);
    if (!status)
        status = shoal_kernel_create(gemm->program, "gemm_pack_a", &gemm->pack_a, error);
    if (!status)
        status = shoal_kernel_create(gemm->program, "gemm_pack_b", &gemm->pack_b, error);
    if (status)
        return status;
    gemm->tile_m = (uint32_t)shoal_program_define(gemm->program, "BLOCK");
    gemm->tile_n = gemm->panel_n = (uint32_t)shoal_program_define(gemm->program, "NR");
    gemm->panel_m = (uint32_t)shoal_program_define(gemm->program, "MR");
    gemm->step = (uint32_t)shoal_program_define(gemm->program, "KC");
    if (gemm->tile_m % gemm->panel_m)
        return fail(error, SHOAL_INVALID, "mlp.gemm-serial: BLOCK=%u is no multiple of MR=%u",
                    (unsigned)gemm->tile_m, (unsigned)gemm->panel_m);
    const size_t panels_m = div_up(setup->m, gemm->panel_m), panels_n = div_up(setup->n, gemm->panel_n);
    status = shoal_buffer_create(setup->device, gemm->bytes * panels_m * gemm->panel_m * setup->k,
                                 &gemm->panels_a, error);
    if (!status)
        status = shoal_buffer_create(setup->device, gemm->bytes * panels_n * gemm->panel_n * setup->k,
                                     &gemm->panels_b, error);
    return status;
}

enum shoal_status mlp_gemm_create(const struct mlp_gemm_setup *setup, struct mlp_gemm **out,
                                  struct shoal_error *error)
{
    *out = NULL;
    if (!setup->m || !setup->n || !setup->k)
        return fail(error, SHOAL_INVALID, "matrix product: %u x %u times %u x %u has no numbers",
                    (unsigned)setup->m, (unsigned)setup->k, (unsigned)setup->k, (unsigned)setup->n);
    struct mlp_gemm *gemm = calloc(1, sizeof *gemm);
    if (!gemm)
        return fail_host_memory(error);
    gemm->setup = *setup;
    gemm->bytes = setup->is_double ? 8 : 4;
    gemm->is_serial =
        setup->text == MLP_GEMM_AUTO ? is_plain_cpu(setup->device) : setup->text == MLP_GEMM_SERIAL;
    enum shoal_status status = gemm->is_serial ? build_serial(gemm, error) : build_tiled(gemm, error);
    if (status)
        mlp_gemm_destroy(&gemm);
    *out = gemm;
    return status;
}

void mlp_gemm_destroy(struct mlp_gemm **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct mlp_gemm *gemm = *pointer;
    *pointer = NULL;
    shoal_buffer_destroy(&gemm->parts);
    shoal_buffer_destroy(&gemm->panels_a);
    shoal_buffer_destroy(&gemm->panels_b);
    shoal_kernel_destroy(&gemm->multiply);
    shoal_kernel_destroy(&gemm->sum);
    shoal_kernel_destroy(&gemm->pack_a);
    shoal_kernel_destroy(&gemm->pack_b);
    shoal_program_destroy(&gemm->program);
    free(gemm);
}

const struct shoal_program *mlp_gemm_program(const struct mlp_gemm *gemm)
{
    return gemm->program;
}

/* Runs ------------------------------------------------------------------------------------------------- */

static enum shoal_status check_matrix(const struct mlp_gemm *gemm, const char *name,
                                      const struct mlp_matrix *matrix, uint32_t rows, uint32_t columns,
                                      struct shoal_error *error)
{
    const bool is_aligned = gemm->setup.is_aligned;
    const uint32_t width = is_aligned ? (columns + 3) / 4 * 4 : columns;
    if (!matrix->buffer)
        return fail(error, SHOAL_INVALID, "matrix product: %s is NULL", name);
    if (matrix->pitch < width || matrix->pitch > MLP_GEMM_PITCH ||
        (is_aligned && (matrix->pitch % 4 || matrix->place % 4)))
        return fail(error, SHOAL_INVALID,
                    "matrix product: a pitch of %u at %llu does not suit %s of %u columns",
                    (unsigned)matrix->pitch, (unsigned long long)matrix->place, name, (unsigned)columns);
    const uint64_t numbers = shoal_buffer_size(matrix->buffer) / gemm->bytes;
    const uint64_t needed = (uint64_t)(rows - 1) * matrix->pitch + width;
    if (numbers < needed || matrix->place > numbers - needed)
        return fail(
            error, SHOAL_INVALID, "matrix product: %s needs %llu numbers from %llu on, its buffer has %llu",
            name, (unsigned long long)needed, (unsigned long long)matrix->place, (unsigned long long)numbers);
    return SHOAL_OK;
}

static enum shoal_status check(const struct mlp_gemm *gemm, const struct mlp_gemm_args *args,
                               struct shoal_error *error)
{
    const struct mlp_gemm_setup *setup = &gemm->setup;
    if (!args->m || !args->n || !args->k || args->m > setup->m || args->n > setup->n || args->k > setup->k ||
        (args->parts > 1 && args->parts > setup->max_parts))
        return fail(error, SHOAL_INVALID,
                    "matrix product: %u x %u times %u x %u in %u parts, built for up to "
                    "%u x %u times %u x %u in %u",
                    (unsigned)args->m, (unsigned)args->k, (unsigned)args->k, (unsigned)args->n,
                    (unsigned)args->parts, (unsigned)setup->m, (unsigned)setup->k, (unsigned)setup->k,
                    (unsigned)setup->n, (unsigned)setup->max_parts);
    const bool a = setup->transposed_a, b = setup->transposed_b;
    enum shoal_status status =
        check_matrix(gemm, "A", &args->a, a ? args->k : args->m, a ? args->m : args->k, error);
    if (!status)
        status = check_matrix(gemm, "B", &args->b, b ? args->n : args->k, b ? args->k : args->n, error);
    if (!status)
        status = check_matrix(gemm, "C", &args->c, args->m, args->n, error);
    if (!status && (args->c.buffer == args->a.buffer || args->c.buffer == args->b.buffer))
        status = fail(error, SHOAL_INVALID, "matrix product: C lies in the buffer of an operand");
    return status;
}

static enum shoal_status run_serial(struct mlp_gemm *gemm, struct shoal_queue *queue,
                                    const struct mlp_gemm_args *args, const struct gemm_shape *shape,
                                    struct shoal_error *error)
{
    const size_t pieces = div_up(args->k, gemm->step), panels_n = div_up(args->n, gemm->panel_n);
    enum shoal_status status =
        LAUNCH(gemm_pack_a, queue, gemm->pack_a, pieces * div_up(args->m, gemm->panel_m), error,
               .a = args->a.buffer, .packed = gemm->panels_a, .shape = shape);
    if (!status)
        status = LAUNCH(gemm_pack_b, queue, gemm->pack_b, pieces * panels_n, error, .b = args->b.buffer,
                        .packed = gemm->panels_b, .shape = shape);
    if (!status)
        status = LAUNCH(gemm_blocks, queue, gemm->multiply, panels_n * div_up(args->m, gemm->tile_m), error,
                        .a = gemm->panels_a, .b = gemm->panels_b, .c = args->c.buffer, .shape = shape);
    return status;
}

static enum shoal_status run_tiled(struct mlp_gemm *gemm, struct shoal_queue *queue,
                                   const struct mlp_gemm_args *args, struct gemm_shape *shape,
                                   struct shoal_error *error)
{
    const uint64_t groups = (uint64_t)div_up(args->m, gemm->tile_m) * div_up(args->n, gemm->tile_n);
    /* Parts are whole slices: fewer where there are not as many. */
    const uint32_t slices = div_up(args->k, gemm->step);
    const uint32_t part = div_up(slices, args->parts > 1 ? args->parts : 1);
    shape->parts = div_up(slices, part);
    shape->part = part * gemm->step;
    if (shape->parts == 1)
        return LAUNCH(gemm_tiles, queue, gemm->multiply, groups, error, .a = args->a.buffer,
                      .b = args->b.buffer, .c = args->c.buffer, .shape = shape);
    struct gemm_shape split = *shape;
    split.c = 0;
    split.c_pitch = (args->n + 3) / 4 * 4;
    split.plane = (uint64_t)args->m * split.c_pitch;
    enum shoal_status status =
        LAUNCH(gemm_tiles, queue, gemm->multiply, groups * split.parts, error, .a = args->a.buffer,
               .b = args->b.buffer, .c = gemm->parts, .shape = &split);
    if (status)
        return status;
    shape->part_pitch = split.c_pitch;
    shape->plane = split.plane;
    return LAUNCH(gemm_sum, queue, gemm->sum, shoal_kernel_groups(gemm->sum, (size_t)args->m * args->n),
                  error, .parts = gemm->parts, .c = args->c.buffer, .shape = shape);
}

enum shoal_status mlp_gemm_run(struct mlp_gemm *gemm, struct shoal_queue *queue,
                               const struct mlp_gemm_args *args, struct shoal_error *error)
{
    enum shoal_status status = check(gemm, args, error);
    if (status)
        return status;
    struct gemm_shape shape = {.a = args->a.place,
                               .b = args->b.place,
                               .c = args->c.place,
                               .m = args->m,
                               .n = args->n,
                               .k = args->k,
                               .a_pitch = args->a.pitch,
                               .b_pitch = args->b.pitch,
                               .c_pitch = args->c.pitch,
                               .parts = 1,
                               .part = args->k};
    return gemm->is_serial ? run_serial(gemm, queue, args, &shape, error)
                           : run_tiled(gemm, queue, args, &shape, error);
}
