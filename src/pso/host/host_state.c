/* The swarms of the host in a checkpoint. All else follows from the parameters. */
#include "base/error.h"
#include "pso/host/host.h"

enum shoal_status pso_host_save(struct pso_host *host, struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    host->saved_steps = pso_host_steps(host);
    pso_host_list_arrays(host, host->saved_steps);
    checkpoint_add(checkpoint, "step", &host->saved_steps, sizeof host->saved_steps);
    return arrays_save(&host->arrays, checkpoint, error);
}

static bool is_sound(const struct pso_host *host, uint64_t steps)
{
    const struct pso_problem *problem = &host->problem;
    for (size_t k = 0; k < problem->search.islands; k++) {
        const struct pso_host_island *island = &host->islands[k];
        const struct pso_host_run *run = &host->runs[k / problem->search.run_islands];
        const struct pso_island_counts counts = {.steps = run->steps,
                                                 .ended = run->ended,
                                                 .reached = run->reached,
                                                 .stagnant = island->stagnant,
                                                 .restarts = island->restarts,
                                                 .links_at = island->links_at,
                                                 .leader = island->leader};
        if (!pso_island_is_sound(problem, steps, &counts))
            return false;
    }
    return pso_host_steps(host) == steps;
}

enum shoal_status pso_host_load(struct pso_host *host, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    const struct pso_problem *problem = &host->problem;
    uint64_t steps;
    enum shoal_status status = search_check_steps(&problem->search, checkpoint, &steps, error);
    pso_host_reset(host);
    if (status)
        return status;
    pso_host_list_arrays(host, steps);
    status = arrays_load(&host->arrays, checkpoint, error);
    if (!status && !is_sound(host, steps))
        status = checkpoint_damaged(checkpoint, error);
    if (status) {
        pso_host_reset(host);
        return status;
    }
    /* A run with fewer steps than the others has ended and stays so: it has no step in common with them.
     */
    for (size_t run = 0; run < problem->search.runs; run++)
        if (host->runs[run].steps == steps)
            pso_host_look_for_end(host, run);
    for (size_t k = 0; k < problem->search.islands && host->links; k++)
        pso_host_draw_links(host, k);
    host->drawn = true;
    return SHOAL_OK;
}
