/* Replicas on the host: a solver for each, and a thread for each solver. */
#include "gas/host/host.h"
#include "base/error.h"
#include "base/threads.h"
#include "gas/replicas/failures.h"
#include "gas/replicas/replicas.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status replicas_host_create(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    struct first_failure first = {0, SHOAL_OK, {0}};
#pragma omp parallel for schedule(dynamic) num_threads(threads_once(INFINITY))
    for (size_t i = 0; i < replicas->count; i++) {
        struct replica *replica = &replicas->each[i];
        struct shoal_error own = {0};
        const enum shoal_status status =
            shoal_solver_create(&gas_workload.face, replicas->device, NULL, &replica->params,
                                SHOAL_VARIANT_AUTO, &replica->solver, &own);
        if (status)
            keep_failure(&first, i, replica_error(replicas, i, status, &own), &own);
    }
    return first_status(&first, error);
}

/* Number of samples in the averages so far. */
static uint64_t samples_of(const struct gas_common *common)
{
    return gas_averages_get(common->averages, GAS_MEAN_KINETIC).samples;
}

/* Adds what the last sample counts, which is the pairs that the solver has counted since the sample before.
 * A sample that was added already, and a replica that counts no pairs, stay as they are. */
static enum shoal_status add_tally(struct replica *replica, struct shoal_error *error)
{
    const struct gas_host *host = gas_host_of(replica->solver);
    if (!replicas_tally_counts(&host->problem) ||
        samples_of(gas_common_of(replica->solver)) == replica->tallies.samples)
        return SHOAL_OK;
    const size_t count = gas_count_bins(&host->problem, SHOAL_GAS_RDF);
    double *counts = calloc(count + 1, sizeof *counts);
    if (!replica->counted)
        replica->counted = calloc(count + 1, sizeof *replica->counted);
    enum shoal_status status = counts && replica->counted ? SHOAL_OK : fail_host_memory(error);
    for (size_t at = 0; at < count && !status; at++)
        counts[at] = (double)(host->counts[SHOAL_GAS_RDF][at] - replica->counted[at]);
    if (!status)
        status =
            replica_tally(replica, counts, gas_common_of(replica->solver)->clock.last.largest_cluster, error);
    if (!status && count)
        memcpy(replica->counted, host->counts[SHOAL_GAS_RDF], count * sizeof *replica->counted);
    free(counts);
    return status;
}

/* Number of steps up to the next sample, at most `left`. 0: the run has not begun, and its start may be a
 * sample. */
static uint64_t steps_to_sample(const struct gas_common *common, uint64_t left)
{
    const struct shoal_gas_params *params = common->problem->params;
    const uint64_t done = common->clock.steps_done, first = params->equilibration,
                   every = gas_sample_interval(params),
                   wait = done < first ? first - done : every - (done - first) % every;
    return !common->begun ? 0 : wait < left ? wait : left;
}

/* Makes steps up to the next sample at most, and adds what it counts. */
static enum shoal_status step_some(struct replica *replica, uint64_t left, uint64_t *done,
                                   struct shoal_error *error)
{
    const struct gas_common *const common = gas_common_of(replica->solver);
    const bool counts = replicas_tally_counts(common->problem) > 0;
    const enum shoal_status status =
        shoal_solver_step(replica->solver, counts ? steps_to_sample(common, left) : left, done, error);
    return status ? status : add_tally(replica, error);
}

/* Makes the steps of one replica up to step `end`. An explosion stops the replica alone. A replica that made
 * its steps in a call in which another replica failed stays at `end`. */
static enum shoal_status step_one(struct replica *replica, uint64_t end, struct shoal_error *error)
{
    const struct gas_common *const common = gas_common_of(replica->solver);
    bool is_over = false;
    uint64_t done;
    /* a failed call may have made the steps without the tally */
    enum shoal_status status = add_tally(replica, error);
    while (common->clock.steps_done < end && !is_over && !status) {
        const bool begins = !common->begun;
        status = step_some(replica, end - common->clock.steps_done, &done, error);
        is_over = !begins && done == 0;
    }
    replica->steps = common->clock.steps_done;
    replica->samples = samples_of(common);
    replica->rebuilds = gas_host_of(replica->solver)->list.rebuilds;
    replica->last = common->clock.last;
    if (status != SHOAL_CHECK_FAILED)
        return status;
    replica_fail(replica, error);
    return SHOAL_OK;
}

enum shoal_status replicas_host_step(struct shoal_gas_replicas *replicas, uint64_t steps,
                                     struct shoal_error *error)
{
    struct first_failure first = {0, SHOAL_OK, {0}};
    const struct gas_problem *problem = &gas_host_of(replicas->each->solver)->problem;
    const uint64_t end = replicas->steps_done + steps;
    const double alone_s = gas_forces_seconds(problem) * (double)steps * (double)replicas->count;
#pragma omp parallel for schedule(dynamic) num_threads(threads_once(alone_s))
    for (size_t i = 0; i < replicas->count; i++) {
        struct shoal_error own = {0};
        const enum shoal_status status =
            *replicas->each[i].failure ? SHOAL_OK : step_one(&replicas->each[i], end, &own);
        if (status)
            keep_failure(&first, i, status, &own);
    }
    return first_status(&first, error);
}

void replicas_host_state(const struct replica *replica, double *position, double *velocity)
{
    const struct gas_host *host = gas_host_of(replica->solver);
    const size_t bytes = host->problem.n * host->problem.dim * sizeof(double);
    if (position)
        memcpy(position, host->x, bytes);
    if (velocity)
        memcpy(velocity, host->v, bytes);
}
