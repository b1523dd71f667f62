/* Private: known pressures and energies of the Lennard-Jones gas in two dimensions, for tests and for
 * `shoal verify --long`. */
#ifndef SHOAL_GAS_STATE_POINTS_H
#define SHOAL_GAS_STATE_POINTS_H

#include <shoal/gas.h>

/* A state of 2304 particles at constant temperature, with the force truncated at 2.5. The kinetic part of the
 * pressure has the factor (N - 1) / N of runs without momentum. The energy is per particle and not shifted;
 * errors are errors of the mean. Source: LAMMPS. */
struct gas_state_point {
    double temperature, density;
    double pressure, pressure_error;
    double energy, energy_error;
};
enum { GAS_STATE_POINTS = 6, GAS_STATE_POINT_PARTICLES = 2304 };
extern const struct gas_state_point gas_state_points[GAS_STATE_POINTS];

/* Virial coefficients of the same force law, truncated and shifted: P = rho T (1 + B2 rho + B3 rho^2 +
 * ...). */
struct gas_virial_coefficients {
    double temperature, second, third;
};
enum { GAS_VIRIAL_COEFFICIENTS = 4 };
extern const struct gas_virial_coefficients gas_virial_coefficients[GAS_VIRIAL_COEFFICIENTS];

/* Parameters of a run that samples the state with the thermostat: dt 0.002, a sample every 10 steps. The
 * errors of its averages depend on `particles` and on `time`, in units of the gas, which follows an
 * equilibration of a fifth of it: with 2304 particles and time 4000 they equal the errors of the table. */
struct shoal_gas_params gas_state_point_params(const struct gas_state_point *point, uint64_t particles,
                                               double time, enum shoal_gas_thermostat thermostat);

#endif
