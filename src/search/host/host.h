/* Private: a search on the host, in double precision; the first member of each algorithm's own struct.
 *
 * Members and points of all islands are contiguous: coordinate d of member i is p[i * dim + d], coordinate d
 * of point i is x[i * dim + d]. Point n of island k is point k * width + n. A step of a run has one or more
 * batches: `propose` makes the points of the batch; the objective (`evaluate`) or a caller (ask and tell)
 * writes their values to y; `accept` keeps points by the algorithm's rule. `settle` ends the step and updates
 * the records of the islands. In a step that draws an island, point n of the island becomes member n. Points
 * of a batch do not depend on each other, so the number of threads does not change results.
 */
#ifndef SHOAL_SEARCH_HOST_H
#define SHOAL_SEARCH_HOST_H

#include "base/threads.h"
#include "search/observe/trace.h"
#include "search/refine/polish.h"
#include "workload/arrays.h"
#include "workload/steps/long_step.h"

struct search_host;

/* The threads that work on the points of a batch: several threads, or only the calling thread. */
struct search_team {
    int threads;
    int thread; /* index of the calling thread in the arrays of threads, if `threads` is 1 */
};

/* A point that an island receives. */
struct search_migrant {
    size_t from; /* island that sends the point */
    const double *x;
    double value;
};

/* Functions of an algorithm on the host. */
struct search_host_ops {
    size_t size;    /* bytes of the algorithm's struct */
    size_t problem; /* offset of the problem in the algorithm's struct */
    /* Sets host->batch, host->numbers and the table host->own by the problem. */
    enum shoal_status (*open)(struct search_host *host, struct shoal_error *error);
    /* Frees what `open` has allocated in addition to arrays. Called also if `open` has failed. NULL: there is
     * nothing to free. */
    void (*close)(struct search_host *host);
    /* Least number of bytes that a step reads and writes for each evaluation. */
    double (*evaluation_bytes)(const struct search_problem *problem, enum shoal_precision precision);
    /* Called at the beginning of step island.renew_at, unless the step draws the island anew; also called
     * after a checkpoint was loaded. NULL: there is nothing to do. */
    void (*renew)(struct search_host *host, size_t island);
    /* Called at the beginning of each step that does not draw the island anew; also called after a checkpoint
     * was loaded. NULL: there is nothing to do. */
    void (*prepare)(struct search_host *host, size_t island);
    /* Called before the points of an island are drawn anew. NULL: there is nothing to do. */
    void (*begin)(struct search_host *host, size_t island);
    /* draw: draws point i at random. move: computes point i from the members. Both set outside[i] if the
     * objective must not be evaluated at the point. */
    void (*draw)(struct search_host *host, size_t i, double *scratch);
    void (*move)(struct search_host *host, size_t i, uint64_t step, double *scratch);
    /* Returns the value of point i, and keeps further results of its evaluation. NULL: search_value_in_step
     * returns the value. */
    double (*value)(struct search_host *host, size_t i, uint64_t step, double *scratch);
    /* Changes points and their values after the evaluation, for example by a local search. A step then has
     * one batch. NULL: points do not change. */
    void (*improve)(struct search_host *host, size_t run, struct search_team team);
    /* Copies point i and its value to the member, in p and best, if the algorithm keeps the point. NULL:
     * drawn points are always copied, and `replace` computes the members from other points. */
    void (*keep)(struct search_host *host, size_t i, bool is_drawn);
    /* Computes the next members of an island from its members and the points of the step. NULL: `keep` does
     * so. */
    void (*replace)(struct search_host *host, size_t island, struct search_team team);
    /* Called at the end of each step, when the members of an island are known. NULL: there is nothing to
     * do. */
    void (*end_step)(struct search_host *host, size_t island);
    /* ahead: number of steps of a run, from the next one on, whose points `move` makes without values of
     * these steps; it may note these points for keep_ahead. keep_ahead: called when the points of the step
     * that is `steps` steps after the next one were made before its turn; the values of the steps follow in
     * their order; NULL: there is nothing to note. Steps have one batch, and none has work for `renew` or
     * `prepare`. ahead NULL: each step needs the values of the one before. */
    size_t (*ahead)(const struct search_host *host, size_t run);
    void (*keep_ahead)(struct search_host *host, size_t run, size_t steps);
    /* Whether, by a rule of the algorithm, the island cannot improve any more. NULL: there is no such
     * rule. */
    bool (*is_spent)(const struct search_host *host, size_t island);
    /* Called before an exchange: writes the points that an island sends to `sent` and `sent_values`, the best
     * first. NULL: an island sends its champion. */
    void (*emigrate)(struct search_host *host, size_t island);
    /* Gives an island point `number` of the points that it receives. NULL: the point replaces the worst
     * member if it is better than the best member. */
    void (*immigrate)(struct search_host *host, size_t island, size_t number,
                      const struct search_migrant *migrant);
    /* Called when an island has received a point from outside of the search (search_host_receive): the point
     * guides the search in another way than as a member. NULL: it guides as a member alone. */
    void (*guide)(struct search_host *host, size_t island, const double *point);
    /* copy, save, load: state that the algorithm has in addition to its arrays; NULL: there is none. copy:
     * see search_host_copy. */
    size_t (*copy)(struct search_host *host, char *kept, bool is_back);
    enum shoal_status (*save)(struct search_host *host, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct search_host *host, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
    /* Adds result fields of the algorithm. NULL: there are none. */
    void (*add_fields)(struct search_host *host, struct shoal_result *result);
};

/* Record of an island: docs/search.md, "Islands, restarts, stopping". Checkpoints hold the bytes of this
 * struct. */
struct search_island {
    /* goal: best value of the members. mark: value of `goal` when it last fell by more than the stagnation
     * tolerance, or when the members were last drawn. champion: best value so far */
    double goal, mark, champion;
    uint64_t stagnant; /* number of steps since `mark` was set */
    uint64_t restarts;
    uint64_t renew_at; /* the step after the last step in which `goal` did not fall */
    uint64_t leader;   /* index of the best member within the island */
};

struct search_run {
    uint64_t steps;      /* number of steps made by the run */
    uint64_t not_finite; /* number of evaluations with the result NaN or infinity */
    uint64_t ended;      /* 0, SEARCH_ENDED or SEARCH_CONVERGED */
    uint64_t reached;
};

/* Kinds of work units. Units of the same kind take about the same time. */
enum search_work { SEARCH_EVALUATION, SEARCH_MOVE, SEARCH_WORKS };

/* Number of work units that a thread has finished (members moved, evaluated or kept, moves of local
 * searches), for the watchdog. Each counter has its own cache line. */
struct progress_counter {
    _Alignas(64) _Atomic uint64_t count;
    struct long_step_looks looks[SEARCH_WORKS];
};

struct search_host {
    const struct search_host_ops *ops;
    struct search_problem *problem; /* the algorithm's problem */
    /* number of points of an island in a batch; the members share their bests between batches */
    size_t batch;
    size_t numbers; /* count of numbers of scratch memory that a thread needs for a point */
    double *x, *y;  /* x: points to evaluate, [islands * width][dim]; y: their values */
    /* p: positions of the members, [total][dim]; best: values of the members, [total] */
    double *p, *best;
    unsigned char *outside; /* [islands * width]: the point must not be evaluated */
    /* sent, [islands * migrants][dim]: points that islands send; sent_values: their values */
    double *sent, *sent_values;
    struct search_island *islands;
    struct search_run *runs;
    uint64_t *moves;  /* [runs]: moves that `improve` evaluated */
    double *champion; /* [islands][dim]: position of each island's champion */
    struct search_trace trace;
    double *scratch;                   /* [threads][numbers] */
    int threads;                       /* largest number of threads */
    struct progress_counter *progress; /* [threads] */
    /* measured time of an evaluation including a move; 0: not measured yet */
    double point_seconds;
    /* number of threads among which the members of a batch, or the runs, are divided */
    struct thread_choice choice;
    bool drawn;           /* step 0 was made */
    struct long_step cut; /* the part in progress: one or more steps that are cut together */
    bool can_cut;
    /* steps need ops->value, so values from the caller of an optimiser are not enough */
    bool needs_parts;
    size_t most_ahead;   /* largest number that ops->ahead returns; 0: ops->ahead is NULL, or returns 1 */
    bool is_partial;     /* step 0 was cut and kept, so some members have no value */
    double step_seconds; /* time of a step, measured in the last part; 0: not measured yet */
    char *kept;          /* copy of the state before the part in progress; NULL: not allocated yet */
    struct search_summary summary;
    struct search_polish *polish; /* polish of the last result; NULL: there is none */
    double *best_out, *position_out;
    uint64_t *ended_out;
    bool *reached_out, *stagnated_out, *converged_out;
    uint64_t *restarts_out;
    /* [runs]: number of points of step 0 without a value, if is_partial; NULL: not allocated yet */
    uint64_t *skipped_out;
    struct search_spread *spread_out;
    uint64_t saved_steps;      /* number of steps in the checkpoint that is being written */
    struct arrays arrays, own; /* arrays: table of the arrays above; own: table of the algorithm's arrays */
};

/* Creates a search in `host`, memory of algorithm->host->size bytes. threads 0: as many threads as OpenMP
 * offers. `params` must be valid until the search is destroyed. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_host_create(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params, int threads,
                                                      struct search_host *host, struct shoal_error *error);
void search_host_destroy(struct search_host *host); /* accepts a struct of zeros */

/* Resets the search to the state before step 0. */
void search_host_reset(struct search_host *host);

/* Steps ------------------------------------------------------------------------------------------------ */

/* Makes step 0 if it was not made yet, then up to `steps` steps of every run that has not ended. Returns the
 * number of these steps that the longest run has made. */
uint64_t search_host_advance(struct search_host *host, uint64_t steps);
bool search_host_ended(const struct search_host *host); /* whether every run has ended */
/* number of steps of the run with the most steps, without step 0 */
uint64_t search_host_steps(const struct search_host *host);
/* number of work units of all threads so far; any thread may call this function */
uint64_t search_host_count_work(const struct search_host *host);

/* Returns i / count. Most searches have one island and one run, which need no division. */
static inline size_t search_host_part(size_t i, size_t count)
{
    return i < count ? 0 : i / count;
}

/* Returns the number of the step that a run makes next; step 0 draws the first members. */
static inline uint64_t search_host_making(const struct search_host *host, size_t run)
{
    return host->drawn ? host->runs[run].steps + 1 : 0;
}

/* Whether the island is drawn anew in the current step. */
bool search_host_is_drawing(const struct search_host *host, size_t island);

/* The threads that work on the batches of a run. */
struct search_team search_host_team(const struct search_host *host);

/* The three parts of a batch. search_host_propose: makes new points. search_host_evaluate: evaluates the
 * objective at the points. search_host_accept: keeps points by the algorithm's rule. */
void search_host_propose(struct search_host *host, size_t run, size_t batch, struct search_team team);
void search_host_evaluate(struct search_host *host, size_t run, size_t batch, struct search_team team);
void search_host_accept(struct search_host *host, size_t run, size_t batch, struct search_team team);
/* search_host_most_ahead: number of steps whose points can be made together; 1 before step 0.
 * search_host_ahead: the same, at most `most`, and at most up to the limit of steps.
 * search_host_propose_ahead: makes the points of so many steps, x[steps][members][dim]. For each of them the
 * caller then sets x, y and `outside` of the host, and calls search_host_accept and search_host_settle. */
size_t search_host_most_ahead(const struct search_host *host, size_t run);
size_t search_host_ahead(const struct search_host *host, size_t run, size_t most);
void search_host_propose_ahead(struct search_host *host, size_t run, size_t steps, struct search_team team,
                               double *x);
/* Calls function(host, i, step of the run, scratch) for each point i of a batch. */
void search_host_for_batch(struct search_host *host, size_t run, size_t batch, struct search_team team,
                           void (*function)(struct search_host *host, size_t i, uint64_t step,
                                            double *scratch));
size_t search_host_batches(const struct search_host *host, size_t run); /* number of batches in a step */

/* The points of a batch of a run. Those of an island follow each other in `x`. */
struct search_batch {
    size_t first; /* index of the first point of the first island */
    size_t part;  /* number of points of each island */
    size_t size;  /* number of points of all islands of the run */
    size_t width; /* distance from the first point of an island to that of the next island */
};

struct search_batch search_host_find_batch(const struct search_host *host, size_t run, size_t batch);

/* Returns the index in `x` of point `number` of the batch. */
static inline size_t search_batch_point(const struct search_batch *batch, size_t number)
{
    if (number < batch->part)
        return batch->first + number;
    return batch->first + number / batch->part * batch->width + number % batch->part;
}

/* search_host_batch_size: number of points in a batch of a run, over all its islands.
 * search_host_batch_point: index in `x` of point `number` of the batch. */
size_t search_host_batch_size(const struct search_host *host, size_t run, size_t batch);
size_t search_host_most_points(const struct search_host *host); /* most points in a batch of any step */
size_t search_host_batch_point(const struct search_host *host, size_t run, size_t batch, size_t number);

/* Parts of the steps that may be cut: cut.c ------------------------------------------------------------- */

/* search_host_begin_part: begins a part, which may be cut. can_drop: keeps a copy of the state, so that
 * search_host_drop_part can restore it after a cut. */
void search_host_begin_part(struct search_host *host, bool can_drop);
void search_host_drop_part(struct search_host *host);
/* Copies the state that a step changes to `kept` or, if is_back, from `kept`. Returns the number of bytes.
 * kept NULL: copies nothing, but returns the number of bytes. */
size_t search_host_copy(struct search_host *host, char *kept, bool is_back);

static inline bool search_host_is_cut(const struct search_host *host)
{
    return long_step_is_cut(&host->cut);
}

static inline void search_host_count(struct search_host *host, size_t thread)
{
    _Atomic uint64_t *count = &host->progress[thread].count;
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* A thread calls this function after each unit of work that may take long. */
static inline void search_host_worked(struct search_host *host, size_t thread, enum search_work work)
{
    search_host_count(host, thread);
    if (host->can_cut)
        long_step_worked(&host->cut, &host->progress[thread].looks[work]);
}

static inline double *search_host_scratch_of(const struct search_host *host, int thread)
{
    return host->scratch + (size_t)thread * host->numbers;
}

/* Returns the index of the thread whose scratch memory is `scratch`. */
static inline size_t search_host_thread_of(const struct search_host *host, const double *scratch)
{
    return (size_t)(scratch - host->scratch) / host->numbers;
}

/* Records: islands.c ----------------------------------------------------------------------------------- */

/* Updates the records of the islands of a run after the last batch of a step. After step 0 of all runs, the
 * caller sets host->drawn. */
void search_host_settle(struct search_host *host, size_t run, struct search_team team);
/* Sets `leader` of an island to its best member, after members were replaced. */
void search_host_find_leader(struct search_host *host, size_t k);

/* For algorithms whose members are the points of the last step: copies the points of an island to its
 * members. */
void search_host_keep_points(struct search_host *host, size_t island);

/* Defined in polish.c. Between two steps: runs a pattern search from the best point of a run, and replaces
 * the worst member by the point found. Does nothing if there is not enough memory. */
void search_host_polish(struct search_host *host, size_t run, struct search_team team);

/* Defined in exchange.c. Exchanges points between all islands of a run. */
void search_host_exchange(struct search_host *host, size_t run);
/* Lets an island receive a point from outside of the search, between two steps. */
void search_host_receive(struct search_host *host, size_t island, const struct search_migrant *migrant);

/* Ends a run if it has reached the target, has stagnated, has all its members near the best, or cannot
 * improve by a rule of the algorithm. Called also after a checkpoint was loaded, since the checkpoint may
 * have been written with other limits. has_moved: the pattern search during the run, after which the members
 * are compared, has been made or is not due. */
void search_host_look_for_end(struct search_host *host, size_t run, bool has_moved);

/* Returns the island with the best champion of a run. */
size_t search_host_champion(const struct search_host *host, size_t run);

/* Checkpoints: state.c --------------------------------------------------------------------------------- */

/* Computes the state that follows from the saved arrays, for a search that has made step 0. */
void search_host_derive(struct search_host *host);

/* Whether the arrays can be a state after `steps` steps. Checked since some of their numbers are used as
 * indices. */
bool search_host_is_sound(const struct search_host *host, uint64_t steps);

/* Lists the arrays that all algorithms have. */
void search_host_list_arrays(struct search_host *host);
/* SHOAL_UNSUPPORTED: the search was stopped before it had a state to save. */
enum shoal_status search_fail_early_save(struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_host_save(struct search_host *host, struct checkpoint *checkpoint,
                                                    struct shoal_error *error);
/* After a failure the search is in the state before step 0. */
SHOAL_MUST_CHECK enum shoal_status
search_host_load(struct search_host *host, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Functions of struct shoal_solver_ops. The state of the solver is the host struct of the algorithm whose
 * name the workload has. */
enum shoal_status search_host_solver_create(struct shoal_solver *solver, struct shoal_error *error);
void search_host_solver_destroy(struct shoal_solver *solver);
enum shoal_status search_host_solver_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                          struct shoal_error *error);
/* Returns the result so far, checked in double precision. If the run is over, a polish improves the result;
 * repeated calls do not repeat the polish. */
enum shoal_status search_host_solver_result(struct shoal_solver *solver, struct shoal_result *out,
                                            struct shoal_error *error);
enum shoal_status search_host_solver_value(struct shoal_solver *solver, double *out,
                                           struct shoal_error *error);
enum shoal_status search_host_solver_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                          struct shoal_error *error);
enum shoal_status search_host_solver_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                          struct shoal_error *error);
uint64_t search_host_solver_progress(const struct shoal_solver *solver);
uint64_t search_host_solver_total(const struct shoal_solver *solver);
/* search_host_count_positions: count of the numbers that search_host_get_positions reads.
 * search_host_get_positions: positions of all members in the order of the kernels, [dim][total]. */
size_t search_host_count_positions(const struct shoal_solver *solver);
enum shoal_status search_host_get_positions(struct shoal_solver *solver, double *values,
                                            struct shoal_error *error);

/* Members that all algorithms have in their struct shoal_solver_ops for the host. */
#define SEARCH_HOST_SOLVER                                                                                   \
    .kind = "host", .create = search_host_solver_create, .destroy = search_host_solver_destroy,              \
    .step = search_host_solver_step, .result = search_host_solver_result, .value = search_host_solver_value, \
    .save = search_host_solver_save, .load = search_host_solver_load,                                        \
    .progress = search_host_solver_progress, .total_steps = search_host_solver_total

/* Further members for algorithms in which the state to compare is only the positions. */
#define SEARCH_HOST_POSITIONS                                                                                \
    .state_count = search_host_count_positions, .get_state = search_host_get_positions

#endif
