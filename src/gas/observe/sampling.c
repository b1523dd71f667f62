/* Steps of a gas and what happens between them: samples, frames, the caller's callbacks. */
#include "gas/observe/sampling.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Common state ----------------------------------------------------------------------------------------- */

enum shoal_status gas_common_create(struct gas_common *common, const struct gas_problem *problem,
                                    const struct gas_stepper *stepper, struct shoal_error *error)
{
    *common = (struct gas_common){.stepper = stepper, .problem = problem};
    return gas_averages_create(&common->averages, error);
}

void gas_common_destroy(struct gas_common *common)
{
    gas_averages_destroy(&common->averages);
    gas_summary_destroy(&common->summary);
    free(common->position);
    free(common->velocity);
    free(common->acceleration);
    free(common->image);
    free(common->counts);
    free(common->histogram);
    free(common->theory);
    *common = (struct gas_common){0};
}

void gas_common_reset(struct gas_common *common)
{
    common->begun = false;
    common->clock = (struct gas_clock){0};
    gas_averages_reset(common->averages);
}

void gas_common_save(const struct gas_common *common, struct checkpoint *checkpoint)
{
    checkpoint_add(checkpoint, "clock", &common->clock, sizeof common->clock);
    checkpoint_add(checkpoint, "averages", common->averages, gas_averages_bytes());
}

enum shoal_status gas_common_load(struct gas_common *common, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    enum shoal_status status =
        checkpoint_get(checkpoint, "clock", &common->clock, sizeof common->clock, error);
    if (!status)
        status = checkpoint_get(checkpoint, "averages", common->averages, gas_averages_bytes(), error);
    if (!status && !gas_averages_are_sound(common->averages))
        status =
            fail(error, SHOAL_IO, "checkpoint %s is damaged or cut off: use an older one", checkpoint->path);
    if (status)
        gas_common_reset(common);
    else
        common->begun = true;
    return status;
}

/* Room for `count` numbers of `size` bytes, made at the first call. */
static enum shoal_status make_room(void *room, size_t count, size_t size, struct shoal_error *error)
{
    void **pointer = room;
    if (!*pointer)
        *pointer = calloc(count ? count : 1, size);
    return *pointer ? SHOAL_OK : fail_host_memory(error);
}

/* What the gas is like ---------------------------------------------------------------------------------- */

enum shoal_status gas_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame,
                            struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const size_t numbers = problem->n * problem->dim;
    enum shoal_status status = make_room(&common->position, numbers, sizeof(double), error);
    if (!status)
        status = make_room(&common->velocity, numbers, sizeof(double), error);
    if (!status)
        status = make_room(&common->image, numbers, sizeof(int32_t), error);
    if (!status)
        status = common->stepper->get_state(solver, common->position, common->velocity, common->image, error);
    if (status)
        return status;
    const int64_t step = gas_run_step(common);
    *frame = (struct shoal_gas_frame){.step = step > 0 ? (uint64_t)step : 0,
                                      .time = gas_run_time(common),
                                      .particles = problem->n,
                                      .dim = problem->dim,
                                      .position = common->position,
                                      .velocity = common->velocity,
                                      .image = common->image};
    for (size_t k = 0; k < problem->dim; k++) {
        frame->length[k] = problem->length[k];
        frame->periodic[k] = problem->boundary[k] == SHOAL_GAS_PERIODIC;
    }
    return SHOAL_OK;
}

/* The sample without the cluster; `*impulse` as in struct gas_stepper. */
static enum shoal_status measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                 double *impulse, struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const int64_t step = gas_run_step(common);
    *thermo = (struct shoal_gas_thermo){0};
    enum shoal_status status = common->stepper->measure(solver, thermo, impulse, error);
    if (status)
        return status;
    thermo->step = step > 0 ? (uint64_t)step : 0;
    thermo->time = gas_run_time(common);
    thermo->wall_pressure = (*impulse - common->clock.impulse) / (thermo->time - common->clock.time);
    if (!common->problem->any_wall || !(thermo->time > common->clock.time))
        thermo->wall_pressure = NAN;
    thermo->largest_cluster = NAN;
    return SHOAL_OK;
}

enum shoal_status gas_measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                              struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    struct shoal_gas_frame frame;
    double impulse;
    enum shoal_status status = measure(solver, thermo, &impulse, error);
    if (status || !(common->problem->params->cluster_distance > 0))
        return status;
    status = gas_frame(solver, &frame, error);
    return status ? status
                  : gas_largest_cluster(common->problem, frame.position, &thermo->largest_cluster, error);
}

/* Events ------------------------------------------------------------------------------------------------ */

static enum shoal_status ended_by_caller(const char *failure, uint64_t step, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s (at step %llu)", failure ? failure : "the caller ended the run",
                (unsigned long long)step);
}

static bool is_due(uint64_t every, uint64_t step)
{
    return every && step % every == 0;
}

static enum shoal_status take_sample(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const struct shoal_gas_params *params = problem->params;
    struct gas_clock *clock = &common->clock;
    struct shoal_gas_thermo thermo;
    double impulse;
    const char *failure = NULL;
    /* The last step of a run is shown, but leaves a trace only where a longer run would take it too: the one
     * that resumes it has the averages of a run in one go. */
    const int64_t step = gas_run_step(common);
    const bool counts = step == 0 || is_due(params->thermo, (uint64_t)step);
    if (step == 0)
        clock->impulse = clock->time = NAN; /* what the walls got in the equilibration is no pressure */
    enum shoal_status status = measure(solver, &thermo, &impulse, error);
    if (!status && params->cluster_distance > 0) {
        struct shoal_gas_frame frame;
        status = gas_frame(solver, &frame, error);
        if (!status)
            status = gas_largest_cluster(problem, frame.position, &thermo.largest_cluster, error);
    }
    if (!status && counts && common->stepper->count && (params->rdf_bins || params->speed_bins)) {
        status = common->stepper->count(solver, error);
        clock->counted++;
    }
    if (status)
        return status;
    clock->last = thermo;
    if (counts) {
        clock->impulse = impulse;
        clock->time = thermo.time;
        if (clock->samples++ == 0)
            clock->first = thermo;
        gas_averages_add(common->averages, &thermo, (double)problem->n);
    }
    if (params->on_thermo && params->on_thermo(params->data, &thermo, &failure))
        return ended_by_caller(failure, thermo.step, error);
    return SHOAL_OK;
}

static enum shoal_status take_frame(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_gas_params *params = gas_params(solver);
    struct shoal_gas_frame frame;
    const char *failure = NULL;
    if (!params->on_frame)
        return SHOAL_OK;
    enum shoal_status status = gas_frame(solver, &frame, error);
    if (!status && params->on_frame(params->data, &frame, &failure))
        return ended_by_caller(failure, frame.step, error);
    return status;
}

/* What belongs to the step that the gas stands at. */
static enum shoal_status take_events(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct shoal_gas_params *params = common->problem->params;
    enum shoal_status status = SHOAL_OK;
    if (gas_is_equilibrating(common))
        return SHOAL_OK;
    const uint64_t step = (uint64_t)gas_run_step(common);
    if (step == 0 || step == params->steps || is_due(params->thermo, step))
        status = take_sample(solver, error);
    if (!status && is_due(params->frames, step))
        status = take_frame(solver, error);
    return status;
}

/* Steps ------------------------------------------------------------------------------------------------- */

static uint64_t next_multiple(uint64_t every, uint64_t step, uint64_t end)
{
    const uint64_t left = every ? every - step % every : end - step;
    return left < end - step ? step + left : end;
}

/* The next step, counted like `made`, that the run must not pass without a stop. */
static uint64_t next_event(const struct gas_common *common)
{
    const struct shoal_gas_params *params = common->problem->params;
    if (gas_is_equilibrating(common))
        return params->equilibration;
    const uint64_t step = (uint64_t)gas_run_step(common);
    uint64_t next = next_multiple(params->thermo, step, params->steps);
    if (params->on_frame)
        next = next_multiple(params->frames, step, next);
    return params->equilibration + next;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    if (common->begun)
        return SHOAL_OK;
    enum shoal_status status = common->stepper->begin(solver, error);
    if (status)
        return status;
    common->begun = true;
    return take_events(solver, error);
}

enum shoal_status gas_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                           struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct shoal_gas_params *params = common->problem->params;
    enum shoal_status status = begin(solver, error);
    const uint64_t total = params->equilibration + params->steps, before = common->clock.made;
    const uint64_t end = steps < total - before ? before + steps : total;
    while (!status && common->clock.made < end) {
        const uint64_t event = next_event(common), piece = (event < end ? event : end) - common->clock.made;
        status = common->stepper->advance(solver, piece, error);
        if (status)
            break;
        common->clock.made += piece;
        status = take_events(solver, error);
    }
    *done = common->clock.made - before;
    return status;
}

enum shoal_status gas_value(struct shoal_solver *solver, double *value, struct shoal_error *error)
{
    (void)error;
    const struct gas_clock *clock = &gas_common_of(solver)->clock;
    *value = clock->samples ? clock->last.total / (double)gas_common_of(solver)->problem->n : NAN;
    return SHOAL_OK;
}

size_t gas_state_count(const struct shoal_solver *solver)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    return 2 * problem->n * problem->dim;
}

enum shoal_status gas_get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t numbers = problem->n * problem->dim;
    struct shoal_gas_frame frame;
    enum shoal_status status = gas_frame(solver, &frame, error);
    if (status)
        return status;
    for (size_t i = 0; i < numbers; i++)
        values[i] = frame.position[i] + (double)frame.image[i] * problem->length[i % problem->dim];
    memcpy(values + numbers, frame.velocity, numbers * sizeof *values);
    return SHOAL_OK;
}
