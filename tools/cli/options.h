/* The options of a command: parser, configuration files, help, man page, completions. */
#ifndef SHOAL_TOOLS_CLI_OPTIONS_H
#define SHOAL_TOOLS_CLI_OPTIONS_H

#include "cli/session.h"

#include <stdio.h>

enum { CLI_MAX_GROUPS = 6 };
struct cli_group {
    const char *title;
    const struct shoal_option *options;
    size_t count;
    void *values;
    /* [count]: given: the option is set by any source; typed: it is set by the command line. */
    bool *given, *typed;
};
/* The groups of options of a command; their values are in `cli`. */
struct cli_groups {
    struct cli_group group[CLI_MAX_GROUPS];
    size_t count;
};
/* Allocates the values of the command in `cli`, which must be fresh, sets their defaults, and makes the
 * groups of options over these values. */
void cli_groups_init(struct cli_groups *groups, struct cli *cli, const struct cli_command *command);
/* Frees the groups, and the values in `cli`. */
void cli_groups_free(struct cli_groups *groups, struct cli *cli);
const struct shoal_option *cli_groups_find(const struct cli_groups *groups, const char *name, size_t *group);
/* Whether the option was set by the command line, a configuration file or a preset; a value from a checkpoint
 * does not count. */
bool cli_is_given(const struct cli *cli, const char *name);
/* Name of the option closest to `name`; NULL: no name is close enough. */
const char *cli_groups_nearest(const struct cli_groups *groups, const char *name);
/* Whether the needs of an option are met; needs of other options are ignored. defaults: a block of the
 * group's values with the default of every option. */
bool cli_needs_are_met(const struct cli_group *group, const struct shoal_option *option,
                       const void *defaults);
/* Refuses values that have no effect together with the other values; the message names the stage of a value.
 * Returns an exit code. */
int cli_check_needs(const struct cli *cli, const struct cli_groups *groups);
/* The letter of a shared option; 0: it has no letter. */
char cli_short_name(const struct shoal_option *option);

/* Parses the words of a command; argv[0] is its name. Fills `cli`; returns an exit code, after one line on
 * stderr for a failure. */
int cli_parse(struct cli *cli, struct cli_groups *groups, int argc, char **argv);
/* Reads values for options that were not given yet from a configuration file: section [shoal] for shared
 * options, [NAME] for the options of a command or workload. Checks the keys of all sections. Sections
 * [WORKLOAD.STAGE] become the stages of `cli`; commands without stages refuse them. */
int cli_config_read(const char *path, struct cli *cli, struct cli_groups *groups);
/* Reads only section [workload->name] into `params`, and checks its values. */
int cli_config_params(const char *path, const struct shoal_workload *workload, void *params);

/* The functions that follow are in help/: sections.c, help.c, man.c, generate.c. */

/* An option of a section. A section holds the options under one heading; the last section holds options that
 * only reproduce a thesis. */
struct cli_entry {
    const struct cli_group *group;
    size_t index;
};
struct cli_section {
    const char *heading; /* "Pair force" */
    char *name;          /* "pair-force" */
    struct cli_entry *entries;
    size_t count;
};
struct cli_sections {
    struct cli_section *section;
    size_t count;
};
/* Makes the sections of a command; they are valid as long as its groups. */
void cli_sections_init(struct cli_sections *sections, const struct cli_groups *groups);
void cli_sections_free(struct cli_sections *sections);
/* Whether the last section holds options of a thesis. */
bool cli_has_thesis(const struct cli_sections *sections);

void cli_overview(FILE *file);
/* Prints the help of the command. topic: "" for the options that matter most, "all", or the name of a
 * section. Returns an exit code. */
int cli_help(const struct cli_command *command, const char *topic, FILE *file);
/* Returns an example of the command, examples of the workloads included; NULL: `index` is too large. */
const struct shoal_example *cli_example_at(const struct cli_command *command, size_t index);
/* Returns the description of the command with its details; the caller frees the text. */
char *cli_description(const struct cli_command *command);
/* Returns help for preset number `index`, with the files that a run of the preset writes; *name receives the
 * name of the preset. The caller frees the text. NULL: `index` is out of range. */
char *cli_preset_help(const struct cli_command *command, size_t index, const char **name);
char *cli_synopsis(const struct cli_command *command); /* the caller frees the text */
/* Help of an option, with needs, range and default. The caller frees the text. */
char *cli_option_help(const struct cli_group *group, size_t index);
const char *cli_metavariable(const struct shoal_option *option); /* "" for a flag */
/* Prints the manual page of the command that the words name, or without words the page of the program.
 * cli_man_page and cli_generate return an exit code. */
int cli_man_page(int count, char **words);
/* Prints to stdout what `what` names: "man", the man page of the command in `words`; "bash" or "zsh", the
 * completions. */
int cli_generate(const char *what, int count, char **words);

#endif
