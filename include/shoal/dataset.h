/* Data sets: rows of columns that are numbers, binary, or categories with names, of which some are targets.
 *
 * Files, by content and extension:
 * - CSV: columns separated by semicolons, commas, tabs or blanks; fields may be in double quotes; the first
 *   line names the columns or is a row, by the rules of docs/data.md; empty lines and lines that start with
 *   '#' are left out. A field that is empty, or '?', is missing, and without quotes NA, nan, null, None and
 *   the like.
 * - ARFF, of Weka: numeric, nominal and string attributes, rows dense or sparse; '?' is missing.
 * - IDX, of MNIST: numbers, a row for each index of the first dimension, and labels in a second file.
 * - FANN's training files: "ROWS INPUTS TARGETS", then of each row the inputs and the targets.
 * - the thesis's text: "TARGETS, INPUTS", then a line a row, the targets first.
 * - .npy: numbers, as <shoal/data.h> reads them.
 * All of them may be packed by gzip.
 *
 * A column of text is one of numbers or a category, by all of its values: words among numbers are an error.
 * Numbers that are all 0 or 1, both of them there, and two words are binary. Categories are numbered from 0
 * in the order of their names, by value where all are numbers. An index without a name, and a column whose
 * words differ in most rows (more than half of the rows, and than 20), is ignored unless `columns` names it.
 *
 * A data set is in memory, in the smallest exact form: bits, bytes, single or double precision. Rows and
 * columns count from 0 in calls and from 1 in messages.
 *
 * Threads: a data set is constant once created; any number of threads may read it.
 */
#ifndef SHOAL_DATASET_H
#define SHOAL_DATASET_H

#include <shoal/data.h>

SHOAL_BEGIN_DECLS

struct shoal_dataset;

enum shoal_column_kind {
    SHOAL_COLUMN_NUMBER,
    SHOAL_COLUMN_BINARY,
    SHOAL_COLUMN_CATEGORY,
    SHOAL_COLUMN_IGNORED
};

/* How a column becomes numbers. */
enum shoal_encoding {
    SHOAL_ENCODING_PLAIN,       /* its number; of two names 0 and 1 */
    SHOAL_ENCODING_ONE_HOT,     /* a number for each category, of which one is 1 */
    SHOAL_ENCODING_THERMOMETER, /* of whole numbers from a to b: b - a numbers, number k is 1 above a + k */
    SHOAL_ENCODING_BITS         /* the binary digits of a whole number or category, the highest first */
};

/* What the targets are. AUTO: one target of words, or of 0 and 1, is one of classes, and so is one of 2 to 20
 * consecutive whole numbers from 0 or 1 on, each in 5 rows or more; others are numbers. */
enum shoal_task { SHOAL_TASK_AUTO, SHOAL_TASK_CLASSIFY, SHOAL_TASK_REGRESS };

struct shoal_dataset_params {
    size_t size; /* set by shoal_dataset_params_init */
    const char *path;
    const char *target; /* names or numbers of columns, "species", "1, 4-6"; NULL: those of the format */
    /* Columns with what they are to be, "species category, id ignored, 2-17 bits:4"; `*` are all of them. The
     * words: number, binary, category, day (dates of CSV, as days since 1970), ignored; one-hot, thermometer,
     * bits:N. NULL: as found. */
    const char *columns;
    const char *format; /* "csv", "arff", "idx", "fann", "thesis", "npy"; NULL: by content and name */
    const char *labels; /* IDX and .npy: the file of the labels, IDX or .npy, which are the target, column
                           "label"; NULL: none */
    int32_t header;     /* CSV: 1: the first line names the columns, 0: it does not, -1: see above */
    /* CSV: the words that are missing values, "-999, NA", beside the empty one; NULL: see above. */
    const char *missing_values;
    /* Columns that are never left out for having too many words: names or numbers, "*": all. NULL: none. */
    const char *kept;
    int32_t task; /* enum shoal_task */
    /* The file is for a model that knows its columns: no words are left out, and targets stay as found. */
    bool for_model;
};
SHOAL_API void shoal_dataset_params_init(struct shoal_dataset_params *params);
#define SHOAL_DATASET_PARAMS(...) SHOAL_INIT(shoal_dataset_params, shoal_dataset_params_init, __VA_ARGS__)

struct shoal_dataset_column {
    size_t size;      /* of this struct as the library knows it */
    const char *name; /* its number where the file has no names */
    enum shoal_column_kind kind;
    enum shoal_encoding encoding;
    bool is_target;
    size_t width;                 /* numbers after encoding; 0: ignored */
    size_t missing;               /* rows without a value */
    double least, mean, greatest; /* of numbers; NaN: there is none */
    size_t category_count;        /* 0: numbers; binary ones have names, too */
    const char *const *categories;
    const uint64_t *counts; /* rows of each */
    /* Why the column is ignored unasked: "index" or "words"; NULL: it is not. */
    const char *left_out;
};

struct shoal_dataset_info {
    size_t size;
    const char *name;   /* path of the file, or what generated it */
    const char *format; /* as in the parameters, or "generated" */
    size_t rows, columns;
    size_t targets;                   /* columns */
    size_t input_width, target_width; /* numbers of a row after encoding */
    size_t missing;                   /* values */
    uint64_t bytes;                   /* in memory */
    const char *notes;                /* what may be meant otherwise, a sentence a line; "": nothing */
};

/* SHOAL_IO: the file cannot be read or is no such data set, with row and column; SHOAL_INVALID: a column that
 * `target` or `columns` name is not there. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_open(const struct shoal_dataset_params *params,
                                                                struct shoal_dataset **out,
                                                                struct shoal_error *error);
/* Data sets that a rule makes, the same on every machine (docs/data.md): "xor", "parity" of bits, two
 * "spirals" (K. J. Lang and M. J. Witbrock, 1988), "random" numbers and classes, and "teacher": bits, with
 * classes by a random net. Sizes of 0 are those usual for the kind; SHOAL_INVALID: the kind has no such size.
 */
struct shoal_dataset_generator {
    size_t size; /* set by shoal_dataset_generator_init */
    const char *kind;
    size_t rows;
    size_t inputs;  /* parity, random, teacher */
    size_t hidden;  /* teacher: units of the net */
    size_t classes; /* random, teacher */
    double
        wrong; /* teacher: the share of rows with a wrong class; 1 - wrong is the best accuracy to be had */
    uint64_t seed;
};
SHOAL_API void shoal_dataset_generator_init(struct shoal_dataset_generator *generator);
#define SHOAL_DATASET_GENERATOR(...)                                                                         \
    SHOAL_INIT(shoal_dataset_generator, shoal_dataset_generator_init, __VA_ARGS__)
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_dataset_generate(const struct shoal_dataset_generator *generator, struct shoal_dataset **out,
                       struct shoal_error *error);
/* Whether a file is for shoal_table_open: its first row holds numbers alone, and nothing says which of them
 * are targets. True where it cannot be read, too. */
SHOAL_API bool shoal_dataset_is_table(const char *path);

SHOAL_API const struct shoal_dataset_info *shoal_dataset_get_info(const struct shoal_dataset *dataset);
/* NULL: there are fewer. */
SHOAL_API const struct shoal_dataset_column *shoal_dataset_column_at(const struct shoal_dataset *dataset,
                                                                     size_t index);
/* Values of a column in rows first .. first + count - 1: numbers, or those of categories; NaN: missing, or
 * the column is ignored. SHOAL_INVALID: such rows do not exist. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_read(const struct shoal_dataset *dataset,
                                                                size_t column, size_t first, size_t count,
                                                                double *out, struct shoal_error *error);
/* Encoded rows into out[count * (input_width + target_width)]: of each the inputs, then the targets, in the
 * order of the columns. SHOAL_IO names a value that is missing. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_dataset_encode(const struct shoal_dataset *dataset,
                                                                  size_t first, size_t count, double *out,
                                                                  struct shoal_error *error);
/* Writes a file in the format of its extension: .csv with names and categories as they are; the others with
 * the numbers of shoal_dataset_encode: .npy, .idx (bytes, which all of them must be), .data (FANN) and .txt
 * (the thesis), which have inputs and targets. Otherwise as shoal_table_write. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_dataset_write(const struct shoal_dataset *dataset, const char *path, enum shoal_precision precision,
                    shoal_table_progress progress, void *data, struct shoal_error *error);

/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_dataset_destroy(struct shoal_dataset **dataset);

SHOAL_END_DECLS

#endif
