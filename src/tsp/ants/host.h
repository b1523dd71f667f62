/* Private: the ants on the host, for the solver of the host device and as the reference of the kernels. */
#ifndef SHOAL_TSP_ANTS_HOST_H
#define SHOAL_TSP_ANTS_HOST_H

#include "base/threads.h"
#include "tsp/ants/ants.h"
#include "tsp/improve/improve.h"

#include <stdatomic.h>

struct walk;

/* The working memory of one thread. */
struct ants_scratch {
    uint32_t *visited;  /* a set of visited cities for each of the `walks` */
    uint32_t *place;    /* [cities]: index of each city in the current list, or SHOAL_TSP_NONE */
    float *sums;        /* [entries]: deposits on the edges of a city */
    bool *is_worst;     /* bwas: [entries]: the edge is in the worst tour but not in the best tour */
    struct walk *walks; /* ants that walk at the same time */
    struct tsp_improver *improver;
};

struct ants_host {
    struct tsp_colonies common;
    struct ants ants;
    int threads;
    struct thread_choice choice;
    struct ants_scratch *scratch; /* [threads]: scratch memory of each thread */
    uint32_t *tours;              /* tours, indexed by ANTS_BEST, ANTS_RESTART_BEST and ANTS_TOUR */
    int64_t *lengths;             /* lengths of these tours in the form */
    float *trails, *weights;      /* pheromone and weights, [colonies][cities][entries] */
    struct ants_colony *colonies;
    uint32_t *sources;           /* tours that deposit pheromone */
    float *deposits;             /* pheromone that each of these tours deposits on its edges */
    uint32_t (*links)[2];        /* [tours that deposit][cities]: the two neighbours of each city */
    atomic_uint_fast64_t visits; /* number of cities visited, by which the watchdog sees progress */
    struct long_step *cut;       /* the run's current step */
    /* acs: trails before a step, in which ants change them; NULL: not allocated yet */
    float *kept;
    uint32_t *sent; /* best tour of the last colony at the begin of an exchange */
    uint64_t every; /* number of steps between exchanges; 0: there are none */
};

/* Constructs the tour of an ant. If the step is cut, the tour has no length. */
void ants_host_walk(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step,
                    struct ants_scratch *scratch);
/* acs: constructs the tours of all ants of a colony, in which all ants go to their next city before any ant
 * continues. */
void ants_host_walk_together(struct ants_host *host, uint32_t colony, uint32_t step,
                             struct ants_scratch *scratch);

size_t ants_host_walks_bytes(uint32_t ants);

/* ants_host_settle: finds the best tour of a step and chooses the tours that deposit pheromone.
 * ants_host_link: finds the neighbours of each city in one of these tours. */
void ants_host_settle(struct ants_host *host, uint32_t colony, uint32_t step);
void ants_host_link(struct ants_host *host, uint32_t colony, uint32_t number);
/* Updates pheromone and weights of the edges of a city. Returns the number of its candidates above the cutoff
 * of the branching factor. `apart`: the number of edges of the worst tour at this city that are not in the
 * best tour. */
uint32_t ants_host_renew(struct ants_host *host, uint32_t colony, uint32_t city, struct ants_scratch *scratch,
                         uint32_t *apart);
/* Makes restarts and mutations, after the pheromone of all cities was updated. */
void ants_host_finish(struct ants_host *host, uint32_t colony, uint32_t step);
/* Each colony takes the best tour of the colony before it if that tour is shorter. */
void ants_host_exchange(struct ants_host *host, uint32_t step);
/* Computes weights from pheromone. If the colony restarts, the pheromone is reset first. `cut` may end the
 * call early; NULL: nothing ends it. */
void ants_host_fill(struct ants_host *host, uint32_t colony, struct long_step *cut);

#endif
