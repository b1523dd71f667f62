/* Radix sort from the least significant digit to the most significant one, by cl/lib/sort.cl or
 * sort_serial.cl, with a scan of the counts of digits. */
#include "base/params.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "lib/common.h"

#include <stdlib.h>

enum {
    DIGIT_BITS = 8,
    RADIX = 1 << DIGIT_BITS,
    /* number of chunks for each compute unit: enough to keep it busy until the end, few enough for a small
     * table of counts */
    CHUNKS_PER_UNIT = 32,
    /* CPUs: least number of pairs in a chunk; with fewer, starting a work-item would take longer than its
     * work */
    SERIAL_CHUNK = 1 << 12
};

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_sort, WG, 1, 512, "work-items of a group, a power of two"),
    DEFINE(lib_sort, ITEMS, 1, 16, "pairs of a work-item, a power of two"),
};

static const struct shoal_define_desc serial_defines[] = {
    DEFINE(lib_sort_serial, WG, 1, 1024, "work-items of a group"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_sort, sort_count, .local_bytes = 4 * RADIX * 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "digits of each chunk, counted"),
    ENTRY(lib_sort, sort_scatter, .local_bytes = 8 * 32 * 4 + 2 * RADIX * 4,
          /* Local memory of a work-item: its pairs in the tile, with gaps, at the largest ITEMS; 8 counters;
           * 2 words. */
          .local_bytes_per_item = 16 * 4 + 2 + 8 * 4 + 2 * 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "pairs of each chunk, moved to the place of their digit"),
};

const struct shoal_program_desc sort_program = PROGRAM("lib.sort", lib_sort, 0, defines, entries);

static const struct shoal_entry_desc serial_entries[] = {
    ENTRY(lib_sort_serial, sort_count, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "digits of each chunk, counted; a work-item for each chunk"),
    ENTRY(lib_sort_serial, sort_scatter, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "pairs of each chunk, moved to the place of their digit; a work-item for each chunk"),
};

const struct shoal_program_desc sort_serial_program =
    PROGRAM("lib.sort-serial", lib_sort_serial, 0, serial_defines, serial_entries);

struct shoal_sort {
    struct shoal_program *program;
    struct shoal_kernel *count, *scatter;
    struct shoal_scan *scan;
    struct shoal_buffer *counts, *keys, *values; /* keys, values: output of every second pass */
    size_t max_n;
    bool serial;   /* a work-item processes a chunk; false: a work-group does */
    uint32_t tile; /* the length of a chunk is a multiple of `tile` */
    uint32_t max_chunks;
};

static enum shoal_status create_tables(struct shoal_sort *sort, struct shoal_device *device,
                                       enum shoal_variant variant, struct shoal_error *error)
{
    const uint32_t units = shoal_device_get_info(device)->units, tiles = div_up(sort->max_n, sort->tile);
    sort->max_chunks = (units ? units : 1) * CHUNKS_PER_UNIT;
    if (sort->max_chunks > tiles)
        sort->max_chunks = tiles;
    const size_t counts = (size_t)RADIX * sort->max_chunks;
    enum shoal_status status =
        shoal_scan_create(device, counts, SHOAL_SCAN_AUTO, variant, &sort->scan, error);
    if (!status)
        status = shoal_buffer_create(device, counts * sizeof(uint32_t), &sort->counts, error);
    if (!status)
        status = shoal_buffer_create(device, sort->max_n * sizeof(uint32_t), &sort->keys, error);
    if (!status)
        status = shoal_buffer_create(device, sort->max_n * sizeof(uint32_t), &sort->values, error);
    return status;
}

enum shoal_status shoal_sort_create(struct shoal_device *device, size_t max_n, enum shoal_sort_method method,
                                    enum shoal_variant variant, struct shoal_sort **out,
                                    struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = check_max_n("shoal_sort_create", max_n, error);
    if (status)
        return status;
    if (method != SHOAL_SORT_AUTO && method != SHOAL_SORT_BLOCKS && method != SHOAL_SORT_SERIAL)
        return fail(error, SHOAL_INVALID, "shoal_sort_create: there is no method %d", (int)method);
    struct shoal_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return fail_host_memory(error);
    sort->max_n = max_n;
    sort->serial = method == SHOAL_SORT_SERIAL || (method == SHOAL_SORT_AUTO && is_plain_cpu(device));
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = variant;
    status = shoal_program_create(device, sort->serial ? &sort_serial_program : &sort_program, &params,
                                  &sort->program, error);
    if (!status)
        status = shoal_kernel_create(sort->program, "sort_count", &sort->count, error);
    if (!status)
        status = shoal_kernel_create(sort->program, "sort_scatter", &sort->scatter, error);
    if (status)
        goto fail;
    sort->tile = sort->serial ? SERIAL_CHUNK
                              : (uint32_t)(shoal_program_define(sort->program, "WG") *
                                           shoal_program_define(sort->program, "ITEMS"));
    status = create_tables(sort, device, variant, error);
    if (status)
        goto fail;
    *out = sort;
    return SHOAL_OK;
fail:
    shoal_sort_destroy(&sort);
    return status;
}

void shoal_sort_destroy(struct shoal_sort **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_sort *sort = *pointer;
    *pointer = NULL;
    shoal_scan_destroy(&sort->scan);
    shoal_buffer_destroy(&sort->counts);
    shoal_buffer_destroy(&sort->keys);
    shoal_buffer_destroy(&sort->values);
    shoal_kernel_destroy(&sort->count);
    shoal_kernel_destroy(&sort->scatter);
    shoal_program_destroy(&sort->program);
    free(sort);
}

const struct shoal_program *shoal_sort_program(const struct shoal_sort *sort, size_t index)
{
    if (!sort)
        return NULL;
    return index == 0 ? sort->program : shoal_scan_program(sort->scan, index - 1);
}

struct pairs {
    struct shoal_buffer *keys, *values;
};

static enum shoal_status copy_pairs(struct shoal_queue *queue, struct pairs from, struct pairs to, size_t n,
                                    struct shoal_error *error)
{
    size_t bytes = n * sizeof(uint32_t);
    enum shoal_status status = shoal_buffer_copy(queue, from.keys, 0, to.keys, 0, bytes, error);
    return status ? status : shoal_buffer_copy(queue, from.values, 0, to.values, 0, bytes, error);
}

static enum shoal_status pass(struct shoal_sort *sort, struct shoal_queue *queue, struct pairs from,
                              struct pairs to, uint32_t n, uint32_t bit, uint32_t bits,
                              struct shoal_error *error)
{
    const uint32_t tiles = div_up(n, sort->tile);
    const uint32_t chunk = (tiles < sort->max_chunks ? 1 : div_up(tiles, sort->max_chunks)) * sort->tile;
    const uint32_t chunks = div_up(n, chunk);
    const size_t groups = sort->serial ? shoal_kernel_groups(sort->count, chunks) : chunks;
    enum shoal_status status =
        LAUNCH(sort_count, queue, sort->count, groups, error, .keys = from.keys, .counts = sort->counts,
               .n = n, .chunk = chunk, .bit = bit, .bits = bits);
    if (!status)
        status = shoal_scan_run(sort->scan, queue, sort->counts, 0, sort->counts, 0, (size_t)chunks << bits,
                                error);
    if (status)
        return status;
    return LAUNCH(sort_scatter, queue, sort->scatter, groups, error, .keys = from.keys, .values = from.values,
                  .places = sort->counts, .keys_out = to.keys, .values_out = to.values, .n = n,
                  .chunk = chunk, .bit = bit, .bits = bits);
}

static enum shoal_status check_run(const struct shoal_sort *sort, const struct shoal_sort_args *args,
                                   struct shoal_error *error)
{
    static const char call[] = "shoal_sort_run";
    if (!sort || !args)
        return fail(error, SHOAL_INVALID, "%s: %s is NULL", call, sort ? "args" : "the object");
    if (args->first_bit > args->end_bit || args->end_bit > 32)
        return fail(error, SHOAL_INVALID, "%s: bits %u to %u are not a range of a 32-bit key", call,
                    args->first_bit, args->end_bit);
    const struct pairs in = {.keys = args->keys, .values = args->values},
                       out = {.keys = args->keys_out, .values = args->values_out};
    const struct {
        const char *what;
        struct shoal_buffer *buffer;
    } ranges[] = {
        {"key", in.keys}, {"value", in.values}, {"key output", out.keys}, {"value output", out.values}};
    enum shoal_status status = check_n(call, args->n, sort->max_n, error);
    for (size_t i = 0; i < COUNT(ranges) && !status; i++)
        status = check_range(call, ranges[i].what, ranges[i].buffer, 0, args->n, sizeof(uint32_t), error);
    if (status)
        return status;
    bool in_place = in.keys == out.keys && in.values == out.values;
    if (in.keys == in.values || out.keys == out.values || in.keys == out.values || in.values == out.keys ||
        (!in_place && (in.keys == out.keys || in.values == out.values)))
        return fail(
            error, SHOAL_INVALID,
            "%s: keys, values and their outputs must be different buffers, or the outputs both the inputs",
            call);
    return SHOAL_OK;
}

enum shoal_status shoal_sort_run(struct shoal_sort *sort, struct shoal_queue *queue,
                                 const struct shoal_sort_args *args, struct shoal_error *error)
{
    enum shoal_status status = check_run(sort, args, error);
    if (status || args->n == 0)
        return status;
    struct pairs from = {.keys = args->keys, .values = args->values};
    const struct pairs out = {.keys = args->keys_out, .values = args->values_out},
                       scratch = {.keys = sort->keys, .values = sort->values};
    const bool in_place = from.keys == out.keys;
    const unsigned end_bit = args->end_bit;
    unsigned passes = (end_bit - args->first_bit + DIGIT_BITS - 1) / DIGIT_BITS;
    if (passes == 0)
        return in_place ? SHOAL_OK : copy_pairs(queue, from, out, args->n, error);
    /* Passes alternate between two buffers, and the last pass writes to the output. With an odd number of
     * passes the first pass writes to the output, too. If the sort is in place, the output is the input of
     * the first pass, so the input is copied before. */
    if (in_place && passes % 2 == 1) {
        status = copy_pairs(queue, from, scratch, args->n, error);
        from = scratch;
    }
    for (unsigned bit = args->first_bit; bit < end_bit && !status; bit += DIGIT_BITS) {
        const struct pairs to = --passes % 2 == 0 ? out : scratch;
        uint32_t bits = end_bit - bit < DIGIT_BITS ? end_bit - bit : DIGIT_BITS;
        status = pass(sort, queue, from, to, (uint32_t)args->n, bit, bits, error);
        from = to;
    }
    return status;
}
