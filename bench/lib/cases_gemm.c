/* Matrix products by shoal_gemm, of random numbers in -1/2 .. 1/2.
 *
 * The letters behind a size say which operand is transposed: tn is A, nt is B. `odd` sizes have rows that
 * begin at no multiple of four numbers. The roof is the rate of fused multiplications and additions.
 */
#include "bench/lib/host_lib.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/primitives.h>
#include <shoal/rng.h>
#include <stdlib.h>

enum { CHECKED = 512 };

struct size {
    size_t m, n, k;
    bool is_double, transposed_a, transposed_b;
    bool has_bias; /* with a bias, and ReLU after the sum */
};

struct product {
    const struct size *size;
    struct shoal_gemm *gemm;
    struct shoal_buffer *a, *b, *c, *bias;
    float *host_a, *host_b, *host_c, *host_bias; /* the bias has n numbers */
};

static void destroy(struct bench *bench)
{
    struct product *product = bench->state;
    if (!product)
        return;
    shoal_gemm_destroy(&product->gemm);
    shoal_buffer_destroy(&product->a);
    shoal_buffer_destroy(&product->b);
    shoal_buffer_destroy(&product->c);
    shoal_buffer_destroy(&product->bias);
    free(product->host_a);
    free(product->host_b);
    free(product->host_c);
    free(product->host_bias);
    free(product);
    bench->state = NULL;
}

static enum shoal_status no_memory(struct shoal_error *error)
{
    return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the matrices on the host");
}

static size_t bytes_of(const struct size *size)
{
    return size->is_double ? sizeof(double) : sizeof(float);
}

/* Makes `count` random numbers, on the device in the precision of the product. */
static enum shoal_status create_numbers(struct bench *bench, size_t count, uint32_t factor,
                                        struct shoal_buffer **buffer, float **host, struct shoal_error *error)
{
    const struct product *product = bench->state;
    const size_t bytes = count * bytes_of(product->size);
    *host = malloc(count * sizeof **host);
    if (!*host)
        return no_memory(error);
    for (size_t i = 0; i < count; i++)
        (*host)[i] = shoal_uniform_float((uint32_t)(i + 1) * factor) - 0.5f;
    if (!bench->queue)
        return SHOAL_OK;
    enum shoal_status status = shoal_buffer_create(bench->device, bytes, buffer, error);
    if (status != SHOAL_OK || !product->size->is_double)
        return status != SHOAL_OK ? status
                                  : shoal_buffer_write(bench->queue, *buffer, 0, *host, bytes, error);
    double *wide = malloc(bytes);
    if (!wide)
        return no_memory(error);
    for (size_t i = 0; i < count; i++)
        wide[i] = (double)(*host)[i];
    status = shoal_buffer_write(bench->queue, *buffer, 0, wide, bytes, error);
    free(wide);
    return status;
}

static enum shoal_status create_object(struct bench *bench, struct shoal_error *error)
{
    struct product *product = bench->state;
    const struct size *size = product->size;
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = size->m, .max_n = size->n, .max_k = size->k,
                          .real = size->is_double ? SHOAL_TYPE_DOUBLE : SHOAL_TYPE_FLOAT,
                          .transposed_a = size->transposed_a, .transposed_b = size->transposed_b,
                          .activation = size->has_bias ? SHOAL_GEMM_RELU : SHOAL_GEMM_LINEAR,
                          .variant = bench->variant);
    enum shoal_status status = shoal_gemm_create(bench->device, &params, &product->gemm, error);
    for (size_t i = 0; status == SHOAL_OK && shoal_gemm_program(product->gemm, i); i++)
        bench_uses(bench, shoal_gemm_program(product->gemm, i));
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    struct product *product = bench->state = calloc(1, sizeof *product);
    if (!product)
        return no_memory(error);
    product->size = size;
    bench->work = bench->roof_work = 2.0 * (double)size->m * (double)size->n * (double)size->k;
    enum shoal_status status =
        create_numbers(bench, size->m * size->k, 2654435761u, &product->a, &product->host_a, error);
    if (status == SHOAL_OK)
        status = create_numbers(bench, size->k * size->n, 2246822519u, &product->b, &product->host_b, error);
    if (status == SHOAL_OK)
        status = create_numbers(bench, size->m * size->n, 3266489917u, &product->c, &product->host_c, error);
    if (status == SHOAL_OK && size->has_bias)
        status = create_numbers(bench, size->n, 668265263u, &product->bias, &product->host_bias, error);
    return status != SHOAL_OK || !bench->queue ? status : create_object(bench, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct product *product = bench->state;
    const struct size *size = product->size;
    const struct shoal_gemm_args args =
        SHOAL_GEMM_ARGS(.a = product->a, .b = product->b, .c = product->c, .m = size->m, .n = size->n,
                        .k = size->k, .bias = product->bias);
    return shoal_gemm_run(product->gemm, bench->queue, &args, error);
}

static enum shoal_status run_host(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct product *product = bench->state;
    host_product(product->host_a, product->host_b, product->host_c, product->size->n);
    return SHOAL_OK;
}

/* Element (row, column) of C, as the device or the host has computed it. */
static enum shoal_status read_element(struct bench *bench, size_t place, double *value,
                                      struct shoal_error *error)
{
    struct product *product = bench->state;
    const size_t bytes = bytes_of(product->size);
    float narrow = product->host_c[place];
    *value = (double)narrow;
    if (!bench->queue)
        return SHOAL_OK;
    const enum shoal_status status =
        shoal_buffer_read(bench->queue, product->c, place * bytes,
                          product->size->is_double ? (void *)value : (void *)&narrow, bytes, error);
    if (!product->size->is_double)
        *value = (double)narrow;
    return status;
}

/* Computes some elements in double precision. */
static enum shoal_status check(struct bench *bench, struct bench_check *result, struct shoal_error *error)
{
    const struct product *product = bench->state;
    const struct size *size = product->size;
    const double allowed = size->is_double ? 1e-13 : 1e-4;
    result->passed = true;
    for (size_t i = 0; i < CHECKED && result->passed; i++) {
        const size_t row = i * 2654435761u % size->m, column = i * 2246822519u % size->n;
        double sum = 0, squares = 0, value;
        for (size_t k = 0; k < size->k; k++) {
            const double term =
                (double)product->host_a[size->transposed_a ? k * size->m + row : row * size->k + k] *
                (double)product->host_b[size->transposed_b ? column * size->k + k : k * size->n + column];
            sum += term;
            squares += term * term;
        }
        const enum shoal_status status = read_element(bench, row * size->n + column, &value, error);
        if (status != SHOAL_OK)
            return status;
        if (size->has_bias)
            sum = fmax(0.0, sum + (double)product->host_bias[column]);
        /* The error is relative to the root of the sum of squares, which is the size of a sum of random
         * terms. */
        const double deviation = fabs(value - sum) / sqrt(squares);
        result->error = deviation <= result->error ? result->error : deviation;
        result->passed = deviation <= allowed;
        if (!result->passed)
            snprintf(result->detail, sizeof result->detail, "row %zu, column %zu: %g, not %g", row, column,
                     value, sum);
    }
    return SHOAL_OK;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, NULL};
static const struct bench_ops host_ops = {create, NULL, run_host, check, destroy, NULL};

#define CASE(title, text, real, limit, ...)                                                                  \
    .name = "lib.gemm." title, .help = text, .unit = "flop/s", .precision = real, .roof = limit,             \
    .program = "lib.gemm", .device = &ops, .data = &(const struct size)                                      \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define SINGLE(title, text, ...)                                                                             \
    {                                                                                                        \
        CASE(title, text, "fp32", SHOAL_ROOF_FP32_FLOPS, __VA_ARGS__), .large = true                         \
    }
#define DOUBLE(title, text, ...)                                                                             \
    {                                                                                                        \
        CASE(title, text, "fp64", SHOAL_ROOF_FP64_FLOPS, __VA_ARGS__), .large = true                         \
    }

static const struct bench_case cases[] = {
    {CASE("sgemm-2048", "product of two matrices of 2048 x 2048 floats", "fp32", SHOAL_ROOF_FP32_FLOPS, 2048,
          2048, 2048),
     .host = &host_ops},
    SINGLE("sgemm-4096", "product of two matrices of 4096 x 4096 floats", 4096, 4096, 4096),
    SINGLE("sgemm-4096-nt", "the same, B transposed", 4096, 4096, 4096, .transposed_b = true),
    SINGLE("sgemm-4096-tn", "the same, A transposed", 4096, 4096, 4096, .transposed_a = true),
    SINGLE("sgemm-4096-tt", "the same, both transposed", 4096, 4096, 4096, .transposed_a = true,
           .transposed_b = true),
    SINGLE("sgemm-4096-bias-relu", "the same, not transposed, with a bias and ReLU", 4096, 4096, 4096,
           .has_bias = true),
    SINGLE("sgemm-1024", "product of two matrices of 1024 x 1024 floats", 1024, 1024, 1024),
    SINGLE("sgemm-1023", "the same, 1023 x 1023", 1023, 1023, 1023),
    SINGLE("sgemm-4095", "the same, 4095 x 4095", 4095, 4095, 4095),
    SINGLE("sgemm-4095-nt", "the same, B transposed", 4095, 4095, 4095, .transposed_b = true),
    SINGLE("sgemm-4095-tn", "the same, A transposed", 4095, 4095, 4095, .transposed_a = true),
    SINGLE("sgemm-333x4001x2047", "333 x 2047 times 2047 x 4001 floats", 333, 4001, 2047),
    SINGLE("sgemm-256x256x16384", "256 x 16384 times 16384 x 256 floats: sums in parts", 256, 256, 16384),
    DOUBLE("dgemm-2048", "product of two matrices of 2048 x 2048 doubles", 2048, 2048, 2048,
           .is_double = true),
    DOUBLE("dgemm-4096", "product of two matrices of 4096 x 4096 doubles", 4096, 4096, 4096,
           .is_double = true),
    DOUBLE("dgemm-4095", "the same, 4095 x 4095", 4095, 4095, 4095, .is_double = true),
};

const struct bench_case_list bench_gemm_cases = {cases, sizeof cases / sizeof *cases};
