/* Private: messages between rank 0, which makes a run, and the ranks that serve their devices to it.
 *
 * Rank 0 sends requests. Rows go from the rank of their device to the rank of the device that takes them. A
 * request without an answer fails silently at first: its error comes with the next answer, as errors of
 * launches come with the next wait of a queue.
 */
#ifndef SHOAL_COMPUTE_REMOTE_WIRE_H
#define SHOAL_COMPUTE_REMOTE_WIRE_H

#include "base/text.h"
#include "compute/remote/transport.h"

#include <pthread.h>
#include <stdbool.h>

/* WIRE_VERSION changes with the requests. WIRE_INLINE: most bytes that lie within a request; more bytes
 * follow the request in pieces of WIRE_PIECE bytes, each of which is a message. */
enum { WIRE_VERSION = 2, WIRE_INLINE = 2048, WIRE_PIECE = 8 << 20 };

/* Channels between two ranks. CHANNEL_OF_RANKS: requests of the ranks; CHANNEL_OF_LIFE: questions whether a
 * rank is alive; from CHANNEL_OF_DEVICES on: one channel for each device; from CHANNEL_OF_ROWS on: rows from
 * a device of one rank to a device of the other, for the first MOST_ROW_DEVICES devices of each. Every MPI
 * has 32767 channels. */
enum { CHANNEL_OF_RANKS, CHANNEL_OF_LIFE, CHANNEL_OF_DEVICES, CHANNEL_OF_ROWS = 1024 };
enum { MOST_ROW_DEVICES = 128 };

/* Messages of a byte on CHANNEL_OF_LIFE. */
enum { LIFE_ASKED = 1, LIFE_ENDS };

/* Requests of the ranks. */
enum { RANK_OPEN = 1, RANK_END };

/* Requests of a device. Requests from DEVICE_OPEN on have an answer. */
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

/* How rank 0 finds out that another rank has stopped: after some time without an answer, rank 0 asks on
 * CHANNEL_OF_LIFE, which a thread of that rank does nothing but answer. On other ranks: can rank 0 still be
 * reached? */
struct life {
    pthread_mutex_t lock;
    bool is_asked;   /* a question has no answer yet */
    double looked_s; /* time of the last look, by the host's clock */
    double since_s;  /* seconds since the last question or answer; each look adds at most a second, since this
                      * process may itself have been stopped between looks */
    bool is_silent;  /* waits end: a question had no answer for `limit` seconds, or messages fail */
    double limit;    /* 0: nothing is asked */
    const char *host;
};

/* The lives of all ranks, as a process knows them. */
struct lives {
    struct life *list; /* [transport->count] */
    /* Was the run told to end? A launcher does so when it has lost a rank, and kills all other ranks soon
     * after: a rank must then answer at once. NULL: the run is never told to end. */
    bool (*stop)(void *data);
    void *stop_data;
};

struct channel {
    const struct transport *transport;
    uint32_t rank, number;
    const struct lives *lives; /* a wait ends if any other rank is silent, since the rank of the channel may
                                * wait for that rank; NULL: a wait has no end */
};

/* Sends `message` and empties it. */
enum shoal_status channel_send(const struct channel *channel, struct text *message,
                               struct shoal_error *error);
/* Receives the next message into `message`, whose old content is dropped. */
enum shoal_status channel_receive(const struct channel *channel, struct text *message,
                                  struct shoal_error *error);
/* Receives a message of exactly `size` bytes. */
enum shoal_status channel_receive_bytes(const struct channel *channel, void *bytes, size_t size,
                                        struct shoal_error *error);
enum shoal_status channel_send_bytes(const struct channel *channel, const void *bytes, size_t size,
                                     struct shoal_error *error);
/* The two halves of channel_send_bytes. `bytes` must not change from channel_begin_send to the end of
 * channel_end_send, which waits. *is_left: after a failure, the request has not ended. */
enum shoal_status channel_begin_send(const struct channel *channel, const void *bytes, size_t size,
                                     void **request, struct shoal_error *error);
enum shoal_status channel_end_send(const struct channel *channel, void *request, bool *is_left,
                                   struct shoal_error *error);
/* After a failure: the silent rank, or the rank of the channel if no rank is silent. */
uint32_t channel_silent_rank(const struct channel *channel);

/* Ends all waits for the rank of this life, now and later. */
void life_give_up(struct life *life);
/* Answers the questions of rank 0 whether this rank is alive, until rank 0 ends this. */
void life_answer(const struct channel *channel);
/* Ends life_answer of the rank of the channel. */
void life_end(const struct channel *channel);

void put_u32(struct text *message, uint32_t value);
void put_u64(struct text *message, uint64_t value);
void put_f64(struct text *message, double value);
void put_string(struct text *message, const char *string); /* NULL: as "" */
void put_bytes(struct text *message, const void *bytes, size_t size);
/* A status and, unless it is SHOAL_OK, its error. */
void put_status(struct text *message, enum shoal_status status, const struct shoal_error *error);

/* The rest of a message. After a read beyond its end `failed` is set, and every further read gives zeros. */
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
