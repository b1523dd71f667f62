/* Private: distances between points on the host, as inline functions for loops over many points. A file must
 * include lib/host.h before this header. */
#ifndef SHOAL_TSP_BETWEEN_H
#define SHOAL_TSP_BETWEEN_H

#include "tsp/model/form.h"
#include "tsp/model/sphere.clh"
#include "tsp/model/straight.clh"

/* Returns the distance of two points by a rule that depends on their coordinate differences, so not for
 * points on a sphere. With two coordinates z must be 0. */
static inline int64_t tsp_size_of_differences(const struct tsp_form *form, double x, double y, double z)
{
    if (form->is_exact)
        return root_of_large(form->rule, (int)x, (int)y, (int)z);
    return size_of_real(form->rule, (int)form->dim, x, y, z);
}

static inline bool tsp_is_on_sphere(const struct tsp_form *form)
{
    return IS_ON_SPHERE(form->rule);
}

static inline int64_t tsp_between_places(const struct tsp_form *form, const double *p, const double *q)
{
    if (tsp_is_on_sphere(form))
        return arc_length(form->rule, angle_between(p[0], p[1], p[2], q[0], q[1], q[2]));
    return tsp_size_of_differences(form, p[0] - q[0], p[1] - q[1], form->dim == 3 ? p[2] - q[2] : 0);
}

#endif
