/* Private: messages between rank 0, which makes a run, and the other ranks, which serve their devices to it.
 *
 * Rank 0 sends requests. Rows go directly from the rank of the device that gives them to the rank of the
 * device that takes them. If a request without an answer fails, its error is returned with the next answer,
 * as errors of launches are returned by the next wait for a queue.
 */
#ifndef SHOAL_COMPUTE_REMOTE_WIRE_H
#define SHOAL_COMPUTE_REMOTE_WIRE_H

#include "base/text.h"
#include "compute/remote/transport.h"

#include <pthread.h>
#include <stdbool.h>

/* WIRE_VERSION changes when the requests change. WIRE_INLINE: most bytes of data within a request; more bytes
 * follow the request in messages of up to WIRE_PIECE bytes. Over a fast link such a message takes less time
 * than the tries of a wait that do not sleep, so a thread that sends or receives many does not sleep in
 * between. */
enum { WIRE_VERSION = 3, WIRE_INLINE = 2048, WIRE_PIECE = 256 << 10 };

/* Channels between two ranks. CHANNEL_OF_RANKS: requests to a rank; CHANNEL_OF_LIFE: questions whether a rank
 * is alive; from CHANNEL_OF_DEVICES on: a channel for each device; from CHANNEL_OF_ROWS on: a channel for
 * rows from each of the first MOST_ROW_DEVICES devices of one rank to each of those of the other. Every MPI
 * has 32767 channels. */
enum { CHANNEL_OF_RANKS, CHANNEL_OF_LIFE, CHANNEL_OF_DEVICES, CHANNEL_OF_ROWS = 1024 };
enum { MOST_ROW_DEVICES = 128 };

/* Messages on CHANNEL_OF_LIFE, of one byte each. */
enum { LIFE_ASKED = 1, LIFE_ENDS };

/* Requests to a rank. */
enum { RANK_OPEN = 1, RANK_END };

/* Requests about a device. Those from DEVICE_OPEN on have an answer. */
enum device_request {
    DEVICE_CLOSE,
    DEVICE_FLUSH,
    DEVICE_WAIT,
    DEVICE_SPAN_BEGIN,
    DEVICE_WRITE,
    DEVICE_COPY,
    DEVICE_FILL,
    DEVICE_LAUNCH,
    DEVICE_DESTROY,
    DEVICE_GIVE_ROWS,
    DEVICE_TAKE_ROWS,
    DEVICE_OPEN,
    DEVICE_QUEUE,
    DEVICE_FINISH,
    DEVICE_SPAN_END,
    DEVICE_BUFFER,
    DEVICE_READ,
    DEVICE_BUILD,
    DEVICE_LOAD,
    DEVICE_BINARY,
    DEVICE_KERNEL,
    DEVICE_LIMIT,
    DEVICE_RESIDENT,
    DEVICE_EVENT_WAIT,
    DEVICE_EVENT_TIMES,
    DEVICE_REQUESTS
};

/* How rank 0 finds out that another rank has stopped: after some time without an answer rank 0 asks on
 * CHANNEL_OF_LIFE, where a thread of the other rank only answers these questions. On ranks other than 0:
 * whether rank 0 can still be reached. */
struct life {
    pthread_mutex_t lock;
    bool is_asked;   /* a question was sent, and no answer has come */
    double asked_s;  /* host time of the last question */
    double looked_s; /* host time at which this struct was last updated */
    /* seconds since the last question or answer. Each update adds at most one second, since this process
     * itself may have been stopped between updates. */
    double since_s;
    /* waits for this rank end: a question had no answer for `limit` seconds, or messages fail */
    bool is_silent;
    double limit; /* seconds; 0: no questions are sent */
    const char *host;
};

/* The state of all ranks, as this process knows it. */
struct lives {
    struct life *list; /* [transport->count] */
    /* Whether the run was told to end. A launcher does so when it has lost a rank, and kills all other ranks
     * soon after: a rank must then answer at once. NULL: the run is never told to end. These are members of
     * struct shoal_params, and stay valid after the instance is closed. */
    bool (*stop)(void *data);
    void *stop_data;
};

/* Whether the run was told to end. */
static inline bool lives_end(const struct lives *lives)
{
    return lives->stop && lives->stop(lives->stop_data);
}

struct channel {
    const struct transport *transport;
    uint32_t rank, number;
    /* waits end if any rank is silent, since the rank of the channel may wait for that rank; NULL: waits do
     * not end */
    const struct lives *lives;
};

/* Sends `message`, and makes it empty. */
enum shoal_status channel_send(const struct channel *channel, struct text *message,
                               struct shoal_error *error);
/* Receives the next message into `message`, whose former content is dropped. */
enum shoal_status channel_receive(const struct channel *channel, struct text *message,
                                  struct shoal_error *error);
/* Receives a message, which must have `size` bytes. */
enum shoal_status channel_receive_bytes(const struct channel *channel, void *bytes, size_t size,
                                        struct shoal_error *error);
enum shoal_status channel_send_bytes(const struct channel *channel, const void *bytes, size_t size,
                                     struct shoal_error *error);
/* The two halves of channel_send_bytes; channel_end_send waits. `bytes` must not change between the call of
 * channel_begin_send and the end of channel_end_send. *is_left: the send has failed, and the request has not
 * ended. */
enum shoal_status channel_begin_send(const struct channel *channel, const void *bytes, size_t size,
                                     void **request, struct shoal_error *error);
enum shoal_status channel_end_send(const struct channel *channel, void *request, bool *is_left,
                                   struct shoal_error *error);
/* Returns, after a failure, the rank that is silent, or the rank of the channel if no rank is silent. */
uint32_t channel_silent_rank(const struct channel *channel);

/* Checks that the other ranks still answer, the rank of the channel first. Waits at most a second for ranks
 * that have not answered for their limit. waits: asks each rank that has a limit, or all if the run was told
 * to end, and waits for the answers, no longer than the limits. */
enum shoal_status channel_check_lives(const struct channel *channel, bool waits, struct shoal_error *error);

/* Ends all waits for the rank that `life` describes, now and later. */
void life_give_up(struct life *life);
/* Answers rank 0's questions whether this rank is alive, until rank 0 sends life_end's message. */
void life_answer(const struct channel *channel);
/* Makes the rank of the channel return from life_answer. */
void life_end(const struct channel *channel);

void put_u32(struct text *message, uint32_t value);
void put_u64(struct text *message, uint64_t value);
void put_f64(struct text *message, double value);
void put_string(struct text *message, const char *string); /* NULL: as "" */
void put_bytes(struct text *message, const void *bytes, size_t size);
/* Writes a status and, unless it is SHOAL_OK, its error. */
void put_status(struct text *message, enum shoal_status status, const struct shoal_error *error);

/* The part of a message that is still to be read. A read beyond its end sets `failed`; that read and all
 * later ones give zeros. */
struct reader {
    const char *at, *end;
    bool failed;
};

struct reader read_message(const struct text *message);
uint32_t get_u32(struct reader *reader);
uint64_t get_u64(struct reader *reader);
double get_f64(struct reader *reader);
const char *get_string(struct reader *reader); /* within the message; "" after a failure */
const void *get_bytes(struct reader *reader, size_t *size);
/* Reads what put_status has written. */
enum shoal_status get_status(struct reader *reader, struct shoal_error *error);

#endif
