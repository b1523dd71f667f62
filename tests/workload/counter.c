#include "counter.h"

#include "unit.h"
#include "workload/result.h"
#include "workload/steps/schedule.h"
#include "workload/workload.h"

#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

struct counter {
    uint64_t count;
    struct shoal_buffer *buffer; /* of the device solver */
};

enum counter_part counter_fails_at;
bool counter_is_wrong;
double counter_device_offset, counter_start_s;
unsigned counters_alive;
size_t counter_state_size, counter_outliers, counter_fields;
_Atomic bool counter_holds, counter_progress, counter_calls;
_Atomic unsigned counter_progress_seen;
static _Atomic bool is_in_call;

void counter_reset(void)
{
    counter_fails_at = FAIL_NOWHERE;
    counter_is_wrong = false;
    counter_device_offset = counter_start_s = 0;
    counter_state_size = 2;
    counter_outliers = counter_fields = 0;
    counters_alive = 0;
    counter_holds = counter_progress = counter_calls = false;
    counter_progress_seen = 0;
}

static const char *const modes[] = {"up", "down", NULL};

static const struct shoal_option counter_options[] = {
    {"flag", SHOAL_OPTION_FLAG, offsetof(struct counter_params, flag), "", 0, 0, NULL, "a flag", 0},
    {"mode", SHOAL_OPTION_CHOICE, offsetof(struct counter_params, mode), "", 0, 0, modes, "a choice", 0},
    {"steps", SHOAL_OPTION_UINT, offsetof(struct counter_params, steps), "", 1, 1000, NULL, "steps",
     SHOAL_OPTION_FREE_ON_RESUME},
    {"wide", SHOAL_OPTION_UINT, offsetof(struct counter_params, wide), "", 0, 18446744073709551615.0, NULL,
     "any", 0},
    {"rate", SHOAL_OPTION_REAL, offsetof(struct counter_params, rate), "", -1, 1, NULL, "a number", 0},
    {"limit", SHOAL_OPTION_REAL, offsetof(struct counter_params, limit), "", 0, 9, NULL, "may be left open",
     0},
    {"label", SHOAL_OPTION_TEXT, offsetof(struct counter_params, label), "", 0, 0, NULL, "a text", 0},
    {"time", SHOAL_OPTION_REAL, offsetof(struct counter_params, time), "", 0, 9, NULL, "seconds",
     SHOAL_OPTION_FREE_ON_RESUME},
    {"file", SHOAL_OPTION_TEXT, offsetof(struct counter_params, file), "", 0, 0, NULL, "a file",
     SHOAL_OPTION_READS},
};

void counter_init(void *params)
{
    *(struct counter_params *)params = (struct counter_params){
        .size = sizeof(struct counter_params), .steps = 10, .rate = 0.5, .limit = NAN, .time = NAN};
}

static enum shoal_status counter_validate(const void *params, struct shoal_error *error)
{
    const struct counter_params *p = params;
    return p->flag && p->mode == 1 ? fail(error, SHOAL_INVALID, "flag does not go with mode down") : SHOAL_OK;
}

static uint64_t counter_total(const void *params)
{
    return ((const struct counter_params *)params)->steps;
}

static enum shoal_status check_point(int place, struct shoal_error *error)
{
    return (int)counter_fails_at == place ? fail(error, SHOAL_FAILED, "injected at %d", place) : SHOAL_OK;
}

static enum shoal_status counter_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct counter *counter = calloc(1, sizeof *counter);
    if (!counter)
        return fail_host_memory(error);
    solver->state = counter;
    solver->programs.build_seconds = solver->queue ? 0.25 : 0;
    counters_alive++;
    enum shoal_status status = check_point(FAIL_CREATE, error);
    if (!status && solver->queue)
        status = shoal_buffer_create(solver->device, 16, &counter->buffer, error);
    return status;
}

static void counter_destroy(struct shoal_solver *solver)
{
    struct counter *counter = solver->state;
    if (!counter)
        return;
    shoal_buffer_destroy(&counter->buffer);
    free(counter);
    counters_alive--;
}

static enum shoal_status counter_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                      struct shoal_error *error)
{
    const struct counter_params *params = solver->params;
    struct counter *counter = solver->state;
    enum shoal_status status = steps ? check_point(FAIL_STEP, error) : SHOAL_OK;
    if (status)
        return status;
    if (!steps && counter->count == 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(counter_start_s * 1e9)}, NULL);
    /* A limit ends the run early. */
    uint64_t end = isnan(params->limit) ? params->steps : (uint64_t)params->limit;
    uint64_t left = end > counter->count ? end - counter->count : 0;
    *done = steps < left ? steps : left;
    counter->count += *done;
    const bool calls = counter_calls;
    if (calls)
        schedule_call_turns(solver);
    is_in_call = calls;
    while (!solver->queue && counter_holds)
        sched_yield();
    is_in_call = false;
    if (calls)
        schedule_call_turns(solver);
    return solver->queue
               ? shoal_buffer_fill(solver->queue, counter->buffer, 0, 4, (uint32_t)counter->count, error)
               : SHOAL_OK;
}

static enum shoal_status counter_result(struct shoal_solver *solver, struct shoal_result *result,
                                        struct shoal_error *error)
{
    struct counter *counter = solver->state;
    enum shoal_status status = check_point(FAIL_RESULT, error);
    result->value = (double)counter->count;
    result->value_name = "count";
    result->check_passed = !counter_is_wrong;
    result->check_name = "counting again";
    snprintf(result->check_failure, sizeof result->check_failure, "%s",
             counter_is_wrong ? "one is missing" : "");
    result->steps = counter->count;
    for (size_t i = 0; i < counter_fields; i++)
        result_add_uint(result, "field", "", i);
    return status;
}

static enum shoal_status counter_value(struct shoal_solver *solver, double *value, struct shoal_error *error)
{
    *value = (double)((const struct counter *)solver->state)->count;
    return check_point(FAIL_VALUE, error);
}

static enum shoal_status counter_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    struct counter *counter = solver->state;
    checkpoint_add(checkpoint, "count", &counter->count, sizeof counter->count);
    return check_point(FAIL_SAVE, error);
}

static enum shoal_status counter_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    struct counter *counter = solver->state;
    const enum shoal_status status = check_point(FAIL_LOAD, error);
    return status ? status
                  : checkpoint_get(checkpoint, "count", &counter->count, sizeof counter->count, error);
}

static size_t counter_state_count(const struct shoal_solver *solver)
{
    (void)solver;
    return counter_state_size;
}

static enum shoal_status counter_get_state(struct shoal_solver *solver, double *values,
                                           struct shoal_error *error)
{
    const struct counter *counter = solver->state;
    bool differs = solver->queue && counter->count;
    for (size_t i = 0; i < counter_state_size; i++)
        values[i] = (double)counter->count + (differs ? counter_device_offset : 0);
    for (size_t i = 0; differs && i < counter_outliers; i++)
        values[(37 * i + 5) % counter_state_size] += 1000 + (double)i;
    return check_point(FAIL_STATE, error);
}

static double counter_tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    (void)solver, (void)steps;
    return 0.01;
}

static uint64_t counter_progress_of(const struct shoal_solver *solver)
{
    (void)solver;
    return counter_progress && !is_in_call ? ++counter_progress_seen : 0;
}

#define SHARED_OPS                                                                                           \
    .what = "the count", .create = counter_create, .destroy = counter_destroy, .step = counter_step,         \
    .result = counter_result, .value = counter_value, .save = counter_save, .load = counter_load,            \
    .state_count = counter_state_count, .get_state = counter_get_state

static const struct shoal_solver_ops device_ops = {
    .kind = "device", SHARED_OPS, .tolerance = counter_tolerance};
static const struct shoal_solver_ops host_ops = {.kind = "host", SHARED_OPS, .progress = counter_progress_of};

static void counter_make_endless(void *params, uint64_t warm_up_steps)
{
    (void)warm_up_steps;
    ((struct counter_params *)params)->steps = 1000;
}

static const struct shoal_program_desc *const counter_programs[] = {NULL};

const struct workload counter_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "counter",
             .summary = "counts",
             .params_size = sizeof(struct counter_params),
             .params_init = counter_init,
             .options = counter_options,
             .option_count = sizeof counter_options / sizeof *counter_options},
    .check = counter_validate,
    .total_steps = counter_total,
    .time_offset = offsetof(struct counter_params, time),
    .make_endless = counter_make_endless,
    .programs = counter_programs,
    .steps_section = "count",
    .steps_options = "--steps",
    .device = &device_ops,
    .host = &host_ops,
};
