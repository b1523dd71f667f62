/* Memory and texts. If memory cannot be allocated, the process ends with one line and code 1, so functions
 * that allocate always succeed. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TEXT_H
#define SHOAL_TOOLS_CLI_OUTPUT_TEXT_H

#include <shoal/error.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void *cli_alloc(size_t bytes); /* filled with zeros */
void *cli_realloc(void *block, size_t bytes);
char *cli_strdup(const char *text);
SHOAL_PRINTF(1, 2) char *cli_sprintf(const char *format, ...);
SHOAL_PRINTF(1, 0) char *cli_vsprintf(const char *format, va_list args);

/* Prints lines to standard output. Names in them may contain any characters, which are cleaned as in tables
 * and blocks. */
SHOAL_PRINTF(1, 2) void cli_print(const char *format, ...);

/* Allocate memory, and a copy of a text, that live until the process ends. */
void *cli_keep_bytes(size_t bytes);
const char *cli_keep(const char *text);

/* Short texts, returned by value: printf("%s", cli_seconds(t).s). Values that are not finite, or negative
 * without a meaning, give "-". */
struct cli_text {
    char s[96];
};
struct cli_text cli_seconds(double seconds);            /* "1.234 ms" */
struct cli_text cli_bytes(uint64_t bytes);              /* "139.8 GiB" */
struct cli_text cli_si(double value, const char *unit); /* "4.012 Gpairs/s", with 4 digits */
struct cli_text cli_figure(double value,
                           const char *unit); /* a value by its unit: seconds, "ratio", or with a prefix */
/* A roof as text; 0 gives "-", NaN gives "busy, not measured". */
struct cli_text cli_roof(double value, const char *unit);
/* A measured number: 6 significant digits; a whole number has all its digits. */
struct cli_text cli_number(double value);
/* A given or found number: the shortest text that reads back as the same number; in single precision if
 * `is_single` and the number is exact there. */
struct cli_text cli_exact(double value, bool is_single);
/* A number with the number of digits that a result declares: struct shoal_field. */
struct cli_text cli_digits(double value, int digits);
/* A share with `digits` significant digits; near 1 with two digits of its distance from 1: "0.99999983". */
struct cli_text cli_share(double value, int digits);
struct cli_text cli_ratio(double value); /* "12.3x" */
/* A value down to two digits of its standard error, or of another bound of its error: "1700000000.50044".
 * Without a known error, all digits. */
struct cli_text cli_to_error(double value, double error);
/* The mean of numbers between `least` and `greatest`, down to a millionth of their range. */
struct cli_text cli_mean(double mean, double least, double greatest);
/* The error with as many decimals as the value. */
struct cli_text cli_error_of(double value, double error);
/* Value and error: "0.301 +- 0.048"; only the value, as a measured number, where the error is not known. */
struct cli_text cli_uncertain(double value, double error);

/* `path` with the tag before its extension; "-", standard output, stays. The caller frees the text. */
char *cli_tagged_path(const char *path, const char *tag);
/* Whether `text` ends with `end`, for example a file name with ".json". */
bool cli_ends_with(const char *text, const char *end);

/* Checks before a long run whether cli_write_file would fail: returns false, after a line that names
 * `option`. folder: the caller names a file within `path`, so a folder is accepted. */
bool cli_check_output(const char *option, const char *path, bool folder);

/* Opens the file that a write to `path` would replace. NULL: there is none, it is empty, or it cannot be read
 * (and probably not be written, which is reported then). */
FILE *cli_open_replaced(const char *path);

/* Returns false, after a line that names `option`, if the file exists and does not begin with `begin`, at
 * most 16 bytes that all files of this kind (`what`) begin with. */
bool cli_check_replaced(const char *option, const char *path, const char *begin, const char *what);

/* Fills the record; returns the status. */
SHOAL_PRINTF(3, 4)
enum shoal_status cli_set_error(struct shoal_error *error, enum shoal_status status, const char *format, ...);
/* Reports that the system call `call` failed with errno: "PATH: WHAT: REASON STATE". what: for example
 * "cannot be written". Returns SHOAL_IO. */
enum shoal_status cli_io_failed(struct shoal_error *error, const char *path, const char *call,
                                const char *what, const char *state);

/* Writes a whole file through a temporary file and a rename. SHOAL_IO: the message names the path. */
SHOAL_MUST_CHECK enum shoal_status cli_write_file(const char *path, const void *data, size_t bytes,
                                                  struct shoal_error *error);

#endif
