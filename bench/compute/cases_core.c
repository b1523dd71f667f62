/* Cases that move memory: between host and device, and inside the device. */
#include "bench/runner/bench.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 << 20 };
static const uint32_t fill_word = 0x5ba11ad5;

struct transfer {
    struct shoal_buffer *source, *target;
    uint32_t *sent, *received; /* [BYTES] each */
};

static void destroy(struct bench *bench)
{
    struct transfer *transfer = bench->state;
    if (!transfer)
        return;
    shoal_buffer_destroy(&transfer->source);
    shoal_buffer_destroy(&transfer->target);
    free(transfer->sent);
    free(transfer->received);
    free(transfer);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct transfer *transfer = bench->state = calloc(1, sizeof *transfer);
    if (transfer) {
        transfer->sent = malloc(BYTES);
        transfer->received = calloc(1, BYTES);
    }
    if (!transfer || !transfer->sent || !transfer->received)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for 2 x 64 MiB on the host");
    for (uint32_t i = 0; i < BYTES / sizeof *transfer->sent; i++)
        transfer->sent[i] = i * 2654435761u;
    enum shoal_status status = shoal_buffer_create(bench->device, BYTES, &transfer->source, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, BYTES, &transfer->target, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, transfer->source, 0, transfer->sent, BYTES, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(bench->queue, transfer->target, 0, BYTES, 0, error);
    bench->work = bench->roof_work = BYTES;
    return status;
}

static enum shoal_status create_copy(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create(bench, error);
    bench->work = bench->roof_work = 2.0 * BYTES;
    return status;
}

static enum shoal_status run_write(struct bench *bench, struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    return shoal_buffer_write(bench->queue, transfer->target, 0, transfer->sent, BYTES, error);
}

static enum shoal_status run_read(struct bench *bench, struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    return shoal_buffer_read(bench->queue, transfer->source, 0, transfer->received, BYTES, error);
}

static enum shoal_status run_copy(struct bench *bench, struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    return shoal_buffer_copy(bench->queue, transfer->source, 0, transfer->target, 0, BYTES, error);
}

static enum shoal_status run_fill(struct bench *bench, struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    return shoal_buffer_fill(bench->queue, transfer->target, 0, BYTES, fill_word, error);
}

static void compare(const struct transfer *transfer, struct bench_check *check)
{
    check->passed = memcmp(transfer->sent, transfer->received, BYTES) == 0;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "the bytes that arrived are not those that were sent");
}

static enum shoal_status check_received(struct bench *bench, struct bench_check *check,
                                        struct shoal_error *error)
{
    (void)error;
    compare(bench->state, check);
    return SHOAL_OK;
}

static enum shoal_status check_target(struct bench *bench, struct bench_check *check,
                                      struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    enum shoal_status status =
        shoal_buffer_read(bench->queue, transfer->target, 0, transfer->received, BYTES, error);
    if (status == SHOAL_OK)
        compare(transfer, check);
    return status;
}

static enum shoal_status check_fill(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct transfer *transfer = bench->state;
    enum shoal_status status =
        shoal_buffer_read(bench->queue, transfer->target, 0, transfer->received, BYTES, error);
    if (status != SHOAL_OK)
        return status;
    check->passed = true;
    for (size_t i = 0; check->passed && i < BYTES / sizeof *transfer->received; i++)
        if (transfer->received[i] != fill_word) {
            check->passed = false;
            snprintf(check->detail, sizeof check->detail, "word %zu is not the one that was asked for", i);
        }
    return SHOAL_OK;
}

static const struct bench_ops write_ops = {create, NULL, run_write, check_target, destroy};
static const struct bench_ops read_ops = {create, NULL, run_read, check_received, destroy};
static const struct bench_ops copy_ops = {create_copy, NULL, run_copy, check_target, destroy};
static const struct bench_ops fill_ops = {create, NULL, run_fill, check_fill, destroy};

static const struct bench_case cases[] = {
    {.name = "core.write.64mi",
     .help = "64 MiB from host memory to a buffer",
     .unit = "bytes/s",
     .precision = "",
     .clock = BENCH_WALL_TIME,
     .device = &write_ops},
    {.name = "core.read.64mi",
     .help = "64 MiB from a buffer to host memory",
     .unit = "bytes/s",
     .precision = "",
     .clock = BENCH_WALL_TIME,
     .device = &read_ops},
    {.name = "core.copy.64mi",
     .help = "64 MiB from one buffer to another; bytes read and written",
     .unit = "bytes/s",
     .precision = "",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .device = &copy_ops},
    {.name = "core.fill.64mi",
     .help = "fills 64 MiB with a word; bytes written",
     .unit = "bytes/s",
     .precision = "",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .device = &fill_ops},
};

const struct bench_case_list bench_core_cases = {cases, sizeof cases / sizeof *cases};
