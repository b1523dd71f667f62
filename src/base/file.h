/* Whole files: read at once, written so that nobody ever sees a part of one. */
#ifndef SHOAL_BASE_FILE_H
#define SHOAL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Creates `path` with its parents, each missing one with mode 0700. */
bool make_folders(const char *path);
/* Writes a temporary beside `path` and renames it, or into what is there when that is no file, such as a
 * pipe; returns 0 or errno. */
int write_file_atomically(const char *path, const void *const *parts, const size_t *sizes, size_t count);
/* Whole file, malloc'ed with a NUL behind it; NULL with errno set. */
char *read_whole_file(const char *path, size_t *bytes);

#endif
