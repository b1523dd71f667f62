/* Files that grow during a run, piece by piece: after a failure they end with the last whole piece. */
#ifndef SHOAL_TOOLS_APPEND_H
#define SHOAL_TOOLS_APPEND_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

struct append_file;

/* `keep`: append to the content of the file, else replace it. "-" is standard output. */
SHOAL_MUST_CHECK enum shoal_status append_open(const char *path, bool keep, struct append_file **out,
                                               struct shoal_error *error);
/* SHOAL_IO names the file, the reason and what the file holds. If standard output fails, cli_output_failed
 * ends the run. */
SHOAL_MUST_CHECK enum shoal_status append_write(struct append_file *file, const void *piece, size_t bytes,
                                                struct shoal_error *error);
const char *append_path(const struct append_file *file);
/* Truncates the file to `bytes`; no effect on a pipe. */
SHOAL_MUST_CHECK enum shoal_status append_cut(struct append_file *file, size_t bytes,
                                              struct shoal_error *error);
/* Whether it is empty, or not a regular file. */
bool append_is_empty(const struct append_file *file);
void append_close(struct append_file **file);

#endif
