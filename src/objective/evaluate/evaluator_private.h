/* Private: declarations that the files of the evaluators share. */
#ifndef SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H
#define SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H

#include "base/integer.h"
#include "objective/evaluate/evaluator.h"
#include "objective/rows/table.h"
#include "objective/variables/variables.h"

#include "cl/objective/layout.clh"

/* Largest COLUMNS, a constant of the kernels that keep a row in registers. A row of least squares has one
 * number more than a point. */
enum { EVALUATOR_MAX_COLUMNS = EVALUATOR_MAX_DIM + 1 };

/* Number of work-items of a warp. */
enum { EVALUATOR_WARP = 32 };

extern const struct shoal_program_desc eval_dimension_program, eval_whole_program, eval_data_program,
    eval_rows_program, eval_genes_program;

/* How the tiles of rows are divided for rows_tiles: into blocks, each of `run` splits. A group sums one split
 * for one group of points. If devices share the rows, each device has whole blocks. */
struct rows_cut {
    size_t blocks, run;
};

struct evaluator {
    struct shoal_device *device;
    struct shoal_queue *queue;
    enum evaluator_method method;
    enum shoal_precision precision;
    size_t dim, points, tile;
    size_t real; /* bytes of a number on the device */
    /* items: number of points of a work-item; group_points: number of points of a group */
    size_t items, group_points;
    bool whole;                 /* the kernel is eval_whole */
    bool over_genes;            /* the kernel is eval_genes */
    struct genome_layout genes; /* layout of an individual for eval_genes */
    uint32_t generation;        /* generation of the next runs, for a dynamic objective */
    bool repairs;               /* the kernel is repair_genes */
    /* buffer for individuals that are repaired only for their values; NULL: a repair changes x */
    struct shoal_buffer *repaired;
    struct shoal_kernel *change; /* kernel for changes by moves; NULL: the objective computes no changes */
    struct shoal_kernel *kernel;
    struct shoal_buffer *shift;     /* NULL: there is no shift */
    struct shoal_buffer *constants; /* table that an opaque text reads; NULL: there is none */
    struct device_table *table;     /* table of an objective with DATA_ROWS; NULL: the objective has none */
    struct shoal_kernel *sum;       /* ROWS: adds up the splits */
    struct shoal_kernel *join;      /* ROWS: adds up the splits of each block */
    struct shoal_buffer *partials;  /* the sums of the splits */
    size_t partial_count;           /* count of numbers in `partials` */
    /* For a share of the rows. blocks: the sums of the blocks; other_blocks: the same buffer of the last run,
     * from which other shares may still copy. */
    struct shoal_buffer *blocks, *other_blocks;
    size_t resident;                   /* ROWS: number of groups that a compute unit runs at a time */
    size_t planned_points;             /* ROWS: number of points for which the evaluator was created */
    size_t planned_count;              /* ROWS: number of points for which the last run was planned */
    struct rows_cut planned;           /* ROWS: how the last run divided the rows */
    uint32_t units;                    /* ROWS: number of compute units for which sums are planned */
    struct shoal_solver *sharer;       /* solver with a share of the rows; NULL: rows are not shared */
    struct shoal_solver *point_sharer; /* solver with a share of the points; NULL: points are not shared */
    size_t value;                      /* bytes of a value */
};

/* Returns the number of points for which the work is laid out. */
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

/* The problem of the kernel rows_tiles, and its launch plan: see cl/objective/eval_rows.cl. */
struct rows_problem {
    enum shoal_precision precision;
    size_t dim, columns, points;
    int linear;  /* the define LINEAR */
    bool tensor; /* tensor cores compute the residuals */
};
struct rows_plan {
    uint32_t work_group, points, lanes, stage; /* values of the defines WG, POINTS, LANES and STAGE */
};
struct rows_plan rows_plan_make(const struct shoal_device_info *info, const struct rows_problem *problem);
/* Returns how many groups a compute unit runs at a time, estimated from the registers, for devices that do
 * not report this number. */
size_t rows_resident(const struct shoal_device_info *info, const struct rows_problem *problem,
                     const struct rows_plan *plan);
/* Divides the tiles of rows into blocks and splits: so many blocks that the slowest of `units` compute units
 * finishes soonest, and so many splits in a block that a few of the blocks fill a device too. There are at
 * most `most` splits in all. point_groups: number of groups that share the points. */
struct rows_cut rows_cut_make(uint32_t units, size_t resident, size_t point_groups, size_t tiles,
                              size_t most);

/* A table of rows on the device, in the tiles of objective/rows.clh: the whole table, or two chunks of it at
 * a time. */

struct device_table;

/* A part of each chunk. In a chunk of T tiles it has the tiles T low / of .. T high / of - 1. If high is
 * `of`, it also has the last rows, which do not fill a tile. */
struct table_span {
    size_t low, high, of;
};

/* Creates a table on the device. chunk_rows: number of rows of a chunk; 0: the whole table is one chunk, if
 * it fits. queue: the queue of the evaluations. */
enum shoal_status device_table_create(struct shoal_device *device, struct shoal_queue *queue,
                                      const struct objective_table *table, enum shoal_precision precision,
                                      uint64_t chunk_rows, struct device_table **out,
                                      struct shoal_error *error);
/* Creates a table of which the device holds no rows before device_table_hold is called. The chunks are those
 * that device_table_create would choose. */
enum shoal_status device_table_create_share(struct shoal_device *device, struct shoal_queue *queue,
                                            const struct objective_table *table,
                                            enum shoal_precision precision, uint64_t chunk_rows,
                                            struct device_table **out, struct shoal_error *error);
/* Makes the device hold the rows of `span` of each chunk, for device_table_get. Rows of earlier calls stay on
 * the device, and so do the rows between. */
enum shoal_status device_table_hold(struct device_table *table, const struct table_span *span,
                                    struct shoal_error *error);
/* Returns the index, in chunk k, of the first tile of the buffer that device_table_get returns. */
size_t device_table_first_tile(const struct device_table *table, size_t k);
void device_table_destroy(struct device_table **table);
size_t device_table_chunks(const struct device_table *table);
/* Returns the largest number of rows of a chunk. */
size_t device_table_chunk_rows(const struct device_table *table);
/* Sets *rows to the buffer of chunk k, which launches on the queue can read. *row_count: number of rows of
 * the whole chunk, also those that this device does not hold. */
enum shoal_status device_table_get(struct device_table *table, size_t k, struct shoal_buffer **rows,
                                   size_t *row_count, struct shoal_error *error);
/* Whether later chunks reuse the memory of a chunk. If so, pass the event of the last launch that reads the
 * chunk to device_table_used, which takes ownership of the event. */
bool device_table_streams(const struct device_table *table);
void device_table_used(struct device_table *table, size_t k, struct shoal_event *event);

/* Returns the number of rows in a tile. */
static inline size_t row_tile(enum shoal_precision precision)
{
    return precision == SHOAL_FP64 ? 16 : 32;
}

#endif
