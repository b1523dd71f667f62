/* Private: compiles the source files of cl/ga/model, which kernels also include, as C in double precision.
 * This header must be included last, since its macros have names such as `min` and `local`. */
#ifndef SHOAL_GA_MODEL_H
#define SHOAL_GA_MODEL_H

#include <shoal/rng.h>

/* The kernel dialect defines these names, which <math.h> also defines. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

/* Orders of a pair, as the source files access them: on the host, the elements of an order are doubles. */
struct host_orders {
    const double *a, *b;
    double *child;
    uint16_t *scratch;
};
#define ORDERS        const struct host_orders *orders
#define ORDERS_PASSED orders
#define PARENT_A(i)   orders->a[i]
#define PARENT_B(i)   orders->b[i]
#define CHILD(i)      orders->child[i]
#define SCRATCH(i)    orders->scratch[i]

#include "ga/model/bits.clh"
#include "ga/model/cross.clh"
#include "ga/model/improve.clh"
#include "ga/model/messy.clh"
#include "ga/model/mutate.clh"
#include "ga/model/orders.clh"
#include "ga/model/select.clh"
#include "ga/model/wholes.clh"

GA_FIRST_ABOVE(first_threshold, const uint32_t *, uint32_t)
GA_FIRST_ABOVE(first_sum, const uint64_t *, uint64_t)

#endif
