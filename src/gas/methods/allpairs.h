/* Private: all pairs of a gas. allpairs_plan.c chooses defines and sizes, allpairs.c launches
 * cl/gas/methods/allpairs.cl. */
#ifndef SHOAL_GAS_ALLPAIRS_H
#define SHOAL_GAS_ALLPAIRS_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_allpairs_program;

/* Defines and launch sizes of cl/gas/methods/allpairs.cl. exact, far, near, shared, targets, tile, unroll,
 * work_group and min_groups are the defines EXACT, FAR, NEAR, SHARED, TARGETS, TILE, UNROLL, WG and
 * MIN_GROUPS. */
struct allpairs_plan {
    bool exact, far, near;
    uint32_t shared, targets, tile, unroll, work_group, min_groups;
    uint32_t splits; /* number of ranges into which the sources are split */
    /* there are at least as many work-groups of targets as compute units, so that tuned defines apply */
    bool fills_device;
    /* a pair is near if its squared distance d (for softened laws d + softening^2) is below `reach`; without
     * near pairs: softening^2 */
    double reach;
};

struct allpairs_plan allpairs_plan_make(const struct gas_problem *problem, enum shoal_gas_precision precision,
                                        const struct shoal_device_info *info);

/* Creates the state of gas_allpairs_method with the given plan, which must suit the gas. */
SHOAL_MUST_CHECK enum shoal_status
allpairs_create(struct shoal_solver *solver, const struct allpairs_plan *plan, struct shoal_error *error);

#endif
