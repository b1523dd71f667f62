/* Private: the tiles of matrix products on GPUs (cl/lib/gemm/tile.clh), and the choice of a tile for a
 * product.
 *
 * A tile divides only rows and columns, so every tile gives the same bits. Splitting sums into parts changes
 * bits; the rule for parts depends on the sizes and the precision of a product, not on the device.
 */
#ifndef SHOAL_LIB_GEMM_TILES_H
#define SHOAL_LIB_GEMM_TILES_H

#include "compute/contract.h"
#include "compute/tune.h"

/* A tile. m, n: rows and columns; k: terms of a slice; work_group: work-items of a group; min_groups: groups
 * that a compute unit of a GPU should hold at once (CUDA). */
struct gemm_tile {
    int64_t m, n, k, work_group, min_groups;
};

/* op(A) has m rows and k columns, op(B) k rows and n columns. */
struct gemm_sizes {
    uint32_t m, n, k;
    bool is_transposed; /* is A or B transposed? */
};

/* When sums over k are split into parts. */
enum gemm_split {
    GEMM_SPLIT_NEVER,
    GEMM_SPLIT_TO_FILL, /* split where only the smallest tile would fill a GPU */
    GEMM_SPLIT_ALWAYS   /* split into as many parts as fill a GPU, with any tile */
};

/* Chooses the tile for products of these sizes: the tuned tile, or the tile by rule if none is tuned. class:
 * the first words of the class of sizes in the tuning file, "" or ending with a space. */
struct gemm_tile gemm_choose_tile(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *class, const struct gemm_sizes *sizes, enum gemm_split split,
                                  bool is_double);

/* Number of parts, at least 1, that makes a product fastest, for tiles of GEMM_SPLIT_TO_FILL. */
uint32_t gemm_parts_to_fill(const struct gemm_sizes *sizes, bool is_double);
/* Upper limit of the numbers in all parts of a product of at most these sizes; 0: the product is never
 * split. */
size_t gemm_most_part_numbers(const struct gemm_sizes *sizes);

/* Number of parts, at least 1, that fill a GPU, for tiles of GEMM_SPLIT_ALWAYS or GEMM_SPLIT_NEVER. */
uint32_t gemm_find_parts(const struct gemm_sizes *sizes, bool is_split, bool is_double);
/* Would a GPU be mostly idle if the product were not split? */
bool gemm_is_small(const struct gemm_sizes *sizes, bool is_double);
/* Number of terms of each part except the last: a multiple of 32, or of 8 where k / parts is at least 512. */
uint32_t gemm_part_terms(uint32_t k, uint32_t parts);

/* Number of work-groups that compute one part of a product. */
size_t gemm_tile_groups(const struct gemm_tile *tile, uint32_t m, uint32_t n);

/* Fills `list` with the defines of tile.clh that a tile sets, and returns their number. */
enum { GEMM_TILE_DEFINES = 9 };
size_t gemm_tile_defines(struct shoal_device *device, const struct shoal_program_desc *desc,
                         const struct gemm_tile *tile, bool is_double,
                         struct shoal_define list[GEMM_TILE_DEFINES]);

/* Contract rows for the defines of tile.clh, for a file that includes it. */
#define GEMM_TILE_CONTRACT(file)                                                                             \
    DEFINE(file, AHEAD, 0, 1, "1: terms are loaded ahead"),                                                  \
        DEFINE(file, ALIGNED, 0, 1, "1: places and pitches are multiples of 4"),                             \
        DEFINE(file, BAND, 1, 64, "tiles below each other that follow each other"),                          \
        DEFINE(file, BK, 4, 32, "terms of a slice, a power of two"),                                         \
        DEFINE(file, BM, 32, 256, "rows of a tile"), DEFINE(file, BN, 32, 256, "columns of a tile"),         \
        DEFINE(file, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),       \
        DEFINE(file, REAL, 32, 64, "bits of a real number, 32 or 64"),                                       \
        DEFINE(file, ROOM, 64, 65536, "words of local memory"),                                              \
        DEFINE(file, STAGES, 1, 2, "slices in local memory"),                                                \
        DEFINE(file, TRANS_A, 0, 1, "1: A is transposed"),                                                   \
        DEFINE(file, TRANS_B, 0, 1, "1: B is transposed"), DEFINE(file, WG, 1, 256, "work-group size")

#endif
