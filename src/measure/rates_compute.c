/* Rates of arithmetic and of matrix units. */
#include "base/error.h"
#include "measure/rates.h"

#include <stdlib.h>

BATCH_LAUNCH(measure_chains)
BATCH_LAUNCH(measure_matrix)

enum {
    PERIOD = 64, /* the start values of the work-items repeat with this period */
    CHAINS = 16,
    BLOCK = 16,
    BLOCKS = 240,
    STEPS = BLOCK * BLOCKS, /* even */
    STARTS = PERIOD + CHAINS,
    /* The numbers of kinds 2 and 3 stay below 2048 in magnitude, where half precision has all whole numbers.
     */
    FIRST_HALF = -1900
};

/* What a kind of chain_kind begins with, and its operations in a step. dot8: four products and four sums; two
 * numbers in a word would be two chains, but a compiler that packs them is as free to do so. */
static const struct {
    int32_t first, factor, term;
    int ops, packed; /* packed: numbers of a chain where the native text packs them */
} kinds[] = {
    [CHAIN_FP32] = {1, -1, 1, 1, 1},
    [CHAIN_FP64] = {1, -1, 1, 1, 1},
    [CHAIN_FP16_FUSED] = {FIRST_HALF, 1, 1, 2, 2},
    [CHAIN_FP16] = {FIRST_HALF, -1, 1, 1, 2},
    [CHAIN_INT64] = {1, 1664525, 1013904223, 2, 1},
    [CHAIN_INT32] = {1, 1664525, 1013904223, 2, 1},
    [CHAIN_INT16] = {1, 1664525, 1013904223, 2, 1},
    [CHAIN_INT8] = {1, 1664525, 1013904223, 2, 1},
    [CHAIN_DOT8] = {1, 0x05fb0307, 0, 8, 1},
};

static uint32_t dot4(uint32_t a, uint32_t b)
{
    int32_t sum = 0;
    for (int shift = 0; shift < 32; shift += 8)
        sum += (int32_t)(int8_t)(a >> shift) * (int8_t)(b >> shift);
    return (uint32_t)sum;
}

/* The word that a chain ends with, which began with number `start` of the start values. */
static uint32_t chain_word(enum chain_kind kind, int start, bool odd)
{
    const uint64_t factor = (uint64_t)kinds[kind].factor, term = (uint64_t)kinds[kind].term;
    uint64_t x = (uint64_t)(int64_t)(kinds[kind].first + start);
    switch (kind) {
    case CHAIN_FP32:
    case CHAIN_FP64:
    case CHAIN_FP16:
        return (uint32_t)(odd ? x : x + STEPS);
    case CHAIN_FP16_FUSED:
        return (uint32_t)(x + STEPS);
    case CHAIN_DOT8:
        for (int i = 0; i < STEPS; i++)
            x = (uint32_t)x + dot4((uint32_t)x, (uint32_t)factor);
        return (uint32_t)x;
    default:
        for (int i = 0; i < STEPS; i++)
            x = x * factor + term;
        return kind == CHAIN_INT64   ? (uint32_t)x ^ (uint32_t)(x >> 32)
               : kind == CHAIN_INT32 ? (uint32_t)x
               : kind == CHAIN_INT16 ? (uint16_t)x
                                     : (uint8_t)x;
    }
}

enum shoal_status rig_read_words(struct rig *rig, struct shoal_buffer *buffer, uint32_t **words,
                                 size_t *count, struct shoal_error *error)
{
    *count = shoal_buffer_size(buffer) / sizeof **words;
    *words = malloc(shoal_buffer_size(buffer));
    return *words ? shoal_buffer_read(rig->queue, buffer, 0, *words, shoal_buffer_size(buffer), error)
                  : fail_host_memory(error);
}

/* Checks that work-item i has left expected[i % PERIOD]. */
static enum shoal_status check_words(struct rig *rig, const char *name, struct shoal_buffer *out,
                                     const uint32_t expected[PERIOD], struct shoal_error *error)
{
    uint32_t *words;
    size_t count;
    enum shoal_status status = rig_read_words(rig, out, &words, &count, error);
    for (size_t i = 1; status == SHOAL_OK && i < count; i++)
        if (words[i] != expected[(i - 1) % PERIOD])
            status = fail(error, SHOAL_CHECK_FAILED,
                          "%s: the %s measurement computed %u instead of %u in work-item %zu: its rate would "
                          "mean nothing",
                          rig->info->id, name, words[i], expected[(i - 1) % PERIOD], i - 1);
    free(words);
    return status;
}

/* Launches the kernel once. *has: whether its compiler has the kind of number, which word 0 says. */
static enum shoal_status ask(struct rig *rig, struct batch *batch, struct shoal_buffer *out, bool *has,
                             struct shoal_error *error)
{
    uint32_t word = 0;
    double seconds;
    enum shoal_status status = batch_run(batch, 1, &seconds, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(rig->queue, out, 0, &word, sizeof word, error);
    *has = word != 0;
    return status;
}

/* What a kernel must leave, and how it is named in messages. */
struct wanted {
    const char *name;
    const char *lacks; /* why a compiler may not have the kind of number */
    uint32_t words[PERIOD];
};

/* Measures launches of a batch whose kernel writes word 0 and a word for each work-item. result: the member
 * for these words in the arguments of the batch, which is set to a new buffer. */
static enum shoal_status measure_words(struct rig *rig, struct batch *batch, struct shoal_buffer **result,
                                       const struct wanted *wanted, struct measure_figure *measured,
                                       struct shoal_error *error)
{
    struct shoal_buffer *out = NULL;
    bool has = false;
    batch->groups = rig_groups(rig);
    const size_t items = batch->groups * shoal_kernel_work_group(batch->kernel);
    enum shoal_status status = shoal_buffer_create(rig->device, (1 + items) * sizeof(uint32_t), &out, error);
    /* So that words that the kernel does not write are wrong. */
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(rig->queue, out, 0, shoal_buffer_size(out), 0xa5a5a5a5, error);
    if (status == SHOAL_OK) {
        *result = out;
        status = ask(rig, batch, out, &has, error);
    }
    if (status == SHOAL_OK && !has)
        status = fail(error, SHOAL_UNSUPPORTED, "%s", wanted->lacks);
    if (status == SHOAL_OK)
        status = batch_measure(batch, rig, batch->launch, batch->args, &measured->time, error);
    if (status == SHOAL_OK)
        status = check_words(rig, wanted->name, out, wanted->words, error);
    measured->work *= (double)items;
    shoal_buffer_destroy(&out);
    return status;
}

enum shoal_status rate_fused(struct rig *rig, const struct rate_figure *figure,
                             struct measure_figure *measured, struct shoal_error *error)
{
    const bool fp64 = figure->kind == CHAIN_FP64;
    if (fp64 && !rig->info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "the device has no double precision");
    return measure_flops(rig, fp64, measured, error);
}

enum shoal_status rate_chains(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error)
{
    const enum chain_kind kind = (enum chain_kind)figure->kind;
    const struct shoal_define defines[] = {
        {"KIND", kind}, {"LOCKSTEP", rig->info->is_cpu}, {"REAL", kind == CHAIN_FP64 ? 64 : 32}};
    struct wanted wanted = {.name = figure->name,
                            .lacks = kind == CHAIN_DOT8 ? "its compiler has no scalar products of four bytes "
                                                          "(cl_khr_integer_dot_product)"
                                                        : "its compiler has no half precision (cl_khr_fp16)"};
    uint32_t ends[2][STARTS];
    struct batch batch;
    if (kind == CHAIN_FP64 && !rig->info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "the device has no double precision");
    for (int odd = 0; odd < 2; odd++)
        for (int start = 0; start < STARTS; start++)
            ends[odd][start] = chain_word(kind, start, odd);
    for (int i = 0; i < PERIOD; i++)
        for (int chain = 0; chain < CHAINS; chain++)
            wanted.words[i] += ends[chain % 2][i + chain];
    enum shoal_status status =
        batch_open(&batch, rig, &measure_chains_program, "measure_chains", defines, 3, error);
    if (status == SHOAL_OK) {
        struct measure_chains_args args = {.first = kinds[kind].first,
                                           .factor = kinds[kind].factor,
                                           .term = kinds[kind].term,
                                           .blocks = BLOCKS};
        const bool packed = shoal_program_is_native(batch.program);
        measured->work = (double)CHAINS * STEPS * kinds[kind].ops * (packed ? kinds[kind].packed : 1);
        batch.launch = batch_measure_chains;
        batch.args = &args;
        status = measure_words(rig, &batch, &args.out, &wanted, measured, error);
    }
    batch_close(&batch);
    return status;
}

enum {
    MATRIX_CHAINS = 8,
    MATRIX_BLOCK = 4,
    MATRIX_BLOCKS = 256,
    MATRIX_STEPS = MATRIX_BLOCK * MATRIX_BLOCKS,
    SUM_ROWS = 16,
    SUM_COLUMNS = 8,
    WARP = 32,
    OWN = SUM_ROWS * SUM_COLUMNS / WARP /* numbers of a sum that a work-item has */
};

/* ones: a word of ones in the format; depth: columns of the first matrix. */
static const struct {
    uint32_t ones;
    int depth;
} formats[] = {{0x3f800000, 8}, {0x3f803f80, 16}, {0x3c003c00, 16}, {0x01010101, 32}};

enum shoal_status rate_matrix(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"FORMAT", figure->kind}};
    const int depth = formats[figure->kind].depth;
    struct wanted wanted = {.name = figure->name,
                            .lacks =
                                "matrix units are measured through CUDA, from compute capability 8.0 on"};
    struct batch batch;
    for (int i = 0; i < PERIOD; i++)
        for (int chain = 0; chain < MATRIX_CHAINS; chain++)
            wanted.words[i] += (uint32_t)(OWN * (i + chain + MATRIX_STEPS * depth));
    enum shoal_status status =
        batch_open(&batch, rig, &measure_matrix_program, "measure_matrix", defines, 1, error);
    if (status == SHOAL_OK) {
        struct measure_matrix_args args = {.ones = formats[figure->kind].ones, .blocks = MATRIX_BLOCKS};
        measured->work = 2.0 * OWN * depth * MATRIX_CHAINS * MATRIX_STEPS;
        batch.launch = batch_measure_matrix;
        batch.args = &args;
        status = measure_words(rig, &batch, &args.out, &wanted, measured, error);
    }
    batch_close(&batch);
    return status;
}
