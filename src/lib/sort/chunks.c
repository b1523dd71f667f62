/* Passes of a sort by cl/lib/sort/sort.cl or sort_serial.cl, with a scan of the counts of digits. */
#include "compute/contract.h"
#include "compute/launch.h"
#include "lib/sort/sort.h"

enum {
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
    DEFINE(lib_sort_serial, KEY_BITS, 32, 64, "bits of a key, 32 or 64"),
    DEFINE(lib_sort_serial, VALUE_BITS, 0, 64, "bits of a value, 32 or 64; 0: keys alone"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_sort, sort_count, .local_bytes = 4 * SORT_RADIX * 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "digits of each chunk, counted"),
    ENTRY(lib_sort, sort_scatter, .local_bytes = 8 * 32 * 4 + 2 * SORT_RADIX * 4,
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

static enum shoal_status create_tables(struct shoal_sort *sort, struct shoal_error *error)
{
    struct sort_chunks *chunks = &sort->chunks;
    const uint32_t units = shoal_device_get_info(sort->device)->units,
                   tiles = div_up(sort->params.max_n, chunks->tile);
    chunks->max_chunks = (units ? units : 1) * CHUNKS_PER_UNIT;
    if (chunks->max_chunks > tiles)
        chunks->max_chunks = tiles;
    const size_t counts = (size_t)SORT_RADIX * chunks->max_chunks;
    enum shoal_status status =
        shoal_scan_create(sort->device, counts, SHOAL_SCAN_AUTO, sort->params.variant, &chunks->scan, error);
    return status ? status
                  : shoal_buffer_create(sort->device, counts * sizeof(uint32_t), &chunks->counts, error);
}

enum shoal_status sort_chunks_create(struct shoal_sort *sort, struct shoal_error *error)
{
    struct sort_chunks *chunks = &sort->chunks;
    const struct shoal_define types[] = {{"KEY_BITS", sort->params.key_bits},
                                         {"VALUE_BITS", sort->params.value_bits}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = sort->params.variant;
    chunks->serial = sort->method == SHOAL_SORT_SERIAL;
    if (chunks->serial) {
        params.defines = types;
        params.define_count = COUNT(types);
    }
    enum shoal_status status =
        shoal_program_create(sort->device, chunks->serial ? &sort_serial_program : &sort_program, &params,
                             &chunks->program, error);
    if (!status)
        status = shoal_kernel_create(chunks->program, "sort_count", &chunks->count, error);
    if (!status)
        status = shoal_kernel_create(chunks->program, "sort_scatter", &chunks->scatter, error);
    if (status)
        return status;
    chunks->tile = chunks->serial ? SERIAL_CHUNK
                                  : (uint32_t)(shoal_program_define(chunks->program, "WG") *
                                               shoal_program_define(chunks->program, "ITEMS"));
    return create_tables(sort, error);
}

void sort_chunks_destroy(struct sort_chunks *chunks)
{
    shoal_scan_destroy(&chunks->scan);
    shoal_buffer_destroy(&chunks->counts);
    shoal_kernel_destroy(&chunks->count);
    shoal_kernel_destroy(&chunks->scatter);
    shoal_program_destroy(&chunks->program);
}

enum shoal_status sort_chunks_pass(struct shoal_sort *sort, struct shoal_queue *queue,
                                   const struct sort_pass *pass, struct shoal_error *error)
{
    const struct sort_chunks *chunks = &sort->chunks;
    const uint32_t tiles = div_up(pass->n, chunks->tile);
    const uint32_t chunk =
        (tiles < chunks->max_chunks ? 1 : div_up(tiles, chunks->max_chunks)) * chunks->tile;
    const uint32_t count = div_up(pass->n, chunk);
    const size_t groups = chunks->serial ? shoal_kernel_groups(chunks->count, count) : count;
    enum shoal_status status =
        LAUNCH(sort_count, queue, chunks->count, groups, error, .keys = pass->from.keys,
               .counts = chunks->counts, .n = pass->n, .chunk = chunk, .bit = pass->bit, .bits = pass->bits);
    if (!status)
        status = shoal_scan_run(chunks->scan, queue, chunks->counts, 0, chunks->counts, 0,
                                (size_t)count << pass->bits, error);
    if (status)
        return status;
    return LAUNCH(sort_scatter, queue, chunks->scatter, groups, error, .keys = pass->from.keys,
                  .values = pass->from.values, .places = chunks->counts, .keys_out = pass->to.keys,
                  .values_out = pass->to.values, .n = pass->n, .chunk = chunk, .bit = pass->bit,
                  .bits = pass->bits);
}
