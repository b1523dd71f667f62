/* Checks that the grid of fixed-point coordinates is fine enough for the motion of a gas. */
#include "base/error.h"
#include "gas/device/device.h"
#include "io/particles/particles.h"

#include <math.h>

/* Largest accepted ratio of the grid spacing to the displacement in a step. A displacement is rounded to the
 * grid. A free particle has the same displacement, and so the same rounding error, in each step: as if its
 * velocity were wrong by up to half a grid spacing per dt. */
static const double coarsest = 1e-3;

/* The largest mass of a particle: the heaviest particles are the slowest. */
static double heaviest(const struct gas_problem *problem)
{
    const struct gas_species *species = problem->species;
    double mass = species ? species->mass[0] : problem->params->mass;
    for (size_t s = 1; species && s < species->count; s++)
        mass = fmax(mass, species->mass[s]);
    return mass;
}

/* Mean square of a velocity component at the start: of the velocities in the start file or, if velocities are
 * drawn, at the higher end of a temperature ramp. */
static double start_speed2(const struct gas_problem *problem)
{
    const struct particles *file = problem->file;
    const size_t dim = problem->dim;
    double sum = 0;
    if (!file || !file->velocity)
        return gas_hottest(problem) / heaviest(problem);
    for (size_t i = 0; i < file->count; i++)
        for (size_t k = 0; k < dim; k++)
            sum += file->velocity[3 * i + k] * file->velocity[3 * i + k];
    return sum / ((double)file->count * (double)dim);
}

/* The largest of the mean squares of a velocity component: at the start, at the temperature of the
 * thermostat, and at the temperature of thermal walls. */
static double thermal_speed2(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    double speed2 = start_speed2(problem);
    if (params->thermostat != SHOAL_GAS_NVE || params->equilibration)
        speed2 = fmax(speed2, gas_hottest(problem) / heaviest(problem));
    for (size_t k = 0; k < problem->dim; k++)
        for (size_t side = 0; side < 2; side++)
            if (problem->wall[k][side] == SHOAL_GAS_WALL_THERMAL)
                speed2 = fmax(speed2, problem->wall_temperature / heaviest(problem));
    return speed2;
}

/* For a gas without temperature: square of the speed that two particles reach by their attraction, or 0 for
 * laws that are not checked. Long-range laws need no check, since they change each velocity, and so its
 * rounding, in every step. The strength of a user's law is unknown. */
static double cold_speed2(const struct gas_problem *problem)
{
    return problem->kind == GAS_PAIR_LJ ? problem->params->epsilon / heaviest(problem) : 0;
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
