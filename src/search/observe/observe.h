/* Private: the result of a search, checked in double precision, and statistics over its runs. */
#ifndef SHOAL_SEARCH_OBSERVE_H
#define SHOAL_SEARCH_OBSERVE_H

#include "search/problem.h"
#include "search/refine/refine.h"
#include "workload/result.h"

#include <shoal/optimise.h>

/* Samples of a search: struct shoal_search_sample. Samples of search_population_sampling also have mean and
 * deviation of the values of a population. */
extern const struct shoal_sampling search_sampling, search_population_sampling;

/* Statistics of the finite values in a population, of the members that meet all constraints. */
struct search_spread {
    double least, mean, most, deviation;
    uint64_t count;
};
struct search_spread search_spread_of(const struct search_problem *problem, const double *values,
                                      size_t count);

/* Outcome of a solver. */
struct search_outcome {
    const double *best;       /* [runs]: least sign f of each run, as the solver computed it; +infinity: no
                               * finite value */
    const double *position;   /* [runs][dim]: the member with that value */
    const uint64_t *ended;    /* [runs]: steps after which the run ended, or steps so far */
    const bool *reached;      /* [runs]: the run reached the target */
    const bool *stagnated;    /* [runs]: the run ended by stagnation */
    const bool *converged;    /* [runs]: the run ended because all its members were near the best */
    const uint64_t *restarts; /* [runs]: restarts of all islands of the run */
    const uint64_t *moves;    /* [runs]: moves that a local search evaluated */
    const uint64_t *skipped;  /* [runs]: points of step 0 without a value, because the run had to end; NULL:
                               * all points have values */
    const struct search_spread *spread; /* [runs]: spread of sign f over the last members; NULL: not wanted */
    /* Number d of member i is members[i * member_step + d * number_step]. The members are those of the last
     * step, of a swarm the personal bests. NULL: not known, see search_wants_members. */
    const double *members;
    size_t member_step, number_step;
    const double *values;           /* [total]: sign f of each member */
    const bool *settled;            /* [runs]: the pattern search came to its end; NULL: no pattern search was
                                     * made */
    uint64_t steps;                 /* steps of the run with the most steps */
    uint64_t not_finite;            /* evaluations that gave NaN or an infinity */
    bool is_over;                   /* no step follows, so that the results may be refined */
    bool timed_out, is_stopped;     /* timed_out: the runs have reached their time limit; is_stopped: the
                                     * caller has stopped the runs */
    uint64_t polish;                /* evaluations that the pattern search made for all runs */
    enum shoal_precision precision; /* precision in which `best` was computed */
    const char *method;             /* name of the device's method; NULL on the host */
    double evaluation_bytes;        /* least bytes of memory that an evaluation reads and writes; 0: memory
                                     * does not limit it */
    struct search_stop stop;        /* asked by refinements whether the caller has stopped the run */
};

/* Arrays and texts to which a result points; owned by the solver. */
struct search_summary {
    double *finals;        /* [runs]: f at the run's position, in double precision; an infinity where no value
                            * was finite */
    double *sorted;        /* [runs]: `finals` sorted, best first */
    double *evaluations;   /* [runs] */
    double *signed_finals; /* [runs]: `finals` as values of sign f, for comparisons */
    double *position;      /* [point_dim]: position of the best run */
    double *refined;       /* [runs][dim]: members after their refinement; NULL: the members of the outcome
                            * are not refined */
    bool *settled;         /* [runs]: the refinement came to its end; NULL: no refinement was made yet */
    const double *members; /* [runs][dim]: members of the last result: `refined`, or the members of the
                            * outcome; NULL: no result yet */
    double violation;      /* of the best run's position, by its constraints */
    uint64_t allowed;      /* runs whose position meets all constraints */
    char binding[400];     /* names of the constraints that bind there */
    uint64_t passes;       /* passes over all rows of the table that refinements made */
    char best_seed[24], worst_seed[24], title[120], warning[160], ends[200], unconverged[280];
};

/* How far the members of a run are from its best member. reals: the mean distance in a dimension, in widths
 * of the box, in the dimension where the mean is largest. */
struct search_apart {
    double reals, genes; /* genes: the mean share, over the genes that are no reals, of members whose gene
                          * differs */
    bool is_far;         /* the run ended by a limit before its members had come together */
};
/* Does a result need the members of all runs, and are the members few enough to read? */
bool search_wants_members(const struct search_problem *problem, bool is_over);

void search_sort(double *values, size_t count);
/* Quantile q of sorted values, interpolated linearly; next to an infinite value it is infinite. */
double search_quantile(const double *sorted, size_t count, double q);

/* Checks the outcome in double precision and fills the result. Pointers in the result lead into the outcome
 * and the summary. The first call allocates the arrays of the summary; search_summary_free frees them. */
SHOAL_MUST_CHECK enum shoal_status search_fill_result(const struct search_problem *problem,
                                                      const struct search_outcome *outcome,
                                                      struct search_summary *summary,
                                                      struct shoal_result *result, struct shoal_error *error);
/* The problem of a search, and the summary of its last result. SHOAL_INVALID: the solver is no search, or has
 * no result yet; `call` is the public call, for the message. */
SHOAL_MUST_CHECK enum shoal_status search_result_of(const struct shoal_solver *solver, const char *call,
                                                    const struct search_problem **problem,
                                                    const struct search_summary **summary,
                                                    struct shoal_error *error);
void search_summary_free(struct search_summary *summary);

/* The value of f to show for a least value of the search; an infinity where it is the rank of a point that
 * violates constraints. */
double search_shown_value(const struct search_problem *problem, double rank);

/* A value, or the violation of a point, that a search found, beside double precision. */
struct search_comparison {
    double off, most; /* the difference, and the largest that is allowed */
    double size;      /* by which `off` is divided for the error of the result */
};
/* Compares what a search found at a member of a constrained objective. tolerance: relative, of the precision
 * of the search; scale: of f. */
SHOAL_MUST_CHECK enum shoal_status
search_check_constrained(const struct search_problem *problem, double tolerance, const double *member,
                         double rank, double scale, struct search_comparison *out, struct shoal_error *error);
/* Makes values of the ranks in summary->finals, infinities where a position violates constraints, and
 * describes the position of run `best`. tolerance: of the values that the search found. */
SHOAL_MUST_CHECK enum shoal_status search_part_finals(const struct search_problem *problem,
                                                      const struct search_outcome *outcome,
                                                      const double *positions, double tolerance, size_t best,
                                                      struct search_summary *summary,
                                                      struct shoal_result *result, struct shoal_error *error);
void search_add_constraints(const struct search_problem *problem, struct search_summary *summary,
                            struct shoal_result *result);

/* How a run has ended, by the name in results and checkpoints of optimisers: enum shoal_optimise_result. */
enum shoal_optimise_result search_end_of(const struct search_problem *problem,
                                         const struct search_outcome *outcome, size_t run);

/* Defined in runs.c. Adds the fields that describe all runs together. */
void search_add_runs(const struct search_problem *problem, const struct search_outcome *outcome,
                     struct search_summary *summary, struct shoal_result *result);
/* Value of sign f up to which a run counts as a success; NaN: neither a target nor the minimum is known. */
double search_goal(const struct search_problem *problem);

void search_add_apart(const struct search_problem *problem, const struct search_outcome *outcome,
                      struct search_summary *summary, struct shoal_result *result);
void search_add_spread(const struct search_problem *problem, const struct search_outcome *outcome,
                       struct shoal_result *result);
#endif
