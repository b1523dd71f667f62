/* Private: all pairs of a gas. allpairs_plan.c plans, allpairs.c launches cl/gas/methods/allpairs.cl. */
#ifndef SHOAL_GAS_ALLPAIRS_H
#define SHOAL_GAS_ALLPAIRS_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_allpairs_program;

/* How cl/gas/methods/allpairs.cl is specialised and launched: defines and sizes. */
struct allpairs_plan {
    bool exact, far, near;
    uint32_t shared, targets, tile, unroll, work_group, min_groups;
    uint32_t splits;   /* number of ranges into which the sources are split */
    bool fills_device; /* the gas fills the device several times over, so that tuned defines apply */
    double reach;      /* pairs are near where d, or d + softening^2 for softened laws, is below this */
};

struct allpairs_plan allpairs_plan_make(const struct gas_problem *problem, enum shoal_gas_precision precision,
                                        const struct shoal_device_info *info);

/* Creates the method as gas_allpairs_method.create does, but with a plan by the caller, which must fit the
 * gas. */
SHOAL_MUST_CHECK enum shoal_status
allpairs_create(struct shoal_solver *solver, const struct allpairs_plan *plan, struct shoal_error *error);

#endif
