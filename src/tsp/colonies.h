/* Private: data of methods that have colonies of ants, each with a best tour, which a run reads. */
#ifndef SHOAL_TSP_COLONIES_H
#define SHOAL_TSP_COLONIES_H

#include "tsp/tsp.h"
#include "workload/arrays.h"

/* The first member of the state of a method with colonies; `create` of the method sets it. If shares hold the
 * colonies, the whole run has no arrays, and the functions below read the arrays of the shares. */
struct tsp_colonies {
    uint32_t count, cities;
    uint32_t kept; /* number of tours that each colony keeps; the first is its best tour */
    uint64_t ants; /* number of tours that all colonies together construct in a step */
    /* This solver constructs own_ants of these tours, from tour first_ant on. own_ants 0: all of them. */
    uint64_t first_ant, own_ants;
    struct arrays arrays;
    /* states: the state of each colony; on a device, as `look` has last read it. tour: best tour of one
     * colony, without the number of tours. */
    void *states;
    size_t state_bytes; /* bytes of all states */
    struct tsp_look (*best_of)(const void *states, uint32_t colony);
    /* On the host: the tours that colonies keep, and for each ant of the last step a number that `shoal
     * verify` compares. */
    const uint32_t *tours;
    const int64_t *numbers;
    /* On a device: buffers of `states`, of the tours and of the numbers. */
    struct shoal_buffer *state_buffer, *tour_buffer, *number_buffer;
    /* With exchange: tours and states of the colonies before the exchange. If another share has the colony
     * before the first colony, the row after the last colony holds that colony. */
    struct shoal_buffer *sent_tours, *sent_states;
};

/* Whether the solver has all colonies, but processes only some of the pieces of their tours. Its arrays hold
 * all pieces. */
static inline bool tsp_shares_pieces(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SLICES;
}

/* The solvers that together hold all colonies. If shares divide the pieces, each share holds all colonies,
 * and the list has only the first share. */
static inline struct solver_list tsp_colony_holders(struct shoal_solver *const *solver)
{
    struct solver_list holders = solver_holders(solver);
    if (holders.count && tsp_shares_pieces(holders.solvers[0]))
        holders.count = 1;
    return holders;
}

/* Number of rows of sent_tours and sent_states; 0: there is no exchange. */
static inline double tsp_sent_rows(const struct shoal_solver *solver)
{
    return tsp_params(solver)->exchange ? (double)tsp_params(solver)->colonies + 1 : 0;
}

/* Whether colonies exchange their best tours at the end of step `step`. */
static inline bool tsp_exchange_is_due(const struct shoal_solver *solver, uint64_t step)
{
    const uint64_t every = tsp_params(solver)->exchange;
    return every && step % every == 0;
}

/* On a device: sets sent_tours and sent_states. *before: the row that holds the colony before the first
 * colony. */
SHOAL_MUST_CHECK enum shoal_status tsp_colonies_send(struct shoal_solver *solver, uint32_t *before,
                                                     struct shoal_error *error);

/* Gives each share its colonies of a checkpoint, and the tables that the whole run has prepared. The whole
 * run must already have loaded its step number. */
SHOAL_MUST_CHECK enum shoal_status
tsp_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Returns the arrays of each share, or of the run itself, in a list that the caller frees. NULL: there is no
 * memory. */
const struct arrays **tsp_colonies_tables(struct shoal_solver *solver, struct shoal_error *error);

/* tsp_colonies_look, tsp_colonies_tour, tsp_colonies_save, tsp_colonies_state_count, tsp_colonies_get_state:
 * functions of struct tsp_method. */
enum shoal_status tsp_colonies_look(struct shoal_solver *solver, struct tsp_look *look,
                                    struct shoal_error *error);
/* Reads the shortest of the best tours of all colonies, by the states that tsp_colonies_look has read. */
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
