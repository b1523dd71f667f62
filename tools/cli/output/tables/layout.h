/* Lays out text in the width of the terminal. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TABLES_LAYOUT_H
#define SHOAL_TOOLS_CLI_OUTPUT_TABLES_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

/* Number of columns of the terminal `file`. If `file` is no terminal: the environment variable COLUMNS, else
 * 80. */
size_t cli_width(FILE *file);
/* Number of columns that a UTF-8 text takes: one for each code point. */
size_t cli_columns(const char *text);
/* The text, cut in the middle to at most `width` columns (5 or more): "pthread-sk...MD EPYC". The caller
 * frees the result. */
char *cli_shortened(const char *text, size_t width);
/* Prints the text, beginning in column `at` of the current line, as lines of at most `width` columns that
 * break at blanks. Further lines begin in column `indent`. No line feed ends the last line. */
void cli_wrap(FILE *file, const char *text, size_t at, size_t indent, size_t width);
/* Prints a paragraph that begins and ends with a whole line. */
void cli_paragraph(FILE *file, size_t indent, const char *text);

#endif
