/* Private: the tiles of matrix products on GPUs (cl/lib/gemm/tile.clh), and the choice of the tile for a
 * product.
 *
 * A tile divides only rows and columns of the result, so every tile gives the same bits. A split of the sums
 * over k into parts changes bits, so it depends on the sizes and the precision of a product, not on the
 * device.
 */
#ifndef SHOAL_LIB_GEMM_TILES_H
#define SHOAL_LIB_GEMM_TILES_H

#include "compute/contract.h"
#include "compute/tune.h"

/* A tile of the result. m, n: its rows and columns; k: number of terms of a slice; work_group: work-group
 * size; min_groups: number of work-groups that a compute unit of a GPU should run at the same time (CUDA). */
struct gemm_tile {
    int64_t m, n, k, work_group, min_groups;
};

/* op(A) has m rows and k columns, op(B) k rows and n columns. */
struct gemm_sizes {
    uint32_t m, n, k;
    bool is_transposed; /* A or B is transposed */
};

/* When sums over k are split into parts. */
enum gemm_split {
    GEMM_SPLIT_NEVER,
    GEMM_SPLIT_TO_FILL, /* only if without a split none but the smallest tile would fill a GPU */
    GEMM_SPLIT_ALWAYS   /* into as many parts as fill a GPU, with any tile */
};

/* Chooses the tile for products of these sizes: the tuned tile or, if there is none, a tile by rule. class:
 * first words of the class of sizes in the tuning file, "" or ending with a blank. */
struct gemm_tile gemm_choose_tile(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *class, const struct gemm_sizes *sizes, enum gemm_split split,
                                  bool is_double);

/* Number of parts, at least 1, into which the sums are split so that the product is fastest, for
 * GEMM_SPLIT_TO_FILL. */
uint32_t gemm_parts_to_fill(const struct gemm_sizes *sizes, bool is_double);
/* Largest number of partial sums of a product of at most these sizes, over all parts; 0: such a product is
 * never split. */
size_t gemm_most_part_numbers(const struct gemm_sizes *sizes);

/* Number of parts, at least 1, with which the product fills a GPU. is_split: for GEMM_SPLIT_ALWAYS, otherwise
 * for GEMM_SPLIT_NEVER. */
uint32_t gemm_find_parts(const struct gemm_sizes *sizes, bool is_split, bool is_double);
/* Whether a GPU would be mostly idle if the product were not split. */
bool gemm_is_small(const struct gemm_sizes *sizes, bool is_double);
/* Number of terms of each part except the last: a multiple of 32 or, if k / parts is at least 512, of 8. */
uint32_t gemm_part_terms(uint32_t k, uint32_t parts);

/* Number of work-groups that compute one part of a product with m rows and n columns. */
size_t gemm_tile_groups(const struct gemm_tile *tile, uint32_t m, uint32_t n);

/* Fills `list` with the defines of tile.clh for a tile, and returns their number. */
enum { GEMM_TILE_DEFINES = 9 };
size_t gemm_tile_defines(struct shoal_device *device, const struct shoal_program_desc *desc,
                         const struct gemm_tile *tile, bool is_double,
                         struct shoal_define list[GEMM_TILE_DEFINES]);

/* Rows of the contract of a file that includes tile.clh, for the defines of tile.clh. */
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
