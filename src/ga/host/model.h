/* Private: the texts of cl/ga/model as C in double precision. The last of the headers that a file includes:
 * its macros have names such as `min` and `local`. */
#ifndef SHOAL_GA_MODEL_H
#define SHOAL_GA_MODEL_H

#include <shoal/rng.h>

/* Those of <math.h>, which the dialect has too. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "ga/model/cross.clh"
#include "ga/model/mutate.clh"
#include "ga/model/select.clh"

GA_FIRST_ABOVE(first_threshold, const uint32_t *, uint32_t)
GA_FIRST_ABOVE(first_sum, const uint64_t *, uint64_t)

#endif
