/* Evaluates an objective at many points at once on a device: the part of shoal's optimisers to build your own
 * upon.
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
 * Threads: an evaluator belongs to its queue and follows its rule, one thread at a time.
 */
#ifndef SHOAL_EVALUATOR_H
#define SHOAL_EVALUATOR_H

#include <shoal/objective.h>
#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* How the evaluations are divided among work-items. */
enum shoal_evaluator_method {
    SHOAL_EVALUATOR_AUTO,         /* the fastest that `shoal tune` measured, else by a rule */
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
    size_t dim;                              /* 0: the only one the objective allows */
    size_t points;                           /* capacity in points, 1 .. 2^31 - 1 */
    uint64_t chunk_rows; /* rows of the table on the device at a time; 0: all, or as many as fit */
    const double *shift; /* dim numbers: evaluates f(x - shift); NULL: none. Copied */
    enum shoal_variant variant;
    int32_t repair; /* enum shoal_repair, default SHOAL_REPAIR_NONE */
};
SHOAL_API void shoal_evaluator_params_init(struct shoal_evaluator_params *params);
#define SHOAL_EVALUATOR_PARAMS(...)                                                                          \
    SHOAL_INIT(shoal_evaluator_params, shoal_evaluator_params_init, __VA_ARGS__)

struct shoal_evaluator;

/* Builds the kernels and allocates room for the table, which is copied to the device by the first run.
 * SHOAL_UNSUPPORTED: the method cannot evaluate the objective, or the device lacks the precision;
 * SHOAL_INVALID, SHOAL_BUILD_FAILED, SHOAL_OUT_OF_DEVICE_MEMORY. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_evaluator_create(struct shoal_queue *queue, const struct shoal_evaluator_params *params,
                       struct shoal_evaluator **out, struct shoal_error *error);
SHOAL_API size_t shoal_evaluator_tile(const struct shoal_evaluator *evaluator);
/* Number of elements that the buffer of points must hold; 0: of an objective over genes. */
SHOAL_API size_t shoal_evaluator_coordinates(const struct shoal_evaluator *evaluator);
/* Bytes of the buffer of points, and of one value. */
SHOAL_API size_t shoal_evaluator_point_bytes(const struct shoal_evaluator *evaluator);
SHOAL_API size_t shoal_evaluator_value_bytes(const struct shoal_evaluator *evaluator);
/* Writes all points of the evaluator, one behind the other, to the buffer and waits for it. Points of an
 * objective over genes are checked: SHOAL_INVALID names point and variable. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_write_points(struct shoal_evaluator *evaluator,
                                                                          const double *points,
                                                                          struct shoal_buffer *x,
                                                                          struct shoal_error *error);
/* Reads them all back and waits for it. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_read_points(struct shoal_evaluator *evaluator,
                                                                         struct shoal_buffer *x,
                                                                         double *points,
                                                                         struct shoal_error *error);
/* Generation of the next runs, for an objective whose values depend on it (info.dynamic); 0 at first. */
SHOAL_API void shoal_evaluator_set_generation(struct shoal_evaluator *evaluator, uint32_t generation);
/* Enqueues y[i] = f(x_i - shift) for first <= i < first + count, with `repair` of repaired individuals, which
 * SHOAL_REPAIR_WRITTEN_BACK writes to x. The same points give the same bits each
 * time. NaN and infinities are stored like other values. The caller keeps the buffers alive until the queue
 * is done with them. A table larger than the device's memory is copied in chunks: the call then takes about
 * as long as the work, and SHOAL_IO means that its file can no longer be read. SHOAL_INVALID also if a number
 * of the table does not fit fp32. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_evaluator_run(struct shoal_evaluator *evaluator,
                                                                 struct shoal_buffer *x,
                                                                 struct shoal_buffer *y, size_t first,
                                                                 size_t count, struct shoal_error *error);
/* Enqueues y[i] = by how much the move of moves[2 i] and moves[2 i + 1], of uint32_t, changes the value of
 * point i, for an objective that computes it (info.move); `y` is of values. SHOAL_UNSUPPORTED: it does not.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_evaluator_run_changes(struct shoal_evaluator *evaluator, struct shoal_buffer *x,
                            struct shoal_buffer *moves, struct shoal_buffer *y, size_t first, size_t count,
                            struct shoal_error *error);
/* Name of the method in use: "thread", "rows", ... */
SHOAL_API const char *shoal_evaluator_method_name(const struct shoal_evaluator *evaluator);
/* Host seconds spent building kernels: see shoal_program_build_seconds. */
SHOAL_API double shoal_evaluator_build_seconds(const struct shoal_evaluator *evaluator);
/* True where native CUDA text was built. */
SHOAL_API bool shoal_evaluator_is_native(const struct shoal_evaluator *evaluator);
/* Waits for the queue. Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_evaluator_destroy(struct shoal_evaluator **evaluator);

SHOAL_END_DECLS

#endif
