/* How the module of a workload extends the command of this workload: own options, files, lines during the
 * run. */
#ifndef SHOAL_TOOLS_WORKLOAD_H
#define SHOAL_TOOLS_WORKLOAD_H

#include "cli/cli.h"
#include "cli/commands/verify.h"
#include "cli/help/fields.h"

/* Values of the options that all commands of workloads have; the first member of the block cli->values. */
struct workload_values {
    const char *checkpoint, *resume;
    double checkpoint_every;
    const char *sample_file, *sample_columns, *plot; /* for workloads with samples: run/samples.h */
    bool split;                                      /* one run over all devices */
    const char *shares;                              /* shares of the devices: "23:9"; NULL: equal */
    int32_t algorithm; /* of `shoal optimise`, which reads it before it knows the workload */
    const char *on;    /* options of single devices: "cuda:1:kernel=unrolled"; NULL: none */
};

enum { SAMPLE_CURVES = 4 };

/* A chart of samples over time or steps, for each run. */
struct sample_chart {
    const char *option; /* "--plot-energy" */
    size_t offset;      /* offset of the file's name in the values of the command */
    const char *up;     /* label of the vertical axis */
    const char *columns[SAMPLE_CURVES + 1];
    const char *per; /* name of a count in the result, by which the values are divided; NULL: none */
};

/* A named set of option values. Options that the user gave take precedence, also over values of the set that
 * conflict with them. */
struct workload_preset {
    const char *name, *help;
    const char *files; /* files that a run writes into the current folder, "film.xyz, film-*.png"; NULL: none
                        */
    const char *const (*values)[2]; /* pairs of option and value, ended by NULL */
};

/* The option that chooses a preset; its value is at `offset_` in the values. */
#define PRESET_OPTION(offset_)                                                                               \
    {                                                                                                        \
        .name = "preset", .type = SHOAL_OPTION_TEXT, .offset = offset_, .unit = "NAME",                      \
        .help = "scenario that sets all options that are not given; 'Presets' in --help lists the "          \
                "scenarios",                                                                                 \
        .flags = SHOAL_OPTION_MAIN                                                                           \
    }

enum { REPORT_FIELDS = 2 };

struct cli_data_file;
struct cli_uses;

struct report {
    const char *workload;
    /* fields: keys of the JSON rows, ended by NULL; other_fields: keys of JSON documents of `instead`, NULL:
     * none */
    const struct json_field *fields[REPORT_FIELDS], *other_fields;
    const struct json_field *data_fields; /* keys of JSON documents of `data`; NULL: no such command */
    const char *documents;                /* names of the pages in docs about the workload, such as
                                           * "objectives fitting" */
    const struct shoal_option *options;   /* options of the module; offsets refer to the block of
                                           * `values_size` bytes */
    size_t option_count;
    size_t values_size; /* bytes of the values, which begin with struct workload_values */
    void (*values_init)(void *values);
    const struct workload_preset *presets; /* presets that the option "preset" chooses, ended by a NULL
                                            * name */
    const struct sample_chart *charts;     /* charts that replace --plot */
    size_t chart_count;
    /* Does row_end draw what --plot asks for, instead of a chart of samples? The text says so in the help.
     * NULL: no. */
    bool (*draws_plot)(const struct cli *cli);
    const char *plot_help;
    /* Called after command line and configuration file; sets options that have no value yet. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
    void (*imply)(struct cli *cli); /* see `imply` of struct cli_command */
    /* Prints the results of the rows in place of the usual text; false: the usual text is printed. */
    bool (*print)(struct cli *cli, const struct cli_row *rows, size_t count);
    /* Called before any device is opened, to find errors early. Returns an exit code. NULL, for this and all
     * members below: nothing to do. */
    int (*check)(struct cli *cli);
    /* Whether `instead` will do everything that the user asked for, without valid parameters of a run. */
    bool (*makes_no_run)(const struct cli *cli);
    /* Does what the user asked for in place of a run, after `check`. Returns true and an exit code; false: a
     * run was asked for. */
    bool (*instead)(struct cli *cli, int *code);
    /* Called before and after the run of each row. row_begin connects the row to the parameters; files that
     * grow during the run may be added to `files`. The solver exists until row_end returns; NULL: the run
     * failed. */
    int (*row_begin)(struct cli *cli, struct cli_row *row, struct piece_files *files);
    int (*row_end)(struct cli *cli, struct cli_row *row, struct shoal_solver *solver);
    /* row_end may leave data in row->kept. row_print prints them below the result of the row, row_json adds
     * them to its JSON object, row_free frees them. */
    void (*row_print)(const struct cli_row *row);
    void (*row_json)(cJSON *object, const struct cli_row *row);
    void (*row_free)(struct cli_row *row);
    /* Whether the first of two rows with finite values has the better value. Of several rows, the best row is
     * named and shown in full. NULL: rows have no order. */
    bool (*is_better)(const struct cli_row *row, const struct cli_row *other);
    /* Called after a run on every device. Changes cli->params for another round and returns its label, such
     * as "control". NULL: no further round, and cli->params have their first values again. round SIZE_MAX:
     * there will be no further round, because a run has failed. */
    const char *(*next)(struct cli *cli, size_t round);
    const struct cli_command *(*data)(void); /* the command "data WORKLOAD" for files of the workload; NULL:
                                              * none */
    /* Says what the workload can do with a file, by cli_uses_add and cli_uses_refuse. NULL: it reads no files
     * of its own. */
    void (*uses)(const struct cli_data_file *file, struct cli_uses *uses);
    const struct verify_check *checks; /* long checks of `shoal verify`, ended by a NULL name; NULL: none */
    const char *const *absent;         /* own options of the command that this build lacks, in the form of
                                        * shoal_workload.absent */
};

/* Defined in reports.c: the modules of all workloads that have one, ended by NULL. */
extern const struct report *const cli_reports[];
/* The module of the search algorithms that have none of their own. */
extern const struct report search_report;

/* The steps between samples, a member of the parameters, for a workload that has samples. */
uint64_t *cli_sample_interval(const struct shoal_workload *workload, const void *params);
/* Sets the steps between samples where they are 0: to the steps of averages if averages were chosen, else to
 * a number that gives about 1000 samples. A resumed run keeps the steps of the checkpoint. */
void cli_want_samples(struct cli *cli);

/* If the user wants no samples: chooses steps that give about 100 samples for the averages, unless the user
 * gave them. */
void cli_want_averages(struct cli *cli);

/* The best row among those with a passed check and a finite value, the first among equals; NULL: none, or the
 * workload does not compare rows. Call this before the rows are freed. */
const struct cli_row *cli_best_row(const struct cli_row *rows, size_t count);

/* Sets the options of a text "time=10 runs=5" that have no value yet, as a preset sets its values. Exit
 * code. */
int cli_take_values(const struct cli *cli, struct cli_groups *groups, const char *values);
/* The preset that --preset names; NULL: the option is not given. */
const char *cli_preset_name(const struct cli_groups *groups);
/* The presets that the option "preset" of the command accepts, ended by a NULL name. NULL: the command has no
 * such option. */
const struct workload_preset *cli_presets_of(const struct cli_command *command);
/* Whether an option, or `value` as a value of an option, is only in builds with theses, and this build is
 * without theses. */
bool cli_needs_theses(const struct cli_groups *groups, const struct cli_command *command, const char *option,
                      const char *value);
/* End of the message about an option or value that this build lacks. */
#define CLI_NEEDS_THESES "needs a build with theses; this one was made with -Dtheses=false"
/* Finds the module of a workload; NULL: the workload has none. */
const struct report *cli_report_of(const struct shoal_workload *workload);
/* Restores the values of the open checkpoint: options that were not given get its values, given options must
 * have them. Exit code. */
int workload_resume(struct cli *cli);
/* Implements `complete` of struct cli_command: sets the values of --preset, and those that --resume
 * restores. */
int workload_complete(struct cli *cli, struct cli_groups *groups);

#endif
