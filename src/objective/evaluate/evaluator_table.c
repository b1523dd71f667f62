/* A table of rows on the device: whole, or in chunks through two alternating buffers.
 *
 * Chunks are uploaded on a queue of their own, so that one is copied while the other is evaluated: the host
 * waits for the copy, never for the evaluation.
 */
#include "base/error.h"
#include "objective/evaluate/evaluator_private.h"

#include <stdlib.h>

enum { SLOTS = 2 };

/* Rows are arranged in host memory in pieces of this many bytes. */
enum { STAGING_BYTES = 8 << 20 };

/* Kernels count the rows of a launch in 32 bits. */
enum { MAX_CHUNK_ROWS = 1 << 30 };

struct device_table {
    const struct objective_table *table;
    enum shoal_precision precision;
    struct shoal_queue *copies; /* streams: its own queue; else NULL */
    struct shoal_queue *queue;
    size_t chunk_rows, chunks;
    struct shoal_buffer *slots[SLOTS];
    size_t held[SLOTS];               /* chunk in it; chunks: none */
    struct shoal_event *users[SLOTS]; /* the last launch that reads it; NULL: none */
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

/* Rows of a chunk if the whole table need not, or does not, fit. */
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
    uint64_t room = most / SLOTS < info->max_allocation ? most / SLOTS : info->max_allocation;
    return clamped(room / bytes / tile * tile, tile, MAX_CHUNK_ROWS);
}

static enum shoal_status allocate(struct device_table *table, struct shoal_device *device,
                                  struct shoal_error *error)
{
    table->chunks = (table->table->rows + table->chunk_rows - 1) / table->chunk_rows;
    for (size_t slot = 0; slot < SLOTS && slot < table->chunks; slot++) {
        enum shoal_status status =
            shoal_buffer_create(device, table->chunk_rows * row_bytes(table), &table->slots[slot], error);
        if (status) {
            shoal_buffer_destroy(&table->slots[0]);
            return status;
        }
    }
    for (size_t slot = 0; slot < SLOTS; slot++)
        table->held[slot] = table->chunks;
    return SHOAL_OK;
}

enum shoal_status device_table_create(struct shoal_device *device, struct shoal_queue *queue,
                                      const struct objective_table *host, enum shoal_precision precision,
                                      uint64_t chunk_rows, struct device_table **out,
                                      struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    struct device_table *table = calloc(1, sizeof *table);
    *out = NULL;
    if (!table)
        return fail_host_memory(error);
    *table = (struct device_table){.table = host, .precision = precision, .queue = queue};
    table->chunk_rows = choose_chunk(table, info, chunk_rows);
    enum shoal_status status = allocate(table, device, error);
    /* Other programs may use memory of the device: try smaller chunks. */
    while (status == SHOAL_OUT_OF_DEVICE_MEMORY && !chunk_rows && table->chunk_rows > row_tile(precision)) {
        table->chunk_rows = whole_tiles(table, table->chunk_rows / 2);
        status = allocate(table, device, error);
    }
    if (!status && table->chunks > SLOTS)
        status = shoal_queue_create(device, 0, &table->copies, error);
    table->staging_rows =
        clamped(whole_tiles(table, STAGING_BYTES / row_bytes(table)), row_tile(precision), table->chunk_rows);
    if (!status && !(table->staging = malloc(table->staging_rows * row_bytes(table))))
        status = fail_host_memory(error);
    if (status)
        device_table_destroy(&table);
    *out = table;
    return status;
}

void device_table_destroy(struct device_table **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct device_table *table = *pointer;
    *pointer = NULL;
    shoal_queue_destroy(&table->copies);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        shoal_event_destroy(&table->users[slot]);
        shoal_buffer_destroy(&table->slots[slot]);
    }
    free(table->staging);
    free(table);
}

size_t device_table_chunks(const struct device_table *table)
{
    return table->chunks;
}

size_t device_table_chunk_rows(const struct device_table *table)
{
    return table->chunk_rows;
}

bool device_table_streams(const struct device_table *table)
{
    return table->chunks > SLOTS;
}

void device_table_used(struct device_table *table, size_t k, struct shoal_event *event)
{
    shoal_event_destroy(&table->users[k % SLOTS]);
    table->users[k % SLOTS] = event;
}

static enum shoal_status upload(struct device_table *table, size_t k, size_t rows, struct shoal_error *error)
{
    struct shoal_queue *queue = table->copies ? table->copies : table->queue;
    struct shoal_event *user = table->users[k % SLOTS];
    enum shoal_status status = user ? shoal_queue_wait(queue, user, error) : SHOAL_OK;
    for (size_t done = 0; done < rows && !status;) {
        size_t some = rows - done < table->staging_rows ? rows - done : table->staging_rows;
        status = table_read_tiles(table->table, k * table->chunk_rows + done, some, table->precision,
                                  row_tile(table->precision), table->staging, error);
        if (!status)
            status = shoal_buffer_write(queue, table->slots[k % SLOTS], done * row_bytes(table),
                                        table->staging, whole_tiles(table, some) * row_bytes(table), error);
        done += some;
    }
    return status || !table->copies ? status : shoal_queue_finish(queue, error);
}

enum shoal_status device_table_get(struct device_table *table, size_t k, struct shoal_buffer **rows,
                                   size_t *row_count, struct shoal_error *error)
{
    size_t slot = k % SLOTS, left = table->table->rows - k * table->chunk_rows;
    *rows = table->slots[slot];
    *row_count = left < table->chunk_rows ? left : table->chunk_rows;
    if (table->held[slot] == k)
        return SHOAL_OK;
    /* A partly uploaded table is not used. */
    table->held[slot] = table->chunks;
    enum shoal_status status = upload(table, k, *row_count, error);
    if (!status)
        table->held[slot] = k;
    return status;
}
