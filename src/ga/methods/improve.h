/* Private: the local search of children in global memory, which may take many launches. The method "pipeline"
 * has an improver in its state. */
#ifndef SHOAL_GA_METHODS_IMPROVE_H
#define SHOAL_GA_METHODS_IMPROVE_H

#include "ga/methods/tours.h"

struct ga_improver {
    const struct ga_memory *memory; /* memory of the method */
    struct shoal_kernel *kernel;    /* NULL: children are tours, see tours.h */
    struct ga_tour_search tours;
    size_t pool;    /* local memory of a child in units of 8 bytes */
    uint32_t group; /* work-items that improve a child */
    /* wide: most children in a launch, if their local search takes several launches; least: the number of
     * children where even one step of them is long. */
    uint32_t wide, least;
    double limit; /* seconds that a launch may take */
    /* Longest measured seconds of a child in a generation: of all its steps; of each of its first steps. 0:
     * not known yet. */
    double child_seconds, step_seconds;
    uint32_t children;                 /* children in the last launch that began new children; 0: no launch
                                        * yet */
    bool is_measured;                  /* a whole generation has been measured */
    bool fits;                         /* the local search of a generation fits one launch */
    bool is_due;                       /* the next generation is measured although the local search fits one
                                        * launch */
    bool is_dropped;                   /* the run had to end, and the last generation was dropped */
    struct shoal_buffer *searches;     /* states of `wide` local searches between launches */
    struct shoal_buffer *words, *best; /* copies of the islands' words and of the members' values (where they
                                        * change), made before a generation that may be dropped */
    struct arrays arrays;
};

/* ga_improve_plan: lists the arrays of an improver that is all zeros; `memory` must be planned and outlive
 * the improver. ga_improve_create: creates the arrays. Both do nothing where the problem has no local
 * search. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct ga_improver *improver,
                                                   const struct ga_memory *memory, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_create(struct shoal_solver *solver,
                                                     struct ga_improver *improver, struct shoal_error *error);
void ga_improve_destroy(struct ga_improver *improver); /* accepts zeros */

/* ga_improve_begin: called before a step enqueues anything. ga_improve_children: improves the children,
 * called after their evaluation. Where is_dropped is true then, the step is undone. */
SHOAL_MUST_CHECK enum shoal_status
ga_improve_begin(struct shoal_solver *solver, const struct ga_improver *improver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_children(struct shoal_solver *solver,
                                                       struct ga_improver *improver, uint32_t step,
                                                       struct shoal_error *error);

#endif
