/* Private: populations in global memory: the members, the children, the next members, and the evaluator. The
 * states of the methods "pipeline" and "fused" contain a struct ga_memory. */
#ifndef SHOAL_GA_METHODS_MEMORY_H
#define SHOAL_GA_METHODS_MEMORY_H

#include "ga/device/generation.h"
#include "search/device/values.h"

struct ga_memory {
    struct ga_generation generation;
    struct search_values values;
    struct shoal_buffer *y; /* [points]: values from the evaluator */
    struct shoal_buffer *children, *child_values;
    /* next population and its values; NULL: children replace members in place */
    struct shoal_buffer *next_x, *next_best;
    struct arrays arrays;
};

/* Returns the number of work-items for `count` genes: each has GENES of cl/ga/methods/pipeline_vary.clh. */
static inline size_t ga_gene_blocks(size_t count)
{
    return (count + 3) / 4;
}

/* Fails if the device cannot count or evaluate the members and the children of the problem. */
SHOAL_MUST_CHECK enum shoal_status ga_memory_fits(const struct search_problem *problem,
                                                  const struct shoal_device_info *info,
                                                  struct shoal_error *error);
/* ga_memory_plan: creates the evaluator, sets the tile of the method to the tile of the evaluator, and lists
 * the arrays. *memory must be all zeros. children: number of children of all islands. ga_memory_create:
 * creates the kernels, and the arrays if there is memory for them and for `more` further bytes. */
SHOAL_MUST_CHECK enum shoal_status ga_memory_plan(struct shoal_solver *solver, struct ga_memory *memory,
                                                  enum evaluator_method method, size_t children,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_memory_create(struct shoal_solver *solver, struct ga_memory *memory,
                                                    double more, struct shoal_error *error);
void ga_memory_destroy(struct ga_memory *memory); /* accepts a struct of zeros */

/* Which individuals are evaluated. GA_CHILDREN: the children of a step; GA_DRAWN: the members that a step
 * draws; GA_MEMBERS: the members that a step keeps. */
enum ga_evaluated { GA_CHILDREN, GA_DRAWN, GA_MEMBERS };
SHOAL_MUST_CHECK enum shoal_status ga_evaluate(struct shoal_solver *solver, const struct ga_memory *memory,
                                               enum ga_evaluated which, uint32_t step,
                                               struct shoal_error *error);

/* Enqueues the end of a step: draws and evaluates the members of islands that begin or restart in this step,
 * then calls ga_end_step. */
SHOAL_MUST_CHECK enum shoal_status ga_memory_end_step(struct shoal_solver *solver, struct ga_memory *memory,
                                                      uint32_t step, struct shoal_error *error);

/* Makes the next population the current one. */
void ga_swap_populations(struct shoal_solver *solver, struct ga_memory *memory);

#endif
