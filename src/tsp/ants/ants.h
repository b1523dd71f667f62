/* Private: the ants of ACOTSP 1.03: rules resolved from parameters and problem, tables that host and devices
 * share. */
#ifndef SHOAL_TSP_ANTS_H
#define SHOAL_TSP_ANTS_H

#include "tsp/colonies.h"

struct ants_settings;
struct ants_colony;

/* Most cities of a list that are tried, nearest first, before all cities are searched for an unvisited
 * city. */
enum { ANTS_LIST = 128 };

struct ants {
    const struct tsp_problem *problem;
    int algorithm; /* ANTS_AS ... ANTS_ACS */
    bool is_full;  /* pheromone on all edges */
    struct ants_settings *settings;
    uint32_t *lists; /* [cities][lists]: candidates of a city, then further cities, nearest first */
    /* [cities][entries]: (1 / distance)^beta in units of the nearest candidate's value */
    float *heuristic;
    unsigned moves;      /* enum tsp_moves of the local search, where settings->improves is set */
    bool no_bits;        /* the local search has no don't-look bits */
    uint32_t neighbours; /* candidates of a city in the local search */
    uint32_t *near;      /* [cities][neighbours]: candidate lists of the local search */
    uint32_t *first;     /* the first tour */
    bool are_others;     /* lists, heuristic, near and first belong to the whole run */
};

/* Sets everything from parameters and problem. After a failure ants_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status ants_create(const struct shoal_solver *solver, struct ants *ants,
                                               struct shoal_error *error);
/* Makes lists, heuristic values and the first tour, which `begin` and `load` need. */
SHOAL_MUST_CHECK enum shoal_status ants_prepare(struct shoal_solver *solver, struct ants *ants,
                                                struct shoal_error *error);
/* The same for a share: takes what the whole run has made. */
void ants_share_tables(struct ants *ants, const struct ants *whole);
void ants_destroy(struct ants *ants); /* accepts zeros */

/* Whether a city is in a set of bits. The set has the cities that an ant has visited, and the cities within
 * chains of fixed edges, which an ant enters at an end alone. */
static inline bool ants_has(const uint32_t *visited, uint32_t city)
{
    return visited[city / 32] >> city % 32 & 1;
}

static inline void ants_add(uint32_t *visited, uint32_t city)
{
    visited[city / 32] |= UINT32_C(1) << city % 32;
}

/* Empties the set, except for the inner cities of chains, which count as visited. */
void ants_clear(const struct ants *ants, uint32_t *visited);
/* The first city of an ant that should begin at `city`: an end of its chain. */
uint32_t ants_chain_end(const struct ants *ants, uint32_t city);
/* Returns the city to which a fixed edge takes an ant that came from `previous` (SHOAL_TSP_NONE: the ant
 * begins). SHOAL_TSP_NONE: no fixed edge leads on. */
uint32_t ants_forced(const struct ants *ants, uint32_t city, uint32_t previous);
/* The nearest unvisited city, the lowest among equals. The first `skip` cities of the list are known to be
 * visited. */
uint32_t ants_nearest(const struct ants *ants, const uint32_t *visited, uint32_t city, uint32_t skip);

/* Are the sections "best tours", "colonies" and "pheromone" of a checkpoint after `step` steps possible? */
SHOAL_MUST_CHECK enum shoal_status ants_check_saved(const struct ants *ants,
                                                    const struct checkpoint *checkpoint, uint64_t step,
                                                    struct shoal_error *error);

/* Sets the members of `common` that follow from rules and states of the colonies. */
void ants_set_colonies(const struct ants *ants, struct ants_colony *states, struct tsp_colonies *common);
/* Adds the fields of a result about the colonies. */
void ants_add_fields(const struct tsp_run *run, const struct ants_colony *colonies, uint32_t count,
                     struct shoal_result *result);

extern const struct tsp_method ants_host_method, ants_device_method;

#endif
