/* Known states of the two-dimensional Lennard-Jones gas. */
#include "cli/gas/verify/state_points.h"

#include <math.h>

const struct gas_state_point gas_state_points[GAS_STATE_POINTS] = {
    {0.7, 0.10, 0.05686, 0.00011, -0.3969, 0.0017}, {0.7, 0.40, 0.18610, 0.00056, -1.2231, 0.0011},
    {1.0, 0.10, 0.09414, 0.00009, -0.3043, 0.0010}, {1.0, 0.40, 0.42089, 0.00065, -1.0717, 0.0008},
    {2.0, 0.05, 0.10252, 0.00005, -0.1124, 0.0004}, {2.0, 0.40, 1.20544, 0.00112, -0.8857, 0.0005},
};

const struct gas_virial_coefficients gas_virial_coefficients[GAS_VIRIAL_COEFFICIENTS] = {
    {0.7, -2.35882, 4.507},
    {1.0, -0.81796, 2.336},
    {2.0, 0.46748, 1.222},
    {5.0, 0.99995, 1.180},
};

struct shoal_gas_params gas_state_point_params(const struct gas_state_point *point, uint64_t particles,
                                               double time, enum shoal_gas_thermostat thermostat)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = particles;
    params.density = point->density;
    params.temperature = point->temperature;
    params.cutoff = 2.5;
    params.cut = SHOAL_GAS_CUT_TRUNCATED;
    params.thermostat = (int32_t)thermostat;
    /* At full steps the kinetic energy of velocity Verlet is too low by about dt^2 <Laplacian of u> / (4 m),
     * with this dt by 0.02 %. */
    params.dt = 0.002;
    params.steps = (uint64_t)llround(time / params.dt);
    params.equilibration = params.steps / 5;
    params.thermo = 10;
    return params;
}
