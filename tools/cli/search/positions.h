/* A file of what searches found: the position of each run. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H
#define SHOAL_TOOLS_CLI_SEARCH_POSITIONS_H

#include "cli/cli.h"

/* Does the ending of the name say how it is written? Exit code, after a line. */
int positions_check(const char *path);
/* Writes those of a row that has a result. *text: what is to be said of it, for free(); NULL: it failed. Exit
 * code. */
int positions_write(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                    const char *path, char **text);

#endif
