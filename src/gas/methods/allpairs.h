/* Private: all pairs of a gas. allpairs_plan.c chooses defines and sizes, allpairs.c launches
 * cl/gas/methods/allpairs.cl. */
#ifndef SHOAL_GAS_ALLPAIRS_H
#define SHOAL_GAS_ALLPAIRS_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_allpairs_program;

/* How cl/gas/methods/allpairs.cl is specialised and launched: defines and sizes. */
struct allpairs_plan {
    bool exact, far, near;
    uint32_t shared, targets, tile, unroll, work_group, min_groups;
    uint32_t splits; /* number of ranges into which the sources are split */
    /* there is a group of targets or more for each compute unit, so that tuned defines apply */
    bool fills_device;
    double reach; /* pairs are near if d (softened laws: d + softening^2) is below reach */
};

struct allpairs_plan allpairs_plan_make(const struct gas_problem *problem, enum shoal_gas_precision precision,
                                        const struct shoal_device_info *info);

/* Creates the method like gas_allpairs_method.create, with a plan of the caller, which must suit the gas. */
SHOAL_MUST_CHECK enum shoal_status
allpairs_create(struct shoal_solver *solver, const struct allpairs_plan *plan, struct shoal_error *error);

#endif
