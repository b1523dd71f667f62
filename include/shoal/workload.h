/* Workloads: the five computations behind one interface.
 *
 * A workload is described by data: parameters, options, kernel files. Command line, configuration files,
 * JSON, man page and completions follow from the description. A solver exists twice, as device kernels and as
 * plain C in double precision for the host device; shoal_solver_create picks the one for the device.
 */
#ifndef SHOAL_WORKLOAD_H
#define SHOAL_WORKLOAD_H

#include <shoal/program.h>

SHOAL_BEGIN_DECLS

enum shoal_option_type {
    SHOAL_OPTION_FLAG,   /* bool */
    SHOAL_OPTION_UINT,   /* uint64_t */
    SHOAL_OPTION_REAL,   /* double */
    SHOAL_OPTION_CHOICE, /* int32_t, index into `choices` */
    SHOAL_OPTION_TEXT    /* const char *, not owned */
};

struct shoal_option {
    const char *name; /* long option without dashes, also the configuration and JSON key */
    enum shoal_option_type type;
    size_t offset;    /* of the field in the parameter struct */
    const char *unit; /* "" where there is none; metavariable of the help text otherwise */
    double min, max;  /* inclusive; UINT and REAL. A REAL whose default is NaN may stay NaN: not set */
    const char *const *choices; /* CHOICE: names, ended by NULL */
    const char *help;           /* without the default, which is added */
    unsigned flags;             /* SHOAL_OPTION_* flags below */
    const char *group; /* heading of a group that begins with this option; NULL: that of the one before */
    /* Conditions without which a value other than the default has no effect; NULL: none. A list of clauses,
     * all of which must hold, such as "boundary-*=walls, w4: thermostat=nve, w4: !limit". A clause holds if
     * one of its terms, separated by " or ", does; with choices of the option before a colon it applies to
     * these only. A term is NAME=VALUE, with choices VALUE|VALUE; NAME>NUMBER; NAME: not the default; !NAME:
     * the default. NAME may end in *: one of those options. */
    const char *needs;
    const char
        *word; /* REAL: the TEXT option that a value which is a word, not a number, is of; NULL: none */
    /* Other names that the command takes, ended by NULL: "learning-rate" is one of the option, and
     * "rprop=irprop-minus" one of a choice. What is written has the main name. NULL: none. */
    const char *const *also;
};

/* FREE_ON_RESUME: the value may differ between a checkpoint and the run that resumes it, e.g. the length of
 * the run. SHOWN: the line on a run includes the value even if it is the default. ZERO_UNSET: a UINT whose
 * default 0 means not set; the command accepts values from 1 on. METHOD: the choice of the method on a
 * device, the first one "as tuned, else by a rule": `shoal tune` measures it. READS: a TEXT that names a file
 * on whose content the run depends. WRITES: one that names a file to write. MAIN: one of the about 25 options
 * that the help of a command shows unless it is asked for more. THESIS: of use only to repeat the work of a
 * thesis. STAGE: may change from stage to stage of a run. GROWS: a file to write that grows in the run, and
 * in which later stages go on. ONCE: given for all stages, it is for the first alone. */
enum {
    SHOAL_OPTION_FREE_ON_RESUME = 1,
    SHOAL_OPTION_SHOWN = 2,
    SHOAL_OPTION_ZERO_UNSET = 4,
    SHOAL_OPTION_METHOD = 8,
    SHOAL_OPTION_READS = 16,
    SHOAL_OPTION_WRITES = 32,
    SHOAL_OPTION_MAIN = 64,
    SHOAL_OPTION_THESIS = 128,
    SHOAL_OPTION_STAGE = 256,
    SHOAL_OPTION_GROWS = 512,
    SHOAL_OPTION_ONCE = 1024
};

enum shoal_field_type { SHOAL_FIELD_UINT, SHOAL_FIELD_REAL, SHOAL_FIELD_REALS, SHOAL_FIELD_TEXT };

/* Of a field in text output: a line of its own; on that of the field before; the standard error of the field
 * before, shown as "0.301 +- 0.048 (102 samples)"; not shown, as it says the same as another. */
enum shoal_field_place { SHOAL_PLACE_LINE, SHOAL_PLACE_JOINED, SHOAL_PLACE_ERROR, SHOAL_PLACE_NONE };

/* One value of a result. */
struct shoal_field {
    const char *name; /* stable JSON key */
    const char *unit; /* "" where there is none; of an error: what `count` counts, "samples" */
    enum shoal_field_type type;
    uint64_t uint;
    double real;
    const double *reals; /* owned by the solver; valid until its next call */
    size_t count;        /* of reals; of an error: of what it is from */
    const char *text;    /* the same */
    enum shoal_field_place place;
    /* Decimal digits that a REAL, or each of the REALS, has: 9 in single precision, 17 in double. 0: it is a
     * measurement or a figure over others, of which people read six. */
    int32_t digits;
};

enum { SHOAL_RESULT_FIELDS = 48 };

struct shoal_result {
    size_t size;            /* set by the caller: of the struct; 0: that of its first release */
    double value;           /* the headline figure, e.g. the best objective value the device found */
    const char *value_name; /* "best" */
    const char *title;      /* the problem in a few words: "rastrigin, dim 30"; NULL: none. The solver's */
    double error;           /* |device - double reference| / max(1, |reference|) at the device's own result */
    bool check_passed;
    const char *check_name;  /* description of the check */
    char check_failure[160]; /* the failed part, its deviation and tolerance; "": none, or not known */
    const char *warning;     /* one line; NULL: none. The solver's */
    const char *note;        /* what readers of the result should know; one line; NULL: none */
    uint64_t steps;          /* steps done, those of the warm-up included */
    uint64_t warm_up_steps;  /* of them */
    double work;             /* units of work done, e.g. objective evaluations */
    double step_work;        /* work of one step */
    const char *work_unit;   /* "evaluations" */
    enum shoal_roof roof;    /* that work is measured against; SHOAL_ROOF_NONE: none */
    double roof_work;        /* the least of a unit of work: bytes read and written, or operations */
    struct shoal_field fields[SHOAL_RESULT_FIELDS];
    size_t field_count;
    const char *unused;     /* an option whose value had no effect on this run; NULL: none is known */
    const char *value_unit; /* of the value, "m"; NULL: none, or not known. The solver's */
    int32_t value_digits;   /* decimal digits of the value, as in struct shoal_field */
};

/* NULL: the result has no field of that name. */
SHOAL_API const struct shoal_field *shoal_result_find(const struct shoal_result *result, const char *name);
/* The value of a UINT or REAL; NaN: the result has no such field. */
SHOAL_API double shoal_result_number(const struct shoal_result *result, const char *name);

struct shoal_solver;
struct shoal_solver_ops; /* private */

/* A column of the samples of a run: a number in the struct that a sample is. */
enum shoal_column_type { SHOAL_COLUMN_UINT, SHOAL_COLUMN_REAL };

struct shoal_column {
    const char *name; /* also the JSON key */
    const char *unit; /* "" where there is none */
    enum shoal_column_type type;
    size_t offset; /* in the sample */
    /* Is there a value with these parameters? NULL: always. */
    bool (*applies)(const void *params);
    unsigned flags;    /* SHOAL_COLUMN_* */
    const char *title; /* above the column in the lines of a run, where the name is long; NULL: the name */
};

/* IN_FILES: CSV and JSON files have the column even where there is no value. IN_TABLES: so have files that
 * are tables. SHOWN: the lines of a run have the column unless others are chosen; all, where none is marked.
 */
enum { SHOAL_COLUMN_IN_FILES = 1, SHOAL_COLUMN_IN_TABLES = 2, SHOAL_COLUMN_SHOWN = 4 };

/* What a run records every N steps. */
struct shoal_sampling {
    const char *option; /* of type UINT: N */
    /* Of type UINT: N of the samples that only averages of the result use, where the other is 0. `shoal
     * WORKLOAD` sets it for about 100 samples if neither is given. NULL: there is none. */
    const char *averages;
    const char *what;                   /* in messages: "samples" */
    const struct shoal_column *columns; /* the first is "step" */
    size_t column_count;
    size_t size; /* bytes of a sample */
    /* `shoal WORKLOAD` shows lines of them even if `option` is not given, fewer and fewer of them in long
     * runs. */
    bool is_shown;
};

/* Receives a sample, a struct described by the columns and declared by the workload's header. True ends the
 * run with SHOAL_IO and the message `*failure`, a text of the caller. */
typedef bool shoal_sample_callback(void *data, const void *sample, const char **failure);

struct shoal_example {
    const char *command; /* "shoal pso --dim 30" */
    const char *help;
};

/* Purpose of a case. VERIFY: `shoal verify` tries the choices of options in the first such case that goes
 * with them. SLOW_ON_CPU: takes minutes on a CPU. NO_VERIFY: `shoal verify` leaves out the choice that it
 * names, as the host is too slow to compare with or a file is needed. COMPARE: a size of `shoal compare`, by
 * its name: "small" (at most some seconds on two cores), "medium" (about half a minute) or "large" (fills a
 * GPU). VERIFY_ALONE: a row of `shoal verify` of its own; that named "defaults" replaces the run of the
 * defaults alone, where rounding would grow too far. */
enum {
    SHOAL_CASE_VERIFY = 1,
    SHOAL_CASE_TUNE = 2,
    SHOAL_CASE_SLOW_ON_CPU = 4,
    SHOAL_CASE_NO_VERIFY = 8,
    SHOAL_CASE_COMPARE = 16,
    SHOAL_CASE_VERIFY_ALONE = 32
};

/* Values of options for verification, tuning or comparison, besides the defaults. */
struct shoal_case {
    const char *name;
    const char *values; /* "dim=3 boundary-z=walls" */
    unsigned flags;     /* SHOAL_CASE_* */
};

/* SIMULATES: steps are simulated time, so that steps per second are a figure of interest. */
enum { SHOAL_WORKLOAD_SIMULATES = 1 };

struct shoal_workload {
    size_t size;         /* of this struct in the library */
    const char *name;    /* "pso" */
    const char *summary; /* one line */
    size_t params_size;
    void (*params_init)(void *params);
    const struct shoal_option *options;
    size_t option_count;
    const struct shoal_example *examples;
    size_t example_count;
    const struct shoal_sampling *sampling; /* NULL: no samples */
    unsigned flags;                        /* SHOAL_WORKLOAD_* */
    const char *progress_name;             /* of the value in struct shoal_progress: "best"; NULL: none */
    const char *warm_up_name;              /* of the steps before the measured ones; NULL: there are none */
};

SHOAL_API size_t shoal_workload_count(void);
SHOAL_API const struct shoal_workload *shoal_workload_at(size_t index);
SHOAL_API const struct shoal_workload *shoal_workload_find(const char *name); /* NULL: none */

/* `shoal tune` takes the cases in their order, `shoal verify` each choice of an option in the first case in
 * which it has an effect. NULL: no such case. */
SHOAL_API size_t shoal_workload_case_count(const struct shoal_workload *workload);
SHOAL_API const struct shoal_case *shoal_workload_case_at(const struct shoal_workload *workload,
                                                          size_t index);

/* Steps that `params` ask for, warm-up included. */
SHOAL_API uint64_t shoal_workload_total_steps(const struct shoal_workload *workload, const void *params);
/* Seconds after which shoal_run ends the run as complete; NaN: no limit. */
SHOAL_API double shoal_workload_time_limit(const struct shoal_workload *workload, const void *params);
/* Steps before the measured or sampled ones, e.g. an equilibration. */
SHOAL_API uint64_t shoal_workload_warm_up_steps(const struct shoal_workload *workload, const void *params);
/* Changes `params` for measurements, so that only the caller ends the run: the largest number of steps, no
 * other end, no records, at most `warm_up_steps` of warm-up. */
SHOAL_API void shoal_workload_make_endless(const struct shoal_workload *workload, void *params,
                                           uint64_t warm_up_steps);

/* Checks `needs` of the options that have another value than in `defaults`, or that were given: given[i];
 * NULL: none. Values are in their ranges. SHOAL_INVALID with one line. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_options_check(const struct shoal_option *options,
                                                                 size_t count, const void *values,
                                                                 const void *defaults, const bool *given,
                                                                 struct shoal_error *error);
/* `needs` of options[index] in words, "needs thermostat langevin; not with kernel", in `size` bytes. */
SHOAL_API void shoal_option_needs(const struct shoal_option *options, size_t count, size_t index, char *text,
                                  size_t size);

/* Checks ranges, needs and cross-field rules, and reads what the parameters name: regular files (SHOAL_IO)
 * and formulas. No device is needed: see shoal_params.host_only. Texts in the kernel dialect are checked
 * among the kernels of `shoal`, and by the C compiler that the host uses, if there is one
 * (SHOAL_BUILD_FAILED). NULL: among the built-in kernels, without a compiler. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_workload_validate(struct shoal *shoal,
                                                                     const struct shoal_workload *workload,
                                                                     const void *params,
                                                                     struct shoal_error *error);

/* A solver bound to one queue (device solvers) or to the host (queue NULL). `params` is copied. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_create(const struct shoal_workload *workload, struct shoal_device *device,
                    struct shoal_queue *queue, const void *params, enum shoal_variant variant,
                    struct shoal_solver **out, struct shoal_error *error);
/* Enqueues up to `steps` steps; `*done` receives how many; 0 means the run is complete. A call that fails
 * before the first step of a run is made leaves a run that has not begun: the next call begins it again, and
 * gives the samples of step 0 again. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_step(struct shoal_solver *solver, uint64_t steps,
                                                               uint64_t *done, struct shoal_error *error);
/* Enqueues `steps` steps, all of them; SHOAL_INVALID: the run was complete before. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_run(struct shoal_solver *solver, uint64_t steps,
                                                              struct shoal_error *error);
/* Calls `callback` (NULL: nothing) with each sample of the steps to come, from the thread that steps. */
SHOAL_API void shoal_solver_on_sample(struct shoal_solver *solver, shoal_sample_callback *callback,
                                      void *data);
/* Waits, reads the result back and checks it on the host in double precision. The run can go on after. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_result(struct shoal_solver *solver, struct shoal_result *result, struct shoal_error *error);
/* Writes the whole state to a file (temporary and rename), and reads it into a solver of the same kind and
 * parameters: the continued run equals an uninterrupted one bit for bit. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_save(struct shoal_solver *solver, const char *path,
                                                               struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_load(struct shoal_solver *solver, const char *path,
                                                               struct shoal_error *error);
/* What a checkpoint file is of, for runs that resume it; the state in it is not kept. SHOAL_INVALID: this
 * library lacks its workload. The pointers live until shoal_checkpoint_close. */
struct shoal_checkpoint;
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_checkpoint_open(const char *path, struct shoal_checkpoint **out, struct shoal_error *error);
SHOAL_API const struct shoal_workload *shoal_checkpoint_workload(const struct shoal_checkpoint *checkpoint);
SHOAL_API bool shoal_checkpoint_is_of_host(const struct shoal_checkpoint *checkpoint); /* else of a device */
/* Sets in `params`, which the init function has filled, every option of the workload but those that were
 * given: given[i]; NULL: none. Another call ends the life of the texts of the one before. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_checkpoint_params(struct shoal_checkpoint *checkpoint,
                                                                     const bool *given, void *params,
                                                                     struct shoal_error *error);
/* Can a run with `params`, on the host or on a device, resume it? SHOAL_INVALID lists all that differs. Files
 * that options name (SHOAL_OPTION_READS) are the same where their content is that of when the run began. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_checkpoint_match(const struct shoal_checkpoint *checkpoint,
                                                                    bool on_host, const void *params,
                                                                    struct shoal_error *error);
/* The stage that wrote it, by the name that shoal_run was given, and where that begins; NULL, 0: none. */
SHOAL_API const char *shoal_checkpoint_stage(const struct shoal_checkpoint *checkpoint, uint64_t *begin);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_checkpoint_close(struct shoal_checkpoint **checkpoint);
/* Stages: a run in parts with parameters of their own, for example a gas that melts and then cools. Each
 * stage is a solver; only options marked SHOAL_OPTION_STAGE differ between them. SHOAL_UNSUPPORTED: the
 * workload has no stages.
 *
 * The state in which a stage ends, in memory, independent of the solver. */
struct shoal_stage_end;
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_solver_end_stage(struct shoal_solver *solver, struct shoal_stage_end **out, struct shoal_error *error);
/* Begins a new stage there, with a solver that has made no step, on any device: steps and times of its
 * samples go on behind those of the stage before, counts of its own parameters and results begin anew.
 * SHOAL_INVALID names what else differs. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_follow(struct shoal_solver *solver,
                                                                 const struct shoal_stage_end *before,
                                                                 struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_stage_end_destroy(struct shoal_stage_end **end);
/* The numbers that a step changes (e.g. positions and velocities) as doubles, in the same order for every
 * solver of the workload. `*count` receives how many; `values` NULL asks for that alone. Waits for the steps
 * enqueued. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_state(struct shoal_solver *solver, double *values,
                                                                size_t capacity, size_t *count,
                                                                struct shoal_error *error);
/* Stores the solver's choice of the option marked SHOAL_OPTION_METHOD, as shoal_tuning_set stores values, for
 * later solvers of problems of similar size on this device with `auto`. SHOAL_UNSUPPORTED: there is no such
 * choice. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_solver_remember(struct shoal_solver *solver,
                                                                   struct shoal_error *error);
/* Host seconds spent building kernels: see shoal_program_build_seconds. */
SHOAL_API double shoal_solver_build_seconds(const struct shoal_solver *solver);
/* True where native CUDA text does at least a part of the work; NULL: false. */
SHOAL_API bool shoal_solver_is_native(const struct shoal_solver *solver);
/* What is to know of how the files of its parameters were read, a sentence a line: names of columns, what was
 * left out, what may be meant otherwise. The log got the same lines as warnings. "": nothing. Lives as long
 * as the solver; NULL: "". */
SHOAL_API const char *shoal_solver_notes(const struct shoal_solver *solver);
SHOAL_API void shoal_solver_destroy(struct shoal_solver **solver);

/* Progress of a run. */
struct shoal_progress {
    uint64_t done, total; /* steps, those before the checkpoint that it resumed included */
    uint64_t warm_up;     /* of total: those of the warm-up, which come first */
    double seconds;       /* since its first step began */
    double value;         /* the workload's progress_name so far, a few times a second; NaN: not known */
    /* NULL: steps are made. Else what begins before or after them and may take long, in a few words: reading
     * what the parameters name and building kernels, the initial state and the first step, the check of the
     * result, the checkpoint. A static text; `total` is 0 in the first one. */
    const char *phase;
};

/* One whole run with timing. */
struct shoal_run_params {
    size_t size;
    enum shoal_variant variant;
    /* Steps between polls of `stop`, the first before the first step; 0: about 0.1 s of steps, at least
     * one. */
    uint64_t chunk;
    /* True ends the run after the steps already enqueued; NULL: never. Also polled between the launches of a
     * long step, or on the host in the middle of one, which is then dropped: by one of the threads that make
     * the steps, one at a time. */
    bool (*stop)(void *data);
    /* After each chunk, and where a phase begins; NULL: none. */
    void (*progress)(void *data, const struct shoal_progress *progress);
    void *data;
    const char *resume;      /* checkpoint to start from, NULL: none */
    const char *checkpoint;  /* written at the end, also where the run was stopped or failed its check; NULL:
                              * none */
    double checkpoint_every; /* and each time that many seconds have passed; 0: only at the end */
    /* Seconds that a device may take for one chunk, and that the host may take without progress in one (a
     * particle moved or evaluated); 0 or INFINITY: no limit. A chunk that takes longer is abandoned: see
     * shoal_run. With a limit, steps run on another thread than the caller's. */
    double hang_limit;
    /* Receives every sample between two steps; a resumed run gives those behind its checkpoint. NULL: none.
     */
    shoal_sample_callback *on_sample;
    void *sample_data;
    /* Stages: where the one before ended, copied; not with `resume`. NULL: the run begins anew. */
    const struct shoal_stage_end *follows;
    /* Kept in the checkpoint, for shoal_checkpoint_stage: name of the stage, and where it begins. NULL: none.
     */
    const char *stage;
    uint64_t stage_begin;
};

SHOAL_API void shoal_run_params_init(struct shoal_run_params *params);
#define SHOAL_RUN_PARAMS(...) SHOAL_INIT(shoal_run_params, shoal_run_params_init, __VA_ARGS__)

struct shoal_report {
    size_t size;           /* set by the caller: of the struct; 0: that of its first release */
    double build_s;        /* kernel builds; 0 from the cache and on the host */
    double first_launch_s; /* of drivers at the first launches of kernels: some compile; 0 on the host */
    double device_s;       /* of the initial state and all steps, by the device's clock; host: wall_s */
    double wall_s;         /* host time of the same, without that of builds and first launches */
    double timed_work;     /* work of the same, in result.work_unit */
    bool stopped;
    bool timed_out; /* the time limit of the parameters ended the run: a complete run otherwise */
    struct shoal_solver *solver; /* owned */
    struct shoal_queue *queue;   /* owned */
    struct shoal_result result;  /* pointers in it live until shoal_report_clear */
};

/* SHOAL_STOPPED: the report is filled with the result so far. SHOAL_CHECK_FAILED: filled as well; so it is
 * where the checkpoint at the end cannot be written, SHOAL_IO as a rule: report->solver is NULL where there
 * is no result.
 *
 * SHOAL_DEVICE_LOST may also mean that a chunk took longer than hang_limit, most likely since an objective
 * never returns. Only the end of the process stops that work: a thread waits for it, on the host its threads
 * continue, and the solver, the instance, the source of the objective and the data of a callback that has not
 * returned must stay valid; shoal_close then frees nothing. Other devices may be used. The process should end
 * with _exit: in exit, drivers wait for their work. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_run(const struct shoal_workload *workload, struct shoal_device *device, const void *params,
          const struct shoal_run_params *run, struct shoal_report *report, struct shoal_error *error);
SHOAL_API void shoal_report_clear(struct shoal_report *report);
/* True once a run on one of the instance's devices was abandoned; NULL: false. */
SHOAL_API bool shoal_is_hung(const struct shoal *shoal);

/* Deviation of the first steps of a device from those of the host solver. */
struct shoal_verification {
    size_t size;      /* set by the caller: of the struct; 0: that of its first release */
    uint64_t steps;   /* compared, the state before the first step included in the comparison */
    uint64_t worst;   /* step at which the deviation is largest */
    double deviation; /* largest over the steps of |device - host| / |host|, Euclidean norm of the state
                       * without the 1 % of its numbers that differ most: a few diverge after rounding */
    double tolerance; /* for the precision and the number of steps, by the workload */
    bool passed;      /* deviation <= tolerance; false for NaN */
    const char *what; /* the state that is compared, for messages: "positions and velocities" */
};

/* Runs up to `steps` steps of `params` on `device` and on the host with the same random numbers and compares
 * the state after each one. Fewer, where rounding would then grow without a bound (nets: 50 updates);
 * SHOAL_UNSUPPORTED where that allows for none. SHOAL_CHECK_FAILED where the deviation is larger than the
 * tolerance; `result` is filled then too. The host device compares with itself: deviation 0. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_workload_verify(const struct shoal_workload *workload, struct shoal_device *device, const void *params,
                      uint64_t steps, enum shoal_variant variant, struct shoal_verification *result,
                      struct shoal_error *error);

SHOAL_END_DECLS

#endif
