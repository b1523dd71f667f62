/* Private: the algorithms of the workload "tsp", and the state of a run, common to all algorithms. */
#ifndef SHOAL_TSP_PRIVATE_H
#define SHOAL_TSP_PRIVATE_H

#include "tsp/device/places.h"
#include "tsp/improve/improve.h"
#include "tsp/model/problem.h"
#include "tsp/thesis/options.h"
#include "workload/steps/long_step.h"
#include "workload/workload.h"

/* The results of a run so far. */
struct tsp_look {
    uint64_t tours;     /* number of tours constructed so far by all colonies */
    int64_t best;       /* length of the shortest closed tour of the form so far; INT64_MAX: no tour */
    uint64_t best_step; /* step after which the best tour was found */
};

/* How the host, or a device, makes the steps of an algorithm. The state of the solver that these functions
 * get is a struct tsp_run whose form has at least four cities. Functions of `base`:
 * - `begin` sets the state before the first step, using the data of `prepare`. SHOAL_STOPPED: run->cut was
 *   cut; the next call begins anew.
 * - `advance` enqueues the steps after run->steps. If the run must end, the last run->dropped steps are not
 *   made.
 * - `save` and `load` write and read the sections of a checkpoint that the method adds to the steps and the
 *   best tour. After `load` the next step is that of an uninterrupted run. `load` checks each number of the
 *   file that is used as an index. */
struct tsp_method {
    struct method base;
    /* Makes the data that steps only read: candidate lists, weights by distance and, if is_first, the first
     * tour (run->start_tour, if there is one). A share uses the data of the whole run. Called before `begin`
     * and `load`; data that exist are not made again. SHOAL_STOPPED: run->cut was cut; the next call begins
     * anew. NULL: `begin` and `load` make the data. */
    enum shoal_status (*prepare)(struct shoal_solver *solver, bool is_first, struct shoal_error *error);
    /* Waits for the enqueued steps and sets `look`. */
    enum shoal_status (*look)(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error);
    /* Reads the tour whose length is look.best: form.n cities of the form. */
    enum shoal_status (*tour)(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error);
    /* Numbers that the last step has changed, such as lengths of tours and pheromone, which `shoal verify`
     * compares between device and host. All of them are integers, equal on both. */
    size_t (*state_count)(const struct shoal_solver *solver);
    enum shoal_status (*get_state)(struct shoal_solver *solver, double *values, struct shoal_error *error);
    /* Adds the result fields that only this algorithm has; NULL: there are none. */
    void (*add_fields)(const struct shoal_solver *solver, struct shoal_result *result);
    /* on the host: number of cities visited, by which the watchdog sees progress */
    uint64_t (*progress)(const struct shoal_solver *solver);
};

/* The method of a solver; NULL: the problem has only one tour, so that no algorithm runs. */
static inline const struct tsp_method *tsp_method_of(const struct shoal_solver *solver)
{
    return (const struct tsp_method *)solver->method.method;
}

struct tsp_algorithm {
    const char *name; /* name in the option --algorithm */
    /* the algorithm has --colonies, and the state of its methods begins with a struct tsp_colonies */
    bool has_colonies;
    /* `create` of the methods replaces SHOAL_TSP_LISTS_AUTO by a kind of lists. Without this flag AUTO means
     * nearest cities. */
    bool has_quadrants;
    /* Checks rules between the parameters other than ranges and needs; NULL: there are none. */
    enum shoal_status (*check)(const struct shoal_tsp_params *params, struct shoal_error *error);
    /* Fails if the algorithm cannot solve the problem. NULL: it can solve every problem. */
    enum shoal_status (*fits)(const struct tsp_problem *problem, struct shoal_error *error);
    uint64_t (*total_steps)(
        /* number of steps of a run; NULL: the number of iterations, by default 1000 */
        const struct shoal_tsp_params *params);
    const struct tsp_method *host, *device;
};

/* The algorithms, in the order of enum shoal_tsp_algorithm. */
extern const struct tsp_algorithm *const tsp_algorithms[];

/* State of a solver for the host or a device. */
struct tsp_run {
    struct tsp_problem problem;
    const struct tsp_algorithm *algorithm;
    struct tsp_places places; /* numbers of the cities on a device; unused on the host */
    uint32_t *start_tour;     /* tour of --tour as cities of the form; NULL: there is none */
    bool begun;
    bool ended;     /* the run has ended, by number of tours, target or stagnation */
    uint64_t steps; /* number of steps made */
    /* number of steps that the last call of `advance` did not make; 0 before each call */
    uint64_t dropped;
    struct long_step cut; /* the action in progress, a step or `begin`, which may be cut */
    bool has_draft;       /* `scratch` holds a tour to report, since the run was cut before it found one */
    bool is_draft;        /* `tour` is only a draft: the first tour that the algorithm finds replaces it */
    struct tsp_look look; /* results after `steps` steps */
    int64_t length;       /* length of `tour` in units of distance; INT64_MAX: there is no tour yet */
    uint32_t *tour;       /* best tour so far, as cities of the input */
    uint32_t *scratch;    /* buffer of form.n cities */
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
extern const struct shoal_sampling tsp_sampling; /* samples of struct shoal_tsp_sample */
/* Rows of options.c, including the rows of tsp/ALGORITHM/options.h. */
enum { TSP_OPTIONS = 38 + TSP_THESIS_OPTIONS };
extern const struct shoal_option tsp_options[TSP_OPTIONS];
extern const char *const tsp_lists_names[]; /* names in the order of enum shoal_tsp_lists, ended by NULL */
extern const struct shoal_solver_ops tsp_device_ops, tsp_host_ops;

/* Makes `steps` steps on the host; each thread calls `step` for each step. If run->cut is cut, all threads
 * return from `step` before they change data that the next step reads. */
struct thread_choice;
void tsp_advance_threads(struct shoal_solver *solver, struct thread_choice *choice, uint64_t steps,
                         void (*step)(void *own, uint32_t step), void *own);
/* Resets the state of a run to that before its first step. */
void tsp_run_reset(struct tsp_run *run);
/* Sets another kind of lists for the solver, and creates its method again. After a failure nothing has
 * changed. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_set_lists(struct shoal_solver *solver, enum shoal_tsp_lists lists,
                                                     struct shoal_error *error);
/* Sets the draft: the tour that a run reports if it is cut before it has found a tour. */
void tsp_set_draft(const struct shoal_solver *solver, const uint32_t *tour);
/* Returns SHOAL_STOPPED if the start of a run was cut; `tour`, the best tour at that time, is then the
 * draft. */
SHOAL_MUST_CHECK enum shoal_status tsp_start_status(const struct shoal_solver *solver, const uint32_t *tour,
                                                    struct shoal_error *error);
/* Improves the first tour of a run by local search. If the search is cut, returns like tsp_start_status. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_first(const struct shoal_solver *solver,
                                                     const struct tsp_improve_rules *rules, uint32_t *tour,
                                                     struct shoal_error *error);
/* Makes candidate lists of the form's cities in memory of the host: see tsp_candidates. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_candidates(struct shoal_solver *solver, uint32_t count,
                                                      uint32_t *lists, struct shoal_error *error);
/* Checks that the memory of a device has room for `arrays`, and for those of other shares on this device,
 * like arrays_check, with the message "tsp: N cities ... need B bytes". */
struct arrays;
SHOAL_MUST_CHECK enum shoal_status tsp_check_memory(const struct shoal_solver *solver,
                                                    const struct arrays *arrays, struct shoal_error *error);

#endif
