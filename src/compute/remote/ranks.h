/* Private: the ranks (processes) of a run. */
#ifndef SHOAL_COMPUTE_REMOTE_RANKS_H
#define SHOAL_COMPUTE_REMOTE_RANKS_H

#include "compute/backend.h"
#include "compute/remote/client.h"

#include <shoal/mpi.h>

/* Properties of another rank, on rank 0. */
struct peer {
    char *host, *selector; /* selector "": the rank uses the selector of rank 0 */
};

struct shoal_ranks {
    struct transport transport;
    /* texts of this rank: `same` must be equal on all ranks; selector "": the selector of rank 0 */
    char *same, *selector;
    char host[256];     /* name of this host */
    struct peer *peers; /* [transport.count]; on rank 0 */
    struct lives lives;
    struct shoal_device **devices;
    size_t device_count;
    /* rank 0 uses a card of another rank without messages */
    bool uses_others;
    /* on ranks other than 0: the thread that answers rank 0's questions whether this rank is alive */
    pthread_t answering;
    bool answers;
};

static inline struct channel ranks_channel(const struct shoal_ranks *ranks, uint32_t rank, uint32_t number)
{
    return (struct channel){&ranks->transport, rank, number, &ranks->lives};
}

/* Defined in join.c: does what shoal_ranks_join does, with the given transport, which the ranks own from now
 * on, and the given name of this host. For tests, whose ranks are threads. `params` must be complete. */
SHOAL_MUST_CHECK enum shoal_status ranks_join_by(const struct transport *transport, const char *host,
                                                 const struct shoal_ranks_params *params,
                                                 struct shoal_ranks **out, struct shoal_error *error);

/* Defined in plugin.c: opens the transport of the plug-in. */
SHOAL_MUST_CHECK enum shoal_status plugin_open(const void *communicator, struct transport *out,
                                               struct shoal_error *error);

/* A function that opens an instance as shoal_open does. */
typedef enum shoal_status (*instance_opener)(struct shoal **out, const struct shoal_params *params,
                                             struct shoal_error *error);
/* Defined in open.c and serve.c: do what the public functions do, with `opener` in place of shoal_open.
 * selector NULL: all devices, as for shoal_ranks_open_all. */
SHOAL_MUST_CHECK enum shoal_status ranks_open_by(struct shoal_ranks *ranks, instance_opener opener,
                                                 const struct shoal_params *params, const char *selector,
                                                 struct shoal **out, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ranks_serve_by(struct shoal_ranks *ranks, instance_opener opener,
                                                  const struct shoal_params *params, int *code,
                                                  struct shoal_error *error);

/* Which devices a rank gets: a part of the devices of its host, number `index` of `count` parts, one for each
 * rank of the host with the same selector. selector "": the graphics cards or, if there are none, the first
 * device. */
struct deal {
    const char *selector;
    uint32_t index, count;
};
/* Defined in deal.c: finds the devices of a deal. *devices: [*found], malloc'ed. */
SHOAL_MUST_CHECK enum shoal_status ranks_deal(const struct shoal *shoal, const struct deal *deal,
                                              struct shoal_device ***devices, size_t *found,
                                              struct shoal_error *error);

/* Defined in info.c: write and read the properties of a device in a message. The strings that get_info sets
 * point into the message. */
void put_info(struct text *message, const struct shoal_device_info *info);
void get_info(struct reader *reader, struct shoal_device_info *info);

#endif
