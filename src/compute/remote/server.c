#include "compute/remote/server.h"

#include <stdlib.h>
#include <string.h>

void *server_find(struct server *server, struct reader *in, enum object_kind kind)
{
    void *object = objects_find(&server->objects, get_u64(in), kind);
    server->is_missing = server->is_missing || !object;
    return object;
}

enum shoal_status fail_short(struct shoal_error *error)
{
    return fail(error, SHOAL_FAILED, "a request of rank 0 is too short");
}

enum shoal_status server_check(const struct server *server, const struct reader *in,
                               struct shoal_error *error)
{
    if (in->failed)
        return fail_short(error);
    if (server->is_missing)
        return fail(error, SHOAL_FAILED, "a request of rank 0 names an object that does not exist");
    return SHOAL_OK;
}

enum shoal_status server_keep(struct server *server, uint64_t number, enum object_kind kind, void *pointer,
                              struct shoal_error *error)
{
    const enum shoal_status status = objects_add(&server->objects, number, kind, pointer, error);
    if (status)
        object_destroy(kind, pointer);
    return status;
}

/* Devices and queues ----------------------------------------------------------------------------------- */

static enum shoal_status open_device(struct server *server, struct reader *in, struct text *out,
                                     struct shoal_error *error)
{
    (void)in;
    (void)out;
    return device_ready(server->device, error);
}

static enum shoal_status create_queue(struct server *server, struct reader *in, struct text *out,
                                      struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct shoal_queue *queue;
    (void)out;
    const enum shoal_status status = shoal_queue_create(server->device, get_u32(in), &queue, error);
    return status ? status : server_keep(server, number, A_QUEUE, queue, error);
}

static enum shoal_status flush(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status : shoal_queue_flush(queue, error);
}

static enum shoal_status finish(struct server *server, struct reader *in, struct text *out,
                                struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status : shoal_queue_finish(queue, error);
}

static enum shoal_status wait_for(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    struct shoal_event *event = server_find(server, in, AN_EVENT);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status : shoal_queue_wait(queue, event, error);
}

static enum shoal_status begin_span(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status : shoal_span_begin(queue, error);
}

static enum shoal_status end_span(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct shoal_queue *queue = server_find(server, in, A_QUEUE);
    double seconds = 0;
    enum shoal_status status = server_check(server, in, error);
    if (!status)
        status = shoal_span_end(queue, &seconds, error);
    put_f64(out, seconds);
    return status;
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static enum shoal_status create_buffer(struct server *server, struct reader *in, struct text *out,
                                       struct shoal_error *error)
{
    const uint64_t number = get_u64(in);
    struct shoal_buffer *buffer;
    (void)out;
    const enum shoal_status status = shoal_buffer_create(server->device, (size_t)get_u64(in), &buffer, error);
    return status ? status : server_keep(server, number, A_BUFFER, buffer, error);
}

struct range {
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    size_t offset, bytes;
};

static struct range get_range(struct server *server, struct reader *in)
{
    struct range range = {.queue = server_find(server, in, A_QUEUE)};
    range.buffer = server_find(server, in, A_BUFFER);
    range.offset = (size_t)get_u64(in);
    range.bytes = (size_t)get_u64(in);
    return range;
}

static size_t piece_at(const struct range *range, size_t at)
{
    return range->bytes - at < WIRE_PIECE ? range->bytes - at : WIRE_PIECE;
}

/* Receives the bytes even after a failure, since they are sent in any case. */
static enum shoal_status write(struct server *server, struct reader *in, struct text *out,
                               struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    size_t size = 0;
    const void *data = range.bytes <= WIRE_INLINE ? get_bytes(in, &size) : NULL;
    enum shoal_status status = server->has_failed ? SHOAL_FAILED : server_check(server, in, error);
    (void)out;
    if (data)
        return status ? status
                      : shoal_buffer_write(range.queue, range.buffer, range.offset, data, size, error);
    for (size_t at = 0; at < range.bytes && !server->transport; at += WIRE_PIECE) {
        size = piece_at(&range, at);
        server->transport =
            channel_receive_bytes(server->channel, server->piece, size, &server->transport_error);
        if (!status && !server->transport)
            status =
                shoal_buffer_write(range.queue, range.buffer, range.offset + at, server->piece, size, error);
    }
    return status;
}

/* Sends an answer and then the bytes, for each piece. A failure is in the last answer. */
static enum shoal_status read(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    enum shoal_status status = server_check(server, in, error);
    for (size_t at = 0; at < range.bytes && !status && !server->transport; at += WIRE_PIECE) {
        const size_t size = piece_at(&range, at);
        status = shoal_buffer_read(range.queue, range.buffer, range.offset + at, server->piece, size, error);
        if (status)
            break;
        put_status(out, SHOAL_OK, NULL);
        server->transport = channel_send(server->channel, out, &server->transport_error);
        if (!server->transport)
            server->transport =
                channel_send_bytes(server->channel, server->piece, size, &server->transport_error);
    }
    return status;
}

static enum shoal_status copy(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    struct shoal_buffer *target = server_find(server, in, A_BUFFER);
    const size_t offset = (size_t)get_u64(in);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status
                  : shoal_buffer_copy(range.queue, range.buffer, range.offset, target, offset, range.bytes,
                                      error);
}

static enum shoal_status fill(struct server *server, struct reader *in, struct text *out,
                              struct shoal_error *error)
{
    const struct range range = get_range(server, in);
    const uint32_t word = get_u32(in);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status
                  : shoal_buffer_fill(range.queue, range.buffer, range.offset, range.bytes, word, error);
}

/* Events and objects ----------------------------------------------------------------------------------- */

static enum shoal_status wait_event(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_event *event = server_find(server, in, AN_EVENT);
    (void)out;
    const enum shoal_status status = server_check(server, in, error);
    return status ? status : shoal_event_wait(event, error);
}

static enum shoal_status give_times(struct server *server, struct reader *in, struct text *out,
                                    struct shoal_error *error)
{
    struct shoal_event *event = server_find(server, in, AN_EVENT);
    double start = 0, end = 0;
    enum shoal_status status = server_check(server, in, error);
    if (!status)
        status = shoal_event_times(event, &start, &end, error);
    put_f64(out, start);
    put_f64(out, end);
    return status;
}

static enum shoal_status destroy(struct server *server, struct reader *in, struct text *out,
                                 struct shoal_error *error)
{
    (void)out;
    (void)error;
    objects_remove(&server->objects, get_u64(in));
    return SHOAL_OK;
}

/* Service ---------------------------------------------------------------------------------------------- */

static handler *const handlers[DEVICE_REQUESTS] = {[DEVICE_FLUSH] = flush,
                                                   [DEVICE_WAIT] = wait_for,
                                                   [DEVICE_SPAN_BEGIN] = begin_span,
                                                   [DEVICE_WRITE] = write,
                                                   [DEVICE_COPY] = copy,
                                                   [DEVICE_FILL] = fill,
                                                   [DEVICE_LAUNCH] = serve_launch,
                                                   [DEVICE_DESTROY] = destroy,
                                                   [DEVICE_GIVE_ROWS] = serve_give_rows,
                                                   [DEVICE_TAKE_ROWS] = serve_take_rows,
                                                   [DEVICE_OPEN] = open_device,
                                                   [DEVICE_QUEUE] = create_queue,
                                                   [DEVICE_FINISH] = finish,
                                                   [DEVICE_SPAN_END] = end_span,
                                                   [DEVICE_BUFFER] = create_buffer,
                                                   [DEVICE_READ] = read,
                                                   [DEVICE_BUILD] = serve_build,
                                                   [DEVICE_LOAD] = serve_load,
                                                   [DEVICE_BINARY] = serve_give_binary,
                                                   [DEVICE_KERNEL] = serve_create_kernel,
                                                   [DEVICE_LIMIT] = serve_give_limit,
                                                   [DEVICE_RESIDENT] = serve_give_resident,
                                                   [DEVICE_EVENT_WAIT] = wait_event,
                                                   [DEVICE_EVENT_TIMES] = give_times};

/* Serves a request without an answer. It is read to its end even after a failure, since further requests
 * follow in the message. */
static void post(struct server *server, uint32_t request, struct reader *in)
{
    struct shoal_error error = {0};
    server->is_missing = false;
    const enum shoal_status status = handlers[request](server, in, &server->out, &error);
    if (!status || server->has_failed)
        return;
    server->has_failed = true;
    server->failure = error;
}

static void answer(struct server *server, uint32_t request, struct reader *in)
{
    struct shoal_error error = server->failure;
    struct text body = {0};
    enum shoal_status status = server->has_failed ? error.status : SHOAL_OK;
    server->has_failed = server->is_missing = false;
    if (!status)
        status = handlers[request](server, in, request == DEVICE_READ ? &server->out : &body, &error);
    /* A read that succeeds has already sent an answer for each of its pieces. */
    if (!server->transport && (status || request != DEVICE_READ)) {
        put_status(&server->out, status, &error);
        if (!status && body.length)
            text_append(&server->out, body.data, body.length);
        server->out.failed = server->out.failed || body.failed;
        server->transport = channel_send(server->channel, &server->out, &server->transport_error);
    }
    text_free(&body);
}

/* Serves the requests of a message; only the last one may have an answer. False: rank 0 has closed the
 * device. */
static bool serve_message(struct server *server)
{
    struct reader in = read_message(&server->in);
    while (in.at < in.end && !server->transport) {
        const uint32_t request = get_u32(&in);
        if (request == DEVICE_CLOSE)
            return false;
        if (in.failed || request >= DEVICE_REQUESTS) {
            server->transport = fail(&server->transport_error, SHOAL_FAILED,
                                     "a request of rank 0 cannot be read: is it another version?");
        } else if (request < DEVICE_OPEN) {
            post(server, request, &in);
            if (in.failed)
                server->transport = fail_short(&server->transport_error);
        } else {
            answer(server, request, &in);
            break;
        }
    }
    return !server->transport;
}

enum shoal_status remote_serve(const struct channel *channel, struct shoal_device *device,
                               struct shoal_error *error)
{
    struct server server = {.channel = channel, .device = device, .piece = malloc(WIRE_PIECE)};
    server.transport = server.piece ? SHOAL_OK : fail_host_memory(&server.transport_error);
    do {
        if (!server.transport)
            server.transport = channel_receive(channel, &server.in, &server.transport_error);
    } while (!server.transport && serve_message(&server));
    rows_end(&server);
    objects_free(&server.objects);
    text_free(&server.in);
    text_free(&server.out);
    free(server.piece);
    if (server.transport && error)
        *error = server.transport_error;
    return server.transport;
}
