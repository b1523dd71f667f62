/* Files of a run of `shoal WORKLOAD`, by the options that name them. */
#ifndef SHOAL_TOOLS_CLI_RUN_FILES_H
#define SHOAL_TOOLS_CLI_RUN_FILES_H

#include "cli/cli.h"

/* Refuses to write a file that another option reads or writes, also by another name or through a link. `row`:
 * its own files; NULL: as they were given, in all stages. Exit code. */
int run_files_check(const struct cli *cli, const struct cli_row *row);

#endif
