/* The processes of one command, which a launcher such as mpirun has started. */
#ifndef SHOAL_TOOLS_CLI_RANKS_H
#define SHOAL_TOOLS_CLI_RANKS_H

#include "cli/session.h"

#include <shoal/mpi.h>

/* Joins the other processes if a launcher has started several. Called after cli_signals and before the
 * command line is read. Returns an exit code; rank 0 alone reports a failure in one line. */
int cli_ranks_join(int argc, char **argv);
/* The ranks; NULL: this process is the only one. */
struct shoal_ranks *cli_ranks(void);
/* Prints a note if processes were started together without MPI, since each then makes a run of its own. */
void cli_ranks_note(const struct cli *cli);
/* Whether this process is a rank that only serves its devices, and reads no command line. */
bool cli_ranks_serve_only(void);
/* Serves the devices until rank 0 ends. Returns an exit code. */
int cli_ranks_serve(void);
/* Leaves the other processes, at the end of the program. is_hung: a device or rank no longer answers. Returns
 * the exit code. */
int cli_ranks_leave(int code, bool is_hung);
/* Calls shoal_ranks_open_all for cli->shoal. Returns an exit code; a failure is reported in one line. */
int cli_ranks_open_all(struct cli *cli, const struct shoal_params *params);
/* Calls shoal_ranks_open for cli->shoal, and sets cli->devices. Returns an exit code; a failure is reported
 * in one line. */
int cli_ranks_open(struct cli *cli, const struct shoal_params *params, const char *selector);

#endif
