/* Kernels of several runs built at the same time: the tasks of compute/ahead create the solvers. */
#include "compute/ahead/ahead.h"

#include "base/params.h"
#include "workload/workload.h"

#include <shoal/ahead.h>
#include <stdlib.h>

/* Creates the solver of a run for the scout. *is_native: it uses native kernels. */
static void ask_variant(const struct shoal_planned_run *run, struct shoal_device *scout,
                        enum shoal_variant variant, bool *is_native)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    struct shoal_error ignored;
    enum shoal_status status = shoal_queue_create(scout, SHOAL_QUEUE_PROFILING, &queue, &ignored);
    if (!status)
        status = shoal_solver_create(run->workload, scout, queue, run->params, variant, &solver, &ignored);
    *is_native = !status && shoal_solver_is_native(solver);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
}

static void ask(void *data, struct shoal_device *scout)
{
    const struct shoal_planned_run *run = data;
    bool is_native;
    ask_variant(run, scout, run->variant, &is_native);
    if (is_native && run->compares_variants)
        ask_variant(run, scout, SHOAL_VARIANT_CL, &is_native);
}

static enum shoal_status check(const struct shoal *shoal, const struct shoal_planned_run *runs, size_t count,
                               struct shoal_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct shoal_planned_run *run = &runs[i];
        if (!run->workload || !run->device || !run->params)
            return fail(error, SHOAL_INVALID,
                        "shoal_build_ahead: run %zu lacks workload, device or parameters", i);
        if (device_shoal(run->device) != shoal)
            return fail(error, SHOAL_INVALID,
                        "shoal_build_ahead: the device of run %zu, %s, belongs to "
                        "another instance",
                        i, shoal_device_get_info(run->device)->id);
    }
    return SHOAL_OK;
}

enum shoal_status shoal_build_ahead(struct shoal *shoal, const struct shoal_planned_run *runs, size_t count,
                                    size_t *programs, double *compile_s, struct shoal_error *error)
{
    if (!NEED(error, shoal) || (count && !NEED(error, runs)))
        return SHOAL_INVALID;
    struct ahead_totals totals = {0};
    enum shoal_status status = check(shoal, runs, count, error);
    struct ahead_task *tasks = status ? NULL : calloc(count + 1, sizeof *tasks);
    size_t task_count = 0;
    if (!status && !tasks)
        status = fail_host_memory(error);
    for (size_t i = 0; !status && i < count; i++)
        if (ahead_is_useful(runs[i].device))
            tasks[task_count++] = (struct ahead_task){runs[i].device, ask, (void *)&runs[i]};
    if (task_count)
        status = ahead_run(shoal, tasks, task_count, &totals, error);
    free(tasks);
    if (programs)
        *programs = totals.programs;
    if (compile_s)
        *compile_s = totals.compile_s;
    return status;
}
