/* Evaluates an objective at many points at once on a device: the part of shoal's optimisers on which other
 * optimisers can be built.
 *
 * A buffer of points is tiled: coordinate d of point i is element (i / tile * dim + d) * tile + i % tile,
 * where tile is shoal_evaluator_tile(); with tile 1 the points are dense. The buffer holds whole tiles,
 * shoal_evaluator_coordinates() elements in all; padding in the last tile has no effect on results. Elements
 * are float or double as `precision` says.
 *
 * Individuals of an objective over genes (info.variables) are in tiles too, each kind of genes packed in its
 * own way: shoal_evaluator_write_points arranges points of either kind of objective. Values of such an
 * objective are int64_t where they are whole numbers (info.whole_values).
 *
 * Threads: an evaluator and its queue are used by one thread at a time.
 */
#ifndef SHOAL_EVALUATOR_H
#define SHOAL_EVALUATOR_H

#include <shoal/objective.h>
#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* How the evaluations are divided among work-items. "Per dimension" and "data rows": the method evaluates
 * only objectives of this shape. Other methods evaluate objectives of any shape. */
enum shoal_evaluator_method {
    SHOAL_EVALUATOR_AUTO,   /* The fastest method that `shoal tune` measured, else by a rule. */
    SHOAL_EVALUATOR_THREAD, /* A work-item for each point, streaming over dimensions or rows. */
    /* A work-item for each point, which loads the whole point first. Per dimension. */
    SHOAL_EVALUATOR_THREAD_NAIVE,
    SHOAL_EVALUATOR_BLOCK,       /* A work-group for each point. Per dimension. */
    SHOAL_EVALUATOR_BLOCK_MAJOR, /* A work-group for each point, points dense (tile 1). Per dimension. */
    SHOAL_EVALUATOR_MOD,         /* A work-group for 32 points. Per dimension. */
    SHOAL_EVALUATOR_LANES,       /* A few neighbouring work-items for each point. Per dimension. */
    SHOAL_EVALUATOR_WARP2,       /* 32 work-items for each point. Data rows. */
    SHOAL_EVALUATOR_BLOCK2,      /* A work-group for each point. Data rows. */
    SHOAL_EVALUATOR_ROWS         /* Each row read once for many points. Data rows. */
};

/* Settings of an evaluator: its objective and its points. */
struct shoal_evaluator_params {
    size_t size; /* Bytes of the struct, set by shoal_evaluator_params_init. */
    /* The objective, which must outlive the evaluator. Must be set. */
    const struct shoal_objective *objective;
    /* Floating-point format of points and values, enum shoal_precision. Default: SHOAL_FP64. */
    int32_t precision;
    /* How the evaluations are divided among work-items, enum shoal_evaluator_method. Default:
     * SHOAL_EVALUATOR_AUTO. */
    int32_t method;
    /* Dimension of a point, info.min_dim to info.max_dim of the objective. Default: 0, the only dimension
     * that the objective allows. */
    size_t dim;
    size_t points; /* Most points of a run, 1 to 2^31 - 1. Default: 1. */
    /* Rows of the table on the device at a time, any number. Default: 0, all rows, or as many rows as fit in
     * the memory of the device. */
    uint64_t chunk_rows;
    const double *shift;        /* Evaluates f(x - shift), [dim]. Copied. Default: NULL, none. */
    enum shoal_variant variant; /* Text of kernels. Default: SHOAL_VARIANT_AUTO. */
    /* Use of repaired individuals, enum shoal_repair. Default: SHOAL_REPAIR_NONE. */
    int32_t repair;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_evaluator_params_init(struct shoal_evaluator_params *params);
#define SHOAL_EVALUATOR_PARAMS(...)                                                                          \
    SHOAL_INIT(shoal_evaluator_params, shoal_evaluator_params_init, __VA_ARGS__)

/* An objective with kernels and memory on a device. */
struct shoal_evaluator;

/* Builds the kernels and allocates room for the table, which the first run copies to the device. Destroy the
 * evaluator with shoal_evaluator_destroy, before its queue.
 * Errors: SHOAL_INVALID: a member is out of its range, or does not fit the objective. SHOAL_UNSUPPORTED: the
 * method cannot evaluate the objective, the objective is a C function, or the device lacks the precision.
 * SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_evaluator_create(struct shoal_queue *queue, const struct shoal_evaluator_params *params,
                       struct shoal_evaluator **out, struct shoal_error *error);

/* Number of points of a tile. */
SHOAL_API size_t shoal_evaluator_tile(const struct shoal_evaluator *evaluator);

/* Number of elements that the buffer of points must hold. 0: the objective is over genes. */
SHOAL_API size_t shoal_evaluator_coordinates(const struct shoal_evaluator *evaluator);

/* Bytes of the buffer of points. */
SHOAL_API size_t shoal_evaluator_point_bytes(const struct shoal_evaluator *evaluator);

/* Bytes of one value. */
SHOAL_API size_t shoal_evaluator_value_bytes(const struct shoal_evaluator *evaluator);

/* Writes all points of the evaluator, points[params.points][dim], to the buffer `x` and waits.
 * Errors: SHOAL_INVALID: the buffer is too small, or a point of an objective over genes is wrong; the message
 * names point and variable. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_write_points(struct shoal_evaluator *evaluator,
                                                                          const double *points,
                                                                          struct shoal_buffer *x,
                                                                          struct shoal_error *error);

/* Reads all points of the evaluator from the buffer `x` into points[params.points][dim] and waits.
 * Errors: SHOAL_INVALID: the buffer is too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_read_points(struct shoal_evaluator *evaluator,
                                                                         struct shoal_buffer *x,
                                                                         double *points,
                                                                         struct shoal_error *error);

/* Sets the generation of the next runs, for an objective whose values depend on the generation
 * (info.dynamic). The generation of a new evaluator is 0. */
SHOAL_API void shoal_evaluator_set_generation(struct shoal_evaluator *evaluator, uint32_t generation);

/* Enqueues y[i] = f(x_i - shift) for first <= i < first + count. If params.repair is not SHOAL_REPAIR_NONE, f
 * is evaluated at the repaired individuals, and SHOAL_REPAIR_WRITTEN_BACK also writes the repaired
 * individuals to `x`. Equal points give equal bits each time. Values that are NaN or infinite are stored
 * unchanged. Keep the buffers alive until the queue is done with them. If the table is larger than the memory
 * of the device, the call copies the table in chunks, and lasts about as long as the evaluations.
 * Errors: SHOAL_INVALID: a buffer is too small, the range passes params.points, or a number of the table does
 * not fit fp32. SHOAL_IO: the file of the table can no longer be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_run(struct shoal_evaluator *evaluator,
                                                                 struct shoal_buffer *x,
                                                                 struct shoal_buffer *y, size_t first,
                                                                 size_t count, struct shoal_error *error);

/* Enqueues y[i] = change of the value of point i by the move of uint32_t moves[2 i] and moves[2 i + 1], for
 * first <= i < first + count, for an objective that computes such changes (info.move). `y` has the element
 * type of values.
 * Errors: SHOAL_UNSUPPORTED: the objective computes no such changes. SHOAL_INVALID: a buffer is too small, or
 * the range passes params.points. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_evaluator_run_changes(struct shoal_evaluator *evaluator, struct shoal_buffer *x,
                            struct shoal_buffer *moves, struct shoal_buffer *y, size_t first, size_t count,
                            struct shoal_error *error);

/* Name of the method in use: "thread", "rows" and so on. A constant. */
SHOAL_API const char *shoal_evaluator_method_name(const struct shoal_evaluator *evaluator);

/* Seconds that the host spent building kernels: see shoal_program_build_seconds. */
SHOAL_API double shoal_evaluator_build_seconds(const struct shoal_evaluator *evaluator);

/* True: native CUDA text was built. */
SHOAL_API bool shoal_evaluator_is_native(const struct shoal_evaluator *evaluator);

/* Waits for the queue, destroys the evaluator and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_evaluator_destroy(struct shoal_evaluator **evaluator);

SHOAL_END_DECLS

#endif
