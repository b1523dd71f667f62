/* Private: a device that a rank serves to rank 0, on the side of the rank. */
#ifndef SHOAL_COMPUTE_REMOTE_SERVER_H
#define SHOAL_COMPUTE_REMOTE_SERVER_H

#include "compute/remote/objects.h"
#include "compute/remote/wire.h"

struct route;

struct server {
    const struct channel *channel;
    struct shoal_device *device;
    struct objects objects;
    struct route *routes; /* connections for rows to and from other devices */
    size_t route_count;
    struct text in, out;
    unsigned char *piece; /* [WIRE_PIECE] */
    /* The first failure of a request since the last answer. */
    struct shoal_error failure;
    bool has_failed;
    bool is_missing; /* the request names an object that was not created because its creation failed */
    enum shoal_status transport; /* status of the transport: after a failure no further request is served */
    struct shoal_error transport_error;
};

/* Serves the device until rank 0 closes it, then frees the objects that rank 0 has not destroyed. No other
 * thread uses the device. Returns an error of the transport; errors of the device are sent as answers. */
SHOAL_MUST_CHECK enum shoal_status remote_serve(const struct channel *channel, struct shoal_device *device,
                                                struct shoal_error *error);

/* Defined in server.c, for functions that serve a request. server_find: reads the number of an object from
 * the request and returns the object; NULL: there is none. server_check: whether the request, which must have
 * been read to its end, can be served. server_keep: stores an object, or destroys it if this fails. */
void *server_find(struct server *server, struct reader *in, enum object_kind kind);
enum shoal_status server_check(const struct server *server, const struct reader *in,
                               struct shoal_error *error);
enum shoal_status server_keep(struct server *server, uint64_t number, enum object_kind kind, void *pointer,
                              struct shoal_error *error);
enum shoal_status fail_short(struct shoal_error *error);

/* A function that serves a request. It adds the answer, without its status, to `out`. */
typedef enum shoal_status handler(struct server *server, struct reader *in, struct text *out,
                                  struct shoal_error *error);

/* server_programs.c */
handler serve_build, serve_load, serve_give_binary, serve_create_kernel, serve_give_limit,
    serve_give_resident, serve_launch;
/* Defined in server_rows.c. rows_end waits until all rows given so far are sent, and ends the routes. */
handler serve_give_rows, serve_take_rows;
void rows_end(struct server *server);

#endif
