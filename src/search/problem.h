/* Private: the problem of a search, resolved from the common parameters once and constant from then on: the
 * first member of each algorithm's own struct. */
#ifndef SHOAL_SEARCH_PROBLEM_H
#define SHOAL_SEARCH_PROBLEM_H

#include "objective/variables/variables.h"
#include "search/algorithm.h"
#include "search/links.h"

#include <math.h>
#include <shoal/optimise.h>
#include <shoal/workload.h>

struct search_problem {
    const struct search_algorithm *algorithm;
    struct shoal_search_params *params; /* a copy of the algorithm's, with its limits resolved; allocated */
    const struct shoal_objective *objective;
    struct shoal_objective *own; /* the same if created here; else NULL */
    const struct shoal_objective_info *info;
    struct shoal_variables *variables; /* NULL: dim reals */
    bool has_genome;                   /* some variable is no plain real: a member is a genome, see space.h */
    struct genome_layout genome;       /* of variables */
    size_t asked_dim;                  /* by the parameters, their box or start points; 0: by none */
    size_t dim;                        /* numbers of a member */
    size_t point_dim;                  /* coordinates of a point of the objective: variables */
    size_t members;                    /* of an island */
    size_t points;      /* that an island makes in a step; in step 0 and of a restart: members */
    size_t width;       /* the larger one of both */
    size_t migrants;    /* points that an island sends in an exchange */
    size_t run_islands; /* islands of a run */
    size_t runs;
    size_t islands;                /* run_islands * runs; island k belongs to run k / run_islands */
    size_t total;                  /* members * islands; member i belongs to island i / members */
    struct search_links links;     /* of an exchange */
    double *lower, *upper, *shift; /* dim each, allocated */
    double *start;                 /* members that each run starts with, allocated; NULL: none */
    size_t start_count;
    char *notes;              /* of the files that it was read from, logged, a sentence a line; NULL: none */
    void *tables;             /* of the algorithm, malloc'ed; freed with the problem */
    bool same_box;            /* the same box in each dimension and no shift */
    bool has_mailbox;         /* on a device, islands exchange within launches; set by the algorithm */
    bool has_moves;           /* points move behind their evaluation; set by the algorithm */
    bool is_unbounded;        /* positions may leave the box; set by the algorithm */
    double sign;              /* 1, or -1 to maximise */
    double target;            /* of sign f; -infinity: none */
    enum shoal_repair repair; /* NONE also where the objective has none */
    double penalty;           /* of a coordinate outside the box; set by the algorithm */
    uint64_t pattern;         /* evaluations of a run by a pattern search that refines it */
    uint64_t max_steps;       /* after which every run has ended by iterations or evaluations */
};

/* Rules between the common parameters that need no objective; each one by itself is in the range of its
 * option. */
SHOAL_MUST_CHECK enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* Steps after which the budget of evaluations is used up, those of step 0 included; UINT64_MAX: no limit. */
uint64_t search_budget_steps(const struct search_algorithm *algorithm,
                             const struct shoal_search_params *params);

/* ITERATIONS or EVALUATIONS: which of the two ends a search that nothing else ends. */
enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params);

/* Do the parameters say how long a run is? */
bool search_has_limit(const struct shoal_search_params *params);

/* Steps of a run that has a limit, by its iterations or its evaluations, those of step 0 included. */
uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Resolves the limits in problem->params: docs/search.md, "What ends a run"; sets max_steps. */
void search_resolve_limits(struct search_problem *problem);

/* The same of any run: where it follows from the objective, that is read. */
uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* For functions of struct workload. */
void search_make_endless(void *params, uint64_t warm_up_steps);

/* Those, and what it says of checkpoints, in a workload of an algorithm. */
#define SEARCH_WORKLOAD                                                                                      \
    .time_offset = offsetof(struct shoal_search_params, time), .make_endless = search_make_endless,          \
    .steps_section = "step", .steps_options = "--iterations or --evaluations"

/* Options that older checkpoints have in another form, first rows of a table. */
#define SEARCH_OLD_OPTIONS                                                                                   \
    {"lower", "lower", NULL, true, 0}, {"upper", "upper", NULL, true, 0},                                    \
        {"stagnation-tolerance", "stagnation-tolerance", NULL, false, 1e-9},                                 \
    {                                                                                                        \
        "refine", "refine", .before = "auto"                                                                 \
    }

SHOAL_MUST_CHECK enum shoal_status search_check_input(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params,
                                                      struct shoal_error *error);

/* Resolves the objective (reading and compiling texts, reading tables), box and sizes. `params` are valid and
 * outlive the problem; its arrays are copied. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_problem_create(struct shoal *shoal,
                                                         const struct search_algorithm *algorithm,
                                                         const struct shoal_search_params *params,
                                                         struct search_problem *problem,
                                                         struct shoal_error *error);
void search_problem_destroy(struct search_problem *problem); /* accepts zeros */

struct arrays;
/* Is there memory for these arrays of a solver and for `more` bytes? */
SHOAL_MUST_CHECK enum shoal_status search_check_memory(const struct search_problem *problem,
                                                       const struct arrays *arrays, double more,
                                                       struct shoal_error *error);

/* What a checkpoint says of an island and its run; `leader`: member that holds the island's best. */
struct search_counts {
    uint64_t steps, ended, reached; /* of the run */
    uint64_t stagnant, restarts, renew_at, leader;
};
/* Can an island be so in a checkpoint of step `steps`? */
bool search_is_sound(const struct search_problem *problem, uint64_t steps,
                     const struct search_counts *island);

/* In which devices compute: double for an objective of whole values, which a single one could not tell apart.
 */
static inline enum shoal_precision search_precision(const struct search_problem *problem)
{
    return problem->info->whole_values ? SHOAL_FP64 : (enum shoal_precision)problem->params->precision;
}

/* Evaluations of a run of so many steps, of which so many drew an island anew. */
double search_evaluations(const struct search_problem *problem, uint64_t steps, uint64_t restarts);

/* How a run has ended, in checkpoints: by its target or by stagnation, or by members that have come together.
 */
enum { SEARCH_ENDED = 1, SEARCH_CONVERGED = 2 };

/* Steps between those at which that is seen. */
enum { SEARCH_SPREAD_STEPS = 100 };

/* Is a run that is at that step to end if its members have come together? */
static inline bool search_looks_for_spread(const struct search_problem *problem, uint64_t step)
{
    return problem->params->x_tolerance > 0 && step && step % SEARCH_SPREAD_STEPS == 0;
}

/* The first of the numbers of a member, which are reals. */
static inline size_t search_reals(const struct search_problem *problem)
{
    return problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Does coordinate d of a member lie within x_tolerance of that of the best? */
static inline bool search_is_near(const struct search_problem *problem, size_t d, double member, double best)
{
    return fabs(member - best) <= problem->params->x_tolerance * (problem->upper[d] - problem->lower[d]);
}

/* Can target or stagnation end a run? */
static inline bool search_can_end_early(const struct search_problem *problem)
{
    return problem->target > -INFINITY || problem->params->stagnation;
}

/* Is a member of a solver in that precision in the box, or need not be; are its other genes whole numbers of
 * their ranges, and each thing once in an order? */
bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision);

/* What coordinates outside the box add to the value at x. */
double search_penalty(const struct search_problem *problem, const double *x);

/* Repairs a member in place where that is to be written back. scratch: dim. */
void search_repair(const struct search_problem *problem, double *member, double *scratch);

/* Value of the search at member x in a step: sign f(x - shift) and the penalty, NaN and infinities as
 * +infinity; in double. scratch: dim. */
double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch);
/* In step 0; of an objective that is not dynamic in every step. */
static inline double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    return search_value_in_step(problem, x, 0, scratch);
}

#endif
