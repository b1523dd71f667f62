/* Starts with the positions and velocities of a caller. */
#include "base/error.h"
#include "gas/start/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status place(struct gas_problem *problem, const double *position, struct shoal_error *error)
{
    for (size_t i = 0; i < problem->n; i++)
        for (size_t k = 0; k < problem->dim; k++) {
            const double x = position[i * problem->dim + k];
            int32_t crossed;
            if (gas_put(problem, i, k, x, &crossed) != GAS_PLACED)
                return fail(error, SHOAL_INVALID,
                            "positions: particle %zu is at %c = %.6g, outside the box from 0 to %.6g", i + 1,
                            "xyz"[k], x, problem -> length[k]);
            int32_t *image = &problem->image[i * problem->dim + k];
            const double all = (double)*image + crossed;
            if (!(fabs(all) <= INT32_MAX) || !gas_is_crossing((int32_t)all))
                return fail(
                    error, SHOAL_INVALID,
                    "positions: particle %zu at %c = %.6g has crossed the border %.0f times, more than "
                    "a run can count: put it nearer to the box",
                    i + 1, "xyz"[k], x, all);
            *image = (int32_t)all;
        }
    return SHOAL_OK;
}

enum shoal_status gas_place_given(struct gas_problem *problem, const double *position, const double *velocity,
                                  struct shoal_error *error)
{
    const size_t numbers = problem->n * problem->dim;
    for (size_t i = 0; velocity && i < numbers; i++)
        if (!isfinite(velocity[i]))
            return fail(error, SHOAL_INVALID,
                        "velocities: that of particle %zu along %c is %g, no finite number",
                        i / problem->dim + 1, "xyz"[i % problem->dim], velocity[i]);
    if (position && !problem->image)
        problem->image = calloc(numbers, sizeof *problem->image);
    if (position && !problem->image)
        return fail_host_memory(error);
    const enum shoal_status status = position ? place(problem, position, error) : SHOAL_OK;
    if (status)
        return status;
    if (velocity) {
        memcpy(problem->velocity, velocity, numbers * sizeof *velocity);
        gas_set_start_temperature(problem, velocity, problem->dim);
    }
    return position ? gas_check_overlaps(problem, NULL, error) : SHOAL_OK;
}
