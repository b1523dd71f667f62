/* Private: the integrator euler-in-place of the thesis, for the host. */
#ifndef SHOAL_GAS_THESIS_IN_PLACE_H
#define SHOAL_GAS_THESIS_IN_PLACE_H

#include "gas/host/host.h"

/* Makes one step: the member `move` of struct gas_rules. */
SHOAL_MUST_CHECK enum shoal_status gas_move_in_place(struct gas_host *host, uint32_t step,
                                                     struct shoal_error *error);

#endif
