#include "link_scenario.h"

#include "base/error.h"
#include "compute/link/link.h"

#include <string.h>

enum { BYTES = 1 << 20, PIECES = 3, PHASES = 3 };

/* One end of the link. The host has `bytes` alone, which begin where the pieces begin. */
struct end {
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
};

static unsigned char sent[BYTES], received[BYTES], wanted[BYTES];

static bool is_host(const struct end *end)
{
    return shoal_device_get_info(end->device)->is_host;
}

static enum shoal_status open_end(struct end *end, const unsigned char *bytes, struct shoal_error *error)
{
    if (is_host(end))
        return SHOAL_OK;
    enum shoal_status status = shoal_queue_create(end->device, 0, &end->queue, error);
    if (!status)
        status = shoal_buffer_create(end->device, BYTES, &end->buffer, error);
    return status ? status : shoal_buffer_write(end->queue, end->buffer, 0, bytes, BYTES, error);
}

static void close_end(struct end *end)
{
    shoal_queue_destroy(&end->queue);
    shoal_buffer_destroy(&end->buffer);
}

/* Odd places and lengths, among them none and the last byte; in the last phase short pieces of whole words.
 */
static size_t list_pieces(const struct end *from, const struct end *to, size_t phase,
                          struct link_piece *pieces)
{
    static const size_t list[PHASES][PIECES][3] = {{{0, 3, 1}, {17, 0, 0}, {4099, 1 << 18, 1 << 19}},
                                                   {{8, 16, 64}, {BYTES - 1, BYTES - 1, 1}, {5, 100, 1000}},
                                                   {{4, 1 << 16, 4}, {0, 64, 0}, {256, 1 << 17, 4100}}};
    size_t sum = 0;
    for (size_t i = 0; i < PIECES; i++) {
        const size_t *piece = list[phase][i];
        pieces[i] = (struct link_piece){.source = from->buffer,
                                        .source_offset = piece[0],
                                        .target = to->buffer,
                                        .target_offset = piece[1],
                                        .bytes = piece[2]};
        memcpy(wanted + piece[1], sent + piece[0], piece[2]);
        sum += piece[2];
    }
    return sum;
}

/* What the host's end of a link does with the link's memory: the copies of the pieces. */
static void copy_on_host(const struct link *link, const struct link_piece *pieces, bool takes)
{
    unsigned char *at = link_memory(link);
    for (size_t i = 0; i < PIECES; at += pieces[i++].bytes)
        if (takes)
            memcpy(received + pieces[i].target_offset, at, pieces[i].bytes);
        else
            memcpy(at, sent + pieces[i].source_offset, pieces[i].bytes);
}

static enum shoal_status copy(struct end *from, struct end *to, struct link *link, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t phase = 0; phase < PHASES && !status; phase++) {
        struct link_piece pieces[PIECES];
        list_pieces(from, to, phase, pieces);
        if (is_host(from))
            copy_on_host(link, pieces, false);
        status = link_give(link, from->queue, pieces, PIECES, error);
        if (!status)
            status = link_take(link, to->queue, pieces, PIECES, error);
        if (!status && is_host(to))
            copy_on_host(link, pieces, true);
        if (!status && !is_host(to))
            status = shoal_queue_finish(to->queue, error);
    }
    if (!status && !is_host(to))
        status = shoal_buffer_read(to->queue, to->buffer, 0, received, BYTES, error);
    for (size_t i = 0; i < BYTES && !status; i++)
        if (received[i] != wanted[i])
            status = fail(error, SHOAL_FAILED, "wrong bytes: byte %zu is %u instead of %u", i, received[i],
                          wanted[i]);
    return status;
}

enum shoal_status link_scenario(struct shoal_device *device, struct shoal_device *target,
                                enum shoal_link_path *path, struct shoal_error *error)
{
    struct end from = {.device = device}, to = {.device = target};
    struct link *link = NULL;
    struct link_piece pieces[PIECES];
    for (size_t i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(i * 2654435761u >> 24);
    memset(received, 0xa5, BYTES);
    memset(wanted, 0xa5, BYTES);
    enum shoal_status status = open_end(&from, sent, error);
    if (!status)
        status = open_end(&to, received, error);
    if (!status)
        status = link_create(from.device, to.device, list_pieces(&from, &to, 0, pieces), &link, error);
    if (!status) {
        memset(wanted, 0xa5, BYTES);
        *path = link_path(link);
        status = copy(&from, &to, link, error);
    }
    close_end(&to);
    close_end(&from);
    link_destroy(&link);
    return status;
}
