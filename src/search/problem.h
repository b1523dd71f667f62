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
    struct shoal_objective *own; /* `objective` where the problem has created it and destroys it; else NULL */
    const struct shoal_objective_info *info;
    struct shoal_variables *variables; /* NULL: dim reals */
    bool has_genome;                   /* some variable is no plain real: a member is a genome, see space.h */
    struct genome_layout genome;       /* the genome's layout, by `variables` */
    size_t asked_dim;                  /* dimensions that the parameters, their box or their start points ask
                                        * for; 0: none of these does */
    size_t dim;                        /* numbers of a member */
    size_t point_dim;                  /* coordinates of a point of the objective: variables */
    size_t members;                    /* members of an island */
    size_t points;      /* new points of an island in a step; step 0 and a restart make `members` points */
    size_t width;       /* the larger one of members and points */
    size_t migrants;    /* points that an island sends in an exchange */
    size_t run_islands; /* islands of a run */
    size_t runs;
    size_t islands;                /* run_islands * runs; island k belongs to run k / run_islands */
    size_t total;                  /* members * islands; member i belongs to island i / members */
    struct search_links links;     /* links between islands, by which they exchange */
    double *lower, *upper, *shift; /* dim each, allocated */
    double *start;                 /* members that each run starts with, allocated; NULL: none */
    size_t start_count;
    char *notes;              /* notes on the files that the problem was read from, already logged, a sentence
                               * a line; NULL: none */
    void *tables;             /* tables of the algorithm, malloc'ed; freed with the problem */
    bool same_box;            /* the same box in each dimension and no shift */
    bool has_mailbox;         /* on a device, islands exchange within launches; set by the algorithm */
    bool has_moves;           /* points move behind their evaluation; set by the algorithm */
    bool is_unbounded;        /* positions may leave the box; set by the algorithm */
    double sign;              /* 1, or -1 to maximise */
    double target;            /* target of sign f; -infinity: none */
    enum shoal_repair repair; /* how points are repaired; NONE also where the objective has no repair */
    double penalty;           /* penalty factor of a coordinate outside the box; set by the algorithm */
    uint64_t pattern;         /* evaluations of a run that the pattern search takes to refine the result */
    uint64_t max_steps;       /* the step after which every run has ended by iterations or evaluations */
};

/* Checks rules between the common parameters that need no objective. Each parameter must be in the range of
 * its option. */
SHOAL_MUST_CHECK enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* The limit that ends a search where no other rule ends it: ITERATIONS or EVALUATIONS. */
enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params);

/* Do the parameters limit the iterations, the evaluations or the time of a run? */
bool search_has_limit(const struct shoal_search_params *params);

/* Steps of a run that has a limit, by its iterations or its evaluations, those of step 0 included. */
uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Resolves the limits in problem->params: docs/search.md, "What ends a run"; sets max_steps. */
void search_resolve_limits(struct search_problem *problem);

/* Steps of any run. Where the limit follows from the objective, the objective is read. */
uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* make_endless of struct workload. */
void search_make_endless(void *params, uint64_t warm_up_steps);

/* Members of struct workload that are the same for each algorithm. */
#define SEARCH_WORKLOAD                                                                                      \
    .time_offset = offsetof(struct shoal_search_params, time), .make_endless = search_make_endless,          \
    .steps_section = "step", .steps_options = "--iterations or --evaluations"

/* The first rows of an algorithm's old_options: common options that older checkpoints have in another form.
 */
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

/* Counts of an island and its run in a checkpoint; `leader` is the member that holds the island's best. */
struct search_counts {
    uint64_t steps, ended, reached; /* of the run: steps so far; 0, or SEARCH_ENDED or SEARCH_CONVERGED; 1: it
                                     * reached the target */
    uint64_t stagnant, restarts, renew_at, leader;
};
/* Can an island have these counts in a checkpoint of step `steps`? */
bool search_is_sound(const struct search_problem *problem, uint64_t steps,
                     const struct search_counts *island);

/* The precision of the search on a device: double for an objective of whole values, as fp32 could not tell
 * large whole values apart. */
static inline enum shoal_precision search_precision(const struct search_problem *problem)
{
    return problem->info->whole_values ? SHOAL_FP64 : (enum shoal_precision)problem->params->precision;
}

/* Evaluations of a run of `steps` steps with `restarts` restarts of islands. */
double search_evaluations(const struct search_problem *problem, uint64_t steps, uint64_t restarts);

/* How a run has ended, as in checkpoints. ENDED: by its target or by stagnation. CONVERGED: its members have
 * come together. */
enum { SEARCH_ENDED = 1, SEARCH_CONVERGED = 2 };

/* Steps from one check whether the members have come together to the next. */
enum { SEARCH_SPREAD_STEPS = 100 };

/* Is `step` a step at which a run ends if its members have come together? */
static inline bool search_looks_for_spread(const struct search_problem *problem, uint64_t step)
{
    return problem->params->x_tolerance > 0 && step && step % SEARCH_SPREAD_STEPS == 0;
}

/* How many of a member's numbers are reals: they are its first numbers. */
static inline size_t search_reals(const struct search_problem *problem)
{
    return problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Is coordinate d of a member within x_tolerance, in widths of the box, of coordinate d of the best? */
static inline bool search_is_near(const struct search_problem *problem, size_t d, double member, double best)
{
    return fabs(member - best) <= problem->params->x_tolerance * (problem->upper[d] - problem->lower[d]);
}

/* Can target or stagnation end a run? */
static inline bool search_can_end_early(const struct search_problem *problem)
{
    return problem->target > -INFINITY || problem->params->stagnation;
}

/* Is a member of a solver with this precision valid? Its reals are in the box, unless the search is
 * unbounded; its other genes are whole numbers in their ranges, and an order has each item once. */
bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision);

/* The penalty that coordinates outside the box add to the value at x. */
double search_penalty(const struct search_problem *problem, const double *x);

/* Repairs a member in place where the parameters want repaired members written back. scratch: [dim]. */
void search_repair(const struct search_problem *problem, double *member, double *scratch);

/* Value of the search at member x in a step: sign f(x - shift) and the penalty, NaN and infinities as
 * +infinity; in double. scratch: dim. */
double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch);
/* Value of the search at x in step 0; for an objective that is not dynamic, in every step. */
static inline double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    return search_value_in_step(problem, x, 0, scratch);
}

#endif
