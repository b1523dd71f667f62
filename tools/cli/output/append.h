/* Files that grow during a run, piece by piece: after a failure they end with the last whole piece. */
#ifndef SHOAL_TOOLS_APPEND_H
#define SHOAL_TOOLS_APPEND_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

struct append_file;

/* `keep` goes on behind what the file holds, else it is begun anew. "-" is standard output. */
SHOAL_MUST_CHECK enum shoal_status append_open(const char *path, bool keep, struct append_file **out,
                                               struct shoal_error *error);
/* SHOAL_IO names the file, the reason and what it holds. Where it is standard output that takes no more,
 * cli_output_failed ends the run. */
SHOAL_MUST_CHECK enum shoal_status append_write(struct append_file *file, const void *piece, size_t bytes,
                                                struct shoal_error *error);
const char *append_path(const struct append_file *file);
/* Cuts off what is behind the first `bytes`, where that can be: not of a pipe. */
SHOAL_MUST_CHECK enum shoal_status append_cut(struct append_file *file, size_t bytes,
                                              struct shoal_error *error);
/* Does it hold nothing yet, or is it no file whose content stays? */
bool append_is_empty(const struct append_file *file);
void append_close(struct append_file **file);

#endif
