/* Exclusive scan: by cl/lib/scan.cl in one pass, or by cl/lib/scan_blocks.cl or scan_serial.cl in three
 * launches. */
#include "lib/scan.h"
#include "base/params.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "lib/common.h"

#include <stdlib.h>

#define TILE_DEFINES(file)                                                                                   \
    DEFINE(file, WG, 1, 1024, "work-items of a group, a power of two"),                                      \
        DEFINE(file, ITEMS, 4, 32, "elements of a work-item, a power of two")

static const struct shoal_define_desc lookback_defines[] = {
    TILE_DEFINES(lib_scan),
    DEFINE(lib_scan, RANGES, 1, SCAN_MOST_RANGES, "number of ranges that a launch scans, each by itself"),
    DEFINE(lib_scan, VOLATILE_READ, 0, 1, "status words are polled with 0 atomics, 1 volatile loads"),
};

static const struct shoal_define_desc blocks_defines[] = {
    TILE_DEFINES(lib_scan_blocks),
};

static const struct shoal_define_desc serial_defines[] = {
    DEFINE(lib_scan_serial, WG, 1, 1024, "work-items of a group"),
};

/* Bytes of local memory for each work-item in tile_scan, with the largest ITEMS, 32: 32 / 4 row sums, a gap
 * after every 32 row sums, and 2 words. */
enum { TILE_SCAN_BYTES = (32 / 4 + 1 + 2) * 4 };

static const struct shoal_entry_desc lookback_entries[] = {
    ENTRY(lib_scan, scan_lookback, .local_bytes = 24, .local_bytes_per_item = TILE_SCAN_BYTES,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "exclusive scan in one pass"),
};

static const struct shoal_entry_desc blocks_entries[] = {
    ENTRY(lib_scan_blocks, scan_sums, .local_bytes_per_item = 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sum of each chunk, a group for each chunk"),
    ENTRY(lib_scan_blocks, scan_chunks, .local_bytes_per_item = TILE_SCAN_BYTES,
          .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "exclusive scan of each chunk plus its prefix, a group for each chunk"),
};

static const struct shoal_entry_desc serial_entries[] = {
    ENTRY(lib_scan_serial, scan_sums, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sum of each chunk, a work-item for each chunk"),
    ENTRY(lib_scan_serial, scan_chunks, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "exclusive scan of each chunk plus its prefix, a work-item for each chunk"),
};

const struct shoal_program_desc scan_program =
    PROGRAM("lib.scan", lib_scan, SHOAL_NEEDS_INT64_ATOMICS, lookback_defines, lookback_entries);

const struct shoal_program_desc scan_blocks_program =
    PROGRAM("lib.scan-blocks", lib_scan_blocks, 0, blocks_defines, blocks_entries);

const struct shoal_program_desc scan_serial_program =
    PROGRAM("lib.scan-serial", lib_scan_serial, 0, serial_defines, serial_entries);

enum {
    LAST_EPOCH = 0x3fffffff, /* an epoch shares half of a status word with a state of two bits */
    /* number of chunks for each compute unit: enough to balance the load, few enough for one group to scan
     * their sums */
    CHUNKS_PER_UNIT = 32,
    LONG_TILE = 32, /* elements of a work-item where there are TILES_PER_UNIT tiles for each unit */
    TILES_PER_UNIT = 8,
    /* CPUs: least number of elements in a chunk; with fewer, starting a work-item would take longer than its
     * work */
    SERIAL_CHUNK = 1 << 14
};

struct shoal_scan {
    struct shoal_program *program;
    struct shoal_kernel *lookback;      /* kernel of the scan in one pass; NULL: the scan is made by chunks */
    struct shoal_kernel *sums, *chunks; /* kernels of the scan by chunks */
    struct shoal_buffer *table; /* status words of the tiles (scan in one pass), or sums of the chunks */
    struct shoal_buffer *tickets;
    size_t max_n;
    uint32_t ranges; /* largest number of ranges of a run */
    bool serial;     /* a work-item processes a chunk; false: a work-group does */
    uint32_t tile;   /* the length of a chunk is a multiple of `tile` */
    uint32_t max_tiles, max_chunks;
    uint32_t epoch; /* epoch of the last run; 0: the status words were not cleared yet */
    uint32_t next_ticket;
};

static enum shoal_status create_lookback(struct shoal_scan *scan, struct shoal_device *device,
                                         struct shoal_program_params *params, struct shoal_error *error)
{
    /* VOLATILE_READ: a GPU reads a volatile 64-bit word in one access that bypasses its private caches.
     * Simulators, which count as CPUs, would report such a read as a data race. */
    const struct shoal_device_info *info = shoal_device_get_info(device);
    /* Long tiles need fewer looks at others; a short array needs many tiles. */
    const size_t many = (size_t)LONG_TILE * CL_DEFAULT_lib_scan_WG * TILES_PER_UNIT * units_for_sums(info);
    const struct shoal_define given[] = {
        {"RANGES", scan->ranges},
        {"VOLATILE_READ", info->is_gpu && !info->is_cpu},
        choose_define(device, &scan_program, "ITEMS",
                      scan->max_n >= many ? LONG_TILE : CL_DEFAULT_lib_scan_ITEMS),
    };
    params->defines = given;
    params->define_count = COUNT(given);
    enum shoal_status status = shoal_program_create(device, &scan_program, params, &scan->program, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_lookback", &scan->lookback, error);
    if (!status)
        status = shoal_buffer_create(device, sizeof(uint32_t), &scan->tickets, error);
    return status;
}

static enum shoal_status create_chunked(struct shoal_scan *scan, struct shoal_device *device,
                                        const struct shoal_program_desc *desc,
                                        const struct shoal_program_params *params, struct shoal_error *error)
{
    enum shoal_status status = shoal_program_create(device, desc, params, &scan->program, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_sums", &scan->sums, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_chunks", &scan->chunks, error);
    return status;
}

static enum shoal_status create_table(struct shoal_scan *scan, struct shoal_device *device,
                                      struct shoal_error *error)
{
    const uint32_t units = shoal_device_get_info(device)->units;
    scan->tile = scan->serial ? SERIAL_CHUNK
                              : (uint32_t)(shoal_program_define(scan->program, "WG") *
                                           shoal_program_define(scan->program, "ITEMS"));
    /* each range begins with a tile of its own */
    scan->max_tiles = div_up(scan->max_n, scan->tile) + scan->ranges - 1;
    scan->max_chunks = (units ? units : 1) * CHUNKS_PER_UNIT;
    if (scan->max_chunks > scan->max_tiles)
        scan->max_chunks = scan->max_tiles;
    const size_t bytes =
        scan->lookback ? scan->max_tiles * sizeof(uint64_t) : scan->max_chunks * sizeof(uint32_t);
    return shoal_buffer_create(device, bytes, &scan->table, error);
}

enum shoal_status shoal_scan_create(struct shoal_device *device, size_t max_n, enum shoal_scan_method method,
                                    enum shoal_variant variant, struct shoal_scan **out,
                                    struct shoal_error *error)
{
    return scan_create(device, max_n, 1, method, variant, out, error);
}

enum shoal_status scan_create(struct shoal_device *device, size_t max_n, uint32_t ranges,
                              enum shoal_scan_method method, enum shoal_variant variant,
                              struct shoal_scan **out, struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = check_max_n("shoal_scan_create", max_n, error);
    if (status)
        return status;
    if (method == SHOAL_SCAN_AUTO)
        method = is_plain_cpu(device)                           ? SHOAL_SCAN_SERIAL
                 : shoal_device_get_info(device)->int64_atomics ? SHOAL_SCAN_LOOKBACK
                                                                : SHOAL_SCAN_BLOCKS;
    struct shoal_scan *scan = calloc(1, sizeof *scan);
    if (!scan)
        return fail_host_memory(error);
    scan->max_n = max_n;
    scan->ranges = ranges;
    scan->serial = method == SHOAL_SCAN_SERIAL;
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = variant;
    switch (method) {
    case SHOAL_SCAN_LOOKBACK:
        status = create_lookback(scan, device, &params, error);
        break;
    case SHOAL_SCAN_BLOCKS:
        status = create_chunked(scan, device, &scan_blocks_program, &params, error);
        break;
    case SHOAL_SCAN_SERIAL:
        status = create_chunked(scan, device, &scan_serial_program, &params, error);
        break;
    default:
        status = fail(error, SHOAL_INVALID, "shoal_scan_create: there is no method %d", (int)method);
    }
    if (!status)
        status = create_table(scan, device, error);
    if (status)
        shoal_scan_destroy(&scan);
    *out = scan;
    return status;
}

void shoal_scan_destroy(struct shoal_scan **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_scan *scan = *pointer;
    *pointer = NULL;
    shoal_buffer_destroy(&scan->table);
    shoal_buffer_destroy(&scan->tickets);
    shoal_kernel_destroy(&scan->lookback);
    shoal_kernel_destroy(&scan->sums);
    shoal_kernel_destroy(&scan->chunks);
    shoal_program_destroy(&scan->program);
    free(scan);
}

const struct shoal_program *shoal_scan_program(const struct shoal_scan *scan, size_t index)
{
    return scan && index == 0 ? scan->program : NULL;
}

/* A scan of one range, after the check of its arguments. */
struct job {
    struct shoal_buffer *input, *output;
    size_t input_offset, output_offset;
    uint32_t n;
};

/* further: a second range, which only a scan with two ranges takes; n 0: there is none. */
static enum shoal_status run_lookback(struct shoal_scan *scan, struct shoal_queue *queue,
                                      const struct job *job, const struct job *further,
                                      struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (scan->epoch == 0 || scan->epoch == LAST_EPOCH) {
        status = shoal_buffer_fill(queue, scan->table, 0, scan->max_tiles * sizeof(uint64_t), 0, error);
        if (!status)
            status = shoal_buffer_fill(queue, scan->tickets, 0, sizeof(uint32_t), 0, error);
        if (status)
            return status;
        scan->epoch = 0;
        scan->next_ticket = 0;
    }
    const uint32_t first_tiles = div_up(job->n, scan->tile),
                   tiles = first_tiles + div_up(further->n, scan->tile);
    status =
        LAUNCH(scan_lookback, queue, scan->lookback, tiles, error, .input = job->input, .output = job->output,
               .status = scan->table, .tickets = scan->tickets, .input_offset = job->input_offset,
               .output_offset = job->output_offset, .n = job->n, .first_ticket = scan->next_ticket,
               .epoch = scan->epoch + 1, .further_input = further->input_offset,
               .further_output = further->output_offset, .further_n = further->n, .first_tiles = first_tiles);
    if (!status) {
        scan->epoch++;
        scan->next_ticket += tiles;
    }
    return status;
}

static size_t groups_for(const struct shoal_scan *scan, uint32_t chunks)
{
    return scan->serial ? shoal_kernel_groups(scan->chunks, chunks) : chunks;
}

static enum shoal_status launch_chunks(struct shoal_scan *scan, struct shoal_queue *queue,
                                       const struct job *job, struct shoal_buffer *prefixes, uint32_t chunk,
                                       struct shoal_error *error)
{
    const uint32_t chunks = div_up(job->n, chunk);
    return LAUNCH(scan_chunks, queue, scan->chunks, groups_for(scan, chunks), error, .input = job->input,
                  .output = job->output, .prefixes = prefixes, .input_offset = job->input_offset,
                  .output_offset = job->output_offset, .n = job->n, .chunk = chunk);
}

static enum shoal_status run_chunked(struct shoal_scan *scan, struct shoal_queue *queue,
                                     const struct job *job, struct shoal_error *error)
{
    const uint32_t tiles = div_up(job->n, scan->tile);
    const uint32_t chunk = (tiles < scan->max_chunks ? 1 : div_up(tiles, scan->max_chunks)) * scan->tile;
    const uint32_t chunks = div_up(job->n, chunk);
    if (chunks == 1)
        return launch_chunks(scan, queue, job, NULL, chunk, error);
    enum shoal_status status =
        LAUNCH(scan_sums, queue, scan->sums, groups_for(scan, chunks), error, .input = job->input,
               .sums = scan->table, .input_offset = job->input_offset, .n = job->n, .chunk = chunk);
    const struct job prefixes = {.input = scan->table, .output = scan->table, .n = chunks};
    if (!status)
        status = launch_chunks(scan, queue, &prefixes, NULL, chunks, error);
    if (!status)
        status = launch_chunks(scan, queue, job, scan->table, chunk, error);
    return status;
}

enum shoal_status shoal_scan_run(struct shoal_scan *scan, struct shoal_queue *queue,
                                 struct shoal_buffer *input, size_t input_offset, struct shoal_buffer *output,
                                 size_t output_offset, size_t n, struct shoal_error *error)
{
    static const char call[] = "shoal_scan_run";
    if (!NEED(error, scan))
        return SHOAL_INVALID;
    enum shoal_status status = check_n(call, n, scan->max_n, error);
    if (!status)
        status = check_range(call, "input", input, input_offset, n, sizeof(uint32_t), error);
    if (!status)
        status = check_range(call, "output", output, output_offset, n, sizeof(uint32_t), error);
    if (status || n == 0)
        return status;
    if (input == output && input_offset != output_offset && input_offset < output_offset + n &&
        output_offset < input_offset + n)
        return fail(error, SHOAL_INVALID, "%s: input and output overlap without being the same range", call);
    const struct job job = {.input = input,
                            .output = output,
                            .input_offset = input_offset,
                            .output_offset = output_offset,
                            .n = (uint32_t)n};
    const struct job none = {.n = 0};
    return scan->lookback ? run_lookback(scan, queue, &job, &none, error)
                          : run_chunked(scan, queue, &job, error);
}

enum shoal_status scan_run_ranges(struct shoal_scan *scan, struct shoal_queue *queue,
                                  struct shoal_buffer *input, struct shoal_buffer *output,
                                  const struct scan_range *ranges, size_t range_count,
                                  struct shoal_error *error)
{
    struct job jobs[SCAN_MOST_RANGES] = {{.n = 0}};
    enum shoal_status status = SHOAL_OK;
    if (range_count > scan->ranges)
        return fail(error, SHOAL_INVALID, "scan_run_ranges: %zu ranges; the scan takes at most %u",
                    range_count, scan->ranges);
    if (range_count == 0)
        return SHOAL_OK;
    for (size_t i = 0; i < range_count; i++)
        jobs[i] = (struct job){.input = input,
                               .output = output,
                               .input_offset = ranges[i].first,
                               .output_offset = ranges[i].first,
                               .n = (uint32_t)ranges[i].count};
    if (scan->lookback)
        return run_lookback(scan, queue, &jobs[0], &jobs[1], error);
    for (size_t i = 0; i < range_count && !status; i++)
        status = run_chunked(scan, queue, &jobs[i], error);
    return status;
}
