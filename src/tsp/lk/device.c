/* Lin-Kernighan search on a device, by the kernels of cl/tsp/lk/lk_search.cl: a work-group searches a cell.
 * The host divides the tour into cells and joins them.
 *
 * If shares divide the cells, the solver of the whole run has the tours and does the work of the host, once
 * for all devices. The solver of a share searches its cells on its device, from the host memory of the whole
 * run and back to it. */
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
    struct lk_run run; /* not used by a share */
    struct shoal_kernel *index, *search;
    struct arrays arrays; /* on the device; none if shares divide the run */
    struct shoal_buffer *lists, *begins, *tours, *indices, *placed, *near, *found, *outcomes;
    struct lk_outcome *seen; /* [replicas][cells] */
    int64_t *changes;        /* [replicas]: of the lengths of the tours by a step */
    bool has_offsets;        /* cells keep coordinates in local memory */
    uint32_t step;           /* that shares make now; 0: none */
};

static struct lk_device *device_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* The state of the whole run, to which a share belongs. */
static struct lk_device *whole_of(const struct shoal_solver *solver)
{
    return device_of(solver->share.of ? solver->share.whole : solver);
}

/* A range of cells or of cities, in the order of the tours. */
struct range {
    size_t first, count;
};

/* The cells of all tours that a solver searches. */
static struct range cells_of(const struct shoal_solver *solver)
{
    const struct lk *lk = &whole_of(solver)->run.lk;
    const struct solver_share *share = &solver->share;
    const uint64_t cells = (uint64_t)lk->replicas * lk->cells;
    if (!share->of)
        return (struct range){0, cells};
    const uint64_t first = share_rows(share, cells, share->first);
    return (struct range){first, share_rows(share, cells, share->first + share->count) - first};
}

/* The begins of cells, of which each tour has one more than cells. */
static struct range begins_of(const struct lk *lk, struct range cells)
{
    const size_t first = cells.first + cells.first / lk->cells, last = cells.first + cells.count - 1;
    return (struct range){first, last + last / lk->cells + 2 - first};
}

/* The cities of cells. */
static struct range cities_of(const struct lk_run *run, struct range cells)
{
    const struct range begins = begins_of(&run->lk, cells);
    const size_t last = cells.first + cells.count - 1, per = run->lk.cells, n = run->lk.n;
    const size_t first = cells.first / per * n + run->wholes->begins[begins.first];
    return (struct range){first,
                          last / per * n + run->wholes->begins[begins.first + begins.count - 1] - first};
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
    const struct lk *lk = &whole_of(solver)->run.lk;
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
        {&device->outcomes, cells, sizeof(struct lk_outcome)},
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
    const struct lk_device *whole = whole_of(solver);
    const struct lk *lk = &whole->run.lk;
    const int64_t group = group_of(solver->device),
                  numbers = CITY_NUMBERS(lk->most_cities, whole->has_offsets) + START_NUMBERS(lk->k, group);
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
    const struct lk_device *whole = whole_of(solver);
    const struct lk *lk = &whole->run.lk;
    const struct lk_search_rules rules = {
        .problem = lk->problem, .cell = lk->most_cities, .k = lk->k, .offsets = whole->has_offsets};
    return lk_build_search(&solver->programs, &rules, &device->index, &device->search, error);
}

/* Creates the tours of the whole run. */
static enum shoal_status create_tours(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    struct lk_run *run = &device->run;
    enum shoal_status status = lk_create(solver, run, error);
    if (status)
        return status;
    device->has_offsets = lk_offsets_suffice(&run->lk);
    run->threads = solver_threads(solver);
    status = lk_list_arrays(run, error);
    if (status)
        return status;
    device->seen = calloc((size_t)run->lk.replicas * run->lk.cells, sizeof *device->seen);
    device->changes = calloc(run->lk.replicas, sizeof *device->changes);
    status = device->seen && device->changes
                 ? arrays_check(&run->arrays, lk_more_bytes(run, 0), "cities", lk_remedy(&run->lk), error)
                 : fail_host_memory(error);
    return status ? status : lk_create_arrays(run, error);
}

/* Creates what searches cells. */
static enum shoal_status create_search(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    enum shoal_status status = check_cell(solver, error);
    if (status)
        return status;
    list_arrays(solver);
    status = tsp_check_memory(solver, &device->arrays, error);
    if (!status)
        status = build(solver, error);
    return status ? status : arrays_create(&device->arrays, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    solver->method.state = calloc(1, sizeof(struct lk_device));
    if (!solver->method.state)
        return fail_host_memory(error);
    const enum shoal_status status = solver->share.of ? SHOAL_OK : create_tours(solver, error);
    return status || solver->shares ? status : create_search(solver, error);
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
    const struct lk *lk = &whole_of(solver)->run.lk;
    return shoal_buffer_write(solver->queue, device_of(solver)->lists, 0, lk->lists,
                              (size_t)lk->n * lk->k * sizeof *lk->lists, error);
}

/* Uploads the tours of the cells. The cities of other cells get no index, so that they are no candidates. */
static enum shoal_status upload_cells(struct shoal_solver *solver, struct range cells, struct range cities,
                                      struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    const struct lk_run *run = &whole_of(solver)->run;
    const struct lk_whole *all = run->wholes; /* arrays of all tours */
    const struct range begins = begins_of(&run->lk, cells);
    const size_t word = sizeof(uint32_t), tour = run->lk.n * word, per = run->lk.cells,
                 from = cells.first / per, to = (cells.first + cells.count - 1) / per + 1;
    enum shoal_status status = shoal_buffer_write(solver->queue, device->tours, cities.first * word,
                                                  all->tours + cities.first, cities.count * word, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->begins, begins.first * word,
                                    all->begins + begins.first, begins.count * word, error);
    return status || !solver->share.of ? status
                                       : shoal_buffer_fill(solver->queue, device->indices, from * tour,
                                                           (to - from) * tour, SHOAL_TSP_NONE, error);
}

/* Enqueues the search of cells. */
static enum shoal_status launch(struct shoal_solver *solver, uint32_t step, struct range cells,
                                struct range cities, struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    const struct lk_run *run = &whole_of(solver)->run;
    const struct lk *lk = &run->lk;
    const struct tsp_places *places = &tsp_run_of(solver)->places;
    const enum lk_step_kind kind = lk_kind_of(lk, step);
    const struct lk_settings settings = {.seed = lk->seed,
                                         .n = lk->n,
                                         .cells = lk->cells,
                                         .first = (uint32_t)cells.first,
                                         .step = step,
                                         .threshold = lk_threshold(run, step),
                                         .is_first = kind != LK_LATER_VISIT,
                                         .kicks = kind == LK_WITHOUT_KICKS ? 0 : lk->kicks,
                                         .visits = lk->visits};
    enum shoal_status status = upload_cells(solver, cells, cities, error);
    if (!status)
        status = LAUNCH(lk_index, solver->queue, device->index,
                        shoal_kernel_groups(device->index, cities.count), error, .numbers = places->numbers,
                        .tours = device->tours, .index = device->indices, .placed = device->placed,
                        .n = lk->n, .first = (uint32_t)cities.first, .count = (uint32_t)cities.count);
    if (!status)
        status = LAUNCH(lk_search, solver->queue, device->search, cells.count, error,
                        .numbers = lk_is_by_index(&lk->problem->form) ? device->placed : places->numbers,
                        .fixed = places->fixed, .cities = places->cities, .lists = device->lists,
                        .begins = device->begins, .tours = device->tours, .index = device->indices,
                        .near = device->near, .found = device->found, .outcomes = device->outcomes,
                        .settings = &settings);
    return status ? status : shoal_queue_flush(solver->queue, error);
}

/* Searches the cells of the solver. What is found replaces the tours of these cells in the whole run. */
static enum shoal_status search(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct lk_device *device = device_of(solver);
    struct lk_device *whole = whole_of(solver);
    struct lk_run *run = &whole->run;
    const struct range cells = cells_of(solver),
                       cities = cells.count ? cities_of(run, cells) : (struct range){0};
    enum shoal_status status = cells.count ? launch(solver, step, cells, cities, error) : SHOAL_OK;
    if (status)
        return status;
    /* The next divisions depend on coordinates alone, so the host makes them while the devices search. */
    if (solver->share.number == 0)
        lk_divide_all(run, lk_division(&run->lk, (uint64_t)step + 1));
    if (!cells.count)
        return SHOAL_OK;
    status = shoal_buffer_read(solver->queue, device->outcomes, cells.first * sizeof *whole->seen,
                               whole->seen + cells.first, cells.count * sizeof *whole->seen, error);
    return status
               ? status
               : shoal_buffer_read(solver->queue, device->found, cities.first * sizeof(uint32_t),
                                   run->wholes->tours + cities.first, cities.count * sizeof(uint32_t), error);
}

/* Searches all cells by the shares. A step that was cut while its tours were mended or recombined is made
 * again, and only the whole run has dropped it. */
static enum shoal_status search_by_shares(struct shoal_solver *solver, uint32_t step,
                                          struct shoal_error *error)
{
    const struct solver_shares *shares = solver->shares;
    uint64_t done;
    for (size_t k = 0; k < shares->count; k++)
        tsp_run_of(shares->solvers[k])->steps = step - 1;
    device_of(solver)->step = step;
    const enum shoal_status status = shares->step(solver, 1, &done, error);
    device_of(solver)->step = 0;
    return status || done == 1 ? status : fail(error, SHOAL_FAILED, "the devices did not make step %u", step);
}

/* Joins the cells. */
static enum shoal_status take(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct lk_device *device = device_of(solver);
    struct lk_run *run = &device->run;
    const uint32_t cells = run->lk.cells, replicas = run->lk.replicas;
    uint64_t kicks = 0;
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

static void gather(struct lk_run *run, uint32_t step)
{
    lk_divide_all(run, lk_division(&run->lk, step));
    lk_gather_all(run, lk_division(&run->lk, step));
}

static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    gather(&device_of(solver)->run, step);
    const enum shoal_status status =
        solver->shares ? search_by_shares(solver, step, error) : search(solver, step, error);
    return status ? status : take(solver, step, error);
}

/* Makes steps until the run must end; the first step of a run is made in any case. */
static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    if (solver->share.of) /* the whole run asks for one step at a time */
        return search(solver, whole_of(solver)->step, error);
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
    const enum shoal_status status = solver->share.of ? SHOAL_OK : lk_begin(solver, error);
    return status || solver->shares ? status : upload_lists(solver, error);
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    const enum shoal_status status = solver->share.of ? SHOAL_OK : lk_load(solver, checkpoint, error);
    struct lk_device *device = device_of(solver);
    /* Units that move before shares make a step load the state anew, which the step needs gathered. The time
     * of the move is not that of a step. */
    if (!status && !solver->share.of && device->step) {
        gather(&device->run, device->step);
        device->run.step_began_s = solver_clock(solver);
    }
    return status || solver->shares ? status : upload_lists(solver, error);
}

const struct tsp_method lk_device_method = {.base = {.name = "device",
                                                     .create = create,
                                                     .destroy = destroy,
                                                     .begin = begin,
                                                     .advance = advance,
                                                     .save = lk_save,
                                                     .load = load},
                                            LK_METHOD};
