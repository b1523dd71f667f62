/* Starts from a file: puts the particles of the file into the box of the run. */
#include "base/error.h"
#include "gas/start/start.h"

#include <math.h>

/* Largest distance of a position beyond an open border, in lengths of the box. Devices allow coordinates up
 * to half a length beyond. */
static const double open_margin = 0.45;

/* Largest coordinate, in lengths of the box: a larger one has too few significant digits after it is wrapped
 * into the box. */
static const double farthest = 1e6;

enum gas_put_result gas_put(struct gas_problem *problem, size_t i, size_t axis, double x, int32_t *crossed)
{
    const double length = problem->length[axis];
    *crossed = 0;
    if (!(fabs(x) <= farthest * length))
        return GAS_TOO_FAR;
    if (problem->boundary[axis] == SHOAL_GAS_PERIODIC) {
        const double boxes = floor(x / length);
        x -= length * boxes;
        x = x < length ? x : 0;
        *crossed = (int32_t)boxes;
    } else {
        const double margin = problem->boundary[axis] == SHOAL_GAS_OPEN ? open_margin * length : 0;
        if (!(x >= -margin && x <= length + margin))
            return GAS_OUTSIDE;
    }
    problem->position[i * problem->dim + axis] = x;
    return GAS_PLACED;
}

static enum shoal_status place_along(struct gas_problem *problem, const struct particles *file, size_t axis,
                                     size_t i, struct shoal_error *error)
{
    const double given = file->position[3 * i + axis], low = file->origin[axis];
    int32_t crossed;
    switch (gas_put(problem, i, axis, given - low, &crossed)) {
    case GAS_TOO_FAR:
        return fail(error, SHOAL_INVALID,
                    "%s: particle %zu is at %c = %.6g, more than %g boxes away from the box",
                    problem->params->start_file, i + 1, "xyz"[axis], given, farthest);
    case GAS_OUTSIDE:
        return fail(
            error, SHOAL_INVALID,
            "%s: particle %zu is at %c = %.6g, outside the box from %.6g to %.6g: correct the file, or take "
            "--boundary-%c periodic",
            problem->params->start_file, i + 1, "xyz"[axis], given, low, low + problem->length[axis],
            "xyz"[axis]);
    case GAS_PLACED:
        break;
    }
    if (file->image && problem->boundary[axis] == SHOAL_GAS_PERIODIC)
        problem->image[i * problem->dim + axis] = file->image[3 * i + axis] + crossed;
    if (file->velocity)
        problem->velocity[i * problem->dim + axis] = file->velocity[3 * i + axis];
    return SHOAL_OK;
}

/* Checks that a file for a gas in two dimensions has the same z and no velocity along z for all particles. */
static enum shoal_status check_flat(const struct gas_problem *problem, const struct particles *file,
                                    struct shoal_error *error)
{
    for (size_t i = 0; i < file->count; i++)
        if (file->position[3 * i + 2] != file->position[2] ||
            (file->velocity && file->velocity[3 * i + 2] != 0))
            return fail(error, SHOAL_INVALID,
                        "%s: particle %zu has another z than particle 1 or a velocity along z, but --dim is "
                        "2: take --dim 3",
                        problem->params->start_file, i + 1);
    return SHOAL_OK;
}

enum shoal_status gas_place_file(struct gas_problem *problem, const struct particles *file,
                                 struct shoal_error *error)
{
    enum shoal_status status = problem->dim == 2 ? check_flat(problem, file, error) : SHOAL_OK;
    for (size_t i = 0; i < problem->n && !status; i++)
        for (size_t k = 0; k < problem->dim && !status; k++)
            status = place_along(problem, file, k, i, error);
    return status;
}

uint64_t gas_start_particles(const struct shoal_gas_params *params)
{
    struct particles file = {0};
    size_t count = 0;
    if (gas_start_of(params) != SHOAL_GAS_FILE)
        return gas_particles_of(params);
    if (checkpoint_is_at(params->start_file)) {
        count = gas_count_checkpoint(params->start_file, (size_t)params->dim);
    } else if (!particles_read(params->start_file, &file, NULL)) {
        count = file.count;
        particles_free(&file);
    }
    return count ? count : UINT32_MAX;
}
