#include "lib/gemm/tiles.h"

#include "compute/device.h"

#include <stdio.h>

/* Tiles with at least this many numbers (rows times columns) load the terms of the next slice ahead, which is
 * faster on an H200: with CUDA and with OpenCL. */
enum { AHEAD_CUDA = 128 * 128, AHEAD_OPENCL = 256 * 160 };

/* Tiles from the largest to the smallest. A work-item of a large tile makes more operations for each number
 * that it reads. The tiles from index BY_RULE on replace other tiles on some devices, or are candidates for
 * `shoal tune`. */
enum { WIDE, LARGE, MIDDLE = 3, BY_RULE = 6, LARGE_OPENCL = 7, PLAIN_OPENCL };
static const struct gemm_tile tiles[] = {
    {256, 160, 8, 256, 1}, {256, 128, 8, 256, 1},  {128, 128, 16, 256, 2},
    {128, 64, 16, 128, 3}, {64, 64, 16, 64, 4},    {32, 32, 32, 64, 8},
    {128, 128, 8, 128, 2}, {256, 128, 16, 256, 1}, {128, 256, 16, 256, 1}};
static const struct gemm_tile large_of_doubles = {128, 128, 8, 256, 1};

/* LEAST_TERMS: a sum of k terms is split into at most k / LEAST_TERMS parts. TERMS: the number of terms of a
 * part is a multiple of TERMS or, if k / parts is at least LONG_PART, of FEW_TERMS. RESIDENT: number of
 * work-items that a compute unit of a GPU runs at the same time; for the largest tiles it runs one
 * work-group. UNITS: number of compute units for which the number of parts is chosen: that of an H100, for
 * every device, so that the order of a sum depends neither on the device nor on the tile. */
enum {
    LEAST_TERMS = 96,
    TERMS = 32,
    FEW_TERMS = 8,
    LONG_PART = 512,
    MOST_PARTS = 64,
    RESIDENT = 512,
    UNITS = 132,
    MOST_NUMBERS = 1 << 23 /* most numbers in all parts of a product together */
};

size_t gemm_tile_groups(const struct gemm_tile *tile, uint32_t m, uint32_t n)
{
    return (size_t)div_up(m, (uint32_t)tile->m) * div_up(n, (uint32_t)tile->n);
}

static uint64_t tiles_of(const struct gemm_sizes *sizes, const struct gemm_tile *tile)
{
    return gemm_tile_groups(tile, sizes->m, sizes->n);
}

static uint32_t most_parts(const struct gemm_sizes *sizes)
{
    const uint32_t parts = sizes->k / LEAST_TERMS;
    return parts == 0 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

/* Number of multiplications that the busiest compute unit of a GPU makes, if each computes one tile at a
 * time. */
static uint64_t work_of(const struct gemm_sizes *sizes, const struct gemm_tile *tile, uint32_t units,
                        bool is_split)
{
    const uint64_t groups = tiles_of(sizes, tile), most = is_split ? most_parts(sizes) : 1;
    const uint64_t wanted = groups < units ? units / groups : 1, parts = wanted < most ? wanted : most;
    const uint64_t rounds = (groups * parts + units - 1) / units;
    return rounds * (uint64_t)(tile->m * tile->n) * ((sizes->k + parts - 1) / parts);
}

/* Returns the largest tile, from index `first` on, with which the product has a tile for at least 7 of 8
 * compute units of a GPU. Of the two largest tiles, WIDE and LARGE, the one with less work (work_of) is
 * tried, since a tile also computes what is beyond the edges of the matrix. A tile that would be mostly
 * beyond the edges of a narrow matrix is skipped. */
static const struct gemm_tile *find_from(size_t first, const struct gemm_sizes *sizes, uint32_t units,
                                         bool is_split, bool is_double)
{
    for (size_t k = first; k + 1 < BY_RULE; k++) {
        const struct gemm_tile *const tile = &tiles[k];
        const bool is_wide = sizes->m > tile->m / 2 && sizes->n > tile->n / 2;
        const uint64_t groups = tiles_of(sizes, tile) * (is_split ? most_parts(sizes) : 1);
        if (is_double && tile->m * tile->n > 64 * 64)
            continue;
        if (k == WIDE &&
            work_of(sizes, tile, units, is_split) >= work_of(sizes, &tiles[LARGE], units, is_split))
            continue;
        if (is_wide && 8 * groups >= 7 * (uint64_t)units) /* at least 7 of 8 units have a tile */
            return tile;
    }
    return &tiles[BY_RULE - 1];
}

static const struct gemm_tile *find_tile(const struct gemm_sizes *sizes, uint32_t units,
                                         enum gemm_split split, bool is_double)
{
    const struct gemm_tile *const tile = find_from(0, sizes, units, split == GEMM_SPLIT_ALWAYS, is_double);
    const bool is_smallest = tile == &tiles[BY_RULE - 1];
    return split == GEMM_SPLIT_TO_FILL && is_smallest ? find_from(MIDDLE, sizes, units, true, is_double)
                                                      : tile;
}

static uint64_t resident(const struct gemm_tile *tile)
{
    return tile->min_groups == 1 ? 1 : RESIDENT / (uint64_t)tile->work_group;
}

uint32_t gemm_find_parts(const struct gemm_sizes *sizes, bool is_split, bool is_double)
{
    const struct gemm_tile *const tile =
        find_tile(sizes, UNITS, is_split ? GEMM_SPLIT_ALWAYS : GEMM_SPLIT_NEVER, is_double);
    const uint64_t wanted = UNITS * resident(tile) / tiles_of(sizes, tile);
    const uint32_t most = most_parts(sizes);
    return wanted < 1 ? 1 : wanted < most ? (uint32_t)wanted : most;
}

size_t gemm_most_part_numbers(const struct gemm_sizes *sizes)
{
    const uint64_t all = (uint64_t)most_parts(sizes) * sizes->m * rounded_up(sizes->n, 4);
    return most_parts(sizes) < 2 ? 0 : (size_t)(all < MOST_NUMBERS ? all : MOST_NUMBERS);
}

/* A product takes as long as the compute unit with the most tiles. A further part costs as much as ADDED
 * terms, since its numbers are stored and read again. Further parts must save at least a twentieth of the
 * time. */
uint32_t gemm_parts_to_fill(const struct gemm_sizes *sizes, bool is_double)
{
    enum { ADDED = 64 };
    const uint64_t all = tiles_of(sizes, find_tile(sizes, UNITS, GEMM_SPLIT_TO_FILL, is_double));
    const uint64_t numbers = (uint64_t)sizes->m * rounded_up(sizes->n, 4);
    uint32_t best = 1;
    uint64_t least = (all + UNITS - 1) / UNITS * sizes->k;
    for (uint32_t parts = 2; parts <= most_parts(sizes) && parts * numbers <= MOST_NUMBERS; parts++) {
        const uint64_t rounds = (all * parts + UNITS - 1) / UNITS;
        const uint64_t time = rounds * (sizes->k + (uint64_t)parts * ADDED) / parts;
        if (20 * time < 19 * least) {
            least = time;
            best = parts;
        }
    }
    return best;
}

bool gemm_is_small(const struct gemm_sizes *sizes, bool is_double)
{
    return 2 * tiles_of(sizes, find_tile(sizes, UNITS, GEMM_SPLIT_NEVER, is_double)) <= UNITS;
}

uint32_t gemm_part_terms(uint32_t k, uint32_t parts)
{
    const uint32_t unit = k / parts < LONG_PART ? TERMS : FEW_TERMS;
    return div_up(div_up(k, unit), parts) * unit;
}

/* The number of a tile in the tuning file: three decimal digits each for its rows, its columns and the terms
 * of a slice. */
static int64_t number_of(const struct gemm_tile *tile)
{
    enum { DIGITS = 1000 };
    return (tile->m * DIGITS + tile->n) * DIGITS + tile->k;
}

/* Returns the tuned tile for products of these sizes or, if there is none, by_rule. */
static const struct gemm_tile *ask_tile(struct shoal_device *device, const struct shoal_program_desc *desc,
                                        const char *class, const struct gemm_sizes *sizes, bool is_double,
                                        const struct gemm_tile *by_rule)
{
    enum { DOUBLES = 2 };
    static const int64_t tries[] = {32032032,  64064016,  128064016, 128128008, 128128016,
                                    128256016, 256128008, 256128016, 256160008};
    char whole[TUNING_CLASS_SIZE];
    snprintf(whole, sizeof whole, "%sprecision=%d m=2^%u n=2^%u k=2^%u", class, is_double,
             tuning_power(2, sizes->m), tuning_power(2, sizes->n), tuning_power(2, sizes->k));
    const size_t count = is_double ? DOUBLES : COUNT(tries);
    const struct tuning_question question = {.program = desc->name,
                                             .name = "TILE",
                                             .sizes = whole,
                                             .value = number_of(by_rule),
                                             .min = tries[0],
                                             .max = tries[count - 1],
                                             .tries = tries,
                                             .try_count = count};
    const int64_t value = tuning_ask(device, &question);
    const int64_t most = shoal_device_get_info(device)->max_work_group;
    for (size_t k = 0; k < COUNT(tiles) && value != question.value; k++)
        if (number_of(&tiles[k]) == value && tiles[k].work_group <= most)
            return &tiles[k];
    return by_rule;
}

struct gemm_tile gemm_choose_tile(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *class, const struct gemm_sizes *sizes, enum gemm_split split,
                                  bool is_double)
{
    const struct shoal_device_info *const info = shoal_device_get_info(device);
    const bool is_small = info->is_cpu || info->max_work_group < 256;
    const struct gemm_tile small = {32, 32, 8, info->max_work_group < 16 ? info->max_work_group : 16, 1};
    const struct gemm_tile *by_rule =
        is_small ? &small : find_tile(sizes, units_for_sums(info), split, is_double);
    /* With NVIDIA's OpenCL on an H200, slices of 16 terms make the tile of 256 x 128 faster by 3 %, and if no
     * operand is transposed, a tile of 128 x 256 with such slices is faster by 4 %. With CUDA neither is
     * faster. */
    if (by_rule == &tiles[LARGE] && !is_cuda(device))
        by_rule = &tiles[sizes->is_transposed ? LARGE_OPENCL : PLAIN_OPENCL];
    /* On an H100, large_of_doubles is faster than the tile of 64 x 64: by 19 % with CUDA and by 9 % with
     * OpenCL. */
    const bool fills_it = sizes->m > large_of_doubles.m / 2u && sizes->n > large_of_doubles.n / 2u;
    if (!is_small && is_double && fills_it && tiles_of(sizes, &large_of_doubles) >= units_for_sums(info))
        by_rule = &large_of_doubles;
    struct gemm_tile tile = *ask_tile(device, desc, class, sizes, is_double, by_rule);
    if (is_double && tile.k > 16)
        tile.k = 16;
    return tile;
}

size_t gemm_tile_defines(struct shoal_device *device, const struct shoal_program_desc *desc,
                         const struct gemm_tile *tile, bool is_double,
                         struct shoal_define list[GEMM_TILE_DEFINES])
{
    const struct shoal_define stages = choose_define(device, desc, "STAGES", 2);
    const int64_t words = stages.value * tile->k * (tile->m + tile->n) * (is_double ? 2 : 1);
    const struct shoal_define defines[GEMM_TILE_DEFINES] = {
        choose_define(device, desc, "AHEAD",
                      tile->m * tile->n >= (is_cuda(device) ? AHEAD_CUDA : AHEAD_OPENCL)),
        {"BK", tile->k},
        {"BM", tile->m},
        {"BN", tile->n},
        {"MIN_GROUPS", tile->min_groups},
        {"REAL", is_double ? 64 : 32},
        {"ROOM", words},
        stages,
        {"WG", tile->work_group}};
    for (size_t i = 0; i < GEMM_TILE_DEFINES; i++)
        list[i] = defines[i];
    return GEMM_TILE_DEFINES;
}
