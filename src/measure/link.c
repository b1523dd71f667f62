/* Measures copies between devices by links (compute/link), as runs on several devices use them. */
#include "compute/link/link.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/device.h"
#include "measure/rates.h"

#include <stdlib.h>
#include <string.h>

/* One end of a link that is measured: a device or the host. */
struct end {
    struct shoal_device *device;
    struct shoal_queue *queue;   /* NULL: this end is the host */
    struct shoal_buffer *buffer; /* NULL: this end is the host */
};

/* Copies by a link. A phase copies all pieces; the next phase begins after its end. */
struct copies {
    struct link *link;
    struct end from, to;
    size_t bytes; /* of all pieces of a phase */
    struct link_piece *pieces;
    size_t count;
};

static enum shoal_status copies_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    const struct copies *copies = data;
    enum shoal_status status = SHOAL_OK;
    const double start = clock_seconds();
    for (uint64_t i = 0; !status && i < repeats; i++) {
        status = link_give(copies->link, copies->from.queue, copies->pieces, copies->count, error);
        if (!status)
            status = link_take(copies->link, copies->to.queue, copies->pieces, copies->count, error);
        if (!status && copies->to.queue)
            status = shoal_queue_finish(copies->to.queue, error);
    }
    *seconds = clock_seconds() - start;
    return status;
}

static enum shoal_status end_open(struct end *end, size_t bytes, struct shoal_error *error)
{
    if (shoal_device_get_info(end->device)->is_host)
        return SHOAL_OK;
    enum shoal_status status = shoal_queue_create(end->device, 0, &end->queue, error);
    return status ? status : shoal_buffer_create(end->device, bytes, &end->buffer, error);
}

static void copies_close(struct copies *copies)
{
    struct end *const ends[] = {&copies->to, &copies->from};
    for (size_t i = 0; i < 2; i++) {
        shoal_queue_destroy(&ends[i]->queue);
        shoal_buffer_destroy(&ends[i]->buffer);
    }
    link_destroy(&copies->link);
    free(copies->pieces);
}

/* Prepares phases with `count` pieces of `bytes` bytes, which are adjacent at both ends of the link. */
static enum shoal_status copies_open(struct copies *copies, size_t bytes, size_t count,
                                     struct shoal_error *error)
{
    copies->bytes = bytes * count;
    copies->pieces = calloc(count, sizeof *copies->pieces);
    if (!copies->pieces)
        return fail_host_memory(error);
    enum shoal_status status = end_open(&copies->from, copies->bytes, error);
    if (!status)
        status = end_open(&copies->to, copies->bytes, error);
    for (size_t i = 0; i < count; i++)
        copies->pieces[i] = (struct link_piece){.source = copies->from.buffer,
                                                .source_offset = i * bytes,
                                                .target = copies->to.buffer,
                                                .target_offset = i * bytes,
                                                .bytes = bytes};
    copies->count = count;
    return status ? status
                  : link_create(copies->from.device, copies->to.device, copies->bytes, &copies->link, error);
}

enum { MARK_BYTES = 4096, MARKS = 33, SENT = 1, OLD = 77 };

static size_t mark_bytes(const struct copies *copies)
{
    return copies->bytes < MARK_BYTES ? copies->bytes : MARK_BYTES;
}

/* Fills `bytes` with a pattern that depends on the number of the mark and on the key. */
static void make_mark(size_t mark, unsigned key, unsigned char bytes[MARK_BYTES])
{
    for (size_t i = 0; i < MARK_BYTES; i++)
        bytes[i] = (unsigned char)(((mark * MARK_BYTES + i) * 2654435761u + key) >> 8);
}

static size_t mark_offset(const struct copies *copies, size_t mark)
{
    return measure_mark_offset(copies->bytes, mark_bytes(copies), mark, MARKS);
}

/* Writes marks to one end of the link, spread from the first to the last byte. A copy of at most MARK_BYTES
 * bytes has one mark. */
static enum shoal_status write_marks(const struct copies *copies, const struct end *end, unsigned key,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t mark = 0; mark < MARKS && !status; mark++) {
        const size_t at = mark_offset(copies, mark);
        unsigned char bytes[MARK_BYTES];
        make_mark(at, key, bytes);
        if (end->buffer)
            status = shoal_buffer_write(end->queue, end->buffer, at, bytes, mark_bytes(copies), error);
        else
            memcpy(link_memory(copies->link) + at, bytes, mark_bytes(copies));
    }
    return status;
}

static enum shoal_status check_marks(const struct copies *copies, struct shoal_error *error)
{
    const struct end *end = &copies->to;
    enum shoal_status status = SHOAL_OK;
    for (size_t mark = 0; mark < MARKS && !status; mark++) {
        const size_t at = mark_offset(copies, mark), count = mark_bytes(copies);
        unsigned char bytes[MARK_BYTES], wanted[MARK_BYTES];
        make_mark(at, SENT, wanted);
        if (end->buffer)
            status = shoal_buffer_read(end->queue, end->buffer, at, bytes, count, error);
        else
            memcpy(bytes, link_memory(copies->link) + at, count);
        if (!status && memcmp(bytes, wanted, count) != 0)
            status = fail(
                error, SHOAL_CHECK_FAILED,
                "a copy from %s to %s left other bytes than were sent, at byte %zu or behind it: its "
                "rate would mean nothing",
                shoal_device_get_info(copies->from.device)->id, shoal_device_get_info(end->device)->id, at);
    }
    return status;
}

/* Measures the seconds of a phase, and checks that the bytes arrive. seconds: [samples], one for each of
 * `samples` phases; with samples 0, seconds[0] is the time of a phase in the fastest of several batches. */
static enum shoal_status copies_measure(struct copies *copies, double *seconds, size_t samples,
                                        struct shoal_error *error)
{
    uint64_t repeats;
    double spent;
    enum shoal_status status = write_marks(copies, &copies->to, OLD, error);
    if (!status)
        status = write_marks(copies, &copies->from, SENT, error);
    if (!status && !samples)
        status = measure_best(copies_run, copies, seconds, error);
    else if (!status)
        status = measure_repeats(copies_run, copies, measure_limits.batch_seconds, &repeats, &spent, error);
    for (size_t i = 0; i < samples && !status; i++) {
        status = copies_run(copies, repeats, &seconds[i], error);
        seconds[i] /= (double)repeats;
    }
    return status ? status : check_marks(copies, error);
}

/* Both directions between the host and a device: [0] to the device, [1] from it. */
static enum shoal_status both_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    const struct copies *both = data, *to = &both[0], *from = &both[1];
    enum shoal_status status = SHOAL_OK;
    const double start = clock_seconds();
    for (uint64_t i = 0; !status && i < repeats; i++) {
        status = link_take(to->link, to->to.queue, to->pieces, to->count, error);
        if (!status)
            status = shoal_queue_flush(to->to.queue, error);
        /* Returns when the bytes are in host memory. */
        if (!status)
            status = link_give(from->link, from->from.queue, from->pieces, from->count, error);
        if (!status)
            status = shoal_queue_finish(to->to.queue, error);
    }
    *seconds = clock_seconds() - start;
    return status;
}

enum shoal_status measure_pinned(struct rig *rig, enum transfer_kind kind, size_t bytes,
                                 struct measure_samples *time, struct shoal_error *error)
{
    struct shoal_device *const host = instance_host_device(device_shoal(rig->device));
    struct copies both[2] = {{.from.device = host, .to.device = rig->device},
                             {.from.device = rig->device, .to.device = host}};
    const bool used[2] = {kind != TRANSFER_READ, kind != TRANSFER_WRITE};
    enum shoal_status status = SHOAL_OK;
    for (int i = 0; i < 2 && !status; i++) {
        if (used[i])
            status = copies_open(&both[i], bytes, 1, error);
        if (used[i] && !status)
            status = write_marks(&both[i], &both[i].to, OLD, error);
        if (used[i] && !status)
            status = write_marks(&both[i], &both[i].from, SENT, error);
    }
    if (!status)
        status = kind == TRANSFER_BOTH ? measure_batches(both_run, both, &rig->time, time, error)
                                       : measure_batches(copies_run, &both[kind], &rig->time, time, error);
    for (int i = 0; i < 2 && !status; i++)
        if (used[i])
            status = check_marks(&both[i], error);
    for (int i = 0; i < 2; i++)
        copies_close(&both[i]);
    return status;
}

static enum shoal_status check_ends(const struct shoal_device *from, const struct shoal_device *to,
                                    const char *call, struct shoal_error *error)
{
    return from == to || device_shoal(from) != device_shoal(to)
               ? fail(error, SHOAL_INVALID, "%s needs two devices of one instance", call)
               : SHOAL_OK;
}

/* Bytes of a copy, large enough for the highest rate of the link; less for CPUs, which copy more slowly. */
static size_t large_copy(const struct shoal_device *from, const struct shoal_device *to)
{
    const struct shoal_device *const ends[] = {from, to};
    uint64_t bytes = (uint64_t)256 << 20;
    for (size_t i = 0; i < 2; i++) {
        const struct shoal_device_info *info = shoal_device_get_info(ends[i]);
        if (info->is_host)
            continue;
        const uint64_t limits[] = {info->is_cpu ? (uint64_t)64 << 20 : bytes, info->memory / 8,
                                   info->max_allocation};
        for (size_t k = 0; k < 3; k++)
            bytes = limits[k] && limits[k] < bytes ? limits[k] : bytes;
    }
    return (size_t)(bytes - bytes % MARK_BYTES);
}

enum shoal_status shoal_measure_link(struct shoal_device *from, struct shoal_device *to,
                                     struct shoal_link *link, struct shoal_error *error)
{
    if (!NEED(error, from, to, link))
        return SHOAL_INVALID;
    enum shoal_status status = RESULT_CHECK(link, latency_s, error);
    if (!status)
        status = check_ends(from, to, "shoal_measure_link", error);
    if (status)
        return status;
    struct shoal_link found = {.size = sizeof found, .copy_bytes = large_copy(from, to)};
    double *const figures[] = {&found.bytes_per_s, &found.latency_s};
    const size_t sizes[] = {found.copy_bytes, 8};
    for (size_t i = 0; i < 2 && !status; i++) {
        struct copies copies = {.from.device = from, .to.device = to};
        status = copies_open(&copies, sizes[i], 1, error);
        if (!status) {
            found.path = link_path(copies.link);
            status = copies_measure(&copies, figures[i], 0, error);
        }
        copies_close(&copies);
    }
    if (status)
        return status;
    found.bytes_per_s = (double)found.copy_bytes / found.bytes_per_s;
    RESULT_GIVE(&found, latency_s, link);
    error_reset(error);
    return SHOAL_OK;
}

enum shoal_status shoal_measure_copies(struct shoal_device *from, struct shoal_device *to, size_t bytes,
                                       size_t pieces, double *seconds, size_t samples,
                                       struct shoal_error *error)
{
    if (!NEED(error, from, to, seconds))
        return SHOAL_INVALID;
    enum shoal_status status = check_ends(from, to, "shoal_measure_copies", error);
    if (!status && (!bytes || !pieces || !samples || pieces > SIZE_MAX / bytes))
        status = fail(error, SHOAL_INVALID, "shoal_measure_copies: %zu samples of %zu pieces of %zu bytes",
                      samples, pieces, bytes);
    if (status)
        return status;
    struct copies copies = {.from.device = from, .to.device = to};
    status = copies_open(&copies, bytes, pieces, error);
    if (!status)
        status = copies_measure(&copies, seconds, samples, error);
    copies_close(&copies);
    if (!status)
        error_reset(error);
    return status;
}
