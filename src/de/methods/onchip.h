/* Private: the method that keeps whole islands on the chip, a work-group for each island. */
#ifndef SHOAL_DE_ONCHIP_H
#define SHOAL_DE_ONCHIP_H

#include "de/device/device.h"

extern const struct shoal_program_desc de_onchip_program;

/* Defines and sizes of cl/de/methods/onchip.cl. */
struct de_onchip_plan {
    size_t pool; /* local memory in units of 8 bytes */
    uint32_t work_group;
    uint32_t min_groups; /* number of groups that must fit a multiprocessor at the same time */
};

/* Makes the plan. work_group 0: the size is chosen for the device. SHOAL_UNSUPPORTED: the island is too large
 * for the device. */
SHOAL_MUST_CHECK enum shoal_status de_onchip_plan_make(const struct de_problem *problem,
                                                       const struct shoal_device_info *info,
                                                       size_t work_group, struct de_onchip_plan *plan,
                                                       struct shoal_error *error);

#endif
