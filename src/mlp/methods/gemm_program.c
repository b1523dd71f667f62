/* Contracts of cl/mlp/methods/gemm.cl and cl/mlp/methods/gemm_serial.cl. */
#include "compute/contract.h"

#include <stdint.h>

#include "cl/mlp/methods/gemm_layout.clh"

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_gemm, gemm_tiles, .local_define = "ROOM", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_FP32_FLOPS, .help = "matrix product, a tile for each work-group"),
    ENTRY(mlp_gemm, gemm_sum, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "adds the parts of a product whose sum over k is split"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_gemm, AHEAD, 0, 1, "1: terms are loaded ahead"),
    DEFINE(mlp_gemm, ALIGNED, 0, 1, "1: places and pitches are multiples of 4"),
    DEFINE(mlp_gemm, BAND, 1, 64, "tiles below each other that follow each other"),
    DEFINE(mlp_gemm, BK, 4, 32, "terms of a slice, a power of two"),
    DEFINE(mlp_gemm, BM, 32, 256, "rows of a tile"),
    DEFINE(mlp_gemm, BN, 32, 256, "columns of a tile"),
    DEFINE(mlp_gemm, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),
    DEFINE(mlp_gemm, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_gemm, ROOM, 64, 65536, "words of local memory"),
    DEFINE(mlp_gemm, STAGES, 1, 2, "slices in local memory"),
    DEFINE(mlp_gemm, TRANS_A, 0, 1, "1: A is transposed"),
    DEFINE(mlp_gemm, TRANS_B, 0, 1, "1: B is transposed"),
    DEFINE(mlp_gemm, WG, 1, 256, "work-group size"),
};

const struct shoal_program_desc mlp_gemm_program_desc = PROGRAM("mlp.gemm", mlp_gemm, 0, defines, entries);

static const struct shoal_entry_desc serial_entries[] = {
    ENTRY(mlp_gemm_serial, gemm_pack_a, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "A in panels of a tile's rows"),
    ENTRY(mlp_gemm_serial, gemm_pack_b, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "B in panels of a tile's columns"),
    ENTRY(mlp_gemm_serial, gemm_blocks, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "matrix product, a block of rows of a panel for each work-item"),
};

static const struct shoal_define_desc serial_defines[] = {
    DEFINE(mlp_gemm_serial, BLOCK, 1, 4096, "rows of a block, a multiple of MR"),
    DEFINE(mlp_gemm_serial, KC, 1, 4096, "terms that are added at a time"),
    DEFINE(mlp_gemm_serial, MR, 1, 16, "rows of a tile"),
    DEFINE(mlp_gemm_serial, NR, 1, 64, "columns of a tile"),
    DEFINE(mlp_gemm_serial, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_gemm_serial, TRANS_A, 0, 1, "1: A is transposed"),
    DEFINE(mlp_gemm_serial, TRANS_B, 0, 1, "1: B is transposed"),
    DEFINE(mlp_gemm_serial, WG, 1, 256, "work-group size"),
    DEFINE(mlp_gemm_serial, WIDE, 0, 1, "1: vectors of 64 bytes, of OpenCL C"),
};

const struct shoal_program_desc mlp_gemm_serial_program_desc =
    PROGRAM("mlp.gemm-serial", mlp_gemm_serial, 0, serial_defines, serial_entries);
