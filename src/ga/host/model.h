/* Private: compiles the texts of cl/ga/model, which kernels also include, as C in double precision. Include
 * this header last, since it defines macros with names such as `min` and `local`. */
#ifndef SHOAL_GA_MODEL_H
#define SHOAL_GA_MODEL_H

#include <shoal/rng.h>

/* <math.h> defines these names; the kernel dialect has its own definitions. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

/* Orders of a pair, for the macros of cl/ga/model/orders.clh. On the host, the elements of an order are
 * doubles. */
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

/* x^exponent, or 0 for a power of a number above 1 that is below 2^-60. Operators subtract such a power from
 * 2, which does not change. */
static inline double ga_power(double x, double exponent)
{
    return x >= 2 && (double)ilogb(x) * exponent < -60 ? 0 : pow(x, exponent);
}
#define GA_POWER        ga_power
#define GA_SHARES_POWER 1

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
