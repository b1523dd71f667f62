/* Private: the problem of a search. It is created from the common parameters, and then constant. It is the
 * first member of each algorithm's problem. */
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
    /* copy of the algorithm's parameters with resolved limits, allocated */
    struct shoal_search_params *params;
    const struct shoal_objective *objective;
    struct shoal_objective *own; /* `objective`, if the problem owns it; else NULL */
    const struct shoal_objective_info *info;
    struct shoal_variables *variables; /* NULL: the point has dim plain reals */
    /* some variable is not a plain real, so that a member is a genome: space.h */
    bool has_genome;
    struct genome_layout genome; /* layout of the genome of `variables` */
    /* [dim], allocated: the coordinate of the point is the member's number rounded down; NULL: no coordinate
     * is rounded */
    bool *whole;
    /* number of dimensions that the parameters, the box or the start points give; 0: none of them gives it */
    size_t asked_dim;
    size_t dim; /* count of numbers in a member, one for each gene */
    /* number of coordinates of a point that the objective takes, one for each variable */
    size_t point_dim;
    size_t members; /* number of members of an island */
    /* number of new points of an island in a step; step 0 and a restart make `members` points */
    size_t points;
    size_t width;       /* the larger of members and points */
    size_t migrants;    /* number of points that an island sends in an exchange */
    size_t run_islands; /* number of islands of a run */
    size_t runs;
    /* run_islands * runs, or fewer in a share of islands; island k belongs to run (lead + k) / run_islands */
    size_t islands;
    /* number of islands of the first run that are before the islands of this share, in other shares */
    size_t lead;
    /* number of islands of the whole search, of which this may be a share; the choice of the method and of
     * its sizes depends on this number, so that a share has the bits of the whole search */
    size_t whole_islands;
    /* number of searches like this one that use the memory of the same device; 0: one */
    double on_memory;
    size_t total;                  /* members * islands; member i belongs to island i / members */
    struct search_links links;     /* links by which islands exchange */
    double *lower, *upper, *shift; /* [dim] each, allocated */
    double *start;                 /* members with which each run starts, allocated; NULL: none */
    size_t start_count;
    /* notes on reading the files of the problem, which were logged, one sentence in each line; NULL: none */
    char *notes;
    void *tables;     /* tables of the algorithm, allocated by malloc, freed with the problem */
    bool same_box;    /* the box is the same in each dimension, and there is no shift */
    bool has_mailbox; /* islands exchange points inside a launch on a device; set by the algorithm */
    bool has_moves; /* a local search evaluates points beside those of the steps; also set by the algorithm */
    bool has_restarts; /* islands restart by a rule of the algorithm; set by the algorithm */
    bool can_be_spent; /* a run may end by a rule of the algorithm; set by the algorithm */
    bool is_unbounded; /* positions may leave the box; set by the algorithm */
    const struct constrained *constrained; /* constraints; NULL: there are none */
    double sign;                           /* 1; to maximise, -1 */
    double target;                         /* target for values of sign f; -infinity: there is no target */
    enum shoal_repair repair; /* how points are repaired; NONE also if the objective has no repair */
    double penalty;           /* penalty factor of a coordinate outside the box; set by the algorithm */
    /* number of evaluations for the pattern search that refines the result of a run */
    uint64_t pattern;
    uint64_t max_steps; /* step by which every run has ended, by iterations or evaluations */
};

/* Checks the rules between common parameters that do not depend on the objective. Each parameter must be in
 * the range of its option. */
SHOAL_MUST_CHECK enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* Fails if the evaluations of a run are fewer than the points of step 0. */
SHOAL_MUST_CHECK enum shoal_status search_check_budget(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* The limit that ends a search if no other rule ends it: ITERATIONS or EVALUATIONS. */
enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params);

/* Whether the parameters limit the iterations, the evaluations or the time of a run. */
bool search_has_limit(const struct shoal_search_params *params);

/* Number of steps to which iterations or evaluations limit a run, including the evaluations of step 0. */
uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Resolves the limits in problem->params by docs/search.md, "What ends a run", and sets max_steps. */
void search_resolve_limits(struct search_problem *problem);

/* Number of steps after which a run must end. Reads the objective if the limit depends on it. */
uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Function make_endless of struct workload. */
void search_make_endless(void *params, uint64_t warm_up_steps);

extern const struct workload_split search_split; /* divides a search by runs */
/* Divides a search by the islands of its runs. own_unit, own_units: words of the algorithm for an island and
 * islands. */
#define SEARCH_ISLAND_SPLIT(own_unit, own_units)                                                             \
    {                                                                                                        \
        .scheme = SPLIT_ISLANDS, .unit = own_unit, .units = own_units, .option = "--" own_units,             \
        .count = search_count_islands, .meets = true, .take = search_take_islands,                           \
        .agree = search_shares_agree                                                                         \
    }
/* Divides a search by the rows of the table over which the objective is a sum; each share holds all
 * members. */
#define SEARCH_ROW_SPLIT(count_shards)                                                                       \
    {                                                                                                        \
        .scheme = SPLIT_SHARDS, .unit = "shard", .units = "shards", .option = "--data",                      \
        .count = count_shards, .meets = true, .take = search_take_shards, .agree = search_shards_agree       \
    }
/* Divides a search by the members of its only island, in blocks; each share moves the members of its blocks.
 * The size of a block is a multiple of every tile. */
enum { SEARCH_BLOCK = 1024 /* the text of SEARCH_MEMBER_SPLIT has the same number */ };
#define SEARCH_MEMBER_SPLIT(count_blocks)                                                                    \
    {                                                                                                        \
        .scheme = SPLIT_SLICES, .unit = "block", .units = "blocks of 1024 particles", .count = count_blocks, \
        .meets = true, .take = search_take_shards, .agree = search_members_agree                             \
    }
/* Divides a search by the points of each evaluation; each share holds and moves all members. */
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
/* Members of struct workload that are equal for all algorithms. */
#define SEARCH_WORKLOAD                                                                                      \
    .time_offset = offsetof(struct shoal_search_params, time), .make_endless = search_make_endless,          \
    .steps_section = "step", .steps_options = "--iterations or --evaluations"

/* Cases of functions without verification, since their kernels have the same texts as those of bbob-f3, f8,
 * f12, f15 and f21, which are verified. */
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

/* The first rows of an algorithm's old_options, for common options that have another form in old
 * checkpoints. */
#define SEARCH_OLD_OPTIONS                                                                                   \
    {"lower", "lower", NULL, true, 0}, {"upper", "upper", NULL, true, 0},                                    \
        {"stagnation-tolerance", "stagnation-tolerance", NULL, false, 1e-9},                                 \
    {                                                                                                        \
        "refine", "refine", .before = "auto"                                                                 \
    }

/* Returns the shape of the objective. Reads a text, but no table. SHOAL_OPAQUE: also if the objective is
 * invalid. */
enum shoal_shape search_shape(const struct shoal_search_params *params);

/* Creates the problem without the work that only a run needs, such as reading the rows of a table, and calls
 * `look` with it; look NULL: the problem is only checked. */
typedef void search_look(const struct search_problem *problem, void *data);
SHOAL_MUST_CHECK enum shoal_status search_examine(struct shoal *shoal,
                                                  const struct search_algorithm *algorithm,
                                                  const struct shoal_search_params *params, search_look *look,
                                                  void *data, struct shoal_error *error);

SHOAL_MUST_CHECK enum shoal_status search_check_input(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params,
                                                      struct shoal_error *error);

/* Sets the objective (compiles texts, reads tables), the box and the sizes. `params` must be valid and
 * outlive the problem; arrays of the parameters are copied. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_problem_create(struct shoal *shoal,
                                                         const struct search_algorithm *algorithm,
                                                         const struct shoal_search_params *params,
                                                         struct search_problem *problem,
                                                         struct shoal_error *error);
void search_problem_destroy(struct search_problem *problem); /* accepts a struct of zeros */

struct arrays;
/* Checks that there is enough memory for these arrays of a solver and for `more` bytes. */
SHOAL_MUST_CHECK enum shoal_status search_check_memory(const struct search_problem *problem,
                                                       const struct arrays *arrays, double more,
                                                       struct shoal_error *error);

/* Counts of an island and its run in a checkpoint. leader: index of the island's best member. */
struct search_counts {
    /* counts of the run: steps made; ended: 0, SEARCH_ENDED or SEARCH_CONVERGED; reached: 1 if the run has
     * reached the target */
    uint64_t steps, ended, reached;
    uint64_t stagnant, restarts, renew_at, leader;
};
/* Whether an island can have these counts in a checkpoint of step `steps`. */
bool search_is_sound(const struct search_problem *problem, uint64_t steps,
                     const struct search_counts *island);

/* The precision of the search on a device: double if the objective has integer values, since large integers
 * may be equal in fp32. */
static inline enum shoal_precision search_precision(const struct search_problem *problem)
{
    return problem->info->whole_values ? SHOAL_FP64 : (enum shoal_precision)problem->params->precision;
}

/* Number of evaluations of a run of `steps` steps with `restarts` restarts of islands. */
double search_evaluations(const struct search_problem *problem, uint64_t steps, uint64_t restarts);

/* Evaluations of the pattern search from the best position of a run after step `step`; 0: there is none. */
uint64_t search_polish_allowance(const struct search_problem *problem, uint64_t step);
/* Refuses pattern searches during the run where the algorithm or the objective allows none. */
SHOAL_MUST_CHECK enum shoal_status search_check_polish(const struct search_problem *problem,
                                                       struct shoal_error *error);

/* Whether `value` is enough below `mark` to count as an improvement. tolerance: that of stagnation. */
bool search_has_fallen(double value, double mark, double tolerance);

/* How a run has ended, in checkpoints. ENDED: the target was reached, or the run stagnated. CONVERGED: all
 * members are near the best. */
enum { SEARCH_ENDED = 1, SEARCH_CONVERGED = 2 };

/* Number of steps between two checks of whether all members are near the best. */
enum { SEARCH_SPREAD_STEPS = 100 };

/* Whether `step` is a step after which the members are checked. */
static inline bool search_looks_for_spread(const struct search_problem *problem, uint64_t step)
{
    return problem->params->x_tolerance > 0 && step && step % SEARCH_SPREAD_STEPS == 0;
}

/* Number of reals in a member, which are its first numbers. */
static inline size_t search_reals(const struct search_problem *problem)
{
    return problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Whether each variable is a plain real. */
static inline bool search_is_plain(const struct search_problem *problem)
{
    return !problem->has_genome && !problem->whole;
}

/* Whether number d of a member is a real of the point. */
static inline bool search_is_real(const struct search_problem *problem, size_t d)
{
    return d < search_reals(problem) && !(problem->whole && problem->whole[d]);
}

/* Width of the range of number d of a member; 0: the number is not a real, or it is fixed. */
static inline double search_real_width(const struct search_problem *problem, size_t d)
{
    return search_is_real(problem, d) ? problem->upper[d] - problem->lower[d] : 0;
}

/* Coordinate d of a point whose member has x as number d; for a genome, x itself. The numbers from k to k + 1
 * belong to the integer k; the upper bound belongs to the greatest integer. */
static inline double search_coordinate(const struct search_problem *problem, size_t d, double x)
{
    return problem->whole && problem->whole[d] ? fmin(floor(x), problem->upper[d] - 1) : x;
}

/* Whether coordinate d of a member is within x_tolerance of coordinate d of the best, in widths of the
 * box. */
static inline bool search_is_near(const struct search_problem *problem, size_t d, double member, double best)
{
    return fabs(member - best) <= problem->params->x_tolerance * (problem->upper[d] - problem->lower[d]);
}

/* Number of rows of the tables of islands: one for each island of every run that has islands in this solver
 * (cl/search/exchange.clh). */
static inline size_t search_rows(const struct search_problem *problem)
{
    return problem->runs * problem->run_islands;
}

/* Converts a number of points in all islands of a share, equal for each island, to the number of points in
 * the whole search. */
static inline size_t search_of_whole(const struct search_problem *problem, size_t count)
{
    return count / problem->islands * problem->whole_islands;
}

/* Number of members that an island has after step `step`, without lost members; these are the first
 * members. */
static inline size_t search_members_after(const struct search_problem *problem, uint64_t step)
{
    const struct search_shrinking *shrinking = problem->algorithm->shrinking;
    return shrinking ? shrinking->members(problem, step + 1) : problem->members;
}

/* Whether target, stagnation or a rule of the algorithm can end a run. */
static inline bool search_can_end_early(const struct search_problem *problem)
{
    return problem->target > -INFINITY || problem->params->stagnation || problem->can_be_spent;
}

/* Whether a member of a solver with this precision is valid: reals are in the box, unless the search is
 * unbounded; other genes are integers in their ranges; an order has each item once. */
bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision);

/* The penalty for coordinates outside of the box, which is added to the value at x. */
double search_penalty(const struct search_problem *problem, const double *x);

/* Repairs a member in place, if the parameters ask for repaired members. scratch: [dim]. */
void search_repair(const struct search_problem *problem, double *member, double *scratch);

/* Value of the search at member x in a step, in double precision: sign f(x - shift) plus the penalty;
 * +infinity instead of NaN and infinities. scratch: [dim]. */
double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch);
/* search_value_in_step for a member of run `run`, whose objective may differ from those of other runs. */
double search_value_of_run(const struct search_problem *problem, size_t run, const double *x, uint64_t step,
                           double *scratch);
/* Returns the rank of a member of a constrained problem, for which the caller gives the value of sign f, and
 * a violation that is added to the violation of the problem's own constraints. */
double search_rank_told(const struct search_problem *problem, const double *x, double value, double violation,
                        double *scratch);
/* Returns sign f(x - shift) at a member of a constrained objective, and computes the constraints. sides: see
 * constrained_sides. */
double search_sides(const struct search_problem *problem, const double *x, double *scratch, double *sides);
/* Returns sign f(x - shift) like search_sides, and by how much each constraint is violated. excess: see
 * constrained_find_excess. */
double search_parts(const struct search_problem *problem, const double *x, double *scratch, double *excess);
/* Value of the search at x in step 0; if the objective is not dynamic, in every step. */
static inline double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    return search_value_in_step(problem, x, 0, scratch);
}

#endif
