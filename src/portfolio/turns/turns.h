/* Private: a portfolio whose arms make whole steps, on a device or on the host: docs/portfolio.md, "On a
 * device" and "Whole lives". Each arm is a solver, whose runs are the populations of all islands and runs of
 * the portfolio; all arms share the device's queue, and one decision serves all islands. */
#ifndef SHOAL_PORTFOLIO_TURNS_H
#define SHOAL_PORTFOLIO_TURNS_H

#include "portfolio/model/epochs.h"
#include "search/observe/trace.h"
#include "workload/arrays.h"
#include "workload/workload.h"

#include <stdatomic.h>

/* State of a run, saved as plain bytes. */
struct portfolio_run {
    uint64_t steps;    /* steps of the run */
    uint64_t ended;    /* 1: the run has ended */
    uint64_t reached;  /* 1: it reached the target */
    uint64_t stagnant; /* steps since `mark` was set */
    uint64_t restarts; /* lives that were begun after the first ones */
    uint64_t has_won;  /* 1: it found a better point in this epoch */
    double mark;       /* best value at the last improvement that counted */
};

/* Turns of lives, saved as plain bytes. */
struct portfolio_lives {
    uint64_t populations; /* of an arm on an island: as in the problem */
    uint64_t refined;     /* evaluations of the refinements after lives */
};

struct portfolio_turns {
    struct portfolio_problem problem;
    struct shoal_solver *arms[PORTFOLIO_MOST];
    atomic_flag
        is_held;       /* set while a thread uses the pointers above and `created`: the watchdog reads them */
    uint64_t created;  /* arms that were created */
    bool arms_are_new; /* no arm has been drawn or loaded since all were created */
    struct portfolio_arm_state *states; /* [arms]; `told` counts the evaluations of a life's steps */
    struct portfolio_state *epoch;      /* [1] */
    struct portfolio_run *runs;         /* [runs] */
    double *values, *champion;          /* best value and point of each island: [islands], [islands][dim] */
    double *found, *places;             /* those of each population of an arm, as last read */
    struct portfolio_lives *lives;      /* [1] */
    double *shares, *gains;             /* [arms]: of the last result */
    bool drawn, ended;
    uint64_t steps;
    struct search_summary summary;
    struct search_trace trace;
    double *best_out, *position_out;
    uint64_t *ended_out, *restarts_out, *moves_out;
    bool *reached_out, *stagnated_out, *converged_out;
    struct arrays own, outcome;
};

/* Held for a few instructions. */
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

/* Does the portfolio of these parameters let arms make whole steps? */
static inline bool portfolio_makes_steps(const struct shoal_solver *solver)
{
    const int32_t turns = ((const struct shoal_portfolio_params *)solver->params)->turns;
    return solver->queue || turns == SHOAL_PORTFOLIO_STEPS || turns == SHOAL_PORTFOLIO_LIVES;
}

/* See look_into of struct search_algorithm. */
const struct search_problem *portfolio_look_into(const struct shoal_solver *solver,
                                                 const struct search_summary **summary);

extern const struct shoal_solver_ops portfolio_device_solver, portfolio_host_solver;

/* Arms as solvers: arms.c ------------------------------------------------------------------------------ */

/* Creates the solver of an arm for the life in its state; a solver that exists is destroyed. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_create(struct shoal_solver *solver, size_t arm,
                                                        struct shoal_error *error);

/* Checks the algorithm's own sections of a checkpoint of the arm. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_check(const struct shoal_solver *arm,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);

/* Evaluations of an island in step `step` of the arm's search; step 0 draws the members. */
size_t portfolio_arm_points(const struct shoal_solver *arm, uint64_t step);
uint64_t portfolio_arm_steps(const struct shoal_solver *arm);

/* Reads the best value and point of each island. */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_read(struct shoal_solver *arm, double *values,
                                                      double *champion, struct shoal_error *error);

/* Offers each island of an arm a point: source[k] is the island whose row of `values` and `champion` it is.
 */
SHOAL_MUST_CHECK enum shoal_status portfolio_arm_offer(struct shoal_solver *arm, const size_t *source,
                                                       const double *values, const double *champion,
                                                       struct shoal_error *error);

/* The island with the best value of a run. */
size_t portfolio_leader_of(const struct portfolio_turns *turns, size_t run);

/* Turns of lives: lives.c ------------------------------------------------------------------------------ */

/* Chooses the rule of turns where it is "auto", and the number of populations where none is given: as many as
 * run on the device at the same time. */
void portfolio_lives_settle(const struct shoal_solver *solver, struct shoal_portfolio_params *params);

/* Refines the best point of each run that has not ended, as the result of a run is refined: a life of many
 * populations is long, and its best point is often near a minimum. */
SHOAL_MUST_CHECK enum shoal_status portfolio_lives_refine(struct shoal_solver *solver,
                                                          struct shoal_error *error);

/* Checkpoints: state.c --------------------------------------------------------------------------------- */

enum shoal_status portfolio_turns_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                       struct shoal_error *error);
enum shoal_status portfolio_turns_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                       struct shoal_error *error);

/* Brings the solver to the state before step 0. */
void portfolio_turns_reset(struct shoal_solver *solver);

#endif
