#include "cli/gas/replicas/boyle.h"

#include <math.h>

struct gas_estimate gas_second_virial(double particles, double temperature, const double density[2],
                                      const struct gas_estimate pressure[2])
{
    struct gas_estimate sum[2];
    const double apart = density[1] - density[0];
    for (size_t i = 0; i < 2; i++) {
        const double ideal = density[i] * temperature;
        /* The kinetic part of the pressure of particles without a total momentum has the factor (n - 1) / n.
         */
        sum[i].value = (pressure[i].value / ideal - (particles - 1) / particles) / density[i];
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
