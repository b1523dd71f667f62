/* Lin-Kernighan search on a device, by the kernels of cl/tsp/lk/lk_search.cl: a work-group searches a cell.
 * The host divides the tour into cells and joins them. */
#include "compute/device.h"
#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "tsp/lk/device.h"
#include "tsp/lk/lk.h"
#include "tsp/model/farthest.h"
#include "tsp/model/rules.clh"

#include <math.h>
#include <stdlib.h>

/* Half words of local memory, of struct lk_cell in cl/tsp/lk/cell.clh: those of the cities, and those of the
 * starts of moves of one city or, in groups of so many work-items, of two. */
#define CITY_NUMBERS(cities, offsets)    ((cities) * (3 + 2 * (offsets)) + 2 * ((cities) / 16 + 2))
#define START_NUMBERS(candidates, group) (START_BYTES * ((group) >= 4 * (candidates) ? 2 : 1) * (candidates))

/* Bytes of local memory. ITEM_BYTES: of a work-item, for exchanges, a branch and its options. CELL_BYTES:
 * what depends neither on the cell nor on the group: a move, reversals, ends of a kick and padding. */
enum {
    MOVE_BYTES = 8 + 2 * 4 + 6 * 2 + 4,
    START_BYTES = 8 + 6 * 2 + 4,
    BRANCH_BYTES = 8 + 2 * 2 + 4,
    ITEM_BYTES = 8 + BRANCH_BYTES + 8 * 2,
    CELL_BYTES = MOVE_BYTES + 4 + 4 * LK_FEW_FLIPS + 8 * 2 + 16
};

static const struct shoal_define_desc defines[] = {
    DEFINE(tsp_lk_search, WG, 1, 32, "work-items of a group"),
    DEFINE(tsp_lk_search, CELL, 4, LK_CELL + 1, "most cities of a cell"),
    DEFINE(tsp_lk_search, OFFSETS, 0, 2, "1: cells keep coordinates as offsets of 16 bits; 2: of 32"),
    DEFINE(tsp_lk_search, JOINT, 0, 1, "1: each cell is a whole problem with settings of its own"),
    DEFINE(tsp_lk_search, K, 1, LK_MOST_NEAR, "candidates of a city"),
    DEFINE(tsp_lk_search, MIN_GROUPS, 1, 32, "CUDA: groups that are to fit a multiprocessor at a time"),
    {.name = "NUMBERS",
     .value = CITY_NUMBERS(512, 1) + START_NUMBERS(8, 32),
     .min = 1,
     .max = CITY_NUMBERS(LK_CELL + 1, 2) + START_NUMBERS(LK_MOST_NEAR, 1),
     .help = "half words of local memory, which follow from CELL, OFFSETS, K and WG"},
    TSP_PLACES_DEFINES(tsp_lk_search),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_lk_search, lk_index, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "index of each city, and coordinates in the order of the cells"),
    ENTRY(tsp_lk_search, lk_search, .local_bytes = CELL_BYTES, .local_bytes_per_item = ITEM_BYTES,
          .local_define = "NUMBERS", .local_bytes_per_unit = 2, .help = "kicks in a cell, by a group"),
};

const struct shoal_program_desc tsp_lk_search_program =
    PROGRAM("tsp.lk-search", tsp_lk_search, SHOAL_WITHOUT_CONTRACTION, defines, entries);

struct lk_device {
    struct lk_run run;
    struct shoal_kernel *index, *search;
    struct arrays arrays; /* on the device */
    struct shoal_buffer *lists, *begins, *tours, *indices, *placed, *near, *found, *outcomes;
    struct lk_outcome *seen; /* [replicas][cells] */
    int64_t *changes;        /* [replicas]: of the lengths of the tours by a step */
    bool has_offsets;        /* cells keep coordinates in local memory */
};

static struct lk_device *device_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create --------------------------------------------------------------------------------------------------
 */

/* The condition of LK_BY_INDEX in cl/tsp/lk/cell.clh. */
bool lk_is_by_index(const struct tsp_form *form)
{
    return tsp_form_is_plain(form);
}

bool lk_offsets_suffice(const struct lk *lk)
{
    const struct tsp_form *form = &lk->problem->form;
    if (!lk_is_by_index(form) || !form->is_whole || form->dim != 2)
        return false;
    const struct tsp_extent extent = tsp_extent(form->places, lk->problem->n, form->dim);
    const double area = (extent.most[0] - extent.least[0]) * (extent.most[1] - extent.least[1]);
    return 1.5 * sqrt(area / lk->cells) < UINT16_MAX;
}

static void list_arrays(struct shoal_solver *solver)
{
    struct lk_device *device = device_of(solver);
    const struct lk *lk = &device->run.lk;
    const size_t word = sizeof(uint32_t);
    const bool is_by_index = lk_is_by_index(&lk->problem->form);
    const double all = (double)lk->replicas * lk->n, cells = (double)lk->replicas * lk->cells;
    device->arrays.queue = solver->queue;
    const struct array list[] = {
        {&device->lists, (double)lk->n * lk->k, word},
        {&device->begins, cells + lk->replicas, word},
        {&device->tours, all, word},
        {&device->indices, all, word},
        {&device->near, all * lk->k, word},
        {&device->found, all, word},
        {&device->placed, is_by_index ? all : 1, is_by_index ? tsp_places_bytes(&lk->problem->form) : word},
        {&device->outcomes, cells, sizeof *device->seen},
    };
    ARRAYS_SET(&device->arrays, list);
}

static int64_t group_of(struct shoal_device *device)
{
    const bool is_cpu = shoal_device_get_info(device)->is_cpu;
    return choose_define(device, &tsp_lk_search_program, "WG", is_cpu ? 1 : 32).value;
}

/* Checks that a cell fits into local memory. */
static enum shoal_status check_cell(const struct shoal_solver *solver, struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    const struct lk *lk = &device->run.lk;
    const int64_t group = group_of(solver->device),
                  numbers = CITY_NUMBERS(lk->most_cities, device->has_offsets) + START_NUMBERS(lk->k, group);
    const uint64_t bytes = (uint64_t)(CELL_BYTES + group * ITEM_BYTES + 2 * numbers);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    if (lk->k > LK_MOST_NEAR)
        return fail(error, SHOAL_UNSUPPORTED,
                    "lk on a device takes up to %d candidates, not %u: lower --candidates", LK_MOST_NEAR,
                    (unsigned)lk->k);
    if (bytes > info->local_mem)
        return fail(error, SHOAL_UNSUPPORTED,
                    "cells of %u cities need %llu bytes of local memory, %s has %llu: lower --cell",
                    (unsigned)lk->most_cities, (unsigned long long)bytes, info->id,
                    (unsigned long long)info->local_mem);
    return SHOAL_OK;
}

/* Groups of a multiprocessor for cells that are whole problems: these are small, so that many groups fit into
 * local memory, and two or three words of a work-item are not in registers. On an H200, searches of 10,000
 * problems of 100 cities took 1.49 s in place of 1.54 s with 24 groups. */
enum { JOINT_GROUPS = 32 };

enum shoal_status lk_build_search(struct programs *programs, const struct lk_search_rules *rules,
                                  struct shoal_kernel **index, struct shoal_kernel **search,
                                  struct shoal_error *error)
{
    const struct shoal_program_desc *desc = &tsp_lk_search_program;
    const struct entry_kernel kernels[] = {{"lk_index", index}, {"lk_search", search}};
    const int64_t group = group_of(programs->device);
    struct defines values = {.count = 0};
    tsp_places_defines(rules->problem, &values);
    define_add(&values, "WG", group);
    define_add(&values, "CELL", rules->cell);
    define_add(&values, "OFFSETS", rules->offsets);
    if (rules->is_joint)
        define_add(&values, "MIN_GROUPS", JOINT_GROUPS);
    define_add(&values, "JOINT", rules->is_joint);
    define_add(&values, "K", rules->k);
    define_add(&values, "NUMBERS",
               CITY_NUMBERS(rules->cell, rules->offsets) + START_NUMBERS(rules->k, group));
    return programs_build(programs, desc, &values, kernels, COUNT(kernels), NULL, error);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    const struct lk *lk = &device->run.lk;
    const struct lk_search_rules rules = {
        .problem = lk->problem, .cell = lk->most_cities, .k = lk->k, .offsets = device->has_offsets};
    return lk_build_search(&solver->programs, &rules, &device->index, &device->search, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_device *device = calloc(1, sizeof *device);
    solver->method.state = device;
    if (!device)
        return fail_host_memory(error);
    struct lk_run *run = &device->run;
    enum shoal_status status = lk_create(solver, run, error);
    if (status)
        return status;
    device->has_offsets = lk_offsets_suffice(&run->lk);
    status = check_cell(solver, error);
    if (status)
        return status;
    run->threads = solver_threads(solver);
    status = lk_list_arrays(run, error);
    if (status)
        return status;
    list_arrays(solver);
    device->seen = calloc((size_t)run->lk.replicas * run->lk.cells, sizeof *device->seen);
    device->changes = calloc(run->lk.replicas, sizeof *device->changes);
    status = device->seen && device->changes
                 ? arrays_check(&run->arrays, lk_more_bytes(run, 0), "cities", lk_remedy(&run->lk), error)
                 : fail_host_memory(error);
    if (!status)
        status = tsp_check_memory(solver, &device->arrays, error);
    if (!status)
        status = build(solver, error);
    if (!status)
        status = lk_create_arrays(run, error);
    return status ? status : arrays_create(&device->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct lk_device *device = device_of(solver);
    if (!device)
        return;
    arrays_destroy(&device->arrays);
    lk_destroy_run(&device->run);
    free(device->seen);
    free(device->changes);
    free(device);
}

/* Steps ---------------------------------------------------------------------------------------------------
 */

static enum shoal_status upload_lists(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    const struct lk *lk = &device->run.lk;
    return shoal_buffer_write(solver->queue, device->lists, 0, lk->lists,
                              (size_t)lk->n * lk->k * sizeof *lk->lists, error);
}

/* Enqueues the search of all cells. */
static enum shoal_status launch(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    const struct lk *lk = &device->run.lk;
    const struct lk_whole *whole = device->run.wholes; /* arrays of all tours */
    const size_t all = (size_t)lk->replicas * lk->n, cells = (size_t)lk->replicas * lk->cells;
    const struct tsp_places *places = &tsp_run_of(solver)->places;
    const enum lk_step_kind kind = lk_kind_of(lk, step);
    const struct lk_settings settings = {.seed = lk->seed,
                                         .n = lk->n,
                                         .cells = lk->cells,
                                         .step = step,
                                         .threshold = lk_threshold(&device->run, step),
                                         .is_first = kind != LK_LATER_VISIT,
                                         .kicks = kind == LK_WITHOUT_KICKS ? 0 : lk->kicks,
                                         .visits = lk->visits};
    enum shoal_status status =
        shoal_buffer_write(solver->queue, device->tours, 0, whole->tours, all * sizeof *whole->tours, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->begins, 0, whole->begins,
                                    (cells + lk->replicas) * sizeof *whole->begins, error);
    if (!status)
        status = LAUNCH(lk_index, solver->queue, device->index, shoal_kernel_groups(device->index, all),
                        error, .numbers = places->numbers, .tours = device->tours, .index = device->indices,
                        .placed = device->placed, .n = lk->n, .replicas = lk->replicas);
    return status ? status
                  : LAUNCH(lk_search, solver->queue, device->search, cells, error,
                           .numbers = lk_is_by_index(&lk->problem->form) ? device->placed : places->numbers,
                           .fixed = places->fixed, .cities = places->cities, .lists = device->lists,
                           .begins = device->begins, .tours = device->tours, .index = device->indices,
                           .near = device->near, .found = device->found, .outcomes = device->outcomes,
                           .settings = &settings);
}

/* Reads what the search has found, and joins the cells. */
static enum shoal_status take(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    struct lk_run *run = &device->run;
    const uint32_t cells = run->lk.cells, replicas = run->lk.replicas;
    uint64_t kicks = 0;
    enum shoal_status status = shoal_buffer_read(solver->queue, device->outcomes, 0, device->seen,
                                                 (size_t)replicas * cells * sizeof *device->seen, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->found, 0, run->wholes->tours,
                                   (size_t)replicas * run->lk.n * sizeof *run->wholes->tours, error);
    if (status)
        return status;
    for (uint32_t r = 0; r < replicas; r++) {
        device->changes[r] = 0;
        for (uint32_t c = r * cells; c < (r + 1) * cells; c++) {
            device->changes[r] += device->seen[c].change;
            kicks += device->seen[c].kicks;
        }
    }
    atomic_fetch_add_explicit(&run->done, kicks, memory_order_relaxed);
    return lk_take(run, step, device->changes, kicks, error);
}

static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    struct lk_run *run = &device->run;
    lk_divide_all(run, lk_division(&run->lk, step));
    lk_gather_all(run, lk_division(&run->lk, step));
    enum shoal_status status = launch(solver, step, error);
    if (!status)
        status = shoal_queue_flush(solver->queue, error);
    if (status)
        return status;
    /* The next divisions depend on coordinates alone, so the host makes them while the device searches. */
    lk_divide_all(run, lk_division(&run->lk, (uint64_t)step + 1));
    return take(solver, step, error);
}

/* Makes steps until the run must end; the first step of a run is made in any case. */
static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < steps && !status; i++) {
        const uint64_t step = run->steps + i + 1;
        if (lk_must_end_before(solver, step)) {
            run->dropped = steps - i;
            break;
        }
        lk_estimate_cooling(solver, step);
        lk_begin_step(solver); /* its mending may be cut */
        status = make_step(solver, (uint32_t)step, error);
        lk_end_step(solver);
        solver_got_further(solver);
        if (long_step_is_cut(&run->cut)) {
            run->dropped = steps - i;
            break;
        }
    }
    return status;
}

/* State ---------------------------------------------------------------------------------------------------
 */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    const enum shoal_status status = lk_begin(solver, error);
    return status ? status : upload_lists(solver, error);
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    const enum shoal_status status = lk_load(solver, checkpoint, error);
    return status ? status : upload_lists(solver, error);
}

const struct tsp_method lk_device_method = {.base = {.name = "device",
                                                     .create = create,
                                                     .destroy = destroy,
                                                     .begin = begin,
                                                     .advance = advance,
                                                     .save = lk_save,
                                                     .load = load},
                                            LK_METHOD};
