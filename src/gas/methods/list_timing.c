/* Reports of the method "list": device times, rebuilds and neighbours. */
#include "gas/methods/list.h"
#include "gas/methods/neighbours.h"

#include <math.h>
#include <stdlib.h>

static const struct gas_list *list_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Total number of neighbours of the particles that a solver moves; NaN: the device cannot be read. */
static double count_neighbours(const struct shoal_solver *solver)
{
    const struct gas_range own = gas_own_range(solver);
    const size_t n = gas_count(own);
    uint32_t *counts = malloc(n * sizeof *counts);
    struct shoal_error ignored;
    double sum = NAN;
    if (counts && !shoal_buffer_read(solver->queue, list_of(solver)->neighbours->counts,
                                     own.begin * sizeof *counts, counts, n * sizeof *counts, &ignored)) {
        sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += counts[i] & 0x0fffffff; /* without the species: cl/gas/methods/list.clh */
    }
    free(counts);
    return sum;
}

static double mean_neighbours(const struct shoal_solver *solver)
{
    struct shoal_solver *whole = solver->share.whole;
    double sum = 0;
    if (!whole)
        return count_neighbours(solver) / (double)gas_device_of(solver)->problem.n;
    const struct solver_list shares = solver_holders(&whole);
    for (size_t k = 0; k < shares.count; k++)
        sum += count_neighbours(shares.solvers[k]);
    return sum / (double)gas_device_of(solver)->problem.n;
}

void gas_list_timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    const struct gas_list *list = list_of(solver);
    if (list->samples) {
        timing->force_s = list->step_s / (double)list->samples * (double)list->steps;
        const double per_sample = (double)(list->rebuilds - list->rebuilds_before) / (double)list->samples;
        timing->sort_s = list->sort_s * per_sample;
        timing->list_s = list->build_s * per_sample;
    }
    timing->rebuilds = list->rebuilds;
    timing->violations = list->violations;
    timing->mean_neighbours = mean_neighbours(solver);
    timing->skin = list->skin;
    timing->rebuild_interval = list->state.interval;
}
