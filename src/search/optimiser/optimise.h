/* Private: the state of an optimiser. */
#ifndef SHOAL_SEARCH_OPTIMISE_H
#define SHOAL_SEARCH_OPTIMISE_H

#include "objective/objective.h"
#include "search/host/host.h"

#include <shoal/optimise.h>
#include <stdatomic.h>

/* Part of a saved search besides the members. */
struct optimiser_place {
    uint64_t drawn; /* step 0 is done */
    uint64_t batch; /* of the current step */
    uint64_t asked; /* its members have moved and wait for values */
    uint64_t evaluations;
};

struct shoal_optimiser {
    size_t dim;
    const struct search_algorithm *algorithm;
    struct shoal_search_params *params;      /* the algorithm's, the caller's to edit */
    const struct shoal_objective *objective; /* NULL: not set */
    struct shoal_objective *own;             /* the same, where it was made here */
    double *lower, *upper;                   /* dim each; NULL: not set */
    double *start;                           /* start_count * dim; NULL: not set */
    size_t start_count;
    struct shoal_device *device; /* NULL: the host */
    unsigned threads;
    atomic_bool stop;

    /* The search. On the host `solver` has no device, on a device it is a real one. */
    bool started;
    struct shoal_search_params *used; /* with which it was started */
    struct shoal_solver host;         /* state: struct search_host */
    struct optimiser_place place;
    size_t capacity;           /* points of an ask */
    double *points, *values;   /* capacity: of shoal_optimise */
    double evaluation_seconds; /* 0: not measured */
    double *refined;           /* dim: position at the end of the search, refined; NULL: it is not */
    double refined_value;
    struct shoal_queue *queue; /* of a search on a device */
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

/* Makes *to, or a new array where it is NULL, a copy of `count` numbers. */
SHOAL_MUST_CHECK enum shoal_status optimiser_copy(size_t count, const double *from, double **to,
                                                  struct shoal_error *error);

/* Starts a search with the current settings if none runs. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start(struct shoal_optimiser *optimiser,
                                                   struct shoal_error *error);

/* The same for a function that asks or saves: a search on a device evaluates there and is refused. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start_asking(struct shoal_optimiser *optimiser,
                                                          const char *function, struct shoal_error *error);

/* The pattern search from the end of the steps, if there is none yet. */
SHOAL_MUST_CHECK enum shoal_status optimiser_open_polish(struct shoal_optimiser *optimiser,
                                                         struct shoal_error *error);

/* For the call by which an algorithm gives its own parameters: NULL where another one is set. */
void *optimiser_params_of(struct shoal_optimiser *optimiser, const struct search_algorithm *algorithm);

/* shoal_optimise on a device. */
SHOAL_MUST_CHECK enum shoal_optimise_result optimiser_run_device(struct shoal_optimiser *optimiser, double *x,
                                                                 double *value, struct shoal_error *error);
void optimiser_close_device(struct shoal_optimiser *optimiser);
/* Of its last result: a count, 0 where it has no such field; the best, false where it has none. */
uint64_t optimiser_device_count(const struct shoal_optimiser *optimiser, const char *field);
bool optimiser_device_best(const struct shoal_optimiser *optimiser, double *x, double *value);

#endif
