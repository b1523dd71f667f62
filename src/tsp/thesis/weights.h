/* Private: cl/tsp/thesis/weights.clh as C. This header must be included last, since its macros have names
 * such as `min` and `local`. */
#ifndef SHOAL_TSP_THESIS_WEIGHTS_H
#define SHOAL_TSP_THESIS_WEIGHTS_H

/* The kernel dialect defines these names, which <math.h> also defines. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"
#include "tsp/thesis/weights.clh"

#endif
