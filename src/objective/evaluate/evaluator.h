/* Private: evaluation of an objective at many points on a device.
 *
 * Code that needs the values of a batch of points uses an evaluator: the pipeline method of swarms, the
 * pattern search, the genetic algorithm.
 */
#ifndef SHOAL_OBJECTIVE_EVALUATOR_H
#define SHOAL_OBJECTIVE_EVALUATOR_H

#include "objective/objective.h"
#include "workload/method/method.h"

/* Largest number of coordinates of a point that kernels keep in registers: those of SHOAL_OPAQUE and
 * SHOAL_DATA_ROWS. */
enum { EVALUATOR_MAX_DIM = 4096 };

/* Methods of evaluation, in the order in which options of searches list them from "thread" on. */
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
    size_t points; /* largest number of points of a call */
    /* number of points for which the work is laid out. A share of the points sets this to the number of all
     * points, so that its values have the same bits as in the whole run. 0: `points` */
    size_t planned;
    size_t stride; /* count of numbers from a point of method "lanes" to the next point; 0: dim */
    /* number of rows of the table that are on the device at a time; 0: all rows, or as many as fit */
    uint64_t chunk_rows;
    const double *shift; /* [dim]; NULL: there is no shift */
    size_t extra;        /* count of further words after the genes of an individual */
    /* what becomes of repaired individuals; without effect for an objective that repairs nothing */
    enum shoal_repair repair;
    struct chosen *chosen; /* receives the tuned values in use; NULL: not wanted */
    /* list that owns the evaluator's programs and has the text of the objective; must be valid as long as the
     * evaluator */
    struct programs *programs;
    /* The solver of a share of the rows of the table: each run sums over the rows of this share, and receives
     * the sums of the other shares by solver->meet. NULL: each run sums over all rows. */
    struct shoal_solver *sharer;
    bool shares_points; /* the sharer has a share of the points of each run instead */
};

/* Values that, in addition to the chosen values, determine the order of a sum over rows. All shares of the
 * rows must have the same values. */
struct evaluator_order {
    uint32_t units;      /* compute units for which sums are planned; 0: the compute units of the device */
    uint64_t chunk_rows; /* rows of a chunk of the table */
};

struct evaluator;
struct objective_table;

/* Checks that the method can evaluate the objective on the device. If not, `error` has the reason. */
SHOAL_MUST_CHECK enum shoal_status evaluator_fits(enum evaluator_method method,
                                                  const struct shoal_objective *objective, size_t dim,
                                                  const struct shoal_device_info *info,
                                                  struct shoal_error *error);
/* Chooses the method for `points` points: the tuned method; without tuning, a method by rule. old_program:
 * name of the program in old tuning files, which stored the number of a method; NULL: no old file has such a
 * program. */
enum evaluator_method evaluator_choose(struct shoal_device *device, const struct shoal_objective *objective,
                                       size_t dim, size_t points, const char *old_program);
/* Stores the method in the tuning file, for the class of problems whose sizes have the same powers of two. */
SHOAL_MUST_CHECK enum shoal_status evaluator_remember(struct shoal_device *device,
                                                      const struct shoal_objective *objective, size_t dim,
                                                      size_t points, enum evaluator_method method,
                                                      struct shoal_error *error);
/* Writes the table that an opaque text reads to the buffer, row by row, from byte `offset` on. */
SHOAL_MUST_CHECK enum shoal_status evaluator_write_table(struct shoal_queue *queue,
                                                         const struct objective_table *table,
                                                         enum shoal_precision precision,
                                                         struct shoal_buffer *buffer, size_t offset,
                                                         struct shoal_error *error);
/* Creates a buffer with the table that an opaque text reads. The objective must have a table. */
SHOAL_MUST_CHECK enum shoal_status
evaluator_create_table(struct shoal_device *device, struct shoal_queue *queue,
                       const struct shoal_objective *objective, enum shoal_precision precision,
                       struct shoal_buffer **out, struct shoal_error *error);
/* Returns the name of a method, as --method of a swarm has it: "thread", "thread-naive", ... */
const char *evaluator_method_name(enum evaluator_method method);
/* Finds the method `name`; false: there is no such method. */
bool evaluator_find(const char *name, enum evaluator_method *method);
/* Returns the number of points in a tile of the layout that the method needs; 1: a point follows another. */
size_t evaluator_tile(enum evaluator_method method, const struct shoal_device_info *info, size_t points);

/* Writes `count` individuals in the tiles that cl/objective/eval_genes.cl reads. The last tile is padded. */
struct shoal_variables;
SHOAL_MUST_CHECK enum shoal_status genome_tiles(const struct shoal_variables *variables,
                                                enum shoal_precision precision, size_t tile,
                                                const double *points, size_t count, uint32_t *out,
                                                struct shoal_error *error);
/* Reads individuals from tiles that genome_tiles writes. */
SHOAL_MUST_CHECK enum shoal_status genome_points(const struct shoal_variables *variables,
                                                 enum shoal_precision precision, size_t tile,
                                                 const uint32_t *tiles, size_t count, double *points,
                                                 struct shoal_error *error);

/* Builds the kernels and uploads the table. */
SHOAL_MUST_CHECK enum shoal_status evaluator_create(struct shoal_queue *queue,
                                                    const struct evaluator_params *params,
                                                    struct evaluator **out, struct shoal_error *error);
/* evaluator_order_of: returns the order of the sums of an evaluator with method ROWS. evaluator_follow: gives
 * an evaluator the order `order` of another one. */
struct evaluator_order evaluator_order_of(const struct evaluator *evaluator);
SHOAL_MUST_CHECK enum shoal_status evaluator_follow(struct evaluator *evaluator,
                                                    const struct objective_table *table,
                                                    const struct evaluator_order *order,
                                                    struct shoal_error *error);
/* Sets the generation of the next runs, for an objective whose values depend on it. Before the first call,
 * the generation is 0. */
void evaluator_set_generation(struct evaluator *evaluator, uint32_t generation);
/* Enqueues y[i] = f(x_i - shift) for first <= i < first + count; x is in tiles of evaluator_tile(). NaN stays
 * NaN. For an objective over genes, x has the layout of genome_tiles, y has int64_t if values are integers,
 * and SHOAL_REPAIR_WRITTEN_BACK changes x. planned: number of points by which sums over rows are split, which
 * determines the order of the sums: `count`, or more if these points are a share. */
SHOAL_MUST_CHECK enum shoal_status evaluator_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                                 struct shoal_buffer *y, size_t first, size_t count,
                                                 size_t planned, struct shoal_error *error);
/* For first <= i < first + count, enqueues y[i] = the change of f(x_i) by the objective's move (enum
 * shoal_move) of moves[2 i] and moves[2 i + 1], which are uint32_t. SHOAL_UNSUPPORTED: the objective does not
 * compute changes. */
SHOAL_MUST_CHECK enum shoal_status evaluator_run_changes(struct evaluator *evaluator, struct shoal_buffer *x,
                                                         struct shoal_buffer *moves, struct shoal_buffer *y,
                                                         size_t first, size_t count,
                                                         struct shoal_error *error);
/* Returns the buffer with the table that an opaque text reads, for kernels that evaluate the objective
 * themselves; NULL: there is no table. */
struct shoal_buffer *evaluator_constants(const struct evaluator *evaluator);
void evaluator_destroy(struct evaluator **evaluator);

#endif
