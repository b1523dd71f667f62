/* Private: the ants of ACOTSP 1.03: rules that follow from parameters and problem, and tables that host and
 * devices use. */
#ifndef SHOAL_TSP_ANTS_H
#define SHOAL_TSP_ANTS_H

#include "tsp/colonies.h"

struct ants_settings;
struct ants_colony;

/* Length of a list with further cities: an ant tries them in the order of their distances, before it searches
 * all cities for an unvisited city. */
enum { ANTS_LIST = 128 };

struct ants {
    const struct tsp_problem *problem;
    int algorithm; /* ANTS_AS ... ANTS_ACS */
    bool is_full;  /* all edges have pheromone; false: the edges to candidates */
    struct ants_settings *settings;
    /* [cities][settings->lists]: candidates of a city, then further cities, in the order of their
     * distances */
    uint32_t *lists;
    /* [cities][entries]: (1 / distance)^beta, divided by the value of the nearest candidate */
    float *heuristic;
    unsigned moves;      /* enum tsp_moves of the local search, if settings->improves is set */
    bool no_bits;        /* the local search has no don't-look bits */
    uint32_t neighbours; /* number of candidates of a city in the local search */
    uint32_t *near;      /* [cities][neighbours]: candidate lists of the local search */
    uint32_t *first;     /* the first tour */
    bool are_others;     /* lists, heuristic, near and first are owned by the whole run */
};

/* Sets everything except the tables, from parameters and problem. After a failure ants_destroy frees what was
 * allocated. */
SHOAL_MUST_CHECK enum shoal_status ants_create(const struct shoal_solver *solver, struct ants *ants,
                                               struct shoal_error *error);
/* Makes the tables that `begin` and `load` need: lists, heuristic values and the first tour. */
SHOAL_MUST_CHECK enum shoal_status ants_prepare(struct shoal_solver *solver, struct ants *ants,
                                                struct shoal_error *error);
/* Gives a share the tables of the whole run. */
void ants_share_tables(struct ants *ants, const struct ants *whole);
void ants_destroy(struct ants *ants); /* accepts a struct of zeros */

/* Whether a city is in a set of bits. The set holds the cities that an ant has visited, and the inner cities
 * of chains of fixed edges, since an ant may enter a chain only at an end. */
static inline bool ants_has(const uint32_t *visited, uint32_t city)
{
    return visited[city / 32] >> city % 32 & 1;
}

static inline void ants_add(uint32_t *visited, uint32_t city)
{
    visited[city / 32] |= UINT32_C(1) << city % 32;
}

/* Empties the set, except for the inner cities of chains. */
void ants_clear(const struct ants *ants, uint32_t *visited);
/* The first city of an ant: `city`, or an end of the chain in which `city` is. */
uint32_t ants_chain_end(const struct ants *ants, uint32_t city);
/* Returns the city to which a fixed edge leads an ant that came from `previous` (SHOAL_TSP_NONE: the ant
 * begins). SHOAL_TSP_NONE: there is no such edge. */
uint32_t ants_forced(const struct ants *ants, uint32_t city, uint32_t previous);
/* Returns the nearest unvisited city; of cities at the same distance, the lowest. The first `skip` cities of
 * the list are known to be visited. */
uint32_t ants_nearest(const struct ants *ants, const uint32_t *visited, uint32_t city, uint32_t skip);

/* Checks that the sections "best tours", "colonies" and "pheromone" of a checkpoint are possible after `step`
 * steps. */
SHOAL_MUST_CHECK enum shoal_status ants_check_saved(const struct ants *ants,
                                                    const struct checkpoint *checkpoint, uint64_t step,
                                                    struct shoal_error *error);

/* Sets the members of `common` that depend on rules and states of the colonies. */
void ants_set_colonies(const struct ants *ants, struct ants_colony *states, struct tsp_colonies *common);
/* Adds the result fields of colonies. */
void ants_add_fields(const struct tsp_run *run, const struct ants_colony *colonies, uint32_t count,
                     struct shoal_result *result);

extern const struct tsp_method ants_host_method, ants_device_method;

#endif
