/*  Private: a search on the host, in double precision: the first member of each algorithm's own struct.
 *
 * Members and points of all islands lie one behind the other: coordinate d of member i is p[i * dim + d],
 * coordinate d of point i is x[i * dim + d]. Point n of island k is point k * width + n. A step of a run goes
 * batch by batch: `propose` makes the points of the batch, the objective (`evaluate`) or a caller (ask and
 * tell) writes their values to y, `accept` keeps points by the algorithm's rule; `settle` ends the step and
 * updates the records of the islands. In a step that draws an island, its point n becomes its member n.
 * Points of a batch do not depend on one another, so the number of threads changes no result.
 */
#ifndef SHOAL_SEARCH_HOST_H
#define SHOAL_SEARCH_HOST_H

#include "base/threads.h"
#include "search/observe/trace.h"
#include "search/refine/polish.h"
#include "workload/arrays.h"
#include "workload/steps/long_step.h"

struct search_host;

/* Threads that work on the points of a batch: several, or the calling thread alone. */
struct search_team {
    int threads;
    int thread; /* number of the calling thread where it works alone */
};

/* A point that another island receives. */
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
    /* Frees what `open` has made besides arrays, also after its failure. NULL: nothing to do. */
    void (*close)(struct search_host *host);
    /* Bytes of memory that a step reads and writes at least for one evaluation. */
    double (*evaluation_bytes)(const struct search_problem *problem, enum shoal_precision precision);
    /* Called at the begin of step island.renew_at, unless that step draws the island anew, and after a
     * checkpoint is loaded. NULL: nothing to do. */
    void (*renew)(struct search_host *host, size_t island);
    /* Called at the begin of each step that does not draw the island anew, and after a checkpoint is loaded.
     * NULL: nothing to do. */
    void (*prepare)(struct search_host *host, size_t island);
    /* Called before the points of an island are drawn anew. NULL: nothing to do. */
    void (*begin)(struct search_host *host, size_t island);
    /* Draws point i anew, or makes the point from members; sets outside[i] where the point is not to be
     * evaluated. */
    void (*draw)(struct search_host *host, size_t i, double *scratch);
    void (*move)(struct search_host *host, size_t i, uint64_t step, double *scratch);
    /* The value of point i, where the algorithm keeps more of the evaluation. NULL: search_value_in_step. */
    double (*value)(struct search_host *host, size_t i, uint64_t step, double *scratch);
    /* Changes the points of a step and their values after their evaluation. Such a step has one batch. NULL:
     * points do not change. */
    void (*improve)(struct search_host *host, size_t run, struct search_team team);
    /* Enters point x with its value y into p and best where the algorithm keeps the point. NULL: only points
     * of a draw are entered here, other points by `replace`. */
    void (*keep)(struct search_host *host, size_t i, bool is_drawn);
    /* Makes the next members of an island from its members and the points of the step. NULL: `keep` does
     * so. */
    void (*replace)(struct search_host *host, size_t island, struct search_team team);
    /* Called at the end of each step, when the members of an island are known. NULL: nothing to do. */
    void (*end_step)(struct search_host *host, size_t island);
    /* Has the algorithm a rule by which the island can improve no more? NULL: no. */
    bool (*is_spent)(const struct search_host *host, size_t island);
    /* Called before an exchange: writes the points that an island sends to `sent` and `sent_values`, best
     * first. NULL: an island sends its champion. */
    void (*emigrate)(struct search_host *host, size_t island);
    /* Enters point `number` of the points that an island receives. NULL: the point takes the place of the
     * worst member if it is better than the best. */
    void (*immigrate)(struct search_host *host, size_t island, size_t number,
                      const struct search_migrant *migrant);
    /* State besides the arrays; NULL: there is none. `copy` as search_host_copy. */
    size_t (*copy)(struct search_host *host, char *kept, bool is_back);
    enum shoal_status (*save)(struct search_host *host, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct search_host *host, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
    /* Adds fields of the algorithm to a result. NULL: there are none. */
    void (*add_fields)(struct search_host *host, struct shoal_result *result);
};

/* Record of an island: docs/search.md, "Islands, restarts, stopping". Checkpoints hold the bytes of this
 * struct. */
struct search_island {
    double goal, mark, champion; /* goal: best value of the members; mark: best value at the last improvement
                                  * that counted; champion: best value ever */
    uint64_t stagnant;           /* steps since `mark` was set */
    uint64_t restarts;
    uint64_t renew_at; /* step after the last step that did not lower `goal` */
    uint64_t leader;   /* index within the island of its best member */
};

struct search_run {
    uint64_t steps;      /* steps done by the run */
    uint64_t not_finite; /* evaluations that gave NaN or an infinity */
    uint64_t ended;      /* 0, SEARCH_ENDED or SEARCH_CONVERGED */
    uint64_t reached;
};

/* Kinds of work; all units of a kind take about the same time. */
enum search_work { SEARCH_EVALUATION, SEARCH_MOVE, SEARCH_WORKS };

/* Work that a thread has done (members moved, evaluated or kept, moves of local searches), for the watchdog.
 * Each counter has a cache line of its own. */
struct progress_counter {
    _Alignas(64) _Atomic uint64_t count;
    struct long_step_looks looks[SEARCH_WORKS];
};

struct search_host {
    const struct search_host_ops *ops;
    struct search_problem *problem; /* problem of the algorithm */
    size_t batch;                   /* points of an island that are made before its members share their bests
                                     */
    size_t numbers;                 /* numbers of scratch memory that a thread needs for a point */
    double *x, *y;                  /* x: points to evaluate, [islands * width][dim]; y: their values */
    double *p, *best;               /* p: positions of the members, [total][dim]; best: their values, [total]
                                     */
    unsigned char *outside;         /* [islands * width]: the point is not to be evaluated */
    double *sent, *sent_values;     /* sent: points that islands send, [islands * migrants][dim]; sent_values:
                                     * their values */
    struct search_island *islands;
    struct search_run *runs;
    uint64_t *moves;  /* [runs]: moves that `improve` evaluated */
    double *champion; /* [islands][dim]: position of the island's champion */
    struct search_trace trace;
    double *scratch;                   /* [threads][numbers] */
    int threads;                       /* largest number of threads */
    struct progress_counter *progress; /* [threads] */
    double point_seconds;              /* seconds of an evaluation including a move; 0: not measured yet */
    struct thread_choice choice;       /* number of threads that share the members of a step, or the runs */
    bool drawn;                        /* step 0 has been done */
    struct long_step cut;              /* the part in progress, which holds one or a few steps */
    bool can_cut;
    bool needs_parts;    /* steps need ops->value: values alone, as an optimiser has them, are not enough */
    bool is_partial;     /* step 0 was cut but not dropped: some members have no value */
    double step_seconds; /* seconds of a step in the last part; 0: not measured yet */
    char *kept;          /* copy of the state before the part; NULL: not allocated yet */
    struct search_summary summary;
    struct search_polish *polish; /* polish of the last result; NULL: none */
    double *best_out, *position_out;
    uint64_t *ended_out;
    bool *reached_out, *stagnated_out, *converged_out;
    uint64_t *restarts_out;
    uint64_t *skipped_out; /* [runs]: points of step 0 without a value, where is_partial; NULL: not allocated
                            * yet */
    struct search_spread *spread_out;
    uint64_t saved_steps;      /* number of steps, as the checkpoint in progress stores it */
    struct arrays arrays, own; /* tables of the arrays above and of the algorithm's arrays */
};

/* Creates a search in `host`, memory of algorithm->host->size bytes. threads 0: as many threads as OpenMP
 * gives. `params` must outlive the search. After a failure nothing is left to destroy. */
SHOAL_MUST_CHECK enum shoal_status search_host_create(struct shoal *shoal,
                                                      const struct search_algorithm *algorithm,
                                                      const struct shoal_search_params *params, int threads,
                                                      struct search_host *host, struct shoal_error *error);
void search_host_destroy(struct search_host *host); /* accepts zeros */

/* Resets to the state before step 0. */
void search_host_reset(struct search_host *host);

/* Steps ------------------------------------------------------------------------------------------------ */

/* Does step 0 if it is not done yet, then up to `steps` steps of every run that has not ended; returns the
 * largest number of steps done. */
uint64_t search_host_advance(struct search_host *host, uint64_t steps);
bool search_host_ended(const struct search_host *host);          /* has every run ended? */
uint64_t search_host_steps(const struct search_host *host);      /* steps of the run with the most steps */
uint64_t search_host_count_work(const struct search_host *host); /* units of work done by all threads so far;
                                                                  * any thread may call this function */

/* Number of the next step of a run; 0 is the first draw. */
static inline uint64_t search_host_making(const struct search_host *host, size_t run)
{
    return host->drawn ? host->runs[run].steps + 1 : 0;
}

/* Is the island drawn anew in the current step? */
bool search_host_is_drawing(const struct search_host *host, size_t island);

/* The threads that share the batches of a run. */
struct search_team search_host_team(const struct search_host *host);

/* A batch of a step: `propose` makes new points, `evaluate` their values by the objective, `accept` keeps
 * points by the algorithm's rule. */
void search_host_propose(struct search_host *host, size_t run, size_t batch, struct search_team team);
void search_host_evaluate(struct search_host *host, size_t run, size_t batch, struct search_team team);
void search_host_accept(struct search_host *host, size_t run, size_t batch, struct search_team team);
/* Calls function(host, i, step of the run, scratch) for each point i of a batch. */
void search_host_for_batch(struct search_host *host, size_t run, size_t batch, struct search_team team,
                           void (*function)(struct search_host *host, size_t i, uint64_t step,
                                            double *scratch));
size_t search_host_batches(const struct search_host *host, size_t run); /* number of batches in a step */

/* Number of points in a batch of a run, over all its islands; search_host_batch_point gives the index in x of
 * point `number` of the batch. */
size_t search_host_batch_size(const struct search_host *host, size_t run, size_t batch);
size_t search_host_most_points(const struct search_host *host); /* most points that a batch of any step has */
size_t search_host_batch_point(const struct search_host *host, size_t run, size_t batch, size_t number);

/* Parts of the steps that may be cut: cut.c ------------------------------------------------------------- */

/* Begins a part, which may be cut. can_drop: search_host_drop_part may undo the steps of a part that was
 * cut. */
void search_host_begin_part(struct search_host *host, bool can_drop);
void search_host_drop_part(struct search_host *host);
/* Copies the state that a step changes to `kept`, or back; returns its bytes. kept NULL: only counts. */
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

/* A thread calls this after each unit of work that may be long. */
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

/* Number of the thread that uses the memory `scratch`. */
static inline size_t search_host_thread_of(const struct search_host *host, const double *scratch)
{
    return (size_t)(scratch - host->scratch) / host->numbers;
}

/* Records: islands.c ----------------------------------------------------------------------------------- */

/* Updates the records of a run after the last batch of a step. Step 0 is complete when every run was settled
 * and `drawn` is set. */
void search_host_settle(struct search_host *host, size_t run, struct search_team team);
/* Finds the best member of an island again where the best member may have been replaced. */
void search_host_find_leader(struct search_host *host, size_t k);

/* For algorithms whose members are the points of the last step: enters those of an island. */
void search_host_keep_points(struct search_host *host, size_t island);

/* Defined in exchange.c. Exchanges points between all islands of a run. */
void search_host_exchange(struct search_host *host, size_t run);
/* Enters a point that comes from outside the search into an island, between two steps. */
void search_host_receive(struct search_host *host, size_t island, const struct search_migrant *migrant);

/* Ends a run whose target, stagnation or spread of members ask for the end; the limits may differ from the
 * limits in the checkpoint. */
void search_host_look_for_end(struct search_host *host, size_t run);

/* The island that holds the best position of a run. */
size_t search_host_champion(const struct search_host *host, size_t run);

/* Checkpoints: state.c --------------------------------------------------------------------------------- */

/* Computes the state that follows from the saved arrays, for a search that has made step 0. */
void search_host_derive(struct search_host *host);

/* Can the arrays be the state after `steps` steps? Their numbers serve as indices. */
bool search_host_is_sound(const struct search_host *host, uint64_t steps);

/* Lists the arrays that all algorithms have. */
void search_host_list_arrays(struct search_host *host);
SHOAL_MUST_CHECK enum shoal_status search_host_save(struct search_host *host, struct checkpoint *checkpoint,
                                                    struct shoal_error *error);
/* After a failure the search is in the state before step 0. */
SHOAL_MUST_CHECK enum shoal_status
search_host_load(struct search_host *host, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Functions of struct shoal_solver_ops; the solver's state is the struct of the algorithm that has the name
 * of its workload. */
enum shoal_status search_host_solver_create(struct shoal_solver *solver, struct shoal_error *error);
void search_host_solver_destroy(struct shoal_solver *solver);
enum shoal_status search_host_solver_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                          struct shoal_error *error);
/* Fills the checked outcome so far. After the last step a polish improves it, once for a number of
 * steps. */
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
/* The positions of all members in the order of the kernels: coordinate by coordinate, [dim][total]. */
size_t search_host_count_positions(const struct shoal_solver *solver);
enum shoal_status search_host_get_positions(struct shoal_solver *solver, double *values,
                                            struct shoal_error *error);

/* Members of an algorithm's table of solver functions. */
#define SEARCH_HOST_SOLVER                                                                                   \
    .kind = "host", .create = search_host_solver_create, .destroy = search_host_solver_destroy,              \
    .step = search_host_solver_step, .result = search_host_solver_result, .value = search_host_solver_value, \
    .save = search_host_solver_save, .load = search_host_solver_load,                                        \
    .progress = search_host_solver_progress, .total_steps = search_host_solver_total

/* Further members, where a state to compare is the positions alone. */
#define SEARCH_HOST_POSITIONS                                                                                \
    .state_count = search_host_count_positions, .get_state = search_host_get_positions

#endif
