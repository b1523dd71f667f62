/* Contracts of the kernels that evaluate an objective at many points. */
#include "compute/contract.h"
#include "objective/evaluate/evaluator_private.h"

/* Most accumulators of an objective: objective.clh. */
enum { MAX_TERMS = 4 };

#define REAL_DEFINE                                                                                          \
    {                                                                                                        \
        .name = "REAL", .value = 32, .min = 32, .max = 64, .help = "floating-point format: 32 or 64"         \
    }
#define SHIFTED_DEFINE                                                                                       \
    {                                                                                                        \
        .name = "SHIFTED", .value = 0, .min = 0, .max = 1, .help = "1: the function is moved by `shift`"     \
    }
#define DIM_DEFINE                                                                                           \
    {                                                                                                        \
        .name = "DIM", .value = 1, .min = 1, .max = EVALUATOR_MAX_DIM, .help = "coordinates of a point"      \
    }
#define COLUMNS_DEFINE                                                                                       \
    {                                                                                                        \
        .name = "COLUMNS", .value = 1, .min = 1, .max = EVALUATOR_MAX_COLUMNS, .help = "numbers of a row"    \
    }
#define WG_DEFINE                                                                                            \
    {                                                                                                        \
        .name = "WG", .value = 128, .min = 1, .max = 1024, .help = "work-group size, a power of two"         \
    }

static const struct shoal_arg_desc point_args[] = {
    BUFFER("x", READ, REAL), BUFFER("shift", READ, REAL), BUFFER("y", WRITE, REAL), VALUE("first", UINT),
    VALUE("count", UINT),    VALUE("dim", UINT),          VALUE("tile", UINT),
};

static const struct shoal_entry_desc dimension_entries[] = {
    {.name = "eval_thread",
     .args = point_args,
     .arg_count = COUNT(point_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "a work-item for each point, streaming over the dimensions"},
    {.name = "eval_lanes",
     .args = point_args,
     .arg_count = COUNT(point_args),
     .work_group = "WG",
     .local_bytes_per_item = MAX_TERMS * sizeof(double),
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "a few neighbouring work-items for each point"},
    {.name = "eval_block",
     .args = point_args,
     .arg_count = COUNT(point_args),
     .work_group = "WG",
     .local_bytes_per_item = MAX_TERMS * sizeof(double),
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "a work-group for each point"},
    {.name = "eval_mod",
     .args = point_args,
     .arg_count = COUNT(point_args),
     .work_group = "WG",
     .local_bytes_per_item = MAX_TERMS * sizeof(double),
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "a work-group for 32 points, each row of 32 work-items with a run of dimensions"},
};

static const struct shoal_define_desc dimension_defines[] = {
    COLUMNS_DEFINE,
    DIM_DEFINE,
    {.name = "ITEMS",
     .value = 1,
     .min = 1,
     .max = 64,
     .help = "neighbouring points of a work-item of eval_thread"},
    {.name = "LANES",
     .value = 8,
     .min = 1,
     .max = 32,
     .help = "work-items that share a point in eval_lanes, a power of two"},
    REAL_DEFINE,
    SHIFTED_DEFINE,
    {.name = "UNROLL", .value = 8, .min = 1, .max = 32, .help = "loads that a work-item has in flight"},
    WG_DEFINE,
};

const struct shoal_program_desc eval_dimension_program = {
    .name = "objective.dimension",
    .file = "objective/eval_dimension.cl",
    .defines = dimension_defines,
    .define_count = COUNT(dimension_defines),
    .entries = dimension_entries,
    .entry_count = COUNT(dimension_entries),
};

static const struct shoal_entry_desc whole_entries[] = {
    {.name = "eval_whole",
     .args = point_args,
     .arg_count = COUNT(point_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "a work-item for each point, which loads the whole position first"},
};

static const struct shoal_define_desc whole_defines[] = {
    COLUMNS_DEFINE, DIM_DEFINE, REAL_DEFINE, SHIFTED_DEFINE, WG_DEFINE,
};

const struct shoal_program_desc eval_whole_program = {
    .name = "objective.whole",
    .file = "objective/eval_whole.cl",
    .defines = whole_defines,
    .define_count = COUNT(whole_defines),
    .entries = whole_entries,
    .entry_count = COUNT(whole_entries),
};

static const struct shoal_arg_desc data_args[] = {
    BUFFER("x", READ, REAL),    BUFFER("shift", READ, REAL), BUFFER("y", READ_WRITE, REAL),
    BUFFER("rows", READ, REAL), VALUE("first", UINT),        VALUE("count", UINT),
    VALUE("tile", UINT),        VALUE("row_count", UINT),    VALUE("accumulate", UINT),
};

static const struct shoal_entry_desc data_entries[] = {
    {.name = "data_thread",
     .args = data_args,
     .arg_count = COUNT(data_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .help = "a work-item for each point, which reads every row"},
    {.name = "data_warp2",
     .args = data_args,
     .arg_count = COUNT(data_args),
     .work_group = "WG",
     .local_bytes_per_item = sizeof(double),
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .help = "32 neighbouring work-items for each point, each with every 32nd row"},
    {.name = "data_block2",
     .args = data_args,
     .arg_count = COUNT(data_args),
     .work_group = "WG",
     .local_bytes_per_item = sizeof(double),
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .help = "a work-group for each point, each work-item with its share of the rows"},
};

static const struct shoal_define_desc data_defines[] = {
    COLUMNS_DEFINE,
    DIM_DEFINE,
    {.name = "READ_ONLY",
     .value = 1,
     .min = 0,
     .max = 1,
     .help = "0: the compiler is not told that nothing is written where the kernel reads"},
    REAL_DEFINE,
    SHIFTED_DEFINE,
    WG_DEFINE,
};

const struct shoal_program_desc eval_data_program = {
    .name = "objective.data",
    .file = "objective/eval_data.cl",
    .defines = data_defines,
    .define_count = COUNT(data_defines),
    .entries = data_entries,
    .entry_count = COUNT(data_entries),
};

static const struct shoal_arg_desc tiles_args[] = {
    BUFFER("x", READ, REAL),     BUFFER("shift", READ, REAL),
    BUFFER("rows", READ, REAL),  BUFFER("out", READ_WRITE, REAL),
    VALUE("first", UINT),        VALUE("count", UINT),
    VALUE("tile", UINT),         VALUE("row_count", UINT),
    VALUE("point_groups", UINT), VALUE("out_first", UINT),
    VALUE("stride", UINT),       VALUE("accumulate", UINT),
};

static const struct shoal_arg_desc sum_args[] = {
    BUFFER("partials", READ, REAL), BUFFER("y", WRITE, REAL), VALUE("first", UINT), VALUE("count", UINT),
    VALUE("stride", UINT),          VALUE("splits", UINT),    VALUE("lanes", UINT),
};

static const struct shoal_entry_desc rows_entries[] = {
    {.name = "rows_tiles",
     .args = tiles_args,
     .arg_count = COUNT(tiles_args),
     .work_group = "WG",
     .local_bytes = 16 << 10, /* of the defaults; the host sizes STAGE to the device */
     .roof = SHOAL_ROOF_FP64_FLOPS,
     .help = "sums over runs of tiles of rows, each row read once for all points of a group"},
    {.name = "rows_sum",
     .args = sum_args,
     .arg_count = COUNT(sum_args),
     .work_group = "WG",
     .local_bytes_per_item = sizeof(double),
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "the sums of the runs put together"},
};

static const struct shoal_define_desc rows_defines[] = {
    COLUMNS_DEFINE,
    DIM_DEFINE,
    {.name = "LANES",
     .value = 8,
     .min = 1,
     .max = 1024,
     .help = "work-items side by side with points of their own, a power of two"},
    {.name = "LINEAR",
     .value = 0,
     .min = 0,
     .max = 2,
     .help = "the residual is linear in the coordinates (1) or their squares (2); 0: any"},
    {.name = "POINTS", .value = 8, .min = 1, .max = 64, .help = "points of a work-item"},
    REAL_DEFINE,
    SHIFTED_DEFINE,
    {.name = "STAGE",
     .value = 8,
     .min = 0,
     .max = 64,
     .help = "tiles of rows in local memory at a time; 0: read where they are"},
    WG_DEFINE,
};

const struct shoal_program_desc eval_rows_program = {
    .name = "objective.rows",
    .file = "objective/eval_rows.cl",
    .native = "objective/eval_rows.cu",
    .defines = rows_defines,
    .define_count = COUNT(rows_defines),
    .entries = rows_entries,
    .entry_count = COUNT(rows_entries),
};
