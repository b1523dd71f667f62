/* Runs of many problems, several at once on the host. Results wait in slots until those before them are
 * given: a thread that has finished a run goes on with another one. */
#include "base/error.h"
#include "base/params.h"
#include "base/threads.h"
#include "tsp/tsp.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    pthread_mutex_t lock; /* of the following members and of `is_finished` */
    pthread_cond_t given; /* `next` has changed */
    size_t begun, next;   /* runs that began, and the problem whose result is given next */
    bool is_giving;       /* a thread gives results */
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

/* Takes the next problem once its slot is free. The run of problem `next` never waits, so waiting ends. */
static bool begin(struct many *many, size_t *index)
{
    pthread_mutex_lock(&many->lock);
    while (many->begun < many->count && many->begun >= many->next + many->room)
        pthread_cond_wait(&many->given, &many->lock);
    *index = many->begun;
    const bool is_there = many->begun < many->count;
    many->begun += is_there;
    pthread_mutex_unlock(&many->lock);
    return is_there;
}

/* Gives all results whose turn has come, unless another thread does so: that thread then finds this one. */
static void finish(struct many *many, struct slot *finished)
{
    pthread_mutex_lock(&many->lock);
    finished->is_finished = true;
    while (!many->is_giving && many->slots[many->next % many->room].is_finished) {
        struct slot *slot = &many->slots[many->next % many->room];
        many->is_giving = true;
        pthread_mutex_unlock(&many->lock);
        give(many, many->next, slot);
        pthread_mutex_lock(&many->lock);
        many->is_giving = slot->is_finished = false;
        many->next++;
        pthread_cond_broadcast(&many->given);
    }
    pthread_mutex_unlock(&many->lock);
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
    struct many many = {.device = device,
                        .params = params,
                        .count = count,
                        .solved = solved,
                        .stop = stop,
                        .data = data,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .given = PTHREAD_COND_INITIALIZER};
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
