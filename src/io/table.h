/* Private: the interface of a table of numbers. Every reader fills it, and shoal_table_* uses it. */
#ifndef SHOAL_IO_TABLE_H
#define SHOAL_IO_TABLE_H

#include "base/text.h"

#include <shoal/data.h>

/* Values of the option --header in the order of enum shoal_header, ended by NULL. */
extern const char *const table_header_names[];

struct shoal_table {
    struct shoal_table_info info;
    char *name;     /* info.name */
    char **names;   /* names of the columns; NULL: the columns have no names */
    char **entries; /* fields of a first line that counts as a row but has words, which could be names */
    size_t entry_count;
    char *notes;    /* info.notes; NULL: "" */
    bool has_index; /* the first column is an index, which table_leave_index leaves out */
    /* columns whose numbers are wanted: other columns may hold anything, and are read as 0. NULL: all columns
     * are wanted */
    bool *used;
    int file;       /* file descriptor; -1: there is no file */
    uint64_t bytes; /* size of the file, or of `content` */
    char *content;  /* unpacked content of a packed file; NULL: the file is not packed */
    /* Reads rows first .. first + count - 1 as they are stored. The arguments are checked already. Any
     * thread. */
    enum shoal_status (*read)(const struct shoal_table *table, size_t first, size_t count, double *out,
                              struct shoal_error *error);
    /* Tells the reader that `used` has changed; NULL: the reader need not know. */
    enum shoal_status (*use)(struct shoal_table *table, struct shoal_error *error);
    /* Leaves out the rows in which a used column has no value; NULL: no value can be missing. */
    enum shoal_status (*drop_missing)(struct shoal_table *table, struct shoal_error *error);
    /* frees `state`; NULL: `state` is one block, or there is none */
    void (*close)(struct shoal_table *table);
    void *state; /* the reader's state */
};

/* Number of rows that a pass over a table processes at a time: some 256 KiB of doubles, at least one row. */
static inline size_t table_block_rows(size_t columns)
{
    return columns < 32768 ? 32768 / columns : 1;
}

/* Creates a table without a file; all fields but the name are zero. NULL: no memory. */
struct shoal_table *table_new(const char *name);

/* Reads an open file that gzip has packed into memory. */
enum shoal_status table_unpack(struct shoal_table *table, struct shoal_error *error);

/* The formats. Each function gets a table with name, file and bytes, and sets info, read, close and state.
 * After a failure shoal_table_destroy frees the rest. */
enum shoal_status table_open_npy(struct shoal_table *table, struct shoal_error *error);
enum shoal_status table_open_csv(struct shoal_table *table, const struct shoal_table_params *params,
                                 struct shoal_error *error);
enum shoal_status table_open_raw(struct shoal_table *table, const char *layout, struct shoal_error *error);

/* Makes a table of `count` columns of *source, in the given order, and takes ownership of *source: *source is
 * destroyed with the new table, or after a failure. The contents of other columns are not checked. */
enum shoal_status table_select(struct shoal_table **source, const size_t *columns, size_t count,
                               struct shoal_table **out, struct shoal_error *error);

/* Opens a table as it is in the file, with its index; shoal_table_open_with leaves an index out. */
SHOAL_MUST_CHECK enum shoal_status table_open_whole(const struct shoal_table_params *params,
                                                    struct shoal_table **out, struct shoal_error *error);

enum table_order { TABLE_ROWS, TABLE_COLUMNS, TABLE_BLOCKS };

/* Numbers as they are stored: floating point ('f', 4 or 8 bytes), whole with a sign ('i') or without ('u', 1,
 * 2, 4 or 8 bytes), true or false ('b', a byte). */
struct table_type {
    char kind;
    unsigned width;
    bool is_big; /* the highest byte first */
};
/* Makes a reader of binary numbers from byte `offset` on; info.rows and info.columns are set. wanted: text
 * for messages that says where the size is declared. Whole numbers that no double equals are refused when
 * they are read. */
enum shoal_status table_set_binary(struct shoal_table *table, uint64_t offset, struct table_type type,
                                   enum table_order order, const char *wanted, struct shoal_error *error);

/* table_add_npy_header adds the header of a .npy file to the text; columns 0: the array has one dimension.
 * table_add_binary adds numbers in binary. */
void table_add_npy_header(struct text *text, enum shoal_precision precision, size_t rows, size_t columns);
void table_add_binary(struct text *text, const double *values, size_t count, enum shoal_precision precision);

/* Reads exactly `bytes` bytes from byte `offset` of the file on. */
enum shoal_status table_read_bytes(const struct shoal_table *table, uint64_t offset, void *out, size_t bytes,
                                   struct shoal_error *error);

#endif
