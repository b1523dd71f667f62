/* Data sets: rows of columns that are numbers, binary, or categories with names. Some columns are targets, to
 * be predicted from the others, the inputs.
 *
 * Files, by content and extension:
 * - CSV: columns separated by semicolons, commas, tabs or blanks. Fields may be in double quotes. The first
 *   line names the columns or is a row, by the rules of docs/data.md. Empty lines and lines that start with
 *   '#' are left out. A field that is empty, or '?', is missing, as are NA, nan, null, None and the like
 *   without quotes.
 * - ARFF, of Weka: numeric, nominal and string attributes, rows dense or sparse; '?' is missing.
 * - IDX, of MNIST: numbers, a row for each index of the first dimension, and labels in a second file.
 * - FANN's training files: "ROWS INPUTS TARGETS", then for each row the inputs and the targets.
 * - the text format of the thesis (B. Grebensek, Ljubljana 2010): "TARGETS, INPUTS", then one line for each
 *   row, with the targets first.
 * - .npy: numbers, as <shoal/data.h> reads them.
 *
 * Every file may be packed by gzip.
 *
 * All values of a column of text decide whether the column holds numbers or a category; words among numbers
 * are an error. A column is binary if its numbers are 0 and 1, or if it holds two different words. Categories
 * are numbered from 0 in the order of their names, or by value where every name is a number. Two kinds of
 * columns are ignored unless `columns` names them: an index without a name, and a column whose words differ
 * in most rows (in more than half of the rows, and in more than 20).
 *
 * A data set is in memory, in the smallest exact form: bits, bytes, single or double precision. Rows and
 * columns count from 0 in calls and from 1 in messages.
 *
 * Threads: a data set is constant once created; any number of threads may read a data set.
 */
#ifndef SHOAL_DATASET_H
#define SHOAL_DATASET_H

#include <shoal/data.h>

SHOAL_BEGIN_DECLS

/* A data set, opened or generated. */
struct shoal_dataset;

/* Kind of the values of a column. */
enum shoal_column_kind {
    SHOAL_COLUMN_NUMBER,   /* Numbers. */
    SHOAL_COLUMN_BINARY,   /* One of two values: 0 and 1, or two words. */
    SHOAL_COLUMN_CATEGORY, /* One of several names. */
    SHOAL_COLUMN_IGNORED   /* The column is left out. */
};

/* How a column becomes numbers. */
enum shoal_encoding {
    SHOAL_ENCODING_PLAIN,   /* The number itself; 0 and 1 for two names. */
    SHOAL_ENCODING_ONE_HOT, /* A number for each category: 1 for the category of the row, 0 for others. */
    /* Whole numbers from a to b become b - a numbers: number k, from 0, is 1 where the value is above a +
     * k. */
    SHOAL_ENCODING_THERMOMETER,
    SHOAL_ENCODING_BITS /* The binary digits of a whole number or category, the highest digit first. */
};

/* Kind of the targets that a net predicts. */
enum shoal_task {
    /* The target is a class if it is one column of words, of 0 and 1, or of 2 to 20 consecutive whole numbers
     * from 0 or 1 on, each in 5 rows or more. Otherwise the targets are numbers. */
    SHOAL_TASK_AUTO,
    SHOAL_TASK_CLASSIFY, /* The target is a class. */
    SHOAL_TASK_REGRESS   /* The targets are numbers. */
};

/* A file and how to read it. Texts are read during the call alone. */
struct shoal_dataset_params {
    size_t size;      /* Bytes of the struct, set by shoal_dataset_params_init. */
    const char *path; /* Path of the file; "-": standard input. Must be set. */
    /* Target columns, by name or number from 1: "species", "1, 4-6". Default: NULL, the targets of the
     * format. */
    const char *target;
    /* Kind or encoding of columns, "species category, id ignored, 2-17 bits:4"; `*` is every column. Kinds:
     * number, binary, category, day (dates of CSV, as days since 1970), ignored. Encodings: one-hot,
     * thermometer, bits:N. Default: NULL, the kinds that the values of the columns show. */
    const char *columns;
    /* "csv", "arff", "idx", "fann", "thesis" or "npy". Default: NULL, by content and name. */
    const char *format;
    /* File of the labels for an IDX or .npy file; the file of labels is IDX or .npy, too. The labels are the
     * target, column "label". Default: NULL, none. */
    const char *labels;
    /* Whether the first line of a CSV file names the columns, enum shoal_header. Default:
     * SHOAL_HEADER_AUTO. */
    int32_t header;
    /* Words of a CSV file that count as missing values, as empty fields do: "-999, NA". Default: NULL, which
     * means ? NA nan null None and the like. */
    const char *missing_values;
    /* Columns that are not ignored even if their words differ in most rows: names or numbers; "*": all.
     * Default: NULL, none. */
    const char *kept;
    int32_t task; /* Kind of the targets, enum shoal_task. Default: SHOAL_TASK_AUTO. */
    /* The rows are for a model, which knows its columns: no column is ignored because its words differ in
     * most rows, and `task` has no effect. Default: false. */
    bool for_model;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_dataset_params_init(struct shoal_dataset_params *params);
#define SHOAL_DATASET_PARAMS(...) SHOAL_INIT(shoal_dataset_params, shoal_dataset_params_init, __VA_ARGS__)

/* A column of a data set. Owned by the data set. */
struct shoal_dataset_column {
    size_t size;                  /* Bytes of the struct as the library knows it. */
    const char *name;             /* Name of the column; its number, from 1, where the file has no names. */
    enum shoal_column_kind kind;  /* Kind of the values. */
    enum shoal_encoding encoding; /* How the column becomes numbers. */
    bool is_target;               /* The column is a target. */
    size_t width;                 /* Number of numbers after encoding. 0: the column is ignored. */
    size_t missing;               /* Number of rows without a value. */
    double least;                 /* Least number. NaN: the column has no numbers. */
    double mean;                  /* Mean of the numbers. NaN: the column has no numbers. */
    double greatest;              /* Greatest number. NaN: the column has no numbers. */
    /* Number of names of a category or binary column. 0: the column holds numbers. */
    size_t category_count;
    const char *const *categories; /* Names, [category_count]. */
    const uint64_t *counts;        /* Rows of each name, [category_count]. */
    /* Why the library ignores the column: "index" or "words". NULL: the column is not ignored, or is ignored
     * because shoal_dataset_params.columns says so. */
    const char *left_out;
};

/* Properties of a data set. Owned by the data set. */
struct shoal_dataset_info {
    size_t size;         /* Bytes of the struct as the library knows it. */
    const char *name;    /* Path of the file, or what generated the data set. */
    const char *format;  /* Format of the file, a word of shoal_dataset_params.format, or "generated". */
    size_t rows;         /* Number of rows. */
    size_t columns;      /* Number of columns. */
    size_t targets;      /* Number of target columns. */
    size_t input_width;  /* Numbers of the inputs of a row, after encoding. */
    size_t target_width; /* Numbers of the targets of a row, after encoding. */
    size_t missing;      /* Number of values that are missing. */
    uint64_t bytes;      /* Memory of the values, in bytes. */
    /* Notes on other ways to read the same file, a sentence on each line. "": there is no other way. */
    const char *notes;
};

/* Reads a file into memory. Destroy the data set with shoal_dataset_destroy.
 * Errors: SHOAL_IO: the file cannot be read, or its content breaks the rules of its format; the message names
 * row and column. SHOAL_INVALID: no path, or there is no column that `target` or `columns` names. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_open(const struct shoal_dataset_params *params,
                                                                struct shoal_dataset **out,
                                                                struct shoal_error *error);

/* Columns of numbers in memory. */
struct shoal_dataset_block {
    const double *values; /* Numbers, [rows][columns]; NaN: missing. Owned by the caller. */
    size_t columns;       /* Number of columns. */
};

/* Makes a data set of `rows` rows, each with the columns of all blocks, blocks[block_count], one after
 * another; columns are named by their numbers, from 1. The numbers are copied, into as few bytes as hold
 * them. `params` as for shoal_dataset_open, without members that belong to files; `path` is the name of the
 * data set in messages, by default "memory". Destroy the data set with shoal_dataset_destroy.
 * Errors: SHOAL_INVALID: there are no rows or no columns, a member belongs to files, or there is no column
 * that `target` or `columns` names. SHOAL_IO: the numbers break a rule of data sets. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_dataset_from_memory(const struct shoal_dataset_params *params, const struct shoal_dataset_block *blocks,
                          size_t block_count, size_t rows, struct shoal_dataset **out,
                          struct shoal_error *error);

/* A rule that generates an equal data set on every machine (docs/data.md). A size of 0 means the usual size
 * of the kind. */
struct shoal_dataset_generator {
    size_t size; /* Bytes of the struct, set by shoal_dataset_generator_init. */
    /* "xor"; "parity" of bits; two "spirals" (K. J. Lang and M. J. Witbrock, 1988); "random" numbers and
     * classes; "teacher": random bits, with the classes that a random net gives to the bits. Must be set. */
    const char *kind;
    /* Number of rows, any number, for spirals an even number, at least 4; 0: the usual number of the kind,
     * for parity all combinations of bits. Default: 0. */
    size_t rows;
    /* Number of inputs of parity, random and teacher: at most 4096, for parity without `rows` at most 20.
     * 0: the usual number of the kind. Default: 0. */
    size_t inputs;
    /* Number of hidden units of the teacher's net, up to 4096; 0: the usual number. Default: 0. */
    size_t hidden;
    /* Number of classes, 2 to 4096, of random and teacher; 0: the usual number of the kind. Default: 0. */
    size_t classes;
    /* Share of the teacher's rows with a wrong class, 0 to 1; 1 - wrong is the best accuracy that can be
     * expected. Default: 0. */
    double wrong;
    uint64_t seed; /* Seed of the numbers, any number. Default: 1. */
};

/* Fills `generator` with the defaults. */
SHOAL_API void shoal_dataset_generator_init(struct shoal_dataset_generator *generator);
#define SHOAL_DATASET_GENERATOR(...)                                                                         \
    SHOAL_INIT(shoal_dataset_generator, shoal_dataset_generator_init, __VA_ARGS__)

/* Creates a data set by a rule. Destroy the data set with shoal_dataset_destroy.
 * Errors: SHOAL_INVALID: an unknown kind, or a size that the kind does not have or that is out of its
 * range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_dataset_generate(const struct shoal_dataset_generator *generator, struct shoal_dataset **out,
                       struct shoal_error *error);

/* Whether a file is a plain table, for shoal_table_open: a CSV file whose first row holds only numbers, or a
 * .npy file. True also for a CSV file that is no text and for a file that cannot be read. Any thread. */
SHOAL_API bool shoal_dataset_is_table(const char *path);

/* Properties of the data set. Valid as long as the data set. */
SHOAL_API const struct shoal_dataset_info *shoal_dataset_get_info(const struct shoal_dataset *dataset);

/* Column number `index`, from 0. Valid as long as the data set. NULL: `index` is out of range. */
SHOAL_API const struct shoal_dataset_column *shoal_dataset_column_at(const struct shoal_dataset *dataset,
                                                                     size_t index);

/* Reads values of a column in rows first .. first + count - 1 into out, [count]: numbers, or numbers of
 * categories. NaN: the value is missing, or the column is ignored.
 * Errors: SHOAL_INVALID: the range passes the last row, or `column` is out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_read(const struct shoal_dataset *dataset,
                                                                size_t column, size_t first, size_t count,
                                                                double *out, struct shoal_error *error);

/* Writes encoded rows first .. first + count - 1 into out, [count][input_width + target_width]: of each row
 * the inputs, then the targets, in the order of the columns.
 * Errors: SHOAL_INVALID: the range passes the last row. SHOAL_IO: a value is missing; the message names row
 * and column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_encode(const struct shoal_dataset *dataset,
                                                                  size_t first, size_t count, double *out,
                                                                  struct shoal_error *error);

/* Writes a file in the format of its extension. .csv has names and categories as they are. Other formats have
 * the numbers of shoal_dataset_encode: .npy, .idx (whole numbers that fit a byte), .data (FANN) and .txt (the
 * thesis); .data and .txt need inputs and targets. ".gz" after the extension packs the file. The file appears
 * whole or not at all. `precision` is the type of the numbers. `progress` may be NULL.
 * Errors: SHOAL_INVALID: another extension, nothing to write, or numbers that the format cannot hold.
 * SHOAL_IO: the file cannot be written, or a value is missing. SHOAL_STOPPED: `progress` returned false;
 * nothing was written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_dataset_write(const struct shoal_dataset *dataset, const char *path, enum shoal_precision precision,
                    shoal_table_progress progress, void *data, struct shoal_error *error);

/* Destroys the data set and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_dataset_destroy(struct shoal_dataset **dataset);

SHOAL_END_DECLS

#endif
