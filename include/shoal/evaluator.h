/* Values of an objective at many points at once, on a device: what the optimisers of shoal are built on, for
 * an optimiser of your own.
 *
 * Points stand in a buffer in tiles: coordinate d of point i is number (i / tile * dim + d) * tile + i %
 * tile, where tile is shoal_evaluator_tile(); 1 means point behind point. The buffer holds whole tiles,
 * shoal_evaluator_coordinates() numbers in all; what stands for points that do not exist is never looked at
 * in a result. Numbers are float or double as `precision` says.
 *
 * Threads: an evaluator belongs to its queue and follows its rule, one thread at a time.
 */
#ifndef SHOAL_EVALUATOR_H
#define SHOAL_EVALUATOR_H

#include <shoal/objective.h>
#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* How the work is laid over the device. */
enum shoal_evaluator_method {
    SHOAL_EVALUATOR_AUTO,         /* what `shoal tune` measured, else a rule */
    SHOAL_EVALUATOR_THREAD,       /* a work-item for each point, streaming over dimensions or rows */
    SHOAL_EVALUATOR_THREAD_NAIVE, /* the same, with the whole point loaded first; per dimension only */
    SHOAL_EVALUATOR_BLOCK,        /* a work-group for each point; per dimension */
    SHOAL_EVALUATOR_BLOCK_MAJOR,  /* the same, tile 1; per dimension */
    SHOAL_EVALUATOR_MOD,          /* a work-group for 32 points; per dimension */
    SHOAL_EVALUATOR_LANES,        /* a few neighbouring work-items for each point; per dimension */
    SHOAL_EVALUATOR_WARP2,        /* 32 work-items for each point; data rows */
    SHOAL_EVALUATOR_BLOCK2,       /* a work-group for each point; data rows */
    SHOAL_EVALUATOR_ROWS          /* each row read once for many points; data rows */
};

struct shoal_evaluator_params {
    size_t size;                             /* set by shoal_evaluator_params_init */
    const struct shoal_objective *objective; /* must outlive the evaluator */
    int32_t precision;                       /* enum shoal_precision, default SHOAL_FP64 */
    int32_t method;                          /* enum shoal_evaluator_method */
    size_t dim;                              /* 0: the only one that the objective has */
    size_t points;                           /* most points; 1 .. 2^31 - 1 */
    uint64_t chunk_rows; /* data: rows on the device at a time; 0: all, or as many as fit */
    const double *shift; /* dim numbers: the function is evaluated at x - shift; NULL: none. Copied */
    enum shoal_variant variant;
};
SHOAL_API void shoal_evaluator_params_init(struct shoal_evaluator_params *params);

struct shoal_evaluator;

/* Builds the kernels and makes room for the table, which goes to the device with the first run.
 * SHOAL_UNSUPPORTED: the method cannot evaluate the objective, or the device has no such precision;
 * SHOAL_INVALID, SHOAL_BUILD_FAILED, SHOAL_OUT_OF_DEVICE_MEMORY. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_evaluator_create(struct shoal_queue *queue, const struct shoal_evaluator_params *params,
                       struct shoal_evaluator **out, struct shoal_error *error);
SHOAL_API size_t shoal_evaluator_tile(const struct shoal_evaluator *evaluator);
/* Numbers that the buffer of points must hold. */
SHOAL_API size_t shoal_evaluator_coordinates(const struct shoal_evaluator *evaluator);
/* Enqueues y[i] = f(x_i - shift) for first <= i < first + count. The same points give the same bits each
 * time. NaN and infinities are values like others. The buffers must live until the queue is done with them.
 * A table that is larger than the device is brought piece by piece: then the call takes about as long as the
 * work, and SHOAL_IO says that its file cannot be read any more. SHOAL_INVALID also where fp32 cannot hold a
 * number of the table. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_run(struct shoal_evaluator *evaluator,
                                                                 struct shoal_buffer *x,
                                                                 struct shoal_buffer *y, size_t first,
                                                                 size_t count, struct shoal_error *error);
/* "thread", "rows", ...: the method in use. */
SHOAL_API const char *shoal_evaluator_method_name(const struct shoal_evaluator *evaluator);
/* Host seconds spent building kernels: see shoal_program_build_seconds. */
SHOAL_API double shoal_evaluator_build_seconds(const struct shoal_evaluator *evaluator);
/* True where native CUDA text was built. */
SHOAL_API bool shoal_evaluator_is_native(const struct shoal_evaluator *evaluator);
/* Waits for the queue. Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_evaluator_destroy(struct shoal_evaluator **evaluator);

SHOAL_END_DECLS

#endif
