/* Private: the state of an optimiser. */
#ifndef SHOAL_SEARCH_OPTIMISE_H
#define SHOAL_SEARCH_OPTIMISE_H

#include "objective/objective.h"
#include "search/host/host.h"

#include <shoal/optimise.h>
#include <stdatomic.h>

/* The part of a saved search that holds no members. */
struct optimiser_place {
    uint64_t drawn; /* step 0 is done */
    uint64_t batch; /* number of the batch in the current step */
    uint64_t asked; /* 1: the points of the batch were given to the caller, and their values are missing */
    uint64_t evaluations;
};

/* Values told one by one, as the search ranks them (constraints), of a batch whose other values are missing.
 * Arrays: [capacity of an ask]. */
struct optimiser_told {
    double *values;
    bool *is_told;
    size_t count; /* number of values told */
};

struct shoal_optimiser {
    size_t dim;
    const struct search_algorithm *algorithm; /* NULL: it is chosen when the search starts */
    bool is_auto;                             /* the search's problem chooses the algorithm */
    /* Parameters of the algorithm, which the caller may edit; a struct shoal_optimise_params where the
     * problem chooses the algorithm. */
    struct shoal_search_params *params;
    const struct shoal_objective *objective; /* NULL: not set */
    struct shoal_objective *own;             /* the objective, where the optimiser has created it and destroys
                                              * it; else NULL */
    double *lower, *upper;                   /* [dim]; NULL: not set */
    double *start;                           /* [start_count][dim]; NULL: not set */
    size_t start_count;
    bool is_constrained;         /* the caller tells violations with the values */
    struct shoal_device *device; /* NULL: the host */
    unsigned threads;
    atomic_bool stop;

    /* The search in progress. `host` serves a search on the host, `solver` a search on a device. */
    bool started;
    struct shoal_search_params *used; /* parameters with which the search was started */
    struct shoal_solver host;         /* state: a struct search_host */
    struct optimiser_place place;
    bool polish_asked; /* points of the polish were given to the caller, and values are missing */
    struct optimiser_told told;
    size_t capacity;           /* most points that one ask gives */
    double *points, *values;   /* points [capacity][dim] and values [capacity] of a batch of shoal_optimise */
    double evaluation_seconds; /* seconds of an evaluation; 0: not measured */
    double *refined;           /* [dim]: the best position after its refinement; NULL: not refined */
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

/* Starts a search with the current settings, unless a search is in progress. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start(struct shoal_optimiser *optimiser,
                                                   struct shoal_error *error);

/* Calls optimiser_start for a function that asks for points or saves; refuses a search on a device, where the
 * device evaluates the points. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start_asking(struct shoal_optimiser *optimiser,
                                                          const char *function, struct shoal_error *error);

/* Number of points that were given to the caller and wait for values, those with a value told one by one
 * among them. *polish: points of the polish; NULL: the points are of a step. */
size_t optimiser_waiting(const struct shoal_optimiser *optimiser, const double **polish);

/* Takes the values of all points that wait, as problem->objective has them: with constraints ranks. */
void optimiser_take_values(struct shoal_optimiser *optimiser, const double *values);

/* The value of the search at its best position, as problem->objective has it, and the position; infinity:
 * there is none. */
double optimiser_best_rank(const struct shoal_optimiser *optimiser, double *x);

/* Notes the value of a point that waits, as optimiser_take_values takes it. The last missing value ends the
 * batch. */
void optimiser_note_value(struct shoal_optimiser *optimiser, size_t index, double value);

/* Creates the polish that follows the last step, unless it exists. */
SHOAL_MUST_CHECK enum shoal_status optimiser_open_polish(struct shoal_optimiser *optimiser,
                                                         struct shoal_error *error);

/* The parameters of an algorithm, for the call that returns them; NULL where the optimiser has another
 * algorithm. */
void *optimiser_params_of(struct shoal_optimiser *optimiser, const struct search_algorithm *algorithm);

/* The functions of a workload that pass its algorithm on, NAME_total_steps and NAME_check_input, and
 * shoal_optimiser_NAME. */
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

/* shoal_optimise on a device. */
SHOAL_MUST_CHECK enum shoal_optimise_result optimiser_run_device(struct shoal_optimiser *optimiser, double *x,
                                                                 double *value, struct shoal_error *error);
void optimiser_close_device(struct shoal_optimiser *optimiser);
/* Reads the last result of a search on a device. Count: 0 where the result has no such field. Best point:
 * false where the result has none. */
uint64_t optimiser_device_count(const struct shoal_optimiser *optimiser, const char *field);
double optimiser_device_violation(const struct shoal_optimiser *optimiser); /* NaN: no best point */
bool optimiser_device_best(const struct shoal_optimiser *optimiser, double *x, double *value);

#endif
