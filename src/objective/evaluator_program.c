/* Contracts of the kernels that evaluate an objective at many points. */
#include "objective/evaluator_private.h"

#define VALUE(n, t)                                                                                          \
    {                                                                                                        \
        .name = n, .access = SHOAL_VALUE, .type = SHOAL_TYPE_##t                                             \
    }
#define BUFFER(n, a, t)                                                                                      \
    {                                                                                                        \
        .name = n, .access = SHOAL_##a, .type = SHOAL_TYPE_##t                                               \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

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
        .name = "COLUMNS", .value = 1, .min = 1, .max = EVALUATOR_MAX_DIM, .help = "numbers of a row"        \
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
