/* The gas of the cases that do not time its steps. */
#ifndef SHOAL_BENCH_GAS_LIQUID_H
#define SHOAL_BENCH_GAS_LIQUID_H

#include "bench/runner/bench.h"

#include <shoal/gas.h>

/* Creates a two-dimensional Lennard-Jones gas, which then makes two steps. `params` must live as long as the
 * solver. */
static inline enum shoal_status bench_liquid(struct bench *bench, size_t particles,
                                             struct shoal_gas_params *params, struct shoal_solver **solver,
                                             struct shoal_error *error)
{
    uint64_t done;
    *params = SHOAL_GAS_PARAMS(.particles = particles, .density = 0.4, .cutoff = 2.5, .steps = 1000,
                               .method = SHOAL_GAS_LIST);
    const enum shoal_status status = shoal_solver_create(shoal_workload_find("gas"), bench->device,
                                                         bench->queue, params, bench->variant, solver, error);
    return status ? status : shoal_solver_step(*solver, 2, &done, error);
}

#endif
