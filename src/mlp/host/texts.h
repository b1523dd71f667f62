/* Private: the files of cl/mlp/model that kernels and the host share, compiled here as C in double precision.
 * Include this header last, because it defines macros with names such as `min` and `local`. */
#ifndef SHOAL_MLP_HOST_TEXTS_H
#define SHOAL_MLP_HOST_TEXTS_H

#include <shoal/rng.h>

/* <math.h> defines these names, and so does lib/host.h. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "mlp/model/activation.clh"
#include "mlp/model/loss.clh"
#include "mlp/model/optimiser.clh"
#include "mlp/model/order.clh"

#endif
