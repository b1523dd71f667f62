/* Private: the epsilon level on a device: a point that violates the constraints by no more than the level
 * counts as its objective value. The level is that of Takahama and Sakai: cl/de/model/level.clh. */
#ifndef SHOAL_DE_LEVEL_H
#define SHOAL_DE_LEVEL_H

#include "de/device/device.h"
#include "search/device/values.h"

extern const struct shoal_program_desc de_level_program;

struct de_level {
    struct search_values *values; /* evaluates members and trials; NULL: there is no level */
    struct shoal_kernel *begin, *apply;
    struct shoal_buffer *relaxed;          /* values of the objective without the constraints */
    struct shoal_buffer *members, *trials; /* values of members and trials at the level of the step */
    struct arrays arrays;
};

/* Creates *level, which must be all zeros, for trials that `values` evaluates by `method`. Does nothing if
 * the problem has no level. */
SHOAL_MUST_CHECK enum shoal_status de_level_create(struct shoal_solver *solver, enum evaluator_method method,
                                                   struct search_values *values, struct de_level *level,
                                                   struct shoal_error *error);
void de_level_destroy(struct de_level *level); /* accepts a struct of zeros */

/* Whether the level of an island may be above 0 in this step. */
bool de_level_is_due(const struct de_problem *problem, const struct de_level *level,
                     const struct de_step *step);

/* Enqueue the computation of values at the level of the step: de_level_members for all members,
 * de_level_trials for trials with the values y. */
SHOAL_MUST_CHECK enum shoal_status de_level_members(struct shoal_solver *solver, const struct de_level *level,
                                                    const struct search_shape *shape,
                                                    const struct de_step *step, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status de_level_trials(struct shoal_solver *solver, const struct de_level *level,
                                                   const struct search_shape *shape,
                                                   const struct de_step *step, struct shoal_buffer *trials,
                                                   struct shoal_buffer *y, struct shoal_error *error);

/* Enqueues the computation of the levels of the islands that the step has drawn. */
SHOAL_MUST_CHECK enum shoal_status de_level_begin(struct shoal_solver *solver, const struct de_level *level,
                                                  const struct search_shape *shape,
                                                  const struct de_step *step, struct shoal_error *error);

#endif
