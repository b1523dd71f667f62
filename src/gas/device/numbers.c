#include "gas/device/numbers.h"

#include "cl/gas/layout.clh"

#include <math.h>

/* Number of grid steps in the length of a periodic axis. */
static const double all_steps = 4294967296.0;

/* Number of components of a position or velocity in memory: 2 in two dimensions, 4 in three. */
static size_t parts(const struct gas_problem *problem)
{
    return problem->dim == 2 ? 2 : 4;
}

/* Converts a coordinate to fixed point. A coordinate just below a border is not rounded across this border:
 * that would move the particle by the length of the box. */
static uint32_t to_fixed(const struct gas_problem *problem, size_t axis, double x)
{
    const double share = x / problem->length[axis];
    if (problem->boundary[axis] == SHOAL_GAS_PERIODIC)
        return (uint32_t)fmin(rint((share - floor(share)) * all_steps), all_steps - 1);
    const double steps = rint(share * BOX_STEPS);
    if (problem->boundary[axis] == SHOAL_GAS_WALLS) /* the high face itself does not belong to the box */
        return (uint32_t)(BOX_BEGIN + fmin(fmax(steps, 0), BOX_STEPS - 1));
    return (uint32_t)(BOX_BEGIN + steps);
}

static double from_fixed(const struct gas_problem *problem, size_t axis, uint32_t coordinate)
{
    if (problem->boundary[axis] == SHOAL_GAS_PERIODIC)
        return coordinate / all_steps * problem->length[axis];
    return ((double)coordinate - BOX_BEGIN) / BOX_STEPS * problem->length[axis];
}

/* Returns the coordinate x as stored in double precision. Along a periodic axis x is wrapped into the box,
 * between walls it is limited to the box, and along an open axis it does not change. */
static double to_inside(const struct gas_problem *problem, size_t axis, double x)
{
    const double length = problem->length[axis];
    if (problem->boundary[axis] == SHOAL_GAS_PERIODIC) {
        x -= floor(x / length) * length;
        return x < length ? x : 0;
    }
    if (problem->boundary[axis] == SHOAL_GAS_WALLS)
        return fmin(fmax(x, 0), nextafter(length, 0));
    return x;
}

void gas_put_position(const struct gas_problem *problem, void *array, size_t place, size_t axis, double x)
{
    const size_t at = place * parts(problem) + axis;
    if (problem->params->precision == SHOAL_GAS_DOUBLE)
        ((double *)array)[at] = to_inside(problem, axis, x);
    else
        ((uint32_t *)array)[at] = to_fixed(problem, axis, x);
}

double gas_get_position(const struct gas_problem *problem, const void *array, size_t place, size_t axis)
{
    const size_t at = place * parts(problem) + axis;
    if (problem->params->precision == SHOAL_GAS_DOUBLE)
        return ((const double *)array)[at];
    return from_fixed(problem, axis, ((const uint32_t *)array)[at]);
}

void gas_put_vector(const struct gas_problem *problem, void *array, size_t place, size_t axis, double value)
{
    const size_t at = place * parts(problem) + axis;
    if (problem->params->precision == SHOAL_GAS_SINGLE)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

double gas_get_vector(const struct gas_problem *problem, const void *array, size_t place, size_t axis)
{
    const size_t at = place * parts(problem) + axis;
    return problem->params->precision == SHOAL_GAS_SINGLE ? (double)((const float *)array)[at]
                                                          : ((const double *)array)[at];
}

size_t gas_position_bytes(const struct gas_problem *problem)
{
    return parts(problem) *
           (problem->params->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(uint32_t));
}

size_t gas_vector_bytes(const struct gas_problem *problem)
{
    return parts(problem) * (problem->params->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double));
}
