/* Candidate lists on a device: cl/tsp/model/neighbours.cl for coordinates, and neighbours_all.cl for
 * matrices. */
#include "tsp/device/neighbours.h"
#include "compute/launch.h"

#include "base/error.h"
#include "base/threads.h"
#include "compute/contract.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_neighbours, WG, 1, 1024, "work-items of a group"),
    DEFINE(tsp_neighbours, COUNT, 1, TSP_MOST_NEIGHBOURS, "cities of a list"),
    DEFINE(tsp_neighbours, PARTS, 0, 8, "quadrants of which lists have the same number; 0: the nearest"),
    TSP_PLACES_DEFINES(tsp_neighbours),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_neighbours, tsp_near_keys, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a word of the Morton code of each city"),
    ENTRY(tsp_neighbours, tsp_near_leaves, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "places in the order of the curve, and boxes of eight"),
    ENTRY(tsp_neighbours, tsp_near_level, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "boxes of four boxes of the level below"),
    ENTRY(tsp_neighbours, tsp_near_lists, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "the nearest cities of each city, by the tree of boxes"),
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
          .help = "the nearest cities of each city, by a search through all cities"),
};

const struct shoal_program_desc tsp_neighbours_all_program =
    PROGRAM("tsp.neighbours-all", tsp_neighbours_all, SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS,
            all_defines, all_entries);

static struct shoal_queue *queue_of(const struct tsp_lister *lister)
{
    return lister->places->arrays.queue;
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Sets scale and shift, which transform coordinates to positions on the space-filling curve. */
static void set_curve(struct tsp_lister *lister)
{
    const struct tsp_form *form = &lister->problem->form;
    const int bits = form->dim == 3 ? 21 : 32;
    double range = 0;
    lister->extent = tsp_extent(form->places, lister->problem->n, form->dim);
    for (unsigned d = 0; d < form->dim; d++)
        range = fmax(range, lister->extent.most[d] - lister->extent.least[d]);
    int used = 0; /* number of bits of the largest difference of integer coordinates */
    if (form->is_whole)
        frexp(range, &used);
    lister->shift = used ? bits - used : 0;
    lister->scale = range > 0 ? (ldexp(1, bits) - 1) / range : 0;
}

static enum shoal_status create_arrays(struct tsp_lister *lister, struct shoal_error *error)
{
    const size_t n = lister->problem->n;
    lister->levels = tsp_near_levels(lister->problem->n, lister->level_first);
    const bool is_real = !lister->problem->form.is_whole;
    const struct array all[] = {
        {.pointer = &lister->order, .count = (double)n, .element = sizeof(uint32_t)},
        {.pointer = &lister->keys, .count = (double)n, .element = sizeof(uint32_t)},
        /* elements: struct near_point and struct near_box of cl/tsp/model/nearest.clh */
        {.pointer = &lister->points, .count = (double)n, .element = is_real ? 24 : 12},
        {.pointer = &lister->boxes,
         .count = lister->level_first[lister->levels],
         .element = is_real ? 56 : 28},
        {.pointer = &lister->first, .count = TSP_NEAR_LEVELS, .element = sizeof(uint32_t)},
    };
    ARRAYS_SET(&lister->arrays, all);
    lister->arrays.queue = lister->places->arrays.queue;
    char what[80];
    snprintf(what, sizeof what, "tsp: candidate lists of %zu cities", n);
    enum shoal_status status =
        arrays_check(&lister->arrays, arrays_bytes(&lister->places->arrays) + 8.0 * (double)n, what,
                     "the problem is too large for the device", error);
    if (!status)
        status = arrays_create(&lister->arrays, error);
    return status ? status
                  : shoal_buffer_write(lister->arrays.queue, lister->first, 0, lister->level_first,
                                       sizeof lister->level_first, error);
}

static enum shoal_status create_tree(struct tsp_lister *lister, struct programs *programs,
                                     const struct defines *values, struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"tsp_near_keys", &lister->key_kernel},
                                           {"tsp_near_leaves", &lister->leaf_kernel},
                                           {"tsp_near_level", &lister->level_kernel},
                                           {"tsp_near_lists", &lister->list_kernel}};
    set_curve(lister);
    enum shoal_status status = create_arrays(lister, error);
    if (!status)
        status = programs_build(programs, &tsp_neighbours_program, values, kernels, COUNT(kernels),
                                &lister->program, error);
    return status ? status
                  : shoal_sort_create(programs->device, lister->problem->n, SHOAL_SORT_AUTO,
                                      programs->variant, &lister->sort, error);
}

enum shoal_status tsp_check_list_count(uint32_t count, struct shoal_error *error)
{
    if (count >= 1 && count <= TSP_MOST_NEIGHBOURS)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "candidate lists have 1 to %d cities, not %u", TSP_MOST_NEIGHBOURS,
                (unsigned)count);
}

enum shoal_status tsp_lister_create(const struct tsp_problem *problem, const struct tsp_places *places,
                                    struct programs *programs, uint32_t count, enum tsp_neighbour_kind kind,
                                    struct tsp_lister *lister, struct shoal_error *error)
{
    *lister = (struct tsp_lister){.problem = problem, .places = places};
    const enum shoal_status status = tsp_check_list_count(count, error);
    if (status)
        return status;
    const struct entry_kernel of_all[] = {{"tsp_near_all", &lister->list_kernel}};
    struct defines values = {0};
    define_add(&values, "COUNT", count);
    tsp_places_defines(problem, &values);
    if (!problem->form.dim)
        return programs_build(programs, &tsp_neighbours_all_program, &values, of_all, COUNT(of_all),
                              &lister->program, error);
    define_add(&values, "PARTS", tsp_neighbour_parts(problem, kind));
    return create_tree(lister, programs, &values, error);
}

void tsp_lister_destroy(struct tsp_lister *lister)
{
    shoal_sort_destroy(&lister->sort);
    arrays_destroy(&lister->arrays);
}

/* Run -------------------------------------------------------------------------------------------------- */

/* Sorts the cities by their positions on the curve, 64-bit numbers that the sort handles in two passes: by
 * the lower 32 bits, then by the upper 32 bits. */
static enum shoal_status set_order(const struct tsp_lister *lister, struct shoal_error *error)
{
    const uint32_t n = lister->problem->n;
    const double *least = lister->extent.least;
    const size_t groups = shoal_kernel_groups(lister->key_kernel, n);
    enum shoal_status status = SHOAL_OK;
    for (uint32_t word = 0; word < 2 && !status; word++) {
        const struct shoal_sort_args sorted = {.keys = lister->keys,
                                               .values = lister->order,
                                               .keys_out = lister->keys,
                                               .values_out = lister->order,
                                               .n = n,
                                               .end_bit = 32};
        status = LAUNCH(tsp_near_keys, queue_of(lister), lister->key_kernel, groups, error,
                        .numbers = lister->places->numbers, .places = n, .word = word, .shift = lister->shift,
                        .least_x = least[0], .least_y = least[1], .least_z = least[2], .scale = lister->scale,
                        .order = lister->order, .keys = lister->keys);
        if (!status)
            status = shoal_sort_run(lister->sort, lister->arrays.queue, &sorted, error);
    }
    return status;
}

static enum shoal_status set_boxes(const struct tsp_lister *lister, struct shoal_error *error)
{
    const uint32_t *first = lister->level_first;
    enum shoal_status status =
        LAUNCH(tsp_near_leaves, queue_of(lister), lister->leaf_kernel,
               shoal_kernel_groups(lister->leaf_kernel, first[1]), error, .numbers = lister->places->numbers,
               .order = lister->order, .places = lister->problem->n, .points = lister->points,
               .boxes = lister->boxes);
    for (uint32_t level = 1; level < lister->levels && !status; level++) {
        const uint32_t nodes = first[level + 1] - first[level];
        status =
            LAUNCH(tsp_near_level, queue_of(lister), lister->level_kernel,
                   shoal_kernel_groups(lister->level_kernel, nodes), error, .boxes = lister->boxes,
                   .below = first[level - 1], .nodes_below = first[level] - first[level - 1], .nodes = nodes);
    }
    return status;
}

static enum shoal_status lists_by_tree(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                       struct shoal_error *error)
{
    enum shoal_status status = set_order(lister, error);
    if (!status)
        status = set_boxes(lister, error);
    if (status)
        return status;
    return LAUNCH(tsp_near_lists, queue_of(lister), lister->list_kernel,
                  shoal_kernel_groups(lister->list_kernel, lister->places->cities), error,
                  TSP_PLACES_ARGS(lister->places), .points = lister->points, .order = lister->order,
                  .boxes = lister->boxes, .first = lister->first, .levels = lister->levels, .lists = lists);
}

static enum shoal_status lists_of_all(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                      struct shoal_error *error)
{
    return LAUNCH(tsp_near_all, queue_of(lister), lister->list_kernel,
                  shoal_kernel_groups(lister->list_kernel, lister->places->cities), error,
                  TSP_PLACES_ARGS(lister->places), .lists = lists);
}

enum shoal_status tsp_lister_run(const struct tsp_lister *lister, struct shoal_buffer *lists,
                                 struct shoal_error *error)
{
    const enum shoal_status status =
        lister->problem->form.dim ? lists_by_tree(lister, lists, error) : lists_of_all(lister, lists, error);
    return tsp_places_finish(lister->places, status, error);
}

enum shoal_status tsp_device_neighbours(const struct tsp_problem *problem, const struct tsp_places *places,
                                        struct programs *programs, uint32_t count,
                                        enum tsp_neighbour_kind kind, struct shoal_buffer *lists,
                                        struct shoal_error *error)
{
    struct tsp_lister lister;
    const unsigned part = programs_begin_part(programs);
    enum shoal_status status = tsp_lister_create(problem, places, programs, count, kind, &lister, error);
    if (!status)
        status = tsp_lister_run(&lister, lists, error);
    tsp_lister_destroy(&lister);
    programs_end_part(programs);
    programs_drop_part(programs, part);
    return status;
}

static bool is_faster_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                                const struct tsp_listing *listing)
{
    const double alone_s = tsp_neighbours_seconds(problem, listing);
    return tsp_is_sooner_on_device(
        places, alone_s / (listing->threads > 0 ? listing->threads : threads_once(alone_s)));
}

enum shoal_status tsp_candidates(const struct tsp_problem *problem, const struct tsp_places *places,
                                 struct programs *programs, const struct tsp_listing *listing,
                                 uint32_t *lists, struct shoal_error *error)
{
    const uint32_t count = listing->count;
    if (problem->given) {
        tsp_given_neighbours(problem, count, listing->threads, lists);
        return SHOAL_OK;
    }
    if (!is_faster_on_device(problem, places, listing))
        return tsp_neighbours(problem, listing, lists, error);
    struct shoal_queue *queue = places->arrays.queue;
    struct shoal_buffer *buffer = NULL;
    const size_t bytes = (size_t)places->cities * count * sizeof *lists;
    enum shoal_status status = shoal_buffer_create(shoal_queue_device(queue), bytes, &buffer, error);
    if (!status)
        status = tsp_device_neighbours(problem, places, programs, count, listing->kind, buffer, error);
    if (!status)
        status = shoal_buffer_read(queue, buffer, 0, lists, bytes, error);
    shoal_buffer_destroy(&buffer);
    return status;
}

enum shoal_status tsp_candidates_on_device(const struct tsp_problem *problem, const struct tsp_places *places,
                                           struct programs *programs, uint32_t count,
                                           enum tsp_neighbour_kind kind, struct shoal_buffer *lists,
                                           struct shoal_error *error)
{
    const struct tsp_listing listing = {.count = count, .kind = kind};
    if (!problem->given && is_faster_on_device(problem, places, &listing))
        return tsp_device_neighbours(problem, places, programs, count, kind, lists, error);
    const size_t bytes = (size_t)places->cities * count * sizeof(uint32_t);
    uint32_t *found = malloc(bytes);
    if (!found)
        return fail_host_memory(error);
    enum shoal_status status = tsp_candidates(problem, NULL, NULL, &listing, found, error);
    if (!status)
        status = shoal_buffer_write(places->arrays.queue, lists, 0, found, bytes, error);
    free(found);
    return status;
}
