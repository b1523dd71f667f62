/* Local search of children in global memory; a work-group improves a child. A short local search is one
 * launch for each generation. A longer one takes several launches, each with some of the children or some of
 * the steps. The times of earlier launches determine how many of them a launch has. */
#include "ga/methods/improve.h"
#include "base/error.h"
#include "compute/contract.h"
#include "objective/rows/table.h"
#include "search/device/launches.h"
#include "workload/workload.h"

#include <math.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_improve, ga_improve, .local_bytes_per_item = sizeof(double) + sizeof(uint32_t),
          .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "local search of a child; the work-items divide the moves"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(ga_improve, COLUMNS, 1, 1 << 28, "columns of the table that the objective reads"),
    DEFINE(ga_improve, DIM, 1, GA_MAX_DIM, "coordinates of a point"),
    DEFINE(ga_improve, GENES, 1, GA_MAX_DIM, "bits or places"),
    DEFINE(ga_improve, LOCAL_SEARCH, SHOAL_GA_FIRST_IMPROVEMENT, SHOAL_GA_TABU,
           "1 first improvement, 2 best improvement, 3 tabu"),
    DEFINE(ga_improve, MOVES, SHOAL_GA_MOVES_FLIP, SHOAL_GA_MOVES_INSERTION,
           "1 flips, 2 swaps, 3 insertions"),
    DEFINE(ga_improve, POOL, 1, 1 << 20, "local memory of a child in units of 8 bytes"),
    DEFINE(ga_improve, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(ga_improve, TABLE_ROWS, 1, 1 << 28, "rows of that table"),
    TUNED_DEFINE(ga_improve, WG, 1, 1024, 1, "work-group size, a power of two"),
};

const struct shoal_program_desc ga_improve_program = PROGRAM("ga.improve", ga_improve, 0, defines, entries);

/* Plan ------------------------------------------------------------------------------------------------- */

/* Returns the number of work-items in a group: a warp if there are few moves, more if there are many. */
static uint32_t group_of(const struct ga_improve *improve, const struct shoal_device_info *info)
{
    const uint32_t group = improve->count <= 128 ? 32 : improve->count <= 1024 ? 64 : 128;
    return info->is_cpu ? 1 : group < info->max_work_group ? group : (uint32_t)info->max_work_group;
}

/* Returns the size of local memory in units of 8 bytes: the genes of the child twice, and the tabu table
 * (cl/ga/methods/improve.cl). */
static size_t pool_of(const struct ga_improve *improve)
{
    const size_t n = improve->genes;
    const size_t items = improve->moves == SHOAL_GA_MOVES_FLIP ? (n + 31) / 32 : n;
    const size_t tabu = improve->search != SHOAL_GA_TABU        ? 0
                        : improve->moves == SHOAL_GA_MOVES_SWAP ? n * n
                                                                : n;
    return (2 * items + tabu + 1) / 2;
}

static size_t local_bytes(const struct ga_improver *improver)
{
    return 8 * improver->pool + improver->group * (sizeof(double) + sizeof(uint32_t));
}

static enum shoal_status check_room(const struct shoal_solver *solver, const struct ga_improver *improver,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct ga_improve *improve = &ga_device_of(solver)->problem.improve;
    const size_t bytes = local_bytes(improver);
    if (bytes <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "a local search of %u %s needs %zu bytes of local memory, %s (%s) has %llu: take another of "
                "--local-search or --moves, or --device host",
                improve->genes, improve->moves == SHOAL_GA_MOVES_FLIP ? "bits" : "places", bytes, info->id,
                info->name, (unsigned long long)info->local_mem);
}

/* Sets how many children a launch may have. On a CPU a launch with fewer children is shorter, down to one
 * child for each core; with several children for each core, all cores end at about the same time. On a GPU a
 * launch with fewer children is only shorter if it leaves multiprocessors idle. A multiprocessor runs 32
 * groups, or as many as fit its local memory (256 KiB at most, up to sm_90). */
static void set_widths(struct ga_improver *improver, const struct shoal_device_info *info, size_t children)
{
    enum { OF_CORE = 16, OF_MULTIPROCESSOR = 32, LOCAL_BYTES = 256 << 10 };
    const size_t held = LOCAL_BYTES / local_bytes(improver),
                 groups = held < 1                   ? 1
                          : held < OF_MULTIPROCESSOR ? held
                                                     : OF_MULTIPROCESSOR,
                 most = (size_t)info->units * (info->is_cpu ? OF_CORE : groups),
                 wide = most < children ? most : children;
    improver->wide = (uint32_t)wide;
    improver->least = (uint32_t)(info->is_cpu && info->units < wide ? info->units : wide);
}

enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct ga_improver *improver,
                                  const struct ga_memory *memory, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct ga_improve *improve = &ga_device_of(solver)->problem.improve;
    struct ga_tour_sizes sizes = {0};
    if (!improve->search)
        return SHOAL_OK;
    improver->memory = memory;
    if (improve->tours) {
        ga_tour_search_plan(solver, &improver->tours, memory, &sizes);
    } else {
        improver->group = group_of(improve, info);
        improver->pool = pool_of(improve);
        improver->limit = SEARCH_LAUNCH_SECONDS;
        set_widths(improver, info, memory->generation.children);
    }
    const struct array list[] = {
        {&improver->searches, (double)improver->wide * (double)(KEPT_POOL + improver->pool),
         sizeof(uint64_t)},
        {&improver->words, (double)device->problem->islands * ISLAND_WORDS, sizeof(uint32_t)},
        {&improver->best,
         device->problem->info->dynamic ? (double)(search_tiles(solver) * solver->method.tile) : 0,
         device->real},
        {&improver->tours.pick_list, sizes.picks, sizeof(uint32_t)},
        {&improver->tours.tours, sizes.tours, sizeof(uint32_t)},
        {&improver->tours.gains, sizes.gains, sizeof(int64_t), ARRAY_ZERO},
        {&improver->tours.lists, sizes.lists, sizeof(uint32_t)},
    };
    improver->arrays.queue = solver->queue;
    ARRAYS_SET(&improver->arrays, list);
    return improve->tours ? SHOAL_OK : check_room(solver, improver, error);
}

enum shoal_status ga_improve_create(struct shoal_solver *solver, struct ga_improver *improver,
                                    struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct ga_improve *improve = &ga_device_of(solver)->problem.improve;
    const struct entry_kernel kernel = {"ga_improve", &improver->kernel};
    struct defines own = {.count = 0};
    enum shoal_status status = arrays_create(&improver->arrays, error);
    if (status || !improve->search)
        return status;
    if (improve->tours)
        return ga_tour_search_create(solver, &improver->tours, error);
    define_table(&own, device->problem->objective);
    define_add(&own, "DIM", (int64_t)device->problem->point_dim);
    define_add(&own, "GENES", improve->genes);
    define_add(&own, "LOCAL_SEARCH", improve->search);
    define_add(&own, "MOVES", improve->moves);
    define_add(&own, "POOL", (int64_t)improver->pool);
    define_add(&own, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    define_add(&own, "WG", improver->group);
    return programs_build(&solver->programs, &ga_improve_program, &own, &kernel, 1, NULL, error);
}

void ga_improve_destroy(struct ga_improver *improver)
{
    ga_tour_search_destroy(&improver->tours);
    arrays_destroy(&improver->arrays);
}

/* Launches --------------------------------------------------------------------------------------------- */

/* A launch: makes steps begin .. end - 1 of the local search of the children first .. first + count - 1. */
struct launch {
    const struct ga_improver *improver;
    uint32_t step; /* step of the run */
    uint32_t first, count, begin, end;
};

static enum shoal_status enqueue(struct shoal_solver *solver, const void *data, struct shoal_error *error)
{
    const struct launch *launch = data;
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_improver *improver = launch->improver;
    const struct ga_memory *memory = improver->memory;
    const struct ga_generation *generation = &memory->generation;
    const struct ga_improve *improve = &device->problem.improve;
    const struct ga_local_search search = {.steps = improve->steps,
                                           .tenure = improve->tenure,
                                           .chosen = improve->chosen,
                                           .count = improve->count,
                                           .child = launch->first,
                                           .begin = launch->begin,
                                           .end = launch->end};
    return LAUNCH(ga_improve, solver->queue, improver->kernel, launch->count, error,
                  .children = memory->children, .y = memory->y, .values = memory->child_values,
                  .table = evaluator_constants(memory->values.evaluator), .words = device->search.words,
                  .settings = device->search.settings, .searches = improver->searches,
                  .shape = &generation->islands.shape, .own = &generation->shape, .genes = &generation->genes,
                  .search = &search, .step = launch->step);
}

/* Returns `count`, limited to 1 .. most. */
static uint32_t within(double count, uint32_t most)
{
    return count < 1 ? 1 : count < most ? (uint32_t)count : most;
}

/* Returns the number of children of a launch if `left` children are divided evenly among as few launches of
 * at most `most` children as possible. */
static uint32_t evenly(uint32_t left, uint32_t most)
{
    const uint32_t launches = (left + most - 1) / most;
    return (left + launches - 1) / launches;
}

/* Sets the number of children and of steps in a launch with new children. Until a whole generation was
 * measured, a launch has at most four times the children of the last one, since other children may take
 * longer. */
static void choose_children(const struct ga_improver *improver, struct launch *launch, uint32_t left,
                            uint32_t steps)
{
    const uint32_t wide = improver->wide < left ? improver->wide : left;
    double whole = improver->child_seconds > 0 ? improver->limit / improver->child_seconds : 0;
    if (!improver->is_measured)
        whole = fmin(whole, 4.0 * improver->children);
    launch->count = wide;
    launch->begin = 0;
    launch->end = 1;
    if (whole >= wide) {
        launch->count = evenly(left, within(whole, left));
        launch->end = steps;
    } else if (improver->step_seconds > 0) {
        const double fitting = improver->limit / improver->step_seconds;
        launch->end = within(fitting / wide, steps);
        if (fitting < wide)
            launch->count = within(fmax(fitting, improver->least), wide);
    }
}

/* Sets the steps of the next launch with the same children. Their number is at most eight times the number of
 * steps in the last launch, since short times are inaccurate. */
static void choose_steps(const struct ga_improver *improver, struct launch *launch, uint32_t steps,
                         double seconds)
{
    const uint32_t last = launch->end - launch->begin;
    const double fitting = last * improver->limit / fmax(seconds, 1e-9);
    launch->begin = launch->end;
    launch->end += within(fmin(fitting, 8.0 * last), steps - launch->begin);
}

/* Largest measured times of a child, see struct ga_improver. child: of all steps; step: of each of the first
 * steps. */
struct longest {
    double child, step;
};

/* Makes all steps of some children, from launch->first on. Sets launch->count to the number of these
 * children. */
static enum shoal_status search_some(struct shoal_solver *solver, struct ga_improver *improver,
                                     struct launch *launch, struct longest *longest,
                                     struct shoal_error *error)
{
    const uint32_t steps = ga_device_of(solver)->problem.improve.steps,
                   children = (uint32_t)improver->memory->generation.children;
    double seconds, total = 0;
    choose_children(improver, launch, children - launch->first, steps);
    improver->children = launch->count;
    for (;;) {
        enum shoal_status status = search_launch_timed(solver, enqueue, launch, &seconds, error);
        if (status)
            return status;
        solver_got_further(solver);
        total += seconds;
        if (launch->begin == 0)
            longest->step = fmax(longest->step, seconds / launch->count / launch->end);
        if (launch->end == steps)
            break;
        improver->is_dropped = solver_must_end(solver);
        if (improver->is_dropped)
            return SHOAL_OK;
        choose_steps(improver, launch, steps, seconds);
    }
    longest->child = fmax(longest->child, total / launch->count);
    improver->child_seconds = fmax(improver->child_seconds, longest->child);
    improver->step_seconds = fmax(improver->step_seconds, longest->step);
    return SHOAL_OK;
}

/* Copies the buffers that a step changes before its local search has ended. is_back: restores them, which
 * undoes the step. */
static enum shoal_status copy(struct shoal_solver *solver, const struct ga_improver *improver, bool is_back,
                              struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    struct shoal_buffer *const own[] = {device->search.words, device->best}, *const copies[] = {
                                                                                 improver->words,
                                                                                 improver->best};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < COUNT(own) && !status; i++)
        if (copies[i])
            status = shoal_buffer_copy(solver->queue, is_back ? copies[i] : own[i], 0,
                                       is_back ? own[i] : copies[i], 0, shoal_buffer_size(copies[i]), error);
    return status;
}

enum shoal_status ga_improve_begin(struct shoal_solver *solver, const struct ga_improver *improver,
                                   struct shoal_error *error)
{
    return improver->fits && !improver->is_due ? SHOAL_OK : copy(solver, improver, false, error);
}

enum shoal_status ga_improve_children(struct shoal_solver *solver, struct ga_improver *improver,
                                      uint32_t step, struct shoal_error *error)
{
    const uint32_t children = (uint32_t)improver->memory->generation.children;
    struct launch launch = {.improver = improver,
                            .step = step,
                            .count = children,
                            .end = ga_device_of(solver)->problem.improve.steps};
    if (!improver->kernel) {
        enum shoal_status status =
            ga_tour_search_run(solver, &improver->tours, step, &improver->is_dropped, error);
        return status || !improver->is_dropped ? status : copy(solver, improver, true, error);
    }
    if (improver->fits && !improver->is_due)
        return enqueue(solver, &launch, error);
    const struct longest before = {improver->child_seconds, improver->step_seconds};
    struct longest longest = {0, 0};
    while (launch.first < children) {
        enum shoal_status status = search_some(solver, improver, &launch, &longest, error);
        if (status)
            return status;
        launch.first += launch.count;
        if (launch.first < children && !improver->is_dropped)
            improver->is_dropped = solver_must_end(solver);
        if (improver->is_dropped)
            return copy(solver, improver, true, error);
    }
    /* The times decrease at most by half. In a generation whose islands are drawn anew, no child is improved,
     * so its times do not predict those of the next generation. */
    improver->child_seconds = fmax(longest.child, before.child / 2);
    improver->step_seconds = fmax(longest.step, before.step / 2);
    improver->fits = improver->child_seconds * children <= improver->limit;
    improver->is_measured = true;
    improver->is_due = false;
    return SHOAL_OK;
}
