/* Private: a data set, how readers fill it, and the formats of files. */
#ifndef SHOAL_DATASET_DATASET_H
#define SHOAL_DATASET_DATASET_H

#include "dataset/categories.h"
#include "io/cursor.h"

#include <math.h>
#include <shoal/dataset.h>

/* The type of a column's values in memory. */
enum storage { STORAGE_BITS, STORAGE_U8, STORAGE_FP32, STORAGE_FP64 };

/* The type of a column, as the caller or the file format states it. */
enum choice { CHOICE_NONE, CHOICE_NUMBER, CHOICE_BINARY, CHOICE_CATEGORY, CHOICE_IGNORED, CHOICE_DAY };

/* Rows of a piece of a column. */
enum { PIECE_ROWS = 1 << 16 };

struct column {
    struct shoal_dataset_column face;
    char *name;
    enum choice choice;
    bool has_encoding;             /* the caller asked for face.encoding */
    unsigned bits;                 /* number of bits of SHOAL_ENCODING_BITS */
    struct categories *categories; /* NULL: the column has numbers */
    /* the categories keep the order in which they were declared; otherwise they are sorted */
    bool is_declared;
    uint64_t *counts;
    bool is_index;  /* the column numbers the rows; it is left out unless the caller names it */
    bool is_kept;   /* the column is kept although its words differ in most rows */
    bool is_placed; /* dataset_place_bytes has moved the column, with its range, into its block */
    enum storage storage;
    /* values of the rows so far, PIECE_ROWS in each of the pieces; NULL after a block has taken them, and for
     * an ignored column */
    void **values;
    size_t pieces;
    unsigned char *missing; /* a bit for each row, the lowest bit first; NULL: no value is missing */
    size_t block, place;    /* index of the column's block, and place of the column in it */
};

/* Neighbouring columns of one storage, stored row after row. */
struct block {
    enum storage storage;
    size_t columns, row_bytes; /* rows of bits begin at a byte, whose lowest bit is first */
    unsigned char *data;
};

struct shoal_dataset {
    struct shoal_dataset_info info;
    char *name;
    bool has_names; /* the file names its columns */
    /* Words of the first line, if the line counts as a row but its words could be names of columns. The
     * reader owns the words while it reads. */
    const char *const *entries;
    size_t entry_count;
    bool takes_days;      /* the reader knows dates, so that columns may be days */
    bool for_model;       /* params->for_model */
    enum shoal_task task; /* params->task; SHOAL_TASK_AUTO with for_model */
    char *notes;          /* info.notes; NULL: "" */
    struct column *columns;
    struct block *blocks;
    size_t block_count, room;  /* room: rows that the columns have memory for */
    struct shoal_error *error; /* error of the current fill */
};

/* Creates a data set without columns; shoal_dataset_destroy destroys it. */
SHOAL_MUST_CHECK enum shoal_status dataset_create(const char *name, struct shoal_dataset **out,
                                                  struct shoal_error *error);
/* Adds `count` columns, named by their numbers until dataset_name names them. */
SHOAL_MUST_CHECK enum shoal_status dataset_declare(struct shoal_dataset *dataset, size_t count);
SHOAL_MUST_CHECK enum shoal_status dataset_name(struct shoal_dataset *dataset, size_t column,
                                                struct word name);
/* Applies params->target and params->columns to the columns. */
SHOAL_MUST_CHECK enum shoal_status dataset_choose(struct shoal_dataset *dataset,
                                                  const struct shoal_dataset_params *params);
/* Makes the column hold numbers of categories from now on. dataset_choose calls this function where the
 * caller asks for categories. */
SHOAL_MUST_CHECK enum shoal_status dataset_use_categories(struct shoal_dataset *dataset, size_t column);
/* Adds a row of numbers and category numbers. NaN: missing. The numbers of ignored columns are not read. */
SHOAL_MUST_CHECK enum shoal_status dataset_add_row(struct shoal_dataset *dataset, const double *row);
/* Adds a row of a file that has numbers alone: in a column of categories, a number is the name of its
 * category. Changes `row`. */
SHOAL_MUST_CHECK enum shoal_status dataset_add_numbers(struct shoal_dataset *dataset, double *row);
/* Places all rows of the first `columns` columns at once, row by row; the caller adds the other columns. */
SHOAL_MUST_CHECK enum shoal_status
dataset_place_bytes(struct shoal_dataset *dataset, const unsigned char *bytes, size_t rows, size_t columns);
/* Decides whether a target of whole numbers becomes a target of classes. dataset_close calls this first. */
SHOAL_MUST_CHECK enum shoal_status dataset_choose_task(struct shoal_dataset *dataset);
/* Chooses kinds and encodings, sorts categories, and fills the blocks. */
SHOAL_MUST_CHECK enum shoal_status dataset_close(struct shoal_dataset *dataset);

/* Finds the column with this name; SIZE_MAX: there is none. */
size_t dataset_find_name(const struct shoal_dataset *dataset, const char *name);

static inline bool column_misses(const struct column *column, size_t row)
{
    return column->missing && column->missing[row / 8] >> row % 8 & 1;
}

/* The value in a row of a column that is not ignored. The value must not be missing. */
static inline double dataset_value(const struct shoal_dataset *dataset, const struct column *column,
                                   size_t row)
{
    const struct block *block = &dataset->blocks[column->block];
    const unsigned char *const begin = block->data + row * block->row_bytes;
    switch (block->storage) {
    case STORAGE_BITS:
        return begin[column->place / 8] >> column->place % 8 & 1;
    case STORAGE_U8:
        return begin[column->place];
    case STORAGE_FP32:
        return (double)((const float *)(const void *)begin)[column->place];
    case STORAGE_FP64:
        break;
    }
    return ((const double *)(const void *)begin)[column->place];
}

/* Bytes of a value; 0: it is a bit. */
size_t storage_bytes(enum storage storage);
/* Gives the column memory for at least `room` rows: above PIECE_ROWS, whole pieces. false: there is none. */
bool column_make_room(struct column *column, size_t room);
/* column_drop_piece frees the last piece, column_drop all of them. */
void column_drop_piece(struct column *column);
void column_drop(struct column *column);

/* The value of a column in a row that was added, before dataset_close. The value must not be missing. */
static inline double column_stored(const struct column *column, size_t row)
{
    const void *const piece = column->values[row / PIECE_ROWS];
    const size_t at = row % PIECE_ROWS;
    return column->storage == STORAGE_U8     ? ((const unsigned char *)piece)[at]
           : column->storage == STORAGE_FP32 ? (double)((const float *)piece)[at]
                                             : ((const double *)piece)[at];
}

static inline void column_store(struct column *column, size_t row, double value)
{
    void *const piece = column->values[row / PIECE_ROWS];
    const size_t at = row % PIECE_ROWS;
    if (column->storage == STORAGE_U8)
        ((unsigned char *)piece)[at] = (unsigned char)value;
    else if (column->storage == STORAGE_FP32)
        ((float *)piece)[at] = (float)value;
    else
        ((double *)piece)[at] = value;
}

/* Writes the encoding of a value, or of the number of a category, `width` numbers. base: the least value of a
 * thermometer. */
void dataset_encode_value(enum shoal_encoding encoding, size_t width, double base, double value, double *out);

/* Whether 8 bits hold the number: neither -0 nor a fraction. */
static inline bool fits_u8(double value)
{
    return !signbit(value) && value <= 255 && value == (double)(unsigned char)value;
}

/* Readers of the formats. dataset_read_npy opens the path in its parameters; the other readers get a text
 * that ends with a NUL. */
typedef enum shoal_status dataset_reader(struct shoal_dataset *dataset,
                                         const struct shoal_dataset_params *params, const char *text,
                                         size_t bytes);
SHOAL_MUST_CHECK dataset_reader dataset_read_csv, dataset_read_arff, dataset_read_idx, dataset_read_fann,
    dataset_read_thesis;
SHOAL_MUST_CHECK enum shoal_status dataset_read_npy(struct shoal_dataset *dataset,
                                                    const struct shoal_dataset_params *params);
/* dataset_is_FORMAT: whether a text, of which only the beginning may be given, has this format. is_named: the
 * name of the file is usual for files of FANN. */
bool dataset_is_arff(const char *text, size_t bytes);
bool dataset_is_idx(const char *text, size_t bytes);
bool dataset_is_npy(const char *text, size_t bytes);

/* Opens the file of labels: `rows` whole numbers in IDX or .npy; the caller frees *labels. */
SHOAL_MUST_CHECK enum shoal_status dataset_open_labels(const struct shoal_dataset *dataset, const char *path,
                                                       size_t rows, double **labels);
/* Reads the labels from the content of an IDX file into labels[rows]. */
SHOAL_MUST_CHECK enum shoal_status dataset_idx_labels(const struct shoal_dataset *dataset, const char *path,
                                                      const char *text, size_t bytes, size_t rows,
                                                      double *labels);
/* Refuses a file with another number of labels than rows. */
SHOAL_MUST_CHECK enum shoal_status dataset_check_labels(const struct shoal_dataset *dataset, const char *path,
                                                        size_t labels, size_t rows);
/* Labels in the last column. dataset_declare_labels, which is called before dataset_choose, names the column
 * and makes it the target. dataset_use_labels, which is called after dataset_choose, makes the labels
 * categories unless the caller has chosen a type for the column. */
SHOAL_MUST_CHECK enum shoal_status dataset_declare_labels(struct shoal_dataset *dataset);
SHOAL_MUST_CHECK enum shoal_status dataset_use_labels(struct shoal_dataset *dataset);
bool dataset_is_fann(const char *text, size_t bytes, bool is_named);
bool dataset_is_thesis(const char *text, size_t bytes);
/* Whether all fields of the first row after a line of names are numbers. */
bool dataset_csv_is_numbers(const char *text, size_t bytes);

#endif
