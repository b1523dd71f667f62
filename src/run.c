/* One whole run: build, first step, the rest in chunks with a look at the clock, the result. */
#include "base/clock.h"
#include "base/error.h"
#include "workload.h"

#include <string.h>

/* Seconds of work between two polls of `stop`: half of what a person notices, since a chunk may take longer
 * than the one it was measured by. */
static const double chunk_seconds = 0.1;

void shoal_run_params_init(struct shoal_run_params *params)
{
    *params = (struct shoal_run_params){.size = sizeof *params};
}

void shoal_report_clear(struct shoal_report *report)
{
    if (!report)
        return;
    shoal_solver_destroy(&report->solver);
    shoal_queue_destroy(&report->queue);
    *report = (struct shoal_report){0};
}

struct run {
    const struct shoal_run_params *params;
    struct shoal_report *report;
    uint64_t done, total; /* steps, those before the checkpoint included */
    uint64_t untimed;     /* of done: those before the checkpoint and the first */
    bool complete;
};

static bool stop_asked(const struct run *run)
{
    return run->params->stop && run->params->stop(run->params->data);
}

/* Steps and waits; `*seconds` receives the time of both. */
static enum shoal_status advance(struct run *run, uint64_t steps, double *seconds, struct shoal_error *error)
{
    struct shoal_report *report = run->report;
    double start = clock_seconds();
    uint64_t done;
    enum shoal_status status = shoal_solver_step(report->solver, steps, &done, error);
    if (!status && report->queue)
        status = shoal_queue_finish(report->queue, error);
    *seconds = clock_seconds() - start;
    if (status)
        return status;
    run->done += done;
    run->complete = done < steps || run->done >= run->total;
    if (run->params->progress)
        run->params->progress(run->params->data, run->done, run->total);
    return SHOAL_OK;
}

/* How many steps take about chunk_seconds, when `steps` took `seconds`. Grows at most eightfold, as a short
 * measurement is a rough one. */
static uint64_t next_chunk(uint64_t steps, double seconds)
{
    double fitting = (double)steps * chunk_seconds / (seconds > 1e-9 ? seconds : 1e-9);
    double most = 8.0 * (double)steps;
    double next = fitting < most ? fitting : most;
    return next < 1 ? 1 : (uint64_t)next;
}

static enum shoal_status run_steps(struct run *run, struct shoal_error *error)
{
    struct shoal_report *report = run->report;
    enum shoal_status status = advance(run, 1, &report->first_launch_s, error);
    run->untimed = run->done;
    if (status || run->complete)
        return status;

    double start = clock_seconds(), seconds; /* around the span: wall time holds all of device time */
    if (report->queue) {
        status = shoal_span_begin(report->queue, error);
        if (status)
            return status;
    }
    /* The first step bounds the time of the others from above: it initialises too. */
    uint64_t chunk = run->params->chunk ? run->params->chunk : next_chunk(64, 64 * report->first_launch_s);
    while (!run->complete) {
        if (stop_asked(run)) {
            report->stopped = true;
            break;
        }
        uint64_t left = run->total - run->done, steps = chunk < left ? chunk : left;
        status = advance(run, steps, &seconds, error);
        if (status)
            return status;
        if (!run->params->chunk)
            chunk = next_chunk(steps, seconds);
    }
    if (report->queue)
        status = shoal_span_end(report->queue, &report->device_s, error);
    report->wall_s = clock_seconds() - start;
    if (!report->queue)
        report->device_s = report->wall_s;
    return status;
}

enum shoal_status shoal_run(const struct shoal_workload *workload, struct shoal_device *device,
                            const void *params, const struct shoal_run_params *given,
                            struct shoal_report *report, struct shoal_error *error)
{
    if (!workload || !device || !params || !report)
        return fail(error, SHOAL_INVALID, "shoal_run: a pointer is NULL");
    struct shoal_run_params run_params;
    struct run run = {.params = &run_params, .report = report};
    *report = (struct shoal_report){0};
    shoal_run_params_init(&run_params);
    if (given) {
        if (given->size < sizeof given->size || given->size > sizeof run_params)
            return fail(error, SHOAL_INVALID,
                        "run parameters: size %zu, expected up to %zu: call the init function first",
                        given->size, sizeof run_params);
        memcpy(&run_params, given, given->size);
    }

    enum shoal_status status = SHOAL_OK;
    if (!shoal_device_get_info(device)->is_host)
        status = shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &report->queue, error);
    if (!status)
        status = shoal_solver_create(workload, device, report->queue, params, run_params.variant,
                                     &report->solver, error);
    if (status)
        goto fail;
    report->build_s = shoal_solver_build_seconds(report->solver);
    if (run_params.resume) {
        status = shoal_solver_load(report->solver, run_params.resume, error);
        if (!status)
            status = shoal_solver_result(report->solver, &report->result, error);
        if (status)
            goto fail;
        run.done = report->result.steps;
    }
    run.total = workload->total_steps(report->solver->params);
    status = run_steps(&run, error);
    if (!status)
        status = shoal_solver_result(report->solver, &report->result, error);
    if (status)
        goto fail;
    report->timed_work = report->result.step_work * (double)(report->result.steps - run.untimed);
    /* A wrong result is worse news than an early end, and must not replace a good checkpoint. */
    if (!report->result.check_passed)
        return fail(error, SHOAL_CHECK_FAILED, "%s on %s: the result failed its check (%s)", workload->name,
                    shoal_device_get_info(device)->id, report->result.check_name);
    if (run_params.checkpoint)
        status = shoal_solver_save(report->solver, run_params.checkpoint, error);
    if (status)
        goto fail;
    if (report->stopped)
        return fail(error, SHOAL_STOPPED, "stopped after %llu of %llu steps",
                    (unsigned long long)report->result.steps, (unsigned long long)run.total);
    return SHOAL_OK;
fail:
    shoal_report_clear(report);
    return status;
}
