/* The method "list": forces by neighbour lists that are rebuilt every few steps.
 *
 * Steps are enqueued in blocks, and the list is rebuilt after every `interval` steps. If a particle has moved
 * by more than half the skin since the last rebuild, the device makes no step until the next rebuild; at the
 * end of the block the host enqueues the missing steps. So no step waits for the host, and no step uses an
 * incomplete list.
 *
 * The schedule depends on the state alone: the list is rebuilt when it is `interval` steps old or no longer
 * valid, and `interval` changes at fixed step numbers.
 */
#include "gas/methods/list.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "gas/device/motion.h"
#include "gas/device/observe.h"
#include "gas/domains/domains.h"
#include "gas/methods/list_run.h"
#include "gas/model/thermostat.h"
#include "gas/piston/piston_device.h"

#include <stdlib.h>

enum {
    MOST_RESCALED = 256, /* steps of a block with rescalings */
    /* Most blocks in succession in which the device makes no step. The first may find that the list is no
     * longer valid, the second that a list overflows, the third that it needs wider entries; more such blocks
     * are a fault of the device. */
    MOST_IDLE_BLOCKS = 4
};

static struct gas_list *list_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *gas,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct gas_problem *problem = gas;
    (void)method;
    if (problem->kind == GAS_PAIR_REAL)
        return fail(error, SHOAL_UNSUPPORTED,
                    "a neighbour list needs a force that ends at a cutoff; the real gas has its logarithm "
                    "everywhere: use --method allpairs or cells");
    return gas_neighbours_fits(problem, gas_list_skin(problem, info), info, error);
}

static double bytes(struct shoal_solver *solver)
{
    return gas_domains_bytes(solver) + gas_neighbours_bytes(solver, gas_list_tuned_skin(solver));
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Adds the defines of kernels that make steps by lists. */
static void add_step_defines(struct shoal_solver *solver, const struct gas_list *list,
                             struct defines *defines)
{
    gas_state_defines(solver, defines);
    gas_pair_defines(solver, defines);
    gas_motion_defines(solver, defines);
    define_add(defines, "WINDOW_BITS", list->neighbours->window_bits);
    define_add(defines, "LIST_TILE", list->tile);
    gas_list_add_layout(solver, list, defines);
}

/* Builds the kernel of steps in whose launches devices meet, for a gas that several GPUs share. */
static enum shoal_status build_met(struct shoal_solver *solver, struct gas_list *list,
                                   struct shoal_error *error)
{
    const struct entry_kernel kernel = {"gas_list_met_step", &list->met_step};
    struct defines defines = {.count = 0};
    if (solver->share.shares < 2 || !is_cuda(solver->device))
        return SHOAL_OK;
    add_step_defines(solver, list, &defines);
    return programs_build(&solver->programs, &gas_list_met_program, &defines, &kernel, 1, NULL, error);
}

static enum shoal_status build(struct shoal_solver *solver, struct gas_list *list, struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"gas_list_step", &list->step},
                                           {"gas_list_scaled_step", &list->scaled_step},
                                           {"gas_list_forces", &list->forces}};
    struct defines defines = {.count = 0};
    struct shoal_program *program = NULL;
    add_step_defines(solver, list, &defines);
    define_add(&defines, "BLOCK", list->block);
    define_add(&defines, "RANGED", solver->share.of > 0);
    enum shoal_status status = programs_build(&solver->programs, &gas_list_step_program, &defines, kernels,
                                              COUNT(kernels), &program, error);
    if (status)
        return status;
    list->lanes = (uint32_t)shoal_program_define(program, "LANES");
    gas_device_of(solver)->common.entry_bytes = gas_neighbours_entry_bytes(list->neighbours);
    return build_met(solver, list, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_list *list = solver->method.state = calloc(1, sizeof *list);
    if (!list)
        return fail_host_memory(error);
    list->block = is_plain_cpu(solver->device);
    list->tile = gas_list_tile(solver->device);
    list->skin = gas_list_tuned_skin(solver);
    list->most_steps = MOST_RESCALED;
    /* Shares sort parts of the gas, which GAS_SORT_GROUP cannot do. */
    const enum gas_sort_method method = solver->share.of && !list->block ? GAS_SORT_BLOCKS : GAS_SORT_AUTO;
    enum shoal_status status = gas_neighbours_create(
        solver, list->skin, (struct gas_list_layout){.tile = list->tile}, method, &list->neighbours, error);
    if (!status)
        status = build(solver, list, error);
    if (!status)
        status = gas_domains_create(solver, list->neighbours, error);
    if (!status)
        status = gas_list_run_create(solver, list->neighbours, &list->run, error);
    if (!status && list->run && solver->share.of)
        status = fail(error, SHOAL_INVALID,
                      "one device makes many steps of so few particles in one launch, which several devices "
                      "cannot share: take one device, or give more particles");
    return status;
}

static void drop_events(struct gas_list *list)
{
    shoal_event_destroy(&list->before);
    shoal_event_destroy(&list->build);
    shoal_event_destroy(&list->after);
}

static void destroy(struct shoal_solver *solver)
{
    struct gas_list *list = list_of(solver);
    if (!list)
        return;
    drop_events(list);
    free(list->run);
    gas_domains_destroy(solver);
    gas_neighbours_destroy(&list->neighbours);
    free(list);
    solver->method.state = NULL;
}

/* The list --------------------------------------------------------------------------------------------- */

/* Whether a rebuild is due. No displacement is checked in the last step of an interval, since a rebuild
 * follows in any case. */
static bool is_due(const struct gas_list *list)
{
    return list->state.age >= list->state.interval || list->state.is_invalid;
}

/* Called when particles move, or come to other places. */
static void forget_forces(struct shoal_solver *solver, struct gas_list *list)
{
    gas_observe_forget(solver);
    list->has_forces = list->has_energies = false;
}

/* Makes the arrays of the sort the arrays of the gas. All shares of a gas do so at the same time. next: as in
 * gas_domains_built. */
static enum shoal_status take_sorted(struct shoal_solver *solver, struct gas_list *list,
                                     struct shoal_kernel *next, struct shoal_error *error)
{
    gas_sort_take(gas_device_of(solver), list->neighbours->sort);
    forget_forces(solver, list);
    return gas_domains_built(solver, next, error);
}

/* Enqueues a rebuild of the list. holds, event: as in gas_neighbours_build; next: as in gas_domains_built. */
static enum shoal_status rebuild(struct shoal_solver *solver, struct gas_list *list, bool holds,
                                 struct shoal_kernel *next, struct shoal_event **event,
                                 struct shoal_error *error)
{
    const struct gas_arrays from = gas_arrays_of(gas_device_of(solver));
    list->state.age = 0;
    list->state.is_invalid = 0;
    list->drift = 0;
    enum shoal_status status = gas_domains_gather(solver, error);
    if (!status)
        status = gas_neighbours_build(solver, list->neighbours, &from, holds, event, error);
    return status ? status : take_sorted(solver, list, next, error);
}

enum shoal_status gas_list_replace(struct shoal_solver *solver, struct gas_list *list,
                                   const struct gas_arrays *from, uint32_t wanted, struct shoal_error *error)
{
    programs_resume_part(&solver->programs, solver->method.part);
    enum shoal_status status = gas_neighbours_repair(solver, list->neighbours, from, wanted, error);
    if (!status && wanted == LIST_FAR)
        status = build(solver, list, error);
    if (!status && wanted == LIST_FAR && list->run) {
        free(list->run);
        status = gas_list_run_create(solver, list->neighbours, &list->run, error);
    }
    programs_end_part(&solver->programs);
    return status;
}

/* Called after a rebuild. If the list has overflowed (`wanted`, from WORD_OVERFLOW, is not 0), replaces it
 * and rebuilds it. */
static enum shoal_status repair(struct shoal_solver *solver, struct gas_list *list, uint32_t wanted,
                                struct shoal_error *error)
{
    const struct gas_arrays from = gas_arrays_of(gas_device_of(solver));
    list->state.age = 0;
    list->state.is_invalid = 0;
    if (!wanted)
        return SHOAL_OK;
    enum shoal_status status = gas_domains_gather(solver, error);
    if (!status)
        status = gas_list_replace(solver, list, &from, wanted, error);
    return status ? status : take_sorted(solver, list, NULL, error);
}

static enum shoal_status rebuild_now(struct shoal_solver *solver, struct gas_list *list,
                                     struct shoal_error *error)
{
    uint32_t words[GAS_WORDS];
    bool is_whole = false;
    enum shoal_status status = rebuild(solver, list, false, NULL, NULL, error);
    for (unsigned k = 0; k < GAS_LIST_REPLACEMENTS && !status && !is_whole; k++) {
        status = gas_read_words(solver, words, error);
        is_whole = !status && !words[WORD_OVERFLOW];
        if (!status)
            status = repair(solver, list, words[WORD_OVERFLOW], error);
    }
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_list *list = list_of(solver);
    list->steps = 0;
    list->rebuilds_before = 0;
    list->state.interval = gas_list_first_interval(&gas_device_of(solver)->problem, list->skin);
    gas_domains_forget(solver);
    return rebuild_now(solver, list, error);
}

/* Adds up displacements by other code than steps. The list is valid until a particle may have moved by more
 * than half the skin. */
static void moved(struct shoal_solver *solver, double farthest)
{
    struct gas_list *list = list_of(solver);
    list->drift += farthest;
    forget_forces(solver, list);
    gas_domains_forget(solver);
    if (!(list->drift <= 0.5 * list->skin))
        list->state.is_invalid = 1;
}

static void resized(struct shoal_solver *solver)
{
    gas_neighbours_resized(&gas_device_of(solver)->problem, list_of(solver)->neighbours);
}

/* Launches --------------------------------------------------------------------------------------------- */

/* What follows a launch of steps: a rebuild copies all that it needs from other shares. The last launch of a
 * block has NEXT_UNKNOWN, so shares merge their words after it, in no launch of a step, and the host then
 * reads the same words from each of them. */
enum next { NEXT_UNKNOWN, NEXT_STEP, NEXT_REBUILD };

/* The accelerations of the particles, if `scales`, are those at their positions, and velocities of the full
 * step are multiplied by the factor of the rescaling first. */
static enum shoal_status launch_step(struct shoal_solver *solver, struct gas_list *list,
                                     const struct gas_list_launch *launch, bool scales, enum next next,
                                     struct shoal_event **event, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct gas_neighbours *neighbours = list->neighbours;
    struct gas_sort *sort = neighbours->sort;
    const bool meets = gas_domains_must_meet(solver);
    struct shoal_kernel *kernel = meets ? list->met_step : scales ? list->scaled_step : list->step;
    const size_t n = launch->end - launch->begin,
                 items = list->block ? div_up(n, list->tile) : n * (scales ? 1 : list->lanes);
    const size_t groups = shoal_kernel_groups(kernel, items);
    struct shoal_buffer *moved = sort->position;
    enum shoal_status status;
    if (meets)
        status = gas_domains_met_step(solver, kernel, groups, *launch, event, error);
    else if (scales)
        status = LAUNCH_EVENT(gas_list_scaled_step, solver->queue, kernel, groups, event, error,
                              .position = device->position, .position_out = sort->position,
                              .acceleration = device->acceleration, .sums = gas_rescaling_factor(device),
                              GAS_STEP_ARGS(device, neighbours), .launch = launch);
    else
        status = LAUNCH_EVENT(gas_list_step, solver->queue, kernel, groups, event, error,
                              .position = device->position, .position_out = sort->position,
                              GAS_LIST_ARGS(device, neighbours), .launch = launch);
    if (status)
        return status;
    sort->position = device->position;
    device->position = moved;
    return next == NEXT_REBUILD ? SHOAL_OK
                                : gas_domains_step(solver, next == NEXT_STEP ? list->met_step : NULL, error);
}

/* Enqueues the computation of forces, and of energies and virials if they are wanted, unless they are
 * known. */
static enum shoal_status find_forces(struct shoal_solver *solver, struct gas_list *list, bool energies,
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_neighbours *neighbours = list->neighbours;
    const struct gas_range own = gas_own_range(solver);
    if (energies ? list->has_energies : list->has_forces)
        return SHOAL_OK;
    const enum shoal_status status = LAUNCH(
        gas_list_forces, solver->queue, list->forces,
        shoal_kernel_groups(list->forces, gas_count(own) * list->lanes), error, .position = device->position,
        .settings = device->settings, .list = neighbours->list, .counts = neighbours->counts,
        .acceleration = device->acceleration, .energy = device->energy, .virial = device->virial,
        .capacity = neighbours->capacity, .particles = (uint32_t)device->problem.n, .begin = own.begin,
        .end = own.end, .energies = energies);
    list->has_forces = !status && !solver->share.of;
    list->has_energies = list->has_forces && energies;
    return status;
}

static enum shoal_status forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    struct gas_list *list = list_of(solver);
    /* The step in which a particle has moved beyond half the skin is valid, but forces at the new positions
     * need a rebuild. */
    enum shoal_status status = is_due(list) ? rebuild_now(solver, list, error) : SHOAL_OK;
    return status ? status : find_forces(solver, list, energies, error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Steps of a gas that several devices share wait for the kinetic energies of all, and a limiter computes the
 * mean energy before each step. */
static bool rescales(const struct shoal_solver *solver)
{
    return !solver->share.of && !gas_device_of(solver)->problem.rules.mean;
}

/* Enqueues the computation of the factor of the rescaling before the step after `steps_done` steps. If the
 * device makes no step there until the next rebuild, it does not rescale velocities either. */
static enum shoal_status find_rescaling(struct shoal_solver *solver, struct gas_list *list,
                                        uint64_t steps_done, struct shoal_error *error)
{
    enum shoal_status status = gas_schedule_settle(solver, steps_done, error);
    if (!status)
        status = find_forces(solver, list, false, error);
    if (!status)
        status = gas_find_rescaling(solver, steps_done, gas_device_of(solver)->words, error);
    return status || !list->run ? status : gas_scale(solver, error);
}

/* Enqueues `steps` steps, which must not exceed the current interval. scales: a rescaling is due before them.
 * continues: further steps are enqueued after them. */
static enum shoal_status launch(struct shoal_solver *solver, struct gas_list *list, uint32_t steps,
                                bool scales, bool continues, struct shoal_event **event,
                                struct shoal_error *error)
{
    const struct gas_range own = gas_own_range(solver);
    const struct gas_list_launch launch = {.begin = own.begin,
                                           .end = own.end,
                                           .capacity = list->neighbours->capacity,
                                           .particles = (uint32_t)gas_device_of(solver)->problem.n,
                                           .age = list->state.age,
                                           .steps = steps,
                                           .interval = list->state.interval};
    list->state.age += steps;
    forget_forces(solver, list);
    if (list->run)
        return gas_list_run_launch(solver, list->run, list->neighbours, &launch, event, error);
    const bool is_followed = gas_device_of(solver)->piston; /* by launches of the piston */
    const enum next next = !continues     ? NEXT_UNKNOWN
                           : is_due(list) ? NEXT_REBUILD
                           : is_followed  ? NEXT_UNKNOWN
                                          : NEXT_STEP;
    enum shoal_status status = launch_step(solver, list, &launch, scales, next, event, error);
    return status ? status : gas_piston_follow(solver, 0, error);
}

/* Whether `advance` rescales velocities after `steps_done` steps, and the next number of steps above at which
 * it does; UINT64_MAX: there is none. */
static bool is_rescaled(const struct shoal_solver *solver, uint64_t steps_done)
{
    return rescales(solver) && gas_rescale_is_due(gas_params(solver), steps_done);
}

static uint64_t next_rescaling(const struct shoal_solver *solver, uint64_t steps_done)
{
    return rescales(solver) ? gas_rescale_next(gas_params(solver), steps_done) : UINT64_MAX;
}

/* Number of steps of the next launch after `steps_done` steps, of which `left` follow. */
static uint32_t count_steps(const struct shoal_solver *solver, const struct gas_list *list,
                            uint64_t steps_done, uint64_t left)
{
    const uint64_t rest = list->state.interval - list->state.age,
                   until = next_rescaling(solver, steps_done) - steps_done;
    const uint64_t most = rest < until ? rest : until;
    return !list->run ? 1 : (uint32_t)(left < most ? left : most);
}

/* Enqueues the steps after `begin` steps until `end`, with the rebuilds and rescalings between them. If the
 * queue measures times, keeps the events of one rebuild and of the launches of steps before and after it. */
static enum shoal_status enqueue(struct shoal_solver *solver, struct gas_list *list, uint64_t begin,
                                 uint64_t end, struct shoal_error *error)
{
    const bool is_timed = queue_is_profiling(solver->queue);
    const bool has_rescalings = is_rescaled(solver, begin) || next_rescaling(solver, begin) < end;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t at = begin; at < end && !status;) {
        const bool scales = is_rescaled(solver, at);
        const bool is_new = is_due(list), holds = has_rescalings && !list->state.is_invalid;
        if (is_new && scales && !list->after)
            drop_events(list); /* more than the rebuild is between the steps */
        const bool is_looked_at = is_new && list->before && !list->after;
        struct shoal_event **event = NULL;
        if (is_new)
            status = rebuild(solver, list, holds, list->met_step, is_looked_at ? &list->build : NULL, error);
        if (!status && scales)
            status = find_rescaling(solver, list, at, error);
        const uint32_t count = count_steps(solver, list, at, end - at);
        const bool ends = list->state.age + count == list->state.interval;
        if (is_looked_at) {
            event = &list->after;
            list->steps_after = count;
        } else if (is_timed && ends && !scales && !list->before && at + count < end) {
            event = &list->before;
            list->steps_before = count;
        }
        if (!status)
            status = launch(solver, list, count, scales, at + count < end, event, error);
        at += count;
    }
    return status;
}

/* Adds up the device times of the rebuild and of the launches whose events `enqueue` has kept, and releases
 * these events. */
static enum shoal_status take_times(struct gas_list *list, struct shoal_error *error)
{
    double start, end, build_start, build_end, next_start, next_end;
    enum shoal_status status = SHOAL_OK;
    if (list->before && list->after) {
        status = shoal_event_times(list->before, &start, &end, error);
        if (!status)
            status = shoal_event_times(list->build, &build_start, &build_end, error);
        if (!status)
            status = shoal_event_times(list->after, &next_start, &next_end, error);
        if (!status) {
            list->step_s +=
                0.5 * ((end - start) / list->steps_before + (next_end - next_start) / list->steps_after);
            list->sort_s += build_start - end;
            list->build_s += next_start - build_start;
            list->samples++;
        }
    }
    drop_events(list);
    return status;
}

/* Waits for a block of steps, and allocates a larger list after an overflow. *done: number of steps that the
 * device has made since step `steps_done`. */
static enum shoal_status settle(struct shoal_solver *solver, struct gas_list *list, uint64_t steps_done,
                                uint64_t *done, struct shoal_error *error)
{
    uint32_t words[GAS_WORDS];
    enum shoal_status status = gas_read_words(solver, words, error);
    if (!status)
        status = take_times(list, error);
    if (status)
        return status;
    *done = (uint32_t)(words[WORD_STEP] - (uint32_t)steps_done);
    gas_device_of(solver)->is_sound = words[WORD_EXPLODED] == UINT32_MAX && words[WORD_ESCAPED] == UINT32_MAX;
    list->steps += *done;
    list->rebuilds = words[WORD_REBUILDS];
    list->violations = words[WORD_VIOLATIONS];
    /* If both are set, a sort has held the gas: the list must be rebuilt before it is known to overflow. */
    if (words[WORD_OVERFLOW] && !words[WORD_FROZEN])
        return repair(solver, list, words[WORD_OVERFLOW], error);
    list->state.age = words[WORD_AGE];
    list->state.is_invalid = words[WORD_FROZEN] != 0;
    return SHOAL_OK;
}

/* Enqueues the sums of a sample, and forces, behind the steps until `end`, if this list is good for them. */
static enum shoal_status sample_ahead(struct shoal_solver *solver, struct gas_list *list, uint64_t end,
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    if (solver->share.of || is_due(list) || gas_has_schedule(&device->problem) ||
        !gas_is_sampled(&device->common, end))
        return SHOAL_OK;
    const enum shoal_status status = find_forces(solver, list, true, error);
    return status ? status : gas_observe_ahead(solver, error);
}

static enum shoal_status revise_interval(struct shoal_solver *solver, struct gas_list *list,
                                         struct shoal_error *error)
{
    struct shoal_buffer *words = gas_device_of(solver)->words;
    const size_t offset = WORD_RATE * sizeof(uint32_t);
    float rate;
    enum shoal_status status = shoal_buffer_read(solver->queue, words, offset, &rate, sizeof rate, error);
    if (status || !(rate > 0)) /* no list was built since the interval was last revised */
        return status;
    list->state.is_invalid = is_due(list);
    list->state.interval = gas_list_next_interval(list->state.interval, (double)rate);
    return shoal_buffer_fill(solver->queue, words, offset, sizeof rate, 0, error);
}

/* The step after which the host waits for the device, `end` at the latest. With rescalings between them no
 * further step of a block is made once a particle has moved too far, so blocks are shorter. */
static uint64_t next_wait(const struct shoal_solver *solver, const struct gas_list *list, uint64_t steps_done,
                          uint64_t end)
{
    const bool is_long = end - steps_done > list->most_steps;
    return is_long && next_rescaling(solver, steps_done) < end ? steps_done + list->most_steps : end;
}

/* Forces and kinetic energies for rescalings are computed even where no step is made. So after a block with
 * steps left out the next one is as long as the list has lasted: particles that became faster move too far
 * again and again until the interval is revised. Other blocks make the next one longer. */
static void fit_block(struct gas_list *list, bool is_whole)
{
    const uint32_t lasted = list->state.age ? list->state.age : list->state.interval,
                   most = is_whole ? list->most_steps + list->most_steps / 4 + 1 : lasted;
    list->most_steps = most < MOST_RESCALED ? most : MOST_RESCALED;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct gas_list *list = list_of(solver);
    struct gas_device *device = gas_device_of(solver);
    const uint64_t begin = device->steps_done, end = begin + steps;
    enum shoal_status status = SHOAL_OK;
    uint32_t idle = 0;
    device->is_sound = true;
    for (uint64_t steps_done = begin; steps_done < end && !status && device->is_sound;) {
        const uint64_t revision = gas_list_next_revision(steps_done);
        const uint64_t next = next_wait(solver, list, steps_done, revision < end ? revision : end);
        uint64_t done = 0;
        status = enqueue(solver, list, steps_done, next, error);
        if (!status && next == end)
            status = sample_ahead(solver, list, end, error);
        if (!status)
            status = settle(solver, list, steps_done, &done, error);
        if (done != next - steps_done)
            forget_forces(solver, list);
        idle = done > 0 ? 0 : idle + 1;
        fit_block(list, done == next - steps_done);
        if (!status && device->is_sound && (done > next - steps_done || idle > MOST_IDLE_BLOCKS))
            status = fail(error, SHOAL_FAILED,
                          "gas: the device took the launches of step %llu without an error and did not make "
                          "it: its compiler or driver is at fault; try --method allpairs, another --variant "
                          "or another device",
                          (unsigned long long)steps_done + 1);
        steps_done += done;
        if (!status && steps_done == revision)
            status = revise_interval(solver, list, error);
    }
    return status;
}

/* Reports ---------------------------------------------------------------------------------------------- */

static uint32_t rebuilds(const struct shoal_solver *solver)
{
    return list_of(solver)->rebuilds;
}

/* Tolerance of forces. The errors come from the rounding of coordinates, whose relative effect on the
 * distance of a near pair is multiplied by about 14 in a steep force (GAS_STEEPEST), and from the rounding of
 * sums of some tens of terms. */
static double force_tolerance(const struct shoal_solver *solver)
{
    return gas_device_of(solver)->precision == SHOAL_GAS_DOUBLE ? 1e-12 : 1e-5;
}

const struct gas_method gas_list_method = {
    .base = {.name = "list",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .save = gas_list_save,
             .load = gas_list_load},
    .bytes = bytes,
    .forces = forces,
    .keeps_energies = true,
    .moved = moved,
    .resized = resized,
    .rescales = rescales,
    .rebuilds = rebuilds,
    .timing = gas_list_timing,
    .force_tolerance = force_tolerance,
};
