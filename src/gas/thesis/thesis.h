/* Private: the parameters of the thesis as they take effect. */
#ifndef SHOAL_GAS_THESIS_H
#define SHOAL_GAS_THESIS_H

#include "gas/gas.h"
#include "gas/thesis/use.h"

#include <shoal/theses.h>

/* Returns the parameters of the thesis to which params->thesis points or, if it is NULL, the defaults. */
const struct shoal_gas_thesis *gas_thesis_of(const struct shoal_gas_params *params);

static inline double gas_near_radius_of(const struct shoal_gas_params *params)
{
    return gas_given_or(gas_thesis_of(params)->near_radius, 2);
}

static inline double gas_middle_radius_of(const struct shoal_gas_params *params)
{
    return gas_given_or(gas_thesis_of(params)->middle_radius, 10);
}

static inline uint64_t gas_unroll_of(const struct shoal_gas_params *params)
{
    const uint64_t unroll = gas_thesis_of(params)->unroll;
    return unroll ? unroll : 8;
}

/* Checks the parameters by the rules of the method "cells", which the user or an option of the thesis has
 * chosen. */
SHOAL_MUST_CHECK enum shoal_status gas_check_cells(const struct shoal_gas_params *params,
                                                   struct shoal_error *error);

#endif
