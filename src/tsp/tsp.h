/* Private: the algorithms of the workload "tsp", and the state of a run of any of them. */
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
    uint64_t tours;     /* tours constructed so far, by all colonies */
    int64_t best;       /* shortest closed tour of the form so far; INT64_MAX: none */
    uint64_t best_step; /* step after which the best tour was found */
};

/* How the host, or a device, makes the steps of an algorithm. The functions get a solver whose state is a
 * struct tsp_run with at least four cities in the form. In `base`: - `begin` sets the state before the first
 * step, from what `prepare` has made. SHOAL_STOPPED: run->cut was cut; the next call begins anew. - `advance`
 * enqueues steps that follow run->steps; all of them but the last run->dropped ones, before which the run
 * must end. - `save` and `load` write and read the sections of a checkpoint beyond the steps and the best
 * tour. After `load` the next step is that of an uninterrupted run. `load` checks each number of the file
 * before it uses the number as an index. */
struct tsp_method {
    struct method base;
    /* Makes what steps read and do not change: candidate lists, weights by distance; with is_first also the
     * first tour (run->start_tour, if there is one). A share takes all of this from the whole run. Called
     * before `begin` and `load`; makes nothing twice. SHOAL_STOPPED: run->cut was cut; the next call begins
     * anew. NULL: `begin` and `load` make it. */
    enum shoal_status (*prepare)(struct shoal_solver *solver, bool is_first, struct shoal_error *error);
    /* Waits for the steps enqueued. */
    enum shoal_status (*look)(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error);
    /* Reads the tour of look.best: form.n cities of the form. */
    enum shoal_status (*tour)(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error);
    /* Numbers that the last step has changed, by which `shoal verify` compares a device with the host:
     * lengths of tours, pheromone. All are whole numbers, and equal on both. */
    size_t (*state_count)(const struct shoal_solver *solver);
    enum shoal_status (*get_state)(struct shoal_solver *solver, double *values, struct shoal_error *error);
    /* Adds the fields of a result that only this algorithm has; NULL: none. */
    void (*add_fields)(const struct shoal_solver *solver, struct shoal_result *result);
    /* host: number of cities visited, which the watchdog reads */
    uint64_t (*progress)(const struct shoal_solver *solver);
};

/* NULL: the problem has only one tour, so that no algorithm runs. */
static inline const struct tsp_method *tsp_method_of(const struct shoal_solver *solver)
{
    return (const struct tsp_method *)solver->method.method;
}

struct tsp_algorithm {
    const char *name;  /* name in the option --algorithm */
    bool has_colonies; /* --colonies; the state of its methods begins with a struct tsp_colonies */
    /* `create` replaces SHOAL_TSP_LISTS_AUTO; without this flag AUTO means nearest cities. */
    bool has_quadrants;
    /* Rules between the parameters beyond ranges and needs; NULL: none. */
    enum shoal_status (*check)(const struct shoal_tsp_params *params, struct shoal_error *error);
    /* Can the algorithm solve the problem? NULL: it solves every problem. */
    enum shoal_status (*fits)(const struct tsp_problem *problem, struct shoal_error *error);
    uint64_t (*total_steps)(
        /* NULL: the number of iterations, 1000 where the parameters give none */
        const struct shoal_tsp_params *params);
    const struct tsp_method *host, *device;
};

/* The algorithms, in the order of enum shoal_tsp_algorithm. */
extern const struct tsp_algorithm *const tsp_algorithms[];

/* State of a solver. */
struct tsp_run {
    struct tsp_problem problem;
    const struct tsp_algorithm *algorithm;
    struct tsp_places places; /* places of the cities on a device; not used on the host */
    uint32_t *start_tour;     /* start tour from --tour, cities of the form; NULL: none */
    bool begun;
    bool ended;           /* the run has ended by tours, target or stagnation */
    uint64_t steps;       /* steps done */
    uint64_t dropped;     /* steps that the last call of `advance` left out; 0 before each call */
    struct long_step cut; /* the step in progress, or `begin`, which may be cut */
    bool has_draft;       /* the run was cut before its first tour, and `scratch` holds a tour to report */
    bool is_draft;        /* `tour` is only a draft: the first tour that the algorithm finds replaces it */
    struct tsp_look look; /* results after `steps` steps */
    int64_t length;       /* length of `tour`, in units of distance; INT64_MAX: no tour yet */
    uint32_t *tour;       /* best tour so far, of the input's cities */
    uint32_t *scratch;    /* scratch memory, [form.n] */
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
/* Rows of options.c, with the rows of each algorithm from tsp/ALGORITHM/options.h. */
enum { TSP_OPTIONS = 38 + TSP_THESIS_OPTIONS };
extern const struct shoal_option tsp_options[TSP_OPTIONS];
extern const char *const tsp_lists_names[]; /* names in the order of enum shoal_tsp_lists, ended by NULL */
extern const struct shoal_solver_ops tsp_device_ops, tsp_host_ops;

/* Makes `steps` steps on the host: each thread calls `step` for each step. A thread that learns from run->cut
 * that the step is cut returns, and so do all other threads, before any data are changed that the next step
 * reads. */
struct thread_choice;
void tsp_advance_threads(struct shoal_solver *solver, struct thread_choice *choice, uint64_t steps,
                         void (*step)(void *own, uint32_t step), void *own);
/* Forgets the steps of a run. */
void tsp_run_reset(struct tsp_run *run);
/* Gives the solver lists of another kind, and with these a new method. A failure changes nothing. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_set_lists(struct shoal_solver *solver, enum shoal_tsp_lists lists,
                                                     struct shoal_error *error);
/* Sets the tour that a run reports where it is cut before it has found a tour. */
void tsp_set_draft(const struct shoal_solver *solver, const uint32_t *tour);
/* Returns SHOAL_STOPPED where the start of a run was cut; `tour` is then the tour at hand. */
SHOAL_MUST_CHECK enum shoal_status tsp_start_status(const struct shoal_solver *solver, const uint32_t *tour,
                                                    struct shoal_error *error);
/* Improves the first tour of a run by local search. Returns as tsp_start_status does where the search is
 * cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_improve_first(const struct shoal_solver *solver,
                                                     const struct tsp_improve_rules *rules, uint32_t *tour,
                                                     struct shoal_error *error);
/* Candidate lists of the form's cities for a run, in memory of the host: see tsp_candidates. */
SHOAL_MUST_CHECK enum shoal_status tsp_run_candidates(struct shoal_solver *solver, uint32_t count,
                                                      uint32_t *lists, struct shoal_error *error);
/* Checks the memory of arrays, and of those of other shares beside them, as arrays_check does, with the
 * message "tsp: N cities ... need B bytes". */
struct arrays;
SHOAL_MUST_CHECK enum shoal_status tsp_check_memory(const struct shoal_solver *solver,
                                                    const struct arrays *arrays, struct shoal_error *error);

#endif
