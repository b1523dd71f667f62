/* Private: the ants on the host: the solver for the host, with which tests compare the kernels. */
#ifndef SHOAL_TSP_ANTS_HOST_H
#define SHOAL_TSP_ANTS_HOST_H

#include "base/threads.h"
#include "tsp/ants/ants.h"
#include "tsp/improve/improve.h"

#include <stdatomic.h>

struct walk;

/* The working memory of one thread. */
struct ants_scratch {
    uint32_t *visited;  /* a set of visited cities for each element of `walks` */
    uint32_t *place;    /* [cities]: index of each city in the list of the current city, or SHOAL_TSP_NONE */
    float *sums;        /* [entries]: sums of the deposits on the edges of the current city */
    bool *is_worst;     /* bwas: [entries]: the edge is in the worst tour but not in the best tour */
    struct walk *walks; /* state of the ants that this thread advances at the same time */
    struct tsp_improver *improver;
};

struct ants_host {
    struct tsp_colonies common;
    struct ants ants;
    int threads;
    struct thread_choice choice;
    struct ants_scratch *scratch; /* [threads] */
    uint32_t *tours;         /* tours; ANTS_BEST, ANTS_RESTART_BEST and ANTS_TOUR give the index of a tour */
    int64_t *lengths;        /* length of each of `tours`, in the form of the problem */
    float *trails, *weights; /* pheromone and weights, [colonies][cities][entries] */
    struct ants_colony *colonies;
    uint32_t *sources;    /* numbers of the tours that deposit pheromone */
    float *deposits;      /* pheromone that each tour of `sources` deposits on each of its edges */
    uint32_t (*links)[2]; /* [tours of `sources`][cities]: the two neighbours of each city */
    /* number of cities visited so far, which the watchdog reads as a sign of progress */
    atomic_uint_fast64_t visits;
    struct long_step *cut; /* the current step of the run, which may be cut */
    /* acs: trails from before the step, since ants change trails during a step; NULL: not allocated yet */
    float *kept;
    uint32_t *sent; /* best tour of the last colony before an exchange */
    uint64_t every; /* number of steps between exchanges; 0: no exchange */
};

/* Constructs the tour of an ant, improves it by local search if the settings say so, and sets its length. If
 * the step is cut, the length stays ANTS_NO_LENGTH. */
void ants_host_walk(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step,
                    struct ants_scratch *scratch);
/* acs: constructs the tours of all ants of a colony. The ants advance together, one city at a time. */
void ants_host_walk_together(struct ants_host *host, uint32_t colony, uint32_t step,
                             struct ants_scratch *scratch);

size_t ants_host_walks_bytes(uint32_t ants);

/* ants_host_settle finds the best tour of a step, and chooses the tours that deposit pheromone.
 * ants_host_link finds the two neighbours of each city in one of the chosen tours, `number`. */
void ants_host_settle(struct ants_host *host, uint32_t colony, uint32_t step);
void ants_host_link(struct ants_host *host, uint32_t colony, uint32_t number);
/* Updates pheromone and weights of the edges of a city. Returns the number of candidates of the city whose
 * pheromone exceeds the cutoff of the branching factor. *apart: the number of edges at this city that are in
 * the worst tour but not in the best tour. */
uint32_t ants_host_renew(struct ants_host *host, uint32_t colony, uint32_t city, struct ants_scratch *scratch,
                         uint32_t *apart);
/* Makes restarts and mutations. The caller has updated the pheromone of all cities before. */
void ants_host_finish(struct ants_host *host, uint32_t colony, uint32_t step);
/* Gives each colony the best tour of the preceding colony if this tour is shorter than the colony's best
 * tour. */
void ants_host_exchange(struct ants_host *host, uint32_t step);
/* Computes the weights of all edges from their pheromone. If the colony restarts, resets the pheromone
 * before. `cut` may end the call early; NULL: nothing ends the call. */
void ants_host_fill(struct ants_host *host, uint32_t colony, struct long_step *cut);

#endif
