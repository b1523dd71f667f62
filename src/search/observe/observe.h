/* Private: the result of a search, checked in double precision, and statistics over its runs. */
#ifndef SHOAL_SEARCH_OBSERVE_H
#define SHOAL_SEARCH_OBSERVE_H

#include "search/problem.h"
#include "search/refine/refine.h"
#include "workload/result.h"

#include <shoal/optimise.h>

/* search_sampling: samples of a search, struct shoal_search_sample, without the mean and deviation of the
 * members' values. search_population_sampling: samples with them. */
extern const struct shoal_sampling search_sampling, search_population_sampling;

/* Statistics of the finite values in a population. With constraints only members that meet all constraints
 * count. */
struct search_spread {
    double least, mean, most, deviation;
    uint64_t count;
};
struct search_spread search_spread_of(const struct search_problem *problem, const double *values,
                                      size_t count);

/* Results of a solver before they are checked. */
struct search_outcome {
    /* [runs]: least value of sign f in each run, as the solver computed it; +infinity: no value was finite */
    const double *best;
    const double *position; /* [runs][dim]: member with the value `best` */
    /* [runs]: number of steps that the run has made */
    const uint64_t *ended;
    const bool *reached;      /* [runs]: the run reached the target */
    const bool *stagnated;    /* [runs]: the run ended by stagnation */
    const bool *converged;    /* [runs]: the run ended because all its members were near the best */
    const uint64_t *restarts; /* [runs]: number of restarts of all islands */
    const uint64_t *moves;    /* [runs]: number of moves that a local search evaluated */
    /* [runs]: number of points of step 0 that have no value because the run had to end; NULL: all points have
     * a value */
    const uint64_t *skipped;
    const struct search_spread *spread; /* [runs]: spread of sign f over the members; NULL: not wanted */
    /* Number d of member i is members[i * member_step + d * number_step]. The members are those after the
     * last step; for a swarm, its personal bests. NULL: the members were not read, see
     * search_wants_members. */
    const double *members;
    size_t member_step, number_step;
    const double *values; /* [total]: sign f of each member */
    /* [runs]: the pattern search ended at a minimum; NULL: there was no pattern search */
    const bool *settled;
    uint64_t steps;      /* number of steps of the run with the most steps */
    uint64_t not_finite; /* number of evaluations with the result NaN or infinity */
    bool is_over;        /* no further step is made, so the results may be refined */
    /* timed_out: the time limit was reached; is_stopped: the caller has stopped the runs */
    bool timed_out, is_stopped;
    uint64_t polish;                /* number of evaluations of the pattern search for all runs */
    enum shoal_precision precision; /* precision in which `best` was computed */
    const char *method;             /* name of the device's method; NULL on the host */
    /* least number of bytes that an evaluation reads and writes; 0: memory does not limit evaluations */
    double evaluation_bytes;
    struct search_stop stop; /* by which refinements ask whether the caller has stopped the run */
};

/* Arrays and strings to which a result points, owned by the solver. */
struct search_summary {
    /* [runs]: f at the position of each run, in double precision; infinity: no value of the run was finite */
    double *finals;
    double *sorted;        /* [runs]: `finals` sorted, best first */
    double *evaluations;   /* [runs]: number of evaluations */
    double *signed_finals; /* [runs]: values of sign f, for comparisons */
    double *position;      /* [point_dim]: point of the best run */
    double *refined;       /* [runs][dim]: refined members; NULL: the members were not refined */
    bool *settled;         /* [runs]: the refinement ended at a minimum; NULL: no refinement was made yet */
    /* [runs][dim]: members of the last result: `refined`, or the positions of the outcome; NULL: there is no
     * result yet */
    const double *members;
    double violation;  /* violation of the constraints at the position of the best run */
    uint64_t allowed;  /* number of runs whose position meets all constraints */
    char binding[400]; /* names of the constraints that bind at the position of the best run */
    uint64_t passes;   /* number of evaluations of all rows of the table that refinements made */
    char best_seed[24], worst_seed[24], title[120], warning[160], ends[200], unconverged[280];
};

/* Distances of the members of a run from its best member. reals: the mean distance over the members, in
 * widths of the box, in the dimension in which this mean is largest. */
struct search_apart {
    /* genes: fraction of members whose gene differs, averaged over the genes other than reals */
    double reals, genes;
    bool is_far; /* the run was ended by a limit, and its members were far apart */
};
/* Whether the members of all runs are to be read for a result: the runs are over, and the members are few
 * enough to read. */
bool search_wants_members(const struct search_problem *problem, bool is_over);

void search_sort(double *values, size_t count);
/* Returns quantile q of ascending values, interpolated linearly. Infinite if one of the two neighbouring
 * values is infinite. */
double search_quantile(const double *sorted, size_t count, double q);

/* Checks the outcome in double precision and fills the result, whose pointers point into the outcome and the
 * summary. The first call allocates the arrays of the summary; search_summary_free frees them. */
SHOAL_MUST_CHECK enum shoal_status search_fill_result(const struct search_problem *problem,
                                                      const struct search_outcome *outcome,
                                                      struct search_summary *summary,
                                                      struct shoal_result *result, struct shoal_error *error);
/* Sets *problem to the problem of a search, and *summary to the summary of its last result. SHOAL_INVALID:
 * the solver does not belong to a search, or has no result yet. call: name of the public call, for
 * messages. */
SHOAL_MUST_CHECK enum shoal_status search_result_of(const struct shoal_solver *solver, const char *call,
                                                    const struct search_problem **problem,
                                                    const struct search_summary **summary,
                                                    struct shoal_error *error);
void search_summary_free(struct search_summary *summary);

/* Returns the value of f to show for a value of the search. Infinity: the value is the rank of a point that
 * violates constraints. */
double search_shown_value(const struct search_problem *problem, double rank);

/* Comparison of a value or a violation that a search found with the same quantity in double precision. */
struct search_comparison {
    double off, most; /* the difference, and the largest difference that is accepted */
    double size;      /* the error of the result is off / size */
};
/* Compares the rank that a search found for a member with the rank in double precision; the objective has
 * constraints. tolerance: relative tolerance in the precision of the search; scale: scale of f. */
SHOAL_MUST_CHECK enum shoal_status
search_check_constrained(const struct search_problem *problem, double tolerance, const double *member,
                         double rank, double scale, struct search_comparison *out, struct shoal_error *error);
/* Replaces the ranks in summary->finals by values of f, or by infinity if the position of the run violates
 * constraints. Adds the violation of the position of run `best` to the result. tolerance: relative tolerance
 * of the values that the search found. */
SHOAL_MUST_CHECK enum shoal_status search_part_finals(const struct search_problem *problem,
                                                      const struct search_outcome *outcome,
                                                      const double *positions, double tolerance, size_t best,
                                                      struct search_summary *summary,
                                                      struct shoal_result *result, struct shoal_error *error);
void search_add_constraints(const struct search_problem *problem, struct search_summary *summary,
                            struct shoal_result *result);

/* Returns how a run has ended. Results and checkpoints of optimisers hold the name of this enumerator. */
enum shoal_optimise_result search_end_of(const struct search_problem *problem,
                                         const struct search_outcome *outcome, size_t run);

/* Defined in runs.c. Adds the result fields for all runs together. */
void search_add_runs(const struct search_problem *problem, const struct search_outcome *outcome,
                     struct search_summary *summary, struct shoal_result *result);
/* Returns the largest value of sign f with which a run counts as a success; NaN: there is no target, and the
 * minimum is unknown. */
double search_goal(const struct search_problem *problem);

void search_add_apart(const struct search_problem *problem, const struct search_outcome *outcome,
                      struct search_summary *summary, struct shoal_result *result);
void search_add_spread(const struct search_problem *problem, const struct search_outcome *outcome,
                       struct shoal_result *result);
#endif
