/* Private: processes data that are larger than the device's memory in chunks. Two sets of buffers on the
 * device, called places, alternate: while launches read one place, a queue of copies writes the next chunk to
 * the other place. The host waits for each copy, and a copy waits only for the launches that read the
 * previous chunk of its place, so that computation and copies overlap.
 *
 * The functions are called by the thread of the queue. A struct must not be moved after its creation.
 */
#ifndef SHOAL_WORKLOAD_CHUNKS_H
#define SHOAL_WORKLOAD_CHUNKS_H

#include <shoal/queue.h>
#include <stdbool.h>

enum { CHUNK_PLACES = 2, CHUNK_BUFFERS = 4 };

struct chunks {
    struct shoal_queue *queue;  /* queue of the launches */
    struct shoal_queue *copies; /* queue of the copies; NULL: places keep their data, and `queue` makes the
                                 * copies */
    struct {
        struct shoal_buffer *buffers[CHUNK_BUFFERS];
        /* the last launch that reads the buffers of the place; NULL: no launch reads the buffers */
        struct shoal_event *user;
    } places[CHUNK_PLACES];
};

/* Most rows that a chunk may have where `places` chunks are on the device at a time. room: free bytes on the
 * device; row: bytes of a row in all buffers together; largest: bytes of a row in the buffer with the longest
 * rows. */
uint64_t chunks_most_rows(const struct shoal_device_info *info, uint64_t room, size_t places, uint64_t row,
                          uint64_t largest);

/* Creates `count` buffers for each place. bytes[i]: size of buffer i; 0: no buffer i. take_turns: there will
 * be more chunks than places. After a failure nothing is left to destroy. */
SHOAL_MUST_CHECK enum shoal_status chunks_create(struct chunks *chunks, struct shoal_queue *queue,
                                                 const size_t *bytes, size_t count, size_t places,
                                                 bool take_turns, struct shoal_error *error);
void chunks_destroy(struct chunks *chunks); /* accepts zeros */

/* chunks_open begins to write a chunk to a place, chunks_close ends it. Launches may read the chunk after
 * chunks_close. */
SHOAL_MUST_CHECK enum shoal_status chunks_open(struct chunks *chunks, size_t place,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status chunks_close(struct chunks *chunks, struct shoal_error *error);
/* Writes data of a chunk. The caller may reuse `data` when the call returns. */
SHOAL_MUST_CHECK enum shoal_status chunks_write(struct chunks *chunks, size_t place, size_t buffer,
                                                size_t offset, const void *data, size_t bytes,
                                                struct shoal_error *error);
/* Records the last launch that reads the place, and takes ownership of its event. */
void chunks_used(struct chunks *chunks, size_t place, struct shoal_event *event);

#endif
