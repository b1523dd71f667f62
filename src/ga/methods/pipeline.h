/* Private: the method "pipeline": populations in global memory, a launch for each part of a generation. */
#ifndef SHOAL_GA_PIPELINE_H
#define SHOAL_GA_PIPELINE_H

#include "ga/device/device.h"
#include "ga/methods/tours.h"
#include "search/device/islands.h"
#include "search/device/values.h"

extern const struct shoal_program_desc ga_genes_program, ga_replace_program, ga_select_program,
    ga_vary_program;

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

/* The local search of children, which may take many launches. */
struct ga_improver {
    struct shoal_kernel *kernel; /* NULL: the moves are those of tours */
    struct ga_tour_search tours;
    size_t pool;    /* local memory of a child in units of 8 bytes */
    uint32_t group; /* work-items of a child */
    /* Children whose steps several launches share: at most, and where one step of them is long. */
    uint32_t wide, least;
    double limit; /* seconds that a launch may take */
    /* Measured seconds of a child, the longest of a generation: of all its steps, of each of its first ones.
     * 0: not known yet. */
    double child_seconds, step_seconds;
    uint32_t children;                 /* of the last launch of new ones; 0: none yet */
    bool is_measured;                  /* a whole generation has been */
    bool fits;                         /* a generation is one launch */
    bool is_due;                       /* the next generation is measured though it fits */
    bool is_dropped;                   /* the run must end: the last generation was left off */
    struct shoal_buffer *searches;     /* kept ones of `wide` children */
    struct shoal_buffer *words, *best; /* copies of the islands' words, and of values that change, from before
                                          a generation that may be dropped */
    struct arrays arrays;
};

struct ga_pipeline_state {
    bool is_on_chip;   /* the method onchip, which has the exchange and the ends of steps alone */
    bool is_fused;     /* the method fused, which makes a generation in one launch */
    bool is_unsettled; /* the next launch of `fused` ends the step before it makes its own */
    struct shoal_kernel *fused;
    struct search_values values;
    struct ga_improver improver;
    struct shoal_kernel *kernels[GA_KERNELS];
    struct search_islands islands;
    struct ga_pipeline shape;
    struct ga_genes genes; /* of members that are genomes */
    size_t pairs;          /* of an island */
    bool has_order, has_child_order, has_claims;
    struct shoal_buffer *children, *y, *child_values; /* y: of the objective */
    struct shoal_buffer *next_x, *next_best;          /* the next population; NULL: it is made in place */
    struct shoal_buffer *rates, *ranks, *wholes;      /* tables of the problem */
    struct shoal_buffer *table;   /* of the objective, for methods with a launch a generation */
    struct shoal_buffer *scratch; /* of the orders of children */
    struct shoal_buffer *parents, *sums;
    struct shoal_buffer *keys, *order, *child_order; /* keys: of the order being sorted */
    struct shoal_buffer *discarded, *claims, *sources;
    struct shoal_buffer *sent, *sent_values;
    struct arrays arrays;
};

static inline struct ga_pipeline_state *ga_pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

#define GA_LAUNCH(kernel, groups, args)                                                                      \
    shoal_launch(solver->queue, pipeline->kernels[kernel], groups, args, sizeof args / sizeof *args, NULL,   \
                 error)

static inline size_t ga_groups(const struct ga_pipeline_state *pipeline, enum ga_kernel kernel, size_t items)
{
    return shoal_kernel_groups(pipeline->kernels[kernel], items);
}

/* Work-items for so many genes, as GENES of cl/ga/methods/pipeline_vary.clh. */
static inline size_t ga_gene_blocks(size_t count)
{
    return (count + 3) / 4;
}

/* That all islands make in a generation. */
static inline size_t ga_all_children(const struct ga_pipeline_state *pipeline)
{
    return (size_t)pipeline->shape.children * pipeline->islands.shape.islands;
}

static inline struct shoal_arg ga_search_arg(const struct ga_pipeline_state *pipeline)
{
    return shoal_arg_struct(&pipeline->islands.shape, sizeof pipeline->islands.shape);
}

static inline struct shoal_arg ga_shape_arg(const struct ga_pipeline_state *pipeline)
{
    return shoal_arg_struct(&pipeline->shape, sizeof pipeline->shape);
}

/* In the zeros of solver->method.state, with the tile set where it is on the chip. */
SHOAL_MUST_CHECK enum shoal_status ga_pipeline_create(struct shoal_solver *solver, struct shoal_error *error);
void ga_pipeline_destroy(struct shoal_solver *solver); /* accepts what that left after a failure */

static inline struct shoal_arg ga_genes_arg(const struct ga_pipeline_state *pipeline)
{
    return shoal_arg_struct(&pipeline->genes, sizeof pipeline->genes);
}

/* pipeline_genes.c: first members and children that are genomes. */
SHOAL_MUST_CHECK enum shoal_status ga_draw_genes(struct shoal_solver *solver, uint32_t step,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_vary_genes(struct shoal_solver *solver, uint32_t step,
                                                 struct shoal_error *error);
/* improve.c: the local search of children, whose values of the objective are in y. Plan and list of arrays
 * for a pipeline that has its shape, evaluator and, if any, tile; what needs these arrays. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_plan(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_open(struct shoal_solver *solver, struct shoal_error *error);
/* Before anything of a step is enqueued, and behind the evaluation of its children. Where the improver then
 * is_dropped, all is as it was before the step. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_begin(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_improve_children(struct shoal_solver *solver, uint32_t step,
                                                       struct shoal_error *error);

/* fused.c: its kernel; a generation; can the launch of the next generation end this step as well? */
SHOAL_MUST_CHECK enum shoal_status ga_fused_build(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_fused_breed(struct shoal_solver *solver, uint32_t step,
                                                  struct shoal_error *error);
bool ga_fused_settles(const struct shoal_solver *solver, uint64_t step);
/* pipeline.c: functions of struct method. */
enum shoal_status ga_pipeline_begin(struct shoal_solver *solver, struct shoal_error *error);
enum shoal_status ga_pipeline_advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
enum shoal_status ga_pipeline_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                   struct shoal_error *error);
/* Enqueues the end of a step: best members, exchange, records, ends. For methods whose state begins with that
 * of the pipeline, too. */
SHOAL_MUST_CHECK enum shoal_status ga_end_step(struct shoal_solver *solver, uint32_t step,
                                               struct shoal_error *error);
/* pipeline_replace.c: the next population becomes the population. */
void ga_swap_populations(struct shoal_solver *solver);

/* Sorts members, or children, of each island into the order of their values. */
SHOAL_MUST_CHECK enum shoal_status ga_order(struct shoal_solver *solver, bool of_children,
                                            struct shoal_error *error);
/* pipeline_replace.c: the next population from members and children, and the exchange between islands. */
SHOAL_MUST_CHECK enum shoal_status ga_replace(struct shoal_solver *solver, uint32_t step,
                                              struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_exchange(struct shoal_solver *solver, uint32_t step,
                                               struct shoal_error *error);

#endif
