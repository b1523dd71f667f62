/* Private: known pressures and energies of the Lennard-Jones gas in two dimensions, for tests and for
 * `shoal verify --long`. */
#ifndef SHOAL_GAS_STATE_POINTS_H
#define SHOAL_GAS_STATE_POINTS_H

#include <shoal/gas.h>

/* A state of 2304 particles at constant temperature, with the force truncated at 2.5, computed with LAMMPS.
 * The kinetic part of the pressure has the factor (N - 1) / N, since the total momentum is 0. The energy is
 * the energy of a particle, not shifted; errors are standard errors of the mean. */
struct gas_state_point {
    double temperature, density;
    double pressure, pressure_error;
    double energy, energy_error;
};
enum { GAS_STATE_POINTS = 6, GAS_STATE_POINT_PARTICLES = 2304 };
extern const struct gas_state_point gas_state_points[GAS_STATE_POINTS];

/* Virial coefficients of the potential of gas_state_points, truncated and shifted: P = rho T (1 + B2 rho + B3
 * rho^2 + ...). */
struct gas_virial_coefficients {
    double temperature, second, third;
};
enum { GAS_VIRIAL_COEFFICIENTS = 4 };
extern const struct gas_virial_coefficients gas_virial_coefficients[GAS_VIRIAL_COEFFICIENTS];

/* Parameters of a run that samples the state with the thermostat: dt 0.002, a sample every 10 steps. time:
 * simulated time, after an equilibration of time / 5. With 2304 particles and time 4000 the errors of the
 * averages equal the errors of gas_state_points. */
struct shoal_gas_params gas_state_point_params(const struct gas_state_point *point, uint64_t particles,
                                               double time, enum shoal_gas_thermostat thermostat);

#endif
