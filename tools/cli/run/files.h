/* Files that a call of any command reads and writes, by the options and operands that name them. */
#ifndef SHOAL_TOOLS_CLI_RUN_FILES_H
#define SHOAL_TOOLS_CLI_RUN_FILES_H

#include "cli/cli.h"

/* Refuses to write a file that another option reads or writes, also by another name or through a link. `row`:
 * its own files; NULL: as they were given, in all stages. Exit code. */
int run_files_check(const struct cli *cli, const struct cli_row *row);
/* The same of one more file that is written, one of a list of `option`, "--NAME". */
int run_files_check_read(const struct cli *cli, const char *option, const char *path);

#endif
