/* Runs of many problems, several at once on the host. Results wait in slots until those before them are
 * given: a thread that has finished a run goes on with another one. */
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

struct many {
    struct shoal_device *device;
    const struct shoal_tsp_params *params;
    size_t count;
    shoal_tsp_solved_callback *solved;
    bool (*stop)(void *data);
    void *data;
    bool has_ended; /* a function of the caller has ended the work */
    /* The run of problem i is in slots[i % room] until its result is given. */
    struct slot *slots;
    size_t room;
    size_t begun, next; /* runs that began, and the problem whose result is given next */
    bool is_giving;     /* a thread gives results */
};

/* Runs ask at once; the caller's function is called by one thread at a time. */
static bool must_stop(void *data)
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

static void give(struct many *many, size_t index, struct slot *slot)
{
    const struct shoal_tsp_solved solved = {.size = sizeof solved,
                                            .index = index,
                                            .status = slot->status,
                                            .message = slot->status ? slot->fault.message : NULL,
                                            .report = slot->status ? NULL : &slot->report};
    if (!must_stop(many)) {
        const bool goes_on = many->solved(many->data, &solved);
#pragma omp critical(tsp_many_stop)
        many->has_ended = many->has_ended || !goes_on;
    }
    shoal_report_clear(&slot->report);
}

/* Takes the next problem if its slot is free. */
static bool take(struct many *many, size_t *index)
{
    bool is_taken;
#pragma omp critical(tsp_many_slots)
    {
        *index = many->begun;
        is_taken = many->begun < many->count && many->begun < many->next + many->room;
        many->begun += is_taken;
    }
    return is_taken;
}

/* Waits for the next problem. False: there is none. The run of problem `next` never waits, so waiting ends.
 * The wait is short beside the runs, which all slots hold but one. */
static bool begin(struct many *many, size_t *index)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!take(many, index)) {
        if (*index >= many->count)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* The slot whose turn has come, if its run is finished and no other thread gives results; else NULL. given:
 * the slot whose result this thread has given; NULL: it comes from a run. */
static struct slot *next_slot(struct many *many, struct slot *finished, struct slot *given)
{
    struct slot *slot;
#pragma omp critical(tsp_many_slots)
    {
        if (finished)
            finished->is_finished = true;
        if (given) {
            many->is_giving = given->is_finished = false;
            many->next++;
        }
        slot = &many->slots[many->next % many->room];
        if (many->is_giving || !slot->is_finished)
            slot = NULL;
        else
            many->is_giving = true;
    }
    return slot;
}

/* Gives all results whose turn has come, unless another thread does so: that thread then finds this one. */
static void finish(struct many *many, struct slot *finished)
{
    for (struct slot *slot = next_slot(many, finished, NULL); slot; slot = next_slot(many, NULL, slot))
        give(many, many->next, slot); /* `next` changes only where results are given */
}

static const void *params_of(const struct many *many, size_t index)
{
    return (const char *)many->params + index * many->params->size;
}

static void run_problems(struct many *many)
{
    const struct shoal_run_params run =
        SHOAL_RUN_PARAMS(.stop = must_stop, .data = many, .value_every = INFINITY);
    size_t index;
    while (begin(many, &index)) {
        struct slot *slot = &many->slots[index % many->room];
        slot->report = (struct shoal_report){.size = sizeof slot->report};
        slot->fault = (struct shoal_error){0};
        slot->status = SHOAL_STOPPED;
        if (!must_stop(many))
            slot->status = shoal_run(&tsp_workload.face, many->device, params_of(many, index), &run,
                                     &slot->report, &slot->fault);
        finish(many, slot);
    }
}

static enum shoal_status check_sizes(const struct many *many, struct shoal_error *error)
{
    struct shoal_tsp_params first;
    const enum shoal_status status =
        many->count
            ? workload_struct_take("shoal_tsp_run_many", &tsp_workload.face, many->params, &first, error)
            : SHOAL_OK;
    for (size_t i = 1; i < many->count && !status; i++) {
        size_t size;
        memcpy(&size, params_of(many, i), sizeof size);
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
    const enum shoal_status wrong = check_sizes(&many, error);
    if (wrong)
        return wrong;
    /* Runs take long on the host; a device makes one after the other. */
    const int threads = shoal_device_get_info(device)->is_host ? threads_once(INFINITY) : 1;
    many.room = SLOTS * (size_t)threads;
    many.slots = calloc(many.room, sizeof *many.slots);
    if (!many.slots)
        return fail_host_memory(error);
#pragma omp parallel num_threads(threads)
    run_problems(&many);
    free(many.slots);
    return many.has_ended ? fail(error, SHOAL_STOPPED, "shoal_tsp_run_many: the work was ended") : SHOAL_OK;
}
