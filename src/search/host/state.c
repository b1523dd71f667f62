/* The sections of a search on the host in a checkpoint. State without a section is computed from the
 * parameters and the saved arrays. */
#include "base/error.h"
#include "search/host/host.h"
#include "search/space.h"

#include <math.h>
#include <string.h>

enum shoal_status search_fail_early_save(struct shoal_error *error)
{
    return fail(error, SHOAL_UNSUPPORTED,
                "no checkpoint is written: the search was stopped before all of its first points had values");
}

enum shoal_status search_host_save(struct search_host *host, struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    if (host->is_partial)
        return search_fail_early_save(error);
    host->saved_steps = search_host_steps(host);
    search_host_list_arrays(host);
    search_trace_save(&host->trace, checkpoint);
    checkpoint_add(checkpoint, "step", &host->saved_steps, sizeof host->saved_steps);
    search_box_save(host->problem, checkpoint);
    enum shoal_status status = arrays_save(&host->arrays, checkpoint, error);
    if (!status)
        status = arrays_save(&host->own, checkpoint, error);
    return status || !host->ops->save ? status : host->ops->save(host, checkpoint, error);
}

/* Whether the positions are inside the box, for all members and champions that have a value. */
static bool positions_are_inside(const struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    for (size_t i = 0; i < problem->total; i++)
        if (isfinite(host->best[i]) && !search_is_inside(problem, host->p + i * problem->dim, SHOAL_FP64))
            return false;
    for (size_t k = 0; k < problem->islands; k++)
        if (isfinite(host->islands[k].champion) &&
            !search_is_inside(problem, host->champion + k * problem->dim, SHOAL_FP64))
            return false;
    return true;
}

bool search_host_is_sound(const struct search_host *host, uint64_t steps)
{
    const struct search_problem *problem = host->problem;
    for (size_t k = 0; k < problem->islands; k++) {
        const struct search_island *island = &host->islands[k];
        const struct search_run *run = &host->runs[k / problem->run_islands];
        const struct search_counts counts = {.steps = run->steps,
                                             .ended = run->ended,
                                             .reached = run->reached,
                                             .stagnant = island->stagnant,
                                             .restarts = island->restarts,
                                             .renew_at = island->renew_at,
                                             .leader = island->leader};
        if (!search_is_sound(problem, steps, &counts))
            return false;
    }
    return search_host_steps(host) == steps && positions_are_inside(host);
}

void search_host_derive(struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    for (size_t k = 0; k < problem->islands && host->ops->renew; k++)
        host->ops->renew(host, k);
    host->drawn = true;
    for (size_t k = 0; k < problem->islands && host->ops->prepare; k++)
        host->ops->prepare(host, k);
}

/* Reads a sample of a checkpoint of an earlier version. A run that had ended before the sample's step has its
 * last value. */
static bool old_trace(const void *data, const void *entry, size_t bytes, uint64_t step, size_t run,
                      double *least)
{
    const struct search_host *host = data;
    if (bytes != host->problem->runs * sizeof *least)
        return false;
    memcpy(least, (const char *)entry + run * sizeof *least, sizeof *least);
    if (step > host->runs[run].steps)
        *least = host->islands[search_host_champion(host, run)].champion;
    return true;
}

enum shoal_status search_host_load(struct search_host *host, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    const struct search_problem *problem = host->problem;
    uint64_t steps;
    enum shoal_status status = checkpoint_get(checkpoint, "step", &steps, sizeof steps, error);
    search_host_reset(host);
    if (!status)
        status = search_box_match(problem, checkpoint, error);
    if (status)
        return status;
    search_host_list_arrays(host);
    status = arrays_load(&host->arrays, checkpoint, error);
    if (!status)
        status = arrays_load(&host->own, checkpoint, error);
    if (!status && host->ops->load)
        status = host->ops->load(host, checkpoint, error);
    if (!status && !search_host_is_sound(host, steps))
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status = search_trace_load(problem, &host->trace, steps, old_trace, host, checkpoint, error);
    if (status) {
        search_host_reset(host);
        return status;
    }
    /* A run with fewer steps than `steps` has ended and stays ended, since it can no longer make its steps
     * together with the other runs. */
    for (size_t run = 0; run < problem->runs; run++)
        if (host->runs[run].steps == steps)
            search_host_look_for_end(host, run, true);
    search_host_derive(host);
    return SHOAL_OK;
}
