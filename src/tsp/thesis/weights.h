/* Private: cl/tsp/thesis/weights.clh as C. Include this header last: its macros have names such as `min` and
 * `local`. */
#ifndef SHOAL_TSP_THESIS_WEIGHTS_H
#define SHOAL_TSP_THESIS_WEIGHTS_H

/* <math.h> defines these names, which the kernel dialect defines, too. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"
#include "tsp/thesis/weights.clh"

#endif
