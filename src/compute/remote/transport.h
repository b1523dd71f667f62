/* Private: how the processes of one run, its ranks, send each other messages. A plug-in fills this table
 * (src/mpi); tests fill it with memory of one process.
 *
 * A message belongs to a pair of ranks and a channel, and messages of one channel arrive in the order in
 * which they were sent. No function of the table waits. Any thread may call them; a channel is used by one
 * thread at a time on each side.
 */
#ifndef SHOAL_COMPUTE_REMOTE_TRANSPORT_H
#define SHOAL_COMPUTE_REMOTE_TRANSPORT_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TRANSPORT_VERSION: changes with this table. TRANSPORT_MOST: most bytes of a message. */
enum { TRANSPORT_VERSION = 1, TRANSPORT_MOST = 1 << 30 };

struct transport {
    void *data;
    uint32_t rank, count; /* number of this process, from 0, and number of processes */
    /* Begins to send a message. `bytes` must not change until `test` says that the request is done, which may
     * be before the other rank has received the message. */
    enum shoal_status (*send)(void *data, uint32_t rank, uint32_t channel, const void *bytes, size_t size,
                              void **request, struct shoal_error *error);
    /* Has a message of the channel arrived? *size: length of the next message. */
    enum shoal_status (*probe)(void *data, uint32_t rank, uint32_t channel, bool *is_there, size_t *size,
                               struct shoal_error *error);
    /* Begins to receive the next message of the channel, which has arrived and has `size` bytes. */
    enum shoal_status (*receive)(void *data, uint32_t rank, uint32_t channel, void *bytes, size_t size,
                                 void **request, struct shoal_error *error);
    /* Is the request done? A request that is done or has failed is freed. A request that is not done may be
     * left forever if the process ends soon. */
    enum shoal_status (*test)(void *data, void *request, bool *is_done, struct shoal_error *error);
    void (*end)(void *data, int code); /* ends all ranks at once, this one included */
    void (*close)(void *data);         /* all ranks call it */
};

/* What a plug-in exports, under the name TRANSPORT_SYMBOL. `open` is called by all ranks; `communicator` is
 * what the caller of shoal_ranks_join gives. */
struct transport_plugin {
    uint32_t version; /* TRANSPORT_VERSION */
    enum shoal_status (*open)(const void *communicator, struct transport *out, struct shoal_error *error);
};
#define TRANSPORT_SYMBOL "shoal_transport_plugin"

#endif
