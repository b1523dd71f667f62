/* A file of the positions that searches found, one of each run. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H
#define SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H

#include "cli/cli.h"

/* Does the ending of the name say how it is written? Exit code, after a line. */
int positions_check(const char *path);
/* Writes the positions of a row that has a result. *text: the line that reports the file, for free(); NULL:
 * the writing failed. Exit code. */
int positions_write(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                    const char *path, char **text);

#endif
