/* Contracts of cl/measure. */
#include "measure/measure.h"

#include "compute/contract.h"

#define WORK_GROUP(file) DEFINE(file, WG, 1, 1024, "work-group size")
#define LOCKSTEP(file)   DEFINE(file, LOCKSTEP, 0, 1, "1: a barrier after each block, for CPU compilers")

static const struct shoal_define_desc fma_defines[] = {
    LOCKSTEP(measure_fma),
    DEFINE(measure_fma, REAL, 32, 64, "floating-point format: 32 or 64"),
    WORK_GROUP(measure_fma),
};

static const struct shoal_entry_desc fma_entries[] = {
    ENTRY(measure_fma, measure_fma, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "16 chains of fused multiply-adds, for the fp32 and fp64 roofs"),
};

const struct shoal_program_desc measure_fma_program =
    PROGRAM("measure.fma", measure_fma, 0, fma_defines, fma_entries);

static const struct shoal_define_desc sfu_defines[] = {
    LOCKSTEP(measure_sfu),
    WORK_GROUP(measure_sfu),
};

static const struct shoal_entry_desc sfu_entries[] = {
    ENTRY(measure_sfu, measure_sfu, .roof = SHOAL_ROOF_SFU_OPS,
          .help = "8 chains of native_rsqrt, for the special-function roof"),
};

const struct shoal_program_desc measure_sfu_program =
    PROGRAM("measure.sfu", measure_sfu, 0, sfu_defines, sfu_entries);

static const struct shoal_define_desc copy_defines[] = {
    DEFINE(measure_copy, ITEMS, 1, 16, "vectors that a work-item has in flight"),
    WORK_GROUP(measure_copy),
};

static const struct shoal_entry_desc copy_entries[] = {
    ENTRY(measure_copy, measure_copy, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "copies vectors of 16 bytes, for the bandwidth roof"),
};

const struct shoal_program_desc measure_copy_program =
    PROGRAM("measure.copy", measure_copy, 0, copy_defines, copy_entries);

static const struct shoal_define_desc empty_defines[] = {
    WORK_GROUP(measure_empty),
};

static const struct shoal_entry_desc empty_entries[] = {
    ENTRY(measure_empty, measure_empty, .roof = SHOAL_ROOF_LAUNCH,
          .help = "does nothing, for the launch "
                  "roofs"),
    ENTRY(measure_empty, measure_args8, .roof = SHOAL_ROOF_LAUNCH,
          .help = "does nothing with four buffers and four numbers, for core.launch.args8"),
};

const struct shoal_program_desc measure_empty_program =
    PROGRAM("measure.empty", measure_empty, 0, empty_defines, empty_entries);
