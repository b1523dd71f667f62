/* Private: how the gas uses code of the thesis: kernels for all pairs, and the method "cells". */
#ifndef SHOAL_GAS_THESIS_USE_H
#define SHOAL_GAS_THESIS_USE_H

#include "gas/gas.h"

struct ladder;

/* A kernel of the thesis that computes the forces between all pairs in place of the kernel of
 * gas_allpairs_method, which still computes the energies. */
struct gas_ladder {
    enum shoal_status (*create)(struct shoal_solver *solver, struct ladder **out, struct shoal_error *error);
    void (*destroy)(struct ladder **ladder);
    enum shoal_status (*forces)(struct shoal_solver *solver, const struct ladder *ladder,
                                struct shoal_error *error);
    double (*tolerance)(const struct gas_problem *problem, enum shoal_gas_precision precision);
    const char *(*name)(const struct shoal_gas_params *params);
};

#if SHOAL_THESES
#define GAS_THESIS_METHOD   &gas_cells_method.base,
#define GAS_THESIS_OR_CELLS " or cells"
/* Returns the functions of the kernel that the parameters ask for; NULL: they ask for none. */
const struct gas_ladder *gas_ladder_of(const struct shoal_gas_params *params);
/* Returns the method that the parameters of the thesis imply; SHOAL_GAS_AUTO: they imply none. */
int32_t gas_thesis_method(const struct shoal_gas_params *params);
/* Checks the rules between parameters of the thesis and other parameters. */
SHOAL_MUST_CHECK enum shoal_status gas_check_thesis(const struct shoal_gas_params *params,
                                                    struct shoal_error *error);
#else
#define GAS_THESIS_METHOD
#define GAS_THESIS_OR_CELLS ""
static inline const struct gas_ladder *gas_ladder_of(const struct shoal_gas_params *params)
{
    (void)params;
    return NULL;
}

static inline int32_t gas_thesis_method(const struct shoal_gas_params *params)
{
    (void)params;
    return SHOAL_GAS_AUTO;
}

static inline enum shoal_status gas_check_thesis(const struct shoal_gas_params *params,
                                                 struct shoal_error *error)
{
    (void)params, (void)error;
    return SHOAL_OK;
}
#endif

#endif
