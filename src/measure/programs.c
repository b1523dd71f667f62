/* Contracts of cl/measure. */
#include "measure/measure.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define WORK_GROUP(size)                                                                                     \
    {                                                                                                        \
        .name = "WG", .value = size, .min = 1, .max = 1024, .help = "work-group size"                        \
    }
#define LOCKSTEP                                                                                             \
    {                                                                                                        \
        .name = "LOCKSTEP", .value = 0, .min = 0, .max = 1,                                                  \
        .help = "1: a barrier after each block, for CPU compilers"                                           \
    }

static const struct shoal_define_desc fma_defines[] = {
    LOCKSTEP,
    {.name = "REAL", .value = 32, .min = 32, .max = 64, .help = "floating-point format: 32 or 64"},
    WORK_GROUP(256),
};

static const struct shoal_arg_desc fma_args[] = {
    {.name = "out", .access = SHOAL_WRITE, .type = SHOAL_TYPE_REAL},
    {.name = "factor", .access = SHOAL_VALUE, .type = SHOAL_TYPE_REAL},
    {.name = "term", .access = SHOAL_VALUE, .type = SHOAL_TYPE_REAL},
    {.name = "blocks", .access = SHOAL_VALUE, .type = SHOAL_TYPE_UINT},
};

static const struct shoal_entry_desc fma_entries[] = {
    {.name = "measure_fma",
     .args = fma_args,
     .arg_count = COUNT(fma_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .help = "16 chains of fused multiply-adds: the fp32 and fp64 roofs"},
};

const struct shoal_program_desc measure_fma_program = {
    .name = "measure.fma",
    .file = "measure/fma.cl",
    .defines = fma_defines,
    .define_count = COUNT(fma_defines),
    .entries = fma_entries,
    .entry_count = COUNT(fma_entries),
};

static const struct shoal_define_desc sfu_defines[] = {LOCKSTEP, WORK_GROUP(256)};

static const struct shoal_arg_desc sfu_args[] = {
    {.name = "out", .access = SHOAL_WRITE, .type = SHOAL_TYPE_FLOAT},
    {.name = "blocks", .access = SHOAL_VALUE, .type = SHOAL_TYPE_UINT},
};

static const struct shoal_entry_desc sfu_entries[] = {
    {.name = "measure_sfu",
     .args = sfu_args,
     .arg_count = COUNT(sfu_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_SFU_OPS,
     .help = "8 chains of native_rsqrt: the special-function roof"},
};

const struct shoal_program_desc measure_sfu_program = {
    .name = "measure.sfu",
    .file = "measure/sfu.cl",
    .defines = sfu_defines,
    .define_count = COUNT(sfu_defines),
    .entries = sfu_entries,
    .entry_count = COUNT(sfu_entries),
};

static const struct shoal_define_desc copy_defines[] = {
    {.name = "ITEMS", .value = 4, .min = 1, .max = 16, .help = "vectors that a work-item has in flight"},
    WORK_GROUP(256),
};

static const struct shoal_arg_desc copy_args[] = {
    {.name = "in", .access = SHOAL_READ, .type = SHOAL_TYPE_STRUCT, .bytes = 16},
    {.name = "out", .access = SHOAL_WRITE, .type = SHOAL_TYPE_STRUCT, .bytes = 16},
    {.name = "n", .access = SHOAL_VALUE, .type = SHOAL_TYPE_ULONG},
};

static const struct shoal_entry_desc copy_entries[] = {
    {.name = "measure_copy",
     .args = copy_args,
     .arg_count = COUNT(copy_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "copies vectors of 16 bytes: the bandwidth roof"},
};

const struct shoal_program_desc measure_copy_program = {
    .name = "measure.copy",
    .file = "measure/copy.cl",
    .defines = copy_defines,
    .define_count = COUNT(copy_defines),
    .entries = copy_entries,
    .entry_count = COUNT(copy_entries),
};

static const struct shoal_define_desc empty_defines[] = {WORK_GROUP(64)};

static const struct shoal_arg_desc args8_args[] = {
    {.name = "a", .access = SHOAL_READ_WRITE, .type = SHOAL_TYPE_FLOAT},
    {.name = "b", .access = SHOAL_READ_WRITE, .type = SHOAL_TYPE_FLOAT},
    {.name = "c", .access = SHOAL_READ_WRITE, .type = SHOAL_TYPE_FLOAT},
    {.name = "d", .access = SHOAL_READ_WRITE, .type = SHOAL_TYPE_FLOAT},
    {.name = "i", .access = SHOAL_VALUE, .type = SHOAL_TYPE_UINT},
    {.name = "n", .access = SHOAL_VALUE, .type = SHOAL_TYPE_UINT},
    {.name = "x", .access = SHOAL_VALUE, .type = SHOAL_TYPE_FLOAT},
    {.name = "y", .access = SHOAL_VALUE, .type = SHOAL_TYPE_FLOAT},
};

static const struct shoal_entry_desc empty_entries[] = {
    {.name = "measure_empty",
     .work_group = "WG",
     .roof = SHOAL_ROOF_LAUNCH,
     .help = "does nothing: the launch roofs"},
    {.name = "measure_args8",
     .args = args8_args,
     .arg_count = COUNT(args8_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_LAUNCH,
     .help = "does nothing with four buffers and four numbers: core.launch.args8"},
};

const struct shoal_program_desc measure_empty_program = {
    .name = "measure.empty",
    .file = "measure/empty.cl",
    .defines = empty_defines,
    .define_count = COUNT(empty_defines),
    .entries = empty_entries,
    .entry_count = COUNT(empty_entries),
};
