/* Private: local search of children in global memory, which may take many launches. The state of the method
 * "pipeline" has an improver. */
#ifndef SHOAL_GA_METHODS_IMPROVE_H
#define SHOAL_GA_METHODS_IMPROVE_H

#include "ga/methods/tours.h"

struct ga_improver {
    const struct ga_memory *memory; /* memory of the method */
    struct shoal_kernel *kernel;    /* NULL: children are tours (tours.h), or there is no local search */
    struct ga_tour_search tours;
    size_t pool;    /* local memory for a child in units of 8 bytes */
    uint32_t group; /* number of work-items that improve a child */
    /* wide: most children in a launch if their local search takes several launches; least: number of children
     * in a launch if even a single step of them takes long. */
    uint32_t wide, least;
    double limit; /* longest time of a launch in seconds */
    /* Largest measured time of a child in a generation, in seconds: child_seconds: of all its steps;
     * step_seconds: of each of its first steps. 0: not measured yet. */
    double child_seconds, step_seconds;
    /* number of children in the last launch that began with new children; 0: there was no launch yet */
    uint32_t children;
    bool is_measured;              /* a whole generation was measured */
    bool fits;                     /* the local search of a generation fits into one launch */
    bool is_due;                   /* the next generation is measured even if `fits` */
    bool is_dropped;               /* the run had to end, and the last generation was dropped */
    struct shoal_buffer *searches; /* states of `wide` local searches between launches */
    /* copies of the islands' words, and of the members' values if a step changes them, before a generation
     * that may be dropped */
    struct shoal_buffer *words, *best;
    struct arrays arrays;
};

/* ga_improve_plan: lists the arrays of an improver that is all zeros; `memory` must be planned and outlive
 * the improver. ga_improve_create: creates the arrays. Both do nothing if the problem has no local search. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct ga_improver *improver,
                                                   const struct ga_memory *memory, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_create(struct shoal_solver *solver,
                                                     struct ga_improver *improver, struct shoal_error *error);
void ga_improve_destroy(struct ga_improver *improver); /* accepts a struct of zeros */

/* ga_improve_begin: called before a step enqueues commands. ga_improve_children: called after the evaluation
 * of the children; improves them. If it sets is_dropped, the step was undone. */
SHOAL_MUST_CHECK enum shoal_status
ga_improve_begin(struct shoal_solver *solver, const struct ga_improver *improver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_children(struct shoal_solver *solver,
                                                       struct ga_improver *improver, uint32_t step,
                                                       struct shoal_error *error);

#endif
