/* Runs of many problems, several at once on the host. Results wait in slots until those before them are
 * given: a thread that has finished a run goes on with another one. */
#include "tsp/many.h"

#include "base/error.h"
#include "base/params.h"
#include "base/threads.h"
#include "tsp/tsp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Slots for each thread. A finished run keeps its solver, so they are few. */
enum { SLOTS = 4 };

struct slot {
    struct shoal_report report;
    struct shoal_error fault;
    enum shoal_status status;
    bool is_finished;
};

/* The runs of the host. */
struct runs {
    struct many *many;
    /* The run of problem i is in slots[i % room] until its result is given. */
    struct slot *slots;
    size_t room;
    size_t begun, next; /* runs that began, and the problem whose result is given next */
    bool is_giving;     /* a thread gives results */
};

/* What runs on the host and on devices have in common --------------------------------------------------- */

bool many_must_stop(void *data)
{
    struct many *many = data;
    bool ended;
#pragma omp critical(tsp_many_stop)
    {
        if (!many->has_ended && many->stop && many->stop(many->data))
            many->has_ended = true;
        ended = many->has_ended;
    }
    return ended;
}

enum shoal_status many_run(struct many *many, size_t index, struct shoal_report *report,
                           struct shoal_error *fault)
{
    const struct shoal_run_params run =
        SHOAL_RUN_PARAMS(.stop = many_must_stop, .data = many, .value_every = INFINITY);
    *report = (struct shoal_report){.size = sizeof *report};
    *fault = (struct shoal_error){0};
    return many_must_stop(many)
               ? SHOAL_STOPPED
               : shoal_run(&tsp_workload.face, many->device, many_params(many, index), &run, report, fault);
}

void many_give(struct many *many, size_t index, enum shoal_status status, const char *message,
               struct shoal_report *report)
{
    const struct shoal_tsp_solved solved = {.size = sizeof solved,
                                            .index = index,
                                            .status = status,
                                            .message = status ? message : NULL,
                                            .report = status ? NULL : report};
    if (!many_must_stop(many)) {
        const bool goes_on = many->solved(many->data, &solved);
#pragma omp critical(tsp_many_stop)
        many->has_ended = many->has_ended || !goes_on;
    }
    shoal_report_clear(report);
}

/* The host ---------------------------------------------------------------------------------------------- */

/* Takes the next problem if its slot is free. */
static bool take(struct runs *runs, size_t *index)
{
    bool is_taken;
#pragma omp critical(tsp_many_slots)
    {
        *index = runs->begun;
        is_taken = runs->begun < runs->many->count && runs->begun < runs->next + runs->room;
        runs->begun += is_taken;
    }
    return is_taken;
}

/* Waits for the next problem. False: there is none. The run of problem `next` never waits, so waiting ends.
 * The wait is short beside the runs, which all slots hold but one. */
static bool begin(struct runs *runs, size_t *index)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!take(runs, index)) {
        if (*index >= runs->many->count)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* The slot whose turn has come, if its run is finished and no other thread gives results; else NULL. given:
 * the slot whose result this thread has given; NULL: it comes from a run. */
static struct slot *next_slot(struct runs *runs, struct slot *finished, struct slot *given)
{
    struct slot *slot;
#pragma omp critical(tsp_many_slots)
    {
        if (finished)
            finished->is_finished = true;
        if (given) {
            runs->is_giving = given->is_finished = false;
            runs->next++;
        }
        slot = &runs->slots[runs->next % runs->room];
        if (runs->is_giving || !slot->is_finished)
            slot = NULL;
        else
            runs->is_giving = true;
    }
    return slot;
}

/* Gives all results whose turn has come, unless another thread does so: that thread then finds this one. */
static void finish(struct runs *runs, struct slot *finished)
{
    for (struct slot *slot = next_slot(runs, finished, NULL); slot; slot = next_slot(runs, NULL, slot))
        many_give(runs->many, runs->next, slot->status, slot->fault.message,
                  &slot->report); /* `next` changes only where results are given */
}

static void run_problems(struct runs *runs)
{
    size_t index;
    while (begin(runs, &index)) {
        struct slot *slot = &runs->slots[index % runs->room];
        slot->status = many_run(runs->many, index, &slot->report, &slot->fault);
        finish(runs, slot);
    }
}

static enum shoal_status many_on_host(struct many *many, struct shoal_error *error)
{
    const int threads = threads_once(INFINITY); /* runs take long */
    struct runs runs = {.many = many, .room = SLOTS * (size_t)threads};
    runs.slots = calloc(runs.room, sizeof *runs.slots);
    if (!runs.slots)
        return fail_host_memory(error);
#pragma omp parallel num_threads(threads)
    run_problems(&runs);
    free(runs.slots);
    return SHOAL_OK;
}

/* The public call --------------------------------------------------------------------------------------- */

static enum shoal_status check_sizes(const struct many *many, struct shoal_error *error)
{
    struct shoal_tsp_params first;
    const enum shoal_status status =
        many->count
            ? workload_struct_take("shoal_tsp_run_many", &tsp_workload.face, many->params, &first, error)
            : SHOAL_OK;
    for (size_t i = 1; i < many->count && !status; i++) {
        size_t size;
        memcpy(&size, many_params(many, i), sizeof size);
        if (size != many->params->size)
            return fail(error, SHOAL_INVALID,
                        "shoal_tsp_run_many: params[%zu].size is %zu and params[0].size is %zu: call "
                        "shoal_tsp_params_init for each element of one array",
                        i, size, many->params->size);
    }
    return status;
}

enum shoal_status shoal_tsp_run_many(struct shoal_device *device, const struct shoal_tsp_params *params,
                                     size_t count, shoal_tsp_solved_callback *solved,
                                     bool (*stop)(void *data), void *data, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, device, params))
        return SHOAL_INVALID;
    if (!solved)
        return fail(error, SHOAL_INVALID, "shoal_tsp_run_many: solved is NULL");
    struct many many = {
        .device = device, .params = params, .count = count, .solved = solved, .stop = stop, .data = data};
    enum shoal_status status = check_sizes(&many, error);
    if (!status)
        status = shoal_device_get_info(device)->is_host ? many_on_host(&many, error)
                                                        : many_on_device(&many, error);
    if (status)
        return status;
    return many.has_ended ? fail(error, SHOAL_STOPPED, "shoal_tsp_run_many: the work was ended") : SHOAL_OK;
}
