/* Candidate lists: cl/tsp/model/neighbours.cl, and neighbours_all.cl for matrices. */
#include "tsp/device/neighbours.h"

#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "tsp/model/farthest.h"

#include <math.h>
#include <shoal/primitives.h>
#include <stdio.h>

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_neighbours, WG, 1, 1024, "work-items of a group"),
    DEFINE(tsp_neighbours, COUNT, 1, TSP_MOST_NEIGHBOURS, "cities of a list"),
    DEFINE(tsp_neighbours, PARTS, 0, 8, "quadrants of which lists have the same number; 0: the nearest"),
    TSP_PLACES_DEFINES(tsp_neighbours),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_neighbours, tsp_near_keys, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a word of the place of each city on a Morton curve"),
    ENTRY(tsp_neighbours, tsp_near_leaves, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "places in the order of the curve, and boxes of eight"),
    ENTRY(tsp_neighbours, tsp_near_level, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "boxes of four boxes of the level below"),
    ENTRY(tsp_neighbours, tsp_near_lists, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "the nearest cities of each, by the tree of boxes"),
};

const struct shoal_program_desc tsp_neighbours_program = PROGRAM(
    "tsp.neighbours", tsp_neighbours, SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS, defines, entries);

static const struct shoal_define_desc all_defines[] = {
    DEFINE(tsp_neighbours_all, WG, 1, 1024, "work-items of a group"),
    DEFINE(tsp_neighbours_all, COUNT, 1, TSP_MOST_NEIGHBOURS, "cities of a list"),
    TSP_PLACES_DEFINES(tsp_neighbours_all),
};

static const struct shoal_entry_desc all_entries[] = {
    ENTRY(tsp_neighbours_all, tsp_near_all, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "the nearest cities of each, by a look at all"),
};

const struct shoal_program_desc tsp_neighbours_all_program =
    PROGRAM("tsp.neighbours-all", tsp_neighbours_all, SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS,
            all_defines, all_entries);

/* What a search by the tree needs beside places and lists. */
struct tree {
    const struct tsp_problem *problem;
    const struct tsp_places *places;
    struct shoal_queue *queue;
    struct arrays arrays;
    struct shoal_buffer *order, *keys, *points, *boxes, *first;
    struct shoal_sort *sort;
    struct shoal_kernel *key_kernel, *leaf_kernel, *level_kernel, *list_kernel;
    uint32_t levels, level_first[TSP_NEAR_LEVELS];
};

static enum shoal_status launch(const struct tree *tree, struct shoal_kernel *kernel, size_t items,
                                const struct shoal_arg *args, size_t count, struct shoal_error *error)
{
    return shoal_launch(tree->queue, kernel, shoal_kernel_groups(kernel, items), args, count, NULL, error);
}

static enum shoal_status create_tree(struct tree *tree, struct programs *programs,
                                     const struct defines *values, struct shoal_error *error)
{
    const size_t n = tree->problem->n;
    tree->levels = tsp_near_levels(tree->problem->n, tree->level_first);
    const bool is_real = tree->problem->form.dim && !tree->problem->form.is_whole;
    const struct array all[] = {
        {.pointer = &tree->order, .count = (double)n, .element = sizeof(uint32_t)},
        {.pointer = &tree->keys, .count = (double)n, .element = sizeof(uint32_t)},
        /* near_point and near_box of cl/tsp/model/nearest.clh */
        {.pointer = &tree->points, .count = (double)n, .element = is_real ? 24 : 12},
        {.pointer = &tree->boxes, .count = tree->level_first[tree->levels], .element = is_real ? 56 : 28},
        {.pointer = &tree->first, .count = TSP_NEAR_LEVELS, .element = sizeof(uint32_t)},
    };
    ARRAYS_SET(&tree->arrays, all);
    tree->arrays.queue = tree->queue;
    char what[80];
    snprintf(what, sizeof what, "tsp: candidate lists of %zu cities", n);
    enum shoal_status status =
        arrays_check(&tree->arrays, arrays_bytes(&tree->places->arrays) + 8.0 * (double)n, what,
                     "the problem is too large for the device", error);
    if (!status)
        status = arrays_create(&tree->arrays, error);
    const struct entry_kernel kernels[] = {{"tsp_near_keys", &tree->key_kernel},
                                           {"tsp_near_leaves", &tree->leaf_kernel},
                                           {"tsp_near_level", &tree->level_kernel},
                                           {"tsp_near_lists", &tree->list_kernel}};
    if (!status)
        status =
            programs_build(programs, &tsp_neighbours_program, values, kernels, COUNT(kernels), NULL, error);
    if (!status)
        status =
            shoal_sort_create(programs->device, n, SHOAL_SORT_AUTO, programs->variant, &tree->sort, error);
    return status ? status
                  : shoal_buffer_write(tree->queue, tree->first, 0, tree->level_first,
                                       sizeof tree->level_first, error);
}

/* The cities in the order of the curve: both words of their places, the lower one first. */
static enum shoal_status set_order(struct tree *tree, struct shoal_error *error)
{
    const struct tsp_form *form = &tree->problem->form;
    const struct tsp_extent extent = tsp_extent(form->places, tree->problem->n, form->dim);
    const int bits = form->dim == 3 ? 21 : 32;
    double range = 0;
    for (unsigned d = 0; d < form->dim; d++)
        range = fmax(range, extent.most[d] - extent.least[d]);
    int used = 0; /* bits of the range of whole coordinates */
    if (form->is_whole)
        frexp(range, &used);
    const double scale = range > 0 ? (ldexp(1, bits) - 1) / range : 0;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t word = 0; word < 2 && !status; word++) {
        const struct shoal_arg args[] = {shoal_arg_buffer(tree->places->numbers),
                                         shoal_arg_uint(tree->problem->n),
                                         shoal_arg_uint(word),
                                         shoal_arg_int(used ? bits - used : 0),
                                         shoal_arg_real(extent.least[0]),
                                         shoal_arg_real(extent.least[1]),
                                         shoal_arg_real(extent.least[2]),
                                         shoal_arg_real(scale),
                                         shoal_arg_buffer(tree->order),
                                         shoal_arg_buffer(tree->keys)};
        const struct shoal_sort_args sorted = {.keys = tree->keys,
                                               .values = tree->order,
                                               .keys_out = tree->keys,
                                               .values_out = tree->order,
                                               .n = tree->problem->n,
                                               .end_bit = 32};
        status = launch(tree, tree->key_kernel, tree->problem->n, args, COUNT(args), error);
        if (!status)
            status = shoal_sort_run(tree->sort, tree->queue, &sorted, error);
    }
    return status;
}

static enum shoal_status set_boxes(struct tree *tree, struct shoal_error *error)
{
    const struct shoal_arg leaf_args[] = {shoal_arg_buffer(tree->places->numbers),
                                          shoal_arg_buffer(tree->order), shoal_arg_uint(tree->problem->n),
                                          shoal_arg_buffer(tree->points), shoal_arg_buffer(tree->boxes)};
    enum shoal_status status =
        launch(tree, tree->leaf_kernel, tree->level_first[1], leaf_args, COUNT(leaf_args), error);
    for (uint32_t level = 1; level < tree->levels && !status; level++) {
        const uint32_t below = tree->level_first[level] - tree->level_first[level - 1];
        const uint32_t nodes = tree->level_first[level + 1] - tree->level_first[level];
        const struct shoal_arg args[] = {shoal_arg_buffer(tree->boxes),
                                         shoal_arg_uint(tree->level_first[level - 1]), shoal_arg_uint(below),
                                         shoal_arg_uint(nodes)};
        status = launch(tree, tree->level_kernel, nodes, args, COUNT(args), error);
    }
    return status;
}

static enum shoal_status lists_by_tree(struct tree *tree, struct programs *programs,
                                       const struct defines *values, struct shoal_buffer *lists,
                                       struct shoal_error *error)
{
    enum shoal_status status = create_tree(tree, programs, values, error);
    if (!status)
        status = set_order(tree, error);
    if (!status)
        status = set_boxes(tree, error);
    if (status)
        return status;
    const uint32_t cities = tree->places->cities;
    const struct shoal_arg args[] = {shoal_arg_buffer(tree->places->fixed), shoal_arg_uint(cities),
                                     shoal_arg_buffer(tree->points),        shoal_arg_buffer(tree->order),
                                     shoal_arg_buffer(tree->boxes),         shoal_arg_buffer(tree->first),
                                     shoal_arg_uint(tree->levels),          shoal_arg_buffer(lists)};
    return launch(tree, tree->list_kernel, cities, args, COUNT(args), error);
}

static enum shoal_status lists_of_all(const struct tree *tree, struct programs *programs,
                                      const struct defines *values, struct shoal_buffer *lists,
                                      struct shoal_error *error)
{
    struct shoal_kernel *kernel = NULL;
    const struct entry_kernel kernels[] = {{"tsp_near_all", &kernel}};
    enum shoal_status status =
        programs_build(programs, &tsp_neighbours_all_program, values, kernels, COUNT(kernels), NULL, error);
    if (status)
        return status;
    struct shoal_arg args[TSP_PLACES_ARGS + 1];
    tsp_places_args(tree->places, args);
    args[TSP_PLACES_ARGS] = shoal_arg_buffer(lists);
    return launch(tree, kernel, tree->places->cities, args, COUNT(args), error);
}

enum shoal_status tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                                        struct programs *programs, uint32_t count,
                                        enum tsp_neighbour_kind kind, struct shoal_buffer *lists,
                                        struct shoal_error *error)
{
    if (count < 1 || count > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "candidate lists have 1 to %d cities, not %u", TSP_MOST_NEIGHBOURS,
                    count);
    struct tree tree = {.problem = problem, .places = places, .queue = places->arrays.queue};
    struct defines values = {0};
    define_add(&values, "COUNT", count);
    tsp_places_defines(problem, &values);
    enum shoal_status status;
    if (problem->form.dim) {
        define_add(&values, "PARTS", tsp_neighbour_parts(problem, kind));
        status = lists_by_tree(&tree, programs, &values, lists, error);
    } else {
        status = lists_of_all(&tree, programs, &values, lists, error);
    }
    /* Also after a failure: what was launched uses the buffers. */
    struct shoal_error late;
    const enum shoal_status finished = shoal_queue_finish(tree.queue, status ? &late : error);
    shoal_sort_destroy(&tree.sort);
    arrays_destroy(&tree.arrays);
    return status ? status : finished;
}

enum shoal_status tsp_device_neighbours_read(const struct tsp_problem *problem,
                                             const struct tsp_places *places, struct programs *programs,
                                             uint32_t count, enum tsp_neighbour_kind kind, uint32_t *lists,
                                             struct shoal_error *error)
{
    struct shoal_queue *queue = places->arrays.queue;
    struct shoal_buffer *buffer = NULL;
    const size_t bytes = (size_t)places->cities * count * sizeof *lists;
    const unsigned part = programs_begin_part(programs);
    enum shoal_status status = shoal_buffer_create(shoal_queue_device(queue), bytes, &buffer, error);
    if (!status)
        status = tsp_device_neighbours(problem, places, programs, count, kind, buffer, error);
    if (!status)
        status = shoal_buffer_read(queue, buffer, 0, lists, bytes, error);
    shoal_buffer_destroy(&buffer);
    programs_end_part(programs);
    programs_drop_part(programs, part);
    return status;
}

/* A processor through OpenCL has the speed of the host, which has the program already. Other devices take up
 * to two seconds for building theirs, once. */
static bool is_faster_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                                uint32_t count)
{
    enum { WORTH_BUILDING_MS = 200 };
    return places && !is_plain_cpu(shoal_queue_device(places->arrays.queue)) &&
           1e3 * tsp_neighbours_seconds(problem, count) >= WORTH_BUILDING_MS;
}

enum shoal_status tsp_candidates(const struct tsp_problem *problem, const struct tsp_places *places,
                                 struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                                 int threads, uint32_t *lists, struct shoal_error *error)
{
    if (problem->params->neighbour_lists) {
        tsp_given_neighbours(problem, count, threads, lists);
        return SHOAL_OK;
    }
    if (!is_faster_on_device(problem, places, count))
        return tsp_neighbours(problem, count, kind, threads, lists, error);
    return tsp_device_neighbours_read(problem, places, programs, count, kind, lists, error);
}
