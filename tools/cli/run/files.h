/* Checks the files that options and operands of a command name. */
#ifndef SHOAL_TOOLS_CLI_RUN_FILES_H
#define SHOAL_TOOLS_CLI_RUN_FILES_H

#include "cli/cli.h"

/* Refuses a file to write that another option reads or writes, also under another path or through a link.
 * row: checks the files of this row; NULL: the files as the user gave them, in all stages. Returns an exit
 * code. */
int run_files_check(const struct cli *cli, const struct cli_row *row);
/* Refuses `path`, a file to write from a list of `option`, "--NAME", if an option or operand reads the same
 * file. Returns an exit code. */
int run_files_check_read(const struct cli *cli, const char *option, const char *path);

#endif
