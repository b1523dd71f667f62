/* Private: the state of an optimiser. */
#ifndef SHOAL_SEARCH_OPTIMISE_H
#define SHOAL_SEARCH_OPTIMISE_H

#include "objective/objective.h"
#include "search/host/host.h"

#include <shoal/optimise.h>
#include <stdatomic.h>

/* State of a search by ask and tell, in addition to the state of the host solver. Saved as these bytes. */
struct optimiser_place {
    uint64_t drawn; /* step 0 was made */
    uint64_t batch; /* number of the batch in the current step */
    /* 1: the caller has got the points of the batch and has not told all values; 0: otherwise */
    uint64_t asked;
    uint64_t evaluations;
};

/* The points of several steps for which the caller is asked together, since none of them depends on values of
 * the others (search_host_ahead). */
struct optimiser_ahead {
    size_t most;    /* largest number of steps of an ask */
    uint64_t steps; /* number of steps of the points that the caller has got; 0, 1: those of a batch alone */
    double *x;      /* [most * members][dim]; NULL: `most` is 1 */
};

/* Values that the caller has told one by one for the batch in progress, as the search ranks them. Arrays:
 * [capacity]. */
struct optimiser_told {
    double *values;
    bool *is_told;
    size_t count; /* number of values that were told */
};

struct shoal_optimiser {
    size_t dim;
    const struct search_algorithm *algorithm; /* NULL: not yet chosen */
    bool is_auto;                             /* the problem chooses the algorithm when the search starts */
    /* Parameters of the algorithm, which the caller may change; a struct shoal_optimise_params if the
     * algorithm is chosen by the problem. */
    struct shoal_search_params *params;
    const struct shoal_objective *objective; /* NULL: not set */
    struct shoal_objective *own;             /* `objective`, if the optimiser owns it; else NULL */
    double *lower, *upper;                   /* [dim]; NULL: not set */
    double *start;                           /* [start_count][dim]; NULL: not set */
    size_t start_count;
    bool is_constrained;         /* the caller tells violations together with values */
    struct shoal_device *device; /* NULL: the host */
    unsigned threads;
    atomic_bool stop;

    /* The search in progress. On the host, `host` is its solver; on a device, `solver`. */
    bool started;
    struct shoal_search_params *used; /* parameters with which the search started */
    struct shoal_solver host;         /* its state is a struct search_host */
    struct optimiser_place place;
    struct optimiser_ahead ahead;
    /* the caller has got points of the polish and has not told all their values */
    bool polish_asked;
    struct optimiser_told told;
    /* largest number of points that a call of ask returns, and that of one step or of the polish */
    size_t capacity, step_capacity;
    /* points, [capacity][dim]: points of a batch of shoal_optimise; values, [capacity]: their values */
    double *points, *values;
    double evaluation_seconds; /* measured time of an evaluation; 0: not measured yet */
    double *refined;           /* [dim]: the refined best position; NULL: not refined */
    double refined_value;
    struct shoal_queue *queue; /* queue of a search on a device */
    struct shoal_solver *solver;
    struct shoal_result result;
    enum shoal_optimise_result state;
};

static inline struct search_host *optimiser_host(const struct shoal_optimiser *optimiser)
{
    return optimiser->host.state;
}

static inline const struct shoal_workload *optimiser_workload(const struct shoal_optimiser *optimiser)
{
    return shoal_workload_find(optimiser->algorithm->name);
}

/* Starts a search with the current settings, unless it has started. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start(struct shoal_optimiser *optimiser,
                                                   struct shoal_error *error);

/* Calls optimiser_start for a function that asks for points or saves. Fails if the search is on a device,
 * where the device evaluates the points itself. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start_asking(struct shoal_optimiser *optimiser,
                                                          const char *function, struct shoal_error *error);

/* shoal_optimiser_ask for points of at most `steps` steps. */
SHOAL_MUST_CHECK enum shoal_status optimiser_ask(struct shoal_optimiser *optimiser, size_t steps,
                                                 double *points, size_t capacity, size_t *count,
                                                 struct shoal_error *error);

/* Returns the number of points in the batch that the caller has got, including points whose value it has
 * told; 0: no batch waits for values. *polish: the points, if they belong to the polish; NULL: they belong to
 * a step. */
size_t optimiser_waiting(const struct shoal_optimiser *optimiser, const double **polish);

/* Makes the points of the next batch, or of `steps` steps. */
void optimiser_propose(struct shoal_optimiser *optimiser, size_t steps);

/* Takes the values of all points that wait, as values of problem->objective: with constraints, ranks. */
void optimiser_take_values(struct shoal_optimiser *optimiser, const double *values);

/* Returns the best value of sign f so far, with constraints the best rank, and sets *position to its member.
 * Infinity: there is no finite value. */
double optimiser_find_best(const struct shoal_optimiser *optimiser, const double **position);

/* Returns the value of problem->objective (with constraints, the rank) at the best position so far, and
 * copies the position to x. Infinity: there is no such position. */
double optimiser_best_rank(const struct shoal_optimiser *optimiser, double *x);

/* Takes the value of a single point that waits, of the kind that optimiser_take_values takes. The last
 * missing value completes the batch. */
void optimiser_note_value(struct shoal_optimiser *optimiser, size_t index, double value);

/* Creates the polish after the last step, unless it exists. */
SHOAL_MUST_CHECK enum shoal_status optimiser_open_polish(struct shoal_optimiser *optimiser,
                                                         struct shoal_error *error);

/* Returns the parameters of the optimiser if it has this algorithm, else NULL. Implements
 * shoal_optimiser_NAME. */
void *optimiser_params_of(struct shoal_optimiser *optimiser, const struct search_algorithm *algorithm);

/* Defines the functions of a workload that depend only on its algorithm: NAME_total_steps, NAME_check_input
 * and shoal_optimiser_NAME. */
#define SEARCH_WORKLOAD_FUNCTIONS(name)                                                                      \
    static uint64_t name##_total_steps(const void *params)                                                   \
    {                                                                                                        \
        return search_total_steps(&name##_algorithm, params);                                                \
    }                                                                                                        \
    static enum shoal_status name##_check_input(struct shoal *shoal, const void *params,                     \
                                                struct shoal_error *error)                                   \
    {                                                                                                        \
        return search_check_input(shoal, &name##_algorithm, params, error);                                  \
    }                                                                                                        \
    struct shoal_##name##_params *shoal_optimiser_##name(struct shoal_optimiser *optimiser)                  \
    {                                                                                                        \
        return optimiser_params_of(optimiser, &name##_algorithm);                                            \
    }

/* optimiser_run_device: shoal_optimise for a search on a device. optimiser_close_device: destroys the solver
 * and the queue. */
SHOAL_MUST_CHECK enum shoal_optimise_result optimiser_run_device(struct shoal_optimiser *optimiser, double *x,
                                                                 double *value, struct shoal_error *error);
void optimiser_close_device(struct shoal_optimiser *optimiser);
/* Return a part of the last result of a search on a device. optimiser_device_count: the field `field`; 0: the
 * result has no such field. optimiser_device_best: false if the result has no best point. */
uint64_t optimiser_device_count(const struct shoal_optimiser *optimiser, const char *field);
/* violation of the constraints at the best point; NaN: there is no best point */
double optimiser_device_violation(const struct shoal_optimiser *optimiser);
bool optimiser_device_best(const struct shoal_optimiser *optimiser, double *x, double *value);

#endif
