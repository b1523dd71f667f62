/* A search on a device: buffers, choice of a method, steps and ends. */
#include "search/device/device.h"
#include "base/error.h"
#include "compute/device.h"
#include "objective/rows/table.h"
#include "search/space.h"
#include "workload/steps/schedule.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Buffers ---------------------------------------------------------------------------------------------- */

void search_device_list_arrays(struct shoal_solver *solver)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t real = device->real, islands = problem->islands, numbers = device->numbers;
    const size_t tile = solver->method.tile;
    const size_t words = islands * ISLAND_WORDS, reals = islands * ISLAND_REALS;
    const double rows = (double)search_rows(problem);
    enum { KEPT = ARRAY_SAVE | ARRAY_ZERO };
    const struct array list[] = {
        {&device->settings, (double)(search_settings_bytes(device) / real), real},
        {&device->words, rows * ISLAND_WORDS, sizeof(uint32_t), KEPT, "words", words},
        {&device->reals, rows * ISLAND_REALS, real, KEPT, "reals", reals},
        {&device->champion, rows * (double)numbers, device->number, KEPT, "champion", islands * numbers},
        {&device->links, (double)search_links_count(problem), sizeof(uint32_t)},
    };
    device->arrays.queue = device->own.queue = solver->queue;
    ARRAYS_SET(&device->arrays, list);
    const struct search_range range = search_own_members(solver);
    device->own.items = range.count;
    device->own.tile = tile;
    device->own.tiles = tile ? (range.count + tile - 1) / tile : 0;
    device->own.first_tile = tile ? range.first / tile : 0;
    device->own.all_tiles = tile ? search_tiles(solver) : 0;
    device->ops->list_arrays(solver);
}

static void list_outcome(struct search_device *device)
{
    const struct search_problem *problem = device->problem;
    const double runs = (double)problem->runs;
    const struct array list[] = {
        {&device->best_out, runs, sizeof *device->best_out},
        {&device->position_out, runs * (double)problem->dim, sizeof *device->position_out},
        {&device->ended_out, runs, sizeof *device->ended_out},
        {&device->reached_out, runs, sizeof *device->reached_out},
        {&device->stagnated_out, runs, sizeof *device->stagnated_out},
        {&device->converged, runs, sizeof *device->converged},
        {&device->restarts_out, runs, sizeof *device->restarts_out},
        {&device->moves_out, runs, sizeof *device->moves_out},
        {&device->spread_out, problem->algorithm->has_population ? runs : 0, sizeof *device->spread_out},
    };
    ARRAYS_SET(&device->outcome, list);
}

static bool needs_polisher(const struct shoal_search_params *params)
{
    return params->polish || params->polish_every;
}

/* Bytes of the copies of a table that the objective reads as a whole, without the copy in the buffer
 * `settings`. The method has a copy if the table is too large for the settings, and the pattern search always
 * has its own. */
static double table_bytes(const struct search_device *device)
{
    const struct shoal_objective *objective = device->problem->objective;
    const struct objective_table *table = objective->table;
    if (!table || objective->info.shape != SHOAL_OPAQUE)
        return 0;
    const int copies = !search_settings_table(objective) + needs_polisher(device->problem->params);
    const size_t element = objective->whole_table ? sizeof(int32_t) : device->real;
    return copies * (double)table->rows * (double)table->columns * (double)element;
}

/* Called before kernels are built, so that a lack of memory is reported without delay. */
static enum shoal_status check_memory(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    search_device_list_arrays(solver);
    return search_check_memory(device->problem, &device->arrays,
                               arrays_bytes(&device->own) + table_bytes(device), error);
}

/* Called after the method has set the tiles, which determine the sizes. */
static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    search_device_list_arrays(solver);
    list_outcome(device);
    enum shoal_status status = arrays_create(&device->own, error);
    if (!status)
        status = arrays_create(&device->arrays, error);
    return status ? status : arrays_create(&device->outcome, error);
}

enum shoal_status search_device_resize(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct arrays *own = &search_device_of(solver)->own;
    struct shoal_buffer *other[ARRAYS_MOST] = {NULL};
    enum shoal_status status = SHOAL_OK;
    search_device_list_arrays(solver);
    for (size_t i = 0; i < own->count && !status; i++)
        if (own->list[i].flags & ARRAY_TILED)
            status = shoal_buffer_create(solver->device, (size_t)own->list[i].count * own->list[i].element,
                                         &other[i], error);
    for (size_t i = 0; i < own->count; i++) {
        struct shoal_buffer **place = own->list[i].pointer, *unused = other[i];
        if (!status && other[i]) {
            unused = *place;
            *place = other[i];
        }
        shoal_buffer_destroy(&unused);
    }
    return status;
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status choose(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    return method_choose(solver->device, &solver->choice,
                         device->ops->method_by_rule(solver->device, device->problem), &solver->method.method,
                         error);
}

static enum shoal_status set_numbers(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    device->precision = search_precision(problem);
    device->real = device->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    device->numbers = problem->has_genome ? genome_words(&problem->genome, device->precision) : problem->dim;
    device->number = problem->has_genome ? sizeof(uint32_t) : device->real;
    if (device->precision == SHOAL_FP32 || info->fp64)
        return SHOAL_OK;
    if (problem->params->precision == SHOAL_FP64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision: use --precision fp32",
                    info->id, info->name);
    return fail(error, SHOAL_UNSUPPORTED,
                "%s (%s) has no double precision, in which the whole values of %s are compared", info->id,
                info->name, problem->info->name);
}

static enum shoal_status create_problem(struct shoal_solver *solver, const struct search_algorithm *algorithm,
                                        struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    struct search_problem *problem = (void *)((char *)device + algorithm->device->problem);
    enum shoal_status status =
        algorithm->problem_create(device_shoal(solver->device), solver->params, problem, error);
    if (status)
        return status;
    device->problem = problem;
    problem->on_memory = solver_on_memory(solver);
    if (search_shares_islands(solver)) {
        problem->lead = (size_t)solver->share.first % problem->run_islands;
        problem->islands = (size_t)solver->share.count;
        problem->total = problem->members * problem->islands;
        problem->whole_islands = (size_t)solver->share.of;
    } else if (solver->share.of && solver->share.rules->scheme == SPLIT_RUNS) {
        problem->whole_islands = (size_t)solver->share.of * problem->run_islands;
    }
    device->ops->set_choice(problem, &solver->choice);
    if (problem->params->polish_every && (solver->shares || solver->share.of))
        return fail(error, SHOAL_INVALID,
                    "--polish-every: a divided run has no pattern search before its end: leave it out");
    return search_box_check_single(problem, error);
}

/* Creates what the whole search of a divided run needs in addition to the shares: the arrays for results and
 * the evaluator of the polish. */
static enum shoal_status create_whole(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    list_outcome(device);
    enum shoal_status status = arrays_create(&device->outcome, error);
    return status || !device->problem->params->polish ? status : search_polisher_create(solver, error);
}

/* Fails if the objective has several instances, and the method, the division or the refinement would evaluate
 * only the first of them. */
static enum shoal_status check_instances(const struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const struct shoal_search_params *params = problem->params;
    if (!problem->objective->value_of_run)
        return SHOAL_OK;
    if (!search_device_method(solver)->takes_instances || solver->share.of)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: method %s of %s, or a divided run, takes no objective of several instances",
                    problem->info->name, solver->method.method->name, solver->workload->name);
    if (needs_polisher(params) || params->refine != SHOAL_REFINE_NONE)
        return fail(error, SHOAL_INVALID,
                    "%s: a search of several instances is not refined: set refine to none",
                    problem->info->name);
    return SHOAL_OK;
}

enum shoal_status search_device_create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_algorithm *algorithm = search_algorithm_find(solver->workload->name);
    const struct shoal_search_params *params = solver->params;
    struct search_device *device = calloc(1, algorithm->device->size);
    solver->state = device;
    if (!device)
        return fail_host_memory(error);
    device->ops = algorithm->device;
    enum shoal_status status = create_problem(solver, algorithm, error);
    if (!status)
        status = solver_keep_notes(solver, device->problem->notes, error);
    if (!status)
        status = set_numbers(solver, error);
    if (!status && solver->shares)
        return create_whole(solver, error);
    if (!status)
        status = check_memory(solver, error);
    if (!status)
        status = choose(solver, error);
    if (!status)
        status = check_instances(solver, error);
    if (!status)
        status = objective_kernel_text(device->problem->objective, &solver->programs.texts[0], error);
    if (!status)
        status = method_create(solver, error);
    if (!status)
        status = allocate(solver, error);
    if (!status && needs_polisher(params) && !solver->share.of)
        status = search_polisher_create(solver, error);
    if (!status)
        status = search_settings_write(solver, error);
    return status ? status : search_links_write(solver, error);
}

void search_device_destroy(struct shoal_solver *solver)
{
    struct search_device *device = search_device_of(solver);
    if (!device)
        return;
    /* Buffers may be destroyed only when no command uses them. Errors of these last commands have no effect
     * on anything. */
    struct shoal_error ignored;
    if (solver->queue && shoal_queue_finish(solver->queue, &ignored))
        device->drawn = false;
    search_polisher_destroy(&device->polisher);
    method_destroy(solver);
    arrays_destroy(&device->own);
    arrays_destroy(&device->arrays);
    arrays_destroy(&device->outcome);
    search_summary_free(&device->summary);
    search_trace_clear(&device->trace);
    search_polish_destroy(&device->polish);
    if (device->problem)
        search_problem_destroy(device->problem);
    free(device);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Begins all shares. If the shares divide the members, the whole search then places the start points. */
static enum shoal_status begin_shares(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    enum shoal_status status = solver->shares->begin(solver, error);
    if (status || !device->problem->start_count || !search_shares_members(solver->shares->solvers[0]))
        return status;
    status = search_device_place_start(solver, error);
    search_trace_clear(&device->trace);
    return status;
}

static enum shoal_status draw(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    if (solver->shares) {
        search_trace_clear(&device->trace);
        memset(device->converged, 0, device->problem->runs * sizeof *device->converged);
        return begin_shares(solver, error);
    }
    enum shoal_status status = arrays_zero(&device->arrays, error);
    if (!status)
        status = solver->method.method->begin(solver, error);
    const bool places = device->problem->start_count && !device->problem->algorithm->places_start;
    if (!status && places && !search_shares_members(solver))
        status = search_device_place_start(solver, error);
    if (!status && places && search_shares_islands(solver))
        status = search_guests_settle(solver, error);
    /* Placing start points loads the state as a checkpoint is loaded, with the trace. The trace is emptied,
     * since step 0 has not been sampled. */
    search_trace_clear(&device->trace);
    return status;
}

/* Kernels end runs on the device. Reads from there whether all runs have ended, and how many steps were
 * made. */
static enum shoal_status look_for_end(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const size_t islands = device->problem->islands;
    void *words = NULL;
    enum shoal_status status = search_device_collect(solver, error);
    if (!status)
        status = arrays_read(&device->arrays, "words", &words, error);
    bool ended = true;
    uint32_t steps_done = 0;
    for (size_t k = 0; k < islands && !status; k++) {
        const uint32_t *own = (const uint32_t *)words + k * ISLAND_WORDS;
        ended = ended && own[ISLAND_ENDED];
        steps_done = own[ISLAND_STEPS] > steps_done ? own[ISLAND_STEPS] : steps_done;
    }
    free(words);
    if (!status && ended) {
        device->ended = true;
        device->steps = steps_done;
    }
    return status;
}

/* Makes steps in all shares. The whole search has ended when every share has ended. */
static enum shoal_status advance_shares(struct shoal_solver *solver, uint64_t steps,
                                        struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct solver_shares *shares = solver->shares;
    uint64_t done;
    enum shoal_status status = shares->step(solver, steps, &done, error);
    if (status)
        return status;
    device->steps += done;
    device->ended = true;
    for (size_t k = 0; k < shares->count; k++)
        device->ended = device->ended && search_device_of(shares->solvers[k])->ended;
    search_polish_destroy(&device->polish);
    return SHOAL_OK;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    device->dropped = 0;
    if (device->ended)
        return SHOAL_OK;
    if (solver->shares)
        return advance_shares(solver, steps, error);
    enum shoal_status status = solver->method.method->advance(solver, steps, error);
    if (!status)
        device->steps += steps - device->dropped;
    if (!status && search_can_end_early(device->problem))
        status = look_for_end(solver, error);
    /* Further steps may change the champion, from which a polish starts, so a later polish begins anew. */
    search_polish_destroy(&device->polish);
    return status;
}

enum shoal_status search_device_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                     struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const bool looks = device->problem->params->x_tolerance > 0 && !solver->share.of;
    const struct schedule schedule = {
        .steps = device->problem->max_steps,
        .begun = &device->drawn,
        .done = &device->steps,
        .begin = draw,
        .advance = advance,
        .events = {{.every = device->problem->params->polish_every, .take = search_device_polish_bests},
                   {.every = looks ? SEARCH_SPREAD_STEPS : 0, .take = search_device_look_for_spread},
                   {.every = device->problem->params->trace, .take = search_device_take_sample}}};
    return schedule_step(solver, &schedule, device->ended ? 0 : steps, done, error);
}

uint64_t search_device_total(const struct shoal_solver *solver)
{
    return search_device_of(solver)->problem->max_steps;
}

/* Tolerance after `steps` steps. A step rounds each coordinate a few times, and later steps propagate the
 * errors. Measured over 20 seeds, the error of a coordinate grows by half an epsilon in each step; for
 * Rosenbrock's function by swarms, whose bests are close together, by three epsilons. The factor 16 leaves a
 * margin for other compilers. The bound holds for some tens of steps, after which trajectories or selections
 * may differ. */
double search_device_tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    double epsilon = search_device_of(solver)->precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    return 16 * epsilon * ((double)steps + 1);
}

/* Converts the numbers of all members in `raw`, dimension by dimension as in a checkpoint, to doubles in
 * `values`. step: distance in `values` from a dimension to the next. */
static void decode_members(const struct search_device *device, const void *raw, double *genes, double *values,
                           size_t step)
{
    const struct search_problem *problem = device->problem;
    const size_t total = device->own.items;
    for (size_t i = 0; i < total; i++) {
        if (problem->has_genome)
            genes_from_words(&problem->genome, device->precision, (const uint32_t *)raw + i, total, genes);
        for (size_t d = 0; d < problem->dim; d++)
            values[d * step + i] =
                problem->has_genome ? genes[d] : search_real_at(device, raw, d * total + i);
    }
}

enum shoal_status search_device_read_own(struct shoal_solver *solver, const char *name, double *values,
                                         struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const struct solver_list holders = search_member_holders(&solver);
    double *genes = malloc(problem->dim * sizeof *genes);
    enum shoal_status status = genes ? SHOAL_OK : fail_host_memory(error);
    for (size_t k = 0, first = 0; k < holders.count && !status; k++) {
        const struct search_device *holder = search_device_of(holders.solvers[k]);
        void *raw = NULL;
        status = arrays_read(&holder->own, name, &raw, error);
        if (!status)
            decode_members(holder, raw, genes, values + first, problem->total);
        first += holder->own.items;
        free(raw);
    }
    free(genes);
    return status;
}
