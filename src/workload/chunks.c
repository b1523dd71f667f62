#include "workload/chunks.h"

uint64_t chunks_most_rows(const struct shoal_device_info *info, uint64_t room, size_t places, uint64_t row,
                          uint64_t largest)
{
    const uint64_t fit = room / places / row, allowed = info->max_allocation / largest;
    return fit < allowed ? fit : allowed;
}

enum shoal_status chunks_create(struct chunks *chunks, struct shoal_queue *queue, const size_t *bytes,
                                size_t count, size_t places, bool take_turns, struct shoal_error *error)
{
    struct shoal_device *device = shoal_queue_device(queue);
    enum shoal_status status = SHOAL_OK;
    *chunks = (struct chunks){.queue = queue};
    for (size_t place = 0; place < places; place++)
        for (size_t k = 0; k < count && !status; k++)
            if (bytes[k])
                status = shoal_buffer_create(device, bytes[k], &chunks->places[place].buffers[k], error);
    if (!status && take_turns)
        status = shoal_queue_create(device, 0, &chunks->copies, error);
    if (status)
        chunks_destroy(chunks);
    return status;
}

void chunks_destroy(struct chunks *chunks)
{
    shoal_queue_destroy(&chunks->copies);
    for (size_t place = 0; place < CHUNK_PLACES; place++) {
        shoal_event_destroy(&chunks->places[place].user);
        for (size_t k = 0; k < CHUNK_BUFFERS; k++)
            shoal_buffer_destroy(&chunks->places[place].buffers[k]);
    }
}

static struct shoal_queue *writer(const struct chunks *chunks)
{
    return chunks->copies ? chunks->copies : chunks->queue;
}

enum shoal_status chunks_open(struct chunks *chunks, size_t place, struct shoal_error *error)
{
    struct shoal_event *user = chunks->places[place].user;
    return user ? shoal_queue_wait(writer(chunks), user, error) : SHOAL_OK;
}

enum shoal_status chunks_write(struct chunks *chunks, size_t place, size_t buffer, size_t offset,
                               const void *data, size_t bytes, struct shoal_error *error)
{
    return shoal_buffer_write(writer(chunks), chunks->places[place].buffers[buffer], offset, data, bytes,
                              error);
}

enum shoal_status chunks_close(struct chunks *chunks, struct shoal_error *error)
{
    return chunks->copies ? shoal_queue_finish(chunks->copies, error) : SHOAL_OK;
}

void chunks_used(struct chunks *chunks, size_t place, struct shoal_event *event)
{
    shoal_event_destroy(&chunks->places[place].user);
    chunks->places[place].user = event;
}
