/* Private: a device that a rank serves to rank 0, on the side of this rank. */
#ifndef SHOAL_COMPUTE_REMOTE_SERVER_H
#define SHOAL_COMPUTE_REMOTE_SERVER_H

#include "compute/remote/objects.h"
#include "compute/remote/wire.h"

struct route;

struct server {
    const struct channel *channel;
    struct shoal_device *device;
    struct objects objects;
    struct route *routes; /* connections for rows from and to other devices */
    size_t route_count;
    struct text in, out;
    unsigned char *piece; /* [WIRE_PIECE] */
    /* The first failure among the requests since the last answer. */
    struct shoal_error failure;
    bool has_failed;
    bool is_missing; /* the request names an object that does not exist, since its creation has failed */
    enum shoal_status transport; /* status of the transport: after a failure nothing more is served */
    struct shoal_error transport_error;
};

/* Serves the device until rank 0 closes it, and frees what rank 0 has left. No other thread uses the device.
 * The returned error is an error of the transport: errors of the device are sent as answers. */
SHOAL_MUST_CHECK enum shoal_status remote_serve(const struct channel *channel, struct shoal_device *device,
                                                struct shoal_error *error);

/* server.c: for requests. server_find: the object that the request names next; NULL: there is none.
 * server_check: can the request, which has been read to its end, be served? server_keep: keeps an object, or
 * destroys it if that fails. */
void *server_find(struct server *server, struct reader *in, enum object_kind kind);
enum shoal_status server_check(const struct server *server, const struct reader *in,
                               struct shoal_error *error);
enum shoal_status server_keep(struct server *server, uint64_t number, enum object_kind kind, void *pointer,
                              struct shoal_error *error);
enum shoal_status fail_short(struct shoal_error *error);

/* A function that serves a request; it adds the answer, without its status, to `out`. */
typedef enum shoal_status handler(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error);

/* server_programs.c */
handler serve_build, serve_load, serve_give_binary, serve_create_kernel, serve_give_limit,
    serve_give_resident, serve_launch;
/* server_rows.c. rows_end: waits until all rows that were given are sent. */
handler serve_give_rows, serve_take_rows;
void rows_end(struct server *server);

#endif
