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

/* Prints lines to standard output. Names within the lines may contain any characters; control characters are
 * replaced as in tables and blocks. */
SHOAL_PRINTF(1, 2) void cli_print(const char *format, ...);

/* cli_keep_bytes allocates memory, and cli_keep copies a text, that lives until the process ends. */
void *cli_keep_bytes(size_t bytes);
const char *cli_keep(const char *text);

/* A short text, returned by value: printf("%s", cli_seconds(t).s). Values that are not finite, or negative
 * where that has no meaning, give "-". */
struct cli_text {
    char s[96];
};
struct cli_text cli_seconds(double seconds);            /* "1.234 ms" */
struct cli_text cli_bytes(uint64_t bytes);              /* "139.8 GiB" */
struct cli_text cli_si(double value, const char *unit); /* "4.012 Gpairs/s", with 4 digits */
struct cli_text cli_figure(double value,
                           /* a value in the form of its unit: seconds, "ratio", or a unit with a prefix */
                           const char *unit);
/* A roof as text; 0 gives "-", NaN gives "busy, not measured". */
struct cli_text cli_roof(double value, const char *unit);
/* A measured number, with 6 significant digits; whole numbers have all digits. */
struct cli_text cli_number(double value);
/* A given or computed number: the shortest text that reads back as the same double; if `is_single` is true
 * and the number is exact in single precision, as the same float. */
struct cli_text cli_exact(double value, bool is_single);
/* A number with `digits` digits, as `digits` of struct shoal_field counts. */
struct cli_text cli_digits(double value, int digits);
/* A share with `digits` significant digits; near 1 with two digits of its distance from 1: "0.99999983". */
struct cli_text cli_share(double value, int digits);
struct cli_text cli_ratio(double value); /* "12.3x" */
/* A value with decimals down to the second digit of `error`, a standard error or another bound:
 * "1700000000.50044". If the error is not known, all digits. */
struct cli_text cli_to_error(double value, double error);
/* The mean of numbers between `least` and `greatest`, down to a millionth of their range. */
struct cli_text cli_mean(double mean, double least, double greatest);
/* The error, with the number of decimals of cli_to_error. */
struct cli_text cli_error_of(double value, double error);
/* Value and error: "0.301 +- 0.048"; only the value, as cli_number, if the error is not known. */
struct cli_text cli_uncertain(double value, double error);

/* Writes a field of a CSV line, in quotes where necessary. */
void cli_csv_text(FILE *out, const char *text);

/* `path` with the tag before its extension; "-", standard output, stays "-". The caller frees the text. */
char *cli_tagged_path(const char *path, const char *tag);
/* Whether `text` ends with `end`, for example a file name with ".json". */
bool cli_ends_with(const char *text, const char *end);

/* Checks before a long run whether cli_write_file would fail: returns false, after a line that names
 * `option`. folder: `path` may be a folder, since the caller writes files within the folder. */
bool cli_check_output(const char *option, const char *path, bool folder);

/* Opens the file that a write to `path` would replace. NULL: there is no such file, the file is empty or
 * cannot be read. A file that cannot be read gives no message here, since a write to it probably fails and
 * reports the failure. */
FILE *cli_open_replaced(const char *path);

/* Checks that `path` does not exist, or is a file of the kind `what`: all files of this kind begin with
 * `begin`, at most 16 bytes. Returns false after a line that names `option`. */
bool cli_check_replaced(const char *option, const char *path, const char *begin, const char *what);

/* Fills `error` and returns `status`. */
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
