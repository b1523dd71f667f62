#include "tsp/colonies.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static struct tsp_colonies *colonies_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* The colony with the shortest tour, of equal colonies the one of the lowest number. */
static uint32_t best_colony(const struct tsp_colonies *colonies)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < colonies->count; c++)
        if (colonies->best_of(colonies->states, c).best < colonies->best_of(colonies->states, best).best)
            best = c;
    return best;
}

enum shoal_status tsp_colonies_look(struct shoal_solver *solver, struct tsp_look *look,
                                    struct shoal_error *error)
{
    const struct tsp_colonies *colonies = colonies_of(solver);
    const enum shoal_status status = colonies->state_buffer
                                         ? shoal_buffer_read(solver->queue, colonies->state_buffer, 0,
                                                             colonies->states, colonies->state_bytes, error)
                                         : SHOAL_OK;
    if (status)
        return status;
    *look = colonies->best_of(colonies->states, best_colony(colonies));
    look->tours = tsp_run_of(solver)->steps * colonies->ants;
    return SHOAL_OK;
}

enum shoal_status tsp_colonies_tour(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error)
{
    const struct tsp_colonies *colonies = colonies_of(solver);
    const size_t first = (size_t)best_colony(colonies) * colonies->kept * colonies->cities,
                 bytes = colonies->cities * sizeof *tour;
    if (colonies->tour_buffer)
        return shoal_buffer_read(solver->queue, colonies->tour_buffer, first * sizeof *tour, tour, bytes,
                                 error);
    memcpy(tour, colonies->tours + first, bytes);
    return SHOAL_OK;
}

enum shoal_status tsp_colonies_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    return arrays_save(&colonies_of(solver)->arrays, checkpoint, error);
}

size_t tsp_colonies_state_count(const struct shoal_solver *solver)
{
    return (size_t)colonies_of(solver)->ants;
}

enum shoal_status tsp_colonies_get_state(struct shoal_solver *solver, double *values,
                                         struct shoal_error *error)
{
    const struct tsp_colonies *colonies = colonies_of(solver);
    const size_t count = tsp_colonies_state_count(solver);
    int64_t *read = NULL;
    enum shoal_status status = SHOAL_OK;
    if (colonies->number_buffer) {
        read = malloc(count * sizeof *read);
        status = read ? shoal_buffer_read(solver->queue, colonies->number_buffer, 0, read,
                                          count * sizeof *read, error)
                      : fail_host_memory(error);
    }
    for (size_t i = 0; i < count && !status; i++)
        values[i] = (double)(read ? read : colonies->numbers)[i];
    free(read);
    return status;
}
