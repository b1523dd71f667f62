/* Private: the algorithms of the workload "tsp", and the state of a run that all algorithms share. */
#ifndef SHOAL_TSP_PRIVATE_H
#define SHOAL_TSP_PRIVATE_H

#include "tsp/device/places.h"
#include "tsp/improve/improve.h"
#include "tsp/model/problem.h"
#include "tsp/thesis/options.h"
#include "workload/steps/long_step.h"
#include "workload/workload.h"

/* Results of a run so far, as a method reports them. */
struct tsp_look {
    uint64_t tours; /* number of tours constructed so far by all colonies */
    int64_t best;   /* length of the shortest tour so far, as a tour of the form; INT64_MAX: no tour yet */
    uint64_t best_step; /* number of steps made when the best tour was found */
};

/* An algorithm on the host or on devices. The solver's state is a struct tsp_run, whose form has at least
 * four cities. Members of `base`:
 * - `begin` sets the state before the first step, using the data of `prepare`. SHOAL_STOPPED: run->cut was
 *   cut; the next call begins anew.
 * - `advance` enqueues the steps after run->steps. If the run must end, the last run->dropped steps are not
 *   made.
 * - `save` and `load` write and read the sections of a checkpoint that the method adds to the steps and the
 *   best tour. After `load` the next step is that of an uninterrupted run. `load` checks each number of the
 *   file that is used as an index. */
struct tsp_method {
    struct method base;
    /* Computes the data that steps only read: candidate lists, heuristic values and, if is_first, the first
     * tour (run->start_tour if that exists). A share uses the data of the whole run. `prepare` is called
     * before `begin` and before `load`, and computes only data that do not exist. Returns SHOAL_STOPPED if
     * run->cut was cut; the next call then begins anew. NULL: `begin` and `load` compute the data. */
    enum shoal_status (*prepare)(struct shoal_solver *solver, bool is_first, struct shoal_error *error);
    /* Waits until the enqueued steps are made, and sets `look` to the results. */
    enum shoal_status (*look)(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error);
    /* Reads the tour whose length is look.best, as form.n cities of the form. */
    enum shoal_status (*tour)(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error);
    /* state_count returns the number of values that get_state writes: values that the last step has changed,
     * such as lengths of tours and pheromone. `shoal verify` compares them between device and host. All
     * values are integers and must be equal. */
    size_t (*state_count)(const struct shoal_solver *solver);
    enum shoal_status (*get_state)(struct shoal_solver *solver, double *values, struct shoal_error *error);
    /* Adds result fields that only this algorithm has; NULL: the algorithm has none. */
    void (*add_fields)(const struct shoal_solver *solver, struct shoal_result *result);
    /* Returns the number of cities visited by the host so far, which the watchdog reads as a sign of
     * progress; NULL: the number of steps is used. */
    uint64_t (*progress)(const struct shoal_solver *solver);
};

/* Returns the method of a solver; NULL if the solver makes no steps, since the shortest tour is computed when
 * the run begins: with the algorithm exact, and where a problem has only one tour. */
static inline const struct tsp_method *tsp_method_of(const struct shoal_solver *solver)
{
    return (const struct tsp_method *)solver->method.method;
}

struct tsp_algorithm {
    const char *name; /* name in the option --algorithm */
    /* the option --colonies applies, and the state of the methods begins with a struct tsp_colonies */
    bool has_colonies;
    /* `create` of the methods chooses a kind of lists if problem->lists is AUTO. Without this flag AUTO means
     * the nearest cities. */
    bool has_quadrants;
    /* Checks rules between parameters, except ranges and the `needs` of options; NULL: no such rules. */
    enum shoal_status (*check)(const struct shoal_tsp_params *params, struct shoal_error *error);
    /* Fails if the algorithm cannot solve the problem; NULL: it can solve all problems. */
    enum shoal_status (*fits)(const struct tsp_problem *problem, struct shoal_error *error);
    uint64_t (*total_steps)(
        /* returns the number of steps of a run; NULL: the number of iterations, by default 1000 */
        const struct shoal_tsp_params *params);
    const struct tsp_method *host;   /* NULL: the algorithm is exact, which makes no steps */
    const struct tsp_method *device; /* NULL: the algorithm has no method for devices */
    /* Can the run be one of many whose steps are made together on a device (solver->joint), by the method
     * `joint`? NULL: no run can. */
    bool (*joins)(const struct tsp_problem *problem, const struct shoal_tsp_params *params);
    const struct tsp_method *joint;
};

/* The algorithms of the workload, in the order of enum shoal_tsp_algorithm. */
extern const struct tsp_algorithm *const tsp_algorithms[];

/* Function `check` of algorithms without ants: fails if the parameters have options of ants. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_no_ants(const struct shoal_tsp_params *params,
                                                     struct shoal_error *error);
/* May the algorithm be lk, which shares by cells? It is named, or auto chooses without options of ants. */
bool tsp_may_be_lk(const struct shoal_tsp_params *params);
/* Is the whole run divided by the cells of lk? */
bool tsp_shares_cells(const struct shoal_solver *whole);
/* The first given option of those that only a search from a first tour uses: of candidate lists and of the
 * start tour; NULL: none is given. */
const char *tsp_option_of_search(const struct shoal_tsp_params *params);
/* Why SHOAL_TSP_ALGORITHM_AUTO was replaced by an algorithm; checkpoints have the numbers. */
enum tsp_choice {
    TSP_NOT_CHOSEN, /* the caller has named the algorithm */
    TSP_CHOSEN_FOR_OPTION,
    TSP_CHOSEN_FOR_SIZE,
    TSP_CHOSEN_FOR_HOST,
    TSP_CHOSEN_FOR_DEVICE,
    TSP_CHOSEN_FOR_GPU,
    TSP_CHOSEN_FOR_MANY,
    TSP_CHOSEN_FOR_CPU,
    TSP_CHOSEN_FOR_SHARES
};
/* Most cities of a cell of a device, and of a problem that is one cell. */
enum { TSP_SMALL_CELL = 512 };
/* Most cities of a tour that lk mends by one thread, but for tours that began with a curve. On a GPU lk has
 * one tour of more cities. */
enum { TSP_MOST_MENDED = 1 << 17 };
/* Most replicas of a run that is not given their number. */
enum { TSP_MOST_REPLICAS = 128 };
/* What makes the steps of a run. */
enum tsp_maker { TSP_HOST, TSP_CPU_DEVICE, TSP_GPU };
enum tsp_maker tsp_maker_of(const struct shoal_solver *solver);
/* Kicks per second of all tours of lk, as choices assume. */
double tsp_kick_rate(enum tsp_maker maker);
/* Replaces SHOAL_TSP_ALGORITHM_AUTO by an algorithm, and sets the time of a run that has no other end. */
enum tsp_choice tsp_choose_algorithm(struct shoal_tsp_params *params, uint32_t cities, bool is_even,
                                     enum tsp_maker maker);
/* Sets the number of replicas of lk unless it is given. Checkpoints have the number, so that a resumed run
 * keeps it. */
void tsp_choose_replicas(struct shoal_tsp_params *params, uint32_t cities, bool is_matrix,
                         enum tsp_maker maker);
/* The reason of a choice, as it follows "chosen for" in results. */
const char *tsp_choice_reason(enum tsp_choice choice, const struct shoal_tsp_params *params);
/* Write and read the sections of a checkpoint that have the choice and the default time of a run. */
void tsp_choice_save(const struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status
tsp_choice_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);
/* Function `prefers_host` of the workload: whether the algorithm is made for the host or, where it is not
 * chosen yet, whether lk on the host finds shorter tours than ants on the device. is_slow: the device is no
 * GPU. */
bool tsp_prefers_host(const struct shoal_tsp_params *params, bool is_slow);

/* State of a solver, for the host or a device. */
struct tsp_run {
    struct tsp_problem problem;
    const struct tsp_algorithm *algorithm;
    enum tsp_choice choice;
    bool has_default_time;    /* the time limit is not the caller's */
    int64_t bound;            /* lower bound of the length of every tour; -1: not computed */
    struct tsp_places places; /* coordinates or matrix on a device; unused on the host */
    double method_bytes;      /* bytes of the arrays of the method: see tsp_check_memory */
    uint32_t *start_tour;     /* tour of --tour, as a tour of the form; NULL: no start tour */
    bool begun;
    bool ended;     /* the run has ended by its number of tours, its target or its stagnation */
    uint64_t steps; /* number of steps made so far */
    /* number of steps that the last call of the method's `advance` was asked for and did not make */
    uint64_t dropped;
    struct long_step cut; /* the step or call of `begin` in progress, which may be cut */
    /* `scratch` has a draft: a tour to report because the run was cut before it found a tour */
    bool has_draft;
    bool is_draft;        /* `tour` is a draft, which the first tour of the algorithm replaces */
    struct tsp_look look; /* results after `steps` steps */
    int64_t length;    /* length of `tour` in the unit of the problem's distances; INT64_MAX: no tour yet */
    uint32_t *tour;    /* best tour so far, as cities of the input */
    uint32_t *scratch; /* memory for a tour of the form */
    char title[160], warning[160];
};

static inline struct tsp_run *tsp_run_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static inline const struct shoal_tsp_params *tsp_params(const struct shoal_solver *solver)
{
    return solver->params;
}

static inline const struct tsp_problem *tsp_problem_of(const struct shoal_solver *solver)
{
    return &tsp_run_of(solver)->problem;
}

extern const struct workload tsp_workload;
extern const struct workload_split *const tsp_splits[];
extern const struct shoal_sampling tsp_sampling; /* samples are of type struct shoal_tsp_sample */
/* The options in options.c, including those of tsp/ALGORITHM/options.h. */
enum { TSP_OPTIONS = 43 + TSP_THESIS_OPTIONS };
extern const struct shoal_option tsp_options[TSP_OPTIONS];
/* names of the kinds of lists, in the order of enum shoal_tsp_lists, with a final NULL */
extern const char *const tsp_lists_names[];
extern const struct shoal_solver_ops tsp_device_ops, tsp_host_ops;

/* Makes `steps` steps on the host. For each step, each thread calls `step`. If run->cut is cut, all threads
 * must return from `step` before they change data that the next step reads. */
struct thread_choice;
void tsp_advance_threads(struct shoal_solver *solver, struct thread_choice *choice, uint64_t steps,
                         void (*step)(void *own, uint32_t step), void *own);
/* Resets the state of a run to its state before the first step. */
void tsp_run_reset(struct tsp_run *run);
/* Sets another kind of candidate lists and creates the solver's method again. After a failure the solver is
 * unchanged. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_set_lists(struct shoal_solver *solver, enum shoal_tsp_lists lists,
                                                     struct shoal_error *error);
/* Sets the draft: the tour, of the form, that a run reports if it is cut before it has found a tour. */
void tsp_set_draft(const struct shoal_solver *solver, const uint32_t *tour);
/* Returns SHOAL_STOPPED if run->cut was cut; then `tour`, the best tour at that time, becomes the draft. */
SHOAL_MUST_CHECK enum shoal_status tsp_start_status(const struct shoal_solver *solver, const uint32_t *tour,
                                                    struct shoal_error *error);
/* Constructs a greedy tour without noise by candidate lists in memory of the host: on the device of the
 * solver if it is made there sooner and has the memory, else on the host, with the same result. */
SHOAL_MUST_CHECK enum shoal_status tsp_first_greedy(struct shoal_solver *solver, const uint32_t *lists,
                                                    uint32_t neighbours, uint32_t *tour,
                                                    struct shoal_error *error);
/* Improves a first tour by local search, until run->cut is cut. Any thread may call this. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_until_cut(const struct shoal_solver *solver,
                                                         const struct tsp_improve_rules *rules,
                                                         uint32_t *tour, struct shoal_error *error);
/* Improves the first tour of a run by local search. If the search is cut, returns SHOAL_STOPPED, and `tour`
 * becomes the draft, as with tsp_start_status. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_first(const struct shoal_solver *solver,
                                                     const struct tsp_improve_rules *rules, uint32_t *tour,
                                                     struct shoal_error *error);
/* Lengths of the candidate lists of an algorithm: by default, of each kind, and the most. */
struct tsp_list_rules {
    uint32_t nearest, quadrants, alpha, most;
};
/* Fails if the algorithm or the problem cannot have candidate lists of the run's kind. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_check_lists(const struct tsp_run *run, struct shoal_error *error);
/* The length of the lists of the run's kind. */
uint32_t tsp_run_list_length(const struct shoal_solver *solver, const struct tsp_list_rules *rules);
/* Replaces SHOAL_TSP_LISTS_AUTO by a kind of lists: nearest cities, or quadrants if the lists of nearest
 * cities leave clusters unconnected, since no move could then improve the edges between clusters. *lists
 * receives the lists of nearest cities if these are chosen; otherwise, or if there was no choice, it stays
 * NULL. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_choose_lists(struct shoal_solver *solver,
                                                        const struct tsp_list_rules *rules, uint32_t **lists,
                                                        struct shoal_error *error);
/* Computes the lower bound of the run, if its parameters ask for it. A bound that the caller stops is left
 * out, with a warning. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_find_bound(struct shoal_solver *solver, struct shoal_error *error);
/* Computes candidate lists for the cities of the form, in memory of the host: see tsp_candidates. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_candidates(struct shoal_solver *solver, uint32_t count,
                                                      uint32_t *lists, struct shoal_error *error);
/* Like arrays_check, checks that the device has memory for `arrays`, those of the method, and for the arrays
 * of other shares on the device, and keeps the number of their bytes. The message is "tsp: N cities ... need
 * B bytes". */
struct arrays;
SHOAL_MUST_CHECK enum shoal_status tsp_check_memory(const struct shoal_solver *solver,
                                                    const struct arrays *arrays, struct shoal_error *error);

#endif
