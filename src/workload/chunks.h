/* Private: data larger than a device, in chunks. Two places on the device take turns: while launches read
 * one, the next chunk is written to the other on a queue of its own. The host waits for that copy, and the
 * copy for the launches that read the place before, so that one chunk is computed on while the next one
 * travels.
 *
 * Used by the thread of the queue. Once created, a struct must not be moved.
 */
#ifndef SHOAL_WORKLOAD_CHUNKS_H
#define SHOAL_WORKLOAD_CHUNKS_H

#include <shoal/queue.h>
#include <stdbool.h>

enum { CHUNK_PLACES = 2, CHUNK_BUFFERS = 4 };

struct chunks {
    struct shoal_queue *queue;  /* queue of the launches */
    struct shoal_queue *copies; /* queue of the copies; NULL: places keep their data, and `queue` writes them
                                 */
    struct {
        struct shoal_buffer *buffers[CHUNK_BUFFERS];
        struct shoal_event *user; /* the last launch that reads the buffers; NULL: none */
    } places[CHUNK_PLACES];
};

/* Most rows that a chunk may have where `places` chunks are on the device at a time. room: bytes that are
 * free on the device; row: bytes of a row in all buffers; largest: bytes of a row in the buffer with the
 * longest rows. */
uint64_t chunks_most_rows(const struct shoal_device_info *info, uint64_t room, size_t places, uint64_t row,
                          uint64_t largest);

/* Creates `count` buffers for each place; bytes[i] is the size of buffer i, 0: no buffer i. take_turns: there
 * will be more chunks than places. A failure leaves nothing created. */
SHOAL_MUST_CHECK enum shoal_status chunks_create(struct chunks *chunks, struct shoal_queue *queue,
                                                 const size_t *bytes, size_t count, size_t places,
                                                 bool take_turns, struct shoal_error *error);
void chunks_destroy(struct chunks *chunks); /* accepts zeros */

/* A chunk is written between the two calls. Launches may read it after the second. */
SHOAL_MUST_CHECK enum shoal_status chunks_open(struct chunks *chunks, size_t place,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status chunks_close(struct chunks *chunks, struct shoal_error *error);
/* `data` may be reused as soon as the call returns. */
SHOAL_MUST_CHECK enum shoal_status chunks_write(struct chunks *chunks, size_t place, size_t buffer,
                                                size_t offset, const void *data, size_t bytes,
                                                struct shoal_error *error);
/* Records the last launch so far that reads the place, and takes ownership of its event. */
void chunks_used(struct chunks *chunks, size_t place, struct shoal_event *event);

#endif
