/* Private: generations of genomes in one launch, of islands on the chip and of populations in memory:
 * cl/ga/methods/genes/genes.clh. */
#ifndef SHOAL_GA_GENES_H
#define SHOAL_GA_GENES_H

#include "ga/methods/onchip.h"

extern const struct shoal_program_desc ga_genes_onchip_program, ga_genes_fused_program;

/* How the kernels are specialised for groups of `items` work-items, 0: by the device; SHOAL_UNSUPPORTED:
 * local memory is too small. */
SHOAL_MUST_CHECK enum shoal_status ga_genes_onchip_plan(const struct ga_problem *problem,
                                                        const struct shoal_device_info *info, size_t items,
                                                        struct ga_onchip_plan *plan,
                                                        struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status ga_genes_fused_plan(const struct ga_problem *problem,
                                                       const struct shoal_device_info *info, size_t items,
                                                       struct ga_onchip_plan *plan,
                                                       struct shoal_error *error);
/* The table of an objective over genes, if it has one; the caller destroys it. */
SHOAL_MUST_CHECK enum shoal_status
ga_genes_create_table(struct shoal_solver *solver, struct shoal_buffer **table, struct shoal_error *error);

#endif
