/* Writes files of results; a file that cannot be written at its path is written elsewhere, so that results
 * are not lost. */
#ifndef SHOAL_TOOLS_CLI_RUN_RESCUE_H
#define SHOAL_TOOLS_CLI_RUN_RESCUE_H

#include <shoal/error.h>
#include <stddef.h>

/* Writes a file; the ending of `path` may determine the format. */
typedef enum shoal_status run_writer(void *data, const char *path, struct shoal_error *error);

/* Writes `path`. If that fails, the file is written as NAME.rescued in the folder of `path`, else in the
 * current folder, else in the folder for temporary files; if NAME.rescued exists, as NAME.2.rescued and so
 * on. Returns CLI_OK, or the exit code of the failure, after a line that names `option` and the file. */
int run_write(const char *option, const char *path, run_writer *write, void *data);
/* Writes bytes to a file, by the rules of run_write. */
int run_write_bytes(const char *option, const char *path, const void *bytes, size_t size);

/* Writes the file as NAME.rescued, as run_write does after a failure; the caller reports the failure. Returns
 * the name of the file, which the caller frees; NULL: the file cannot be written anywhere. ending: the ending
 * of the file's name; NULL: the ending of `path`. */
char *run_rescue(const char *path, const char *ending, run_writer *write, void *data);

#endif
