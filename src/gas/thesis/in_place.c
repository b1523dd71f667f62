/* The integrator of the first program of the thesis, which moves particles one after another: the force on a
 * particle is computed from the new positions of the particles that have moved before it in the step. */
#include "gas/thesis/in_place.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Copies positions, velocities and images to host->kept, before a step that may be cut, or from host->kept
 * back if `is_back`, after the step was cut. */
static void keep_state(struct gas_host *host, bool is_back)
{
    const size_t numbers = host->problem.n * host->problem.dim;
    double *x = host->kept, *v = x + numbers;
    int32_t *image = (int32_t *)(v + numbers);
    if (!host->problem.long_step)
        return;
    memcpy(is_back ? host->x : x, is_back ? x : host->x, numbers * sizeof *x);
    memcpy(is_back ? host->v : v, is_back ? v : host->v, numbers * sizeof *v);
    memcpy(is_back ? host->image : image, is_back ? image : host->image, numbers * sizeof *image);
    host->is_fresh = false;
}

enum shoal_status gas_move_in_place(struct gas_host *host, uint32_t step, struct shoal_error *error)
{
    const struct gas_problem *problem = &host->problem;
    if (!host->kept)
        host->kept = malloc(problem->n * problem->dim * (2 * sizeof(double) + sizeof(int32_t)));
    if (!host->kept)
        return fail_host_memory(error);
    keep_state(host, false);
    for (size_t block = 0; block < gas_blocks(host); block++) {
        struct gas_exchange exchange = {0};
        struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
        for (size_t i = block * GAS_BLOCK; i < gas_block_end(host, block); i++) {
            gas_forces_sampled(problem, host->x, &i, 1, host->a + i * problem->dim, NULL);
            if (long_step_look(problem->long_step)) {
                keep_state(host, true);
                return long_step_status(problem->long_step, error);
            }
            gas_host_move(host, i, step, &exchange, &trouble);
        }
        host->block_exchange[block] = exchange;
        host->troubles[block] = trouble;
    }
    host->is_fresh = false;
    return SHOAL_OK;
}
