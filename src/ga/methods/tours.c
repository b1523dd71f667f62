/* Local search of children that are closed tours. Batches of children are converted to tours, improved by
 * src/tsp/improve, and converted back to orders. */
#include "ga/methods/tours.h"
#include "base/error.h"
#include "compute/contract.h"
#include "ga/model/tours.h"
#include "objective/rows/table.h"
#include "tsp/device/neighbours.h"
#include "workload/workload.h"

#include <stdlib.h>

/* cl/ga/methods/tours.cl has the same struct. */
struct ga_tour_batch {
    uint32_t first, count, places;
};
_Static_assert(sizeof(struct ga_tour_batch) == 12, "as the kernel's");

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_tours, ga_tours_pick, .help = "lists the children that a local search of tours improves"),
    ENTRY(ga_tours, ga_tours_load, .help = "tours from the orders of children"),
    ENTRY(ga_tours, ga_tours_store, .help = "orders of children from the tours"),
    ENTRY(ga_tours, ga_tours_value, .help = "values of children after a local search of tours"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(ga_tours, COLUMNS, 1, 1 << 28, "coordinates of a point"),
    DEFINE(ga_tours, DIM, 1, GA_MAX_DIM, "points"),
    DEFINE(ga_tours, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(ga_tours, TABLE_ROWS, 1, 1 << 28, "points"),
    DEFINE(ga_tours, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc ga_tours_program = PROGRAM("ga.tours", ga_tours, 0, defines, entries);

/* Plan ------------------------------------------------------------------------------------------------- */

static size_t chosen_of(const struct ga_problem *problem)
{
    const size_t chosen = problem->improve.chosen, children = problem->search.points;
    return chosen < children ? chosen : children;
}

/* Returns the number of tours in a launch: several for each core, so that all cores end at about the same
 * time, and 32 for each multiprocessor. Both arrays of tours together have at most 256 MiB: CITIES cities
 * each. */
static size_t width_of(const struct shoal_device_info *info, size_t places, size_t tours)
{
    enum { OF_CORE = 16, OF_MULTIPROCESSOR = 32, CITIES = 1 << 25 };
    const size_t units = info->units ? info->units : 1,
                 most = units * (info->is_cpu ? OF_CORE : OF_MULTIPROCESSOR), room = CITIES / places,
                 wide = most < room ? most : room;
    return wide < tours ? wide : tours;
}

void ga_tour_search_plan(struct shoal_solver *solver, struct ga_tour_search *search,
                         const struct ga_memory *memory, struct ga_tour_sizes *sizes)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    search->memory = memory;
    search->places = problem->improve.genes;
    search->picks = problem->search.islands * chosen_of(problem);
    search->wide = (uint32_t)width_of(info, search->places, search->picks);
    *sizes =
        (struct ga_tour_sizes){.picks = (double)search->picks,
                               .tours = (double)search->wide * search->places,
                               .gains = search->wide,
                               .lists = (double)search->places * problem->improve.tours->rules.neighbours};
}

static enum shoal_status build(struct shoal_solver *solver, struct ga_tour_search *search,
                               struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct entry_kernel kernels[] = {{"ga_tours_pick", &search->pick},
                                           {"ga_tours_load", &search->load},
                                           {"ga_tours_store", &search->store},
                                           {"ga_tours_value", &search->value}};
    struct defines own = {.count = 0};
    define_table(&own, device->problem->objective);
    define_add(&own, "DIM", (int64_t)device->problem->point_dim);
    define_add(&own, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    return programs_build(&solver->programs, &ga_tours_program, &own, kernels, COUNT(kernels), NULL, error);
}

enum shoal_status ga_tour_search_create(struct shoal_solver *solver, struct ga_tour_search *search,
                                        struct shoal_error *error)
{
    const struct ga_tours *tours = ga_device_of(solver)->problem.improve.tours;
    const struct tsp_problem *problem = tsp_private(tours->problem);
    const struct tsp_improve_setup setup = {.problem = problem,
                                            .rules = &tours->rules,
                                            .lists = search->lists,
                                            .places = &search->cities,
                                            .tours = search->wide,
                                            .programs = &solver->programs,
                                            .queue = solver->queue};
    search->picked = malloc(search->picks * sizeof *search->picked);
    enum shoal_status status = search->picked ? build(solver, search, error) : fail_host_memory(error);
    if (!status)
        status = tsp_places_create(problem, solver->queue, &search->cities, error);
    if (!status)
        status = tsp_candidates_on_device(problem, &search->cities, &solver->programs,
                                          tours->rules.neighbours, TSP_NEAREST, search->lists, error);
    return status ? status : tsp_improve_device_create(&setup, &search->device, error);
}

void ga_tour_search_destroy(struct ga_tour_search *search)
{
    tsp_improve_device_destroy(&search->device);
    tsp_places_destroy(&search->cities);
    free(search->picked);
    search->picked = NULL;
}

/* Launches --------------------------------------------------------------------------------------------- */

#define NO_CHILD UINT32_MAX

/* Lists the children to improve. Islands that make no children in this step leave no gaps in the list. */
static enum shoal_status pick(struct shoal_solver *solver, const struct ga_tour_search *search, uint32_t step,
                              size_t *count, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const size_t bytes = search->picks * sizeof *search->picked;
    *count = 0;
    enum shoal_status status = shoal_buffer_fill(solver->queue, search->pick_list, 0, bytes, NO_CHILD, error);
    if (!status)
        status = LAUNCH(ga_tours_pick, solver->queue, search->pick,
                        shoal_kernel_groups(search->pick, search->memory->generation.children), error,
                        .values = search->memory->child_values, .words = device->search.words,
                        .picks = search->pick_list, .shape = &search->memory->generation.islands.shape,
                        .own = &search->memory->generation.shape,
                        .chosen = (uint32_t)chosen_of(&device->problem), .step = step);
    if (!status)
        status = shoal_buffer_read(solver->queue, search->pick_list, 0, search->picked, bytes, error);
    for (size_t i = 0; i < search->picks && !status; i++)
        if (search->picked[i] != NO_CHILD)
            search->picked[(*count)++] = search->picked[i];
    if (!status && *count && *count < search->picks)
        status = shoal_buffer_write(solver->queue, search->pick_list, 0, search->picked,
                                    *count * sizeof *search->picked, error);
    return status;
}

/* Copies orders to tours, or tours to orders. kernel: the kernel ga_tours_load or ga_tours_store. */
static enum shoal_status copy(struct shoal_solver *solver, const struct ga_tour_search *search,
                              struct shoal_kernel *kernel, const struct ga_tour_batch *batch,
                              struct shoal_error *error)
{
    const size_t items = (size_t)batch->count * ((batch->places + 1) / 2);
    return LAUNCH(ga_tours_load, solver->queue, kernel, shoal_kernel_groups(kernel, items), error,
                  .children = search->memory->children, .picks = search->pick_list, .tours = search->tours,
                  .shape = &search->memory->generation.islands.shape, .batch = batch);
}

static enum shoal_status evaluate(struct shoal_solver *solver, const struct ga_tour_search *search,
                                  const struct ga_tour_batch *batch, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    return LAUNCH(ga_tours_value, solver->queue, search->value,
                  shoal_kernel_groups(search->value, batch->count), error,
                  .children = search->memory->children, .picks = search->pick_list,
                  .table = evaluator_constants(search->memory->values.evaluator),
                  .values = search->memory->child_values, .words = device->search.words,
                  .settings = device->search.settings, .shape = &search->memory->generation.islands.shape,
                  .own = &search->memory->generation.shape, .batch = batch, .step = step);
}

enum shoal_status ga_tour_search_run(struct shoal_solver *solver, struct ga_tour_search *search,
                                     uint32_t step, bool *is_dropped, struct shoal_error *error)
{
    struct ga_tour_batch batch = {.places = search->places};
    size_t count;
    enum shoal_status status = pick(solver, search, step, &count, error);
    for (size_t first = 0; first < count && !status && !*is_dropped; first += batch.count) {
        batch.first = (uint32_t)first;
        batch.count = (uint32_t)(count - first < search->wide ? count - first : search->wide);
        status = copy(solver, search, search->load, &batch, error);
        if (!status)
            status = tsp_improve_device_run(&search->device, search->tours, search->gains, batch.count, false,
                                            error);
        if (!status)
            status = copy(solver, search, search->store, &batch, error);
        if (!status)
            status = evaluate(solver, search, &batch, step, error);
        solver_got_further(solver);
        *is_dropped = first + batch.count < count && solver_must_end(solver);
    }
    return status;
}
