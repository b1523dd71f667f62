/* The functions that all workloads and solvers share. */
#include "workload/workload.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/clock.h"
#include "workload/checkpoint/saved_options.h"
#include "workload/result.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Solvers ---------------------------------------------------------------------------------------------- */

enum shoal_status shoal_solver_create(const struct shoal_workload *workload, struct shoal_device *device,
                                      struct shoal_queue *queue, const void *params,
                                      enum shoal_variant variant, struct shoal_solver **out,
                                      struct shoal_error *error)
{
    const struct solver_setup none = {.is_stopped = NULL};
    if (!NEED(error, workload, device, params, out))
        return SHOAL_INVALID;
    return solver_create(workload, device, queue, params, variant, &none, out, error);
}

enum shoal_status solver_create(const struct shoal_workload *workload, struct shoal_device *device,
                                struct shoal_queue *queue, const void *params, enum shoal_variant variant,
                                const struct solver_setup *setup, struct shoal_solver **out,
                                struct shoal_error *error)
{
    *out = NULL;
    bool is_host = shoal_device_get_info(device)->is_host;
    enum shoal_status status = SHOAL_OK;
    if (is_host != !queue)
        status = fail(error, SHOAL_INVALID, "a solver on %s takes %s queue",
                      shoal_device_get_info(device)->id, is_host ? "no" : "a");
    else if (queue && shoal_queue_device(queue) != device)
        status = fail(error, SHOAL_INVALID, "the queue belongs to another device than %s",
                      shoal_device_get_info(device)->id);
    else if (!is_host && !workload_of(workload)->device)
        status = fail(error, SHOAL_UNSUPPORTED, "%s runs on the host alone, not on %s: use --device host",
                      workload->name, shoal_device_get_info(device)->id);
    struct shoal_solver *solver = status ? NULL : calloc(1, sizeof *solver);
    if (!solver) {
        struct shoal_solver none = {.shares = setup->shares};
        if (none.shares)
            none.shares->destroy(&none);
        return status ? status : fail_host_memory(error);
    }
    *solver =
        (struct shoal_solver){.workload = workload,
                              .ops = is_host ? workload_of(workload)->host : workload_of(workload)->device,
                              .device = device,
                              .queue = queue,
                              .programs = {.device = device, .variant = variant},
                              .is_stopped = setup->is_stopped,
                              .stop_data = setup->stop_data,
                              .share = setup->share,
                              .meet = setup->meet,
                              .join = setup->join,
                              .meet_data = setup->meet_data,
                              .shares = setup->shares,
                              .joint = setup->joint};
    status = workload_params_take("shoal_solver_create", workload, params, &solver->params, error);
    if (!status && !setup->share.of)
        status = workload_params_check(workload, solver->params, error);
    if (!status && !setup->share.of)
        status = saved_files_take(workload, solver->params, &solver->files, error);
    if (!status)
        status = solver->ops->create(solver, error);
    if (!status && variant == SHOAL_VARIANT_CU && !is_host && !solver->shares &&
        !shoal_solver_is_native(solver))
        status =
            fail(error, SHOAL_UNSUPPORTED,
                 "%s on %s has no native CUDA text for this problem and method: use --variant cl or auto",
                 workload->name, shoal_device_get_info(device)->id);
    if (status) {
        shoal_solver_destroy(&solver);
        return status;
    }
    *out = solver;
    return SHOAL_OK;
}

void shoal_solver_destroy(struct shoal_solver **solver)
{
    if (!solver || !*solver)
        return;
    if ((*solver)->shares)
        (*solver)->shares->destroy(*solver);
    (*solver)->ops->destroy(*solver);
    programs_destroy(&(*solver)->programs);
    text_free(&(*solver)->chosen_text);
    text_free(&(*solver)->notes);
    saved_files_free(&(*solver)->files);
    text_free(&(*solver)->stage);
    free((*solver)->params);
    free(*solver);
    *solver = NULL;
}

enum shoal_status shoal_solver_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                    struct shoal_error *error)
{
    if (!NEED(error, solver, done))
        return SHOAL_INVALID;
    *done = 0;
    solver->starts_later = false;
    return solver->ops->step(solver, steps, done, error);
}

enum shoal_status shoal_solver_run(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    uint64_t steps_done = 0, done = 0;
    do {
        enum shoal_status status = shoal_solver_step(solver, steps - steps_done, &done, error);
        if (status)
            return status;
        steps_done += done;
    } while (done && steps_done < steps);
    return steps_done == steps
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID, "the run is complete after %llu of %llu steps: ask for fewer",
                      (unsigned long long)steps_done, (unsigned long long)steps);
}

/* Sets the initial state if no step has been made, so that the solver has results and a state. A part of the
 * initial state that was cut (starts_later) stays as it is. */
static enum shoal_status initialise(struct shoal_solver *solver, struct shoal_error *error)
{
    uint64_t done;
    return solver->starts_later ? SHOAL_OK : solver->ops->step(solver, 0, &done, error);
}

enum shoal_status shoal_solver_result(struct shoal_solver *solver, struct shoal_result *result,
                                      struct shoal_error *error)
{
    if (!NEED(error, solver, result))
        return SHOAL_INVALID;
    struct shoal_result found = {.size = sizeof found};
    enum shoal_status status = RESULT_CHECK(result, value_digits, error);
    if (status)
        return status;
    status = initialise(solver, error);
    if (!status)
        status = solver->ops->result(solver, &found, error);
    const uint64_t warm_up = shoal_workload_warm_up_steps(solver->workload, solver->params);
    found.warm_up_steps = found.steps < warm_up ? found.steps : warm_up;
    if (!status)
        status = result_check_fields(&found, error);
    RESULT_GIVE(&found, value_digits, result);
    return status;
}

enum shoal_status solver_fail_check(const struct shoal_solver *solver, const struct shoal_result *result,
                                    struct shoal_error *error)
{
    return fail(error, SHOAL_CHECK_FAILED, "%s on %s: the result failed its check%s%s (%s)",
                solver->workload->name, shoal_device_get_info(solver->device)->id,
                *result->check_failure ? ": " : "", result->check_failure, result->check_name);
}

enum shoal_status shoal_solver_state(struct shoal_solver *solver, double *values, size_t capacity,
                                     size_t *count, struct shoal_error *error)
{
    if (!NEED(error, solver, count))
        return SHOAL_INVALID;
    *count = solver->ops->state_count(solver);
    if (!values)
        return SHOAL_OK;
    if (capacity < *count)
        return fail(error, SHOAL_INVALID, "the state has %zu numbers, there is room for %zu", *count,
                    capacity);
    solver->starts_later = false;
    enum shoal_status status = initialise(solver, error);
    return status ? status : solver->ops->get_state(solver, values, error);
}

enum shoal_status shoal_solver_remember(struct shoal_solver *solver, struct shoal_error *error)
{
    if (!NEED(error, solver))
        return SHOAL_INVALID;
    if (!solver->choice.methods)
        return fail(error, SHOAL_UNSUPPORTED, "%s on %s has one method only", solver->workload->name,
                    shoal_device_get_info(solver->device)->id);
    struct shoal_solver *first = solver_holders(&solver).solvers[0];
    const enum shoal_status status = method_remember(solver->device, &solver->choice, error);
    return status || !solver->ops->remember ? status : solver->ops->remember(first, error);
}

double shoal_solver_build_seconds(const struct shoal_solver *solver)
{
    double most = 0; /* shares are built at the same time: the longest build counts */
    if (!solver)
        return 0;
    const struct solver_list holders = solver_holders((struct shoal_solver *const *)&solver);
    for (size_t k = 0; k < holders.count; k++)
        most = fmax(most, holders.solvers[k]->programs.build_seconds);
    return most;
}

bool shoal_solver_is_native(const struct shoal_solver *solver)
{
    bool is_native = false;
    if (!solver)
        return false;
    const struct solver_list holders = solver_holders((struct shoal_solver *const *)&solver);
    for (size_t k = 0; k < holders.count; k++)
        is_native = is_native || programs_is_native(&holders.solvers[k]->programs);
    return is_native;
}

enum shoal_status solver_keep_notes(struct shoal_solver *solver, const char *lines, struct shoal_error *error)
{
    if (lines && *lines)
        text_printf(&solver->notes, "%s%s", solver->notes.length ? "\n" : "", lines);
    return solver->notes.failed ? fail_host_memory(error) : SHOAL_OK;
}

const char *shoal_solver_notes(const struct shoal_solver *solver)
{
    return solver && solver->notes.data ? solver->notes.data : "";
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

enum shoal_status solver_get_checkpoint(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                        struct shoal_error *error)
{
    const struct shoal_workload *workload = solver->workload;
    checkpoint_add(checkpoint, "workload", workload->name, strlen(workload->name));
    checkpoint_add(checkpoint, "solver", solver->ops->kind, strlen(solver->ops->kind));
    enum shoal_status status = saved_options_add(workload, solver->params, checkpoint, error);
    saved_files_add(&solver->files, checkpoint);
    if (solver->stage.length)
        checkpoint_add(checkpoint, "stage", solver->stage.data, solver->stage.length);
    return status ? status : solver->ops->save(solver, checkpoint, error);
}

enum shoal_status shoal_solver_save(struct shoal_solver *solver, const char *path, struct shoal_error *error)
{
    if (!NEED(error, solver, path))
        return SHOAL_INVALID;
    struct checkpoint checkpoint = {.is_streamed = true};
    enum shoal_status status = saved_files_check(&solver->files, error);
    if (!status)
        status = initialise(solver, error);
    if (!status)
        status = solver_get_checkpoint(solver, &checkpoint, error);
    if (!status)
        status = checkpoint_write(&checkpoint, path, error);
    checkpoint_clear(&checkpoint);
    return status;
}

/* Name of a kind of solver, "device" or "host", for messages. */
static const char *place_of(const char *kind, size_t length)
{
    return length == strlen("host") && memcmp(kind, "host", length) == 0 ? "the host" : "a device";
}

/* Checks that the run has at least as many steps as the checkpoint. */
static enum shoal_status check_steps(const struct shoal_workload *workload, const void *params,
                                     const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const char *name = workload_of(workload)->steps_section;
    const struct checkpoint_section *section = name ? checkpoint_find(checkpoint, name) : NULL;
    const uint64_t warm_up = shoal_workload_warm_up_steps(workload, params);
    const uint64_t steps = shoal_workload_total_steps(workload, params) - warm_up;
    uint64_t done = 0;
    if (section && section->bytes >= sizeof done)
        memcpy(&done, section->data, sizeof done);
    if (done <= warm_up || done - warm_up <= steps)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "checkpoint %s is at step %llu, this run ends at %llu: raise %s",
                checkpoint->path, (unsigned long long)(done - warm_up), (unsigned long long)steps,
                workload_of(workload)->steps_options);
}

enum shoal_status solver_match(const struct shoal_solver_ops *ops, const struct shoal_workload *workload,
                               const void *params, const struct checkpoint *checkpoint,
                               struct shoal_error *error)
{
    const struct checkpoint_section *name = checkpoint_find(checkpoint, "workload");
    const struct checkpoint_section *kind = checkpoint_find(checkpoint, "solver");
    struct differences differences = {.omitted = 0};
    if (!name || !kind)
        return fail(error, SHOAL_IO, "checkpoint %s does not say its %s", checkpoint->path,
                    name ? "solver" : "workload");
    if (!checkpoint_holds(checkpoint, "workload", workload->name))
        return fail(error, SHOAL_INVALID, "checkpoint %s is of workload \"%.*s\", this run of \"%s\"",
                    checkpoint->path, (int)(name->bytes < 30 ? name->bytes : 30), (const char *)name->data,
                    workload->name);
    if (!checkpoint_holds(checkpoint, "solver", ops->kind))
        differences_add(&differences, "the solver of %s, not of %s", place_of(kind->data, kind->bytes),
                        place_of(ops->kind, strlen(ops->kind)));
    enum shoal_status status =
        saved_options_compare(workload, workload_of(workload)->old_options, params, checkpoint,
                              SHOAL_OPTION_FREE_ON_RESUME, &differences, error);
    if (!status)
        status = differences_end(&differences, checkpoint, error);
    else
        text_free(&differences.text);
    return status ? status : check_steps(workload, params, checkpoint, error);
}

double solver_clock(const struct shoal_solver *solver)
{
    const struct solver_shares *shares = solver->shares;
    return shares ? clock_seconds() - shares->first_launch_s(shares) : queue_clock(solver->queue);
}

int solver_threads(const struct shoal_solver *solver)
{
    return solver->threads ? solver->threads : omp_get_max_threads();
}

enum shoal_status solver_set_checkpoint(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                        struct shoal_error *error)
{
    enum shoal_status status = solver_match(solver->ops, solver->workload, solver->params, checkpoint, error);
    if (status)
        return status;
    solver->began_s = solver->earlier_s = 0;
    status = solver->ops->load(solver, checkpoint, error);
    if (status)
        solver->earlier_s = 0;
    else
        solver->began_s = solver_clock(solver);
    return status;
}

enum shoal_status shoal_solver_load(struct shoal_solver *solver, const char *path, struct shoal_error *error)
{
    if (!NEED(error, solver, path))
        return SHOAL_INVALID;
    struct checkpoint checkpoint;
    void *file = NULL;
    enum shoal_status status = checkpoint_read(&checkpoint, path, &file, error);
    if (!status)
        status = solver_set_checkpoint(solver, &checkpoint, error);
    free(file);
    return status;
}
