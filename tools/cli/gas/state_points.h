/* Private: known pressures and energies of the Lennard-Jones gas in two dimensions, for tests and for
 * `shoal verify --long`. */
#ifndef SHOAL_GAS_STATE_POINTS_H
#define SHOAL_GAS_STATE_POINTS_H

#include <shoal/gas.h>

/* N = 2304, cutoff 2.5 with the force truncated, at constant temperature. The pressure has the factor (N - 1)
 * / N of its kinetic part that a run without momentum has; the energy is per particle, not shifted; errors
 * are errors of the mean. Source: LAMMPS. */
struct gas_state_point {
    double temperature, density;
    double pressure, pressure_error;
    double energy, energy_error;
};
enum { GAS_STATE_POINTS = 6, GAS_STATE_POINT_PARTICLES = 2304 };
extern const struct gas_state_point gas_state_points[GAS_STATE_POINTS];

/* Virial coefficients of the same law truncated and shifted: P = rho T (1 + B2 rho + B3 rho^2 + ...). */
struct gas_virial_coefficients {
    double temperature, second, third;
};
enum { GAS_VIRIAL_COEFFICIENTS = 4 };
extern const struct gas_virial_coefficients gas_virial_coefficients[GAS_VIRIAL_COEFFICIENTS];

/* A run that samples the point with the thermostat: dt 0.002, a sample each 10 steps. `particles`, and `time`
 * in units of the gas behind an equilibration of a fifth of it, determine the errors of the averages: at 2304
 * particles and time 4000 they are as large as the errors of the table. */
struct shoal_gas_params gas_state_point_params(const struct gas_state_point *point, uint64_t particles,
                                               double time, enum shoal_gas_thermostat thermostat);

#endif
