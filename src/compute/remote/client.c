#include "compute/remote/client.h"
#include "compute/device.h"

#include <stdlib.h>

/* Number of bytes at which posted requests are sent: some tens of launches, but few enough for a message that
 * transports send without waiting for the receiver. */
enum { TOGETHER = 3072 };

/* Most bytes of requests that are sent while the answers of reads are pending: every transport takes this
 * many bytes even if the other rank does not receive them, because it waits until the bytes that it sends are
 * taken. */
enum { BESIDE_READS = 512 };

enum shoal_status remote_create(struct channel channel, struct remote_device **out, struct shoal_error *error)
{
    struct remote_device *remote = calloc(1, sizeof *remote);
    if (!remote)
        return fail_host_memory(error);
    remote->channel = channel;
    remote->next = 1;
    pthread_mutex_init(&remote->lock, NULL);
    *out = remote;
    return SHOAL_OK;
}

void remote_destroy(struct remote_device *remote)
{
    if (!remote)
        return;
    pthread_mutex_destroy(&remote->lock);
    text_free(&remote->out);
    text_free(&remote->in);
    free(remote->free_numbers);
    free(remote);
}

/* Requests --------------------------------------------------------------------------------------------- */

/* Called after no message got through: returns the lost device. It is `device` or, if this rank has waited in
 * vain for rows of another rank, the first device of that rank; all devices of that rank are then marked as
 * lost. */
static struct shoal_device *find_lost(struct shoal_device *device)
{
    const struct shoal *shoal = device->shoal;
    const struct channel *channel = &remote_of(device)->channel;
    const uint32_t silent = channel_silent_rank(channel);
    struct shoal_device *first = NULL;
    for (size_t i = 0; i < shoal->device_count && silent != channel->rank; i++) {
        struct shoal_device *other = shoal->devices[i];
        if (other->backend != &remote_backend || other->info.rank != silent)
            continue;
        atomic_store(&other->lost, true);
        first = first ? first : other;
    }
    return first ? first : device;
}

/* After a failure of the transport marks the connection as broken, since the two sides may be at different
 * messages. */
static enum shoal_status settle(struct shoal_device *device, enum shoal_status status,
                                struct shoal_error *error)
{
    struct shoal_error reason = error ? *error : (struct shoal_error){.message = "no message gets through"};
    if (!status)
        return SHOAL_OK;
    remote_of(device)->is_broken = true;
    return device_lost(find_lost(device), error, reason.call, reason.native, "%s", reason.message);
}

static void take_reads(struct shoal_device *device);

static enum shoal_status send_posted(struct shoal_device *device, struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    if (remote->out.length > BESIDE_READS)
        take_reads(device);
    if (remote->is_broken)
        return device_lost(find_lost(device), error, "", 0, "no message gets through to rank %u",
                           channel_silent_rank(&remote->channel));
    if (!remote->out.length && !remote->out.failed)
        return SHOAL_OK;
    return settle(device, channel_send(&remote->channel, &remote->out, error), error);
}

struct text *remote_begin(const struct shoal_device *device, enum device_request request)
{
    struct remote_device *remote = remote_of(device);
    pthread_mutex_lock(&remote->lock);
    put_u32(&remote->out, request);
    return &remote->out;
}

enum shoal_status remote_post(struct shoal_device *device, struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    const bool is_full = remote->out.length >= TOGETHER || remote->out.failed || remote->is_broken;
    const enum shoal_status status = is_full ? send_posted(device, error) : SHOAL_OK;
    pthread_mutex_unlock(&remote->lock);
    return status;
}

enum shoal_status remote_flush(struct shoal_device *device, struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    pthread_mutex_lock(&remote->lock);
    const enum shoal_status status = send_posted(device, error);
    pthread_mutex_unlock(&remote->lock);
    return status;
}

static enum shoal_status receive(struct shoal_device *device, struct reader *reply, struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    enum shoal_status status = settle(device, channel_receive(&remote->channel, &remote->in, error), error);
    if (status)
        return status;
    *reply = read_message(&remote->in);
    status = get_status(reply, error);
    if (status == SHOAL_DEVICE_LOST)
        atomic_store(&device->lost, true);
    return status;
}

/* Receives the bytes of a read, in pieces with an answer before each. Bytes of a lost device are dropped,
 * since no call waits for them. */
static enum shoal_status take_read(struct shoal_device *device, const struct remote_read *read,
                                   struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    struct reader reply;
    enum shoal_status status = SHOAL_OK;
    for (size_t at = 0; at < read->bytes && !status; at += WIRE_PIECE) {
        const size_t bytes = read->bytes - at < WIRE_PIECE ? read->bytes - at : WIRE_PIECE;
        status = receive(device, &reply, error);
        if (status)
            break;
        status = atomic_load(&device->lost)
                     ? channel_receive(&remote->channel, &remote->in, error)
                     : channel_receive_bytes(&remote->channel, (char *)read->data + at, bytes, error);
        status = settle(device, status, error);
    }
    return status;
}

/* Receives the bytes of all pending reads, even after a failure. The first failure is kept for the next
 * answer, like failures of posted requests. */
static void take_reads(struct shoal_device *device)
{
    struct remote_device *remote = remote_of(device);
    struct shoal_error *failure = &remote->read_failure;
    for (size_t i = 0; i < remote->read_count && !remote->is_broken; i++)
        if (take_read(device, &remote->reads[i], failure->status ? NULL : failure))
            remote->read_queue = 0;
    remote->read_count = 0;
}

/* Receives the bytes of all pending reads, and returns the first failure of a read. */
static enum shoal_status settle_reads(struct shoal_device *device, struct shoal_error *error)
{
    struct shoal_error *failure = &remote_of(device)->read_failure;
    take_reads(device);
    const enum shoal_status status = failure->status;
    if (status && error)
        *error = *failure;
    *failure = (struct shoal_error){0};
    return status;
}

enum shoal_status remote_call(struct shoal_device *device, struct reader *reply, struct shoal_error *error)
{
    *reply = (struct reader){NULL, NULL, false};
    const enum shoal_status status = send_posted(device, error);
    const enum shoal_status early = settle_reads(device, error);
    if (status || remote_of(device)->is_broken)
        return early ? early : status;
    const enum shoal_status own = receive(device, reply, early ? NULL : error);
    return early ? early : own;
}

enum shoal_status remote_end(struct shoal_device *device, const struct reader *reply,
                             enum shoal_status status, struct shoal_error *error)
{
    const bool is_short = !status && reply->failed;
    pthread_mutex_unlock(&remote_of(device)->lock);
    return is_short ? fail(error, SHOAL_FAILED, "%s: the answer of its rank is too short", device->info.id)
                    : status;
}

enum shoal_status remote_ask(struct shoal_device *device, struct shoal_error *error)
{
    struct reader reply;
    const enum shoal_status status = remote_call(device, &reply, error);
    return remote_end(device, &reply, status, error);
}

/* Queues ----------------------------------------------------------------------------------------------- */

struct text *remote_begin_on(const struct shoal_queue *queue, enum device_request request)
{
    struct text *out = remote_begin(queue->device, request);
    put_u64(out, number_of(queue->native));
    remote_of(queue->device)->read_queue = 0;
    return out;
}

enum shoal_status remote_finish(const struct shoal_queue *queue, struct shoal_error *error)
{
    struct shoal_device *device = queue->device;
    struct remote_device *remote = remote_of(device);
    struct reader reply;
    pthread_mutex_lock(&remote->lock);
    const bool is_read = remote->read_queue == number_of(queue->native);
    enum shoal_status status = is_read ? settle_reads(device, error) : SHOAL_OK;
    pthread_mutex_unlock(&remote->lock);
    if (is_read)
        return status;
    (void)remote_begin_on(queue, DEVICE_FINISH);
    status = remote_call(device, &reply, error);
    remote->read_queue = status ? 0 : number_of(queue->native);
    return remote_end(device, &reply, status, error);
}

/* Many bytes ------------------------------------------------------------------------------------------- */

enum shoal_status remote_send_pieces(struct shoal_device *device, const void *data, size_t bytes,
                                     struct shoal_error *error)
{
    struct remote_device *remote = remote_of(device);
    take_reads(device); /* otherwise each side may wait until the other one takes its bytes */
    enum shoal_status status = send_posted(device, error);
    for (size_t at = 0; at < bytes && !status; at += WIRE_PIECE)
        status = settle(device,
                        channel_send_bytes(&remote->channel, (const char *)data + at,
                                           bytes - at < WIRE_PIECE ? bytes - at : WIRE_PIECE, error),
                        error);
    pthread_mutex_unlock(&remote->lock);
    return status;
}

enum shoal_status remote_end_read(const struct shoal_queue *queue, void *data, size_t bytes, bool waits,
                                  struct shoal_error *error)
{
    struct shoal_device *device = queue->device;
    struct remote_device *remote = remote_of(device);
    if (remote->read_count == REMOTE_MOST_READS)
        take_reads(device);
    enum shoal_status status = send_posted(device, error);
    if (!status) {
        remote->reads[remote->read_count++] = (struct remote_read){data, bytes};
        remote->read_queue = number_of(queue->native);
    }
    if (!status && waits)
        status = settle_reads(device, error);
    pthread_mutex_unlock(&remote->lock);
    return status;
}

/* Objects ---------------------------------------------------------------------------------------------- */

uint64_t remote_number(const struct shoal_device *device)
{
    struct remote_device *remote = remote_of(device);
    return remote->free_count ? remote->free_numbers[--remote->free_count] : remote->next++;
}

/* Makes a number free for another object. If there is no memory to record this, the number is not used
 * again. */
static void free_number(struct remote_device *remote, uint64_t number)
{
    if (remote->free_count == remote->free_room) {
        const size_t room = remote->free_room ? 2 * remote->free_room : 64;
        uint64_t *longer = realloc(remote->free_numbers, room * sizeof *longer);
        if (!longer)
            return;
        remote->free_numbers = longer;
        remote->free_room = room;
    }
    remote->free_numbers[remote->free_count++] = number;
}

void remote_drop(struct shoal_device *device, void *object)
{
    put_u64(remote_begin(device, DEVICE_DESTROY), number_of(object));
    free_number(remote_of(device), number_of(object));
    (void)remote_post(device, NULL);
}
