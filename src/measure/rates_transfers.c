/* Rates of transfers between the host and a device. */
#include "base/clock.h"
#include "base/error.h"
#include "measure/rates.h"

#include <stdlib.h>
#include <string.h>

/* Transfers to or from ordinary memory of the host. */
struct transfer {
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    unsigned char *memory;
    size_t bytes;
    bool reads;
};

static enum shoal_status transfer_run(void *data, uint64_t repeats, double *seconds,
                                      struct shoal_error *error)
{
    const struct transfer *transfer = data;
    enum shoal_status status = SHOAL_OK;
    const double start = clock_seconds();
    for (uint64_t i = 0; status == SHOAL_OK && i < repeats; i++) {
        if (transfer->reads)
            status = shoal_buffer_read(transfer->queue, transfer->buffer, 0, transfer->memory,
                                       transfer->bytes, error);
        else
            status = shoal_buffer_write(transfer->queue, transfer->buffer, 0, transfer->memory,
                                        transfer->bytes, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(transfer->queue, error);
    }
    *seconds = clock_seconds() - start;
    return status;
}

static void fill_memory(unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        memory[i] = (unsigned char)((uint32_t)i * 2654435761u >> 24);
}

/* Writes the bytes, and reads them to cleared memory: one of the two is measured. */
static enum shoal_status measure_pageable(struct rig *rig, struct transfer *transfer, bool reads,
                                          struct measure_samples *time, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    fill_memory(transfer->memory, transfer->bytes);
    for (int reading = 0; status == SHOAL_OK && reading < 2; reading++) {
        double seconds;
        transfer->reads = reading;
        if (reading)
            memset(transfer->memory, 0, transfer->bytes);
        status = reading == reads ? measure_batches(transfer_run, transfer, &rig->time, time, error)
                                  : transfer_run(transfer, 1, &seconds, error);
    }
    for (size_t i = 0; status == SHOAL_OK && i < transfer->bytes; i++)
        if (transfer->memory[i] != (unsigned char)((uint32_t)i * 2654435761u >> 24))
            status = fail(error, SHOAL_CHECK_FAILED,
                          "%s: a transfer of %zu bytes left another byte than was sent at byte %zu: its rate "
                          "would mean nothing",
                          rig->info->id, transfer->bytes, i);
    return status;
}

static enum shoal_status take_pageable(struct rig *rig, bool reads, size_t bytes,
                                       struct measure_samples *time, struct shoal_error *error)
{
    struct transfer transfer = {.queue = rig->queue, .bytes = bytes, .memory = malloc(bytes)};
    enum shoal_status status = transfer.memory ? SHOAL_OK : fail_host_memory(error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(rig->device, bytes, &transfer.buffer, error);
    if (status == SHOAL_OK)
        status = measure_pageable(rig, &transfer, reads, time, error);
    shoal_buffer_destroy(&transfer.buffer);
    free(transfer.memory);
    return status;
}

enum shoal_status rate_transfer(struct rig *rig, const struct rate_figure *figure, size_t bytes,
                                struct measure_figure *measured, struct shoal_error *error)
{
    const struct shoal_device_info *info = rig->info;
    const enum transfer_kind kind = (enum transfer_kind)figure->kind;
    if ((info->max_allocation && bytes > info->max_allocation) || (info->memory && bytes > info->memory / 8))
        return fail(error, SHOAL_UNSUPPORTED, "more than an eighth of the device's memory, or than a buffer");
    measured->work = (double)bytes * (kind == TRANSFER_BOTH ? 2 : 1);
    return figure->flag ? measure_pinned(rig, kind, bytes, &measured->time, error)
                        : take_pageable(rig, kind == TRANSFER_READ, bytes, &measured->time, error);
}
