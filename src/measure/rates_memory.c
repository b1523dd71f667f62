/* Rates of global and local memory, of atomic additions and of launches. */
#include "base/error.h"
#include "measure/rates.h"

#include <stdlib.h>

BATCH_LAUNCH(measure_read)
BATCH_LAUNCH(measure_write)
BATCH_LAUNCH(measure_local)
BATCH_LAUNCH(measure_atomics)
BATCH_LAUNCH(measure_atomics_local)

enum { ITEMS = 16, LOCAL_BLOCK = 16, LOCAL_BLOCKS = 256, ATOMIC_STEPS = 16, ATOMIC_BLOCKS = 16 };

static const uint32_t word_factor = 2654435761u;

enum shoal_status rate_copy(struct rig *rig, const struct rate_figure *figure,
                            struct measure_figure *measured, struct shoal_error *error)
{
    (void)figure;
    return measure_bandwidth(rig, measured, error);
}

static enum shoal_status add_words(struct rig *rig, struct shoal_buffer *buffer, uint32_t *sum,
                                   struct shoal_error *error)
{
    uint32_t *words;
    size_t count;
    enum shoal_status status = rig_read_words(rig, buffer, &words, &count, error);
    *sum = 0;
    for (size_t i = 0; status == SHOAL_OK && i < count; i++)
        *sum += words[i];
    free(words);
    return status;
}

/* Checks the sum of all words of a buffer. */
static enum shoal_status check_sum(struct rig *rig, const char *name, struct shoal_buffer *buffer,
                                   uint32_t wanted, struct shoal_error *error)
{
    uint32_t sum;
    enum shoal_status status = add_words(rig, buffer, &sum, error);
    if (status == SHOAL_OK && sum != wanted)
        status = fail(error, SHOAL_CHECK_FAILED,
                      "%s: the words of the %s measurement add up to %u instead of %u: its rate would mean "
                      "nothing",
                      rig->info->id, name, sum, wanted);
    return status;
}

/* Global memory ---------------------------------------------------------------------------------------- */

/* The kernels of cl/measure/memory.cl and their buffers. */
struct reads_and_writes {
    struct batch read, write;
    struct shoal_buffer *data, *sums;
    uint32_t places, salt;
};

/* The largest power of two up to `bytes`. */
static size_t power_of_two(size_t bytes)
{
    size_t power = 1;
    while (power <= bytes / 2)
        power *= 2;
    return power;
}

static enum shoal_status open_memory(struct reads_and_writes *memory, struct rig *rig, bool scatter,
                                     struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"ITEMS", ITEMS}, {"SCATTER", scatter}};
    const size_t bytes = power_of_two(rig_copy_bytes(rig)), place = scatter ? 4 : 16;
    memory->places = (uint32_t)(bytes / place);
    memory->salt = 12345;
    enum shoal_status status =
        batch_open(&memory->read, rig, &measure_memory_program, "measure_read", defines, 2, error);
    if (status == SHOAL_OK)
        status = batch_open(&memory->write, rig, &measure_memory_program, "measure_write", defines, 2, error);
    if (status != SHOAL_OK)
        return status;
    memory->write.groups = shoal_kernel_groups(memory->write.kernel, (memory->places + ITEMS - 1) / ITEMS);
    memory->read.groups = shoal_kernel_groups(memory->read.kernel, (memory->places + ITEMS - 1) / ITEMS);
    status = shoal_buffer_create(rig->device, bytes, &memory->data, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(rig->device,
                                     memory->read.groups * shoal_kernel_work_group(memory->read.kernel) * 4,
                                     &memory->sums, error);
    return status;
}

/* The sum of all words that the writes leave. */
static uint32_t sum_written(const struct reads_and_writes *memory)
{
    const uint64_t words = shoal_buffer_size(memory->data) / 4;
    return (uint32_t)(words * (words - 1) / 2) * word_factor + (uint32_t)words * memory->salt;
}

static enum shoal_status measure_memory(struct reads_and_writes *memory, struct rig *rig,
                                        const struct rate_figure *figure, struct measure_figure *measured,
                                        struct shoal_error *error)
{
    const struct measure_write_args write = {
        .out = memory->data, .salt = memory->salt, .places = memory->places};
    const struct measure_read_args read = {
        .in = memory->data, .sums = memory->sums, .places = memory->places};
    struct batch *const batches[] = {&memory->write, &memory->read};
    double seconds;
    memory->write.launch = batch_measure_write;
    memory->write.args = &write;
    memory->read.launch = batch_measure_read;
    memory->read.args = &read;
    enum shoal_status status =
        shoal_buffer_fill(rig->queue, memory->data, 0, shoal_buffer_size(memory->data), 0xa5a5a5a5, error);
    /* Reads need what the writes leave, and the check of writes needs the reads. */
    for (int reads = 0; status == SHOAL_OK && reads < 2; reads++)
        status = reads != figure->flag ? batch_measure(batches[reads], rig, batches[reads]->launch,
                                                       batches[reads]->args, &measured->time, error)
                                       : batch_run(batches[reads], 1, &seconds, error);
    measured->work = (double)shoal_buffer_size(memory->data);
    return status == SHOAL_OK ? check_sum(rig, figure->name, memory->sums, sum_written(memory), error)
                              : status;
}

enum shoal_status rate_memory(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error)
{
    struct reads_and_writes memory = {0};
    enum shoal_status status = open_memory(&memory, rig, figure->kind, error);
    if (status == SHOAL_OK)
        status = measure_memory(&memory, rig, figure, measured, error);
    shoal_buffer_destroy(&memory.data);
    shoal_buffer_destroy(&memory.sums);
    batch_close(&memory.read);
    batch_close(&memory.write);
    return status;
}

/* Local memory and atomic additions --------------------------------------------------------------------- */

/* The sum of all results of cl/measure/local.cl in one group. */
static uint32_t sum_local(uint32_t group)
{
    uint32_t sum = 0, base = 0;
    for (uint32_t block = 0; block < LOCAL_BLOCKS; block++) {
        for (uint32_t lid = 0; lid < group; lid++)
            for (uint32_t k = 0; k < LOCAL_BLOCK; k++)
                sum += (16 * (lid + base + k) + 6) * word_factor; /* 4 (4 cell) + 0 + 1 + 2 + 3 */
        base = base + LOCAL_BLOCK < group ? base + LOCAL_BLOCK : 0;
    }
    return sum;
}

enum shoal_status rate_local(struct rig *rig, const struct rate_figure *figure,
                             struct measure_figure *measured, struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"LOCKSTEP", rig->info->is_cpu}};
    struct shoal_buffer *out = NULL;
    struct batch batch;
    uint32_t group = 0;
    enum shoal_status status =
        batch_open(&batch, rig, &measure_local_program, "measure_local", defines, 1, error);
    if (status != SHOAL_OK)
        goto end;
    group = shoal_kernel_work_group(batch.kernel);
    batch.groups = rig_groups(rig);
    status = shoal_buffer_create(rig->device, batch.groups * group * 4, &out, error);
    if (status != SHOAL_OK)
        goto end;
    const struct measure_local_args args = {.out = out, .factor = word_factor, .blocks = LOCAL_BLOCKS};
    status = batch_measure(&batch, rig, batch_measure_local, &args, &measured->time, error);
    measured->work = 16.0 * LOCAL_BLOCK * LOCAL_BLOCKS * (double)batch.groups * group;
    if (status == SHOAL_OK)
        status = check_sum(rig, figure->name, out, (uint32_t)batch.groups * sum_local(group), error);
end:
    shoal_buffer_destroy(&out);
    batch_close(&batch);
    return status;
}

enum shoal_status rate_atomics(struct rig *rig, const struct rate_figure *figure,
                               struct measure_figure *measured, struct shoal_error *error)
{
    const bool local = figure->flag;
    const int blocks = local ? ATOMIC_BLOCKS : 1;
    struct shoal_buffer *words = NULL;
    struct batch batch;
    double seconds;
    size_t items = 0;
    enum shoal_status status =
        batch_open(&batch, rig, &measure_atomics_program, local ? "measure_atomics_local" : "measure_atomics",
                   NULL, 0, error);
    if (status != SHOAL_OK)
        goto end;
    batch.groups = rig_groups(rig);
    items = batch.groups * shoal_kernel_work_group(batch.kernel);
    status = shoal_buffer_create(rig->device, items * sizeof(uint32_t), &words, error);
    if (status != SHOAL_OK)
        goto end;
    const uint32_t stride = (uint32_t)figure->kind;
    const struct measure_atomics_args of_device = {.words = words, .stride = stride, .step = 1};
    const struct measure_atomics_local_args of_group = {
        .out = words, .stride = stride, .step = 1, .blocks = ATOMIC_BLOCKS};
    status = local
                 ? batch_measure(&batch, rig, batch_measure_atomics_local, &of_group, &measured->time, error)
                 : batch_measure(&batch, rig, batch_measure_atomics, &of_device, &measured->time, error);
    measured->work = (double)items * ATOMIC_STEPS * blocks;
    /* The number of launches is not known, so one more is checked. */
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(rig->queue, words, 0, shoal_buffer_size(words), 0, error);
    if (status == SHOAL_OK)
        status = batch_run(&batch, 1, &seconds, error);
    if (status == SHOAL_OK)
        status =
            check_sum(rig, figure->name, words, (uint32_t)(items * ATOMIC_STEPS * (size_t)blocks), error);
end:
    shoal_buffer_destroy(&words);
    batch_close(&batch);
    return status;
}

enum shoal_status rate_launch(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error)
{
    return measure_launch(rig, figure->flag, measured, error);
}
