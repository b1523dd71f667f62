/* Private: a portfolio with turns of steps or of lives, on a device or on the host: docs/portfolio.md, "On a
 * device" and "Whole lives". Each arm is a solver that has a run for each population of each island. All arms
 * share the device's queue, and a turn of an arm is a turn on all islands. */
#ifndef SHOAL_PORTFOLIO_TURNS_H
#define SHOAL_PORTFOLIO_TURNS_H

#include "portfolio/model/epochs.h"
#include "search/observe/trace.h"
#include "workload/arrays.h"
#include "workload/steps/long_step.h"
#include "workload/workload.h"

#include <stdatomic.h>

/* State of a run. Checkpoints hold the bytes of this struct. */
struct portfolio_run {
    uint64_t steps;    /* steps of the run */
    uint64_t ended;    /* 1: the run has ended */
    uint64_t reached;  /* 1: the run reached the target */
    uint64_t stagnant; /* steps since `mark` was set */
    uint64_t restarts; /* number of lives that began after the first life of each arm */
    uint64_t has_won;  /* 1: the run found a better point in this epoch */
    double mark;       /* best value at the last improvement that was large enough to count */
};

enum { PORTFOLIO_CUT_LIFE = 2 };

/* Further state, saved as plain bytes; older checkpoints lack it. */
struct portfolio_rest {
    uint64_t not_finite; /* evaluations without a finite value in lives that have ended */
    /* 1: the run had to end within a step, which will be made to its end; PORTFOLIO_CUT_LIFE: only the end of
     * the life is still to come */
    uint64_t is_cut;
    uint64_t has_gained; /* 1: the arm found a better point in this step */
};

/* State of turns of lives. Checkpoints hold the bytes of this struct. */
struct portfolio_lives {
    uint64_t populations; /* populations of an arm on an island, as in the problem */
    uint64_t refined;     /* number of evaluations that refined points at the ends of lives */
};

struct portfolio_turns {
    struct portfolio_problem problem;
    struct shoal_solver *arms[PORTFOLIO_MOST];
    /* set while a thread uses `arms` or `created`, since the watchdog reads them from another thread */
    atomic_flag is_held;
    uint64_t created;                   /* number of solvers of arms created so far */
    bool arms_are_new;                  /* whether all arms are as created: none has been drawn or loaded */
    struct portfolio_arm_state *states; /* [arms]; `told` counts the evaluations of the steps of a life */
    struct portfolio_state *epoch;      /* [1] */
    struct portfolio_run *runs;         /* [runs] */
    struct portfolio_rest rest;
    /* [islands] and [islands][dim]: the best value and the best point of each island */
    double *values, *champion;
    double *found, *places; /* best values and points of the populations of an arm, from the last read */
    struct portfolio_lives *lives; /* [1] */
    struct long_step cut;          /* the refinement at the end of a life */
    /* [arms] each: numbers for the result (portfolio_add_fields) */
    double *shares, *gains;
    bool drawn, ended;
    bool first_is_open; /* step 0 was cut */
    bool found_waits;   /* an arm's steps were made, but reading what it had found failed */
    uint64_t steps;
    struct search_summary summary;
    struct search_trace trace;
    double *best_out, *position_out;
    uint64_t *ended_out, *restarts_out, *moves_out, *skipped_out;
    uint64_t *evaluated; /* [runs]: points with a value in a first population that was cut */
    bool *reached_out, *stagnated_out, *converged_out;
    struct arrays own, outcome;
};

/* portfolio_turns_hold and portfolio_turns_release: lock and unlock is_held. The lock is held for a few
 * instructions only. */
static inline void portfolio_turns_hold(struct portfolio_turns *turns)
{
    while (atomic_flag_test_and_set_explicit(&turns->is_held, memory_order_acquire))
        continue;
}

static inline void portfolio_turns_release(struct portfolio_turns *turns)
{
    atomic_flag_clear_explicit(&turns->is_held, memory_order_release);
}

static inline struct portfolio_turns *portfolio_turns_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static inline struct portfolio_island portfolio_turns_island(struct portfolio_turns *turns)
{
    return (struct portfolio_island){&turns->problem, turns->epoch, turns->states};
}

/* Returns whether the portfolio of these parameters has turns of steps or of lives. */
static inline bool portfolio_makes_steps(const struct shoal_solver *solver)
{
    const int32_t turns = ((const struct shoal_portfolio_params *)solver->params)->turns;
    return solver->queue || turns == SHOAL_PORTFOLIO_STEPS || turns == SHOAL_PORTFOLIO_LIVES;
}

/* Implements look_into of struct search_algorithm. */
const struct search_problem *portfolio_look_into(const struct shoal_solver *solver,
                                                 const struct search_summary **summary);

extern const struct shoal_solver_ops portfolio_device_solver, portfolio_host_solver;

/* Arms as solvers: arms.c ------------------------------------------------------------------------------ */

/* Creates the solver of an arm for the life in the arm's state, and destroys the solver that it replaces. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_create(struct shoal_solver *solver, size_t arm,
                                                        struct shoal_error *error);

/* Checks the sections of an arm's checkpoint that belong to its algorithm. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_check(const struct shoal_solver *arm,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);

/* portfolio_arm_points: evaluations of a population in step `step` of the arm's search; step 0 draws the
 * members. portfolio_arm_steps: number of steps the search has made. */
size_t portfolio_arm_points(const struct shoal_solver *arm, uint64_t step);
uint64_t portfolio_arm_steps(const struct shoal_solver *arm);
bool portfolio_arm_ended(const struct shoal_solver *arm); /* has every island ended? */

/* Lets steps of the arm ask whether the run of `solver` must end. */
void portfolio_arm_watch(struct shoal_solver *solver, struct shoal_solver *arm);
/* portfolio_arm_is_partial: whether the draw of the members was cut off. If it was, portfolio_arm_evaluated
 * counts the points of a run that have a value, and portfolio_arm_reset makes the arm draw its members
 * anew. */
bool portfolio_arm_is_partial(const struct shoal_solver *arm);
uint64_t portfolio_arm_evaluated(const struct shoal_solver *arm, size_t run, size_t run_islands);
void portfolio_arm_reset(struct shoal_solver *arm);

/* Adds the evaluations of an arm that gave NaN or an infinity. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_not_finite(struct shoal_solver *arm, uint64_t *count,
                                                            struct shoal_error *error);

/* Reads the best value and the best point of each population of an arm, [dim] numbers each, as `problem` has
 * them: the problem of the portfolio. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_read(struct shoal_solver *arm,
                                                      const struct search_problem *problem, double *values,
                                                      double *champion, struct shoal_error *error);

/* Offers a point to each island k of an arm: the row source[k] of `values` and `champion`, which are as
 * `problem` has them. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_offer(struct shoal_solver *arm,
                                                       const struct search_problem *problem,
                                                       const size_t *source, const double *values,
                                                       const double *champion, struct shoal_error *error);

/* Turns: moves.c --------------------------------------------------------------------------------------- */

/* Returns the island that has the best value of a run. */
size_t portfolio_leader_of(const struct portfolio_turns *turns, size_t run);
/* Gives an arm the evaluations of a step, and makes as many steps of its search as its evaluations allow.
 * *is_over: whether the life of the arm has ended. */
SHOAL_MUST_CHECK enum shoal_status portfolio_move_arm(struct shoal_solver *solver, size_t arm, bool *is_over,
                                                      struct shoal_error *error);

/* Turns of lives: lives.c ------------------------------------------------------------------------------ */

/* Replaces the turns "auto" by turns of lives or of steps. With turns of lives, sets the number of
 * populations, unless the parameters give it, so that each compute unit has one. */
void portfolio_lives_settle(const struct shoal_solver *solver, struct shoal_portfolio_params *params);

/* Checks that options that have no effect with these turns are not set. */
SHOAL_MUST_CHECK enum shoal_status portfolio_lives_check(const struct shoal_portfolio_params *given,
                                                         int32_t turns, struct shoal_error *error);

/* Refines the best point of each run that has not ended, as results are refined: after a long life of many
 * populations, the best point is often near a minimum. *is_cut: the run had to end, and nothing has
 * changed. */
SHOAL_MUST_CHECK enum shoal_status portfolio_lives_refine(struct shoal_solver *solver, bool *is_cut,
                                                          struct shoal_error *error);
/* Returns the evaluations that refinements at the ends of lives have made for each run; 0 if the evaluations
 * of a run have no limit. */
uint64_t portfolio_lives_refined(const struct portfolio_turns *turns);

/* Checkpoints: state.c --------------------------------------------------------------------------------- */

enum shoal_status portfolio_turns_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                       struct shoal_error *error);
enum shoal_status portfolio_turns_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                       struct shoal_error *error);

/* Returns the solver to the state before step 0. */
void portfolio_turns_reset(struct shoal_solver *solver);

#endif
