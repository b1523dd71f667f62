/* The gas on a device: choice of a method, arrays that all methods use, steps. */
#include "compute/device.h"
#include "base/error.h"
#include "compute/clock.h"
#include "gas/device/device.h"
#include "gas/device/motion.h"
#include "gas/device/numbers.h"
#include "gas/device/tables/tables.h"
#include "gas/frames/frames.h"
#include "gas/model/problem.h"
#include "gas/model/thermostat.h"
#include "gas/picture/picture.h"
#include "gas/piston/piston_device.h"
#include "gas/species/species_device.h"
#include "gas/thesis/use.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Methods ---------------------------------------------------------------------------------------------- */

static const struct method *const methods[] = {
    &gas_allpairs_method.base, GAS_THESIS_METHOD &gas_list_method.base, &gas_fmm_method.base, NULL};

/* Sets the class of gases for which a method is tuned: the number of particles and the number of neighbours
 * within the cutoff, each rounded to a power of two. */
static void set_choice(const struct gas_problem *problem, struct method_choice *choice)
{
    const double neighbours = (double)problem->n / problem->volume *
                              pow(2 * fmin(problem->pair.cutoff, DBL_MAX), (double)problem->dim);
    const int32_t asked = gas_method_of(problem->params);
    *choice = (struct method_choice){.methods = methods,
                                     .problem = problem,
                                     .asked = asked == SHOAL_GAS_AUTO ? NULL : gas_method_names[asked],
                                     .program = "gas.method",
                                     .old_program = "gas.method",
                                     .old_names = gas_old_method_names};
    snprintf(choice->sizes, sizeof choice->sizes,
             "particles=2^%u neighbours=2^%u dim=%zu potential=%d precision=%d",
             tuning_power(2, (double)problem->n), tuning_power(2, fmin(neighbours, (double)problem->n)),
             problem->dim, (int)problem->kind, (int)problem->params->precision);
    memcpy(choice->old_sizes, choice->sizes, sizeof choice->sizes);
}

/* The method that is used without tuned values: neighbour lists if there is a cutoff and the box is so large
 * that most pairs do not interact, and if the device can hold the lists; otherwise all pairs. */
static const struct method *method_by_rule(const struct gas_problem *problem,
                                           const struct shoal_device_info *info)
{
    const struct method *list = &gas_list_method.base;
    struct shoal_error ignored;
    return problem->kind != GAS_PAIR_REAL &&
                   gas_suits_lists(problem->pair.cutoff, problem->dim, problem->length) &&
                   !list->fits(list, problem, info, &ignored)
               ? list
               : &gas_allpairs_method.base;
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static size_t sum_bytes(const struct gas_device *device)
{
    return device->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double);
}

static void list_arrays(struct shoal_solver *solver)
{
    struct gas_device *device = gas_device_of(solver);
    const size_t n = device->problem.n, dim = device->problem.dim;
    const double padded = (double)device->padded;
    const size_t real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    const size_t sum = sum_bytes(device);
    const size_t entries = gas_exchange_entries(&device->problem) * n, exchange = entries ? entries : 1;
    const double scheduled = gas_has_schedule(&device->problem) ? SCHEDULE_ROWS * SCHEDULE_ROW : 0;
    const double rows = fmax(scheduled, gas_species_numbers(device));
    const bool has_chain = gas_params(solver)->thermostat == SHOAL_GAS_CHAIN;
    enum { SAVED = ARRAY_ZERO | ARRAY_SAVE };
    /* Arrays are filled with zeros, so that the padding has the same values in each run. */
    const struct array list[] = {
        {&device->settings, GAS_SETTINGS + rows, real, ARRAY_ZERO},
        {&device->words, GAS_WORDS, sizeof(uint32_t), SAVED, "words", GAS_WORDS},
        {&device->position, padded, device->position_bytes, SAVED, "position", n},
        {&device->velocity, padded, device->velocity_bytes, SAVED, "velocity", n},
        {&device->acceleration, padded, device->velocity_bytes, ARRAY_ZERO, "acceleration", n},
        {&device->id, padded, sizeof(uint32_t), SAVED, "id", n},
        {&device->image, padded * (double)dim, sizeof(int32_t), SAVED, "image", n * dim},
        {&device->energy, padded, sum, ARRAY_ZERO},
        {&device->virial, padded, sum, ARRAY_ZERO},
        {&device->chain, CHAIN_LINKS, sum, has_chain ? SAVED : ARRAY_ZERO, "chain", CHAIN_LINKS},
        {&device->exchange, entries ? padded * (double)(entries / n) : 1, GAS_EXCHANGE_BYTES, SAVED, "ledger",
         exchange},
    };
    device->arrays.queue = solver->queue;
    ARRAYS_SET(&device->arrays, list);
}

/* Bytes of host memory that the upload of a start needs in addition to the start: first the grid of boxes by
 * which overlaps are found, then instead of the grid the arrays in the format of the device. On a CPU device
 * the buffers, of `total` bytes, are in host memory, too. */
static double upload_bytes(const struct gas_device *device, const struct shoal_device_info *info,
                           double total)
{
    const double boxes = (double)device->problem.n * 2 * sizeof(uint32_t);
    const double arrays =
        (double)device->padded * (double)(device->position_bytes + device->velocity_bytes + sizeof(uint32_t));
    return info->is_cpu ? total + arrays : fmax(boxes, arrays);
}

/* Each share of a divided gas holds all particles, and shares in the same memory must fit there together. */
double gas_device_bytes(struct shoal_solver *solver)
{
    const struct gas_method *method = gas_device_method(solver);
    const double alike = solver->share.of ? (double)solver->share.neighbours : 1;
    return alike *
           (arrays_bytes(&gas_device_of(solver)->arrays) + (method->bytes ? method->bytes(solver) : 0));
}

static double host_bytes(struct shoal_solver *solver)
{
    struct shoal_solver *holder = gas_holder(solver);
    return shoal_device_get_info(holder->device)->is_cpu ? gas_device_bytes(holder) : 0;
}

/* Checks that the device and the host have enough memory. This is done before the start is drawn and kernels
 * are built, since a start of many particles takes minutes. */
static enum shoal_status check_memory(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const double total = gas_device_bytes(solver);
    char what[48];
    snprintf(what, sizeof what, "%zu particles", device->problem.n);
    enum shoal_status status = arrays_check(&device->arrays, total - arrays_bytes(&device->arrays), what,
                                            "lower --particles", error);
    return status ? status : gas_check_host(&device->problem, upload_bytes(device, info, total), error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status write_words(struct shoal_solver *solver, struct shoal_error *error)
{
    const uint64_t seed = gas_seed(&gas_device_of(solver)->problem);
    const uint32_t words[GAS_WORDS] = {
        [WORD_EXPLODED] = UINT32_MAX, [WORD_EXPLODED_ID] = UINT32_MAX,
        [WORD_ESCAPED] = UINT32_MAX,  [WORD_ESCAPED_ID] = UINT32_MAX,
        [WORD_SEED] = (uint32_t)seed, [WORD_SEED + 1] = (uint32_t)(seed >> 32)};
    return shoal_buffer_write(solver->queue, gas_device_of(solver)->words, 0, words, sizeof words, error);
}

/* Uploads the positions and velocities of the start, changes the velocities to those at half a step before
 * the start, and computes the forces. */
static enum shoal_status place(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    enum shoal_status status = device->is_borrowed ? gas_borrow_problem(solver, error) : SHOAL_OK;
    device->scheduled = 0;
    if (!status)
        status = gas_schedule_settle(solver, 0, error);
    if (!status && gas_has_moving_box(&device->problem))
        status = gas_fit_box(solver, error);
    if (!status)
        status = write_words(solver, error);
    if (!status)
        status = gas_observer_reset(solver, error);
    /* If a later step rescales velocities, the kernels of gas_rescale are launched once before the start is
     * uploaded, so that drivers compile these kernels before steps are timed. Kernels of steps, among them
     * those that scale velocities first, are not launched here. */
    if (!status && gas_rescale_next(gas_params(solver), 0) < UINT64_MAX)
        status = gas_rescale(solver, 0, error);
    /* That launch moves the chain, too, by a field or by the velocities before a minimisation. */
    if (!status)
        status =
            shoal_buffer_fill(solver->queue, device->chain, 0, CHAIN_LINKS * sum_bytes(device), 0, error);
    if (!status)
        status = gas_upload(solver, device->problem.position, device->problem.velocity, error);
    if (!status)
        status = gas_species_place(solver, device->id, false, error);
    if (!status)
        status = gas_piston_place(solver, error);
    if (!status && solver->method.method->begin)
        status = solver->method.method->begin(solver, error);
    if (!status)
        status = gas_device_method(solver)->forces(solver, false, error);
    return status ? status : gas_kick_back(solver, error);
}

/* Uploads the start to the device, or to all devices that share the gas. */
static enum shoal_status place_all(struct shoal_solver *solver, struct shoal_error *error)
{
    return solver->shares ? solver->shares->begin(solver, error) : place(solver, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    enum shoal_status status = place_all(solver, error);
    if (!status && gas_minimises(&device->problem) && !solver->share.of) {
        status = gas_minimise(solver, &device->problem, error);
        if (!status)
            status = place_all(solver, error);
    }
    /* Launches the kernels that observe once, so that drivers compile them before samples are timed. Without
     * an equilibration the sample of step 0 does this. */
    if (status || !gas_is_equilibrating(&device->common) || solver->shares)
        return status;
    status = gas_observer_launch_first(solver, error);
    return !status && device->tabler ? gas_tabler_launch_first(solver, error) : status;
}

/* Number of the step in which particles failed, and the lowest number of such a particle. step UINT32_MAX: no
 * particle failed. */
struct trouble {
    uint32_t step, id;
};

static struct trouble first_of(struct trouble a, struct trouble b)
{
    if (a.step != b.step)
        return a.step < b.step ? a : b;
    return a.id < b.id ? a : b;
}

/* Fails if a particle exploded or escaped on any device. A run does not continue after such a failure. */
static enum shoal_status look_for_trouble(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct solver_list holders = solver_holders(&solver);
    const struct trouble none = {UINT32_MAX, UINT32_MAX};
    struct trouble exploded = none, escaped = none;
    for (size_t k = 0; k < holders.count; k++) {
        uint32_t words[GAS_WORDS];
        enum shoal_status status = gas_read_words(holders.solvers[k], words, error);
        if (status)
            return status;
        exploded = first_of(exploded, (struct trouble){words[WORD_EXPLODED], words[WORD_EXPLODED_ID]});
        escaped = first_of(escaped, (struct trouble){words[WORD_ESCAPED], words[WORD_ESCAPED_ID]});
    }
    if (exploded.step < UINT32_MAX && exploded.step <= escaped.step)
        return gas_fail_exploded(problem, exploded.step, exploded.id, error);
    if (escaped.step < UINT32_MAX)
        return gas_fail_escaped(problem, escaped.step, escaped.id, error);
    return SHOAL_OK;
}

/* Whether the method rescales velocities, so that its steps need not end there. */
static bool method_rescales(const struct shoal_solver *solver)
{
    const struct gas_method *method = gas_device_method(solver);
    return method->rescales && method->rescales(solver);
}

/* Makes `steps` steps, which end at the next write of scheduled rows and, unless the method rescales
 * velocities, at the next rescaling at the latest. First rescales velocities and computes the limit of
 * energies, if they are due before these steps. A method without `advance` makes one step: `steps` is 1. */
static enum shoal_status advance_piece(struct shoal_solver *solver, uint64_t steps_done, uint64_t steps,
                                       struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const bool limits = device->problem.rules.mean;
    const bool rescales = !method_rescales(solver) && gas_rescale_is_due(gas_params(solver), steps_done);
    enum shoal_status status = gas_schedule_write(solver, steps_done, error);
    /* Both compute velocities of the full step, with the field and the trap of this step. */
    if (!status && (rescales || limits))
        status = gas_schedule_settle(solver, steps_done, error);
    if (!status && (!solver->method.method->advance || rescales || limits))
        status = gas_device_method(solver)->forces(solver, false, error);
    /* Both the rescaling and the limiter use the mean energy of all particles. */
    if (!status && (rescales || limits))
        status = gas_gather(solver, GAS_MOTION, true, error);
    if (!status && rescales)
        status = gas_rescale(solver, steps_done, error);
    if (!status && limits)
        status = gas_find_limit(solver, error);
    if (!status)
        status = solver->method.method->advance ? solver->method.method->advance(solver, steps, error)
                                                : gas_advance(solver, steps_done, error);
    if (!status && !solver->method.method->advance)
        status = gas_piston_follow(solver, steps_done + 1, error);
    return status || device->domains ? status : gas_gather(solver, GAS_POSITIONS, true, error);
}

/* The number of steps for which the rows of the schedule must be written anew, at the latest; UINT64_MAX:
 * there is no schedule. */
static uint64_t next_change(const struct gas_device *device, uint64_t steps_done)
{
    if (!gas_has_schedule(&device->problem))
        return UINT64_MAX;
    return steps_done < device->scheduled ? device->scheduled : steps_done + SCHEDULE_ROWS;
}

static enum shoal_status advance_own(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct shoal_gas_params *params = gas_params(solver);
    const bool one_by_one = !solver->method.method->advance || device->problem.rules.mean;
    const uint64_t end = device->common.clock.steps_done + steps;
    const bool is_timed = !solver->method.method->advance && queue_is_profiling(solver->queue);
    enum shoal_status status = SHOAL_OK;
    device->is_sound = false;
    for (device->steps_done = device->common.clock.steps_done; device->steps_done < end && !status;) {
        const uint64_t steps_done = device->steps_done;
        const uint64_t rescaling =
            method_rescales(solver) ? UINT64_MAX : gas_rescale_next(params, steps_done);
        const uint64_t change = next_change(device, steps_done);
        const uint64_t soonest = rescaling < change ? rescaling : change;
        const uint64_t next = one_by_one ? steps_done + 1 : soonest < end ? soonest : end;
        device->samples.is_wanted = is_timed && next == end;
        status = advance_piece(solver, steps_done, next - steps_done, error);
        device->steps_done = next;
    }
    device->samples.steps += steps;
    if (!status)
        status = gas_schedule_settle(solver, end, error);
    /* a share leaves this check to the solver of the whole run */
    if (!status && !solver->share.of && !device->is_sound)
        status = look_for_trouble(solver, error);
    if (!status)
        status = gas_piston_read(solver, error);
    if (!status)
        return gas_samples_take(&device->samples, error);
    gas_samples_drop(&device->samples);
    return status;
}

/* Makes `steps` steps on all devices that share the gas. */
static enum shoal_status advance_shares(struct shoal_solver *solver, uint64_t steps,
                                        struct shoal_error *error)
{
    uint64_t done;
    const enum shoal_status status = solver->shares->step(solver, steps, &done, error);
    gas_common_of(solver)->dropped = steps - done;
    gas_set_step(&gas_device_of(solver)->problem, gas_common_of(solver)->clock.steps_done + done);
    return status ? status : look_for_trouble(solver, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return solver->shares ? advance_shares(solver, steps, error) : advance_own(solver, steps, error);
}

static double force_tolerance(const struct shoal_solver *solver)
{
    const struct solver_shares *shares = solver->shares;
    double most = 0;
    if (!shares)
        return gas_device_method(solver)->force_tolerance(solver);
    /* the tolerance depends on the kernels, which differ between devices */
    for (size_t k = 0; k < shares->count; k++)
        most = fmax(most, gas_device_method(shares->solvers[k])->force_tolerance(shares->solvers[k]));
    return most;
}

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    const struct shoal_solver *holder = gas_const_holder(solver);
    *timing =
        (struct shoal_gas_timing){.force_s = NAN,
                                  .list_s = NAN,
                                  .sort_s = NAN,
                                  .observe_s = gas_observer_seconds(solver) + gas_tabler_seconds(solver),
                                  .mean_neighbours = NAN,
                                  .skin = NAN,
                                  .rebuild_interval = NAN,
                                  .method = holder->method.method->name};
    gas_samples_fill(&gas_device_of(holder)->samples, timing);
    if (gas_device_method(holder)->timing)
        gas_device_method(holder)->timing(holder, timing);
}

static void changed(struct shoal_solver *solver)
{
    struct gas_device *device = gas_device_of(solver);
    device->scheduled = 0; /* the rows on the device have the values before the change */
    gas_set_step(&device->problem, device->common.clock.steps_done);
}

static const struct gas_stepper stepper = {
    .begin = begin,
    .advance = advance,
    .resize = gas_resize,
    .measure = gas_observe,
    .count = gas_observe_histograms,
    .get_counts = gas_observed_counts,
    .mark = gas_observe_mark,
    .displacements = gas_observe_displacements,
    .set_origin = gas_observe_set_origin,
    .correlate = gas_observe_correlate,
    .tabulate = gas_observe_tables,
    .get_state = gas_download,
    .host_bytes = host_bytes,
    .begin_copy = gas_copy_begin,
    .end_copy = gas_copy_end,
    .destroy_copy = gas_copy_destroy,
    .write_rows = gas_write_rows,
    .fire_sums = gas_fire_sums,
    .fire_move = gas_fire_move,
    .get_accelerations = gas_download_accelerations,
    .force_tolerance = force_tolerance,
    .timing = timing,
    .draw = gas_device_draw,
    .changed = changed,
};

/* Solver ----------------------------------------------------------------------------------------------- */

static enum shoal_status create_problem(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    device->is_borrowed = solver->share.of;
    if (device->is_borrowed)
        return gas_borrow_problem(solver, error);
    enum shoal_status status =
        gas_problem_create(device_shoal(solver->device), gas_params(solver), &device->problem, error);
    return status || device->precision == SHOAL_GAS_DOUBLE ? status : gas_check_grid(&device->problem, error);
}

/* Draws or reads the start. A share uses the start of the whole run. */
static enum shoal_status create_start(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    if (device->is_borrowed)
        return SHOAL_OK;
    enum shoal_status status = gas_problem_start(device_shoal(solver->device), &device->problem, error);
    return status ? status : solver_keep_notes(solver, device->problem.notes, error);
}

static enum shoal_status choose_method(struct shoal_solver *solver, const struct method **method,
                                       struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    set_choice(problem, &solver->choice);
    if (solver->share.of)
        solver->choice.asked = gas_shared_method(solver->share.rules)->name;
    return method_choose(solver->device, &solver->choice,
                         method_by_rule(problem, shoal_device_get_info(solver->device)), method, error);
}

/* For a gas that devices share: chooses the method, checks memory and creates the start of the whole run. */
static enum shoal_status create_whole(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct method *method;
    const double boxes = (double)gas_device_of(solver)->problem.n * 2 * sizeof(uint32_t);
    enum shoal_status status = choose_method(solver, &method, error);
    if (!status)
        status = gas_check_shared(solver->shares->rules, method, error);
    if (!status)
        status = gas_check_host(&gas_device_of(solver)->problem, boxes, error);
    return status ? status : create_start(solver, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_gas_params *params = gas_params(solver);
    struct gas_device *device = calloc(1, sizeof *device);
    solver->state = device;
    if (!device)
        return fail_host_memory(error);
    device->precision = (enum shoal_gas_precision)params->precision;
    enum shoal_status status = gas_check_device(params, shoal_device_get_info(solver->device), error);
    if (!status)
        status = create_problem(solver, error);
    if (!status)
        status = gas_common_create(&device->common, &device->problem, &stepper, error);
    if (status || solver->shares)
        return status ? status : create_whole(solver, error);
    gas_kernel_texts(&device->problem, solver->programs.texts);
    device->position_bytes = gas_position_bytes(&device->problem);
    device->velocity_bytes = gas_vector_bytes(&device->problem);
    device->padded = (device->problem.n + 1023) / 1024 * 1024;
    status = choose_method(solver, &solver->method.method, error);
    list_arrays(solver);
    if (!status)
        status = check_memory(solver, error);
    if (!status)
        status = create_start(solver, error);
    if (!status)
        status = arrays_create(&device->arrays, error);
    if (!status)
        status = gas_settings_write(solver, error);
    if (!status)
        status = gas_species_start(solver, error);
    if (!status)
        status = method_create(solver, error);
    if (!status)
        status = gas_motion_create(solver, error);
    if (!status)
        status = gas_piston_start(solver, error);
    if (!status && params->minimise)
        status = gas_minimiser_create(solver, error);
    if (!status)
        status = gas_observer_create(solver, error);
    if (!status && gas_has_tables(params))
        status = gas_tabler_create(solver, error);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct gas_device *device = gas_device_of(solver);
    if (!device)
        return;
    /* Buffers may be destroyed only when no command uses them; errors of these commands do not matter any
     * more. */
    struct shoal_error ignored;
    if (solver->queue && shoal_queue_finish(solver->queue, &ignored))
        device->common.begun = false;
    gas_samples_drop(&device->samples);
    gas_painter_destroy(solver);
    gas_tabler_destroy(solver);
    gas_observer_destroy(solver);
    gas_minimiser_destroy(solver);
    gas_piston_destroy(solver);
    gas_motion_destroy(solver);
    method_destroy(solver);
    arrays_destroy(&device->arrays);
    gas_common_destroy(&device->common);
    if (!device->is_borrowed)
        gas_problem_destroy(&device->problem);
    free(device);
}

/* Returns a bound of the relative error after `steps` steps. In each step, position and velocity are rounded,
 * together by 2 epsilon, and the error of the force changes the velocity: by 0.02 times the relative error of
 * the force, since this is the relative change of a velocity in a step with the default dt of 0.005. At worst
 * the errors of the steps add up, for some tens of steps. (Measured over 20 steps of liquids in 2D and 3D:
 * 2e-8 in single and mixed precision, 5e-17 in double.) */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    const struct gas_device *device = gas_device_of(solver);
    const double epsilon = device->precision == SHOAL_GAS_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    const double force = force_tolerance(solver);
    return (2 * epsilon + 0.02 * force) * ((double)steps + 1);
}

const struct shoal_solver_ops gas_device_ops = {
    .kind = "device",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = gas_step,
    .result = gas_result,
    .value = gas_value,
    .save = gas_device_save,
    .load = gas_device_load,
    .leave = gas_leave,
    .follow = gas_device_follow,
    .state_count = gas_state_count,
    .get_state = gas_get_state,
    .tolerance = tolerance,
};
