/* Private: which arm of a portfolio makes the points of an epoch: docs/portfolio.md, "Which arm is next". */
#ifndef SHOAL_PORTFOLIO_EPOCHS_H
#define SHOAL_PORTFOLIO_EPOCHS_H

#include "portfolio/model/bandit.h"
#include "portfolio/model/problem.h"
#include "workload/result.h"

/* State of an arm of an island, saved as plain bytes. A batch of its search is open from the first of its
 * points that a step takes to the last of its values. */
struct portfolio_arm_state {
    uint64_t life;        /* number of the life, from 0 */
    uint64_t is_drawn;    /* 1: the search has made its step 0 */
    uint64_t batch;       /* number of the batch in the step of the search */
    uint64_t is_open;     /* 1: the batch is open */
    uint64_t given, told; /* points of the open batch that steps have taken, and those with a value */
    uint64_t is_over;     /* 1: the arm begins no further life */
    uint64_t lived;       /* evaluations of this life */
    uint64_t evaluations; /* of all lives */
    uint64_t gains;       /* steps in which one of its points was the best of the island so far */
    uint64_t is_offered;  /* 1: the island's best point is to be offered before the next step */
    struct bandit_record record;
};

/* State of an island, saved as plain bytes. */
struct portfolio_state {
    uint64_t arm;     /* the arm of this epoch */
    uint64_t steps;   /* steps of this epoch */
    uint64_t epochs;  /* epochs so far */
    uint64_t has_won; /* 1: the arm has gained in this epoch */
    double best;      /* least value so far */
};

/* An island with its arms. Where arms make whole steps, all islands of a search are one here. */
struct portfolio_island {
    const struct portfolio_problem *problem;
    struct portfolio_state *state;
    struct portfolio_arm_state *arms; /* [arm_count] */
};

/* Evaluations of an island that are left for its arms; infinity: no limit says how many there are. */
double portfolio_evaluations_left(const struct portfolio_island *island);

/* The arm with the largest index that has not been asked (NULL: none was); SIZE_MAX: none is left. */
size_t portfolio_next_arm(const struct portfolio_island *island, const bool *was_asked);

/* Ends the epoch: notes what its arm gained, from 0 to 1, and finds the next one. */
void portfolio_end_epoch(const struct portfolio_island *island, double gain);

/* Adds the names of the arms, and which part each has of the evaluations and of the gains; both arrays hold
 * sums on entry, [arm_count], and must be valid as long as the result. */
void portfolio_add_fields(const struct portfolio_problem *problem, double *shares, double *gains,
                          struct shoal_result *result);

#endif
