/* Private: rows of CSV as fields, for tables, data sets and cities alike.
 *
 * Fields are separated by semicolons, commas, tabs or blanks. Where semicolons or tabs separate fields,
 * numbers may have decimal commas: either all numbers with a fraction in the columns in use have a decimal
 * comma, or none has. A field in double quotes may hold separators, and a quote as two quotes; the closing
 * quote must be in the same line. Empty fields after the last column are ignored.
 */
#ifndef SHOAL_IO_CSV_FIELDS_H
#define SHOAL_IO_CSV_FIELDS_H

#include "io/cursor.h"

/* How the rows of a file are written. */
struct csv_style {
    char separator; /* ';' ',' or a tab, else ' ', which stands for any number of blanks */
    bool has_decimal_commas;
};

/* Refuses some texts. SHOAL_IO: the text begins with the bytes of UTF-16 or UTF-32, which the message names,
 * or its lines end in CR alone. */
SHOAL_MUST_CHECK enum shoal_status csv_check_text(const char *name, const char *bytes, size_t count,
                                                  struct shoal_error *error);

/* Rows -------------------------------------------------------------------------------------------------- */

/* Removes the blanks around a line; if tabs separate fields, tabs are kept. False: the line is empty, or
 * begins with '#'. */
bool line_is_row(struct line *line, char separator);
/* Reads the next row; false: there is none. */
bool cursor_next_row(struct cursor *cursor, char separator, struct line *line);
/* Finds the separator of a line: the first of ';' ',' and the tab that the line contains outside of quotes,
 * else ' '. The tab goes before the comma if all fields between tabs are then numbers, at least one of them
 * with a decimal comma. */
char line_separator(struct line line);
/* Finds the style of the rows from the cursor on, whose separator is known. Reads up to the first decimal
 * comma. */
struct csv_style csv_style_of(struct cursor cursor, char separator);
/* Does the row have a number with a decimal comma? used[columns]: is a column examined? NULL: all columns
 * are. */
bool line_has_decimal_comma(struct line line, char separator, const bool *used, size_t columns);
size_t line_field_count(struct line line, char separator);
/* Number of fields in a row, or in the rest of a row, up to the last field that is not empty. */
size_t line_filled_count(struct line line, char separator);
/* Number of empty fields at the end of a row: fields after which no field has content. */
size_t line_empty_end(struct line line, char separator);

/* Fields ------------------------------------------------------------------------------------------------ */

/* Removes the next field from the line, a quoted field with its quotes; false: there is none. After the last
 * field, the beginning of the line is NULL. */
bool line_field(struct line *line, char separator, struct word *field);
bool field_is_quoted(struct word field);
/* The fault in the quotes of a field that line_field has given; NULL: there is no fault, or there are no
 * quotes. */
const char *field_quote_fault(struct word field);
/* The field without quotes around it; doubled quotes inside it stay doubled. */
struct word field_inside(struct word field);
/* The content of a field: without its quotes, with doubled quotes once. Valid until the next call. A failure
 * is noted in `scratch`. */
struct word field_unquote(struct word field, struct text *scratch);
/* Words for a missing value, in place of the usual words. */
struct csv_missing {
    struct word *words;
    double *numbers; /* the number that each word is; NaN: the word is no number */
    size_t count;
    bool has_numbers;
    char *text;
};
/* Reads a list such as "-999, 'not known'"; list NULL: the usual words apply. SHOAL_INVALID: `list` is no
 * list. */
SHOAL_MUST_CHECK enum shoal_status csv_missing_read(const char *list, struct csv_missing *missing,
                                                    struct shoal_error *error);
void csv_missing_free(struct csv_missing *missing); /* accepts zeros */
/* Whether a field that line_field has given is a missing value: it is empty, or one of `missing`, with or
 * without quotes. missing NULL: one of the usual words, ? and those of pandas (NA, nan, null, None ...),
 * without quotes; in quotes only ? and nan are missing values. */
bool field_is_missing(const struct csv_missing *missing, struct word field);
/* Reads the number in a field without quotes. False: the field is no number, or the word "inf" or "nan". */
bool field_number(const struct csv_style *style, struct word field, double *value);
/* Whether a field that line_field has given, quotes included, is a number. A positive infinity is a
 * number. */
bool field_is_number(const struct csv_style *style, struct word field);
/* Returns the kind of a field that line_field has given. Infinities are numbers; so are amounts for which
 * amount_is_sure is true, even if their values cannot be read. Other amounts, such as "12 %", are numbers if
 * all fields of their column are: notation.h. */
enum field_kind { FIELD_MISSING, FIELD_NUMBER, FIELD_AMOUNT, FIELD_WORD };
enum field_kind field_kind(const struct csv_style *style, const struct csv_missing *missing,
                           struct word field, double *value);

/* The place of a field, which messages show as "FILE: row R (line L), column C (NAME)". */
struct csv_place {
    const char *file;
    size_t row, line, column; /* row and column count from 0, line from 1 */
    const char *name;         /* name of the column; NULL: the column has no name */
};
/* Fails with SHOAL_IO and the message "...: 'FIELD' WHAT". */
enum shoal_status csv_fail(const struct csv_place *place, struct word field, const char *what,
                           struct shoal_error *error);

#endif
