/* Workloads: all computations of the library behind one interface.
 *
 * A workload is described by data: parameters, options, kernel files. Command line, configuration files,
 * JSON, man page and completions follow from this description. Each workload has two solvers, device kernels
 * and plain C in double precision for the host; shoal_solver_create picks the solver for the device.
 *
 * Threads: workloads, options, cases are constants. One thread at a time uses a solver or its report.
 *
 * Parameters of calls named `params` point to the parameter struct of the workload, such as struct
 * shoal_pso_params, filled by its init function.
 */
#ifndef SHOAL_WORKLOAD_H
#define SHOAL_WORKLOAD_H

#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* Type of an option's value, and of its member in the parameter struct. */
enum shoal_option_type {
    SHOAL_OPTION_FLAG,   /* bool. */
    SHOAL_OPTION_UINT,   /* uint64_t. */
    SHOAL_OPTION_REAL,   /* double. */
    SHOAL_OPTION_CHOICE, /* int32_t, an index into `choices`. */
    SHOAL_OPTION_TEXT    /* const char *, not owned by the struct. */
};

/* An option of a workload: a member of its parameter struct. A constant. */
struct shoal_option {
    const char *name; /* Long option without dashes; also the key in configuration files and JSON. */
    enum shoal_option_type type; /* Type of the value. */
    size_t offset;               /* Offset of the member in a block of parameters, in bytes. */
    const char *unit; /* Unit of the value, or the metavariable of the help text. "": there is none. */
    /* Least allowed value, of UINT and REAL. A REAL whose default is NaN may stay NaN: it is not set. */
    double min;
    double max; /* Greatest allowed value, of UINT and REAL. */
    /* Names of a CHOICE, ended by NULL. NULL: another type. */
    const char *const *choices;
    const char *help; /* Description of the option, without the default, which the command adds. */
    unsigned flags;   /* Flags SHOAL_OPTION_FREE_ON_RESUME and following, or'ed. */
    /* Heading of a group of options that begins with this option. NULL: the group of the option before. */
    const char *group;
    /* Conditions without which a value other than the default has no effect; NULL: none. A list of clauses,
     * all of which must hold, such as "boundary-*=walls, w4: thermostat=nve, w4: !limit". A clause holds if
     * one of its terms, separated by " or ", does. Choices of the option and a colon before a clause mean
     * that the clause applies to these choices only. A term is NAME=VALUE, or NAME=VALUE|VALUE for several
     * choices; NAME>NUMBER; NAME: not the default; !NAME: the default. NAME may end in *, which means any
     * option with that beginning. */
    const char *needs;
    /* For a REAL that also takes words: name of the TEXT option that receives a word. NULL: no words. */
    const char *word;
    /* Other names that the command takes, ended by NULL: "learning-rate" is a name of the option,
     * "rprop=irprop-minus" a name of a choice. Output has the main name. NULL: none. */
    const char *const *also;
};

/* Flags of an option, to be or'ed. */
enum {
    /* The value may differ between a checkpoint and the run that resumes the checkpoint. */
    SHOAL_OPTION_FREE_ON_RESUME = 1,
    SHOAL_OPTION_SHOWN = 2, /* The line on a run includes the value even if the value is the default. */
    /* A UINT whose default 0 means not set; the command accepts values from 1 on. */
    SHOAL_OPTION_ZERO_UNSET = 4,
    /* The choice of the method on a device. The first choice means the tuned method, else a method by rule.
     * `shoal tune` measures the choices. */
    SHOAL_OPTION_METHOD = 8,
    SHOAL_OPTION_READS = 16,  /* A TEXT that names a file on whose content the run depends. */
    SHOAL_OPTION_WRITES = 32, /* A TEXT that names a file to write. */
    /* One of the options that plain --help of a command shows. */
    SHOAL_OPTION_MAIN = 64,
    SHOAL_OPTION_THESIS = 128, /* The option is only of use to repeat the work of a thesis. */
    SHOAL_OPTION_STAGE = 256,  /* The value may change from stage to stage of a run. */
    /* A TEXT that names a file to write that grows during the run; later stages append to the file. */
    SHOAL_OPTION_GROWS = 512,
    SHOAL_OPTION_ONCE = 1024,      /* An option given for all stages applies to the first stage alone. */
    SHOAL_OPTION_OF_DEVICE = 2048, /* Devices of a divided run may have values of their own. */
    SHOAL_OPTION_REPEATS = 4096,   /* A TEXT that may be given several times; blanks join the texts. */
    SHOAL_OPTION_LISTED = 8192     /* A TEXT that may be given several times; semicolons join the texts. */
};

/* Type of a value of a result. */
enum shoal_field_type {
    SHOAL_FIELD_UINT,  /* A whole number, `uint`. */
    SHOAL_FIELD_REAL,  /* A number, `real`. */
    SHOAL_FIELD_REALS, /* Numbers, `reals`. */
    SHOAL_FIELD_TEXT,  /* A text, `text`. */
    SHOAL_FIELD_FLAG   /* Yes or no: `uint` is 1 or 0. */
};

/* Place of a field in text output. */
enum shoal_field_place {
    SHOAL_PLACE_LINE,   /* A line for the field alone. */
    SHOAL_PLACE_JOINED, /* On the line of the preceding field. */
    /* The standard error of the preceding field, shown as "0.301 +- 0.048 (102 samples)". */
    SHOAL_PLACE_ERROR,
    SHOAL_PLACE_NONE /* The field is not shown, since another field has the same content. */
};

/* One value of a result. */
struct shoal_field {
    const char *name; /* Stable JSON key. */
    /* Unit of the value; for a standard error the name of what `count` counts, "samples". "": none. */
    const char *unit;
    /* Member that holds the value. */
    enum shoal_field_type type;
    uint64_t uint; /* Value of a UINT or a FLAG. */
    double real;   /* Value of a REAL. */
    /* Values of REALS, [count]. Owned by the solver, valid until the next call on the solver. */
    const double *reals;
    size_t count;     /* Number of `reals`; for a standard error the number of its samples. */
    const char *text; /* Value of a TEXT. Owned by the solver, valid until the next call on the solver. */
    /* Place in text output. */
    enum shoal_field_place place;
    /* Decimal digits of a REAL or of each number of REALS: 9 in single precision, 17 in double. 0: a
     * measurement or a figure over several results, for which six digits are enough. */
    int32_t digits;
};

/* Limits of struct shoal_result. */
enum {
    SHOAL_RESULT_FIELDS = 80 /* Most fields of a result. */
};

/* The result of a run, checked on the host in double precision. Texts are owned by the solver and are valid
 * until the solver is destroyed, unless a member says otherwise. */
struct shoal_result {
    size_t size;            /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    double value;           /* The headline figure, such as the best objective value that the device found. */
    const char *value_name; /* Name of the value: "best". */
    const char *title;      /* The problem in a few words: "rastrigin, dim 30". NULL: none. */
    /* |device - double reference| / max(1, |reference|) at the device's own result. */
    double error;
    bool check_passed;      /* The check of the result passed. */
    const char *check_name; /* Description of the check. */
    /* The part that failed, its deviation and tolerance. "": nothing failed, or unknown. */
    char check_failure[160];
    const char *warning;    /* Warning about the run, in one line. NULL: none. */
    const char *note;       /* Note for readers of the result, in one line. NULL: none. */
    uint64_t steps;         /* Number of steps done, warm-up included. */
    uint64_t warm_up_steps; /* Number of `steps` that were warm-up. */
    double work;            /* Units of work done, such as evaluations of the objective. */
    double step_work;       /* Units of work of one step. */
    const char *work_unit;  /* Name of the unit of work: "evaluations". */
    /* Roof of the device against which the work is measured. SHOAL_ROOF_NONE: none. */
    enum shoal_roof roof;
    /* Least cost of a unit of work in units of the roof: bytes read and written, or operations. */
    double roof_work;
    struct shoal_field fields[SHOAL_RESULT_FIELDS]; /* Further values, [field_count]. */
    size_t field_count;                             /* Number of `fields`. */
    /* Name of an option whose value had no effect on this run. NULL: none is known. */
    const char *unused;
    const char *value_unit; /* Unit of the value: "m". NULL: there is none, or unknown. */
    int32_t value_digits;   /* Decimal digits of the value, counted as `digits` of struct shoal_field. */
};

/* The field with the name `name`. Valid as long as the result. NULL: there is none. */
SHOAL_API const struct shoal_field *shoal_result_find(const struct shoal_result *result, const char *name);

/* The value of the UINT, REAL or FLAG field with the name `name`. NaN: there is no such field. */
SHOAL_API double shoal_result_number(const struct shoal_result *result, const char *name);

/* A run in progress: parameters and state, on a device or on the host. Created by shoal_solver_create. */
struct shoal_solver;

/* Private: the functions of a solver. */
struct shoal_solver_ops;

/* Type of a column of samples. */
enum shoal_column_type {
    SHOAL_COLUMN_UINT, /* uint64_t. */
    SHOAL_COLUMN_REAL  /* double. */
};

/* A column of the samples of a run: a member of the struct that a sample is. */
struct shoal_column {
    const char *name;                    /* Name of the column, also the JSON key. */
    const char *unit;                    /* Unit. "": there is none. */
    enum shoal_column_type type;         /* Type of the member. */
    size_t offset;                       /* Offset of the member in the sample, in bytes. */
    bool (*applies)(const void *params); /* Whether runs with these parameters have a value. NULL: always. */
    unsigned flags;                      /* Flags SHOAL_COLUMN_IN_FILES and following, or'ed. */
    /* Heading of the column in the lines of a run, where the name is long. NULL: the name. */
    const char *title;
};

/* Flags of a column, to be or'ed. */
enum {
    SHOAL_COLUMN_IN_FILES = 1,  /* CSV and JSON files have the column even where there is no value. */
    SHOAL_COLUMN_IN_TABLES = 2, /* Table files have the column even where there is no value. */
    /* Lines of a run show the column by default. If no column has this flag, all columns are shown. */
    SHOAL_COLUMN_SHOWN = 4
};

/* Samples that a run takes every N steps. */
struct shoal_sampling {
    const char *option; /* Name of the UINT option whose value is N. */
    /* Name of the UINT option whose value is N if the value of `option` is 0; only averages of the result use
     * these samples. If neither option is given, `shoal WORKLOAD` sets the option named here so that about
     * 100 samples are taken. NULL: there is none. */
    const char *averages;
    const char *what;                   /* Name of the samples in messages: "samples". */
    const struct shoal_column *columns; /* Columns of a sample, [column_count]; the first is "step". */
    size_t column_count;                /* Number of columns. */
    size_t size;                        /* Bytes of a sample. */
    /* `shoal WORKLOAD` shows lines of samples even if `option` is not given, fewer in long runs. */
    bool is_shown;
};

/* Receives a sample: the struct of the workload that its columns describe, valid during the call. True ends
 * the run with SHOAL_IO and the message `*failure`, a text of the caller. */
typedef bool shoal_sample_callback(void *data, const void *sample, const char **failure);

/* An example of a command, for help and man page. */
struct shoal_example {
    const char *command; /* The command: "shoal pso --dim 30". */
    const char *help;    /* Description of the command. */
};

/* Purpose of a case: flags, to be or'ed. */
enum {
    /* `shoal verify` tries each choice of an option in the first such case where it has an effect. */
    SHOAL_CASE_VERIFY = 1,
    SHOAL_CASE_TUNE = 2,        /* `shoal tune` measures the case. */
    SHOAL_CASE_SLOW_ON_CPU = 4, /* The case takes minutes on a processor. */
    /* `shoal verify` does not try the choice of the case: the host is too slow, or a file is needed. */
    SHOAL_CASE_NO_VERIFY = 8,
    /* A size of `shoal compare`, named "small" (some seconds on two cores at most), "medium" (about half a
     * minute) or "large" (fills a GPU). */
    SHOAL_CASE_COMPARE = 16,
    /* `shoal verify` runs the case as a row of its own. If the case is named "defaults", this row replaces
     * the run with the defaults, in which rounding errors would grow too much. */
    SHOAL_CASE_VERIFY_ALONE = 32
};

/* Values of options, besides the defaults, to verify, tune or compare with. */
struct shoal_case {
    const char *name;   /* Name of the case. */
    const char *values; /* Options and values: "dim=3 boundary-z=walls". */
    unsigned flags;     /* Flags SHOAL_CASE_VERIFY and following, or'ed. */
};

/* Flags of a workload, to be or'ed. */
enum {
    SHOAL_WORKLOAD_SIMULATES = 1, /* Steps are simulated time: reports show the number of steps a second. */
    SHOAL_WORKLOAD_HOST_ONLY = 2, /* The workload has no solver for devices, only for the host. */
    SHOAL_WORKLOAD_HOST_FIRST = 4 /* Unless devices are named, programs run the workload on the host. */
};

/* Description of a workload. A constant. */
struct shoal_workload {
    size_t size;         /* Bytes of the struct as the library knows it. */
    const char *name;    /* Name: "pso". */
    const char *summary; /* Description of the workload, in one line. */
    /* Bytes of a block of parameters: the struct of the workload, followed by the struct of its thesis, so
     * that a block is larger than struct shoal_X_params. Allocate and copy this many bytes, never the struct
     * alone. */
    size_t params_size;
    void (*params_init)(void *params);     /* Fills a block of parameters with the defaults. */
    const struct shoal_option *options;    /* Options, [option_count]. */
    size_t option_count;                   /* Number of options. */
    const struct shoal_example *examples;  /* Examples of commands, [example_count]. */
    size_t example_count;                  /* Number of examples. */
    const struct shoal_sampling *sampling; /* Samples of a run. NULL: none. */
    unsigned flags;                        /* Flags SHOAL_WORKLOAD_SIMULATES and following, or'ed. */
    /* Name of `value` in struct shoal_progress: "best". NULL: there is no value. */
    const char *progress_name;
    /* Name of the steps before the measured steps: "equilibration". NULL: there are none. */
    const char *warm_up_name;
    /* Names that a build with theses has and this build lacks: options, "unroll", and choices of options,
     * "method=cells"; this build may lack the option, too. A NULL ends the list. NULL: this build has theses,
     * or the workload has none. */
    const char *const *absent;
};

/* Number of workloads. */
SHOAL_API size_t shoal_workload_count(void);

/* Workload number `index`, from 0. NULL: `index` is out of range. */
SHOAL_API const struct shoal_workload *shoal_workload_at(size_t index);

/* The workload with the name `name`. NULL: there is none. */
SHOAL_API const struct shoal_workload *shoal_workload_find(const char *name);

/* Number of cases of a workload. */
SHOAL_API size_t shoal_workload_case_count(const struct shoal_workload *workload);

/* Case number `index`, from 0, in the order of `shoal tune`. NULL: `index` is out of range. */
SHOAL_API const struct shoal_case *shoal_workload_case_at(const struct shoal_workload *workload,
                                                          size_t index);

/* Number of steps that `params` ask for, warm-up included. 0: `params` are not parameters of the workload. */
SHOAL_API uint64_t shoal_workload_total_steps(const struct shoal_workload *workload, const void *params);

/* Seconds after which shoal_run ends the run as complete. NaN: no limit. */
SHOAL_API double shoal_workload_time_limit(const struct shoal_workload *workload, const void *params);

/* Whether programs should make a run with `params` on the host, unless devices are named, rather than on
 * `device`. device NULL: rather than on any device. */
SHOAL_API bool shoal_workload_prefers_host(const struct shoal_workload *workload, const void *params,
                                           const struct shoal_device *device);

/* Number of steps before the measured or sampled steps, such as an equilibration. */
SHOAL_API uint64_t shoal_workload_warm_up_steps(const struct shoal_workload *workload, const void *params);

/* Changes `params` for measurements, so that only the caller ends the run: the largest number of steps, no
 * other end, no records, at most `warm_up_steps` of warm-up. */
SHOAL_API void shoal_workload_make_endless(const struct shoal_workload *workload, void *params,
                                           uint64_t warm_up_steps);

/* Checks `needs` of every option whose value differs from `defaults` or that was given. `values` and
 * `defaults` are parameter structs with values in their ranges. given[i], [count]: option i was given; NULL:
 * none.
 * Errors: SHOAL_INVALID: a condition does not hold; the message is one line. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_options_check(const struct shoal_option *options,
                                                                 size_t count, const void *values,
                                                                 const void *defaults, const bool *given,
                                                                 struct shoal_error *error);

/* Writes `needs` of options[index] in words, "needs thermostat langevin; not with kernel", in at most `size`
 * bytes. "": the option needs nothing. */
SHOAL_API void shoal_option_needs(const struct shoal_option *options, size_t count, size_t index, char *text,
                                  size_t size);

/* Checks ranges, needs and rules across members, and reads the regular files and formulas that the parameters
 * name. No device is needed: see params.host_only. Texts in the kernel dialect are checked among the kernels
 * of `shoal`, and by the C compiler that the host uses, if there is one. `shoal` NULL: among the built-in
 * kernels, without a compiler.
 * Errors: SHOAL_INVALID: a value is out of its range or does not fit another value. SHOAL_IO: a file cannot
 * be read or its content is wrong. SHOAL_BUILD_FAILED: a text does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_workload_validate(struct shoal *shoal,
                                                                     const struct shoal_workload *workload,
                                                                     const void *params,
                                                                     struct shoal_error *error);

/* Creates a solver, on `queue`, which belongs to `device`, or on the host with `queue` NULL. `params` is
 * copied; texts and arrays to which its members point are not, unless their header says so, and must stay
 * valid as long as the solver. `variant` chooses the text of kernels. Destroy the solver with
 * shoal_solver_destroy, before its queue.
 * Errors: see shoal_workload_validate; SHOAL_INVALID also if the queue does not fit the device.
 * SHOAL_UNSUPPORTED: the device cannot do what the parameters ask for, or SHOAL_VARIANT_CU has no text. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_create(const struct shoal_workload *workload, struct shoal_device *device,
                    struct shoal_queue *queue, const void *params, enum shoal_variant variant,
                    struct shoal_solver **out, struct shoal_error *error);

/* Enqueues up to `steps` steps. `*done` receives the number of these steps; 0: the run is complete. If a call
 * fails before the first step of a run is made, the run has not begun: the next call begins the run again and
 * gives the samples of step 0 again.
 * Errors: SHOAL_IO: a callback for samples failed, or a file. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_step(struct shoal_solver *solver, uint64_t steps,
                                                               uint64_t *done, struct shoal_error *error);

/* Enqueues exactly `steps` steps.
 * Errors: SHOAL_INVALID: the run was complete before. Other errors: see shoal_solver_step. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_run(struct shoal_solver *solver, uint64_t steps,
                                                              struct shoal_error *error);

/* Calls `callback` with each sample of the steps to come, from the thread that steps; NULL: no calls. */
SHOAL_API void shoal_solver_on_sample(struct shoal_solver *solver, shoal_sample_callback *callback,
                                      void *data);

/* Waits, reads the result back and checks it on the host in double precision. The run can go on afterwards.
 * Before the call set result->size, usually to 0. A failed check is no error: see result->check_passed.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_result(struct shoal_solver *solver, struct shoal_result *result, struct shoal_error *error);

/* Writes the whole state to a file, which appears whole or not at all: a checkpoint.
 * Errors: SHOAL_IO: the file cannot be written, or a file of the input has changed since the run began. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_save(struct shoal_solver *solver, const char *path,
                                                               struct shoal_error *error);

/* Reads a checkpoint into a solver of the same workload and parameters. The continued run equals an
 * uninterrupted one bit for bit. Options marked SHOAL_OPTION_FREE_ON_RESUME may differ.
 * Errors: SHOAL_IO: the file cannot be read, or is damaged. SHOAL_INVALID: the checkpoint is of another run;
 * the message lists what differs. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_load(struct shoal_solver *solver, const char *path,
                                                               struct shoal_error *error);

/* The description of a run in a checkpoint file, for runs that resume the checkpoint; without the state. */
struct shoal_checkpoint;

/* Reads a checkpoint file. Close the object with shoal_checkpoint_close.
 * Errors: SHOAL_IO: the file cannot be read, or is damaged. SHOAL_INVALID: this library lacks the workload or
 * the solver of the checkpoint. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_checkpoint_open(const char *path, struct shoal_checkpoint **out, struct shoal_error *error);

/* Workload of the run. */
SHOAL_API const struct shoal_workload *shoal_checkpoint_workload(const struct shoal_checkpoint *checkpoint);

/* True: the run was on the host. False: on a device. */
SHOAL_API bool shoal_checkpoint_is_of_host(const struct shoal_checkpoint *checkpoint);

/* Sets in `params`, which the init function has filled, every option of the run except the options that were
 * given: given[i]; NULL: none. Texts belong to the checkpoint and are valid until the next call of this
 * function or shoal_checkpoint_close.
 * Errors: SHOAL_INVALID: this version does not know an option of the run, or the run has parameters of a
 * thesis and `params` is a struct without one; `params` is unchanged then. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_checkpoint_params(struct shoal_checkpoint *checkpoint,
                                                                     const bool *given, void *params,
                                                                     struct shoal_error *error);

/* Whether a run with `params`, on the host or on a device, can resume the checkpoint. Files that options name
 * (SHOAL_OPTION_READS) must have the content that they had when the run began.
 * Errors: SHOAL_INVALID: the run cannot; the message lists all that differs. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_checkpoint_match(const struct shoal_checkpoint *checkpoint,
                                                                    bool on_host, const void *params,
                                                                    struct shoal_error *error);

/* Name of the stage that wrote the checkpoint, as given to shoal_run; `*begin` receives the step at which the
 * stage began. NULL, and 0 in `*begin`: there was no stage. `begin` may be NULL. */
SHOAL_API const char *shoal_checkpoint_stage(const struct shoal_checkpoint *checkpoint, uint64_t *begin);

/* Closes the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_checkpoint_close(struct shoal_checkpoint **checkpoint);

/* Stages: a run in parts with parameters of their own, for example a gas that melts and then cools. Each
 * stage is a solver. Only options marked SHOAL_OPTION_STAGE differ between stages. */

/* The state in which a stage ends, in memory, independent of the solver. */
struct shoal_stage_end;

/* Takes the state in which the stage of `solver` ends. Destroy the object with shoal_stage_end_destroy.
 * Errors: SHOAL_UNSUPPORTED: the workload has no stages. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_end_stage(struct shoal_solver *solver, struct shoal_stage_end **out, struct shoal_error *error);

/* Begins a new stage where `before` ended, with a solver that has made no step, on any device. Steps and
 * times of samples continue; counts of steps for parameters and results of the stage begin anew.
 * Errors: SHOAL_INVALID: another workload, or parameters differ that must not; the message names them. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_follow(struct shoal_solver *solver,
                                                                 const struct shoal_stage_end *before,
                                                                 struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_stage_end_destroy(struct shoal_stage_end **end);

/* Copies the numbers that a step changes (such as positions and velocities) as doubles, in an order that all
 * solvers of the workload share. Waits for the steps enqueued. `*count` receives how many numbers the state
 * has; `values`, with room for `capacity` numbers, may be NULL, to ask for the count alone.
 * Errors: SHOAL_INVALID: `capacity` is too small. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_state(struct shoal_solver *solver, double *values,
                                                                size_t capacity, size_t *count,
                                                                struct shoal_error *error);

/* Stores the solver's choice of the option marked SHOAL_OPTION_METHOD, as shoal_tuning_set stores values:
 * later solvers of problems of similar size on this device use the choice where the option is "auto".
 * Errors: SHOAL_UNSUPPORTED: there is no such choice. SHOAL_IO: the tuning file cannot be written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_remember(struct shoal_solver *solver,
                                                                   struct shoal_error *error);

/* Seconds that the host spent building kernels: see shoal_program_build_seconds. */
SHOAL_API double shoal_solver_build_seconds(const struct shoal_solver *solver);

/* True: native CUDA text does at least a part of the work. */
SHOAL_API bool shoal_solver_is_native(const struct shoal_solver *solver);

/* Notes on how the files of the parameters were read, a sentence on each line: names of columns, parts left
 * out, guesses. The log receives each line as a warning. "": nothing. Valid as long as the solver. */
SHOAL_API const char *shoal_solver_notes(const struct shoal_solver *solver);

/* Destroys the solver and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_solver_destroy(struct shoal_solver **solver);

/* Progress of a run. Valid during the callback. */
struct shoal_progress {
    /* Number of steps done, including the steps before a checkpoint that the run resumed. */
    uint64_t done;
    uint64_t total;   /* Number of steps of the whole run. 0 during the first phase. */
    uint64_t warm_up; /* Number of steps of the warm-up, which come first and are part of `total`. */
    double seconds;   /* Seconds since the first step of the run began. */
    double value;     /* The workload's progress_name so far, every `value_every` seconds. NaN: unknown. */
    /* NULL: steps are made. Otherwise the phase that begins, before or after the steps, in a few words:
     * reading input and building kernels, the initial state and first step, the check of the result, the
     * checkpoint. */
    const char *phase;
};

/* How shoal_run makes a whole run. */
struct shoal_run_params {
    size_t size;                /* Bytes of the struct, set by shoal_run_params_init. */
    enum shoal_variant variant; /* Text of kernels. Default: SHOAL_VARIANT_AUTO. */
    /* Steps between polls of `stop`, any number, the first at once; 0: about 0.1 s of steps. Default: 0. */
    uint64_t chunk;
    /* True ends the run after the steps already enqueued. The call is also made between the launches of a
     * long step and, on the host, within a step, which is then dropped. One thread calls `stop` at a time.
     * Default: NULL, never stopped. */
    bool (*stop)(void *data);
    /* Called after each chunk, and where a phase begins. Default: NULL, none. */
    void (*progress)(void *data, const struct shoal_progress *progress);
    void *data;         /* Passed to `stop` and `progress`. */
    const char *resume; /* Path of a checkpoint to start from. Default: NULL, none. */
    /* Path of a checkpoint written at the end, also of a stopped or a wrong run. Default: NULL, none. */
    const char *checkpoint;
    /* Seconds between checkpoints during the run, any number. 0: only at the end. Default: 0. */
    double checkpoint_every;
    /* Most seconds without progress, at least 0, after which shoal_run abandons the run. Progress is on
     * a device the end of a chunk or of a launch within a long step, on the host an evaluation, an update or
     * a city. With a limit, steps run on a thread of their own. 0 or INFINITY: no limit. Default: 0. */
    double hang_limit;
    /* Receives each sample between two steps, of a resumed run from there on. Default: NULL, none. */
    shoal_sample_callback *on_sample;
    void *sample_data; /* Passed to `on_sample`. */
    /* State at the end of the preceding stage, copied; not with `resume`. Default: NULL, none. */
    const struct shoal_stage_end *follows;
    /* Name of the stage, kept in the checkpoint for shoal_checkpoint_stage. Default: NULL, none. */
    const char *stage;
    uint64_t stage_begin; /* Step at which the stage begins, any number, kept with its name. Default: 0. */
    double value_every;   /* Seconds between values for `progress`, >= 0; INFINITY: none. Default: 0.25. */
    /* Called before each checkpoint, to complete files. A failure ends the run. Default: NULL, none. */
    enum shoal_status (*on_checkpoint)(void *data, struct shoal_error *error);
    void *checkpoint_data; /* Passed to `on_checkpoint`. */
    /* Called between two steps by the thread of shoal_run: after the first, then about each `between_every`
     * seconds. It may read the solver, change quantities, and wait; its time is no time of the run. `*steps`:
     * most steps until the next call; 0 (default): as many as fit. A failure ends the run. NULL (default):
     * none. One device only. */
    enum shoal_status (*between)(void *data, struct shoal_solver *solver, uint64_t *steps,
                                 struct shoal_error *error);
    void *between_data;   /* Passed to `between`. */
    double between_every; /* Seconds between calls of `between`, at least 0. Default: 0.03. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_run_params_init(struct shoal_run_params *params);
#define SHOAL_RUN_PARAMS(...) SHOAL_INIT(shoal_run_params, shoal_run_params_init, __VA_ARGS__)

/* A whole run: times, solver, result. Release with shoal_report_clear. */
struct shoal_report {
    /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t size;
    double build_s; /* Seconds of kernel builds. 0 from the cache and on the host. */
    /* Seconds of the first launches of kernels, in which some drivers compile. 0 on the host. */
    double first_launch_s;
    /* Seconds of the initial state and all steps by the device's clock. On the host: `wall_s`. For a run over
     * several devices (shoal_run_split): seconds of work of the device that worked longest, by the host's
     * clock. */
    double device_s;
    /* Seconds of the initial state and all steps by the host's clock, without builds and first launches. */
    double wall_s;
    double timed_work; /* Units of work (result.work_unit) done in `wall_s`. */
    bool stopped;      /* `stop` ended the run. */
    bool timed_out;    /* The time limit of the parameters ended the run, which counts as complete. */
    /* The solver. Owned by the report. NULL: there is no result. */
    struct shoal_solver *solver;
    struct shoal_queue *queue; /* The queue; NULL on the host. Owned by the report. */
    /* The result. Its pointers are valid until shoal_report_clear. */
    struct shoal_result result;
};

/* Makes one whole run on a device: creates queue and solver, makes all steps, checks the result. `run` NULL:
 * the defaults. Before the call set report->size, usually to 0; clear the report with shoal_report_clear.
 * Errors: SHOAL_STOPPED: `stop` returned true; the report holds the result so far. SHOAL_CHECK_FAILED: the
 * result failed its check; the report holds the result. SHOAL_IO: a file cannot be read or written; the
 * report holds the result where only the last checkpoint failed, otherwise report->solver is NULL. Other
 * errors: see shoal_solver_create and shoal_solver_step.
 *
 * SHOAL_DEVICE_LOST may also mean that a chunk took longer than hang_limit, most likely since an objective
 * never returns. The work of the chunk ends only with the process: a thread waits for a device, and threads
 * of the host continue. The solver, the instance, the source of the objective and the data of a callback that
 * has not returned must stay valid; shoal_close then frees nothing. Other devices may be used. The process
 * should end with _exit, since exit lets drivers wait for their work.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_run(const struct shoal_workload *workload, struct shoal_device *device, const void *params,
          const struct shoal_run_params *run, struct shoal_report *report, struct shoal_error *error);

/* Destroys solver and queue of the report and sets its members to 0. */
SHOAL_API void shoal_report_clear(struct shoal_report *report);

/* True once a run on a device of the instance was abandoned. Any thread. */
SHOAL_API bool shoal_is_hung(const struct shoal *shoal);

/* Deviation of the first steps of a device from the steps of the host solver. */
struct shoal_verification {
    size_t size;    /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    uint64_t steps; /* Number of steps compared. The state before the first step is compared, too. */
    uint64_t worst; /* Step at which the deviation is largest. */
    /* Largest value over the steps of |device - host| / |host|, the Euclidean norm of the state without the 1
     * % of its numbers that differ most: a few numbers diverge after rounding. */
    double deviation;
    double tolerance; /* Tolerance for the precision and the number of steps, by the workload. */
    bool passed;      /* deviation <= tolerance. False for NaN. */
    const char *what; /* The state that is compared, for messages: "positions and velocities". */
};

/* Runs up to `steps` steps of `params` on `device` and on the host with the same random numbers, and compares
 * the state after each step. Makes fewer steps where rounding errors would grow without a bound (nets: 50
 * updates). The host is compared with itself: deviation 0. Before the call set result->size, usually to 0.
 * Errors: SHOAL_CHECK_FAILED: the deviation is larger than the tolerance; `result` is filled.
 * SHOAL_UNSUPPORTED: rounding errors grow too fast for a single step. Other errors: see shoal_solver_create
 * and shoal_solver_step. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_workload_verify(const struct shoal_workload *workload, struct shoal_device *device, const void *params,
                      uint64_t steps, enum shoal_variant variant, struct shoal_verification *result,
                      struct shoal_error *error);

SHOAL_END_DECLS

#endif
