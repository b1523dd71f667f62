/* Private: values of the objective at members in global memory. Where the objective takes reals and members
 * are genomes, or where some coordinates are rounded, a kernel makes points of the members before the
 * evaluator runs. */
#ifndef SHOAL_SEARCH_VALUES_H
#define SHOAL_SEARCH_VALUES_H

#include "search/device/device.h"

extern const struct shoal_program_desc search_decode_program, search_round_program;

struct search_values {
    struct evaluator *evaluator;
    struct shoal_kernel *decode, *round; /* both NULL: the evaluator takes members as they are */
    struct search_decode launch;
    struct shoal_buffer *variables, *ranges, *points;
    struct arrays arrays;
    /* Of the objective without its constraints, and what belongs to it; NULL: not asked for. */
    struct evaluator *relaxed;
    struct shoal_objective relaxed_objective;
    struct programs relaxed_programs;
};

/* Creates *values, which must hold zeros, for `count` members at most. Members are in tiles; the tile of the
 * solver's method is set to the tile of the evaluator. */
SHOAL_MUST_CHECK enum shoal_status search_values_create(struct shoal_solver *solver,
                                                        enum evaluator_method method, size_t members,
                                                        struct search_values *values,
                                                        struct shoal_error *error);
void search_values_destroy(struct search_values *values); /* accepts zeros */

/* Enqueues y[i] = f(member i) for i < count. */
SHOAL_MUST_CHECK enum shoal_status search_values_run(struct shoal_solver *solver,
                                                     const struct search_values *values,
                                                     struct shoal_buffer *x, struct shoal_buffer *y,
                                                     size_t count, struct shoal_error *error);

/* The same for the objective without its constraints: search_values_relax creates what
 * search_values_run_relaxed needs, for `count` members at most, after search_values_create. */
SHOAL_MUST_CHECK enum shoal_status search_values_relax(struct shoal_solver *solver,
                                                       enum evaluator_method method, size_t count,
                                                       struct search_values *values,
                                                       struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_values_run_relaxed(struct shoal_solver *solver,
                                                             const struct search_values *values,
                                                             struct shoal_buffer *x, struct shoal_buffer *y,
                                                             size_t count, struct shoal_error *error);

#endif
