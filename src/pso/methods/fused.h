/* Private: the fused step. One kernel moves particles, evaluates them and updates personal bests. */
#ifndef SHOAL_PSO_FUSED_H
#define SHOAL_PSO_FUSED_H

#include "pso/device/device.h"

extern const struct shoal_program_desc pso_fused_program;

enum {
    FUSED_SHARED_ITEMS = 4
}; /* most particles of a work-item whose particles are shared with other
    * work-items */

/* How cl/pso/methods/fused.cl is specialised and launched. */
struct fused_plan {
    uint32_t ahead, depth, items, min_groups, slices, work_group;
    size_t work_items; /* most work-items of a launch */
    bool one_group;    /* the swarm is one work-group, and a launch makes many steps */
    bool fills_device; /* the swarm has enough groups to fill the device several times, so tuned defines
                        * apply */
};

struct fused_plan fused_plan_make(const struct shoal_device_info *info, uint64_t particles, uint64_t dim);

#endif
