/* Private: whole islands on the chip, a work-group for each. */
#ifndef SHOAL_GA_ONCHIP_H
#define SHOAL_GA_ONCHIP_H

#include "ga/device/device.h"

extern const struct shoal_program_desc ga_onchip_program;

/* How cl/ga/methods/onchip.cl is specialised. */
struct ga_onchip_plan {
    size_t lanes; /* work-items that share a pair */
    size_t pool;  /* local memory in units of 8 bytes */
    uint32_t work_group;
    uint32_t min_groups; /* of genomes: groups that are to fit a multiprocessor at a time */
};

/* lanes 0: by the device; SHOAL_UNSUPPORTED if the island is too large for it. */
SHOAL_MUST_CHECK enum shoal_status ga_onchip_plan(const struct ga_problem *problem,
                                                  const struct shoal_device_info *info, size_t lanes,
                                                  struct ga_onchip_plan *plan, struct shoal_error *error);

#endif
