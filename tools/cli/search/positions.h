/* A file with the positions that searches found, one for each run. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H
#define SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H

#include "cli/cli.h"

/* Checks that the extension of `path` is a known format. Returns an exit code, after one line for a failure.
 */
int positions_check(const char *path);
/* Writes the positions of a row that has a result. *text: the line that reports the file, which the caller
 * frees; NULL: the write failed. Returns an exit code. */
int positions_write(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                    const char *path, char **text);

#endif
