/* Private: data and functions shared by the methods that have colonies of ants, each of which has a best
 * tour. */
#ifndef SHOAL_TSP_COLONIES_H
#define SHOAL_TSP_COLONIES_H

#include "tsp/tsp.h"
#include "workload/arrays.h"

/* The first member of the state of a method that has colonies; `create` of the method sets the members. If
 * shares hold the colonies, the whole run has no arrays, and the functions below read the arrays of the
 * shares. */
struct tsp_colonies {
    uint32_t count, cities;
    uint32_t kept; /* number of tours that each colony stores; the first of these is its best tour */
    uint64_t ants; /* number of tours that all colonies together construct in a step */
    /* This solver constructs own_ants of the `ants` tours of a step, from tour first_ant on. own_ants 0: all
     * tours. */
    uint64_t first_ant, own_ants;
    struct arrays arrays;
    /* states: the state of each colony; of colonies on a device, the copy that `look` has made last. best_of:
     * returns the best length of a colony and the step that found it. */
    void *states;
    size_t state_bytes; /* size of `states` in bytes */
    struct tsp_look (*best_of)(const void *states, uint32_t colony);
    /* On the host: the stored tours of the colonies, and a number for each ant of the last step, which `shoal
     * verify` compares. */
    const uint32_t *tours;
    const int64_t *numbers;
    /* On a device: the buffers with the states, the stored tours and the numbers of the ants. */
    struct shoal_buffer *state_buffer, *tour_buffer, *number_buffer;
    /* With exchange: copies of the tours and states from before the exchange. If another share holds the
     * colony that precedes the first colony, the row after the last colony has a copy of that colony. */
    struct shoal_buffer *sent_tours, *sent_states;
};

/* Returns whether the solver is a share that has all colonies, but constructs tours for only some of their
 * pieces. Its arrays hold all pieces. */
static inline bool tsp_shares_pieces(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SLICES;
}

/* Returns the solvers that together hold all colonies. If the shares divide the pieces of tours, each share
 * holds all colonies, and the list has only the first share. */
static inline struct solver_list tsp_colony_holders(struct shoal_solver *const *solver)
{
    struct solver_list holders = solver_holders(solver);
    if (holders.count && tsp_shares_pieces(holders.solvers[0]))
        holders.count = 1;
    return holders;
}

/* Returns the number of rows of sent_tours and sent_states: colonies + 1, or 0 without exchange. */
static inline double tsp_sent_rows(const struct shoal_solver *solver)
{
    return tsp_params(solver)->exchange ? (double)tsp_params(solver)->colonies + 1 : 0;
}

/* Returns whether colonies exchange their best tours at the end of step `step`. */
static inline bool tsp_exchange_is_due(const struct shoal_solver *solver, uint64_t step)
{
    const uint64_t every = tsp_params(solver)->exchange;
    return every && step % every == 0;
}

/* On a device: copies the colonies to sent_tours and sent_states. *before: the row of these buffers that
 * holds the colony preceding the solver's first colony. */
SHOAL_MUST_CHECK enum shoal_status tsp_colonies_send(struct shoal_solver *solver, uint32_t *before,
                                                     struct shoal_error *error);

/* Gives each share the tables that the whole run has prepared, and the share's colonies from the checkpoint.
 * The caller has loaded the step number of the whole run before. */
SHOAL_MUST_CHECK enum shoal_status
tsp_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Returns a list with the arrays of each share, or with the run's own arrays if there are no shares. The
 * caller frees the list. NULL: no memory for the list. */
const struct arrays **tsp_colonies_tables(struct shoal_solver *solver, struct shoal_error *error);

/* tsp_colonies_look, tsp_colonies_tour, tsp_colonies_save, tsp_colonies_state_count and
 * tsp_colonies_get_state are members of struct tsp_method for methods with colonies. */
enum shoal_status tsp_colonies_look(struct shoal_solver *solver, struct tsp_look *look,
                                    struct shoal_error *error);
/* Reads the shortest of the best tours of all colonies. tsp_colonies_look has read the lengths before. */
enum shoal_status tsp_colonies_tour(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error);
enum shoal_status tsp_colonies_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                    struct shoal_error *error);
size_t tsp_colonies_state_count(const struct shoal_solver *solver);
enum shoal_status tsp_colonies_get_state(struct shoal_solver *solver, double *values,
                                         struct shoal_error *error);

#define TSP_COLONIES_METHOD                                                                                  \
    .look = tsp_colonies_look, .tour = tsp_colonies_tour, .state_count = tsp_colonies_state_count,           \
    .get_state = tsp_colonies_get_state

#endif
