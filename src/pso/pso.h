/* Private: common parts of the solvers of the workload "pso". */
#ifndef SHOAL_PSO_SWARM_H
#define SHOAL_PSO_SWARM_H

#include "pso/model/problem.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops pso_device_ops, pso_host_ops;

enum { PSO_OPTIONS = SEARCH_OPTIONS + 14 };
extern const struct shoal_option pso_options[PSO_OPTIONS];

/* Ended by NULL, in the order of enum shoal_pso_method. */
extern const char *const pso_method_names[];

static inline const struct shoal_pso_params *pso_params(const struct shoal_solver *solver)
{
    return solver->params;
}

/* Bytes of memory that the move and evaluation of a particle read and write at least: x and v, and p, which
 * is read but seldom written. */
static inline double pso_evaluation_bytes(const struct pso_problem *problem, enum shoal_precision precision)
{
    return 5 * (double)problem->search.dim *
           (double)(precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}

/* What a checkpoint says of an island and its run; `leader`: particle that holds the island's best. */
struct pso_island_counts {
    uint64_t steps, ended, reached; /* of the run */
    uint64_t stagnant, restarts, links_at, leader;
};
/* Can an island be so in a checkpoint of step `steps`? Solvers use these words as indices and as bounds. */
bool pso_island_is_sound(const struct pso_problem *problem, uint64_t steps,
                         const struct pso_island_counts *island);

#endif
