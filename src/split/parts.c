/* The parts of a run, which begin, make steps and end at the same time. */
#include "split/parts.h"

#include "base/error.h"
#include "compute/clock.h"
#include "compute/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct split *split_of(const struct shoal_solver *whole)
{
    return (struct split *)whole->shares;
}

/* Records the failure of a part, unless another part has failed before, and tells the other parts to stop. */
static void note_failure(struct part *part)
{
    size_t none = 0;
    if (part->status)
        atomic_compare_exchange_strong(&part->split->failed, &none, (size_t)(part - part->split->parts) + 1);
}

/* Returns the part that the message of `part`'s failure names: if `part` failed because the device of another
 * part is lost, for whose rows it waited, that other part. */
static const struct part *find_cause(const struct part *part)
{
    const struct split *split = part->split;
    if (part->status != SHOAL_DEVICE_LOST || device_is_lost(part->device))
        return part;
    for (size_t k = 0; k < split->count; k++)
        if (device_is_lost(split->parts[k].device))
            return &split->parts[k];
    return part;
}

/* Returns status and error of the part that failed first. The errors of other parts may be consequences of
 * this one. */
static enum shoal_status first_failure(const struct split *split, struct shoal_error *error)
{
    const size_t number = atomic_load(&split->failed);
    if (!number)
        return SHOAL_OK;
    const struct part *part = &split->parts[number - 1], *cause = find_cause(part);
    if (error)
        *error = part->error;
    const struct shoal_device_info *info = shoal_device_get_info(cause->device);
    if (split->count > 1)
        error_prefix(error, "part %zu of %zu, %s%s%s: ", (size_t)(cause - split->parts) + 1, split->count,
                     info->id, *info->host ? " on " : "", info->host);
    return part->status;
}

/* Called before a task: clears the failure of an earlier task, and lets the parts wait for each other
 * again. */
static enum shoal_status forget_failure(struct split *split, struct shoal_error *error)
{
    if (!atomic_exchange(&split->failed, 0))
        return SHOAL_OK;
    for (size_t k = 0; k < split->count; k++) {
        struct part *part = &split->parts[k];
        part->status = part_wait_again(part, &part->error);
        note_failure(part);
    }
    return first_failure(split, error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static bool is_stopped(void *data)
{
    struct split *split = ((struct part *)data)->split;
    pthread_mutex_lock(&split->asking);
    const bool ends = solver_is_stopped(split->whole);
    pthread_mutex_unlock(&split->asking);
    return ends || atomic_load(&split->failed);
}

static bool caller_ends(struct split *split)
{
    pthread_mutex_lock(&split->asking);
    const bool ends = solver_must_end(split->whole);
    pthread_mutex_unlock(&split->asking);
    return ends;
}

void part_ask(struct part *part)
{
    struct split *split = part->split;
    solver_got_further(split->whole);
    if (split->shares.rules->is_cut_in_steps && caller_ends(split))
        atomic_store(&split->must_end, true);
}

/* Called by the solver of a part within its steps: whether the part must end. Each call tells the watchdog
 * that the run is alive, so a part that hangs is found hang_limit seconds after the other parts have ended
 * the task. Once a part has made all steps, no part is cut, since it would have to make its step again. Parts
 * that meet within a step must all end in the same step: for them part->must_end decides, which all parts set
 * in the same meeting. */
static bool must_end(void *data)
{
    struct part *part = data;
    struct split *split = part->split;
    bool ends = part->must_end;
    solver_got_further(split->whole);
    if (atomic_load(&split->failed))
        return true;
    if (!split->shares.rules->meets)
        ends = !atomic_load(&split->is_reached) && caller_ends(split);
    part->is_cut = part->is_cut || ends;
    return ends;
}

static void make_steps(struct part *part)
{
    struct split *split = part->split;
    uint64_t done = 0;
    part->solver->must_end = split->whole->must_end ? must_end : NULL;
    part->solver->end_data = part;
    part->status = shoal_solver_step(part->solver, split->steps - part->done, &done, &part->error);
    part->done += done;
    if (!part->status)
        part->status = part_settle(part, &part->error);
    if (!part->status)
        part->status = shoal_queue_finish(part->queue, &part->error);
    note_failure(part);
    if (!part->status && split->steps && part->done == split->steps)
        atomic_store(&split->is_reached, true);
    part->solver->must_end = NULL;
    solver_got_further(split->whole);
}

static void begin_steps(struct part *part)
{
    part->done = 0;
    part->is_cut = part->must_end = false;
    if (part->solver)
        make_steps(part);
}

/* After a cut the parts may be at different steps: makes the steps that this part has made less than the part
 * with the most steps. These steps are not cut. */
static void catch_up(struct part *part)
{
    if (part->is_cut && part->done < part->split->steps)
        make_steps(part);
}

/* Makes split->steps steps with all parts. *done: largest number of steps that a part has made. */
static enum shoal_status make_all_steps(struct split *split, uint64_t *done, struct shoal_error *error)
{
    bool is_cut = false;
    enum shoal_status status = forget_failure(split, error);
    if (status)
        return status;
    split->is_timed = true;
    atomic_store(&split->is_reached, false);
    atomic_store(&split->must_end, false);
    team_do(split, begin_steps);
    status = first_failure(split, error);
    for (size_t k = 0; k < split->count; k++) {
        const struct part *part = &split->parts[k];
        *done = part->done > *done ? part->done : *done;
        is_cut = is_cut || part->is_cut;
        /* If the units of a part have all ended, the part has less work than its share, so its times no
         * longer show its speed. */
        if (part->solver && !part->is_cut && part->done < split->steps)
            split->balance.is_settled = true;
    }
    if (!status && is_cut) {
        split->steps = *done;
        atomic_store(&split->is_reached, true);
        team_do(split, catch_up);
        status = first_failure(split, error);
    }
    split->is_timed = false;
    return status;
}

static enum shoal_status step(struct shoal_solver *whole, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct split *split = split_of(whole);
    *done = 0;
    if (split->has_failed)
        return fail(
            error, SHOAL_INVALID,
            "a part of the run has failed, and the others are at other steps: begin or resume the run "
            "anew");
    enum shoal_status status = instance_check_alive(device_shoal(split->parts[0].device), error);
    if (!status && steps)
        status = parts_balance(split, error);
    split->steps = steps;
    if (!status)
        status = make_all_steps(split, done, error);
    split->at += *done;
    split->steps_done += *done;
    split->unlooked += *done;
    split->has_failed = status != SHOAL_OK;
    return status;
}

static void do_work(struct part *part)
{
    struct split *split = part->split;
    const double launched_s = part_launched_s(part);
    part->status = SHOAL_OK;
    if (part->solver)
        part->status = split->work(part->solver, split->work_data, &part->error);
    part->aside_s += part_launched_s(part) - launched_s;
    note_failure(part);
    solver_got_further(split->whole);
}

static enum shoal_status each(struct shoal_solver *whole,
                              enum shoal_status (*work)(struct shoal_solver *share, void *data,
                                                        struct shoal_error *error),
                              void *data, struct shoal_error *error)
{
    struct split *split = split_of(whole);
    const enum shoal_status status = forget_failure(split, error);
    if (status)
        return status;
    split->work = work;
    split->work_data = data;
    team_do(split, do_work);
    return first_failure(split, error);
}

/* Times ------------------------------------------------------------------------------------------------ */

double part_launched_s(const struct part *part)
{
    const struct shoal_queue *beside = part->beside;
    return queue_first_launch_seconds(part->queue) + (beside ? queue_first_launch_seconds(beside) : 0);
}

static double launches_of(const struct part *part)
{
    return part_launched_s(part) - part->created_s;
}

static double first_launch_s(const struct solver_shares *shares)
{
    const struct split *split = (const struct split *)shares;
    double most = 0;
    for (size_t k = 0; k < split->count; k++)
        most = fmax(most, launches_of(&split->parts[k]));
    return most;
}

double parts_work_s(const struct part *part)
{
    return part->busy_s - (launches_of(part) - part->aside_s);
}

static double busy_s(const struct solver_shares *shares)
{
    const struct split *split = (const struct split *)shares;
    double most = 0;
    for (size_t k = 0; k < split->count; k++)
        most = fmax(most, parts_work_s(&split->parts[k]));
    return most;
}

static struct shoal_device *at_work(const struct solver_shares *shares, size_t *number, size_t *of)
{
    const struct split *split = (const struct split *)shares;
    *of = split->count;
    for (*number = 1; *number <= split->count; ++*number) {
        const struct part *part = &split->parts[*number - 1];
        if (part->share.count && atomic_load(&part->is_at_work))
            return part->device;
    }
    return NULL;
}

/* Begin and end ---------------------------------------------------------------------------------------- */

static void create(struct part *part)
{
    struct split *split = part->split;
    struct shoal_solver *whole = split->whole;
    part->share.whole = whole;
    const struct solver_setup setup = {.is_stopped = is_stopped,
                                       .stop_data = part,
                                       .share = part->share,
                                       .meet = split->shares.rules->meets ? part_meet : NULL,
                                       .join = part_join_early,
                                       .meet_data = part};
    part->status = SHOAL_OK;
    if (!part->share.count)
        return;
    void *params = NULL;
    part->status = workload_params_take(__func__, whole->workload, whole->params, &params, &part->error);
    if (!part->status) {
        own_params_set(part, whole->workload, params);
        split->shares.rules->take(&part->share, params);
        part->status = solver_create(whole->workload, part->device, part->queue, params, split->variant,
                                     &setup, &part->solver, &part->error);
    }
    note_failure(part);
    free(params);
    solver_got_further(whole); /* a driver may compile for a long time, also in the middle of a run */
}

static void open_links(struct part *part)
{
    part->status = part_open_links(part, &part->error);
    note_failure(part);
}

enum shoal_status parts_open_links(struct split *split, struct shoal_error *error)
{
    if (!split->shares.rules->meets)
        return SHOAL_OK;
    team_do(split, open_links);
    split->has_gathers = true;
    for (size_t k = 0; k < split->count; k++)
        split->has_gathers = split->has_gathers && split->parts[k].gather;
    return first_failure(split, error);
}

/* Destroys the solver of a part. All parts do so before any part creates its new solver, since a part of the
 * state may be in memory that belongs to units and moves with them to another part. */
static void drop(struct part *part)
{
    shoal_solver_destroy(&part->solver);
}

enum shoal_status parts_renew(struct split *split, struct shoal_error *error)
{
    size_t count = 0;
    enum shoal_status status = forget_failure(split, error);
    if (status)
        return status;
    team_do(split, part_rest);
    team_do(split, drop);
    team_do(split, create);
    for (size_t k = 0; k < split->count; k++)
        if (split->parts[k].solver)
            split->shares.solvers[count++] = split->parts[k].solver;
    split->shares.count = count;
    status = first_failure(split, error);
    return status || !split->shares.rules->agree ? status : split->shares.rules->agree(split->whole, error);
}

enum shoal_status parts_create(struct split *split, struct shoal_error *error)
{
    const enum shoal_status status = parts_renew(split, error);
    for (size_t k = 0; k < split->count; k++) {
        struct part *part = &split->parts[k];
        /* Times are counted from the first step on. */
        part->busy_s = part->idle_s = part->looked_s = part->aside_s = part->last_wait = 0;
        part->unmarked = part->unmarked_later = 0;
        part->created_s = part_launched_s(part);
    }
    return status;
}

static enum shoal_status begin(struct shoal_solver *whole, struct shoal_error *error)
{
    struct split *split = split_of(whole);
    uint64_t done;
    enum shoal_status status = split->is_begun ? parts_create(split, error) : SHOAL_OK;
    split->is_begun = true;
    split->has_failed = status != SHOAL_OK;
    split->at = split->steps_done = split->unlooked = 0;
    return status ? status : step(whole, 0, &done, error);
}

static void loads(struct shoal_solver *whole, const struct checkpoint *state)
{
    struct split *split = split_of(whole);
    struct shoal_error ignored;
    const char *name = workload_of(whole->workload)->steps_section;
    const struct checkpoint_section *at = name ? checkpoint_find(state, name) : NULL;
    /* Commands of a failed task must not write to the state that is loaded. */
    if (forget_failure(split, &ignored)) {
        /* the next task tries this again */
    }
    split->is_begun = true;
    split->has_failed = false;
    split->at = 0;
    if (at && at->bytes >= sizeof split->at)
        memcpy(&split->at, at->data, sizeof split->at);
}

void parts_free(struct split *split)
{
    if (!split)
        return;
    for (size_t k = 0; k < split->count; k++) {
        part_close_links(&split->parts[k]);
        free(split->parts[k].own_params);
    }
    free(split->shares.solvers);
    free(split->measured);
    free(split->parts);
    free(split);
}

/* Destroys solvers and queues, then ends the threads, which sleep at this time. A run that was abandoned
 * during a task is never destroyed. */
static void destroy(struct shoal_solver *whole)
{
    struct split *split = split_of(whole);
    for (size_t k = 0; k < split->count && split->parts[k].queue; k++)
        part_rest(&split->parts[k]);
    for (size_t k = 0; k < split->count; k++) {
        shoal_solver_destroy(&split->parts[k].solver);
        part_clear_marks(&split->parts[k]);
        struct shoal_queue *beside = split->parts[k].beside;
        split->parts[k].beside = NULL;
        shoal_queue_destroy(&beside);
        if (k)
            shoal_queue_destroy(&split->parts[k].queue);
    }
    team_end(split);
    parts_free(split);
    whole->shares = NULL;
}

const struct solver_shares parts_shares = {.begin = begin,
                                           .step = step,
                                           .each = each,
                                           .first_launch_s = first_launch_s,
                                           .busy_s = busy_s,
                                           .at_work = at_work,
                                           .loads = loads,
                                           .destroy = destroy};
