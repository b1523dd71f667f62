/* Private: what each method needs of a generation besides its own launches: scalars and tables of the
 * problem, the order of members, the exchange, the end of a step. A method holds one in its state. */
#ifndef SHOAL_GA_DEVICE_GENERATION_H
#define SHOAL_GA_DEVICE_GENERATION_H

#include "compute/launch.h"
#include "ga/device/device.h"
#include "search/device/islands.h"

extern const struct shoal_program_desc ga_genes_program, ga_replace_program, ga_select_program,
    ga_vary_program;

/* Kernels of cl/ga/methods/pipeline_*.cl: those of a program in the order of its contract. */
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
    CROSS_ORDERS, /* of genomes, like the next two */
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
    struct shoal_kernel *kernels[GA_KERNELS]; /* NULL: of a program that the method does without */
    struct search_islands islands;
    struct ga_shape shape;
    struct ga_genes genes;                           /* of members that are genomes */
    size_t children;                                 /* of all islands, that the method has in memory */
    bool has_order, has_child_order;                 /* of each generation, for selection and replacement */
    struct shoal_buffer *rates, *ranks, *wholes;     /* tables of the problem */
    struct shoal_buffer *keys, *order, *child_order; /* keys: of the order being sorted */
    struct shoal_buffer *discarded;                  /* marks of children, which are last in their order */
    struct shoal_buffer *sent, *sent_values;         /* migrants */
    struct arrays arrays;
};

/* A launch of one of its kernels with so many groups, or for so many work-items. */
#define GA_LAUNCH(entry, generation, kernel, groups, ...)                                                    \
    LAUNCH(entry, solver->queue, (generation)->kernels[kernel], groups, error, __VA_ARGS__)
#define GA_LAUNCH_ITEMS(entry, generation, kernel, items, ...)                                               \
    GA_LAUNCH(entry, generation, kernel, shoal_kernel_groups((generation)->kernels[kernel], items),          \
              __VA_ARGS__)

/* In memory that holds zeros, for the solver's tile: sets the scalars and lists the arrays of a method that
 * has so many children of all islands in memory; then creates the parts, if there is memory for them and for
 * `more` bytes. */
void ga_generation_plan(struct shoal_solver *solver, struct ga_generation *generation, size_t children);
SHOAL_MUST_CHECK enum shoal_status ga_generation_create(struct shoal_solver *solver,
                                                        struct ga_generation *generation, double more,
                                                        struct shoal_error *error);
void ga_generation_destroy(struct ga_generation *generation); /* accepts zeros */

/* The kernels of a program, from `first` on. */
SHOAL_MUST_CHECK enum shoal_status ga_generation_build(struct shoal_solver *solver,
                                                       struct ga_generation *generation,
                                                       const struct shoal_program_desc *desc,
                                                       enum ga_kernel first, struct shoal_error *error);

/* Sorts members, or children with these values, of each island into the order of their values. */
SHOAL_MUST_CHECK enum shoal_status ga_order_members(struct shoal_solver *solver,
                                                    const struct ga_generation *generation,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_order_children(struct shoal_solver *solver,
                                                     const struct ga_generation *generation,
                                                     struct shoal_buffer *values, struct shoal_error *error);

/* Enqueues the search for the best member of each island, after values have changed outside a step. */
SHOAL_MUST_CHECK enum shoal_status ga_find_best(struct shoal_solver *solver, struct ga_generation *generation,
                                                uint32_t step, struct shoal_error *error);
/* Enqueues the end of a step: best members, exchange, records, ends. */
SHOAL_MUST_CHECK enum shoal_status ga_end_step(struct shoal_solver *solver, struct ga_generation *generation,
                                               uint32_t step, struct shoal_error *error);

#endif
