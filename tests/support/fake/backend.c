/* The table of the fake backend. Commands run at once, in the thread that enqueues them. An error that a test
 * asks for later is kept in the queue, and the next finish or read returns it, as with a real driver. */
#include "compute/device.h"
#include "fake.h"
#include "natives.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char fake_mark_device[] = "device", fake_mark_queue[] = "queue", fake_mark_buffer[] = "buffer",
           fake_mark_program[] = "program", fake_mark_kernel[] = "kernel", fake_mark_event[] = "event",
           fake_mark_block[] = "block";

void *fake_check(void *native, const char *mark)
{
    const struct native *object = native;
    fake_require(object && object->mark == mark, "a %s that does not exist is used", mark);
    return native;
}

void fake_check_device(const struct shoal_device *device)
{
    struct native_device *native = fake_check(device->native, fake_mark_device);
    fake_require(native->opened, "%s is used before device_open", device->info.id);
}

void fake_tick(struct shoal_queue *queue, double *start, double *end)
{
    struct native_queue *native = queue->native;
    double begin = native->clock;
    native->clock += 1e-3;
    if (native->in_span) {
        if (native->span_start < 0)
            native->span_start = begin;
        native->span_stop = native->clock;
    }
    if (start) {
        *start = begin;
        *end = native->clock;
    }
}

/* Instance and devices ----------------------------------------------------------------------------------- */

static enum shoal_status open_table(const struct backend *table, struct shoal *shoal, void **state,
                                    struct shoal_error *error)
{
    const size_t index = fake_table(table);
    enum shoal_status status = fake_enter(FAKE_OPEN, NULL, error, "%s", table->name);
    if (status)
        return status;
    *state = malloc(1);
    if (!*state)
        return fail_host_memory(error);
    for (size_t i = 0; i < fake_device_count(index); i++) {
        struct native_device *native = calloc(1, sizeof *native);
        if (!native)
            return fail_host_memory(error);
        native->mark = fake_mark_device;
        struct shoal_device_info info = fake_device_info(index, i);
        status = device_add(shoal, table, *state, &info, native, NULL, error);
        if (status) {
            free(native);
            return status;
        }
    }
    bool any = fake_device_count(index) > 0;
    return backend_note(shoal, table->name, any, any ? "fake driver 1.0" : "no fake device was set up",
                        error);
}

static enum shoal_status first_open(struct shoal *shoal, void **state, struct shoal_error *error)
{
    return open_table(&fake_backend, shoal, state, error);
}

static enum shoal_status other_open(struct shoal *shoal, void **state, struct shoal_error *error)
{
    return open_table(&fake_other_backend, shoal, state, error);
}

static enum shoal_status peer_open(struct shoal *shoal, void **state, struct shoal_error *error)
{
    return open_table(&fake_peer_backend, shoal, state, error);
}

static void fake_close(struct shoal *shoal, void *state)
{
    (void)shoal;
    fake_note(FAKE_CLOSE, NULL, "%s", "");
    free(state);
}

static enum shoal_status fake_device_open(struct shoal_device *device, struct shoal_error *error)
{
    struct native_device *native = fake_check(device->native, fake_mark_device);
    fake_require(!native->opened, "%s is opened twice", device->info.id);
    enum shoal_status status = fake_enter(FAKE_DEVICE_OPEN, device, error, "%s", "");
    if (status)
        return status;
    native->opened = true;
    fake_object_born();
    return SHOAL_OK;
}

/* Adds a part. Each part is a call of its own, which can fail. */
static enum shoal_status add_part(struct division *division, uint32_t units, struct shoal_error *error)
{
    enum shoal_status status =
        fake_enter(FAKE_DEVICE_DIVIDE, division->whole, error, "%s units=%u", division->word, units);
    struct native_device *native = status ? NULL : calloc(1, sizeof *native);
    if (!native)
        return status ? status : fail_host_memory(error);
    *native = (struct native_device){.mark = fake_mark_device, .opened = true};
    struct shoal_device_info info = division->whole->info;
    info.units = units;
    status = device_add_part(division, &info, native, error);
    if (status)
        free(native);
    else
        fake_object_born();
    return status;
}

static enum shoal_status fake_device_divide(struct division *division, const uint32_t *units, size_t count,
                                            struct shoal_error *error)
{
    const uint32_t all = division->whole->info.units, nodes = fake_numa_nodes();
    uint64_t sum = 0;
    enum shoal_status status = SHOAL_OK;
    if (!units && !nodes)
        return fail(error, SHOAL_NO_DEVICE, "%s has no NUMA nodes", division->whole->info.id);
    const size_t parts = units ? count : nodes;
    for (size_t i = 0; i < parts && !status; i++) {
        const uint32_t own = units ? units[i] : all / nodes;
        fake_require(own > 0, "a part without compute units");
        sum += own;
        status = add_part(division, own, error);
    }
    fake_require(sum <= all, "parts of %llu of %u compute units", (unsigned long long)sum, all);
    return status;
}

static void fake_device_close(struct shoal_device *device)
{
    struct native_device *native = fake_check(device->native, fake_mark_device);
    fake_note(FAKE_DEVICE_CLOSE, device, "%s", "");
    if (native->opened)
        fake_object_dead();
    free(native);
}

/* Queues ------------------------------------------------------------------------------------------------- */

static enum shoal_status fake_queue_create(struct shoal_queue *queue, struct shoal_error *error)
{
    fake_check_device(queue->device);
    enum shoal_status status = fake_enter(FAKE_QUEUE_CREATE, queue->device, error, "flags=%u", queue->flags);
    if (status)
        return status;
    struct native_queue *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    native->mark = fake_mark_queue;
    queue->native = native;
    fake_object_born();
    return SHOAL_OK;
}

static void fake_queue_destroy(struct shoal_queue *queue)
{
    struct native_queue *native = fake_check(queue->native, fake_mark_queue);
    fake_note(FAKE_QUEUE_DESTROY, queue->device, "%s", "");
    free(native);
    fake_object_dead();
}

static enum shoal_status fake_queue_flush(struct shoal_queue *queue, struct shoal_error *error)
{
    fake_check(queue->native, fake_mark_queue);
    return fake_enter(FAKE_QUEUE_FLUSH, queue->device, error, "%s", "");
}

/* Returns the error of a launch that failed after it was accepted. */
static enum shoal_status settle(struct shoal_queue *queue, enum fake_call call, struct shoal_error *error)
{
    struct native_queue *native = queue->native;
    enum shoal_status status = native->later;
    native->later = SHOAL_OK;
    return status ? fake_error(queue->device, status, call, error) : SHOAL_OK;
}

static atomic_bool hold;
static atomic_uint held;

void fake_hold_finish(bool on)
{
    atomic_store(&hold, on);
}

unsigned fake_held(void)
{
    return atomic_load(&held);
}

static void wait_while_held(void)
{
    const struct timespec while_waiting = {.tv_nsec = 1000000};
    atomic_fetch_add(&held, 1);
    while (atomic_load(&hold))
        nanosleep(&while_waiting, NULL);
    atomic_fetch_sub(&held, 1);
}

static enum shoal_status fake_queue_finish(struct shoal_queue *queue, struct shoal_error *error)
{
    fake_check(queue->native, fake_mark_queue);
    wait_while_held();
    enum shoal_status status = fake_enter(FAKE_QUEUE_FINISH, queue->device, error, "%s", "");
    fake_all_done(queue->device);
    return status ? status : settle(queue, FAKE_QUEUE_FINISH, error);
}

static enum shoal_status fake_queue_wait(struct shoal_queue *queue, struct shoal_event *event,
                                         struct shoal_error *error)
{
    fake_check(queue->native, fake_mark_queue);
    const struct native_event *of = fake_check(event->native, fake_mark_event);
    fake_require(event->queue->device == queue->device || of->device,
                 "an event of another device is waited for that is no mark");
    const enum shoal_status status = fake_enter(FAKE_QUEUE_WAIT, queue->device, error, "%s", "");
    if (!status && of->device)
        fake_follow(queue, of->device, of->commands);
    return status;
}

static enum shoal_status fake_queue_mark(struct shoal_queue *queue, struct shoal_event *event,
                                         struct shoal_error *error)
{
    struct native_queue *of = fake_check(queue->native, fake_mark_queue);
    struct native_device *device = queue->device->native;
    enum shoal_status status = fake_enter(FAKE_QUEUE_MARK, queue->device, error, "%s", "");
    struct native_event *native = status ? NULL : calloc(1, sizeof *native);
    if (!native)
        return status ? status : fail_host_memory(error);
    *native =
        (struct native_event){fake_mark_event, of->clock, of->clock, device, atomic_load(&device->commands)};
    event->native = native;
    fake_object_born();
    return SHOAL_OK;
}

static enum shoal_status fake_span_begin(struct shoal_queue *queue, struct shoal_error *error)
{
    struct native_queue *native = fake_check(queue->native, fake_mark_queue);
    fake_require(queue->flags & SHOAL_QUEUE_PROFILING, "a span on a queue without profiling");
    fake_require(!native->in_span, "a span is begun inside a span");
    enum shoal_status status = fake_enter(FAKE_SPAN_BEGIN, queue->device, error, "%s", "");
    if (status)
        return status;
    native->in_span = true;
    native->span_start = -1;
    native->span_stop = -1;
    return SHOAL_OK;
}

static enum shoal_status fake_span_end(struct shoal_queue *queue, double *seconds, struct shoal_error *error)
{
    struct native_queue *native = fake_check(queue->native, fake_mark_queue);
    fake_require(native->in_span, "a span is ended that was not begun");
    native->in_span = false;
    enum shoal_status status = fake_enter(FAKE_SPAN_END, queue->device, error, "%s", "");
    if (!status)
        status = settle(queue, FAKE_SPAN_END, error);
    if (!status)
        *seconds = native->span_start < 0 ? 0 : native->span_stop - native->span_start;
    return status;
}

/* Buffers ------------------------------------------------------------------------------------------------ */

static enum shoal_status fake_buffer_create(struct shoal_buffer *buffer, struct shoal_error *error)
{
    fake_check_device(buffer->device);
    fake_require(buffer->bytes > 0 && buffer->bytes <= buffer->device->info.max_allocation,
                 "a buffer of %zu bytes", buffer->bytes);
    enum shoal_status status =
        fake_enter(FAKE_BUFFER_CREATE, buffer->device, error, "bytes=%zu", buffer->bytes);
    if (status)
        return status;
    struct native_buffer *native = calloc(1, sizeof *native);
    unsigned char *data = native ? malloc(buffer->bytes) : NULL;
    if (!data) {
        free(native);
        return fail_host_memory(error);
    }
    /* The content of a new buffer is undefined, which these bytes make visible. */
    memset(data, 0xcd, buffer->bytes);
    *native = (struct native_buffer){.mark = fake_mark_buffer, .data = data};
    buffer->native = native;
    fake_object_born();
    return SHOAL_OK;
}

static void fake_buffer_destroy(struct shoal_buffer *buffer)
{
    struct native_buffer *native = fake_check(buffer->native, fake_mark_buffer);
    fake_note(FAKE_BUFFER_DESTROY, buffer->device, "%s", "");
    free(native->data);
    free(native);
    fake_object_dead();
}

/* Parts of one division share memory. */
static bool fake_shares_memory(const struct shoal_device *a, const struct shoal_device *b)
{
    return a->whole && a->whole == b->whole;
}

/* Finds the memory of the range. Counts a breach where the core let a wrong range through. */
static unsigned char *range_of(const struct shoal_device *device, struct shoal_queue *queue,
                               struct shoal_buffer *buffer, size_t offset, size_t bytes)
{
    fake_check(queue->native, fake_mark_queue);
    struct native_buffer *native = fake_check(buffer->native, fake_mark_buffer);
    fake_require(buffer->device == device, "a buffer of another device");
    fake_require(bytes > 0, "a transfer of 0 bytes");
    fake_require(offset <= buffer->bytes && bytes <= buffer->bytes - offset,
                 "%zu bytes at %zu of a buffer of %zu bytes", bytes, offset, buffer->bytes);
    return native->data + offset;
}

static unsigned char *range(struct shoal_queue *queue, struct shoal_buffer *buffer, size_t offset,
                            size_t bytes)
{
    return range_of(queue->device, queue, buffer, offset, bytes);
}

static enum shoal_status write_bytes(enum fake_call call, struct shoal_queue *queue,
                                     struct shoal_buffer *buffer, size_t offset, const void *data,
                                     size_t bytes, struct shoal_error *error)
{
    unsigned char *target = range(queue, buffer, offset, bytes);
    enum shoal_status status = fake_enter(call, queue->device, error, "offset=%zu bytes=%zu", offset, bytes);
    if (status)
        return status;
    if (bytes == sizeof(uint32_t) && offset % bytes == 0) { /* a kernel may look at the word meanwhile */
        uint32_t word;
        memcpy(&word, data, sizeof word);
        atomic_store((atomic_uint *)(void *)target, word);
    } else
        memcpy(target, data, bytes);
    fake_tick(queue, NULL, NULL);
    return SHOAL_OK;
}

static enum shoal_status fake_buffer_write(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                           size_t offset, const void *data, size_t bytes,
                                           struct shoal_error *error)
{
    return write_bytes(FAKE_BUFFER_WRITE, queue, buffer, offset, data, bytes, error);
}

static enum shoal_status fake_enqueue_write(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                            size_t offset, const void *data, size_t bytes,
                                            struct shoal_error *error)
{
    return write_bytes(FAKE_ENQUEUE_WRITE, queue, buffer, offset, data, bytes, error);
}

static enum shoal_status read_bytes(enum fake_call call, struct shoal_queue *queue,
                                    struct shoal_buffer *buffer, size_t offset, void *data, size_t bytes,
                                    struct shoal_error *error)
{
    const unsigned char *source = range(queue, buffer, offset, bytes);
    enum shoal_status status = fake_enter(call, queue->device, error, "offset=%zu bytes=%zu", offset, bytes);
    if (!status && call == FAKE_BUFFER_READ)
        status = settle(queue, call, error);
    if (status)
        return status;
    memcpy(data, source, bytes);
    fake_tick(queue, NULL, NULL);
    return SHOAL_OK;
}

static enum shoal_status fake_buffer_read(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                          size_t offset, void *data, size_t bytes, struct shoal_error *error)
{
    return read_bytes(FAKE_BUFFER_READ, queue, buffer, offset, data, bytes, error);
}

static enum shoal_status fake_enqueue_read(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                           size_t offset, void *data, size_t bytes, struct shoal_error *error)
{
    return read_bytes(FAKE_ENQUEUE_READ, queue, buffer, offset, data, bytes, error);
}

static enum shoal_status copy_bytes(enum fake_call call, struct shoal_queue *queue,
                                    struct shoal_buffer *source, size_t source_offset,
                                    struct shoal_buffer *target, size_t target_offset, size_t bytes,
                                    struct shoal_error *error)
{
    const unsigned char *from = range_of(source->device, queue, source, source_offset, bytes);
    unsigned char *to = range(queue, target, target_offset, bytes);
    fake_require(to + bytes <= from || from + bytes <= to, "a copy between ranges that overlap");
    enum shoal_status status = fake_enter(call, queue->device, error, "from=%zu to=%zu bytes=%zu",
                                          source_offset, target_offset, bytes);
    if (status)
        return status;
    if (source->device != queue->device)
        fake_read_of_another(queue, source);
    memcpy(to, from, bytes);
    fake_tick(queue, NULL, NULL);
    return SHOAL_OK;
}

static enum shoal_status fake_buffer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                          size_t source_offset, struct shoal_buffer *target,
                                          size_t target_offset, size_t bytes, struct shoal_error *error)
{
    fake_require(source->device == queue->device || fake_shares_memory(source->device, queue->device),
                 "a copy between devices with memory of their own");
    return copy_bytes(FAKE_BUFFER_COPY, queue, source, source_offset, target, target_offset, bytes, error);
}

static enum shoal_status fake_peer_open(struct shoal_device *from, struct shoal_device *to, bool *reaches,
                                        struct shoal_error *error)
{
    fake_check_device(from);
    fake_check_device(to);
    fake_require(from != to && from->backend == to->backend, "%s cannot be a peer of %s", from->info.id,
                 to->info.id);
    *reaches = fake_peers() != FAKE_NO_PEERS;
    return fake_enter(FAKE_PEER_OPEN, to, error, "from=%s", from->info.id);
}

static enum shoal_status fake_peer_copy(struct shoal_queue *queue, struct shoal_buffer *source,
                                        size_t source_offset, struct shoal_buffer *target,
                                        size_t target_offset, size_t bytes, struct shoal_error *error)
{
    fake_require(fake_peers() != FAKE_NO_PEERS, "a copy between devices that do not reach each other");
    enum shoal_status status =
        copy_bytes(FAKE_PEER_COPY, queue, source, source_offset, target, target_offset, bytes, error);
    if (!status && fake_peers() == FAKE_PEERS_LIE)
        ((struct native_buffer *)target->native)->data[target_offset] ^= 1;
    if (!status && fake_peers() == FAKE_PEERS_TEAR && bytes > 4096)
        ((struct native_buffer *)target->native)->data[target_offset + bytes - 1] ^= 1;
    return status;
}

struct native_block {
    const char *mark;
};

static enum shoal_status fake_block_create(struct host_block *block, struct shoal_error *error)
{
    fake_check_device(block->device);
    fake_require(block->bytes > 0, "a block of 0 bytes");
    enum shoal_status status = fake_enter(FAKE_BLOCK_CREATE, block->device, error, "bytes=%zu", block->bytes);
    if (status)
        return status;
    struct native_block *native = malloc(sizeof *native);
    block->data = native ? malloc(block->bytes) : NULL;
    if (!block->data) {
        free(native);
        return fail_host_memory(error);
    }
    native->mark = fake_mark_block;
    block->native = native;
    fake_object_born();
    return SHOAL_OK;
}

static void fake_block_destroy(struct host_block *block)
{
    fake_check(block->native, fake_mark_block);
    fake_note(FAKE_BLOCK_DESTROY, block->device, "%s", "");
    free(block->data);
    free(block->native);
    fake_object_dead();
}

static enum shoal_status fake_buffer_fill(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                          size_t offset, size_t bytes, uint32_t word,
                                          struct shoal_error *error)
{
    unsigned char *target = range(queue, buffer, offset, bytes);
    fake_require(offset % 4 == 0 && bytes % 4 == 0, "a fill of %zu bytes at %zu", bytes, offset);
    enum shoal_status status = fake_enter(FAKE_BUFFER_FILL, queue->device, error,
                                          "offset=%zu bytes=%zu word=0x%x", offset, bytes, word);
    if (status)
        return status;
    fake_write(queue, buffer);
    for (size_t i = 0; i < bytes; i += sizeof word)
        memcpy(target + i, &word, sizeof word);
    fake_tick(queue, NULL, NULL);
    return SHOAL_OK;
}

static const char *other_prelude(const struct shoal_device *device)
{
    (void)device;
    return FAKE_PRELUDE;
}

/* Events ------------------------------------------------------------------------------------------------- */

static enum shoal_status fake_event_wait(struct shoal_event *event, struct shoal_error *error)
{
    fake_check(event->native, fake_mark_event);
    return fake_enter(FAKE_EVENT_WAIT, event->queue->device, error, "%s", "");
}

static enum shoal_status fake_event_times(struct shoal_event *event, double *start, double *end,
                                          struct shoal_error *error)
{
    const struct native_event *native = fake_check(event->native, fake_mark_event);
    fake_require(event->queue->flags & SHOAL_QUEUE_PROFILING, "times of a queue without profiling");
    enum shoal_status status = fake_enter(FAKE_EVENT_TIMES, event->queue->device, error, "%s", "");
    if (status)
        return status;
    *start = native->start;
    *end = native->end;
    return SHOAL_OK;
}

static enum shoal_status fake_event_gap(struct shoal_event *first, struct shoal_event *last, double *seconds,
                                        struct shoal_error *error)
{
    const struct native_event *from = fake_check(first->native, fake_mark_event),
                              *to = fake_check(last->native, fake_mark_event);
    fake_require(first->queue == last->queue && from->end <= to->end, "a gap between events of two queues");
    const enum shoal_status status = fake_enter(FAKE_EVENT_GAP, first->queue->device, error, "%s", "");
    *seconds = to->end - from->end;
    return status;
}

static void fake_event_destroy(struct shoal_event *event)
{
    struct native_event *native = fake_check(event->native, fake_mark_event);
    fake_note(FAKE_EVENT_DESTROY, event->queue->device, "%s", "");
    free(native);
    fake_object_dead();
}

#define FAKE_TABLE(table_name, open_function, divide_function, prelude_function, reads_peers)                \
    {                                                                                                        \
        .name = table_name, .open = open_function, .close = fake_close, .device_open = fake_device_open,     \
        .device_close = fake_device_close, .device_divide = divide_function,                                 \
        .queue_create = fake_queue_create, .queue_destroy = fake_queue_destroy,                              \
        .queue_flush = fake_queue_flush, .queue_finish = fake_queue_finish, .queue_wait = fake_queue_wait,   \
        .queue_mark = fake_queue_mark, .event_gap = fake_event_gap, .span_begin = fake_span_begin,           \
        .span_end = fake_span_end, .buffer_create = fake_buffer_create,                                      \
        .buffer_destroy = fake_buffer_destroy, .buffer_write = fake_buffer_write,                            \
        .buffer_read = fake_buffer_read, .buffer_copy = fake_buffer_copy, .buffer_fill = fake_buffer_fill,   \
        .block_create = fake_block_create, .block_destroy = fake_block_destroy,                              \
        .enqueue_write = fake_enqueue_write, .enqueue_read = fake_enqueue_read,                              \
        .shares_memory = fake_shares_memory, .peer_open = fake_peer_open, .peer_copy = fake_peer_copy,       \
        .kernels_read_peers = reads_peers, .prelude = prelude_function, .program_build = fake_program_build, \
        .builds_at_once = true, .program_load = fake_program_load, .program_binary = fake_program_binary,    \
        .program_destroy = fake_program_destroy, .kernel_create = fake_kernel_create,                        \
        .kernel_limit = fake_kernel_limit, .kernel_destroy = fake_kernel_destroy, .launch = fake_launch,     \
        .event_wait = fake_event_wait, .event_times = fake_event_times, .event_destroy = fake_event_destroy, \
    }

const struct backend fake_backend = FAKE_TABLE("fake", first_open, fake_device_divide, NULL, false);
const struct backend fake_other_backend = FAKE_TABLE("other", other_open, NULL, other_prelude, false);
const struct backend fake_peer_backend = FAKE_TABLE("peer", peer_open, NULL, NULL, true);
