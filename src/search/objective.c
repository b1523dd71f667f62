/* The objective of a solver of any algorithm. */
#include "search/device/device.h"
#include "search/host/host.h"

#include <shoal/fit.h>

const struct shoal_objective *shoal_solver_objective(const struct shoal_solver *solver)
{
    if (!search_algorithm_find(solver->workload->name))
        return NULL;
    const struct search_host *host = solver->state;
    return solver->queue ? search_device_of(solver)->problem->objective : host->problem->objective;
}
