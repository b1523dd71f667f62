/* Checks the files that a call of any command reads and writes, as options and operands name them. */
#ifndef SHOAL_TOOLS_CLI_RUN_FILES_H
#define SHOAL_TOOLS_CLI_RUN_FILES_H

#include "cli/cli.h"

/* Refuses to write a file that another option reads or writes, even by another name or through a link. row:
 * checks the files of this row; NULL: the files as the user gave them, in all stages. Exit code. */
int run_files_check(const struct cli *cli, const struct cli_row *row);
/* Makes the same check for one more file that is written, from a list of `option`, "--NAME". */
int run_files_check_read(const struct cli *cli, const char *option, const char *path);

#endif
