/* Private: forces of a gas by fast multipoles, <shoal/fmm.h>. docs/gas-forces.md, "Fast multipoles". */
#ifndef SHOAL_GAS_FMM_H
#define SHOAL_GAS_FMM_H

#include "gas/gas.h"

#include <shoal/fmm.h>

extern const struct shoal_program_desc gas_fmm_program;

/* SHOAL_INVALID: the method does not do the law, the box or the species of the gas. */
SHOAL_MUST_CHECK enum shoal_status gas_fmm_check(const struct gas_problem *problem,
                                                 struct shoal_error *error);
/* Law and accuracy of a gas that gas_fmm_check has accepted. */
struct shoal_fmm_params gas_fmm_params(const struct gas_problem *problem);
/* Whether the host computes the forces by fast multipoles. */
bool gas_fmm_on_host(const struct gas_problem *problem);

/* As gas_forces, by fast multipoles in double precision. The virials are those of gas_fmm_forces in
 * cl/gas/methods/fmm.cl. */
SHOAL_MUST_CHECK enum shoal_status gas_fmm_forces(const struct gas_problem *problem, const double *position,
                                                  double *acceleration, double *energy, double *virial,
                                                  struct shoal_error *error);

#endif
