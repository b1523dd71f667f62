/* Private: the local search of children in global memory, which may take many launches. The method "pipeline"
 * holds one in its state. */
#ifndef SHOAL_GA_METHODS_IMPROVE_H
#define SHOAL_GA_METHODS_IMPROVE_H

#include "ga/methods/tours.h"

struct ga_improver {
    const struct ga_memory *memory; /* memory of the method */
    struct shoal_kernel *kernel;    /* NULL: moves are moves of tours, see tours.h */
    struct ga_tour_search tours;
    size_t pool;    /* local memory of a child in units of 8 bytes */
    uint32_t group; /* work-items that improve a child */
    /* Most children whose local search may take several launches; and that number where one step of a child
     * is long. */
    uint32_t wide, least;
    double limit; /* seconds that a launch may take */
    /* Measured seconds of a child, the longest of a generation: of all its steps, of each of its first ones.
     * 0: not known yet. */
    double child_seconds, step_seconds;
    uint32_t children;                 /* children of the last launch that began new children; 0: no launch
                                        * yet */
    bool is_measured;                  /* a whole generation has been measured */
    bool fits;                         /* a generation is one launch */
    bool is_due;                       /* the next generation is measured although it fits a launch */
    bool is_dropped;                   /* the run must end: the last generation was left off */
    struct shoal_buffer *searches;     /* local searches of `wide` children, kept for the next launch */
    struct shoal_buffer *words, *best; /* copies of the islands' words, and of values that change, from before
                                          a generation that may be dropped */
    struct arrays arrays;
};

/* The first call lists the arrays of an improver of zeros, for a planned `memory`, which must outlive it; the
 * second call creates them. Both do nothing where the problem has no local search. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct ga_improver *improver,
                                                   const struct ga_memory *memory, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_create(struct shoal_solver *solver,
                                                     struct ga_improver *improver, struct shoal_error *error);
void ga_improve_destroy(struct ga_improver *improver); /* accepts zeros */

/* Before anything of a step is enqueued, and behind the evaluation of its children. Where the improver then
 * is_dropped, all is as it was before the step. */
SHOAL_MUST_CHECK enum shoal_status
ga_improve_begin(struct shoal_solver *solver, const struct ga_improver *improver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_children(struct shoal_solver *solver,
                                                       struct ga_improver *improver, uint32_t step,
                                                       struct shoal_error *error);

#endif
