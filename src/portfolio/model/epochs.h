/* Private: the choice of the arm that makes the points of an epoch: docs/portfolio.md, "Which arm is
 * next". */
#ifndef SHOAL_PORTFOLIO_EPOCHS_H
#define SHOAL_PORTFOLIO_EPOCHS_H

#include "portfolio/model/bandit.h"
#include "portfolio/model/problem.h"
#include "workload/result.h"

/* State of an arm of an island. Checkpoints hold the bytes of this struct. A batch of the arm's search is
 * open from the step that takes its first point until its last point has a value. */
struct portfolio_arm_state {
    uint64_t life;     /* number of the life, from 0 */
    uint64_t is_drawn; /* 1: the search has made its step 0 */
    uint64_t batch;    /* index of the batch in the step of the search */
    uint64_t is_open;  /* 1: the batch is open */
    /* given: points of the open batch that steps have taken; told: points of the batch that have a value */
    uint64_t given, told;
    uint64_t is_over;     /* 1: the arm begins no further life */
    uint64_t lived;       /* evaluations of this life */
    uint64_t evaluations; /* evaluations of all lives */
    uint64_t gains;       /* steps in which a point of the arm became the best one of the island so far */
    uint64_t is_offered;  /* 1: the arm's search is offered the island's best point before its next step */
    struct bandit_record record;
};

/* State of an island. Checkpoints hold the bytes of this struct. */
struct portfolio_state {
    uint64_t arm;     /* the arm of this epoch */
    uint64_t steps;   /* steps of this epoch */
    uint64_t epochs;  /* number of epochs that have ended */
    uint64_t has_won; /* 1: the arm has gained in this epoch */
    double best;      /* least value so far */
};

/* An island with its arms. With turns of steps or of lives, all islands of the search are one island here. */
struct portfolio_island {
    const struct portfolio_problem *problem;
    struct portfolio_state *state;
    struct portfolio_arm_state *arms; /* [arm_count] */
};

/* Returns the evaluations that an island has left for its arms; infinity: the run has no limit. */
double portfolio_evaluations_left(const struct portfolio_island *island);

/* Returns the arm that is next: of the arms that have not been asked, the one with the largest index; arms
 * that are over come last. was_asked NULL: no arm has been asked. SIZE_MAX: all have been asked. */
size_t portfolio_next_arm(const struct portfolio_island *island, const bool *was_asked);

/* Ends an epoch: notes the gain of its arm, from 0 to 1, and chooses the arm of the next epoch. */
void portfolio_end_epoch(const struct portfolio_island *island, double gain);

/* Adds to the result the names of the arms, and the fractions that each arm has of all evaluations and of all
 * gains. shares[arm_count], gains[arm_count]: numbers on entry, fractions on return; the arrays must be valid
 * as long as the result. */
void portfolio_add_fields(const struct portfolio_problem *problem, double *shares, double *gains,
                          struct shoal_result *result);

#endif
