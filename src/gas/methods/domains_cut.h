/* Private: cuts between the shares of a gas. */
#ifndef SHOAL_GAS_DOMAINS_CUT_H
#define SHOAL_GAS_DOMAINS_CUT_H

#include "base/integer.h"
#include "gas/device/device.h"

/* Layers of cells. */
struct gas_layers {
    uint32_t count;
    const uint32_t *firsts; /* [count + 1]: place of the first particle of each layer in the next sort */
    /* [count + 1]: place of the first particle of each layer in the last sort */
    const uint32_t *before;
    /* [count]: number of neighbours of all particles of each layer, in the last lists */
    const uint32_t *neighbours;
};

/* Moves the cuts. Share k of `count` shares has the blocks cuts[k] .. cuts[k + 1] - 1: at least one block,
 * and the fraction (shares[k + 1] - shares[k]) / shares[count] of the cost. cuts[0] and shares[0] are 0;
 * cuts[count] and shares[count] are the number of blocks. false: no cut has moved, since the costs are near
 * these fractions. */
bool gas_domains_cut(const struct gas_layers *layers, const uint64_t *shares, size_t count, uint64_t *cuts);

#endif
