/* The processes of one call, which a launcher such as mpirun has started. */
#ifndef SHOAL_TOOLS_CLI_RANKS_H
#define SHOAL_TOOLS_CLI_RANKS_H

#include "cli/session.h"

#include <shoal/mpi.h>

/* Joins the other processes where a launcher has started several. Called before the command line is read,
 * with the signals set. Returns an exit code after one line, which rank 0 alone prints. */
int cli_ranks_join(int argc, char **argv);
/* The ranks; NULL: this process is the only one. */
struct shoal_ranks *cli_ranks(void);
/* Says that processes which were started together without MPI make a run each. */
void cli_ranks_note(const struct cli *cli);
/* Is this one of the ranks that only serve their devices? It reads no command line. */
bool cli_ranks_serve_only(void);
/* Serves the devices until rank 0 ends. Exit code. */
int cli_ranks_serve(void);
/* Leaves the other processes, at the end of the program. is_hung: a device or rank no longer answers. Returns
 * the exit code. */
int cli_ranks_leave(int code, bool is_hung);
/* shoal_ranks_open_all. Exit code after one line. */
int cli_ranks_open_all(struct cli *cli, const struct shoal_params *params);
/* shoal_ranks_open with the devices for cli->devices. Exit code after one line. */
int cli_ranks_open(struct cli *cli, const struct shoal_params *params, const char *selector);

#endif
