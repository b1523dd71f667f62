/* Private: how the processes of a run, its ranks, send each other messages. A plug-in fills this table
 * (src/mpi); tests fill it with functions that use the memory of one process.
 *
 * A message goes from one rank to another on a channel. Messages between the same two ranks on the same
 * channel arrive in the order in which they were sent. No function of the table waits. Any thread may call
 * the functions, but each rank must use a channel from only one thread at a time.
 */
#ifndef SHOAL_COMPUTE_REMOTE_TRANSPORT_H
#define SHOAL_COMPUTE_REMOTE_TRANSPORT_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TRANSPORT_VERSION changes when this table changes. TRANSPORT_MOST: most bytes of a message. */
enum { TRANSPORT_VERSION = 1, TRANSPORT_MOST = 1 << 30 };

struct transport {
    void *data;
    uint32_t rank, count; /* number of this process, from 0, and number of processes */
    /* Begins to send a message to rank `rank`. `bytes` must not change until `test` says that the request is
     * done, which may be before the other rank has received the message. */
    enum shoal_status (*send)(void *data, uint32_t rank, uint32_t channel, const void *bytes, size_t size,
                              void **request, struct shoal_error *error);
    /* Whether a message of rank `rank` has arrived on the channel (*is_there). *size: length of the next
     * message. */
    enum shoal_status (*probe)(void *data, uint32_t rank, uint32_t channel, bool *is_there, size_t *size,
                               struct shoal_error *error);
    /* Begins to receive the next message on the channel, which must have arrived and has `size` bytes. */
    enum shoal_status (*receive)(void *data, uint32_t rank, uint32_t channel, void *bytes, size_t size,
                                 void **request, struct shoal_error *error);
    /* Whether the request is done. A request that is done or has failed is freed. A request may be left
     * undone if the process ends soon. */
    enum shoal_status (*test)(void *data, void *request, bool *is_done, struct shoal_error *error);
    void (*end)(void *data, int code); /* ends all ranks at once, this one included */
    void (*close)(void *data);         /* called by every rank */
};

/* What a plug-in exports under the name TRANSPORT_SYMBOL. Every rank calls `open`. communicator: the argument
 * of shoal_ranks_join. */
struct transport_plugin {
    uint32_t version; /* TRANSPORT_VERSION */
    enum shoal_status (*open)(const void *communicator, struct transport *out, struct shoal_error *error);
};
#define TRANSPORT_SYMBOL "shoal_transport_plugin"

#endif
