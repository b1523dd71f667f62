/* Private: what the two swarm solvers share. */
#ifndef SHOAL_PSO_SWARM_H
#define SHOAL_PSO_SWARM_H

#include "workload.h"

#include <shoal/pso.h>

extern const struct shoal_program_desc pso_program;
extern const struct shoal_solver_ops pso_device_ops, pso_host_ops;

static inline const struct shoal_pso_params *pso_params(const struct shoal_solver *solver)
{
    return solver->params;
}

/* The box: what was asked for, else that of the function. */
double pso_lower(const struct shoal_pso_params *params);
double pso_upper(const struct shoal_pso_params *params);

/* How the kernels are laid over a device. */
struct pso_plan {
    uint32_t slices;     /* work-items that share a particle: a power of two */
    uint32_t items;      /* particles of a work-item; 1 unless slices is 1 */
    uint32_t work_group; /* a power of two */
    bool one_group;      /* one group does many steps in a launch */
    uint32_t max_groups; /* otherwise: most groups in a launch */
};
struct pso_plan pso_plan_make(const struct shoal_device_info *info, uint64_t particles, uint64_t dim);

/* The trace holds the best value after 0, n, 2n ... steps. */
static inline uint64_t pso_trace_count(const struct shoal_pso_params *params, uint64_t steps)
{
    return params->trace ? steps / params->trace + 1 : 0;
}

/* What a solver found, for pso_fill_result. */
struct pso_outcome {
    double best;
    const double *position; /* dim numbers */
    const double *trace;    /* pso_trace_count(params, steps) numbers */
    uint64_t steps;
    enum shoal_precision precision; /* in which `best` was computed */
};

/* Checks the outcome in double precision and fills the result; its pointers are those of the outcome. */
void pso_fill_result(const struct shoal_pso_params *params, const struct pso_outcome *outcome,
                     struct shoal_result *result);

/* A checkpoint that stands beyond the end of the run it is loaded into has no place for its trace. */
SHOAL_MUST_CHECK enum shoal_status pso_check_steps(const struct shoal_pso_params *params,
                                                   const struct checkpoint *checkpoint, uint64_t *steps,
                                                   struct shoal_error *error);

#endif
