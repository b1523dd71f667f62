/* Private: declarations that the files of the evaluators share. */
#ifndef SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H
#define SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H

#include "base/integer.h"
#include "objective/evaluate/evaluator.h"
#include "objective/rows/table.h"
#include "objective/variables/variables.h"

#include "cl/objective/layout.clh"

/* DIM and COLUMNS are constants of the kernels that keep a position or a row in registers; a row of least
 * squares has one number more than a position. */
enum { EVALUATOR_MAX_DIM = 4096, EVALUATOR_MAX_COLUMNS = EVALUATOR_MAX_DIM + 1 };

/* Number of points that a device processes side by side: the lanes of a warp. */
enum { EVALUATOR_WARP = 32 };

extern const struct shoal_program_desc eval_dimension_program, eval_whole_program, eval_data_program,
    eval_rows_program, eval_genes_program;

/* How rows_tiles cuts the tiles of rows: into blocks, each of `run` splits. A split is summed by one group
 * for each group of points. Devices that share the rows have whole blocks. */
struct rows_cut {
    size_t blocks, run;
};

struct evaluator {
    struct shoal_device *device;
    struct shoal_queue *queue;
    enum evaluator_method method;
    enum shoal_precision precision;
    size_t dim, points, tile;
    size_t real;                /* bytes of a number on the device */
    size_t items, group_points; /* number of points of a work-item, and of a group */
    bool whole;                 /* the kernel is eval_whole */
    bool over_genes;            /* the kernel is eval_genes */
    struct genome_layout genes; /* layout of an individual for eval_genes */
    uint32_t generation;        /* generation of the next runs, for a dynamic objective */
    bool repairs;               /* the kernel is repair_genes */
    /* buffer for individuals that are repaired only for the value; NULL: a repair changes x */
    struct shoal_buffer *repaired;
    struct shoal_kernel *change; /* kernel of changes by moves; NULL: the objective does not compute changes
                                  */
    struct shoal_kernel *kernel;
    struct shoal_buffer *shift;     /* NULL: there is no shift */
    struct shoal_buffer *constants; /* table that an opaque text reads; NULL: there is none */
    struct device_table *table;     /* table of an objective with DATA_ROWS; otherwise NULL */
    struct shoal_kernel *sum;       /* ROWS: adds up the splits */
    struct shoal_kernel *join;      /* ROWS: adds up the splits of single blocks */
    struct shoal_buffer *partials;  /* the sums of the splits */
    size_t partial_count;           /* number of numbers in this buffer */
    /* Of a share of the rows: the sums of the blocks, and those of the last run, which others may still copy.
     */
    struct shoal_buffer *blocks, *other_blocks;
    size_t resident;                   /* ROWS: number of groups that a compute unit runs at a time */
    size_t planned_points;             /* ROWS: number of points for which the work is laid out */
    size_t planned_count;              /* ROWS: number of points of the last run */
    struct rows_cut planned;           /* ROWS: the cut of the last run */
    uint32_t units;                    /* ROWS: compute units for which sums are planned */
    struct shoal_solver *sharer;       /* has a share of the rows */
    struct shoal_solver *point_sharer; /* has a share of the points */
    size_t value;                      /* bytes of a value */
};

/* Number of points for which the work is laid out. */
static inline size_t planned_points(const struct evaluator_params *params)
{
    return params->planned ? params->planned : params->points;
}

/* Functions for objectives of the shape DATA_ROWS, defined in evaluator_data.c. */
enum shoal_status evaluator_data_create(struct evaluator *evaluator, const struct evaluator_params *params,
                                        struct shoal_error *error);
enum shoal_status evaluator_data_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                     struct shoal_buffer *y, size_t first, size_t count, size_t planned,
                                     struct shoal_error *error);

/* Functions for objectives over genes, defined in evaluator_genes.c. */
enum shoal_status evaluator_genes_create(struct evaluator *evaluator, const struct evaluator_params *params,
                                         struct shoal_error *error);
enum shoal_status evaluator_genes_run(struct evaluator *evaluator, struct shoal_buffer *x,
                                      struct shoal_buffer *y, size_t first, size_t count,
                                      struct shoal_error *error);

/* A problem of the kernel rows_tiles, and its launch plan: cl/objective/eval_rows.cl. */
struct rows_problem {
    enum shoal_precision precision;
    size_t dim, columns, points;
    int linear;  /* the define LINEAR */
    bool tensor; /* residuals are computed by tensor units */
};
struct rows_plan {
    uint32_t work_group, points, lanes, stage; /* values of the kernel's macros */
};
struct rows_plan rows_plan_make(const struct shoal_device_info *info, const struct rows_problem *problem);
/* Number of resident groups of a compute unit, estimated from registers, for devices that do not report
 * it. */
size_t rows_resident(const struct shoal_device_info *info, const struct rows_problem *problem,
                     const struct rows_plan *plan);
/* Chooses into how many blocks the tiles of rows are cut, so that the slowest of `units` compute units
 * finishes soonest, and how many splits a block has, so that a few of the blocks fill a device too. There are
 * at most `most` splits in all. point_groups: number of groups that share the points. */
struct rows_cut rows_cut_make(uint32_t units, size_t resident, size_t point_groups, size_t tiles,
                              size_t most);

/* A table on the device, in tiles of rows as in objective/rows.clh: the whole table, or two pieces of it at
 * the same time ------ */

struct device_table;

/* A span of a chunk with T tiles: the tiles of rows from T low / of on and before T high / of. If high is
 * `of`, the span includes rows that do not fill a tile. */
struct table_span {
    size_t low, high, of;
};

/* Creates a device table; chunk_rows 0: the whole table where it fits. queue: the queue of the
 * evaluations. */
enum shoal_status device_table_create(struct shoal_device *device, struct shoal_queue *queue,
                                      const struct objective_table *table, enum shoal_precision precision,
                                      uint64_t chunk_rows, struct device_table **out,
                                      struct shoal_error *error);
/* Creates a table of whose rows the device holds none until device_table_hold. The chunks are those of
 * device_table_create. */
enum shoal_status device_table_create_share(struct shoal_device *device, struct shoal_queue *queue,
                                            const struct objective_table *table,
                                            enum shoal_precision precision, uint64_t chunk_rows,
                                            struct device_table **out, struct shoal_error *error);
/* Makes the device hold, for device_table_get, the rows of `span` of each chunk, besides the rows of earlier
 * calls. */
enum shoal_status device_table_hold(struct device_table *table, const struct table_span *span,
                                    struct shoal_error *error);
/* Number of the first tile of chunk k that is in the buffer of device_table_get. */
size_t device_table_first_tile(const struct device_table *table, size_t k);
void device_table_destroy(struct device_table **table);
size_t device_table_chunks(const struct device_table *table);
/* Most rows of a chunk. */
size_t device_table_chunk_rows(const struct device_table *table);
/* Gives chunk k in `*rows`, ready for launches on the queue. *row_count: number of rows of the chunk, on this
 * device or not. */
enum shoal_status device_table_get(struct device_table *table, size_t k, struct shoal_buffer **rows,
                                   size_t *row_count, struct shoal_error *error);
/* Do later chunks reuse the memory of a chunk? If so, pass the event of its last launch to device_table_used,
 * which takes ownership. */
bool device_table_streams(const struct device_table *table);
void device_table_used(struct device_table *table, size_t k, struct shoal_event *event);

/* Number of rows in a tile. */
static inline size_t row_tile(enum shoal_precision precision)
{
    return precision == SHOAL_FP64 ? 16 : 32;
}

#endif
