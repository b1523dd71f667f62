/* Private: the functions of cl/tsp/thesis/weights.clh for the host. A file must include this header after all
 * others, since the header defines macros such as `min` and `local`. */
#ifndef SHOAL_TSP_THESIS_WEIGHTS_H
#define SHOAL_TSP_THESIS_WEIGHTS_H

/* <math.h> and the dialect of the kernels both define these names. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"
#include "tsp/thesis/weights.clh"

#endif
