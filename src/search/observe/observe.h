/* Private: the result of a search, checked in double precision, and statistics over its runs. */
#ifndef SHOAL_SEARCH_OBSERVE_H
#define SHOAL_SEARCH_OBSERVE_H

#include "search/problem.h"
#include "search/refine.h"
#include "workload/result.h"

#include <shoal/optimise.h>

/* Of struct shoal_search_sample; with mean and deviation of the values of a population. */
extern const struct shoal_sampling search_sampling, search_population_sampling;

/* The finite values of a population. */
struct search_spread {
    double least, mean, most, deviation;
    uint64_t count;
};
struct search_spread search_spread_of(const double *values, size_t count);

/* Outcome of a solver. */
struct search_outcome {
    const double *best;       /* runs: least sign f of each run, as the solver computed it; +infinity: none */
    const double *position;   /* runs * dim: the member that has it */
    const uint64_t *ended;    /* runs: steps after which the run ended, or steps so far */
    const bool *reached;      /* runs: the target */
    const bool *stagnated;    /* runs: no improvement */
    const bool *converged;    /* runs: all members are near the best */
    const uint64_t *restarts; /* runs: of all islands of the run */
    const uint64_t *moves;    /* runs: that a local search evaluated */
    const uint64_t *skipped;  /* runs: first points without a value, as the run had to end; NULL: none */
    const struct search_spread *spread; /* runs: of sign f of the last members; NULL: not wanted */
    /* Number d of member i is members[i * member_step + d * number_step]: the last ones, of a swarm its
     * personal bests. NULL: not known, see search_wants_members. */
    const double *members;
    size_t member_step, number_step;
    const double *values;           /* sign f of each member */
    const bool *settled;            /* runs: the pattern search came to its end; NULL: there was none */
    uint64_t steps;                 /* of the run that went on longest */
    uint64_t not_finite;            /* evaluations that gave NaN or an infinity */
    bool is_over;                   /* the runs go on no more, so that their results may be refined */
    bool timed_out, is_stopped;     /* the runs have reached their time limit; the caller has stopped the
                                     * runs */
    uint64_t polish;                /* evaluations of the pattern search, of all runs */
    enum shoal_precision precision; /* in which `best` was computed */
    const char *method;             /* that the device used; NULL on the host */
    double evaluation_bytes;        /* memory that one reads and writes at least; 0: no limit */
    struct search_stop stop;        /* of refinements */
};

/* Storage of what a result points to; owned by the solver. */
struct search_summary {
    double *finals;        /* runs: f at the position, in double; an infinity where no value was finite */
    double *sorted;        /* runs: the same, best first */
    double *evaluations;   /* runs */
    double *signed_finals; /* runs: of sign f, where they are compared */
    double *position;      /* point_dim: of the best run */
    double *refined;       /* runs * dim: the members of the result; NULL: those of the outcome */
    bool *settled;         /* runs: their refinement came to its end; NULL: there was none yet */
    const double *members; /* runs * dim: those of the last result, of the one or the other; NULL: none yet */
    uint64_t passes;       /* evaluations of all residuals for that */
    char best_seed[24], worst_seed[24], title[120], warning[160], ends[200], unconverged[280];
};

/* How far members are from the best of their run, on average; in the dimension where that is most, in widths
 * of the box. */
struct search_apart {
    double reals, genes; /* genes: the share of those that are no reals that differ */
    bool is_far;         /* the run ended by a limit, while they had not come together */
};
/* settled: runs whose pattern search came to its end; NULL: there was none. */
struct search_apart search_apart_of(const struct search_problem *problem,
                                    const struct search_outcome *outcome, const bool *settled, size_t run);
/* Is that worth the members of all runs for the result? */
bool search_wants_members(const struct search_problem *problem, bool is_over);

void search_sort(double *values, size_t count);
/* Quantile q of sorted values, linear between neighbours; an infinite neighbour counts as it is. */
double search_quantile(const double *sorted, size_t count, double q);

/* Checks the outcome in double precision and fills the result; its pointers are those of the outcome and of
 * the summary, which is allocated at the first call and released with search_summary_free. */
SHOAL_MUST_CHECK enum shoal_status search_fill_result(const struct search_problem *problem,
                                                      const struct search_outcome *outcome,
                                                      struct search_summary *summary,
                                                      struct shoal_result *result, struct shoal_error *error);
void search_summary_free(struct search_summary *summary);

/* How a run has ended, by the name in results and checkpoints of optimisers: enum shoal_optimise_result. */
enum shoal_optimise_result search_end_of(const struct search_problem *problem,
                                         const struct search_outcome *outcome, size_t run);

/* Fields about the runs together; runs.c. */
void search_add_runs(const struct search_problem *problem, const struct search_outcome *outcome,
                     struct search_summary *summary, struct shoal_result *result);
/* Value of sign f at or below which a run succeeded; NaN: neither a target nor the minimum is known. */
double search_goal(const struct search_problem *problem);

void search_add_apart(const struct search_problem *problem, const struct search_outcome *outcome,
                      struct search_summary *summary, struct shoal_result *result);
void search_add_spread(const struct search_problem *problem, const struct search_outcome *outcome,
                       struct shoal_result *result);
#endif
