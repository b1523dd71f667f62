/* The shoal command: what its commands share.
 *
 * Only tools/ prints and exits. Results go to stdout, messages and progress to stderr. A command returns an
 * exit code; main closes the instance, checks stdout and exits. Memory that cannot be had ends the process
 * with one line and code 1, so the functions here that allocate always succeed.
 */
#ifndef SHOAL_TOOLS_CLI_H
#define SHOAL_TOOLS_CLI_H

#include <cjson/cJSON.h>
#include <shoal/device.h>
#include <shoal/measure.h>
#include <shoal/program.h>
#include <shoal/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum cli_exit {
    CLI_OK = 0,
    CLI_FAILURE = 1, /* also: device lost, output cannot be written */
    CLI_USAGE = 2,
    CLI_NO_DEVICE = 3,
    CLI_BUILD = 4,
    CLI_DEVICE_MEMORY = 5,
    CLI_CHECK = 6,
    CLI_REGRESSION = 7,
    CLI_INTERRUPTED = 130,
    CLI_CLOSED_PIPE = 141
};

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
    bool quiet, verbose, help;
};

/* Shared options that a command takes; --config, --quiet, --verbose and --help belong to every one. */
enum {
    CLI_TAKES_JSON = 1,     /* --json */
    CLI_TAKES_DEVICE = 2,   /* --device */
    CLI_TAKES_BUILD = 4,    /* --variant --sync --strict-fp --kernel-dir --cache-dir --no-cache */
    CLI_TAKES_CACHE = 8,    /* --cache-dir alone */
    CLI_TAKES_KERNELS = 16, /* --kernel-dir alone */
    CLI_TAKES_RUN = 32      /* --hang-limit */
};

struct cli;
struct cli_groups;

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
    const char *argument; /* metavariable of the operands, e.g. "CASE"; NULL: none are taken */
    size_t max_arguments; /* how many of them */
    const struct shoal_example *examples;
    size_t example_count;
    int (*run)(struct cli *cli);
    /* What remains after a stop by a signal, for the message; NULL: the results so far in the output. */
    const char *when_stopped;
    /* Called after options and configuration file to set options that have no value yet. NULL: none. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
};

struct cli {
    const struct cli_command *command;
    int argc; /* the whole command line, for records of a run */
    char **argv;
    struct cli_common common;
    void *values; /* of command->options */
    void *params; /* of command->workload */
    char **arguments;
    size_t argument_count;
    struct shoal *shoal;           /* after cli_open */
    struct shoal_device **devices; /* after cli_select */
    size_t device_count;
};

/* commands.c: every command in the order of the overview, workloads included. */
size_t cli_command_count(void);
const struct cli_command *cli_command_at(size_t index);
const struct cli_command *cli_command_find(const char *name);
/* Reports an unknown command, with a suggestion; returns CLI_USAGE. */
int cli_unknown_command(const char *name);

extern const struct cli_command cli_bench, cli_cache, cli_compare, cli_data, cli_devices, cli_kernels,
    cli_tune, cli_verify;
extern const struct cli_command cli_workload;      /* common to the commands of all workloads */
extern const struct cli_command cli_tune_workload; /* and "tune NAME" */
/* The command of the words "NAME", or "tune WORKLOAD", at the front; *words receives how many. NULL: none. */
const struct cli_command *cli_command_of(int count, char **text, int *words);

/* session.c ------------------------------------------------------------------------------------------ */

/* Opens the instance by the shared options. On failure these two print the reason and return an exit code. */
int cli_open(struct cli *cli);
/* Opens the instance if not yet open and fills cli->devices from --device, else from `fallback`: a selector,
 * or NULL for the first GPU, else the first device. `flags` as in shoal_device_select. */
int cli_select(struct cli *cli, const char *fallback, unsigned flags);
void cli_close(struct cli *cli);

int cli_exit_code(enum shoal_status status);
/* Prints "shoal: WHERE: MESSAGE" (and the build log after it) to stderr; `where` may be NULL. Returns the
 * exit code of error->status. */
int cli_fail(const char *where, const struct shoal_error *error);
/* Prints "shoal: MESSAGE" to stderr; for a failure that no shoal_error describes. Returns `code`. */
SHOAL_PRINTF(2, 3) int cli_error(int code, const char *format, ...);
/* Not an error: "shoal: MESSAGE" on stderr unless --quiet. */
SHOAL_PRINTF(2, 3) void cli_note(const struct cli *cli, const char *format, ...);
/* Combines exit codes of several runs: the first failure. */
int cli_first_failure(int code, int next);

/* Ctrl-C and SIGTERM: the first asks for a clean end, the second ends the process as usual. */
void cli_signals(void);
bool cli_stopped(void *unused); /* fits shoal_run_params.stop */
int cli_stop_code(void);        /* 128 + number of the signal, or of cli_output_failed */
/* Standard output cannot be written, `reason` from errno: reported once, a closed pipe not at all, and runs
 * end as by a signal. Returns the exit code. */
int cli_output_failed(int reason);

/* Flushes stdout. CLI_OK, CLI_CLOSED_PIPE without a message, or CLI_FAILURE with one line. Long commands call
 * it after each piece of output, so that a closed pipe ends them. */
int cli_flush(void);

/* progress.c: one line on stderr that is overwritten; only on a terminal and without --quiet. */
struct cli_progress {
    const char *label;
    double limit;   /* seconds after which the run ends; 0 or NaN: none */
    double seconds; /* of the run, at the last line */
    double value;   /* the last that was known */
    bool any, valued;
};
void cli_progress_enable(bool enable);
SHOAL_PRINTF(1, 2) void cli_progress_show(const char *format, ...);
void cli_progress_clear(void);
/* `data` is a struct cli_progress; fits shoal_run_params.progress. */
void cli_progress_steps(void *data, const struct shoal_progress *progress);

/* text.c ----------------------------------------------------------------------------------------------- */

void *cli_alloc(size_t bytes); /* zeroed */
void *cli_realloc(void *block, size_t bytes);
char *cli_strdup(const char *text);
SHOAL_PRINTF(1, 2) char *cli_sprintf(const char *format, ...);

/* Memory, and a copy of a text, that live until the process ends. */
void *cli_keep_bytes(size_t bytes);
const char *cli_keep(const char *text);

/* Short texts by value: printf("%s", cli_seconds(t).s). "-" for what is not finite, or negative where that
 * makes no sense. */
struct cli_text {
    char s[48];
};
struct cli_text cli_seconds(double seconds);            /* "1.234 ms" */
struct cli_text cli_bytes(uint64_t bytes);              /* "139.8 GiB" */
struct cli_text cli_si(double value, const char *unit); /* "4.012 Gpairs/s"; 4 digits */
struct cli_text cli_figure(double value,
                           const char *unit); /* by its unit: seconds, "ratio", or with prefix */
struct cli_text cli_number(double value);     /* 6 significant digits */
struct cli_text cli_ratio(double value);      /* "12.3x" */

/* The word of `count` closest to `word`; NULL: none is close enough to suggest. */
const char *cli_nearest(const char *word, const char *const *words, size_t count);

/* E.g. ".json" of a file name. */
bool cli_ends_with(const char *text, const char *end);

/* Checks before an hour of work: false, with a line that names `option`, if cli_write_file would fail. A
 * folder is accepted only if the caller names a file in it. */
bool cli_check_output(const char *option, const char *path, bool folder);

/* Fills the record; returns the status. */
SHOAL_PRINTF(3, 4)
enum shoal_status cli_set_error(struct shoal_error *error, enum shoal_status status, const char *format, ...);
/* The system call `call` failed with errno: "PATH: WHAT: REASON STATE", with `what` such as "cannot be
 * written". Returns SHOAL_IO. */
enum shoal_status cli_io_failed(struct shoal_error *error, const char *path, const char *call,
                                const char *what, const char *state);

/* Writes the whole text through a temporary file and a rename. Status SHOAL_IO, message names the path. */
SHOAL_MUST_CHECK enum shoal_status cli_write_file(const char *path, const char *text, size_t bytes,
                                                  struct shoal_error *error);

/* table.c: aligned columns. On a narrow terminal elastic columns are truncated with "...". */
struct cli_table;
struct cli_column {
    const char *title;
    bool right;   /* align right: numbers */
    bool elastic; /* may be cut */
};
struct cli_table *cli_table_new(const struct cli_column *columns, size_t count);
void cli_table_row(struct cli_table *table);
/* Next cell of the row; missing cells are empty. */
SHOAL_PRINTF(2, 3) void cli_table_cell(struct cli_table *table, const char *format, ...);
/* Text over the rest of the row, e.g. the reason why a device failed. */
SHOAL_PRINTF(2, 3) void cli_table_span(struct cli_table *table, const char *format, ...);
void cli_table_print(const struct cli_table *table, FILE *file);
void cli_table_free(struct cli_table **table);

/* json.c: stable keys, C locale; numbers that are not finite become null. ------------------------------- */

/* {"schema": 1, "shoal": VERSION, "command": NAME} */
cJSON *cli_json_new(const char *command);
void cli_json_text(cJSON *object, const char *key, const char *text); /* NULL: null */
void cli_json_real(cJSON *object, const char *key, double value);
void cli_json_uint(cJSON *object, const char *key, uint64_t value); /* exact */
void cli_json_bool(cJSON *object, const char *key, bool value);
cJSON *cli_json_object(cJSON *parent, const char *key); /* `key` NULL: appended to an array */
cJSON *cli_json_array(cJSON *parent, const char *key);
/* Values of options by name; integers whose range passes 2^53, such as seeds, as strings. */
void cli_json_options(cJSON *object, const struct shoal_option *options, size_t count, const void *values);
struct cli_text cli_pci(const struct shoal_device_info *info); /* "0000:3b:00.0", "" where unknown */
/* Identification and capabilities of a device. */
cJSON *cli_json_device(cJSON *parent, const char *key, const struct shoal_device *device);
/* In base units, launches in microseconds; null where the device does not support it. */
void cli_json_roofs(cJSON *parent, const char *key, const struct shoal_roofs *roofs);
void cli_json_error(cJSON *object, const char *key, const struct shoal_error *error);
/* Result of a solver: value, error, check, steps, work and the workload's fields. */
void cli_json_result(cJSON *object, const struct shoal_result *result);
/* Prints, deletes `json`, flushes; returns an exit code. */
int cli_json_print(cJSON *json);

/* values.c: option values as text, for the command line, configuration files and listings. ------------- */

/* Parses and checks one value; `where` names the option in messages ("--dim", "run.ini:3: dim"). TEXT values
 * must outlive `values`. On error prints one line and returns false. */
bool cli_value_set(const struct shoal_option *option, void *values, const char *text, const char *where);
/* "" where no value is set: a text that is NULL, a real that is NaN. */
struct cli_text cli_value_get(const struct shoal_option *option, const void *values);
/* "MIN to MAX" of an integer or real; free(). */
char *cli_range(const struct shoal_option *option);
/* True for integers whose range passes 2^53: strings in JSON. */
bool cli_value_is_wide(const struct shoal_option *option);
/* Copies the value of one option from one block to another. */
void cli_value_copy(const struct shoal_option *option, void *to, const void *from);
/* NULL: the workload has no option of that name. */
const struct shoal_option *cli_option_find(const struct shoal_workload *workload, const char *name);
/* Sets the options of a description's line "dim=30 particles=1024". */
void cli_sizes_set(const struct shoal_workload *workload, void *params, const char *sizes);
/* "name=value", separated by blanks, of every option that is set and, where `defaults` is not NULL, is marked
 * to be shown or differs from its default. Free with free(). */
char *cli_values_line(const struct shoal_option *options, size_t count, const void *values,
                      const void *defaults);

/* row.c: one workload on one device, as a row of a table. ----------------------------------------- */

struct cli_row {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    enum shoal_variant variant;
    const char *label;        /* of a further run on the same device, e.g. "control"; NULL: none */
    struct shoal_error error; /* status SHOAL_OK or SHOAL_STOPPED: the figures below hold */
    size_t samples;
    double device_s, wall_s;        /* medians */
    double device_spread;           /* half the interquartile range over the median */
    double device_min, device_max;  /* over the samples */
    double timed_work;              /* work done in device_s, the same in each sample */
    bool native;                    /* native CUDA text took part */
    bool timed_out;                 /* the last sample ended by its time limit */
    double build_s, first_launch_s; /* of the first sample: later ones find kernels and driver warm */
    struct shoal_result result;     /* of the last sample; arrays in it belong to the row */
    /* Called after each sample, the solver is NULL where it failed. NULL: not called. */
    void (*inspect)(void *data, struct cli_row *row, struct shoal_solver *solver);
    void *inspect_data;
};

/* True where the row holds figures: it ran, if only until Ctrl-C, and its check passed. */
bool cli_row_valid(const struct cli_row *row);
/* True also where its check failed: figures to look at, not to compare with. */
bool cli_row_has_result(const struct cli_row *row);
/* Result of the first row that is valid, else of the first that has one; NULL: none. */
const struct shoal_result *cli_first_result(const struct cli_row *rows, size_t count);
/* Problem and sizes of a run in one line: "rastrigin, dim 30; particles=1024 seed=1". `result`, the source of
 * the problem, may be NULL. Free with free(). */
char *cli_work_line(const struct shoal_workload *workload, const void *params,
                    const struct shoal_result *result);
/* Variant of the row: "cu" or "cl", or threads of the host, "t16". */
struct cli_text cli_row_variant(const struct cli_row *row);
/* Distinguishes the files of this row, "" for a single row: "-opencl-0-control". Free with free(), here and
 * below. */
char *cli_row_tag(const struct cli *cli, const struct cli_row *row);
/* `path` with the tag before its extension; "-", the standard output, unchanged. */
char *cli_row_path(const struct cli *cli, const struct cli_row *row, const char *path);
/* Runs `samples` times (fewer after Ctrl-C) with progress on stderr. A failure is kept in row->error and
 * printed with the id of the device. */
void cli_row_run(struct cli_row *row, const void *params, const struct shoal_run_params *run, size_t samples);
void cli_row_clear(struct cli_row *row);
/* Device, variant, status, error, times and result. */
cJSON *cli_json_row(cJSON *array, const struct cli_row *row);

/* options.c, config.c, help.c, man.c, generate.c --------------------------------------------------------- */

enum { CLI_MAX_GROUPS = 5 };
struct cli_group {
    const char *title;
    const struct shoal_option *options;
    size_t count;
    void *values;
    /* One for each option: set by the command line or by an earlier source, and by the command line. */
    bool *given, *typed;
};
/* The option groups of a command over the values in `cli`. */
struct cli_groups {
    struct cli_group group[CLI_MAX_GROUPS];
    size_t count;
};
/* Allocates values with their defaults into a fresh `cli`, and the groups over them. */
void cli_groups_init(struct cli_groups *groups, struct cli *cli, const struct cli_command *command);
/* Frees the groups, and the values in `cli`. */
void cli_groups_free(struct cli_groups *groups, struct cli *cli);
/* Heading in front of an option of the group; NULL: it belongs to the one before. */
const char *cli_heading(const struct cli_group *group, size_t index);
const struct shoal_option *cli_groups_find(const struct cli_groups *groups, const char *name, size_t *group);
/* Name of the option closest to `name`, or NULL. */
const char *cli_groups_nearest(const struct cli_groups *groups, const char *name);
/* Letter of a shared option, 0 where it has none. */
char cli_short_name(const struct shoal_option *option);

/* argv[0] is the name of the command. Fills cli; returns an exit code after one line on stderr. */
int cli_parse(struct cli *cli, struct cli_groups *groups, int argc, char **argv);
/* Values of a configuration file for options that were not given yet: section [shoal] for the shared options,
 * [NAME] for those of a command or workload. Keys of every section are checked. */
int cli_config_read(const char *path, struct cli *cli, struct cli_groups *groups);
/* Values of section [workload->name] alone, checked, into `params`. */
int cli_config_params(const char *path, const struct shoal_workload *workload, void *params);

void cli_overview(FILE *file);
void cli_help(const struct cli_command *command, FILE *file);
char *cli_synopsis(const struct cli_command *command); /* free() */
/* Help of an option with what it needs, its range and default; free(). */
char *cli_option_help(const struct cli_group *group, size_t index);
const char *cli_metavariable(const struct shoal_option *option); /* "" for flags */
int cli_man_page(void);
/* "man", "bash" or "zsh"; returns an exit code. */
int cli_generate(const char *what);

#endif
