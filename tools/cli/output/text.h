/* Memory and texts. Memory that cannot be had ends the process with one line and code 1, so the functions
 * that allocate always succeed. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_TEXT_H
#define SHOAL_TOOLS_CLI_OUTPUT_TEXT_H

#include <shoal/error.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void *cli_alloc(size_t bytes); /* zeroed */
void *cli_realloc(void *block, size_t bytes);
char *cli_strdup(const char *text);
SHOAL_PRINTF(1, 2) char *cli_sprintf(const char *format, ...);
SHOAL_PRINTF(1, 0) char *cli_vsprintf(const char *format, va_list args);

/* Lines on standard output with names that may hold anything: they are cleaned as in tables and blocks. */
SHOAL_PRINTF(1, 2) void cli_print(const char *format, ...);

/* Memory, and a copy of a text, that live until the process ends. */
void *cli_keep_bytes(size_t bytes);
const char *cli_keep(const char *text);

/* Short texts by value: printf("%s", cli_seconds(t).s). "-" stands for values that are not finite, or
 * negative where that makes no sense. */
struct cli_text {
    char s[96];
};
struct cli_text cli_seconds(double seconds);            /* "1.234 ms" */
struct cli_text cli_bytes(uint64_t bytes);              /* "139.8 GiB" */
struct cli_text cli_si(double value, const char *unit); /* "4.012 Gpairs/s"; 4 digits */
struct cli_text cli_figure(double value,
                           const char *unit); /* by its unit: seconds, "ratio", or with prefix */
/* The text of a roof: 0 is "-", and NaN "busy, not measured". */
struct cli_text cli_roof(double value, const char *unit);
/* A measurement: 6 significant digits; a whole number with all of them. */
struct cli_text cli_number(double value);
/* A number that was given or found: the shortest text that reads back as the same number; in single precision
 * if `is_single` and the number is exact there. */
struct cli_text cli_exact(double value, bool is_single);
/* A number with the digits that a result declares: struct shoal_field. */
struct cli_text cli_digits(double value, int digits);
/* A share with `digits` significant digits; near 1 with two digits of its distance from 1: "0.99999983". */
struct cli_text cli_share(double value, int digits);
struct cli_text cli_ratio(double value); /* "12.3x" */
/* A value down to two digits of its standard error, or of another bound of its error: "1700000000.50044".
 * Without an error all digits. */
struct cli_text cli_to_error(double value, double error);
/* The mean of numbers between these, down to a millionth of their range. */
struct cli_text cli_mean(double mean, double least, double greatest);
/* The error with as many decimals as its value. */
struct cli_text cli_error_of(double value, double error);
/* Both: "0.301 +- 0.048"; a measurement alone where the error is not known. */
struct cli_text cli_uncertain(double value, double error);

/* `path` with the tag before its extension; "-", the standard output, unchanged. Free with free(). */
char *cli_tagged_path(const char *path, const char *tag);
/* E.g. ".json" of a file name. */
bool cli_ends_with(const char *text, const char *end);

/* Checks before an hour of work: false, with a line that names `option`, if cli_write_file would fail. A
 * folder is accepted only if the caller names a file in it. */
bool cli_check_output(const char *option, const char *path, bool folder);

/* The file that writing to `path` would replace; NULL: there is none, it is empty, or it cannot be read, thus
 * as a rule not be written either, which is said then. */
FILE *cli_open_replaced(const char *path);

/* False, with a line that names `option`: the file is there, and begins otherwise than with `begin`, at most
 * 16 bytes, which all files of its kind, `what`, begin with. */
bool cli_check_replaced(const char *option, const char *path, const char *begin, const char *what);

/* Fills the record; returns the status. */
SHOAL_PRINTF(3, 4)
enum shoal_status cli_set_error(struct shoal_error *error, enum shoal_status status, const char *format, ...);
/* The system call `call` failed with errno: "PATH: WHAT: REASON STATE", with `what` such as "cannot be
 * written". Returns SHOAL_IO. */
enum shoal_status cli_io_failed(struct shoal_error *error, const char *path, const char *call,
                                const char *what, const char *state);

/* Writes the whole file through a temporary file and a rename. Status SHOAL_IO, message names the path. */
SHOAL_MUST_CHECK enum shoal_status cli_write_file(const char *path, const void *data, size_t bytes,
                                                  struct shoal_error *error);

#endif
