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

static const struct shoal_define_desc chains_defines[] = {
    DEFINE(measure_chains, KIND, 0, 8, "kind of number and of step, see measure/chains.clh"),
    LOCKSTEP(measure_chains),
    DEFINE(measure_chains, REAL, 32, 64, "floating-point format of kinds 0 and 1: 32 or 64"),
    WORK_GROUP(measure_chains),
};

static const struct shoal_entry_desc chains_entries[] = {
    ENTRY(measure_chains, measure_chains, .roof = SHOAL_ROOF_NONE,
          .help = "16 chains of a kind of number, for the rates of arithmetic"),
};

const struct shoal_program_desc measure_chains_program =
    PROGRAM("measure.chains", measure_chains, 0, chains_defines, chains_entries);

static const struct shoal_define_desc matrix_defines[] = {
    DEFINE(measure_matrix, FORMAT, 0, 3, "0: tf32, 1: bf16, 2: fp16, 3: int8"),
    WORK_GROUP(measure_matrix),
};

static const struct shoal_entry_desc matrix_entries[] = {
    ENTRY(measure_matrix, measure_matrix, .roof = SHOAL_ROOF_NONE,
          .help = "products of small matrices by matrix units, for their rates"),
};

const struct shoal_program_desc measure_matrix_program =
    PROGRAM("measure.matrix", measure_matrix, 0, matrix_defines, matrix_entries);

static const struct shoal_define_desc memory_defines[] = {
    DEFINE(measure_memory, ITEMS, 1, 64, "vectors or words of a work-item"),
    DEFINE(measure_memory, SCATTER, 0, 1, "1: words far from each other"),
    WORK_GROUP(measure_memory),
};

static const struct shoal_entry_desc memory_entries[] = {
    ENTRY(measure_memory, measure_read, .roof = SHOAL_ROOF_NONE,
          .help = "adds the words of a buffer, for the rate of reads"),
    ENTRY(measure_memory, measure_write, .roof = SHOAL_ROOF_NONE,
          .help = "writes numbered words, for the rate of writes"),
};

const struct shoal_program_desc measure_memory_program =
    PROGRAM("measure.memory", measure_memory, 0, memory_defines, memory_entries);

static const struct shoal_define_desc local_defines[] = {
    LOCKSTEP(measure_local),
    WORK_GROUP(measure_local),
};

static const struct shoal_entry_desc local_entries[] = {
    ENTRY(measure_local, measure_local, .local_bytes = 16 * 16, .local_bytes_per_item = 2 * 16,
          .roof = SHOAL_ROOF_NONE, .help = "adds vectors of local memory, for the rate of its reads"),
};

const struct shoal_program_desc measure_local_program =
    PROGRAM("measure.local", measure_local, 0, local_defines, local_entries);

static const struct shoal_define_desc atomics_defines[] = {
    WORK_GROUP(measure_atomics),
};

static const struct shoal_entry_desc atomics_entries[] = {
    ENTRY(measure_atomics, measure_atomics, .roof = SHOAL_ROOF_NONE,
          .help = "atomic additions in global memory, for their rate"),
    ENTRY(measure_atomics, measure_atomics_local, .local_bytes_per_item = 4, .roof = SHOAL_ROOF_NONE,
          .help = "atomic additions in local memory, for their rate"),
};

const struct shoal_program_desc measure_atomics_program =
    PROGRAM("measure.atomics", measure_atomics, 0, atomics_defines, atomics_entries);
