/* Measures the roofs of a device with the kernels of cl/measure. */
#include "base/clock.h"
#include "base/error.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rig {
    struct shoal_device *device;
    const struct shoal_device_info *info;
    struct shoal_queue *queue;
    struct shoal_roofs *roofs;
};

/* A kernel, and the arguments with which a batch launches it. */
struct batch {
    struct shoal_queue *queue;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    size_t groups;
    const struct shoal_arg *args;
    size_t arg_count;
    bool wait_each; /* wait for the end of each launch */
};

static enum shoal_status batch_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    struct batch *batch = data;
    enum shoal_status status = SHOAL_OK;
    double start = clock_seconds();
    for (uint64_t i = 0; status == SHOAL_OK && i < repeats; i++) {
        status = shoal_launch(batch->queue, batch->kernel, batch->groups, batch->args, batch->arg_count, NULL,
                              error);
        if (status == SHOAL_OK && batch->wait_each)
            status = shoal_queue_finish(batch->queue, error);
    }
    if (status == SHOAL_OK && !batch->wait_each)
        status = shoal_queue_finish(batch->queue, error);
    *seconds = clock_seconds() - start;
    return status;
}

static enum shoal_status batch_open(struct batch *batch, struct rig *rig,
                                    const struct shoal_program_desc *desc, const struct shoal_define *defines,
                                    size_t define_count, struct shoal_error *error)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = define_count;
    *batch = (struct batch){.queue = rig->queue};
    enum shoal_status status = shoal_program_create(rig->device, desc, &params, &batch->program, error);
    if (status != SHOAL_OK)
        return status;
    rig->roofs->build_s += shoal_program_build_seconds(batch->program);
    return shoal_kernel_create(batch->program, desc->entries[0].name, &batch->kernel, error);
}

static void batch_close(struct batch *batch)
{
    shoal_kernel_destroy(&batch->kernel);
    shoal_program_destroy(&batch->program);
}

/* Number of work-groups for the arithmetic kernels: many for each compute unit, so that a launch takes some
 * milliseconds, and the last groups, which leave units idle, cost little. */
static size_t arithmetic_groups(const struct rig *rig)
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

static enum shoal_status measure_flops(struct rig *rig, bool fp64, double *rate, struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"LOCKSTEP", rig->info->is_cpu}, {"REAL", fp64 ? 64 : 32}};
    const double steps = (double)FMA_BLOCK * FMA_BLOCKS;
    double expected[PERIOD], seconds = 0;
    for (int i = 0; i < PERIOD; i++) {
        expected[i] = 0;
        for (int chain = 0; chain < FMA_CHAINS; chain++)
            expected[i] += measure_fma_value(i + PERIOD * chain, steps);
    }

    struct batch batch;
    struct shoal_buffer *out = NULL;
    size_t items = 0;
    enum shoal_status status = batch_open(&batch, rig, &measure_fma_program, defines, 2, error);
    if (status != SHOAL_OK)
        goto end;
    batch.groups = arithmetic_groups(rig);
    items = batch.groups * shoal_kernel_work_group(batch.kernel);
    status = shoal_buffer_create(rig->device, items * (fp64 ? sizeof(double) : sizeof(float)), &out, error);
    if (status != SHOAL_OK)
        goto end;
    const struct shoal_arg args[] = {shoal_arg_buffer(out), shoal_arg_real(MEASURE_FMA_FACTOR),
                                     shoal_arg_real(MEASURE_FMA_TERM), shoal_arg_uint(FMA_BLOCKS)};
    batch.args = args;
    batch.arg_count = sizeof args / sizeof *args;
    status = measure_best(batch_run, &batch, &seconds, error);
    /* Tolerance for 4096 roundings by at most half a unit in the last place: 1.2e-4 in single precision. If a
     * block of steps were missing, the sum would differ by 2e-3. */
    if (status == SHOAL_OK)
        status =
            check_sums(rig, out, fp64, expected, PERIOD, fp64 ? 1e-10 : 5e-4, fp64 ? "fp64" : "fp32", error);
    if (status == SHOAL_OK)
        *rate = (double)items * FMA_CHAINS * steps * 2 / seconds;
end:
    shoal_buffer_destroy(&out);
    batch_close(&batch);
    return status;
}

static enum shoal_status measure_roots(struct rig *rig, double *rate, struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"LOCKSTEP", rig->info->is_cpu}};
    const int steps = SFU_BLOCK * SFU_BLOCKS;
    double expected[PERIOD], seconds = 0;
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
    enum shoal_status status = batch_open(&batch, rig, &measure_sfu_program, defines, 1, error);
    if (status != SHOAL_OK)
        goto end;
    batch.groups = arithmetic_groups(rig);
    items = batch.groups * shoal_kernel_work_group(batch.kernel);
    status = shoal_buffer_create(rig->device, items * sizeof(float), &out, error);
    if (status != SHOAL_OK)
        goto end;
    const struct shoal_arg args[] = {shoal_arg_buffer(out), shoal_arg_uint(SFU_BLOCKS)};
    batch.args = args;
    batch.arg_count = sizeof args / sizeof *args;
    status = measure_best(batch_run, &batch, &seconds, error);
    /* Implementations choose the accuracy of native_rsqrt. If a block of steps were missing, the sum would
     * differ by about 2e-3. */
    if (status == SHOAL_OK)
        status = check_sums(rig, out, false, expected, PERIOD, 1e-3, "special-function", error);
    if (status == SHOAL_OK)
        *rate = (double)items * SFU_CHAINS * steps / seconds;
end:
    shoal_buffer_destroy(&out);
    batch_close(&batch);
    return status;
}

enum { MARK_BYTES = 4096, MARKS = 33 };

/* Bytes of a buffer for the copy: much more than the caches have, but a small part of the device's memory. */
static size_t copy_bytes(const struct shoal_device_info *info)
{
    uint64_t bytes = info->is_cpu ? (uint64_t)256 << 20 : (uint64_t)1 << 30;
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

/* Measures the rate of copies. The best number of vectors that a work-item has in flight differs between
 * devices, so the roof is the rate of the fastest number tried. */
static enum shoal_status measure_bandwidth(struct rig *rig, struct shoal_error *error)
{
    static const int64_t item_choices[] = {1, 4};
    size_t bytes = copy_bytes(rig->info);
    struct shoal_buffer *in = NULL, *out = NULL;
    enum shoal_status status = shoal_buffer_create(rig->device, bytes, &in, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(rig->device, bytes, &out, error);
    rig->roofs->copy_bytes = NAN; /* fmax takes the other argument in place of NaN */
    for (size_t i = 0; status == SHOAL_OK && i < sizeof item_choices / sizeof *item_choices; i++) {
        const struct shoal_define defines[] = {{"ITEMS", item_choices[i]}};
        const uint64_t vectors = bytes / 16;
        struct batch batch;
        double seconds = 0;
        status = copy_fill(rig, in, out, error);
        if (status != SHOAL_OK)
            break;
        status = batch_open(&batch, rig, &measure_copy_program, defines, 1, error);
        if (status == SHOAL_OK) {
            const struct shoal_arg args[] = {shoal_arg_buffer(in), shoal_arg_buffer(out),
                                             shoal_arg_ulong(vectors)};
            const uint64_t per_item = (uint64_t)item_choices[i];
            batch.args = args;
            batch.arg_count = sizeof args / sizeof *args;
            batch.groups = shoal_kernel_groups(batch.kernel, (vectors + per_item - 1) / per_item);
            status = measure_best(batch_run, &batch, &seconds, error);
        }
        batch_close(&batch);
        if (status == SHOAL_OK)
            status = copy_check(rig, out, error);
        if (status == SHOAL_OK)
            rig->roofs->copy_bytes = fmax(rig->roofs->copy_bytes, 2 * (double)bytes / seconds);
    }
    rig->roofs->copy_buffer = bytes;
    shoal_buffer_destroy(&in);
    shoal_buffer_destroy(&out);
    return status;
}

static enum shoal_status measure_launches(struct rig *rig, struct shoal_error *error)
{
    struct batch batch;
    enum shoal_status status = batch_open(&batch, rig, &measure_empty_program, NULL, 0, error);
    batch.groups = 1;
    if (status == SHOAL_OK)
        status = measure_best(batch_run, &batch, &rig->roofs->launch_s, error);
    batch.wait_each = true;
    if (status == SHOAL_OK)
        status = measure_best(batch_run, &batch, &rig->roofs->launch_sync_s, error);
    batch_close(&batch);
    return status;
}

enum shoal_status measure_device(struct shoal_device *device, struct shoal_roofs *roofs,
                                 struct shoal_error *error)
{
    struct rig rig = {.device = device, .info = shoal_device_get_info(device), .roofs = roofs};
    enum shoal_status status = shoal_queue_create(device, 0, &rig.queue, error);
    if (status == SHOAL_OK)
        status = measure_flops(&rig, false, &roofs->fp32_flops, error);
    if (status == SHOAL_OK && rig.info->fp64)
        status = measure_flops(&rig, true, &roofs->fp64_flops, error);
    if (status == SHOAL_OK)
        status = measure_roots(&rig, &roofs->sfu_ops, error);
    if (status == SHOAL_OK)
        status = measure_bandwidth(&rig, error);
    if (status == SHOAL_OK)
        status = measure_launches(&rig, error);
    shoal_queue_destroy(&rig.queue);
    return status;
}
