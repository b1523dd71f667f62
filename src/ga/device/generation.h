/* Private: parts of a generation that all methods share: scalars and tables of the problem, the order of
 * members, the exchange, and the end of a step. The state of each method has a struct ga_generation. */
#ifndef SHOAL_GA_DEVICE_GENERATION_H
#define SHOAL_GA_DEVICE_GENERATION_H

#include "compute/launch.h"
#include "ga/device/device.h"
#include "search/device/islands.h"

extern const struct shoal_program_desc ga_genes_program, ga_replace_program, ga_select_program,
    ga_vary_program;

/* Kernels of cl/ga/methods/pipeline_*.cl. The kernels of each program are in the order of its contract. */
enum ga_kernel {
    ORDER_FILL,
    ORDER_STEP,
    ORDER_BLOCK,
    WEIGHTS,
    SELECT,
    DRAW,
    CROSS,
    MUTATE,
    JUDGE,
    CROSS_ORDERS, /* the first of three kernels for genomes */
    DRAW_LISTS,
    CROSS_LISTS,
    DISCARD,
    CLAIM,
    SOURCES,
    REPLACE,
    EMIGRATE,
    IMMIGRATE,
    GA_KERNELS
};

struct ga_generation {
    struct shoal_kernel *kernels[GA_KERNELS]; /* NULL: the method does not use the program of the kernel */
    struct search_islands islands;
    struct ga_shape shape;
    /* number of genes of each part, if members are genomes */
    struct ga_genes genes;
    /* number of children of all islands in global memory */
    size_t children;
    /* each generation sorts the members for selection (has_order) or the children for replacement
     * (has_child_order) */
    bool has_order, has_child_order;
    struct shoal_buffer *rates, *ranks, *wholes;     /* tables of the problem */
    struct shoal_buffer *keys, *order, *child_order; /* keys: sort keys while an order is made */
    /* marks of discarded children, which are last in the order of children */
    struct shoal_buffer *discarded;
    /* sent: migrants of the islands; sent_values: their values */
    struct shoal_buffer *sent, *sent_values;
    struct arrays arrays;
};

/* Launch a kernel of the generation: GA_LAUNCH with a number of groups, GA_LAUNCH_ITEMS with a number of
 * work-items. */
#define GA_LAUNCH(entry, generation, kernel, groups, ...)                                                    \
    LAUNCH(entry, solver->queue, (generation)->kernels[kernel], groups, error, __VA_ARGS__)
#define GA_LAUNCH_ITEMS(entry, generation, kernel, items, ...)                                               \
    GA_LAUNCH(entry, generation, kernel, shoal_kernel_groups((generation)->kernels[kernel], items),          \
              __VA_ARGS__)

/* ga_generation_plan: sets the scalars in *generation, which must be all zeros, and lists the arrays, for the
 * solver's tile and `children` children of all islands in global memory. ga_generation_create: creates the
 * parts if there is memory for them and for `more` bytes. */
void ga_generation_plan(struct shoal_solver *solver, struct ga_generation *generation, size_t children);
SHOAL_MUST_CHECK enum shoal_status ga_generation_create(struct shoal_solver *solver,
                                                        struct ga_generation *generation, double more,
                                                        struct shoal_error *error);
void ga_generation_destroy(struct ga_generation *generation); /* accepts a struct of zeros */

/* Builds a program, and creates its kernels, the first of which is `first`. */
SHOAL_MUST_CHECK enum shoal_status ga_generation_build(struct shoal_solver *solver,
                                                       struct ga_generation *generation,
                                                       const struct shoal_program_desc *desc,
                                                       enum ga_kernel first, struct shoal_error *error);

/* ga_order_members sorts the members, ga_order_children the children, of each island by their values. */
SHOAL_MUST_CHECK enum shoal_status ga_order_members(struct shoal_solver *solver,
                                                    const struct ga_generation *generation,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_order_children(struct shoal_solver *solver,
                                                     const struct ga_generation *generation,
                                                     struct shoal_buffer *values, struct shoal_error *error);

/* Enqueues the search for the best member of each island, after values were changed outside of a step. */
SHOAL_MUST_CHECK enum shoal_status ga_find_best(struct shoal_solver *solver, struct ga_generation *generation,
                                                uint32_t step, struct shoal_error *error);
/* Enqueues the end of a step: best members, exchange, records, and ends of runs. */
SHOAL_MUST_CHECK enum shoal_status ga_end_step(struct shoal_solver *solver, struct ga_generation *generation,
                                               uint32_t step, struct shoal_error *error);

#endif
