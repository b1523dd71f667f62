/* Private: the fused step. One kernel moves particles, evaluates them and updates personal bests. */
#ifndef SHOAL_PSO_FUSED_H
#define SHOAL_PSO_FUSED_H

#include "pso/device/device.h"

extern const struct shoal_program_desc pso_fused_program, pso_fused_best_program;

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

/* Rows of bests: the value of a particle, its number and its position. */
struct fused_bests {
    struct shoal_buffer *value, *index, *position; /* [rows], [rows], [rows][dim] */
};

/* What a solver that has a share of the swarm adds to the method (fused_share.c). */
struct fused_share;
SHOAL_MUST_CHECK enum shoal_status fused_share_create(struct shoal_solver *solver, struct fused_share **out,
                                                      struct shoal_error *error);
void fused_share_destroy(struct fused_share **share); /* accepts NULL */
/* Puts the best of the whole swarm in the place of the best of the first of `groups` groups in slot `slot`.
 * All shares call it together. */
SHOAL_MUST_CHECK enum shoal_status fused_share_join(struct shoal_solver *solver, struct fused_share *share,
                                                    const struct fused_bests *best, size_t groups,
                                                    uint32_t slot, struct shoal_error *error);

struct fused_plan fused_plan_make(const struct shoal_device_info *info, uint64_t particles, uint64_t dim);

#endif
