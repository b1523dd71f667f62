/* Replicas on the host: a solver for each, and a thread for each solver. */
#include "gas/host/host.h"
#include "base/error.h"
#include "base/threads.h"
#include "gas/replicas/replicas.h"
#include "workload/workload.h"

#include <string.h>

/* Keeps the first failure of a loop over the replicas: that with the lowest index. */
struct first_failure {
    size_t index;
    enum shoal_status status;
    struct shoal_error error;
};

static void keep_failure(struct first_failure *first, size_t index, enum shoal_status status,
                         const struct shoal_error *error)
{
#pragma omp critical(gas_replicas_failure)
    if (!first->status || index < first->index)
        *first = (struct first_failure){index, status, *error};
}

static enum shoal_status first_status(const struct first_failure *first, struct shoal_error *error)
{
    if (first->status && error)
        *error = first->error;
    return first->status;
}

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

/* Makes the steps of one replica. An explosion stops the replica alone. */
static enum shoal_status step_one(struct replica *replica, uint64_t steps, struct shoal_error *error)
{
    const struct gas_common *const common = gas_common_of(replica->solver);
    uint64_t done = 1;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t left = steps; left > 0 && done > 0 && !status; left -= done)
        status = shoal_solver_step(replica->solver, left, &done, error);
    replica->steps = common->clock.steps_done;
    replica->samples = gas_averages_get(common->averages, GAS_MEAN_KINETIC).samples;
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
    const double alone_s = gas_forces_seconds(problem) * (double)steps * (double)replicas->count;
#pragma omp parallel for schedule(dynamic) num_threads(threads_once(alone_s))
    for (size_t i = 0; i < replicas->count; i++) {
        struct shoal_error own = {0};
        const enum shoal_status status =
            *replicas->each[i].failure ? SHOAL_OK : step_one(&replicas->each[i], steps, &own);
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
