/* The primitives on 64 Mi elements, each beside the same work in plain C on the host.
 *
 * Data rates count what the task has to read and write (4 or 8 bytes an element), whatever the method moves.
 * The roof of the sort is that of four passes of 20 bytes a pair: the keys once, then keys and values in and
 * out.
 */
#include "bench/lib/host_lib.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/primitives.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 << 20, SORT_BYTES = 4 * 20 };
static const uint64_t seed = 1;

struct lib {
    struct shoal_random *random;
    struct shoal_reduce *reduce;
    struct shoal_scan *scan;
    struct shoal_sort *sort;
    struct shoal_buffer *in, *values, *out, *values_out;
    /* On the host: the input, and where the host does the work, all arrays. [N] words each. */
    uint32_t *words, *host_values, *host_out, *host_values_out, *scratch, *values_scratch;
    double sum; /* result of a sum on the host */
    size_t least;
};

static void destroy(struct bench *bench)
{
    struct lib *lib = bench->state;
    if (!lib)
        return;
    shoal_random_destroy(&lib->random);
    shoal_reduce_destroy(&lib->reduce);
    shoal_scan_destroy(&lib->scan);
    shoal_sort_destroy(&lib->sort);
    shoal_buffer_destroy(&lib->in);
    shoal_buffer_destroy(&lib->values);
    shoal_buffer_destroy(&lib->out);
    shoal_buffer_destroy(&lib->values_out);
    free(lib->words);
    free(lib->host_values);
    free(lib->host_out);
    free(lib->host_values_out);
    free(lib->scratch);
    free(lib->values_scratch);
    free(lib);
    bench->state = NULL;
}

static enum shoal_status no_memory(struct shoal_error *error)
{
    return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %d elements on the host", N);
}

static enum shoal_status allocate(uint32_t **words, struct shoal_error *error)
{
    *words = calloc(N, sizeof **words);
    return *words ? SHOAL_OK : no_memory(error);
}

/* Makes random words in lib->words and, on a device, in lib->in. */
static enum shoal_status create_words(struct bench *bench, double bytes, struct shoal_error *error)
{
    struct lib *lib = bench->state = calloc(1, sizeof *lib);
    if (!lib)
        return no_memory(error);
    bench->work = bench->roof_work = bytes * N;
    enum shoal_status status = allocate(&lib->words, error);
    if (status != SHOAL_OK)
        return status;
    host_random_words(lib->words, N, seed, SHOAL_STREAM_FILL, 0);
    if (!bench->queue)
        return SHOAL_OK;
    status = shoal_buffer_create(bench->device, N * sizeof(uint32_t), &lib->in, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, lib->in, 0, lib->words, N * sizeof(uint32_t), error);
    return status;
}

static enum shoal_status create_out(struct bench *bench, struct shoal_buffer **out, struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_create(bench->device, N * sizeof(uint32_t), out, error);
    return status != SHOAL_OK ? status
                              : shoal_buffer_fill(bench->queue, *out, 0, N * sizeof(uint32_t), 0, error);
}

/* Reads the words of a result into host memory. */
static enum shoal_status get_words(struct bench *bench, struct shoal_buffer *buffer, uint32_t **words,
                                   struct shoal_error *error)
{
    if (!bench->queue)
        return SHOAL_OK;
    enum shoal_status status = *words ? SHOAL_OK : allocate(words, error);
    return status != SHOAL_OK
               ? status
               : shoal_buffer_read(bench->queue, buffer, 0, *words, N * sizeof(uint32_t), error);
}

/* Philox ----------------------------------------------------------------------------------------------- */

static enum shoal_status create_philox(struct bench *bench, struct shoal_error *error)
{
    struct lib *lib;
    enum shoal_status status = create_words(bench, 4, error);
    if (status != SHOAL_OK)
        return status;
    lib = bench->state;
    if (!bench->queue)
        return allocate(&lib->host_out, error);
    status = create_out(bench, &lib->out, error);
    if (status == SHOAL_OK)
        status = shoal_random_create(bench->device, SHOAL_TYPE_FLOAT, bench->variant, &lib->random, error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_random_program(lib->random, 0));
    return status;
}

static enum shoal_status run_philox(struct bench *bench, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    const struct shoal_random_counter counter = {.seed = seed, .stream = SHOAL_STREAM_FILL};
    if (bench->queue)
        return shoal_random_fill_words(lib->random, bench->queue, lib->out, N, &counter, error);
    host_random_words(lib->host_out, N, seed, SHOAL_STREAM_FILL, 0);
    return SHOAL_OK;
}

static enum shoal_status check_philox(struct bench *bench, struct bench_check *check,
                                      struct shoal_error *error)
{
    struct lib *lib = bench->state;
    enum shoal_status status = get_words(bench, lib->out, &lib->host_out, error);
    if (status != SHOAL_OK)
        return status;
    check->passed = memcmp(lib->host_out, lib->words, N * sizeof *lib->words) == 0;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "the words are not those of the host");
    return SHOAL_OK;
}

/* Reductions ------------------------------------------------------------------------------------------- */

static const float *reals(const struct lib *lib)
{
    return (const float *)(const void *)lib->words;
}

static enum shoal_status create_reduce(struct bench *bench, enum shoal_reduction reduction,
                                       struct shoal_error *error)
{
    enum shoal_status status = create_words(bench, 4, error);
    if (status != SHOAL_OK)
        return status;
    struct lib *lib = bench->state;
    for (size_t i = 0; i < N; i++) {
        const float real = shoal_uniform_float(lib->words[i]);
        memcpy(&lib->words[i], &real, sizeof real);
    }
    if (!bench->queue)
        return SHOAL_OK;
    status = shoal_buffer_write(bench->queue, lib->in, 0, lib->words, N * sizeof(float), error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, sizeof(float), &lib->out, error);
    if (status == SHOAL_OK && reduction == SHOAL_ARGMIN)
        status = shoal_buffer_create(bench->device, sizeof(uint32_t), &lib->values_out, error);
    if (status == SHOAL_OK)
        status = shoal_reduce_create(bench->device, reduction, SHOAL_TYPE_FLOAT, N, bench->variant,
                                     &lib->reduce, error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_reduce_program(lib->reduce, 0));
    return status;
}

static enum shoal_status create_sum(struct bench *bench, struct shoal_error *error)
{
    return create_reduce(bench, SHOAL_SUM, error);
}

static enum shoal_status create_min(struct bench *bench, struct shoal_error *error)
{
    return create_reduce(bench, SHOAL_MIN, error);
}

static enum shoal_status create_argmin(struct bench *bench, struct shoal_error *error)
{
    return create_reduce(bench, SHOAL_ARGMIN, error);
}

static enum shoal_status run_reduce(struct bench *bench, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    const struct shoal_reduce_args args = {
        .data = lib->in, .n = N, .result = lib->out, .index = lib->values_out};
    return shoal_reduce_run(lib->reduce, bench->queue, &args, error);
}

static enum shoal_status run_host_sum(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct lib *lib = bench->state;
    lib->sum = host_sum(reals(lib), N);
    return SHOAL_OK;
}

static enum shoal_status run_host_argmin(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct lib *lib = bench->state;
    lib->least = host_argmin(reals(lib), N);
    return SHOAL_OK;
}

static enum shoal_status check_sum(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    float got;
    double value = lib->sum, wanted = 0;
    if (bench->queue) {
        enum shoal_status status = shoal_buffer_read(bench->queue, lib->out, 0, &got, sizeof got, error);
        if (status != SHOAL_OK)
            return status;
        value = (double)got;
    }
    /* The numbers are multiples of 2^-24 and their sum is below 2^26, so that the sum is exact. */
    for (size_t i = 0; i < N; i++)
        wanted += (double)reals(lib)[i];
    check->error = fabs(value - wanted) / wanted;
    check->passed = check->error <= 1e-5;
    snprintf(check->detail, sizeof check->detail, "the sum is %.9g, not %.9g", value, wanted);
    return SHOAL_OK;
}

static enum shoal_status check_min(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    uint32_t index = (uint32_t)lib->least;
    float value = reals(lib)[index];
    size_t wanted = 0;
    if (bench->queue) {
        enum shoal_status status = shoal_buffer_read(bench->queue, lib->out, 0, &value, sizeof value, error);
        if (status == SHOAL_OK && lib->values_out)
            status = shoal_buffer_read(bench->queue, lib->values_out, 0, &index, sizeof index, error);
        if (status != SHOAL_OK)
            return status;
    }
    for (size_t i = 0; i < N; i++)
        if (reals(lib)[i] < reals(lib)[wanted])
            wanted = i;
    const bool has_index = !bench->queue || lib->values_out;
    check->passed = value == reals(lib)[wanted] && (!has_index || index == wanted);
    snprintf(check->detail, sizeof check->detail, "the least is %.9g, not %.9g at %zu", (double)value,
             (double)reals(lib)[wanted], wanted);
    return SHOAL_OK;
}

/* Scan ------------------------------------------------------------------------------------------------- */

static enum shoal_status create_scan(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create_words(bench, 8, error);
    if (status != SHOAL_OK)
        return status;
    struct lib *lib = bench->state;
    if (!bench->queue)
        return allocate(&lib->host_out, error);
    status = create_out(bench, &lib->out, error);
    if (status == SHOAL_OK)
        status = shoal_scan_create(bench->device, N, SHOAL_SCAN_AUTO, bench->variant, &lib->scan, error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_scan_program(lib->scan, 0));
    return status;
}

static enum shoal_status run_scan(struct bench *bench, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    if (bench->queue)
        return shoal_scan_run(lib->scan, bench->queue, lib->in, 0, lib->out, 0, N, error);
    host_scan(lib->words, lib->host_out, N);
    return SHOAL_OK;
}

static enum shoal_status check_scan(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    enum shoal_status status = get_words(bench, lib->out, &lib->host_out, error);
    if (status != SHOAL_OK)
        return status;
    uint32_t sum = 0;
    check->passed = true;
    for (size_t i = 0; i < N && check->passed; i++) {
        check->passed = lib->host_out[i] == sum;
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "element %zu is %u, not %u", i,
                     (unsigned)lib->host_out[i], (unsigned)sum);
        sum += lib->words[i];
    }
    return SHOAL_OK;
}

/* Sort ------------------------------------------------------------------------------------------------- */

static enum shoal_status create_sort(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create_words(bench, 1, error);
    if (status != SHOAL_OK)
        return status;
    struct lib *lib = bench->state;
    bench->roof_work = (double)SORT_BYTES * N;
    status = allocate(&lib->host_values, error);
    if (status != SHOAL_OK)
        return status;
    for (size_t i = 0; i < N; i++)
        lib->host_values[i] = (uint32_t)i;
    if (!bench->queue) {
        uint32_t **const arrays[] = {&lib->host_out, &lib->host_values_out, &lib->scratch,
                                     &lib->values_scratch};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == SHOAL_OK; i++)
            status = allocate(arrays[i], error);
        return status;
    }
    status = create_out(bench, &lib->values, error);
    if (status == SHOAL_OK)
        status =
            shoal_buffer_write(bench->queue, lib->values, 0, lib->host_values, N * sizeof(uint32_t), error);
    if (status == SHOAL_OK)
        status = create_out(bench, &lib->out, error);
    if (status == SHOAL_OK)
        status = create_out(bench, &lib->values_out, error);
    if (status == SHOAL_OK)
        status = shoal_sort_create(bench->device, N, SHOAL_SORT_AUTO, bench->variant, &lib->sort, error);
    for (size_t i = 0; status == SHOAL_OK && shoal_sort_program(lib->sort, i); i++)
        bench_uses(bench, shoal_sort_program(lib->sort, i));
    return status;
}

static enum shoal_status run_sort(struct bench *bench, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    const struct shoal_sort_args args = {
        .keys = lib->in,
        .values = lib->values,
        .keys_out = lib->out,
        .values_out = lib->values_out,
        .n = N,
        .end_bit = 32,
    };
    if (bench->queue)
        return shoal_sort_run(lib->sort, bench->queue, &args, error);
    return host_sort(lib->words, lib->host_values, lib->host_out, lib->host_values_out, lib->scratch,
                     lib->values_scratch, N)
               ? SHOAL_OK
               : no_memory(error);
}

/* Values are places in the input. The check: keys rise, each value is the place from which its key came, and
 * places rise where keys are equal. Only one order satisfies this: the order of a stable sort. */
static enum shoal_status check_sort(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct lib *lib = bench->state;
    enum shoal_status status = get_words(bench, lib->out, &lib->host_out, error);
    if (status == SHOAL_OK)
        status = get_words(bench, lib->values_out, &lib->host_values_out, error);
    if (status != SHOAL_OK)
        return status;
    const uint32_t *keys = lib->host_out, *places = lib->host_values_out;
    check->passed = true;
    for (size_t i = 0; i < N && check->passed; i++) {
        check->passed =
            places[i] < N && keys[i] == lib->words[places[i]] &&
            (i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && places[i - 1] < places[i]));
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "pair %zu is (%u, %u)", i, (unsigned)keys[i],
                     (unsigned)places[i]);
    }
    return SHOAL_OK;
}

static const struct bench_ops philox_ops = {create_philox, NULL, run_philox, check_philox, destroy};
static const struct bench_ops sum_ops = {create_sum, NULL, run_reduce, check_sum, destroy};
static const struct bench_ops host_sum_ops = {create_sum, NULL, run_host_sum, check_sum, destroy};
static const struct bench_ops min_ops = {create_min, NULL, run_reduce, check_min, destroy};
static const struct bench_ops argmin_ops = {create_argmin, NULL, run_reduce, check_min, destroy};
static const struct bench_ops host_argmin_ops = {create_argmin, NULL, run_host_argmin, check_min, destroy};
static const struct bench_ops scan_ops = {create_scan, NULL, run_scan, check_scan, destroy};
static const struct bench_ops sort_ops = {create_sort, NULL, run_sort, check_sort, destroy};

static const struct bench_case cases[] = {
    {.name = "lib.philox.u32-64mi",
     .help = "64 Mi random words; bytes written",
     .unit = "bytes/s",
     .precision = "u32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "lib.philox",
     .device = &philox_ops,
     .host = &philox_ops},
    {.name = "lib.sum.f32-64mi",
     .help = "sum of 64 Mi floats; bytes read",
     .unit = "bytes/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "lib.reduce",
     .device = &sum_ops,
     .host = &host_sum_ops},
    {.name = "lib.min.f32-64mi",
     .help = "minimum of 64 Mi floats; bytes read",
     .unit = "bytes/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .device = &min_ops},
    {.name = "lib.argmin.f32-64mi",
     .help = "minimum of 64 Mi floats and its index; bytes read",
     .unit = "bytes/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .device = &argmin_ops,
     .host = &host_argmin_ops},
    {.name = "lib.scan.u32-64mi",
     .help = "exclusive scan of 64 Mi words; bytes read and written once",
     .unit = "bytes/s",
     .precision = "u32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "lib.scan",
     .device = &scan_ops,
     .host = &scan_ops},
    {.name = "lib.sort.u32-pairs-64mi",
     .help = "stable sort of 64 Mi pairs of words by all 32 bits of the key",
     .unit = "pairs/s",
     .precision = "u32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "lib.sort",
     .device = &sort_ops,
     .host = &sort_ops},
};

const struct bench_case_list bench_lib_cases = {cases, sizeof cases / sizeof *cases};
