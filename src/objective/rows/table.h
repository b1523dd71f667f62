/* Private: the table behind an objective of shape SHOAL_DATA_ROWS, and the constructors of such objectives.
 *
 * A table that fits into the memory limit is kept in memory as doubles. A larger table is read from its file
 * whenever a part is needed; if the kernel text of the objective reads the whole table (dim 0), table_create
 * refuses a larger table. Every number is finite: the constructor has read the whole table once.
 *
 * Threads: constant once created; any number of threads may read it.
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
    size_t dropped;       /* rows of the file that are left out since a value is missing */
    size_t dim;           /* dimension of x; 0: unknown, since a text reads the whole table */
    /* Rows in tiles of `tile`, the last one padded with zeros: table_read_tiles. NULL: the rows are in the
     * file. */
    double *tiles;
    size_t tile;                /* TABLE_TILE; or 1, which means row by row, if dim is 0 */
    struct shoal_table *source; /* source of the rows if `tiles` is NULL */
};

/* Rows of a tile in memory, for tables that are summed by rows: whole vectors of any CPU. */
enum { TABLE_TILE = 8 };

/* Reads rows first .. first + count - 1, row after row: out[j * columns + c]. Fails only if the table is
 * in a file that has changed or cannot be read any more. */
SHOAL_MUST_CHECK enum shoal_status table_read(const struct objective_table *table, size_t first, size_t count,
                                              double *out, struct shoal_error *error);

/* Reads rows as doubles or floats into tiles of `tile` rows, column by column within a tile: number c of row
 * first + j is out[(j / tile * columns + c) * tile + j % tile]. The last tile is padded with rows of zeros.
 * tile = 1: row by row; tile = count: column by column. `out` has room for table_tiles_count(count, tile,
 * columns) numbers. SHOAL_INVALID: a number is too large for a float. */
SHOAL_MUST_CHECK enum shoal_status table_read_tiles(const struct objective_table *table, size_t first,
                                                    size_t count, enum shoal_precision precision, size_t tile,
                                                    void *out, struct shoal_error *error);

/* Reads all numbers, row by row, malloc'ed. SHOAL_INVALID: a number is no int32_t; the message has the row
 * and column of the number. */
SHOAL_MUST_CHECK enum shoal_status table_read_whole(const struct objective_table *table, int32_t **numbers,
                                                    struct shoal_error *error);

static inline size_t table_tiles_count(size_t count, size_t tile, size_t columns)
{
    return (count + tile - 1) / tile * tile * columns;
}

/* Reads and checks every number. Takes ownership of `source`, which is destroyed with the table, or before
 * the call returns. memory_limit: most bytes of doubles that are kept in memory; a larger table stays in the
 * file (with dim 0: SHOAL_OUT_OF_HOST_MEMORY). */
SHOAL_MUST_CHECK enum shoal_status table_create(struct shoal_table *source, size_t dim, size_t memory_limit,
                                                struct objective_table **out, struct shoal_error *error);
/* Creates a table of `rows` rows of `columns` numbers, which the caller keeps until the call returns. */
SHOAL_MUST_CHECK enum shoal_status table_from_values(const double *values, size_t rows, size_t columns,
                                                     size_t dim, const char *name,
                                                     struct objective_table **out, struct shoal_error *error);
void table_destroy(struct objective_table **table); /* accepts NULL */

/* Adds the defines COLUMNS and TABLE_ROWS: the size of the table that the objective reads, or 1 and 1 if it
 * reads no table. */
void define_table(struct defines *defines, const struct shoal_objective *objective);

/* The memory that a table may take: a quarter of the memory of the machine, at most 8 GiB. */
size_t table_memory_limit(void);

/* Constructors of objectives -------------------------------------------------------------------------------
 */

/* A table in a file and the sum over its rows: see struct shoal_rows. */
struct objective_file {
    const char *path, *layout, *missing_values; /* see struct shoal_table_params */
    int32_t header;                             /* how the first line is read: enum shoal_header */
    /* chosen columns, see shoal_table_choose; NULL: all columns */
    const char *columns;
    bool drops_missing; /* rows in which a used column has no value are left out */
    /* text: objective text; NULL: the built-in residual. name NULL: the name of the table */
    const char *text, *name;
    size_t dim;    /* dimension of x; 0: columns - 1. An OPAQUE text states its own dimension */
    bool squared;  /* the built-in residual with x^2 */
    bool is_check; /* see objective_from_table_text */
};

SHOAL_MUST_CHECK enum shoal_status objective_from_table_file(struct shoal *shoal,
                                                             const struct objective_file *given,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);

/* Creates "f6" .. "f10" of the thesis over generated rows, whose box and minimum are known. SHOAL_INVALID:
 * another name. */
SHOAL_MUST_CHECK enum shoal_status objective_from_thesis_table(const char *name, uint64_t seed,
                                                               struct shoal_objective **out,
                                                               struct shoal_error *error);

/* Creates an objective with the same sum of squares over dim + 1 rows, by the triangular factor of the table
 * (QR): |R x - Q'b|^2 + rho^2. SHOAL_UNSUPPORTED: the residual is not built-in. The name of the objective
 * contains "compressed"; `objective` may be destroyed afterwards. */
SHOAL_MUST_CHECK enum shoal_status objective_compress(const struct shoal_objective *objective,
                                                      struct shoal_objective **out,
                                                      struct shoal_error *error);

#endif
