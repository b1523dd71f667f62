/* Tables of data objectives: in memory, in tiles of rows, or in a file. */
#include "objective/rows/table.h"
#include "base/error.h"
#include "io/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void define_table(struct defines *defines, const struct shoal_objective *objective)
{
    const struct objective_table *table = objective->table;
    define_add(defines, "COLUMNS", table ? (int64_t)table->columns : 1);
    define_add(defines, "TABLE_ROWS", table ? (int64_t)table->rows : 1);
}

size_t table_memory_limit(void)
{
    const size_t most = (size_t)8 << 30;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return most / 8;
    const size_t quarter = (size_t)pages / 4 * (size_t)page;
    return quarter < most ? quarter : most;
}

/* Returns the index in memory of number c of row `row`. */
static inline size_t place(const struct objective_table *table, size_t row, size_t c)
{
    return (row / table->tile * table->columns + c) * table->tile + row % table->tile;
}

enum shoal_status table_read(const struct objective_table *table, size_t first, size_t count, double *out,
                             struct shoal_error *error)
{
    const size_t columns = table->columns;
    if (!table->tiles)
        return shoal_table_read(table->source, first, count, out, error);
    for (size_t j = 0; j < count; j++) {
        const double *row = table->tiles + place(table, first + j, 0);
        for (size_t c = 0; c < columns; c++)
            out[j * columns + c] = row[c * table->tile];
    }
    return SHOAL_OK;
}

static inline void put(void *out, enum shoal_precision precision, size_t index, double value)
{
    if (precision == SHOAL_FP32)
        ((float *)out)[index] = (float)value;
    else
        ((double *)out)[index] = value;
}

/* Writes the numbers of row `row` of a piece. values: number c is values[c * stride]. */
static void put_row(void *out, enum shoal_precision precision, size_t tile, size_t columns, size_t row,
                    const double *values, size_t stride)
{
    const size_t at = row / tile * columns * tile + row % tile;
    for (size_t c = 0; c < columns; c++)
        put(out, precision, at + c * tile, values[c * stride]);
}

static void put_zeros(void *out, enum shoal_precision precision, size_t tile, size_t columns, size_t count)
{
    for (size_t row = count; row % tile; row++)
        for (size_t c = 0; c < columns; c++)
            put(out, precision, (row / tile * columns + c) * tile + row % tile, 0);
}

/* Fails if a number, which was read into a tile of floats, is too large for fp32 and has become infinite. */
static enum shoal_status check_narrow(const float *out, size_t first, size_t count, size_t tile,
                                      size_t columns, struct shoal_error *error)
{
    const size_t numbers = table_tiles_count(count, tile, columns);
    bool finite = true;
    for (size_t i = 0; i < numbers; i++)
        finite &= isfinite(out[i]) != 0;
    for (size_t row = 0; !finite && row < count; row++)
        for (size_t c = 0; c < columns; c++)
            if (!isfinite(out[(row / tile * columns + c) * tile + row % tile]))
                return fail(error, SHOAL_INVALID,
                            "the table's row %zu, column %zu is too large for fp32: use fp64",
                            first + row + 1, c + 1);
    return SHOAL_OK;
}

static enum shoal_status read_tiles(const struct objective_table *table, size_t first, size_t count,
                                    enum shoal_precision precision, size_t tile, void *out,
                                    struct shoal_error *error)
{
    const size_t columns = table->columns, block = table_block_rows(columns);
    put_zeros(out, precision, tile, columns, count);
    if (table->tiles) {
        for (size_t j = 0; j < count; j++)
            put_row(out, precision, tile, columns, j, table->tiles + place(table, first + j, 0), table->tile);
        return SHOAL_OK;
    }
    enum shoal_status status = SHOAL_OK;
    double *rows = malloc((count < block ? count : block) * columns * sizeof *rows);
    if (!rows)
        return fail_host_memory(error);
    for (size_t done = 0; done < count && !status;) {
        const size_t some = count - done < block ? count - done : block;
        status = shoal_table_read(table->source, first + done, some, rows, error);
        for (size_t j = 0; j < some && !status; j++)
            put_row(out, precision, tile, columns, done + j, rows + j * columns, 1);
        done += some;
    }
    free(rows);
    return status;
}

enum shoal_status table_read_tiles(const struct objective_table *table, size_t first, size_t count,
                                   enum shoal_precision precision, size_t tile, void *out,
                                   struct shoal_error *error)
{
    enum shoal_status status = read_tiles(table, first, count, precision, tile, out, error);
    if (!status && precision == SHOAL_FP32)
        status = check_narrow(out, first, count, tile, table->columns, error);
    return status;
}

enum shoal_status table_read_whole(const struct objective_table *table, int32_t **numbers,
                                   struct shoal_error *error)
{
    const size_t columns = table->columns;
    double *row = malloc(columns * sizeof *row);
    enum shoal_status status = SHOAL_OK;
    *numbers = malloc(table->rows * columns * sizeof **numbers);
    if (!row || !*numbers)
        status = fail_host_memory(error);
    for (size_t j = 0; j < table->rows && !status; j++) {
        status = table_read(table, j, 1, row, error);
        for (size_t c = 0; c < columns && !status; c++) {
            if (!(row[c] >= INT32_MIN && row[c] <= INT32_MAX && row[c] == floor(row[c])))
                status = fail(error, SHOAL_INVALID,
                              "%s: row %zu, column %zu is %.17g, which is no whole number of 32 bits",
                              table->name, j + 1, c + 1, row[c]);
            else
                (*numbers)[j * columns + c] = (int32_t)row[c];
        }
    }
    free(row);
    if (status) {
        free(*numbers);
        *numbers = NULL;
    }
    return status;
}

/* Reads the whole source, which checks it. If the table is kept in memory, stores the rows in its tiles. */
static enum shoal_status load(struct objective_table *table, struct shoal_error *error)
{
    const size_t columns = table->columns, block = table_block_rows(columns);
    enum shoal_status status = SHOAL_OK;
    double *rows = malloc((table->rows < block ? table->rows : block) * columns * sizeof *rows);
    if (!rows)
        return fail_host_memory(error);
    for (size_t first = 0; first < table->rows && !status; first += block) {
        const size_t left = table->rows - first, count = left < block ? left : block;
        status = shoal_table_read(table->source, first, count, rows, error);
        for (size_t j = 0; j < count && !status && table->tiles; j++)
            put_row(table->tiles, SHOAL_FP64, table->tile, columns, first + j, rows + j * columns, 1);
    }
    free(rows);
    return status;
}

static struct objective_table *table_of(const char *name, size_t rows, size_t columns, size_t dim)
{
    struct objective_table *table = calloc(1, sizeof *table);
    if (table)
        *table = (struct objective_table){
            .name = strdup(name), .rows = rows, .columns = columns, .dim = dim, .tile = dim ? TABLE_TILE : 1};
    if (table && !table->name)
        table_destroy(&table);
    return table;
}

/* Sets *bytes to the size of the tiles in bytes. Returns false if this size overflows. */
static bool tiles_bytes(const struct objective_table *table, size_t *bytes)
{
    return !__builtin_mul_overflow(table->columns, sizeof(double) * table->tile, bytes) &&
           !__builtin_mul_overflow((table->rows - 1) / table->tile + 1, *bytes, bytes);
}

enum shoal_status table_create(struct shoal_table *source, size_t dim, size_t memory_limit,
                               struct objective_table **out, struct shoal_error *error)
{
    const struct shoal_table_info *info = shoal_table_get_info(source);
    size_t bytes;
    enum shoal_status status = SHOAL_OK;
    *out = NULL;
    struct objective_table *table = table_of(info->name, info->rows, info->columns, dim);
    if (!table) {
        shoal_table_destroy(&source);
        return fail_host_memory(error);
    }
    table->source = source;
    table->dropped = source->info.dropped;
    table->notes = info->notes && *info->notes ? strdup(info->notes) : NULL;
    /* The last tile is padded with zeros. */
    if (tiles_bytes(table, &bytes) && bytes <= memory_limit) {
        table->tiles = calloc(1, bytes);
        status = table->tiles ? SHOAL_OK : fail_host_memory(error);
    } else if (!dim) {
        status =
            fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                 "the table has %zu rows of %zu numbers, more than the %zu bytes that it may use: give a "
                 "smaller one",
                 info->rows, info->columns, memory_limit);
    }
    if (!status)
        status = load(table, error);
    if (status) {
        table_destroy(&table);
        return status;
    }
    if (table->tiles)
        shoal_table_destroy(&table->source);
    *out = table;
    return SHOAL_OK;
}

enum shoal_status table_from_values(const double *values, size_t rows, size_t columns, size_t dim,
                                    const char *name, struct objective_table **out, struct shoal_error *error)
{
    size_t bytes;
    *out = NULL;
    if (!rows || !columns || !values)
        return fail(error, SHOAL_INVALID, "%s: the table has no %s", name,
                    !rows      ? "rows"
                    : !columns ? "columns"
                               : "values");
    if (rows > SIZE_MAX / columns)
        return fail_host_memory(error);
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(values[i]))
            return fail(error, SHOAL_INVALID, "%s: row %zu, column %zu: %s is not finite", name,
                        i / columns + 1, i % columns + 1, isnan(values[i]) ? "NaN" : "an infinity");
    struct objective_table *table = table_of(name, rows, columns, dim);
    if (table && tiles_bytes(table, &bytes))
        table->tiles = calloc(1, bytes);
    if (!table || !table->tiles) {
        table_destroy(&table);
        return fail_host_memory(error);
    }
    for (size_t j = 0; j < rows; j++)
        put_row(table->tiles, SHOAL_FP64, table->tile, columns, j, values + j * columns, 1);
    *out = table;
    return SHOAL_OK;
}

void table_destroy(struct objective_table **table)
{
    if (!table || !*table)
        return;
    free((*table)->name);
    free((*table)->notes);
    free((*table)->tiles);
    shoal_table_destroy(&(*table)->source);
    free(*table);
    *table = NULL;
}
