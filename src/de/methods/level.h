/* Private: the level of violation on a device. */
#ifndef SHOAL_DE_LEVEL_H
#define SHOAL_DE_LEVEL_H

#include "de/device/device.h"
#include "search/device/values.h"

extern const struct shoal_program_desc de_level_program;

struct de_level {
    struct search_values *values; /* of the pipeline; NULL: there is no level */
    struct shoal_kernel *begin, *apply;
    struct shoal_buffer *relaxed;          /* values without the constraints */
    struct shoal_buffer *members, *trials; /* what members and trials count at the level of the step */
    struct arrays arrays;
};

/* Creates *level, which must hold zeros, for trials that `values` evaluates by `method`. Does nothing where
 * the problem has no level. */
SHOAL_MUST_CHECK enum shoal_status de_level_create(struct shoal_solver *solver, enum evaluator_method method,
                                                   struct search_values *values, struct de_level *level,
                                                   struct shoal_error *error);
void de_level_destroy(struct de_level *level); /* accepts zeros */

/* May the level of an island be above 0 in this step? */
bool de_level_is_due(const struct de_problem *problem, const struct de_level *level,
                     const struct de_step *step);

/* Enqueues what all members count, and what the trials with the values y count. */
SHOAL_MUST_CHECK enum shoal_status de_level_members(struct shoal_solver *solver, const struct de_level *level,
                                                    const struct search_shape *shape,
                                                    const struct de_step *step, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status de_level_trials(struct shoal_solver *solver, const struct de_level *level,
                                                   const struct search_shape *shape,
                                                   const struct de_step *step, struct shoal_buffer *trials,
                                                   struct shoal_buffer *y, struct shoal_error *error);

/* Enqueues the levels of the islands that the step has drawn. */
SHOAL_MUST_CHECK enum shoal_status de_level_begin(struct shoal_solver *solver, const struct de_level *level,
                                                  const struct search_shape *shape,
                                                  const struct de_step *step, struct shoal_error *error);

#endif
