/* Private: a text in columns that is read more than once, how it is to be read, and what its first line is.
 */
#ifndef SHOAL_IO_CSV_TEXT_H
#define SHOAL_IO_CSV_TEXT_H

#include "io/csv/fields.h"

#include <shoal/data.h>

/* A text that is read more than once. */
struct csv_text {
    const char *name; /* file name, for messages */
    /* Gives the next line without its end, valid until the next call; more text or a NUL follows it. begin
     * NULL: there is no further line. */
    enum shoal_status (*next)(void *state, struct line *line, struct shoal_error *error);
    enum shoal_status (*rewind)(void *state, struct shoal_error *error);
    void *state;
};

/* Why the first line is a line of names, or a row. */
enum csv_reason {
    CSV_ROW,
    CSV_ROW_ASKED,
    CSV_ROW_OF_TWO,         /* a row; the line is 0, 1 or 1, 2, which may be names */
    CSV_ROW_WITH_WORD,      /* a row, although it has a word that occurs nowhere below it in a column of
                             * words */
    CSV_NAMES_ASKED,        /* names, as the caller asked. This and the later values mean that the first line,
                             * or a comment, has names of columns */
    CSV_NAMES_COMMENT,      /* names, in a comment line after #; the first line is a row */
    CSV_NAMES_OVER_NUMBERS, /* the first line has no number, and a word over a column of numbers */
    CSV_NAMES_OVER_CLASSES, /* names: the line has a word that occurs nowhere else in a column of repeated
                             * words */
    /* names: all columns are words, and the words of the first line differ and occur nowhere else */
    CSV_NAMES_OVER_WORDS,
    CSV_NAMES_COUNT /* names: the line is 0 .. k - 1 or 1 .. k over numbers that are not all whole */
};

struct csv_rules {
    enum shoal_header header;
    const struct csv_missing *missing; /* NULL: the usual words mean missing values */
    /* the text may be a square matrix with 0 on its diagonal: a line 0 .. k - 1 above k - 1 rows is then the
     * first row of the matrix */
    bool may_be_matrix;
};

#endif
