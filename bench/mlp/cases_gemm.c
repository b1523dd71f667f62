/* Square matrix products in single precision, neither operand transposed.
 *
 * Each kernel text is built for several tiles; the fastest is the row, and the rates of all are further
 * figures of it, named by the tile: rows x columns x terms of a slice on GPUs, rows x columns of the
 * registers on CPUs. The roof is the rate of fused multiplications and additions.
 */
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

#include "cl/mlp/methods/gemm_layout.clh"

enum { MOST_DEFINES = 8, REPEATS = 3, CHECKED = 512 };

struct variant {
    const char *name;
    struct shoal_define defines[MOST_DEFINES]; /* ended by one without a name */
};

/* ROOM holds two slices of BK x (BM + BN) numbers. On CUDA MIN_GROUPS limits registers; OpenCL has no such
 * means. */
static const struct variant tiled[] = {
    {"64x64x16", {{"BM", 64}, {"BN", 64}, {"BK", 16}, {"ROOM", 4096}, {"MIN_GROUPS", 2}}},
    {"128x64x16", {{"BM", 128}, {"BN", 64}, {"BK", 16}, {"ROOM", 6144}, {"WG", 128}, {"MIN_GROUPS", 3}}},
    {"128x128x8", {{"BM", 128}, {"BN", 128}, {"BK", 8}, {"ROOM", 4096}, {"MIN_GROUPS", 2}}},
    {"128x128x16", {{"BM", 128}, {"BN", 128}, {"BK", 16}, {"ROOM", 8192}, {"MIN_GROUPS", 2}}},
    {"128x128x16-free", {{"BM", 128}, {"BN", 128}, {"BK", 16}, {"ROOM", 8192}}},
    {"128x256x8", {{"BM", 128}, {"BN", 256}, {"BK", 8}, {"ROOM", 6144}}},
    {"128x256x16", {{"BM", 128}, {"BN", 256}, {"BK", 16}, {"ROOM", 12288}}},
    {"256x128x8", {{"BM", 256}, {"BN", 128}, {"BK", 8}, {"ROOM", 6144}}},
    {"256x128x8-ahead", {{"BM", 256}, {"BN", 128}, {"BK", 8}, {"ROOM", 6144}, {"AHEAD", 1}}},
    {"256x128x16", {{"BM", 256}, {"BN", 128}, {"BK", 16}, {"ROOM", 12288}}},
};
static const struct variant serial[] = {
    {"6x16", {{"MR", 6}, {"NR", 16}}},
    {"6x32", {{"MR", 6}, {"NR", 32}}},
    {"6x32-wide", {{"MR", 6}, {"NR", 32}, {"WIDE", 1}}},
    {"12x32-wide", {{"MR", 12}, {"NR", 32}, {"WIDE", 1}}},
    {"14x32-wide", {{"MR", 14}, {"NR", 32}, {"WIDE", 1}, {"BLOCK", 56}}},
};

struct gemm {
    uint32_t n;
    bool is_serial;
    struct variant best;
    struct shoal_program *program;
    struct shoal_kernel *multiply, *pack_a, *pack_b;
    struct shoal_buffer *a, *b, *c, *panels_a, *panels_b;
    float *host_a, *host_b, *host_c;
};

static void release(struct gemm *gemm)
{
    shoal_kernel_destroy(&gemm->multiply);
    shoal_kernel_destroy(&gemm->pack_a);
    shoal_kernel_destroy(&gemm->pack_b);
    shoal_program_destroy(&gemm->program);
    shoal_buffer_destroy(&gemm->panels_a);
    shoal_buffer_destroy(&gemm->panels_b);
}

static void destroy(struct bench *bench)
{
    struct gemm *gemm = bench->state;
    if (!gemm)
        return;
    release(gemm);
    shoal_buffer_destroy(&gemm->a);
    shoal_buffer_destroy(&gemm->b);
    shoal_buffer_destroy(&gemm->c);
    free(gemm->host_a);
    free(gemm->host_b);
    free(gemm->host_c);
    free(gemm);
    bench->state = NULL;
}

static size_t rounded(uint32_t n, int64_t by)
{
    return (n + (size_t)by - 1) / (size_t)by * (size_t)by;
}

static enum shoal_status build(struct bench *bench, const struct variant *variant, struct shoal_error *error)
{
    struct gemm *gemm = bench->state;
    struct shoal_define defines[MOST_DEFINES + 1] = {{"ALIGNED", 1}};
    size_t count = gemm->is_serial ? 0 : 1;
    for (size_t i = 0; i < MOST_DEFINES && variant->defines[i].name; i++)
        defines[count++] = variant->defines[i];
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = count;
    params.variant = bench->variant;
    const struct shoal_program_desc *desc = bench_program(gemm->is_serial ? "mlp.gemm-serial" : "mlp.gemm");
    if (!desc)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the library has no matrix products");
    release(gemm);
    enum shoal_status status = shoal_program_create(bench->device, desc, &params, &gemm->program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(gemm->program, gemm->is_serial ? "gemm_blocks" : "gemm_tiles",
                                     &gemm->multiply, error);
    if (status != SHOAL_OK || !gemm->is_serial)
        return status;
    status = shoal_kernel_create(gemm->program, "gemm_pack_a", &gemm->pack_a, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(gemm->program, "gemm_pack_b", &gemm->pack_b, error);
    const size_t row = gemm->n * sizeof(float);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device,
                                     rounded(gemm->n, shoal_program_define(gemm->program, "MR")) * row,
                                     &gemm->panels_a, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device,
                                     rounded(gemm->n, shoal_program_define(gemm->program, "NR")) * row,
                                     &gemm->panels_b, error);
    return status;
}

static size_t pieces(const struct gemm *gemm, const char *define)
{
    const int64_t size = shoal_program_define(gemm->program, define);
    return rounded(gemm->n, size) / (size_t)size;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct gemm *gemm = bench->state;
    const uint32_t n = gemm->n;
    const struct gemm_shape shape = {
        .m = n, .n = n, .k = n, .a_pitch = n, .b_pitch = n, .c_pitch = n, .parts = 1, .part = n};
    const struct shoal_arg scalars = shoal_arg_struct(&shape, sizeof shape);
    const bool is_serial = gemm->is_serial;
    const struct shoal_arg pack_a[] = {shoal_arg_buffer(gemm->a), shoal_arg_buffer(gemm->panels_a), scalars},
                           pack_b[] = {shoal_arg_buffer(gemm->b), shoal_arg_buffer(gemm->panels_b), scalars},
                           all[] = {shoal_arg_buffer(is_serial ? gemm->panels_a : gemm->a),
                                    shoal_arg_buffer(is_serial ? gemm->panels_b : gemm->b),
                                    shoal_arg_buffer(gemm->c), scalars};
    if (!is_serial)
        return shoal_launch(bench->queue, gemm->multiply, pieces(gemm, "BM") * pieces(gemm, "BN"), all, 4,
                            NULL, error);
    const size_t slices = pieces(gemm, "KC"), panels_n = pieces(gemm, "NR");
    enum shoal_status status =
        shoal_launch(bench->queue, gemm->pack_a, slices * pieces(gemm, "MR"), pack_a, 3, NULL, error);
    if (status == SHOAL_OK)
        status = shoal_launch(bench->queue, gemm->pack_b, slices * panels_n, pack_b, 3, NULL, error);
    if (status == SHOAL_OK)
        status =
            shoal_launch(bench->queue, gemm->multiply, panels_n * pieces(gemm, "BLOCK"), all, 4, NULL, error);
    return status;
}

static enum shoal_status time_variant(struct bench *bench, const struct variant *variant, double *seconds,
                                      struct shoal_error *error)
{
    enum shoal_status status = build(bench, variant, error);
    *seconds = (double)INFINITY;
    for (int i = 0; i <= REPEATS && status == SHOAL_OK; i++) {
        const double start = bench_seconds();
        status = run(bench, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(bench->queue, error);
        if (i > 0) /* drivers may compile in the first launch */
            *seconds = fmin(*seconds, bench_seconds() - start);
    }
    return status;
}

/* Variants that the device cannot build are left out. */
static enum shoal_status choose(struct bench *bench, struct shoal_error *error)
{
    struct gemm *gemm = bench->state;
    const struct variant *variants = gemm->is_serial ? serial : tiled, *best = NULL;
    const size_t count = gemm->is_serial ? sizeof serial / sizeof *serial : sizeof tiled / sizeof *tiled;
    double least = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        double seconds;
        struct shoal_error reason;
        const enum shoal_status status = time_variant(bench, &variants[i], &seconds, &reason);
        if (status == SHOAL_UNSUPPORTED || status == SHOAL_BUILD_FAILED)
            continue;
        if (status != SHOAL_OK)
            return bench_fail(error, status, "%s: %s", variants[i].name, reason.message);
        bench_uses(bench, gemm->program);
        bench_add_figure(bench, variants[i].name, "flop/s", bench->work / seconds);
        if (seconds < least) {
            least = seconds;
            best = &variants[i];
        }
    }
    if (!best)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the device takes none of the tiles");
    return build(bench, best, error);
}

static enum shoal_status create_matrices(struct bench *bench, struct shoal_error *error)
{
    struct gemm *gemm = bench->state;
    const size_t count = (size_t)gemm->n * gemm->n, bytes = count * sizeof(float);
    gemm->host_a = malloc(bytes);
    gemm->host_b = malloc(bytes);
    gemm->host_c = malloc(bytes);
    if (!gemm->host_a || !gemm->host_b || !gemm->host_c)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for 3 x %zu bytes on the host", bytes);
    for (size_t i = 0; i < count; i++) {
        gemm->host_a[i] = shoal_uniform_float((uint32_t)i * 2654435761u) - 0.5f;
        gemm->host_b[i] = shoal_uniform_float((uint32_t)i * 2246822519u + 1) - 0.5f;
    }
    enum shoal_status status = shoal_buffer_create(bench->device, bytes, &gemm->a, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, bytes, &gemm->b, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, bytes, &gemm->c, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, gemm->a, 0, gemm->host_a, bytes, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, gemm->b, 0, gemm->host_b, bytes, error);
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    const bool is_cpu = info->is_cpu && !info->is_gpu;
    const uint32_t n = *(const uint32_t *)bench->data;
    if (is_cpu != (n <= 2048))
        return bench_fail(error, SHOAL_UNSUPPORTED, "this size is for %s", is_cpu ? "GPUs" : "CPUs");
    struct gemm *gemm = bench->state = calloc(1, sizeof *gemm);
    if (!gemm)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    gemm->n = n;
    gemm->is_serial = is_cpu;
    bench->work = bench->roof_work = 2.0 * n * n * n;
    enum shoal_status status = create_matrices(bench, error);
    return status == SHOAL_OK ? choose(bench, error) : status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *result, struct shoal_error *error)
{
    struct gemm *gemm = bench->state;
    const size_t n = gemm->n;
    enum shoal_status status =
        shoal_buffer_read(bench->queue, gemm->c, 0, gemm->host_c, n * n * sizeof(float), error);
    if (status != SHOAL_OK)
        return status;
    result->passed = true;
    for (size_t i = 0; i < CHECKED; i++) {
        const size_t row = i * 2654435761u % n, column = i * 2246822519u % n;
        double sum = 0, squares = 0;
        for (size_t k = 0; k < n; k++) {
            const double term = (double)gemm->host_a[row * n + k] * (double)gemm->host_b[k * n + column];
            sum += term;
            squares += term * term;
        }
        /* Relative to the root of the sum of squares, the size of a sum of random terms. */
        const double deviation = fabs((double)gemm->host_c[row * n + column] - sum) / sqrt(squares);
        if (!(deviation <= result->error))
            result->error = deviation;
        if (!(deviation <= 1e-4) && result->passed) {
            result->passed = false;
            snprintf(result->detail, sizeof result->detail, "row %zu, column %zu: %g, not %g", row, column,
                     (double)gemm->host_c[row * n + column], sum);
        }
    }
    return SHOAL_OK;
}

static const uint32_t size_gpu = 4096, size_cpu = 2048;
static const struct bench_ops ops = {create, NULL, run, check, destroy, NULL};

static const struct bench_case cases[] = {
    {.name = "mlp.gemm.sgemm-4096",
     .help = "product of two 4096 x 4096 matrices by the fastest of several tiles, GPUs",
     .unit = "flop/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .device = &ops,
     .data = &size_gpu},
    {.name = "mlp.cpu.sgemm-2048",
     .help = "product of two 2048 x 2048 matrices by the fastest of several tiles, packing included, CPUs",
     .unit = "flop/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .device = &ops,
     .data = &size_cpu},
};

const struct bench_case_list bench_gemm_cases = {cases, sizeof cases / sizeof *cases};
