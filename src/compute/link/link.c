#include "compute/link/link.h"

#include "compute/link/gather.h"

#include "compute/device.h"
#include "compute/log.h"
#include "compute/queue.h"

#include <stdlib.h>
#include <string.h>

struct link {
    struct shoal_device *from, *to;
    enum shoal_link_path path;
    size_t bytes;            /* most bytes of all pieces of a phase */
    struct host_block block; /* SHOAL_LINK_HOST: the pieces of a phase, one after the other */
    size_t untaken;          /* SHOAL_LINK_RANKS: bytes that were given and not yet taken */
    /* copies short pieces of SHOAL_LINK_PEER together; NULL: kernels of `to` cannot read the memory of `from`
     */
    struct gather *gather;
};

const char *shoal_link_path_name(enum shoal_link_path path)
{
    static const char *const names[] = {[SHOAL_LINK_SAME_MEMORY] = "same memory",
                                        [SHOAL_LINK_PEER] = "peer",
                                        [SHOAL_LINK_HOST] = "host",
                                        [SHOAL_LINK_RANKS] = "ranks"};
    return (size_t)path < sizeof names / sizeof *names ? names[path] : "unknown path";
}

static enum shoal_status name_devices(const struct link *link, enum shoal_status status,
                                      struct shoal_error *error)
{
    if (status)
        error_prefix(error, "copy from %s to %s: ", link->from->info.id, link->to->info.id);
    return status;
}

/* Copies some words and compares them. A driver may report access that the machine does not have, for example
 * if there is an IOMMU between two cards: copies then succeed and bring other bytes. */
static enum shoal_status try_peer(const struct link *link, bool *works, struct shoal_error *error)
{
    enum { WORDS = 1024 };
    uint32_t words[WORDS], back[WORDS] = {0};
    struct shoal_queue *from = NULL, *to = NULL;
    struct shoal_buffer *source = NULL, *target = NULL;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * 2654435761u + 1;
    enum shoal_status status = shoal_queue_create(link->from, 0, &from, error);
    if (!status)
        status = shoal_queue_create(link->to, 0, &to, error);
    if (!status)
        status = shoal_buffer_create(link->from, sizeof words, &source, error);
    if (!status)
        status = shoal_buffer_create(link->to, sizeof words, &target, error);
    if (!status)
        status = shoal_buffer_write(from, source, 0, words, sizeof words, error);
    if (!status)
        status = shoal_queue_finish(from, error);
    if (!status)
        status = link->to->backend->peer_copy(to, source, 0, target, 0, sizeof words, error);
    if (!status)
        status = shoal_buffer_read(to, target, 0, back, sizeof back, error);
    *works = memcmp(words, back, sizeof words) == 0;
    shoal_queue_destroy(&to);
    shoal_queue_destroy(&from);
    shoal_buffer_destroy(&target);
    shoal_buffer_destroy(&source);
    return status;
}

bool link_may_be_direct(const struct shoal_device *from, const struct shoal_device *to)
{
    const struct backend *backend = to->backend;
    if (!backend || backend != from->backend)
        return false;
    return from == to || backend->peer_open || (backend->shares_memory && backend->shares_memory(from, to));
}

static enum shoal_status choose_path(struct link *link, struct shoal_error *error)
{
    struct shoal_device *from = link->from, *to = link->to;
    const struct backend *backend = to->backend;
    bool reaches = false, works = false;
    link->path = SHOAL_LINK_HOST;
    if (backend && backend == from->backend && backend->rows_reach && from != to &&
        backend->rows_reach(from, to))
        link->path = SHOAL_LINK_RANKS;
    if (!link_may_be_direct(from, to))
        return SHOAL_OK;
    if (from == to || (backend->shares_memory && backend->shares_memory(from, to))) {
        link->path = SHOAL_LINK_SAME_MEMORY;
        return SHOAL_OK;
    }
    enum shoal_status status = backend->peer_open ? backend->peer_open(from, to, &reaches, error) : SHOAL_OK;
    if (status || !reaches)
        return status;
    status = try_peer(link, &works, error);
    if (!status && works)
        link->path = SHOAL_LINK_PEER;
    else if (!status)
        shoal_log(to->shoal, SHOAL_LOG_WARNING,
                  "%s reads other bytes from %s than are there, although the driver says that it can read "
                  "them: copies go through the host; an IOMMU or ACS setting of the machine may be the cause",
                  to->info.id, from->info.id);
    return status;
}

/* The device whose backend allocates the block of the link: a device that is no CPU, since CPU devices copy
 * any host memory at full speed. */
static struct shoal_device *block_owner(const struct link *link)
{
    return link->from->backend && (!is_cpu_alone(&link->from->info) || !link->to->backend) ? link->from
                                                                                           : link->to;
}

static enum shoal_status ready(struct shoal_device *device, struct shoal_error *error)
{
    return device->backend ? device_ready(device, error) : SHOAL_OK;
}

enum shoal_status link_create(struct shoal_device *from, struct shoal_device *to, size_t bytes,
                              struct link **out, struct shoal_error *error)
{
    *out = NULL;
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return fail_host_memory(error);
    *link = (struct link){.from = from, .to = to, .bytes = bytes};
    enum shoal_status status = ready(from, error);
    if (!status)
        status = ready(to, error);
    if (!status)
        status = choose_path(link, error);
    if (!status && link->path == SHOAL_LINK_HOST && bytes) {
        link->block = (struct host_block){.device = block_owner(link), .bytes = bytes};
        status = link->block.device->backend->block_create(&link->block, error);
        if (status)
            link->block.data = NULL;
    }
    if (!status && link->path == SHOAL_LINK_PEER && to->backend->kernels_read_peers)
        status = gather_create(to, &link->gather, error);
    if (status) {
        name_devices(link, status, error);
        link_destroy(&link);
    }
    *out = link;
    return status;
}

void link_destroy(struct link **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct link *link = *pointer;
    *pointer = NULL;
    /* A rank waits until these bytes are taken. If this call fails, nothing else can be done. */
    if (link->untaken) {
        const enum shoal_status status =
            link->to->backend->rows_take(link->to, NULL, link->from, NULL, 0, link->untaken, NULL);
        (void)status;
    }
    if (link->block.data)
        link->block.device->backend->block_destroy(&link->block);
    gather_destroy(&link->gather);
    free(link);
}

enum shoal_link_path link_path(const struct link *link)
{
    return link->path;
}

bool link_is_free(const struct link *link)
{
    return link->path != SHOAL_LINK_HOST || !link->to->backend || link->to->backend->writes_at_once;
}

bool link_reads_by_kernels(const struct link *link)
{
    return link->gather != NULL;
}

bool link_grow(struct link *link, size_t bytes)
{
    const bool needs_memory = link->path == SHOAL_LINK_HOST;
    if (!needs_memory && bytes > link->bytes)
        link->bytes = bytes;
    return !needs_memory;
}

bool link_is_given(const struct link *link)
{
    return link->path == SHOAL_LINK_HOST || link->path == SHOAL_LINK_RANKS;
}

size_t link_room(size_t before, size_t bytes)
{
    return before && bytes > before ? bytes + bytes / 4 : bytes;
}

unsigned char *link_memory(const struct link *link)
{
    return link->block.data;
}

/* Checks the arguments of link_give or link_take, which uses a queue of `device`. */
static enum shoal_status check(const struct link *link, const struct shoal_device *device,
                               const struct shoal_queue *queue, const struct link_piece *pieces, size_t count,
                               struct shoal_error *error)
{
    const bool takes = device == link->to;
    const char *call = takes ? "link_take" : "link_give";
    size_t sum = 0;
    enum shoal_status status = queue_usable(queue, call, error);
    if (!status && queue->device != device)
        status = fail(error, SHOAL_INVALID, "%s: the queue belongs to %s, not to %s", call,
                      queue->device->info.id, device->info.id);
    for (size_t i = 0; i < count && !status; i++) {
        const struct link_piece *piece = &pieces[i];
        if (link->from->backend && (!takes || !link_is_given(link)))
            status = buffer_check(piece->source, link->from, piece->source_offset, piece->bytes, call, error);
        if (!status && takes)
            status = buffer_check(piece->target, link->to, piece->target_offset, piece->bytes, call, error);
        if (!status && piece->bytes > link->bytes - sum)
            status = fail(error, SHOAL_INVALID, "%s: the pieces are longer than the %zu bytes of the link",
                          call, link->bytes);
        sum += piece->bytes;
    }
    return status;
}

static size_t count_bytes(const struct link_piece *pieces, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += pieces[i].bytes;
    return bytes;
}

static enum shoal_status give(struct link *link, struct shoal_queue *queue, const struct link_piece *pieces,
                              size_t count, struct shoal_error *error)
{
    const size_t bytes = count_bytes(pieces, count);
    enum shoal_status status = check(link, link->from, queue, pieces, count, error);
    if (status)
        return status;
    if (link->path == SHOAL_LINK_RANKS && bytes) {
        status = queue->device->backend->rows_give(queue, link->to, pieces, count, bytes, error);
        link->untaken = status ? 0 : bytes;
    }
    size_t at = 0;
    for (size_t i = 0; i < count && !status && link->path == SHOAL_LINK_HOST; at += pieces[i++].bytes)
        if (pieces[i].bytes)
            status = queue->device->backend->enqueue_read(queue, pieces[i].source, pieces[i].source_offset,
                                                          link->block.data + at, pieces[i].bytes, error);
    status = queue_blame(queue, status, error);
    /* also after a failure: no read may be pending when the link is destroyed */
    const enum shoal_status ended = shoal_queue_finish(queue, status ? NULL : error);
    return status ? status : ended;
}

enum shoal_status link_give(struct link *link, struct shoal_queue *queue, const struct link_piece *pieces,
                            size_t count, struct shoal_error *error)
{
    return link->from->backend ? name_devices(link, give(link, queue, pieces, count, error), error)
                               : SHOAL_OK;
}

/* Enqueues the copy of a piece. at: offset of the piece in the block. */
static enum shoal_status copy(const struct link *link, struct shoal_queue *queue,
                              const struct link_piece *piece, size_t at, struct shoal_error *error)
{
    const struct backend *backend = queue->device->backend;
    if (link->path == SHOAL_LINK_HOST)
        return backend->enqueue_write(queue, piece->target, piece->target_offset, link->block.data + at,
                                      piece->bytes, error);
    return (link->path == SHOAL_LINK_PEER ? backend->peer_copy : backend->buffer_copy)(
        queue, piece->source, piece->source_offset, piece->target, piece->target_offset, piece->bytes, error);
}

static enum shoal_status take(struct link *link, struct shoal_queue *queue, const struct link_piece *pieces,
                              size_t count, struct shoal_error *error)
{
    enum shoal_status status = check(link, link->to, queue, pieces, count, error);
    size_t at = 0;
    if (link->path == SHOAL_LINK_RANKS && link->untaken && !status) {
        status = queue->device->backend->rows_take(link->to, queue, link->from, pieces, count, link->untaken,
                                                   error);
        link->untaken = 0;
        return queue_blame(queue, status, error);
    }
    const struct gather_call call = {.pieces = pieces, .count = count};
    bool is_taken = false;
    if (!status && link->gather)
        status = gather_take(link->gather, queue, &call, &is_taken, error);
    if (is_taken)
        return status;
    for (size_t i = 0; i < count && !status; at += pieces[i++].bytes)
        if (pieces[i].bytes)
            status = queue_blame(queue, copy(link, queue, &pieces[i], at, error), error);
    return status;
}

enum shoal_status link_take(struct link *link, struct shoal_queue *queue, const struct link_piece *pieces,
                            size_t count, struct shoal_error *error)
{
    return link->to->backend ? name_devices(link, take(link, queue, pieces, count, error), error) : SHOAL_OK;
}
