/* shoal_optimise on a device: the solver of the workload makes a few steps at a time. */
#include "base/clock.h"
#include "base/error.h"
#include "search/optimiser/optimise.h"

#include <math.h>
#include <string.h>

/* Time in seconds after which a call checks the clock and requests to stop. */
static const double chunk_seconds = 0.1;

void optimiser_close_device(struct shoal_optimiser *optimiser)
{
    shoal_solver_destroy(&optimiser->solver);
    shoal_queue_destroy(&optimiser->queue);
    optimiser->result = (struct shoal_result){0};
}

uint64_t optimiser_device_count(const struct shoal_optimiser *optimiser, const char *field)
{
    const struct shoal_field *count = shoal_result_find(&optimiser->result, field);
    return count ? count->uint : 0;
}

double optimiser_device_violation(const struct shoal_optimiser *optimiser)
{
    const struct shoal_field *violation = shoal_result_find(&optimiser->result, "violation");
    return violation ? violation->real : optimiser_device_best(optimiser, NULL, NULL) ? 0 : NAN;
}

bool optimiser_device_best(const struct shoal_optimiser *optimiser, double *x, double *value)
{
    const struct shoal_field *position = shoal_result_find(&optimiser->result, "position");
    if (!position || !optimiser->result.check_passed)
        return false;
    if (x)
        memcpy(x, position->reals, optimiser->dim * sizeof *x);
    if (value)
        *value = optimiser->result.value;
    return true;
}

static enum shoal_status open_device(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    if (optimiser->solver)
        return SHOAL_OK;
    enum shoal_status status = shoal_queue_create(optimiser->device, 0, &optimiser->queue, error);
    if (!status)
        status = shoal_solver_create(optimiser_workload(optimiser), optimiser->device, optimiser->queue,
                                     optimiser->used, SHOAL_VARIANT_AUTO, &optimiser->solver, error);
    if (status)
        optimiser_close_device(optimiser);
    return status;
}

static enum shoal_status advance(struct shoal_optimiser *optimiser, uint64_t steps, uint64_t *done,
                                 double *seconds, struct shoal_error *error)
{
    const double start = clock_seconds();
    enum shoal_status status = shoal_solver_step(optimiser->solver, steps, done, error);
    if (!status)
        status = shoal_queue_finish(optimiser->queue, error);
    *seconds = clock_seconds() - start;
    return status;
}

/* When and why a call of shoal_optimise must end before the search has ended. */
struct watch {
    struct shoal_optimiser *optimiser;
    /* time on the clock at which the call must end; infinity: there is no limit */
    double end;
    enum shoal_optimise_result ended; /* RUNNING: the call continues */
    bool has_step;                    /* the call has made a step */
};

static bool must_end(void *data)
{
    struct watch *watch = data;
    if (atomic_load(&watch->optimiser->stop))
        watch->ended = SHOAL_OPTIMISE_STOPPED;
    else if (clock_seconds() >= watch->end)
        watch->ended = SHOAL_OPTIMISE_TIME;
    return watch->ended != SHOAL_OPTIMISE_RUNNING;
}

/* Whether a long step must be dropped. A time limit never drops the first step of a call: if it did, repeated
 * short calls would never complete a step. */
static bool step_must_end(void *data)
{
    struct watch *watch = data;
    return (watch->has_step || atomic_load(&watch->optimiser->stop)) && must_end(watch);
}

/* Makes steps until the search has ended or the call must end. */
static enum shoal_status search(struct shoal_optimiser *optimiser, struct watch *watch,
                                struct shoal_error *error)
{
    uint64_t steps = 1, done = steps;
    while (done == steps && !must_end(watch)) {
        double seconds;
        optimiser->solver->must_end = step_must_end;
        optimiser->solver->end_data = watch;
        enum shoal_status status = advance(optimiser, steps, &done, &seconds, error);
        optimiser->solver->must_end = NULL;
        if (status)
            return status;
        watch->has_step = true;
        if (done == steps && seconds < chunk_seconds / 2)
            done = steps *= 2;
        else if (done == steps && seconds > chunk_seconds && steps > 1)
            done = steps /= 2;
    }
    return SHOAL_OK;
}

/* Returns why the search makes no further step. */
static enum shoal_optimise_result end_of(const struct shoal_optimiser *optimiser)
{
    const char *end = shoal_result_find(&optimiser->result, "end")->text;
    enum shoal_optimise_result result = SHOAL_OPTIMISE_RUNNING;
    while (result < SHOAL_OPTIMISE_CONVERGED && strcmp(shoal_optimise_result_name(result), end) != 0)
        result++;
    return result;
}

enum shoal_optimise_result optimiser_run_device(struct shoal_optimiser *optimiser, double *x, double *value,
                                                struct shoal_error *error)
{
    struct watch watch = {.optimiser = optimiser, .end = INFINITY};
    struct shoal_result *result = &optimiser->result;
    enum shoal_status status = open_device(optimiser, error);
    if (!isnan(optimiser->used->time))
        watch.end = clock_seconds() + optimiser->used->time;
    if (!status)
        status = search(optimiser, &watch, error);
    if (!status) {
        optimiser->solver->is_stopped = must_end;
        optimiser->solver->stop_data = &watch;
        status = shoal_solver_result(optimiser->solver, result, error);
        optimiser->solver->is_stopped = NULL;
    }
    if (!status && !result->check_passed)
        status = solver_fail_check(optimiser->solver, result, error);
    /* A search that has not ended may have no finite value yet, which is not an error. */
    const bool is_empty = status == SHOAL_CHECK_FAILED && watch.ended != SHOAL_OPTIMISE_RUNNING &&
                          !shoal_result_find(result, "position");
    if (status && !is_empty)
        return SHOAL_OPTIMISE_FAILED;
    if (!optimiser_device_best(optimiser, x, value))
        *value = NAN;
    optimiser->place.evaluations = (uint64_t)result->work + optimiser_device_count(optimiser, "polish");
    if (watch.ended == SHOAL_OPTIMISE_RUNNING)
        watch.ended = optimiser->state = end_of(optimiser);
    return watch.ended;
}
