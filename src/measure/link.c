/* Measures copies between devices, by the links that divided runs use. */
#include "compute/link/link.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/device.h"
#include "measure/measure.h"

#include <string.h>

/* One end of a link. */
struct end {
    struct shoal_device *device;
    struct shoal_queue *queue;   /* NULL: the host */
    struct shoal_buffer *buffer; /* NULL: the host */
};

/* Copies of one piece over a link, each of which is waited for. */
struct copies {
    struct link *link;
    struct end from, to;
    size_t bytes;
};

static enum shoal_status copies_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    const struct copies *copies = data;
    const struct link_piece piece = {
        .source = copies->from.buffer, .target = copies->to.buffer, .bytes = copies->bytes};
    enum shoal_status status = SHOAL_OK;
    const double start = clock_seconds();
    for (uint64_t i = 0; !status && i < repeats; i++) {
        status = link_give(copies->link, copies->from.queue, &piece, 1, error);
        if (!status)
            status = link_take(copies->link, copies->to.queue, &piece, 1, error);
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

static void end_close(struct end *end)
{
    shoal_queue_destroy(&end->queue);
    shoal_buffer_destroy(&end->buffer);
}

enum { LATENCY_BYTES = 8, MARK_WORDS = 1024, MARKS = 33 };

static void make_mark(uint32_t mark, uint32_t key, uint32_t words[MARK_WORDS])
{
    for (uint32_t i = 0; i < MARK_WORDS; i++)
        words[i] = (mark << 16 | i) ^ key;
}

/* Writes words that differ between marks, and between keys, from the first to the last byte of an end. */
static enum shoal_status write_marks(const struct copies *copies, const struct end *end, uint32_t key,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint32_t mark = 0; mark < MARKS && !status; mark++) {
        const size_t at = measure_mark_offset(copies->bytes, sizeof(uint32_t[MARK_WORDS]), mark, MARKS);
        uint32_t words[MARK_WORDS];
        make_mark(mark, key, words);
        if (end->buffer)
            status = shoal_buffer_write(end->queue, end->buffer, at, words, sizeof words, error);
        else
            memcpy(link_memory(copies->link) + at, words, sizeof words);
    }
    return status;
}

static enum shoal_status check_marks(const struct copies *copies, uint32_t key, struct shoal_error *error)
{
    const struct end *end = &copies->to;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t mark = 0; mark < MARKS && !status; mark++) {
        const size_t at = measure_mark_offset(copies->bytes, sizeof(uint32_t[MARK_WORDS]), mark, MARKS);
        uint32_t words[MARK_WORDS], wanted[MARK_WORDS];
        make_mark(mark, key, wanted);
        if (end->buffer)
            status = shoal_buffer_read(end->queue, end->buffer, at, words, sizeof words, error);
        else
            memcpy(words, link_memory(copies->link) + at, sizeof words);
        if (!status && memcmp(words, wanted, sizeof words) != 0)
            status = fail(
                error, SHOAL_CHECK_FAILED,
                "a copy from %s to %s left other bytes than were sent, at byte %zu or behind it: its "
                "rate would mean nothing",
                shoal_device_get_info(copies->from.device)->id, shoal_device_get_info(end->device)->id, at);
    }
    return status;
}

/* The marks at the target come first: where both ends are memory of one link, the source's must remain. */
static enum shoal_status measure(struct copies *copies, struct shoal_link *found, struct shoal_error *error)
{
    enum { SENT = 0, OLD = 0x5a5a5a5a };
    enum shoal_status status = write_marks(copies, &copies->to, OLD, error);
    if (!status)
        status = write_marks(copies, &copies->from, SENT, error);
    if (!status)
        status = measure_best(copies_run, copies, &found->bytes_per_s, error);
    if (!status)
        status = check_marks(copies, SENT, error);
    found->bytes_per_s = (double)copies->bytes / found->bytes_per_s;
    copies->bytes = LATENCY_BYTES;
    return status ? status : measure_best(copies_run, copies, &found->latency_s, error);
}

/* Large copies keep the rate that they have on the way to infinity; processors copy slower. */
static size_t copy_bytes(const struct shoal_device *from, const struct shoal_device *to)
{
    const struct shoal_device *const ends[] = {from, to};
    uint64_t bytes = (uint64_t)256 << 20;
    for (size_t i = 0; i < 2; i++) {
        const struct shoal_device_info *info = shoal_device_get_info(ends[i]);
        const uint64_t most = info->is_cpu ? (uint64_t)64 << 20 : bytes;
        bytes = bytes < most ? bytes : most;
        if (!info->is_host && info->memory && bytes > info->memory / 8)
            bytes = info->memory / 8;
        if (!info->is_host && info->max_allocation && bytes > info->max_allocation)
            bytes = info->max_allocation;
    }
    return (size_t)(bytes - bytes % sizeof(uint32_t[MARK_WORDS]));
}

enum shoal_status shoal_measure_link(struct shoal_device *from, struct shoal_device *to,
                                     struct shoal_link *link, struct shoal_error *error)
{
    if (!NEED(error, from, to, link))
        return SHOAL_INVALID;
    enum shoal_status status = RESULT_CHECK(link, latency_s, error);
    if (status)
        return status;
    if (from == to || device_shoal(from) != device_shoal(to))
        return fail(error, SHOAL_INVALID, "shoal_measure_link needs two devices of one instance");
    struct copies copies = {.from.device = from, .to.device = to, .bytes = copy_bytes(from, to)};
    struct shoal_link found = {.size = sizeof found, .copy_bytes = copies.bytes};
    status = end_open(&copies.from, copies.bytes, error);
    if (!status)
        status = end_open(&copies.to, copies.bytes, error);
    if (!status)
        status = link_create(from, to, copies.bytes, &copies.link, error);
    if (!status) {
        found.path = link_path(copies.link);
        status = measure(&copies, &found, error);
    }
    end_close(&copies.to);
    end_close(&copies.from);
    link_destroy(&copies.link);
    if (!status) {
        RESULT_GIVE(&found, latency_s, link);
        error_reset(error);
    }
    return status;
}
