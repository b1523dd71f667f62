/* Exclusive scan: cl/lib/scan.cl in one pass, cl/lib/scan_blocks.cl in three launches. */
#include "primitives/common.h"

#include <stdlib.h>

#define TILE_DEFINES                                                                                         \
    {"WG", 256, 1, 1024, "work-items of a group, a power of two"},                                           \
    {                                                                                                        \
        "ITEMS", 16, 4, 32, "elements of a work-item, a power of two"                                        \
    }

static const struct shoal_define_desc lookback_defines[] = {
    TILE_DEFINES,
    {"VOLATILE_READ", 0, 0, 1, "status words are polled with 0 atomics, 1 volatile loads"},
};

static const struct shoal_define_desc blocks_defines[] = {TILE_DEFINES};

static const struct shoal_arg_desc lookback_args[] = {
    ARG_BUFFER("input", READ, UINT),
    ARG_BUFFER("output", WRITE, UINT),
    ARG_BUFFER("status", READ_WRITE, ULONG),
    ARG_BUFFER("tickets", READ_WRITE, UINT),
    ARG_VALUE("input_offset", ULONG),
    ARG_VALUE("output_offset", ULONG),
    ARG_VALUE("n", UINT),
    ARG_VALUE("first_ticket", UINT),
    ARG_VALUE("epoch", UINT),
};

static const struct shoal_arg_desc sums_args[] = {
    ARG_BUFFER("input", READ, UINT),
    ARG_BUFFER("sums", WRITE, UINT),
    ARG_VALUE("input_offset", ULONG),
    ARG_VALUE("n", UINT),
};

static const struct shoal_arg_desc prefixes_args[] = {
    ARG_BUFFER("sums", READ_WRITE, UINT),
    ARG_VALUE("count", UINT),
};

static const struct shoal_arg_desc tiles_args[] = {
    ARG_BUFFER("input", READ, UINT),  ARG_BUFFER("output", WRITE, UINT), ARG_BUFFER("prefixes", READ, UINT),
    ARG_VALUE("input_offset", ULONG), ARG_VALUE("output_offset", ULONG), ARG_VALUE("n", UINT),
};

/* Local memory of tile_scan at the largest ITEMS: 32 / 4 row sums, a gap for every 32 of them, and 2 words.
 */
enum { TILE_SCAN_BYTES = (32 / 4 + 1 + 2) * 4 };

static const struct shoal_entry_desc lookback_entries[] = {
    {.name = "scan_lookback",
     .args = lookback_args,
     .arg_count = COUNT(lookback_args),
     .work_group = "WG",
     .local_bytes = 24,
     .local_bytes_per_item = TILE_SCAN_BYTES,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "exclusive scan in one pass"},
};

static const struct shoal_entry_desc blocks_entries[] = {
    {.name = "scan_sums",
     .args = sums_args,
     .arg_count = COUNT(sums_args),
     .work_group = "WG",
     .local_bytes_per_item = 4,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "sum of each tile"},
    {.name = "scan_prefixes",
     .args = prefixes_args,
     .arg_count = COUNT(prefixes_args),
     .work_group = "WG",
     .local_bytes_per_item = TILE_SCAN_BYTES,
     .help = "exclusive scan of the sums by one group"},
    {.name = "scan_tiles",
     .args = tiles_args,
     .arg_count = COUNT(tiles_args),
     .work_group = "WG",
     .local_bytes_per_item = TILE_SCAN_BYTES,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "exclusive scan of each tile, plus its prefix"},
};

const struct shoal_program_desc scan_program = {
    .name = "lib.scan",
    .file = "lib/scan.cl",
    .needs = SHOAL_NEEDS_INT64_ATOMICS,
    .defines = lookback_defines,
    .define_count = COUNT(lookback_defines),
    .entries = lookback_entries,
    .entry_count = COUNT(lookback_entries),
};

const struct shoal_program_desc scan_blocks_program = {
    .name = "lib.scan-blocks",
    .file = "lib/scan_blocks.cl",
    .defines = blocks_defines,
    .define_count = COUNT(blocks_defines),
    .entries = blocks_entries,
    .entry_count = COUNT(blocks_entries),
};

/* An epoch shares its half of a status word with a state of two bits. */
enum { LAST_EPOCH = 0x3fffffff };

struct shoal_scan {
    struct shoal_program *program;
    struct shoal_kernel *lookback;                /* NULL: by blocks */
    struct shoal_kernel *sums, *prefixes, *tiles; /* by blocks */
    struct shoal_buffer *table;                   /* status words, or sums of the tiles */
    struct shoal_buffer *tickets;
    size_t max_n;
    uint32_t tile, max_tiles;
    uint32_t epoch; /* of the last run; 0: the status words were never cleared */
    uint32_t next_ticket;
};

static enum shoal_status create_lookback(struct shoal_scan *scan, struct shoal_device *device,
                                         struct shoal_program_params *params, struct shoal_error *error)
{
    /* GPUs read a 64-bit word at once and past their private caches when told volatile. Simulators, which are
     * a CPU as well, watch for memory that is not accessed by atomics. */
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const struct shoal_define define = {"VOLATILE_READ", info->is_gpu && !info->is_cpu};
    params->defines = &define;
    params->define_count = 1;
    enum shoal_status status = shoal_program_create(device, &scan_program, params, &scan->program, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_lookback", &scan->lookback, error);
    if (!status)
        status = shoal_buffer_create(device, sizeof(uint32_t), &scan->tickets, error);
    return status;
}

static enum shoal_status create_blocks(struct shoal_scan *scan, struct shoal_device *device,
                                       const struct shoal_program_params *params, struct shoal_error *error)
{
    enum shoal_status status =
        shoal_program_create(device, &scan_blocks_program, params, &scan->program, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_sums", &scan->sums, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_prefixes", &scan->prefixes, error);
    if (!status)
        status = shoal_kernel_create(scan->program, "scan_tiles", &scan->tiles, error);
    return status;
}

enum shoal_status shoal_scan_create(struct shoal_device *device, size_t max_n, enum shoal_scan_method method,
                                    enum shoal_variant variant, struct shoal_scan **out,
                                    struct shoal_error *error)
{
    if (!device || !out)
        return fail(error, SHOAL_INVALID, "shoal_scan_create: a pointer is NULL");
    *out = NULL;
    enum shoal_status status = check_max_n("shoal_scan_create", max_n, error);
    if (status)
        return status;
    if (method != SHOAL_SCAN_AUTO && method != SHOAL_SCAN_LOOKBACK && method != SHOAL_SCAN_BLOCKS)
        return fail(error, SHOAL_INVALID, "shoal_scan_create: there is no method %d", (int)method);
    bool lookback = method == SHOAL_SCAN_LOOKBACK ||
                    (method == SHOAL_SCAN_AUTO && shoal_device_get_info(device)->int64_atomics);
    struct shoal_scan *scan = calloc(1, sizeof *scan);
    if (!scan)
        return fail_host_memory(error);
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = variant;
    status = lookback ? create_lookback(scan, device, &params, error)
                      : create_blocks(scan, device, &params, error);
    if (status)
        goto fail;
    scan->max_n = max_n;
    scan->tile =
        (uint32_t)(shoal_program_define(scan->program, "WG") * shoal_program_define(scan->program, "ITEMS"));
    scan->max_tiles = div_up(max_n, scan->tile);
    status = shoal_buffer_create(device, scan->max_tiles * (lookback ? sizeof(uint64_t) : sizeof(uint32_t)),
                                 &scan->table, error);
    if (status)
        goto fail;
    *out = scan;
    return SHOAL_OK;
fail:
    shoal_scan_destroy(&scan);
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
    shoal_kernel_destroy(&scan->prefixes);
    shoal_kernel_destroy(&scan->tiles);
    shoal_program_destroy(&scan->program);
    free(scan);
}

const struct shoal_program *shoal_scan_program(const struct shoal_scan *scan, size_t index)
{
    return scan && index == 0 ? scan->program : NULL;
}

/* Where a run finds its arguments. */
struct job {
    struct shoal_arg input, output, input_offset, output_offset, n;
    uint32_t tiles;
};

static enum shoal_status run_lookback(struct shoal_scan *scan, struct shoal_queue *queue,
                                      const struct job *job, struct shoal_error *error)
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
    const struct shoal_arg args[] = {job->input,
                                     job->output,
                                     shoal_arg_buffer(scan->table),
                                     shoal_arg_buffer(scan->tickets),
                                     job->input_offset,
                                     job->output_offset,
                                     job->n,
                                     shoal_arg_uint(scan->next_ticket),
                                     shoal_arg_uint(scan->epoch + 1)};
    status = shoal_launch(queue, scan->lookback, job->tiles, args, COUNT(args), NULL, error);
    if (!status) {
        scan->epoch++;
        scan->next_ticket += job->tiles;
    }
    return status;
}

static enum shoal_status run_blocks(struct shoal_scan *scan, struct shoal_queue *queue, const struct job *job,
                                    struct shoal_error *error)
{
    const struct shoal_arg table = shoal_arg_buffer(scan->table);
    const struct shoal_arg sums_args_now[] = {job->input, table, job->input_offset, job->n};
    enum shoal_status status =
        shoal_launch(queue, scan->sums, job->tiles, sums_args_now, COUNT(sums_args_now), NULL, error);
    if (status)
        return status;
    const struct shoal_arg prefixes_args_now[] = {table, shoal_arg_uint(job->tiles)};
    status = shoal_launch(queue, scan->prefixes, 1, prefixes_args_now, COUNT(prefixes_args_now), NULL, error);
    if (status)
        return status;
    const struct shoal_arg tiles_args_now[] = {job->input,        job->output,        table,
                                               job->input_offset, job->output_offset, job->n};
    return shoal_launch(queue, scan->tiles, job->tiles, tiles_args_now, COUNT(tiles_args_now), NULL, error);
}

enum shoal_status shoal_scan_run(struct shoal_scan *scan, struct shoal_queue *queue,
                                 struct shoal_buffer *input, size_t input_offset, struct shoal_buffer *output,
                                 size_t output_offset, size_t n, struct shoal_error *error)
{
    static const char call[] = "shoal_scan_run";
    if (!scan)
        return fail(error, SHOAL_INVALID, "%s: the object is NULL", call);
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
    const struct job job = {.input = shoal_arg_buffer(input),
                            .output = shoal_arg_buffer(output),
                            .input_offset = shoal_arg_ulong(input_offset),
                            .output_offset = shoal_arg_ulong(output_offset),
                            .n = shoal_arg_uint((uint32_t)n),
                            .tiles = div_up(n, scan->tile)};
    return scan->lookback ? run_lookback(scan, queue, &job, error) : run_blocks(scan, queue, &job, error);
}
