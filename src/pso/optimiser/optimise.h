/* Private: the state of an optimiser. */
#ifndef SHOAL_PSO_OPTIMISE_H
#define SHOAL_PSO_OPTIMISE_H

#include "objective/objective.h"
#include "pso/host/host.h"

#include <shoal/optimise.h>
#include <stdatomic.h>

/* Part of a saved search besides the swarms. */
struct optimiser_place {
    uint64_t drawn; /* step 0 is done */
    uint64_t batch; /* of the current step */
    uint64_t asked; /* its particles have moved and wait for values */
    uint64_t evaluations;
};

struct shoal_optimiser {
    size_t dim;
    struct shoal_pso_params params;          /* the caller's to edit */
    const struct shoal_objective *objective; /* NULL: not set */
    struct shoal_objective *own;             /* the same, where it was made here */
    double *lower, *upper;                   /* dim each; NULL: not set */
    double *start;                           /* dim; NULL: not set */
    struct shoal_device *device;             /* NULL: the host */
    unsigned threads;
    atomic_bool stop;

    /* The search. On the host `solver` has no device, on a device it is a real one. */
    bool started;
    struct shoal_pso_params used; /* with which it was started */
    struct shoal_solver host;     /* state: struct reference */
    struct optimiser_place place;
    size_t capacity;           /* points of an ask */
    double *points, *values;   /* capacity: of shoal_optimise */
    double evaluation_seconds; /* 0: not measured */
    struct shoal_queue *queue; /* of a search on a device */
    struct shoal_solver *solver;
    struct shoal_result result;
    enum shoal_optimise_result state;
};

static inline struct pso_host *optimiser_host(const struct shoal_optimiser *optimiser)
{
    return optimiser->host.state;
}

/* Starts a search with the current settings if none runs. */
SHOAL_MUST_CHECK enum shoal_status optimiser_start(struct shoal_optimiser *optimiser,
                                                   struct shoal_error *error);

/* ITERATIONS or EVALUATIONS: which of the two ends a search that nothing else ends. */
enum shoal_optimise_result optimiser_limit(const struct shoal_pso_params *params);

/* shoal_optimise on a device. */
SHOAL_MUST_CHECK enum shoal_optimise_result optimiser_run_device(struct shoal_optimiser *optimiser, double *x,
                                                                 double *value, struct shoal_error *error);
void optimiser_close_device(struct shoal_optimiser *optimiser);

#endif
