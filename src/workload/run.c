/* One whole run: build, initial state, first step, the rest in chunks by the clock, the result. */
#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "base/watchdog/watchdog.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "compute/log.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of work between two polls of `stop`: half of a delay that users notice, since a chunk may take
 * longer than the measured chunk. */
static const double chunk_seconds = 0.1;
/* If a step takes more seconds than this, a message says so, because a step cannot be interrupted. */
static const double long_step_seconds = 1;

void shoal_run_params_init(struct shoal_run_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_run_params){.size = sizeof *params, .value_every = 0.25, .between_every = 0.03};
}

void shoal_report_clear(struct shoal_report *report)
{
    if (!report || RESULT_CHECK(report, result, NULL))
        return;
    shoal_solver_destroy(&report->solver);
    shoal_queue_destroy(&report->queue);
    RESULT_GIVE(&(struct shoal_report){.size = 0}, result, report);
}

bool shoal_is_hung(const struct shoal *shoal)
{
    return shoal && instance_is_hung(shoal);
}

struct run {
    const struct shoal_run_params *params;
    struct shoal_report *report;
    uint64_t done, total; /* done: steps done; total: steps of the whole run. Both include the steps before a
                           * checkpoint. */
    double start;         /* time on the clock when the initial state was begun */
    double limit;         /* seconds that the run may take from `start`; NaN: no limit */
    /* looked: time on the clock of the last read of the value; saved: time on the clock of the last save */
    double looked, saved;
    double between;      /* time on the clock at which params->between is due */
    uint64_t most_steps; /* most steps of a chunk; 0: no limit */
    bool complete;
    bool can_cut;          /* steps ask, while they run, whether the run must end, and can be cut */
    struct worker *worker; /* thread for steps that may never end; NULL: not needed so far */
};

static const struct solver_shares *shares_of(const struct shoal_report *report)
{
    return report->solver ? report->solver->shares : NULL;
}

static double clock_of(const struct run *run)
{
    const struct shoal_report *report = run->report;
    return report->solver ? solver_clock(report->solver) : queue_clock(report->queue);
}

static bool is_stopped(void *data)
{
    const struct run *run = data;
    struct shoal_report *report = run->report;
    report->stopped = report->stopped || (run->params->stop && run->params->stop(run->params->data));
    return report->stopped;
}

/* Has the caller stopped the run, or is its time limit reached? */
static bool must_end(struct run *run)
{
    struct shoal_solver *solver = run->report->solver;
    if (!is_stopped(run) && clock_of(run) - run->start + solver->ahead_s >= run->limit)
        run->report->timed_out = solver->timed_out = true;
    return run->report->stopped || run->report->timed_out;
}

/* Reports a phase of the run before or after the steps. */
static void show_phase(const struct run *run, const char *phase)
{
    const struct shoal_progress progress = {
        .done = run->done, .total = run->total, .value = NAN, .phase = phase};
    if (run->params->progress)
        run->params->progress(run->params->data, &progress);
}

static enum shoal_status show_progress(struct run *run, struct shoal_error *error)
{
    struct shoal_solver *solver = run->report->solver;
    double now = clock_of(run);
    struct shoal_progress progress = {.done = run->done,
                                      .total = run->total,
                                      .warm_up =
                                          shoal_workload_warm_up_steps(solver->workload, solver->params),
                                      .seconds = now - run->start,
                                      .value = NAN};
    enum shoal_status status = SHOAL_OK;
    if (!run->params->progress)
        return SHOAL_OK;
    if (solver->ops->value && now - run->looked >= run->params->value_every) {
        status = solver->ops->value(solver, &progress.value, error);
        run->looked = clock_of(run);
    }
    if (!status)
        run->params->progress(run->params->data, &progress);
    return status;
}

/* Has the caller complete the files that belong to a checkpoint. */
static enum shoal_status settle(const struct run *run, struct shoal_error *error)
{
    const struct shoal_run_params *params = run->params;
    return params->on_checkpoint ? params->on_checkpoint(params->checkpoint_data, error) : SHOAL_OK;
}

/* Saves a checkpoint during the run. A failed write does not end the run: a later write may succeed. A lost
 * device and files of the caller that have failed end the run. */
static enum shoal_status save_between(struct run *run, struct shoal_error *error)
{
    struct shoal_error own;
    double now = clock_of(run);
    if (!run->params->checkpoint || !(run->params->checkpoint_every > 0) || run->complete ||
        now - run->saved < run->params->checkpoint_every || run->report->solver->files.fault.length)
        return SHOAL_OK;
    enum shoal_status status = settle(run, error);
    if (status)
        return status;
    status = shoal_solver_save(run->report->solver, run->params->checkpoint, &own);
    if (status == SHOAL_DEVICE_LOST) {
        if (error)
            *error = own;
        return status;
    }
    if (status)
        shoal_log(device_shoal(run->report->solver->device), SHOAL_LOG_WARNING, "%s; the run goes on",
                  own.message);
    run->saved = clock_of(run);
    return SHOAL_OK;
}

/* One call of some steps and the wait for their end, possibly on another thread. */
struct attempt {
    struct shoal_solver *solver;
    struct shoal_queue *queue; /* NULL on the host */
    uint64_t steps, done;
    enum shoal_status status;
    struct shoal_error error;
    struct run *run;      /* the run of the caller; not valid any more after the attempt was abandoned */
    pthread_mutex_t lock; /* guards the two members below, and the run while steps ask whether it must end */
    bool is_abandoned, can_cut;
    struct attempt *before; /* the attempt that was abandoned before this attempt */
};

/* List of abandoned attempts, which keeps the attempts reachable for leak checkers. */
static _Atomic(struct attempt *) given_up;

static bool step_must_end(void *data)
{
    struct attempt *attempt = data;
    pthread_mutex_lock(&attempt->lock);
    attempt->can_cut = true;
    const bool ends = attempt->is_abandoned || must_end(attempt->run);
    pthread_mutex_unlock(&attempt->lock);
    return ends;
}

static void attempt_make(void *data)
{
    struct attempt *attempt = data;
    attempt->solver->must_end = step_must_end;
    attempt->solver->end_data = attempt;
    attempt->status = shoal_solver_step(attempt->solver, attempt->steps, &attempt->done, &attempt->error);
    attempt->solver->must_end = NULL;
    if (!attempt->status && attempt->queue)
        attempt->status = shoal_queue_finish(attempt->queue, &attempt->error);
}

/* Abandons an attempt. Its steps may still use the solver, so the solver is never freed. */
static enum shoal_status give_up(struct run *run, struct attempt *attempt, struct shoal_error *error)
{
    const uint64_t steps = attempt->steps;
    const struct solver_shares *shares = shares_of(run->report);
    size_t number = 0, parts = 0;
    struct shoal_device *const working = shares ? shares->at_work(shares, &number, &parts) : NULL;
    struct shoal_device *device = working ? working : run->report->solver->device;
    const char *name = run->report->solver->workload->name;
    const double limit = run->params->hang_limit;
    attempt->before = atomic_load(&given_up);
    while (!atomic_compare_exchange_weak(&given_up, &attempt->before, attempt))
        continue;
    pthread_mutex_lock(&attempt->lock);
    attempt->is_abandoned = true;
    pthread_mutex_unlock(&attempt->lock);
    run->report->solver = NULL;
    run->report->queue = NULL;
    instance_set_hung(device_shoal(device));
    char what[80] = "the initial state", part[60] = "";
    if (working)
        snprintf(part, sizeof part, "part %zu of %zu: ", number, parts);
    if (steps)
        snprintf(what, sizeof what, "step %llu and the %llu after it", (unsigned long long)run->done + 1,
                 (unsigned long long)steps - 1);
    return device_lost(device, error, "", 0,
                       "%s: %s%s %s within %g s, and only the end of the process stops it: if the work does "
                       "end and may take that long, raise --hang-limit (0: none)",
                       name, part, what, attempt->queue ? "did not end" : "got no further", limit);
}

/* The count that the watchdog compares: it changes with each sign of progress. A device shows no progress
 * before its steps end, except samples and finished launches of a long step. While a function of the caller
 * runs, the watchdog does not count: a pager that takes no output is not the device's fault. */
static uint64_t progress_of(const void *data)
{
    const struct attempt *attempt = data;
    const uint64_t calls = atomic_load(&attempt->solver->calls);
    if (calls % 2)
        return WORKER_IS_ELSEWHERE;
    return calls + (attempt->queue ? 0 : attempt->solver->ops->progress(attempt->solver));
}

/* Does the watchdog limit the time of these steps? */
static bool is_watched(struct run *run, const struct attempt *attempt)
{
    if (!(run->params->hang_limit > 0) || (!attempt->queue && !attempt->solver->ops->progress))
        return false;
    if (!run->worker)
        run->worker = worker_start();
    return run->worker;
}

/* Runs an attempt. The caller frees `attempt`, unless *is_abandoned is true. */
static enum shoal_status try_steps(struct run *run, struct attempt *attempt, bool *is_abandoned,
                                   struct shoal_error *error)
{
    if (!is_watched(run, attempt))
        attempt_make(attempt);
    else if (!worker_call(&run->worker, run->params->hang_limit, attempt_make, progress_of, attempt)) {
        *is_abandoned = true;
        return give_up(run, attempt, error);
    }
    if (attempt->status && error)
        *error = attempt->error;
    return attempt->status;
}

/* Makes steps and waits for their end; *seconds receives the time of steps and wait. 0 steps: sets the
 * initial state. */
static enum shoal_status advance(struct run *run, uint64_t steps, double *seconds, struct shoal_error *error)
{
    struct attempt *attempt = calloc(1, sizeof *attempt);
    if (!attempt)
        return fail_host_memory(error);
    double start = clock_of(run);
    bool is_abandoned = false;
    attempt->solver = run->report->solver;
    attempt->queue = run->report->queue;
    attempt->steps = steps;
    attempt->run = run;
    pthread_mutex_init(&attempt->lock, NULL);
    enum shoal_status status = try_steps(run, attempt, &is_abandoned, error);
    /* The thread of an abandoned attempt may still write to the attempt, so attempt->done is not read. */
    const uint64_t done = is_abandoned ? 0 : attempt->done;
    if (!is_abandoned) {
        run->can_cut = run->can_cut || attempt->can_cut;
        pthread_mutex_destroy(&attempt->lock);
        free(attempt);
    }
    *seconds = clock_of(run) - start;
    if (status)
        return status;
    run->done += done;
    run->complete = done < steps || run->done >= run->total;
    if (!steps)
        return SHOAL_OK;
    status = save_between(run, error);
    return status ? status : show_progress(run, error);
}

/* Number of steps that take about chunk_seconds, or the time that is left before the time limit if that is
 * less, given that `steps` steps took `seconds`. The number grows at most eightfold, because short
 * measurements are rough. */
static uint64_t next_chunk(const struct run *run, uint64_t steps, double seconds)
{
    const double left = run->limit - (clock_of(run) - run->start),
                 most =
                     run->params->between ? fmin(run->params->between_every, chunk_seconds) : chunk_seconds;
    const double aim = left < most ? left : most;
    double fitting = (double)steps * aim / (seconds > 1e-9 ? seconds : 1e-9);
    const double next = fmin(fitting, 8.0 * (double)steps);
    return next < 1 ? 1 : (uint64_t)next;
}

static void note_long_step(const struct run *run, double seconds)
{
    const struct shoal_device *device = run->report->solver->device;
    if (run->report->timed_out && run->can_cut && run->complete && !run->done)
        shoal_log(device_shoal(device), SHOAL_LOG_WARNING,
                  "the time limit came before the end of the first step on %s, which was dropped: allow more "
                  "than %.1f s",
                  shoal_device_get_info(device)->id, seconds);
    else if (run->report->timed_out && run->can_cut && !run->done)
        shoal_log(device_shoal(device), SHOAL_LOG_WARNING,
                  "the time limit came before the first step on %s: allow more than %.1f s",
                  shoal_device_get_info(device)->id, seconds);
    else if (seconds > long_step_seconds && !run->can_cut)
        shoal_log(device_shoal(device), SHOAL_LOG_WARNING,
                  "a step takes %.1f s on %s: stopping and time limits wait for its end", seconds,
                  shoal_device_get_info(device)->id);
}

/* Sets the initial state and makes the first step in separate calls, since evaluating an objective may take
 * seconds. *seconds receives the time of the step, or of the initial state where no step follows. */
static enum shoal_status first_step(struct run *run, double *seconds, struct shoal_error *error)
{
    enum shoal_status status = advance(run, 0, seconds, error);
    if (!status && !run->complete && !must_end(run))
        status = advance(run, 1, seconds, error);
    if (!status)
        note_long_step(run, *seconds);
    return status;
}

/* Ends the span of device time and adds its seconds to those of the run. */
static enum shoal_status end_span(struct shoal_report *report, struct shoal_error *error)
{
    double seconds = 0;
    if (!report->queue || shares_of(report))
        return SHOAL_OK;
    const enum shoal_status status = shoal_span_end(report->queue, &seconds, error);
    report->device_s += seconds;
    return status;
}

static enum shoal_status begin_span(const struct shoal_report *report, struct shoal_error *error)
{
    return report->queue && !shares_of(report) ? shoal_span_begin(report->queue, error) : SHOAL_OK;
}

/* Calls the function of the caller that is called between steps, if it is due. The clocks of the run are
 * stopped meanwhile. */
static enum shoal_status call_between(struct run *run, struct shoal_error *error)
{
    struct shoal_solver *solver = run->report->solver;
    const double begin = clock_of(run);
    if (!run->params->between || (begin < run->between && !run->most_steps))
        return SHOAL_OK;
    run->most_steps = 0;
    enum shoal_status status = end_span(run->report, error);
    if (!status)
        status = run->params->between(run->params->between_data, solver, &run->most_steps, error);
    const double end = clock_of(run);
    run->start += end - begin;
    run->looked += end - begin;
    run->saved += end - begin;
    solver->began_s += end - begin;
    run->between = end + run->params->between_every;
    return status ? status : begin_span(run->report, error);
}

static enum shoal_status make_steps(struct run *run, struct shoal_error *error)
{
    double seconds;
    show_phase(run, "initial state and first step");
    enum shoal_status status = first_step(run, &seconds, error);
    if (status)
        return status;
    /* The first step runs with cold caches, so its time is an upper bound for the other steps. */
    uint64_t chunk = run->params->chunk ? run->params->chunk : next_chunk(run, 64, 64 * seconds);
    while (!run->complete && !must_end(run)) {
        status = call_between(run, error);
        if (status || (run->params->between && must_end(run)))
            return status;
        const uint64_t left = run->total - run->done, fitting = chunk < left ? chunk : left;
        const uint64_t steps = run->most_steps && run->most_steps < fitting ? run->most_steps : fitting;
        status = advance(run, steps, &seconds, error);
        if (status)
            return status;
        if (!run->params->chunk)
            chunk = next_chunk(run, steps, seconds);
    }
    return SHOAL_OK;
}

static enum shoal_status run_steps(struct run *run, struct shoal_error *error)
{
    struct shoal_report *report = run->report;
    const struct solver_shares *shares = shares_of(report);
    if (shares && run->params->between)
        return fail(error, SHOAL_INVALID, "a run over several devices makes no calls between steps");
    /* read before the span of device time begins, so that the wall time includes the whole span */
    run->start = run->saved = clock_of(run);
    if (report->queue)
        queue_time_first_launches(report->queue, true);
    enum shoal_status status = begin_span(report, error);
    if (!status)
        status = make_steps(run, error);
    if (!status)
        status = end_span(report, error);
    if (status)
        return status;
    report->wall_s = clock_of(run) - run->start;
    if (!report->queue) {
        report->device_s = report->wall_s;
        return SHOAL_OK;
    }
    report->first_launch_s =
        shares ? shares->first_launch_s(shares) : queue_first_launch_seconds(report->queue);
    if (shares) { /* the clock leaves out the longest first launches of a share, while another share may
                   * already work */
        report->device_s = shares->busy_s(shares);
        report->wall_s = fmax(report->wall_s, report->device_s);
    }
    queue_time_first_launches(report->queue, false);
    return SHOAL_OK;
}

/* Sets the name of the stage in the solver, and the state with which the stage begins. */
static enum shoal_status set_stage(struct shoal_solver *solver, const struct shoal_run_params *params,
                                   struct shoal_error *error)
{
    if (params->stage)
        text_printf(&solver->stage, "%llu %s", (unsigned long long)params->stage_begin, params->stage);
    if (solver->stage.failed)
        return fail_host_memory(error);
    if (params->follows && params->resume)
        return fail(error, SHOAL_INVALID, "shoal_run: a run that follows a stage cannot resume a checkpoint");
    return params->follows ? shoal_solver_follow(solver, params->follows, error) : SHOAL_OK;
}

/* Warns before the run if no checkpoint can be written, because a file of the input has no hash. The run
 * itself needs no checkpoint. */
static void note_unguarded(const struct run *run)
{
    const struct shoal_solver *solver = run->report->solver;
    struct shoal_error error;
    if (run->params->checkpoint && saved_files_check(&solver->files, &error))
        shoal_log(device_shoal(solver->device), SHOAL_LOG_WARNING, "%s", error.message);
}

/* Warns where a run that was resumed from a checkpoint has no steps left. */
static void note_end(const struct run *run)
{
    const struct shoal_solver *solver = run->report->solver;
    const uint64_t warm_up = shoal_workload_warm_up_steps(solver->workload, solver->params);
    if (run->done && run->done == run->total && !run->params->stage)
        shoal_log(device_shoal(solver->device), SHOAL_LOG_WARNING,
                  "checkpoint %s is at the last of %llu steps, so there are no further steps: ask for more "
                  "steps to go on",
                  run->params->resume, (unsigned long long)(run->done - warm_up));
}

/* Fails with SHOAL_STOPPED. The message counts steps after the warm-up, as all output does. */
static enum shoal_status fail_stopped(const struct run *run, struct shoal_error *error)
{
    const struct shoal_solver *solver = run->report->solver;
    const struct shoal_result *result = &run->report->result;
    const uint64_t warm_up = shoal_workload_warm_up_steps(solver->workload, solver->params);
    return fail(error, SHOAL_STOPPED, "stopped after %llu of %llu steps",
                (unsigned long long)(result->steps - result->warm_up_steps),
                (unsigned long long)(run->total - warm_up));
}

/* Makes a whole run; `report` must be empty. */
static enum shoal_status run_whole(const struct solver_maker *maker, const struct shoal_workload *workload,
                                   struct shoal_device *device, const void *params,
                                   const struct shoal_run_params *run_params, struct shoal_report *report,
                                   struct shoal_error *error)
{
    struct run run = {.params = run_params, .report = report, .limit = NAN};
    double work_before = 0;
    enum shoal_status status = SHOAL_OK;
    show_phase(&run, "reads its input and builds kernels");
    if (!shoal_device_get_info(device)->is_host)
        status = shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &report->queue, error);
    if (!status)
        status = maker->create(
            maker->data,
            &(struct solver_request){workload, device, report->queue, params, run_params->variant},
            &(struct solver_setup){.is_stopped = is_stopped, .stop_data = &run}, &report->solver, error);
    if (status)
        goto fail;
    note_unguarded(&run);
    report->build_s = shoal_solver_build_seconds(report->solver);
    shoal_solver_on_sample(report->solver, run_params->on_sample, run_params->sample_data);
    status = set_stage(report->solver, run_params, error);
    if (!status && run_params->resume) {
        status = shoal_solver_load(report->solver, run_params->resume, error);
        if (!status)
            status = shoal_solver_result(report->solver, &report->result, error);
        run.done = report->result.steps;
        work_before = report->result.work;
    }
    if (status)
        goto fail;
    run.total = report->solver->ops->total_steps
                    ? report->solver->ops->total_steps(report->solver)
                    : shoal_workload_total_steps(workload, report->solver->params);
    note_end(&run);
    run.limit = shoal_workload_time_limit(workload, report->solver->params);
    status = run_steps(&run, error);
    worker_end(&run.worker);
    if (!status)
        show_phase(&run, "checks the result");
    if (!status)
        status = shoal_solver_result(report->solver, &report->result, error);
    if (status)
        goto fail;
    report->solver->is_stopped = NULL;
    report->timed_work = report->result.work - work_before;
    if (run_params->checkpoint) {
        show_phase(&run, "writes the checkpoint");
        status = settle(&run, error);
        if (!status)
            status = shoal_solver_save(report->solver, run_params->checkpoint, error);
    }
    /* A wrong result takes precedence over an early end or a failed write; the caller gets the result in any
     * case. */
    if (!report->result.check_passed && (!status || status == SHOAL_IO)) {
        if (status)
            shoal_log(device_shoal(device), SHOAL_LOG_WARNING, "%s",
                      error ? error->message : "no checkpoint");
        return solver_fail_check(report->solver, &report->result, error);
    }
    if (status)
        return status;
    if (report->stopped)
        return fail_stopped(&run, error);
    return SHOAL_OK;
fail:
    shoal_report_clear(report);
    return status;
}

enum shoal_status run_with(const struct solver_maker *maker, const struct shoal_workload *workload,
                           struct shoal_device *device, const void *params,
                           const struct shoal_run_params *run, struct shoal_report *report,
                           struct shoal_error *error)
{
    struct shoal_run_params own;
    struct shoal_report found = {.size = sizeof found};
    shoal_run_params_init(&own);
    enum shoal_status status =
        result_check(maker->function, report, sizeof *report, RESULT_FIRST(report, result), error);
    if (!status && run)
        status = params_take(maker->function, run, "shoal_run_params_init", &own, sizeof own, error);
    if (status)
        return status;
    status = run_whole(maker, workload, device, params, &own, &found, error);
    RESULT_GIVE(&found, result, report);
    return status;
}

static enum shoal_status create(const void *data, const struct solver_request *request,
                                const struct solver_setup *setup, struct shoal_solver **out,
                                struct shoal_error *error)
{
    (void)data;
    return solver_create(request->workload, request->device, request->queue, request->params,
                         request->variant, setup, out, error);
}

enum shoal_status shoal_run(const struct shoal_workload *workload, struct shoal_device *device,
                            const void *params, const struct shoal_run_params *run,
                            struct shoal_report *report, struct shoal_error *error)
{
    if (!NEED(error, workload, device, params, report))
        return SHOAL_INVALID;
    return run_with(&(struct solver_maker){__func__, create, NULL}, workload, device, params, run, report,
                    error);
}
