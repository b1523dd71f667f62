/* Tables of numbers: the rows behind an objective whose shape is SHOAL_DATA_ROWS.
 *
 * A table is a file, or rows that a generator computes, read in pieces: it may be larger than memory. Rows
 * and columns count from 0 in calls and from 1 in messages.
 *
 * Files:
 * - .npy: NumPy, versions 1 to 3, two dimensions, or one: a column, '<f4' or '<f8', C or Fortran order.
 * - .csv .txt .tsv .dat, and "-", standard input: text, columns separated by semicolons, commas, tabs or
 *   blanks, whichever of them, in this order, the first row holds; numbers as in C ("-1.5e3"), whatever the
 *   locale, or with decimal commas between semicolons or tabs, also in quotes; an optional line of names
 *   first; an index without a name in the first column is left out; empty lines and lines that start with
 *   '#' are left out (docs/data.md).
 * - any, with a layout: raw little-endian numbers, "f8:ROWSxCOLUMNS" or "f4:ROWSxCOLUMNS", and behind it
 *   nothing or ":rows" for row after row, ":columns" for column after column, ":blocks" for all rows without
 *   their last number, then all last numbers (vectors a, then scalars b).
 *
 * Each may be packed by gzip; it is unpacked into memory.
 *
 * Threads: a table is constant once created; any number of threads may read it.
 */
#ifndef SHOAL_DATA_H
#define SHOAL_DATA_H

#include <shoal/objective.h>

SHOAL_BEGIN_DECLS

struct shoal_table;

/* Whether the first line of a text names the columns. AUTO: by its content and that of the rows
 * (docs/data.md). */
enum shoal_header { SHOAL_HEADER_AUTO, SHOAL_HEADER_NO, SHOAL_HEADER_YES };

struct shoal_table_info {
    size_t size;        /* of this struct as the library knows it */
    const char *name;   /* path of the file, or what generated it */
    const char *format; /* "npy", "csv", "raw", "generated" */
    const char *type;   /* of a stored number: "f4", "f8", of .npy "i1" to "u8" and "b1" too, "text" */
    const char *order;  /* "rows", "columns", "blocks" */
    size_t rows, columns;
    size_t dropped; /* rows that shoal_table_choose left out */
    /* Text: what may be meant otherwise, a sentence a line; "": nothing. */
    const char *notes;
    bool leaves_index; /* text: the first column, an index without a name, is left out */
};

/* `layout` NULL: the format follows from the name or the first bytes. The file must not change until the
 * table is destroyed. SHOAL_IO: it cannot be read, or is not such a table, with row and column;
 * SHOAL_INVALID: the layout is none. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_open(const char *path, const char *layout, struct shoal_table **out, struct shoal_error *error);

/* The same with more to say. The texts are read during the call alone. */
struct shoal_table_params {
    size_t size; /* set by shoal_table_params_init */
    const char *path, *layout;
    int32_t header;             /* text: enum shoal_header */
    const char *missing_values; /* text: the words that are missing values, "-999, NA", beside the empty one;
                                   NULL: ? NA nan null None and the like (docs/data.md) */
};
SHOAL_API void shoal_table_params_init(struct shoal_table_params *params);
#define SHOAL_TABLE_PARAMS(...) SHOAL_INIT(shoal_table_params, shoal_table_params_init, __VA_ARGS__)
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_open_with(const struct shoal_table_params *params,
                                                                   struct shoal_table **out,
                                                                   struct shoal_error *error);

/* Turns a table into one of some of its columns, `columns` in that order: names of its line of names, or
 * numbers from 1, "a, 'wind speed', 5, 7-9", * for all; the others may hold anything from then on. NULL: all,
 * as they are. `drop_missing`: rows in which one of them has no value are left out; else such a value is an
 * error when its row is read. SHOAL_INVALID: there is no such column, one is there twice, or the format has
 * no missing values; SHOAL_IO: no row is left. After a failure the table is destroyed and *table NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_choose(struct shoal_table **table,
                                                                const char *columns, bool drop_missing,
                                                                struct shoal_error *error);

/* Rows a[0] .. a[dim - 1], b of a least-squares problem: a uniform in [-1, 1), b their sum plus noise, so
 * that without noise sum (b - sum a[d] x[d])^2 is 0 at (1, ..., 1) and nowhere else. The same numbers on
 * every machine: with the words of draw d / 4 of Philox (index and step: low and high half of the row's
 * number; stream SHOAL_STREAM_DATA), a[d] = (word d mod 4 >> 15) / 2^16 - 1, so that sums of up to 128 are
 * exact in fp32 too; the noise has mean 0 and standard deviation `noise`, as the sum of twelve uniform
 * numbers (words of the draws 2^31, 2^31 + 1, 2^31 + 2) minus 6. */
struct shoal_least_squares_params {
    size_t size; /* set by shoal_least_squares_params_init */
    size_t dim;
    size_t rows;
    double noise;
    uint64_t seed;
    const char *like; /* "f6" .. "f10": dim, rows and noise of the thesis; NULL: none */
};
SHOAL_API void shoal_least_squares_params_init(struct shoal_least_squares_params *params);
#define SHOAL_LEAST_SQUARES_PARAMS(...)                                                                      \
    SHOAL_INIT(shoal_least_squares_params, shoal_least_squares_params_init, __VA_ARGS__)
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_least_squares(const struct shoal_least_squares_params *params, struct shoal_table **out,
                          struct shoal_error *error);

SHOAL_API const struct shoal_table_info *shoal_table_get_info(const struct shoal_table *table);
/* The name of a column; NULL: it has none, or there are fewer. */
SHOAL_API const char *shoal_table_column_name(const struct shoal_table *table, size_t column);

/* Rows first .. first + count - 1 into out[count * columns], row by row. SHOAL_IO names row and column
 * of a number that is not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_read(const struct shoal_table *table, size_t first,
                                                              size_t count, double *out,
                                                              struct shoal_error *error);

/* Writes a file in the format of its extension: .npy, .csv, or .bin, which is raw, row by row. It appears
 * whole or not at all, with the mode of other files (umask); if its file system lacks the space, nothing is
 * written (SHOAL_IO). `precision`: of the numbers; in CSV the fewest digits that read back the same.
 * `progress`, if not NULL, is called now and then with the rows done; returning false ends the writing with
 * SHOAL_STOPPED. */
typedef bool (*shoal_table_progress)(void *data, size_t done, size_t rows);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_write(const struct shoal_table *table, const char *path, enum shoal_precision precision,
                  shoal_table_progress progress, void *data, struct shoal_error *error);

/* Statistics of a table, and its solution as a least-squares problem whose last column is b, from a QR
 * factorisation in one pass. The summary owns the arrays. */
struct shoal_table_summary {
    size_t size; /* set by the caller: of the struct; 0: that of its first release */
    size_t columns;
    double *least, *greatest, *mean; /* of each of `columns` columns */
    size_t rank;                     /* of the columns a; columns - 1: the minimiser is unique */
    double minimum;                  /* of sum (b - sum a[d] x[d])^2 over all x */
    double *minimiser;               /* columns - 1 coordinates; with a lower rank one of many */
};
/* Set summary->size before the call, to 0 as a rule. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_summarise(const struct shoal_table *table,
                                                                   struct shoal_table_summary *summary,
                                                                   shoal_table_progress progress, void *data,
                                                                   struct shoal_error *error);
SHOAL_API void shoal_table_summary_free(struct shoal_table_summary *summary);

/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_table_destroy(struct shoal_table **table);

SHOAL_END_DECLS

#endif
