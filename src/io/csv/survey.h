/* Private to this folder: looks at the rows below a first line. */
#ifndef SHOAL_IO_CSV_SURVEY_H
#define SHOAL_IO_CSV_SURVEY_H

#include "io/csv/text.h"

/* The first line of a text, with the rows below it. */
struct csv_first {
    const struct csv_text *text;
    const struct csv_rules *rules;
    struct csv_style style;
    size_t line;                /* number of the first line; the rows follow it */
    size_t columns;             /* number of entries */
    const struct word *entries; /* entries without quotes */
    const enum field_kind *kinds;
};

/* Decides whether the first line is a line of names or a row; *reason tells which and why. *column: the
 * column that decided, if *reason is CSV_NAMES_OVER_NUMBERS, CSV_NAMES_OVER_CLASSES or CSV_ROW_WITH_WORD. */
SHOAL_MUST_CHECK enum shoal_status csv_first_decide(const struct csv_first *first, enum csv_reason *reason,
                                                    size_t *column, struct shoal_error *error);
/* Whether the first fields of the rows below are 0, 1, 2 ... or 1, 2, 3 ... */
SHOAL_MUST_CHECK enum shoal_status csv_first_has_index(const struct csv_first *first, bool *has_index,
                                                       struct shoal_error *error);
/* Number of fields in the longest row, up to its last field that is not empty: at least `least`, which is
 * known, and at most `most`. */
SHOAL_MUST_CHECK enum shoal_status csv_first_find_columns(const struct csv_first *first, size_t least,
                                                          size_t most, size_t *columns,
                                                          struct shoal_error *error);

/* Reads the next row of a text, and adds the number of lines read to *line_number. */
SHOAL_MUST_CHECK enum shoal_status csv_next_row(const struct csv_text *text, char separator,
                                                size_t *line_number, struct line *line,
                                                struct shoal_error *error);

#endif
