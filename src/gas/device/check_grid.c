/* Checks that the steps of fixed-point coordinates are fine enough for the motion of a gas. */
#include "base/error.h"
#include "gas/device/device.h"
#include "io/particles/particles.h"

#include <math.h>

/* Coarsest grid that is accepted. Displacements are rounded to whole steps of the grid; a free particle has
 * the same rounding error in each step, as if its velocity were wrong by up to half a step of the grid per
 * dt. */
static const double coarsest = 1e-3;

/* Square of the initial speed along an axis. */
static double start_speed2(const struct gas_problem *problem)
{
    const struct particles *file = problem->file;
    const size_t dim = problem->dim;
    double sum = 0;
    if (!file || !file->velocity)
        return gas_hottest(problem->params) / problem->params->mass;
    for (size_t i = 0; i < file->count; i++)
        for (size_t k = 0; k < dim; k++)
            sum += file->velocity[3 * i + k] * file->velocity[3 * i + k];
    return sum / ((double)file->count * (double)dim);
}

/* Square of the speed along an axis after a thermostat and thermal walls have acted. */
static double thermal_speed2(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    double speed2 = start_speed2(problem);
    if (params->thermostat != SHOAL_GAS_NVE || params->equilibration)
        speed2 = fmax(speed2, gas_hottest(params) / params->mass);
    for (size_t k = 0; k < problem->dim; k++)
        for (size_t side = 0; side < 2; side++)
            if (problem->wall[k][side] == SHOAL_GAS_WALL_THERMAL)
                speed2 = fmax(speed2, problem->wall_temperature / params->mass);
    return speed2;
}

/* A gas without temperature: the speed that two attracting particles reach. Laws that reach over all space
 * need no check, since they change a velocity, and so its rounding, in every step; nor does a user's law, of
 * which nothing is known. */
static double cold_speed2(const struct gas_problem *problem)
{
    return problem->kind == GAS_PAIR_LJ ? problem->params->epsilon / problem->params->mass : 0;
}

enum shoal_status gas_check_grid(const struct gas_problem *problem, struct shoal_error *error)
{
    const double thermal2 = thermal_speed2(problem);
    const double displacement = sqrt(thermal2 > 0 ? thermal2 : cold_speed2(problem)) * problem->params->dt;
    for (size_t k = 0; k < problem->dim && displacement > 0; k++) {
        const double unit = gas_grid_unit(problem, k);
        if (unit > coarsest * displacement)
            return fail(
                error, SHOAL_INVALID,
                "the box is %.6g long along %c, where positions are multiples of %.3g: too coarse for "
                "displacements of about %.3g in a step; take --precision double, a smaller box or a longer "
                "--dt",
                problem->length[k], "xyz"[k], unit, displacement);
    }
    return SHOAL_OK;
}
