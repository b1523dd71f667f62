/* Text in the width of the terminal. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_LAYOUT_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the terminal that `file` is, else of the variable COLUMNS, else 80. */
size_t cli_width(FILE *file);
/* Columns that a UTF-8 text takes: one for each code point. */
size_t cli_columns(const char *text);
/* The text in `width` columns (5 at least), without its middle where it is longer: "pthread-sk...MD EPYC".
 * free(). */
char *cli_shortened(const char *text, size_t width);
/* Prints the text from column `at` of the line on, as lines of at most `width` columns that break at blanks;
 * those below begin at column `indent`. The last one is not ended. */
void cli_wrap(FILE *file, const char *text, size_t at, size_t indent, size_t width);
/* A paragraph: the text from the begin of a line on, up to the end of the last one. */
void cli_paragraph(FILE *file, size_t indent, const char *text);

#endif
