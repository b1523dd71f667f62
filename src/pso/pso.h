/* Private: common parts of the solvers of the workload "pso". */
#ifndef SHOAL_PSO_SWARM_H
#define SHOAL_PSO_SWARM_H

#include "pso/model/problem.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops pso_device_ops, pso_host_ops;
extern const struct shoal_sampling pso_sampling; /* of struct shoal_pso_sample */

enum { PSO_OPTIONS = 45 };
extern const struct shoal_option pso_options[PSO_OPTIONS];

/* Ended by NULL, in the order of enum shoal_precision and enum shoal_pso_method. */
extern const char *const pso_precision_names[], *const pso_method_names[];

static inline const struct shoal_pso_params *pso_params(const struct shoal_solver *solver)
{
    return solver->params;
}

/* The trace holds, for each run, the best value after 0, n, 2n ... steps. */
static inline uint64_t pso_trace_count(const struct shoal_pso_params *params, uint64_t steps)
{
    return params->trace ? steps / params->trace + 1 : 0;
}

/* Outcome of a solver. */
struct pso_outcome {
    const double *best;     /* runs: least sign f of each run, as the solver computed it; +infinity: none */
    const double *position; /* runs * dim: where */
    const uint64_t *ended;  /* runs: steps after which the run ended, or steps so far */
    const bool *reached;    /* runs: the target */
    const double *trace;    /* pso_trace_count(params, steps) rows of `runs` values of sign f */
    uint64_t steps;         /* of the run that went on longest */
    uint64_t restarts;      /* of all islands */
    uint64_t not_finite;    /* evaluations that gave NaN or an infinity */
    uint64_t polish;        /* evaluations of the pattern search, of all runs */
    enum shoal_precision precision; /* in which `best` was computed */
    const char *method;             /* that the device used; NULL on the host */
    bool is_on_chip;                /* steps leave memory alone */
};

/* Storage of what a result points to; owned by the solver. */
struct pso_summary {
    double *finals;      /* runs: f at the position, in double; an infinity where no value was finite */
    double *sorted;      /* runs: the same, best first */
    double *evaluations; /* runs */
    double *trace;       /* PSO_TRACES curves of pso_trace_count(params, max_steps) values of f */
    size_t entries;      /* of each curve in the last result */
    double *column;      /* runs */
    char best_seed[24], worst_seed[24], title[120], warning[160];
};

/* Curves over the runs: the median one, and quantiles 5, 25, 75 and 95 %. */
enum { PSO_TRACES = 5 };

/* Checks the outcome in double precision and fills the result; its pointers are those of the outcome and of
 * the summary, which is allocated at the first call and released with pso_summary_free. */
SHOAL_MUST_CHECK enum shoal_status pso_fill_result(const struct pso_problem *problem,
                                                   const struct pso_outcome *outcome,
                                                   struct pso_summary *summary, struct shoal_result *result,
                                                   struct shoal_error *error);
void pso_summary_free(struct pso_summary *summary);

/* Fields about the runs together and the trace; outcome_runs.c. */
void pso_add_runs(const struct pso_problem *problem, const struct pso_outcome *outcome,
                  struct pso_summary *summary, struct shoal_result *result);
void pso_add_trace(const struct pso_problem *problem, const struct pso_outcome *outcome,
                   struct pso_summary *summary, struct shoal_result *result);

/* Entry `index` of the trace in the last result; false: there is none. */
bool pso_trace_sample(const struct pso_problem *problem, const struct pso_summary *summary, uint64_t index,
                      struct shoal_pso_sample *sample);

/* Fails for a checkpoint of a later step than the end of the run: its trace has no place. */
SHOAL_MUST_CHECK enum shoal_status pso_check_steps(const struct pso_problem *problem,
                                                   const struct checkpoint *checkpoint, uint64_t *steps,
                                                   struct shoal_error *error);

/* What a checkpoint says of an island and its run; `leader`: particle that holds the island's best. */
struct pso_island_counts {
    uint64_t steps, ended, reached; /* of the run */
    uint64_t stagnant, restarts, links_at, leader;
};
/* Can an island be so in a checkpoint of step `steps`? Solvers use these words as indices and as bounds. */
bool pso_island_is_sound(const struct pso_problem *problem, uint64_t steps,
                         const struct pso_island_counts *island);

#endif
