/* Private: workloads and solvers. */
#ifndef SHOAL_WORKLOAD_PRIVATE_H
#define SHOAL_WORKLOAD_PRIVATE_H

#include "workload/checkpoint/saved_files.h"
#include "workload/method/method.h"

#include <shoal/workload.h>
#include <stdatomic.h>

struct gather_job;
struct old_option;
struct workload_split;

/* Description of the parameters of a thesis, a struct of <shoal/theses.h> that begins with its size. */
struct thesis_params {
    size_t size;
    const char *init_name; /* name of the public init function, for messages */
    void (*init)(void *thesis);
};

/* The units of a run that a solver computes: `count` of the run's `of` units, from unit `first` on. Zeros:
 * the whole run. */
struct solver_share {
    uint64_t first, count, of;
    struct shoal_solver *whole; /* the solver of the whole run, which lives longer than the solver of the
                                 * share */
    /* number of units of all shares whose devices share memory with the device of this share, including this
     * share */
    uint64_t beside;
    size_t neighbours;                  /* number of the shares that `beside` counts */
    const struct workload_split *rules; /* the rules by which the run is divided */
    size_t number, shares; /* number: index of the share among the shares that have units; shares: number of
                            * these shares */
};

/* Number of rows before the rows of unit `unit`, if the `rows` rows of a table are divided in proportion to
 * units.
 */
static inline uint64_t share_rows(const struct solver_share *share, uint64_t rows, uint64_t unit)
{
    return rows * unit / share->of;
}

/* A buffer with a row for each unit of a share, in the order of the units. Rows of units of other shares may
 * follow. */
struct solver_table {
    struct shoal_buffer *buffer;
    size_t row; /* bytes of a row */
    /* NULL: `buffer` has all rows. Otherwise a buffer for each row, in place of `buffer`; NULL for a row that
     * no share reads. Each guest is then one unit with one row, and this share copies `row` bytes from byte
     * `offset` of the row; other shares may copy other bytes. */
    struct shoal_buffer *const *buffers;
    size_t offset; /* without `buffers`: bytes before the table in `buffer` */
};

/* `count` units of other shares, from `unit` on, and the row of the first of these units in the tables of
 * this share. The rows of the other units follow. */
struct solver_guest {
    uint64_t unit;
    size_t row, count;
};

/* Rules by which a meeting merges the notes of all shares, lists of words, into one note. Bit k of `largest`:
 * word k becomes the largest word k of all notes. Bit k of `least`: words k and k + 1 become the least such
 * pair of all notes; pairs are ordered by word k, then by word k + 1. */
struct solver_merge {
    uint32_t largest, least;
    /* Set by the meeting. false: the notes are not merged; the table of notes has the rows of all shares, and
     * the share must merge the notes. */
    bool is_done;
};

/* A meeting that a share makes in its next launch on its queue, beside other work: lib/link/meet.clh. Its
 * rows are then copied by this launch, which also says what the shares must know at once, in place of notes.
 */
struct solver_later {
    struct shoal_kernel *kernel; /* of that launch, which follows in any case */
    /* Set by the meeting. false: it is enqueued as if it could not be put off. true: the launch must take the
     * arguments of `job` (MEET_ARGS). All shares of a meeting get the same answer. */
    bool is_put_off;
    struct gather_job *job;
};

/* Rows that a share reads from other shares in a meeting: the rows of the units `guests` in each table. All
 * shares of a meeting have the same tables. */
struct solver_visit {
    const struct solver_table *tables;
    size_t table_count;
    const struct solver_guest *guests;
    size_t guest_count;
    /* 0: each table has a row for each unit, as struct solver_table says. Otherwise each table has `rows`
     * rows, and each share computes the rows of its units (share_rows). A row has the same index in the
     * tables of all shares, so solver_guest.row has no meaning. */
    uint64_t rows;
    /* A table with a row for each share, in the order of solver_share.number: this share has written its own
     * row, and reads the rows of all other shares. All shares of a meeting have the same notes.row; notes.row
     * 0: there is no such table. */
    struct solver_table notes;
    /* The buffer from which this share's own row of `notes` is copied before other shares read the row. NULL:
     * the share has written the row itself. */
    struct shoal_buffer *own_note;
    /* Lets the meeting merge the notes of all shares into own_note, if this costs no launch; the table
     * `notes` then has only the row of this share. NULL: the notes are not merged. Needs own_note, and notes
     * of at most 32 words. */
    struct solver_merge *merge;
    /* Lets the meeting be put off. Its tables are in one buffer. Needs `merge` and `stays`. All shares of a
     * meeting have this, or none. NULL: it is not put off. */
    struct solver_later *later;
    /* [shares + 1]: in this meeting, share number k has the units cuts[k] .. cuts[k + 1] - 1. All visits of a
     * meeting have the same cuts. NULL: each share has the units that it had when the run began. */
    const uint64_t *cuts;
    /* true: the copies may run at the same time as the work that this share enqueues next. Work sees the
     * copied rows only after the next meeting without `beside`, or after shoal_solver.join. No share changes
     * rows of this meeting before the other shares have copied them: until the next meeting without `beside`
     * or, with `join`, until a later meeting whose rows follow from these copies. Copies through memory of
     * the host are made as in any meeting. */
    bool beside;
    /* true: launches on the queue of the previous meeting computed the rows that this share gives. Both this
     * meeting and the previous one must have `beside`. */
    bool from_beside;
    /* true: before its next meeting, this share changes neither the rows that other shares read nor arrays of
     * buffers. It then need not wait until the other shares have copied the rows. In such a meeting no share
     * learns that the run must end. */
    bool stays;
    /* Receives the queue of the copies, for launches that need the rows at once. NULL: not wanted. */
    struct shoal_queue **queue;
};

/* The solvers of the shares that together make a run, in the order of their units. The solver of the whole
 * run has no state on a device of its own. */
struct solver_shares {
    struct shoal_solver **solvers;
    size_t count;
    const struct workload_split *rules; /* the rules by which the run is divided */
    /* Sets the initial state of all shares, whatever state they have. */
    enum shoal_status (*begin)(struct shoal_solver *whole, struct shoal_error *error);
    /* Makes up to `steps` steps with all shares at once and waits for them. `*done`: the largest number of
     * steps that a share made; a share that made fewer steps is complete. Before the steps, units may move
     * between shares: the state of the whole run is then saved and loaded into new `solvers`. */
    enum shoal_status (*step)(struct shoal_solver *whole, uint64_t steps, uint64_t *done,
                              struct shoal_error *error);
    /* Calls `work` for all shares at once, each on the thread of its device, and waits for all calls. Shares
     * may meet in `work`. The error is the error of the first share that failed, with the name of its
     * device. */
    enum shoal_status (*each)(struct shoal_solver *whole,
                              enum shoal_status (*work)(struct shoal_solver *share, void *data,
                                                        struct shoal_error *error),
                              void *data, struct shoal_error *error);
    /* Seconds since the shares were created, each the largest value of all shares: first_launch_s: seconds
     * that a share's driver took at first launches, any thread; busy_s: seconds that a share worked, without
     * first launches. */
    double (*first_launch_s)(const struct solver_shares *shares);
    double (*busy_s)(const struct solver_shares *shares);
    /* The device of the first share that is still working; NULL: no share is working. *number: number of this
     * share, from 1; *of: number of all shares. Any thread. */
    struct shoal_device *(*at_work)(const struct solver_shares *shares, size_t *number, size_t *of);
    /* Called before the shares load `state`. If a share does not get its state, the next `begin` must discard
     * the states of all shares. */
    void (*loads)(struct shoal_solver *whole, const struct checkpoint *state);
    void (*destroy)(struct shoal_solver *whole);
};

/* Which part of a run's state each of its shares has. RUNS, ISLANDS: each share has the state of its units.
 * SLICES, SHARDS: each share has the state of the whole run, and does a part of the work on this state: it
 * computes a part of the new state, or a part of sums. */
enum split_scheme { SPLIT_RUNS, SPLIT_ISLANDS, SPLIT_SLICES, SPLIT_SHARDS };

/* How a run is divided into shares. */
struct workload_split {
    enum split_scheme scheme;
    const char *unit, *units; /* name of a unit in the singular and in the plural: "run", "runs" */
    uint64_t numbered_from;   /* number that results give to the first unit: 0 or 1 */
    /* the option that sets the number of units: "--runs"; NULL: no option sets the number */
    const char *option;
    /* number of items, as `option` counts them, in each unit except the last; 0: 1 */
    uint64_t option_step;
    uint64_t (*count)(const void *params); /* 0: the run has no such units */
    /* SHOAL_INVALID with the reason why a run with these parameters cannot be divided, and what to do. NULL:
     * every run can be divided. */
    enum shoal_status (*check)(const void *params, struct shoal_error *error);
    bool meets; /* shares read data of other shares during their steps: shoal_solver.meet */
    /* true: a long step of shares that meet can be cut within the step, by all shares after the same meeting.
     * false: shares that meet make whole steps. */
    bool is_cut_in_steps;
    /* Changes a copy of the whole run's parameters to the parameters of a share. The solver of the whole run
     * exists already. */
    void (*take)(const struct solver_share *share, void *params);
    /* Gives all shares the choices of the whole run, or returns SHOAL_INVALID with the reason why the run
     * cannot be divided. NULL: each share chooses for itself. */
    enum shoal_status (*agree)(struct shoal_solver *whole, struct shoal_error *error);
};

/* A workload. Its functions get complete and valid parameters. */
struct workload {
    struct shoal_workload face; /* the public part; must be the first member */
    /* Rules between the options beyond ranges and needs: SHOAL_INVALID with one line. NULL: none. */
    enum shoal_status (*check)(const void *params, struct shoal_error *error);
    /* Reads the files and formulas that the parameters name, without a device, to check them; an error is one
     * line. NULL: parameters name no input. `shoal`: see shoal_workload_validate. */
    enum shoal_status (*check_input)(struct shoal *shoal, const void *params, struct shoal_error *error);
    uint64_t (*total_steps)(const void *params);
    /* offset of the parameter (a double) that limits the seconds of a run; 0: there is no such parameter */
    size_t time_offset;
    uint64_t (*warm_up_steps)(const void *params);              /* NULL: runs have no warm-up */
    void (*make_endless)(void *params, uint64_t warm_up_steps); /* see shoal_workload_make_endless */
    /* See shoal_workload_prefers_host. is_slow: the device is no GPU. NULL: the flags of the workload
     * decide. */
    bool (*prefers_host)(const void *params, bool is_slow);
    /* Sets the parameters for which the host would make another choice than a device, so that both make the
     * same steps. NULL: there are none. */
    void (*settle_as_device)(void *params);
    const struct shoal_program_desc *const *programs; /* kernel files of the workload, ended by
                                                       * NULL */
    const struct shoal_case *cases;
    size_t case_count;
    const struct old_option *old_options; /* names and choices of options in older checkpoints, see
                                           * saved_options.h; NULL: no differences */
    /* steps_section: the section of checkpoints that begins with the steps done, warm-up included, as an
     * uint64_t. steps_options: the options that a user raises for more steps: "--steps". NULL: no section has
     * the steps, so a resumed run may have fewer steps than its checkpoint. */
    const char *steps_section, *steps_options;
    const struct shoal_solver_ops *device, *host;
    /* Rules by which a run can be divided, ended by NULL; the rules with the largest units come first. A run
     * is divided by the first rules that give each device a unit. NULL: the workload cannot divide a run. */
    const struct workload_split *const *splits;
    size_t thesis_member; /* offset in the workload's struct of the pointer to the parameters of its thesis;
                           * 0: the workload has no thesis */
    const struct thesis_params *thesis; /* NULL: the workload has no thesis, or the build is without theses */
    /* In builds without theses: the CHOICE options that lack some of their choices in this build, each with
     * its remaining choices. A checkpoint may name no other choice; in files that hold choices as numbers,
     * the number must be below the number of remaining choices. An option without a name ends the list. NULL:
     * the build has all choices. */
    const struct shoal_option *remaining;
};

/* An entry of `remaining`: the name of the option, then its choices. */
#define REMAINS(option, ...)                                                                                 \
    {                                                                                                        \
        .name = option, .type = SHOAL_OPTION_CHOICE, .choices = (const char *const[])                        \
        {                                                                                                    \
            __VA_ARGS__, NULL                                                                                \
        }                                                                                                    \
    }

static inline const struct workload *workload_of(const struct shoal_workload *face)
{
    return (const struct workload *)face;
}

/* A block of parameters has face.params_size bytes: the workload's struct, followed by the struct of the
 * thesis, so that the offsets of all options refer to the block. params_init makes blocks; a copy of their
 * bytes is a block, too. Callers may also give the workload's struct alone, whose pointer leads to the struct
 * of the thesis.
 *
 * workload_params_extend, for params_init: adds the defaults of the thesis to a block whose workload's struct
 * is set.
 */
void workload_params_extend(const struct workload *workload, void *block);
/* Returns the struct of the thesis that belongs to `params`, which may be a block or the workload's struct of
 * a caller. NULL: there is no such struct, or the struct has fewer than `bytes` bytes. */
const void *workload_thesis_of(const struct workload *workload, const void *params, size_t bytes);
/* Turns a block into the workload's struct alone, without parameters of a thesis. */
void workload_params_shorten(const struct workload *workload, void *block);

/* Makes a block from what a caller gives, by the rule of params_take; the caller frees the block. NULL after
 * a failure. The block begins with the workload's struct, whose pointer to the parameters of a thesis leads
 * into the block. function: name of the public call, for messages. */
SHOAL_MUST_CHECK enum shoal_status workload_params_take(const char *function,
                                                        const struct shoal_workload *workload,
                                                        const void *given, void **out,
                                                        struct shoal_error *error);
/* Copies only the workload's struct into `out`, by the rule of params_take. The pointer of `out` to the
 * parameters of a thesis becomes NULL. */
SHOAL_MUST_CHECK enum shoal_status workload_struct_take(const char *function,
                                                        const struct shoal_workload *workload,
                                                        const void *given, void *out,
                                                        struct shoal_error *error);
/* Does `given` lead to a block of workload_params_take, such as the parameters of a solver? */
bool workload_params_are_taken(const struct workload *workload, const void *given);
/* Copies a block back to the caller's parameters, by the rule of params_return. SHOAL_INVALID: a
 * parameter of the thesis is not the default, and `given` has no room for the parameters of the thesis. */
SHOAL_MUST_CHECK enum shoal_status workload_params_return(const char *function,
                                                          const struct shoal_workload *workload,
                                                          const void *block, void *given,
                                                          struct shoal_error *error);
/* Checks complete parameters: ranges and choices of the options, and the rules between options. */
SHOAL_MUST_CHECK enum shoal_status workload_params_check(const struct shoal_workload *workload,
                                                         const void *params, struct shoal_error *error);

/* The workloads, and the programs that belong to no workload. NULL ends each list. */
extern const struct workload *const registry_workloads[];
extern const struct shoal_program_desc *const shared_programs[];

/* A run of a device whose steps a call of its workload makes together with those of other runs. */
struct solver_joint {
    bool is_refused; /* set where the solver cannot be created so: the run makes its steps alone */
};

struct shoal_solver {
    const struct shoal_workload *workload;
    const struct shoal_solver_ops *ops;
    struct shoal_device *device;
    struct shoal_queue *queue;        /* NULL on the host */
    struct programs programs;         /* `create` sets programs.texts; the caller of `create` sets
                                       * programs.variant */
    void *params;                     /* the workload's struct in a block, complete and validated */
    void *state;                      /* state of the solver, which belongs to `ops` */
    struct method_choice choice;      /* the methods to choose from, set by `create`; zeros where there is no
                                       * choice */
    struct method_instance method;    /* the method that makes the steps; .method NULL: the solver makes steps
                                       * itself */
    struct text chosen_text;          /* name of `method` and its chosen values, to which the checkpoint in
                                       * progress points */
    struct saved_files files;         /* hashes of the files that the solver was created from */
    struct text notes;                /* the notes of solver_keep_notes */
    struct text stage;                /* the stage that this run is, in the form of checkpoints, "BEGIN NAME";
                                       * "": no stage */
    int threads;                      /* most threads on the host; 0: as many threads as OpenMP gives */
    shoal_sample_callback *on_sample; /* NULL: samples are not wanted */
    void *sample_data;
    /* Number of begins and ends of calls to the caller's functions: odd while such a call runs. Each finished
     * part of a long step adds 2. */
    atomic_uint_fast64_t calls;
    /* began_s: time on the clock of the schedule when this run began or was resumed; 0: not yet. earlier_s:
     * seconds of the run before began_s. */
    double began_s, earlier_s;
    bool timed_out; /* the time limit has ended the run: no step follows, and `result` treats the run as
                     * complete */
    /* The work on the initial state was cut, and the next step sets the initial state. Until then, `result`
     * and `save` use the part of the initial state that is set. */
    bool starts_later;
    struct solver_share share;    /* zeros: the whole run */
    struct solver_shares *shares; /* the solvers of the shares, which hold the state of this solver; NULL: the
                                   * solver holds its own state */
    /* For a share: waits until all shares have made this call, and enqueues the copies of the rows that
     * `visit` asks for. In a step, each share must make this call the same number of times. Rows of shares
     * whose runs have all ended may be left as they are. NULL: shares do not meet. */
    enum shoal_status (*meet)(void *data, const struct solver_visit *visit, struct shoal_error *error);
    /* For a share: what this share enqueues next on its queue waits for the copies of all earlier meetings
     * with `beside`, and for the launches on the queue of these copies. Does not wait for other shares. */
    enum shoal_status (*join)(void *data, struct shoal_error *error);
    void *meet_data;            /* for `meet` and `join` */
    struct solver_joint *joint; /* NULL: the run makes its steps alone */
    /* Has the caller stopped the run? Long work in `create` and `result` calls this: true ends the work, and
     * the next `result` continues it. NULL: the run is never stopped. */
    bool (*is_stopped)(void *data);
    void *stop_data;
    /* Must the run end, because the caller stopped it or its time limit is reached? A long step calls this
     * between its launches: true drops the step, and `step` returns with the steps made before. NULL: steps
     * are always whole. */
    bool (*must_end)(void *data);
    void *end_data;
    /* must_end is asked about the time this many seconds from now, by a step that would take so long;
     * negative: about an earlier time, by a step that may end so much after the limit. */
    double ahead_s;
};

/* Keeps notes on how the input of the solver was read, one sentence a line, after they have been logged.
 * lines NULL: no notes. */
SHOAL_MUST_CHECK enum shoal_status solver_keep_notes(struct shoal_solver *solver, const char *lines,
                                                     struct shoal_error *error);

static inline bool solver_must_end(const struct shoal_solver *solver)
{
    return solver->must_end && solver->must_end(solver->end_data);
}

/* A long step calls this between its launches: the watchdog then begins to count anew. */
static inline void solver_got_further(struct shoal_solver *solver)
{
    atomic_fetch_add(&solver->calls, 2);
}

/* Seconds on the clock of a run, which leaves out first launches, in which drivers may compile: with shares,
 * those of the share whose first launches take longest. */
double solver_clock(const struct shoal_solver *solver);

/* Number of host threads that the solver may use. */
int solver_threads(const struct shoal_solver *solver);

static inline bool solver_is_stopped(const struct shoal_solver *solver)
{
    return solver->is_stopped && solver->is_stopped(solver->stop_data);
}

/* The solvers that hold the state of a solver: the solvers of its shares or, without shares, the solver
 * itself. */
struct solver_list {
    struct shoal_solver *const *solvers;
    size_t count;
};

/* Number of solvers of this size for which the memory of the solver's device must have room: shares of a run
 * may be on parts of one device, or on several devices of one processor. */
static inline double solver_on_memory(const struct shoal_solver *solver)
{
    const struct solver_share *share = &solver->share;
    if (!share->of)
        return 1;
    return share->rules->scheme >= SPLIT_SLICES ? (double)share->neighbours
                                                : (double)share->beside / (double)share->count;
}

static inline struct solver_list solver_holders(struct shoal_solver *const *solver)
{
    const struct solver_shares *shares = (*solver)->shares;
    return shares ? (struct solver_list){shares->solvers, shares->count} : (struct solver_list){solver, 1};
}

/* The solver of a workload, for devices or for the host. Its functions get valid arguments; functions that
 * can fail fill `error`. */
struct shoal_solver_ops {
    const char *kind; /* "device" or "host"; a checkpoint of one kind does not fit the other */
    const char *what; /* name of the state that get_state returns, for messages */
    /* Allocates, builds and sets solver->state; after a failure `destroy` frees the rest. */
    enum shoal_status (*create)(struct shoal_solver *solver, struct shoal_error *error);
    void (*destroy)(struct shoal_solver *solver); /* must accept the state that a failed `create` has left */
    /* Enqueues up to `steps` steps, and before them the initial state if it is not set; 0 steps only set the
     * initial state. *done is smaller than `steps` where the run is complete or must end. */
    enum shoal_status (*step)(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error);
    /* Number of steps of the run, warm-up included. NULL: the parameters give the number. */
    uint64_t (*total_steps)(const struct shoal_solver *solver);
    /* Fills all members of the result. Called after at least a `step` of 0 steps. A failed check of the
     * result is not an error here. */
    enum shoal_status (*result)(struct shoal_solver *solver, struct shoal_result *result,
                                struct shoal_error *error);
    /* Reads the value that progress_name of the workload names, cheaply; waits for the enqueued steps. NULL:
     * the value is not known before the end. */
    enum shoal_status (*value)(struct shoal_solver *solver, double *value, struct shoal_error *error);
    /* Adds sections to a checkpoint. The sections stay valid until the next call on the solver. Called after
     * at least a `step` of 0 steps. */
    enum shoal_status (*save)(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    /* After a failure the solver is at step 0. */
    enum shoal_status (*load)(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
    /* leave: adds the sections with which the next stage of a run begins; the sections stay valid until the
     * next call on the solver. follow: reads these sections into a solver that has made no step. NULL: runs
     * have no stages. */
    enum shoal_status (*leave)(struct shoal_solver *solver, struct checkpoint *checkpoint,
                               struct shoal_error *error);
    enum shoal_status (*follow)(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                struct shoal_error *error);
    /* state_count: how many numbers steps change; get_state: these numbers, in the same order for `device`
     * and `host`. */
    size_t (*state_count)(const struct shoal_solver *solver);
    enum shoal_status (*get_state)(struct shoal_solver *solver, double *values, struct shoal_error *error);
    /* Largest deviation from the host that rounding explains after `steps` steps. NULL: this is the host
     * solver. */
    double (*tolerance)(const struct shoal_solver *solver, uint64_t steps);
    /* Lowers *steps to the number of steps for which `tolerance` holds. SHOAL_UNSUPPORTED: `tolerance` holds
     * for no step. NULL: `tolerance` holds for tens of steps. */
    enum shoal_status (*bound_steps)(const struct shoal_solver *solver, uint64_t *steps,
                                     struct shoal_error *error);
    /* Stores further choices beside the method, for shoal_solver_remember; NULL: none. */
    enum shoal_status (*remember)(struct shoal_solver *solver, struct shoal_error *error);
    /* On the host: a count of the work done, which the watchdog reads from another thread. A step whose count
     * stays the same for hang_limit seconds counts as hung. NULL: steps always end. */
    uint64_t (*progress)(const struct shoal_solver *solver);
};

/* Members of struct shoal_solver that shoal_solver_create leaves empty. The parameters of a share must have
 * been checked. From the call of solver_create on, `shares` belong to the solver; if solver_create fails, the
 * call destroys `shares`. */
struct solver_setup {
    bool (*is_stopped)(void *data); /* the run may be stopped while its solver is created */
    void *stop_data;
    struct solver_share share;
    enum shoal_status (*meet)(void *data, const struct solver_visit *visit, struct shoal_error *error);
    enum shoal_status (*join)(void *data, struct shoal_error *error);
    void *meet_data;
    struct solver_shares *shares;
    struct solver_joint *joint;
};
SHOAL_MUST_CHECK enum shoal_status solver_create(const struct shoal_workload *workload,
                                                 struct shoal_device *device, struct shoal_queue *queue,
                                                 const void *params, enum shoal_variant variant,
                                                 const struct solver_setup *setup, struct shoal_solver **out,
                                                 struct shoal_error *error);

/* The arguments of solver_create. */
struct solver_request {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    struct shoal_queue *queue;
    const void *params;
    enum shoal_variant variant;
};

/* A function that creates the solver of a run, and its data. */
struct solver_maker {
    const char *function; /* name of the public call, for messages */
    enum shoal_status (*create)(const void *data, const struct solver_request *request,
                                const struct solver_setup *setup, struct shoal_solver **out,
                                struct shoal_error *error);
    const void *data;
};

/* Does what shoal_run does, with a solver that `maker` creates. */
SHOAL_MUST_CHECK enum shoal_status run_with(const struct solver_maker *maker,
                                            const struct shoal_workload *workload,
                                            struct shoal_device *device, const void *params,
                                            const struct shoal_run_params *run, struct shoal_report *report,
                                            struct shoal_error *error);

/* Returns SHOAL_CHECK_FAILED; the message has the failed check. */
SHOAL_MUST_CHECK enum shoal_status solver_fail_check(const struct shoal_solver *solver,
                                                     const struct shoal_result *result,
                                                     struct shoal_error *error);

/* Can a solver with these `ops` and complete `params` continue from the checkpoint? SHOAL_INVALID: the
 * message lists all differences. */
SHOAL_MUST_CHECK enum shoal_status solver_match(const struct shoal_solver_ops *ops,
                                                const struct shoal_workload *workload, const void *params,
                                                const struct checkpoint *checkpoint,
                                                struct shoal_error *error);

/* solver_get_checkpoint collects the sections of a checkpoint that shoal_solver_save writes;
 * solver_set_checkpoint loads sections into the solver as shoal_solver_load does. The data of the sections
 * belong to the solver (valid until its next call) or to the checkpoint; call checkpoint_clear, also after a
 * failure. */
SHOAL_MUST_CHECK enum shoal_status
solver_get_checkpoint(struct shoal_solver *solver, struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status solver_set_checkpoint(struct shoal_solver *solver,
                                                         const struct checkpoint *checkpoint,
                                                         struct shoal_error *error);

#endif
