/* Private: the ranks of a run. */
#ifndef SHOAL_COMPUTE_REMOTE_RANKS_H
#define SHOAL_COMPUTE_REMOTE_RANKS_H

#include "compute/backend.h"
#include "compute/remote/client.h"

#include <shoal/mpi.h>

/* What rank 0 knows about another rank. */
struct peer {
    char *host, *selector; /* selector "": the rank uses the selector of rank 0 */
};

struct shoal_ranks {
    struct transport transport;
    char *same, *selector; /* texts of this rank; selector "": the selector of rank 0 */
    char host[256];        /* name of this host */
    struct peer *peers;    /* [transport.count]; on rank 0 */
    struct lives lives;
    struct shoal_device **devices;
    size_t device_count;
    pthread_t answering; /* on ranks other than 0: the thread that tells rank 0 that this rank is alive */
    bool answers;
};

static inline struct channel ranks_channel(const struct shoal_ranks *ranks, uint32_t rank, uint32_t number)
{
    return (struct channel){&ranks->transport, rank, number, &ranks->lives};
}

/* join.c: does what shoal_ranks_join does, with a given transport, which the ranks own from this call on, and
 * a given name of this host. For tests, whose ranks are threads. `params` are complete. */
SHOAL_MUST_CHECK enum shoal_status ranks_join_by(const struct transport *transport, const char *host,
                                                 const struct shoal_ranks_params *params,
                                                 struct shoal_ranks **out, struct shoal_error *error);

/* plugin.c: opens the transport by the plug-in. */
SHOAL_MUST_CHECK enum shoal_status plugin_open(const void *communicator, struct transport *out,
                                               struct shoal_error *error);

/* Opens an instance, as shoal_open does. */
typedef enum shoal_status (*instance_opener)(struct shoal **out, const struct shoal_params *params,
                                             struct shoal_error *error);
/* open.c and serve.c: do what the public calls do, with `opener` in place of shoal_open. selector NULL: all
 * devices, as for shoal_ranks_open_all. */
SHOAL_MUST_CHECK enum shoal_status ranks_open_by(struct shoal_ranks *ranks, instance_opener opener,
                                                 const struct shoal_params *params, const char *selector,
                                                 struct shoal **out, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ranks_serve_by(struct shoal_ranks *ranks, instance_opener opener,
                                                  const struct shoal_params *params, int *code,
                                                  struct shoal_error *error);

/* Which devices a rank gets: those of rank number `index` of the `count` ranks of a host that have the same
 * selector. selector "": the graphics cards, or else the first device. */
struct deal {
    const char *selector;
    uint32_t index, count;
};
/* deal.c: finds the devices of a deal; *devices is malloc'ed. */
SHOAL_MUST_CHECK enum shoal_status ranks_deal(const struct shoal *shoal, const struct deal *deal,
                                              struct shoal_device ***devices, size_t *found,
                                              struct shoal_error *error);

/* info.c: properties of a device in a message. Strings that get_info reads point into the message. */
void put_info(struct text *message, const struct shoal_device_info *info);
void get_info(struct reader *reader, struct shoal_device_info *info);

#endif
