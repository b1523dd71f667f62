/* Private: evaluation of an objective at many points on a device, by a method of the thesis or of shoal.
 *
 * Code that needs the values of a batch of points uses this: the pipeline method of the swarm, the pattern
 * search, the genetic algorithm.
 */
#ifndef SHOAL_OBJECTIVE_EVALUATOR_H
#define SHOAL_OBJECTIVE_EVALUATOR_H

#include "objective/objective.h"
#include "workload/method/method.h"

/* Methods in the order in which searches offer them, from "thread" on. */
enum evaluator_method {
    EVALUATOR_THREAD,
    EVALUATOR_THREAD_NAIVE,
    EVALUATOR_BLOCK,
    EVALUATOR_BLOCK_MAJOR,
    EVALUATOR_MOD,
    EVALUATOR_LANES,
    EVALUATOR_WARP2,
    EVALUATOR_BLOCK2,
    EVALUATOR_ROWS,
    EVALUATOR_METHODS
};

struct evaluator_params {
    const struct shoal_objective *objective;
    enum shoal_precision precision;
    enum evaluator_method method;
    size_t dim;
    size_t points; /* most points of one call */
    /* number of points for which the work is laid out, if `points` is only a share of all points, so that the
     * values of the share have the bits of the whole run; 0: the number is `points` */
    size_t planned;
    size_t stride;       /* numbers from one dense point of "lanes" to the next; 0: dim */
    uint64_t chunk_rows; /* rows of the table on the device at a time; 0: all rows, or as many as fit */
    const double *shift; /* [dim]; NULL: there is no shift */
    size_t extra;        /* further words after each individual of an objective over genes */
    /* what becomes of individuals that the objective repairs; other objectives ignore this */
    enum shoal_repair repair;
    struct chosen *chosen;     /* receives the tuned values in use; NULL: none */
    struct programs *programs; /* list that owns the evaluator's programs and has the objective's text; must
                                * outlive the evaluator */
    /* The solver of a share of the rows of the table: each run sums over the rows of this share, and gets the
     * sums of the other shares by solver->meet. NULL: this evaluator sums over all rows. */
    struct shoal_solver *sharer;
    bool shares_points; /* the sharer has a share of the points of each run, not of the rows */
};

/* Values, besides the chosen values, that determine the order of a sum over rows. All shares of the rows must
 * have the same values. */
struct evaluator_order {
    uint32_t units;      /* compute units for which sums are planned; 0: the compute units of the device */
    uint64_t chunk_rows; /* rows of a chunk of the table */
};

struct evaluator;
struct objective_table;

/* Checks that the method can evaluate the objective on the device; otherwise `error` gives the reason. */
SHOAL_MUST_CHECK enum shoal_status evaluator_fits(enum evaluator_method method,
                                                  const struct shoal_objective *objective, size_t dim,
                                                  const struct shoal_device_info *info,
                                                  struct shoal_error *error);
/* Chooses the method for this number of points: the tuned method, or else a method by rule. old_program: name
 * of the program in older tuning files, which stored the number of a method; NULL: there was none. */
enum evaluator_method evaluator_choose(struct shoal_device *device, const struct shoal_objective *objective,
                                       size_t dim, size_t points, const char *old_program);
/* Stores the method for problems of similar size: classes are powers of two. */
SHOAL_MUST_CHECK enum shoal_status evaluator_remember(struct shoal_device *device,
                                                      const struct shoal_objective *objective, size_t dim,
                                                      size_t points, enum evaluator_method method,
                                                      struct shoal_error *error);
/* Writes the table that an opaque text reads, row by row, to the buffer from byte `offset` on. */
SHOAL_MUST_CHECK enum shoal_status evaluator_write_table(struct shoal_queue *queue,
                                                         const struct objective_table *table,
                                                         enum shoal_precision precision,
                                                         struct shoal_buffer *buffer, size_t offset,
                                                         struct shoal_error *error);
/* Creates a buffer with the table that an opaque text reads. The objective must have such a table. */
SHOAL_MUST_CHECK enum shoal_status
evaluator_create_table(struct shoal_device *device, struct shoal_queue *queue,
                       const struct shoal_objective *objective, enum shoal_precision precision,
                       struct shoal_buffer **out, struct shoal_error *error);
/* Name of a method, as in --method of a swarm: "thread", "thread-naive", ... */
const char *evaluator_method_name(enum evaluator_method method);
/* Finds the method with this name; false: there is none. */
bool evaluator_find(const char *name, enum evaluator_method *method);
/* Number of points in a tile of the layout that the method requires; 1: points are dense. */
size_t evaluator_tile(enum evaluator_method method, const struct shoal_device_info *info, size_t points);

/* Writes `count` individuals of an objective over genes, as whole tiles in the layout of
 * cl/objective/eval_genes.cl. */
struct shoal_variables;
SHOAL_MUST_CHECK enum shoal_status genome_tiles(const struct shoal_variables *variables,
                                                enum shoal_precision precision, size_t tile,
                                                const double *points, size_t count, uint32_t *out,
                                                struct shoal_error *error);
/* Reads individuals from the layout that genome_tiles writes. */
SHOAL_MUST_CHECK enum shoal_status genome_points(const struct shoal_variables *variables,
                                                 enum shoal_precision precision, size_t tile,
                                                 const uint32_t *tiles, size_t count, double *points,
                                                 struct shoal_error *error);

/* Builds the kernels and uploads the table. */
SHOAL_MUST_CHECK enum shoal_status evaluator_create(struct shoal_queue *queue,
                                                    const struct evaluator_params *params,
                                                    struct evaluator **out, struct shoal_error *error);
/* evaluator_order_of: the order of the sums of an evaluator of method ROWS. evaluator_follow: changes this
 * order to the order of another evaluator. */
struct evaluator_order evaluator_order_of(const struct evaluator *evaluator);
SHOAL_MUST_CHECK enum shoal_status evaluator_follow(struct evaluator *evaluator,
                                                    const struct objective_table *table,
                                                    const struct evaluator_order *order,
                                                    struct shoal_error *error);
/* Sets the generation for the next runs of an objective whose values depend on it. The generation is 0 at
 * first. */
void evaluator_set_generation(struct evaluator *evaluator, uint32_t generation);
/* Enqueues y[i] = f(x_i - shift) for first <= i < first + count; x is in tiles of evaluator_tile(). NaN stays
 * NaN. For an objective over genes, x has the layout of genome_tiles, y has int64_t where values are whole
 * numbers, and with SHOAL_REPAIR_WRITTEN_BACK x is changed. planned: the number of points that determines how
 * sums over rows are split, and thus the order of the sums: `count`, or more if the points are only a
 * share. */
SHOAL_MUST_CHECK enum shoal_status evaluator_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                                 struct shoal_buffer *y, size_t first, size_t count,
                                                 size_t planned, struct shoal_error *error);
/* Enqueues y[i] = change of f(x_i) by the move moves[2 i], moves[2 i + 1]. SHOAL_UNSUPPORTED: the objective
 * does not compute changes. */
SHOAL_MUST_CHECK enum shoal_status evaluator_run_changes(struct evaluator *evaluator, struct shoal_buffer *x,
                                                         struct shoal_buffer *moves, struct shoal_buffer *y,
                                                         size_t first, size_t count,
                                                         struct shoal_error *error);
/* The table that an opaque text reads, for kernels that evaluate the objective themselves; NULL: none. */
struct shoal_buffer *evaluator_constants(const struct evaluator *evaluator);
void evaluator_destroy(struct evaluator **evaluator);

#endif
