/* Checks that the grid of fixed-point coordinates is fine enough for the motion of a gas. */
#include "base/error.h"
#include "gas/device/device.h"
#include "io/particles/particles.h"

#include <math.h>

/* Largest accepted ratio of the grid spacing to the displacement in a step. Displacements are rounded to the
 * grid; a free particle has the same rounding error in each step, like an error of its velocity by up to half
 * a grid spacing per dt. */
static const double coarsest = 1e-3;

/* Mean square of the initial velocity along an axis. */
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

/* Mean square of the velocity along an axis once thermostat and thermal walls have acted. */
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

/* For a gas without temperature: square of the speed that two attracting particles reach. Long-range laws
 * need no check, since they change each velocity, and so its rounding, in every step. User's laws are not
 * checked, since their strength is unknown. */
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
