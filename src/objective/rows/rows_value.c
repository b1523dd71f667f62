/* Sums over the rows of a table in double precision. */
#include "base/error.h"
#include "objective/rows/rows.h"

#include <stdlib.h>

/* Adds the squares of a tile's residuals to TABLE_TILE sums, one for each row of the tile, so that the inner
 * loops over the rows become vector code. */
static inline void add_tile(const double *tile, const double *x, size_t dim, bool squared,
                            double sums[TABLE_TILE])
{
    double residual[TABLE_TILE];
    for (int k = 0; k < TABLE_TILE; k++)
        residual[k] = tile[dim * TABLE_TILE + (size_t)k];
    for (size_t d = 0; d < dim; d++) {
        const double *a = tile + d * TABLE_TILE, factor = squared ? x[d] * x[d] : x[d];
        for (int k = 0; k < TABLE_TILE; k++)
            residual[k] -= a[k] * factor;
    }
    for (int k = 0; k < TABLE_TILE; k++)
        sums[k] += residual[k] * residual[k];
}

static inline double sum_of_tiles(const double *tiles, size_t count, const double *x, size_t dim,
                                  bool squared)
{
    double sums[TABLE_TILE] = {0};
    for (size_t t = 0; t < count; t++)
        add_tile(tiles + t * (dim + 1) * TABLE_TILE, x, dim, squared, sums);
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* Adds the sum over all tiles. The last tile is padded with rows of zeros, which add nothing. */
static void add_tiles(struct rows_sum *total, const double *tiles, size_t rows, const double *x, size_t dim,
                      bool squared)
{
    const size_t block = ROWS_BLOCK / TABLE_TILE, count = (rows - 1) / TABLE_TILE + 1;
    for (size_t first = 0; first < count; first += block) {
        const double *some = tiles + first * (dim + 1) * TABLE_TILE;
        const size_t left = count - first, now = left < block ? left : block;
        rows_sum_add(total, squared ? sum_of_tiles(some, now, x, dim, true)
                                    : sum_of_tiles(some, now, x, dim, false));
    }
}

double rows_least_squares(const struct objective_table *table, const double *x, bool squared)
{
    struct rows_sum total = {0};
    if (table->tiles) {
        add_tiles(&total, table->tiles, table->rows, x, table->dim, squared);
        return rows_sum_value(&total);
    }
    /* Reads whole blocks at a time, so that the sum has the same order as for a table in memory. */
    size_t piece = 32768 / table->columns / ROWS_BLOCK * ROWS_BLOCK;
    piece = piece ? piece : ROWS_BLOCK;
    struct shoal_error error;
    double *tiles = malloc(table_tiles_count(piece, TABLE_TILE, table->columns) * sizeof *tiles);
    enum shoal_status status = tiles ? SHOAL_OK : fail_host_memory(&error);
    for (size_t first = 0; first < table->rows && !status; first += piece) {
        const size_t left = table->rows - first, count = left < piece ? left : piece;
        status = table_read_tiles(table, first, count, SHOAL_FP64, TABLE_TILE, tiles, &error);
        if (!status)
            add_tiles(&total, tiles, count, x, table->dim, squared);
    }
    free(tiles);
    return status ? objective_fail_value(&error) : rows_sum_value(&total);
}
