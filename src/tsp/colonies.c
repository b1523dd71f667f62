#include "tsp/colonies.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static struct tsp_colonies *colonies_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Returns the colony with the shortest best tour; of colonies with the same length, the one that found it
 * first, of these the one with the lowest number. So the tour of a run does not depend on the steps at which
 * it is looked at, whose number follows from the clock. */
static uint32_t best_colony(const struct tsp_colonies *colonies)
{
    struct tsp_look best = colonies->best_of(colonies->states, 0);
    uint32_t number = 0;
    for (uint32_t c = 1; c < colonies->count; c++) {
        const struct tsp_look other = colonies->best_of(colonies->states, c);
        if (other.best > best.best || (other.best == best.best && other.best_step >= best.best_step))
            continue;
        best = other;
        number = c;
    }
    return number;
}

enum shoal_status tsp_colonies_look(struct shoal_solver *solver, struct tsp_look *look,
                                    struct shoal_error *error)
{
    const struct tsp_colonies *colonies = colonies_of(solver);
    const struct solver_list holders = tsp_colony_holders(&solver);
    enum shoal_status status = SHOAL_OK;
    char *states = colonies->states;
    for (size_t k = 0; k < holders.count && !status; k++) {
        const struct tsp_colonies *own = colonies_of(holders.solvers[k]);
        if (own->state_buffer)
            status = shoal_buffer_read(holders.solvers[k]->queue, own->state_buffer, 0, states,
                                       own->state_bytes, error);
        states += own->state_bytes;
    }
    if (status)
        return status;
    *look = colonies->best_of(colonies->states, best_colony(colonies));
    look->tours = tsp_run_of(solver)->steps * colonies->ants;
    return SHOAL_OK;
}

enum shoal_status tsp_colonies_tour(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error)
{
    struct shoal_solver *const *holder = tsp_colony_holders(&solver).solvers;
    uint32_t colony = best_colony(colonies_of(solver));
    for (; colony >= colonies_of(*holder)->count; holder++)
        colony -= colonies_of(*holder)->count;
    const struct tsp_colonies *own = colonies_of(*holder);
    const size_t first = (size_t)colony * own->kept * own->cities, bytes = own->cities * sizeof *tour;
    if (own->tour_buffer)
        return shoal_buffer_read((*holder)->queue, own->tour_buffer, first * sizeof *tour, tour, bytes,
                                 error);
    memcpy(tour, own->tours + first, bytes);
    return SHOAL_OK;
}

const struct arrays **tsp_colonies_tables(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct solver_list holders = solver_holders(&solver);
    const struct arrays **tables = calloc(holders.count, sizeof *tables);
    if (!tables && fail_host_memory(error))
        return NULL;
    for (size_t k = 0; k < holders.count; k++)
        tables[k] = &colonies_of(holders.solvers[k])->arrays;
    return tables;
}

enum shoal_status tsp_colonies_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    const struct arrays **tables = tsp_colonies_tables(solver, error);
    if (!tables)
        return SHOAL_OUT_OF_HOST_MEMORY;
    const enum shoal_status status =
        arrays_join(tables, tsp_colony_holders(&solver).count, checkpoint, error);
    free((void *)tables);
    return status;
}

size_t tsp_colonies_state_count(const struct shoal_solver *solver)
{
    return (size_t)colonies_of(solver)->ants;
}

enum shoal_status tsp_colonies_get_state(struct shoal_solver *solver, double *values,
                                         struct shoal_error *error)
{
    const struct solver_list holders = solver_holders(&solver);
    const size_t count = tsp_colonies_state_count(solver);
    int64_t *numbers = malloc(count * sizeof *numbers), *next = numbers;
    enum shoal_status status = numbers ? SHOAL_OK : fail_host_memory(error);
    for (size_t k = 0; k < holders.count && !status; k++) {
        const struct tsp_colonies *own = colonies_of(holders.solvers[k]);
        const uint64_t ants = own->own_ants ? own->own_ants : own->ants;
        const size_t first = (size_t)own->first_ant, bytes = (size_t)ants * sizeof *numbers;
        if (own->number_buffer)
            status = shoal_buffer_read(holders.solvers[k]->queue, own->number_buffer, first * sizeof *numbers,
                                       next, bytes, error);
        else
            memcpy(next, own->numbers + first, bytes);
        next += ants;
    }
    for (size_t i = 0; i < count && !status; i++)
        values[i] = (double)numbers[i];
    free(numbers);
    return status;
}

/* Exchange --------------------------------------------------------------------------------------------- */

/* Copies the tours and states of the colonies to sent_tours and sent_states. The colonies form a ring, in
 * which the last colony precedes the first. If another share holds the colony that precedes the first colony
 * of this share, gets that colony into row colonies->count. */
enum shoal_status tsp_colonies_send(struct shoal_solver *solver, uint32_t *before, struct shoal_error *error)
{
    const struct tsp_colonies *colonies = colonies_of(solver);
    const struct solver_share *share = &solver->share;
    const size_t tour_row = (size_t)colonies->kept * colonies->cities * sizeof(uint32_t),
                 state_row = colonies->state_bytes / colonies->count;
    const struct solver_table tables[] = {{.buffer = colonies->sent_tours, .row = tour_row},
                                          {.buffer = colonies->sent_states, .row = state_row}};
    enum shoal_status status = shoal_buffer_copy(solver->queue, colonies->tour_buffer, 0,
                                                 colonies->sent_tours, 0, colonies->count * tour_row, error);
    if (!status)
        status = shoal_buffer_copy(solver->queue, colonies->state_buffer, 0, colonies->sent_states, 0,
                                   colonies->state_bytes, error);
    *before = colonies->count - 1;
    if (status || share->count == share->of || tsp_shares_pieces(solver))
        return status;
    *before = colonies->count;
    const struct solver_guest last = {
        .unit = (share->first ? share->first : share->of) - 1, .row = *before, .count = 1};
    const struct solver_visit visit = {
        .tables = tables, .table_count = COUNT(tables), .guests = &last, .guest_count = 1};
    return solver->meet(solver->meet_data, &visit, error);
}
