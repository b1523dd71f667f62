/* Contracts of the kernels that evaluate an objective at many points. */
#include "compute/contract.h"
#include "objective/evaluate/evaluator_private.h"

/* Largest number of accumulators of an objective, as in objective.clh. */
enum { MAX_TERMS = 4 };

#define REAL_DEFINE(file)    DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64")
#define SHIFTED_DEFINE(file) DEFINE(file, SHIFTED, 0, 1, "1: the function is moved by `shift`")
#define DIM_DEFINE(file)     DEFINE(file, DIM, 1, EVALUATOR_MAX_DIM, "coordinates of a point")
#define COLUMNS_DEFINE(file) DEFINE(file, COLUMNS, 1, EVALUATOR_MAX_COLUMNS, "numbers of a row")
#define WG_DEFINE(file)      DEFINE(file, WG, 1, 1024, "work-group size, a power of two")

static const struct shoal_entry_desc dimension_entries[] = {
    ENTRY(objective_eval_dimension, eval_thread, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a work-item for each point, streaming over the dimensions"),
    ENTRY(objective_eval_dimension, eval_lanes, .local_bytes_per_item = MAX_TERMS * sizeof(double),
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "a few neighbouring work-items for each point"),
    ENTRY(objective_eval_dimension, eval_block, .local_bytes_per_item = MAX_TERMS * sizeof(double),
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "a work-group for each point"),
    ENTRY(objective_eval_dimension, eval_mod, .local_bytes_per_item = MAX_TERMS * sizeof(double),
          .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a work-group for 32 points, each row of 32 work-items with a run of dimensions"),
};

static const struct shoal_define_desc dimension_defines[] = {
    COLUMNS_DEFINE(objective_eval_dimension),
    DIM_DEFINE(objective_eval_dimension),
    DEFINE(objective_eval_dimension, ITEMS, 1, 64, "neighbouring points of a work-item of eval_thread"),
    DEFINE(objective_eval_dimension, LANES, 1, 32,
           "work-items that share a point in eval_lanes, a power of two"),
    REAL_DEFINE(objective_eval_dimension),
    SHIFTED_DEFINE(objective_eval_dimension),
    DEFINE(objective_eval_dimension, STRIDE, 0, INT32_MAX,
           "coordinates of a tile's point in memory; 0: the dimensions"),
    DEFINE(objective_eval_dimension, UNROLL, 1, 32, "loads that a work-item has in flight"),
    WG_DEFINE(objective_eval_dimension),
};

const struct shoal_program_desc eval_dimension_program =
    PROGRAM("objective.dimension", objective_eval_dimension, 0, dimension_defines, dimension_entries);

static const struct shoal_entry_desc whole_entries[] = {
    ENTRY(objective_eval_whole, eval_whole, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a work-item for each point, which loads the whole position first"),
};

static const struct shoal_define_desc whole_defines[] = {
    DEFINE(objective_eval_whole, COLUMNS, 1, OBJECTIVE_MAX_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DIM_DEFINE(objective_eval_whole),
    REAL_DEFINE(objective_eval_whole),
    SHIFTED_DEFINE(objective_eval_whole),
    DEFINE(objective_eval_whole, TABLE_ROWS, 1, OBJECTIVE_MAX_NUMBERS, "rows of that table"),
    WG_DEFINE(objective_eval_whole),
};

const struct shoal_program_desc eval_whole_program =
    PROGRAM("objective.whole", objective_eval_whole, 0, whole_defines, whole_entries);

static const struct shoal_entry_desc genes_entries[] = {
    ENTRY(objective_eval_genes, eval_genes, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a work-item for each individual, which reads its genes from global memory"),
    ENTRY(objective_eval_genes, repair_genes, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "repairs individuals, then evaluates them"),
    ENTRY(objective_eval_genes, change_genes, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "change of the value of each individual by a move"),
};

static const struct shoal_define_desc genes_defines[] = {
    DEFINE(objective_eval_genes, COLUMNS, 1, OBJECTIVE_MAX_NUMBERS,
           "columns of the table that the objective reads"),
    REAL_DEFINE(objective_eval_genes),
    DEFINE(objective_eval_genes, TABLE_ROWS, 1, OBJECTIVE_MAX_NUMBERS, "rows of that table"),
    WG_DEFINE(objective_eval_genes),
};

const struct shoal_program_desc eval_genes_program =
    PROGRAM("objective.genes", objective_eval_genes, 0, genes_defines, genes_entries);

static const struct shoal_entry_desc data_entries[] = {
    ENTRY(objective_eval_data, data_thread, .roof = SHOAL_ROOF_FP64_FLOPS,
          .help = "a work-item for each point, which reads every row"),
    ENTRY(objective_eval_data, data_warp2, .local_bytes_per_item = sizeof(double),
          .roof = SHOAL_ROOF_FP64_FLOPS,
          .help = "32 neighbouring work-items for each point, each with every 32nd row"),
    ENTRY(objective_eval_data, data_block2, .local_bytes_per_item = sizeof(double),
          .roof = SHOAL_ROOF_FP64_FLOPS,
          .help = "a work-group for each point, each work-item with its share of the rows"),
};

static const struct shoal_define_desc data_defines[] = {
    COLUMNS_DEFINE(objective_eval_data),
    DIM_DEFINE(objective_eval_data),
    DEFINE(objective_eval_data, READ_ONLY, 0, 1,
           "0: the compiler is not told that nothing is written where the kernel reads"),
    REAL_DEFINE(objective_eval_data),
    SHIFTED_DEFINE(objective_eval_data),
    WG_DEFINE(objective_eval_data),
};

const struct shoal_program_desc eval_data_program =
    PROGRAM("objective.data", objective_eval_data, 0, data_defines, data_entries);

static const struct shoal_entry_desc rows_entries[] = {
    ENTRY(objective_eval_rows, rows_tiles, .local_bytes = 16 << 10,
          /* local memory with the default defines; the host adapts STAGE to the device */ .roof =
              SHOAL_ROOF_FP64_FLOPS,
          .help = "sums over runs of tiles of rows, each row read once for all points of a group"),
    ENTRY(objective_eval_rows, rows_sum, .local_bytes_per_item = sizeof(double),
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "adds the sums of the runs"),
    ENTRY(objective_eval_rows, rows_join, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "adds the sums of neighbouring runs of a device that shares the rows"),
};

static const struct shoal_define_desc rows_defines[] = {
    COLUMNS_DEFINE(objective_eval_rows),
    DIM_DEFINE(objective_eval_rows),
    DEFINE(objective_eval_rows, LANES, 1, 1024,
           "work-items side by side with points of their own, a power of two"),
    DEFINE(objective_eval_rows, LINEAR, 0, 2,
           "the residual is linear in the coordinates (1) or their squares (2); 0: any"),
    DEFINE(objective_eval_rows, POINTS, 1, 64, "points of a work-item"),
    REAL_DEFINE(objective_eval_rows),
    SHIFTED_DEFINE(objective_eval_rows),
    DEFINE(objective_eval_rows, STAGE, 0, 64,
           "tiles of rows in local memory at a time; 0: read where they are"),
    WG_DEFINE(objective_eval_rows),
};

const struct shoal_program_desc eval_rows_program =
    PROGRAM("objective.rows", objective_eval_rows, 0, rows_defines, rows_entries);
