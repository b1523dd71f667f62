/* Reductions in two launches, by cl/lib/reduce.cl. */
#include "base/params.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "lib/common.h"

#include <stdlib.h>

/* Most work-items of the first launch for each compute unit: several times as many groups as a unit runs at
 * the same time, so that a slow group costs little, but few enough for one group to reduce their results. */
enum { ITEMS_PER_UNIT = 8192 };

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_reduce, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(lib_reduce, WG, 1, 1024, "work-items of a group, a power of two"),
    DEFINE(lib_reduce, ITEMS, 1, 32, "loads that a work-item has in flight"),
    DEFINE(lib_reduce, VECTORS, 0, 16,
           "argmin of floats: vectors of four elements that a work-item has in flight; 0: single elements"),
    DEFINE(lib_reduce, CHUNKED, 0, 1, "elements of a work-item: 0 far apart, 1 side by side"),
};

enum { ENTRY_SUM, ENTRY_MIN, ENTRY_ARGMIN, ENTRY_SUM_UINT };

static const struct shoal_entry_desc entries[] = {
    [ENTRY_SUM] = ENTRY(lib_reduce, reduce_sum, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
                        .help = "sum of real numbers, a sum for each group"),
    [ENTRY_MIN] = ENTRY(lib_reduce, reduce_min, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
                        .help = "least real number of each group"),
    [ENTRY_ARGMIN] =
        ENTRY(lib_reduce, reduce_argmin, .local_bytes_per_item = 12, .roof = SHOAL_ROOF_COPY_BYTES,
              .help = "least real number of each group and its index"),
    [ENTRY_SUM_UINT] =
        ENTRY(lib_reduce, reduce_sum_uint, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
              .help = "sum of words in 64 bits, a sum for "
                      "each group"),
};

const struct shoal_program_desc reduce_program = PROGRAM("lib.reduce", lib_reduce, 0, defines, entries);

struct shoal_reduce {
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *partials, *partial_indices; /* partial_indices: argmin only */
    int entry;
    size_t max_n, element_bytes, result_bytes;
    uint32_t tile, max_groups;
};

static enum shoal_status choose_entry(struct shoal_reduce *reduce, enum shoal_reduction reduction,
                                      enum shoal_type type, struct shoal_error *error)
{
    static const int real_entry[] = {
        [SHOAL_SUM] = ENTRY_SUM, [SHOAL_MIN] = ENTRY_MIN, [SHOAL_ARGMIN] = ENTRY_ARGMIN};
    if ((size_t)reduction >= COUNT(real_entry))
        return fail(error, SHOAL_INVALID, "shoal_reduce_create: there is no reduction %d", (int)reduction);
    switch (type) {
    case SHOAL_TYPE_FLOAT:
    case SHOAL_TYPE_DOUBLE:
        reduce->entry = real_entry[reduction];
        reduce->element_bytes = type == SHOAL_TYPE_DOUBLE ? 8 : 4;
        reduce->result_bytes = reduce->element_bytes;
        return SHOAL_OK;
    case SHOAL_TYPE_UINT:
        if (reduction == SHOAL_SUM) {
            reduce->entry = ENTRY_SUM_UINT;
            reduce->element_bytes = 4;
            reduce->result_bytes = 8;
            return SHOAL_OK;
        }
        break;
    default:
        break;
    }
    return fail(error, SHOAL_INVALID,
                "shoal_reduce_create: elements are float or double, or uint where the reduction is a sum");
}

enum shoal_status shoal_reduce_create(struct shoal_device *device, enum shoal_reduction reduction,
                                      enum shoal_type type, size_t max_n, enum shoal_variant variant,
                                      struct shoal_reduce **out, struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = check_max_n("shoal_reduce_create", max_n, error);
    if (status)
        return status;
    struct shoal_reduce *reduce = calloc(1, sizeof *reduce);
    if (!reduce)
        return fail_host_memory(error);
    reduce->max_n = max_n;
    status = choose_entry(reduce, reduction, type, error);
    if (status)
        goto fail;
    /* The work-group size does not change the least element, as it would change a sum: through CUDA, larger
     * groups find it sooner. */
    const struct shoal_define given[] = {
        {"REAL", type == SHOAL_TYPE_DOUBLE ? 64 : 32},
        choose_define(device, &reduce_program, "VECTORS",
                      is_cuda(device) && reduce->entry == ENTRY_ARGMIN ? 4 : 0),
        choose_define(device, &reduce_program, "CHUNKED", is_plain_cpu(device)),
        choose_define(device, &reduce_program, "WG",
                      is_cuda(device) && reduce->entry == ENTRY_ARGMIN ? 512 : CL_DEFAULT_lib_reduce_WG),
    };
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = given;
    params.define_count = COUNT(given);
    params.variant = variant;
    status = shoal_program_create(device, &reduce_program, &params, &reduce->program, error);
    if (!status)
        status = shoal_kernel_create(reduce->program, entries[reduce->entry].name, &reduce->kernel, error);
    if (status)
        goto fail;
    uint32_t work_group = shoal_kernel_work_group(reduce->kernel);
    const size_t units = units_for_sums(shoal_device_get_info(device));
    reduce->tile = work_group * (uint32_t)shoal_program_define(reduce->program, "ITEMS");
    reduce->max_groups = div_up(units * ITEMS_PER_UNIT, work_group);
    /* The number of groups does not change the least element. Those that run at a time have the same work,
     * and leave few results to the second launch. */
    const size_t resident = shoal_kernel_resident(reduce->kernel);
    if (reduce->entry == ENTRY_ARGMIN && resident > 0 && resident < reduce->max_groups)
        reduce->max_groups = (uint32_t)resident;
    if (reduce->max_groups > div_up(max_n, reduce->tile))
        reduce->max_groups = div_up(max_n, reduce->tile);
    status = shoal_buffer_create(device, reduce->max_groups * reduce->result_bytes, &reduce->partials, error);
    if (!status && reduce->entry == ENTRY_ARGMIN)
        status = shoal_buffer_create(device, reduce->max_groups * sizeof(uint32_t), &reduce->partial_indices,
                                     error);
    if (status)
        goto fail;
    *out = reduce;
    return SHOAL_OK;
fail:
    shoal_reduce_destroy(&reduce);
    return status;
}

void shoal_reduce_destroy(struct shoal_reduce **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_reduce *reduce = *pointer;
    *pointer = NULL;
    shoal_buffer_destroy(&reduce->partials);
    shoal_buffer_destroy(&reduce->partial_indices);
    shoal_kernel_destroy(&reduce->kernel);
    shoal_program_destroy(&reduce->program);
    free(reduce);
}

const struct shoal_program *shoal_reduce_program(const struct shoal_reduce *reduce, size_t index)
{
    return reduce && index == 0 ? reduce->program : NULL;
}

/* Launches the kernel. again: this is the second launch, which reduces the partial results of the first
 * launch. */
static enum shoal_status launch(struct shoal_reduce *reduce, struct shoal_queue *queue,
                                const struct shoal_reduce_args *run, bool again, uint32_t groups,
                                struct shoal_error *error)
{
    if (reduce->entry == ENTRY_SUM_UINT)
        return LAUNCH(reduce_sum_uint, queue, reduce->kernel, groups, error, .data = again ? NULL : run->data,
                      .partials = again ? run->data : NULL, .out = run->result, .offset = run->offset,
                      .out_offset = run->result_offset, .n = (uint32_t)run->n);
    if (reduce->entry == ENTRY_ARGMIN)
        return LAUNCH(reduce_argmin, queue, reduce->kernel, groups, error, .data = run->data,
                      .indices = again ? reduce->partial_indices : NULL, .out = run->result,
                      .out_indices = run->index, .offset = run->offset, .out_offset = run->result_offset,
                      .n = (uint32_t)run->n);
    return LAUNCH(reduce_sum, queue, reduce->kernel, groups, error, .data = run->data, .out = run->result,
                  .offset = run->offset, .out_offset = run->result_offset, .n = (uint32_t)run->n);
}

static enum shoal_status check_run(const struct shoal_reduce *reduce, const struct shoal_reduce_args *args,
                                   struct shoal_error *error)
{
    static const char call[] = "shoal_reduce_run";
    if (!NEED_OF(error, call, reduce, args))
        return SHOAL_INVALID;
    enum shoal_status status = check_n(call, args->n, reduce->max_n, error);
    if (!status)
        status = check_range(call, "data", args->data, args->offset, args->n, reduce->element_bytes, error);
    if (!status)
        status =
            check_range(call, "result", args->result, args->result_offset, 1, reduce->result_bytes, error);
    if (!status && reduce->entry == ENTRY_ARGMIN)
        status = check_range(call, "index", args->index, args->result_offset, 1, sizeof(uint32_t), error);
    if (status)
        return status;
    if (reduce->entry != ENTRY_ARGMIN && args->index)
        return fail(error, SHOAL_INVALID, "%s: only argmin has an index", call);
    if (args->data == args->result ||
        (args->index && (args->data == args->index || args->result == args->index)))
        return fail(error, SHOAL_INVALID, "%s: data, result and index must be different buffers", call);
    return SHOAL_OK;
}

enum shoal_status shoal_reduce_run(struct shoal_reduce *reduce, struct shoal_queue *queue,
                                   const struct shoal_reduce_args *args, struct shoal_error *error)
{
    enum shoal_status status = check_run(reduce, args, error);
    if (status)
        return status;
    uint32_t groups = div_up(args->n, reduce->tile);
    if (groups <= 1)
        return launch(reduce, queue, args, false, 1, error);
    if (groups > reduce->max_groups)
        groups = reduce->max_groups;
    struct shoal_reduce_args first = *args, last = *args;
    first.result = last.data = reduce->partials;
    first.index = reduce->partial_indices;
    first.result_offset = last.offset = 0;
    last.n = groups;
    status = launch(reduce, queue, &first, false, groups, error);
    return status ? status : launch(reduce, queue, &last, true, 1, error);
}
