/* Private: number of steps in a launch of islands on the chip: as many as take SEARCH_LAUNCH_SECONDS, by the
 * measured time of the first steps. A launch also ends at an exchange. */
#ifndef SHOAL_SEARCH_LAUNCHES_H
#define SHOAL_SEARCH_LAUNCHES_H

#include "search/device/device.h"

/* Limit of the time of a launch in seconds: half of the delay that a display or Ctrl-C tolerates. */
#define SEARCH_LAUNCH_SECONDS 0.1

/* search_launch_timed enqueues launches by `enqueue`, waits for them, and sets `seconds` to their time. */
typedef enum shoal_status (*search_enqueue_fn)(struct shoal_solver *solver, const void *data,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_launch_timed(struct shoal_solver *solver, search_enqueue_fn enqueue,
                                                       const void *data, double *seconds,
                                                       struct shoal_error *error);

struct search_launches {
    uint64_t probe;      /* number of steps in the next launch that is timed; 0: step_seconds is known */
    double step_seconds; /* measured time of a step of all islands */
};

/* Largest dimension of the points that methods on the chip can evaluate. */
enum { SEARCH_MOST_WHOLE = 1024 };

/* Fails if a method on the chip cannot evaluate the objective, or points of its dimension. */
SHOAL_MUST_CHECK enum shoal_status search_fits_chip(const struct method *method,
                                                    const struct search_problem *problem,
                                                    struct shoal_error *error);

/* Returns the state before the first step. */
static inline struct search_launches search_launches_new(void)
{
    return (struct search_launches){.probe = 1};
}

/* Whether each launch may make only one step. If one island ends the run, the other islands of the run learn
 * this only between launches. */
static inline bool search_ends_together(const struct search_problem *problem)
{
    return problem->run_islands > 1 && search_can_end_early(problem);
}

/* Enqueues the steps step .. step + steps - 1. Islands may exchange only after the last of these steps. */
typedef enum shoal_status (*search_make_steps_fn)(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                                  struct shoal_error *error);

/* Makes the next `steps` steps of the run, in launches of limited length. */
SHOAL_MUST_CHECK enum shoal_status search_launches_advance(struct shoal_solver *solver,
                                                           struct search_launches *launches, uint64_t steps,
                                                           search_make_steps_fn make_steps,
                                                           struct shoal_error *error);

#endif
