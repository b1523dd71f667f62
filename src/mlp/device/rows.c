#include "mlp/device/rows.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/integer.h"
#include "base/threads.h"
#include "compute/device.h"
#include "compute/log.h"
#include "workload/chunks.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/host/texts.h"

/* STAGING_BYTES: size of the pieces in which the host arranges rows before it writes them to the device.
 * CHUNK_BYTES: size of a chunk, unless the caller asks for a size. A device works for milliseconds on such a
 * chunk, so larger chunks would gain nothing, and training would begin later. */
enum { STAGING_BYTES = 8 << 20, CHUNK_BYTES = 64 << 20 };

enum { DATA, CLASSES, TARGETS, WEIGHTS, ARRAYS };

/* An array of the data set on the host. bytes: bytes of a row of the array on the device. */
struct source {
    const void *from; /* NULL: the data set lacks the array */
    size_t bytes;
    size_t numbers; /* number of doubles of a row, if the device gets floats; 0: rows are copied unchanged */
};

/* The rows that a place holds: a place is one of the two chunks on the device or, without chunks, the memory
 * of all rows. */
struct held {
    struct rows_part part;
    size_t first, count; /* rows first .. first + count - 1 of the part; count 0: no rows */
    uint64_t upload;
};

struct device_rows {
    const struct prepared *prepared;
    size_t users;
    struct source sources[ARRAYS];
    size_t chunk; /* most rows of a place */
    struct chunks chunks;
    struct held held[CHUNK_PLACES];
    uint64_t uploads;
    size_t last;            /* place of the most recent view */
    unsigned char *staging; /* host memory for staging_rows rows of all arrays, one array after another */
    size_t staging_rows;
    struct thread_choice threads;
};

/* Memory ----------------------------------------------------------------------------------------------- */

static void list_sources(const struct prepared *prepared, bool is_double, struct source sources[ARRAYS])
{
    const size_t bytes = is_double ? sizeof(double) : sizeof(float);
    sources[DATA] = (struct source){prepared->data, prepared->row_bytes, 0};
    sources[CLASSES] = (struct source){prepared->classes, sizeof *prepared->classes, 0};
    sources[TARGETS] =
        (struct source){prepared->targets, prepared->outputs * bytes, is_double ? 0 : prepared->outputs};
    sources[WEIGHTS] = (struct source){prepared->weights, bytes, is_double ? 0 : 1};
}

/* Bytes of a row in all arrays. `*largest`: bytes of a row in the array with the longest rows. */
static size_t bytes_of_row(const struct source sources[ARRAYS], size_t *largest)
{
    size_t bytes = *largest = 0;
    for (size_t k = 0; k < ARRAYS; k++)
        if (sources[k].from) {
            bytes += sources[k].bytes;
            *largest = sources[k].bytes > *largest ? sources[k].bytes : *largest;
        }
    return bytes;
}

static enum shoal_status choose_chunk(struct device_rows *rows, const struct device_rows_setup *setup,
                                      struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(shoal_queue_device(setup->queue));
    const size_t all = setup->prepared->rows, least = setup->least < all ? setup->least : all;
    const uint64_t asked = setup->chunk_rows ? clamped(setup->chunk_rows, least, all) : 0;
    size_t largest;
    const size_t row = bytes_of_row(rows->sources, &largest);
    const uint64_t room = setup->room > 0 ? (uint64_t)setup->room : 0;
    const uint64_t most = chunks_most_rows(info, room, CHUNK_PLACES, row, largest);
    if (all <= chunks_most_rows(info, room, 1, row, largest) && (!asked || asked == all)) {
        rows->chunk = all;
        return SHOAL_OK;
    }
    const uint64_t wanted = asked ? asked : CHUNK_BYTES / row < most ? CHUNK_BYTES / row : most;
    rows->chunk = (size_t)clamped(wanted, least, all);
    return rows->chunk <= most
               ? SHOAL_OK
               : fail(error, SHOAL_OUT_OF_DEVICE_MEMORY,
                      "two chunks of %zu rows take %.0f bytes of %s (%s), which has %llu left beside the "
                      "nets: "
                      "lower %s",
                      rows->chunk, (double)CHUNK_PLACES * (double)rows->chunk * (double)row, info->id,
                      info->name, (unsigned long long)room, rows->chunk > least ? "chunk-rows" : "the batch");
}

static enum shoal_status allocate(struct device_rows *rows, struct shoal_queue *queue,
                                  struct shoal_error *error)
{
    const bool are_chunks = device_rows_are_chunks(rows);
    size_t bytes[ARRAYS];
    for (size_t k = 0; k < ARRAYS; k++)
        bytes[k] = rows->sources[k].from ? rows->chunk * rows->sources[k].bytes : 0;
    return chunks_create(&rows->chunks, queue, bytes, ARRAYS, are_chunks ? CHUNK_PLACES : 1, are_chunks,
                         error);
}

/* Allocates the chunks. Because other programs may use memory of the device, an allocation may fail; then
 * chunks become smaller. */
static enum shoal_status allocate_what_fits(struct device_rows *rows, const struct device_rows_setup *setup,
                                            struct shoal_error *error)
{
    struct shoal_error refusal = {0};
    enum shoal_status status = allocate(rows, setup->queue, &refusal);
    const struct shoal_error first = refusal;
    const bool was_refused = status == SHOAL_OUT_OF_DEVICE_MEMORY;
    while (status == SHOAL_OUT_OF_DEVICE_MEMORY && !setup->chunk_rows && rows->chunk > setup->least) {
        rows->chunk = rows->chunk / 2 > setup->least ? rows->chunk / 2 : setup->least;
        status = allocate(rows, setup->queue, &refusal);
    }
    if (status && error)
        *error = refusal;
    if (!status && was_refused)
        shoal_log(device_shoal(shoal_queue_device(setup->queue)), SHOAL_LOG_WARNING,
                  "%s; the rows go to the device in chunks of %zu", first.message, rows->chunk);
    return status;
}

static enum shoal_status create_staging(struct device_rows *rows, struct shoal_error *error)
{
    size_t largest;
    const size_t row = bytes_of_row(rows->sources, &largest);
    rows->staging_rows = (size_t)clamped(STAGING_BYTES / row, 1, rows->chunk);
    rows->staging = malloc(rows->staging_rows * row);
    return rows->staging ? SHOAL_OK : fail_host_memory(error);
}

struct device_rows *device_rows_share(struct device_rows *rows)
{
    rows->users++;
    return rows;
}

void device_rows_destroy(struct device_rows **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct device_rows *rows = *pointer;
    *pointer = NULL;
    if (--rows->users > 0)
        return;
    chunks_destroy(&rows->chunks);
    free(rows->staging);
    free(rows);
}

size_t device_rows_chunk(const struct device_rows *rows)
{
    return rows->chunk;
}

bool device_rows_are_chunks(const struct device_rows *rows)
{
    return rows->chunk < rows->prepared->rows;
}

/* Uploads ---------------------------------------------------------------------------------------------- */

static void copy_row(const struct source *source, size_t row, unsigned char *to)
{
    if (source->numbers) {
        const double *const from = (const double *)source->from + row * source->numbers;
        for (size_t k = 0; k < source->numbers; k++) {
            const float number = (float)from[k];
            memcpy(to + k * sizeof number, &number, sizeof number);
        }
    } else {
        memcpy(to, (const unsigned char *)source->from + row * source->bytes, source->bytes);
    }
}

/* Copies `count` rows, from row `at` of the part on, into rows->staging. */
static void gather(struct device_rows *rows, const struct rows_part *part, size_t at, size_t count)
{
    size_t largest;
    const double seconds = 1e-9 * (double)count * (double)bytes_of_row(rows->sources, &largest);
    struct thread_choice *const choice = threads_are_worth_waking(seconds) ? &rows->threads : NULL;
    const int threads = choice ? thread_choice_threads(choice) : 1;
    mlp_order order = {{0}, 0, 0};
    if (part->is_shuffled)
        order = mlp_order_of(part->seed, part->epoch, (uint32_t)part->count);
    if (choice)
        thread_choice_begin(choice);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t k = 0; k < count; k++) {
            const size_t row =
                part->is_shuffled ? mlp_order_row(order, (uint32_t)(at + k)) : part->first + at + k;
            unsigned char *to = rows->staging;
            for (size_t a = 0; a < ARRAYS; a++)
                if (rows->sources[a].from) {
                    copy_row(&rows->sources[a], row, to + k * rows->sources[a].bytes);
                    to += rows->staging_rows * rows->sources[a].bytes;
                }
        }
        thread_choice_work(choice, start);
    }
    if (choice)
        thread_choice_end(choice);
}

/* Writes `count` rows from rows->staging to `place`, after the `done` rows that are there already. */
static enum shoal_status write_piece(struct device_rows *rows, size_t place, size_t done, size_t count,
                                     struct shoal_error *error)
{
    const unsigned char *from = rows->staging;
    enum shoal_status status = SHOAL_OK;
    for (size_t a = 0; a < ARRAYS && !status; a++) {
        const size_t bytes = rows->sources[a].bytes;
        if (!rows->sources[a].from)
            continue;
        status = chunks_write(&rows->chunks, place, a, done * bytes, from, count * bytes, error);
        from += rows->staging_rows * bytes;
    }
    return status;
}

static enum shoal_status upload(struct device_rows *rows, const struct held *wanted, size_t place,
                                struct shoal_error *error)
{
    enum shoal_status status = chunks_open(&rows->chunks, place, error);
    rows->held[place].count = 0; /* if an upload fails, the place counts as empty */
    for (size_t done = 0; done < wanted->count && !status; done += rows->staging_rows) {
        const size_t left = wanted->count - done,
                     some = left < rows->staging_rows ? left : rows->staging_rows;
        gather(rows, &wanted->part, wanted->first + done, some);
        status = write_piece(rows, place, done, some, error);
    }
    if (!status)
        status = chunks_close(&rows->chunks, error);
    if (status)
        return status;
    rows->held[place] = *wanted;
    rows->held[place].upload = ++rows->uploads;
    return SHOAL_OK;
}

enum shoal_status device_rows_create(const struct device_rows_setup *setup, struct device_rows **out,
                                     struct shoal_error *error)
{
    struct device_rows *rows = calloc(1, sizeof *rows);
    *out = NULL;
    if (!rows)
        return fail_host_memory(error);
    rows->prepared = setup->prepared;
    rows->users = 1;
    rows->threads = (struct thread_choice){.most = omp_get_max_threads()};
    list_sources(setup->prepared, setup->is_double, rows->sources);
    enum shoal_status status = choose_chunk(rows, setup, error);
    if (!status)
        status = allocate_what_fits(rows, setup, error);
    if (!status)
        status = create_staging(rows, error);
    if (!status && !device_rows_are_chunks(rows)) {
        const struct held all = {.part = {.count = rows->chunk, .unit = rows->chunk}, .count = rows->chunk};
        status = upload(rows, &all, 0, error);
        free(rows->staging);
        rows->staging = NULL;
    }
    if (status)
        device_rows_destroy(&rows);
    *out = rows;
    return status;
}

/* Views ------------------------------------------------------------------------------------------------ */

static bool are_same(const struct held *a, const struct held *b)
{
    const bool is_same_order = a->part.is_shuffled
                                   ? a->part.seed == b->part.seed && a->part.epoch == b->part.epoch
                                   : a->part.first == b->part.first;
    return a->part.is_shuffled == b->part.is_shuffled && is_same_order && a->first == b->first &&
           a->count == b->count;
}

/* Returns the place that has the wanted rows. If there is none, returns the place to which the rows are to be
 * uploaded, which is not the place of the most recent view. */
static size_t find_place(const struct device_rows *rows, const struct held *wanted)
{
    for (size_t place = 0; place < CHUNK_PLACES; place++)
        if (are_same(&rows->held[place], wanted))
            return place;
    return (rows->last + 1) % CHUNK_PLACES;
}

enum shoal_status device_rows_take(struct device_rows *rows, const struct rows_part *part, size_t at,
                                   struct rows_view *view, struct shoal_error *error)
{
    const bool are_chunks = device_rows_are_chunks(rows);
    const size_t whole = rows->chunk / part->unit * part->unit, begin = at / whole * whole;
    const struct held wanted = {
        .part = *part, .first = begin, .count = part->count - begin < whole ? part->count - begin : whole};
    size_t place = 0;
    enum shoal_status status = SHOAL_OK;
    if (are_chunks) {
        place = find_place(rows, &wanted);
        if (!are_same(&rows->held[place], &wanted))
            status = upload(rows, &wanted, place, error);
    }
    if (status)
        return status;
    rows->last = place;
    struct shoal_buffer **const buffers = rows->chunks.places[place].buffers;
    *view = (struct rows_view){.data = buffers[DATA],
                               .classes = buffers[CLASSES],
                               .targets = buffers[TARGETS],
                               .weights = buffers[WEIGHTS],
                               .first = are_chunks ? at - begin : part->first + at,
                               .is_ordered = are_chunks || !part->is_shuffled,
                               .upload = rows->held[place].upload};
    return SHOAL_OK;
}

void device_rows_used(struct device_rows *rows, struct shoal_event *event)
{
    chunks_used(&rows->chunks, rows->last, event);
}
