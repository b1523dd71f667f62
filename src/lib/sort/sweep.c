/* Passes of a sort by cl/lib/sort/sort_sweep.cl. */
#include "compute/contract.h"
#include "compute/launch.h"
#include "lib/sort/sort.h"

enum {
    MOST_DIGITS = 64 / SORT_DIGIT_BITS,
    WINDOW = 4, /* rows of status words that are read together: WINDOW of the kernel file */
    /* work-items of sort_histogram for each compute unit: as many as a GPU holds */
    COUNTERS_PER_UNIT = 2048,
    LOADS = 16 /* keys that a work-item of sort_histogram has in flight: LOADS of the kernel file */
};

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_sort_sweep, WG, 1, 512, "work-items of a group, a power of two"),
    DEFINE(lib_sort_sweep, ITEMS, 2, 22, "words of local memory that a work-item has for its pairs"),
    DEFINE(lib_sort_sweep, MIN_GROUPS, 1, 8, "CUDA: work-groups that a multiprocessor holds"),
    DEFINE(lib_sort_sweep, KEY_BITS, 32, 64, "bits of a key, 32 or 64"),
    DEFINE(lib_sort_sweep, VALUE_BITS, 0, 64, "bits of a value, 32 or 64; 0: keys alone"),
    DEFINE(lib_sort_sweep, VOLATILE_STATUS, 0, 1, "status words are polled with 0 atomics, 1 volatile loads"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_sort_sweep, sort_histogram, .local_bytes = 16 * SORT_RADIX * 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "all digits of all keys, counted"),
    /* Local memory of a work-item: its pairs at the largest ITEMS. Of a group: an offset for each digit, and
     * what three tables of digits for each 32 work-items need beyond the pairs of 256 or fewer. */
    ENTRY(lib_sort_sweep, sort_sweep, .local_bytes = 4 * SORT_RADIX * 4, .local_bytes_per_item = 22 * 4,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "pairs of each tile, moved to the place of their digit"),
};

const struct shoal_program_desc sort_sweep_program =
    PROGRAM("lib.sort-sweep", lib_sort_sweep, 0, defines, entries);

static enum shoal_status create_program(struct shoal_sort *sort, struct shoal_error *error)
{
    struct sort_sweep *sweep = &sort->sweep;
    const struct shoal_device_info *info = shoal_device_get_info(sort->device);
    /* Larger tiles have longer runs of equal digits. Without warps, the work-items of a group rank their keys
     * between barriers, and the group is smaller. */
    const int64_t work_group = is_cuda(sort->device) ? 512 : 256;
    const struct shoal_define given[] = {choose_define(sort->device, &sort_sweep_program, "WG", work_group),
                                         {"KEY_BITS", sort->params.key_bits},
                                         {"VALUE_BITS", sort->params.value_bits},
                                         {"VOLATILE_STATUS", info->is_gpu && !info->is_cpu}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = sort->params.variant;
    params.defines = given;
    params.define_count = COUNT(given);
    enum shoal_status status =
        shoal_program_create(sort->device, &sort_sweep_program, &params, &sweep->program, error);
    if (!status)
        status = shoal_kernel_create(sweep->program, "sort_histogram", &sweep->histogram, error);
    return status ? status : shoal_kernel_create(sweep->program, "sort_sweep", &sweep->sweep, error);
}

enum shoal_status sort_sweep_create(struct shoal_sort *sort, struct shoal_error *error)
{
    struct sort_sweep *sweep = &sort->sweep;
    enum shoal_status status = create_program(sort, error);
    if (status)
        return status;
    const uint32_t units = shoal_device_get_info(sort->device)->units,
                   words = sort->key_bytes == 8 || sort->value_bytes == 8 ? 2 : 1;
    const size_t work_group = shoal_kernel_work_group(sweep->sweep);
    sweep->tile = (uint32_t)(work_group * (size_t)(shoal_program_define(sweep->program, "ITEMS") / words));
    sweep->max_groups = div_up((size_t)(units ? units : 1) * COUNTERS_PER_UNIT, work_group);
    const size_t rows = div_up(sort->params.max_n, sweep->tile) + WINDOW;
    status = shoal_buffer_create(sort->device, MOST_DIGITS * (SORT_RADIX + 1) * sizeof(uint32_t),
                                 &sweep->bins, error);
    for (int i = 0; i < 2 && !status; i++)
        status =
            shoal_buffer_create(sort->device, rows * SORT_RADIX * sizeof(uint32_t), &sweep->status[i], error);
    return status;
}

void sort_sweep_destroy(struct sort_sweep *sweep)
{
    shoal_buffer_destroy(&sweep->bins);
    shoal_buffer_destroy(&sweep->status[0]);
    shoal_buffer_destroy(&sweep->status[1]);
    shoal_kernel_destroy(&sweep->histogram);
    shoal_kernel_destroy(&sweep->sweep);
    shoal_program_destroy(&sweep->program);
}

enum shoal_status sort_sweep_begin(struct shoal_sort *sort, struct shoal_queue *queue,
                                   const struct shoal_sort_args *args, struct shoal_error *error)
{
    struct sort_sweep *sweep = &sort->sweep;
    const size_t groups = div_up(args->n, shoal_kernel_work_group(sweep->histogram) * LOADS);
    enum shoal_status status =
        shoal_buffer_fill(queue, sweep->bins, 0, MOST_DIGITS * (SORT_RADIX + 1) * sizeof(uint32_t), 0, error);
    if (status)
        return status;
    return LAUNCH(sort_histogram, queue, sweep->histogram,
                  groups < sweep->max_groups ? groups : sweep->max_groups, error, .keys = args->keys,
                  .bins = sweep->bins, .status = sweep->status[0], .n = (uint32_t)args->n,
                  .cleared = (div_up(args->n, sweep->tile) + WINDOW) * SORT_RADIX,
                  .first_bit = args->first_bit, .end_bit = args->end_bit);
}

enum shoal_status sort_sweep_pass(struct shoal_sort *sort, struct shoal_queue *queue,
                                  const struct sort_pass *pass, struct shoal_error *error)
{
    struct sort_sweep *sweep = &sort->sweep;
    const uint32_t turn = pass->digit_number % 2;
    return LAUNCH(sort_sweep, queue, sweep->sweep, div_up(pass->n, sweep->tile), error,
                  .keys = pass->from.keys, .values = pass->from.values, .bins = sweep->bins,
                  .status = sweep->status[turn], .next_status = sweep->status[turn ^ 1],
                  .keys_out = pass->to.keys, .values_out = pass->to.values, .n = pass->n,
                  .digit_number = pass->digit_number, .bit = pass->bit, .bits = pass->bits);
}
