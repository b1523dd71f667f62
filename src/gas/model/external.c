/* External forces: the uniform field, the trap, soft walls (W5) and the piston. */
#include "gas/species/species.h"

int gas_outside(const struct gas_problem *problem, size_t axis, double x)
{
    return x < 0 ? -1 : x >= problem->length[axis] ? 1 : 0;
}

bool gas_is_soft(const struct gas_problem *problem, size_t axis, int side)
{
    const bool is_piston = side > 0 && problem->piston.acts && axis == problem->piston.axis;
    return side != 0 && problem->boundary[axis] == SHOAL_GAS_WALLS &&
           (problem->params->wall_method == SHOAL_GAS_W5 || is_piston) &&
           problem->wall[axis][side > 0] == SHOAL_GAS_WALL_REFLECT;
}

double gas_soft_depth(const struct gas_problem *problem, size_t axis, double x)
{
    const struct gas_piston *piston = &problem->piston;
    const double high = piston->acts && axis == piston->axis ? piston->now.place : problem->length[axis];
    const int side = x < 0 ? -1 : x > high ? 1 : 0;
    if (!gas_is_soft(problem, axis, side))
        return 0;
    return side < 0 ? -x : high - x;
}

double gas_external_acceleration(const struct gas_problem *problem, size_t particle, size_t axis, double x)
{
    const double pull = problem->trap * (x - 0.5 * problem->length[axis]);
    const double push = gas_soft_depth(problem, axis, x) * problem->wall_stiffness;
    return problem->field[axis] + (push - pull) / gas_mass(problem, particle);
}

double gas_external_energy(const struct gas_problem *problem, const double *position, const int32_t *image)
{
    double sum = 0;
    for (size_t i = 0; i < problem->n; i++)
        for (size_t k = 0; k < problem->dim; k++) {
            const size_t at = i * problem->dim + k;
            const double depth = gas_soft_depth(problem, k, position[at]);
            const double x = position[at] + (double)image[at] * problem->length[k];
            const double far = x - 0.5 * problem->length[k];
            sum += 0.5 * problem->wall_stiffness * depth * depth -
                   gas_mass(problem, i) * problem->field[k] * x + 0.5 * problem->trap * far * far;
        }
    return sum;
}
