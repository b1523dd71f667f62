#include "tsp/model/sphere.h"

#include "lib/host.h"
#include "tsp/model/rules.clh"

/* Converts an angle to turns. For RULE_GEO, like TSPLIB, the degrees are the truncated angle, and pi is
 * 3.141592. */
static double turns(int rule, double angle)
{
    if (rule != RULE_GEO)
        return angle / 360;
    const double degrees = trunc(angle), minutes = angle - degrees;
    return 3.141592 * (degrees + 5.0 * minutes / 3.0) / 180.0 / (2 * M_PI);
}

void tsp_unit_vector(int rule, const double place[2], double vector[3])
{
    const double latitude = turns(rule, place[0]), longitude = turns(rule, place[1]);
    const double radius = cos2pi(latitude);
    vector[0] = radius * cos2pi(longitude);
    vector[1] = radius * sin2pi(longitude);
    vector[2] = sin2pi(latitude);
}
