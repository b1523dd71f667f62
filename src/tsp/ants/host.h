/* Private: the ants on the host: the solver of the host device and the reference of the kernels. */
#ifndef SHOAL_TSP_ANTS_HOST_H
#define SHOAL_TSP_ANTS_HOST_H

#include "base/threads.h"
#include "tsp/ants/ants.h"
#include "tsp/improve/improve.h"

#include <stdatomic.h>

struct walk;

/* The working memory of one thread. */
struct ants_scratch {
    uint32_t *visited;  /* set of visited cities for each ant that walks at a time */
    uint32_t *place;    /* [cities]: place of each city in the current list, or SHOAL_TSP_NONE */
    float *sums;        /* deposits on the edges of a city */
    bool *is_worst;     /* bwas: does an edge belong only to the worst tour? */
    struct walk *walks; /* ants that walk at a time */
    struct tsp_improver *improver;
};

struct ants_host {
    struct tsp_colonies common;
    struct ants ants;
    int threads;
    struct thread_choice choice;
    struct ants_scratch *scratch; /* [threads]: scratch memory of each thread */
    uint32_t *tours;              /* tours, numbered by ANTS_BEST, ANTS_RESTART_BEST, ANTS_TOUR */
    int64_t *lengths;             /* [ants]: lengths of the tours in the form */
    float *trails, *weights;      /* entries of each city of each colony */
    struct ants_colony *colonies;
    uint32_t *sources;           /* tours that an update reads */
    float *deposits;             /* [ants]: the pheromone that each ant leaves on its edges */
    uint32_t (*links)[2];        /* for each tour that an update reads, the two neighbours of each city */
    atomic_uint_fast64_t visits; /* number of cities visited, by which the watchdog sees progress */
    struct long_step *cut;       /* the run's current step */
    /* acs: trails before the step, whose ants change them; NULL: not yet allocated */
    float *kept;
    uint32_t *sent; /* best tour of the last colony before an exchange */
    uint64_t every; /* steps between exchanges; 0: there are none */
};

/* An ant constructs its tour. Where the step is cut, the tour has no length. */
void ants_host_walk(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step,
                    struct ants_scratch *scratch);
/* All ants of a colony of acs make their steps at the same time. */
void ants_host_walk_together(struct ants_host *host, uint32_t colony, uint32_t step,
                             struct ants_scratch *scratch);

size_t ants_host_walks_bytes(uint32_t ants);

/* Finds the best tour of a step and chooses the tours that leave pheromone. */
void ants_host_settle(struct ants_host *host, uint32_t colony, uint32_t step);
void ants_host_link(struct ants_host *host, uint32_t colony, uint32_t number);
/* Renews pheromone and weights of the edges of a city. Returns how many of its candidates are above the
 * cutoff of the branching factor, and in `apart` the number of edges of the worst tour that the best tour
 * lacks. */
uint32_t ants_host_renew(struct ants_host *host, uint32_t colony, uint32_t city, struct ants_scratch *scratch,
                         uint32_t *apart);
/* Makes restarts and mutations, after all cities were renewed. */
void ants_host_finish(struct ants_host *host, uint32_t colony, uint32_t step);
/* Colonies take the best tours of the colonies before them. */
void ants_host_exchange(struct ants_host *host, uint32_t step);
/* Computes weights from pheromone, which is first reset where the colony restarts. `cut` may end this early;
 * NULL: nothing cuts it. */
void ants_host_fill(struct ants_host *host, uint32_t colony, struct long_step *cut);

#endif
