/* Greedy tours on a device: the edges of candidate lists, then edges between the ends of fragments
 * (cl/tsp/improve/greedy.cl). */
#include "tsp/improve/greedy_device.h"

#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "tsp/improve/curve.h"
#include "tsp/improve/improve.h"

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_greedy, WG, 1, 1024, "work-items of a group, a power of two"),
    TSP_PLACES_DEFINES(tsp_greedy),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_greedy, tsp_greedy_count, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "number of edges of each candidate list"),
    ENTRY(tsp_greedy, tsp_greedy_edges, .local_bytes_per_item = 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "edges of candidate lists and their lengths"),
    ENTRY(tsp_greedy, tsp_greedy_curve, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "positions of ends of fragments on the curve"),
    ENTRY(tsp_greedy, tsp_greedy_near, .local_bytes_per_item = 4, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a near end of another fragment for each end"),
};

const struct shoal_program_desc tsp_greedy_program =
    PROGRAM("tsp.greedy", tsp_greedy, SHOAL_NEEDS_FP64 | SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS,
            defines, entries);

static struct shoal_queue *queue_of(const struct tsp_greedy_device *greedy)
{
    return greedy->fragments.queue;
}

static void set_curve(struct tsp_greedy_device *greedy)
{
    const struct tsp_form *form = &greedy->problem->form;
    const struct tsp_curve_grid grid = tsp_curve_grid(greedy->problem, &tsp_plain_curve);
    for (unsigned d = 0; d < form->dim; d++)
        greedy->least[d] = grid.first[d] - (form->is_whole ? form->origin[d] : 0);
    greedy->scale = grid.scale;
}

static double list_bytes(const struct tsp_problem *problem, uint32_t neighbours)
{
    return (double)problem->form.n * neighbours * sizeof(uint32_t);
}

/* No edge of the lists is counted twice, but how many are in two lists is not known before. */
static double most_edges(const struct tsp_problem *problem, uint32_t neighbours)
{
    return (double)problem->form.n * tsp_greedy_used(neighbours);
}

enum shoal_status tsp_greedy_device_create(const struct tsp_problem *problem, const struct tsp_places *places,
                                           uint32_t neighbours, struct programs *programs,
                                           struct tsp_greedy_device *greedy, struct shoal_error *error)
{
    const struct tsp_form *form = &problem->form;
    *greedy = (struct tsp_greedy_device){
        .problem = problem, .places = places, .neighbours = neighbours, .used = tsp_greedy_used(neighbours)};
    if (!form->dim)
        return fail(error, SHOAL_UNSUPPORTED,
                    "tsp: devices make greedy tours of points alone, not of a matrix: take the host");
    const struct entry_kernel kernels[] = {{"tsp_greedy_count", &greedy->count},
                                           {"tsp_greedy_edges", &greedy->edges},
                                           {"tsp_greedy_curve", &greedy->curve},
                                           {"tsp_greedy_near", &greedy->near}};
    struct defines values = {0};
    tsp_places_defines(problem, &values);
    set_curve(greedy);
    enum shoal_status status = programs_build(programs, &tsp_greedy_program, &values, kernels, COUNT(kernels),
                                              &greedy->program, error);
    return status ? status
                  : tsp_fragments_create(form->n, most_edges(problem, neighbours),
                                         arrays_bytes(&places->arrays) + list_bytes(problem, neighbours),
                                         programs, places->arrays.queue, &greedy->fragments, error);
}

void tsp_greedy_device_destroy(struct tsp_greedy_device *greedy)
{
    tsp_fragments_destroy(&greedy->fragments);
}

static enum shoal_status clear_longest(struct tsp_greedy_device *greedy, struct shoal_error *error)
{
    return shoal_buffer_fill(queue_of(greedy), greedy->fragments.longest, 0, sizeof(uint32_t), 0, error);
}

/* Sorts the edges of the candidate lists, and joins fragments by them. */
static enum shoal_status join_listed(struct tsp_greedy_device *greedy, struct shoal_buffer *lists,
                                     struct long_step *cut, struct shoal_error *error)
{
    struct tsp_fragments *fragments = &greedy->fragments;
    const uint32_t n = fragments->n, neighbours = greedy->neighbours, used = greedy->used;
    uint32_t count = 0, may = 0;
    enum shoal_status status = clear_longest(greedy, error);
    if (!status)
        status = LAUNCH(tsp_greedy_count, queue_of(greedy), greedy->count,
                        shoal_kernel_groups(greedy->count, (size_t)n + 1), error, .lists = lists,
                        .neighbours = neighbours, .used = used, .n = n, .counts = fragments->places);
    if (!status)
        status = tsp_fragments_sum(fragments, n, &count, error);
    if (status || !count)
        return status;
    status = LAUNCH(tsp_greedy_edges, queue_of(greedy), greedy->edges, shoal_kernel_groups(greedy->edges, n),
                    error, TSP_PLACES_ARGS(greedy->places), .lists = lists, .neighbours = neighbours,
                    .used = used, .places = fragments->places, .keys = fragments->keys,
                    .ids = fragments->values, .longest = fragments->longest);
    if (!status)
        status = tsp_fragments_sort(fragments, count, error);
    if (!status)
        status = LAUNCH(tsp_fragments_listed, queue_of(greedy), fragments->listed,
                        shoal_kernel_groups(fragments->listed, count), error, .lists = lists,
                        .neighbours = neighbours, .used = used, .ids = fragments->values, .count = count,
                        .edges = fragments->edges);
    return status ? status : tsp_fragments_join(fragments, count, cut, &may, error);
}

/* Sorts the `count` ends, which are in ascending order, along the curve. */
static enum shoal_status sort_ends(struct tsp_greedy_device *greedy, uint32_t count,
                                   struct shoal_error *error)
{
    struct tsp_fragments *fragments = &greedy->fragments;
    const enum shoal_status status =
        LAUNCH(tsp_greedy_curve, queue_of(greedy), greedy->curve, shoal_kernel_groups(greedy->curve, count),
               error, TSP_PLACES_ARGS(greedy->places), .ends = fragments->ends, .count = count,
               .least_x = greedy->least[0], .least_y = greedy->least[1], .least_z = greedy->least[2],
               .scale = greedy->scale, .keys = fragments->keys);
    const struct shoal_sort_args args = {.keys = fragments->keys,
                                         .values = fragments->ends,
                                         .keys_out = fragments->keys,
                                         .values_out = fragments->ends,
                                         .n = count,
                                         .end_bit = 32};
    return status ? status : shoal_sort_run(fragments->sort, queue_of(greedy), &args, error);
}

/* Joins fragments by an edge from each end to a near end. *may: see tsp_fragments_join. */
static enum shoal_status join_near(struct tsp_greedy_device *greedy, uint32_t count, struct long_step *cut,
                                   uint32_t *may, struct shoal_error *error)
{
    struct tsp_fragments *fragments = &greedy->fragments;
    enum shoal_status status = clear_longest(greedy, error);
    if (!status)
        status =
            LAUNCH(tsp_greedy_near, queue_of(greedy), greedy->near, shoal_kernel_groups(greedy->near, count),
                   error, TSP_PLACES_ARGS(greedy->places), .fragments = fragments->cities,
                   .ends = fragments->ends, .count = count, .partners = fragments->others,
                   .keys = fragments->keys, .ids = fragments->values, .longest = fragments->longest);
    if (!status)
        status = tsp_fragments_sort(fragments, count, error);
    if (!status)
        status = LAUNCH(tsp_fragments_paired, queue_of(greedy), fragments->paired,
                        shoal_kernel_groups(fragments->paired, count), error, .ends = fragments->ends,
                        .partners = fragments->others, .order = fragments->values, .count = count,
                        .edges = fragments->edges);
    return status ? status : tsp_fragments_join(fragments, count, cut, may, error);
}

/* Joins the fragments in rounds, until one is left, whose ends have no other end. *count: number of its ends.
 */
static enum shoal_status join_ends_of_fragments(struct tsp_greedy_device *greedy, struct long_step *cut,
                                                uint32_t *count, struct shoal_error *error)
{
    struct tsp_fragments *fragments = &greedy->fragments;
    uint32_t may = 1;
    enum shoal_status status = tsp_fragments_list(fragments, count, error);
    if (!status)
        status = sort_ends(greedy, *count, error);
    while (!status && may && !long_step_is_cut(cut)) {
        status = join_near(greedy, *count, cut, &may, error);
        if (!status && may && !long_step_is_cut(cut))
            status = tsp_fragments_drop(fragments, count, error);
    }
    return status;
}

enum shoal_status tsp_greedy_device_run(struct tsp_greedy_device *greedy, struct shoal_buffer *lists,
                                        struct long_step *cut, uint32_t *tour, struct shoal_error *error)
{
    const struct tsp_form *form = &greedy->problem->form;
    uint32_t count = 0;
    enum shoal_status status =
        tsp_fragments_begin(&greedy->fragments, form->has_fixed ? form->fixed : NULL, error);
    if (!status)
        status = join_listed(greedy, lists, cut, error);
    if (!status && !long_step_is_cut(cut))
        status = join_ends_of_fragments(greedy, cut, &count, error);
    if (!status)
        status = long_step_status(cut, error);
    if (!status)
        status = tsp_fragments_follow(&greedy->fragments, count, tour, error);
    return tsp_places_finish(greedy->places, status, error);
}

bool tsp_greedy_is_for_device(const struct tsp_problem *problem, const struct tsp_places *places,
                              uint32_t neighbours, double held)
{
    const double city_s = 1.3e-6; /* time of the host for one of a million cities */
    const uint32_t n = problem->form.n;
    if (!problem->form.dim || !tsp_is_sooner_on_device(places, city_s * n))
        return false;
    struct shoal_queue *queue = places->arrays.queue;
    const struct shoal_device_info *info = shoal_device_get_info(shoal_queue_device(queue));
    const double lists = list_bytes(problem, neighbours);
    return info->fp64 && (!info->max_allocation || lists <= (double)info->max_allocation) &&
           tsp_fragments_fit(n, most_edges(problem, neighbours), held + lists, queue);
}

enum shoal_status tsp_greedy_by_device(const struct tsp_problem *problem, const struct tsp_places *places,
                                       struct programs *programs, const uint32_t *lists, uint32_t neighbours,
                                       struct long_step *cut, uint32_t *tour, struct shoal_error *error)
{
    struct shoal_queue *queue = places->arrays.queue;
    struct shoal_buffer *uploaded = NULL;
    struct tsp_greedy_device greedy;
    const size_t bytes = (size_t)problem->form.n * neighbours * sizeof *lists;
    const unsigned part = programs_begin_part(programs);
    enum shoal_status status =
        tsp_greedy_device_create(problem, places, neighbours, programs, &greedy, error);
    if (!status)
        status = shoal_buffer_create(programs->device, bytes, &uploaded, error);
    if (!status)
        status = shoal_buffer_write(queue, uploaded, 0, lists, bytes, error);
    if (!status)
        status = tsp_greedy_device_run(&greedy, uploaded, cut, tour, error);
    shoal_buffer_destroy(&uploaded);
    tsp_greedy_device_destroy(&greedy);
    programs_end_part(programs);
    programs_drop_part(programs, part);
    return status;
}
