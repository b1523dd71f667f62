/* Matrix products on CPUs, by cl/lib/gemm/gemm_serial.cl. */
#include "base/error.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "lib/gemm/gemm.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_gemm_serial, gemm_pack_a, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "copies A to panels of the rows of a tile"),
    ENTRY(lib_gemm_serial, gemm_pack_b, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "copies B to panels of the columns of a tile"),
    ENTRY(lib_gemm_serial, gemm_blocks, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "matrix product, a block of rows of a panel for each work-item"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_gemm_serial, ACTIVATION, 0, GEMM_SILU, "enum gemm_activation"),
    DEFINE(lib_gemm_serial, BLOCK, 1, 4096, "rows of a block, a multiple of MR"),
    DEFINE(lib_gemm_serial, KC, 1, 4096, "terms that are added at a time"),
    DEFINE(lib_gemm_serial, MR, 1, 16, "rows of a tile"),
    DEFINE(lib_gemm_serial, NR, 1, 64, "columns of a tile"),
    DEFINE(lib_gemm_serial, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(lib_gemm_serial, TRANS_A, 0, 1, "1: A is transposed"),
    DEFINE(lib_gemm_serial, TRANS_B, 0, 1, "1: B is transposed"),
    DEFINE(lib_gemm_serial, WG, 1, 256, "work-group size"),
    DEFINE(lib_gemm_serial, WIDE, 0, 1, "1: vectors of 64 bytes, of OpenCL C"),
};

const struct shoal_program_desc gemm_serial_program =
    PROGRAM("lib.gemm-serial", lib_gemm_serial, 0, defines, entries);

bool gemm_is_wide(struct shoal_device *device)
{
    enum { WIDE_FLOATS = 16 };
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return info->is_cpu && info->simd_width >= WIDE_FLOATS;
}

/* Chooses the sizes of tiles and panels and builds the program. A tile uses most of the vector registers: a
 * processor with vectors of 64 bytes has 32 of them, others 16. */
static enum shoal_status build(struct shoal_gemm *gemm, struct shoal_error *error)
{
    enum { BLOCK = 56 };
    struct gemm_serial *const serial = &gemm->serial;
    struct shoal_device *const device = gemm->device;
    const struct shoal_program_desc *const desc = &gemm_serial_program;
    const bool is_wide = gemm_is_wide(device);
    const struct shoal_define rows = choose_define(device, desc, "MR", is_wide ? 14 : 6);
    const struct shoal_define list[] = {
        {"ACTIVATION", gemm->params.activation},
        choose_define(device, desc, "BLOCK", BLOCK / rows.value * rows.value),
        choose_define(device, desc, "KC", 512),
        rows,
        choose_define(device, desc, "NR", (is_wide ? 32 : 16) / (gemm->is_double ? 2 : 1)),
        {"REAL", gemm->is_double ? 64 : 32},
        {"TRANS_A", gemm->params.transposed_a},
        {"TRANS_B", gemm->params.transposed_b},
        {"WG", 1},
        choose_define(device, desc, "WIDE", is_wide),
    };
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = list;
    params.define_count = COUNT(list);
    params.variant = gemm->params.variant;
    enum shoal_status status = shoal_program_create(device, desc, &params, &serial->program, error);
    if (!status)
        status = shoal_kernel_create(serial->program, "gemm_blocks", &serial->multiply, error);
    if (!status)
        status = shoal_kernel_create(serial->program, "gemm_pack_a", &serial->pack_a, error);
    if (!status)
        status = shoal_kernel_create(serial->program, "gemm_pack_b", &serial->pack_b, error);
    return status;
}

enum shoal_status gemm_serial_create(struct shoal_gemm *gemm, struct shoal_error *error)
{
    struct gemm_serial *const serial = &gemm->serial;
    enum shoal_status status = build(gemm, error);
    if (status)
        return status;
    serial->block = (uint32_t)shoal_program_define(serial->program, "BLOCK");
    serial->columns = (uint32_t)shoal_program_define(serial->program, "NR");
    serial->rows = (uint32_t)shoal_program_define(serial->program, "MR");
    if (serial->block % serial->rows)
        return fail(error, SHOAL_INVALID, "lib.gemm-serial: BLOCK=%u is no multiple of MR=%u",
                    (unsigned)serial->block, (unsigned)serial->rows);
    const size_t bytes = gemm->params.max_k * (gemm->is_double ? 8 : 4);
    status = shoal_buffer_create(gemm->device, bytes * rounded_up(gemm->params.max_m, serial->rows),
                                 &serial->panels_a, error);
    if (!status)
        status = shoal_buffer_create(gemm->device, bytes * rounded_up(gemm->params.max_n, serial->columns),
                                     &serial->panels_b, error);
    return status;
}

void gemm_serial_destroy(struct gemm_serial *serial)
{
    shoal_buffer_destroy(&serial->panels_a);
    shoal_buffer_destroy(&serial->panels_b);
    shoal_kernel_destroy(&serial->multiply);
    shoal_kernel_destroy(&serial->pack_a);
    shoal_kernel_destroy(&serial->pack_b);
    shoal_program_destroy(&serial->program);
}

/* Number of work-items that pack an operand with `terms` values of k and `numbers` rows or columns, in panels
 * of `width`. together: number of panels that a work-item packs. */
static size_t packers(uint32_t terms, uint32_t numbers, uint32_t width, uint32_t together)
{
    return (size_t)div_up(terms, GEMM_TERMS) * div_up(numbers, width * together);
}

static enum shoal_status pack(const struct shoal_gemm *gemm, const struct gemm_run *run,
                              struct shoal_error *error)
{
    const struct gemm_serial *const serial = &gemm->serial;
    const struct gemm_shape *const shape = &run->shape;
    const uint32_t together_a = gemm->params.transposed_a ? GEMM_PANELS : 1,
                   together_b = gemm->params.transposed_b ? 1 : GEMM_PANELS;
    if (shape->k == 0)
        return SHOAL_OK;
    const enum shoal_status status =
        LAUNCH(gemm_pack_a, run->queue, serial->pack_a, packers(shape->k, shape->m, serial->rows, together_a),
               error, .a = run->a, .packed = serial->panels_a, .shape = shape);
    if (status)
        return status;
    return LAUNCH(gemm_pack_b, run->queue, serial->pack_b,
                  packers(shape->k, shape->n, serial->columns, together_b), error, .b = run->b,
                  .packed = serial->panels_b, .shape = shape);
}

enum shoal_status gemm_serial_run(struct shoal_gemm *gemm, const struct gemm_run *run,
                                  struct shoal_error *error)
{
    const struct gemm_serial *const serial = &gemm->serial;
    const struct gemm_shape *const shape = &run->shape;
    const size_t groups = (size_t)div_up(shape->m, serial->block) * div_up(shape->n, serial->columns);
    const enum shoal_status status = pack(gemm, run, error);
    if (status)
        return status;
    return LAUNCH(gemm_blocks, run->queue, serial->multiply, groups, error, .a = serial->panels_a,
                  .b = serial->panels_b, .c = run->c, .bias = run->bias, .shape = shape,
                  .bias_place = run->bias_place, .alpha = run->alpha, .beta = run->beta,
                  .slope = gemm->params.slope);
}
