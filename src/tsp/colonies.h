/* Private: colonies of ants, each of which has a best tour: the data that methods with colonies give to a
 * run. */
#ifndef SHOAL_TSP_COLONIES_H
#define SHOAL_TSP_COLONIES_H

#include "tsp/tsp.h"
#include "workload/arrays.h"

/* The first member of the state of a method with colonies; `create` of the method sets it. Where shares hold
 * the colonies, the whole run has no arrays, and the functions below read those of the shares. */
struct tsp_colonies {
    uint32_t count, cities;
    uint32_t kept; /* number of tours that each colony keeps, its best tour first */
    uint64_t ants; /* tours that all colonies together make in a step */
    /* This solver makes own_ants of them, from first_ant on. own_ants 0: all. */
    uint64_t first_ant, own_ants;
    struct arrays arrays;
    /* states: state of each colony; on a device, the copy that `look` has read last. tour: best tour of one
     * colony, without the number of tours. */
    void *states;
    size_t state_bytes; /* bytes of all states */
    struct tsp_look (*best_of)(const void *states, uint32_t colony);
    /* On the host: the tours that colonies keep, and a number of each ant of the last step, which `shoal
     * verify` compares. */
    const uint32_t *tours;
    const int64_t *numbers;
    /* On a device: */
    struct shoal_buffer *state_buffer, *tour_buffer, *number_buffer;
    /* With exchange: tours and states of the colonies before the exchange; behind the row of the last colony
     * a row for the colony before the first one, where another share has that colony. */
    struct shoal_buffer *sent_tours, *sent_states;
};

/* Has the solver all colonies, of which it makes some of the pieces? Its arrays hold all pieces. */
static inline bool tsp_shares_pieces(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SLICES;
}

/* The solvers that together hold all colonies. Shares of pieces hold all: then the first of them is enough.
 */
static inline struct solver_list tsp_colony_holders(struct shoal_solver *const *solver)
{
    struct solver_list holders = solver_holders(solver);
    if (holders.count && tsp_shares_pieces(holders.solvers[0]))
        holders.count = 1;
    return holders;
}

/* Number of rows of sent_tours and sent_states: 0 without exchange. */
static inline double tsp_sent_rows(const struct shoal_solver *solver)
{
    return tsp_params(solver)->exchange ? (double)tsp_params(solver)->colonies + 1 : 0;
}

/* Do colonies exchange their best tours at the end of this step? */
static inline bool tsp_exchange_is_due(const struct shoal_solver *solver, uint64_t step)
{
    const uint64_t every = tsp_params(solver)->exchange;
    return every && step % every == 0;
}

/* On a device: sets sent_tours and sent_states. *before: row of the colony before the first one. */
SHOAL_MUST_CHECK enum shoal_status tsp_colonies_send(struct shoal_solver *solver, uint32_t *before,
                                                     struct shoal_error *error);

/* Gives the shares their colonies of a checkpoint, and the tables that the whole run has prepared. The step
 * of the whole run is set. */
SHOAL_MUST_CHECK enum shoal_status
tsp_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint, struct shoal_error *error);

/* The arrays of those that hold the colonies, of each share or of the run itself; the caller frees the list.
 * NULL: there is no memory. */
const struct arrays **tsp_colonies_tables(struct shoal_solver *solver, struct shoal_error *error);

/* Functions of struct tsp_method. */
enum shoal_status tsp_colonies_look(struct shoal_solver *solver, struct tsp_look *look,
                                    struct shoal_error *error);
/* Reads the best tour of all colonies, by the states that tsp_colonies_look has read. */
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
