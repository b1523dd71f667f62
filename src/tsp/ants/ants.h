/* Private: the ants of ACOTSP 1.03: rules that follow from parameters and problem, and the tables that both
 * the host's and the devices' solvers use. */
#ifndef SHOAL_TSP_ANTS_H
#define SHOAL_TSP_ANTS_H

#include "tsp/colonies.h"

struct ants_settings;
struct ants_colony;

/* Length of the list of a city, which has the candidates and further cities. If an ant finds no unvisited
 * candidate, it tries the further cities in the order of their distances, and then all cities. */
enum { ANTS_LIST = 128 };

struct ants {
    const struct tsp_problem *problem;
    int algorithm; /* ANTS_AS ... ANTS_ACS */
    bool is_full;  /* true: all edges have pheromone; false: only edges to candidates have pheromone */
    struct ants_settings *settings;
    /* [cities][settings->lists]: candidates of a city, then further cities, both in the order of their
     * distances */
    uint32_t *lists;
    /* [cities][entries]: (1 / distance)^beta of an edge, divided by this value of the edge to the nearest
     * city */
    float *heuristic;
    unsigned moves;      /* enum tsp_moves of the local search; used if settings->improves is set */
    bool no_bits;        /* the local search uses no don't-look bits */
    uint32_t neighbours; /* number of candidates of a city in the local search */
    uint32_t *near;      /* [cities][neighbours]: candidate lists of the local search */
    uint32_t *first;     /* the first tour, whose length is the unit of pheromone */
    bool are_others;     /* a share: the whole run owns lists, heuristic, near and first */
};

/* Sets all members except the tables, from parameters and problem. After a failure the caller must call
 * ants_destroy. */
SHOAL_MUST_CHECK enum shoal_status ants_create(const struct shoal_solver *solver, struct ants *ants,
                                               struct shoal_error *error);
/* Computes the tables that `begin` and `load` of the methods need: candidate lists, heuristic values and the
 * first tour. */
SHOAL_MUST_CHECK enum shoal_status ants_prepare(struct shoal_solver *solver, struct ants *ants,
                                                struct shoal_error *error);
/* Lets a share use the tables of the whole run, which keeps owning them. */
void ants_share_tables(struct ants *ants, const struct ants *whole);
void ants_destroy(struct ants *ants); /* accepts a struct of zeros */

/* Returns whether a city is in a set of bits. A set `visited` holds the cities that an ant has visited, and
 * the inner cities of chains of fixed edges: an ant may enter a chain only at an end. */
static inline bool ants_has(const uint32_t *visited, uint32_t city)
{
    return visited[city / 32] >> city % 32 & 1;
}

static inline void ants_add(uint32_t *visited, uint32_t city)
{
    visited[city / 32] |= UINT32_C(1) << city % 32;
}

/* Removes all cities from the set, except the inner cities of chains of fixed edges. */
void ants_clear(const struct ants *ants, uint32_t *visited);
/* Returns the city at which an ant begins: `city`, or an end of the chain of fixed edges that has `city` as
 * an inner city. */
uint32_t ants_chain_end(const struct ants *ants, uint32_t city);
/* Returns the city to which a fixed edge leads an ant that is at `city` and came from `previous`
 * (SHOAL_TSP_NONE: the ant begins here). Returns SHOAL_TSP_NONE if no fixed edge leads on. */
uint32_t ants_forced(const struct ants *ants, uint32_t city, uint32_t previous);
/* Returns the unvisited city nearest to `city`; of unvisited cities outside its list that have the same
 * distance, the one with the lowest number. The caller knows that the first `skip` cities of the list are
 * visited. */
uint32_t ants_nearest(const struct ants *ants, const uint32_t *visited, uint32_t city, uint32_t skip);

/* Checks that values of the sections "best tours", "colonies" and "pheromone" of a checkpoint can occur after
 * `step` steps. */
SHOAL_MUST_CHECK enum shoal_status ants_check_saved(const struct ants *ants,
                                                    const struct checkpoint *checkpoint, uint64_t step,
                                                    struct shoal_error *error);

/* Sets the members of `common` that depend on the rules of the ants and on the states of the colonies. */
void ants_set_colonies(const struct ants *ants, struct ants_colony *states, struct tsp_colonies *common);
/* Adds to the result the number of colonies, and the mean of their best lengths with its standard error, if
 * the run has two or more colonies and each has a tour. */
void ants_add_fields(const struct tsp_run *run, const struct ants_colony *colonies, uint32_t count,
                     struct shoal_result *result);

extern const struct tsp_method ants_host_method, ants_device_method;

#endif
