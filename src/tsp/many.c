/* Runs of many problems, several at once on the host. */
#include "base/error.h"
#include "base/params.h"
#include "base/threads.h"
#include "tsp/tsp.h"

#include <math.h>

struct many {
    struct shoal_device *device;
    shoal_tsp_solved_callback *solved;
    bool (*stop)(void *data);
    void *data;
    bool has_ended; /* a function of the caller has ended the work */
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

static void give(struct many *many, size_t index, enum shoal_status status, const struct shoal_report *report,
                 const struct shoal_error *error)
{
    const struct shoal_tsp_solved solved = {.size = sizeof solved,
                                            .index = index,
                                            .status = status,
                                            .message = status ? error->message : NULL,
                                            .report = status ? NULL : report};
    if (must_stop(many))
        return;
    const bool goes_on = many->solved(many->data, &solved);
#pragma omp critical(tsp_many_stop)
    many->has_ended = many->has_ended || !goes_on;
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
    struct shoal_tsp_params first;
    const enum shoal_status wrong =
        count ? workload_struct_take(__func__, &tsp_workload.face, params, &first, error) : SHOAL_OK;
    if (wrong)
        return wrong;
    struct many many = {.device = device, .solved = solved, .stop = stop, .data = data};
    const struct shoal_run_params run =
        SHOAL_RUN_PARAMS(.stop = must_stop, .data = &many, .value_every = INFINITY);
    /* Runs take long on the host; a device makes one after the other. */
    const int threads = shoal_device_get_info(device)->is_host ? threads_once(INFINITY) : 1;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < count; i++) {
        struct shoal_report report = {.size = sizeof report};
        struct shoal_error fault = {0};
        const void *own = (const char *)params + i * params->size;
        enum shoal_status status = SHOAL_STOPPED;
        if (!must_stop(&many))
            status = shoal_run(&tsp_workload.face, many.device, own, &run, &report, &fault);
#pragma omp ordered
        give(&many, i, status, &report, &fault);
        shoal_report_clear(&report);
    }
    return many.has_ended ? fail(error, SHOAL_STOPPED, "shoal_tsp_run_many: the work was ended") : SHOAL_OK;
}
