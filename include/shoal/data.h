/* Tables of numbers, for objectives of the shape SHOAL_DATA_ROWS: sums over the rows of a table.
 *
 * A table is a file, or rows that a generator computes. Tables are read in pieces: a table may be larger than
 * memory. Rows and columns count from 0 in calls and from 1 in messages.
 *
 * Files:
 * - .npy: NumPy, versions 1 to 3, numbers '<f4' or '<f8' in C or Fortran order, of two dimensions, of one
 *   dimension, which is a column, or in C order of three: a row has the numbers of the last two.
 * - .csv .txt .tsv .dat, and "-", standard input: text. Columns are separated by semicolons, commas, tabs or
 *   blanks: the first of these, in this order, that the first row holds. Numbers are written as in C
 *   ("-1.5e3"), whatever the locale, or with decimal commas between semicolons or tabs, also in quotes. A
 *   line of names may come first. An index without a name in the first column is left out, as are empty lines
 *   and lines that start with '#' (docs/data.md).
 * - any file opened with a layout: raw little-endian numbers. The layout is "f8:ROWSxCOLUMNS" or
 *   "f4:ROWSxCOLUMNS"; ":rows" after it, or nothing, means row after row, ":columns" column after column, and
 *   ":blocks" first all rows without their last number, then the last numbers of all rows (vectors a, then
 *   scalars b).
 *
 * Each file may be packed by gzip; a packed file is unpacked into memory.
 *
 * Threads: a table is constant once created; any number of threads may read a table.
 */
#ifndef SHOAL_DATA_H
#define SHOAL_DATA_H

#include <shoal/objective.h>

SHOAL_BEGIN_DECLS

/* A table of numbers, opened or generated. */
struct shoal_table;

/* How to find out whether the first line of a text names the columns. */
enum shoal_header {
    SHOAL_HEADER_AUTO, /* By the content of the first line and of the rows (docs/data.md). */
    SHOAL_HEADER_NO,   /* The first line is a row. */
    SHOAL_HEADER_YES   /* The first line names the columns. */
};

/* Properties of a table. Owned by the table. */
struct shoal_table_info {
    size_t size;        /* Bytes of the struct as the library knows it. */
    const char *name;   /* Path of the file, or what generated the table. */
    const char *format; /* "npy", "csv", "raw" or "generated". */
    const char *type;   /* Type of a stored number: "f4", "f8", "text"; "i1" to "u8" and "b1" of .npy. */
    const char *order;  /* Order of stored numbers: "rows", "columns" or "blocks". */
    size_t rows;        /* Number of rows. */
    size_t columns;     /* Number of columns. */
    size_t dropped;     /* Number of rows that shoal_table_choose left out. */
    /* Notes on other ways to read the same text, a sentence on each line. "": there is no other way, or the
     * file is no text. */
    const char *notes;
    bool leaves_index; /* The first column of a text, an index without a name, is left out. */
    /* Length of the last of the three dimensions of a .npy file: a row is an array of columns / depth times
     * depth numbers. 0: there are no three dimensions. */
    size_t depth;
};

/* Opens a file as a table. `layout` is the layout of raw numbers; NULL: the format follows from the name or
 * the first bytes. The file must not change until the table is destroyed. Destroy the table with
 * shoal_table_destroy.
 * Errors: SHOAL_IO: the file cannot be read or is no table; the message names row and column. SHOAL_INVALID:
 * the layout is wrong, or the extension names no format. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_open(const char *path, const char *layout, struct shoal_table **out, struct shoal_error *error);

/* A file and how to read it. Texts are read during the call alone. */
struct shoal_table_params {
    size_t size;        /* Bytes of the struct, set by shoal_table_params_init. */
    const char *path;   /* Path of the file; "-": standard input. Must be set. */
    const char *layout; /* Layout of raw numbers. Default: NULL, by the name or the first bytes. */
    /* Whether the first line of a text names the columns, enum shoal_header. Default: SHOAL_HEADER_AUTO. */
    int32_t header;
    /* Words of a text that count as missing values, as empty fields do: "-999, NA". Default: NULL, which
     * means ? NA nan null None and the like (docs/data.md). */
    const char *missing_values;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_table_params_init(struct shoal_table_params *params);
#define SHOAL_TABLE_PARAMS(...) SHOAL_INIT(shoal_table_params, shoal_table_params_init, __VA_ARGS__)

/* Opens a file as shoal_table_open does, with the settings of `params`.
 * Errors: SHOAL_IO: the file cannot be read or is no table; the message names row and column. SHOAL_INVALID:
 * no path, a wrong layout, an extension that names no format, `header` or `missing_values` for a file that is
 * no text. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_open_with(const struct shoal_table_params *params,
                                                                   struct shoal_table **out,
                                                                   struct shoal_error *error);

/* Replaces a table by some of its columns. `columns` lists the chosen columns in their new order, by names
 * from the line of names or by numbers from 1: "a, 'wind speed', 5, 7-9"; * is every column; NULL: all
 * columns as they are. The content of other columns is not read as numbers. `drop_missing`: rows in which a
 * chosen column has no value are left out; otherwise reading such a row fails. After an error the table is
 * destroyed and *table is NULL.
 * Errors: SHOAL_INVALID: there is no such column, a column is chosen twice, or the format has no missing
 * values. SHOAL_IO: no row is left. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_choose(struct shoal_table **table,
                                                                const char *columns, bool drop_missing,
                                                                struct shoal_error *error);

/* Rows a[0] .. a[dim - 1], b of a least-squares problem: a is uniform in [-1, 1), b the sum of a plus noise.
 * Without noise, sum (b - sum a[d] x[d])^2 is 0 at (1, ..., 1) and nowhere else.
 *
 * The numbers are the same on every machine. a[d] = (word >> 15) / 2^16 - 1, where word is word d mod 4 of
 * draw d / 4 of Philox (index and step: low and high half of the row's number; stream SHOAL_STREAM_DATA), so
 * that sums of up to 128 numbers are exact in fp32, too. The noise has mean 0: the sum of twelve uniform
 * numbers (words of the draws 2^31, 2^31 + 1, 2^31 + 2) minus 6, times `noise`.
 */
struct shoal_least_squares_params {
    size_t size; /* Bytes of the struct, set by shoal_least_squares_params_init. */
    /* Number of coefficients of a row, 1 to 1048576. Default: 4. The table has dim + 1 columns. */
    size_t dim;
    size_t rows;   /* Number of rows, at least 1. Default: 1000. */
    double noise;  /* Standard deviation of the noise, 0 to 1e150. Default: 0. */
    uint64_t seed; /* Seed of the numbers, any number. Default: 1. */
    /* "f6" to "f10", a function of the thesis (M. Hosala, Prague 2014), whose dim, rows and noise replace the
     * members of these names. Default: NULL, none. */
    const char *like;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_least_squares_params_init(struct shoal_least_squares_params *params);
#define SHOAL_LEAST_SQUARES_PARAMS(...)                                                                      \
    SHOAL_INIT(shoal_least_squares_params, shoal_least_squares_params_init, __VA_ARGS__)

/* Creates a table whose rows are generated when they are read. Destroy the table with shoal_table_destroy.
 * Errors: SHOAL_INVALID: a member is out of its range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_least_squares(const struct shoal_least_squares_params *params, struct shoal_table **out,
                          struct shoal_error *error);

/* Properties of the table. Valid as long as the table. */
SHOAL_API const struct shoal_table_info *shoal_table_get_info(const struct shoal_table *table);

/* Name of column number `column`, from 0. Valid as long as the table. NULL: the column has no name, or
 * `column` is out of range. */
SHOAL_API const char *shoal_table_column_name(const struct shoal_table *table, size_t column);

/* Reads rows first .. first + count - 1 into out, [count][columns].
 * Errors: SHOAL_INVALID: the range passes the last row. SHOAL_IO: the file cannot be read, or a number is not
 * finite; the message names row and column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_read(const struct shoal_table *table, size_t first,
                                                              size_t count, double *out,
                                                              struct shoal_error *error);

/* Reports progress: called repeatedly with the number of rows done, of `rows` in all. A return of false ends
 * the work with SHOAL_STOPPED. */
typedef bool (*shoal_table_progress)(void *data, size_t done, size_t rows);

/* Writes a table as a file in the format of its extension: .npy, .csv, or .bin, which is raw, row by row;
 * ".gz" after the extension packs the file. The file appears whole or not at all; its mode follows the umask
 * or is the mode of the file that it replaces. `precision` is the type of the numbers; in CSV each number has
 * the fewest digits that read back as the same number. `progress` may be NULL.
 * Errors: SHOAL_INVALID: another extension, or a number does not fit fp32. SHOAL_IO: the file cannot be
 * written, or the file system lacks the space. SHOAL_STOPPED: `progress` returned false; nothing was
 * written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_table_write(const struct shoal_table *table, const char *path, enum shoal_precision precision,
                  shoal_table_progress progress, void *data, struct shoal_error *error);

/* Statistics of a table, and its solution as a least-squares problem whose last column is b, from a QR
 * factorisation in one pass. Release the arrays with shoal_table_summary_free. */
struct shoal_table_summary {
    size_t size;      /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t columns;   /* Number of columns of the table. */
    double *least;    /* Least value of each column, [columns]. */
    double *greatest; /* Greatest value of each column, [columns]. */
    double *mean;     /* Mean of each column, [columns]. */
    /* Rank of the matrix of all columns but the last. columns - 1: the minimiser is unique. */
    size_t rank;
    double minimum; /* Least value of sum (b - sum a[d] x[d])^2 over all x. */
    /* A point x at which the sum has the value `minimum`, [columns - 1]: one of many if `rank` is less than
     * columns - 1. */
    double *minimiser;
};

/* Reads the whole table and fills `summary`. Before the call set summary->size, usually to 0. `progress` may
 * be NULL.
 * Errors: SHOAL_UNSUPPORTED: the table has more than 4096 columns. SHOAL_IO: a number is not finite, or the
 * file cannot be read. SHOAL_STOPPED: `progress` returned false. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_table_summarise(const struct shoal_table *table,
                                                                   struct shoal_table_summary *summary,
                                                                   shoal_table_progress progress, void *data,
                                                                   struct shoal_error *error);

/* Releases the arrays of the summary and sets its members to 0. */
SHOAL_API void shoal_table_summary_free(struct shoal_table_summary *summary);

/* Destroys the table and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_table_destroy(struct shoal_table **table);

SHOAL_END_DECLS

#endif
