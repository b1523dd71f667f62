/* Private: the notation of numbers in the columns of a text that has numbers such as "1,234.5" or "12 %". All
 * numbers of a column have one notation, or the column is refused. */
#ifndef SHOAL_IO_CSV_NOTATION_H
#define SHOAL_IO_CSV_NOTATION_H

#include "io/csv/head.h"

/* The notation of one column's numbers. */
struct csv_notation {
    bool has_words; /* not all fields of the column are numbers */
    /* why the numbers of the column cannot be read, as the end of a message after a number; NULL: they can be
     * read */
    const char *fault;
    struct shown example; /* example of a number that is not plain, and its value */
    double value;
};

/* The notations of all columns of a text. The first field that needs them starts one pass over the rows. */
struct csv_notations {
    const struct csv_text *text;
    const struct csv_missing *missing;
    struct csv_style style;
    size_t first_line, columns;
    struct csv_notation *of; /* notation of each column; NULL until the rows were read */
};
void csv_notations_free(struct csv_notations *notations);

enum csv_verdict {
    CSV_WORD,        /* a word, or a field that may be a word because its column has other words */
    CSV_AMOUNT,      /* a number that can be read */
    CSV_AMOUNT_FAULT /* a number that cannot be read: `fault` has the reason, as the end of a message after
                      * the field */
};
struct csv_reading {
    enum csv_verdict verdict;
    double value;
    const char *fault;
};
/* Reads a field without quotes that field_number refuses. Only one thread may call this at a time. */
SHOAL_MUST_CHECK enum shoal_status csv_notation_read(struct csv_notations *notations, size_t column,
                                                     struct word field, struct csv_reading *reading,
                                                     struct shoal_error *error);
/* Adds a line to *notes on how the numbers of a column are read, after csv_notation_read found an amount in
 * it. advice: end of the line, or "". False: out of memory. */
bool csv_notation_note(const struct csv_notations *notations, const char *file, size_t column,
                       const char *name, const char *advice, char **notes);

/* Reads the finite number in a field of line_field. what: name of the number in messages. */
SHOAL_MUST_CHECK enum shoal_status csv_field_real(const struct cursor *cursor,
                                                  struct csv_notations *notations, size_t column,
                                                  struct word field, const char *what, double *value);

#endif
