/* shoal optimise: the command of the algorithm that the user names, or that suits the problem. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_OPTIMISE_H
#define SHOAL_TOOLS_CLI_SEARCH_OPTIMISE_H

#include "cli/session.h"

/* The command with the options that all algorithms share, which --help and configuration files show. */
const struct cli_command *optimise_command(void);

/* The command that the words of `shoal optimise` mean: that of an algorithm. argv[0] is "optimise". Returns
 * an exit code, after one line for a failure. */
int optimise_resolve(int argc, char **argv, const struct cli_command **out);

/* The command of the algorithm that `topic` names, whose help `shoal optimise --help TOPIC` shows; NULL: no
 * algorithm has this name, or `command` is not optimise_command(). */
const struct cli_command *optimise_topic(const struct cli_command *command, const char *topic);
/* Such a topic by its number, from 0; NULL: there are fewer. */
const char *optimise_topic_at(const struct cli_command *command, size_t index);

/* The algorithms that have the option, "pso, ga", where the command searches and lacks it; the caller frees
 * the text. NULL: there are none. */
char *optimise_owners(const struct cli_command *command, const char *option);

/* Refuses an option that only the algorithms `owners` have. */
void optimise_not_here(const struct cli_command *command, const char *option, const char *owners);

/* Is this the workload of a search algorithm, or of optimise_command()? */
bool optimise_is_search(const struct shoal_workload *workload);

/* A workload and its parameters. */
struct optimise_problem {
    const struct shoal_workload *workload;
    void *params;
};

/* What a command that measures methods works on: its own problem, or that of `shoal optimise` for the
 * algorithm that is named, else for each algorithm that has methods and takes the problem. Returns an exit
 * code, after one line for a failure. The problems live as long as the process. */
int optimise_problems(const struct cli *cli, const struct optimise_problem **out, size_t *count);

/* Was an option of the problem given, besides the algorithm? */
bool optimise_is_given(const struct cli *cli, const struct cli_groups *groups);

/* Does an operand mean the workload: is it its name, or "optimise" and the workload an algorithm? */
bool optimise_is_meant(const char *operand, const char *workload);

#endif
