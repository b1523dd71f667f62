/* Private: the table of an objective with the shape SHOAL_DATA_ROWS, and functions that create such
 * objectives.
 *
 * A table that is smaller than the memory limit is kept in memory as doubles. A larger table is read from its
 * file whenever a part of it is needed. If the kernel text of the objective reads the whole table (dim 0),
 * table_create refuses a larger table. All numbers are finite, since table_create reads the whole table once.
 *
 * Threads: a table does not change after it was created, so any number of threads may read it.
 */
#ifndef SHOAL_OBJECTIVE_TABLE_H
#define SHOAL_OBJECTIVE_TABLE_H

#include "objective/objective.h"
#include "workload/programs.h"

#include <shoal/data.h>

struct objective_table {
    char *name;           /* name of the table, for messages */
    char *notes;          /* notes about the file: see struct shoal_table_info; NULL: none */
    size_t rows, columns; /* both > 0 */
    size_t dropped;       /* number of rows of the file that are left out since a value is missing */
    size_t dim;           /* dimension of x; 0: the text that reads the whole table determines it */
    /* Rows in tiles of `tile` rows, see table_read_tiles. The last tile is padded with zeros. NULL: the rows
     * are read from `source`. */
    double *tiles;
    size_t tile;                /* TABLE_TILE, or 1 (row by row) if dim is 0 */
    struct shoal_table *source; /* source of the rows if `tiles` is NULL */
};

/* Number of rows of a tile in memory, for tables that are summed by rows: a multiple of the vector width of
 * every CPU. */
enum { TABLE_TILE = 8 };

/* Reads rows first .. first + count - 1, row by row: out[j * columns + c]. Fails only if the table is in a
 * file that has changed or can no longer be read. */
SHOAL_MUST_CHECK enum shoal_status table_read(const struct objective_table *table, size_t first, size_t count,
                                              double *out, struct shoal_error *error);

/* Reads rows as doubles or floats into tiles of `tile` rows, column by column within a tile: number c of row
 * first + j is out[(j / tile * columns + c) * tile + j % tile]. The last tile is padded with rows of zeros.
 * tile 1: the rows follow each other; tile = count: the columns follow each other. out:
 * table_tiles_count(count, tile, columns) numbers. SHOAL_INVALID: a number is too large for a float. */
SHOAL_MUST_CHECK enum shoal_status table_read_tiles(const struct objective_table *table, size_t first,
                                                    size_t count, enum shoal_precision precision, size_t tile,
                                                    void *out, struct shoal_error *error);

/* Reads all numbers as int32_t, row by row, into an array that the caller frees. SHOAL_INVALID: a number is
 * no int32_t; the message names its row and column. */
SHOAL_MUST_CHECK enum shoal_status table_read_whole(const struct objective_table *table, int32_t **numbers,
                                                    struct shoal_error *error);

static inline size_t table_tiles_count(size_t count, size_t tile, size_t columns)
{
    return (count + tile - 1) / tile * tile * columns;
}

/* Creates a table from `source`, which is read and checked. Takes ownership of `source`, which is destroyed
 * with the table, or earlier. memory_limit: largest size in bytes of a table that is kept in memory; a larger
 * table stays in the file; with dim 0, it is refused by SHOAL_OUT_OF_HOST_MEMORY. */
SHOAL_MUST_CHECK enum shoal_status table_create(struct shoal_table *source, size_t dim, size_t memory_limit,
                                                struct objective_table **out, struct shoal_error *error);
/* Creates a table from `rows` rows of `columns` numbers, which are copied. */
SHOAL_MUST_CHECK enum shoal_status table_from_values(const double *values, size_t rows, size_t columns,
                                                     size_t dim, const char *name,
                                                     struct objective_table **out, struct shoal_error *error);
void table_destroy(struct objective_table **table); /* accepts NULL */

/* Adds the defines COLUMNS and TABLE_ROWS with the size of the objective's table; 1 and 1 if it has none. */
void define_table(struct defines *defines, const struct shoal_objective *objective);

/* Returns the largest size in bytes of a table in memory: a quarter of the memory of the machine, at most 8
 * GiB. */
size_t table_memory_limit(void);

/* Constructors of objectives --------------------------------------------------------------------------- */

/* An objective that is the sum over the rows of a table in a file: see struct shoal_rows. */
struct objective_file {
    const char *path, *layout, *missing_values; /* see struct shoal_table_params */
    int32_t header;                             /* how the first line is read: enum shoal_header */
    /* chosen columns, see shoal_table_choose; NULL: all columns */
    const char *columns;
    bool drops_missing; /* leaves out rows in which a used column has no value */
    /* text: the text of the objective; NULL: the built-in residual. name: NULL: the name of the table */
    const char *text, *name;
    /* dimension of x; 0: columns - 1. A text with the shape OPAQUE states its own dimension. */
    size_t dim;
    bool squared;  /* the built-in residual is that with x[d]^2 */
    bool is_check; /* see objective_from_table_text */
};

SHOAL_MUST_CHECK enum shoal_status objective_from_table_file(struct shoal *shoal,
                                                             const struct objective_file *given,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);

/* Creates "f6" .. "f10" of the thesis, with generated rows. Box and minimum are known. SHOAL_INVALID: another
 * name. */
SHOAL_MUST_CHECK enum shoal_status objective_from_thesis_table(const char *name, uint64_t seed,
                                                               struct shoal_objective **out,
                                                               struct shoal_error *error);

/* Creates an objective with the same sum of squares over only dim + 1 rows: the triangular factor (QR) of the
 * table, |R x - Q'b|^2 + rho^2. The new name contains "compressed". `objective` is not needed after the call.
 * SHOAL_UNSUPPORTED: the residual is not built-in. */
SHOAL_MUST_CHECK enum shoal_status objective_compress(const struct shoal_objective *objective,
                                                      struct shoal_objective **out,
                                                      struct shoal_error *error);

#endif
