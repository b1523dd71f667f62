/* Private: parts of a generation that all methods share: arguments and tables for kernels, the order of
 * members, the exchange, and the end of a step. The state of each method contains a struct ga_generation. */
#ifndef SHOAL_GA_DEVICE_GENERATION_H
#define SHOAL_GA_DEVICE_GENERATION_H

#include "compute/launch.h"
#include "ga/device/device.h"
#include "search/device/islands.h"

extern const struct shoal_program_desc ga_genes_program, ga_replace_program, ga_select_program,
    ga_vary_program;

/* Kernels of cl/ga/methods/pipeline_*.cl. The kernels of a program follow each other in the order of its
 * contract. */
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
    CROSS_ORDERS, /* the first of the three kernels that only genomes need */
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
    struct shoal_kernel *kernels[GA_KERNELS]; /* NULL: the method does not use the program of this kernel */
    struct search_islands islands;
    struct ga_shape shape;
    /* number of genes of each kind, if members are genomes */
    struct ga_genes genes;
    /* number of children of all islands that are in global memory */
    size_t children;
    /* has_order: each generation sorts the members, for selection or replacement. has_child_order: each
     * generation sorts the children, for replacement. */
    bool has_order, has_child_order;
    struct shoal_buffer *rates, *ranks, *wholes;     /* tables of the problem */
    struct shoal_buffer *keys, *order, *child_order; /* keys: sort keys of an order that is being made */
    /* marks of discarded children, which come last in the order of children */
    struct shoal_buffer *discarded;
    /* sent: migrants of the islands; sent_values: their values */
    struct shoal_buffer *sent, *sent_values;
    struct arrays arrays;
};

/* Launch a kernel of the generation. GA_LAUNCH: by the number of groups; GA_LAUNCH_ITEMS: by the number of
 * work-items. */
#define GA_LAUNCH(entry, generation, kernel, groups, ...)                                                    \
    LAUNCH(entry, solver->queue, (generation)->kernels[kernel], groups, error, __VA_ARGS__)
#define GA_LAUNCH_ITEMS(entry, generation, kernel, items, ...)                                               \
    GA_LAUNCH(entry, generation, kernel, shoal_kernel_groups((generation)->kernels[kernel], items),          \
              __VA_ARGS__)

/* ga_generation_plan: sets the arguments of kernels in *generation, which must be all zeros, and lists the
 * arrays. The tile of the solver must be set. children: number of children of all islands in global memory.
 * ga_generation_create: creates the parts, if there is memory for them and for `more` further bytes. */
void ga_generation_plan(struct shoal_solver *solver, struct ga_generation *generation, size_t children);
SHOAL_MUST_CHECK enum shoal_status ga_generation_create(struct shoal_solver *solver,
                                                        struct ga_generation *generation, double more,
                                                        struct shoal_error *error);
void ga_generation_destroy(struct ga_generation *generation); /* accepts a struct of zeros */

/* Builds a program and creates its kernels. first: the first of them in enum ga_kernel. */
SHOAL_MUST_CHECK enum shoal_status ga_generation_build(struct shoal_solver *solver,
                                                       struct ga_generation *generation,
                                                       const struct shoal_program_desc *desc,
                                                       enum ga_kernel first, struct shoal_error *error);

/* Sort by value: ga_order_members the members of each island, ga_order_children its children. */
SHOAL_MUST_CHECK enum shoal_status ga_order_members(struct shoal_solver *solver,
                                                    const struct ga_generation *generation,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_order_children(struct shoal_solver *solver,
                                                     const struct ga_generation *generation,
                                                     struct shoal_buffer *values, struct shoal_error *error);

/* Enqueues the search for the best member of each island. Called after values have changed outside of a
 * step. */
SHOAL_MUST_CHECK enum shoal_status ga_find_best(struct shoal_solver *solver, struct ga_generation *generation,
                                                uint32_t step, struct shoal_error *error);
/* Enqueues the end of a step: search for the best members, exchange, records, ends of runs. */
SHOAL_MUST_CHECK enum shoal_status ga_end_step(struct shoal_solver *solver, struct ga_generation *generation,
                                               uint32_t step, struct shoal_error *error);

#endif
