/* Private: the texts of cl/mlp/model as C in double precision. Include this header last: its macros have
 * names such as `min` and `local`. */
#ifndef SHOAL_MLP_HOST_TEXTS_H
#define SHOAL_MLP_HOST_TEXTS_H

#include <shoal/rng.h>

/* <math.h> defines these names, which the kernel dialect defines, too. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "mlp/model/activation.clh"
#include "mlp/model/loss.clh"
#include "mlp/model/optimiser.clh"
#include "mlp/model/order.clh"

#endif
