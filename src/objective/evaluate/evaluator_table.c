/* A table of rows on the device: whole, or in chunks. */
#include "base/error.h"
#include "objective/evaluate/evaluator_private.h"
#include "workload/chunks.h"

#include <stdlib.h>

/* Bytes of the host memory in which rows are arranged in tiles before they are uploaded. */
enum { STAGING_BYTES = 8 << 20 };

/* Largest number of rows of a launch, since kernels count rows in 32 bits. */
enum { MAX_CHUNK_ROWS = 1 << 30 };

struct device_table {
    const struct objective_table *table;
    enum shoal_precision precision;
    size_t chunk_rows, count; /* chunk_rows: number of rows of a chunk; count: number of chunks */
    struct chunks chunks;
    size_t held[CHUNK_PLACES]; /* number of the chunk in each place; `count`: the place holds no chunk */
    /* the device holds the tiles of each chunk from the beginning of span `low` to the end of span `high` */
    struct table_span low, high;
    void *staging;
    size_t staging_rows;
};

static size_t row_bytes(const struct device_table *table)
{
    return table->table->columns * (table->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}

static size_t whole_tiles(const struct device_table *table, uint64_t rows)
{
    size_t tile = row_tile(table->precision);
    return (size_t)((rows + tile - 1) / tile * tile);
}

/* Returns the number of rows of a chunk: chunk_rows if it is not 0; all rows if they fit; else as many as
 * fit. */
static size_t choose_chunk(const struct device_table *table, const struct shoal_device_info *info,
                           uint64_t chunk_rows)
{
    size_t tile = row_tile(table->precision), rows = whole_tiles(table, table->table->rows);
    uint64_t most = info->memory - info->memory / 8, bytes = row_bytes(table);
    if (chunk_rows)
        return clamped(whole_tiles(table, chunk_rows < rows ? chunk_rows : rows), tile, MAX_CHUNK_ROWS);
    bool whole = rows <= MAX_CHUNK_ROWS && rows * bytes <= most && rows * bytes <= info->max_allocation;
    if (whole)
        return rows;
    return clamped(chunks_most_rows(info, most, CHUNK_PLACES, bytes, bytes) / tile * tile, tile,
                   MAX_CHUNK_ROWS);
}

static size_t rows_of_chunk(const struct device_table *table, size_t k)
{
    const size_t left = table->table->rows - k * table->chunk_rows;
    return left < table->chunk_rows ? left : table->chunk_rows;
}

/* The rows first .. end - 1 of a chunk, which the device holds. Some kernels divide only the whole tiles
 * among splits, others also the last tile with its padding; these rows suffice for both. */
struct held_rows {
    size_t first, end;
};

static struct held_rows held_rows(const struct device_table *table, size_t k)
{
    const size_t tile = row_tile(table->precision), rows = rows_of_chunk(table, k);
    const struct table_span *high = &table->high;
    const size_t end = whole_tiles(table, rows) / tile * high->high / high->of * tile;
    return (struct held_rows){.first = rows / tile * table->low.low / table->low.of * tile,
                              .end = high->high == high->of || end > rows ? rows : end};
}

static size_t held_bytes(const struct device_table *table, size_t k)
{
    const struct held_rows held = held_rows(table, k);
    return whole_tiles(table, held.end - held.first) * row_bytes(table);
}

static enum shoal_status allocate(struct device_table *table, struct shoal_queue *queue,
                                  struct shoal_error *error)
{
    table->count = (table->table->rows + table->chunk_rows - 1) / table->chunk_rows;
    /* Only the last chunk may have fewer rows than the first, but its part on the device may be larger by
     * rounding to tiles. */
    const size_t first = held_bytes(table, 0), last = held_bytes(table, table->count - 1),
                 bytes = first > last ? first : last;
    for (size_t place = 0; place < CHUNK_PLACES; place++)
        table->held[place] = table->count;
    return chunks_create(&table->chunks, queue, &bytes, 1,
                         table->count < CHUNK_PLACES ? table->count : CHUNK_PLACES,
                         table->count > CHUNK_PLACES, error);
}

/* Creates a table without buffers on the device. */
static enum shoal_status create(struct shoal_device *device, const struct objective_table *host,
                                enum shoal_precision precision, uint64_t chunk_rows,
                                struct device_table **out, struct shoal_error *error)
{
    struct device_table *table = *out = calloc(1, sizeof *table);
    if (!table)
        return fail_host_memory(error);
    *table = (struct device_table){.table = host, .precision = precision};
    table->chunk_rows = choose_chunk(table, shoal_device_get_info(device), chunk_rows);
    return SHOAL_OK;
}

static enum shoal_status create_staging(struct device_table *table, struct shoal_error *error)
{
    table->staging_rows = clamped(whole_tiles(table, STAGING_BYTES / row_bytes(table)),
                                  row_tile(table->precision), table->chunk_rows);
    table->staging = malloc(table->staging_rows * row_bytes(table));
    return table->staging ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status device_table_create(struct shoal_device *device, struct shoal_queue *queue,
                                      const struct objective_table *host, enum shoal_precision precision,
                                      uint64_t chunk_rows, struct device_table **out,
                                      struct shoal_error *error)
{
    enum shoal_status status = create(device, host, precision, chunk_rows, out, error);
    if (status)
        return status;
    struct device_table *table = *out;
    table->low = table->high = (struct table_span){0, 1, 1};
    status = allocate(table, queue, error);
    /* Other programs may use memory of the device, so smaller chunks are tried if the allocation fails. */
    while (status == SHOAL_OUT_OF_DEVICE_MEMORY && !chunk_rows && table->chunk_rows > row_tile(precision)) {
        table->chunk_rows = whole_tiles(table, table->chunk_rows / 2);
        status = allocate(table, queue, error);
    }
    if (!status)
        status = create_staging(table, error);
    if (status)
        device_table_destroy(out);
    return status;
}

enum shoal_status device_table_create_share(struct shoal_device *device, struct shoal_queue *queue,
                                            const struct objective_table *host,
                                            enum shoal_precision precision, uint64_t chunk_rows,
                                            struct device_table **out, struct shoal_error *error)
{
    enum shoal_status status = create(device, host, precision, chunk_rows, out, error);
    if (status)
        return status;
    struct device_table *table = *out;
    table->low = table->high = (struct table_span){0, 0, 1};
    table->chunks.queue = queue;
    table->count = (host->rows + table->chunk_rows - 1) / table->chunk_rows;
    status = create_staging(table, error);
    if (status)
        device_table_destroy(out);
    return status;
}

enum shoal_status device_table_hold(struct device_table *table, const struct table_span *span,
                                    struct shoal_error *error)
{
    const bool is_empty = table->low.low * table->high.of == table->high.high * table->low.of;
    const bool is_lower = is_empty || span->low * table->low.of < table->low.low * span->of;
    const bool is_higher = is_empty || span->high * table->high.of > table->high.high * span->of;
    struct shoal_queue *queue = table->chunks.queue;
    if (!is_lower && !is_higher)
        return SHOAL_OK;
    /* launches may still read the buffers */
    enum shoal_status status = shoal_queue_finish(queue, error);
    if (status)
        return status;
    chunks_destroy(&table->chunks);
    table->low = is_lower ? *span : table->low;
    table->high = is_higher ? *span : table->high;
    status = allocate(table, queue, error);
    if (status) /* the table holds nothing */
        table->low = table->high = (struct table_span){0, 0, 1};
    return status;
}

size_t device_table_first_tile(const struct device_table *table, size_t k)
{
    return held_rows(table, k).first / row_tile(table->precision);
}

void device_table_destroy(struct device_table **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct device_table *table = *pointer;
    *pointer = NULL;
    chunks_destroy(&table->chunks);
    free(table->staging);
    free(table);
}

size_t device_table_chunks(const struct device_table *table)
{
    return table->count;
}

size_t device_table_chunk_rows(const struct device_table *table)
{
    return table->chunk_rows;
}

bool device_table_streams(const struct device_table *table)
{
    return table->count > CHUNK_PLACES;
}

void device_table_used(struct device_table *table, size_t k, struct shoal_event *event)
{
    chunks_used(&table->chunks, k % CHUNK_PLACES, event);
}

static enum shoal_status upload(struct device_table *table, size_t k, struct shoal_error *error)
{
    const struct held_rows held = held_rows(table, k);
    const size_t place = k % CHUNK_PLACES, rows = held.end - held.first;
    enum shoal_status status = chunks_open(&table->chunks, place, error);
    for (size_t done = 0; done < rows && !status;) {
        size_t some = rows - done < table->staging_rows ? rows - done : table->staging_rows;
        status = table_read_tiles(table->table, k * table->chunk_rows + held.first + done, some,
                                  table->precision, row_tile(table->precision), table->staging, error);
        if (!status)
            status = chunks_write(&table->chunks, place, 0, done * row_bytes(table), table->staging,
                                  whole_tiles(table, some) * row_bytes(table), error);
        done += some;
    }
    return status ? status : chunks_close(&table->chunks, error);
}

enum shoal_status device_table_get(struct device_table *table, size_t k, struct shoal_buffer **rows,
                                   size_t *row_count, struct shoal_error *error)
{
    const size_t place = k % CHUNK_PLACES;
    *rows = table->chunks.places[place].buffers[0];
    *row_count = rows_of_chunk(table, k);
    if (table->held[place] == k)
        return SHOAL_OK;
    /* while rows are uploaded, the place holds no valid chunk */
    table->held[place] = table->count;
    enum shoal_status status = upload(table, k, error);
    if (!status)
        table->held[place] = k;
    return status;
}
