/* Measures the roofs of a device with the kernels of cl/measure. */
#include "measure/device.h"
#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

BATCH_LAUNCH(measure_fma)
BATCH_LAUNCH(measure_sfu)
BATCH_LAUNCH(measure_copy)

enum shoal_status batch_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    struct batch *batch = data;
    enum shoal_status status = SHOAL_OK;
    double start = clock_seconds();
    for (uint64_t i = 0; status == SHOAL_OK && i < repeats; i++) {
        status = batch->launch
                     ? batch->launch(batch->queue, batch->kernel, batch->groups, batch->args, error)
                     : shoal_launch(batch->queue, batch->kernel, batch->groups, NULL, 0, NULL, error);
        if (status == SHOAL_OK && batch->wait_each)
            status = shoal_queue_finish(batch->queue, error);
    }
    if (status == SHOAL_OK && !batch->wait_each)
        status = shoal_queue_finish(batch->queue, error);
    *seconds = clock_seconds() - start;
    return status;
}

enum shoal_status batch_open(struct batch *batch, struct rig *rig, const struct shoal_program_desc *desc,
                             const char *entry, const struct shoal_define *defines, size_t define_count,
                             struct shoal_error *error)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = define_count;
    *batch = (struct batch){.queue = rig->queue};
    enum shoal_status status = shoal_program_create(rig->device, desc, &params, &batch->program, error);
    if (status != SHOAL_OK)
        return status;
    rig->build_s += shoal_program_build_seconds(batch->program);
    return shoal_kernel_create(batch->program, entry, &batch->kernel, error);
}

void batch_close(struct batch *batch)
{
    shoal_kernel_destroy(&batch->kernel);
    shoal_program_destroy(&batch->program);
}

enum shoal_status batch_measure(struct batch *batch, const struct rig *rig, batch_launch_fn *launch,
                                const void *args, struct measure_samples *time, struct shoal_error *error)
{
    batch->launch = launch;
    batch->args = args;
    return measure_batches(batch_run, batch, &rig->time, time, error);
}

size_t rig_groups(const struct rig *rig)
{
    return (size_t)(rig->info->units ? rig->info->units : 1) * (rig->info->is_cpu ? 8 : 32);
}

/* Checks the sums of the work-items: work-item i must have expected[i % period]. */
static enum shoal_status check_sums(struct rig *rig, struct shoal_buffer *out, bool fp64,
                                    const double *expected, size_t period, double tolerance, const char *what,
                                    struct shoal_error *error)
{
    size_t bytes = shoal_buffer_size(out), count = bytes / (fp64 ? sizeof(double) : sizeof(float));
    void *values = malloc(bytes);
    if (!values)
        return fail_host_memory(error);
    enum shoal_status status = shoal_buffer_read(rig->queue, out, 0, values, bytes, error);
    for (size_t i = 0; status == SHOAL_OK && i < count; i++) {
        double value = fp64 ? ((const double *)values)[i] : (double)((const float *)values)[i];
        double wanted = expected[i % period];
        if (!(fabs(value - wanted) <= tolerance * wanted))
            status = fail(error, SHOAL_CHECK_FAILED,
                          "%s: the %s measurement computed %.9g instead of %.9g in work-item %zu: its rate "
                          "would mean nothing",
                          rig->info->id, what, value, wanted, i);
    }
    free(values);
    return status;
}

enum {
    PERIOD = 64, /* the start values of the work-items repeat with this period */
    FMA_CHAINS = 16,
    FMA_BLOCK = 16,
    FMA_BLOCKS = 256,
    SFU_CHAINS = 8,
    SFU_BLOCK = 8,
    SFU_BLOCKS = 64
};

enum shoal_status measure_flops(struct rig *rig, bool fp64, struct measure_figure *figure,
                                struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"LOCKSTEP", rig->info->is_cpu}, {"REAL", fp64 ? 64 : 32}};
    const double steps = (double)FMA_BLOCK * FMA_BLOCKS;
    double expected[PERIOD];
    for (int i = 0; i < PERIOD; i++) {
        expected[i] = 0;
        for (int chain = 0; chain < FMA_CHAINS; chain++)
            expected[i] += measure_fma_value(i + PERIOD * chain, steps);
    }

    struct batch batch;
    struct shoal_buffer *out = NULL;
    size_t items = 0;
    enum shoal_status status =
        batch_open(&batch, rig, &measure_fma_program, "measure_fma", defines, 2, error);
    if (status != SHOAL_OK)
        goto end;
    batch.groups = rig_groups(rig);
    items = batch.groups * shoal_kernel_work_group(batch.kernel);
    status = shoal_buffer_create(rig->device, items * (fp64 ? sizeof(double) : sizeof(float)), &out, error);
    if (status != SHOAL_OK)
        goto end;
    const struct measure_fma_args args = {
        .out = out, .factor = MEASURE_FMA_FACTOR, .term = MEASURE_FMA_TERM, .blocks = FMA_BLOCKS};
    status = batch_measure(&batch, rig, batch_measure_fma, &args, &figure->time, error);
    /* Tolerance for 4096 roundings by at most half a unit in the last place: 1.2e-4 in single precision. If a
     * block of steps were missing, the sum would differ by 2e-3. */
    if (status == SHOAL_OK)
        status =
            check_sums(rig, out, fp64, expected, PERIOD, fp64 ? 1e-10 : 5e-4, fp64 ? "fp64" : "fp32", error);
    figure->work = (double)items * FMA_CHAINS * steps * 2;
end:
    shoal_buffer_destroy(&out);
    batch_close(&batch);
    return status;
}

static enum shoal_status measure_roots(struct rig *rig, struct measure_figure *figure,
                                       struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"LOCKSTEP", rig->info->is_cpu}};
    const int steps = SFU_BLOCK * SFU_BLOCKS;
    double expected[PERIOD];
    for (int i = 0; i < PERIOD; i++) {
        expected[i] = 0;
        for (int chain = 0; chain < SFU_CHAINS; chain++) {
            double x = 1 + i + PERIOD * chain;
            for (int step = 0; step < steps; step++)
                x += 1 / sqrt(x);
            expected[i] += x;
        }
    }

    struct batch batch;
    struct shoal_buffer *out = NULL;
    size_t items = 0;
    enum shoal_status status =
        batch_open(&batch, rig, &measure_sfu_program, "measure_sfu", defines, 1, error);
    if (status != SHOAL_OK)
        goto end;
    batch.groups = rig_groups(rig);
    items = batch.groups * shoal_kernel_work_group(batch.kernel);
    status = shoal_buffer_create(rig->device, items * sizeof(float), &out, error);
    if (status != SHOAL_OK)
        goto end;
    const struct measure_sfu_args args = {.out = out, .blocks = SFU_BLOCKS};
    status = batch_measure(&batch, rig, batch_measure_sfu, &args, &figure->time, error);
    /* Implementations choose the accuracy of native_rsqrt. If a block of steps were missing, the sum would
     * differ by about 2e-3. */
    if (status == SHOAL_OK)
        status = check_sums(rig, out, false, expected, PERIOD, 1e-3, "special-function", error);
    figure->work = (double)items * SFU_CHAINS * steps;
end:
    shoal_buffer_destroy(&out);
    batch_close(&batch);
    return status;
}

enum { MARK_BYTES = 4096, MARKS = 33 };

size_t rig_copy_bytes(const struct rig *rig)
{
    const struct shoal_device_info *info = rig->info;
    uint64_t bytes = info->is_cpu ? (uint64_t)256 << 20 : (uint64_t)1 << 30;
    if (bytes > rig->most_bytes)
        bytes = rig->most_bytes;
    if (info->max_allocation && bytes > info->max_allocation)
        bytes = info->max_allocation;
    if (info->memory && bytes > info->memory / 8)
        bytes = info->memory / 8;
    bytes -= bytes % MARK_BYTES;
    return bytes > (MARKS + 1) * MARK_BYTES ? (size_t)bytes : (MARKS + 1) * MARK_BYTES;
}

static size_t mark_offset(size_t bytes, int mark)
{
    return measure_mark_offset(bytes, MARK_BYTES, (size_t)mark, MARKS);
}

static const uint32_t source_word = 0x3f8ccccd, target_word = 0x40066666;

/* Fills source and target of the copy with different words, and writes marks spread from the first to the
 * last byte of the source. */
static enum shoal_status copy_fill(struct rig *rig, struct shoal_buffer *in, struct shoal_buffer *out,
                                   struct shoal_error *error)
{
    size_t bytes = shoal_buffer_size(in);
    enum shoal_status status = shoal_buffer_fill(rig->queue, in, 0, bytes, source_word, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(rig->queue, out, 0, bytes, target_word, error);
    for (int mark = 0; status == SHOAL_OK && mark < MARKS; mark++) {
        uint32_t words[MARK_BYTES / sizeof(uint32_t)];
        for (uint32_t i = 0; i < MARK_BYTES / sizeof(uint32_t); i++)
            words[i] = (uint32_t)mark << 16 | i;
        status = shoal_buffer_write(rig->queue, in, mark_offset(bytes, mark), words, MARK_BYTES, error);
    }
    return status;
}

static enum shoal_status copy_check(struct rig *rig, struct shoal_buffer *out, struct shoal_error *error)
{
    size_t bytes = shoal_buffer_size(out);
    for (int mark = 0; mark < MARKS; mark++) {
        uint32_t words[MARK_BYTES / sizeof(uint32_t)];
        enum shoal_status status =
            shoal_buffer_read(rig->queue, out, mark_offset(bytes, mark), words, MARK_BYTES, error);
        if (status != SHOAL_OK)
            return status;
        for (uint32_t i = 0; i < MARK_BYTES / sizeof(uint32_t); i++)
            if (words[i] != ((uint32_t)mark << 16 | i))
                return fail(
                    error, SHOAL_CHECK_FAILED,
                    "%s: the copy measurement left other data than it should at byte %zu: its rate would "
                    "mean nothing",
                    rig->info->id, mark_offset(bytes, mark) + i * sizeof(uint32_t));
    }
    return SHOAL_OK;
}

/* Measures copies with a given number of vectors that a work-item has in flight. */
static enum shoal_status measure_copies_of(struct rig *rig, struct shoal_buffer *in, struct shoal_buffer *out,
                                           int64_t items, struct measure_samples *time,
                                           struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"ITEMS", items}};
    const uint64_t vectors = shoal_buffer_size(in) / 16, per_item = (uint64_t)items;
    struct batch batch;
    enum shoal_status status = copy_fill(rig, in, out, error);
    if (status != SHOAL_OK)
        return status;
    status = batch_open(&batch, rig, &measure_copy_program, "measure_copy", defines, 1, error);
    if (status == SHOAL_OK) {
        const struct measure_copy_args args = {.in = in, .out = out, .n = vectors};
        batch.groups = shoal_kernel_groups(batch.kernel, (vectors + per_item - 1) / per_item);
        status = batch_measure(&batch, rig, batch_measure_copy, &args, time, error);
    }
    batch_close(&batch);
    return status == SHOAL_OK ? copy_check(rig, out, error) : status;
}

/* The best number of vectors that a work-item has in flight differs between devices, so the roof is the rate
 * of the fastest number tried. Samples that disagree count as slow. */
enum shoal_status measure_bandwidth(struct rig *rig, struct measure_figure *figure, struct shoal_error *error)
{
    static const int64_t item_choices[] = {1, 4};
    const size_t bytes = rig_copy_bytes(rig);
    struct shoal_buffer *in = NULL, *out = NULL;
    enum shoal_status status = shoal_buffer_create(rig->device, bytes, &in, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(rig->device, bytes, &out, error);
    for (size_t i = 0; status == SHOAL_OK && i < sizeof item_choices / sizeof *item_choices; i++) {
        struct measure_samples time = {0};
        status = measure_copies_of(rig, in, out, item_choices[i], &time, error);
        /* A comparison with NaN is false. */
        if (status == SHOAL_OK && (i == 0 || isnan(measure_fastest(&figure->time)) ||
                                   measure_fastest(&time) < measure_fastest(&figure->time)))
            figure->time = time;
    }
    figure->work = 2 * (double)bytes;
    shoal_buffer_destroy(&in);
    shoal_buffer_destroy(&out);
    return status;
}

enum shoal_status measure_launch(struct rig *rig, bool wait_each, struct measure_figure *figure,
                                 struct shoal_error *error)
{
    struct batch batch;
    enum shoal_status status =
        batch_open(&batch, rig, &measure_empty_program, "measure_empty", NULL, 0, error);
    batch.groups = 1;
    batch.wait_each = wait_each;
    if (status == SHOAL_OK)
        status = batch_measure(&batch, rig, NULL, NULL, &figure->time, error);
    batch_close(&batch);
    return status;
}

/* The rate or, without work, the time of the fastest sample. */
static double roof(const struct measure_figure *figure)
{
    const double seconds = measure_fastest(&figure->time);
    return figure->work > 0 ? figure->work / seconds : seconds;
}

enum shoal_status measure_device(struct shoal_device *device, struct shoal_roofs *roofs,
                                 struct shoal_error *error)
{
    struct rig rig = {.device = device,
                      .info = shoal_device_get_info(device),
                      .time = measure_limits,
                      .most_bytes = UINT64_MAX};
    struct measure_figure fp32 = {0}, fp64 = {0}, roots = {0}, copy = {0}, launch = {0}, launch_sync = {0};
    enum shoal_status status = shoal_queue_create(device, 0, &rig.queue, error);
    if (status == SHOAL_OK)
        status = measure_flops(&rig, false, &fp32, error);
    if (status == SHOAL_OK && rig.info->fp64)
        status = measure_flops(&rig, true, &fp64, error);
    if (status == SHOAL_OK)
        status = measure_roots(&rig, &roots, error);
    if (status == SHOAL_OK)
        status = measure_bandwidth(&rig, &copy, error);
    if (status == SHOAL_OK)
        status = measure_launch(&rig, false, &launch, error);
    if (status == SHOAL_OK)
        status = measure_launch(&rig, true, &launch_sync, error);
    if (status == SHOAL_OK)
        *roofs = (struct shoal_roofs){.fp32_flops = roof(&fp32),
                                      .fp64_flops = rig.info->fp64 ? roof(&fp64) : 0,
                                      .sfu_ops = roof(&roots),
                                      .copy_bytes = roof(&copy),
                                      .launch_s = roof(&launch),
                                      .launch_sync_s = roof(&launch_sync),
                                      .copy_buffer = rig_copy_bytes(&rig),
                                      .build_s = rig.build_s};
    shoal_queue_destroy(&rig.queue);
    return status;
}
