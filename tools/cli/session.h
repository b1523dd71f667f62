/* A command, and the data of one invocation: options, instance, devices. */
#ifndef SHOAL_TOOLS_CLI_SESSION_H
#define SHOAL_TOOLS_CLI_SESSION_H

#include "cli/output/message.h"

#include <shoal/workload.h>

/* Values of the options common to all commands. */
struct cli_common {
    const char *device; /* selector of devices; NULL: the default of the command */
    int32_t variant;    /* enum shoal_variant */
    bool sync, strict_fp;
    const char *kernel_dir, *cache_dir;
    bool no_cache;
    double hang_limit; /* see struct shoal_run_params */
    bool energy;       /* --energy */
    bool json;
    const char *config;
    int32_t progress; /* enum cli_progress_kind */
    bool quiet, verbose, help;
    const char *help_topic; /* topic after --help; "": none */
};

/* Groups of shared options that a command takes. Every command takes --config, --progress, --quiet, --verbose
 * and --help. */
enum {
    CLI_TAKES_JSON = 1,   /* --json */
    CLI_TAKES_DEVICE = 2, /* --device */
    CLI_TAKES_BUILD = 4,  /* --variant --sync --strict-fp --kernel-dir --cache-dir --no-cache */
    CLI_TAKES_CACHE = 8,  /* --cache-dir alone */
    CLI_TAKES_RUN = 16    /* --hang-limit --energy */
};

struct cli;
struct cli_groups;
struct cli_stage; /* defined in stages.h */

/* A command as data, which parser, help, man page, completions and configuration files read. */
struct cli_command {
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs, each in one line */
    unsigned takes;          /* bits CLI_TAKES_* */
    /* The options of the command, besides shared options and options of a workload. Their values are in a
     * block of `values_size` bytes, which begins as zeros; then `values_init` (NULL: none) sets the defaults
     * that --help shows. */
    const struct shoal_option *options;
    size_t option_count;
    size_t values_size;
    void (*values_init)(void *values);
    const struct shoal_workload *workload; /* workload whose options come first; NULL: none */
    /* the command reads the sections that a configuration file has for the workloads among its operands, or,
     * without such operands, for all workloads */
    bool reads_workloads;
    const char *argument; /* metavariable of the operands, for example "CASE"; NULL: the command takes none */
    size_t max_arguments; /* most operands */
    /* Returns word number `index` of the words that are allowed as operands; NULL: `index` is out of range.
     * operand_at NULL: operands may be any words. */
    const char *(*operand_at)(size_t index);
    /* the first operand is a word of operand_at, the next the name of a file */
    bool then_file;
    /* examples of the command; the help adds examples of its workload */
    const struct shoal_example *examples;
    size_t example_count;
    /* makes the end of the description at run time; the caller frees the text. NULL: none */
    char *(*details)(void);
    int (*run)(struct cli *cli);
    /* What remains of the command's work when a signal stops it: the end of the message about the stop. NULL:
     * "the output holds the results so far". */
    const char *when_stopped;
    /* Called after options and configuration file; sets options that have no value yet. NULL: not called. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
    /* Called for each stage before the needs of options are checked; sets options that other options imply.
     * NULL: not called. */
    void (*imply)(struct cli *cli);
};

struct cli {
    const struct cli_command *command;
    int argc; /* the whole command line, for the records of a run */
    char **argv;
    struct cli_common common;
    void *values;                    /* values of command->options */
    void *params;                    /* parameters of command->workload */
    const struct cli_groups *groups; /* groups of options, with values in this struct, after cli_parse */
    char **arguments;
    size_t argument_count;
    const char *choice; /* the workload and why it was chosen, "NAME, since ..."; NULL: the user named it */
    struct shoal_checkpoint *resumed; /* the checkpoint that gives the values of options that were not given;
                                       * NULL: none */
    struct cli_stage **stages;        /* stages of the run in their order; none: the run has no stages */
    /* first_stage: index of the first stage to run: the stage of the checkpoint, else 0 */
    size_t stage_count, first_stage;
    const struct cli_stage *stage; /* the stage to which the values belong; NULL: they belong to the whole
                                    * run */
    struct shoal *shoal;           /* the instance, which cli_open sets */
    struct shoal_device **devices; /* the selected devices, which cli_select sets */
    size_t device_count;
};

/* Defined in commands.c: every command in the order of the overview, commands of workloads included. */
size_t cli_command_count(void);
const struct cli_command *cli_command_at(size_t index);
const struct cli_command *cli_command_find(const char *name);
/* Reports an unknown command, with a suggestion; returns CLI_USAGE. */
int cli_unknown_command(const char *name);
/* Checks that the first `count` operands are among the words of the command. Returns an exit code; a failure
 * is reported in one line. */
int cli_check_operands(const struct cli *cli, size_t count);

extern const struct cli_command cli_bench, cli_cache, cli_compare, cli_data, cli_devices, cli_kernels,
    cli_report, cli_tune, cli_verify;
extern const struct cli_command cli_workload;      /* shared by the commands of all workloads */
extern const struct cli_command cli_tune_workload; /* shared by the commands "tune WORKLOAD" */
/* Makes the command of a workload. */
void cli_workload_command(const struct shoal_workload *workload, struct cli_command *command);
/* Finds the command of the first words "NAME", "tune WORKLOAD", "data WORKLOAD" or "bench bbob"; *words
 * receives the number of words. NULL: there is no such command. */
const struct cli_command *cli_command_of(int count, char **text, int *words);
/* cli_subcommand: command number `index`, from 0, of the commands of two words whose first word is the name
 * of `command`; NULL: there is no command with this number. cli_subcommand_count: a number above the indices
 * of all commands of two words. */
size_t cli_subcommand_count(void);
const struct cli_command *cli_subcommand(const struct cli_command *command, size_t index);

/* Opens the instance by the shared options. cli_open, cli_validate and cli_select print the reason of a
 * failure and return an exit code. */
int cli_open(struct cli *cli);
/* Calls shoal_workload_validate before any driver is opened. where: begin of the message; NULL: none. */
int cli_validate(const struct cli *cli, const char *where, const struct shoal_workload *workload,
                 const void *params);
/* Opens the instance if necessary, and fills cli->devices from --device, else from the selector `fallback`;
 * fallback NULL: the first GPU, else the first device. If only the host is selected, no driver is opened.
 * flags: see shoal_device_select. */
int cli_select(struct cli *cli, const char *fallback, unsigned flags);
/* Works as cli_select for a run over several processes: opens the instance with the devices of all ranks. */
int cli_select_of_ranks(struct cli *cli, const char *fallback);
/* Finds the device to which speeds are relative. id: the value of --baseline, the id of one of cli->devices;
 * NULL: the host if cli->devices contains the host, else the first device. Returns an exit code; a failure is
 * reported in one line. */
int cli_baseline(const struct cli *cli, const char *id, const struct shoal_device **out);
/* Name of the processor, after cli_select. */
const char *cli_processor(const struct cli *cli);
void cli_close(struct cli *cli);

/* Prints "shoal: MESSAGE", which is no error, on stderr, unless --quiet. */
SHOAL_PRINTF(2, 3) void cli_note(const struct cli *cli, const char *format, ...);
/* Prints each line of a text by cli_note. */
void cli_notes(const struct cli *cli, const char *text);

#endif
