/* Private: local search of children in global memory, which may take many launches. The state of the method
 * "pipeline" contains an improver. */
#ifndef SHOAL_GA_METHODS_IMPROVE_H
#define SHOAL_GA_METHODS_IMPROVE_H

#include "ga/methods/tours.h"

struct ga_improver {
    const struct ga_memory *memory; /* memory of the method */
    /* NULL: children are tours (tours.h), or the problem has no local search */
    struct shoal_kernel *kernel;
    struct ga_tour_search tours;
    size_t pool;    /* size of local memory for a child in units of 8 bytes */
    uint32_t group; /* number of work-items that improve one child */
    /* Numbers of children in a launch if the local search takes several launches. wide: the largest number.
     * least: the smallest number, even if a single step of so many children takes too long. */
    uint32_t wide, least;
    double limit; /* limit of the time of a launch in seconds */
    /* Largest measured times of a child in a generation, in seconds. child_seconds: of all its steps.
     * step_seconds: of each of its first steps. 0: not measured yet. */
    double child_seconds, step_seconds;
    /* number of children in the last launch that began with new children; 0: there was none yet */
    uint32_t children;
    bool is_measured;              /* a whole generation was measured */
    bool fits;                     /* the local search of a generation fits into one launch */
    bool is_due;                   /* the next generation is measured even if `fits` is set */
    bool is_dropped;               /* the run had to end, so the last generation was undone */
    struct shoal_buffer *searches; /* states of `wide` local searches between launches */
    /* copies of the islands' words and, if a step changes them, of the members' values, from before a
     * generation that may be undone */
    struct shoal_buffer *words, *best;
    struct arrays arrays;
};

/* ga_improve_plan: lists the arrays of an improver, which must be all zeros. `memory` must be planned, and
 * valid as long as the improver. ga_improve_create: creates the arrays. Both functions do nothing if the
 * problem has no local search. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct ga_improver *improver,
                                                   const struct ga_memory *memory, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_create(struct shoal_solver *solver,
                                                     struct ga_improver *improver, struct shoal_error *error);
void ga_improve_destroy(struct ga_improver *improver); /* accepts a struct of zeros */

/* ga_improve_begin: called before a step enqueues commands. ga_improve_children: improves the children of a
 * step; called after their evaluation. If it sets is_dropped, it has undone the step. */
SHOAL_MUST_CHECK enum shoal_status
ga_improve_begin(struct shoal_solver *solver, const struct ga_improver *improver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_children(struct shoal_solver *solver,
                                                       struct ga_improver *improver, uint32_t step,
                                                       struct shoal_error *error);

#endif
