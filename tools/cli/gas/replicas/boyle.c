#include "cli/gas/replicas/boyle.h"

#include <math.h>
#include <shoal/gas.h>

double gas_kinetic_part(int32_t thermostat, double particles)
{
    if (thermostat == SHOAL_GAS_NVE)
        return NAN;
    /* The random forces change the total momentum. Otherwise it stays 0, and takes a particle's degrees. */
    return thermostat == SHOAL_GAS_LANGEVIN ? 1 : (particles - 1) / particles;
}

struct gas_estimate gas_second_virial(double kinetic, double temperature, const double density[2],
                                      const struct gas_estimate pressure[2])
{
    struct gas_estimate sum[2];
    const double apart = density[1] - density[0];
    for (size_t i = 0; i < 2; i++) {
        const double ideal = density[i] * temperature;
        sum[i].value = (pressure[i].value / ideal - kinetic) / density[i];
        sum[i].error = pressure[i].error / (ideal * density[i]);
    }
    return (struct gas_estimate){(density[1] * sum[0].value - density[0] * sum[1].value) / apart,
                                 hypot(density[1] * sum[0].error, density[0] * sum[1].error) / fabs(apart)};
}

struct gas_estimate gas_boyle_temperature(const double *temperature, const struct gas_estimate *second,
                                          size_t count)
{
    for (size_t i = count; i-- > 1;) {
        const double low = second[i - 1].value, high = second[i].value;
        if (!(low <= 0 && high > 0)) /* false if one is NaN */
            continue;
        const double from = 1 / temperature[i - 1], to = 1 / temperature[i],
                     inverse = from + (to - from) * low / (low - high), slope = (low - high) / (from - to);
        /* the error of B2 between the two */
        const double share = low / (low - high),
                     off = hypot((1 - share) * second[i - 1].error, share * second[i].error);
        return (struct gas_estimate){1 / inverse, off / fabs(slope) / (inverse * inverse)};
    }
    return (struct gas_estimate){NAN, NAN};
}
