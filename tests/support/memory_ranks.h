/* Ranks that are threads of one process over the fake backend, and messages that stay in its memory. */
#ifndef SHOAL_TESTS_MEMORY_RANKS_H
#define SHOAL_TESTS_MEMORY_RANKS_H

#include "compute/remote/ranks.h"

enum { MEMORY_RANKS = 3 };

/* Sends of more bytes end when the message is received, as those of MPI do. */
enum { MEMORY_AT_ONCE = 4000 };

struct memory_message {
    uint32_t from, to, channel;
    size_t size;
    struct memory_message *next;
    const void *source; /* of a send that has not ended; NULL: `bytes` */
    bool is_taken;      /* received; the send will end */
    unsigned char bytes[];
};

struct memory_rank {
    struct memory_ranks *all;
    uint32_t number;
    pthread_t thread;
    const char *same, *selector; /* of its parameters */
    const char *host;            /* NULL: a host of its own, such as host1 */
    int code;                    /* code that rank 0 gave it; -1: none */
};

/* Zeros and memory_begin make it. */
struct memory_ranks {
    pthread_mutex_t lock;
    struct memory_message *first;
    struct memory_rank ranks[MEMORY_RANKS];
    uint32_t count;
    unsigned calls, fails_at; /* number of messages that rank 0 has sent and received; the message from which
                               * on none gets through; 0: all do */
    bool is_down;
    uint32_t stopped; /* rank that gets no message; 0: none */
    int ended;        /* code of shoal_ranks_abort; -1: not called */
};

/* Starts ranks 1 to count - 1, which serve the devices of an instance of their own, and joins them as rank 0.
 * Returns the status of the join. */
enum shoal_status memory_begin(struct memory_ranks *all, uint32_t count, struct shoal_ranks **out,
                               struct shoal_error *error);
/* Leaves as rank 0, and waits for the threads. */
void memory_end(struct memory_ranks *all, struct shoal_ranks **ranks, int code);
/* shoal_ranks_open over the fake backend. */
enum shoal_status memory_open(struct shoal_ranks *ranks, const char *selector, struct shoal **out,
                              struct shoal_error *error);

#endif
