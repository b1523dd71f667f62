/* Requests about rows: parts of buffers that go from a device of one rank to a device of another rank, or of
 * the same rank.
 *
 * The rank that gives rows copies them to host memory, sends a byte that tells whether this succeeded, and
 * begins to send the rows. It does not wait until they are sent, since the rank that takes them may be about
 * to give rows itself. Rank 0 asks one rank to take rows before it asks the other to give the next rows of
 * the same route. So two ranks never wait for each other here.
 */
#include "compute/device.h"
#include "compute/link/link.h"
#include "compute/remote/server.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_COME, ROWS_FAILED };

/* One end of a connection for rows from one device to another: the end on this rank. */
struct route {
    struct channel channel; /* to or from the other rank */
    bool gives;             /* the device of this rank gives the rows; otherwise it takes them */
    struct link *link;      /* between the device and host memory; NULL: not created yet */
    size_t bytes;           /* most bytes that the link copies */
    void **sends;           /* pending requests of sends */
    size_t send_count, send_room;
    bool is_left;   /* a send has failed and will not end */
    uint64_t queue; /* number of the queue that has taken the last rows and may still read the host memory */
};

/* A request to give or to take rows. */
struct rows_order {
    uint64_t number;
    struct shoal_queue *queue; /* NULL: the rows are not wanted any more */
    struct route *route;
    size_t bytes; /* of all pieces */
    struct link_piece *pieces;
    size_t count;
};

static struct route *find_route(struct server *server, uint32_t rank, uint32_t number, bool gives)
{
    struct route *routes = server->routes;
    for (size_t i = 0; i < server->route_count; i++)
        if (routes[i].channel.rank == rank && routes[i].channel.number == number && routes[i].gives == gives)
            return &routes[i];
    routes = realloc(routes, (server->route_count + 1) * sizeof *routes);
    if (!routes)
        return NULL;
    server->routes = routes;
    routes += server->route_count++;
    *routes = (struct route){.channel = {server->channel->transport, rank, number, server->channel->lives},
                             .gives = gives};
    return routes;
}

static void read_pieces(struct server *server, struct reader *in, bool gives, struct rows_order *order)
{
    for (size_t i = 0; i < order->count && !in->failed; i++) {
        struct shoal_buffer *buffer = server_find(server, in, A_BUFFER);
        const size_t offset = (size_t)get_u64(in), bytes = (size_t)get_u64(in);
        order->pieces[i] =
            gives ? (struct link_piece){.source = buffer, .source_offset = offset, .bytes = bytes}
                  : (struct link_piece){.target = buffer, .target_offset = offset, .bytes = bytes};
    }
}

/* Reads a request. If there is no memory, the rank stops serving, since it cannot know which messages come
 * next. */
static enum shoal_status read_order(struct server *server, struct reader *in, bool gives,
                                    struct rows_order *order, struct shoal_error *error)
{
    *order = (struct rows_order){.number = get_u64(in)};
    const uint32_t rank = get_u32(in), channel = get_u32(in);
    order->bytes = (size_t)get_u64(in);
    order->count = (size_t)get_u64(in);
    if (in->failed || rank >= server->channel->transport->count ||
        order->count > (size_t)(in->end - in->at)) {
        in->failed = true;
        return fail_short(error);
    }
    order->queue = objects_find(&server->objects, order->number, A_QUEUE);
    server->is_missing = order->count && !order->queue;
    order->route = find_route(server, rank, channel, gives);
    order->pieces = calloc(order->count + 1, sizeof *order->pieces);
    if (!order->route || !order->pieces)
        return server->transport = fail_host_memory(&server->transport_error);
    read_pieces(server, in, gives, order);
    return server->has_failed ? SHOAL_FAILED : server_check(server, in, error);
}

static enum shoal_status open_link(const struct server *server, const struct rows_order *order,
                                   struct shoal_error *error)
{
    struct route *route = order->route;
    struct shoal_device *host = instance_host_device(server->device->shoal), *own = server->device;
    if (route->link && order->bytes <= route->bytes)
        return SHOAL_OK;
    const size_t bytes = link_room(route->bytes, order->bytes);
    link_destroy(&route->link);
    const enum shoal_status status =
        link_create(route->gives ? own : host, route->gives ? host : own, bytes, &route->link, error);
    route->bytes = status ? 0 : bytes;
    return status;
}

/* Giving ----------------------------------------------------------------------------------------------- */

static enum shoal_status begin_send(struct route *route, const void *bytes, size_t size,
                                    struct shoal_error *error)
{
    if (route->send_count == route->send_room) {
        const size_t room = 2 * route->send_room + 2;
        void **sends = realloc(route->sends, room * sizeof *sends);
        if (!sends)
            return fail_host_memory(error);
        route->sends = sends;
        route->send_room = room;
    }
    const enum shoal_status status =
        channel_begin_send(&route->channel, bytes, size, &route->sends[route->send_count], error);
    route->send_count += !status;
    return status;
}

/* Waits until all rows are sent, even after a failure. Returns the first failure. */
static enum shoal_status end_sends(struct route *route, struct shoal_error *error)
{
    enum shoal_status first = SHOAL_OK;
    for (size_t i = 0; i < route->send_count; i++) {
        bool is_left = false;
        const enum shoal_status status =
            channel_end_send(&route->channel, route->sends[i], &is_left, first ? NULL : error);
        route->is_left = route->is_left || is_left;
        first = first ? first : status;
    }
    route->send_count = 0;
    return first;
}

static size_t piece_at(const struct rows_order *order, size_t at)
{
    return order->bytes - at < WIRE_PIECE ? order->bytes - at : WIRE_PIECE;
}

static enum shoal_status send_rows(const struct rows_order *order, bool come, struct shoal_error *error)
{
    static const unsigned char marks[] = {[ROWS_COME] = ROWS_COME, [ROWS_FAILED] = ROWS_FAILED};
    struct route *route = order->route;
    enum shoal_status status = begin_send(route, &marks[come ? ROWS_COME : ROWS_FAILED], 1, error);
    for (size_t at = 0; come && at < order->bytes && !status; at += WIRE_PIECE)
        status = begin_send(route, link_memory(route->link) + at, piece_at(order, at), error);
    return status;
}

enum shoal_status serve_give_rows(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct rows_order order;
    enum shoal_status status = read_order(server, in, true, &order, error);
    (void)out;
    if (!in->failed && !server->transport)
        server->transport = end_sends(order.route, &server->transport_error);
    if (!status && !server->transport)
        status = open_link(server, &order, error);
    if (!status && !server->transport)
        status = link_give(order.route->link, order.queue, order.pieces, order.count, error);
    if (!in->failed && !server->transport)
        server->transport = send_rows(&order, !status, &server->transport_error);
    free(order.pieces);
    return status;
}

/* Taking ----------------------------------------------------------------------------------------------- */

/* Waits until no copy reads the host memory of the route any more, so that new rows can be written there. */
static enum shoal_status free_memory(const struct server *server, struct route *route,
                                     struct shoal_error *error)
{
    struct shoal_queue *queue = objects_find(&server->objects, route->queue, A_QUEUE);
    const bool is_free = !route->link || !queue || link_is_free(route->link);
    route->queue = 0;
    return is_free ? SHOAL_OK : shoal_queue_finish(queue, error);
}

/* Receives rows. keeps: false if they are dropped. *come: whether the rank that gives them has sent them. */
static enum shoal_status receive_rows(struct server *server, const struct rows_order *order, bool keeps,
                                      bool *come)
{
    const struct channel *channel = &order->route->channel;
    unsigned char mark = ROWS_FAILED;
    enum shoal_status status = channel_receive_bytes(channel, &mark, sizeof mark, &server->transport_error);
    *come = mark == ROWS_COME;
    for (size_t at = 0; *come && at < order->bytes && !status; at += WIRE_PIECE)
        status = channel_receive_bytes(channel, keeps ? link_memory(order->route->link) + at : server->piece,
                                       piece_at(order, at), &server->transport_error);
    return status;
}

enum shoal_status serve_take_rows(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error)
{
    struct rows_order order;
    bool come = false;
    enum shoal_status status = read_order(server, in, false, &order, error);
    (void)out;
    const bool is_whole = !in->failed && !server->transport;
    if (is_whole && !status && order.count)
        status = free_memory(server, order.route, error);
    if (is_whole && !status && order.count)
        status = open_link(server, &order, error);
    if (is_whole)
        server->transport = receive_rows(server, &order, !status && order.count, &come);
    if (is_whole && !server->transport && !status && order.count) {
        status =
            come ? link_take(order.route->link, order.queue, order.pieces, order.count, error)
                 : fail(error, SHOAL_FAILED, "rank %u could not give its rows", order.route->channel.rank);
        order.route->queue = order.number;
    }
    free(order.pieces);
    return status;
}

/* End -------------------------------------------------------------------------------------------------- */

/* Ends all routes. If a run fails, a send may never end: the memory of its rows is then not freed, since the
 * transport may still read it. */
void rows_end(struct server *server)
{
    for (size_t i = 0; i < server->route_count; i++) {
        struct route *route = &server->routes[i];
        const enum shoal_status status = end_sends(route, &server->transport_error);
        server->transport = server->transport ? server->transport : status;
        if (!route->is_left)
            link_destroy(&route->link);
        free(route->sends);
    }
    free(server->routes);
    server->routes = NULL;
}
