/* Private: files written for the user, which appear whole or not at all. */
#ifndef SHOAL_IO_OUTPUT_H
#define SHOAL_IO_OUTPUT_H

#include "base/file.h"
#include "base/text.h"

#include <shoal/error.h>
#include <stdint.h>

/* Fails with SHOAL_IO and the message "PATH: cannot be written: REASON", where `code` is an errno value that
 * a function of file_writer returned. */
enum shoal_status output_failed(const char *path, int code, struct shoal_error *error);

/* A text file that is written in pieces, packed by gzip where its name ends in .gz. After a failure the
 * functions that add text do nothing, and output_close returns the failure. */
struct output {
    struct file_writer writer;
    struct text text; /* text that is not written yet */
};
void output_open(struct output *output, const char *path);
void output_add(struct output *output, const char *string);
SHOAL_PRINTF(2, 3) void output_printf(struct output *output, const char *format, ...);
void output_real(struct output *output, double value); /* see decimal_write */
/* Writes a string of JSON in quotes; invalid UTF-8 becomes '?'. */
void output_json_string(struct output *output, const char *string);
void text_add_json_string(struct text *text, const char *string);
/* Adds a field of CSV, in quotes where necessary. is_first: the first field of its line, where # would begin
 * a comment. */
void text_add_csv_field(struct text *text, const char *field, bool is_first);
/* Closes the file. keep: the file appears under its name, unless something failed; otherwise the temporary
 * file is removed. */
SHOAL_MUST_CHECK enum shoal_status output_close(struct output *output, bool keep, struct shoal_error *error);

#endif
