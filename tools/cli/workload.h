/* Additions of one workload to its command: its own options, files, lines during the run. */
#ifndef SHOAL_TOOLS_WORKLOAD_H
#define SHOAL_TOOLS_WORKLOAD_H

#include "cli/cli.h"
#include "cli/commands/verify.h"
#include "cli/help/fields.h"

/* Values of the options common to the commands of all workloads; first member of the block cli->values. */
struct workload_values {
    const char *checkpoint, *resume;
    double checkpoint_every;
    const char *sample_file, *sample_columns, *plot; /* where the workload has samples: run/samples.h */
};

enum { SAMPLE_CURVES = 4 };

/* A chart of samples over time, or over steps, for each run. */
struct sample_chart {
    const char *option; /* "--plot-energy" */
    size_t offset;      /* offset of the file's name in the values of the command */
    const char *up;     /* what the axis up shows */
    const char *columns[SAMPLE_CURVES + 1];
    const char *per; /* count in the result that the values are divided by; NULL: none */
};

/* A named set of option values; options that were given win, also over values of the set that need others of
 * it. */
struct workload_preset {
    const char *name, *help;
    const char *files; /* files that a run writes into the current folder, "film.xyz, film-*.png"; NULL: none
                        */
    const char *const (*values)[2]; /* option and value, ended by NULL */
};

/* The option that chooses one, at `offset` of the values. */
#define PRESET_OPTION(offset_)                                                                               \
    {                                                                                                        \
        .name = "preset", .type = SHOAL_OPTION_TEXT, .offset = offset_, .unit = "NAME",                      \
        .help = "a scenario that sets every option not given, listed under 'Presets' in --help",             \
        .flags = SHOAL_OPTION_MAIN                                                                           \
    }

enum { REPORT_FIELDS = 2 };

struct cli_data_file;
struct cli_uses;

struct report {
    const char *workload;
    /* Keys of JSON: of its rows, ended by NULL where there are fewer; of documents of `instead`, NULL:
     * none. */
    const struct json_field *fields[REPORT_FIELDS], *other_fields;
    const struct json_field *data_fields; /* of `data`, NULL: it has none */
    const char *documents;                /* pages of docs about it, "objectives fitting" */
    const struct shoal_option *options;   /* offsets in the block of `values_size` bytes */
    size_t option_count;
    size_t values_size; /* which begins with struct workload_values */
    void (*values_init)(void *values);
    const struct workload_preset *presets; /* chosen by the option "preset"; ended by a NULL name */
    const struct sample_chart *charts;     /* in place of --plot */
    size_t chart_count;
    /* Whether row_end draws what --plot asks for, and not the samples, and what the help says of that. NULL:
     * it does not. */
    bool (*draws_plot)(const struct cli *cli);
    const char *plot_help;
    /* Called behind command line and configuration file, to set options that have no value yet. */
    int (*complete)(struct cli *cli, struct cli_groups *groups);
    void (*imply)(struct cli *cli); /* as that of a command */
    /* Prints the rows' results in place of the text; false: as ever. */
    bool (*print)(struct cli *cli, const struct cli_row *rows, size_t count);
    /* Called before any device is opened, for errors that can be found then. Exit code. NULL, here and below:
     * there is nothing to do. */
    int (*check)(struct cli *cli);
    /* Whether `instead` will do all that was asked for, and has no need of valid parameters of a run. */
    bool (*makes_no_run)(const struct cli *cli);
    /* Does what was asked for in place of a run, after `check`: true, with the exit code. False: it was a
     * run. */
    bool (*instead)(struct cli *cli, int *code);
    /* Around the run of each row: hooks it to the parameters; what grows during the run may be among `files`.
     * The solver is there until row_end returns; NULL where the run failed. */
    int (*row_begin)(struct cli *cli, struct cli_row *row, struct piece_files *files);
    int (*row_end)(struct cli *cli, struct cli_row *row, struct shoal_solver *solver);
    /* row_end leaves data in row->kept. row_print prints the data below the result of a row, row_json adds
     * them to its JSON object, and row_free frees them. */
    void (*row_print)(const struct cli_row *row);
    void (*row_json)(cJSON *object, const struct cli_row *row);
    void (*row_free)(struct cli_row *row);
    /* Whether the first of two rows, whose values are finite, has the better one: of several rows, the best
     * is named and shown whole. NULL: none is. */
    bool (*is_better)(const struct cli_row *row, const struct cli_row *other);
    /* After a run on every device: changes cli->params for another round and returns its label, e.g.
     * "control". NULL: there is none, and cli->params are those that were asked for again. SIZE_MAX: there
     * will be none, a run has failed. */
    const char *(*next)(struct cli *cli, size_t round);
    const struct cli_command *(*data)(void); /* "data WORKLOAD", for its files; NULL: there is none */
    /* Says what the workload makes of a file, by cli_uses_add and cli_uses_refuse. NULL: it reads none of its
     * own. */
    void (*uses)(const struct cli_data_file *file, struct cli_uses *uses);
    const struct verify_check *checks; /* long ones of `shoal verify`, ended by a NULL name; NULL: none */
    const char *const *absent;         /* of the command's own options, as shoal_workload.absent */
};

/* reports.c: of every workload that has one, ended by NULL. */
extern const struct report *const cli_reports[];

/* Steps between the samples of a workload that has samples, in the parameters. */
uint64_t *cli_sample_interval(const struct shoal_workload *workload, const void *params);
/* Sets the steps between samples if they are 0: to the steps of the averages where averages were chosen, else
 * for about 1000 samples. A resumed run has the steps of the checkpoint. */
void cli_want_samples(struct cli *cli);

/* If the user wants no samples: sets the samples for the averages, about 100, unless they are given. */
void cli_want_averages(struct cli *cli);

/* The best of those whose check passed and whose value is finite, of equal ones the first; NULL: none, or the
 * workload does not compare them. Before they are freed. */
const struct cli_row *cli_best_row(const struct cli_row *rows, size_t count);

/* The preset that --preset names; NULL: the option is not given. */
const char *cli_preset_name(const struct cli_groups *groups);
/* The presets that the option "preset" of the command takes; a NULL name ends the list. NULL: the command has
 * no such option. */
const struct workload_preset *cli_presets_of(const struct cli_command *command);
/* Is it an option, or with `value` a value of an option, of builds with theses alone? This build has none. */
bool cli_needs_theses(const struct cli_groups *groups, const struct cli_command *command, const char *option,
                      const char *value);
/* Behind such an option. */
#define CLI_NEEDS_THESES "needs a build with theses; this one was made with -Dtheses=false"
/* NULL: the workload has none. */
const struct report *cli_report_of(const struct shoal_workload *workload);
/* With the checkpoint that is open: what was not given is as there, what was given must be. Exit code. */
int workload_resume(struct cli *cli);
/* For cli_command.complete: sets the values of --preset, and those that --resume brings along. */
int workload_complete(struct cli *cli, struct cli_groups *groups);

#endif
