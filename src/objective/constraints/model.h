/* Private: objective/constrained.clh in double precision. Include this header last: its macros
 * have names such as `min` and `local`. */
#ifndef SHOAL_OBJECTIVE_CONSTRAINTS_MODEL_H
#define SHOAL_OBJECTIVE_CONSTRAINTS_MODEL_H

/* <math.h> defines these names; the kernel dialect has its own definitions. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "objective/constrained.clh"

#endif
