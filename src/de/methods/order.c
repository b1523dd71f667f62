/* Ranks of members, by comparing each member with all others, or by sorting keys. The comparison is a single
 * launch, but its work is quadratic in the number of members. */
#include "de/methods/order.h"
#include "base/error.h"
#include "compute/launch.h"

/* Largest number of members of an island that are ranked by comparisons; larger islands are sorted. A CPU
 * makes fewer comparisons at the same time, so its limit is lower. */
enum { MOST_COMPARED = 16384, MOST_COMPARED_ON_CPU = 2048 };

static void list_arrays(struct shoal_solver *solver, struct de_order *order, bool sorts)
{
    const double total = (double)search_device_of(solver)->problem->total, sorted = sorts ? total : 0;
    const size_t word = sizeof(uint32_t);
    const struct array list[] = {
        {&order->ranks, total, word},
        {&order->order, total, word},
        {&order->sorted, sorted, word},
        {&order->values, sorted, word},
    };
    order->arrays.queue = solver->queue;
    ARRAYS_SET(&order->arrays, list);
}

enum shoal_status de_order_create(struct shoal_solver *solver, struct de_order *order,
                                  struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const bool is_cpu = shoal_device_get_info(solver->device)->is_cpu;
    const bool sorts = problem->members > (is_cpu ? MOST_COMPARED_ON_CPU : MOST_COMPARED);
    const struct entry_kernel kernels[] = {
        {"de_rank", &order->rank}, {"de_keys", &order->keys}, {"de_places", &order->places}};
    struct defines defines = {.count = 0};
    define_add(&defines, "REAL", search_device_of(solver)->precision == SHOAL_FP64 ? 64 : 32);
    list_arrays(solver, order, sorts);
    enum shoal_status status = search_check_memory(problem, &order->arrays, 0, error);
    if (!status)
        status = programs_build(&solver->programs, &de_order_program, &defines, kernels, COUNT(kernels), NULL,
                                error);
    if (!status && sorts)
        status = shoal_sort_create(solver->device, problem->total, SHOAL_SORT_AUTO, solver->programs.variant,
                                   &order->sort, error);
    for (size_t i = 0; !status && order->sort && shoal_sort_program(order->sort, i); i++)
        solver->programs.build_seconds += shoal_program_build_seconds(shoal_sort_program(order->sort, i));
    return status ? status : arrays_create(&order->arrays, error);
}

void de_order_destroy(struct de_order *order)
{
    shoal_sort_destroy(&order->sort);
    arrays_destroy(&order->arrays);
}

/* One of the sorts that put the members in order. kind: the part of the members' keys by which this sort
 * orders; bits: number of bits of this part. */
struct keys {
    enum de_key kind;
    unsigned bits;
};

static enum shoal_status sort_by(struct shoal_solver *solver, const struct de_order *order,
                                 struct shoal_buffer *values, const struct search_shape *shape,
                                 uint32_t count, const struct keys *keys, bool is_first,
                                 struct shoal_error *error)
{
    const size_t members = (size_t)count * shape->islands;
    const struct shoal_sort_args args = {.keys = order->sorted,
                                         .values = order->values,
                                         .keys_out = order->sorted,
                                         .values_out = order->values,
                                         .n = members,
                                         .end_bit = keys->bits};
    enum shoal_status status =
        LAUNCH(de_keys, solver->queue, order->keys, shoal_kernel_groups(order->keys, members), error,
               .best = values, .numbers = order->values, .keys = order->sorted, .shape = shape,
               .count = count, .kind = keys->kind, .is_first = is_first);
    return status ? status : shoal_sort_run(order->sort, solver->queue, &args, error);
}

static enum shoal_status sort(struct shoal_solver *solver, const struct de_order *order,
                              struct shoal_buffer *values, const struct search_shape *shape, uint32_t count,
                              struct shoal_error *error)
{
    unsigned island_bits = 0;
    while ((shape->islands - 1) >> island_bits)
        island_bits++;
    const bool is_double = search_device_of(solver)->precision == SHOAL_FP64;
    const struct keys sorts[] = {{KEY_LOW, is_double ? 32 : 0}, {KEY_VALUE, 32}, {KEY_ISLAND, island_bits}};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < COUNT(sorts) && !status; i++)
        if (sorts[i].bits)
            status = sort_by(solver, order, values, shape, count, &sorts[i], i == (is_double ? 0 : 1), error);
    const size_t members = (size_t)count * shape->islands;
    return status
               ? status
               : LAUNCH(de_places, solver->queue, order->places, shoal_kernel_groups(order->places, members),
                        error, .best = values, .numbers = order->values, .ranks = order->ranks,
                        .order = order->order, .shape = shape, .count = count);
}

enum shoal_status de_order_run(struct shoal_solver *solver, const struct de_order *order,
                               struct shoal_buffer *values, const struct search_shape *shape, uint32_t count,
                               struct shoal_error *error)
{
    if (order->sort)
        return sort(solver, order, values, shape, count, error);
    return LAUNCH(de_rank, solver->queue, order->rank,
                  shoal_kernel_groups(order->rank, count) * shape->islands, error, .best = values,
                  .ranks = order->ranks, .order = order->order, .shape = shape, .count = count);
}
