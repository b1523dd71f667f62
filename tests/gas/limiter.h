/* A limiter of speeds in parameters of the gas. */
#ifndef SHOAL_TESTS_GAS_LIMITER_H
#define SHOAL_TESTS_GAS_LIMITER_H

#include <shoal/theses.h>

#if SHOAL_THESES
/* Gives the parameters a limiter, by a struct of the thesis that all tests share: it is the last one given.
 * limit NaN: the default. */
static inline void limit_speeds(struct shoal_gas_params *params, enum shoal_gas_limiter limiter, double limit)
{
    static struct shoal_gas_thesis thesis;
    shoal_gas_thesis_init(&thesis);
    thesis.limiter = limiter;
    thesis.limit = limit;
    params->thesis = &thesis;
}
#endif

#endif
