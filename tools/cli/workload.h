/* The report of a workload extends the command of the workload: with further options, files, lines during the
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
    int32_t algorithm; /* option of `shoal optimise`, read before the workload is chosen */
    const char *on;    /* options of single devices: "cuda:1:kernel=unrolled"; NULL: none */
};

enum { SAMPLE_CURVES = 4 };

/* A chart of samples over time or steps, for each run. */
struct sample_chart {
    const char *option;                     /* "--plot-energy" */
    size_t offset;                          /* offset of the file's name in the values of the command */
    const char *up;                         /* label of the vertical axis; NULL: the names of the columns */
    const char *columns[SAMPLE_CURVES + 1]; /* ended by NULL */
    /* An option by which the user names columns, "a,b", in place of `columns`, and the offset of its value.
     * NULL: none. */
    const char *list_option;
    size_t list_offset;
    const char *per; /* field of the result, a count by which the values are divided; NULL: none */
};

/* A named set of option values. Options that the user gave take precedence over the set; values of the set
 * that conflict with such options are dropped. */
struct workload_preset {
    const char *name, *help;
    const char *files; /* files that a run writes into the current folder, "film.xyz, film-*.png"; NULL: none
                        */
    const char *const (*values)[2]; /* pairs of option and value, ended by NULL */
};

/* The option that chooses a preset. offset_: offset of its value in the values of the command. */
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
    /* Whether row_end draws the file of --plot, in place of a chart of samples; NULL: row_end never draws
     * this file. plot_help: text about --plot in the help. */
    bool (*draws_plot)(const struct cli *cli);
    const char *plot_help;
    /* Called after command line and configuration file; sets options that have no value yet. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
    void (*imply)(struct cli *cli); /* see `imply` of struct cli_command */
    /* Prints the results of the rows in place of the usual text; false: the usual text is printed. */
    bool (*print)(struct cli *cli, const struct cli_row *rows, size_t count);
    /* Called before any device is opened, to find errors early. Returns an exit code. `check` and the
     * following members may be NULL: nothing to do. */
    int (*check)(struct cli *cli);
    /* Whether `instead` will do everything that the user asked for, without valid parameters of a run. */
    bool (*makes_no_run)(const struct cli *cli);
    /* Does what the user asked for in place of a run, after `check`. Returns true and an exit code; false: a
     * run was asked for. */
    bool (*instead)(struct cli *cli, int *code);
    /* row_begin is called before the run of each row; it sets callbacks in the parameters, and may add
     * growing files to `files`. row_end is called after the run. The solver exists until row_end returns;
     * solver NULL: the run failed. */
    int (*row_begin)(struct cli *cli, struct cli_row *row, struct piece_files *files);
    int (*row_end)(struct cli *cli, struct cli_row *row, struct shoal_solver *solver);
    /* row_end may leave data in row->kept. row_print prints these data below the result of the row, row_json
     * adds them to the JSON object of the row, row_free frees them. */
    void (*row_print)(const struct cli_row *row);
    void (*row_json)(cJSON *object, const struct cli_row *row);
    void (*row_free)(struct cli_row *row);
    /* Whether the first of two rows with finite values has the better value. Of several rows, the best row is
     * named and shown in full. NULL: rows have no order. */
    bool (*is_better)(const struct cli_row *row, const struct cli_row *other);
    /* Called when all devices have made their runs. Changes cli->params for another round of runs and returns
     * the label of this round, such as "control"; or restores cli->params and returns NULL: there is no
     * further round. round: number of the round; SIZE_MAX: a run has failed, so that there is no further
     * round. */
    const char *(*next)(struct cli *cli, size_t round);
    const struct cli_command *(*data)(void); /* the command "data WORKLOAD" for files of the workload; NULL:
                                              * none */
    /* Adds the uses that the workload has for a file, by cli_uses_add and cli_uses_refuse. NULL: the workload
     * has no file formats of its own. */
    void (*uses)(const struct cli_data_file *file, struct cli_uses *uses);
    const struct verify_check *checks; /* long checks of `shoal verify`, ended by a NULL name; NULL: none */
    const char *const *absent;         /* own options of the command that this build lacks, in the form of
                                        * shoal_workload.absent */
};

/* Defined in reports.c: the reports of the workloads, ended by NULL. */
extern const struct report *const cli_reports[];
/* The report of the search algorithms that have no report of their own. */
extern const struct report search_report;

/* Pointer to the number of steps between samples in `params`, for a workload that has samples. */
uint64_t *cli_sample_interval(const struct shoal_workload *workload, const void *params);
/* Sets the number of steps between samples if it is 0: to the number of steps between samples for averages if
 * that is set, else to a number that gives about 1000 samples. A resumed run keeps the number of the
 * checkpoint. */
void cli_want_samples(struct cli *cli);

/* If the number of steps between samples is 0, sets the number of steps between samples for averages, so that
 * there are about 100 samples, unless the user gave a number. */
void cli_want_averages(struct cli *cli);

/* The best of the rows that have a passed check and a finite value; among equal rows, the first row. NULL:
 * there is no such row, or the workload does not compare rows. Call this before the rows are freed. */
const struct cli_row *cli_best_row(const struct cli_row *rows, size_t count);

/* Sets the options in `values`, "time=10 runs=5", that the user has not given, as a preset does. Returns an
 * exit code. */
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
/* Finds the report of a workload; NULL: the workload has none. */
const struct report *cli_report_of(const struct shoal_workload *workload);
/* Restores the values of the open checkpoint: options that were not given get the values of the checkpoint,
 * and options that were given must have the same values. Returns an exit code. */
int workload_resume(struct cli *cli);
/* Implements `complete` of struct cli_command: sets the values of --preset, and the values that --resume
 * restores. */
int workload_complete(struct cli *cli, struct cli_groups *groups);

#endif
