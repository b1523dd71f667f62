/* Launches of cl/search/islands.cl. */
#include "search/device/islands.h"
#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "compute/tune.h"

#include <math.h>

/* Contract --------------------------------------------------------------------------------------------- */

static const struct shoal_entry_desc entries[] = {SEARCH_ISLAND_ENTRIES(search_islands)};
static const struct shoal_define_desc defines[] = {SEARCH_ISLAND_DEFINES(search_islands)};

const struct shoal_program_desc search_island_program =
    PROGRAM("search.island", search_islands, 0, defines, entries);

/* Create ----------------------------------------------------------------------------------------------- */

/* Number of values for each work-item up to which a single group of search_settle reduces an island. For more
 * values, passes of many groups are faster. */
enum { SETTLE_TURNS = 32 };

/* On a GPU, islands with more than MANY_MEMBERS members get groups of LARGE_GROUP work-items. An island has
 * only a few groups, so memory accesses overlap only if groups have many work-items. */
enum { MANY_MEMBERS = 2048, LARGE_GROUP = 256 };

/* length: number of values that a group reduces in this pass; groups: number of groups for each island */
struct pass {
    uint32_t length, groups;
};

/* Plans the next pass over `count` values of each island. If passes halve the values, passes follow until one
 * group can reduce the rest. If not, there is at most one pass, in which each group reduces many values.
 * groups 0: no pass is needed, since search_settle reduces the rest. */
static struct pass next_pass(const struct search_islands *islands, uint32_t count)
{
    const uint32_t pair = 2 * shoal_kernel_work_group(islands->argmin);
    struct pass pass = {pair, 0};
    if (!islands->halves) {
        if (count <= SETTLE_TURNS * shoal_kernel_work_group(islands->settle))
            return pass;
        const double root = sqrt((double)count);
        pass.length = root > pair ? (uint32_t)root : pair;
    } else if (count <= pair) {
        return pass;
    }
    pass.groups = (count - 1) / pass.length + 1;
    return pass;
}

static enum shoal_status build(struct shoal_solver *solver, const struct shoal_program_desc *halving,
                               int32_t argmin, struct search_islands *islands, struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"search_argmin", &islands->argmin},
                                           {"search_settle", &islands->settle},
                                           {"search_exchange", &islands->exchange},
                                           {"search_ends", &islands->ends}};
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct search_problem *problem = search_device_of(solver)->problem;
    struct defines own = {.count = 0};
    if (halving)
        define_add(&own, "ARGMIN", argmin);
    define_add(&own, "IN_WORDS", problem->has_genome);
    if (!halving && !info->is_cpu && problem->members > MANY_MEMBERS && info->max_work_group >= LARGE_GROUP)
        define_add(&own, "WG",
                   choose_define(solver->device, &search_island_program, "WG", LARGE_GROUP).value);
    define_add(&own, "REAL", search_device_of(solver)->precision == SHOAL_FP64 ? 64 : 32);
    return programs_build(&solver->programs, halving ? halving : &search_island_program, &own, kernels,
                          COUNT(kernels), NULL, error);
}

enum shoal_status search_islands_create(struct shoal_solver *solver, const struct shoal_program_desc *halving,
                                        int32_t argmin, struct search_islands *islands,
                                        struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    enum shoal_status status = build(solver, halving, argmin, islands, error);
    if (status)
        return status;
    islands->halves = halving != NULL;
    islands->shape = (struct search_shape){.seed = problem->params->seed,
                                           .members = (uint32_t)problem->members,
                                           .run_islands = (uint32_t)problem->run_islands,
                                           .islands = (uint32_t)problem->islands,
                                           .dim = (uint32_t)device->numbers,
                                           .tile = (uint32_t)solver->method.tile,
                                           .stride = (uint32_t)search_stride(solver),
                                           .restart = (uint32_t)problem->params->restart,
                                           .lead = (uint32_t)problem->lead};
    const double count = (double)problem->islands,
                 partials = fmax(1, count * next_pass(islands, islands->shape.members).groups);
    const struct array list[] = {
        {&islands->goal_value, count, device->real},
        {&islands->goal_index, count, sizeof(uint32_t)},
        {&islands->pass_value[0], partials, device->real},
        {&islands->pass_index[0], partials, sizeof(uint32_t)},
        {&islands->pass_value[1], partials, device->real},
        {&islands->pass_index[1], partials, sizeof(uint32_t)},
    };
    islands->arrays.queue = solver->queue;
    ARRAYS_SET(&islands->arrays, list);
    return arrays_create(&islands->arrays, error);
}

void search_islands_destroy(struct search_islands *islands)
{
    arrays_destroy(&islands->arrays);
}

/* Launches --------------------------------------------------------------------------------------------- */

static enum shoal_status settle(struct shoal_solver *solver, const struct search_islands *islands,
                                const struct search_members *members, struct shoal_buffer *indices,
                                const struct search_settle *launch, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    return LAUNCH(search_settle, solver->queue, islands->settle, islands->shape.islands, error,
                  .values = members->values, .indices = indices, .goal_value = islands->goal_value,
                  .goal_index = islands->goal_index, .p = members->positions, .words = device->words,
                  .reals = device->reals, .champion = device->champion, .settings = device->settings,
                  .shape = &islands->shape, .launch = launch);
}

/* Finds the best members, and launches search_settle with `tasks`. */
static enum shoal_status find_and_settle(struct shoal_solver *solver, struct search_islands *islands,
                                         const struct search_members *members, uint32_t step, uint32_t tasks,
                                         struct shoal_error *error)
{
    struct search_members left = *members;
    struct shoal_buffer *indices = NULL;
    uint32_t count = islands->shape.members, turn = 0;
    for (struct pass pass = next_pass(islands, count); pass.groups;
         pass = next_pass(islands, count), turn ^= 1) {
        enum shoal_status status = LAUNCH(
            search_argmin, solver->queue, islands->argmin, (size_t)pass.groups * islands->shape.islands,
            error, .values = left.values, .indices = indices, .out_values = islands->pass_value[turn],
            .out_indices = islands->pass_index[turn], .is_known = indices != NULL, .count = count,
            .length = pass.length, .groups = pass.groups);
        if (status)
            return status;
        left.values = islands->pass_value[turn];
        indices = islands->pass_index[turn];
        count = pass.groups;
    }
    const struct search_settle launch = {
        .step = step, .tasks = FIND_BEST | tasks, .count = count, .is_known = indices != NULL};
    return settle(solver, islands, &left, indices, &launch, error);
}

static enum shoal_status exchange_champions(struct shoal_solver *solver, const struct search_islands *islands,
                                            const struct search_members *members, uint32_t step,
                                            struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    return LAUNCH(search_exchange, solver->queue, islands->exchange, islands->shape.islands, error,
                  .best = members->values, .p = members->positions, .goal_value = islands->goal_value,
                  .goal_index = islands->goal_index, .words = device->words, .reals = device->reals,
                  .champion = device->champion, .links = device->links, .shape = &islands->shape,
                  .kind = search_exchange_kind(device->problem), .step = step);
}

static enum shoal_status look_for_ends(struct shoal_solver *solver, const struct search_islands *islands,
                                       struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    if (!search_can_end_early(device->problem))
        return SHOAL_OK;
    enum shoal_status status = search_guests_records(solver, error);
    return status ? status
                  : LAUNCH(search_ends, solver->queue, islands->ends, device->problem->runs, error,
                           .words = device->words, .reals = device->reals, .settings = device->settings,
                           .run_islands = islands->shape.run_islands,
                           .stagnation = (uint32_t)device->problem->params->stagnation,
                           .lead = islands->shape.lead);
}

enum shoal_status search_islands_find(struct shoal_solver *solver, struct search_islands *islands,
                                      const struct search_members *members, uint32_t step,
                                      struct shoal_error *error)
{
    return find_and_settle(solver, islands, members, step, 0, error);
}

/* Returns the tasks of search_settle that update the champions. */
static uint32_t tasks_of_champions(const struct shoal_solver *solver)
{
    return UPDATE_BEST_EVER | (search_device_of(solver)->problem->info->dynamic ? RENEW_CHAMPION : 0);
}

enum shoal_status search_islands_keep(struct shoal_solver *solver, struct search_islands *islands,
                                      const struct search_members *members, uint32_t step,
                                      struct shoal_error *error)
{
    return find_and_settle(solver, islands, members, step, tasks_of_champions(solver), error);
}

enum shoal_status search_islands_finish(struct shoal_solver *solver, struct search_islands *islands,
                                        const struct search_members *members, uint32_t step,
                                        struct shoal_error *error)
{
    const uint32_t tasks = tasks_of_champions(solver) | FINISH_STEP;
    enum shoal_status status = find_and_settle(solver, islands, members, step, tasks, error);
    return status ? status : look_for_ends(solver, islands, error);
}

enum shoal_status search_islands_end_step(struct shoal_solver *solver, struct search_islands *islands,
                                          const struct search_members *members, uint32_t step,
                                          struct shoal_error *error)
{
    /* search_settle reads the champions at the indices in goal_index, which the search for the best members
     * has written, and the exchange has changed. */
    const struct search_settle last = {.step = step, .tasks = tasks_of_champions(solver) | FINISH_STEP};
    const struct search_members found = {.positions = members->positions};
    if (!search_exchange_is_due(search_device_of(solver)->problem, step))
        return search_islands_finish(solver, islands, members, step, error);
    enum shoal_status status = search_islands_keep(solver, islands, members, step, error);
    if (!status)
        status = search_guests_champions(solver, step, error);
    if (!status)
        status = exchange_champions(solver, islands, members, step, error);
    if (!status)
        status = settle(solver, islands, &found, NULL, &last, error);
    return status ? status : look_for_ends(solver, islands, error);
}
