/* Private: values of the objective at members in global memory. If members are genomes but the objective
 * takes reals, or if some coordinates are rounded, a kernel computes the points before the evaluator runs. */
#ifndef SHOAL_SEARCH_VALUES_H
#define SHOAL_SEARCH_VALUES_H

#include "search/device/device.h"

extern const struct shoal_program_desc search_decode_program, search_round_program;

struct search_values {
    struct evaluator *evaluator;
    /* decode: computes points from genomes; round: rounds coordinates; NULL: not needed. Both NULL: the
     * evaluator reads the members themselves. */
    struct shoal_kernel *decode, *round;
    struct search_decode launch;
    struct shoal_buffer *variables, *ranges, *points;
    struct arrays arrays;
    /* Evaluator of the objective without its constraints, and the data that it uses; NULL:
     * search_values_relax was not called. */
    struct evaluator *relaxed;
    struct shoal_objective relaxed_objective;
    struct programs relaxed_programs;
};

/* Creates *values, which must be all zeros, for at most `members` members. Sets the tile of the solver's
 * method, in which members are stored, to the tile of the evaluator. */
SHOAL_MUST_CHECK enum shoal_status search_values_create(struct shoal_solver *solver,
                                                        enum evaluator_method method, size_t members,
                                                        struct search_values *values,
                                                        struct shoal_error *error);
void search_values_destroy(struct search_values *values); /* accepts a struct of zeros */

/* Enqueues the evaluation y[i] = f(member i) for i < count. */
SHOAL_MUST_CHECK enum shoal_status search_values_run(struct shoal_solver *solver,
                                                     const struct search_values *values,
                                                     struct shoal_buffer *x, struct shoal_buffer *y,
                                                     size_t count, struct shoal_error *error);

/* search_values_relax: creates an evaluator of the objective without its constraints, for at most `count`
 * members, after search_values_create. search_values_run_relaxed: enqueues an evaluation by it. */
SHOAL_MUST_CHECK enum shoal_status search_values_relax(struct shoal_solver *solver,
                                                       enum evaluator_method method, size_t count,
                                                       struct search_values *values,
                                                       struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_values_run_relaxed(struct shoal_solver *solver,
                                                             const struct search_values *values,
                                                             struct shoal_buffer *x, struct shoal_buffer *y,
                                                             size_t count, struct shoal_error *error);

#endif
