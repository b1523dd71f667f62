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

struct constrained;
struct solver_share;

struct search_problem {
    const struct search_algorithm *algorithm;
    struct shoal_search_params *params; /* copy of the algorithm's parameters with resolved limits;
                                         * allocated */
    const struct shoal_objective *objective;
    struct shoal_objective *own; /* `objective` where the problem has created it and destroys it; else NULL */
    const struct shoal_objective_info *info;
    struct shoal_variables *variables; /* NULL: the point is dim reals */
    bool has_genome;                   /* some variable is no plain real: a member is a genome, see space.h */
    struct genome_layout genome;       /* layout of the genome, made from `variables` */
    bool *whole;                       /* [dim], allocated: the coordinate of the point is the number of the
                                        * member rounded down; NULL: no coordinate is rounded */
    size_t asked_dim;                  /* number of dimensions that the parameters, the box or the start
                                        * points ask for; 0: none of them asks */
    size_t dim;                        /* numbers of a member, one for each gene */
    size_t point_dim;                  /* coordinates of a point that the objective gets: one for each
                                        * variable */
    size_t members;                    /* members of an island */
    size_t points;      /* new points of an island in a step; step 0 and a restart make `members` points */
    size_t width;       /* the larger one of members and points */
    size_t migrants;    /* points that an island sends in an exchange */
    size_t run_islands; /* islands of a run */
    size_t runs;
    size_t islands;       /* run_islands * runs, or fewer in a share of islands; island k belongs to run
                           * (lead + k) / run_islands */
    size_t lead;          /* islands of the first run that come before the islands here: another share
                           * has them */
    size_t whole_islands; /* for a share of a search the islands of the whole search, else `islands`:
                           * the choice of the method and of its sizes uses this number, so that a
                           * share has the bits of the whole search */
    double on_memory;     /* number of searches like this one for which a device must have memory; 0: one */
    size_t total;         /* members * islands; member i belongs to island i / members */
    struct search_links links;     /* links between islands, by which they exchange */
    double *lower, *upper, *shift; /* [dim] each, allocated */
    double *start;                 /* members that each run starts with, allocated; NULL: none */
    size_t start_count;
    char *notes;       /* notes from reading the files of the problem, already logged, one sentence a
                        * line; NULL: none */
    void *tables;      /* tables of the algorithm, malloc'ed; freed with the problem */
    bool same_box;     /* the same box in each dimension and no shift */
    bool has_mailbox;  /* islands exchange points inside a launch on a device; set by the algorithm */
    bool has_moves;    /* a local search moves points after their evaluation; set by the algorithm */
    bool has_restarts; /* islands restart by a rule of the algorithm; set by the algorithm */
    bool can_be_spent; /* a run may end by a rule of the algorithm; set by the algorithm */
    bool is_unbounded; /* positions may leave the box; set by the algorithm */
    const struct constrained *constrained; /* constraints; NULL: there are none */
    double sign;                           /* 1, or -1 to maximise */
    double target;                         /* target as a value of sign f; -infinity: no target */
    enum shoal_repair repair; /* how points are repaired; NONE also where the objective offers no repair */
    double penalty;           /* penalty factor of a coordinate outside the box; set by the algorithm */
    uint64_t pattern;         /* evaluations of a run that the pattern search takes to refine the result */
    uint64_t max_steps;       /* the step after which every run has ended by iterations or evaluations */
};

/* Checks rules that connect common parameters and need no objective. Each parameter must be in the range of
 * its option. */
SHOAL_MUST_CHECK enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* Refuses evaluations of a run that are too few for the points of step 0. */
SHOAL_MUST_CHECK enum shoal_status search_check_budget(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* The limit that ends a search where no other rule ends it: ITERATIONS or EVALUATIONS. */
enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params);

/* Do the parameters limit the iterations, the evaluations or the time of a run? */
bool search_has_limit(const struct shoal_search_params *params);

/* Steps of a run that its iterations or evaluations limit. The evaluations of step 0 count. */
uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Resolves the limits in problem->params: docs/search.md, "What ends a run"; sets max_steps. */
void search_resolve_limits(struct search_problem *problem);

/* Steps of a run before it must end. Reads the objective where the limit depends on it. */
uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* make_endless of struct workload. */
void search_make_endless(void *params, uint64_t warm_up_steps);

extern const struct workload_split search_split; /* divides the runs */
/* Divides the islands of the runs; the words are those of the algorithm. */
#define SEARCH_ISLAND_SPLIT(own_unit, own_units)                                                             \
    {                                                                                                        \
        .scheme = SPLIT_ISLANDS, .unit = own_unit, .units = own_units, .option = "--" own_units,             \
        .count = search_count_islands, .meets = true, .take = search_take_islands,                           \
        .agree = search_shares_agree                                                                         \
    }
/* Divides the rows of the table over which the objective is a sum; each share holds all members. */
#define SEARCH_ROW_SPLIT(count_shards)                                                                       \
    {                                                                                                        \
        .scheme = SPLIT_SHARDS, .unit = "shard", .units = "shards", .option = "--data",                      \
        .count = count_shards, .meets = true, .take = search_take_shards, .agree = search_shards_agree       \
    }
/* Divides the members of one island into blocks; each share moves its members. Blocks have so many members
 * that each is a number of whole tiles. */
enum { SEARCH_BLOCK = 1024 /* also in words below */ };
#define SEARCH_MEMBER_SPLIT(count_blocks)                                                                    \
    {                                                                                                        \
        .scheme = SPLIT_SLICES, .unit = "block", .units = "blocks of 1024 particles", .count = count_blocks, \
        .meets = true, .take = search_take_shards, .agree = search_members_agree                             \
    }
/* Divides the points of each evaluation; each share holds and moves all members. */
#define SEARCH_POINT_SPLIT(own_unit, own_units, own_option, count_points)                                    \
    {                                                                                                        \
        .scheme = SPLIT_SHARDS, .unit = own_unit, .units = own_units, .option = own_option,                  \
        .count = count_points, .meets = true, .take = search_take_shards, .agree = search_points_agree       \
    }
uint64_t search_count_islands(const void *params);
void search_take_islands(const struct solver_share *share, void *params);
enum shoal_status search_shares_agree(struct shoal_solver *whole, struct shoal_error *error);
uint64_t search_count_shards(const void *params);
void search_take_shards(const struct solver_share *share, void *params);
enum shoal_status search_shards_agree(struct shoal_solver *whole, struct shoal_error *error);
enum shoal_status search_points_agree(struct shoal_solver *whole, struct shoal_error *error);
enum shoal_status search_members_agree(struct shoal_solver *whole, struct shoal_error *error);
/* Members of struct workload that are the same for each algorithm. */
#define SEARCH_WORKLOAD                                                                                      \
    .time_offset = offsetof(struct shoal_search_params, time), .make_endless = search_make_endless,          \
    .steps_section = "step", .steps_options = "--iterations or --evaluations"

/* Cases of functions that are not verified: their kernels are made from the same five texts as those of
 * bbob-f3, f8, f12, f15 and f21. */
#define SEARCH_SAME_TEXT(number)                                                                             \
    {                                                                                                        \
        "bbob-f" #number, "function=bbob-f" #number, SHOAL_CASE_NO_VERIFY                                    \
    }
#define SEARCH_SAME_TEXTS                                                                                    \
    SEARCH_SAME_TEXT(1), SEARCH_SAME_TEXT(2), SEARCH_SAME_TEXT(4), SEARCH_SAME_TEXT(5), SEARCH_SAME_TEXT(6), \
        SEARCH_SAME_TEXT(7), SEARCH_SAME_TEXT(9), SEARCH_SAME_TEXT(10), SEARCH_SAME_TEXT(11),                \
        SEARCH_SAME_TEXT(13), SEARCH_SAME_TEXT(14), SEARCH_SAME_TEXT(16), SEARCH_SAME_TEXT(17),              \
        SEARCH_SAME_TEXT(18), SEARCH_SAME_TEXT(19), SEARCH_SAME_TEXT(20), SEARCH_SAME_TEXT(22),              \
        SEARCH_SAME_TEXT(23), SEARCH_SAME_TEXT(24)

/* The first rows of an algorithm's old_options: common options that older checkpoints have in another
 * form. */
#define SEARCH_OLD_OPTIONS                                                                                   \
    {"lower", "lower", NULL, true, 0}, {"upper", "upper", NULL, true, 0},                                    \
        {"stagnation-tolerance", "stagnation-tolerance", NULL, false, 1e-9},                                 \
    {                                                                                                        \
        "refine", "refine", .before = "auto"                                                                 \
    }

/* The shape of the objective. Reads a text, but no table. SHOAL_OPAQUE: also an objective that is no valid
 * one. */
enum shoal_shape search_shape(const struct shoal_search_params *params);

/* Makes the problem without the work that only a run needs, such as reading the rows of a table, and hands it
 * to `look` (NULL: the problem is only checked). */
typedef void search_look(const struct search_problem *problem, void *data);
SHOAL_MUST_CHECK enum shoal_status search_examine(struct shoal *shoal,
                                                  const struct search_algorithm *algorithm,
                                                  const struct shoal_search_params *params, search_look *look,
                                                  void *data, struct shoal_error *error);

SHOAL_MUST_CHECK enum shoal_status search_check_input(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params,
                                                      struct shoal_error *error);

/* Resolves the objective (compiles texts, reads tables), the box and sizes. `params` must be valid and
 * outlive the problem; their arrays are copied. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_problem_create(struct shoal *shoal,
                                                         const struct search_algorithm *algorithm,
                                                         const struct shoal_search_params *params,
                                                         struct search_problem *problem,
                                                         struct shoal_error *error);
void search_problem_destroy(struct search_problem *problem); /* accepts zeros */

struct arrays;
/* Is there enough memory for these arrays of a solver and for `more` further bytes? */
SHOAL_MUST_CHECK enum shoal_status search_check_memory(const struct search_problem *problem,
                                                       const struct arrays *arrays, double more,
                                                       struct shoal_error *error);

/* Counts of an island and its run in a checkpoint; `leader` is the member that holds the island's best. */
struct search_counts {
    uint64_t steps, ended, reached; /* counts of the run: steps so far; ended: 0, SEARCH_ENDED or
                                     * SEARCH_CONVERGED; reached: 1 where the run reached the target */
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

/* Is `value` an improvement on `mark` that counts? tolerance: of stagnation. */
bool search_has_fallen(double value, double mark, double tolerance);

/* How a run has ended, as checkpoints store it. ENDED: the target was reached, or the run stagnated.
 * CONVERGED: the members came together. */
enum { SEARCH_ENDED = 1, SEARCH_CONVERGED = 2 };

/* Steps from one check whether the members have come together to the next. */
enum { SEARCH_SPREAD_STEPS = 100 };

/* Is `step` a step at which a run ends if its members have come together? */
static inline bool search_looks_for_spread(const struct search_problem *problem, uint64_t step)
{
    return problem->params->x_tolerance > 0 && step && step % SEARCH_SPREAD_STEPS == 0;
}

/* Number of reals among the numbers of a member; reals come first. */
static inline size_t search_reals(const struct search_problem *problem)
{
    return problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Is each variable a plain real? */
static inline bool search_is_plain(const struct search_problem *problem)
{
    return !problem->has_genome && !problem->whole;
}

/* Is number d of a member a real of the point? */
static inline bool search_is_real(const struct search_problem *problem, size_t d)
{
    return d < search_reals(problem) && !(problem->whole && problem->whole[d]);
}

/* Width of the range of number d of a member; 0: the number is no real, or it is fixed. */
static inline double search_real_width(const struct search_problem *problem, size_t d)
{
    return search_is_real(problem, d) ? problem->upper[d] - problem->lower[d] : 0;
}

/* Coordinate d of the point of a member whose number d is x; for a genome, x itself. A whole number k has the
 * numbers from k to k + 1, of which the greatest one belongs to the greatest whole number. */
static inline double search_coordinate(const struct search_problem *problem, size_t d, double x)
{
    return problem->whole && problem->whole[d] ? fmin(floor(x), problem->upper[d] - 1) : x;
}

/* Is coordinate d of a member within x_tolerance, in widths of the box, of coordinate d of the best? */
static inline bool search_is_near(const struct search_problem *problem, size_t d, double member, double best)
{
    return fabs(member - best) <= problem->params->x_tolerance * (problem->upper[d] - problem->lower[d]);
}

/* Number of rows of the tables of islands: one for each island of every run that has islands here
 * (cl/search/exchange.clh). */
static inline size_t search_rows(const struct search_problem *problem)
{
    return problem->runs * problem->run_islands;
}

/* Converts `count`, a number of points of all islands of a share, with the same number for each island, to
 * the number of points of the whole search. */
static inline size_t search_of_whole(const struct search_problem *problem, size_t count)
{
    return count / problem->islands * problem->whole_islands;
}

/* Number of members of an island after step `step`, without lost ones; these are the first members. */
static inline size_t search_members_after(const struct search_problem *problem, uint64_t step)
{
    const struct search_shrinking *shrinking = problem->algorithm->shrinking;
    return shrinking ? shrinking->members(problem, step + 1) : problem->members;
}

/* Can target, stagnation or a rule of the algorithm end a run? */
static inline bool search_can_end_early(const struct search_problem *problem)
{
    return problem->target > -INFINITY || problem->params->stagnation || problem->can_be_spent;
}

/* Is a member of a solver with this precision valid? Its reals are in the box, unless the search is
 * unbounded; its other genes are whole numbers in their ranges, and an order has each item once. */
bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision);

/* The penalty that coordinates outside the box add to the value at x. */
double search_penalty(const struct search_problem *problem, const double *x);

/* Repairs a member in place where the parameters want repaired members written back. scratch: [dim]. */
void search_repair(const struct search_problem *problem, double *member, double *scratch);

/* Value of the search at member x in a step: sign f(x - shift) plus the penalty, in double precision;
 * +infinity in place of NaN and infinities. scratch: [dim]. */
double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch);
/* Value of the search at member x of a run, whose objective may be another one than that of other runs. */
double search_value_of_run(const struct search_problem *problem, size_t run, const double *x, uint64_t step,
                           double *scratch);
/* Value of the search at x in step 0; for an objective that is not dynamic, in every step. */
/* The rank of a member of a constrained problem whose value of sign f and whose violation, besides that of
 * the problem's own constraints, the caller tells. */
double search_rank_told(const struct search_problem *problem, const double *x, double value, double violation,
                        double *scratch);
/* sign f(x - shift) at a member of a constrained objective, whose constraints it computes: sides as of
 * constrained_sides. */
double search_sides(const struct search_problem *problem, const double *x, double *scratch, double *sides);
/* The same with how far each constraint is above what it allows, as of constrained_find_excess. */
double search_parts(const struct search_problem *problem, const double *x, double *scratch, double *excess);
static inline double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    return search_value_in_step(problem, x, 0, scratch);
}

#endif
