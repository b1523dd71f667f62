/* Private: the method "onchip", which keeps whole islands on the chip, with a work-group for each island. */
#ifndef SHOAL_PSO_ONCHIP_H
#define SHOAL_PSO_ONCHIP_H

#include "pso/device/device.h"

extern const struct shoal_program_desc pso_onchip_program;

/* Defines and sizes of cl/pso/methods/onchip.cl. */
struct onchip_plan {
    size_t lanes;       /* number of work-items that share a particle */
    size_t coordinates; /* number of dimensions that each work-item has */
    size_t pool;        /* size of local memory in units of 8 bytes */
    uint32_t work_group;
};

/* Plans the method for a problem and a device. lanes 0: the number of lanes is chosen for the device.
 * SHOAL_UNSUPPORTED: the island is too large for the device. */
SHOAL_MUST_CHECK enum shoal_status onchip_plan_make(const struct pso_problem *problem,
                                                    const struct shoal_device_info *info, size_t lanes,
                                                    struct onchip_plan *plan, struct shoal_error *error);

#endif
