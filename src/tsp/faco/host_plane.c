/* An ant on the host: points of the plane with straight distances, rounded to the nearest whole number. */
#include <math.h>

#define NAME                                faco_host_ant_in_plane
#define FACO_PLACES                         const double *places;
#define FACO_SET_PLACES(view, faco, source) ((view)->places = (source)->places)
#define FACO_DISTANCE(view, a, b)           in_plane((view)->places, a, b)
#define FACO_HAS_FIXED(view)                0

/* As tsp_distance: TSPLIB's EUC_2D. */
static inline long in_plane(const double *places, unsigned a, unsigned b)
{
    const double *p = places + 2 * (unsigned long)a, *q = places + 2 * (unsigned long)b;
    const double x = p[0] - q[0], y = p[1] - q[1];
    return (long)(sqrt(x * x + y * y) + 0.5);
}

#include "tsp/faco/host_ant.h"
