/* A command and what belongs to one call of it: options, instance, devices. */
#ifndef SHOAL_TOOLS_CLI_SESSION_H
#define SHOAL_TOOLS_CLI_SESSION_H

#include "cli/output/message.h"

#include <shoal/workload.h>

/* Values of the options common to all commands. */
struct cli_common {
    const char *device; /* NULL: the default of the command */
    int32_t variant;    /* enum shoal_variant */
    bool sync, strict_fp;
    const char *kernel_dir, *cache_dir;
    bool no_cache;
    double hang_limit; /* of struct shoal_run_params */
    bool json;
    const char *config;
    int32_t progress; /* enum cli_progress_kind */
    bool quiet, verbose, help;
    const char *help_topic; /* behind --help, "": none */
};

/* Shared options that a command takes; --config, --progress, --quiet, --verbose and --help belong to every
 * one. */
enum {
    CLI_TAKES_JSON = 1,   /* --json */
    CLI_TAKES_DEVICE = 2, /* --device */
    CLI_TAKES_BUILD = 4,  /* --variant --sync --strict-fp --kernel-dir --cache-dir --no-cache */
    CLI_TAKES_CACHE = 8,  /* --cache-dir alone */
    CLI_TAKES_RUN = 16    /* --hang-limit */
};

struct cli;
struct cli_groups;
struct cli_stage; /* stages.h */

/* A command is data: parser, help, man page, completions and configuration files read this. */
struct cli_command {
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs, each one line, split by '\n' */
    unsigned takes;          /* CLI_TAKES_* */
    /* The command's own options, stored in a block of `values_size` bytes that starts as zeros and then goes
     * through `values_init` (NULL: none), which sets the defaults that --help shows. */
    const struct shoal_option *options;
    size_t option_count;
    size_t values_size;
    void (*values_init)(void *values);
    const struct shoal_workload *workload; /* its options come first; NULL: none */
    bool reads_workloads; /* a configuration file sets the sections of the command's operands, or of all
                           * workloads */
    const char *argument; /* metavariable of the operands, e.g. "CASE"; NULL: none are taken */
    size_t max_arguments; /* how many of them */
    /* The words that an operand may be; NULL at their end. NULL: other text too. */
    const char *(*operand_at)(size_t index);
    bool then_file;                       /* the operand behind such a word is a file */
    const struct shoal_example *examples; /* examples of the workloads come after these */
    size_t example_count;
    char *(*details)(void); /* end of the description, made at run time; free(). NULL: none */
    int (*run)(struct cli *cli);
    /* For the message after a stop by a signal: what the command leaves; NULL: the results so far in the
     * output. */
    const char *when_stopped;
    /* Called after options and configuration file to set options that have no value yet. NULL: none. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
    /* Called before the needs of options are checked, for each stage: sets what other options call for. NULL:
     * none do. */
    void (*imply)(struct cli *cli);
};

struct cli {
    const struct cli_command *command;
    int argc; /* the whole command line, for records of a run */
    char **argv;
    struct cli_common common;
    void *values;                    /* of command->options */
    void *params;                    /* of command->workload */
    const struct cli_groups *groups; /* over these values, after cli_parse */
    char **arguments;
    size_t argument_count;
    struct shoal_checkpoint
        *resumed;              /* from which options that were not given have their values; NULL: none */
    struct cli_stage **stages; /* stages of the run, in their order; none: the run has these values */
    size_t stage_count, first_stage; /* the first that runs is the stage of the checkpoint */
    const struct cli_stage *stage;   /* the stage of these values; NULL: values of the whole run */
    struct shoal *shoal;             /* after cli_open */
    struct shoal_device **devices;   /* after cli_select */
    size_t device_count;
};

/* commands.c: every command in the order of the overview, workloads included. */
size_t cli_command_count(void);
const struct cli_command *cli_command_at(size_t index);
const struct cli_command *cli_command_find(const char *name);
/* Reports an unknown command, with a suggestion; returns CLI_USAGE. */
int cli_unknown_command(const char *name);
/* Are the first `count` operands among the words of the command? Exit code, after one line. */
int cli_check_operands(const struct cli *cli, size_t count);

extern const struct cli_command cli_bench, cli_cache, cli_compare, cli_data, cli_devices, cli_kernels,
    cli_tune, cli_verify;
extern const struct cli_command cli_workload;      /* common to the commands of all workloads */
extern const struct cli_command cli_tune_workload; /* and "tune NAME" */
/* The command of the words "NAME", "tune WORKLOAD" or "data WORKLOAD" at the front; *words receives how many.
 * NULL: none. */
const struct cli_command *cli_command_of(int count, char **text, int *words);
/* "tune WORKLOAD" of "tune", likewise of "data"; NULL: there is none. */
const struct cli_command *cli_subcommand(const struct cli_command *command, size_t workload);

/* Opens the instance by the shared options. On failure these three print the reason and return an exit code.
 */
int cli_open(struct cli *cli);
/* shoal_workload_validate before any driver is opened; `where` begins the line, NULL: nothing. */
int cli_validate(const struct cli *cli, const char *where, const struct shoal_workload *workload,
                 const void *params);
/* Opens the instance if not yet open and fills cli->devices from --device, else from `fallback`: a selector,
 * or NULL for the first GPU, else the first device. For the host alone no driver is opened. `flags` as in
 * shoal_device_select. */
int cli_select(struct cli *cli, const char *fallback, unsigned flags);
/* The device that speeds are relative to: the device of cli->devices with the id that --baseline gave; NULL:
 * the host, else the first. Exit code after a line. */
int cli_baseline(const struct cli *cli, const char *id, const struct shoal_device **out);
/* Name of the processor, after cli_select. */
const char *cli_processor(const struct cli *cli);
void cli_close(struct cli *cli);

/* Not an error: "shoal: MESSAGE" on stderr unless --quiet. */
SHOAL_PRINTF(2, 3) void cli_note(const struct cli *cli, const char *format, ...);
/* Each line of a text as such a note. */
void cli_notes(const struct cli *cli, const char *text);

#endif
