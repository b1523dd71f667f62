/* The second virial coefficient and the Boyle temperature, from pressures at low densities. */
#ifndef SHOAL_TOOLS_GAS_BOYLE_H
#define SHOAL_TOOLS_GAS_BOYLE_H

#include <stddef.h>
#include <stdint.h>

/* A number and its standard error. */
struct gas_estimate {
    double value, error;
};

/* The second virial coefficient of a gas at a temperature that a thermostat keeps, from its pressures at two
 * densities, by P / (density T) = kinetic + B2 density + B3 density^2. kinetic: as of gas_kinetic_part; NaN:
 * the coefficient is NaN. */
struct gas_estimate gas_second_virial(double kinetic, double temperature, const double density[2],
                                      const struct gas_estimate pressure[2]);
/* The mean kinetic part of the pressure of a periodic gas, over density and temperature. thermostat: enum
 * shoal_gas_thermostat. NaN: without a thermostat the temperature is not known beforehand. */
double gas_kinetic_part(int32_t thermostat, double particles);
/* The temperature at which the second virial coefficient is 0, by a line in 1 / T between the two
 * neighbouring temperatures between which it changes its sign; of several such pairs the one at the highest
 * temperatures. temperature: rising, [count]. NaN: it does not change its sign. */
struct gas_estimate gas_boyle_temperature(const double *temperature, const struct gas_estimate *second,
                                          size_t count);

#endif
