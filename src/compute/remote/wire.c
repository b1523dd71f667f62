#include "compute/remote/wire.h"

#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* Waiting ---------------------------------------------------------------------------------------------- */

/* Seconds by which each update lengthens the silence of a rank at most. */
static const double most_added_s = 1;

/* A wait that tries again and again. */
struct wait {
    double start; /* by the host's clock */
    unsigned tries;
};

static struct wait begin_wait(void)
{
    return (struct wait){.start = clock_seconds()};
}

/* Pauses before the next try, longer the longer the wait lasts: the first tries suit a message in transfer,
 * which many transports advance only within these tries, and later tries a device that is working. The thread
 * gives up its core meanwhile, which waits of transports do not do. */
static void pause_wait(const struct wait *wait)
{
    enum { SHORT_NS = 20000, LONG_NS = 500000, SLACK_NS = 1000 };
    static const double transfer_s = 200e-6, short_s = 0.05;
    static _Thread_local bool has_slack;
    const double waited = clock_seconds() - wait->start;
    if (waited < transfer_s) {
        sched_yield();
        return;
    }
    if (!has_slack) /* otherwise each short wait would take 50 us longer */
        prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);
    has_slack = true;
    const struct timespec time = {.tv_nsec = waited < short_s ? SHORT_NS : LONG_NS};
    nanosleep(&time, NULL);
}

static enum shoal_status ask_life(const struct transport *transport, uint32_t rank, struct life *life,
                                  struct shoal_error *error)
{
    static const unsigned char question = LIFE_ASKED;
    void *request;
    bool is_done;
    enum shoal_status status =
        transport->send(transport->data, rank, CHANNEL_OF_LIFE, &question, sizeof question, &request, error);
    if (!status) /* few bytes are sent at once, so the request may be left undone */
        status = transport->test(transport->data, request, &is_done, error);
    life->is_asked = !status;
    life->asked_s = clock_seconds();
    life->since_s = 0;
    return status;
}

static enum shoal_status hear_life(const struct transport *transport, uint32_t rank, struct life *life,
                                   struct shoal_error *error)
{
    const struct channel of_life = {transport, rank, CHANNEL_OF_LIFE, NULL};
    unsigned char answer;
    bool is_there = false;
    size_t size;
    enum shoal_status status = SHOAL_OK;
    /* Open MPI takes messages in after it has looked for them, so only the second look finds an answer that
     * has come since an earlier call. */
    for (int look = 0; look < 2 && !status && !is_there; look++)
        status = transport->probe(transport->data, rank, CHANNEL_OF_LIFE, &is_there, &size, error);
    if (status || !is_there)
        return status;
    life->is_asked = false;
    life->since_s = 0;
    return channel_receive_bytes(&of_life, &answer, sizeof answer, error);
}

/* Checks whether a rank is still alive, as far as it is time to ask. ends: the run was told to end. */
static enum shoal_status check_life(const struct transport *transport, uint32_t rank, struct life *life,
                                    bool ends, struct shoal_error *error)
{
    static const double limit_at_end_s = 0.3;
    const double between_s = ends ? 0 : 0.25;
    const bool is_short = ends && (life->limit > limit_at_end_s || life->limit <= 0);
    const double limit = is_short ? limit_at_end_s : life->limit;
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&life->lock);
    const double now = clock_seconds();
    life->since_s += fmin(now - life->looked_s, most_added_s);
    life->looked_s = now;
    if (life->is_asked)
        status = hear_life(transport, rank, life, error);
    if (!status && !life->is_asked && limit > 0 && life->since_s > between_s)
        status = ask_life(transport, rank, life, error);
    if (!status && life->is_asked && limit > 0 && life->since_s > limit)
        life->is_silent = true;
    if (!status && life->is_silent)
        status =
            fail(error, SHOAL_DEVICE_LOST,
                 "rank %u on %s has not answered for %.3g s: it was stopped or killed, or the link to its "
                 "host is down",
                 rank, life->host, limit);
    pthread_mutex_unlock(&life->lock);
    return status;
}

/* Called from time to time by a thread that waits: checks whether the other ranks are still alive, the rank
 * of the channel first. */
static enum shoal_status check_lives(const struct channel *channel, struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    const struct lives *lives = channel->lives;
    const bool ends = lives && lives_end(lives);
    enum shoal_status status = SHOAL_OK;
    for (uint32_t i = 0; lives && i < transport->count && !status; i++) {
        const uint32_t rank = (channel->rank + i) % transport->count;
        if (rank != transport->rank)
            status = check_life(transport, rank, &lives->list[rank], ends, error);
    }
    return status;
}

/* Asks the rank, unless it is asked already or may take any time. */
static enum shoal_status ask_now(const struct transport *transport, uint32_t rank, struct life *life,
                                 bool ends, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&life->lock);
    if (!life->is_asked && (life->limit > 0 || ends))
        status = ask_life(transport, rank, life, error);
    pthread_mutex_unlock(&life->lock);
    return status;
}

/* Whether to keep waiting for an answer of the rank. For a rank without a limit the caller waits only if the
 * run was told to end. */
static bool is_awaited(struct life *life, bool ends)
{
    pthread_mutex_lock(&life->lock);
    const bool is = life->is_asked && (life->limit > 0 || ends);
    pthread_mutex_unlock(&life->lock);
    return is;
}

/* Whether a question has had no answer for longer than the limit by the clock. Between two looks of a run
 * with long steps many seconds pass, of which since_s counts one. A late rank has one more second. */
static bool is_late(struct life *life)
{
    pthread_mutex_lock(&life->lock);
    const bool is = life->is_asked && life->limit > 0 && clock_seconds() - life->asked_s > life->limit;
    if (is)
        life->since_s = fmax(life->since_s, life->limit - most_added_s);
    pthread_mutex_unlock(&life->lock);
    return is;
}

enum shoal_status channel_check_lives(const struct channel *channel, bool waits, struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    const struct lives *lives = channel->lives;
    enum shoal_status status = check_lives(channel, error);
    for (uint32_t rank = 0; rank < transport->count && !status; rank++) {
        struct life *life = &lives->list[rank];
        if (rank == transport->rank || !(is_late(life) || waits))
            continue;
        if (waits)
            status = ask_now(transport, rank, life, lives_end(lives), error);
        for (struct wait wait = begin_wait(); !status && is_awaited(life, lives_end(lives));
             pause_wait(&wait))
            status = check_lives(channel, error);
    }
    return status;
}

uint32_t channel_silent_rank(const struct channel *channel)
{
    for (uint32_t i = 0; channel->lives && i < channel->transport->count; i++) {
        const uint32_t rank = (channel->rank + i) % channel->transport->count;
        struct life *life = &channel->lives->list[rank];
        pthread_mutex_lock(&life->lock);
        const bool is_silent = life->is_silent;
        pthread_mutex_unlock(&life->lock);
        if (is_silent)
            return rank;
    }
    return channel->rank;
}

static enum shoal_status wait_a_little(const struct channel *channel, struct wait *wait,
                                       struct shoal_error *error)
{
    enum { BETWEEN_CHECKS = 100 };
    pause_wait(wait);
    return ++wait->tries % BETWEEN_CHECKS == 0 ? check_lives(channel, error) : SHOAL_OK;
}

enum shoal_status channel_end_send(const struct channel *channel, void *request, bool *is_left,
                                   struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    bool is_done = false;
    *is_left = false;
    enum shoal_status status = transport->test(transport->data, request, &is_done, error);
    for (struct wait wait = begin_wait(); !status && !is_done;) {
        status = wait_a_little(channel, &wait, error);
        *is_left = status != SHOAL_OK;
        if (!status)
            status = transport->test(transport->data, request, &is_done, error);
    }
    return status;
}

/* Waits until a request is done. */
static enum shoal_status complete(const struct channel *channel, void *request, struct shoal_error *error)
{
    bool is_left;
    return channel_end_send(channel, request, &is_left, error);
}

/* Messages --------------------------------------------------------------------------------------------- */

static enum shoal_status wait_for_next(const struct channel *channel, size_t *size, struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    bool is_there = false;
    enum shoal_status status =
        transport->probe(transport->data, channel->rank, channel->number, &is_there, size, error);
    for (struct wait wait = begin_wait(); !status && !is_there;) {
        status = wait_a_little(channel, &wait, error);
        if (!status)
            status =
                transport->probe(transport->data, channel->rank, channel->number, &is_there, size, error);
    }
    return status;
}

static enum shoal_status take(const struct channel *channel, void *bytes, size_t size,
                              struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    void *request;
    const enum shoal_status status =
        transport->receive(transport->data, channel->rank, channel->number, bytes, size, &request, error);
    return status ? status : complete(channel, request, error);
}

void life_give_up(struct life *life)
{
    pthread_mutex_lock(&life->lock);
    life->is_silent = true;
    pthread_mutex_unlock(&life->lock);
}

enum shoal_status channel_begin_send(const struct channel *channel, const void *bytes, size_t size,
                                     void **request, struct shoal_error *error)
{
    const struct transport *transport = channel->transport;
    if (size > TRANSPORT_MOST)
        return fail(error, SHOAL_INVALID, "a message of %zu bytes to rank %u is too long", size,
                    channel->rank);
    return transport->send(transport->data, channel->rank, channel->number, bytes, size, request, error);
}

enum shoal_status channel_send_bytes(const struct channel *channel, const void *bytes, size_t size,
                                     struct shoal_error *error)
{
    void *request;
    const enum shoal_status status = channel_begin_send(channel, bytes, size, &request, error);
    return status ? status : complete(channel, request, error);
}

enum shoal_status channel_send(const struct channel *channel, struct text *message, struct shoal_error *error)
{
    const enum shoal_status status = message->failed
                                         ? fail_host_memory(error)
                                         : channel_send_bytes(channel, message->data, message->length, error);
    message->length = 0;
    message->failed = false;
    return status;
}

enum shoal_status channel_receive(const struct channel *channel, struct text *message,
                                  struct shoal_error *error)
{
    size_t size = 0;
    enum shoal_status status = wait_for_next(channel, &size, error);
    if (status)
        return status;
    message->length = 0;
    if (size >= message->capacity) {
        char *data = realloc(message->data, size + 1);
        if (!data)
            return fail_host_memory(error);
        message->data = data;
        message->capacity = size + 1;
    }
    status = take(channel, message->data, size, error);
    message->data[size] = '\0';
    message->length = status ? 0 : size;
    return status;
}

enum shoal_status channel_receive_bytes(const struct channel *channel, void *bytes, size_t size,
                                        struct shoal_error *error)
{
    size_t found = 0;
    const enum shoal_status status = wait_for_next(channel, &found, error);
    if (status)
        return status;
    if (found != size)
        return fail(error, SHOAL_FAILED, "rank %u sent %zu bytes in place of %zu", channel->rank, found,
                    size);
    return take(channel, bytes, size, error);
}

void life_answer(const struct channel *channel)
{
    unsigned char question;
    while (!channel_receive_bytes(channel, &question, sizeof question, NULL) && question == LIFE_ASKED &&
           !channel_send_bytes(channel, &question, sizeof question, NULL))
        ;
}

void life_end(const struct channel *channel)
{
    const struct channel of_life = {channel->transport, channel->rank, CHANNEL_OF_LIFE, channel->lives};
    static const unsigned char end = LIFE_ENDS;
    (void)channel_send_bytes(&of_life, &end, sizeof end, NULL);
}

/* Writing ---------------------------------------------------------------------------------------------- */

void put_u32(struct text *message, uint32_t value)
{
    text_append(message, (const char *)&value, sizeof value);
}

void put_u64(struct text *message, uint64_t value)
{
    text_append(message, (const char *)&value, sizeof value);
}

void put_f64(struct text *message, double value)
{
    text_append(message, (const char *)&value, sizeof value);
}

void put_bytes(struct text *message, const void *bytes, size_t size)
{
    put_u64(message, size);
    if (size)
        text_append(message, bytes, size);
}

void put_string(struct text *message, const char *string)
{
    put_bytes(message, string ? string : "", string ? strlen(string) + 1 : 1);
}

void put_status(struct text *message, enum shoal_status status, const struct shoal_error *error)
{
    put_u32(message, status);
    if (!status)
        return;
    put_u32(message, (uint32_t)error->native);
    put_string(message, error->call);
    put_string(message, error->message);
    put_string(message, error->log);
}

/* Reading ---------------------------------------------------------------------------------------------- */

struct reader read_message(const struct text *message)
{
    return (struct reader){.at = message->data, .end = message->data + message->length};
}

static void get(struct reader *reader, void *value, size_t size)
{
    memset(value, 0, size);
    reader->failed = reader->failed || size > (size_t)(reader->end - reader->at);
    if (reader->failed)
        return;
    memcpy(value, reader->at, size);
    reader->at += size;
}

uint32_t get_u32(struct reader *reader)
{
    uint32_t value;
    get(reader, &value, sizeof value);
    return value;
}

uint64_t get_u64(struct reader *reader)
{
    uint64_t value;
    get(reader, &value, sizeof value);
    return value;
}

double get_f64(struct reader *reader)
{
    double value;
    get(reader, &value, sizeof value);
    return value;
}

const void *get_bytes(struct reader *reader, size_t *size)
{
    const uint64_t bytes = get_u64(reader);
    const char *at = reader->at;
    *size = 0;
    reader->failed = reader->failed || bytes > (size_t)(reader->end - at);
    if (reader->failed)
        return at;
    *size = (size_t)bytes;
    reader->at += bytes;
    return at;
}

const char *get_string(struct reader *reader)
{
    size_t size;
    const char *string = get_bytes(reader, &size);
    reader->failed = reader->failed || !size || string[size - 1];
    return reader->failed ? "" : string;
}

enum shoal_status get_status(struct reader *reader, struct shoal_error *error)
{
    const uint32_t status = get_u32(reader);
    if (reader->failed || status > SHOAL_STOPPED)
        return fail(error, SHOAL_FAILED, "the answer of another rank cannot be read");
    if (!status)
        return SHOAL_OK;
    const int native = (int)get_u32(reader);
    const char *call = get_string(reader), *message = get_string(reader), *log = get_string(reader);
    fail_call(error, (enum shoal_status)status, call, native, "%s", message);
    if (*log)
        error_set_log(error, log);
    return (enum shoal_status)status;
}
