/* Private: the problem of a search. It is created from the common parameters, and does not change during a
 * search. The problem of an algorithm begins with this struct. */
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
    /* some variable is not a plain real, so a member is a genome: space.h */
    bool has_genome;
    struct genome_layout genome; /* layout of the genome of `variables` */
    /* [dim], allocated: whether the number of the member is rounded down to the coordinate of the point;
     * NULL: no number is rounded */
    bool *whole;
    /* number of dimensions by the parameters, the box or the start points; 0: none of these determines it */
    size_t asked_dim;
    size_t dim; /* count of numbers in a member: one for each gene, also for words that the algorithm adds */
    /* number of coordinates of a point that the objective takes, one for each variable */
    size_t point_dim;
    size_t members; /* number of members of an island */
    /* number of new points of an island in a step; step 0 and a restart make `members` points */
    size_t points;
    size_t width;       /* the larger of members and points */
    size_t migrants;    /* number of points that an island sends in an exchange */
    size_t run_islands; /* number of islands of a run */
    size_t runs;
    /* number of islands in this solver: run_islands * runs, or fewer in a share of islands. Island k belongs
     * to run (lead + k) / run_islands. */
    size_t islands;
    /* number of islands of the share's first run that other shares have, which are its first islands; 0:
     * none */
    size_t lead;
    /* number of islands of the whole search, of which this may be a share. The choice of the method and its
     * sizes depends on this number, so that a share has the same bits as the whole search. */
    size_t whole_islands;
    /* number of equal searches that share the memory of the device; 0: only this one */
    double on_memory;
    size_t total;                  /* members * islands; member i belongs to island i / members */
    struct search_links links;     /* links by which islands exchange */
    double *lower, *upper, *shift; /* [dim] each, allocated */
    double *start;                 /* members with which each run starts, allocated; NULL: none */
    size_t start_count;
    /* Notes on the files that were read, which were also logged. One sentence on each line. NULL: there are
     * none. */
    char *notes;
    void *tables;     /* tables of the algorithm, allocated by malloc, freed with the problem */
    bool same_box;    /* the box is the same in each dimension, and there is no shift */
    bool has_mailbox; /* islands exchange points inside a launch on a device; set by the algorithm */
    /* a local search evaluates points in addition to those of the steps; also set by the algorithm */
    bool has_moves;
    bool has_restarts; /* islands restart by a rule of the algorithm; set by the algorithm */
    bool can_be_spent; /* a run may end by a rule of the algorithm; set by the algorithm */
    bool is_unbounded; /* positions may leave the box; set by the algorithm */
    const struct constrained *constrained; /* constraints; NULL: there are none */
    double sign;                           /* 1; to maximise, -1 */
    double target;                         /* target for sign f; -infinity: there is no target */
    /* how points are repaired; NONE also if the objective has no function for repairs */
    enum shoal_repair repair;
    double penalty; /* penalty factor of a coordinate outside the box; set by the algorithm */
    /* number of evaluations that the pattern search after a run may make */
    uint64_t pattern;
    uint64_t max_steps; /* step after which every run has ended, by iterations or evaluations */
};

/* Checks the rules between common parameters that do not depend on the objective. Each parameter must be in
 * the range of its option. */
SHOAL_MUST_CHECK enum shoal_status search_check_params(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* Fails if a run may make fewer evaluations than step 0 has points. */
SHOAL_MUST_CHECK enum shoal_status search_check_budget(const struct search_algorithm *algorithm,
                                                       const struct shoal_search_params *params,
                                                       struct shoal_error *error);

/* Returns the limit that ends a search if no other rule does: ITERATIONS or EVALUATIONS. */
enum shoal_optimise_result search_limit(const struct search_algorithm *algorithm,
                                        const struct shoal_search_params *params);

/* Whether the parameters limit the iterations, the evaluations or the time of a run. */
bool search_has_limit(const struct shoal_search_params *params);

/* Returns the number of steps to which iterations or evaluations limit a run. Evaluations include those of
 * step 0. */
uint64_t search_limit_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* Resolves the limits in problem->params by docs/search.md, "What ends a run", and sets max_steps. */
void search_resolve_limits(struct search_problem *problem);

/* Returns the number of steps after which a run must end. Reads the objective if the limit depends on it. */
uint64_t search_total_steps(const struct search_algorithm *algorithm,
                            const struct shoal_search_params *params);

/* The function make_endless of struct workload: see check.c. */
void search_make_endless(void *params, uint64_t warm_up_steps);

extern const struct workload_split search_split; /* divides a search by runs */
/* Divides a search by the islands of its runs. own_unit, own_units: the algorithm's words for one island and
 * for several. */
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
/* Divides a search by the members of its only island. Each share moves some of the blocks of SEARCH_BLOCK
 * members. This size is a multiple of every tile. */
enum { SEARCH_BLOCK = 1024 /* the text of SEARCH_MEMBER_SPLIT has the same number */ };
#define SEARCH_MEMBER_SPLIT(count_blocks)                                                                    \
    {                                                                                                        \
        .scheme = SPLIT_SLICES, .unit = "block", .units = "blocks of 1024 particles", .count = count_blocks, \
        .meets = true, .take = search_take_shards, .agree = search_members_agree                             \
    }
/* Divides the evaluations of a search by points; each share holds and moves all members. */
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

/* Cases of BBOB functions that are not verified: their kernels have the same texts as those of f3, f8, f12,
 * f15 and f21, which are verified. */
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

/* The first rows of an algorithm's old_options: common options that have another form in old checkpoints. */
#define SEARCH_OLD_OPTIONS                                                                                   \
    {"lower", "lower", NULL, true, 0}, {"upper", "upper", NULL, true, 0},                                    \
        {"stagnation-tolerance", "stagnation-tolerance", NULL, false, 1e-9},                                 \
    {                                                                                                        \
        "refine", "refine", .before = "auto"                                                                 \
    }

/* Returns the shape of the objective. Reads a text of the objective, but no table. Returns SHOAL_OPAQUE also
 * if the objective is invalid. */
enum shoal_shape search_shape(const struct shoal_search_params *params);

/* Creates the problem without the work that only a run needs, such as reading the rows of a table, and calls
 * `look` with the problem. look NULL: only checks the problem. */
typedef void search_look(const struct search_problem *problem, void *data);
SHOAL_MUST_CHECK enum shoal_status search_examine(struct shoal *shoal,
                                                  const struct search_algorithm *algorithm,
                                                  const struct shoal_search_params *params, search_look *look,
                                                  void *data, struct shoal_error *error);

SHOAL_MUST_CHECK enum shoal_status search_check_input(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params,
                                                      struct shoal_error *error);

/* Creates the problem: compiles texts and reads tables, and sets the objective, the box and the sizes.
 * `params` must be checked, and valid as long as the problem; the arrays of the parameters are copied. Frees
 * everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_problem_create(struct shoal *shoal,
                                                         const struct search_algorithm *algorithm,
                                                         const struct shoal_search_params *params,
                                                         struct search_problem *problem,
                                                         struct shoal_error *error);
void search_problem_destroy(struct search_problem *problem); /* accepts a struct of zeros */

struct arrays;
/* Checks that there is enough memory for the arrays of a solver and for `more` further bytes. */
SHOAL_MUST_CHECK enum shoal_status search_check_memory(const struct search_problem *problem,
                                                       const struct arrays *arrays, double more,
                                                       struct shoal_error *error);

/* Counts of an island and of its run in a checkpoint. leader: index of the island's best member, within the
 * island. */
struct search_counts {
    /* counts of the run: steps made; ended: 0, SEARCH_ENDED or SEARCH_CONVERGED; reached: 1 if the run has
     * reached the target */
    uint64_t steps, ended, reached;
    uint64_t stagnant, restarts, renew_at, leader;
};
/* Whether an island can have the counts `island` in a checkpoint of step `steps`. */
bool search_is_sound(const struct search_problem *problem, uint64_t steps,
                     const struct search_counts *island);

/* Returns the precision of the search on a device: double if the objective has integer values, since
 * different large integers may be equal in fp32; else the parameter's precision. */
static inline enum shoal_precision search_precision(const struct search_problem *problem)
{
    return problem->info->whole_values ? SHOAL_FP64 : (enum shoal_precision)problem->params->precision;
}

/* Number of evaluations of a run of `steps` steps with `restarts` restarts of islands. */
double search_evaluations(const struct search_problem *problem, uint64_t steps, uint64_t restarts);

/* Returns the number of evaluations that the pattern search after step `step` of a run may make; 0: no
 * pattern search is due. */
uint64_t search_polish_allowance(const struct search_problem *problem, uint64_t step);
/* Fails if pattern searches during the run are asked for and the algorithm or the objective does not allow
 * them. */
SHOAL_MUST_CHECK enum shoal_status search_check_polish(const struct search_problem *problem,
                                                       struct shoal_error *error);

/* Whether `value` is below `mark` by more than `tolerance`, the tolerance of stagnation, and so counts as an
 * improvement. */
bool search_has_fallen(double value, double mark, double tolerance);

/* How a run has ended, in checkpoints. SEARCH_ENDED: it reached the target, stagnated, or ended by a rule of
 * the algorithm. SEARCH_CONVERGED: all its members are near the best. */
enum { SEARCH_ENDED = 1, SEARCH_CONVERGED = 2 };

/* Number of steps after which it is checked again whether all members are near the best. */
enum { SEARCH_SPREAD_STEPS = 100 };

/* Whether the members are checked after step `step`. */
static inline bool search_looks_for_spread(const struct search_problem *problem, uint64_t step)
{
    return problem->params->x_tolerance > 0 && step && step % SEARCH_SPREAD_STEPS == 0;
}

/* Returns the count of reals in a member; they are its first numbers. */
static inline size_t search_reals(const struct search_problem *problem)
{
    return problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Whether each variable is a plain real. */
static inline bool search_is_plain(const struct search_problem *problem)
{
    return !problem->has_genome && !problem->whole;
}

/* Whether number d of a member is a real that is not rounded. */
static inline bool search_is_real(const struct search_problem *problem, size_t d)
{
    return d < search_reals(problem) && !(problem->whole && problem->whole[d]);
}

/* Width of the range of number d of a member; 0: the number is not a real, or it is fixed. */
static inline double search_real_width(const struct search_problem *problem, size_t d)
{
    return search_is_real(problem, d) ? problem->upper[d] - problem->lower[d] : 0;
}

/* Returns the coordinate of the point for x, which is number d of a member. A rounded number in [k, k + 1)
 * gives the integer k, and the upper bound gives the greatest integer. For a genome, x is returned. */
static inline double search_coordinate(const struct search_problem *problem, size_t d, double x)
{
    return problem->whole && problem->whole[d] ? fmin(floor(x), problem->upper[d] - 1) : x;
}

/* Whether coordinate d of a member is within x_tolerance of the best member's coordinate, in widths of the
 * box. */
static inline bool search_is_near(const struct search_problem *problem, size_t d, double member, double best)
{
    return fabs(member - best) <= problem->params->x_tolerance * (problem->upper[d] - problem->lower[d]);
}

/* Returns the number of rows in the tables of islands of this solver: all islands of every run of which the
 * solver has an island (cl/search/exchange.clh). */
static inline size_t search_rows(const struct search_problem *problem)
{
    return problem->runs * problem->run_islands;
}

/* Converts a number of points in this share to the number of points in the whole search. All islands have the
 * same number of points. */
static inline size_t search_of_whole(const struct search_problem *problem, size_t count)
{
    return count / problem->islands * problem->whole_islands;
}

/* Returns how many members an island still has after step `step`. Islands that shrink lose their last
 * members. */
static inline size_t search_members_after(const struct search_problem *problem, uint64_t step)
{
    const struct search_shrinking *shrinking = problem->algorithm->shrinking;
    return shrinking ? shrinking->members(problem, step + 1) : problem->members;
}

/* Whether target, stagnation or a rule of the algorithm may end a run before its limit. */
static inline bool search_can_end_early(const struct search_problem *problem)
{
    return problem->target > -INFINITY || problem->params->stagnation || problem->can_be_spent;
}

/* Whether a member is valid for a solver with this precision: reals are inside the box (unless the search is
 * unbounded), other genes are integers in their ranges, and an order contains each item once. */
bool search_is_inside(const struct search_problem *problem, const double *x, enum shoal_precision precision);

/* Returns the penalty for the coordinates of x outside of the box, which is added to the value at x. */
double search_penalty(const struct search_problem *problem, const double *x);

/* Repairs a member in place, if the parameters ask for repaired members. scratch: [dim]. */
void search_repair(const struct search_problem *problem, double *member, double *scratch);

/* Returns the value of the search at member x in step `step`, in double precision: sign f(x - shift) plus the
 * penalty; +infinity if this is NaN or infinite. scratch: [dim]. */
double search_value_in_step(const struct search_problem *problem, const double *x, uint64_t step,
                            double *scratch);
/* Whether the objective evaluates several members in one call. */
bool search_takes_points(const struct search_problem *problem);
/* Computes search_value of `count` members, x[count][dim], for an objective of which search_takes_points.
 * scratch: [count][dim]. */
void search_values(const struct search_problem *problem, const double *x, size_t count, double *scratch,
                   double *values);
/* search_value_in_step for a member of run `run`. Runs may have different objectives. */
double search_value_of_run(const struct search_problem *problem, size_t run, const double *x, uint64_t step,
                           double *scratch);
/* Returns the rank of a member of a problem with constraints. value: sign f, told by a caller
 * in place of the objective; violation: violation of the caller's own constraints, to which that of the
 * problem's constraints is added. */
double search_rank_told(const struct search_problem *problem, const double *x, double value, double violation,
                        double *scratch);
/* Returns sign f(x - shift) at a member of an objective with constraints, and computes `sides`: see
 * constrained_sides. */
double search_sides(const struct search_problem *problem, const double *x, double *scratch, double *sides);
/* Returns sign f(x - shift) at a member of an objective with constraints, and computes by how much each
 * constraint is violated: see constrained_find_excess. */
double search_parts(const struct search_problem *problem, const double *x, double *scratch, double *excess);
/* Returns the value of the search at x in step 0, which is its value in every step if the objective is not
 * dynamic. */
static inline double search_value(const struct search_problem *problem, const double *x, double *scratch)
{
    return search_value_in_step(problem, x, 0, scratch);
}

#endif
