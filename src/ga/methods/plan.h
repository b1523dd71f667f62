/* Private: defines and sizes of the kernels that make whole generations in work-groups: islands on the chip,
 * and populations in global memory. */
#ifndef SHOAL_GA_METHODS_PLAN_H
#define SHOAL_GA_METHODS_PLAN_H

#include "ga/device/device.h"

extern const struct shoal_program_desc ga_genes_fused_program, ga_genes_onchip_program, ga_onchip_program;

struct ga_plan {
    size_t lanes; /* number of work-items that share a pair */
    size_t pool;  /* size of local memory in units of 8 bytes */
    uint32_t work_group;
    uint32_t min_groups; /* number of groups that must fit a multiprocessor at the same time */
};

/* Plan the kernels. ga_onchip_plan: islands of reals on the chip. ga_genes_onchip_plan: islands of genomes on
 * the chip. ga_genes_fused_plan: genomes in global memory. lanes: tuned number of lanes; items: tuned
 * work-group size; 0: chosen for the device. SHOAL_UNSUPPORTED: the device has too little local memory. */
SHOAL_MUST_CHECK enum shoal_status ga_onchip_plan(const struct ga_problem *problem,
                                                  const struct shoal_device_info *info, size_t lanes,
                                                  struct ga_plan *plan, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_genes_onchip_plan(const struct ga_problem *problem,
                                                        const struct shoal_device_info *info, size_t items,
                                                        struct ga_plan *plan, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_genes_fused_plan(const struct ga_problem *problem,
                                                       const struct shoal_device_info *info, size_t items,
                                                       struct ga_plan *plan, struct shoal_error *error);
/* Creates the table of an objective over genes; the caller destroys it. *table stays NULL if the objective
 * has no table. */
SHOAL_MUST_CHECK enum shoal_status
ga_genes_create_table(struct shoal_solver *solver, struct shoal_buffer **table, struct shoal_error *error);

#endif
