/* shoal optimise: the command of the algorithm that the user names, or that suits the problem. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_OPTIMISE_H
#define SHOAL_TOOLS_CLI_SEARCH_OPTIMISE_H

#include "cli/session.h"

/* The command `optimise` with the options that all algorithms share, for --help and configuration files. */
const struct cli_command *optimise_command(void);

/* Finds the command of the algorithm that the command line of `shoal optimise`, its configuration file or its
 * checkpoint names; if none is named, or auto, chooses an algorithm by the problem. With --help or an unknown
 * name, *out is optimise_command(). argv[0] is "optimise". Returns an exit code; prints one line for a
 * failure. */
int optimise_resolve(int argc, char **argv, const struct cli_command **out);

/* The command of the algorithm that `topic` names, whose help `shoal optimise --help TOPIC` shows; NULL: no
 * algorithm has this name, or `command` is not optimise_command(). */
const struct cli_command *optimise_topic(const struct cli_command *command, const char *topic);
/* Name of topic number `index`, from 0; NULL: `index` is out of range. */
const char *optimise_topic_at(const struct cli_command *command, size_t index);

/* If `command` is a search that lacks `option`: the names of the algorithms that have this option, "pso, ga".
 * The caller frees the text. NULL: there are none. */
char *optimise_owners(const struct cli_command *command, const char *option);

/* Reports that only the algorithms `owners` have `option`. */
void optimise_not_here(const struct cli_command *command, const char *option, const char *owners);

/* Whether `workload` is a search algorithm or the workload of optimise_command(). */
bool optimise_is_search(const struct shoal_workload *workload);

/* A workload and its parameters. */
struct optimise_problem {
    const struct shoal_workload *workload;
    void *params;
};

/* Lists the problems for a command that measures methods. For most commands this is the problem of `cli`. For
 * `shoal optimise` the list has the problem as a problem of the named algorithm, or, if none is named, of
 * each algorithm that has methods and can solve the problem. Returns an exit code, after one line for a
 * failure. The problems live as long as the process. */
int optimise_problems(const struct cli *cli, const struct optimise_problem **out, size_t *count);

/* Whether an option of the workload other than --algorithm was given. */
bool optimise_is_given(const struct cli *cli, const struct cli_groups *groups);

/* Whether an operand means the workload: the operand is the name of the workload, or "optimise" where the
 * workload is a search algorithm. */
bool optimise_is_meant(const char *operand, const char *workload);

#endif
